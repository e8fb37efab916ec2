package cpp

import (
	"strings"
)

// This file defines and expands macros. A macro is disabled while the result of its
// expansion is being read. As in gcc, it is enabled again when the reader goes past the end of that
// result.

type macro struct {
	name     string
	function bool
	params   []string
	variadic bool // the last parameter takes all remaining arguments
	body     []Token
	disabled int                          // number of its expansions that are being read
	dynamic  func(p *pp, t Token) []Token // computes the value of a built-in macro such as __LINE__
}

// param returns the index of a parameter, -1 if there is none of this name.
func (m *macro) param(name string) int {
	for i, p := range m.params {
		if p == name {
			return i
		}
	}
	return -1
}

// context is a list of tokens on the stack of input. It is read before the rest of the input.
type context struct {
	toks []Token
	i    int
	m    *macro // disabled while this is read
	wall bool   // reading ends at its end, as at the end of a file
}

func (p *pp) push(toks []Token, m *macro) {
	if m != nil {
		m.disabled++
	}
	p.stack = append(p.stack, context{toks: toks, m: m})
}

// next returns the next token without expanding it. ok is false at the end of the last file or
// of a context with a wall.
func (p *pp) next() (t Token, ok bool) {
	for n := len(p.stack); n > 0; n = len(p.stack) {
		c := &p.stack[n-1]
		if c.i < len(c.toks) {
			c.i++
			return c.toks[c.i-1], true
		}
		if c.wall {
			return Token{}, false
		}
		if c.m != nil {
			c.m.disabled--
		}
		p.stack = p.stack[:n-1]
	}
	return p.fileToken()
}

// expanded expands macros and returns the next token that is not to be expanded.
func (p *pp) expanded() (Token, bool) {
	for {
		t, ok := p.next()
		if !ok || t.Kind != Ident || t.flag&flagNoExpand != 0 {
			return t, ok
		}
		m := p.macros[t.Text]
		if m == nil {
			return t, true
		}
		if m.disabled > 0 {
			t.flag |= flagNoExpand
			return t, true
		}
		depth := len(p.stack)
		if !p.enter(m, t) {
			return t, true
		}
		if t.flag&flagSpace != 0 && len(p.stack) > depth {
			p.spaced(depth)
		}
	}
}

// spaced handles the white space in front of a macro that expands to nothing: the next token gets it, if that is in the
// same list of tokens.
func (p *pp) spaced(depth int) {
	if len(p.stack[len(p.stack)-1].toks) > 0 || depth == 0 {
		return
	}
	if c := &p.stack[depth-1]; c.i < len(c.toks) && c.toks[c.i].flag&(flagSpace|flagLine) == 0 {
		toks := append([]Token{}, c.toks...)
		toks[c.i].flag |= flagSpace
		c.toks = toks
	}
}

// expandList returns a list of tokens fully expanded, without reading beyond its end.
func (p *pp) expandList(toks []Token) []Token {
	p.stack = append(p.stack, context{toks: toks, wall: true})
	n := len(p.stack)
	var out []Token
	for {
		t, ok := p.expanded()
		if !ok {
			break
		}
		out = append(out, t)
	}
	p.stack = p.stack[:n-1]
	return out
}

// enter replaces the call of macro m that begins with t by its expansion. It returns false if t is not a call: the name
// of a macro with parameters without a parenthesis.
func (p *pp) enter(m *macro, t Token) bool {
	if p.steps++; p.steps > maxSteps {
		p.fail(t, "macros expand to too much")
	}
	if m.dynamic != nil {
		out := m.dynamic(p, t)
		exp := p.expansion(t)
		for i := range out {
			out[i].Exp, out[i].File, out[i].Off, out[i].Len = exp, t.File, t.Off, t.Len
		}
		p.push(inherit(out, t), nil)
		return true
	}
	var args [][]Token
	exp := int32(0)
	if m.function {
		open, ok := p.next()
		if !ok || !open.is("(") {
			if ok {
				p.push([]Token{open}, nil)
			}
			return false
		}
		exp = p.expansion(t)
		args = p.arguments(m, t, exp)
	} else {
		exp = p.expansion(t)
	}
	s := substitution{p: p, m: m, args: args, exp: exp}
	p.push(inherit(s.list(m.body), t), m)
	return true
}

