package cases

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gulo/internal/oracle"
	"gulo/internal/shape"
)

// This file makes runs that have the form of the tests except for their numbers, which may be 0 or negative. If no test
// has such a number, nobody says whether the task allows one, but the reference does something there in any case. Its
// output is a clue: if it looks like the output on the tests, an answer is meant. If not, the reference refused the
// numbers, or its author did not think of them.

// Bounds.
const (
	shapeTexts   = 24     // runs of the reference from which the shape of its output is learned
	beyondSeeds  = 40     // explored runs from which others are made
	manyNumbers  = 4      // numbers of a run, the first ones, that are changed one at a time
	beyondHeavy  = 50_000 // steps of the reference, at most; longer runs tell no more
	mostBeyonded = 10     // inputs made for each one wanted
)

// beyond returns a form like f that also allows 0 and negative numbers. It returns nil if the inputs have no numbers or
// already have negative ones.
func (f *Form) beyond() *Form {
	if f == nil || f.least < 0 || !slices.ContainsFunc(slices.Collect(maps.Keys(f.follows)), func(p [2]string) bool { return p[1] == "N" }) {
		return nil
	}
	g := *f
	g.least, g.ends = -f.most, [2]int{-1, -1}
	for a := range byte(128) {
		if g.chars.has(a, 'N') {
			g.chars.add(a, '-')
		}
	}
	g.chars.add('-', 'N')
	return &g
}

// Beyond makes up to n inputs with numbers 0 or below, which no test has. It keeps those on which the reference prints
// something that looks like its output on other runs.
func (t *Set) Beyond(n int) ([]Input, error) {
	form := t.Form.beyond()
	if form == nil || t.Ref == nil || many(len(t.seeds)) { // so many tests would have such numbers
		return nil, nil
	}
	var texts []shape.Text
	for _, r := range t.Explored[:min(len(t.Explored), shapeTexts)] {
		texts = append(texts, shape.Text{Read: r.Input.read(), Printed: r.Test.Stdout})
	}
	usual := shape.Of(texts)
	if usual == nil {
		return nil, nil
	}
	signed := slices.ContainsFunc(texts, func(x shape.Text) bool { return below.MatchString(x.Printed) })
	run, err := oracle.NewRunner(&oracle.Suite{Prog: t.Ref.Prog})
	if err != nil {
		return nil, err
	}
	var out []Input
	for _, in := range t.othersNumbers(form, mostBeyonded*n) {
		if len(out) == n {
			break
		}
		r, err := run.Run(&oracle.Case{Name: in.String(), Args: in.Args, Stdin: in.Stdin}, nil)
		if err != nil {
			return nil, err
		}
		if r.Fault != nil || r.Steps > beyondHeavy || strings.TrimSpace(r.Output) == "" || !usual.Has(in.read(), r.Output) || !t.Readable(&oracle.Test{Misread: r.Misread}) {
			continue
		}
		if !signed && slices.ContainsFunc(below.FindAllString(r.Output, -1), func(s string) bool { return !strings.Contains(in.read(), s) }) {
			continue // a negative result occurs nowhere else
		}
		out = append(out, in)
	}
	return out, nil
}

// below matches a negative number.
var below = regexp.MustCompile(`-[0-9]+`)

// read returns all text that a program may read.
func (in *Input) read() string { return in.Stdin + " " + strings.Join(in.Args, " ") }

// othersNumbers makes up to n inputs from the given runs and some explored ones: one number, or every number, is
// replaced by 0, by -1 or by its negation.
func (t *Set) othersNumbers(form *Form, n int) (out []Input) {
	seen := map[string]bool{}
	grounds := slices.Clone(t.seeds)
	for _, r := range t.Explored[:min(len(t.Explored), beyondSeeds)] {
		grounds = append(grounds, r.Input)
	}
	for _, in := range grounds {
		all := in.numbers(func(_ int, v int64) int64 { return v })
		for k := -1; k < min(all.count, manyNumbers); k++ { // all, then one alone
			for _, to := range []func(int64) int64{func(int64) int64 { return 0 }, func(v int64) int64 { return -v }, func(int64) int64 { return -1 }} {
				x := in.numbers(func(i int, v int64) int64 {
					if k < 0 || i == k {
						return to(v)
					}
					return v
				}).Input
				if key := x.key(); len(out) < n && !seen[key] && !t.Form.Has(&x) && form.Has(&x) {
					seen[key] = true
					out = append(out, x)
				}
			}
		}
	}
	return out
}

// numbered is an input with the count of its whole numbers.
type numbered struct {
	Input
	count int
}

var inWords = regexp.MustCompile(`[^ \t\n]+`)

// numbers replaces each whole number v of an input, the i-th one, by to(i, v).
func (in *Input) numbers(to func(i int, v int64) int64) (out numbered) {
	change := func(text string) string {
		return inWords.ReplaceAllStringFunc(text, func(w string) string {
			v, ok := wholeNumber(w)
			if !ok {
				return w
			}
			out.count++
			return strconv.FormatInt(to(out.count-1, v), 10)
		})
	}
	for _, a := range in.Args {
		out.Args = append(out.Args, change(a))
	}
	out.Stdin = change(in.Stdin)
	return out
}
