package oracle

import (
	"maps"
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file makes states with other numbers. Pointers stay as they are, since an invented graph is often one that no
// program builds.

// place is an integer of a state.
type place struct {
	at  *Value
	typ *ctype.Type
}

// Renumbered returns a state in which a few integers are replaced: by that of another place of the same size, by a
// neighbour, or by a small one. In texts a digit becomes another digit, and a letter another letter of the state. Of
// the variables in static storage only those in globals are changed (Named). It returns nil if there is no integer.
func Renumbered(s *State, f *cfront.Func, globals map[string]*ctype.Type, rnd *rand.Rand) *State {
	c := s.clone()
	places := c.integers(f, globals)
	if len(places) == 0 {
		return nil
	}
	var letters []ctype.Word
	for _, p := range places {
		if p.typ.Size == 1 && unicode.IsLetter(rune(p.at.Word)) {
			letters = append(letters, p.at.Word)
		}
	}
	for range 1 + rnd.Intn(mostRenumbered) {
		p := places[rnd.Intn(len(places))]
		switch w := p.at.Word; {
		case p.typ.Size == 1 && unicode.IsDigit(rune(w)):
			p.at.Word = '0' + ctype.Word(rnd.Intn(10))
		case p.typ.Size == 1 && unicode.IsLetter(rune(w)):
			p.at.Word = letters[rnd.Intn(len(letters))]
		case p.typ.Size == 1 && p.typ.Kind != ctype.Bool && w > 31 && w < unicode.MaxASCII, p.typ.Size == 1 && w == 0: // a sign or the end of a text stays
		default:
			p.at.Word = ctype.Wrap(p.typ, other(p, places, rnd))
		}
	}
	return c
}

// mostRenumbered bounds the integers that are changed at once.
const mostRenumbered = 3

// other returns another number for a place.
func other(p place, places []place, rnd *rand.Rand) ctype.Word {
	switch rnd.Intn(3) {
	case 0:
		return p.at.Word + ctype.Word(rnd.Intn(2)*2-1)
	case 1:
		return ctype.Word(rnd.Intn(10))
	}
	of := slices.DeleteFunc(slices.Clone(places), func(q place) bool { return q.typ.Size != p.typ.Size })
	return of[rnd.Intn(len(of))].at.Word
}

// integers lists the integers of a state.
func (s *State) integers(f *cfront.Func, globals map[string]*ctype.Type) (out []place) {
	add := func(v *Value, t *ctype.Type) {
		if t != nil && t.IsInteger() && v.Object == 0 && v.Name == "" && !v.Unset && !v.Gone && v.Byte == 0 {
			out = append(out, place{v, t})
		}
	}
	for i := range s.Args {
		if i < len(f.Params) {
			add(&s.Args[i], f.Params[i].Type)
		}
	}
	cells := func(list []Cell, t *ctype.Type, many bool) {
		types := map[string]*ctype.Type{}
		for _, x := range scalars(t, "", 0, nil) {
			types[x.path] = x.typ
		}
		for i := range list {
			path := list[i].Path
			if many {
				path = strings.TrimPrefix(element.ReplaceAllString(path, ""), ".")
			}
			add(&list[i].Value, types[path])
		}
	}
	for i := range s.Objects {
		cells(s.Objects[i].Cells, s.Objects[i].Type, s.Objects[i].Count != 1)
	}
	for _, name := range slices.Sorted(maps.Keys(globals)) {
		cells(s.Globals[name], globals[name], false)
	}
	return out
}

var element = regexp.MustCompile(`^\[\d+\]`)
