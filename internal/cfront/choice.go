package cfront

import (
	"fmt"
	"slices"
	"strings"

	"gulo/internal/ctype"
)

// This file infers from a program which member of a union is in use. A struct around a union often has a tag: the
// program uses a member of the union only under a condition on the tag of the same object (a switch or an if on a
// kind, a test of a flag). Several members of the struct may be tested around one use. The tag is then the one that
// governs most uses of the union's members. A condition under which different members are used says nothing.

// Choice is a member of a struct that says which member of a union beside it is in use.
type Choice struct {
	Struct, Union *ctype.Type
	Tag           ctype.Field // a tag in a nested struct has a name such as head.kind and its offset in Struct
	Cases         []ChoiceCase
}

// ChoiceCase is a condition under which one member of a union is used.
type ChoiceCase struct {
	Tests  []ChoiceTest // all must hold
	Member int          // index in the union's Fields
}

// ChoiceTest is a test of a tag: tag&Mask == Value, or with Not tag&Mask != Value.
type ChoiceTest struct {
	Mask, Value ctype.Word
	Not         bool
}

// Holds reports whether a tag passes the test.
func (t ChoiceTest) Holds(tag ctype.Word) bool { return (tag&t.Mask == t.Value) != t.Not }

// Of returns the member of the union that is in use when the tag has a value. It returns -1 if no case holds, or if
// cases with different members hold.
func (c *Choice) Of(tag ctype.Word) int {
	found := -1
	for _, k := range c.Cases {
		if slices.ContainsFunc(k.Tests, func(t ChoiceTest) bool { return !t.Holds(tag) }) {
			continue
		}
		if found >= 0 && found != k.Member {
			return -1
		}
		found = k.Member
	}
	return found
}

// fact is what a condition says about a member of an object: at least one of the tests in anyOf holds.
type fact struct {
	base  string // key of the object
	key   string // key of the tag in it
	struc *ctype.Type
	tag   ctype.Field // of the object, or of a struct in it; its name is then a path such as head.kind
	anyOf []ChoiceTest
}

// usage is a use of a union's member, with the facts known there about the struct around it.
type usage struct {
	union  *ctype.Type
	member int
	facts  []fact
}

// chooser collects the uses of union members in the functions of a program.
type chooser struct {
	vars   map[*Var]int            // numbers of variables, for keys
	usages map[*ctype.Type][]usage // by struct
	order  []*ctype.Type           // the structs as they were met
}

// choices infers the tags of the unions in structs from the bodies of funcs.
func choices(funcs []*Func, structs []*ctype.Type) []Choice {
	c := &chooser{vars: map[*Var]int{}, usages: map[*ctype.Type][]usage{}}
	any := false
	for _, t := range structs {
		any = any || t.Kind == ctype.Union || holdsUnion(t)
	}
	if !any {
		return nil
	}
	for _, f := range funcs {
		if f.Body != nil {
			c.stmt(f.Body, nil)
		}
	}
	var out []Choice
	for _, s := range c.order {
		out = append(out, choicesOf(s, c.usages[s])...)
	}
	return out
}

func holdsUnion(t *ctype.Type) bool {
	return slices.ContainsFunc(t.Fields, func(f ctype.Field) bool { return f.Type.Kind == ctype.Union })
}

// choicesOf returns the tag of each union in a struct. A union without a tag, or with two that govern equally many
// uses, is left out.
func choicesOf(s *ctype.Type, list []usage) []Choice {
	var out []Choice
	var unions []*ctype.Type
	for _, u := range list {
		if !slices.Contains(unions, u.union) {
			unions = append(unions, u.union)
		}
	}
	for _, union := range unions {
		var best Choice
		most, tie := 0, false
		for _, tag := range tagsOf(s, list) {
			x := Choice{Struct: s, Union: union, Tag: tag}
			covered := x.read(list)
			switch {
			case covered > most:
				best, most, tie = x, covered, false
			case covered == most && most > 0:
				tie = true
			}
		}
		if most > 0 && !tie {
			out = append(out, best)
		}
	}
	return out
}

// tagsOf lists the possible tags of a struct: its members, and the tested members of structs in it.
func tagsOf(s *ctype.Type, list []usage) []ctype.Field {
	out := slices.Clone(s.Fields)
	for _, u := range list {
		for _, f := range u.facts {
			if strings.Contains(f.tag.Name, ".") && !slices.ContainsFunc(out, func(o ctype.Field) bool { return o.Name == f.tag.Name }) {
				out = append(out, f.tag)
			}
		}
	}
	return out
}