const maxSteps = 50_000_000

// inherit gives the first token of an expansion the white space in front of t, which it replaces.
func inherit(toks []Token, t Token) []Token {
	if len(toks) > 0 {
		toks[0].flag = toks[0].flag&^(flagSpace|flagLine) | t.flag&(flagSpace|flagLine)
	}
	return toks
}

// expansion returns the number of the outermost macro call that t begins or is part of.
func (p *pp) expansion(t Token) int32 {
	if t.Exp != 0 {
		return t.Exp
	}
	p.unit.Expansions = append(p.unit.Expansions, Expansion{File: t.File, Start: t.Off, End: t.Off + t.Len})
	return int32(len(p.unit.Expansions) - 1)
}

// arguments reads the arguments of a macro call up to its closing parenthesis.
func (p *pp) arguments(m *macro, name Token, exp int32) [][]Token {
	var args [][]Token
	var cur []Token
	depth := 0
	for {
		t, ok := p.next()
		if !ok {
			p.fail(name, "the invocation of %s does not end", m.name)
		}
		if e := &p.unit.Expansions[exp]; t.Exp == 0 {
			if t.File == e.File && t.Off >= e.Start {
				e.End = max(e.End, t.Off+t.Len)
			}
			t.Exp = exp
		}
		if t.flag&flagLine != 0 {
			t.flag = t.flag&^flagLine | flagSpace
		}
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			if depth == 0 {
				args = append(args, cur)
				if len(m.params) == 0 && len(cur) == 0 {
					args = nil
				}
				return args
			}
			depth--
		case t.is(",") && depth == 0 && !(m.variadic && len(args) == len(m.params)-1):
			args = append(args, cur)
			cur = nil
			continue
		}
		cur = append(cur, t)
	}
}

// substitution replaces the parameters in a macro's body.
type substitution struct {
	p    *pp
	m    *macro
	args [][]Token
	full [][]Token // the expanded arguments; computed when first needed
	exp  int32
}

func (s *substitution) arg(i int) []Token {
	if i < len(s.args) {
		return s.args[i]
	}
	return nil
}

func (s *substitution) expanded(i int) []Token {
	if s.full == nil {
		s.full = make([][]Token, len(s.m.params))
	}
	if s.full[i] == nil && i < len(s.args) {
		s.full[i] = s.p.expandList(s.args[i])
	}
	return s.full[i]
}

// list returns a part of the body with parameters substituted, and # and ## applied.
func (s *substitution) list(body []Token) []Token {
	out := make([]Token, 0, len(body))
	for i := 0; i < len(body); i++ {
		t := body[i]
		t.Exp = s.exp
		switch {
		case t.is("##") && i > 0 && i+1 < len(body):
			var rhs []Token
			i, rhs = s.pasteOperand(body, i+1)
			comma := len(out) > 0 && out[len(out)-1].is(",") && body[i].Kind == Ident && s.m.variadic && s.m.param(body[i].Text) == len(s.m.params)-1
			switch {
			case comma && s.omitted():
				out = out[:len(out)-1]
			case comma:
				out = append(out, rhs...)
			case len(rhs) > 0 && (len(out) == 0 || s.empty(body, i-2)):
				out = append(out, rhs...)
			case len(rhs) > 0:
				out[len(out)-1] = s.p.paste(out[len(out)-1], rhs[0])
				out = append(out, rhs[1:]...)
			}
		case t.is("#") && s.m.function && i+1 < len(body) && s.m.param(body[i+1].Text) >= 0:
			i++
			out = append(out, s.stringize(t, s.arg(s.m.param(body[i].Text))))
		case t.Kind == Ident && t.Text == "__VA_OPT__" && s.m.variadic && i+1 < len(body) && body[i+1].is("("):
			end := closing(body, i+1)
			if len(s.expanded(len(s.m.params)-1)) > 0 {
				out = append(out, inherit(s.list(body[i+2:end]), t)...)
			}
			i = end
		case t.Kind == Ident && s.m.param(t.Text) >= 0:
			k := s.m.param(t.Text)
			arg := s.expanded(k)
			if i+1 < len(body) && body[i+1].is("##") && i+2 < len(body) {
				arg = s.arg(k)
			}
			out = append(out, inherit(append([]Token{}, arg...), t)...)
		default:
			out = append(out, t)
		}
	}
	return out
}

