package rules

import (
	"fmt"
	"strconv"
	"strings"

	"gulo/internal/source"
)

// This file is a parser by recursive descent for
//
//	file    = { define | rule } .
//	define  = "define" name "(" name { "," name } ")" "=" expr .
//	rule    = "[" name "]" [ text ] "detect" ( "<" | "(" ) { set ";" } point ( ">" | ")" ) ":" expr [ ":" chain { "," chain } ] .
//	point   = ( "deref" | "deref_r" | "deref_w" | "free" ) name | ( "call" | "ret" ) name name .
//	chain   = "VPC" "(" name ")" .
//	expr    = quantified | and { "||" and } .
//	and     = compare { "&&" compare } .
//	compare = bits [ ( "==" | "=" | "!=" | "<" | "<=" | ">" | ">=" ) bits ] .
//	bits    = sum { ( "|" | "&" ) sum } .
//	sum     = unary { ( "+" | "-" | "*" ) unary } .
//	unary   = "!" unary | quantified | "(" expr ")" | name [ "(" args ")" ] | number | "NULL" | "{}" .
//	quantified = ( "exists" | "forall" ) pattern "in" set [ ( "suchthat" | ":" ) expr ] .
//	pattern = [ "event" ] "(" arg "," kind { "," arg } ")" | name | name "->" "(" arg "," arg ")" .
//
// The words' other forms are in lex.go (∃ for exists and so on).

type parser struct {
	f      *source.File
	tokens []token
	at     int
	depth  int
}

// maxDepth bounds nesting, so that no input exhausts the stack.
const maxDepth = 200

// failure carries a diagnostic out of the recursion.
type failure struct{ err error }

// Parse reads a rule file. The error is a *source.Error.
func Parse(f *source.File) (out *File, err error) {
	tokens, err := lex(f)
	if err != nil {
		return nil, err
	}
	p := &parser{f: f, tokens: tokens}
	defer func() {
		if r := recover(); r != nil {
			x, ok := r.(failure)
			if !ok {
				panic(r)
			}
			out, err = nil, x.err
		}
	}()
	return p.file(), nil
}

func (p *parser) fail(t token, format string, args ...any) {
	panic(failure{source.Errorf(p.f.Position(t.start), format, args...)})
}

func (p *parser) peek() token { return p.tokens[p.at] }

// after returns the text of the token after the next one.
func (p *parser) after() string { return p.tokens[min(p.at+1, len(p.tokens)-1)].text }

func (p *parser) next() token {
	t := p.tokens[p.at]
	if t.kind != endToken {
		p.at++
	}
	return t
}

func (p *parser) is(text string) bool {
	t := p.peek()
	return t.text == text && t.kind != endToken
}

func (p *parser) take(text string) bool {
	if !p.is(text) {
		return false
	}
	p.at++
	return true
}

func (p *parser) want(text string) token {
	t := p.next()
	if t.text != text || t.kind == endToken {
		p.fail(t, "expected %q, found %s", text, shown(t))
	}
	return t
}

func shown(t token) string {
	if t.kind == endToken {
		return "the end of the file"
	}
	return strconv.Quote(t.text)
}

func (p *parser) word(what string) token {
	t := p.next()
	if t.kind != wordToken {
		p.fail(t, "expected %s, found %s", what, shown(t))
	}
	return t
}

func (p *parser) rangeFrom(start int) source.Range {
	end := start
	if p.at > 0 {
		end = p.tokens[p.at-1].end
	}
	return source.Range{File: p.f, Start: start, End: max(end, start)}
}

func (p *parser) file() *File {
	f := &File{Source: p.f}
	for {
		switch t := p.peek(); {
		case t.kind == endToken:
			f.Tail = t.doc
			return f
		case t.text == "define":
			f.Defines = append(f.Defines, p.define())
		case t.text == "[":
			f.Rules = append(f.Rules, p.rule())
		default:
			p.fail(t, "expected \"define\" or \"[\", found %s", shown(t))
		}
	}
}

func (p *parser) define() *Define {
	t := p.next()
	d := &Define{Doc: t.doc, Name: p.word("the predicate's name").text}
	p.want("(")
	for {
		d.Params = append(d.Params, p.word("a parameter").text)
		if !p.take(",") {
			break
		}
	}
	p.want(")")
	p.want("=")
	d.Body = p.expr()
	d.Range = p.rangeFrom(t.start)
	return d
}

func (p *parser) rule() *Rule {
	t := p.next()
	r := &Rule{Doc: t.doc}
	for !p.is("]") {
		w := p.next()
		if w.kind == endToken || w.kind == markToken && w.text != "." && w.text != "-" {
			p.fail(w, "expected the rule's name, found %s", shown(w))
		}
		if w.kind == markToken {
			w.text = "_"
		}
		r.Name += strings.ToLower(w.text)
	}
	if r.Name == "" {
		p.fail(p.peek(), "expected the rule's name, found \"]\"")
	}
	p.want("]")
	if p.peek().kind == textToken {
		r.Means = p.next().text
	}
	p.want("detect")
	end := ">"
	if p.take("(") {
		end = ")"
	} else {
		p.want("<")
	}
	for p.after() == ";" {
		r.State = append(r.State, p.set(p.next()))
		p.want(";")
	}
	r.Point = p.point()
	p.want(end)
	p.want(":")
	r.Cond = p.expr()
	if p.take(":") {
		for {
			p.want("VPC")
			p.want("(")
			w := p.word("a pointer's name")
			r.Chains, r.places = append(r.Chains, w.text), append(r.places, source.Range{File: p.f, Start: w.start, End: w.end})
			p.want(")")
			if !p.take(",") {
				break
			}
		}
	}
	r.Range = p.rangeFrom(t.start)
	return r
}

