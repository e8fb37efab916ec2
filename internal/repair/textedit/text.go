package textedit

import (
	"regexp"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file reads C as text: its tokens, its lines, the ends of its statements.

var tokenOf = regexp.MustCompile(`"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*|[0-9][\w.]*|<<=|>>=|->|\+\+|--|<<|>>|[<>=!]=|&&|\|\||[-+*/%&|^]=|\S`)

// lexeme is a token of C in a text.
type lexeme struct {
	text       string
	start, end int
}

func lexemes(t string) []lexeme {
	var out []lexeme
	for _, x := range tokenOf.FindAllStringIndex(t, -1) {
		out = append(out, lexeme{t[x[0]:x[1]], x[0], x[1]})
	}
	return out
}

// Token returns the length of the name, literal or single character that a text begins with.
func Token(s string) int {
	switch c := s[0]; {
	case c == '"' || c == '\'':
		n := 1
		for n < len(s) && s[n] != c {
			if s[n] == '\\' {
				n++
			}
			n++
		}
		return min(n+1, len(s))
	case Letter(c):
		n := 1
		for n < len(s) && (Letter(s[n]) || s[n] >= '0' && s[n] <= '9') {
			n++
		}
		return n
	}
	return 1
}

// Letter reports whether a character may begin a name.
func Letter(c byte) bool { return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

// OneLine removes line breaks and comments from C text, so that it fits on a line of its own. ok is false if the text
// contains a directive, or a literal or comment that does not end.
func OneLine(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\'':
			j := i + 1
			for j < len(s) && s[j] != c {
				if s[j] == '\\' {
					j++
				}
				j++
			}
			if j >= len(s) {
				return "", false
			}
			b.WriteString(s[i : j+1])
			i = j
		case c == '/' && strings.HasPrefix(s[i:], "//"):
			for i < len(s) && s[i] != '\n' {
				i++
			}
			b.WriteByte(' ')
		case c == '/' && strings.HasPrefix(s[i:], "/*"):
			j := strings.Index(s[i+2:], "*/")
			if j < 0 {
				return "", false
			}
			i += j + 3
			b.WriteByte(' ')
		case c == '#':
			return "", false
		case c == '\n' || c == '\r' || c == '\\':
			b.WriteByte(' ')
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

// WholeEnd returns the end of a statement with its semicolon.
func WholeEnd(f *source.File, end int) int {
	if end > 0 && (f.Text[end-1] == ';' || f.Text[end-1] == '}') {
		return end
	}
	for i := end; i < len(f.Text); i++ {
		switch f.Text[i] {
		case ' ', '\t', '\n', '\r':
		case ';':
			return i + 1
		default:
			return end
		}
	}
	return end
}

// InMacro reports whether a block comes from the expansion of a macro.
func InMacro(b *cfront.Block) bool { return !strings.HasPrefix(b.Range().Text(), "{") }

// ofMacro reports whether an expression is the whole expansion of a macro, so that the macro's use stands for it as
// text: ROOM, or SQUARE(x). The text put around it compiles whatever the macro expands to.
func ofMacro(x cfront.Expr) bool {
	r := x.Range()
	if !r.Valid() {
		return false
	}
	name, args, call := strings.Cut(r.Text(), "(")
	return constantName.MatchString(strings.TrimSpace(name)) && (!call || strings.HasSuffix(args, ")") && balanced(args[:len(args)-1]))
}

// operandText returns the text of an expression as an operand: in parentheses unless it binds tightly.
func operandText(x cfront.Expr) string {
	t := x.Range().Text()
	switch cfront.Skip(x).(type) {
	case *cfront.Ref, *cfront.Member, *cfront.Index, *cfront.Call, *cfront.Const:
		return t
	}
	if t[0] == '(' && balanced(t[1:len(t)-1]) {
		return t
	}
	return "(" + t + ")"
}

// word matches a name as a whole word.
func word(name string) *regexp.Regexp {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
}

func isNumber(t string) bool { return t[0] >= '0' && t[0] <= '9' }

// numbers counts the numbers in a text except 0 and 1, which are mostly steps and ends.
func numbers(text string) (n int) {
	for _, t := range lexemes(text) {
		if isNumber(t.text) && t.text != "0" && t.text != "1" {
			n++
		}
	}
	return n
}

func cut(f *source.File, start, end int) string { return string(f.Text[start:end]) }

// inBraces returns the change that replaces the unbraced body of an if or a loop by two statements in braces.
func inBraces(f *source.File, start, end int, first, second string) Change {
	from := start
	for from > 0 && strings.IndexByte(" \t\r\n", f.Text[from-1]) >= 0 {
		from--
	}
	line := f.Line(f.Position(from - 1).Line)
	out := f.Indent(from - 1)
	open := " {\n"
	if strings.Contains(line, "//") || strings.Contains(line, "*/") || strings.HasPrefix(strings.TrimSpace(line), "#") {
		from, open = start, "{\n" // a comment stands between the head and the body
	}
	in := out + step(f)
	return Change{f, from, end, open + in + first + "\n" + in + second + "\n" + out + "}"}
}

// beforeElse puts an inserted if into braces where an else of another if follows it.
func (e *Edit) beforeElse() {
	for i := range e.Changes {
		c := &e.Changes[i]
		word := strings.TrimLeft(c.Text, " \t\r\n")
		if !strings.HasPrefix(word, "if ") && !strings.HasPrefix(word, "if(") || !elseFollows(c.File, c.End) {
			continue
		}
		indent := c.Text[:len(c.Text)-len(word)]
		c.Text = indent + "{ " + word + " }"
	}
}

// elseFollows reports whether the next word from offset at is else; comments are skipped.
func elseFollows(f *source.File, at int) bool {
	rest := string(f.Text[at:])
	for {
		rest = strings.TrimLeft(rest, " \t\r\n")
		switch {
		case strings.HasPrefix(rest, "/*"):
			_, rest, _ = strings.Cut(rest[2:], "*/")
		case strings.HasPrefix(rest, "//"):
			_, rest, _ = strings.Cut(rest, "\n")
		default:
			after, ok := strings.CutPrefix(rest, "else")
			return ok && (after == "" || !goesOn.MatchString(after))
		}
	}
}

// behindMacro returns the body after a macro that expands to the head of a loop, as in list_for_each(p, head) *p = 0;
// nil if st is not such a loop.
func behindMacro(st cfront.Stmt) cfront.Stmt {
	var b cfront.Stmt
	switch st := st.(type) {
	case *cfront.While:
		b = st.Body
	case *cfront.For:
		b = st.Body
	}
	if b == nil {
		return nil
	}
	r, in := st.Range(), b.Range()
	if !in.Valid() || in.File != r.File || in.Start <= r.Start || in.End > r.End {
		return nil
	}
	head := string(r.File.Text[r.Start:in.Start])
	if strings.Count(head, "(") != strings.Count(head, ")") {
		return nil // the body is an argument of the macro
	}
	return b
}

// standsAsWritten reports whether a statement is written out, not expanded from a macro.
func standsAsWritten(st cfront.Stmt) bool {
	t := st.Range().Text()
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.HasPrefix(t, w) {
				return true
			}
		}
		return false
	}
	switch st := st.(type) {
	case *cfront.ExprStmt:
		return st.X.Editable()
	case *cfront.If:
		return has("if")
	case *cfront.While, *cfront.For:
		return has("for", "while", "do")
	case *cfront.Switch:
		return has("switch")
	case *cfront.Return:
		return has("return") && (st.X == nil || st.X.Editable() || writtenNull(st.X))
	case *cfront.Jump:
		return has("break", "continue", "goto")
	}
	return false
}

func inner(f *source.File, at int) string { return f.Indent(at) + step(f) }

// step returns one level of indentation as a file writes it.
func step(f *source.File) string {
	for n := 1; n <= f.Lines(); n++ {
		l := f.Line(n)
		if strings.HasPrefix(l, "\t") {
			return "\t"
		}
		if k := len(l) - len(strings.TrimLeft(l, " ")); k >= 2 && l[k:] != "" && l[k] != '*' {
			return strings.Repeat(" ", min(k, 8))
		}
	}
	return "    "
}

// collapsed replaces each run of blanks outside literals by one, so that two texts that differ only in indentation
// compare equal.
func collapsed(text string) string {
	if !strings.Contains(text, "  ") && !strings.ContainsAny(text, "\t") {
		return text
	}
	var b strings.Builder
	quote, blank := byte(0), false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0:
			if c == '\\' && i+1 < len(text) {
				b.WriteByte(c)
				i++
				c = text[i]
			} else if c == quote {
				quote = 0
			}
		case c == ' ' || c == '\t':
			blank = true
			continue
		case c == '"' || c == '\'':
			quote = c
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		b.WriteByte(c)
	}
	return b.String()
}

