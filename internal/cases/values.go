package cases

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/testgen"
)

// This file makes calls of a function from the types of its parameters: small arrays, texts, structs, lists and
// numbers. What a contract file or a file of inputs says about the parameters is kept.

// Values makes states to call a function in.
type Values struct {
	f      *cfront.Func
	like   *heap.Image // a state to derive others from, for trees and pointers to pointers to nodes; nil: there is none
	said   map[string]job.Input
	consts []int64 // constants of the program and of its specification, in order; values near them matter
}

// NewValues prepares values for the parameters of f. The constants of others, its reference or conditions on it,
// matter, too. said restricts parameters; file is its name in messages.
func NewValues(p *lower.Program, f *cfront.Func, said []job.Input, file string, others ...*cfront.Func) (*Values, error) {
	g := &Values{f: f, said: map[string]job.Input{}}
	if slices.ContainsFunc(f.Params, func(v *cfront.Var) bool { return branching(v.Type) }) {
		g.like = oracle.Synthesize(p, f)
	}
	for _, h := range append([]*cfront.Func{f}, others...) {
		for _, c := range slices.SortedFunc(maps.Keys(cfront.Callees(h)), func(a, b *cfront.Func) int { return strings.Compare(a.Name, b.Name) }) {
			cfront.WalkStmt(c.Body, nil, g.Note)
		}
	}
	for _, l := range said {
		if !slices.ContainsFunc(f.Params, func(v *cfront.Var) bool { return v.Name == l.Name }) {
			return nil, job.Usage("%s: inputs: %s is no parameter of %s", file, l.Name, f.Name)
		}
		g.said[l.Name] = l
	}
	return g, nil
}

// Note collects the constants in an expression, near which values matter.
func (g *Values) Note(x cfront.Expr) {
	cfront.Walk(x, func(y cfront.Expr) bool {
		if k, ok := y.(*cfront.Const); ok && k.Type().IsInteger() {
			if i, found := slices.BinarySearch(g.consts, int64(k.Value)); !found {
				g.consts = slices.Insert(g.consts, i, int64(k.Value))
			}
		}
		return true
	})
}

// branching reports whether a type points to nodes that do not form a list: nodes of trees and graphs. A pointer to the
// head of a list counts, too.
func branching(t *ctype.Type) bool {
	if t.Kind != ctype.Pointer {
		return false
	}
	if t.Elem.Kind == ctype.Pointer {
		return t.Elem.Elem.Kind == ctype.Struct && len(Links(t.Elem.Elem)) > 0
	}
	list := Links(t.Elem)
	return len(list) > 2 || len(list) == 2 && !testgen.Backwards(list[0]) && !testgen.Backwards(list[1])
}

// Links names the members of a struct that point to the same type of struct.
func Links(t *ctype.Type) (names []string) {
	for _, f := range t.Fields {
		if f.Type.Kind == ctype.Pointer && ctype.Same(f.Type.Elem, t) {
			names = append(names, f.Name)
		}
	}
	return names
}

// within reports whether the integer arguments of a state are in the ranges that are said.
func (g *Values) within(s *oracle.State) bool {
	for i, p := range g.f.Params {
		if l := g.said[p.Name]; p.Type.IsInteger() && i < len(s.Args) {
			n := int64(s.Args[i].Word)
			if l.Min != nil && n < *l.Min || l.Max != nil && n > *l.Max {
				return false
			}
		}
	}
	return true
}

// Sizes and numbers for when nothing is said.
const (
	usualLen   = 6
	usualRange = 9
)

