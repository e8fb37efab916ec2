package proof

import (
	"errors"
	"fmt"
	"sort"

	"gulo/internal/budget"
	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/repair"
	"gulo/internal/smt"
)

// This file is the state of a trace under unknown edits. Every cell holds the values that it has under some choice of
// edits, each with the literal under which it has it. With a bit-vector solver, integers that have too many values
// become terms.

// value is the possible values of a scalar.
type value struct {
	alts []alt
	term string // an integer as a term of the solver; alts is then empty
}

type alt struct {
	w     ctype.Word
	undef bool // never written
	lit   int
}

// maxAlts bounds the values of one cell. maxProduct bounds the combinations of values in one operation before it
// becomes a term.
const (
	maxAlts    = 400
	maxProduct = 1024
)

var errUnsupported = errors.New("not supported by the solver")

// errAbsent says that an expression names something that does not exist there, so that enumeration cannot use it
// either.
var errAbsent = fmt.Errorf("%w: a variable that is not here", errUnsupported)

func unsupported(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errUnsupported, fmt.Sprintf(format, args...))
}

// mixer merges guarded values into one.
type mixer struct {
	e     *encoder
	words map[alt][]int // the keys have lit 0
	keys  []alt
	terms []guarded
}

type guarded struct {
	lit  int
	term string
}

func (e *encoder) mixer() *mixer { return &mixer{e: e, words: map[alt][]int{}} }

func (m *mixer) add(lit int, v value) {
	if lit == -m.e.yes {
		return
	}
	if v.term != "" {
		m.terms = append(m.terms, guarded{lit, v.term})
		return
	}
	for _, a := range v.alts {
		m.word(m.e.and(lit, a.lit), a.w, a.undef)
	}
}

func (m *mixer) word(lit int, w ctype.Word, undef bool) {
	if lit == -m.e.yes {
		return
	}
	k := alt{w: w, undef: undef}
	if _, ok := m.words[k]; !ok {
		m.keys = append(m.keys, k)
	}
	m.words[k] = append(m.words[k], lit)
}

func (m *mixer) value() (value, error) {
	var v value
	for _, k := range m.keys {
		k2 := k
		k2.lit = m.e.any(m.words[k])
		v.alts = append(v.alts, k2)
	}
	if len(m.terms) == 0 {
		if len(v.alts) > maxAlts {
			return v, unsupported("too many values of one cell")
		}
		m.e.exclusive(v.alts)
		return v, nil
	}
	text := m.e.toTerm(v)
	for _, t := range m.terms {
		text = fmt.Sprintf("(ite %s %s %s)", smt.Lit(t.lit), t.term, text)
	}
	return value{term: m.e.z.Term(text)}, nil
}

// exclusive asserts that a cell has only one value. This follows from the definition of the literals, but the solver
// would not find it easily.
func (e *encoder) exclusive(alts []alt) {
	if len(alts) < 2 || len(alts) > 8 {
		return
	}
	lits := make([]int, len(alts))
	for i, a := range alts {
		lits[i] = a.lit
	}
	key := e.key(lits)
	if e.told[key] {
		return
	}
	e.told[key] = true
	for i, a := range lits {
		for _, b := range lits[i+1:] {
			if a != -b {
				e.assert(-a, -b)
			}
		}
	}
}

// toTerm returns a set of values as a term.
func (e *encoder) toTerm(v value) string {
	if v.term != "" {
		return v.term
	}
	if len(v.alts) == 0 {
		return smt.Word(0)
	}
	text := smt.Word(v.alts[0].w)
	for _, a := range v.alts[1:] {
		text = fmt.Sprintf("(ite %s %s %s)", smt.Lit(a.lit), smt.Word(a.w), text)
	}
	if len(v.alts) > 1 {
		return e.z.Term(text)
	}
	return text
}

func (e *encoder) single(w ctype.Word) value { return value{alts: []alt{{w: w, lit: e.yes}}} }

