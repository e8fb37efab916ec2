package shell_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/session"
	"gulo/internal/target/sim"

	"golang.org/x/tools/txtar"
)

// The figures of the papers stand in the names: Wolverine2 section 2.1 (first
// repair 0.5 s, second 0.3 s) and section 5.3 (deleteMid 0.2 s localized, 26 s
// not).

func must(b *testing.B, s *session.Session, line string) {
	b.Helper()
	if _, _, err := s.Exec(context.Background(), line); err != nil {
		b.Fatalf("%s: %v", line, err)
	}
}

// BenchmarkStart measures the time from the start to the first prompt; the budget is 0.4 s.
func BenchmarkStart(b *testing.B) {
	for _, engine := range engines {
		b.Run(engine, func(b *testing.B) {
			for b.Loop() {
				tree, err := cfront.Load(context.Background(), []string{"../../examples/reverse.c"}, cfront.Options{})
				if err != nil {
					b.Fatal(err)
				}
				p, err := lower.Lower(tree, lower.Options{Memory: true})
				if err != nil {
					b.Fatal(err)
				}
				s := session.New(p, newTarget(b, engine, p, []string{"../../examples/reverse.c"}, nil), session.Config{})
				must(b, s, "start")
				s.Close()
			}
		})
	}
}

// BenchmarkNext measures next with drawing; the budget is 15 ms at 1,000 nodes.
func BenchmarkNext(b *testing.B) {
	for _, n := range []int{4, 100, 1000} {
		path := filepath.Join(b.TempDir(), "n.c")
		text := fmt.Sprintf("#include <stdlib.h>\nstruct node { int d; struct node *next; } *head;\nint main(void) {\n    int i; for (i = 0; i < %d; i++) { struct node *x = malloc(sizeof *x); x->d = i; x->next = head; head = x; }\n    for (;;) { head->d = i; i = head->d; }\n}\n", n)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
		for _, engine := range engines {
			b.Run(fmt.Sprintf("%s/nodes=%d", engine, n), func(b *testing.B) {
				tree, err := cfront.Load(context.Background(), []string{path}, cfront.Options{})
				if err != nil {
					b.Fatal(err)
				}
				p, err := lower.Lower(tree, lower.Options{Memory: true})
				if err != nil {
					b.Fatal(err)
				}
				s := session.New(p, newTarget(b, engine, p, []string{path}, nil), session.Config{})
				defer s.Close()
				must(b, s, "start")
				must(b, s, "until 5")
				for b.Loop() {
					must(b, s, "next")
				}
			})
		}
	}
}

