package cases

import (
	"strings"

	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// This file separates what a repair must do from what it should do. A reference that somebody else wrote answers every
// input, also those that the task says nothing about, and on those even the right program may do something else. So if
// program and reference were written independently, a made-up run that the program fails is only a hint, and so is what
// other right programs do (agreed.go). The given runs are demands, and so are the runs on which the program already
// does what the reference does.

// Hints are runs that suggest what is right but demand nothing. On them most other right programs do something else
// than the program, and Does says what it does.
type Hints struct {
	*oracle.Suite
	Does map[*oracle.Case]Instead
}

// Instead is what the program does on a run on which other programs do something else.
type Instead struct {
	Output string
	Ends   bool // without an error
	Unlike bool // the run lacks the form of the tests, so nobody may ask for it
}

// Instead returns what the program does on a hint. It is zero for other cases.
func (t *Set) Instead(c *oracle.Case) Instead {
	if t.Hints == nil {
		return Instead{}
	}
	return t.Hints.Does[c]
}

// A program and its reference are the same program if at least one in apartShare of the program's pieces is also in the
// reference. Pieces shorter than fewLetters do not count.
const (
	apartShare = 2
	fewLetters = 4
)

// askedSeeds is how many given runs are enough to show what a task asks for. Made-up runs are like them, so what the
// reference does on those is demanded, too.
const askedSeeds = 2

// WrittenApart reports whether the reference was written independently, and is not the given program with its mistakes
// corrected. It is false if no given run shows what is wrong, since then only the reference says so.
func (t *Set) WrittenApart() bool { return t.apart }

// writtenApart compares the texts of program and reference. It is false if a function is asked about, or if there are
// enough given runs.
func (t *Set) writtenApart() bool {
	if t.Ref == nil || t.Entry != nil && t.Entry.Name != "main" || len(t.seeds) >= askedSeeds {
		return false
	}
	known := map[string]int{}
	for _, x := range pieces(t.Ref.Prog) {
		known[x]++
	}
	all, same := 0, 0
	for _, x := range pieces(t.Prog) {
		if all++; known[x] > 0 {
			known[x]--
			same++
		}
	}
	return apartShare*same < all
}

// pieces returns the text of a program's functions, cut at semicolons and braces.
func pieces(p *lower.Program) (out []string) {
	for _, f := range Written(p) {
		lines, _ := plainLines(f.Whole.Text())
		for _, x := range strings.FieldsFunc(strings.Join(lines, " "), func(c rune) bool { return strings.ContainsRune(";{}", c) }) {
			if x = strings.TrimSpace(x); len(x) >= fewLetters {
				out = append(out, x)
			}
		}
	}
	return out
}

// InHandCase reports whether a case is a given run.
func (t *Set) InHandCase(c *oracle.Case) bool {
	return t.given(&Input{Args: c.Args, Stdin: c.Stdin})
}

// Hinting reports whether a case is a hint: it was made up, and the program fails it.
func (t *Set) Hinting(c *oracle.Case) (bool, error) {
	if t.InHandCase(c) {
		return false, nil
	}
	if hint, ok := t.asked[c]; ok {
		return hint, nil
	}
	run, err := oracle.NewRunner(&oracle.Suite{Prog: t.Prog, Cases: []*oracle.Case{c}})
	if err != nil {
		return false, err
	}
	r, err := run.Run(c, nil)
	if err != nil {
		return false, err
	}
	t.asked[c] = !r.Meets(c.Want)
	return t.asked[c], nil
}

// Demands returns the set without its hints, and the hints.
func (t *Set) Demands() (*Set, []*oracle.Case, error) {
	out := *t
	var hints []*oracle.Case
	for _, s := range []**oracle.Suite{&out.Given, &out.Held} {
		if *s == nil {
			continue
		}
		left := **s
		left.Cases = nil
		for _, c := range (*s).Cases {
			hint, err := t.Hinting(c)
			if err != nil {
				return nil, nil, err
			}
			if hint {
				hints = append(hints, c)
			} else {
				left.Cases = append(left.Cases, c)
			}
		}
		*s = &left
	}
	return &out, hints, nil
}
