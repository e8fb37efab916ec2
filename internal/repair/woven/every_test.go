package woven

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/repair/natural"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// This file holds the edits of the text to what they mean, in the programs of the tests: what is
// written compiles, and does what the woven program does with the edit chosen; and where an edit is
// a patch of statements, so does the patch, and its text.

var (
	every = flag.Bool("every", false, "try many edits of every program, instead of few of some")
	most  = flag.Int("texts", 150, "with -every: so many edits of a program, spread over all; 0: all")
)

// everyProgram lists programs by name.
func everyProgram(t *testing.T) map[string]string {
	out := map[string]string{}
	for _, pattern := range []string{"../../shell/testdata/*.txtar", "../../shell/testdata/*/*.c", "../../bench/programs/*.c", "../../bench/numbers/*.c"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal("no programs", pattern, err)
		}
		for _, p := range paths {
			b, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			name, text := filepath.Base(p), string(b)
			if strings.HasSuffix(p, ".c") {
				name = filepath.Base(filepath.Dir(p)) + "-" + name
			} else {
				for _, f := range txtar.Parse(b).Files {
					if f.Name == "prog.c" {
						text = string(f.Data)
					}
				}
			}
			out[strings.TrimSuffix(strings.TrimSuffix(name, ".c"), ".txtar")] = text
		}
	}
	return out
}

func TestEveryText(t *testing.T) {
	all := everyProgram(t)
	var names []string
	for n := range all {
		names = append(names, n)
	}
	slices.Sort(names)
	of, step := *most, 1
	if !*every {
		of, step = 6, 8
	}
	if testing.Short() {
		step *= 6
	}
	tried, patches := 0, 0
	for i := 0; i < len(names); i += step {
		t.Run(names[i], func(t *testing.T) {
			x := &texts{t: t, dir: t.TempDir(), name: names[i]}
			x.hold(all[names[i]], of)
			tried, patches = tried+x.tried, patches+x.patches
			t.Logf("%d of %d edits written, compiled and run; %d are patches; %d run too long where they are chosen", x.tried, x.edits, x.patches, x.tooLong)
		})
	}
	t.Logf("%d edits, %d of them patches of statements", tried, patches)
}

// texts is one program's.
type texts struct {
	t    *testing.T
	dir  string
	name string

	edits, tried, patches int
	wrong, tooLong        int
	addresses             bool              // it prints some, which are others with more variables: runs cannot be compared
	written               map[string]string // what is compiled, by file
}

func (x *texts) file() string { return x.name + ".c" }

func (x *texts) load(text string) (*lower.Program, error) {
	tree, err := cfront.Parse([]*source.File{source.NewFile(x.file(), []byte(text))}, cfront.Options{})
	if err != nil {
		return nil, err
	}
	return lower.Lower(tree, lower.Options{Memory: true})
}

// said is what became of a run; how far one comes that does not end is not the same.
func said(r *oracle.Run) string {
	switch {
	case r.Fault != nil && (r.Fault.Kind == machine.LimitFault || r.Fault.Kind == machine.StackExhausted):
		return "does not end"
	case r.Fault != nil:
		return fmt.Sprintf("prints %q and ends with %s", r.Output, r.Fault.Kind)
	}
	return fmt.Sprintf("prints %q and returns %d", r.Output, r.Status)
}

func (x *texts) does(p *lower.Program, o []*lower.Overlay) string {
	r, err := oracle.NewRunner(&oracle.Suite{Prog: p})
	if err != nil {
		x.t.Fatal(err)
	}
	run, err := r.Run(&oracle.Case{}, o)
	if err != nil {
		x.t.Fatal(err)
	}
	return said(run)
}

// hold tries so many edits of a program.
func (x *texts) hold(text string, of int) {
	p, err := x.load(text)
	if err != nil {
		x.t.Fatal(err)
	}
	x.addresses = x.moves(text, x.does(p, nil))
	s := x.weave(p)
	if s == nil {
		return
	}
	x.edits, x.written = len(s.woven.Choices), map[string]string{}
	step := 1
	if of > 0 {
		step = max(1, len(s.woven.Choices)/of)
	}
	for i := 0; i < len(s.woven.Choices) && x.wrong < 5; i += step {
		c := s.woven.Choices[i]
		out, ok := textedit.Apply(c.Edit)
		if !ok || len(out) != 1 {
			continue
		}
		x.tried++
		x.one(s, c, fmt.Sprintf("e%d.c", i), out[x.file()])
	}
	x.compile()
}