// omitted reports whether the variable arguments are missing. gcc then removes the
// comma in front of ## __VA_ARGS__. An empty argument counts as missing if the macro has no other
// parameter, but not in ISO C.
func (s *substitution) omitted() bool {
	n := len(s.m.params)
	return len(s.args) < n || n == 1 && len(s.arg(0)) == 0 && s.p.macros["__STRICT_ANSI__"] == nil
}

// empty reports whether the left operand of a ##, at index i of the body, is a parameter whose argument is empty.
func (s *substitution) empty(body []Token, i int) bool {
	if i < 0 || body[i].Kind != Ident {
		return false
	}
	k := s.m.param(body[i].Text)
	if k < 0 || len(s.arg(k)) > 0 {
		return false
	}
	return i < 2 || !body[i-1].is("##") || s.empty(body, i-2)
}

// pasteOperand returns the index of the last token of the right operand of ##, which begins at body[i], and its
// substitution.
func (s *substitution) pasteOperand(body []Token, i int) (int, []Token) {
	t := body[i]
	t.Exp = s.exp
	switch k := s.m.param(t.Text); {
	case t.Kind == Ident && k >= 0:
		return i, append([]Token{}, s.arg(k)...)
	case t.is("#") && s.m.function && i+1 < len(body) && s.m.param(body[i+1].Text) >= 0:
		return i + 1, []Token{s.stringize(t, s.arg(s.m.param(body[i+1].Text)))}
	case t.Kind == Ident && t.Text == "__VA_OPT__" && s.m.variadic && i+1 < len(body) && body[i+1].is("("):
		end := closing(body, i+1)
		if len(s.expanded(len(s.m.params)-1)) == 0 {
			return end, nil
		}
		return end, s.list(body[i+2 : end])
	}
	return i, []Token{t}
}

// closing returns the index of the parenthesis that closes the one at i, or the length of the body
// if there is none (an error that gcc reports).
func closing(body []Token, i int) int {
	depth := 0
	for ; i < len(body); i++ {
		switch {
		case body[i].is("("):
			depth++
		case body[i].is(")"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(body)
}

// paste makes one token of two. If the result is not a valid token it has kind Other; gcc reports that as an error.
func (p *pp) paste(a, b Token) Token {
	text := a.Text + b.Text
	toks := lex(text, a.File, p.cfg.mode()&^lineComments)
	out := a
	out.Text, out.Kind = text, Other
	if len(toks) == 1 {
		out.Kind, out.Text = toks[0].Kind, toks[0].Text
	}
	out.flag &^= flagNoExpand
	return out
}

func (s *substitution) stringize(at Token, arg []Token) Token {
	var b strings.Builder
	b.WriteByte('"')
	for i, t := range arg {
		if i > 0 && t.flag&(flagSpace|flagLine) != 0 {
			b.WriteByte(' ')
		}
		text := t.Text
		if t.Kind == String || t.Kind == Char {
			text = strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), `"`, `\"`)
		}
		b.WriteString(text)
	}
	b.WriteByte('"')
	at.Kind, at.Text = String, b.String()
	return at
}

// define executes #define with the tokens after its name.
func (p *pp) define(toks []Token) {
	if len(toks) == 0 || toks[0].Kind != Ident {
		return
	}
	m := &macro{name: toks[0].Text}
	rest := toks[1:]
	if len(rest) > 0 && rest[0].is("(") && rest[0].flag&flagSpace == 0 {
		m.function = true
		i := 1
		for ; i < len(rest) && !rest[i].is(")"); i++ {
			switch t := rest[i]; {
			case t.Kind == Ident:
				m.params = append(m.params, t.Text)
			case t.is("..."):
				m.variadic = true
				if i > 0 && rest[i-1].Kind != Ident {
					m.params = append(m.params, "__VA_ARGS__")
				}
			}
		}
		rest = rest[min(i+1, len(rest)):]
	}
	m.body = append([]Token{}, rest...)
	if len(m.body) > 0 {
		m.body[0].flag &^= flagSpace
	}
	p.macros[m.name] = m
}