// read collects the cases of a tag from the uses of the union's members. It returns how many uses have a condition on
// the tag, or 0 if the tag does not tell members apart.
func (x *Choice) read(list []usage) int {
	covered := 0
	values := false // the tag is compared with more than 0 and 1
	var cases []ChoiceCase
	for _, u := range list {
		if u.union != x.Union {
			continue
		}
		conds := x.conditions(u.facts)
		if len(conds) > 0 {
			covered++
		}
		for _, tests := range conds {
			k := slices.IndexFunc(cases, func(c ChoiceCase) bool { return slices.Equal(c.Tests, tests) })
			if k < 0 {
				cases = append(cases, ChoiceCase{tests, u.member})
			} else if cases[k].Member != u.member {
				cases[k].Member = -1
			}
			for _, t := range tests {
				values = values || t.Mask == ^ctype.Word(0) && t.Value > 1
			}
		}
	}
	members := map[int]bool{}
	for _, c := range cases {
		vague := slices.ContainsFunc(c.Tests, func(t ChoiceTest) bool { return t.Mask == ^ctype.Word(0) && t.Not })
		if c.Member >= 0 && !(vague && values) {
			x.Cases = append(x.Cases, c)
			members[c.Member] = true
		}
	}
	if len(members) < 2 {
		return 0
	}
	return covered
}

// conditions returns what facts say about the tag: all tests in at least one of the lists hold.
func (x *Choice) conditions(facts []fact) [][]ChoiceTest {
	var out [][]ChoiceTest
	var together []ChoiceTest
	for _, f := range facts {
		if f.tag.Name != x.Tag.Name {
			continue
		}
		exact := !slices.ContainsFunc(f.anyOf, func(t ChoiceTest) bool { return t.Not || t.Mask != ^ctype.Word(0) })
		switch {
		case exact:
			out = nil
			for _, t := range f.anyOf {
				out = append(out, []ChoiceTest{t})
			}
			together = nil
		case out == nil && len(f.anyOf) == 1 && !slices.Contains(together, f.anyOf[0]):
			together = append(together, f.anyOf[0])
		}
	}
	if len(together) > 0 && out == nil {
		slices.SortFunc(together, func(a, b ChoiceTest) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		out = [][]ChoiceTest{together}
	}
	return out
}

// key returns a string that identifies the object or value that an expression denotes. It returns "" for expressions of
// other forms than those below.
func (c *chooser) key(x Expr) string {
	switch x := x.(type) {
	case *Ref:
		n, ok := c.vars[x.Var]
		if !ok {
			n = len(c.vars)
			c.vars[x.Var] = n
		}
		return fmt.Sprintf("v%d;", n)
	case *Const:
		return fmt.Sprintf("%d;", x.Value)
	case *Deref:
		return before("*", c.key(x.X))
	case *Addr:
		return strings.TrimPrefix(before("&", c.key(x.X)), "&*")
	case *Decay:
		return c.key(x.X)
	case *Cast:
		if x.Implicit {
			return c.key(x.X)
		}
	case *Member:
		return before("."+x.Field.Name+";", c.object(x))
	case *Index:
		if i := c.key(x.I); i != "" {
			return before("["+i, c.key(x.X))
		}
	}
	return ""
}

func before(p, k string) string {
	if k == "" {
		return ""
	}
	return p + k
}

// object returns the key of the object that m is a member of.
func (c *chooser) object(m *Member) string {
	if m.Arrow {
		return strings.Replace(before("*", c.key(m.X)), "*&", "", 1)
	}
	return c.key(m.X)
}

// structOf returns the type of the object that m is a member of.
func structOf(m *Member) *ctype.Type {
	if t := m.X.Type(); m.Arrow {
		return t.Elem
	} else {
		return t
	}
}

// tagOf returns a fact without tests about the member that x denotes, if that member may be a tag of a union.
func (c *chooser) tagOf(x Expr) (f fact, ok bool) {
	for {
		k, isCast := x.(*Cast)
		if !isCast || !k.Type().IsInteger() && k.Type().Kind != ctype.Bool {
			break
		}
		x = k.X
	}
	m, isMember := x.(*Member)
	if !isMember || !m.Type().IsInteger() && m.Type().Kind != ctype.Bool {
		return fact{}, false
	}
	s := structOf(m)
	if s == nil || s.Kind != ctype.Struct {
		return fact{}, false
	}
	i := slices.IndexFunc(s.Fields, func(f ctype.Field) bool { return f.Name == m.Field.Name })
	if i < 0 {
		return fact{}, false
	}
	tag, in := s.Fields[i], m
	for !holdsUnion(s) { // the head of a struct with a union
		outer, isMember := in.X.(*Member)
		if !isMember || in.Arrow || outer.Field.Name == "" {
			return fact{}, false
		}
		if s = structOf(outer); s == nil || s.Kind != ctype.Struct {
			return fact{}, false
		}
		k := slices.IndexFunc(s.Fields, func(f ctype.Field) bool { return f.Name == outer.Field.Name })
		if k < 0 {
			return fact{}, false
		}
		tag.Name, tag.Offset, in = s.Fields[k].Name+"."+tag.Name, tag.Offset+s.Fields[k].Offset, outer
	}
	base := c.object(in)
	if base == "" {
		return fact{}, false
	}
	return fact{base: base, key: c.key(m), struc: s, tag: tag}, true
}
