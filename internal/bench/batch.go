package bench

import (
	"context"
	"fmt"
	"math/rand"

	"gulo/internal/cfront"
	"gulo/internal/fault"
	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// This file makes the batch problems of the corpus: faulty programs, and what
// the right one says of them on given and on held-back inputs.

// Judged is a program of the corpus with the inputs of its reference.
type Judged struct {
	*Entry
	Prog  *lower.Program
	Func  *cfront.Func
	Scope []*cfront.Func
	Given []*oracle.State
	Held  []*oracle.State
}

// Judge loads a program and makes inputs of its entry's shape.
func Judge(ctx context.Context, e *Entry, given, held int) (*Judged, error) {
	prog, err := e.Parse(ctx, e.Source())
	if err != nil {
		return nil, err
	}
	j := &Judged{Entry: e, Prog: prog, Func: prog.Tree.Func(e.Func)}
	j.Scope = []*cfront.Func{j.Func}
	im, err := oracle.Entered(ctx, prog, j.Func, e.Args())
	if err != nil {
		return nil, err
	}
	if im == nil {
		return nil, fmt.Errorf("%s: %s is not called", e.Name, e.Func)
	}
	var why string
	if j.Given, why = oracle.Inputs(im, j.Func, given, 1); why != "" {
		return nil, fmt.Errorf("%s: %s", e.Name, why)
	}
	j.Held, _ = oracle.Inputs(im, j.Func, held, 1000)
	return j, nil
}

// Faulty is a faulty variant of a program, as text and loaded.
type Faulty struct {
	Of    *Judged
	Fault *fault.Fault
	Text  string
	Prog  *lower.Program
	Given *oracle.Suite
	Held  *oracle.Suite
}

// Break injects a fault that some input shows; nil when the tries found none.
func (j *Judged) Break(ctx context.Context, rnd *rand.Rand, x, y int) (*Faulty, error) {
	in := fault.New(j.Prog, j.Scope, fault.Paper)
	for try := 0; try < 40; try++ {
		f := in.Draw(rnd, x, y)
		if f == nil {
			return nil, nil
		}
		_, text, err := f.Source(j.Prog)
		if err != nil {
			continue
		}
		b, err := j.Suites(ctx, text)
		if err != nil || b == nil {
			continue // gcc refuses it
		}
		b.Fault = f
		shown, err := b.shown()
		if err != nil {
			return nil, err
		}
		if shown {
			return b, nil
		}
	}
	return nil, nil
}

// Suites loads a variant and asks the reference what it should do.
func (j *Judged) Suites(ctx context.Context, text string) (*Faulty, error) {
	b := &Faulty{Of: j, Text: text}
	var err error
	if b.Prog, err = j.Entry.Parse(ctx, []byte(text)); err != nil {
		return nil, err
	}
	ref := &oracle.Reference{Prog: j.Prog, Entry: j.Func}
	if b.Given, _, err = ref.Suite(b.Prog, j.Given); err != nil {
		return nil, err
	}
	b.Held, _, err = ref.Suite(b.Prog, j.Held)
	return b, err
}

// shown reports whether some given input tells the variant from the reference.
func (b *Faulty) shown() (bool, error) {
	r, err := oracle.NewRunner(b.Given)
	if err != nil {
		return false, err
	}
	for _, c := range b.Given.Cases {
		run, err := r.Run(c, nil)
		if err != nil {
			return false, err
		}
		if !run.Meets(c.Want) {
			return true, nil
		}
	}
	return false, nil
}
