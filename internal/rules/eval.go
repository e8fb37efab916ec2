package rules

import (
	"bytes"
	"fmt"
	"math"
)

// This file turns rules into functions over a State. Which names have values
// where is known from the text alone (check.go), so a name is a slot, and
// nothing is undone when a branch fails: what it bound is not looked at again.

// Detector is a rule that can be evaluated. It is used by one goroutine.
type Detector struct {
	Rule  *Rule
	Func  string // of a call or ret point; "_" for any
	Needs Tracker

	cond   func(e *env) bool
	slots  int
	point  int // slot of the point's name, -1 for none
	chains []int
	ends   bool                                 // the first and the last byte of an access tell all
	each   func(e *env, yield func(bid uint64)) // every block that the rule is about
	env    env
}

// Options are what an engine and a user give to rules.
type Options struct {
	Names map[string]string        // functions for names that stand for one: ts
	Func  func(name string) uint64 // number of a function; nil gives 0 to all
}

type env struct {
	s     State
	slots []uint64
}

// Compile makes a detector of a rule of a checked file.
func Compile(f *File, r *Rule, o Options) (*Detector, error) {
	if err := Check(f); err != nil {
		return nil, err
	}
	c := &compiler{f: f, o: o, ends: true}
	d := &Detector{Rule: r, Func: c.function(r.Point.Func), point: -1}
	s := newScope()
	if r.Point.Var != "_" {
		sort := Pointer
		if r.Point.Kind == Call || r.Point.Kind == Ret {
			sort = Integer
		}
		v := s.add(r.Point.Var, sort, true)
		d.point = c.slot(v)
		c.subject = v
	}
	for _, n := range r.Chains {
		if s.vars[n] == nil {
			s.add(n, Pointer, false)
		}
	}
	d.each = c.witnesses(r.Cond, s.fork())
	d.cond = c.condition(r.Cond, s)
	for _, n := range r.Chains {
		d.chains = append(d.chains, c.slot(s.vars[n]))
		c.needs |= TrackChains
	}
	d.Needs, d.slots, d.ends = c.needs, len(c.slots), c.ends
	d.env.slots = make([]uint64, d.slots)
	return d, nil
}

// At reports whether the detector looks at a point of a function.
func (d *Detector) At(k PointKind, fn string) bool {
	switch d.Rule.Point.Kind {
	case Deref:
		return k == DerefR || k == DerefW
	case Call, Ret:
		return k == d.Rule.Point.Kind && (d.Func == "_" || d.Func == fn)
	}
	return k == d.Rule.Point.Kind
}

// AskMoved reports whether the detector is asked when bytes are only copied: not
// when it is about what was written, since a copy does not look at the values.
func (d *Detector) AskMoved() bool { return d.Needs&(TrackLastWrite|TrackWrites) == 0 }

// Fires evaluates the condition for a point whose name has the value v; an
// access is of n bytes. It returns the pointers whose chains the rule wants.
func (d *Detector) Fires(s State, v uint64, n int64) (chains []uint64, ok bool) {
	d.env.s = s
	for i := int64(0); i < max(n, 1); i++ {
		if d.ends && i > 0 && i < n-1 {
			i = n - 1
		}
		if d.point >= 0 {
			d.env.slots[d.point] = v + uint64(i)
		}
		if d.cond(&d.env) {
			for _, c := range d.chains {
				chains = append(chains, d.env.slots[c])
			}
			return chains, true
		}
		if d.point < 0 {
			break
		}
	}
	return nil, false
}

// Blocks lists the blocks that make the condition hold, where it is about blocks:
// "exists bid in H suchthat ..." or "dom(H) != {}". It is called after Fires.
func (d *Detector) Blocks(s State) []uint64 {
	var out []uint64
	if d.each != nil {
		d.env.s = s
		d.each(&d.env, func(bid uint64) { out = append(out, bid) })
	}
	return out
}

// witnesses compiles the search for all blocks that a condition is about; nil
// when it is about none.
func (c *compiler) witnesses(x Expr, s *scope) func(e *env, yield func(uint64)) {
	if b, ok := x.(*Binary); ok && b.Op == "!=" {
		dom, ok := b.X.(*Apply)
		if _, empty := b.Y.(*Empty); !ok || !empty || dom.Name != "dom" {
			return nil
		}
		set := setNamed(dom.Args[0].(*Name).Text)
		return func(e *env, yield func(uint64)) {
			e.s.Blocks(set, func(bid uint64) bool { yield(bid); return true })
		}
	}
	q, ok := x.(*Quantified)
	if !ok || q.All || q.Pattern.Block == "" {
		return nil
	}
	k := c.slot(bindName(q.Pattern.Block, BlockID, s))
	test := func(*env) bool { return true }
	if q.Such != nil {
		test = c.condition(q.Such, s)
	}
	return func(e *env, yield func(uint64)) {
		e.s.Blocks(q.In, func(bid uint64) bool {
			e.slots[k] = bid
			if test(e) {
				yield(bid)
			}
			return true
		})
	}
}

