// Package trust words what an answer rests on: what was looked at, how much of it, and what was not. Every engine fills
// in Facts and prints String. So answers of equal strength read alike, and a weak one does not read like a strong one.
//
// The package knows no program and runs nothing.
package trust

import (
	"fmt"
	"strings"

	"gulo/internal/plural"
)

// Facts say what was checked about a repair, or about the answer that there is nothing to repair. JSON has the fields
// and, in Text, all of them in words.
type Facts struct {
	Given   int    `json:"given"`          // cases of the specification, all met
	Kind    string `json:"kind,omitempty"` // what the cases are, in the singular: case, test, call; empty means case
	From    string `json:"from,omitempty"` // what the cases come from
	Held    int    `json:"held"`           // inputs that the search did not see
	HeldMet int    `json:"held_met"`       // how many of those the repair is right on
	// If not 0, the outcome that counts as right on those inputs is that of most of so many other programs.
	Others  int    `json:"others,omitempty"`
	Bound   int    `json:"bound,omitempty"`   // all inputs of up to so many nodes were made; 0 if not
	All     int    `json:"all,omitempty"`     // the number of all those
	AllMet  int    `json:"all_met,omitempty"` // how many of those the repair is right on
	Counter string `json:"counterexample,omitempty"`
	// What else the repair changes, in runs that keep the specification without it.
	Besides  string `json:"besides,omitempty"`
	Compiled bool   `json:"compiled"`
	// The search was stopped before the repair was checked on anything but the given cases.
	Unjudged bool   `json:"not_judged,omitempty"`
	Why      string `json:"why,omitempty"` // the reason for the change, in words
	// Given tests that never execute what is changed; nil if that was not asked.
	Exercise []string `json:"not_exercised,omitempty"`
	Near     *Near    `json:"neighbourhood,omitempty"` // inputs like the given ones
	Unseen   []string `json:"not_looked_at,omitempty"` // what was not compared
	Proof    string   `json:"proof,omitempty"`         // what is proved, in words that begin with "proved" or "holds"
	Native   int      `json:"native,omitempty"`        // runs of the compiled program, all of them right
	// Cases run as a program compiled with gcc's sanitizers, all of them right.
	Guarded int `json:"sanitized,omitempty"`
	// Cases run only natively, as they take too long on the machine or reach code that it has no model of.
	Alone int `json:"native_only,omitempty"`
	// Runs near the tests that end without an error; only the end was looked at.
	Ended int `json:"came_to_an_end,omitempty"`
	// One of those runs on which the repair divides by zero and the program did not.
	Zero string `json:"divides_by_zero,omitempty"`
	// One of those runs on which a number overflows and in the program none did.
	Overflow string `json:"overflows,omitempty"`
	// A longer input on which the error that the tests showed still happens.
	Later string `json:"put_off,omitempty"`
	Rules bool   `json:"-"` // nothing says what is right but the memory rules
	// Of inputs made from the given runs, one on which a memory rule fires with the repair as without it.
	Still string `json:"still,omitempty"`
	// What the repair prints on one of the failing runs, and what the program would print there if its error did no harm.
	Alters string `json:"alters,omitempty"`
	// The made-up number that the repair stores where the program reads what was never written.
	Invents string `json:"invents,omitempty"`
	// How many blocks are not freed on one of the tests. The program frees all of them where it is right.
	Leaks  string `json:"leaks,omitempty"`
	Driver string `json:"only_main,omitempty"` // the function in which the error occurs, if only main is changed
	// An input on which the repair differs from the reference, as the program did. Nobody says whether the task asks
	// for it.
	Beyond string `json:"beyond,omitempty"`
	// Made-up inputs on which the program differs from the reference and the repair does not.
	Mended int `json:"mended,omitempty"`
	Left   int `json:"left,omitempty"` // made-up inputs on which both differ from the reference
	// Mended and Left count only inputs like the runs in hand; FarMended and FarLeft count the others.
	Plain bool `json:"plain,omitempty"`
	// How many inputs on which both differ are like the runs in hand, even if these are too few to be counted apart.
	PlainLeft int `json:"like_left,omitempty"`
	FarMended int `json:"unlike_mended,omitempty"` // as Mended, on inputs unlike the runs in hand
	FarLeft   int `json:"unlike_left,omitempty"`   // as Left, on inputs unlike the runs in hand
	// Only a part of what is wrong seems to be mended, as so many inputs are left or lost.
	Part bool `json:"part,omitempty"`
	// Made-up inputs on which the program does what the reference does and the repair does not.
	Lost   int    `json:"lost,omitempty"`
	LostOn string `json:"lost_on,omitempty"` // one of those
	// Numbers with which a function differs from the reference's, although no run is known to call it so.
	Apart   string `json:"differs_as_function,omitempty"`
	Missing string `json:"not_run,omitempty"` // why it was not run natively
	Text    string `json:"text"`              // the facts in words (String)
}

