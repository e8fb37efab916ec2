package web_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// This file tests the time line of the run, and the file that a session is shared as.

// TestTimeLine: earlier states can be looked at with keys and mouse, cannot be changed, and can be gone back to.
func TestTimeLine(t *testing.T) {
	srv, addr := serve(t, "machine", "../../examples/reverse.c")
	b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	b.wait("document.querySelectorAll('.line').length > 40 && document.body.dataset.seq === '0'")
	b.keys("Snnnnsnnnaennnnn")
	b.after(func() { b.drag("current", "n3") })
	b.after(func() { b.drag("n4->prev", "n3") })
	b.after(func() { b.fill("#line", "print head") }) // it only answers: it is no state
	b.eval("document.activeElement.blur()")
	const nodes = "[...document.querySelectorAll('#canvas .heap .box.node')].map(e => e.dataset.node).join(' ')"
	const here = "document.querySelector('.line.here').dataset.line"
	b.wait("document.getElementById('step').textContent === '18 of 18: reverse, line 29'")
	if got := b.eval("[...document.querySelectorAll('.tick')].map(e => e.className.slice(5)).join(',').replace(/,+/g, ' ')"); got != " asserted changed changed" {
		t.Errorf("marked are %q", got)
	}
	log := b.log()
	for range 5 {
		b.press("[")
	}
	b.wait("!document.getElementById('lookback').hidden && " + here + " === '32'")
	b.press("[[[[[[[[[[") // to the call of push(8)
	b.wait(here + " === '42' && " + nodes + " === 'n1 n2'")
	if got := b.eval("[...document.querySelectorAll('#actions button:not(:disabled)')].length"); got != "0" {
		t.Errorf("while an earlier state is shown %s buttons can be pressed", got)
	}
	if got := b.text("#lookedat"); !strings.HasPrefix(got, "Looking back at state 3 of 18 (after next).") {
		t.Errorf("the page says %q", got)
	}
	b.wait("document.getAnimations().length === 0")
	x1, y1 := b.spot("[data-grip=\"n2->next\"]")
	x2, y2 := b.spot("[data-drop=null]")
	b.dragTo(x1, y1, x2, y2)
	b.press("n")
	if got := b.log(); got != log {
		t.Errorf("in an earlier state something was executed:\n%s", got)
	}
	b.press(kb.Escape)
	b.wait("document.getElementById('lookback').hidden && " + here + " === '29' && " + nodes + " === 'n1 n2 n3 n4'")
	x, y := b.spot("#moment")
	b.do(chromedp.MouseClickXY(x, y)) // the middle of the time line
	b.wait("!document.getElementById('lookback').hidden && document.getElementById('step').textContent.startsWith('10 of 18')")
	b.shoot("looking-back")
	b.after(func() { b.click("#tohere") })
	b.wait("document.getElementById('step').textContent.startsWith('10 of 10') && " + here + " === '29' && document.getElementById('lookback').hidden")
	if got := b.log(); got != log+"\n"+strings.TrimSuffix(strings.Repeat("undo; ", 8), "; ") {
		t.Errorf("going back is not in the history as undo:\n%s", got)
	}
}

const quoted = `#include <stdio.h>
#include <stdlib.h>
/* </script><img src=x onerror="document.title='broken'"> */
struct node { const char *text; struct node *next; } *head;
int main(void)
{
    head = malloc(sizeof *head);
    head->text = "</svg><script>document.title='broken'</script>";
    head->next = NULL;
    puts(head->text);
    return 0;
}
`

// download clicks and returns the text of the file that the browser keeps.
func (b *tab) download(sel, name string) string {
	b.t.Helper()
	dir := b.t.TempDir()
	if _, err := chromedp.Call(b.ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: dir, BrowserContextID: chromedp.FromContext(b.ctx).BrowserContextID}); err != nil {
		b.t.Fatal(err)
	}
	b.click(sel)
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil && strings.HasSuffix(string(text), "</html>\n") {
			return string(text)
		}
	}
	list, _ := os.ReadDir(dir)
	b.t.Fatalf("%s is not kept as %s; the browser keeps %v, and shows %s", sel, name, list, b.eval("location.href"))
	return ""
}

// TestShare: the file that a session is shared as can be read without gulo, with and without scripts, and holds
// everything of the program as text only.
func TestShare(t *testing.T) {
	b := opened(t, quoted, "start", "next", "next", "next", "next")
	text := b.download("#share", "wide.c.html")
	file := filepath.Join(t.TempDir(), "shared.html")
	b.after(func() { b.fill("#line", "share "+file) })
	written, err := os.ReadFile(file)
	if err != nil || string(written) != text {
		t.Errorf("the command writes another file than the page gives (%v)", err)
	}
	for _, bad := range []string{"http://", "https://", "src=\"", "<img", "url(/"} {
		if strings.Contains(text, bad) {
			t.Errorf("the file holds %q", bad)
		}
	}
	f := open(t, "file://"+file, nil)
	const seen = "[...document.querySelectorAll('.moment')].filter(e => e.getBoundingClientRect().height > 0).map(e => e.id).join()"
	const title = "document.title + ' ' + document.querySelectorAll('.source .line').length"
	f.wait("document.querySelector('.line.here')?.dataset.at === '0:10'")
	if got := f.eval(seen); got != "s5" {
		t.Errorf("at first the states %s are seen", got)
	}
	if got := f.eval(title); got != "wide.c: a session of gulo 12" {
		t.Errorf("the page is %q", got)
	}
	f.click("#earlier")
	f.click("#earlier")
	f.wait(seen + " === 's3' && document.querySelector('.line.here').dataset.at === '0:8'")
	if got := f.eval("document.querySelector('#s3 .changed .label').textContent + document.querySelector('#s3 .changed').textContent.includes('</svg>')"); got != "✱ texttrue" {
		t.Errorf("state 3 shows %q", got)
	}
	f.shoot("shared")
	if axe, err := os.ReadFile("ui/node_modules/axe-core/axe.min.js"); err == nil {
		accessible(t, f, axe, "a shared session")
	}
	if _, err := chromedp.Call(f.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	f.do(chromedp.Reload())
	if got := f.eval(seen); got != "s5" {
		t.Errorf("without script the states %s are seen", got)
	}
	f.click("#rest li:nth-child(2) a")
	f.wait(seen + " === 's2'")
	if got := f.eval(title); got != "wide.c: a session of gulo 12" {
		t.Errorf("without script the page is %q", got)
	}
}
