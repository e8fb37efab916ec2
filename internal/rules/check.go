package rules

import (
	"gulo/internal/plural"
	"gulo/internal/source"
)

// This file finds out what every name in a file stands for. Names get values from left to right: a pattern binds a name
// that has no value yet, but a name in a term must have one. A predicate is checked again for every use, since what it
// binds depends on what the use has bound.

// variable is a name that has a value, or gets one from a pattern.
type variable struct {
	name string
	sort Sort
}

// scope maps names to variables. Copies share the variables, but not which of them are bound.
type scope struct {
	vars  map[string]*variable
	bound map[*variable]bool
}

func newScope() *scope { return &scope{map[string]*variable{}, map[*variable]bool{}} }

// fork copies a scope. What is bound in one copy is not bound in the other.
func (s *scope) fork() *scope {
	c := newScope()
	for k, v := range s.vars {
		c.vars[k] = v
	}
	for k := range s.bound {
		c.bound[k] = true
	}
	return c
}

func (s *scope) add(name string, sort Sort, bound bool) *variable {
	v := &variable{name, sort}
	s.vars[name] = v
	if bound {
		s.bound[v] = true
	}
	return v
}

type checker struct {
	f     *File
	errs  []source.Diagnostic
	seen  map[string]bool // diagnostics already reported, by place and text
	rule  *Rule           // nil while a predicate is checked by itself
	stack []*Define       // predicates being expanded
	steps int
	given bool // the current declaration has an error
}

// maxExpansions bounds the uses of predicates that are expanded for one rule.
const maxExpansions = 20_000

// Check finds errors in a file: unknown names, wrong sorts, names without a value, and predicates that refer to
// themselves. The error is a *source.Error.
func Check(f *File) error {
	c := &checker{f: f, seen: map[string]bool{}}
	f.byName = map[string]*Define{}
	for _, d := range f.Defines {
		switch {
		case builtins[d.Name] != nil || d.Name == "FindLast" || d.Name == "VPC":
			c.fail(d.Range, "%s is built in", d.Name)
		case f.byName[d.Name] != nil:
			c.fail(d.Range, "%s is defined twice, first at %s", d.Name, f.byName[d.Name].Range.Position())
		default:
			f.byName[d.Name] = d
		}
	}
	for _, d := range f.Defines {
		c.begin(nil)
		s := newScope()
		for _, p := range d.Params {
			if s.vars[p] != nil || p == "_" {
				c.fail(d.Range, "%s cannot have %q as a parameter twice", d.Name, p)
			}
			s.add(p, Unknown, true)
		}
		c.stack = append(c.stack, d)
		c.condition(d.Body, s)
		c.stack = nil
	}
	for _, r := range f.Rules {
		c.begin(r)
		c.checkRule(r)
	}
	if len(c.errs) > 0 {
		return &source.Error{List: c.errs}
	}
	return nil
}

func (c *checker) begin(r *Rule) { c.rule, c.steps, c.given, c.stack = r, 0, false, nil }

func (c *checker) fail(at source.Range, format string, args ...any) {
	d := source.Errorf(at.Position(), format, args...).List[0]
	c.given = true
	if key := d.String(); !c.seen[key] {
		c.seen[key] = true
		c.errs = append(c.errs, d)
	}
}

func (c *checker) checkRule(r *Rule) {
	s := newScope()
	if r.Point.Var != "_" {
		sort := Pointer
		if r.Point.Kind == Call || r.Point.Kind == Ret {
			sort = Integer
		}
		s.add(r.Point.Var, sort, true)
	}
	for _, n := range r.Chains {
		if s.vars[n] == nil {
			s.add(n, Pointer, false) // the value that an exists finds for it is kept
		}
	}
	c.condition(r.Cond, s)
	if c.given {
		return
	}
	for i, n := range r.Chains {
		v := s.vars[n]
		switch {
		case !s.bound[v]:
			c.fail(r.places[i], "%s has no value when the condition holds", n)
		case v.sort != Pointer:
			c.fail(r.places[i], "%s is %s, and only a pointer has a value propagation chain", n, v.sort)
		}
	}
}

// condition checks that an expression is a condition.
func (c *checker) condition(x Expr, s *scope) {
	if t := c.expr(x, s); t != Bool && t != Unknown {
		c.fail(x.Where(), "expected a condition, found %s", t)
	}
}

// expr checks an expression and returns its sort; Unknown after an error.
func (c *checker) expr(x Expr, s *scope) Sort {
	switch x := x.(type) {
	case *Name:
		return c.name(x, s)
	case *Number:
		if x.Null {
			return Pointer
		}
		return Integer
	case *Empty:
		return SetOf
	case *Not:
		c.condition(x.X, s.fork())
		return Bool
	case *Binary:
		return c.binary(x, s)
	case *Apply:
		return c.apply(x, s)
	case *Quantified:
		c.quantified(x, s)
		return Bool
	case *FindLast:
		c.needs(Trace, x.Range)
		c.event(&x.Event, s, s)
		return Bool
	}
	return Unknown
}

