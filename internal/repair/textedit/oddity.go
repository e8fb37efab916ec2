package textedit

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// This file measures how odd a program looks with an edit. Programs repeat themselves, as Hindle, Barr, Su, Gabel and
// Devanbu measured ("On the naturalness of software", ICSE 2012). We learn no weights: each is a constant below that
// can be read.

// Oddities, in tenths of a unit of cost. The repair with the lowest sum looks most natural.
const (
	oddUneven = 15 // only one of several operands that were alike is changed
	oddNumber = 10 // a number that the program does not contain
	oddNext   = 2  // the same, but it differs by one from the number that it replaces
	oddKinds  = 15 // a number of another kind (kinds.go)
	oddLost   = 25 // the stored value is overwritten by the next statement
	oddBraced = 5  // the only statement of a branch gets a second one beside it
	oddTwice  = 20 // a < b || a == b: one comparison would do
	oddItself = 40 // a < a, a = a, a - a, a + a
	oddOrder  = 40 // variables read in their order are no longer in order
	oddUnlike = 20 // a member no longer stands beside the variable of its name
	likeNames = 8  // taken off for each member that now stands beside the variable of its name

	newTriple   = 1 // three tokens in a row that the program does not contain
	mostTriples = 6
)

// Words holds the numbers, the rows of three tokens and the kinds of numbers of a program, to compare edits with.
type Words struct {
	numbers map[string]bool
	triples map[[3]string]bool
	kinds   *numberKinds
}

// WordsOf reads the program's own files.
func WordsOf(tree *cfront.Program) *Words {
	v := &Words{map[string]bool{}, map[[3]string]bool{}, inferKinds(tree)}
	for _, f := range tree.Files {
		if strings.HasPrefix(f.Name, "@") || !strings.HasSuffix(f.Name, ".c") && len(tree.Files) > 8 {
			continue
		}
		ts := lexemes(string(f.Text))
		for i, t := range ts {
			if isNumber(t.text) {
				v.numbers[t.text] = true
			}
			if i >= 2 {
				v.triples[[3]string{ts[i-2].text, ts[i-1].text, t.text}] = true
			}
		}
	}
	return v
}

// Oddity returns what speaks against a repair because of its text, in tenths of a unit of cost.
func (v *Words) Oddity(edits []*Edit) int {
	n, triples := 0, 0
	for _, e := range edits {
		if e.uneven {
			n += oddUneven
		}
		for _, p := range e.Halves() {
			if p.braced {
				n += oddBraced
			}
		}
		seen := ""
		for _, p := range e.Halves() {
			for _, c := range p.Changes {
				if c.Text == seen && seen != "" {
					continue // the same text put in at several places
				}
				seen = c.Text
				odd, fresh := v.change(c)
				if losesValue(e.Func, c) {
					odd += oddLost
				}
				if v.kinds.apart(e.Func, string(c.File.Text[c.Start:c.End]), c.Text) {
					odd += oddKinds
				}
				odd += oddKinds * v.kinds.mixed(e.Func, string(c.File.Text[c.Start:c.End]), c.Text)
				n += odd
				triples += fresh
			}
		}
	}
	return n + min(triples*newTriple, mostTriples)
}

// change returns the oddity of one change, and the number of rows of three tokens that are new with it.
func (v *Words) change(c Change) (odd, triples int) {
	old := string(c.File.Text[c.Start:c.End])
	for _, t := range lexemes(c.Text) {
		if isNumber(t.text) && t.text != "0" && t.text != "1" && !v.numbers[t.text] {
			if odd = oddNumber; neighbours(old, c.Text) {
				odd = oddNext
			}
			break
		}
	}
	start, end := Surroundings(c.File, c.Start, c.End)
	before := string(c.File.Text[start:end])
	after := string(c.File.Text[start:c.Start]) + c.Text + string(c.File.Text[c.End:end])
	ts := lexemes(after)
	if n := namesakes(lexemes(before)) - namesakes(ts); n > 0 {
		odd += oddUnlike * n
	} else {
		odd += likeNames * n
	}
	for i := 2; i < len(ts); i++ {
		if !v.triples[[3]string{ts[i-2].text, ts[i-1].text, ts[i].text}] {
			triples++
		}
	}
	if inOrder(before, c.File.Text) && !inOrder(after, c.File.Text) {
		odd += oddOrder
	}
	if strings.ContainsAny(old+c.Text, "{};") {
		return odd, triples
	}
	if losesStore(c) {
		odd += oddLost
	}
	was, is := foolish(before), foolish(after)
	odd += oddTwice*max(is.twice-was.twice, 0) + oddItself*max(is.itself-was.itself, 0)
	return odd, triples
}

var scanned = regexp.MustCompile(`scanf\s*\(\s*"[^"]*"((?:\s*,\s*&\s*\w+){2,})\s*\)`)

