// Package takeover repairs a program with parts of a reference. It finds out which statements and variables of the two
// programs correspond, replaces what differs by the reference's statements with the program's names, and then undoes
// replacements as long as the cases are still met.
//
// Functions correspond by their names, statements by a cheapest alignment, and variables so that this alignment becomes
// cheapest. (Clara and Verifix compare values or prove the correspondence; here the tests judge the result.) The amount
// taken over is reported as a figure: statements of the reference among all statements of the functions that change.
//
// Not supported: directives inside functions, functions of one name with different numbers of parameters, and types and
// global variables that only the reference has.
package takeover

import (
	"context"
	"regexp"
	"slices"
	"sort"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// Problem is a program of one file and its reference.
type Problem struct {
	Own, Ref *cfront.Program
	// Fits reports whether the program's file with a given text does what it should.
	Fits func(ctx context.Context, text string) (bool, error)
	// Screen reports for each of n variants of a text, chosen by the variable gulo_g, whether it does what it should.
	// If gcc refuses the text, Screen returns gcc's messages. May be nil.
	Screen func(ctx context.Context, text string, n int) (fits []bool, refused string, err error)
	Until  time.Time
}

// Result is a repaired program with parts of the reference.
type Result struct {
	Text       string
	Taken      int // number of statements taken from the reference
	Statements int // number of statements in the functions that change
	Gone, Own  int // statements of the program that are removed, and all its statements, in those functions
}

// pair is a function that both programs have.
type pair struct {
	fn       *cfront.Func // of the program
	own, ref *body
	names    map[string]string
	fresh    map[string]bool // names that only the reference has, and that are renamed here because the program uses them otherwise
	steps    []step
	group    []int // group of each step; -1: both have the same unit
	from     int   // where the text between the braces begins, and below where it ends
	to       int
	cost     float64 // of the alignment
}

type search struct {
	p      *Problem
	text   string
	pairs  []*pair
	head   string // added to the file: includes, macros and functions that only the reference has
	extra  int    // statements in it
	cost   float64
	groups int
	tried  map[string]bool
}

// Solve returns nil if it finds no such repair, or not in time.
func Solve(ctx context.Context, p *Problem) (*Result, error) {
	s := &search{p: p, tried: map[string]bool{}}
	if !s.prepare() {
		return nil, nil
	}
	on := make([]bool, s.groups)
	for i := range on {
		on[i] = true
	}
	if ok, err := s.fits(ctx, on); !ok || err != nil {
		return nil, err
	}
	if on, err := s.wrong(ctx, on); err != nil {
		return nil, err
	} else if on, err = s.least(ctx, on); err != nil {
		return nil, err
	} else if on, err = s.cleared(ctx, on); err != nil {
		return nil, err
	} else {
		return s.result(on), nil
	}
}

// Distance returns the cost of aligning a program with a reference, about one for each statement that only one of them
// has. ok is false if they cannot be aligned.
func Distance(own, ref *cfront.Program) (cost float64, ok bool) {
	s := &search{p: &Problem{Own: own, Ref: ref}}
	ok = s.prepare()
	return s.cost, ok
}

// muchTaken is a share of the statements, in percent. If so many are taken over, the program's statements that the
// reference does not have are removed, because they belong to another way to solve the task.
const muchTaken = 40

// nothing matches an empty body.
var nothing = regexp.MustCompile(`\{\s*\}`)

// cleared also removes statements that the reference does not have, if much is taken over or a body would be left
// empty.
func (s *search) cleared(ctx context.Context, on []bool) ([]bool, error) {
	text, taken, all, _ := s.render(on)
	if taken*100 < all*muchTaken && len(nothing.FindAllString(text, -1)) <= len(nothing.FindAllString(s.text, -1)) {
		return on, nil
	}
	only := make([]bool, s.groups) // groups that only remove statements
	for g := range only {
		only[g] = true
	}
	touched := map[*pair]bool{}
	for _, p := range s.pairs {
		for k, g := range p.group {
			if g >= 0 && p.steps[k].ref >= 0 {
				only[g] = false
			}
			touched[p] = touched[p] || g >= 0 && on[g]
		}
	}
	more := slices.Clone(on)
	for _, p := range s.pairs {
		for _, g := range p.group {
			more[max(g, 0)] = more[max(g, 0)] || g >= 0 && touched[p] && only[g]
		}
	}
	ok, err := s.fits(ctx, more)
	if err != nil || !ok {
		return on, err
	}
	return more, nil
}

// wrong leaves the functions as they are that need no change.
func (s *search) wrong(ctx context.Context, on []bool) ([]bool, error) {
	var list [][]bool
	for _, p := range s.pairs {
		list = append(list, without(on, p.group...))
	}
	fits, err := s.several(ctx, list)
	if err != nil {
		return nil, err
	}
	for i, p := range s.pairs {
		if !fits[i] {
			continue
		}
		less := without(on, p.group...)
		ok, err := s.fits(ctx, less)
		if err != nil {
			return nil, err
		}
		if ok {
			on = less
		}
	}
	return on, nil
}

// without returns a copy of on with some groups off.
func without(on []bool, groups ...int) []bool {
	less := slices.Clone(on)
	for _, g := range groups {
		if g >= 0 {
			less[g] = false
		}
	}
	return less
}

// least looks for few groups that suffice: one, two or three; otherwise it turns groups off as long as the rest
// suffices.
func (s *search) least(ctx context.Context, on []bool) ([]bool, error) {
	order := slices.DeleteFunc(s.bySize(), func(g int) bool { return !on[g] })
	few := s.few(order)
	fits, err := s.several(ctx, few)
	if err != nil {
		return nil, err
	}
	for i, ok := range fits {
		if ok {
			return few[i], nil
		}
	}
	for !budget.Over(ctx, s.p.Until) {
		left := slices.DeleteFunc(slices.Clone(order), func(g int) bool { return !on[g] })
		slices.Reverse(left)
		next, err := s.back(ctx, on, left)
		if err != nil || next == nil {
			return on, err
		}
		on = next
	}
	return on, nil
}

// mostVariants bounds the variants that are compiled together.
const mostVariants = 160

// few lists sets of one, two and three groups, the small sets first.
func (s *search) few(order []int) (out [][]bool) {
	add := func(groups ...int) {
		if len(out) == mostVariants {
			return
		}
		some := make([]bool, s.groups)
		for _, g := range groups {
			some[g] = true
		}
		out = append(out, some)
	}
	for _, a := range order {
		add(a)
	}
	if s.p.Screen == nil { // each set would be compiled alone
		return out
	}
	for i, a := range order {
		for _, b := range order[:i] {
			add(b, a)
		}
	}
	for i, a := range order {
		for k, b := range order[:i] {
			for _, c := range order[:k] {
				add(c, b, a)
			}
		}
	}
	return out
}

// back turns off as many groups of a list as it can; nil if it can turn off none.
func (s *search) back(ctx context.Context, on []bool, list []int) ([]bool, error) {
	var one [][]bool
	for _, g := range list {
		one = append(one, without(on, g))
	}
	fits, err := s.several(ctx, one)
	if err != nil {
		return nil, err
	}
	var gone []int
	var more [][]bool
	for i, g := range list {
		if fits[i] {
			gone = append(gone, g)
			more = append(more, without(on, gone...))
		}
	}
	if fits, err = s.several(ctx, more); err != nil {
		return nil, err
	}
	for i := len(more) - 1; i >= 0; i-- {
		if fits[i] {
			return more[i], nil
		}
	}
	return nil, nil
}

func (s *search) fits(ctx context.Context, on []bool) (bool, error) {
	if budget.Over(ctx, s.p.Until) {
		return false, nil
	}
	text, _, _, ok := s.render(on)
	if !ok {
		return false, nil
	}
	if was, known := s.tried[text]; known {
		return was, nil
	}
	fits, err := s.p.Fits(ctx, text)
	if err != nil {
		return false, err
	}
	s.tried[text] = fits
	return fits, nil
}

func (s *search) result(on []bool) *Result {
	text, taken, all, _ := s.render(on)
	r := &Result{Text: text, Taken: taken, Statements: all}
	for _, p := range s.pairs {
		touched, n, gone := false, 0, 0
		for k, g := range p.group {
			if touched = touched || g >= 0 && on[g]; p.steps[k].own < 0 || p.own.units[p.steps[k].own].decl {
				continue
			}
			if n++; g >= 0 && on[g] {
				gone++
			}
		}
		if touched {
			r.Gone, r.Own = r.Gone+gone, r.Own+n
		}
	}
	return r
}

// prepare aligns all functions; false if that is impossible.
func (s *search) prepare() bool {
	var own, ref = files(s.p.Own), files(s.p.Ref)
	if len(own) != 1 || len(ref) != 1 {
		return false
	}
	s.text = own[0]
	macros := objects(ref[0])
	for name := range objects(own[0]) {
		delete(macros, name)
	}
	var helpers []*cfront.Func
	for _, g := range s.p.Ref.Funcs {
		if g.Body == nil || !g.Whole.Valid() {
			continue
		}
		f := s.p.Own.Func(g.Name)
		if f == nil || f.Body == nil || !f.Whole.Valid() {
			helpers = append(helpers, g)
			continue
		}
		if len(f.Params) != len(g.Params) {
			return false
		}
		if !s.align(f, g, macros) {
			return false
		}
	}
	if len(s.pairs) == 0 {
		return false
	}
	s.onlyThere(own[0], ref[0], helpers)
	s.grouped()
	for _, p := range s.pairs {
		s.cost += p.cost
	}
	s.cost += costGap * float64(s.extra)
	return s.groups > 0
}

func files(p *cfront.Program) (out []string) {
	for _, f := range p.Files {
		if strings.HasSuffix(f.Name, ".c") {
			out = append(out, string(f.Text))
		}
	}
	return out
}

// align splits two functions into units and aligns them.
func (s *search) align(f, g *cfront.Func, macros map[string][]string) bool {
	of := func(f *cfront.Func) (*body, int, int) {
		r := f.Body.Range()
		b, err := apart(string(r.File.Text), r.Start+1, r.End-1)
		if err != nil || len(b.units) > mostUnits {
			return nil, 0, 0
		}
		return b, r.Start + 1, r.End - 1
	}
	own, from, to := of(f)
	ref, _, _ := of(g)
	if own == nil || ref == nil {
		return false
	}
	p := &pair{fn: f, own: own, ref: ref, from: from, to: to}
	ref.units = slices.DeleteFunc(ref.units, func(u unit) bool { return u.decl })
	for i := range ref.units {
		ref.units[i].initial = false
		ref.units[i].toks = expanded(ref.units[i].toks, macros)
	}
	ref.paired()
	fixed := map[string]string{}
	for i, x := range g.Params {
		fixed[x.Name] = f.Params[i].Name
		ref.locals = append(ref.locals, local{name: x.Name, points: x.Type.Kind == ctype.Pointer})
		own.locals = append(own.locals, local{name: f.Params[i].Name, points: f.Params[i].Type.Kind == ctype.Pointer})
	}
	p.names = mapping(own, ref, fixed)
	p.steps, p.cost = aligned(own.units, ref.units, p.names)
	p.fresh = map[string]bool{}
	used := map[string]bool{}
	for _, w := range word.FindAllString(own.text, -1) {
		used[w] = true
	}
	for _, l := range ref.locals {
		if _, ok := p.names[l.name]; !ok && used[l.name] {
			n := l.name + "2"
			for used[n] {
				n += "2"
			}
			used[n], p.names[l.name], p.fresh[l.name] = true, n, true
		}
	}
	s.pairs = append(s.pairs, p)
	return true
}

var (
	object  = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)(?:[ \t]+(.*))?$`)
	include = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]*[<"].*$`)
	word    = regexp.MustCompile(`[A-Za-z_]\w*`)
)