type compiler struct {
	f       *File
	o       Options
	slots   []*variable
	needs   Tracker
	subject *variable // the point's name
	ends    bool
}

func (c *compiler) slot(v *variable) int {
	for i, w := range c.slots {
		if w == v {
			return i
		}
	}
	c.slots = append(c.slots, v)
	return len(c.slots) - 1
}

func (c *compiler) function(name string) string {
	if n, ok := c.o.Names[name]; ok {
		return n
	}
	return name
}

func (c *compiler) number(name string) uint64 {
	if c.o.Func == nil {
		return 0
	}
	return c.o.Func(c.function(name))
}

type term func(e *env) (uint64, bool)

// condition compiles a condition and binds names in the scope as the checker
// does.
func (c *compiler) condition(x Expr, s *scope) func(*env) bool {
	switch x := x.(type) {
	case *Not:
		f := c.condition(x.X, s.fork())
		return func(e *env) bool { return !f(e) }
	case *Apply:
		return c.predicate(x, s)
	case *Quantified:
		return c.quantified(x, s)
	case *FindLast:
		return c.events(&x.Event, true, nil, s, s)
	case *Binary:
		switch x.Op {
		case "&&":
			f := c.condition(x.X, s)
			g := c.condition(x.Y, s)
			return func(e *env) bool { return f(e) && g(e) }
		case "||":
			return c.either(x, s)
		}
		return c.compare(x, s)
	}
	panic(fmt.Sprintf("rules: %T is no condition", x))
}

// either compiles a disjunction: names bound on both sides have a value after.
func (c *compiler) either(x *Binary, s *scope) func(*env) bool {
	a, b := s.fork(), s.fork()
	f, g := c.condition(x.X, a), c.condition(x.Y, b)
	for v := range a.bound {
		if b.bound[v] {
			s.bound[v] = true
		}
	}
	type move struct{ to, from int }
	var left, right []move
	for n, v := range a.vars {
		if w := b.vars[n]; s.vars[n] == nil && w != nil && a.bound[v] && b.bound[w] {
			u := s.add(n, v.sort, true)
			left = append(left, move{c.slot(u), c.slot(v)})
			right = append(right, move{c.slot(u), c.slot(w)})
		}
	}
	run := func(e *env, f func(*env) bool, ms []move) bool {
		if !f(e) {
			return false
		}
		for _, m := range ms {
			e.slots[m.to] = e.slots[m.from]
		}
		return true
	}
	return func(e *env) bool { return run(e, f, left) || run(e, g, right) }
}

// predicate compiles a use of a predicate with its body in place.
func (c *compiler) predicate(x *Apply, s *scope) func(*env) bool {
	d := c.f.byName[x.Name]
	in := newScope()
	var pre []func(e *env) bool
	for i, a := range x.Args {
		p := d.Params[i]
		n, ok := a.(*Name)
		switch {
		case ok && n.Text == "_":
			in.add(p, Unknown, false)
		case ok:
			v := s.vars[n.Text]
			if v == nil {
				v = s.add(n.Text, Unknown, false)
			}
			in.vars[p] = v
			if s.bound[v] {
				in.bound[v] = true
			} else if c.isFunction(d, i, map[string]bool{}) {
				num := c.number(n.Text)
				k := c.slot(v)
				in.bound[v], s.bound[v] = true, true
				pre = append(pre, func(e *env) bool { e.slots[k] = num; return true })
			}
		default:
			t := c.term(a, s)
			k := c.slot(in.add(p, Unknown, true))
			pre = append(pre, func(e *env) bool {
				w, ok := t(e)
				e.slots[k] = w
				return ok
			})
		}
	}
	body := c.condition(d.Body, in)
	for i, a := range x.Args {
		if n, ok := a.(*Name); ok && n.Text != "_" && in.bound[in.vars[d.Params[i]]] {
			s.bound[in.vars[d.Params[i]]] = true
		}
	}
	if len(pre) == 0 {
		return body
	}
	return func(e *env) bool {
		for _, f := range pre {
			if !f(e) {
				return false
			}
		}
		return body(e)
	}
}

