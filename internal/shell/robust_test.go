package shell_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/session"
	"gulo/internal/target"
)

// This file has what must not break a session: programs that crash, hang, wait or fork, and commands that make no
// sense.

const prelude = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include <signal.h>\nstruct node { int data; struct node *next; };\nstruct node *head;\n"

func write(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// run executes commands and returns all output, errors included.
func run(t *testing.T, s *session.Session, script string) string {
	t.Helper()
	var out strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(script), "\n") {
		text, _, err := s.Exec(context.Background(), strings.TrimSpace(line))
		out.WriteString(text)
		var ue *session.Error
		if errors.As(err, &ue) {
			out.WriteString("error: " + ue.Text + "\n")
		} else if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	return out.String()
}

func TestRobust(t *testing.T) {
	tests := []struct {
		name, body, script string
		want               []string
		engine             string // "" for both
	}{
		{"crash", "int main(void) { int x = 1; head->data = x; return 0; }", "start\nnext\nnext\nnext\nundo\nchange head new\nnext\nprint head->data",
			[]string{"the program crashed: ", ": head is null\n", "error: the program has crashed; undo goes back to before this statement, and skip passes over it", "undid next", "head->data = 1"}, ""},
		{"abort", "int main(void) { puts(\"before\"); abort(); }", "start\ncontinue\nundo\nnext", []string{"before", "the program crashed", "back before the statement that crashed; undo again takes back continue", "abort();"}, ""},
		{"exit in the middle", "int main(void) { puts(\"out\"); exit(3); return 0; }", "start\ncontinue\nnext\nundo\nnext",
			[]string{"the program ended with status 3", "error: the program has ended; use undo to go back or start to run it again", "undid continue"}, ""},
		{"endless loop", "int main(void) { volatile int i = 0; while (1) { i = i + 1; i = i - 1; } return 0; }", "start\ncontinue\nprint i\nnext",
			[]string{"stopped after", "i = "}, ""},
		{"reads stdin", "int main(void) { int a = 0; scanf(\"%d\", &a); printf(\"got %d\\n\", a * 2); return 0; }", "start\nnext\nnext\nnext\ninput 21\ncontinue",
			[]string{"the program waits for input", "error: the program waits for input: type a line for it (input TEXT), or undo", "got 42"}, ""},
		{"end of input", "int main(void) { int c = getchar(); printf(\"%d\\n\", c); return 0; }", "start\nnext\ninput --end\ncontinue", []string{"-1", "ended with status 0"}, ""},
		{"prints like gdb", "int main(void) { printf(\"^done,fake=\\\"record\\\"\\n(gdb) \\n*stopped,reason=\\\"exited\\\"\\n\"); puts(\"&\\\"x\\\"\"); return 0; }", "start\nnext\nnext\ncontinue",
			[]string{"^done,fake=\"record\"\n(gdb) \n*stopped", "ended with status 0"}, ""},
		{"arguments", "int main(int argc, char **argv) { printf(\"%s|%d\\n\", argv[1], argc); return 0; }", "start\ncontinue", []string{"it's \"here\"|3"}, ""},
		{"forks", "int main(void) { pid_t p = fork(); if (p == 0) _exit(0); puts(\"parent\"); return 0; }", "start\nnext\ncontinue", []string{"parent", "ended with status 0"}, "gdb"},
		{"is killed", "int main(void) { puts(\"x\"); kill(getpid(), SIGKILL); puts(\"y\"); return 0; }", "start\nnext\nnext\nnext\nstart\nnext", []string{"killed by SIGKILL", "Starting program"}, "gdb"},
		{"forks on the machine", "int main(void) { pid_t p = fork(); if (p == 0) _exit(0); puts(\"parent\"); return 0; }", "start\nnext\ncontinue", []string{"parent", "ended with status 0"}, "machine"},
		{"undo of everything", "int main(void) { int a = 1; a = 2; a = 3; return a; }", "start\nnext\nnext\nnext\nundo\nundo\nundo\nundo\nundo\nprint a", []string{"undid next", "undid start", "error: nothing to undo"}, ""},
		{"output before hopping back", "void f(void) { printf(\"one\\n\"); printf(\"two\\n\"); }\nint main(void) { f(); return 0; }", "start\nstep\nspec\nnext\nspec\nnext\nresume 0\nnext\nwhere\nresume 1\nundo\nwhere", []string{"Program resumed at checkpoint 0", "note: what the program has written since then (8 bytes) stays written, and it will write it again", "#0 f at", "undid resume 1"}, ""},
		{"states that contradict each other", "void push(void) { struct node *n = malloc(sizeof *n); n->data = 0; n->next = head; head = n; }\nvoid f(void) { struct node *p = head; while (p != NULL) { p = p->next; } }\nint main(void) { push(); push(); push(); f(); return 0; }", "start\nnext 3\nstep\nnext\nspec\nenter\nnext\nspec\nenter\nnext\nchange p n3\nspec\nrepair --slots 0", []string{"error: no repair found: none of the edits searched gives all of p = n2, p = n3 at checkpoint 1 and checkpoint 2; check these assertions, as they may contradict each other"}, ""},
		{"construct that is not modelled", "int x; void f(void) { x = getpid(); }\nint main(void) { f(); return 0; }", "start\nstep\nnext\nchange x -5\nspec\nrepair --slots 0\nwhere", []string{"x = getpid(); is executed as a whole and cannot be edited: what it calls is not modelled", "error: no repair found: none of the edits searched gives x = -5 at checkpoint 0", "#0 f at"}, ""},
		{"patched return", "int f(int a, int b) { int r = a + b; return a; }\nint main(void) { int x, y; x = f(1, 2); y = f(3, 4); printf(\"%d %d\\n\", x, y); return 0; }", "start\nstep\nfinish\nchange x 3\nspec\nrepair\ncontinue", []string{"Found a repair:", "=>  r", "3 7"}, ""},
		{"patched argument", "int g(int a) { return 2 * a; }\nint f(int a, int b) { int r; r = g(a); return r; }\nint main(void) { int x, y; x = f(1, 2); y = f(3, 4); printf(\"%d %d\\n\", x, y); return 0; }", "start\nstep\nfinish\nchange x 4\nspec\nrepair\ncontinue", []string{"r = g(a)  =>  r = g(b)", "4 8"}, ""},
		{"two states compared", "int x = 1;\nvoid f(void) { x = 2; head = malloc(sizeof *head); }\nint main(void) { f(); return 0; }", "start\nstep\nspec\ncompare 0\nnext 2\ncompare 0\ncompare 5", []string{"the state is that of checkpoint 0", "head             checkpoint 0: null         now: n1", "x                checkpoint 0: 1            now: 2", "n1->data         checkpoint 0: not there    now: ?", "error: there is no checkpoint 5"}, ""},
		{"called from printf", "struct stack { struct node *top; };\nint pop(struct stack *s) { struct node *n = s->top; int d = n->data; s->top = n; free(n); return d; }\nint main(void) { struct stack s = {NULL}; s.top = calloc(1, sizeof *head); s.top->next = calloc(1, sizeof *head); s.top->next->data = 2; printf(\"%d\\n\", pop(&s)); printf(\"%d\\n\", s.top->data); return 0; }", "break pop\nstart\ncontinue\nspec\nfinish\nchange s.top n2\nspec\nrepair\ncontinue", []string{"s->top = n  =>  s->top = n->next", "2\n"}, ""},
		{"missing free", "void f(void) { struct node *n = head; head = n->next; n = NULL; }\nint main(void) { head = calloc(1, sizeof *head); f(); printf(\"%d\\n\", head == NULL); return 0; }", "start\nnext\nstep\nfinish\nchange n1 freed\nspec\nrepair\nchange n1 freed\ncontinue", []string{"insert free(", "error: no variable, node or field n1 here", "1\n"}, ""},
		{"drawn in a node that nothing leads to", "void put(void) { struct node *n = calloc(1, sizeof *n); head->next = n; }\nint main(void) { head = calloc(1, sizeof *head); head->next = calloc(1, sizeof *head); put(); return 0; }", "start\nnext 2\nstep\nfinish\nchange n2->next n3\nspec\nrepair", []string{"unreachable: n2 (data 0, next →n3)", "Found a repair:"}, ""},
		{"fresh node", "void f(void) { struct node *n = head; n->data = 7; n->next = NULL; head = n; }\nint main(void) { f(); return head->data; }", "start\nstep\nnext\nchange n new\nspec\nrepair", []string{"n = head  =>  n = malloc(sizeof(struct node))"}, ""},
		{"output without line break", "int main(void) { printf(\"abc\"); printf(\"def\\n\"); return 0; }", "start\nnext\nnext\ncontinue", []string{"abcdef\n"}, ""},
		{"recursion deeper than a picture", "int f(int n) { return n == 0 ? 0 : 1 + f(n - 1); }\nint main(void) { int r = f(300); return r == 300; }", "start\nstep\nstep\nstep\nwhere\nfinish\nnext", []string{"#0 f at", "#3 main"}, ""},
	}
	for i, tt := range tests {
		both := enginesFor(i)
		if tt.engine != "" {
			both = []string{tt.engine}
		}
		for _, engine := range both {
			t.Run(tt.name+"/"+engine, func(t *testing.T) {
				var args []string
				if tt.name == "arguments" {
					args = []string{`it's "here"`, "two"}
				}
				path := write(t, prelude+tt.body+"\n")
				tree, err := cfront.Load(context.Background(), []string{path}, cfront.Options{})
				if err != nil {
					t.Fatal(err)
				}
				p, err := lower.Lower(tree, lower.Options{Memory: true})
				if err != nil {
					t.Fatal(err)
				}
				limit := time.Minute
				if tt.name == "endless loop" {
					limit = 6 * time.Second // gdb starts in that
				}
				if tt.name == "endless loop" && engine == "machine" {
					limit = time.Second
				}
				s := session.New(p, newTarget(t, engine, p, []string{path}, args), session.Config{Limit: limit})
				defer s.Close()
				out := run(t, s, tt.script)
				for _, w := range tt.want {
					if !strings.Contains(out, w) {
						t.Errorf("no %q in:\n%s", w, out)
					}
				}
			})
		}
	}
}

// listProgram has a loop, a macro and a bug, for the messages below.
const listProgram = prelude + `#define NEXT(p) ((p)->next)
static void push(int d)
{
    struct node *n = malloc(sizeof *n);
    n->data = d;
    n->next = head;
    head = n;
}
static void f(void)
{
    struct node *p = head;
    int k = 0;
    while (p != NULL) {
        p = NEXT(p);
        k++;
    }
    head = p;
}
int x = 1, y = 2;
#define SWAP(a, b) do { int t = a; a = b; b = t; } while (0)
static void g(void)
{
    SWAP(x, y);
}
int main(void)
{
    push(1);
    push(2);
    f();
    g();
    return 0;
}
`

func TestMessages(t *testing.T) {
	tests := []struct{ name, script, want string }{
		{"before start", "next", "error: the program is not running; use start"},
		{"unknown command", "start\nfrob", `error: unknown command "frob"; help lists the commands`},
		{"ambiguous command", "start\nst", `error: "st" could be start or step or state`},
		{"unknown entity", "start\nnext\nchange hed n1", "error: no variable, node or field hed here"},
		{"near entity", "start\nnext\nchange n1->nex null", "error: no variable, node or field n1->nex here; is it n1->next?"},
		{"wrong type", "start\nnext\nchange n1->data n1", `error: n1->data is of type int; "n1" is no integer`},
		{"not a node", "start\nnext\nchange head n9", `error: head is of type struct node *; "n9" is no node, null or new`},
		{"too large", "start\nnext\nchange n1->data 99999999999", "error: 99999999999 does not fit in int"},
		{"enter outside a loop", "start\nenter", "error: enter works at the condition of a loop or branch; the next statement is push(1);"},
		{"repair without a spec", "start\nrepair", "error: nothing is asserted yet: step into the function, correct the picture with change, then use spec"},
		{"bad number", "start\nnext two", `error: next wants a number of statements, not "two"`},
		{"bad slots", "start\nnext 2\nstep\nnext\nspec\nrepair --slots x", "error: --slots wants a number from 0 to 8"},
		{"break nowhere", "start\nbreak 900", "error: no statement at or after line 900 of"},
		{"break unknown", "start\nbreak nope", `error: no function or line "nope"`},
		{"choose without repair", "start\nchoose 1", "error: no repairs yet; use repair"},
		{"print syntax", "start\nprint head->", `error: in "head->": struct node * has no member ""`},
		{"print a remainder of reals", "start\nprint x % 0.5", `error: in "x % 0.5": % on values of types int and double`},
		{"print bits of reals", "start\nprint 1.5 & 1", `error: in "1.5 & 1": & on values of types double and int`},
		{"print a product of pointers", "start\nnext\nprint head * 2", `error: in "head * 2": * on values of types struct node * and int`},
		{"print a sum of pointers", "start\nnext\nprint head + head", `error: in "head + head": + on values of types struct node * and struct node *`},
		{"print unknown", "start\nprint zz + 1", `error: in "zz + 1": no variable "zz" here`},
		{"print null", "start\nprint head->data", "error: cannot evaluate head->data: null pointer dereference"},
		{"state file", "start\nstate svg /nonexistent/x.svg", "error: cannot write the picture:"},
		{"bad count", "start\nnext 0", `error: next wants a number of statements, not "0"`},
		{"contradictory specs", "start\nnext 2\nstep\nnext\nspec\nnext\nspec\nchange head n1\nspec\nrepair", "error: no repair exists: the assertions contradict each other at checkpoint 1 and checkpoint 2"},
		{"no repair in bounds", "start\nnext 2\nstep\nnext 2\nspec\nnext 3\nchange n1->data 77\nchange n2->data 78\nchange k 79\nspec\nrepair --slots 0", "error: no repair found: none of the edits searched gives "},
		{"contradiction between states", "start\nnext 2\nstep\nnext 2\nspec\nenter\nnext 2\nchange k 5\nspec\nresume 0\nundo\nrepair --slots 0\nchange k 4", "Found a repair:"},
		{"resume before any spec", "start\nresume 0", "error: there is no checkpoint yet; spec makes one"},
		{"resume unknown", "start\nnext 2\nstep\nnext\nspec\nresume 7\ncheckpoints", "error: there is no checkpoint 7; checkpoints draws those there are (0 to 0)"},
		{"resume nonsense", "start\nnext 2\nstep\nnext\nspec\nresume back", "error: resume wants the number of a checkpoint, as in: resume 0"},
		{"resume keeps the session", "start\nnext 2\nstep\nnext\nspec\nresume 7\nresume 0", "Program resumed at checkpoint 0"},
		{"track unknown", "start\nnext\ntrack hed", "error: no variable, node or field hed here"},
		{"untrack nothing", "start\nuntrack", "error: untrack what? for example: untrack data, or untrack temp1 temp2"},
		{"track shows", "start\nnext\nuntrack data\ntrack", "tracked: all variables; all fields; not ->data"},
		{"concrete nowhere", "start\nconcrete 1", "error: no statement begins on line 1"},
		{"concrete nonsense", "start\nconcrete loop", "error: which line? for example: concrete 31"},
		{"keep unknown", "start\nkeep sorted", "error: no function sorted; keep wants a predicate of the program, or shape"},
		{"keep misfit", "start\nkeep push", "error: push cannot be used: a predicate returns an integer and takes no argument, or one pointer of a type that the function under repair takes or returns"},
		{"hint without spec", "start\nhint", "error: nothing is asserted yet"},
		{"time limit", "start\nnext 2\nstep\nnext 2\nspec\nnext 3\nchange n1->data 77\nspec\nrepair --limit 1ns", "error: no repair found within the time limit of 1ns; assert more states in between, lock lines that are right, or allow more with --limit"},
		{"bad limit", "start\nnext 2\nstep\nnext\nspec\nrepair --limit soon", "error: --limit wants a time, as 2s or 500ms"},
		{"macro is not editable", "start\nnext 3\nstep\nspec\nnext\nchange y 9\nspec\nrepair --slots 0", "SWAP(x, y); comes out of a macro and cannot be edited"},
		{"macro cannot be edited", "start\nnext 3\nstep\nspec\nnext\nchange y 9\nspec\nlocate", "SWAP(x, y); comes out of a macro and cannot be edited"},
	}
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			for _, tt := range tests {
				if engine == "gdb" && !strings.HasPrefix(tt.name, "un") {
					continue // one engine is enough for most: messages come from the session
				}
				t.Run(tt.name, func(t *testing.T) {
					s := newSession(t, engine, nil, write(t, listProgram))
					if out := run(t, s, tt.script); !strings.Contains(out, tt.want) {
						t.Errorf("no %q in:\n%s", tt.want, out)
					}
				})
			}
		})
	}
}

