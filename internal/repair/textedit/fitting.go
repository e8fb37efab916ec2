package textedit

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file makes the conversions of a format fit the arguments: %lf for %f where scanf reads a double, %d for %f where
// printf gets an integer. All conversions of a format that do not fit are changed by one edit.

// Conversion matches a conversion in a format of printf or scanf, also one that takes no argument (%%, %*d). Its groups
// are the flags, the width, the precision, the size of the argument, and the conversion letter or set of characters.
var Conversion = regexp.MustCompile(`%([-+ 0#']*)(\*?[0-9]*)(?:\.(\*|[0-9]*))?(hh|h|ll|l|z|L|j|t)?(\[\^?\]?[^\]]*\]|[a-zA-Z%])`)

// fitting lists edits of a call's format and arguments that make them fit each other.
func (s *Space) fitting(c *cfront.Call, fn *cfront.Func) {
	f, ok := c.Fun.(*cfront.FuncRef)
	if !ok {
		return
	}
	at, ok := formats[f.Func.Name]
	if !ok || at >= len(c.Args) {
		return
	}
	str, ok := cfront.Skip(c.Args[at]).(*cfront.String)
	if !ok || !str.Editable() {
		return
	}
	reads := strings.HasSuffix(f.Func.Name, "scanf")
	if reads {
		s.readBy[str] = true
	}
	text := str.Range().Text()
	ms := slices.DeleteFunc(Conversion.FindAllStringSubmatchIndex(text, -1), func(m []int) bool { return text[m[10]:m[11]] == "%" })
	if reads {
		s.separated(str, fn)
	}
	s.inQuotes(c, str, at, len(ms), fn)
	if f.Func.Name == "printf" && len(ms) == 0 && len(c.Args) == 1 {
		s.valued(c, str, fn)
	}
	if reads && len(ms) == len(c.Args)-at-1 {
		s.addressed(c, at+1, fn)
	}
	s.rotated(c, at+1, fn)
	if len(ms) != len(c.Args)-at-1 || strings.Count(text, `"`)-strings.Count(text, `\"`) != 2 {
		return
	}
	now, digits, changed := text, text, false
	for i := len(ms) - 1; i >= 0; i-- {
		m := ms[i]
		if m[5] > m[4] && text[m[4]] == '*' {
			return
		}
		if conv := fitted(text[m[0]:m[1]], c.Args[at+1+i].Type(), reads); conv != "" {
			now, changed = now[:m[0]]+conv+now[m[1]:], true
			if !reads && conv == "%f" {
				conv = precise
			}
			digits = digits[:m[0]] + conv + digits[m[1]:]
		}
	}
	if !changed {
		return
	}
	const what = "a conversion that does not match its argument"
	s.replaced(str, fn, CostLiteral, what, now, now)
	for k := 0; strings.Contains(digits, precise) && k <= mostDigits; k++ { // who wrote %d did not think of the number of decimals
		t := strings.ReplaceAll(digits, precise, fmt.Sprintf("%%.%df", k))
		s.replaced(str, fn, CostLiteral, what, t, t)
	}
}

// argumentsInText matches a string literal that contains the arguments that should follow it.
var argumentsInText = regexp.MustCompile(`^("(?:[^"\\]|\\.)*?)\s*,\s*(&?[A-Za-z_]\w*(?:\[\w+\])*(?:\s*,\s*&?[A-Za-z_]\w*(?:\[\w+\])*)*)\s*"$`)

// inQuotes lists a call whose arguments stand inside the quotes, as in scanf("%d,&n"), with the quote moved. n is the
// number of arguments that the format needs.
func (s *Space) inQuotes(c *cfront.Call, str *cfront.String, at, n int, fn *cfront.Func) {
	m := argumentsInText.FindStringSubmatch(str.Range().Text())
	if m == nil || !within(str, c) || len(c.Args) > at+1 || n == 0 || n != strings.Count(m[2], ",")+1 || strings.Contains(m[2], "%") {
		return
	}
	r, x := c.Range(), str.Range()
	now := m[1] + `", ` + m[2]
	s.add(Value, fn, r.File, r.Start, r.End, cut(r.File, r.Start, x.Start)+now+cut(r.File, x.End, r.End),
		&Edit{What: "the quotes end behind the arguments, so that they are text", Cost: CostLiteral, Changes: []Change{{r.File, x.Start, x.End, now}}})
}