// Near says what a repair changes on inputs that are like the given ones. Nobody knows what is right on them.
type Near struct {
	Inputs  int    `json:"inputs"`  // made by varying the given ones
	Differ  int    `json:"differ"`  // how many of them make the repaired program do something else
	Example string `json:"example"` // one of those
	Before  string `json:"before"`  // what the program did on it
	After   string `json:"after"`   // what the repaired one does
}

// Stands takes over from by what was found on made-up inputs: those on which the program differs from the reference,
// and those on which it does not.
func (f *Facts) Stands(by *Facts) {
	f.Mended, f.Left, f.Part, f.Beyond, f.Lost, f.LostOn = by.Mended, by.Left, by.Part, by.Beyond, by.Lost, by.LostOn
	f.PlainLeft = by.PlainLeft
	f.Plain, f.FarMended, f.FarLeft = by.Plain, by.FarMended, by.FarLeft
}

// stands writes how many of the made-up inputs on which the program differs from the reference are mended.
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

// few is the least number that is not called small.
const few = 5

// Count writes a number of things, and adds "only" to a small number.
func Count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	if n < few {
		return fmt.Sprintf("%d %s (only %d)", n, thing, n)
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// String writes what was checked about a repair.
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
	case f.Native > 0: // the native runs are these inputs
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
		add("fits the given tests only: on %s, made from them, the same error still happens", f.Later)
	}
	if f.Still != "" {
		add("%s: a memory rule fires there with the repair, too, so that more may be wrong, or the cause lies elsewhere", f.Still)
	}
	if f.Alters != "" {
		add("%s", f.Alters)
	}
	if f.Invents != "" {
		add("%s: nothing says that this number is meant", f.Invents)
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

// NoRule writes the answer that no memory rule was found to fire.
func (f *Facts) NoRule() string {
	given := *f
	given.From = ""
	parts := []string{"no memory rule fires on " + given.given() + ", which is no proof"}
	if f.Held > 0 {
		parts = append(parts, f.heldBack())
	}
	return strings.Join(append(parts, f.unseen()...), "; ")
}

// NoDifference writes the answer that no difference from the reference, or no call that breaks the contract, was found.
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

// Met writes that the program meets all cases of a specification that has nothing but cases.
func (f *Facts) Met() string {
	return strings.Join(append([]string{"the program meets " + f.given() + ", and nothing else was asked"}, f.unseen()...), "; ")
}

// verb returns the verb for a program that is right on the given cases.
func (f *Facts) verb() string {
	if f.Kind == "call" {
		return "keeps the contract on"
	}
	return "meets"
}

// given writes the number, kind and origin of the given cases.
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

// named is how many names are listed at most.
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

// String writes how the behavior changes near the given inputs.
func (n *Near) String() string {
	if n.Inputs == 0 {
		return "no other inputs were made"
	}
	if n.Differ == 0 {
		return fmt.Sprintf("behaves as before on %s made by varying the given ones", Count(n.Inputs, "input"))
	}
	return fmt.Sprintf("behaves differently on %d of %s made by varying the given ones, as on %s: %s, before: %s; gulo cannot tell which is right", n.Differ, Count(n.Inputs, "input"), n.Example, n.After, n.Before)
}

// Generated counts what a repaired program did on generated inputs. Nobody said what is right on them, so only errors
// and losses can be recognized as wrong.
type Generated struct {
	Inputs int    // inputs run
	Errors int    // runs that ended in an error
	Unkept int    // runs that broke a predicate that must hold
	Broken int    // runs that left another shape
	Losing int    // runs that lost nodes (neither freed nor reachable) that the program as written keeps
	Most   int    // the most nodes lost in one of those
	Usual  int    // nodes that the run in hand loses
	Differ int    // runs with another result than the program as written, both without an error; -1 if that was not run
	Mended int    // runs that ended without an error, but in one with the program as written
	Spoilt int    // runs that ended in an error, but without one with the program as written
	Shapes string // what the inputs are: lists, trees
	// The repair is one of a list, below which it is said once that nobody knows which result is right.
	Among bool
}

// String writes what was tried, what went wrong, and what has changed.
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

// inputs writes the number and the kind of the inputs.
func (g *Generated) inputs() string {
	if g.Shapes == "" || g.Inputs == 1 {
		return Count(g.Inputs, "made-up input")
	}
	if g.Inputs < few {
		return fmt.Sprintf("%d made-up %s (only %d)", g.Inputs, g.Shapes, g.Inputs)
	}
	return fmt.Sprintf("%d made-up %s", g.Inputs, g.Shapes)
}

// States writes that a run leads to the n pictures that were asserted.
func States(n int) string {
	switch n {
	case 1:
		return "leads to the picture you asserted"
	case 2:
		return "leads to both pictures you asserted"
	}
	return fmt.Sprintf("leads to all %s you asserted", plural.N(n, "picture"))
}
