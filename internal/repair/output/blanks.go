package output

import (
	"fmt"
	"maps"
	"math"
	"strings"
)

// This file solves for white space. If two outputs differ only in white space, all other bytes correspond to each
// other, and the white space between two of them gives an equation: the literals that print there must together print
// the wanted white space. The vote of the uses (guess.go) decides for each literal alone, and fails where two literals
// share the white space between them ("- " and "*", or "-" and " *"). The equations decide for all literals together.
//
// White space missing at the very end of the output may belong to no literal. It is an unknown of its own, which a new
// statement has to print.

// gap is an unknown: the white space of a piece in front of one of its other bytes, or after the last of them.
type gap struct {
	key
	at int // number of non-blank bytes of the piece before it
}

// missing is the unknown at the end of the output.
var missing = gap{key: key{literal: -1}}

// term is a part of an equation: an unknown, or fixed white space.
type term struct {
	gap   gap
	fixed string
	known bool
}

// equation says that the concatenation of terms equals a text.
type equation struct {
	terms []term
	text  string
}

// Bounds of the search for a solution.
const (
	mostSteps     = 5_000
	mostEquations = 400
)

// byBlanks guesses the white space of all literals at once.
func (p *Program) byBlanks(all []*aligned, add func(map[int]string, int)) {
	s := &blanks{p: p, now: map[gap]string{}, was: map[gap]string{}}
	seen := map[string]bool{}
	differ := false
	for _, a := range all {
		if signs(a.run.Out) == signs(a.run.Want) {
			differ = differ || a.fails
			s.equations(a, seen)
		}
	}
	if !differ || len(s.eqs) > mostEquations {
		return
	}
	s.least = math.MaxInt
	s.solve()
	if s.best != nil {
		add(s.texts(), 0)
	}
}

// signs returns a text without its white space.
func signs(text string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && blank(byte(r)) {
			return -1
		}
		return r
	}, text)
}

// blanks is the search for white space that satisfies all equations.
type blanks struct {
	p     *Program
	eqs   []equation
	was   map[gap]string // in the program
	now   map[gap]string // tried now
	best  map[gap]string
	least int // cost of the best one
	steps int
}

// equations adds the equations of a run.
func (s *blanks) equations(a *aligned, seen map[string]bool) {
	want := a.run.Want
	var e equation
	end := func(last bool) {
		n := 0
		for n < len(want) && blank(want[n]) {
			n++
		}
		e.text = want[:n]
		if want = want[n:]; want != "" {
			want = want[1:]
		}
		if last {
			e.terms = append(e.terms, term{gap: missing})
			s.was[missing] = ""
		}
		if id := fmt.Sprint(e); !seen[id] {
			seen[id] = true
			s.eqs = append(s.eqs, e)
		}
		e = equation{}
	}
	for _, t := range a.ts {
		free := t.literal != 0 && t.conv == ""
		rest := t.text
		for at := 0; ; at++ {
			n := 0
			for n < len(rest) && blank(rest[n]) {
				n++
			}
			if free {
				g := gap{key{t.literal, t.piece}, at}
				s.was[g] = rest[:n]
				e.terms = append(e.terms, term{gap: g})
			} else if n > 0 {
				e.terms = append(e.terms, term{fixed: rest[:n], known: true})
			}
			if rest = rest[n:]; rest == "" {
				break
			}
			rest = rest[1:]
			end(false)
		}
	}
	end(true)
}

// Costs of a solution. Literals with the same text serve the same purpose, so they should change together.
const (
	costGroup   = 8 // some literal with a certain text changes
	costSplit   = 8 // another one with that text does not
	costLiteral = 1
)