// inOrder reports whether a text calls scanf with two or more variables, in alphabetical order or in the order in which
// the file first names them.
func inOrder(text string, file []byte) bool {
	m := scanned.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	names := NamedIn(m[1])
	first := map[string]int{}
	for _, x := range identifier.FindAllIndex(file, -1) {
		n := strings.TrimSpace(string(file[x[0]:x[1]]))
		if _, ok := first[n]; !ok {
			first[n] = x[0]
		}
	}
	return slices.IsSorted(names) || slices.IsSortedFunc(names, func(a, b string) int { return first[a] - first[b] })
}

// neighbours reports whether two texts are numbers that differ by one.
func neighbours(a, b string) bool {
	x, err := strconv.Atoi(a)
	y, err2 := strconv.Atoi(b)
	return err == nil && err2 == nil && (x-y == 1 || y-x == 1)
}

// losesValue reports whether a change makes a statement store to a local variable that the rest of the function does
// not name.
func losesValue(fn *cfront.Func, c Change) bool {
	if fn == nil || fn.Body == nil || fn.Body.Range().File != c.File {
		return false
	}
	t, b := c.File.Text, fn.Body.Range()
	start := bytes.LastIndexAny(t[:c.Start], ";{}") + 1
	n := bytes.IndexAny(t[c.End:], ";{}")
	if n < 0 || start < b.Start || strings.ContainsAny(c.Text, ";{}") {
		return false
	}
	end := c.End + n
	l, r, ok := stores(string(t[start:c.Start]) + c.Text + string(t[c.End:end]))
	if !ok || !constantName.MatchString(l) || strings.Contains(r, l) {
		return false
	}
	if was, _, ok := stores(string(t[start:end])); ok && was == l {
		return false
	}
	local := false
	for _, v := range append(slices.Clone(fn.Params), fn.Locals...) {
		local = local || v.Name == l
	}
	return local && !slices.Contains(NamedIn(string(t[b.Start:start])), l) && !slices.Contains(NamedIn(string(t[end:b.End])), l)
}

// losesStore reports whether a change makes a statement store a value that is overwritten before it is read.
func losesStore(c Change) bool {
	t := c.File.Text
	start := bytes.LastIndexAny(t[:c.Start], ";{}") + 1
	n := bytes.IndexAny(t[c.End:], ";{}")
	if n < 0 || t[c.End+n] != ';' {
		return false
	}
	end := c.End + n
	return overwritten(t, start, end, string(t[start:c.Start])+c.Text+string(t[c.End:end])) && !overwritten(t, start, end, string(t[start:end]))
}

// overwritten reports whether the value that a statement at start to end stores, or the value that the statement before
// it stores, is lost: the next statement stores to the same place without reading it.
func overwritten(text []byte, start, end int, statement string) bool {
	l, r, ok := stores(statement)
	if !ok {
		return false
	}
	if end < len(text) && text[end] == ';' {
		if l2, r2, ok := stores(upToSemicolon(text[end+1:])); ok && l2 == l && !strings.Contains(r2, l) {
			return true
		}
	}
	if start == 0 || text[start-1] != ';' {
		return false
	}
	from := bytes.LastIndexAny(text[:start-1], ";{}") + 1
	l2, _, ok := stores(string(text[from : start-1]))
	return ok && l2 == l && !strings.Contains(r, l)
}

func upToSemicolon(text []byte) string {
	i := bytes.IndexAny(text, ";{}")
	if i < 0 || text[i] != ';' {
		return ""
	}
	return string(text[:i])
}

// stores splits a statement that is one assignment into its two sides.
func stores(statement string) (l, r string, ok bool) {
	ts := lexemes(statement)
	var texts []string
	for _, t := range ts {
		texts = append(texts, t.text)
	}
	parts := split(texts, "=")
	if len(parts) != 2 || len(parts[0]) == 0 || len(parts[1]) == 0 {
		return "", "", false
	}
	return strings.Join(parts[0], " "), strings.Join(parts[1], " "), true
}

// namesakes counts the members that stand beside a variable of the same name in a comparison, an assignment or a list
// of arguments: p->key == key.
func namesakes(ts []lexeme) (n int) {
	for i := 1; i+1 < len(ts); i++ {
		if !member(ts, i) {
			continue
		}
		t := ts[i+1].text
		ahead := i+3 < len(ts) && joins(ts[i+2].text) && ts[i+3].text == t && !member(ts, i+4)
		behind := i >= 3 && joins(ts[i-2].text) && ts[i-3].text == t
		if ahead || behind {
			n++
		}
	}
	return n
}

// joins reports whether a token puts two operands beside one another.
func joins(t string) bool {
	return slices.Contains([]string{",", "==", "!=", "<", "<=", ">", ">=", "="}, t)
}

// member reports whether the token at i is -> or a dot.
func member(ts []lexeme, i int) bool { return i < len(ts) && (ts[i].text == "->" || ts[i].text == ".") }