// objects returns the macros of a text without parameters, with the tokens of their bodies.
func objects(text string) map[string][]string {
	out := map[string][]string{}
	for _, m := range object.FindAllStringSubmatch(text, -1) {
		if ts, err := scan(m[2], 0, len(m[2])); err == nil && !strings.HasSuffix(m[2], "\\") {
			var toks []string
			for _, t := range ts {
				toks = append(toks, t.text)
			}
			out[m[1]] = toks
		}
	}
	return out
}

func expanded(toks []string, macros map[string][]string) []string {
	for range 4 {
		var out []string
		for _, t := range toks {
			if x, ok := macros[t]; ok {
				out = append(out, x...)
			} else {
				out = append(out, t)
			}
		}
		if slices.Equal(out, toks) {
			break
		}
		toks = out
	}
	return toks
}

// onlyThere collects the includes, macros and functions that only the reference has and that its functions need.
func (s *search) onlyThere(own, ref string, helpers []*cfront.Func) {
	var b strings.Builder
	for _, line := range include.FindAllString(ref, -1) {
		if !strings.Contains(own, strings.TrimSpace(line)) && !strings.Contains(line, `"`) {
			b.WriteString(line + "\n")
		}
	}
	used := map[string]bool{}
	for _, p := range s.pairs {
		for _, u := range p.ref.units {
			for _, t := range u.toks {
				used[t] = true
			}
		}
	}
	for more := true; more; { // functions that other such functions use
		more = false
		for _, h := range helpers {
			if !used[h.Name] {
				continue
			}
			for _, w := range word.FindAllString(h.Whole.Text(), -1) {
				more = more || !used[w]
				used[w] = true
			}
		}
	}
	has := objects(own)
	for _, m := range object.FindAllStringSubmatch(ref, -1) {
		if _, ok := has[m[1]]; !ok && used[m[1]] {
			b.WriteString(m[0] + "\n")
		}
	}
	for _, h := range helpers {
		if used[h.Name] {
			b.WriteString(h.Whole.Text() + "\n\n")
			s.extra += strings.Count(h.Whole.Text(), ";")
		}
	}
	s.head = b.String()
}