func (c *checker) name(x *Name, s *scope) Sort {
	if x.Text == "_" {
		c.fail(x.Range, "_ stands for anything and has no value")
		return Unknown
	}
	v := s.vars[x.Text]
	switch {
	case v == nil:
		c.fail(x.Range, "unknown name %s", x.Text)
		return Unknown
	case !s.bound[v]:
		c.fail(x.Range, "%s has no value here", x.Text)
	}
	return v.sort
}

// needs reports an error if a rule reads a part of the state that it does not name.
func (c *checker) needs(set Set, at source.Range) {
	if c.rule == nil {
		return
	}
	for _, s := range c.rule.State {
		if s == set {
			return
		}
	}
	c.fail(at, "%s is not among the parts of the state that [%s] names: write detect <%s; ...>", set, c.rule.Name, set)
}

func (c *checker) binary(x *Binary, s *scope) Sort {
	switch x.Op {
	case "&&":
		c.condition(x.X, s)
		c.condition(x.Y, s)
		return Bool
	case "||":
		a, b := s.fork(), s.fork()
		c.condition(x.X, a)
		c.condition(x.Y, b)
		for n, v := range a.vars {
			if w := b.vars[n]; s.vars[n] == nil && w != nil && a.bound[v] && b.bound[w] && unify(v, w.sort) {
				s.add(n, v.sort, true) // bound on both sides
			}
		}
		for v := range a.bound {
			if b.bound[v] {
				s.bound[v] = true
			}
		}
		return Bool
	}
	a, b := c.expr(x.X, s), c.expr(x.Y, s)
	a, b = c.same(x.X, a, b, s), c.same(x.Y, b, a, s)
	bad := func() Sort {
		if !c.given {
			c.fail(x.Range, "%s %s %s makes no sense", a, x.Op, b)
		}
		return Unknown
	}
	known := a != Unknown && b != Unknown
	switch x.Op {
	case "==", "!=":
		if known && a != b && !isNull(x.X) && !isNull(x.Y) || a == Bool || b == Bool {
			bad()
		}
		return Bool
	case "<", "<=", ">", ">=":
		if known && (a != b || a != Integer && a != Pointer) {
			bad()
		}
		return Bool
	}
	return c.compute(x.Op, a, b, bad)
}

func (c *checker) compute(op string, a, b Sort, bad func() Sort) Sort {
	number := func(t Sort) bool { return t == Integer || t == Unknown || (t == BlockID && (op == "&" || op == "|")) }
	switch {
	case number(a) && number(b):
		return Integer
	case op == "+" && a == Pointer && number(b), op == "-" && a == Pointer && number(b):
		return Pointer
	case op == "-" && a == Pointer && b == Pointer:
		return Integer
	}
	return bad()
}

func isNull(x Expr) bool {
	n, ok := x.(*Number)
	return ok && n.Null
}

// same gives a name of unknown sort the sort of what it is compared with.
func (c *checker) same(x Expr, t, other Sort, s *scope) Sort {
	if n, ok := x.(*Name); ok && t == Unknown && other != Unknown && other != Bool {
		if v := s.vars[n.Text]; v != nil {
			v.sort = other
			return other
		}
	}
	return t
}

// unify gives a variable a sort, and reports whether it fits.
func unify(v *variable, t Sort) bool {
	if v.sort == Unknown {
		v.sort = t
	}
	return t == Unknown || v.sort == t
}

// builtin is a function of the language.
type builtin struct {
	args   []Sort // sorts that its argument may have
	result Sort
}

var builtins = map[string]*builtin{
	"Bid":   {[]Sort{Pointer}, BlockID},
	"Idx":   {[]Sort{Pointer}, Integer},
	"Begin": {[]Sort{Pointer, BlockID}, Pointer},
	"End":   {[]Sort{Pointer, BlockID}, Pointer},
	"Size":  {[]Sort{Pointer, BlockID}, Integer},
	"Time":  {[]Sort{BlockID, Pointer}, Integer},
	"Block": {[]Sort{Pointer, BlockID}, Contents},
	"Value": {[]Sort{Pointer}, Integer},
	"dom":   {[]Sort{SetOf}, SetOf},
}

func (c *checker) apply(x *Apply, s *scope) Sort {
	if b := builtins[x.Name]; b != nil {
		return c.call(x, b, s)
	}
	d := c.f.byName[x.Name]
	if d == nil {
		c.fail(x.Range, "unknown predicate %s", x.Name)
		return Unknown
	}
	if len(x.Args) != len(d.Params) {
		c.fail(x.Range, "%s takes %s, found %d", d.Name, plural.N(len(d.Params), "argument"), len(x.Args))
		return Unknown
	}
	for _, e := range c.stack {
		if e == d {
			c.fail(x.Range, "%s refers to itself, so its evaluation need not end", d.Name)
			return Unknown
		}
	}
	if c.steps++; c.steps > maxExpansions {
		c.fail(x.Range, "too many predicates inside one another")
		return Unknown
	}
	c.expand(x, d, s)
	return Bool
}

