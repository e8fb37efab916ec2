package logic

import (
	"fmt"
	"strings"

	"gulo/internal/smt"
	"gulo/internal/symbolic"
)

// This file distinguishes repairs that evade assertions from repairs that meet them. Assertions alone are easily
// evaded: by never reaching them, or by making the result independent of the random numbers that they are about.

// evades returns a function that reports whether a candidate for the holes of a run evades the assertions. It returns
// nil if a reference or a contract says what is right.
func (d *diagnosed) evades(r *run) func(*smt.Lazy) bool {
	if d.ref != nil || d.of != nil {
		return nil
	}
	failed := d.failedAsserts()
	speaks := d.speaksOfTaken()
	tests := append(d.f.failing[:len(d.f.failing):len(d.f.failing)], d.f.passing...)
	return func(lazy *smt.Lazy) bool {
		reached := len(failed) == 0
		for k, stmt := range failed {
			if here := r.engine.Reached[stmt]; here != nil && !reached {
				lazy.Use(d.f.failing[k])
				reached = lazy.Value(here) == 1
			}
		}
		if !reached {
			return true
		}
		if !speaks || len(tests) < 2 {
			return false
		}
		first := ""
		for k, in := range tests {
			lazy.Use(in)
			text, known := outcome(r, lazy)
			if !known || k > 0 && text != first {
				return false
			}
			first = text
		}
		return true
	}
}

// failedAsserts maps the index of each failing input to the statement whose assertion fails.
func (d *diagnosed) failedAsserts() map[int]int32 {
	out := map[int]int32{}
	lazy := &smt.Lazy{}
	for k, in := range d.f.failing {
		lazy.Use(in)
		for _, o := range d.f.run.outs {
			if o.Asserted() && lazy.Value(o.Cond) == 1 {
				out[k] = o.Stmt
			}
		}
	}
	return out
}

// speaksOfTaken reports whether the program's result or output depends on the results of rand and the like.
func (d *diagnosed) speaksOfTaken() bool {
	taken := map[string]bool{}
	for _, s := range d.f.all {
		if s.Stream != "" && s.Stream != symbolic.InputStream {
			taken[s.Name] = true
		}
	}
	if len(taken) == 0 {
		return false
	}
	var list []*smt.Term
	for _, o := range d.f.run.outs {
		if o.Kind != symbolic.Passed {
			continue
		}
		if o.Result != nil {
			list = append(list, o.Result)
		}
		for _, p := range o.State.Printed() {
			for _, x := range []*smt.Term{p.When, p.Byte, p.Number} {
				if x != nil {
					list = append(list, x)
				}
			}
		}
	}
	for _, v := range smt.Vars(list...) {
		if taken[v.Name] {
			return true
		}
	}
	return false
}

// outcome returns what a run returns and prints on an input. known is false if that cannot be computed, or if the run
// does not pass.
func outcome(r *run, lazy *smt.Lazy) (text string, known bool) {
	for _, o := range r.outs {
		if o.Kind != symbolic.Passed || lazy.Value(o.Cond) != 1 {
			continue
		}
		var b strings.Builder
		if o.Result != nil {
			fmt.Fprintln(&b, lazy.Value(o.Result))
		}
		for stream := 1; stream <= 2; stream++ {
			s, ok := symbolic.TextOf(o.State.Printed(), stream, lazy.Value)
			if !ok {
				return "", false
			}
			b.WriteString(s)
		}
		return b.String(), true
	}
	return "", false
}
