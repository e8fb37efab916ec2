package schema

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// programOf reads a program with its tests.
func programOf(t *testing.T, dir string) *Problem {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "faulty.c"))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := cfront.Parse([]*source.File{source.NewFile("faulty.c", text)}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := &Problem{Tree: tree, Limit: time.Minute, Progress: func(string, ...any) {}}
	for _, f := range tree.Funcs {
		if f.Body != nil && f.Range.Valid() && f.Range.File.Name == "faulty.c" {
			p.Funcs = append(p.Funcs, f)
		}
	}
	wanted, err := filepath.Glob(filepath.Join(dir, "tests", "*.out"))
	if err != nil {
		t.Fatal(err)
	}
	for _, out := range wanted {
		read := func(ext string) string {
			b, err := os.ReadFile(strings.TrimSuffix(out, ".out") + ext)
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			return string(b)
		}
		p.Tests = append(p.Tests, native.Test{Stdin: read(".in"), Args: strings.Fields(read(".args")), Stdout: read(".out")})
	}
	return p
}

// Edits that mend a program do so as tcc and as gcc make them. Where an edit reads what was never written, or
// goes beyond an array, C does not say what it does, and the two differ.
func TestScreensAlike(t *testing.T) {
	if !native.Screening() {
		t.Skip("there is no tcc")
	}
	dirs, err := filepath.Glob("../../bench/outside/programs/*")
	if err != nil || len(dirs) == 0 {
		t.Fatal(dirs, err)
	}
	every := 12
	if testing.Short() {
		every = 60
	}
	if os.Getenv("GULO_EVERY") != "" {
		every = 1
	}
	var all alike
	for i := 3; i < len(dirs); i += every {
		n := screensAlike(t, dirs[i])
		if n.others*10 > n.edits || n.lost*4 > n.mend {
			t.Errorf("%s: of %d edits %d do something else; of %d that meet all tests %d do not with tcc", filepath.Base(dirs[i]), n.edits, n.others, n.mend, n.lost)
		}
		all.edits, all.others, all.mend, all.lost, all.vain = all.edits+n.edits, all.others+n.others, all.mend+n.mend, all.lost+n.lost, all.vain+n.vain
	}
	t.Logf("%+v", all)
}

// alike counts edits: all, those that do something else on a test with tcc, those that meet all tests
// with gcc, those of them that do not with tcc, and those that do with tcc alone.
type alike struct{ edits, others, mend, lost, vain int }

// screensAlike compares the edits of a program.
func screensAlike(t *testing.T, dir string) (n alike) {
	ctx := context.Background()
	s := &Search{p: programOf(t, dir), until: time.Now().Add(10 * time.Minute), res: &Result{}, tried: map[string]bool{}}
	seen, err := s.measure(ctx)
	if err != nil || s.bad == 0 {
		t.Fatal(dir, err)
	}
	s.sp = textedit.New(s.p.space(seen))
	for _, f := range s.p.Funcs {
		s.sp.Function(f)
	}
	s.sp.Prune(textedit.MostEdits)
	does := func() map[string]native.Profiled {
		var jobs []job
		for id := 1; id < len(s.byID); id++ {
			jobs = append(jobs, job{id, 0})
		}
		a, err := s.runAll(ctx, s.p.Tests, []ask{{0, jobs, s.order}}, true)
		if err != nil || len(a.Profiled) != len(jobs) {
			t.Fatal(dir, err, len(a.Profiled), len(jobs))
		}
		all := map[string]native.Profiled{}
		for _, x := range a.Profiled {
			all[s.byID[x.G].Site.Text()+" => "+s.byID[x.G].Alt+" "+string(rune(s.byID[x.G].Site.Start))] = x
		}
		return all
	}
	if err := s.compile(ctx, s.sp.Sites); err != nil {
		t.Fatal(dir, err)
	}
	if !s.prog.Screens() {
		t.Logf("%s: tcc does not take it, or it does something else", filepath.Base(dir))
	}
	tcc := does()
	s.parts = true
	if err := s.compile(ctx, s.sp.Sites); err != nil || s.prog.Screens() {
		t.Fatal(dir, err)
	}
	gcc := does()
	s.prog.Close()
	met := func(x native.Profiled) bool { return !slices.Contains(x.Met, false) }
	for e, x := range gcc {
		y, ok := tcc[e]
		if !ok {
			t.Errorf("%s: %s is no edit for tcc", dir, e)
		}
		n.edits++
		if x.All != y.All {
			n.others++
		}
		switch {
		case met(x) && !met(y):
			n.lost++
			t.Logf("%s: lost: %s", filepath.Base(dir), e)
		case !met(x) && met(y):
			n.vain++
			t.Logf("%s: in vain: %s", filepath.Base(dir), e)
		}
		if met(x) {
			n.mend++
		}
	}
	return n
}
