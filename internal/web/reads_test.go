package web_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// homework reads numbers and forgets to link what it appends.
const homework = `#include <stdio.h>
#include <stdlib.h>

struct item {
    int value;
    struct item *next;
};

struct item *first;

void append(int value)
{
    struct item *it = malloc(sizeof *it);
    it->value = value;
    it->next = NULL;
    if (first == NULL) {
        first = it;
        return;
    }
    struct item *p = first;
    while (p->next != NULL)
        p = p->next;
    p = it;
}

int main(void)
{
    int x;
    printf("numbers, 0 ends: ");
    while (scanf("%d", &x) == 1 && x != 0)
        append(x);
    for (struct item *p = first; p != NULL; p = p->next)
        printf("%d ", p->value);
    printf("\n");
    return 0;
}
`

// TestHomework walks through a program that reads, from Start to the saved source. While the program waits, the field
// for its input is below the picture, with the prompt, and the rest of the page works. What is typed there, or is no
// command, goes to the program. Then its picture is corrected, asserted and repaired.
func TestHomework(t *testing.T) {
	file := filepath.Join(t.TempDir(), "homework.c")
	if err := os.WriteFile(file, []byte(homework), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, engine := range played("machine", "gdb") {
		t.Run(engine, func(t *testing.T) { walkHomework(t, engine, file) })
	}
}

func walkHomework(t *testing.T, engine, file string) {
	srv, addr := serve(t, engine, file)
	b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	b.wait("document.querySelectorAll('.line').length > 30 && document.body.dataset.seq === '0'")
	expect := func(what, x, want string) {
		t.Helper()
		if got := b.eval(x); got != want {
			b.shoot("unexpected")
			t.Errorf("%s: %q, not %q", what, got, want)
		}
	}
	b.after(func() { b.click("#begin") })
	b.button("continue", 1)
	b.stage("waits")
	expect("where the program waits the page says", "document.getElementById('reads').textContent + ' ' + document.getElementById('prompt').textContent", "The program waits for input in line 30: numbers, 0 ends:")
	expect("the keyboard is in the field, which is below the picture", "document.activeElement.id + (document.activeElement.closest('#canvas') !== null)", "texttrue")
	expect("what works meanwhile", "[...document.querySelectorAll('#actions button:not(:disabled)')].map(e => e.dataset.line).join()", "undo,start")
	expect("what is seen", inside, allInside)
	b.after(func() { b.click(".line[data-line='23'] .gutter") })
	expect("a breakpoint that is set meanwhile", "document.querySelector('.line.break').dataset.line + document.activeElement.id", "23text")
	b.after(func() { b.fill("#line", "print first") })
	expect("print meanwhile", "document.querySelector('#log li:last-child').className", "")
	b.after(func() { b.fill("#line", "4") }) // no command: a line for the program
	expect("after the first number", "document.body.dataset.seq + document.querySelector('[data-node=n1] [data-key=\"n1->value\"] title').textContent", b.eval("document.body.dataset.seq")+"n1->value = 4 (int)")
	b.after(func() { b.fill("#text", "7") })
	expect("the breakpoint is come to", "document.getElementById('status').textContent", "append, line 23")
	expect("the field is where it was", "document.getElementById('waits').hidden + document.getElementById('input').parentElement.id", "trueoutput")
	b.button("next", 1)
	b.after(func() { b.drag("n1->next", "n2") })
	b.stage("corrected")
	b.button("spec", 1)
	b.button("repair", 1)
	b.wait("document.querySelector('.repair.force')")
	b.stage("repaired")
	if got := b.text(".repair.force .new"); !strings.Contains(got, "p->next = it;") {
		t.Errorf("the repair in force is %q; history:\n%s", got, b.log())
	}
	out := filepath.Join(t.TempDir(), "fixed.c")
	b.after(func() { b.fill("#file", out) })
	b.button("continue", 1)
	b.after(func() { b.click("#eof") })
	expect("the end of the run", "document.getElementById('stdout').textContent.trim()", "numbers, 0 ends: 4 7")

	bin := filepath.Join(t.TempDir(), "fixed")
	if msg, err := exec.Command("gcc", "-o", bin, out).CombinedOutput(); err != nil {
		t.Fatalf("gcc on the saved source: %v\n%s", err, msg)
	}
	cmd := exec.Command(bin)
	cmd.Stdin = strings.NewReader("1 2 3 0\n")
	if got, err := cmd.Output(); err != nil || strings.TrimSpace(string(got)) != "numbers, 0 ends: 1 2 3" {
		t.Errorf("the saved program prints %q (%v)", got, err)
	}
}

// TestPrompts: what is typed does not appear in the output, so that prompts follow each other in one line; beside the
// field only the last one is shown.
func TestPrompts(t *testing.T) {
	b := opened(t, `#include <stdio.h>
int main(void)
{
    int n, v;
    printf("How many? ");
    scanf("%d", &n);
    printf("Number 1: ");
    scanf("%d", &v);
    printf("%d\n", n + v);
    return 0;
}
`, "start", "continue")
	prompt := func(want string) {
		t.Helper()
		if got := b.text("#prompt"); got != want {
			t.Errorf("beside the field is %q, not %q", got, want)
		}
	}
	prompt("How many?")
	b.after(func() { b.fill("#line", "print n") })
	prompt("How many?")
	b.after(func() { b.fill("#text", "2") })
	prompt("Number 1:")
}
