package runs

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gulo/internal/cases"
	"gulo/internal/judge"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/plural"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
	"gulo/internal/report"
	"gulo/internal/source"
)

// This file recognizes repairs that only fit the given tests: they depend on an answer copied from a test, or on
// chance. If the tests are the only specification, such a repair is not shown; a note says what was left out.

var (
	textLiteral = regexp.MustCompile(`"(?:\\.|[^"\\\n])*"`)
	charLiteral = regexp.MustCompile(`'(?:\\.|[^'\\\n])+'`)
	valueOf     = regexp.MustCompile(`%[-+ 0#]*[0-9]*(?:\.[0-9]*)?(?:hh|h|ll|l|z|L|j|t)?[a-zA-Z]`)
	integer     = regexp.MustCompile(`\b[0-9]+\b`)
)

// fewTests is the number of tests up to which edits with any number in them meet them by chance.
const fewTests = 3

// byChance is the expected number of pairs of edits that meet all tests by chance from which on a pair that does so
// means nothing.
const byChance = 0.5

// fewAnswers is the number of tests up to which two edits meet yes-or-no answers by chance: one in 2^5 of millions of
// pairs does.
const fewAnswers = 5

// fitsOnly says why a repair only fits the tests; "" if it does not. wanted are the expected outputs of all tests,
// program is the text.
func fitsOnly(edits []*textedit.Edit, inputs, wanted []string, program string) string {
	invented := ""
	answers := wanted
	if same(wanted) && (strings.Count(wanted[0], "\n") <= 1 || slices.ContainsFunc(inputs, readsNumber)) {
		answers = append(slices.Clone(wanted), "") // a text that all tests want counts as an answer, not as a heading
	}
	for _, e := range edits {
		for _, c := range e.Changes {
			before := string(c.File.Text[c.Start:c.End])
			if s := answer(before, c.Text, answers); s != "" {
				return fmt.Sprintf("it prints %q, the answer of some tests, whatever is read", s)
			}
			if s := echoed(before, c.Text, inputs, wanted); s != "" {
				return fmt.Sprintf("it prints %q, made of the input of some tests, whatever is read", s)
			}
			if s := neverRead(before, c.Text, inputs); s != "" {
				return fmt.Sprintf("no test has %s in its input, so that %s is a condition that always holds there", s, c.Text)
			}
			if s := digitBehind(before, c.Text); s != "" {
				return fmt.Sprintf("it prints a digit behind a value (%s)", s)
			}
			if len(wanted) <= fewTests && printsOne.MatchString(before) && c.Text == ";" && emptied(&c) {
				return fmt.Sprintf("nothing is printed in one case (%s), and %s %s not tell why", strings.TrimSuffix(before, ";"), plural.N(len(wanted), "test"), plural.Verb(len(wanted), "does", "do"))
			}
			if len(wanted) <= fewTests && leavesOut.MatchString(before) && (strings.Trim(c.Text, ";/*- \n") == "") {
				return fmt.Sprintf("a loop is left out, and %s %s not tell what for", plural.N(len(wanted), "test"), plural.Verb(len(wanted), "does", "do"))
			}
			if len(edits) > 1 && len(wanted) <= fewTests {
				invented = cmp.Or(newNumber(before, c.Text, program), invented)
			}
		}
	}
	// With two edits and a number that does not occur in the program, a few tests can nearly always be met.
	if invented != "" {
		return fmt.Sprintf("%s, one of them with the number %s, meet %s", plural.N(len(edits), "edit"), invented, plural.N(len(wanted), "test"))
	}
	return ""
}

// comparedChar matches a comparison with a character.
var comparedChar = regexp.MustCompile(`^(.+?)\s*([!=]=)\s*'(\\.|[^'\\])'$`)

var opposite = strings.NewReplacer("==", "!=", "!=", "==")

