package rules

import "fmt"

// This file turns a rule into a Plan: predicates are expanded, every name is a slot, and for each name in a pattern it
// is decided whether it is bound or compared with its value. Which names have values where follows from the text alone
// (check.go). Therefore nothing is undone when a branch fails: the names that it bound are not used again. Both the
// evaluator (eval.go) and the generator of native debuggers (rules/gen) work on plans.

// Plan is a rule in a form that can be evaluated or translated.
type Plan struct {
	Rule    *Rule
	Func    string // for a call or ret point; "_" for any
	Cond    Cond
	Slots   []Slot
	Point   int   // slot of the point's name; -1 for none
	Chains  []int // slots of the pointers whose chains are shown
	Needs   Tracker
	Ends    bool  // the first and the last byte of an access are representative of all
	Witness *Each // enumerates the blocks that make the condition true, if it is about blocks; else nil
}

// Slot is a variable of a plan.
type Slot struct {
	Name string
	Sort Sort
}

// Cond is a condition of a plan.
type Cond interface{ cond() }

type (
	// And is a conjunction, evaluated from left to right.
	And struct{ X, Y Cond }
	// Or is a disjunction. What a side bound is moved to slots that both sides share.
	Or struct {
		X, Y        Cond
		Left, Right []Move
	}
	// Negation is not X.
	Negation struct{ X Cond }
	// Let sets slots to the values of terms, and is then In. It is false if a term has no value.
	Let struct {
		Slots []int
		Terms []Term
		In    Cond
	}
	// Compare compares numbers, blocks, or pointers into one block.
	Compare struct {
		Op       string
		X, Y     Term
		Pointers bool
	}
	// NullTest is X == NULL or, with Ne, X != NULL.
	NullTest struct {
		X  Term
		Ne bool
	}
	// Empties is dom(In) == {} or, with Ne, dom(In) != {}.
	Empties struct {
		In Set
		Ne bool
	}
	// SameContents compares the contents of two blocks.
	SameContents struct {
		X, Y Term
		Ne   bool
	}
	// Search looks for an event, from the oldest on or, with Back, back from the newest.
	Search struct {
		Kind  EventKind
		Back  bool
		All   bool
		Time  Match
		Args  []Match
		Such  Cond   // nil means true
		Bid   Term   // restricts the search to a block; nil: no restriction
		At    int    // slot of a known address; -1: none
		Func  string // a known function; "": none
		Exact bool   // the restrictions and matches already imply Such
	}
	// Each quantifies over the blocks of a set.
	Each struct {
		In   Set
		Slot int
		All  bool
		Such Cond // nil means true
	}
	// Member reports whether a block is in a set, and binds it.
	Member struct {
		In   Set
		Bid  Term
		Slot int
	}
	// EachPointer quantifies over the pointers in P.
	EachPointer struct {
		Match [3]Match
		All   bool
		Such  Cond
	}
)

// Move copies a slot.
type Move struct{ To, From int }

// Match matches a value with an argument of a pattern: anything, a term, or a slot that is bound to the value or
// compared with it.
type Match struct {
	Any  bool
	Slot int
	Bind bool
	Term Term   // compared with the value, instead of a slot
	Func string // name of a function that is compared, instead of a slot
}

func (*And) cond()          {}
func (*Or) cond()           {}
func (*Negation) cond()     {}
func (*Let) cond()          {}
func (*Compare) cond()      {}
func (*NullTest) cond()     {}
func (*Empties) cond()      {}
func (*SameContents) cond() {}
func (*Search) cond()       {}
func (*Each) cond()         {}
func (*Member) cond()       {}
func (*EachPointer) cond()  {}

// Term is a term of a plan. It has no value if a pointer points into no block.
type Term interface{ term() }

type (
	// Var is a slot's value.
	Var struct{ Slot int }
	// Const is a number.
	Const struct{ Value uint64 }
	// Fn is a built-in function of a pointer or, if Block is set, of a block: Bid, Idx, Begin, End, Size, Time, Value.
	Fn struct {
		Name  string
		X     Term
		Block bool
	}
	// Arith computes; Op is + - * & or |.
	Arith struct {
		Op   string
		X, Y Term
	}
	// FirstWord is the first word in a block.
	FirstWord struct{ X Term }
	// FuncName is a function's number.
	FuncName struct{ Name string }
)

func (*Var) term()       {}
func (*Const) term()     {}
func (*Fn) term()        {}
func (*Arith) term()     {}
func (*FirstWord) term() {}
func (*FuncName) term()  {}

