package cfront

import (
	"math/bits"
	"slices"
	"strings"

	"gulo/internal/ctype"
)

// This file walks the statements of a function. It keeps track of the facts that the conditions around each statement
// say about the objects used in it.

// holding returns the facts that hold where condition x is true (is) or false (!is).
func (c *chooser) holding(x Expr, is bool) []fact {
	switch x := x.(type) {
	case *Cast:
		if x.Type().Kind == ctype.Bool || x.Implicit && x.Type().Size >= x.X.Type().Size {
			return c.holding(x.X, is)
		}
	case *LogicalNot:
		return c.holding(x.X, !is)
	case *Logical:
		a, b := c.holding(x.X, is), c.holding(x.Y, is)
		if x.And == is {
			return append(a, b...)
		}
		if len(a) == 1 && len(b) == 1 && a[0].base == b[0].base && a[0].tag.Name == b[0].tag.Name {
			f := a[0]
			f.anyOf = append(slices.Clone(f.anyOf), b[0].anyOf...)
			return []fact{f}
		}
	case *Binary:
		return c.compared(x, is)
	default:
		if f, ok := c.tagOf(x); ok {
			f.anyOf = []ChoiceTest{{Mask: ^ctype.Word(0), Not: is}}
			return []fact{f}
		}
	}
	return nil
}

// compared is holding for a comparison or a test of bits.
func (c *chooser) compared(x *Binary, is bool) []fact {
	constant := func(e Expr) (ctype.Word, bool) {
		for {
			k, ok := e.(*Cast)
			if !ok {
				break
			}
			e = k.X
		}
		k, ok := e.(*Const)
		if !ok || !k.Type().IsInteger() {
			return 0, false
		}
		return k.Value, true
	}
	tag, other := x.X, x.Y
	k, ok := constant(other)
	if !ok {
		tag, other = other, tag
		if k, ok = constant(other); !ok {
			return nil
		}
	}
	switch x.Op {
	case ctype.Eq, ctype.Ne:
		is = is == (x.Op == ctype.Eq)
		if k == 0 {
			return c.holding(tag, !is)
		}
		if b, ok := uncast(tag).(*Binary); ok && b.Op == ctype.And && is {
			if mask, ok := constant(b.Y); ok {
				if f, ok := c.tagOf(b.X); ok {
					f.anyOf = []ChoiceTest{{Mask: mask, Value: k}}
					return []fact{f}
				}
			}
			return nil
		}
		if f, ok := c.tagOf(tag); ok && is {
			f.anyOf = []ChoiceTest{{Mask: ^ctype.Word(0), Value: ctype.Wrap(f.tag.ValueType(), k)}}
			return []fact{f}
		}
	case ctype.And:
		if f, ok := c.tagOf(tag); ok && bits.OnesCount64(k) == 1 {
			f.anyOf = []ChoiceTest{{Mask: k, Not: is}}
			return []fact{f}
		}
	}
	return nil
}

func uncast(x Expr) Expr {
	for {
		k, ok := x.(*Cast)
		if !ok {
			return x
		}
		x = k.X
	}
}

// lasting returns facts followed by those facts of more that no assignment in region or post can change.
func (c *chooser) lasting(facts, more []fact, region []Stmt, post Expr) []fact {
	if len(more) == 0 {
		return facts
	}
	var set []string
	each := func(x Expr) {
		Walk(x, func(e Expr) bool {
			switch e := e.(type) {
			case *Assign:
				set = append(set, c.key(e.L))
			case *IncDec:
				set = append(set, c.key(e.X))
			}
			return true
		})
	}
	for _, s := range region {
		WalkStmt(s, nil, each)
	}
	if post != nil {
		each(post)
	}
	out := slices.Clone(facts)
	for _, f := range more {
		if !slices.ContainsFunc(set, func(k string) bool { return k != "" && strings.Contains(f.key, k) }) {
			out = append(out, f)
		}
	}
	return out
}

// stmt reads a statement.
func (c *chooser) stmt(s Stmt, facts []fact) {
	switch s := s.(type) {
	case *Block:
		c.block(s.List, facts)
	case *If:
		c.expr(s.Cond, facts)
		c.stmt(s.Then, c.lasting(facts, c.holding(s.Cond, true), []Stmt{s.Then}, nil))
		if s.Else != nil {
			c.stmt(s.Else, c.lasting(facts, c.holding(s.Cond, false), []Stmt{s.Else}, nil))
		}
	case *While:
		facts = c.lasting(nil, facts, []Stmt{s.Body}, s.Cond)
		c.expr(s.Cond, facts)
		if !s.Do {
			facts = c.lasting(facts, c.holding(s.Cond, true), []Stmt{s.Body}, s.Cond)
		}
		c.stmt(s.Body, facts)
	case *For:
		if s.Init != nil {
			c.stmt(s.Init, facts)
		}
		region := []Stmt{s.Body}
		facts = c.lasting(nil, facts, region, s.Post)
		if s.Cond != nil {
			c.expr(s.Cond, facts)
			facts = c.lasting(facts, c.holding(s.Cond, true), region, s.Post)
		}
		c.stmt(s.Body, facts)
	case *Switch:
		c.expr(s.X, facts)
		c.cases(s, facts)
	case *Case:
		c.stmt(s.Body, nil)
	case *Label:
		c.stmt(s.Body, nil)
	case nil:
	default:
		WalkStmt(s, nil, func(x Expr) { c.expr(x, facts) })
	}
}