// neverRead returns the character of a comparison that is negated although no input has this character: in the tests
// the condition then always has the same value. Otherwise it returns "".
func neverRead(before, after string, inputs []string) string {
	before, after = strings.TrimSpace(before), strings.TrimSpace(after)
	if after == "!("+before+")" {
		after = opposite.Replace(before)
	}
	a, b := comparedChar.FindStringSubmatch(before), comparedChar.FindStringSubmatch(after)
	if a == nil || b == nil || a[1] != b[1] || a[2] == b[2] || a[3] != b[3] {
		return ""
	}
	c, err := strconv.Unquote("'" + a[3] + "'")
	if err != nil || c == "\x00" || slices.ContainsFunc(inputs, func(in string) bool { return strings.Contains(in, c) }) {
		return ""
	}
	return "'" + a[3] + "'"
}

// scans matches a call of scanf.
var scans = regexp.MustCompile(`^scanf\s*\(\s*("(?:\\.|[^"\\])*")\s*,([^()]*)\)\s*;?$`)

// permuted reports whether a change lets a call of scanf read into the same variables in another order.
func permuted(before, after string) bool {
	a, b := scans.FindStringSubmatch(strings.TrimSpace(before)), scans.FindStringSubmatch(strings.TrimSpace(after))
	if a == nil || b == nil || a[1] != b[1] {
		return false
	}
	list := func(s string) []string { return strings.Fields(strings.ReplaceAll(s, ",", " ")) }
	x, y := list(a[2]), list(b[2])
	return !slices.Equal(x, y) && slices.Equal(slices.Sorted(slices.Values(x)), slices.Sorted(slices.Values(y)))
}

// guessed says why several edits are only a guess if there are few tests, or the program fails few of them; else "".
func guessed(edits []*textedit.Edit, wanted []string, failing int) string {
	if len(edits) < 2 || len(wanted) > fewAnswers && failing > fewTests {
		return ""
	}
	if n := unnamed(edits); n > 1 && len(wanted) <= fewAnswers && twoAnswers(wanted) {
		return fmt.Sprintf("%s that are no known mistakes, and %s that want %s", plural.N(n, "edit"), plural.N(len(wanted), "test"), [...]string{"", "the same", "two different lines"}[distinct(wanted)])
	}
	if unnamed(edits) > 1 {
		for _, e := range edits {
			if e.What == "insert" && !standsElsewhere(e) {
				return fmt.Sprintf("%s that are no known mistakes, one of them a statement that is new, and %s %s not tell why", plural.N(unnamed(edits), "edit"), plural.N(min(len(wanted), failing), "test"), plural.Verb(min(len(wanted), failing), "does", "do"))
			}
			if n := outOfTheAir(e); n != "" {
				return fmt.Sprintf("%s that are no known mistakes, one of them with the number %s, and %s %s not tell why", plural.N(unnamed(edits), "edit"), n, plural.N(min(len(wanted), failing), "test"), plural.Verb(min(len(wanted), failing), "does", "do"))
			}
		}
	}
	if len(wanted) > fewTests {
		return ""
	}
	for _, e := range edits {
		for _, c := range e.Changes {
			if permuted(string(c.File.Text[c.Start:c.End]), c.Text) {
				return fmt.Sprintf("what is read goes to other variables (%s), and %s %s not tell why", strings.TrimSuffix(c.Text, ";"), plural.N(len(wanted), "test"), plural.Verb(len(wanted), "does", "do"))
			}
		}
	}
	return ""
}

// callAlone matches a statement that calls a function.
var callAlone = regexp.MustCompile(`^([A-Za-z_]\w*)\s*\([^;]+\);$`)

// standsElsewhere reports whether an edit inserts a call of one of the program's functions that occurs verbatim
// elsewhere: someone who forgot it here wrote it there. It is not one of all possible statements.
func standsElsewhere(e *textedit.Edit) bool {
	if len(e.Changes) != 1 {
		return false
	}
	c := e.Changes[0]
	call := strings.TrimSpace(c.Text)
	name := callAlone.FindStringSubmatch(call)
	if name == nil {
		return false
	}
	text := string(c.File.Text)
	own := regexp.MustCompile(`(?m)^[A-Za-z_][\w \t*]*\b` + name[1] + `\s*\([^;{}]*\)\s*\{`)
	return own.MatchString(text) && regexp.MustCompile(`(?m)^\s*`+regexp.QuoteMeta(call)+`\s*$`).MatchString(text)
}