// NewPlan makes the plan for a rule of a file. names maps names that stand for a function (ts) to it. The error is that
// of Check.
func NewPlan(f *File, r *Rule, names map[string]string) (*Plan, error) {
	if err := Check(f); err != nil {
		return nil, err
	}
	c := &planner{f: f, names: names, ends: true}
	p := &Plan{Rule: r, Func: c.function(r.Point.Func), Point: -1}
	s := newScope()
	if r.Point.Var != "_" {
		sort := Pointer
		if r.Point.Kind == Call || r.Point.Kind == Ret {
			sort = Integer
		}
		v := s.add(r.Point.Var, sort, true)
		p.Point = c.slot(v)
		c.subject = v
	}
	for _, n := range r.Chains {
		if s.vars[n] == nil {
			s.add(n, Pointer, false)
		}
	}
	p.Witness = c.witnesses(r.Cond, s.fork())
	p.Cond = c.condition(r.Cond, s)
	for _, n := range r.Chains {
		p.Chains = append(p.Chains, c.slot(s.vars[n]))
		c.needs |= TrackChains
	}
	p.Needs, p.Ends = c.needs, c.ends
	for _, v := range c.slots {
		p.Slots = append(p.Slots, Slot{v.name, v.sort})
	}
	return p, nil
}

type planner struct {
	f       *File
	names   map[string]string
	slots   []*variable
	needs   Tracker
	subject *variable // variable of the point's name
	ends    bool
}

func (c *planner) slot(v *variable) int {
	for i, w := range c.slots {
		if w == v {
			return i
		}
	}
	c.slots = append(c.slots, v)
	return len(c.slots) - 1
}

func (c *planner) function(name string) string {
	if n, ok := c.names[name]; ok {
		return n
	}
	return name
}

// condition plans a condition; it binds names in the scope in the same way as the checker.
func (c *planner) condition(x Expr, s *scope) Cond {
	switch x := x.(type) {
	case *Not:
		return &Negation{c.condition(x.X, s.fork())}
	case *Apply:
		return c.predicate(x, s)
	case *Quantified:
		return c.quantified(x, s)
	case *FindLast:
		return c.events(&x.Event, true, nil, s, s)
	case *Binary:
		switch x.Op {
		case "&&":
			a := c.condition(x.X, s)
			return &And{a, c.condition(x.Y, s)}
		case "||":
			return c.either(x, s)
		}
		return c.compare(x, s)
	}
	panic(fmt.Sprintf("rules: %T is no condition", x))
}

// either plans a disjunction: names that both sides bind have a value after it.
func (c *planner) either(x *Binary, s *scope) Cond {
	a, b := s.fork(), s.fork()
	out := &Or{X: c.condition(x.X, a), Y: c.condition(x.Y, b)}
	for v := range a.bound {
		if b.bound[v] {
			s.bound[v] = true
		}
	}
	for n, v := range a.vars {
		if w := b.vars[n]; s.vars[n] == nil && w != nil && a.bound[v] && b.bound[w] {
			u := s.add(n, v.sort, true)
			out.Left = append(out.Left, Move{c.slot(u), c.slot(v)})
			out.Right = append(out.Right, Move{c.slot(u), c.slot(w)})
		}
	}
	return out
}

// predicate plans a use of a predicate by expanding its body.
func (c *planner) predicate(x *Apply, s *scope) Cond {
	d := c.f.byName[x.Name]
	in := newScope()
	let := &Let{}
	give := func(v *variable, t Term) {
		let.Slots, let.Terms = append(let.Slots, c.slot(v)), append(let.Terms, t)
	}
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
				in.bound[v], s.bound[v] = true, true
				give(v, &FuncName{c.function(n.Text)})
			}
		default:
			t := c.term(a, s)
			give(in.add(p, c.sort(a, s), true), t)
		}
	}
	body := c.condition(d.Body, in)
	for i, a := range x.Args {
		if n, ok := a.(*Name); ok && n.Text != "_" && in.bound[in.vars[d.Params[i]]] {
			s.bound[in.vars[d.Params[i]]] = true
		}
	}
	if len(let.Slots) == 0 {
		return body
	}
	let.In = body
	return let
}

