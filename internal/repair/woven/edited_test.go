package woven

import (
	"context"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/repair/natural"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

func parsed(t *testing.T, text string) *lower.Program {
	t.Helper()
	tree, err := cfront.Parse([]*source.File{source.NewFile("queue.c", []byte(text))}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Lower(tree, lower.Options{Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestAsPatch holds that edits of the text that are patches of statements do what the edited program does.
func TestAsPatch(t *testing.T) {
	p := parsed(t, queue)
	w, err := Weave(context.Background(), p.Tree, cfront.Options{}, p.Tree.Funcs[:2], nil, nil, mostEdits)
	if err != nil || w == nil {
		t.Fatal(w, err)
	}
	step := max(1, len(w.Choices)/120)
	tried, patches := 0, 0
	for i := 0; i < len(w.Choices); i += step {
		c := w.Choices[i]
		texts, ok := textedit.Apply(c.Edit)
		if !ok {
			continue
		}
		tried++
		q := parsed(t, texts["queue.c"])
		as := AsPatch(p, q)
		if as == nil || as.Empty() {
			continue // statements are inserted
		}
		if again, err := patch.Rewrite(p, as); err != nil || source.Squeeze(again["queue.c"]) != source.Squeeze(texts["queue.c"]) {
			continue // it is another program, which who asks sees
		}
		patches++
		edits, err := natural.Overlays(p, as)
		if err != nil {
			t.Errorf("%s: %v", c.Shown(), err)
			continue
		}
		run := func(p *lower.Program, patched bool) *oracle.Run {
			r, err := oracle.NewRunner(&oracle.Suite{Prog: p})
			if err != nil {
				t.Fatal(err)
			}
			with := edits
			if !patched {
				with = nil
			}
			x, err := r.Run(&oracle.Case{}, with)
			if err != nil {
				t.Fatal(err)
			}
			return x
		}
		if a, b := run(p, true), run(q, false); (a.Fault != nil) != (b.Fault != nil) || a.Fault == nil && a.Output != b.Output {
			t.Errorf("%s: patched it prints %q (%v), edited %q (%v)", c.Shown(), a.Output, a.Fault, b.Output, b.Fault)
		}
	}
	if tried < 50 || patches < tried/10 {
		t.Errorf("%d edits tried, %d of them patches of statements", tried, patches)
	}
}

// TestComes asks of edited programs whether the first call of first finds what it finds in the program.
func TestComes(t *testing.T) {
	p := parsed(t, queue)
	f := p.Tree.Func("first")
	im, err := oracle.Entered(context.Background(), p, f, oracle.Start{})
	if err != nil || im == nil {
		t.Fatal(im, err)
	}
	every := func(*cfront.Var, int) bool { return true }
	suite := &oracle.Suite{Prog: p, Cases: []*oracle.Case{{Want: oracle.AsDrawn(), Until: &oracle.Until{
		Func: f, Call: 1, Stmt: im.Frames[0].Stmt, Inside: true, Visit: 1, Want: im, Counts: every,
	}}}}
	for _, x := range []struct {
		name, from, to string
		met, known     bool
	}{
		{"nothing", "NONE", "NONE", true, true},
		{"what comes later", "n = j->no;", "n = j->no + 1;", true, true},
		{"lines before it", "static void add", "static int more;\n\nstatic void add", true, true},
		{"the statement itself", "int n = NONE;", "int n = 0;", true, true},
		{"what a node holds", "j->no = no;", "j->no = no + 1;", false, true},
		{"where a link leads", "\t\ttail->next = j;", "\t\thead->next = j;", false, true},
		{"how many nodes there are", "i > 0", "i > 1", false, true},
		{"it is not called", "\tprintf(\"%d \", first());\n\tadd(7);\n\twhile (head != NULL)\n\t\tprintf(\"%d \", first());\n\tprintf(\"%d\\n\", first());\n", "\tprintf(\"no\\n\");\n", false, true},
		{"another function", "first(", "pop(", false, false},
	} {
		met, known, err := Comes(p, parsed(t, strings.ReplaceAll(queue, x.from, x.to)), suite, nil)
		if met != x.met || known != x.known || err != nil {
			t.Errorf("%s: met %v, known %v, %v; want %v, %v", x.name, met, known, err, x.met, x.known)
		}
	}
}