// outOfTheAir returns the number that an edit computes with, or with which it replaces one that is not adjacent; "" if
// there is none. With so many candidates, one meets a few tests by chance.
func outOfTheAir(e *textedit.Edit) string {
	if e.What != textedit.AnotherConstant && e.What != textedit.CombinedWithConstant || len(e.Changes) != 1 {
		return ""
	}
	c := e.Changes[0]
	before, after := strings.TrimSpace(string(c.File.Text[c.Start:c.End])), strings.TrimSpace(c.Text)
	if e.What == textedit.CombinedWithConstant {
		if n := integer.FindAllString(after, -1); len(n) > 0 && n[len(n)-1] != "1" {
			return n[len(n)-1]
		}
		return ""
	}
	a, err := strconv.Atoi(before)
	b, err2 := strconv.Atoi(after)
	if err != nil || err2 != nil || a-b <= 1 && b-a <= 1 {
		return ""
	}
	return after
}

// unnamed counts the edits that no known mistake explains.
func unnamed(edits []*textedit.Edit) (n int) {
	for _, e := range edits {
		if !Named(e.What) && e.From == "" {
			n++
		}
	}
	return n
}

// twoAnswers reports whether several tests expect one line each, and at most two different ones: of all pairs of edits,
// some meet that by chance.
func twoAnswers(wanted []string) bool {
	return len(wanted) > 1 && distinct(wanted) <= 2 && !slices.ContainsFunc(wanted, func(w string) bool { return strings.Count(w, "\n") > 1 })
}

func distinct(wanted []string) int {
	return len(slices.Compact(slices.Sorted(slices.Values(wanted))))
}

// echoed returns a text of at least three characters that a change prints and that occurs in the input of a test, or
// one of six that some test expects as a whole and whose characters all come from its input; else "".
func echoed(before, after string, inputs, wanted []string) string {
	for _, l := range textLiteral.FindAllString(after, -1) {
		s, err := strconv.Unquote(l)
		if s = strings.TrimSpace(s); err != nil || len(s) < 3 || strings.Contains(before, l) || valueOf.MatchString(s) || !strings.Contains(after, "print") && !strings.Contains(after, "put") {
			continue
		}
		for i, in := range inputs {
			if strings.Contains(in, s) || len(s) >= 6 && i < len(wanted) && s == strings.TrimSpace(wanted[i]) && rearranged(s, in) {
				return s
			}
		}
	}
	return ""
}

// rearranged reports whether an input has all characters of a text, each as often.
func rearranged(s, in string) bool {
	return !slices.ContainsFunc(strings.Split(s, ""), func(c string) bool { return strings.Count(s, c) > strings.Count(in, c) })
}

// printsOne matches a statement that prints a value.
var printsOne = regexp.MustCompile(`^printf\s*\(\s*"[^"]*%`)

// emptied reports whether a change removes all of a branch of an if-else.
func emptied(c *textedit.Change) bool {
	front, behind := strings.TrimSpace(string(c.File.Text[:c.Start])), strings.TrimSpace(string(c.File.Text[c.End:]))
	return strings.HasSuffix(front, ")") && strings.HasPrefix(behind, "else") || strings.HasSuffix(front, "else")
}

// leavesOut matches the beginning of a loop.
var leavesOut = regexp.MustCompile(`^\s*(?:for|while)\s*\(|^\s*do\b`)

func readsNumber(input string) bool { return strings.ContainsAny(input, "0123456789") }

// same reports whether all tests, or the only one, expect the same output.
func same(wanted []string) bool {
	return len(wanted) > 0 && !slices.ContainsFunc(wanted, func(w string) bool { return w != wanted[0] })
}

var valueAndDigit = regexp.MustCompile(`%[-+ 0#]*[0-9]*(?:\.[0-9]*)?(?:hh|h|ll|l|z|L|j|t)?[diufge][0-9]`)

