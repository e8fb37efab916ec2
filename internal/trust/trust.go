// Package trust words what an answer rests on: what was looked at, how much of
// it, and what was not. Every engine fills in Facts and prints String, so that
// answers of equal strength read alike, and a weak one does not read like a
// strong one.
//
// It knows no program and runs nothing.
package trust

import (
	"fmt"
	"strings"

	"gulo/internal/plural"
)

// Facts are what a repair, or the answer that there is nothing to repair, was
// held against; JSON has them as fields and, in Text, as words.
type Facts struct {
	Given     int      `json:"given"`             // cases of the specification, all met
	Kind      string   `json:"kind,omitempty"`    // what they are, in the singular: case, test, call; empty: case
	From      string   `json:"from,omitempty"`    // what they come from
	Held      int      `json:"held"`              // inputs that the search did not see
	HeldMet   int      `json:"held_met"`          // of those
	Others    int      `json:"others,omitempty"`  // what is right on those is what most of so many other programs do
	Bound     int      `json:"bound,omitempty"`   // all inputs of up to so many nodes were made
	All       int      `json:"all,omitempty"`     // so many
	AllMet    int      `json:"all_met,omitempty"` // of them
	Counter   string   `json:"counterexample,omitempty"`
	Besides   string   `json:"besides,omitempty"` // what it does in runs that keep the specification without it
	Compiled  bool     `json:"compiled"`
	Unjudged  bool     `json:"not_judged,omitempty"`          // the search was stopped before it was held against anything but the given cases
	Why       string   `json:"why,omitempty"`                 // what asks for the change
	Exercise  []string `json:"not_exercised,omitempty"`       // given tests that never execute what is changed
	Near      *Near    `json:"neighbourhood,omitempty"`       // inputs like the given ones
	Unseen    []string `json:"not_looked_at,omitempty"`       // what nothing was compared of
	Proof     string   `json:"proof,omitempty"`               // what is proved, in words that begin with proved or holds
	Native    int      `json:"native,omitempty"`              // runs of the compiled program, all as they should be
	Guarded   int      `json:"sanitized,omitempty"`           // cases run, compiled with gcc's sanitizers, all as they should be
	Alone     int      `json:"native_only,omitempty"`         // cases that take too long on the machine, or that it has no model of: they were run natively alone
	Ended     int      `json:"came_to_an_end,omitempty"`      // and runs near the tests, of which only the end was looked at
	Zero      string   `json:"divides_by_zero,omitempty"`     // one of those on which it divides by zero and the program did not
	Overflow  string   `json:"overflows,omitempty"`           // one of those on which a number gets too large and in the program none did
	Later     string   `json:"put_off,omitempty"`             // a longer input on which the error that the tests showed happens still
	Leaks     string   `json:"leaks,omitempty"`               // how many blocks are not freed on one of the tests, where the program frees all where it is right
	Driver    string   `json:"only_main,omitempty"`           // the function in which the error occurs, where only main is changed
	Beyond    string   `json:"beyond,omitempty"`              // an input on which it differs from the reference, as the program did; nobody says whether the task asks for it
	Mended    int      `json:"mended,omitempty"`              // inputs that were made up, on which the program differs from the reference and the repaired one does not
	Left      int      `json:"left,omitempty"`                // and those on which both differ
	Plain     bool     `json:"plain,omitempty"`               // all those are like the runs in hand; of others are
	PlainLeft int      `json:"like_left,omitempty"`           // those left that are like the runs in hand, also where there are too few of them to be told from others
	FarMended int      `json:"unlike_mended,omitempty"`       // mended, and
	FarLeft   int      `json:"unlike_left,omitempty"`         // left
	Part      bool     `json:"part,omitempty"`                // those are so many that a part of what is wrong is mended, as far as anybody knows
	Lost      int      `json:"lost,omitempty"`                // made-up inputs on which the program does what the reference does and the repaired one does not
	LostOn    string   `json:"lost_on,omitempty"`             // one of those
	Apart     string   `json:"differs_as_function,omitempty"` // numbers with which a function differs from the reference's; no run is known to call it so
	Missing   string   `json:"not_run,omitempty"`             // why it was not run natively
	Text      string   `json:"text"`                          // all of it in words
}