// block reads statements in order. After an if whose branch leaves the block its negated condition is known, and after
// an assertion its condition.
func (c *chooser) block(list []Stmt, facts []fact) {
	for i, s := range list {
		c.stmt(s, facts)
		rest := list[i+1:]
		switch s := s.(type) {
		case *If:
			if s.Else == nil && goesAway(s.Then) {
				facts = c.lasting(facts, c.holding(s.Cond, false), rest, nil)
			}
		case *ExprStmt:
			if k, ok := s.X.(*Call); ok && len(k.Args) == 1 && callee(k) == "assert" {
				facts = c.lasting(facts, c.holding(k.Args[0], true), rest, nil)
			}
		case *Label, *Case:
			facts = nil
		}
	}
}

func callee(k *Call) string {
	x := k.Fun
	if d, ok := x.(*Decay); ok {
		x = d.X
	}
	if f, ok := x.(*FuncRef); ok {
		return f.Func.Name
	}
	return ""
}

// goesAway reports whether control is known not to continue after a statement: it returns, jumps or exits.
func goesAway(s Stmt) bool {
	switch s := s.(type) {
	case *Return, *Jump:
		return true
	case *Block:
		return len(s.List) > 0 && goesAway(s.List[len(s.List)-1])
	case *Case:
		return goesAway(s.Body)
	case *ExprStmt:
		k, ok := s.X.(*Call)
		return ok && slices.Contains([]string{"abort", "exit", "_exit"}, callee(k))
	}
	return false
}

// mostStatements bounds the statements of a case. The cost is quadratic: for each statement, all that follow are
// searched for assignments.
const mostStatements = 300

// cases reads the body of a switch.
func (c *chooser) cases(s *Switch, facts []fact) {
	tag, ok := c.tagOf(s.X)
	b, isBlock := s.Body.(*Block)
	if !ok || !isBlock {
		c.stmt(s.Body, nil)
		return
	}
	var now []ChoiceTest
	any, gone := true, true // any: another value may lead here; gone: control does not come from above
	for i, x := range b.List {
		if _, isCase := x.(*Case); isCase && gone {
			now, any = nil, false
		}
		for {
			k, isCase := x.(*Case)
			if !isCase {
				break
			}
			if k.Default || k.Lo != k.Hi {
				any = true
			} else {
				now = append(slices.Clone(now), ChoiceTest{Mask: ^ctype.Word(0), Value: ctype.Wrap(tag.tag.ValueType(), ctype.Word(k.Lo))})
			}
			x = k.Body
		}
		here := facts
		if r := region(b.List[i:]); !any && len(now) > 0 && len(r) <= mostStatements {
			f := tag
			f.anyOf = now
			here = c.lasting(facts, []fact{f}, r, nil)
		}
		c.stmt(x, here)
		gone = goesAway(x)
	}
}

// region returns the leading statements of list up to the next case that control does not fall into.
func region(list []Stmt) []Stmt {
	for i, s := range list {
		if _, isCase := s.(*Case); isCase && i > 0 && goesAway(list[i-1]) {
			return list[:i]
		}
	}
	return list
}

// expr reads an expression.
func (c *chooser) expr(x Expr, facts []fact) {
	Walk(x, func(e Expr) bool {
		switch e := e.(type) {
		case *Logical:
			c.expr(e.X, facts)
			c.expr(e.Y, c.lasting(facts, c.holding(e.X, e.And), nil, e.Y))
			return false
		case *Cond:
			c.expr(e.C, facts)
			c.expr(e.A, c.lasting(facts, c.holding(e.C, true), nil, e.A))
			c.expr(e.B, c.lasting(facts, c.holding(e.C, false), nil, e.B))
			return false
		case *Member:
			if len(facts) > 0 {
				c.used(e, facts)
			}
		}
		return true
	})
}

// used records the use of a member of a union if facts are known about the struct around the union.
func (c *chooser) used(m *Member, facts []fact) {
	s := structOf(m)
	if s == nil || !s.IsAggregate() {
		return
	}
	if s.Kind == ctype.Union {
		of, ok := m.X.(*Member)
		if !ok || m.Arrow {
			return
		}
		if o := structOf(of); o != nil && o.Kind == ctype.Struct {
			c.keep(o, c.object(of), s, slices.IndexFunc(s.Fields, func(f ctype.Field) bool { return has(f, m.Field.Name) }), facts)
		}
		return
	}
	for i := range s.Fields {
		u := s.Fields[i].Type
		if s.Fields[i].Name != "" || u.Kind != ctype.Union {
			continue
		}
		c.keep(s, c.object(m), u, slices.IndexFunc(u.Fields, func(f ctype.Field) bool { return has(f, m.Field.Name) }), facts)
	}
}

// has reports whether a member has this name. An unnamed struct or union has the names of its members.
func has(f ctype.Field, name string) bool {
	if f.Name != "" || !f.Type.IsAggregate() {
		return f.Name == name
	}
	return slices.ContainsFunc(f.Type.Fields, func(g ctype.Field) bool { return has(g, name) })
}

func (c *chooser) keep(s *ctype.Type, base string, union *ctype.Type, member int, facts []fact) {
	if member < 0 || base == "" {
		return
	}
	var known []fact
	for _, f := range facts {
		if f.base == base && f.struc == s {
			known = append(known, f)
		}
	}
	if len(known) == 0 {
		return
	}
	if c.usages[s] == nil {
		c.order = append(c.order, s)
	}
	c.usages[s] = append(c.usages[s], usage{union, member, known})
}