// TestFreshLocals checks that no local of a function just entered has a value,
// whatever an earlier call left on the stack.
func TestFreshLocals(t *testing.T) {
	path := write(t, prelude+"void g(void) { int a = 5, b = 6, c = a + b; a = c; }\nvoid f(void) { int a = 1, b, c; b = a; c = b; a = c; }\nint main(void) { g(); f(); return 0; }\n")
	tree, err := cfront.Load(context.Background(), []string{path}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Lower(tree, lower.Options{Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			tgt := newTarget(t, engine, p, []string{path}, nil)
			defer tgt.Close()
			if _, err := tgt.Start(context.Background()); err != nil {
				t.Fatal(err)
			}
			for _, m := range []target.Mode{target.Next, target.Into} {
				if _, err := tgt.Resume(context.Background(), m, nil); err != nil {
					t.Fatal(err)
				}
			}
			im, err := target.Capture(tgt)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for _, o := range im.All() {
				if o.Kind != heap.Local || o.Frame != 0 {
					continue
				}
				n++
				if im.Known(o.Addr, 1) || !bytes.Equal(o.Data, make([]byte, 4)) {
					t.Errorf("%s has %v", o.Var.Name, o.Data)
				}
			}
			if n != 3 {
				t.Errorf("%d locals of f", n)
			}
		})
	}
}