// Near is what a repair changes on inputs that are like the given ones. What is
// right on them is not known.
type Near struct {
	Inputs  int    `json:"inputs"`  // made by varying the given ones
	Differ  int    `json:"differ"`  // on so many the repaired program does something else
	Example string `json:"example"` // one of those
	Before  string `json:"before"`  // what the program did on it
	After   string `json:"after"`   // what the repaired one does
}

// Stands takes over what a repair makes of made-up inputs on which the program differs from the
// reference, and of those on which it does not.
func (f *Facts) Stands(by *Facts) {
	f.Mended, f.Left, f.Part, f.Beyond, f.Lost, f.LostOn = by.Mended, by.Left, by.Part, by.Beyond, by.Lost, by.LostOn
	f.PlainLeft = by.PlainLeft
	f.Plain, f.FarMended, f.FarLeft = by.Plain, by.FarMended, by.FarLeft
}

// stands writes what becomes of made-up inputs on which the program differs from the reference.
func (f *Facts) stands() string {
	like := ""
	if f.Plain {
		like = " like the given run"
	}
	text := fmt.Sprintf("does what the reference does on %d of %s%s on which the program does not", f.Mended, Count(f.Mended+f.Left, "made-up input"), like)
	if n := f.FarMended + f.FarLeft; n > 0 {
		text += fmt.Sprintf(", and on %d of %d unlike it", f.FarMended, n)
	}
	return text
}

// few is where a number is called small.
const few = 5

// Count writes a number of things; small numbers are called small.
func Count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	if n < few {
		return fmt.Sprintf("%d %s (only %d)", n, thing, n)
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// String writes what a repair was held against.
func (f *Facts) String() string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	switch {
	case f.Proof != "":
		add("%s", f.Proof)
		if f.Given > 0 && f.Native == 0 && f.Guarded > 0 {
			add("%s %s", f.verb(), f.given())
		}
	case f.Given > 0:
		add("%s %s", f.verb(), f.given())
	}
	switch {
	case f.Counter != "":
		add("refuted on an input that the search had not seen: %s", f.Counter)
	case f.Unjudged:
		add("the search was stopped before the repair was tried on other inputs")
	case f.Native > 0: // they are what was held back
	case f.Held > 0:
		parts = append(parts, f.heldBack())
	case f.Proof == "" && f.Ended == 0:
		add("tried on nothing else")
	}
	switch {
	case f.Native > 0:
		add("compiled and run on %s", Count(f.Native, "random and boundary input"))
	case f.Missing != "":
		add("not run natively: %s", f.Missing)
	}
	if f.Guarded > 0 {
		add("%d of these compiled and run with sanitizers", f.Guarded)
	}
	if f.Alone > 0 {
		add("%d of these run as the compiled program alone: they take too long on the machine, or reach code that it has no model of", f.Alone)
	}
	if f.Ended > 0 {
		add("ends without an error on %s like them", plural.N(f.Ended, "run"))
	}
	if f.Besides != "" {
		add("%s", f.Besides)
	}
	if f.Zero != "" {
		add("divides by zero on %s, where the program did not (this may be no valid input)", f.Zero)
	}
	if f.Overflow != "" {
		add("overflows on %s, where the program did not (this may be no valid input)", f.Overflow)
	}
	if f.Later != "" {
		add("fits the given tests only: on %s, made of several of them, the same error still happens", f.Later)
	}
	if f.Driver != "" {
		add("changes only main: in %s, where the error occurs, nothing is mended", f.Driver)
	}
	if f.Leaks != "" {
		add("loses memory, which the program does not where it is right: blocks that nothing leads to any more, %s", f.Leaks)
	}
	if f.Mended+f.Left > 0 {
		parts = append(parts, f.stands())
	}
	if f.Lost > 0 {
		add("no longer does what the reference does on %s, such as %s", Count(f.Lost, "made-up input"), f.LostOn)
	}
	switch {
	case f.Beyond != "" && f.Others > 0:
		add("differs from most of %s on %s", plural.N(f.Others, "other program"), f.Beyond)
	case f.Left+f.FarLeft > 0 && f.Beyond != "":
		add("both differ from the reference on %s: another mistake, or something that the task does not ask for", f.Beyond)
	case f.Beyond != "":
		add("differs from the reference, as the program does, on inputs unlike the given runs: %s", f.Beyond)
	}
	if f.Apart != "" {
		add("%s, but no run was found in which it is called so", f.Apart)
	}
	if f.Why != "" {
		parts = append(parts, f.Why)
	}
	if f.Exercise != nil {
		parts = append(parts, f.exercise())
	}
	if f.Near != nil {
		parts = append(parts, f.Near.String())
	}
	return strings.Join(append(parts, f.unseen()...), "; ")
}