// isFunction reports whether a predicate uses a parameter as a function.
func (c *compiler) isFunction(d *Define, param int, seen map[string]bool) bool {
	key := fmt.Sprint(d.Name, param)
	if seen[key] {
		return false
	}
	seen[key] = true
	name := d.Params[param]
	found := false
	walk(d.Body, func(x Expr) {
		var e *EventPattern
		switch x := x.(type) {
		case *FindLast:
			e = &x.Event
		case *Quantified:
			e = x.Pattern.Event
		case *Apply:
			if g := c.f.byName[x.Name]; g != nil {
				for i, a := range x.Args {
					if n, ok := a.(*Name); ok && n.Text == name && c.isFunction(g, i, seen) {
						found = true
					}
				}
			}
		}
		if e == nil {
			return
		}
		for i, a := range e.Args {
			if n, ok := a.(*Name); ok && n.Text == name && eventSorts[e.Kind][i] == Symbol {
				found = true
			}
		}
	})
	return found
}

// walk visits an expression and everything in it.
func walk(x Expr, visit func(Expr)) {
	visit(x)
	switch x := x.(type) {
	case *Not:
		walk(x.X, visit)
	case *Binary:
		walk(x.X, visit)
		walk(x.Y, visit)
	case *Apply:
		for _, a := range x.Args {
			walk(a, visit)
		}
	case *Quantified:
		if x.Such != nil {
			walk(x.Such, visit)
		}
	}
}

func (c *compiler) quantified(x *Quantified, s *scope) func(*env) bool {
	if x.Pattern.Event != nil {
		in := s.fork()
		f := c.events(x.Pattern.Event, false, x, s, in)
		return f
	}
	in := s.fork()
	var test func(e *env) bool
	var each func(e *env, yield func() bool)
	if x.Pattern.Pointer != nil {
		c.needs |= TrackPointers
		var ms [3]matcher
		for i, t := range []Sort{Pointer, BlockID, Integer} {
			ms[i] = c.match(x.Pattern.Pointer[i], t, in)
		}
		each = func(e *env, yield func() bool) {
			e.s.Pointers(func(p uint64) bool {
				bid, idx, ok := e.s.Locate(p)
				if !ok || !ms[0](e, p) || !ms[1](e, bid) || !ms[2](e, uint64(idx)) {
					return true
				}
				return yield()
			})
		}
	} else {
		c.needs |= trackerOf[x.In]
		set := x.In
		if f := c.member(x, in); f != nil {
			if !x.All {
				c.export(s, in)
			}
			return f
		}
		k := c.slot(bindName(x.Pattern.Block, BlockID, in))
		each = func(e *env, yield func() bool) {
			e.s.Blocks(set, func(bid uint64) bool {
				e.slots[k] = bid
				return yield()
			})
		}
	}
	if x.Such != nil {
		test = c.condition(x.Such, in)
	}
	all := x.All
	if !all {
		c.export(s, in)
	}
	return func(e *env) bool {
		found := false
		each(e, func() bool {
			if test == nil || test(e) != all {
				found = true
				return false
			}
			return true
		})
		return found != all
	}
}

// member compiles "exists bid in SET suchthat bid == TERM" as a question about
// one block; nil when it is something else.
func (c *compiler) member(x *Quantified, in *scope) func(*env) bool {
	b, ok := x.Such.(*Binary)
	if !ok || x.All || b.Op != "==" || x.Pattern.Block == "_" {
		return nil
	}
	n, ok := b.X.(*Name)
	other := b.Y
	if !ok || n.Text != x.Pattern.Block {
		if n, ok = b.Y.(*Name); !ok || n.Text != x.Pattern.Block {
			return nil
		}
		other = b.X
	}
	if uses(other, n.Text) {
		return nil
	}
	t := c.term(other, in)
	k := c.slot(bindName(n.Text, BlockID, in))
	set := x.In
	return func(e *env) bool {
		bid, ok := t(e)
		e.slots[k] = bid
		return ok && e.s.Member(set, bid)
	}
}

func uses(x Expr, name string) bool {
	found := false
	walk(x, func(y Expr) {
		if n, ok := y.(*Name); ok && n.Text == name {
			found = true
		}
	})
	return found
}

var trackerOf = [...]Tracker{
	Heap: TrackMalloc | TrackFree, Freed: TrackMalloc | TrackFree | TrackStack, Stack: TrackStack, Globals: TrackGlobals, Pointers: TrackPointers, Trace: 0,
}

