package takeover

import (
	"fmt"
	"slices"
	"strings"
)

// This file splits the text of a function into units: statements without a body, heads of statements with a body, and
// ends of bodies.

type kind uint8

const (
	plain   kind = iota // a statement, or a label
	open                // the head of a statement with a body
	turn                // an else, with its if
	closing             // the end of a body
)

// unit is a part of a function's text.
type unit struct {
	kind       kind
	key        string   // the keyword of a head
	toks       []string // without braces, and without types in the head of a for
	start, end int      // of its text, braces included; equal if it has none
	opens      bool     // a brace opens the body
	closes     bool     // it closes the previous body with a brace
	initial    bool     // the initial value of a variable in a declaration
	decl       bool
	names      []string // that a declaration or the head of a for declares
	types      []string // their type in the head of a for
	pair       int      // for a head or turn: index of the next turn or closing; -1: none
}

// local is a variable with its declaration.
type local struct {
	name, text string // text declares only this variable, without its initial value unless it is an array
	types      string // its type in a normal form
	points     bool   // it is a pointer or an array
	inner      bool   // declared in an inner block, and not visible outside of it
}

// body is a function split into units.
type body struct {
	text   string
	units  []unit
	locals []local
	first  int // offset of the first possible statement; not used
}

type tok struct {
	text       string
	start, end int
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

func isName(s string) bool { return s != "" && wordByte(s[0]) && (s[0] < '0' || s[0] > '9') }

var signs = []string{"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="}

// scan splits C text between two offsets into tokens. It fails on a directive, and on a comment that does not end.
func scan(s string, from, to int) ([]tok, error) {
	var out []tok
	for i := from; i < to; {
		c, j := s[i], i+1
		switch {
		case strings.IndexByte(" \t\r\n\f\v", c) >= 0:
			i++
			continue
		case strings.HasPrefix(s[i:to], "//"):
			for i < to && s[i] != '\n' {
				i++
			}
			continue
		case strings.HasPrefix(s[i:to], "/*"):
			k := strings.Index(s[i+2:to], "*/")
			if k < 0 {
				return nil, errText
			}
			i += k + 4
			continue
		case c == '#' || c == '\\':
			return nil, errText // a directive
		case c == '"' || c == '\'':
			for j < to && s[j] != c {
				if s[j] == '\\' {
					j++
				}
				j++
			}
			j = min(j+1, to)
		case wordByte(c):
			for j < to && (wordByte(s[j]) || s[j] == '.' && c >= '0' && c <= '9') {
				j++
			}
		default:
			for _, o := range signs {
				if strings.HasPrefix(s[i:to], o) {
					j = i + len(o)
					break
				}
			}
		}
		out = append(out, tok{s[i:j], i, j})
		i = j
	}
	return out, nil
}

var errText = fmt.Errorf("the text of a function cannot be taken apart")

// parser splits the tokens of a body into units.
type parser struct {
	ts  []tok
	at  int
	out *body
}

// apart splits the body of a function, between its braces, into units.
func apart(text string, from, to int) (b *body, err error) {
	ts, err := scan(text, from, to)
	if err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			if r != errText {
				panic(r)
			}
			b, err = nil, errText
		}
	}()
	p := &parser{ts: ts, out: &body{text: text, first: from}}
	for p.at < len(ts) {
		p.statement()
	}
	p.out.paired()
	return p.out, nil
}

func (p *parser) peek() string {
	if p.at < len(p.ts) {
		return p.ts[p.at].text
	}
	return ""
}

func (p *parser) next() tok {
	if p.at >= len(p.ts) {
		panic(errText)
	}
	p.at++
	return p.ts[p.at-1]
}