// NoRule writes the answer that no rule of memory was found to fire.
func (f *Facts) NoRule() string {
	given := *f
	given.From = ""
	parts := []string{"no memory rule fires on " + given.given() + ", which is no proof"}
	if f.Held > 0 {
		parts = append(parts, f.heldBack())
	}
	return strings.Join(append(parts, f.unseen()...), "; ")
}

// NoDifference writes the answer that nothing was found to differ from a reference,
// or to break a contract.
func (f *Facts) NoDifference() string {
	what := "no difference found"
	if f.Kind == "call" {
		what = "no call found that breaks the contract"
	}
	parts := []string{what + ", which is no proof: the program " + f.verb() + " " + f.given()}
	if f.Held > 0 {
		parts = append(parts, f.heldBack())
	}
	if f.Why != "" {
		parts = append(parts, f.Why)
	}
	return strings.Join(append(parts, f.unseen()...), "; ")
}

// Met writes that all of a specification that is nothing but cases is met.
func (f *Facts) Met() string {
	return strings.Join(append([]string{"the program meets " + f.given() + ", and nothing else was asked"}, f.unseen()...), "; ")
}

// verb is what a program does with what was given.
func (f *Facts) verb() string {
	if f.Kind == "call" {
		return "keeps the contract on"
	}
	return "meets"
}

// given writes the cases of the specification.
func (f *Facts) given() string {
	kind := f.Kind
	if kind == "" {
		kind = "case"
	}
	text := "all " + Count(f.Given, kind)
	switch f.Given {
	case 1:
		text = "the only " + kind
	case 2:
		text = "both " + kind + "s"
	}
	if f.From != "" {
		text += " from " + f.From
	}
	return text
}

func (f *Facts) heldBack() string {
	text := fmt.Sprintf("agrees on %d of %s that the search had not seen", f.HeldMet, Count(f.Held, "input"))
	switch f.Others {
	case 0:
	case 1:
		text += " with what another program does that meets the tests"
	default:
		text += fmt.Sprintf(" with what most of %s do that meet the tests", plural.N(f.Others, "other program"))
	}
	if f.All > 0 {
		nodes := "nodes"
		if f.Bound == 1 {
			nodes = "node"
		}
		text += fmt.Sprintf(" and on %d of all %d of up to %d %s", f.AllMet, f.All, f.Bound, nodes)
		if f.All == f.AllMet {
			text = strings.Replace(text, fmt.Sprintf("on %d of all %d", f.AllMet, f.All), fmt.Sprintf("on all %d", f.All), 1)
		}
	}
	return text
}

// named is how many names are listed.
const named = 3

func (f *Facts) exercise() string {
	switch n := len(f.Exercise); {
	case n == 0:
		return "every given test executes what is changed"
	case n >= f.Given:
		return "no given test executes what is changed"
	case n > named:
		return fmt.Sprintf("%d of the given tests never execute what is changed: %s and %d more", n, strings.Join(f.Exercise[:named], ", "), n-named)
	case n == 1:
		return f.Exercise[0] + " never executes what is changed"
	default:
		return strings.Join(f.Exercise, ", ") + " never execute what is changed"
	}
}

