package oracle

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file chooses numbers that distinguish programs: equal ones, ones near constants of the programs or near
// multiples of their divisors, small ones, and limits of types.

// Numerals is the source of numbers for inputs.
type Numerals struct {
	near     []int64 // constants of the programs, sorted
	divisors []int64
}

// NumeralsOf collects the constants in functions and in those that they call.
func NumeralsOf(fs ...*cfront.Func) *Numerals {
	n := &Numerals{near: []int64{0, 1, -1}}
	for _, f := range fs {
		if f == nil {
			continue
		}
		for g := range cfront.Callees(f) {
			cfront.WalkStmt(g.Body, func(s cfront.Stmt) {
				if c, ok := s.(*cfront.Case); ok {
					n.near = append(n.near, c.Lo, c.Hi)
				}
			}, func(x cfront.Expr) {
				cfront.Walk(x, func(y cfront.Expr) bool {
					switch y := y.(type) {
					case *cfront.Const:
						if y.Type().IsInteger() {
							n.near = append(n.near, int64(y.Value))
						}
					case *cfront.Binary:
						if d, ok := cfront.Skip(y.Y).(*cfront.Const); ok && d.Type().IsInteger() && divides(y.Op) {
							n.divisors = append(n.divisors, int64(d.Value))
						}
					}
					return true
				})
			})
		}
	}
	slices.Sort(n.near)
	slices.Sort(n.divisors)
	n.near, n.divisors = slices.Compact(n.near), slices.Compact(n.divisors)
	return n
}

func divides(op ctype.Op) bool { return op == ctype.Rem || op == ctype.Div }

// borders are numbers where programs of any kind may change their behaviour.
var borders = []int64{
	math.MinInt32, math.MaxInt32, math.MaxUint32, math.MinInt16, math.MaxInt16, math.MaxUint16, math.MinInt8, math.MaxInt8, math.MaxUint8,
	1000, -1000, 1 << 20, 64, 32, 1 << 30, math.MinInt64, math.MaxInt64,
}

// pick chooses a number. others are the numbers that the same input already has.
func (n *Numerals) pick(others []int64, rnd *rand.Rand) int64 {
	one := func(list []int64) int64 { return list[rnd.Intn(len(list))] }
	step := func() int64 { return int64(rnd.Intn(3) - 1) }
	switch k := rnd.Intn(24); {
	case k < 5 && len(others) > 0:
		return one(others)
	case k < 6 && len(others) > 0:
		return -one(others)
	case k < 8 && len(others) > 0:
		return one(others) + step()
	case k < 9 && len(others) > 1:
		return one(others) + one(others)
	case k < 13:
		return one(n.near) + step()
	case k < 14:
		return -one(n.near) + step()
	case k < 17 && len(n.divisors) > 0:
		m := one(n.divisors) * int64(rnd.Intn(16)-3)
		if rnd.Intn(2) == 0 {
			return m
		}
		return m + step()
	case k < 18:
		return one(borders) + step()
	case k < 20:
		return int64(int32(rnd.Uint32())) >> rnd.Intn(30)
	}
	return int64(rnd.Intn(12) - 3)
}

// Tuples returns copies of a state with all combinations of small numbers for the integer parameters among numbers. It
// uses as many different numbers as possible with at most most states. It returns nil if that allows fewer than two.
func (s *State) Tuples(f *cfront.Func, numbers []int, most int) (out []*State) {
	var ints []int
	for _, i := range numbers {
		if f.Params[i].Type.IsInteger() {
			ints = append(ints, i)
		}
	}
	small := []int64{1, 2, 0, -1, 3, 4, 5, 7, 8, -2, 10, 100}
	base, all := len(small), 0
	for ; base > 1; base-- {
		all = 1
		for range ints {
			all = min(all*base, most+1)
		}
		if all <= most {
			break
		}
	}
	if len(ints) == 0 || base < 2 {
		return nil
	}
	for n := range all {
		c := *s
		c.Args = append([]Value(nil), s.Args...)
		var texts []string
		for k, rest := 0, n; k < len(ints); k, rest = k+1, rest/base {
			t, v := f.Params[ints[k]].Type, small[rest%base]
			w := ctype.Wrap(t, ctype.Word(v))
			if t.Kind == ctype.Bool {
				w &= 1
			}
			c.Args[ints[k]] = Value{Word: w}
			texts = append(texts, fmt.Sprintf("%s = %d", f.Params[ints[k]].Name, int64(w)))
		}
		c.Text = strings.TrimPrefix(s.Text+"; "+strings.Join(texts, "; "), "; ")
		out = append(out, &c)
	}
	return out
}
