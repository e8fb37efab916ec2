package web_test

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFreed: for a use after free, the page says where the block was allocated and freed, marks both lines, and has
// buttons that lead there. Under gdb, where the program goes on, it says so before the statement.
func TestFreed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "freed.c")
	text := "#include <stdio.h>\n#include <stdlib.h>\nstruct node { int v; struct node *next; };\nstruct node *head;\nvoid push(int v)\n{\n    struct node *n = malloc(sizeof *n);\n    n->v = v;\n    n->next = head;\n    head = n;\n}\nvoid drop(void)\n{\n    free(head);\n}\nint main(void)\n{\n    push(1);\n    push(2);\n    drop();\n    printf(\"%d\\n\", head->v);\n    free(head);\n    return 0;\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	leads := "head leads to n2, 16 bytes allocated at freed.c:7 in push, freed at freed.c:14 in drop"
	for _, c := range []struct{ engine, keys, says, tags string }{
		{"machine", "Sc", "the program crashed: use after free: " + leads, "7 n2 allocated,14 n2 freed,21 n2 used"},
		{"gdb", "Snnn", "The next statement uses what was freed: " + leads, "7 n2 allocated,14 n2 freed,21 n2 used"},
		{"gdb", "Sc", "the program crashed: the program aborted (SIGABRT); double free: " + leads, "7 n2 allocated,14 n2 freed,22 n2 freed again"},
	} {
		t.Run(c.engine+c.keys, func(t *testing.T) {
			srv, addr := serve(t, c.engine, file)
			b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
			b.wait("document.querySelectorAll('.line').length > 20 && document.body.dataset.seq === '0'")
			b.keys(c.keys)
			b.shoot("freed")
			if got := b.text("#notes"); got != c.says {
				t.Errorf("the page says %q, not %q", got, c.says)
			}
			const marks = "[...document.querySelectorAll('.line.made, .line.freed')].map(e => e.dataset.line + e.querySelector('.mark').textContent).join()"
			if got := b.eval(marks); got != "7+,14†" {
				t.Errorf("marked are the lines %s", got)
			}
			const said = "[...document.querySelectorAll('.tagged')].map(e => e.parentElement.dataset.line + ' ' + e.textContent).join()"
			if got := b.eval(said); got != c.tags {
				t.Errorf("behind the lines stands %q, not %q", got, c.tags)
			}
			b.click("#answer button:last-child")
			if got := b.eval("document.querySelector('.line.looked').dataset.line"); got != "14" {
				t.Errorf("the button leads to line %s", got)
			}
		})
	}
}