// group reads tokens up to the end of the parentheses that begin here.
func (p *parser) group() (out []string) {
	depth := 0
	for {
		t := p.next().text
		out = append(out, t)
		switch t {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		if depth == 0 {
			return out
		}
	}
}

func (p *parser) add(u unit) int {
	u.pair = -1
	p.out.units = append(p.out.units, u)
	return len(p.out.units) - 1
}

func (p *parser) last() int { return p.ts[p.at-1].end }

func (p *parser) statement() {
	t := p.next()
	switch t.text {
	case "{":
		p.add(unit{kind: open, key: "{", start: t.start, end: t.end, opens: true})
		p.inBraces()
	case "if":
		p.conditional(t)
	case "for", "while", "switch":
		head := append([]string{t.text}, p.group()...)
		if p.peek() == ";" && t.text != "switch" { // an empty body
			p.next()
			p.add(unit{kind: plain, toks: append(head, ";"), start: t.start, end: p.last()})
			return
		}
		toks, types, names := p.untyped(head)
		n := p.head(t.text, toks, t.start)
		p.out.units[n].types, p.out.units[n].names = types, names
	case "do":
		p.head("do", []string{"do"}, t.start)
		n := len(p.out.units) - 1
		if p.peek() != "while" {
			panic(errText)
		}
		p.next()
		p.out.units[n].toks = append([]string{"while"}, p.group()...)
		if p.next().text != ";" {
			panic(errText)
		}
		p.out.units[n].end = p.last()
	case "case", "default":
		toks := []string{t.text}
		for toks[len(toks)-1] != ":" {
			toks = append(toks, p.next().text)
		}
		p.add(unit{kind: plain, toks: toks, start: t.start, end: p.last()})
	case "else", "}":
		panic(errText)
	default:
		if isName(t.text) && p.peek() == ":" {
			p.next()
			p.add(unit{kind: plain, toks: []string{t.text, ":"}, start: t.start, end: p.last()})
			return
		}
		p.at--
		var toks []string
		for len(toks) == 0 || toks[len(toks)-1] != ";" {
			switch p.peek() {
			case "(", "[", "{":
				toks = append(toks, p.group()...)
			case "}":
				panic(errText)
			default:
				toks = append(toks, p.next().text)
			}
		}
		u := unit{kind: plain, toks: toks, start: t.start, end: p.last()}
		if declares(toks) {
			p.declaration(u)
			return
		}
		p.add(u)
	}
}

// inBraces reads statements up to the closing brace, which becomes a unit of its own.
func (p *parser) inBraces() {
	for p.peek() != "}" {
		p.statement()
	}
	t := p.next()
	p.add(unit{kind: closing, start: t.start, end: t.end, closes: true})
}

// head reads the body of a head, and returns the index of the head's unit. The last unit is then the end of the body.
func (p *parser) head(key string, toks []string, start int) int {
	u := unit{kind: open, key: key, toks: toks, start: start, end: p.last()}
	if p.peek() == "{" {
		p.next()
		u.opens, u.end = true, p.last()
		n := p.add(u)
		p.inBraces()
		return n
	}
	n := p.add(u)
	p.statement()
	p.add(unit{kind: closing, start: p.last(), end: p.last()})
	return n
}

// conditional reads an if with all its branches.
func (p *parser) conditional(t tok) {
	p.head("if", append([]string{"if"}, p.group()...), t.start)
	for p.peek() == "else" {
		end := p.out.units[len(p.out.units)-1]
		p.out.units = p.out.units[:len(p.out.units)-1]
		e := p.next()
		u := unit{kind: turn, key: "else", toks: []string{"else"}, start: e.start, closes: end.closes}
		if end.closes {
			u.start = end.start
		}
		if p.peek() == "if" {
			p.next()
			u.key, u.toks = "else if", append([]string{"else", "if"}, p.group()...)
		}
		u.end = p.last()
		if p.peek() == "{" {
			p.next()
			u.opens, u.end = true, p.last()
			p.add(u)
			p.inBraces()
		} else {
			p.add(u)
			p.statement()
			p.add(unit{kind: closing, start: p.last(), end: p.last()})
		}
		if u.key == "else" {
			return
		}
	}
}

var typeWords = []string{"int", "char", "long", "short", "unsigned", "signed", "float", "double", "const", "struct", "union", "enum", "static", "register", "volatile", "void", "_Bool", "bool", "size_t", "auto"}

// declares reports whether a statement is a declaration.
func declares(toks []string) bool {
	if slices.Contains(typeWords, toks[0]) {
		return true
	}
	if !isName(toks[0]) || slices.Contains([]string{"return", "goto", "break", "continue", "sizeof", "typedef", "extern"}, toks[0]) {
		return false
	}
	i := 1
	for i < len(toks) && toks[i] == "*" {
		i++
	}
	return i+1 < len(toks) && isName(toks[i]) && slices.Contains([]string{",", ";", "=", "["}, toks[i+1])
}

// base returns the number of tokens of a declaration that make up its type.
func base(toks []string) int {
	i := 0
	for i < len(toks) {
		switch {
		case toks[i] == "struct" || toks[i] == "union" || toks[i] == "enum":
			i += 2
		case slices.Contains(typeWords, toks[i]):
			i++
		case i == 0:
			return 1
		default:
			return i
		}
	}
	return i
}

// inside reports whether the parser is in an inner block.
func (p *parser) inside() bool {
	depth := 0
	for i := range p.out.units {
		switch p.out.units[i].kind {
		case open:
			depth++
		case closing:
			depth--
		}
	}
	return depth > 0
}

// declaration reads a declaration. Initial values become units of their own.
func (p *parser) declaration(u unit) {
	n := base(u.toks)
	u.decl = true
	at := p.add(u)
	for _, d := range split(u.toks[min(n, len(u.toks)):len(u.toks)-1], ",") {
		l, init := declared(u.toks[:n], d)
		if l.name == "" {
			panic(errText)
		}
		l.inner = p.inside()
		p.out.locals = append(p.out.locals, l)
		p.out.units[at].names = append(p.out.units[at].names, l.name)
		if len(init) > 0 && init[0] != "{" && !slices.Contains(d[:len(d)-len(init)], "[") {
			p.add(unit{kind: plain, toks: append(append([]string{l.name, "="}, init...), ";"), start: u.end, end: u.end, initial: true})
		}
	}
}

// declared reads one declarator; init is the text after its =.
func declared(types, d []string) (l local, init []string) {
	if i := slices.Index(d, "="); i >= 0 {
		d, init = d[:i], d[i+1:]
	}
	for _, t := range d {
		if isName(t) {
			l.name = t
			break
		}
	}
	kept := types
	for _, w := range []string{"const", "register"} {
		kept = slices.DeleteFunc(slices.Clone(kept), func(t string) bool { return t == w })
	}
	all := append(slices.Clone(kept), d...)
	if slices.Contains(d, "[") && len(init) > 0 {
		all = append(append(all, "="), init...)
	}
	l.text = spelled(all) + ";"
	l.types = form(kept, d)
	l.points = strings.ContainsAny(l.types, "*[")
	return l, init
}

// form returns a type in a form in which types that may replace each other are equal, such as all integers.
func form(types, d []string) string {
	s := strings.Join(types, " ")
	switch {
	case strings.Contains(s, "double") || strings.Contains(s, "float"):
		s = "real"
	case strings.Contains(s, "int") && !strings.Contains(s, "_") || s == "char" || s == "long" || s == "short" || s == "unsigned" || s == "unsigned char" || s == "size_t":
		s = "integer"
	}
	for _, t := range d {
		if t == "*" || t == "[" {
			s += "*"
		}
	}
	return s
}

func split(toks []string, sep string) (out [][]string) {
	depth, from := 0, 0
	for i, t := range toks {
		switch t {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		if t == sep && depth == 0 {
			out = append(out, toks[from:i])
			from = i + 1
		}
	}
	return append(out, toks[from:])
}

// untyped removes the type from the head of a for that declares variables; names are the variables.
func (p *parser) untyped(head []string) (toks, types, names []string) {
	if head[0] != "for" || len(head) < 4 || !declares(head[2:]) {
		return head, nil, nil
	}
	n := base(head[2:])
	semi := slices.Index(head, ";")
	if semi < 0 {
		return head, nil, nil
	}
	for _, d := range split(head[2+n:semi], ",") {
		l, _ := declared(head[2:2+n], d)
		l.inner = true
		p.out.locals, names = append(p.out.locals, l), append(names, l.name)
	}
	return append([]string{"for", "("}, head[2+n:]...), head[2 : 2+n], names
}

// paired sets for each head the unit that ends its body.
func (b *body) paired() {
	var stack []int
	for i := range b.units {
		u := &b.units[i]
		if u.kind == turn || u.kind == closing {
			b.units[stack[len(stack)-1]].pair = i
			stack = stack[:len(stack)-1]
		}
		if u.kind == open || u.kind == turn {
			stack = append(stack, i)
		}
	}
}

// spelled returns tokens as C text.
func spelled(toks []string) string {
	var b strings.Builder
	for i, t := range toks {
		if i > 0 && spaced(toks, i) {
			b.WriteByte(' ')
		}
		b.WriteString(t)
	}
	return b.String()
}

// spaced reports whether a blank is written before a token.
func spaced(toks []string, i int) bool {
	prev, t := toks[i-1], toks[i]
	unary := func(k int) bool { // the operator at k has no left operand
		if k == 0 {
			return true
		}
		q := toks[k-1]
		return !isName(q) && !(q[0] >= '0' && q[0] <= '9') && q != ")" && q != "]" && q[0] != '\'' && q[0] != '"' || q == "return" || slices.Contains(typeWords, q)
	}
	switch {
	case t == ";" || t == "," || t == ")" || t == "]" || t == "[" || t == "." || t == "->" || t == ":" && toks[0] != "?":
		return false
	case prev == "(" || prev == "[" || prev == "!" || prev == "~" || prev == "." || prev == "->":
		return false
	case t == "(":
		return slices.Contains([]string{"if", "for", "while", "switch", "return", ",", ";", "=", "&&", "||", "else"}, prev) || !isName(prev) && prev != ")" && prev != "*" && prev != "&"
	case t == "++" || t == "--":
		return unary(i)
	case prev == "++" || prev == "--":
		return !unary(i - 1)
	case (prev == "*" || prev == "&" || prev == "-" || prev == "+") && unary(i-1):
		return false
	case prev == "*" && i > 1 && (toks[i-2] == "*" || slices.Contains(typeWords, toks[i-2])):
		return false
	}
	return true
}
