package runs

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gulo/internal/judge"
	"gulo/internal/repair/schema"
)

// This file tells repairs that only fit the tests given: what they hang on is an answer
// copied from a test. Where nothing but tests says what is right, such a repair is not
// shown; a note says what was left out.

var (
	textLiteral = regexp.MustCompile(`"(?:\\.|[^"\\\n])*"`)
	charLiteral = regexp.MustCompile(`'(?:\\.|[^'\\\n])+'`)
	valueOf     = regexp.MustCompile(`%[-+ 0#]*[0-9]*(?:\.[0-9]*)?(?:hh|h|ll|l|z|L|j|t)?[a-zA-Z]`)
	integer     = regexp.MustCompile(`\b[0-9]+\b`)
)

// fewTests are so few that edits with any number in them meet them by chance.
const fewTests = 3

// fitsOnly says what of some tests' answers a repair hangs on; empty for nothing. wanted
// are the outputs of all tests, program is the text.
func fitsOnly(edits []*schema.Edit, wanted []string, program string) string {
	invented := ""
	for _, e := range edits {
		for _, c := range e.Changes {
			before := string(c.File.Text[c.Start:c.End])
			if s := answer(before, c.Text, wanted); s != "" {
				return fmt.Sprintf("it prints %q, the answer of some tests, whatever is read", s)
			}
			if n := newNumber(before, c.Text, program); n != "" {
				invented = n
			}
		}
	}
	// With two edits and a number that stands nowhere, a few tests can nearly always be met.
	if len(edits) > 1 && invented != "" && len(wanted) <= fewTests {
		return fmt.Sprintf("%d edits, one of them with the number %s, meet %d tests", len(edits), invented, len(wanted))
	}
	return ""
}

// answer returns a text with digits that a change prints instead of values or of nothing,
// and that some tests want and others do not.
func answer(before, after string, wanted []string) string {
	old := textLiteral.FindAllString(before, -1)
	if len(old) > 0 && !slices.ContainsFunc(old, valueOf.MatchString) {
		return "" // another text for a text
	}
	for _, l := range append(textLiteral.FindAllString(after, -1), charLiteral.FindAllString(after, -1)...) {
		s, err := strconv.Unquote(l)
		if err != nil || strings.Contains(before, l) || valueOf.MatchString(s) || !strings.ContainsAny(s, "0123456789") || !strings.Contains(after, "print") && !strings.Contains(after, "put") && len(old) == 0 {
			continue
		}
		n := 0
		for _, w := range wanted {
			if strings.Contains(w, strings.TrimSpace(s)) {
				n++
			}
		}
		few := len(wanted) < fewTests && len(integer.FindAllString(s, -1)) > 1 // no heading: all that a few tests want
		if n > 0 && (n < len(wanted) || few) {
			return s
		}
	}
	return ""
}

// newNumber returns a number greater than 1 that a change brings into a program that does
// not have it.
func newNumber(before, after, program string) string {
	after = charLiteral.ReplaceAllString(textLiteral.ReplaceAllString(after, `""`), "' '")
	for _, n := range integer.FindAllString(after, -1) {
		if n == "0" || n == "1" || slices.Contains(integer.FindAllString(before, -1), n) || slices.Contains(integer.FindAllString(program, -1), n) {
			continue
		}
		return n
	}
	return ""
}

// leftOut notes a repair that fits the given tests only, the first one.
func (w *Search) leftOut(r *schema.Repair, why string) {
	if w.fits {
		return
	}
	w.fits = true
	e := judge.TextEdit(r.Edits[0])
	w.t.Notes = append(w.t.Notes, fmt.Sprintf("a repair was left out that fits the given tests only (line %d, %q): %s", e.Line, judge.Short(e.After), why))
}

// overfit reports whether a repair by tests alone only fits them.
func (w *Search) overfit(r *schema.Repair) bool {
	if w.t.Ref != nil {
		return false
	}
	var wanted []string
	for _, c := range w.t.Given.Cases {
		wanted = append(wanted, c.Want.Output)
	}
	var program strings.Builder
	for _, f := range w.t.Prog.Tree.Files {
		program.Write(f.Text)
	}
	why := fitsOnly(r.Edits, wanted, program.String())
	if why != "" {
		w.leftOut(r, why)
	}
	return why != ""
}