// behindIndent returns the indentation for a statement inserted after prev.
func behindIndent(prev cfront.Stmt) string {
	f, at := prev.Range().File, prev.Range().Start
	if f == nil {
		return ""
	}
	if _, ok := prev.(*cfront.Case); ok {
		return inner(f, at)
	}
	return f.Indent(at)
}

// declarationEnd returns the offset after the semicolon of a declaration; -1 if d is not its last declarator.
func declarationEnd(f *source.File, d *cfront.Decl) int {
	for i := d.Range().End; i < len(f.Text); i++ {
		switch f.Text[i] {
		case ' ', '\t', '\n', '\r':
		case ';':
			return i + 1
		default:
			return -1
		}
	}
	return -1
}

// path reports whether an expression is an lvalue: a variable, a member, an element or a dereference.
func path(x cfront.Expr) bool {
	switch x.(type) {
	case *cfront.Ref, *cfront.Member, *cfront.Index, *cfront.Deref:
		return true
	}
	return false
}

func isName(t string) bool { return t[0] == '_' || t[0]|0x20 >= 'a' && t[0]|0x20 <= 'z' }

// negation returns the opposite of a condition as people write it.
func negation(x cfront.Expr) string {
	t := x.Range().Text()
	if n, ok := x.(*cfront.LogicalNot); ok && n.X.Editable() {
		return n.X.Range().Text()
	}
	switch cfront.Skip(x).(type) {
	case *cfront.Ref, *cfront.Member, *cfront.Call, *cfront.Index:
		return "!" + t
	}
	return "!(" + t + ")"
}

