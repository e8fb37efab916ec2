// Package woven searches the edits of the text (repair/schema) over runs that end where the picture of a stopped
// program is asserted. All edits are compiled into one program, each under its number, and the abstract machine
// executes it with one edit after the other. The machine can compare pictures, which a process cannot.
//
// Not supported: two edits at once, except the two halves of a move; programs whose runs are longer than the oracle's
// bound.
package woven

import (
	"context"
	"fmt"
	"sort"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/repair"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// Problem is a program with runs that end at pictures.
type Problem struct {
	Prog    *lower.Program
	Options cfront.Options
	Funcs   []*cfront.Func                      // functions that may change
	Free    func(f *source.File, line int) bool // lines that may change; nil: all
	Suite   *oracle.Suite                       // its cases have Until
	Before  *oracle.Suite                       // pictures that were accepted earlier
	Wants   func(edit string) bool              // says whether an edit is wanted; nil: every edit is
	Suggest []textedit.Suggested                // edits from outside
	Base    map[string]string                   // the files with the patch in force. If that patch is a single edit, edits are tried on top of it
	Limit   time.Duration                       // 0 means 10 s
	MaxRuns int                                 // 0 means no limit
	Want    int                                 // repairs wanted; 0 means 10
	Found   func(r *Repair)                     // is called with each repair when it is found; may be nil
}

// Repair is an edit with which every run reaches its picture.
type Repair struct {
	Edit  schema.Choice
	Cost  int
	Odd   int               // what speaks against its text, in tenths of a unit of cost
	Texts map[string]string // of the changed files
	Patch *repair.Patch     // a patch that does the same; nil if there is none
	Same  bool              // the pictures accepted earlier stay as they are
	Run   *oracle.Run       // the run up to the end of main; nil if unknown
}

// Ends reports whether that run ends without an error, as far as it is known.
func (r *Repair) Ends() bool {
	return r.Run == nil || r.Run.Fault == nil || r.Run.Unmodelled() != ""
}

// Result is the outcome of a search.
type Result struct {
	Repairs []Repair // best first
	Edits   int      // edits that were tried
	Runs    int
	Cut     bool // stopped by the limit of time or of runs
}

// Bounds of the search.
const (
	mostEdits = 4_000
	margin    = 5 // repairs that cost more than the best one plus this are not looked for
	fewSteps  = 2_000
	fitCost   = 5 // added for another number: for each picture some number fits it
)

// These costs are higher than that of any single edit.
const (
	FailCost  = 12 // the run fails after the picture, or does not end
	OtherCost = 8  // a picture that was accepted earlier, or the output up to it, changes
)

// Solve searches for single edits.
func Solve(ctx context.Context, p *Problem) (*Result, error) {
	if p.Limit == 0 {
		p.Limit = 10 * time.Second
	}
	if p.Want == 0 {
		p.Want = 10
	}
	res := &Result{}
	s, err := prepare(ctx, p)
	if err != nil || s == nil {
		return res, err
	}
	until := budget.After(ctx, p.Limit)
	seen, err := s.reached()
	if err != nil {
		return res, err
	}
	best, met := 0, map[string]bool{}
	for _, c := range s.woven.Choices {
		switch {
		case len(res.Repairs) > 0 && c.Cost > best+margin || len(res.Repairs) >= 5*p.Want:
			return s.done(res), nil
		case ctx.Err() != nil || budget.Over(ctx, until) || p.MaxRuns > 0 && res.Runs >= p.MaxRuns:
			res.Cut = true
			return s.done(res), nil
		}
		if s.base != nil && !s.besides(c) || s.base == nil && !seen(c.First) && !(c.Second > 0 && seen(c.Second)) {
			continue
		}
		res.Edits++
		ok, runs, err := s.meets(c)
		res.Runs += runs
		if err != nil {
			return res, err
		}
		texts, whole := textedit.Apply(s.with(c)...)
		if !ok || !whole {
			continue
		}
		key := fmt.Sprintf("%q", texts)
		if met[key] {
			continue
		}
		met[key] = true
		r := Repair{Edit: c, Cost: c.Cost, Odd: s.woven.Oddity(c.Edit), Texts: texts, Run: s.ends(c), Patch: s.patch(c)}
		if c.Fitted() {
			r.Cost += fitCost
		}
		if r.Same, err = s.same(c); err != nil {
			return res, err
		}
		if !r.Ends() {
			r.Cost += FailCost
		}
		if !r.Same {
			r.Cost += OtherCost
		}
		if best == 0 || r.Cost < best {
			best = r.Cost
		}
		res.Repairs = append(res.Repairs, r)
		if p.Found != nil {
			p.Found(&r)
		}
	}
	return s.done(res), nil
}

// search is a search in progress.
type search struct {
	p       *Problem
	woven   *schema.Woven
	program *Program
	prog    *lower.Program
	run     *oracle.Runner
	suite   *oracle.Suite
	before  *oracle.Suite
	t       *translation
	alts    map[int]cfront.Stmt
	now     [2]int         // the edits in force
	base    *schema.Choice // in force together with each other edit; nil for none
	whole   *oracle.Case   // the run up to the end of main
}

func (s *search) done(res *Result) *Result {
	sort.SliceStable(res.Repairs, func(i, j int) bool {
		a, b := &res.Repairs[i], &res.Repairs[j]
		return 10*a.Cost+a.Odd < 10*b.Cost+b.Odd
	})
	res.Repairs = res.Repairs[:min(len(res.Repairs), s.p.Want)]
	return res
}

// choiceCost is the budget counted for listing an edit and weaving it into the program: 100 µs nominally. It takes 130
// to 300 µs.
const choiceCost = 10_000

// prepare weaves the program; nil if that is impossible.
func prepare(ctx context.Context, p *Problem) (*search, error) {
	w, err := Weave(ctx, p.Prog.Tree, p.Options, p.Funcs, p.Free, p.Suggest, mostEdits)
	if w == nil || err != nil {
		return nil, err
	}
	s := &search{p: p, woven: w.Woven, program: w, prog: w.Prog}
	if !s.translate() {
		return nil, nil
	}
	s.alts = alternatives(w.Prog.Tree)
	if s.run, err = oracle.NewRunner(s.suite); err != nil {
		return nil, err
	}
	s.run.Spend = func(n int64) { budget.Spend(ctx, n) }
	budget.Spend(ctx, int64(len(w.Choices))*choiceCost)
	if p.Base != nil && !s.findBase() {
		return nil, nil
	}
	return s, nil
}

// findBase looks for the single edit that the patch in force consists of; false if there is none.
func (s *search) findBase() bool {
	for i := range s.woven.Choices {
		c := &s.woven.Choices[i]
		if c.Second > 0 {
			continue
		}
		if texts, ok := textedit.Apply(c.Edit); ok && sameTexts(texts, s.p.Base) {
			s.base = c
			return true
		}
	}
	return false
}

func sameTexts(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for name, text := range a {
		if other, ok := b[name]; !ok || source.Squeeze(text) != source.Squeeze(other) {
			return false
		}
	}
	return true
}

// besides reports whether an edit can be in force together with the base: it has no second half, and it is at another
// place.
func (s *search) besides(c schema.Choice) bool {
	return c.Second == 0 && c.First != s.base.First && s.woven.Place(c.First) != s.woven.Place(s.base.First)
}

// with returns an edit together with the base.
func (s *search) with(c schema.Choice) []*textedit.Edit {
	if s.base == nil {
		return []*textedit.Edit{c.Edit}
	}
	return []*textedit.Edit{s.base.Edit, c.Edit}
}

// translate translates the cases to the woven program; false if something in a picture is not found there.
func (s *search) translate() bool {
	s.t = newTranslation(s.p.Prog, s.prog, s.woven)
	var ok bool
	if s.suite, ok = s.cases(s.p.Suite); !ok || len(s.suite.Cases) == 0 {
		return false
	}
	if s.before, ok = s.cases(s.p.Before); !ok {
		s.before = &oracle.Suite{}
	}
	c := s.suite.Cases[0]
	if s.whole = oracle.ToEnd(s.prog, c); s.whole == nil {
		s.whole = &oracle.Case{Name: c.Name, Args: c.Args, Stdin: c.Stdin}
	}
	return true
}

func (s *search) cases(from *oracle.Suite) (*oracle.Suite, bool) {
	return s.t.cases(from, s.prog, s.standsFor)
}

// cases returns the cases of a suite for the other program; false if something in a picture is not found there. own
// returns the program's statement that a statement of the other program stands for, by its number there; 0 for none.
func (t *translation) cases(from *oracle.Suite, prog *lower.Program, own func(int32) int32) (*oracle.Suite, bool) {
	out := &oracle.Suite{Prog: prog}
	if from == nil {
		return out, true
	}
	out.Env = from.Env
	for _, c := range from.Cases {
		u := *c.Until
		f, ok := t.funcs[u.Func]
		st, ok2 := t.stmts[u.Stmt]
		im, ok3 := t.image(u.Want)
		if !ok || !ok2 || !ok3 {
			return nil, false
		}
		counts := u.Counts
		u.Func, u.Stmt, u.Want, u.Own = f, st, im, own
		u.Counts = func(v *cfront.Var, frame int) bool { return counts(t.back[v], frame) }
		if leads := u.Leads; leads != nil {
			u.Leads = func(v *cfront.Var, frame int) bool { return leads(t.back[v], frame) }
		}
		out.Cases = append(out.Cases, &oracle.Case{Name: c.Name, Args: c.Args, Stdin: c.Stdin, Want: oracle.AsDrawn(), Until: &u})
	}
	return out, true
}

// standsFor returns the program's statement that a statement of the woven program stands for, by its number there:
// itself or, for the start of an edit in force that replaces a statement, that statement; 0 for others.
func (s *search) standsFor(id int32) int32 {
	if s.t.own[id] {
		return id
	}
	if r, ok := s.t.replaced[id]; ok && (r.lo <= s.now[0] && s.now[0] < r.hi || r.lo <= s.now[1] && s.now[1] < r.hi) {
		return r.stmt
	}
	return 0
}

// chosen runs a case with an edit in force.
func (s *search) chosen(c *oracle.Case, first, second int) (*oracle.Run, error) {
	if s.base != nil && second == 0 {
		second = s.base.First
	}
	s.now = [2]int{first, second}
	return s.program.Run(s.run, c, first, second)
}

// reached runs the program without an edit, and returns which edits are at places that are executed before the
// pictures.
func (s *search) reached() (func(id int) bool, error) {
	seen := map[int]bool{}
	for _, c := range s.suite.Cases {
		r, err := s.chosen(c, 0, 0)
		if err != nil {
			return nil, err
		}
		if r.Fault == nil { // an edit may need more steps, but not many times as many: the limit follows from this number
			c.Want.Steps = max(r.Steps, fewSteps) / 4
		}
		if err := s.program.Reached(s.run, seen); err != nil {
			return nil, err
		}
	}
	return func(id int) bool { return id > 0 && seen[s.woven.Place(id)] }, nil
}

// meets reports whether every run reaches its picture with an edit.
func (s *search) meets(x schema.Choice) (ok bool, runs int, err error) {
	for _, c := range s.suite.Cases {
		runs++
		r, err := s.chosen(c, x.First, x.Second)
		if err != nil || !r.Meets(c.Want) {
			return false, runs, err
		}
	}
	return true, runs, nil
}

// same reports whether the pictures accepted earlier stay as they are.
func (s *search) same(x schema.Choice) (bool, error) {
	for _, c := range s.before.Cases {
		r, err := s.chosen(c, x.First, x.Second)
		if err != nil || !r.Meets(c.Want) {
			return false, err
		}
	}
	return true, nil
}

// ends runs the program to its end with an edit.
func (s *search) ends(x schema.Choice) *oracle.Run {
	r, err := s.chosen(s.whole, x.First, x.Second)
	if err != nil {
		return nil
	}
	return r
}

// translation maps a program's functions, variables and statements to those in its woven or edited text.
type translation struct {
	funcs map[*cfront.Func]*cfront.Func
	vars  map[*cfront.Var]*cfront.Var
	back  map[*cfront.Var]*cfront.Var
	stmts map[int32]int32
	own   map[int32]bool // statements of the other text that the program has, too

	replaced map[int32]replaced // by the statement that chooses between a statement and its replacements

	library map[string]*cfront.Func // functions without a body that the program calls, by name
}

// replaced is a statement that the edits from lo to hi - 1 may replace.
type replaced struct {
	stmt   int32
	lo, hi int
}

type spot struct {
	file string
	at   int
	what string
}

// origins maps places in another text of a program to its original text.
type origins interface {
	Holds(file string) bool // the file has another text
	Origin(file string, start, end int) (at int, ok bool)
}

func newTranslation(p, w *lower.Program, wov origins) *translation {
	t := &translation{map[*cfront.Func]*cfront.Func{}, map[*cfront.Var]*cfront.Var{}, map[*cfront.Var]*cfront.Var{}, map[int32]int32{}, map[int32]bool{}, map[int32]replaced{}, map[string]*cfront.Func{}}
	plain := func(r source.Range, what string) (spot, bool) {
		if r.File == nil {
			return spot{what: what}, true
		}
		return spot{r.File.Name, r.Start, what}, true
	}
	origin := func(r source.Range, what string) (spot, bool) {
		if r.File == nil {
			return spot{what: what}, true
		}
		if !wov.Holds(r.File.Name) {
			return spot{r.File.Name, r.Start, what}, true
		}
		at, ok := wov.Origin(r.File.Name, r.Start, r.End)
		return spot{r.File.Name, at, what}, ok
	}
	type where func(source.Range, string) (spot, bool)
	funcs := func(p *lower.Program, w where, add func(spot, *cfront.Func)) {
		for _, f := range p.Tree.Funcs {
			if k, ok := w(f.Range, f.Name); ok {
				add(k, f)
			}
		}
	}
	vars := func(p *lower.Program, w where, add func(spot, *cfront.Var)) {
		all := append([]*cfront.Var(nil), p.Tree.Globals...)
		for _, f := range p.Tree.Funcs {
			all = append(append(all, f.Params...), f.Locals...)
			if f.Result != nil {
				add(spot{what: "result of " + f.Name}, f.Result)
			}
		}
		for _, v := range all {
			if k, ok := w(v.Range, v.Name); ok {
				add(k, v)
			}
		}
	}
	byFunc, byVar, byStmt := map[spot]*cfront.Func{}, map[spot]*cfront.Var{}, map[spot]int32{}
	funcs(w, origin, func(k spot, f *cfront.Func) { byFunc[k] = f })
	funcs(p, plain, func(k spot, f *cfront.Func) {
		if x := byFunc[k]; x != nil {
			t.funcs[f] = x
		}
	})
	vars(w, origin, func(k spot, v *cfront.Var) { byVar[k] = v })
	vars(p, plain, func(k spot, v *cfront.Var) {
		if x := byVar[k]; x != nil {
			t.vars[v], t.back[x] = x, v
		}
	})
	for _, st := range w.Stmts {
		if st == nil {
			continue
		}
		if k, ok := origin(st.Range, fmt.Sprint(st.Kind)); ok {
			if _, met := byStmt[k]; !met {
				byStmt[k] = st.ID
			}
			t.own[st.ID] = true
		}
	}
	for _, st := range p.Stmts {
		if st == nil {
			continue
		}
		k, _ := plain(st.Range, fmt.Sprint(st.Kind))
		if id, ok := byStmt[k]; ok {
			t.stmts[st.ID] = id
		}
	}
	for _, st := range w.Stmts {
		if st != nil && st.Kind == lower.Decl && st.Decl.Var.Name == "gulo_n" && len(st.Decl.Init) == 1 {
			t.replace(p, wov, st)
		}
	}
	for _, f := range p.Tree.Funcs {
		if f.Body == nil {
			continue
		}
		cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				if r, ok := y.(*cfront.FuncRef); ok && r.Func.Body == nil {
					t.library[r.Func.Name] = r.Func
				}
				return true
			})
		})
	}
	return t
}

