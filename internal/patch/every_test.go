package patch_test

import (
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/repair"
	"gulo/internal/repair/natural"
	"gulo/internal/repair/space"
)

// This file is the long run of the property that candidates_test.go samples: with -every, each
// candidate of each place of each program is written, compiled, and run beside the edit that it was
// written from. The functions with the candidates stand in one text behind the program, so that
// gcc and the machine read hundreds at once; gulo_k says which of them is called.

var (
	every = flag.Bool("every", false, "write, compile and run every candidate of every program")
	most  = flag.Int("candidates", 0, "with -every: of a program with more candidates about so many, spread over all of every place; 0: all")
)

// batch bounds how many candidates stand in one text.
const batch = 600

func TestEveryCandidate(t *testing.T) {
	if !*every {
		t.Skip("-every is not set; TestCandidatesCompile and TestCandidatesMean take a sample")
	}
	all := programs(t)
	for _, pattern := range []string{"../shell/testdata/*/*.c", "../bench/programs/*.c", "../bench/numbers/*.c"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal("no programs", pattern, err)
		}
		for _, p := range paths {
			b, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			all[filepath.Base(filepath.Dir(p))+"-"+strings.TrimSuffix(filepath.Base(p), ".c")] = string(b)
		}
	}
	names := make([]string, 0, len(all))
	for n := range all {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		t.Run(n, func(t *testing.T) {
			e := &everyRun{t: t, text: all[n], path: filepath.Join(t.TempDir(), "p.c"), reported: map[[2]int32]bool{}}
			e.prog = load(t, e.path, e.text)
			e.whole = &oracle.Case{Name: "run"}
			var err error
			if e.run, err = oracle.NewRunner(&oracle.Suite{Prog: e.prog}); err != nil {
				t.Fatal(err)
			}
			e.asIs = e.outcome(nil)
			e.each(func(c candidate) {
				if e.list = append(e.list, c); len(e.list) == batch {
					e.hold()
				}
			})
			e.hold()
			t.Logf("%d of %d candidates written and compiled, %d run both ways, %d of them unlike the program, %d cannot be run as edits, %d fail", e.written, e.all, e.both, e.unlike, e.notRun, e.failed)
		})
	}
}

// everyRun is one program's.
type everyRun struct {
	t     *testing.T
	path  string
	text  string
	prog  *lower.Program
	run   *oracle.Runner
	whole *oracle.Case
	asIs  string
	list  []candidate // of the batch

	all, written, both, unlike, notRun int
	failed, wrong, single              int
	reported                           map[[2]int32]bool
}

// each makes the candidates: every assignment, every whole statement, every condition; every guard
// with one statement, and every value that can be returned.
func (e *everyRun) each(use func(candidate)) {
	sp := space.New(space.Config{Program: e.prog, Rich: true, Mallocs: true, Frees: true, Donors: true})
	each := 1 << 30
	if e.all = e.count(sp, each); *most > 0 {
		for each = *most; each > 1 && e.count(sp, each) > *most; {
			each = each * 3 / 4
		}
	}
	place := func(u *space.Unit, f *cfront.Func) {
		if f.Whole.File == nil || f.Whole.File.Name != e.path {
			return
		}
		for _, x := range edits(u, each) {
			texts, err := patch.Rewrite(e.prog, repair.NewPatch(x))
			if err != nil {
				e.t.Errorf("%s: %v", x.Describe(e.prog), err)
				continue
			}
			use(candidate{x, f, texts[e.path]})
		}
	}
	for _, st := range e.prog.Stmts {
		if st != nil && st.Stop {
			place(sp.Unit(st.ID), st.Func)
		}
	}
	for _, g := range e.prog.Gaps {
		place(sp.Slot(g.ID), g.Func)
	}
}

// count says how many candidates edits gives of all places.
func (e *everyRun) count(sp *space.Space, each int) int {
	n := 0
	place := func(u *space.Unit, f *cfront.Func) {
		if f.Whole.File == nil || f.Whole.File.Name != e.path || u.Locked {
			return
		}
		u.Build()
		spread := func(k int) {
			if k > 0 {
				step := max(k/each, 1)
				n += (k + step - 1) / step
			}
		}
		if u.Stmt == nil || u.Stmt.Kind != lower.Cond {
			spread(u.Pairs)
			spread(len(u.Wholes))
		}
		spread(len(u.Conds))
	}
	for _, st := range e.prog.Stmts {
		if st != nil && st.Stop {
			place(sp.Unit(st.ID), st.Func)
		}
	}
	for _, g := range e.prog.Gaps {
		place(sp.Slot(g.ID), g.Func)
	}
	return n
}

