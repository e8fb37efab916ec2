package cfront

import (
	"fmt"
	"slices"
	"strings"

	"gulo/internal/ctype"
)

// This file reads in a program which member of a union is in use: where the use of a union's member is
// governed by a condition on another member of the struct around it (a switch or an if on a kind, a test of a
// flag), of the same object, that condition says so. Conditions on several members may stand around one use,
// and of these the one is taken that tells the union's members apart in most places. A condition under which
// different members are used says nothing.

// Choice is a member of a struct that says which member of a union beside it is in use.
type Choice struct {
	Struct, Union *ctype.Type
	Tag           ctype.Field // named head.kind, with its offset in Struct, where it is in a struct in it
	Cases         []ChoiceCase
}

// ChoiceCase is a condition under which one member of a union is used.
type ChoiceCase struct {
	Tests  []ChoiceTest // all of them hold
	Member int          // of the union's Fields
}

// ChoiceTest is a test of a tag: the bits of a mask have a value, or have another one.
type ChoiceTest struct {
	Mask, Value ctype.Word
	Not         bool
}

// Holds reports whether a tag passes the test.
func (t ChoiceTest) Holds(tag ctype.Word) bool { return (tag&t.Mask == t.Value) != t.Not }

// Of returns the member of the union that is in use with a tag, -1 where that is not said.
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

// fact is what a condition says of a member of an object: one of the tests holds.
type fact struct {
	base  string // the object
	key   string // the tag in it
	struc *ctype.Type
	tag   ctype.Field // of the object, or of a struct in it: its name is the way there then
	anyOf []ChoiceTest
}

// usage is a use of a union's member with what is known there of the struct around it.
type usage struct {
	union  *ctype.Type
	member int
	facts  []fact
}

// chooser reads the functions of a program.
type chooser struct {
	vars   map[*Var]int
	usages map[*ctype.Type][]usage // by struct
	order  []*ctype.Type           // the structs as they were met
}

// choices reads what functions say; structs are those of the program.
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

// choicesOf finds the tag of each union in a struct.
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

// tagsOf lists what may be a tag of a struct: its members, and those of structs in it that are tested.
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

// read takes the cases of a tag from the uses of a union's members, and returns how many of these it governs;
// 0 where it does not tell members apart.
func (x *Choice) read(list []usage) int {
	covered := 0
	values := false // it has more than two
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

// conditions returns what facts say of the tag: one of the lists of tests holds.
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

// key tells apart what expressions stand for; it is "" where that is not seen.
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

// object is the key of what a member is one of.
func (c *chooser) object(m *Member) string {
	if m.Arrow {
		return strings.Replace(before("*", c.key(m.X)), "*&", "", 1)
	}
	return c.key(m.X)
}

// structOf is the type of what a member is one of.
func structOf(m *Member) *ctype.Type {
	if t := m.X.Type(); m.Arrow {
		return t.Elem
	} else {
		return t
	}
}

// tagOf returns an expression's member of a struct that may be a tag.
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