// replace records which statement a choosing statement may replace, and by which edits.
func (t *translation) replace(p *lower.Program, wov origins, st *lower.Stmt) {
	file := st.Range.File.Name
	at, ok := wov.Origin(file, st.Range.End, 1<<40)
	if !ok {
		return
	}
	var first *lower.Stmt
	for _, x := range p.Stmts {
		if x == nil || x.Range.File == nil || x.Range.File.Name != file || x.Range.Start < at || t.stmts[x.ID] == 0 {
			continue
		}
		if first == nil || x.Range.Start < first.Range.Start {
			first = x
		}
	}
	if first == nil {
		return
	}
	r := replaced{stmt: t.stmts[first.ID]}
	cfront.Walk(st.Decl.Init[0].X, func(x cfront.Expr) bool {
		if b, ok := x.(*cfront.Binary); ok {
			n, known := cfront.Constant(b.Y)
			switch {
			case known && b.Op == ctype.Ge:
				r.lo = int(n)
			case known && b.Op == ctype.Lt:
				r.hi = int(n)
			}
		}
		return true
	})
	t.replaced[st.ID] = r
}

// image returns a picture with the variables of the other program.
func (t *translation) image(im *heap.Image) (*heap.Image, bool) {
	out := im.Clone()
	for _, o := range out.All() {
		if o.Var == nil {
			continue
		}
		v := t.vars[o.Var]
		if v == nil {
			return nil, false
		}
		o.Var = v // the objects are the clone's own
	}
	out.Frames = append([]heap.FrameInfo(nil), out.Frames...)
	for i := range out.Frames {
		f := t.funcs[out.Frames[i].Func]
		if f == nil {
			return nil, false
		}
		out.Frames[i].Func = f
		out.Frames[i].Stmt = t.stmts[out.Frames[i].Stmt]
	}
	return out, true
}
