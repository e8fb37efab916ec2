package cases

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/testgen"
)

// This file makes calls of a function from the types of its parameters: small arrays, texts,
// structures, lists and numbers. What is said of them, in a contract file or a file of inputs,
// holds.

// Values makes states to call a function in.
type Values struct {
	f      *cfront.Func
	like   *heap.Image // a state to make others like, where there are trees, or pointers to pointers to nodes
	said   map[string]Said
	consts []int64 // of the program and of what is wanted of it: what values matter
}

// Said is what is said of a parameter.
type Said struct {
	Name   string `json:"name"`
	Type   string `json:"type"`
	Min    *int64 `json:"min"`
	Max    *int64 `json:"max"`
	Len    int    `json:"len"`
	Output bool   `json:"output"`
}

// ReadSaid reads a list in JSON, which may be empty; file is where it stands.
func ReadSaid(text []byte, file string) (list []Said, err error) {
	if len(text) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&list); err != nil {
		return nil, job.Usage("%s: inputs: %v", file, err)
	}
	return list, nil
}

// NewValues makes values for a function's parameters. others, its reference or conditions on it,
// say which numbers matter, too; file is where said stands.
func NewValues(p *lower.Program, f *cfront.Func, said []Said, file string, others ...*cfront.Func) (*Values, error) {
	g := &Values{f: f, said: map[string]Said{}}
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

// Note notes the numbers in an expression: values near them matter.
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

// branching reports whether a type leads to nodes that are no list: trees, nodes of graphs,
// and lists behind a pointer to their head.
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

// Links names the pointers of a struct to its own kind.
func Links(t *ctype.Type) (names []string) {
	for _, f := range t.Fields {
		if f.Type.Kind == ctype.Pointer && ctype.Same(f.Type.Elem, t) {
			names = append(names, f.Name)
		}
	}
	return names
}

// within reports whether the numbers of a state are what is said of inputs.
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

// Sizes and numbers when nothing is said.
const (
	usualLen   = 6
	usualRange = 9
)

// States makes calls: small ones first, then random ones; the same seed, the same calls.
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

func (g *Values) state(rnd *rand.Rand, try int) *oracle.State {
	s := &oracle.State{Globals: map[string][]oracle.Cell{}}
	var parts []string
	length := rnd.Intn(min(2+try/4, usualLen) + 1)
	sorted := rnd.Intn(2) == 0
	var last []int64
	for _, p := range g.f.Params {
		l := g.said[p.Name]
		lo, hi := int64(-usualRange), int64(usualRange)
		if l.Min != nil {
			lo = *l.Min
		}
		if l.Max != nil {
			hi = max(*l.Max, lo)
		}
		pick := func() int64 { return lo + rnd.Int63n(hi-lo+1) }
		if l.Min == nil && l.Max == nil && rnd.Intn(3) == 0 {
			pick = func() int64 { return rnd.Int63n(5) - 1 }
		} else if l.Min == nil && l.Max == nil && len(g.consts) > 0 && rnd.Intn(3) == 0 {
			pick = func() int64 { return g.consts[rnd.Intn(len(g.consts))] + rnd.Int63n(3) - 1 }
		}
		switch {
		case p.Type.Kind == ctype.Float:
			v := half(pick())
			s.Args = append(s.Args, oracle.Value{Word: ctype.OfFloat(p.Type, v)})
			parts = append(parts, fmt.Sprintf("%s=%v", p.Name, v))
		case p.Type.Kind == ctype.Pointer && p.Type.Elem.Kind == ctype.Float:
			nums := make([]float64, max(length, l.Len, 1, g.longest()))
			last = make([]int64, length)
			for i := range length {
				if !l.Output {
					nums[i] = half(pick())
				}
			}
			if sorted {
				slices.Sort(nums[:length])
			}
			s.Args = append(s.Args, s.Reals(p.Type.Elem, nums))
			parts = append(parts, fmt.Sprintf("%s=%s", p.Name, strings.ReplaceAll(fmt.Sprint(nums[:length]), " ", ",")))
		case p.Type.IsInteger():
			v := pick()
			if l.Max == nil && l.Min == nil && last != nil && lengthName(p.Name) {
				v = int64(length)
			} else if l.Max == nil && l.Min == nil && len(last) > 0 && rnd.Intn(2) == 0 {
				v = last[rnd.Intn(len(last))]
			}
			s.Args = append(s.Args, oracle.Value{Word: ctype.Wrap(p.Type, ctype.Word(v))})
			parts = append(parts, fmt.Sprintf("%s=%d", p.Name, v))
		case p.Type.Kind == ctype.Pointer && p.Type.Elem.IsInteger():
			nums := make([]int64, length)
			for i := range nums {
				if nums[i] = pick(); l.Output {
					nums[i] = 0
				}
			}
			if sorted && !l.Output {
				slices.Sort(nums)
			}
			last = nums
			room := append([]int64(nil), nums...)
			if p.Type.Elem.Size == 1 { // a text ends
				for i := range room {
					if room[i] == 0 {
						room[i] = 'a'
					}
				}
				room = append(room, 0)
			}
			for len(room) < max(l.Len, 1, g.longest()) {
				room = append(room, 0)
			}
			s.Args = append(s.Args, s.Array(p.Type.Elem, room))
			parts = append(parts, fmt.Sprintf("%s=%s", p.Name, strings.ReplaceAll(fmt.Sprint(nums), " ", ",")))
		case p.Type.Kind == ctype.Pointer && p.Type.Elem.Kind == ctype.Struct:
			if last != nil && rnd.Intn(2) == 0 { // another list is as long, or not
				length = rnd.Intn(min(2+try/4, usualLen) + 1)
			}
			nums := make([]int64, length)
			for i := range nums {
				nums[i] = pick()
			}
			last = nums
			v, ok := s.List(p.Type.Elem, nums)
			if !ok {
				return nil
			}
			s.Args = append(s.Args, v)
			parts = append(parts, fmt.Sprintf("%s=%s", p.Name, strings.ReplaceAll(fmt.Sprint(nums), " ", ",")))
		default:
			return nil
		}
	}
	s.Text = strings.Join(parts, " ")
	return s
}

// half makes reals of numbers: half of them have a fraction.
func half(n int64) float64 { return float64(n) / 2 }

// Outputs are the arrays that are only written, with their lengths.
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

// longest is how long arrays have to be for all lengths that are said to be possible.
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

// boundLen bounds the arrays of calls of which all are made.
const boundLen = 3

// Every makes all calls with arrays of up to so many elements of few values.
func (g *Values) Every(limit int) []*oracle.State {
	if g.like != nil {
		list := oracle.Every(g.like, g.f, boundLen, limit)
		return slices.DeleteFunc(list, func(s *oracle.State) bool { return !g.within(s) })
	}
	var out []*oracle.State
	for length := 0; length <= boundLen; length++ {
		values := func(l Said, p *cfront.Var) []int64 {
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