// known returns the literal that the value was written.
func (e *encoder) known(v value) int {
	var bad []int
	for _, a := range v.alts {
		if a.undef {
			bad = append(bad, a.lit)
		}
	}
	return -e.any(bad)
}

// cell is a scalar in memory.
type cell struct {
	size int64
	v    value
}

// state is memory during a segment.
type state struct {
	e     *encoder
	t     *repair.Trace
	im    *heap.Image // the objects that exist, and cells that were not changed
	cells map[ctype.Word]cell
	live  map[ctype.Word]int // liveness of nodes by address, if it differs from the image
	taken map[ctype.Word]int
}

func newState(e *encoder, t *repair.Trace) *state {
	return &state{e: e, t: t, im: t.Im, cells: map[ctype.Word]cell{}, live: map[ctype.Word]int{}, taken: map[ctype.Word]int{}}
}

// lookup returns the cell at an address, and the literal that it can be accessed.
func (s *state) lookup(a ctype.Word, t *ctype.Type) (cell, int, error) {
	e := s.e
	if a < 4096 {
		return cell{}, e.no(), nil
	}
	o := s.im.Find(a)
	if o == nil || a+ctype.Word(t.Size) > o.End() {
		return cell{}, e.no(), nil
	}
	ok := e.yes
	if o.Kind == heap.Node {
		l, set := s.live[o.Addr]
		if !set {
			l = e.constant(o.Live)
		}
		ok = l
	}
	c, found := s.cells[a]
	if found && c.size == t.Size {
		return c, ok, nil
	}
	for k := ctype.Word(1); k < 8; k++ {
		if d, hit := s.cells[a-k]; hit && d.size > int64(k) {
			return c, ok, unsupported("cells that overlap")
		}
		if _, hit := s.cells[a+k]; hit && int64(k) < t.Size {
			return c, ok, unsupported("cells that overlap")
		}
	}
	if found {
		return c, ok, unsupported("cells of several sizes")
	}
	w := ctype.Load(t, o.Data[a-o.Addr:])
	c = cell{t.Size, value{alts: []alt{{w: w, undef: !s.im.Known(a, t.Size), lit: e.yes}}}}
	s.cells[a] = c
	return c, ok, nil
}

// load reads from an address that may have several values.
func (s *state) load(addr value, t *ctype.Type) (value, int, error) {
	if addr.term != "" {
		return value{}, 0, unsupported("an address that is computed")
	}
	if t.Kind == ctype.Float && s.e.z != nil {
		return value{}, 0, unsupported("floating point")
	}
	m := s.e.mixer()
	bad := make([]int, 0, len(addr.alts))
	for _, a := range addr.alts {
		c, ok, err := s.lookup(a.w, t)
		if err != nil {
			return value{}, 0, err
		}
		bad = append(bad, s.e.and(a.lit, -ok))
		if ok != s.e.no() {
			m.add(a.lit, c.v)
		}
	}
	v, err := m.value()
	return v, -s.e.any(bad), err
}

// store writes v to an address under the guard g. It returns the literal that the address can be written.
func (s *state) store(g int, addr value, t *ctype.Type, v value) (int, error) {
	if addr.term != "" {
		return 0, unsupported("an address that is computed")
	}
	bad := make([]int, 0, len(addr.alts))
	for _, a := range addr.alts {
		_, ok, err := s.lookup(a.w, t)
		if err != nil {
			return 0, err
		}
		bad = append(bad, s.e.and(a.lit, -ok))
		if ok != s.e.no() {
			if err := s.set(s.e.and(g, a.lit), a.w, t, v); err != nil {
				return 0, err
			}
		}
	}
	return -s.e.any(bad), nil
}

// set stores a value in one cell under the guard g.
func (s *state) set(g int, a ctype.Word, t *ctype.Type, v value) error {
	if g == s.e.no() {
		return nil
	}
	c, _, err := s.lookup(a, t)
	if err != nil {
		return err
	}
	m := s.e.mixer()
	m.add(g, defined(v))
	m.add(-g, c.v)
	if c.v, err = m.value(); err != nil {
		return err
	}
	s.cells[a] = c
	return nil
}

