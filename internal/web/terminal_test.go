package web_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"gulo/internal/session"
)

// editor keeps its lines as a list, and forgets a link where it inserts one between others.
const editor = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

struct line { char text[20]; struct line *prev, *next; };

static struct line *first, *cur;
static struct termios before;

static int key(void)
{
    char c = 0, s[2];
    if (read(0, &c, 1) != 1)
        exit(1);
    if (c != '\x1b')
        return c;
    if (read(0, s, 1) != 1 || s[0] == '\x1b' || read(0, s + 1, 1) != 1)
        return '\x1b';
    return 256 + s[1];
}

static void insert(struct line *at)
{
    struct line *l = calloc(1, sizeof *l);
    l->prev = at;
    l->next = at->next;
    if (at->next)
        at->next->prev = at;
    at->next = l;
    cur = l;
}

static void draw(void)
{
    struct winsize w;
    char out[2000];
    int n = sprintf(out, "\x1b[2J\x1b[H"), y = 1, at = 1;
    ioctl(0, TIOCGWINSZ, &w);
    for (struct line *l = first; l; l = l->next, y++) {
        if (l == cur)
            at = y;
        n += sprintf(out + n, "%s\r\n", l->text);
    }
    n += sprintf(out + n, "\x1b[%d;1H\x1b[7m%dx%d\x1b[m\x1b[%d;%dH", w.ws_row, w.ws_row, w.ws_col, at, (int)strlen(cur->text) + 1);
    write(1, out, n);
}

int main(void)
{
    struct termios t;
    tcgetattr(0, &before);
    t = before;
    cfmakeraw(&t);
    tcsetattr(0, TCSAFLUSH, &t);
    first = cur = calloc(1, sizeof *first);
    for (int k = 0; k != 17; ) {
        draw();
        k = key();
        if (k == '\r')
            insert(cur);
        else if (k == 256 + 'A' && cur->prev)
            cur = cur->prev;
        else if (k == '\x1b')
            strcpy(cur->text, "escaped");
        else if (k == '\t' || k >= ' ' && k < 127)
            strncat(cur->text, &(char){k == '\t' ? '>' : k}, 1);
    }
    tcsetattr(0, TCSAFLUSH, &before);
    return 0;
}
`

// TestScreen plays an editor at the page. Its screen is drawn. While the screen is focused, keys go to it, also
// Escape and Tab; Shift and Tab leave it. A breakpoint in what a key does is reached, and the size can be set.
func TestScreen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "editor.c")
	if err := os.WriteFile(file, []byte(editor), 0o600); err != nil {
		t.Fatal(err)
	}
	srv, addr := serveScreen(t, session.Config{}, file)
	b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	b.wait("document.querySelectorAll('.line').length > 30 && document.body.dataset.seq === '0'")
	expect := func(what, x, want string) {
		t.Helper()
		if got := b.eval(x); got != want {
			b.shoot("unexpected")
			t.Errorf("%s: %q, not %q", what, got, want)
		}
	}
	row := func(n string) string { return "document.querySelectorAll('#screen > div')[" + n + "].textContent" }
	b.after(func() { b.click("#begin") })
	b.button("continue", 1)
	b.stage("waits")
	expect("the program's screen", "document.querySelectorAll('#screen > div').length + "+row("23")+" + document.querySelector('#screen .r').textContent", "2424x8024x80")
	expect("what has the keys, and what is seen", "document.activeElement.id + document.getElementById('waits').hidden", "screentrue")
	expect("what is said of them", "document.getElementById('keysto').textContent", "Keys go to the program while its screen is marked, also Escape and Tab; Shift+Tab leaves.")
	b.press("n<a#;\"-")
	b.wait(row("0") + " === 'n<a#;\"- '") // a blank with the cursor
	expect("no key was a command", "[...document.querySelectorAll('#log .cmd')].every(e => /^(start|continue|keys .*)$/.test(e.textContent))", "true")
	b.press(kb.Enter + "bc" + kb.Tab + kb.ArrowUp)
	b.wait(row("1") + " === 'bc>' && document.querySelector('#screen > div .cursor').parentElement === document.querySelector('#screen > div')")
	b.eval("document.getElementById('rowscols').select()")
	b.after(func() { b.press("10x40\r") })
	b.wait("document.querySelectorAll('#screen > div').length === 10") // the editor asks for its size at the next key
	b.eval("document.getElementById('screen').focus()")
	b.after(func() { b.press("x") })
	expect("its new size", row("9")+" + document.querySelectorAll('#screen > div').length", "10x4010")
	b.after(func() { b.fill("#line", "break insert") })
	b.eval("document.getElementById('screen').focus()")
	b.after(func() { b.press(kb.Enter) })
	b.wait("document.getElementById('status').textContent === 'insert, line 27'")
	expect("where the program halts keys are commands again", "document.activeElement.id", "")
	b.after(func() { b.press("o") })
	b.stage("inserted")
	b.after(func() { b.fill("#line", "break -27") })
	b.eval("document.getElementById('line').blur()")
	b.after(func() { b.press("c") })
	expect("it waits again", "document.activeElement.id", "screen")
	b.after(func() { b.press(kb.Escape) })
	b.after(func() { b.press(kb.Escape) })
	b.wait(row("1") + ".startsWith('escaped')")
	b.hold(8, kb.Tab)
	expect("Shift and Tab leave", "document.activeElement.id === 'screen'", "false")
	b.eval("document.getElementById('screen').blur()")
	b.after(func() { b.press("u") })
	expect("Back takes back what a key did", row("1")+".startsWith('escaped')", "false")
	b.eval("document.getElementById('screen').focus()")
	b.after(func() { b.press(kb.Escape) }) // the second one, anew
	b.hold(2, "q")
	b.wait("document.getElementById('status').textContent === 'ended with status 0'")
}
