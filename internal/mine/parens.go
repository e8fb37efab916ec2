package mine

import "strings"

// This file takes away parentheses that change nothing: ((k - 1)) is k - 1 where no operator around it binds tighter. An edit
// that is put into an expression has them to be safe, where its author would write none.

// How tightly signs bind, from the comma up. What is not listed is no operator.
const (
	unknown  = 0 // no expression: a type, say
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

// grouper copies tokens without such parentheses. Directives stay as they are: what a macro's parameter is put into is not known.
type grouper struct {
	text    string
	in, out []token
	at      int
}

// read takes a text apart.
func (g *grouper) read(text string) []token {
	g.text, g.in = text, scan(g.in[:0], text)
	return g.in
}

// plain returns the tokens of the text that was read. They are good until the next one is.
func (g *grouper) plain() []token {
	g.out, g.at = g.out[:0], 0
	for g.at < len(g.in) {
		g.sequence()
		g.take() // a closing sign without its opening one
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

// inner copies what stands between two signs, with both, and returns how tightly it binds.
func (g *grouper) inner() int {
	g.take()
	tight := g.sequence()
	g.take()
	return tight
}

// reading is what a sequence knows of what it has read.
type reading struct {
	tight   int  // how tightly its parts bind, at least
	left    int  // how tightly the sign does that the next operand follows
	operand bool // an operand was read last
	other   bool // something was read that belongs to no expression
}

func (p *reading) least(tight int) { p.tight = min(p.tight, tight) }

// begin forgets what stands before a statement, or a part of one.
func (p *reading) begin() { p.left, p.operand, p.other = 0, false, true }

// sequence copies up to a closing parenthesis or bracket, and returns how tightly that binds.
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

// parens copies what stands in parentheses: arguments, a type or a part of an expression.
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

// behind reports whether an expression needs no parentheses because of the sign before it.
func behind(left, tight int) bool {
	if left <= chosen || left == unary {
		return tight >= max(left, assigned)
	}
	return tight > left
}

// before reports whether an expression needs none because of what comes next.
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

// cast reports whether parentheses hold a type, by what comes next.
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

// directive copies a line of the preprocessor with those that it goes on in.
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

// keyword copies a keyword, and the head of a statement with it.
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
	default: // of a type
		p.operand, p.other = true, true
	}
}

// sign says what an operator or another sign does.
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