var wordInText = regexp.MustCompile(`[A-Za-z_]\w*`)

// valued lists, for a text that is printed as it stands, values in its place: that of a variable whose name is a word of
// it, printf("N") for printf("%d", N), and that of any variable for all of it but the ends of lines.
func (s *Space) valued(c *cfront.Call, str *cfront.String, fn *cfront.Func) {
	r, x := c.Range(), str.Range()
	text := x.Text()
	if !within(str, c) || len(text) < 3 || text[0] != '"' || strings.Count(text, `"`)-strings.Count(text, `\"`) != 2 {
		return
	}
	put := func(cost int, from, to int, v *cfront.Var) {
		conv := ""
		switch t := v.Type; {
		case t.IsInteger() && t.Size == 1:
			conv = "%c"
		case t.IsInteger(), t.Kind == ctype.Float && t.Size <= 8:
			conv = fitted("%p", t, false)
		case (t.Kind == ctype.Pointer || t.Kind == ctype.Array) && t.Elem.IsInteger() && t.Elem.Size == 1:
			conv = "%s"
		}
		if conv == "" {
			return
		}
		now := text[:from] + conv + text[to:] + ", " + v.Name
		s.add(Value, fn, r.File, r.Start, r.End, cut(r.File, r.Start, x.Start)+now+cut(r.File, x.End, r.End),
			&Edit{What: "a text is printed, not a value", Cost: cost, Changes: []Change{{r.File, x.Start, x.End, now}}})
	}
	body := strings.TrimSuffix(text[:len(text)-1], `\n`)
	n := 0
	for _, v := range Visible(s.tree, fn, r.File, r.Start) {
		for _, m := range wordInText.FindAllStringIndex(text, -1) {
			if text[m[0]:m[1]] == v.Name && text[m[0]-1] != '\\' {
				put(CostLiteral, m[0], m[1], v)
			}
		}
		if n < mostVariables && v.Func != nil {
			n++
			put(costPath+1, 1, len(body), v)
		}
	}
}

// addressed lists a call of scanf with every & that its arguments lack, all in one edit.
func (s *Space) addressed(c *cfront.Call, from int, fn *cfront.Func) {
	var changes []Change
	for _, a := range c.Args[from:] {
		r := a.Range()
		switch cfront.Skip(a).(type) {
		case *cfront.Ref, *cfront.Index, *cfront.Member:
		default:
			continue
		}
		t := cfront.Skip(a).Type()
		if !t.IsInteger() && t.Kind != ctype.Float {
			continue
		}
		if !within(a, c) || strings.HasPrefix(r.Text(), "&") {
			return
		}
		changes = append(changes, Change{r.File, r.Start, r.Start, "&"})
	}
	if len(changes) == 0 {
		return
	}
	r := c.Range()
	text, at := "", r.Start
	for _, ch := range changes {
		text += cut(r.File, at, ch.Start) + ch.Text
		at = ch.End
	}
	s.add(Value, fn, r.File, r.Start, r.End, text+cut(r.File, at, r.End), &Edit{What: "& is missing: scanf needs the address of the variable", Cost: CostLiteral, Changes: changes})
}

// mostRotated bounds the groups of three arguments that are rotated.
const mostRotated = 4

