package session

import (
	"context"
	"fmt"
	"maps"
	"sort"
	"strings"

	"gulo/internal/heap"
	"gulo/internal/plural"
)

// This file is specification slicing and refinement (Wolverine, ESEC/FSE 2017,
// sections 4.1 and 4.2): which entities an assertion speaks of, and which
// statements are executed as a whole.

// tracking says which entities assertions speak of. Once a variable is named by
// track only named variables take part, and likewise fields; untrack takes
// single ones out.
type tracking struct {
	vars, fields map[string]bool // named by track
	out          map[string]bool // taken out by untrack
}

func (t *tracking) clone() tracking {
	return tracking{maps.Clone(t.vars), maps.Clone(t.fields), maps.Clone(t.out)}
}

// named reports whether track named a variable: it is then asserted even where it
// is dead.
func (t *tracking) named(key string) bool { return t.vars[key] }

// fieldOf splits the key of an entity (head, n4->prev, tab[2]) at its arrow.
func fieldOf(key string) (node, field string) {
	if i := strings.Index(key, "->"); i >= 0 {
		return key[:i], key[i+2:]
	}
	return key, ""
}

// has reports whether assertions speak of an entity.
func (t *tracking) has(key string) bool {
	node, field := fieldOf(key)
	base := field
	if i := strings.IndexAny(base, ".["); i >= 0 {
		base = base[:i]
	}
	if t.out[key] || field != "" && (t.out["->"+field] || t.out["->"+base] || t.out[node]) {
		return false
	}
	switch {
	case field != "":
		return len(t.fields) == 0 || t.fields[key] || t.fields["->"+field] || t.fields["->"+base] || t.fields[node]
	case len(t.vars) > 0:
		v := key
		if i := strings.IndexAny(v, ".["); i >= 0 {
			v = v[:i]
		}
		return t.vars[key] || t.vars[v]
	}
	return true
}

// untracked returns the keys of the entities that assertions leave out.
func (s *recorder) untracked() map[string]bool {
	t := &s.tracked
	if len(t.vars)+len(t.fields)+len(t.out) == 0 || s.graph == nil {
		return nil
	}
	out := map[string]bool{}
	for _, v := range s.graph.Vars {
		for _, c := range v.Cells {
			if !t.has(c.Key) {
				out[c.Key] = true
			}
		}
	}
	for _, n := range s.graph.Nodes {
		for _, c := range n.Cells {
			if !t.has(c.Key) {
				out[c.Key] = true
			}
		}
	}
	return out
}

// trackKey returns what a word of track or untrack names: a variable, an entity
// of one node, a node, or a field of all nodes (next, ->next, node.next).
func (s *recorder) trackKey(word string) (string, error) {
	key := heap.ParseEntity(word)
	if _, ok := s.graph.Cell(key); ok {
		return key, nil
	}
	if _, ok := s.graph.Node(key); ok {
		return key, nil
	}
	for _, v := range s.graph.Vars {
		if v.Name == key {
			return key, nil
		}
	}
	_, field := fieldOf(key)
	if field == "" {
		field = strings.TrimLeft(key, "-.>")
	}
	for _, n := range s.graph.Nodes {
		for _, c := range n.Cells {
			if _, f := fieldOf(c.Key); f == field {
				return "->" + field, nil
			}
		}
	}
	return "", errorf("no variable, node or field %s here%s", word, s.suggest(key))
}

func (s *recorder) track(ctx context.Context, args string) error   { return s.slice(args, true) }
func (s *recorder) untrack(ctx context.Context, args string) error { return s.slice(args, false) }

func (s *recorder) slice(args string, on bool) error {
	if s.graph == nil {
		return errorf("the program is not running; use start")
	}
	words := strings.FieldsFunc(args, func(r rune) bool { return r == ' ' || r == ',' })
	if len(words) == 0 {
		if !on {
			return errorf("untrack what? for example: untrack data, or untrack temp1 temp2")
		}
		s.showTracking()
		return nil
	}
	if len(words) == 1 && words[0] == "--all" {
		s.tracked = tracking{}
		s.printf("all variables and fields are tracked\n")
		return nil
	}
	t := s.tracked.clone()
	for _, m := range []*map[string]bool{&t.vars, &t.fields, &t.out} {
		if *m == nil {
			*m = map[string]bool{}
		}
	}
	for _, w := range words {
		key, err := s.trackKey(w)
		if err != nil {
			return err
		}
		_, field := fieldOf(key)
		_, node := s.graph.Node(key)
		switch {
		case !on:
			t.out[key] = true
			delete(t.vars, key)
			delete(t.fields, key)
		case t.out[key]:
			delete(t.out, key)
		case field != "" || node:
			t.fields[key] = true
		default:
			t.vars[key] = true
		}
	}
	s.tracked = t
	s.showTracking()
	s.picture()
	return nil
}

func (s *recorder) showTracking() {
	t := &s.tracked
	list := func(m map[string]bool) string {
		var out []string
		for k := range m {
			out = append(out, k)
		}
		sort.Strings(out)
		return strings.Join(out, " ")
	}
	vars, fields := "all variables", "all fields"
	if len(t.vars) > 0 {
		vars = list(t.vars)
	}
	if len(t.fields) > 0 {
		fields = list(t.fields)
	}
	text := fmt.Sprintf("tracked: %s; %s", vars, fields)
	if len(t.out) > 0 {
		text += "; not " + list(t.out)
	}
	s.printf("%s\n", text)
}

// concreteCmd makes statements be executed as a whole: their recorded effect
// stands for them and they are never edited.
func (s *recorder) concreteCmd(ctx context.Context, args string) error {
	name, off := strings.CutPrefix(args, "-")
	var ids []int32
	if f := s.prog.Tree.Func(name); f != nil {
		for _, st := range s.prog.Stmts {
			if st != nil && st.Func == f && st.Stop {
				ids = append(ids, st.ID)
			}
		}
		// Statements elsewhere that call it are concrete too.
		for _, st := range s.prog.Stmts {
			if st != nil && st.Func != f && st.Stop && directCall(st, f) {
				ids = append(ids, st.ID)
			}
		}
		delete(s.scope, f)
	} else {
		var err error
		if ids, err = s.onLine("concrete", name); err != nil {
			return err
		}
	}
	for _, id := range ids {
		if off {
			delete(s.concrete, id)
		} else {
			s.concrete[id] = true
		}
	}
	if off {
		s.printf("%s executed statement by statement again\n", plural.N(len(ids), "statement"))
		return nil
	}
	s.printf("%s executed as a whole from now on and kept out of repairs\n", plural.N(len(ids), "statement"))
	return nil
}