func (p *parser) set(t token) Set {
	for s, n := range setNames {
		if t.text == n {
			return Set(s)
		}
	}
	p.fail(t, "expected Trace, H, F, S, G or P, found %s: nothing else is bounded", shown(t))
	return 0
}

func (p *parser) point() Point {
	t := p.next()
	x := Point{}
	for k, n := range pointNames {
		if t.text != n {
			continue
		}
		x.Kind = PointKind(k)
		if x.Kind == Call || x.Kind == Ret {
			x.Func = p.word("a function").text
		}
		x.Var = p.word("a name").text
		x.Range = p.rangeFrom(t.start)
		return x
	}
	p.fail(t, "expected deref, deref_r, deref_w, free, call or ret, found %s", shown(t))
	return x
}

func (p *parser) expr() Expr {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		p.fail(p.peek(), "nested too deeply")
	}
	return p.binary(0)
}

// levels are the operators, those that bind loosest first.
var levels = [][]string{{"||"}, {"&&"}, {"==", "=", "!=", "<", "<=", ">", ">="}, {"|"}, {"&"}, {"+", "-"}, {"*"}}

// compareLevel is the level of comparisons, which do not chain.
const compareLevel = 2

func (p *parser) binary(level int) Expr {
	if level == len(levels) {
		return p.unary()
	}
	start := p.peek().start
	x := p.binary(level + 1)
	for {
		op := ""
		for _, o := range levels[level] {
			if p.is(o) {
				op = o
			}
		}
		if op == "" {
			return x
		}
		p.next()
		if op == "=" {
			op = "=="
		}
		y := p.binary(level + 1)
		x = &Binary{op, x, y, p.rangeFrom(start)}
		if level == compareLevel {
			return x
		}
	}
}

func (p *parser) unary() Expr {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		p.fail(p.peek(), "nested too deeply")
	}
	t := p.next()
	switch {
	case t.kind == numberToken:
		v, err := strconv.ParseUint(t.text, 0, 64)
		if err != nil {
			p.fail(t, "%q is no number", t.text)
		}
		return &Number{Value: v, Hex: strings.HasPrefix(t.text, "0x"), Range: p.rangeFrom(t.start)}
	case t.text == "!":
		x := p.unary()
		return &Not{x, p.rangeFrom(t.start)}
	case t.text == "(":
		x := p.expr()
		p.want(")")
		return x
	case t.text == "{}":
		return &Empty{p.rangeFrom(t.start)}
	case t.kind != wordToken:
		p.fail(t, "expected a condition or a term, found %s", shown(t))
	case t.text == "exists" || t.text == "forall":
		return p.quantified(t)
	case t.text == "NULL":
		return &Number{Null: true, Range: p.rangeFrom(t.start)}
	case t.text == "FindLast":
		p.want("(")
		e := p.event()
		return &FindLast{*e, p.rangeFrom(t.start)}
	case p.take("("):
		x := &Apply{Name: t.text}
		for !p.is(")") {
			x.Args = append(x.Args, p.expr())
			if !p.take(",") {
				break
			}
		}
		p.want(")")
		x.Range = p.rangeFrom(t.start)
		return x
	}
	return &Name{t.text, p.rangeFrom(t.start)}
}

func (p *parser) quantified(t token) Expr {
	x := &Quantified{All: t.text == "forall"}
	start := p.peek().start
	switch {
	case p.is("event") || p.is("("):
		p.take("event")
		p.want("(")
		x.Pattern.Event = p.event()
	default:
		w := p.word("an event, a block or a pointer")
		x.Pattern.Block = w.text
		if p.take("->") {
			x.Pattern.Block = ""
			args := [3]Expr{&Name{w.text, source.Range{File: p.f, Start: w.start, End: w.end}}}
			p.want("(")
			args[1] = p.argument()
			p.want(",")
			args[2] = p.argument()
			p.want(")")
			x.Pattern.Pointer = &args
		}
	}
	x.Pattern.Range = p.rangeFrom(start)
	p.want("in")
	x.In = p.set(p.next())
	if p.take("suchthat") || p.after() != "VPC" && p.take(":") {
		x.Such = p.expr()
	}
	x.Range = p.rangeFrom(t.start)
	return x
}

// event parses a timed event after its opening parenthesis.
func (p *parser) event() *EventPattern {
	e := &EventPattern{Time: p.argument()}
	p.want(",")
	t := p.next()
	known := false
	for k, n := range eventNames {
		if t.text == n {
			e.Kind, known = EventKind(k), true
		}
	}
	if !known {
		p.fail(t, "expected malloc, free, write, call, ret or if, found %s", shown(t))
	}
	for p.take(",") {
		e.Args = append(e.Args, p.argument())
	}
	most := len(eventSorts[e.Kind])
	least := most
	if e.Kind == EvWrite {
		least = 2 // the origin may be omitted
	}
	if n := len(e.Args); n < least || n > most {
		p.fail(t, "%s takes %s arguments after the time, found %d", e.Kind, count(least, most), n)
	}
	p.want(")")
	return e
}

func count(a, b int) string {
	if a == b {
		return strconv.Itoa(a)
	}
	return fmt.Sprintf("%d or %d", a, b)
}

// argument parses an argument of a pattern: a name, a number or NULL.
func (p *parser) argument() Expr {
	t := p.peek()
	x := p.unary()
	switch x.(type) {
	case *Name, *Number:
		return x
	}
	p.fail(t, "a pattern consists of names, numbers and _")
	return nil
}