// hold compiles and runs a batch.
func (e *everyRun) hold() {
	list := e.list
	if e.list = nil; len(list) == 0 || e.wrong > 8 {
		return
	}
	e.written += len(list)
	dir := filepath.Dir(e.path)
	all := filepath.Join(dir, "all.c")
	if err := os.WriteFile(all, []byte(e.compose(list, true)), 0o600); err != nil {
		e.t.Fatal(err)
	}
	if msg, err := exec.Command("gcc", "-fsyntax-only", "-w", "-fmax-errors=0", all).CombinedOutput(); err != nil {
		bad := map[int]bool{}
		for _, m := range refused.FindAllSubmatch(msg, -1) {
			var i int
			fmt.Sscan(string(m[1]), &i)
			if !bad[i] {
				e.fails(list[i], fmt.Sprintf("gcc: %s", m[2]))
			}
			bad[i] = true
		}
		if len(bad) == 0 {
			e.t.Fatalf("%s", msg)
		}
		n := -1
		list = slices.DeleteFunc(list, func(candidate) bool { n++; return bad[n] })
	}
	p := load(e.t, filepath.Join(dir, "all.c"), e.compose(list, false))
	run, err := oracle.NewRunner(&oracle.Suite{Prog: p})
	if err != nil {
		e.t.Fatal(err)
	}
	at := int32(-1)
	for _, v := range p.Tree.Globals {
		if i, ok := p.GlobalIndex(v); ok && v.Name == "gulo_k" {
			at = i
		}
	}
	for i, c := range list {
		o, err := natural.Overlays(e.prog, repair.NewPatch(c.edit))
		if err != nil {
			e.notRun++ // it cannot be an answer
			continue
		}
		want := e.outcome(o)
		if err := run.Begin(e.whole, nil); err != nil {
			e.t.Fatal(err)
		}
		var k [4]byte
		binary.LittleEndian.PutUint32(k[:], uint32(i+1))
		if !run.M.Write(run.M.GlobalAddr(at), k[:]) {
			e.t.Fatal("the candidate cannot be chosen")
		}
		got := said(run.Finish(e.whole, run.RunUntil(e.whole, nil)))
		run.End()
		if e.both++; want != e.asIs {
			e.unlike++
		}
		if got != want {
			e.alone(c, want)
		}
	}
}

// alone runs a candidate's text by itself where the text of the batch does not do the same: what
// is read outside of objects, and how deep calls can be, is not the same there.
func (e *everyRun) alone(c candidate, want string) {
	e.single++
	p := load(e.t, filepath.Join(filepath.Dir(e.path), "alone.c"), c.text)
	r, err := oracle.NewRunner(&oracle.Suite{Prog: p})
	if err != nil {
		e.t.Fatal(err)
	}
	run, err := r.Run(e.whole, nil)
	if err != nil {
		e.t.Fatal(err)
	}
	if got := said(run); got != want {
		e.fails(c, fmt.Sprintf("the edit %.200s, its text %.200s", want, got))
	}
}

var refused = regexp.MustCompile(`(?m)^candidate (\d+):\d+:\d+: error: (.*)$`)

// fails reports a candidate; of a place the first.
func (e *everyRun) fails(c candidate, why string) {
	place := [2]int32{c.edit.Stmt, c.edit.Gap}
	if e.failed++; e.reported[place] {
		return
	}
	e.reported[place] = true
	e.wrong++
	w := c.fn.Whole
	e.t.Errorf("%s: %s\n%s", c.edit.Describe(e.prog), why, c.text[w.Start:len(c.text)-(len(e.text)-w.End)])
}

// outcome runs the program with edits.
func (e *everyRun) outcome(o []*lower.Overlay) string {
	r, err := e.run.Run(e.whole, o)
	if err != nil {
		e.t.Fatal(err)
	}
	return said(r)
}

// said is what became of a run. How far one comes that does not end is not the same.
func said(r *oracle.Run) string {
	switch {
	case r.Fault != nil && (r.Fault.Kind == machine.LimitFault || r.Fault.Kind == machine.StackExhausted):
		return "does not end"
	case r.Fault != nil:
		return fmt.Sprintf("prints %q and ends with %s", r.Output, r.Fault.Kind)
	}
	return fmt.Sprintf("prints %q and returns %d", r.Output, r.Status)
}

// compose writes the functions of candidates behind the program, whose own functions go on to the
// one that is chosen.
func (e *everyRun) compose(list []candidate, lines bool) string {
	var b strings.Builder
	b.WriteString("static int gulo_k;\n")
	at := 0
	var funcs []*cfront.Func
	for _, c := range list {
		if !slices.Contains(funcs, c.fn) {
			funcs = append(funcs, c.fn)
		}
	}
	slices.SortFunc(funcs, func(a, b *cfront.Func) int { return a.Whole.Start - b.Whole.Start })
	for _, f := range funcs {
		open := f.Body.Range().Start
		head := e.text[f.Whole.Start:open]
		var args []string
		for _, v := range f.Params {
			args = append(args, v.Name)
		}
		table := "gulo_to_" + f.Name
		call := fmt.Sprintf("%s[gulo_k - 1](%s);", table, strings.Join(args, ", "))
		if f.Type.Result.Kind == ctype.Void {
			call = "{ " + call + " return; }"
		} else {
			call = "return " + call
		}
		b.WriteString(e.text[at:f.Whole.Start])
		fmt.Fprintf(&b, "%s; static __typeof__(%s) *%s[%d]; ", strings.TrimSpace(head), f.Name, table, len(list))
		fmt.Fprintf(&b, "%s{ if (gulo_k && %s[gulo_k - 1]) %s ", head, table, call)
		at = open + 1
	}
	b.WriteString(e.text[at:])
	for i, c := range list {
		w := c.fn.Whole
		body := c.text[w.Start : len(c.text)-(len(e.text)-w.End)]
		name := c.fn.Range.Start - w.Start
		named := body[:name] + fmt.Sprintf("%s_%d", c.fn.Name, i) + body[name+len(c.fn.Name):]
		if end := strings.LastIndex(named, "}"); c.fn.Name == "main" && end >= 0 {
			named = named[:end] + "return 0; }"
		}
		if lines {
			fmt.Fprintf(&b, "\n# 1 \"candidate %d\"", i)
		}
		fmt.Fprintf(&b, "\n%s\n", named)
	}
	for _, f := range funcs {
		fmt.Fprintf(&b, "static __typeof__(%s) *gulo_to_%s[%d] = {", f.Name, f.Name, len(list))
		for i, c := range list {
			if c.fn == f {
				fmt.Fprintf(&b, "[%d] = %s_%d, ", i, f.Name, i)
			}
		}
		b.WriteString("};\n")
	}
	return b.String()
}