// rotated lists a call with three arguments of one type rotated. Exchanging two arguments is listed for every call
// elsewhere.
func (s *Space) rotated(c *cfront.Call, from int, fn *cfront.Func) {
	r, n := c.Range(), 0
	for i := from; i+2 < len(c.Args); i++ {
		x := c.Args[i : i+3]
		if n == mostRotated || !within(x[0], c) || !within(x[1], c) || !within(x[2], c) || !sameType(x[0].Type(), x[1].Type()) || !sameType(x[1].Type(), x[2].Type()) {
			continue
		}
		n++
		a, b, d := x[0].Range(), x[1].Range(), x[2].Range()
		if a.End > b.Start || b.End > d.Start {
			continue
		}
		for _, to := range [][3]string{{b.Text(), d.Text(), a.Text()}, {d.Text(), a.Text(), b.Text()}} {
			text := cut(r.File, r.Start, a.Start) + to[0] + cut(r.File, a.End, b.Start) + to[1] + cut(r.File, b.End, d.Start) + to[2] + cut(r.File, d.End, r.End)
			s.replaced(c, fn, costSwap+1, "arguments in another order", text, text)
		}
	}
}

// A real number that was printed as an integer is tried with 0 to mostDigits decimals; precise marks the place for
// them.
const (
	precise    = "%.\x00f"
	mostDigits = 4
)

// inputSeparators are characters that may stand between the numbers of an input.
const inputSeparators = ",;:/-"

// separated lists the format of scanf with other separators between its conversions: none if the inputs have none, or
// one that all inputs have.
func (s *Space) separated(str *cfront.String, fn *cfront.Func) {
	text := str.Range().Text()
	if strings.Count(text, `"`)-strings.Count(text, `\"`) != 2 || strings.Contains(text, "[") {
		return
	}
	ms := Conversion.FindAllStringIndex(text, -1)
	for _, sep := range append([]string{""}, strings.Split(inputSeparators, "")...) {
		if len(ms) < 2 || !s.separates(sep) {
			continue
		}
		now := `"`
		for i, m := range ms {
			if i > 0 {
				now += sep
			}
			now += text[m[0]:m[1]]
		}
		now += `"`
		squeeze := func(t string) string { return strings.Join(strings.Fields(t), "") }
		if sep == "" && !strings.ContainsAny(text, inputSeparators) || squeeze(now) == squeeze(text) {
			continue // blanks make no difference
		}
		s.replaced(str, fn, CostLiteral, "scanf expects other characters between the values than the input has", now, now)
	}
}

// separates reports whether every input contains sep or, if sep is empty, whether none contains a separator.
func (s *facts) separates(sep string) bool {
	for i := range s.tests {
		in := strings.TrimLeft(s.tests[i].Stdin, "-")
		if sep == "" && strings.ContainsAny(strings.ReplaceAll(in, " -", " "), inputSeparators) || sep != "" && !strings.Contains(in, sep) {
			return false
		}
	}
	return len(s.tests) > 0
}

// fitted returns a conversion for an argument of type t; if reads is set, t is the type of the pointer passed to scanf.
// It returns "" if conv fits already, or if no fitting one is known.
func fitted(conv string, t *ctype.Type, reads bool) string {
	kind := conv[len(conv)-1]
	if reads {
		if t.Kind != ctype.Pointer {
			return ""
		}
		t = t.Elem
	}
	size := strings.TrimLeft(conv[1:len(conv)-1], "-+ 0#123456789.")
	sizes := map[int64][]string{1: {"hh"}, 2: {"h"}, 4: {""}, 8: {"l", "ll", "z", "j", "t"}}
	switch {
	case t.Kind == ctype.Float && t.Size <= 8:
		ok := strings.IndexByte("fFeEgGaA", kind) >= 0
		if ok && (!reads && size != "L" || reads && (size == "l") == (t.Size == 8) && size != "L") {
			return ""
		}
		if !reads {
			return "%f"
		}
		if t.Size == 8 {
			return "%lf"
		}
		return "%f"
	case t.IsInteger():
		if strings.IndexByte("diuxXo", kind) >= 0 && slices.Contains(sizes[int64(t.Size)], size) {
			return ""
		}
		if t.Size == 1 || !reads && kind == 'c' || reads && kind == 'c' {
			return ""
		}
		return "%" + sizes[int64(t.Size)][0] + "d"
	}
	return ""
}
