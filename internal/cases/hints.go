package cases

import (
	"strings"

	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// This file tells what a repair must do from what it had better do. A reference that somebody
// else wrote answers every input, also those that the task says nothing of, and on those even
// the right program may do something else. A run that was made up and that the program fails
// on is therefore a hint where the two were written apart, as is what other right programs do
// (agreed.go); the runs in hand, and what the program does as the reference does, are demands.

// Hints are runs that tell something and demand nothing, with what the program does on them: most of
// other right programs do something else there.
type Hints struct {
	*oracle.Suite
	Does map[*oracle.Case]Instead
}

// Instead is what the program does on a run on which others do something else.
type Instead struct {
	Output string
	Ends   bool // without an error
	Unlike bool // the run does not have the tests' form: whether it is asked for nobody knows
}

// Instead is what the program does on a run on which other right programs do something else; nothing
// on others.
func (t *Set) Instead(c *oracle.Case) Instead {
	if t.Hints == nil {
		return Instead{}
	}
	return t.Hints.Does[c]
}

// Of statements and heads that a program and its reference have in common one in so many makes them
// one program; those of a few letters say nothing.
const (
	apartShare = 2
	fewLetters = 4
)

// askedSeeds are as many runs in hand as show what a task asks: runs made up are like them, and what
// the reference does on those is asked, too.
const askedSeeds = 2

// WrittenApart reports whether the reference is another program than the one in hand, and not
// that one with its mistakes mended, and a run in hand shows what is wrong: where none does, the
// reference is all that says so.
func (t *Set) WrittenApart() bool { return t.apart }

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

// pieces are a program's functions cut at semicolons and braces.
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

// InHandCase reports whether a case is a run in hand.
func (t *Set) InHandCase(c *oracle.Case) bool {
	return t.given(&Input{Args: c.Args, Stdin: c.Stdin})
}

// Hinting reports whether a case is a hint: it was made up, and the program fails on it.
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

// Demands is the set with its hints taken out, and the hints.
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
