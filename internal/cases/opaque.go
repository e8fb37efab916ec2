package cases

import (
	"fmt"
	"slices"
	"strings"

	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/plural"
)

// This file names what gulo does not model. The machine stops when a run reaches such a thing, which is no failure of
// the program.

// mostOpaque bounds the places or cases that are named.
const mostOpaque = 3

// Opaque names the places in the program and its reference that runs cannot pass.
func (t *Set) Opaque() []string {
	progs := []*lower.Program{t.Prog}
	if t.Ref != nil {
		progs = append(progs, t.Ref.Prog)
	}
	var out []string
	for _, p := range progs {
		for _, n := range p.Tree.Opaque {
			if text := fmt.Sprintf("%s (gulo has no %s it: %s)", n.At, modelOf, n.Reason); !slices.Contains(out, text) {
				out = append(out, text)
			}
		}
	}
	if n := len(out) - mostOpaque; n > 0 {
		out = append(out[:mostOpaque], fmt.Sprintf("%s that gulo has no model of", plural.N(n, "more place")))
	}
	return out
}

// modelOf occurs in every note about something that is not modelled.
const modelOf = "model of"

// LeftOut lists what an answer does not cover because gulo does not model it: the notes about inputs that reach such
// places, and the places themselves, in the program and the reference. It returns nil if there are no such places.
func (t *Set) LeftOut() (out []string) {
	places := t.Opaque()
	if len(places) == 0 {
		return nil
	}
	for _, n := range t.Notes {
		if strings.Contains(n, modelOf) {
			out = append(out, n)
		}
	}
	return append(out, "not looked at: "+strings.Join(places, ", "))
}

// why says why the reference ends on no input.
func (t *Set) why() string {
	if places := t.Opaque(); len(places) > 0 {
		return "the reference fails on them, or one of the programs comes to what gulo has no model of: " + strings.Join(places, ", ")
	}
	return "the reference fails on them"
}

// modelled removes from a suite the cases in which the program reaches something that gulo does not model, as it is
// unknown whether it fails there. It returns them and what the first one reaches. fails says whether the program fails
// a remaining case.
func modelled(s *oracle.Suite) (out []*oracle.Case, first string, fails bool, err error) {
	if s == nil {
		return nil, "", false, nil
	}
	run, err := oracle.NewRunner(s)
	if err != nil {
		return nil, "", false, err
	}
	var rest []*oracle.Case
	for _, c := range s.Cases {
		r, err := run.Run(c, nil)
		if err != nil {
			return nil, "", false, err
		}
		why := r.Unmodelled()
		if why == "" {
			rest = append(rest, c)
			fails = fails || !r.Meets(c.Want)
		} else if out = append(out, c); first == "" {
			first = why
		}
	}
	s.Cases = rest
	return out, first, fails, nil
}

// leaveOut removes such cases from all suites.
func (t *Set) leaveOut() error {
	if t.Ref == nil {
		return t.setAside()
	}
	n := 0
	first := ""
	for _, s := range []*oracle.Suite{t.Given, t.Held, t.All} {
		out, f, _, err := modelled(s)
		if err != nil {
			return err
		}
		if n += len(out); first == "" {
			first = f
		}
	}
	return t.leftOut(n, first)
}

// setAside removes such cases from the given tests; they are still run natively. If the program fails none of the other
// tests, it returns an error: then it is unknown whether the program fails.
func (t *Set) setAside() error {
	out, first, fails, err := modelled(t.Given)
	if err != nil || len(out) == 0 {
		return err
	}
	if !fails {
		return unknownFor(first)
	}
	t.Aside = out
	t.Notes = append(t.Notes, fmt.Sprintf("only run natively, since the program comes to what gulo has no %s: %s (%s)", modelOf, namesOf(out), first))
	return nil
}

// namesOf names the first mostOpaque of some cases.
func namesOf(list []*oracle.Case) string {
	var names []string
	for _, c := range list {
		names = append(names, c.Name)
	}
	if n := len(names) - mostOpaque; n > 0 {
		names = append(names[:mostOpaque], fmt.Sprintf("%d more", n))
	}
	return strings.Join(names, ", ")
}

func unknownFor(first string) error {
	return job.NotKnown("%s: whether the program fails is not known, since gulo has no %s what it comes to", first, modelOf)
}

// WithAside returns the given cases, including those that the machine cannot run.
func (t *Set) WithAside() []*oracle.Case { return slices.Concat(t.Given.Cases, t.Aside) }

// leftOut notes that n cases are left out, and what the first one reaches. It is an error if no given cases remain.
func (t *Set) leftOut(n int, first string) error {
	switch {
	case first == "":
		return nil
	case t.Ref == nil || len(t.Given.Cases) == 0:
		return unknownFor(first)
	}
	t.Notes = append(t.Notes, fmt.Sprintf("%s %s left out because the program comes to what gulo has no %s: %s", plural.N(n, "input"), plural.Verb(n, "is", "are"), modelOf, first))
	return nil
}