// BenchmarkSave measures saving one state for undo: the memory image of the process, or the copy of the machine.
func BenchmarkSave(b *testing.B) {
	for _, engine := range engines {
		b.Run(engine, func(b *testing.B) {
			path := "../../examples/reverse.c"
			tree, err := cfront.Load(context.Background(), []string{path}, cfront.Options{})
			if err != nil {
				b.Fatal(err)
			}
			p, err := lower.Lower(tree, lower.Options{Memory: true})
			if err != nil {
				b.Fatal(err)
			}
			tgt := newTarget(b, engine, p, []string{path}, nil)
			defer tgt.Close()
			if _, err := tgt.Start(context.Background()); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := tgt.Save(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRepair times the repair command of the papers' examples.
func BenchmarkRepair(b *testing.B) {
	script, err := os.ReadFile("../../examples/reverse.gulo")
	if err != nil {
		b.Fatal(err)
	}
	parts := strings.SplitAfterN(string(script), "repair\n", 3)
	first := strings.TrimSuffix(parts[0], "repair\n")
	second := parts[0] + strings.TrimSuffix(parts[1], "repair\n")
	b.Run("reverse-first(paper=0.5s)", func(b *testing.B) { benchRepair(b, "../../examples/reverse.c", first, "repair") })
	b.Run("reverse-second(paper=0.3s)", func(b *testing.B) { benchRepair(b, "../../examples/reverse.c", second, "repair") })
	ar, err := txtar.ParseFile("testdata/deletemid.txtar")
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "mid.c")
	if err := os.WriteFile(path, section(ar, "prog.c").Data, 0o600); err != nil {
		b.Fatal(err)
	}
	mid, _, _ := strings.Cut(string(section(ar, "script").Data), "locate\n")
	b.Run("deleteMid-localized(paper=0.2s)", func(b *testing.B) { benchRepair(b, path, mid, "repair") })
	b.Run("deleteMid-unconfined(paper=26s)", func(b *testing.B) { benchRepair(b, path, mid, "repair --no-locate") })
	b.Run("locate", func(b *testing.B) { benchRepair(b, path, mid, "locate") })
}

func benchRepair(b *testing.B, path, script, command string) {
	tree, err := cfront.Load(context.Background(), []string{path}, cfront.Options{})
	if err != nil {
		b.Fatal(err)
	}
	p, err := lower.Lower(tree, lower.Options{Memory: true})
	if err != nil {
		b.Fatal(err)
	}
	s := session.New(p, sim.New(p, sim.Config{Name: path}), session.Config{})
	defer s.Close()
	for _, l := range strings.Split(script, "\n") {
		must(b, s, l)
	}
	for b.Loop() {
		must(b, s, command)
		if command != "locate" {
			b.StopTimer()
			must(b, s, "undo")
			b.StartTimer()
		}
	}
}

// prepared plays a session up to its first repair command, which is left out.
func prepared(b *testing.B, name string, upTo string) *session.Session {
	b.Helper()
	ar, err := txtar.ParseFile("testdata/" + name + ".txtar")
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "prog.c")
	if err := os.WriteFile(path, section(ar, "prog.c").Data, 0o600); err != nil {
		b.Fatal(err)
	}
	s := newSession(b, "machine", nil, path)
	for _, line := range strings.Split(string(section(ar, "script").Data), "\n") {
		if strings.HasPrefix(line, upTo) {
			return s
		}
		if strings.TrimSpace(line) != "" && !strings.HasPrefix(line, "hint") {
			must(b, s, line)
		}
	}
	b.Fatalf("%s: no %q", name, upTo)
	return nil
}

// BenchmarkSparse measures the repair of the sessions that assert only the end, verification included; the budget is
// 2 s.
func BenchmarkSparse(b *testing.B) {
	paths, err := filepath.Glob("testdata/sparse_*.txtar")
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range paths {
		name := strings.TrimSuffix(filepath.Base(p), ".txtar")
		b.Run(name, func(b *testing.B) {
			s := prepared(b, name, "repair")
			for b.Loop() {
				must(b, s, "repair; undo")
			}
		})
	}
}

// full plays the complete run of the example of paper 1, with all three bugs and an assertion in every round of the
// loop. The lines concrete are taken to be right.
func full(b *testing.B, concrete ...string) *session.Session {
	b.Helper()
	ar, err := txtar.ParseFile("testdata/reverse.txtar")
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "prog.c")
	if err := os.WriteFile(path, section(ar, "prog.c").Data, 0o600); err != nil {
		b.Fatal(err)
	}
	s := newSession(b, "machine", nil, path)
	must(b, s, "start; next 4; step")
	for s.Prompted() != "while (temp1 != NULL)" {
		must(b, s, "next")
	}
	must(b, s, "spec")
	for _, l := range concrete {
		must(b, s, "concrete "+l)
	}
	for i, c := range []string{"change current n3; change n4->prev n3", "change current n2; change n3->prev n2", "change current n1; change n2->prev n1", "change current null; change n1->prev null"} {
		must(b, s, "enter; next 5")
		must(b, s, c)
		if i > 0 {
			must(b, s, fmt.Sprintf("change n%d->next n%d", 4-i, 5-i))
		} else {
			must(b, s, "change n4->next null")
		}
		must(b, s, "spec")
	}
	must(b, s, "leave; change head n1; spec")
	return s
}

// BenchmarkConcrete measures the repair of the complete run without localization: with every statement modelled, and
// with the lines concrete that the paper names, the loop condition and the second assignment to a field (Wolverine2
// section 6.1: 6.0 s and 1.5 s).
func BenchmarkConcrete(b *testing.B) {
	lines := concreteLines(b)
	for _, bb := range []struct {
		name  string
		lines []string
	}{{"modelled", nil}, {"concrete", lines}} {
		b.Run(bb.name, func(b *testing.B) {
			s := full(b, bb.lines...)
			for b.Loop() {
				must(b, s, "repair --no-locate --no-verify; undo")
			}
		})
	}
}

// concreteLines finds the lines that the paper takes to be right: the loop condition and an assignment to a field.
func concreteLines(b *testing.B) []string {
	b.Helper()
	ar, err := txtar.ParseFile("testdata/reverse.txtar")
	if err != nil {
		b.Fatal(err)
	}
	var out []string
	for i, l := range strings.Split(string(section(ar, "prog.c").Data), "\n") {
		t := strings.TrimSpace(l)
		if t == "current->next = temp1;" || strings.HasPrefix(t, "while (temp1") {
			out = append(out, fmt.Sprint(i+1))
		}
	}
	return out
}

// BenchmarkSlicing measures paper 2, section 4.2: a repair of the pointers, of the data, and of both at once.
func BenchmarkSlicing(b *testing.B) {
	for _, bb := range []struct{ name, untrack string }{
		{"pointers", "untrack data i j"}, {"data", "untrack next current nt last head i j"}, {"both", "untrack i j"},
	} {
		b.Run(bb.name, func(b *testing.B) {
			ar, err := txtar.ParseFile("testdata/paper_slicing.txtar")
			if err != nil {
				b.Fatal(err)
			}
			path := filepath.Join(b.TempDir(), "prog.c")
			if err := os.WriteFile(path, section(ar, "prog.c").Data, 0o600); err != nil {
				b.Fatal(err)
			}
			s := newSession(b, "machine", nil, path)
			must(b, s, "start; next 4; step; next 5")
			must(b, s, bb.untrack)
			must(b, s, "spec")
			for i, n := range []string{"n3", "n2", "n1", "null"} {
				must(b, s, fmt.Sprintf("enter; next 6; change current %s; change n%d->data %d", n, 4-i, i+1))
				must(b, s, "spec")
			}
			must(b, s, "leave; change head n1; spec")
			for b.Loop() {
				must(b, s, "repair --no-verify; undo")
			}
		})
	}
}
