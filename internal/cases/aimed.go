package cases

import (
	"context"
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// This file makes whole runs in which a function is called with given numbers. Which numbers of the input become which
// arguments is learned from runs: if in most calls an argument equals the number at one place of the input, it is taken
// to be that number.

// numeral matches the digits of a whole number in an input. A minus sign belongs to it if it starts a word.
var numeral = regexp.MustCompile(`\d+`)

// spot is the position of a numeral: in an argument or, if arg is -1, in standard input.
type spot struct{ arg, start, end int }

// text returns the text of an argument or, if arg is negative, standard input.
func (in *Input) text(arg int) string {
	if arg < 0 {
		return in.Stdin
	}
	return in.Args[arg]
}

// numerals lists the numbers of an input, in order, and where they stand.
func (in *Input) numerals() (spots []spot, values []int64) {
	for arg := 0; arg <= len(in.Args); arg++ {
		at := arg
		if arg == len(in.Args) {
			at = -1
		}
		text := in.text(at)
		for _, m := range numeral.FindAllStringIndex(text, -1) {
			if m[0] > 0 && text[m[0]-1] == '-' && (m[0] == 1 || strings.IndexByte(" \t\n,=", text[m[0]-2]) >= 0) {
				m[0]--
			}
			if n, err := strconv.ParseInt(text[m[0]:m[1]], 10, 64); err == nil {
				spots, values = append(spots, spot{at, m[0], m[1]}), append(values, n)
			}
		}
	}
	return spots, values
}

// with returns the input with some numbers replaced, given by their index among its numerals.
func (in *Input) with(numbers map[int]int64) Input {
	out := Input{Args: slices.Clone(in.Args), Stdin: in.Stdin}
	spots, _ := in.numerals()
	for i := len(spots) - 1; i >= 0; i-- { // from the end, so that the earlier positions stay valid
		n, ok := numbers[i]
		if !ok {
			continue
		}
		s := spots[i]
		text := out.text(s.arg)
		text = text[:s.start] + strconv.FormatInt(n, 10) + text[s.end:]
		if s.arg < 0 {
			out.Stdin = text
		} else {
			out.Args[s.arg] = text
		}
	}
	return out
}

// place says that a value of call k is the numeral with index first + k*each.
type place struct{ first, each int }

// Bounds of what is looked for.
const (
	aimedRuns   = 24
	aimedCalls  = 8 // in one run
	aimedTime   = 300 * time.Millisecond
	mostStride  = 12
	mostNumeral = 200
)

// seen is a call that was observed in a run.
type seen struct {
	run    int
	call   int
	values map[string]int64 // arguments and variables
}

// Aim knows how the numbers of inputs reach a function.
type Aim struct {
	runs   []Input
	calls  []seen
	places map[string]place
}

// NewAim runs a program on some inputs and observes the arguments with which it calls a function.
func NewAim(ctx context.Context, p *lower.Program, f *cfront.Func, runs []Input) (*Aim, error) {
	a := &Aim{}
	left := budget.For(aimedTime)
	for _, in := range runs {
		if len(a.runs) == aimedRuns || left.Over() {
			break
		}
		states, err := oracle.Called(ctx, p, f, oracle.Start{Args: in.Args, Stdin: in.Stdin, Spend: left.Spend}, aimedCalls)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil || len(states) == 0 {
			continue // without known calls a run tells nothing
		}
		for k, s := range states {
			a.calls = append(a.calls, seen{len(a.runs), k, numbersOf(f, s)})
		}
		a.runs = append(a.runs, in)
	}
	a.learn()
	return a, nil
}

// numbersOf lists the numbers in a state by name: n, a[2], table[1], clock.hour.
func numbersOf(f *cfront.Func, s *oracle.State) map[string]int64 {
	out := map[string]int64{}
	cells := func(name string, cs []oracle.Cell) {
		for _, c := range cs {
			if c.Value.Object == 0 && c.Value.Name == "" && !c.Value.Unset && !c.Value.Gone {
				path := c.Path
				if path != "" && path[0] != '[' {
					path = "." + path
				}
				out[name+path] = int64(c.Value.Word)
			}
		}
	}
	for i, v := range s.Args {
		if i >= len(f.Params) {
			break
		}
		name := f.Params[i].Name
		if name == "" {
			name = fmt.Sprintf("argument%d", i+1)
		}
		switch {
		case v.Object > 0:
			cells(name, s.Objects[v.Object-1].Cells)
		case v.Name == "" && !v.Unset && !v.Gone:
			out[name] = int64(v.Word)
		}
	}
	for name, cs := range s.Globals {
		cells(name, cs)
	}
	return out
}

// oddShare allows one in so many calls not to find a value at its place: made-up runs have words where numbers should
// be, and numbers that are too large. Such calls are left out.
const oddShare = 3

// learn finds the places of values, and removes the calls that do not find their values there.
func (a *Aim) learn() {
	a.places = map[string]place{}
	if len(a.calls) == 0 {
		return
	}
	numbers := make([][]int64, len(a.runs))
	for i := range a.runs {
		if _, numbers[i] = a.runs[i].numerals(); len(numbers[i]) > mostNumeral {
			return
		}
	}
	for name := range a.calls[0].values {
		if p, ok := a.placeOf(name, numbers); ok {
			a.places[name] = p
		}
	}
	a.calls = slices.DeleteFunc(a.calls, func(c seen) bool {
		for name, p := range a.places {
			if !c.finds(name, p, numbers) {
				return true
			}
		}
		return false
	})
}

// finds reports whether a call has the value name equal to the numeral at a place.
func (c *seen) finds(name string, p place, numbers [][]int64) bool {
	v, ok := c.values[name]
	at := p.first + c.call*p.each
	return ok && at < len(numbers[c.run]) && numbers[c.run][at] == v
}

// placeOf returns the place that gives the value name in most calls. Places where that value is always the same do not
// count, as it may be a constant.
func (a *Aim) placeOf(name string, numbers [][]int64) (best place, ok bool) {
	most := len(a.calls) - len(a.calls)/oddShare - 1
	for each := 0; each <= mostStride; each++ {
		for first := range numbers[0] {
			p := place{first, each}
			n, told, one := 0, false, int64(0)
			for i := range a.calls {
				c := &a.calls[i]
				if !c.finds(name, p, numbers) {
					continue
				}
				if v := c.values[name]; n == 0 {
					one = v
				} else {
					told = told || v != one
				}
				n++
			}
			if told && n > most {
				best, most, ok = p, n, true
			}
		}
	}
	return best, ok
}

// Calls returns how many calls were observed.
func (a *Aim) Calls() int { return len(a.calls) }

// Given returns the numbers of an observed call that do not come from a numeral of the input. A run in which only the
// numerals are changed reaches the call with these numbers.
func (a *Aim) Given(call int) map[string]int64 {
	out := map[string]int64{}
	for n, v := range a.calls[call].values {
		if _, ok := a.places[n]; !ok {
			out[n] = v
		}
	}
	return out
}

// At changes the run of an observed call so that the call finds the given values, if their places are known. It also
// returns runs with one of these values greater or less by one.
func (a *Aim) At(call int, values map[string]int64) []Input {
	c := a.calls[call]
	in := a.runs[c.run]
	exact := map[int]int64{}
	for n, p := range a.places {
		if v, ok := values[n]; ok {
			exact[p.first+c.call*p.each] = v
		}
	}
	out := []Input{in.with(exact)}
	for _, at := range sortedKeys(exact) {
		for _, by := range []int64{1, -1} {
			near := map[int]int64{}
			for k, v := range exact {
				near[k] = v
			}
			near[at] += by
			out = append(out, in.with(near))
		}
	}
	return out
}

// sortedKeys returns the keys of m in ascending order.
func sortedKeys(m map[int]int64) (out []int) {
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// Around makes runs from observed ones by replacing numerals with the given values or values next to them. A value
// whose place is known mostly goes there.
func (a *Aim) Around(seed int64, values map[string]int64, n int) (out []Input) {
	if len(a.calls) == 0 {
		return nil
	}
	rnd := rand.New(rand.NewSource(seed))
	var names []string
	for name := range values {
		names = append(names, name)
	}
	slices.Sort(names)
	known := map[string]bool{}
	for range n {
		c := a.calls[rnd.Intn(len(a.calls))]
		in := a.runs[c.run]
		_, was := in.numerals()
		now := map[int]int64{}
		for i := range was {
			if len(names) > 0 && rnd.Intn(3) == 0 {
				now[i] = values[names[rnd.Intn(len(names))]] + int64(rnd.Intn(3)-1)
			}
		}
		for _, name := range names {
			if p, ok := a.places[name]; ok && rnd.Intn(8) > 0 {
				now[p.first+c.call*p.each] = values[name]
			}
		}
		if x := in.with(now); !known[x.key()] {
			known[x.key()] = true
			out = append(out, x)
		}
	}
	return out
}