// digitBehind returns a printf conversion followed by a digit that a change introduces: it would print the value times
// ten. Otherwise it returns "".
func digitBehind(before, after string) string {
	if valueAndDigit.MatchString(before) {
		return ""
	}
	for _, l := range textLiteral.FindAllString(after, -1) {
		if s := valueAndDigit.FindString(l); s != "" {
			return s
		}
	}
	return ""
}

// answer returns a text with digits that a change prints instead of values or of nothing, and that some tests expect
// but not all; else "". A text that several tests expect and nothing else is no such answer where nothing was printed:
// other values do not come out as the same by themselves.
func answer(before, after string, wanted []string) string {
	old := textLiteral.FindAllString(before, -1)
	if len(old) > 0 && !slices.ContainsFunc(old, valueOf.MatchString) && slices.ContainsFunc(old, func(s string) bool { return strings.ContainsAny(s, "0123456789") }) {
		return "" // one answer replaces another
	}
	for _, l := range append(textLiteral.FindAllString(after, -1), charLiteral.FindAllString(after, -1)...) {
		s, err := strconv.Unquote(l)
		if err != nil || strings.Contains(before, l) || valueOf.MatchString(s) || !strings.ContainsAny(s, "0123456789") || !strings.Contains(after, "print") && !strings.Contains(after, "put") && len(old) == 0 {
			continue
		}
		n, all, other := 0, 0, false
		for _, w := range wanted {
			if strings.Contains(w, strings.TrimSpace(s)) {
				n++
			}
			if w = strings.TrimSpace(w); w == strings.TrimSpace(s) {
				all++
			} else {
				other = other || w != ""
			}
		}
		if all > 1 && other && !strings.Contains(before, "print") && len(old) == 0 {
			continue
		}
		few := len(wanted) < fewTests && len(integer.FindAllString(s, -1)) > 1 // what a few tests all expect is not taken for a heading
		if n > 0 && (n < len(wanted) || few) {
			return s
		}
	}
	return ""
}

// newNumber returns a number greater than 1 that a change introduces and the program does not contain; else "".
func newNumber(before, after, program string) string {
	after = charLiteral.ReplaceAllString(textLiteral.ReplaceAllString(after, `""`), "' '")
	for _, n := range integer.FindAllString(after, -1) {
		if n == "0" || n == "1" || hasNumber(before, n) || hasNumber(program, n) {
			continue
		}
		return n
	}
	return ""
}