// expand checks a predicate's body with the arguments of one use.
func (c *checker) expand(x *Apply, d *Define, s *scope) {
	in := newScope()
	for i, a := range x.Args {
		n, ok := a.(*Name)
		switch {
		case ok && n.Text == "_":
			in.add(d.Params[i], Unknown, false)
		case ok:
			v := s.vars[n.Text]
			if v == nil {
				v = s.add(n.Text, Unknown, false)
			}
			in.vars[d.Params[i]] = v
			if s.bound[v] {
				in.bound[v] = true
			}
		default:
			in.add(d.Params[i], c.expr(a, s), true)
		}
	}
	before := len(c.errs)
	c.stack = append(c.stack, d)
	c.condition(d.Body, in)
	c.stack = c.stack[:len(c.stack)-1]
	if len(c.errs) > before && !(c.rule == nil) {
		last := &c.errs[len(c.errs)-1]
		if last.Note == "" {
			last.Note = "as " + d.Name + " is used at " + x.Range.Position().String()
		}
	}
	for i, a := range x.Args {
		n, ok := a.(*Name)
		if !ok || n.Text == "_" {
			continue
		}
		v := in.vars[d.Params[i]]
		if in.bound[v] {
			s.bound[v] = true
		} else if v.sort == Symbol {
			s.bound[v] = true // the name of a function
		}
	}
}

func (c *checker) call(x *Apply, b *builtin, s *scope) Sort {
	if len(x.Args) != 1 {
		c.fail(x.Range, "%s takes 1 argument, found %d", x.Name, len(x.Args))
		return b.result
	}
	if x.Name == "dom" {
		n, ok := x.Args[0].(*Name)
		set := Set(255)
		for k, t := range setNames {
			if ok && n.Text == t && Set(k) != Trace && Set(k) != Pointers {
				set = Set(k)
			}
		}
		if set == 255 {
			c.fail(x.Range, "dom takes H, F, S or G")
			return SetOf
		}
		c.needs(set, x.Range)
		return SetOf
	}
	t := c.expr(x.Args[0], s)
	t = c.same(x.Args[0], t, b.args[0], s)
	for _, a := range b.args {
		if t == a || t == Unknown {
			return b.result
		}
	}
	c.fail(x.Args[0].Where(), "%s takes %s, found %s", x.Name, b.args[0], t)
	return b.result
}

func (c *checker) quantified(x *Quantified, s *scope) {
	c.needs(x.In, x.Pattern.Range)
	in := s.fork()
	switch {
	case x.Pattern.Event != nil:
		if x.In != Trace {
			c.fail(x.Pattern.Range, "%s holds no events; they are in Trace", x.In)
		}
		c.event(x.Pattern.Event, s, in)
	case x.Pattern.Pointer != nil:
		if x.In != Pointers {
			c.fail(x.Pattern.Range, "%s holds no pointers; they are in P", x.In)
		}
		for i, t := range []Sort{Pointer, BlockID, Integer} {
			c.bind(x.Pattern.Pointer[i], t, in)
		}
	default:
		if x.In == Trace || x.In == Pointers {
			c.fail(x.Pattern.Range, "%s holds no blocks; they are in H, F, S and G", x.In)
		}
		if v := in.vars[x.Pattern.Block]; v != nil && x.Pattern.Block != "_" && in.bound[v] {
			c.fail(x.Pattern.Range, "%s has a value already", x.Pattern.Block)
		}
		c.bind(&Name{x.Pattern.Block, x.Pattern.Range}, BlockID, in)
	}
	if x.Such != nil {
		c.condition(x.Such, in)
	}
	if x.All {
		return
	}
	for n, v := range s.vars {
		if in.vars[n] == v && in.bound[v] {
			s.bound[v] = true
		}
	}
}

// event checks an event pattern; outer is the scope around the quantifier.
func (c *checker) event(e *EventPattern, outer, in *scope) {
	c.bind(e.Time, Integer, in)
	for i, a := range e.Args {
		t := eventSorts[e.Kind][i]
		if n, ok := a.(*Name); ok && t == Symbol && n.Text != "_" && outer.vars[n.Text] == nil {
			continue // the name of a function
		}
		c.bind(a, t, in)
	}
}

// bind gives a value to a name in a pattern, or checks the name's sort if it has one.
func (c *checker) bind(x Expr, t Sort, s *scope) {
	n, ok := x.(*Name)
	if !ok {
		if got := c.expr(x, s); got != t && !(isNull(x) && t == Integer) {
			c.fail(x.Where(), "expected %s, found %s", t, got)
		}
		return
	}
	if n.Text == "_" {
		return
	}
	v := s.vars[n.Text]
	if v == nil {
		s.add(n.Text, t, true)
		return
	}
	if !unify(v, t) {
		c.fail(n.Range, "%s is %s, expected %s", n.Text, v.sort, t)
	}
	s.bound[v] = true
}