// States makes up to n calls: small ones first, then random ones. The same seed gives the same calls.
func (g *Values) States(n int, seed int64) []*oracle.State {
	if g.like != nil {
		list, _ := oracle.Inputs(g.like, g.f, n, seed)
		return slices.DeleteFunc(list, func(s *oracle.State) bool { return !g.within(s) })
	}
	rnd := rand.New(rand.NewSource(seed))
	seen := map[string]bool{}
	var out []*oracle.State
	for tries := 0; len(out) < n && tries < 30*n; tries++ {
		s := g.state(rnd, tries)
		if s == nil {
			return nil
		}
		if !seen[s.Text] {
			seen[s.Text] = true
			out = append(out, s)
		}
	}
	return out
}

// call is a call that is being made.
type call struct {
	*oracle.State
	g      *Values
	rnd    *rand.Rand
	try    int
	length int // of arrays
	sorted bool
	last   []int64 // numbers of the last array; nil: there is none
}

// state makes the state of one call. It returns nil if it cannot make a value of some parameter's type.
func (g *Values) state(rnd *rand.Rand, try int) *oracle.State {
	c := &call{State: &oracle.State{Globals: map[string][]oracle.Cell{}}, g: g, rnd: rnd, try: try}
	c.length = rnd.Intn(min(2+try/4, usualLen) + 1)
	c.sorted = rnd.Intn(2) == 0
	var parts []string
	for i, p := range g.f.Params {
		v, text, ok := c.argument(i, p)
		if !ok {
			return nil
		}
		c.Args = append(c.Args, v)
		parts = append(parts, p.Name+"="+text)
	}
	c.Text = strings.Join(parts, " ")
	return c.State
}

// argument makes the value of a parameter, and writes it for people. It returns false if it cannot make one.
func (c *call) argument(i int, p *cfront.Var) (oracle.Value, string, bool) {
	l := c.g.said[p.Name]
	free := l.Min == nil && l.Max == nil
	pick := c.picker(l)
	switch t := p.Type; {
	case t.Kind == ctype.Float:
		v := half(pick())
		return oracle.Value{Word: ctype.OfFloat(t, v)}, fmt.Sprint(v), true
	case t.IsInteger():
		v := pick()
		switch {
		case free && lengthName(p.Name) && (c.last != nil || c.g.arrayAfter(i)):
			v = int64(c.length)
		case free && len(c.last) > 0 && c.rnd.Intn(2) == 0:
			v = c.last[c.rnd.Intn(len(c.last))]
		}
		return oracle.Value{Word: ctype.Wrap(t, ctype.Word(v))}, fmt.Sprint(v), true
	case t.Kind == ctype.Pointer && t.Elem.Kind == ctype.Float:
		nums := make([]float64, max(c.length, l.Len, 1, c.g.longest()))
		c.last = make([]int64, c.length)
		for i := range c.length {
			if !l.Output {
				nums[i] = half(pick())
			}
		}
		if c.sorted {
			slices.Sort(nums[:c.length])
		}
		return c.Reals(t.Elem, nums), listed(nums[:c.length]), true
	case t.Kind == ctype.Pointer && t.Elem.IsInteger():
		v, text := c.array(t.Elem, l, pick)
		return v, text, true
	case t.Kind == ctype.Pointer && t.Elem.Kind == ctype.Struct && len(Links(t.Elem)) > 0:
		if c.last != nil && c.rnd.Intn(2) == 0 { // another list need not be as long
			c.length = c.rnd.Intn(min(2+c.try/4, usualLen) + 1)
		}
		nums := make([]int64, c.length)
		for i := range nums {
			nums[i] = pick()
		}
		c.last = nums
		v, ok := c.List(t.Elem, nums)
		return v, listed(nums), ok
	case t.Kind == ctype.Pointer && t.Elem.Kind == ctype.Struct && t.Elem.Size > 0:
		n := 1
		if c.g.lengthAfter(i) {
			n = c.length
			c.last = []int64{}
		}
		return c.records(t.Elem, n)
	case t.Kind == ctype.Struct && t.Size > 0:
		v, text, ok := c.records(t, 1)
		v.Whole = true
		return v, text, ok
	}
	return oracle.Value{}, "", false
}