var eventTracker = [...]Tracker{
	EvMalloc: TrackMalloc, EvFree: TrackMalloc | TrackFree, EvWrite: TrackWrites, EvCall: TrackCalls, EvRet: TrackRets, EvIf: TrackIfs,
}

// export makes known outside a quantifier what it bound for names from there.
func (c *compiler) export(s, in *scope) {
	for n, v := range s.vars {
		if in.vars[n] == v && in.bound[v] {
			s.bound[v] = true
		}
	}
}

func bindName(name string, t Sort, s *scope) *variable {
	v := s.vars[name]
	if v == nil || name == "_" {
		return s.add(name, t, true)
	}
	unify(v, t)
	s.bound[v] = true
	return v
}

// matcher holds a value against an argument of a pattern.
type matcher func(e *env, w uint64) bool

func (c *compiler) match(x Expr, t Sort, s *scope) matcher {
	n, ok := x.(*Name)
	switch {
	case !ok:
		want := c.term(x, s)
		return func(e *env, w uint64) bool { v, ok := want(e); return ok && v == w }
	case n.Text == "_":
		return func(*env, uint64) bool { return true }
	}
	v := s.vars[n.Text]
	had := v != nil && s.bound[v]
	k := c.slot(bindName(n.Text, t, s))
	if had {
		return func(e *env, w uint64) bool { return e.slots[k] == w }
	}
	return func(e *env, w uint64) bool { e.slots[k] = w; return true }
}

// events compiles a search of the trace: FindLast (q is nil) or a quantifier.
func (c *compiler) events(p *EventPattern, back bool, q *Quantified, outer, in *scope) func(*env) bool {
	kind := p.Kind
	c.needs |= eventTracker[kind]
	if back && kind == EvWrite {
		c.needs = c.needs&^TrackWrites | TrackLastWrite
	}
	filter := c.filter(p, q, outer, in)
	ms := []matcher{c.match(p.Time, Integer, in)}
	for i, a := range p.Args {
		t := eventSorts[kind][i]
		if n, ok := a.(*Name); ok && t == Symbol && n.Text != "_" && outer.vars[n.Text] == nil {
			num := c.number(n.Text)
			ms = append(ms, func(_ *env, w uint64) bool { return w == num })
			continue
		}
		ms = append(ms, c.match(a, t, in))
	}
	var such func(*env) bool
	all := false
	if q != nil {
		if q.Such != nil {
			such = c.condition(q.Such, in)
		}
		if all = q.All; !all {
			c.export(outer, in)
		}
	}
	return func(e *env) bool {
		found := false
		e.s.Events(kind, back, filter(e), func(ev *Event) bool {
			if !ms[0](e, uint64(ev.Time)) {
				return true
			}
			for i, m := range ms[1:] {
				if !m(e, ev.Args[i]) {
					return true
				}
			}
			if such == nil || such(e) != all {
				found = true
				return false
			}
			return true
		})
		return found != all
	}
}

// filter finds what narrows a search before it begins: an address or a function
// that is known, or "bid == TERM" in what must hold.
func (c *compiler) filter(p *EventPattern, q *Quantified, outer, in *scope) func(e *env) Filter {
	var steps []func(e *env, f *Filter)
	for i, a := range p.Args {
		n, ok := a.(*Name)
		if !ok || n.Text == "_" {
			continue
		}
		v := outer.vars[n.Text]
		switch t := eventSorts[p.Kind][i]; {
		case t == Symbol && v == nil:
			num := c.number(n.Text)
			steps = append(steps, func(_ *env, f *Filter) { f.Func, f.HasFn = num, true })
		case t == Pointer && v != nil && outer.bound[v]:
			if v == c.subject {
				c.ends = false
			}
			k := c.slot(v)
			steps = append(steps, func(e *env, f *Filter) { f.At, f.HasAt = e.slots[k], true })
		case t == BlockID && v != nil && outer.bound[v]:
			k := c.slot(v)
			steps = append(steps, func(e *env, f *Filter) { f.Bid = e.slots[k] })
		case t == BlockID && v == nil && q != nil && !q.All:
			if other := equated(q.Such, n.Text); other != nil {
				t := c.term(other, outer.fork())
				steps = append(steps, func(e *env, f *Filter) {
					if bid, ok := t(e); ok {
						f.Bid = bid
					} else {
						f.Bid = math.MaxUint64 // no block
					}
				})
			}
		}
	}
	return func(e *env) Filter {
		var f Filter
		for _, s := range steps {
			s(e, &f)
		}
		return f
	}
}