// hasNumber reports whether a number is written in a text.
func hasNumber(text, n string) bool {
	in := func(i int) bool {
		return i >= 0 && i < len(text) && (text[i] == '_' || text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z' || text[i] >= '0' && text[i] <= '9')
	}
	for from := 0; ; {
		i := strings.Index(text[from:], n)
		if i < 0 {
			return false
		}
		if i += from; !in(i-1) && !in(i+len(n)) {
			return true
		}
		from = i + 1
	}
}

// leftOut adds a note about the first repair that may only fit the given tests.
func (w *Search) leftOut(line int, after, why string) {
	if !w.fits {
		w.fits = true
		w.t.Notes = append(w.t.Notes, fmt.Sprintf("a repair was left out that meets the given tests and perhaps nothing else (line %d, %q): %s", line, source.Excerpt(after), why))
	}
}

// hiding adds a note about the first repair that may only hide a memory error.
func (w *Search) hiding(e report.Changed, why string) {
	if !w.hidden {
		w.hidden = true
		w.t.Notes = append(w.t.Notes, fmt.Sprintf("a repair was left out that may only hide the error (%s, %q): %s", w.t.Prog.Tree.At(source.Position{File: e.File, Line: e.Line}), source.Excerpt(e.After), why))
	}
}

// losesShape says on which input like the tests a repair's output loses the form that all expected outputs have; "" if
// none.
func losesShape(l *schema.Loss) string {
	if l == nil {
		return ""
	}
	x, y := became(&l.Does, &l.Was)
	return fmt.Sprintf("on %s, which is like the tests, %s with it, unlike all that they want; without it %s", &cases.Input{Args: l.Input.Args, Stdin: l.Input.Stdin}, x, y)
}

// computed returns a text that a change prints instead of values or of nothing, that is expected, and that has several
// numbers which occur in no text literal of the given programs: the reference computes them. Otherwise it returns "".
func computed(before, after string, wanted, programs []string) string {
	stands := func(n string) bool {
		return slices.ContainsFunc(programs, func(p string) bool {
			return slices.ContainsFunc(textLiteral.FindAllString(p, -1), func(l string) bool { return slices.Contains(integer.FindAllString(l, -1), n) })
		})
	}
	for _, l := range textLiteral.FindAllString(after, -1) {
		text, err := strconv.Unquote(l)
		if err != nil || strings.Contains(before, l) {
			continue
		}
		for _, s := range valueOf.Split(text, -1) {
			if len(slices.DeleteFunc(integer.FindAllString(s, -1), stands)) < 2 {
				continue
			}
			if slices.ContainsFunc(wanted, func(o string) bool { return strings.Contains(o, strings.TrimSpace(s)) }) {
				return s
			}
		}
	}
	return ""
}

// overfit reports whether a repair only fits the runs in hand: by its tests or, with a reference, because it prints
// what the reference computes.
func (w *Search) overfit(r *schema.Repair) bool {
	if w.t.Ref == nil && !slices.ContainsFunc(r.Edits, func(e *textedit.Edit) bool { return e.From == "" && !strings.HasPrefix(e.What, takenOver) }) { // all edits are from a program that counts as right
		return false
	}
	if w.t.Ref != nil {
		var wanted, programs []string
		for _, c := range w.t.WithAside() {
			wanted = append(wanted, c.Want.Output)
		}
		for _, f := range append(slices.Clone(w.t.Prog.Tree.Files), w.t.Ref.Prog.Tree.Files...) {
			programs = append(programs, string(f.Text))
		}
		for _, e := range r.Edits {
			for _, c := range e.Changes {
				if s := computed(string(c.File.Text[c.Start:c.End]), c.Text, wanted, programs); s != "" {
					e := judge.TextEdit(e)
					w.leftOut(e.Line, e.After, fmt.Sprintf("it prints %q, which the reference computes", s))
					return true
				}
			}
		}
		return false
	}
	var inputs, wanted []string
	for _, c := range w.t.WithAside() {
		inputs, wanted = append(inputs, judge.Test(c).Stdin), append(wanted, c.Want.Output)
	}
	var program strings.Builder
	for _, f := range w.t.Prog.Tree.Files {
		program.Write(f.Text)
	}
	why := fitsOnly(r.Edits, inputs, wanted, program.String())
	if why == "" && !w.t.Others && !r.Stepwise { // other programs say more than the tests; of the few pairs tried on top of a step hardly any meets them by chance
		why = guessed(r.Edits, wanted, w.failing)
	}
	if why == "" && !w.t.Others {
		why = losesShape(r.Loses)
	}
	if why == "" && !w.t.Others && unnamed(r.Edits) > 0 && r.Chance >= byChance {
		why = fmt.Sprintf("so many pairs of edits were tried that about %.1f of them meet %s by chance", r.Chance, plural.N(len(wanted), "test"))
	}
	for _, f := range w.t.Prog.Tree.Files {
		if why != "" || r.Texts[f.Name] == "" || len(wanted) > fewTests {
			continue
		}
		if s := exchanged(string(f.Text), r.Texts[f.Name]); s != "" {
			why = fmt.Sprintf("what is read goes elsewhere (%s), and %s %s not tell why", s, plural.N(len(wanted), "test"), plural.Verb(len(wanted), "does", "do"))
		}
	}
	if why != "" {
		e := judge.TextEdit(r.Edits[0])
		w.leftOut(e.Line, e.After, why)
	}
	return why != ""
}

// became says what two native runs did on the same input.
func became(a, b *native.Outcome) (string, string) {
	return judge.Became(&oracle.Run{Output: a.Stdout, Status: a.Status}, &oracle.Run{Output: b.Stdout, Status: b.Status})
}
