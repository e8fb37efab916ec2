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

// This file makes runs that have the form of the tests but for their numbers: where no test has 0 or a
// number below it, whether a task asks for one nobody says. A reference does something there in any
// case. What it prints says more: where it looks like what it prints on the tests, an answer is
// meant, and where it does not, the numbers were refused, or nothing was thought of.

// Bounds.
const (
	shapeTexts   = 24     // runs of the reference that the shape of its outputs is found in
	beyondSeeds  = 40     // runs that others are made from
	manyNumbers  = 4      // each of the first so many numbers of a run is changed alone
	beyondHeavy  = 50_000 // steps of the reference; what takes more tells no more
	mostBeyonded = 10     // times as many are made as are asked for
)

// beyond is a form with numbers that the inputs do not have; nil where there are none, or some are
// below 0.
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

// Beyond makes up to n inputs with numbers that no test has, 0 and below, on which the reference prints
// what looks like what it prints on others.
func (t *Set) Beyond(n int) ([]Input, error) {
	form := t.Form.beyond()
	if form == nil || t.Ref == nil {
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
			continue // a number below 0 is a result nowhere else
		}
		out = append(out, in)
	}
	return out, nil
}

// below is a number below 0.
var below = regexp.MustCompile(`-[0-9]+`)

// read is all that a program may read.
func (in *Input) read() string { return in.Stdin + " " + strings.Join(in.Args, " ") }

// othersNumbers makes up to n inputs of the runs in hand and of others: one number is 0, -1, or what it is
// with a sign before it, or all are.
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

// numbered is an input that has so many whole numbers.
type numbered struct {
	Input
	count int
}

var inWords = regexp.MustCompile(`[^ \t\n]+`)

// numbers is an input with other whole numbers in the place of its own.
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