// equated returns the term that a conjunction makes equal to a name, when it is
// a built-in function of another name.
func equated(x Expr, name string) Expr {
	b, ok := x.(*Binary)
	if !ok {
		return nil
	}
	if b.Op == "&&" {
		if t := equated(b.X, name); t != nil {
			return t
		}
		return equated(b.Y, name)
	}
	if b.Op != "==" {
		return nil
	}
	for _, side := range [][2]Expr{{b.X, b.Y}, {b.Y, b.X}} {
		n, ok := side[0].(*Name)
		a, ok2 := side[1].(*Apply)
		if ok && ok2 && n.Text == name && a.Name == "Bid" {
			if m, ok := a.Args[0].(*Name); ok && m.Text != name {
				return a
			}
		}
	}
	return nil
}

// compare compiles a comparison. What has no value is equal to nothing.
func (c *compiler) compare(x *Binary, s *scope) func(*env) bool {
	ne := x.Op == "!="
	if f := c.sets(x, s); f != nil {
		return f
	}
	if isNull(x.X) || isNull(x.Y) {
		other := x.X
		if isNull(other) {
			other = x.Y
		}
		t := c.term(other, s)
		return func(e *env) bool { w, ok := t(e); return ok && e.s.IsNull(w) != ne }
	}
	c.subjects(x)
	f, g := c.term(x.X, s), c.term(x.Y, s)
	pointers := c.sort(x.X, s) == Pointer
	op := x.Op
	return func(e *env) bool {
		a, ok := f(e)
		b, ok2 := g(e)
		if !ok || !ok2 {
			return ne
		}
		if op == "==" || ne {
			return (a == b) != ne
		}
		n := 0
		if pointers {
			n, ok = order(e.s, a, b)
			if !ok {
				return false
			}
		} else if int64(a) < int64(b) {
			n = -1
		} else if a != b {
			n = 1
		}
		switch op {
		case "<":
			return n < 0
		case "<=":
			return n <= 0
		case ">":
			return n > 0
		}
		return n >= 0
	}
}

// subjects notes a use of the point's pointer that tells its bytes apart other
// than by order.
func (c *compiler) subjects(x *Binary) {
	if c.subject == nil || x.Op != "==" && x.Op != "!=" {
		return
	}
	for _, y := range []Expr{x.X, x.Y} {
		if a, ok := y.(*Apply); ok && a.Name == "Bid" {
			continue
		}
		if n, ok := y.(*Name); ok && n.Text != c.subject.name {
			continue
		}
		c.ends = false
	}
}

// order compares pointers into one block by offset.
func order(s State, a, b uint64) (int, bool) {
	x, i, ok := s.Locate(a)
	y, j, ok2 := s.Locate(b)
	switch {
	case !ok || !ok2 || x != y:
		return 0, false
	case i < j:
		return -1, true
	case i > j:
		return 1, true
	}
	return 0, true
}

// sets compiles dom(H) == {} and comparisons of contents; nil for others.
func (c *compiler) sets(x *Binary, s *scope) func(*env) bool {
	eq := x.Op == "=="
	dom, ok := x.X.(*Apply)
	_, empty := x.Y.(*Empty)
	if d, ok2 := x.Y.(*Apply); ok2 && d.Name == "dom" && !empty {
		dom, ok = d, true
		_, empty = x.X.(*Empty)
	}
	if ok && dom.Name == "dom" && empty {
		set := setNamed(dom.Args[0].(*Name).Text)
		c.needs |= trackerOf[set]
		return func(e *env) bool {
			none := true
			e.s.Blocks(set, func(uint64) bool { none = false; return false })
			return none == eq
		}
	}
	a, ok := x.X.(*Apply)
	b, ok2 := x.Y.(*Apply)
	if !ok || !ok2 || a.Name != "Block" || b.Name != "Block" {
		return nil
	}
	f, g := c.blockOf(a, s), c.blockOf(b, s)
	return func(e *env) bool {
		i, ok := f(e)
		j, ok2 := g(e)
		if !ok || !ok2 {
			return !eq
		}
		p, ok := e.s.Contents(i)
		q, ok2 := e.s.Contents(j)
		return (ok && ok2 && bytes.Equal(p, q)) == eq
	}
}

func setNamed(name string) Set {
	for i, n := range setNames {
		if n == name {
			return Set(i)
		}
	}
	return Trace
}