// picker returns a function that chooses numbers in the range that is said or, if none is, mostly small ones and ones
// near constants.
func (c *call) picker(l job.Input) func() int64 {
	rnd, consts := c.rnd, c.g.consts
	lo, hi := int64(-usualRange), int64(usualRange)
	if l.Min != nil {
		lo = *l.Min
	}
	if l.Max != nil {
		hi = max(*l.Max, lo)
	}
	if l.Min == nil && l.Max == nil {
		if rnd.Intn(3) == 0 {
			return func() int64 { return rnd.Int63n(5) - 1 }
		}
		if len(consts) > 0 && rnd.Intn(3) == 0 {
			return func() int64 { return consts[rnd.Intn(len(consts))] + rnd.Int63n(3) - 1 }
		}
	}
	return func() int64 { return lo + rnd.Int63n(hi-lo+1) }
}

// array makes an array of integers. An array of characters is a text.
func (c *call) array(elem *ctype.Type, l job.Input, pick func() int64) (oracle.Value, string) {
	text := elem.Size == 1
	if text && l.Min == nil && l.Max == nil && c.rnd.Intn(4) > 0 {
		pick = c.letter
	}
	nums := make([]int64, c.length)
	for i := range nums {
		if nums[i] = pick(); l.Output {
			nums[i] = 0
		}
	}
	if c.sorted && !l.Output && (!text || c.rnd.Intn(4) == 0) {
		slices.Sort(nums)
	}
	c.last = nums
	room := slices.Clone(nums)
	if text { // a text ends with a zero
		for i := range room {
			if room[i] == 0 {
				room[i] = 'a'
			}
		}
		room = append(room, 0)
	}
	for len(room) < max(l.Len, 1, c.g.longest()) {
		room = append(room, 0)
	}
	shown := listed(nums)
	if text && !l.Output {
		shown = asText(room)
	}
	return c.Array(elem, room), shown
}

// letter returns a character for a text: a letter, or one that is a constant of the program.
func (c *call) letter() int64 {
	if k := c.rnd.Intn(4); k > 0 {
		for range 4 {
			if len(c.g.consts) == 0 {
				break
			}
			if n := c.g.consts[c.rnd.Intn(len(c.g.consts))]; n >= ' ' && n < 127 || n == '\n' || n == '\t' {
				return n
			}
		}
	}
	return int64("abcABC012"[c.rnd.Intn(9)])
}

// records makes structs that do not point to structs of their own kind. ok is false if some member's type is not
// supported.
func (c *call) records(t *ctype.Type, count int) (v oracle.Value, text string, ok bool) {
	c.Objects = append(c.Objects, oracle.Object{Type: t, Count: int64(count)})
	id := len(c.Objects)
	paths, _, types := oracle.Scalars(t)
	if len(paths) == 0 {
		return v, "", false
	}
	var cells []oracle.Cell
	var shown []string
	for e := range count {
		length := c.length // of the arrays that a struct points to
		if count > 1 {
			length = c.rnd.Intn(usualLen)
		}
		var of []string
		for i, path := range paths {
			w, text, ok := c.member(path, types[i], length)
			if !ok {
				return v, "", false
			}
			of = append(of, text)
			if count > 1 {
				if path != "" && path[0] != '[' {
					path = "." + path
				}
				path = fmt.Sprintf("[%d]%s", e, path)
			}
			cells = append(cells, oracle.Cell{Path: path, Value: w})
		}
		shown = append(shown, "{"+strings.Join(of, ",")+"}")
	}
	c.Objects[id-1].Cells = cells
	return oracle.Value{Object: id}, strings.Join(shown, ","), true
}