// promoted returns the name of an integer type after promotion; "" for other types.
func promoted(t *ctype.Type) string {
	switch {
	case t == nil || !t.IsInteger():
		return ""
	case t.Size < 4:
		return "int"
	}
	name := "int"
	if t.Size > 4 {
		name = "long"
	}
	if !t.Signed {
		name = "unsigned " + name
	}
	return name
}

// balanced reports whether all brackets in a text are closed in it.
func balanced(t string) bool {
	depth := 0
	for i := 0; i < len(t); i++ {
		switch t[i] {
		case '\'', '"':
			q := t[i]
			for i++; i < len(t) && t[i] != q; i++ {
				if t[i] == '\\' {
					i++
				}
			}
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

// tight reports whether the text around a range may take an operation there apart: it is anything but brackets, commas,
// assignments, comparisons and logical operators.
func tight(text []byte, start, end int) bool {
	before, after := "", ""
	for i := start - 1; i >= 0; i-- {
		if c := text[i]; c != ' ' && c != '\t' && c != '\n' {
			before = string(text[max(0, i-1) : i+1])
			break
		}
	}
	for i := end; i < len(text); i++ {
		if c := text[i]; c != ' ' && c != '\t' && c != '\n' {
			after = string(text[i:min(len(text), i+2)])
			break
		}
	}
	loose := func(c byte) bool { return strings.IndexByte("(,;{[=<>?:)]}", c) >= 0 }
	if before != "" {
		c := before[len(before)-1]
		if !(loose(c) || before == "&&" || before == "||" || before == "rn") || before == "<<" || before == ">>" || before == "->" {
			return true
		}
	}
	if after != "" {
		if !(loose(after[0]) && after != "[" || after == "&&" || after == "||" || after == "!=") || after[0] == '[' || after[0] == '(' || after == "<<" || after == ">>" {
			return true
		}
	}
	return false
}

func paren(x cfront.Expr) string {
	switch cfront.Skip(x).(type) {
	case *cfront.Binary, *cfront.Logical, *cfront.Cond, *cfront.Assign, *cfront.Comma:
		return operandText(x)
	}
	return x.Range().Text()
}

func sign(and bool) string {
	if and {
		return "&&"
	}
	return "||"
}

// writtenNull reports whether an expression is the word NULL in the source.
func writtenNull(x cfront.Expr) bool {
	return cfront.IsNull(x) && x.Range().Valid() && x.Range().Text() == "NULL"
}

// firstIndent returns the indentation of a block's first statement.
func firstIndent(b *cfront.Block) string {
	f := b.Range().File
	if len(b.List) > 0 {
		return f.Indent(b.List[0].Range().Start)
	}
	return f.Indent(b.Range().Start) + step(f)
}