func (f *Facts) unseen() []string {
	if len(f.Unseen) == 0 {
		return nil
	}
	return []string{"not looked at: " + strings.Join(f.Unseen, ", ")}
}

// String writes what changes near the given inputs.
func (n *Near) String() string {
	if n.Inputs == 0 {
		return "no other inputs were made"
	}
	if n.Differ == 0 {
		return fmt.Sprintf("behaves as before on %s made by varying the given ones", Count(n.Inputs, "input"))
	}
	return fmt.Sprintf("behaves differently on %d of %s made by varying the given ones, as on %s: %s, before: %s; gulo cannot tell which is right", n.Differ, Count(n.Inputs, "input"), n.Example, n.After, n.Before)
}

// Generated is what became of a repair on generated inputs of which nobody said
// what is right: only errors and what is lost can be told.
type Generated struct {
	Inputs int    // run
	Errors int    // of them ended in an error
	Unkept int    // left a predicate that must hold broken
	Broken int    // left another shape
	Losing int    // lost nodes, neither freed nor in reach, that the program as written keeps
	Most   int    // nodes lost so on one input
	Usual  int    // nodes that the run in hand loses
	Differ int    // ended otherwise than the program as written, neither in an error; -1: that was not run
	Mended int    // ended without an error, and the program as written with one
	Spoilt int    // ended in an error, and the program as written without one
	Shapes string // what the inputs are: lists, trees
	Among  bool   // it is one of a list, below which is said once that nobody knows which result is right
}

// String writes it: what was tried, what went wrong, what is other than before.
func (g *Generated) String() string {
	text := g.inputs() + ": no error"
	if g.Errors > 0 {
		text = fmt.Sprintf("%s: %d %s in an error", g.inputs(), g.Errors, plural.Verb(g.Errors, "ends", "end"))
	}
	if g.Unkept > 0 {
		text += fmt.Sprintf(", %d %s what must be kept", g.Unkept, plural.Verb(g.Unkept, "breaks", "break"))
	}
	switch {
	case g.Losing > 0:
		text += fmt.Sprintf(", %d %s nodes, up to %d", g.Losing, plural.Verb(g.Losing, "loses", "lose"), g.Most)
		if g.Usual > 0 {
			text += fmt.Sprintf(" (your run loses %d)", g.Usual)
		}
	case g.Errors < g.Inputs && g.Differ >= 0:
		text += ", no newly lost node"
	}
	switch {
	case g.Broken > 0:
		text += fmt.Sprintf(", %d %s another shape", g.Broken, plural.Verb(g.Broken, "leaves", "leave"))
	case g.Errors < g.Inputs:
		text += ", every shape kept"
	}
	if g.Spoilt > 0 {
		text += fmt.Sprintf("; %d ended without an error before", g.Spoilt)
	}
	if g.Mended > 0 {
		text += fmt.Sprintf("; %d ended in an error before", g.Mended)
	}
	switch {
	case g.Differ > 0:
		text += fmt.Sprintf("; on %d the result changed", g.Differ)
	case g.Differ == 0 && g.Mended+g.Spoilt > 0:
		text += "; the others end as before"
	case g.Differ == 0:
		text += "; all end as before"
	}
	if g.Differ > 0 && !g.Among {
		text += ", and gulo cannot tell which is right"
	}
	return text
}

// inputs says how many there are, and of what kind.
func (g *Generated) inputs() string {
	if g.Shapes == "" || g.Inputs == 1 {
		return Count(g.Inputs, "made-up input")
	}
	if g.Inputs < few {
		return fmt.Sprintf("%d made-up %s (only %d)", g.Inputs, g.Shapes, g.Inputs)
	}
	return fmt.Sprintf("%d made-up %s", g.Inputs, g.Shapes)
}

// States writes that a run leads to the pictures that were asserted, and how few they are.
func States(n int) string {
	switch n {
	case 1:
		return "leads to the picture you asserted"
	case 2:
		return "leads to both pictures you asserted"
	}
	return fmt.Sprintf("leads to all %s you asserted", plural.N(n, "picture"))
}