// defined returns a value as it is after a store: written.
func defined(v value) value {
	if v.term != "" {
		return v
	}
	alts := make([]alt, len(v.alts))
	for i, a := range v.alts {
		a.undef = false
		alts[i] = a
	}
	return value{alts: alts}
}

// bytes writes the bytes of a recorded effect. Cells that they overlap must have a single value or be overwritten
// completely.
func (s *state) bytes(a ctype.Word, b []byte) error {
	end := a + ctype.Word(len(b))
	var hit []ctype.Word
	for at := range s.cells {
		if at < end && at+8 > a {
			hit = append(hit, at)
		}
	}
	sort.Slice(hit, func(i, j int) bool { return hit[i] < hit[j] })
	for _, at := range hit {
		c := s.cells[at]
		if at+ctype.Word(c.size) <= a {
			continue
		}
		covered := at >= a && at+ctype.Word(c.size) <= end
		switch {
		case covered:
		case c.v.term == "" && len(c.v.alts) == 1:
			if !c.v.alts[0].undef {
				for i := int64(0); i < c.size; i++ {
					s.poke(at+ctype.Word(i), byte(c.v.alts[0].w>>(8*i)))
				}
			}
		default:
			return unsupported("a part of a cell that is not known is overwritten")
		}
		delete(s.cells, at)
	}
	for i, x := range b {
		s.poke(a+ctype.Word(i), x)
	}
	return nil
}

func (s *state) poke(a ctype.Word, b byte) {
	if o := s.im.Find(a); o != nil {
		o.Data[a-o.Addr] = b
		if o.Undef != nil {
			o.Undef[a-o.Addr] = false
		}
	}
}

// malloc returns, under the guard g, the first node of the supply that is not taken.
func (s *state) malloc(g int, size int64, zero bool) (value, int, error) {
	e := s.e
	m := e.mixer()
	none := e.yes // literal that all nodes before are taken
	for _, a := range s.im.Supply {
		o := s.im.Find(a)
		if o == nil || int64(len(o.Data)) != size {
			continue
		}
		taken, set := s.taken[a]
		if !set {
			taken = e.constant(o.Live)
		}
		this := e.and(none, -taken)
		if this == e.no() {
			continue
		}
		m.word(this, a, false)
		none = e.and(none, taken)
		s.taken[a] = e.or(taken, e.and(g, this))
		live, set := s.live[a]
		if !set {
			live = e.constant(o.Live)
		}
		s.live[a] = e.or(live, e.and(g, this))
		if zero {
			for off := int64(0); off+8 <= size; off += 8 {
				return value{}, 0, unsupported("calloc")
			}
		}
	}
	v, err := m.value()
	return v, -none, err
}

// free ends the life of a node under the guard g.
func (s *state) free(g int, p value) (int, error) {
	e := s.e
	if p.term != "" {
		return 0, unsupported("an address that is computed")
	}
	var bad []int
	for _, a := range p.alts {
		if a.w == 0 {
			continue
		}
		o := s.im.Find(a.w)
		if o == nil || o.Kind != heap.Node || o.Addr != a.w {
			bad = append(bad, a.lit)
			continue
		}
		live, set := s.live[a.w]
		if !set {
			live = e.constant(o.Live)
		}
		bad = append(bad, e.and(a.lit, -live))
		s.live[a.w] = e.and(live, -e.and(g, a.lit))
	}
	return -e.any(bad), nil
}

// must asserts a clause for the segment being encoded.
func (e *encoder) must(lits ...int) { e.assert(append(lits, -e.active[e.seg])...) }

// over reports whether the time is up.
func (e *encoder) over() bool { return e.p.ctx.Err() != nil || budget.Over(e.p.ctx, e.p.until) }