// member makes a member of a struct. An array that the struct points to is as long as the members say whose names are
// those of lengths.
func (c *call) member(path string, t *ctype.Type, length int) (v oracle.Value, text string, ok bool) {
	name := path[strings.LastIndexByte(path, '.')+1:]
	pick := c.picker(job.Input{})
	switch {
	case t.Kind == ctype.Float:
		x := half(pick())
		return oracle.Value{Word: ctype.OfFloat(t, x)}, fmt.Sprint(x), true
	case t.IsInteger() && (lengthName(name) || strings.HasPrefix(name, "cap")):
		return oracle.Value{Word: ctype.Word(length)}, fmt.Sprint(length), true
	case t.IsInteger():
		n := pick()
		if t.Size == 1 && t.Place == 0 {
			n = c.letter()
			// Texts end.
			if strings.HasSuffix(name, "]") && c.rnd.Intn(4) == 0 || strings.HasSuffix(name, "1]") && c.rnd.Intn(2) == 0 {
				n = 0
			}
		}
		w := ctype.Wrap(t, ctype.Word(n))
		if t.Kind == ctype.Bool {
			w &= 1
		}
		return oracle.Value{Word: w}, fmt.Sprint(int64(w)), true
	case t.Kind == ctype.Pointer && t.Elem.IsInteger():
		nums := make([]int64, length, length+1)
		for i := range nums {
			if nums[i] = pick(); t.Elem.Size == 1 {
				nums[i] = c.letter()
			}
		}
		shown := listed(nums)
		if t.Elem.Size == 1 {
			nums = append(nums, 0)
			shown = asText(nums)
		}
		v := c.Array(t.Elem, nums)
		c.Objects[v.Object-1].Heap = true
		return v, shown, true
	}
	return v, "", false
}

// listed writes numbers for people.
func listed[T any](nums []T) string { return strings.ReplaceAll(fmt.Sprint(nums), " ", ",") }

// asText writes a text for people, in quotes.
func asText(nums []int64) string {
	var b strings.Builder
	for _, n := range nums {
		if n == 0 {
			break
		}
		b.WriteByte(byte(n))
	}
	return strconv.Quote(b.String())
}

// arrayAfter reports whether the parameter after the i-th is an array of numbers.
func (g *Values) arrayAfter(i int) bool {
	return i+1 < len(g.f.Params) && g.f.Params[i+1].Type.Kind == ctype.Pointer && g.f.Params[i+1].Type.Elem.IsArith()
}

// lengthAfter reports whether the parameter after the i-th is a length, by its name.
func (g *Values) lengthAfter(i int) bool {
	return i+1 < len(g.f.Params) && g.f.Params[i+1].Type.IsInteger() && lengthName(g.f.Params[i+1].Name)
}

// half converts an integer to a real number; odd integers give a fraction.
func half(n int64) float64 { return float64(n) / 2 }

// Outputs returns the arrays that are only written, with their lengths.
func (g *Values) Outputs() map[string]int {
	out := map[string]int{}
	for name, l := range g.said {
		if l.Output {
			if out[name] = l.Len; l.Len == 0 {
				out[name] = max(usualLen, g.longest())
			}
		}
	}
	return out
}

// longest returns how long arrays must be to fit every length that is allowed.
func (g *Values) longest() int {
	n := int64(0)
	for name, l := range g.said {
		if lengthName(name) && l.Max != nil {
			n = max(n, min(*l.Max, 1000))
		}
	}
	return int(n)
}

// lengthName reports whether a parameter is an array's length, by its name.
func lengthName(n string) bool {
	switch strings.ToLower(n) {
	case "n", "len", "length", "size", "count", "m", "high", "hi":
		return true
	}
	return strings.HasPrefix(n, "n_") || strings.HasSuffix(n, "_len") || len(n) == 2 && n[0] == 'n'
}

// boundLen bounds the arrays in the calls that Every makes.
const boundLen = 3

// structured reports whether a parameter is, or points to, a struct that is no list.
func structured(p *cfront.Var) bool {
	t := p.Type
	return !t.IsScalar() || t.Kind == ctype.Pointer && !t.Elem.IsArith() && len(Links(t.Elem)) == 0
}