// Surroundings returns the range of the expression or statement around a range: up to the nearest semicolon, brace or
// unclosed bracket on each side.
func Surroundings(f *source.File, start, end int) (int, int) {
	t := f.Text
	for depth := 0; start > 0; start-- {
		switch t[start-1] {
		case ')', ']':
			depth++
		case '(', '[':
			depth--
		}
		if depth < 0 || strings.IndexByte(";{}", t[start-1]) >= 0 {
			break
		}
	}
	for depth := 0; end < len(t); end++ {
		switch t[end] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		}
		if depth < 0 || strings.IndexByte(";{}", t[end]) >= 0 {
			break
		}
	}
	return start, end
}

// folly counts what nobody writes on purpose: duplicate comparisons, and values compared or computed with themselves.
type folly struct{ twice, itself int }

// idle counts the numbers that make no difference to a computation or make it pointless: 1 * a, a / 1, a + 0, 0 * a.
func idle(ts []string) (n int) {
	at := func(i int) string {
		if i < 0 || i >= len(ts) {
			return ""
		}
		return ts[i]
	}
	for i, t := range ts {
		before := ""
		if i > 1 && endsOperand(ts[i-2]) {
			before = ts[i-1]
		}
		switch after := at(i + 1); {
		case t == "1" && (after == "*" || before == "*" || before == "/" || before == "%"),
			t == "0" && (after == "+" || before == "+" || before == "-" || after == "*" || before == "*"):
			n++
		}
	}
	return n
}

// endsOperand reports whether an operand may end with a token, so that the operator after it is binary.
func endsOperand(t string) bool {
	return t == ")" || t == "]" || goesOn.MatchString(t) && t != "return"
}

// foolish looks for two comparisons of the same operands joined by && or ||, and for values that are compared or
// computed with themselves.
func foolish(text string) folly {
	var out folly
	var texts []string
	for _, t := range lexemes(text) {
		if texts = append(texts, t.text); t.text == "return" {
			texts = nil
		}
	}
	if parts := split(texts, "="); len(parts) > 1 && len(split(texts, "&&"))+len(split(texts, "||")) > 2 {
		texts = parts[len(parts)-1]
	}
	out.row(texts)
	out.itself += idle(texts) + sameArguments(texts)
	return out
}

// sameArguments counts the calls whose first two arguments are the same variable, element or field: strcmp(s, s).
func sameArguments(ts []string) (n int) {
	for i := 1; i < len(ts); i++ {
		if ts[i] != "(" || !aName.MatchString(ts[i-1]) {
			continue
		}
		var args [][]string
		depth, from := 0, i+1
		for k := i + 1; k < len(ts) && depth >= 0 && len(args) < 2; k++ {
			switch t := ts[k]; {
			case t == "(" || t == "[":
				depth++
			case (t == ")" || t == "]") && depth > 0:
				depth--
			case t == ")" || t == "," && depth == 0:
				args = append(args, ts[from:k])
				if from = k + 1; t == ")" {
					depth = -1
				}
			}
		}
		if len(args) == 2 && len(args[0]) > 0 && aName.MatchString(args[0][0]) && slices.Equal(args[0], args[1]) {
			n++
		}
	}
	return n
}

// row counts follies in a condition and in its parts. It returns the comparisons that the condition joins, and the
// operator that joins them.
func (o *folly) row(ts []string) (list []string, join string) {
	ts = unwrapped(ts)
	for _, join := range []string{"||", "&&"} {
		parts := split(ts, join)
		if len(parts) == 1 {
			continue
		}
		var all []string
		for _, p := range parts {
			sub, j := o.row(p)
			if j != "" && j != join {
				continue // joined by the other operator: a condition of its own
			}
			for _, c := range sub {
				if slices.Contains(all, c) {
					o.twice++
				}
				all = append(all, c)
			}
		}
		return all, join
	}
	for _, op := range []string{"<", "<=", ">", ">=", "==", "!=", "-", "=", "+", "/", "%"} {
		parts := split(ts, op)
		if len(parts) != 2 || len(parts[0]) == 0 || len(parts[1]) == 0 {
			continue
		}
		a, b := strings.Join(parts[0], " "), strings.Join(parts[1], " ")
		if a == b {
			o.itself++
		}
		switch op {
		case "=":
			o.row(parts[1])
			return nil, ""
		case "-", "+", "/", "%":
			return nil, ""
		}
		return []string{min(a, b) + " ? " + max(a, b)}, ""
	}
	return nil, ""
}

// unwrapped removes parentheses around the whole text.
func unwrapped(ts []string) []string {
	for len(ts) > 1 && ts[0] == "(" {
		depth := 0
		for i, t := range ts {
			if t == "(" {
				depth++
			} else if t == ")" {
				if depth--; depth == 0 && i < len(ts)-1 {
					return ts
				}
			}
		}
		if ts[len(ts)-1] != ")" {
			return ts
		}
		ts = ts[1 : len(ts)-1]
	}
	return ts
}

// split splits a text at an operator outside of brackets.
func split(ts []string, op string) [][]string {
	var out [][]string
	depth, from := 0, 0
	for i, t := range ts {
		switch t {
		case "(", "[":
			depth++
		case ")", "]":
			depth--
		case op:
			if depth == 0 {
				out = append(out, ts[from:i])
				from = i + 1
			}
		}
	}
	return append(out, ts[from:])
}