// moves reports whether a program does something else where there are more variables: it prints addresses.
func (x *texts) moves(text, does string) bool {
	more, err := x.load(text + "\nint gulo_more[3], gulo_others[5], gulo_last[7];\n")
	if err != nil {
		x.t.Fatal(err)
	}
	return x.does(more, nil) != does
}

// weave makes the search without anything that is looked for.
func (x *texts) weave(p *lower.Program) *search {
	w, err := Weave(context.Background(), p.Tree, cfront.Options{}, slices.DeleteFunc(slices.Clone(p.Tree.Funcs), func(f *cfront.Func) bool { return f.Body == nil || f.Range.File.Name != x.file() }), nil, nil, mostEdits)
	if err != nil {
		x.t.Fatal("the woven program: ", err)
	}
	if w == nil {
		return nil
	}
	s := &search{p: &Problem{Prog: p}, woven: w.Woven, program: w, prog: w.Prog}
	s.t, s.alts = newTranslation(p, s.prog, w.Woven), alternatives(w.Prog.Tree)
	s.suite = &oracle.Suite{Prog: s.prog}
	if s.run, err = oracle.NewRunner(s.suite); err != nil {
		x.t.Fatal(err)
	}
	return s
}

// one tries an edit.
func (x *texts) one(s *search, c schema.Choice, file, text string) {
	got, err := s.chosen(&oracle.Case{}, c.First, c.Second)
	if err != nil {
		x.t.Fatal(err)
	}
	p, err := x.load(text)
	if err != nil {
		x.fails(c, fmt.Sprintf("its text cannot be read: %v", err))
		return
	}
	x.written[file] = text
	want := x.does(p, nil)
	if got.Endless() && want != "does not end" { // the woven program takes more steps: nothing is known
		x.tooLong++
	} else if said(got) != want && !x.addresses && !x.moves(text, want) {
		x.fails(c, fmt.Sprintf("chosen %.200s\nwritten %.200s", said(got), want))
	}
	as := s.patch(c)
	if as == nil {
		return
	}
	o, err := natural.Overlays(s.p.Prog, as)
	if err != nil {
		return // no such patch is proposed
	}
	x.patches++
	if got := x.does(s.p.Prog, o); got != want && !x.moves(text, want) {
		x.fails(c, fmt.Sprintf("written %.200s\nas a patch (%q) %.200s", want, natural.Describe(s.p.Prog, as), got))
	}
	again, err := patch.Rewrite(s.p.Prog, as)
	if err != nil {
		x.fails(c, fmt.Sprintf("as a patch it cannot be written: %v", err))
		return
	}
	if again[x.file()] == text {
		return
	}
	x.written["p"+file] = again[x.file()]
	if p, err = x.load(again[x.file()]); err != nil {
		x.fails(c, fmt.Sprintf("as a patch its text cannot be read: %v", err))
	} else if got := x.does(p, nil); got != want && !x.addresses && !x.moves(text, want) {
		x.fails(c, fmt.Sprintf("written %.200s\nas a patch (%q) written %.200s", want, natural.Describe(s.p.Prog, as), got))
	}
}

var refusedIn = regexp.MustCompile(`(?m)^.*?(p?e\d+\.c):\d+:\d+: error: .*$`)

// compile gives all texts to gcc, many at once.
func (x *texts) compile() {
	var files []string
	for name, text := range x.written {
		if err := os.WriteFile(filepath.Join(x.dir, name), []byte(text), 0o600); err != nil {
			x.t.Fatal(err)
		}
		files = append(files, name)
	}
	slices.Sort(files)
	for list := range slices.Chunk(files, 50) {
		cmd := exec.Command("gcc", append([]string{"-fsyntax-only", "-w"}, list...)...)
		cmd.Dir = x.dir
		msg, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			x.t.Fatal(err)
		}
		for _, m := range refusedIn.FindAllSubmatch(msg, 3) {
			x.t.Errorf("%s\n%s", m[0], x.written[string(m[1])])
		}
		if err != nil && !refusedIn.Match(msg) {
			x.t.Errorf("gcc: %v\n%s", err, msg)
		}
	}
}

func (x *texts) fails(c schema.Choice, why string) {
	x.wrong++
	x.t.Errorf("%d: %s: %s", c.Line(), c.Shown(), why)
}