// isFunction reports whether a predicate uses a parameter as a function.
func (c *planner) isFunction(d *Define, param int, seen map[string]bool) bool {
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

func (c *planner) quantified(x *Quantified, s *scope) Cond {
	in := s.fork()
	if x.Pattern.Event != nil {
		return c.events(x.Pattern.Event, false, x, s, in)
	}
	if x.Pattern.Pointer != nil {
		c.needs |= TrackPointers
		out := &EachPointer{All: x.All}
		for i, t := range []Sort{Pointer, BlockID, Integer} {
			out.Match[i] = c.match(x.Pattern.Pointer[i], t, in)
		}
		out.Such = c.such(x, s, in)
		return out
	}
	c.needs |= trackerOf[x.In]
	if m := c.member(x, in); m != nil {
		c.export(s, in)
		return m
	}
	out := &Each{In: x.In, All: x.All, Slot: c.slot(bindName(x.Pattern.Block, BlockID, in))}
	out.Such = c.such(x, s, in)
	return out
}

// such plans the condition on the members. For exists, names bound by it keep their values outside.
func (c *planner) such(x *Quantified, s, in *scope) (out Cond) {
	if x.Such != nil {
		out = c.condition(x.Such, in)
	}
	if !x.All {
		c.export(s, in)
	}
	return out
}

// member plans "exists bid in SET suchthat bid == TERM" as a test of one block; nil for other forms.
func (c *planner) member(x *Quantified, in *scope) Cond {
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
	return &Member{x.In, t, c.slot(bindName(n.Text, BlockID, in))}
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

// export binds the outer names that a quantifier has bound.
func (c *planner) export(s, in *scope) {
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

func (c *planner) match(x Expr, t Sort, s *scope) Match {
	n, ok := x.(*Name)
	switch {
	case !ok:
		return Match{Term: c.term(x, s)}
	case n.Text == "_":
		return Match{Any: true}
	}
	v := s.vars[n.Text]
	had := v != nil && s.bound[v]
	return Match{Slot: c.slot(bindName(n.Text, t, s)), Bind: !had}
}

// events plans a search of the trace: FindLast (q is nil) or a quantifier.
func (c *planner) events(p *EventPattern, back bool, q *Quantified, outer, in *scope) Cond {
	c.needs |= eventTracker[p.Kind]
	if back && p.Kind == EvWrite {
		c.needs = c.needs&^TrackWrites | TrackLastWrite
	}
	out := &Search{Kind: p.Kind, Back: back, At: -1}
	c.narrow(out, p, q, outer)
	out.Time = c.match(p.Time, Integer, in)
	for i, a := range p.Args {
		t := eventSorts[p.Kind][i]
		if n, ok := a.(*Name); ok && t == Symbol && n.Text != "_" && outer.vars[n.Text] == nil {
			out.Args = append(out.Args, Match{Func: c.function(n.Text)})
			continue
		}
		out.Args = append(out.Args, c.match(a, t, in))
	}
	if q != nil {
		out.All = q.All
		out.Such = c.such(q, outer, in)
	}
	return out
}

// narrow finds restrictions of a search: a known address or function, or "bid == Bid(r)" in the condition.
func (c *planner) narrow(out *Search, p *EventPattern, q *Quantified, outer *scope) {
	for i, a := range p.Args {
		n, ok := a.(*Name)
		if !ok || n.Text == "_" {
			continue
		}
		v := outer.vars[n.Text]
		switch t := eventSorts[p.Kind][i]; {
		case t == Symbol && v == nil:
			out.Func = c.function(n.Text)
		case t == Pointer && v != nil && outer.bound[v]:
			if v == c.subject {
				c.ends = false
			}
			out.At = c.slot(v)
		case t == BlockID && v != nil && outer.bound[v]:
			out.Bid = &Var{c.slot(v)}
		case t == BlockID && v == nil && q != nil && !q.All:
			if other, whole := equated(q.Such, n.Text); other != nil {
				out.Bid, out.Exact = c.term(other, outer.fork()), whole
			}
		}
	}
}

// equated returns the use of Bid to which a condition equates a name, and whether the condition says nothing else.
func equated(x Expr, name string) (term Expr, whole bool) {
	b, ok := x.(*Binary)
	if !ok {
		return nil, false
	}
	if b.Op == "&&" {
		if t, _ := equated(b.X, name); t != nil {
			return t, false
		}
		t, _ := equated(b.Y, name)
		return t, false
	}
	if b.Op != "==" {
		return nil, false
	}
	for _, side := range [][2]Expr{{b.X, b.Y}, {b.Y, b.X}} {
		n, ok := side[0].(*Name)
		a, ok2 := side[1].(*Apply)
		if ok && ok2 && n.Text == name && a.Name == "Bid" {
			if m, ok := a.Args[0].(*Name); ok && m.Text != name {
				return a, true
			}
		}
	}
	return nil, false
}

// compare plans a comparison. A term without a value is equal to nothing.
func (c *planner) compare(x *Binary, s *scope) Cond {
	ne := x.Op == "!="
	if f := c.sets(x, s); f != nil {
		return f
	}
	if isNull(x.X) || isNull(x.Y) {
		other := x.X
		if isNull(other) {
			other = x.Y
		}
		return &NullTest{c.term(other, s), ne}
	}
	c.subjects(x)
	a := c.term(x.X, s)
	return &Compare{x.Op, a, c.term(x.Y, s), c.sort(x.X, s) == Pointer}
}

// subjects notes whether a comparison distinguishes the bytes of an access other than by order.
func (c *planner) subjects(x *Binary) {
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

// sets plans comparisons of dom(...) with {} and of contents; nil for others.
func (c *planner) sets(x *Binary, s *scope) Cond {
	ne := x.Op == "!="
	dom, ok := x.X.(*Apply)
	_, empty := x.Y.(*Empty)
	if d, ok2 := x.Y.(*Apply); ok2 && d.Name == "dom" && !empty {
		dom, ok = d, true
		_, empty = x.X.(*Empty)
	}
	if ok && dom.Name == "dom" && empty {
		set := setNamed(dom.Args[0].(*Name).Text)
		c.needs |= trackerOf[set]
		return &Empties{set, ne}
	}
	a, ok := x.X.(*Apply)
	b, ok2 := x.Y.(*Apply)
	if !ok || !ok2 || a.Name != "Block" || b.Name != "Block" {
		return nil
	}
	return &SameContents{c.block(a, s), c.block(b, s), ne}
}

func setNamed(name string) Set {
	for i, n := range setNames {
		if n == name {
			return Set(i)
		}
	}
	return Trace
}

// witnesses plans the enumeration of all blocks that a condition is about; nil if it is not about blocks.
func (c *planner) witnesses(x Expr, s *scope) *Each {
	if b, ok := x.(*Binary); ok && b.Op == "!=" {
		dom, ok := b.X.(*Apply)
		if _, empty := b.Y.(*Empty); !ok || !empty || dom.Name != "dom" {
			return nil
		}
		v := s.fork().add("_", BlockID, true)
		return &Each{In: setNamed(dom.Args[0].(*Name).Text), Slot: c.slot(v)}
	}
	q, ok := x.(*Quantified)
	if !ok || q.All || q.Pattern.Block == "" {
		return nil
	}
	out := &Each{In: q.In, Slot: c.slot(bindName(q.Pattern.Block, BlockID, s))}
	if q.Such != nil {
		out.Such = c.condition(q.Such, s)
	}
	return out
}

// block plans the block that an argument refers to: the block itself, or the one into
// which the argument points.
func (c *planner) block(x *Apply, s *scope) Term {
	t := c.term(x.Args[0], s)
	if c.sort(x.Args[0], s) == BlockID {
		return t
	}
	return &Fn{"Bid", t, false}
}

func (c *planner) term(x Expr, s *scope) Term {
	switch x := x.(type) {
	case *Number:
		return &Const{x.Value}
	case *Name:
		return &Var{c.slot(s.vars[x.Text])}
	case *Apply:
		switch x.Name {
		case "Bid", "Block":
			return c.block(x, s)
		case "Idx", "Value":
			c.ends = false
		}
		return &Fn{x.Name, c.term(x.Args[0], s), c.sort(x.Args[0], s) == BlockID}
	case *Binary:
		if c.subject != nil && uses(x, c.subject.name) {
			c.ends = false
		}
		a := c.word(x.X, s)
		return &Arith{x.Op, a, c.word(x.Y, s)}
	}
	panic(fmt.Sprintf("rules: %T is no term", x))
}

// word plans an operand; for a block that is its first word.
func (c *planner) word(x Expr, s *scope) Term {
	t := c.term(x, s)
	if c.sort(x, s) == BlockID {
		return &FirstWord{t}
	}
	return t
}

// sort returns the sort of a term in a checked file.
func (c *planner) sort(x Expr, s *scope) Sort {
	switch x := x.(type) {
	case *Number:
		if x.Null {
			return Pointer
		}
		return Integer
	case *Name:
		return s.vars[x.Text].sort
	case *Apply:
		return builtins[x.Name].result
	case *Binary:
		a, b := c.sort(x.X, s), c.sort(x.Y, s)
		if a == Pointer && (x.Op == "+" || x.Op == "-" && b != Pointer) {
			return Pointer
		}
		return Integer
	}
	return Unknown
}