// cost returns the cost of the values tried so far. It never falls when another unknown gets a value.
func (s *blanks) cost() int {
	changed, open := map[int]bool{}, map[int]bool{} // by literal
	for g, was := range s.was {
		text, known := s.now[g]
		open[g.literal] = open[g.literal] || !known
		changed[g.literal] = changed[g.literal] || known && text != was
	}
	type group struct{ changed, kept bool }
	groups := map[string]group{}
	n := 0
	for id := range open {
		text := s.p.Literals[id].Text
		g := groups[text]
		if changed[id] {
			g.changed = true
			n += costLiteral
		} else if !open[id] {
			g.kept = true
		}
		groups[text] = g
	}
	for _, g := range groups {
		if g.changed {
			n += costGroup
		}
		if g.changed && g.kept {
			n += costSplit
		}
	}
	return n
}

// solve tries the values of an unknown in the equation with the fewest possibilities, and so on until all are
// satisfied.
func (s *blanks) solve() {
	if s.steps++; s.steps > mostSteps || s.cost() >= s.least {
		return
	}
	pick, ways := -1, 0
	for i := range s.eqs {
		n, ok := s.ways(&s.eqs[i])
		if !ok {
			return
		}
		if n > 0 && (pick < 0 || n < ways) {
			pick, ways = i, n
		}
	}
	if pick < 0 {
		s.least, s.best = s.cost(), maps.Clone(s.now)
		return
	}
	e := &s.eqs[pick]
	at := 0 // offset in the text, after the known terms
	for _, t := range e.terms {
		text, known := s.value(t)
		if known {
			at += len(text)
			continue
		}
		rest := e.text[at:]
		for _, v := range s.order(t.gap, rest) {
			s.now[t.gap] = v
			s.solve()
			delete(s.now, t.gap)
		}
		return
	}
}

// value returns the current text of a term.
func (s *blanks) value(t term) (text string, known bool) {
	if t.known {
		return t.fixed, true
	}
	text, known = s.now[t.gap]
	return text, known
}

// ways returns the number of values that the first unknown of an equation may have; 0 if it has no unknown. ok is false
// if the equation can no longer be satisfied.
func (s *blanks) ways(e *equation) (n int, ok bool) {
	front, back := e.text, 0
	unknown := 0
	for _, t := range e.terms {
		text, known := s.value(t)
		switch {
		case !known:
			unknown++
		case unknown > 0:
			back += len(text)
		case !strings.HasPrefix(front, text):
			return 0, false
		default:
			front = front[len(text):]
		}
	}
	if unknown == 0 {
		return 0, front == ""
	}
	if unknown == 1 {
		return 1, len(front) >= back
	}
	return len(front) - back + 1, len(front) >= back
}

// order lists the values of an unknown that are a prefix of rest: first the original one, then the others by length.
func (s *blanks) order(g gap, rest string) []string {
	var out []string
	was := s.was[g]
	if strings.HasPrefix(rest, was) {
		out = append(out, was)
	}
	for n := 0; n <= len(rest); n++ {
		if rest[:n] != was {
			out = append(out, rest[:n])
		}
	}
	return out
}

// texts returns the literals that change in the best solution.
func (s *blanks) texts() map[int]string {
	out := map[int]string{}
	for id, l := range s.p.Literals {
		ps := []piece{{text: l.Text}}
		format := s.p.format(id)
		if format {
			ps = pieces(l.Text)
		}
		changed := false
		for i := range ps {
			if ps[i].conv != "" {
				continue
			}
			k := key{id, i}
			if _, ok := s.was[gap{key{id, whole}, 0}]; ok {
				k.piece = whole
			}
			if text := s.filled(k, ps[i].text); text != ps[i].text {
				ps[i].text, changed = text, true
			}
		}
		if !changed {
			continue
		}
		if out[id] = ps[0].text; format {
			out[id] = join(ps)
		}
	}
	return out
}

// filled returns a piece with the white space of the best solution.
func (s *blanks) filled(k key, text string) string {
	var b strings.Builder
	for at := 0; ; at++ {
		n := 0
		for n < len(text) && blank(text[n]) {
			n++
		}
		if v, ok := s.best[gap{k, at}]; ok {
			b.WriteString(v)
		} else {
			b.WriteString(text[:n])
		}
		if text = text[n:]; text == "" {
			return b.String()
		}
		b.WriteByte(text[0])
		text = text[1:]
	}
}
