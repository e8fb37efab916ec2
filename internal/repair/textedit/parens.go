package textedit

import (
	"strings"

	"gulo/internal/source"
)

// This file puts the replacement of an expression into parentheses where the operators beside it would take it apart.

// strength is the precedence of binary operators: a larger number binds more tightly.
var strength = map[string]int{
	",": 1, "=": 2, "+=": 2, "-=": 2, "*=": 2, "/=": 2, "%=": 2, "&=": 2, "|=": 2, "^=": 2, "<<=": 2, ">>=": 2, "?": 3, ":": 3,
	"||": 4, "&&": 5, "|": 6, "^": 7, "&": 8, "==": 9, "!=": 9, "<": 10, ">": 10, "<=": 10, ">=": 10,
	"<<": 11, ">>": 11, "+": 12, "-": 12, "*": 13, "/": 13, "%": 13,
}

// associative operators need no parentheses around a right operand with an operator of the same precedence.
var associative = map[string]bool{"+": true, "*": true, "&": true, "|": true, "^": true, "&&": true, "||": true}

// Precedences of anything but binary operators.
const (
	noOperator = 0
	unary      = 14
	primary    = 16
)

// oper is an operator in an expression's text.
type oper struct {
	text   string
	binary bool
}

// operatorsOf returns the operators of a text that are not in parentheses.
func operatorsOf(text string) (out []oper) {
	operand, depth := false, 0
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
		case c == '"' || c == '\'':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			i++
			operand = true
		case c == '(' || c == '[' || c == '{':
			depth++
			i++
			operand = false
		case c == ')' || c == ']' || c == '}':
			depth--
			i++
			operand = true
		case wordByte(c):
			j := i
			for j < len(text) && (wordByte(text[j]) || text[j] == '.' && text[i] <= '9') {
				j++
			}
			operand = text[i:j] != "sizeof"
			i = j
		default:
			n := operator(text[i:])
			s := text[i : i+n]
			i += n
			step := s == "++" || s == "--"
			if depth == 0 && s != "." && s != "->" {
				out = append(out, oper{s, operand && !step})
			}
			operand = operand && step
		}
	}
	return out
}

func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// operator returns the length of the operator that a text begins with.
func operator(s string) int {
	for _, n := range []int{3, 2} {
		if len(s) < n {
			continue
		}
		switch s[:n] {
		case "<<=", ">>=", "++", "--", "->":
			return n
		}
		if _, ok := strength[s[:n]]; ok {
			return n
		}
	}
	return 1
}

// weakest returns the precedence of the weakest operator in an expression.
func weakest(text string) int {
	w := primary
	for _, s := range operatorsOf(text) {
		if n := strength[s.text]; s.binary && n > 0 {
			w = min(w, n)
		} else {
			w = min(w, unary)
		}
	}
	return w
}

// besideLeft returns the precedence and the text of the operator that stands directly before an offset.
func besideLeft(f *source.File, at int) (int, string) {
	line := strings.TrimRight(string(f.Text[max(0, at-200):at]), " \t\r\n")
	if line == "" {
		return noOperator, ""
	}
	list := operatorsOf(openAt(line))
	if strings.HasSuffix(line, ")") {
		return unary, "" // a cast
	}
	if len(list) == 0 || !strings.HasSuffix(line, list[len(list)-1].text) {
		return noOperator, ""
	}
	s := list[len(list)-1]
	if !s.binary {
		return unary, s.text
	}
	return strength[s.text], s.text
}

// openAt returns the text after the last bracket, semicolon or brace that is still open at the end of a text.
func openAt(text string) string {
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case ')', ']':
			depth++
		case '(', '[':
			if depth--; depth < 0 {
				return text[i+1:]
			}
		case ';', '{', '}':
			if depth == 0 {
				return text[i+1:]
			}
		}
	}
	return text
}

// besideRight returns the precedence of the operator that stands directly after an offset.
func besideRight(f *source.File, at int) int {
	rest := strings.TrimLeft(string(f.Text[at:min(len(f.Text), at+200)]), " \t\r\n")
	if rest == "" {
		return noOperator
	}
	switch s := rest[:operator(rest)]; s {
	case "[", "(", ".", "->", "++", "--":
		return primary
	default:
		return strength[s]
	}
}

// keptTogether puts the new text of a value into parentheses where it needs them.
func (e *Edit) keptTogether(start, end int) {
	if len(e.Changes) != 1 {
		return
	}
	c := &e.Changes[0]
	if c.Start != start || c.End != end || strings.TrimSpace(c.Text) == "" {
		return
	}
	left, sign := besideLeft(c.File, start)
	right, own := besideRight(c.File, end), weakest(c.Text)
	first := strings.TrimSpace(c.Text)[0]
	apart := (own > left || own == left && associative[sign]) && own >= right
	if left == strength["="] || left == strength["?"] || left == strength[","] { // these take everything on their right
		apart = own >= left && own >= right
	}
	if sign == "*" && strings.ContainsAny(c.Text, "/%") {
		apart = apart && own > left
	}
	if sign != "" && own == unary && (first == '-' || first == '+' || first == '&') && sign[len(sign)-1] == first {
		apart = false
	} else if own == unary && left == unary {
		apart = true
	}
	if !apart {
		c.Text = "(" + c.Text + ")"
	}
}

// anded returns a condition as an operand of &&.
func anded(c string) string {
	if weakest(c) < strength["&&"] {
		return "(" + c + ")"
	}
	return c
}

// ored returns a condition as an operand of ||.
func ored(c string) string {
	if weakest(c) < strength["||"] {
		return "(" + c + ")"
	}
	return c
}
