package mine

import "strings"

// This file removes redundant parentheses: ((k - 1)) is k - 1 unless an operator around it binds tighter. An edit that
// inserts into an expression writes them to be safe, while people would not.

// Precedences, from the comma up. A sign that is not listed is not an operator.
const (
	unknown  = 0 // not an expression, for example a type
	comma    = 1
	assigned = 2
	chosen   = 3 // ?:
	unary    = 14
	postfix  = 15
	primary  = 16
)

var binary = map[string]int{
	"=": assigned, "+=": assigned, "-=": assigned, "*=": assigned, "/=": assigned, "%=": assigned, "&=": assigned, "|=": assigned, "^=": assigned, "<<=": assigned, ">>=": assigned,
	"||": 4, "&&": 5, "|": 6, "^": 7, "&": 8, "==": 9, "!=": 9, "<": 10, ">": 10, "<=": 10, ">=": 10, "<<": 11, ">>": 11, "+": 12, "-": 12, "*": 13, "/": 13, "%": 13,
}

// grouper copies tokens without redundant parentheses. Preprocessor directives stay as they are, because it is not
// known where a macro's parameter is inserted.
type grouper struct {
	text    string
	in, out []token
	at      int
}

// read splits a text into tokens.
func (g *grouper) read(text string) []token {
	g.text, g.in = text, scan(g.in[:0], text)
	return g.in
}

// plain returns the tokens of the text last read, without redundant parentheses. They are valid until the next call.
func (g *grouper) plain() []token {
	g.out, g.at = g.out[:0], 0
	for g.at < len(g.in) {
		g.sequence()
		g.take() // a closing bracket without an opening one
	}
	return g.out
}

func (g *grouper) next() string {
	if g.at < len(g.in) {
		return g.in[g.at].text
	}
	return ""
}

func (g *grouper) take() {
	if g.at < len(g.in) {
		g.out = append(g.out, g.in[g.at])
		g.at++
	}
}

// inner copies a bracketed part with its brackets, and returns the precedence of its content.
func (g *grouper) inner() int {
	g.take()
	tight := g.sequence()
	g.take()
	return tight
}

// reading is the state of reading a sequence.
type reading struct {
	tight   int  // lowest precedence read so far
	left    int  // precedence of the sign before the next operand
	operand bool // the last thing read was an operand
	other   bool // something was read that does not belong to an expression
}

func (p *reading) least(tight int) { p.tight = min(p.tight, tight) }

// begin resets the state at the beginning of a statement or of a part of one.
func (p *reading) begin() { p.left, p.operand, p.other = 0, false, true }

// sequence copies tokens up to a closing parenthesis or bracket, and returns the precedence of the expression.
func (g *grouper) sequence() int {
	p := reading{tight: primary}
	for g.at < len(g.in) {
		t := g.next()
		switch c := class(t); {
		case t == ")" || t == "]":
			if p.other || !p.operand {
				return unknown
			}
			return p.tight
		case t == "(":
			g.parens(&p)
		case t == "[":
			g.inner()
			p.least(postfix)
		case t == "#":
			g.directive()
			p.begin()
		case keywords[t]:
			g.keyword(&p, t)
		case c == "name" || c == "number" || c == "text":
			p.other = p.other || p.operand
			p.operand = true
			g.take()
		default:
			g.sign(&p, t)
			g.take()
		}
	}
	return unknown
}

// parens copies a part in parentheses: arguments, a type, or a part of an expression.
func (g *grouper) parens(p *reading) {
	if p.operand {
		g.inner()
		p.least(postfix)
		return
	}
	start := len(g.out)
	tight := g.inner()
	if n := len(g.out); tight != unknown && behind(p.left, tight) && before(tight, g.next()) {
		g.out = append(g.out[:start], g.out[start+1:n-1]...)
		p.least(tight)
		p.operand = true
		return
	}
	if cast(tight, g.next()) {
		p.least(unary)
		p.left = unary
		return
	}
	p.operand = true
}

// behind reports whether an expression needs no parentheses after a sign of precedence left.
func behind(left, tight int) bool {
	if left <= chosen || left == unary {
		return tight >= max(left, assigned)
	}
	return tight > left
}

// before reports whether an expression needs no parentheses before the token next.
func before(tight int, next string) bool {
	switch next {
	case ")", "]", "}", ";", ",", ":":
		return tight >= assigned
	case "?":
		return tight > chosen
	case ".", "->", "[", "++", "--":
		return tight >= postfix
	}
	q := binary[next]
	if q == assigned {
		return tight >= unary
	}
	return q > 0 && tight >= q
}

// cast reports, by the token that follows, whether parentheses hold a type.
func cast(tight int, next string) bool {
	if next == "" {
		return false
	}
	switch next {
	case "(", "!", "~", "sizeof":
		return true
	case "+", "-", "*", "&", "++", "--":
		return tight == unknown
	}
	c := class(next)
	return c == "name" || c == "number" || c == "text"
}

// directive copies a preprocessor line with its continuation lines.
func (g *grouper) directive() {
	at := g.in[g.at].end
	for at < len(g.text) {
		n := strings.IndexByte(g.text[at:], '\n')
		if n < 0 {
			at = len(g.text)
			break
		}
		at += n + 1
		if n == 0 || g.text[at-2] != '\\' {
			break
		}
	}
	for g.at < len(g.in) && g.in[g.at].start < at {
		g.take()
	}
}

// keyword copies a keyword and, with it, the head of a statement.
func (g *grouper) keyword(p *reading, t string) {
	g.take()
	switch t {
	case "sizeof":
		p.least(unary)
		p.left, p.operand = unary, false
	case "if", "while", "for", "switch":
		if g.next() == "(" {
			g.inner()
		}
		p.begin()
	case "return", "case", "else", "do", "default", "goto":
		p.begin()
	default: // part of a type
		p.operand, p.other = true, true
	}
}

// sign updates the state for an operator or another sign.
func (g *grouper) sign(p *reading, t string) {
	q := binary[t]
	switch {
	case t == ";" || t == "{" || t == "}":
		p.begin()
	case t == ",":
		p.least(comma)
		p.left, p.operand = comma, false
	case t == "?":
		p.least(chosen)
		p.left, p.operand = 0, false
	case t == ":":
		p.least(chosen)
		p.left, p.operand = chosen, false
	case t == "." || t == "->":
		p.least(postfix)
		p.operand = false
	case p.operand && (t == "++" || t == "--"):
		p.least(postfix)
	case p.operand && q > 0:
		p.least(q)
		p.left, p.operand = q, false
	case t == "!" || t == "~" || t == "++" || t == "--" || t == "+" || t == "-" || t == "*" || t == "&":
		p.least(unary)
		p.left, p.operand = unary, false
	default:
		p.other = true
	}
}