// grouped puts steps that belong together into one group, such as the head of a statement and the end of its body.
func (s *search) grouped() {
	for _, p := range s.pairs {
		parent := make([]int, len(p.steps))
		for i := range parent {
			parent[i] = i
		}
		var root func(i int) int
		root = func(i int) int {
			if parent[i] != i {
				parent[i] = root(parent[i])
			}
			return parent[i]
		}
		ofOwn, ofRef := map[int]int{}, map[int]int{}
		for k, st := range p.steps {
			if st.own >= 0 {
				ofOwn[st.own] = k
			}
			if st.ref >= 0 {
				ofRef[st.ref] = k
			}
		}
		for k, st := range p.steps {
			if st.own >= 0 && st.ref >= 0 {
				continue // a unit that is kept or replaced does not tie the end of its body to it
			}
			if st.own >= 0 && p.own.units[st.own].pair >= 0 {
				parent[root(k)] = root(ofOwn[p.own.units[st.own].pair])
			}
			if st.ref >= 0 && p.ref.units[st.ref].pair >= 0 {
				parent[root(k)] = root(ofRef[p.ref.units[st.ref].pair])
			}
		}
		number := map[int]int{}
		p.group = make([]int, len(p.steps))
		for k, st := range p.steps {
			p.group[k] = -1
			if st.own >= 0 && st.ref >= 0 && other(&p.own.units[st.own], &p.ref.units[st.ref], translated(p.ref.units[st.ref].toks, p.names)) == 0 {
				continue
			}
			if st.ref < 0 && (p.own.units[st.own].decl || p.own.units[st.own].initial) {
				continue
			}
			r := root(k)
			if _, ok := number[r]; !ok {
				number[r] = s.groups
				s.groups++
			}
			p.group[k] = number[r]
		}
	}
}

// bySize returns the groups, the smallest first.
func (s *search) bySize() []int {
	size := make([]int, s.groups)
	for _, p := range s.pairs {
		for _, g := range p.group {
			if g >= 0 {
				size[g]++
			}
		}
	}
	order := make([]int, s.groups)
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return size[order[a]] < size[order[b]] })
	return order
}