// Every makes all calls with arrays of up to boundLen elements of few values, but at most limit calls. It makes none if
// a parameter is structured.
func (g *Values) Every(limit int) []*oracle.State {
	if g.like != nil {
		return slices.DeleteFunc(oracle.Every(g.like, g.f, boundLen, limit), func(s *oracle.State) bool { return !g.within(s) })
	}
	if slices.ContainsFunc(g.f.Params, structured) {
		return nil
	}
	var out []*oracle.State
	for length := 0; length <= boundLen; length++ {
		values := func(l job.Input, p *cfront.Var) []int64 {
			lo, hi := int64(-1), int64(2)
			if l.Min != nil {
				lo = *l.Min
			}
			if l.Max != nil {
				hi = min(*l.Max, lo+4)
			}
			if p.Type.Kind == ctype.Pointer && p.Type.Elem.Size == 1 {
				lo, hi = 'a', 'b'
			}
			var vs []int64
			for v := lo; v <= hi; v++ {
				vs = append(vs, v)
			}
			return vs
		}
		var walk func(i int, s *oracle.State, text string)
		walk = func(i int, s *oracle.State, text string) {
			if len(out) >= limit {
				return
			}
			if i == len(g.f.Params) {
				s.Text = text
				out = append(out, s)
				return
			}
			p := g.f.Params[i]
			l := g.said[p.Name]
			real := p.Type.Kind == ctype.Float || p.Type.Kind == ctype.Pointer && p.Type.Elem.Kind == ctype.Float
			with := func(v oracle.Value, objects []oracle.Object, t string) {
				n := &oracle.State{Globals: s.Globals, Args: append(append([]oracle.Value(nil), s.Args...), v), Objects: append(append([]oracle.Object(nil), s.Objects...), objects...)}
				walk(i+1, n, strings.TrimSpace(text+" "+p.Name+"="+t))
			}
			if p.Type.Kind == ctype.Float {
				for _, v := range values(l, p) {
					with(oracle.Value{Word: ctype.OfFloat(p.Type, half(v))}, nil, fmt.Sprint(half(v)))
				}
				return
			}
			if p.Type.IsInteger() {
				vs := values(l, p)
				if i > 0 && g.f.Params[i-1].Type.Kind == ctype.Pointer && lengthName(p.Name) {
					vs = []int64{int64(length)}
				} else if i > 0 && l.Min == nil && l.Max == nil {
					vs = append(vs, 3, 'a')
				}
				for _, v := range vs {
					with(oracle.Value{Word: ctype.Wrap(p.Type, ctype.Word(v))}, nil, fmt.Sprint(v))
				}
				return
			}
			vs := values(l, p)
			nums := make([]int64, length)
			var fill func(k int)
			fill = func(k int) {
				if k < length && !l.Output {
					for _, v := range vs {
						nums[k] = v
						fill(k + 1)
					}
					return
				}
				tmp := &oracle.State{Objects: append([]oracle.Object(nil), s.Objects...)}
				var v oracle.Value
				ok := true
				if real {
					room := make([]float64, max(l.Len, length+1, g.longest()))
					for k, n := range nums {
						room[k] = half(n)
					}
					v = tmp.Reals(p.Type.Elem, room)
				} else if p.Type.Elem.IsInteger() {
					room := append([]int64(nil), nums...)
					for len(room) < max(l.Len, length+1, g.longest()) {
						room = append(room, 0)
					}
					v = tmp.Array(p.Type.Elem, room)
				} else {
					v, ok = tmp.List(p.Type.Elem, append([]int64(nil), nums...))
				}
				if ok {
					with(v, tmp.Objects[len(s.Objects):], strings.ReplaceAll(fmt.Sprint(nums), " ", ","))
				}
			}
			fill(0)
		}
		walk(0, &oracle.State{Globals: map[string][]oracle.Cell{}}, "")
	}
	return out
}
