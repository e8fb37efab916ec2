package cfront

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"gulo/internal/cpp"
	"gulo/internal/source"

	"modernc.org/cc/v4"
)

// This file handles C that gcc accepts and gulo cannot read. The innermost statement around it
// becomes Opaque. If that is not possible, all statements of the function do. A declaration that
// cannot be read leaves its names behind, and a statement that uses one is opaque in turn. Opaque code runs
// natively under gdb. It is never edited and nothing is claimed about it.

// Note says which piece of a program is opaque, and why.
type Note struct {
	Range  source.Range
	At     source.Position // of what is not supported
	Reason string
	Func   string // the function it is in; "" outside
	Whole  bool   // the whole function, or the whole declaration
}

// caught calls f and returns the refusal that f panics with, nil if it does not.
func caught(f func()) (e *source.Error) {
	defer func() {
		if r := recover(); r != nil {
			err, ok := r.(*source.Error)
			if !ok {
				panic(r)
			}
			e = err
		}
	}()
	f()
	return nil
}

// state is the part of a converter that is restored when a piece of a program is refused.
type state struct {
	scopes   []*scope
	scopeEnd int
	labels   int
	switches int
	locals   int
	dry      int
	using    cc.Node
	alone    *cc.StructOrUnionSpecifier
	fn       *Func
}

func (c *converter) save() state {
	s := state{c.scopes, c.scopeEnd, len(c.labels), len(c.switches), 0, c.dry, c.using, c.alone, c.fn}
	if c.fn != nil {
		s.locals = len(c.fn.Locals)
	}
	return s
}

func (c *converter) restore(s state) {
	c.scopes, c.scopeEnd, c.labels, c.switches = s.scopes, s.scopeEnd, c.labels[:s.labels], c.switches[:s.switches]
	c.dry, c.using, c.alone, c.fn = s.dry, s.using, s.alone, s.fn
	if c.fn != nil {
		c.fn.Locals = c.fn.Locals[:s.locals]
	}
}

// note records in the program that the range r is opaque because of e.
func (c *converter) note(r source.Range, e *source.Error, whole bool) {
	d := e.List[0]
	n := Note{Range: r, At: d.Pos, Reason: d.Message, Whole: whole}
	if c.fn != nil {
		n.Func = c.fn.Name
	}
	c.prog.Opaque = append(c.prog.Opaque, n)
}

// guarded converts a statement that begins at node n. If the conversion is refused, the statement becomes opaque. If
// control may enter or leave the statement in the middle, the refusal is passed on.
func (c *converter) guarded(n cc.Node, convert func() []Stmt) (out []Stmt) {
	st := c.save()
	e := caught(func() { out = convert() })
	if e == nil {
		return out
	}
	first, ok := c.token1(n)
	if !ok || c.fn == nil {
		panic(e)
	}
	end := c.src.statementEnd(first)
	if !c.src.contained(first, end) {
		panic(e)
	}
	c.restore(st)
	s := c.opaque(first, end, e)
	c.note(s.rng, e, false)
	return []Stmt{s}
}

func (c *converter) opaque(first, end int, e *source.Error) *Opaque {
	s := &Opaque{Reason: e.List[0].Message, At: e.List[0].Pos}
	s.rng = c.src.span(first, end)
	return s
}

// token1 returns the number of the first token of a node.
func (c *converter) token1(n cc.Node) (int, bool) {
	p := n.Position()
	return c.src.token(p.Filename, p.Offset)
}

// span returns the bytes of the tokens from first up to end.
func (u *unit) span(first, end int) source.Range {
	r, _ := u.written(first)
	for i := first + 1; i < end; i++ {
		s, _ := u.written(i)
		r = r.Union(s)
	}
	return r
}

// closing returns the token after the bracket that closes the one at i.
func (u *unit) closing(i int) int {
	r := renderer{u: u}
	return r.matching(i)
}

// statementEnd returns the token after the statement that begins at token i.
func (u *unit) statementEnd(i int) int {
	if i >= len(u.Tokens) {
		return i
	}
	switch u.Tokens[i].Text {
	case "{":
		return u.closing(i)
	case "if":
		end := u.statementEnd(u.closing(i + 1))
		if end < len(u.Tokens) && u.Tokens[end].Text == "else" {
			end = u.statementEnd(end + 1)
		}
		return end
	case "while", "for", "switch":
		return u.statementEnd(u.closing(i + 1))
	case "do":
		return u.semicolon(u.statementEnd(i + 1))
	case "case", "default":
		for ; i < len(u.Tokens) && u.Tokens[i].Text != ":"; i++ {
			if u.Tokens[i].Text == "?" { // its colon is not the label's
				i = u.closingColon(i)
			}
		}
		return u.statementEnd(i + 1)
	}
	if u.Tokens[i].Kind == cpp.Ident && i+1 < len(u.Tokens) && u.Tokens[i+1].Text == ":" {
		return u.statementEnd(i + 2)
	}
	return u.semicolon(i)
}

func (u *unit) closingColon(i int) int {
	depth := 0
	for ; i < len(u.Tokens); i++ {
		switch u.Tokens[i].Text {
		case "?":
			depth++
		case ":":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return i
}

// semicolon returns the token after the next semicolon outside of brackets.
func (u *unit) semicolon(i int) int {
	for i < len(u.Tokens) {
		switch u.Tokens[i].Text {
		case "(", "[", "{":
			i = u.closing(i)
			continue
		case ";":
			return i + 1
		case "}":
			return i
		}
		i++
	}
	return i
}

// contained reports whether control enters and leaves a statement at its ends only.
func (u *unit) contained(first, end int) bool {
	loop, sw := false, false
	switch u.Tokens[first].Text {
	case "for", "while", "do":
		loop = true
	case "switch":
		sw = true
	}
	for i := first; i < end; i++ {
		t := &u.Tokens[i]
		if t.Kind != cpp.Ident {
			continue
		}
		switch t.Text {
		case "goto", "return", "__label__":
			return false
		case "continue":
			if !loop {
				return false
			}
		case "break", "case", "default":
			if !loop && !sw {
				return false
			}
		default:
			if i+1 < end && u.Tokens[i+1].Text == ":" && i > first && slices.Contains([]string{";", "{", "}", ":", ")"}, u.Tokens[i-1].Text) {
				return false // a label
			}
		}
	}
	return true
}

// opaqueBody makes a function's body opaque, statement by statement.
func (c *converter) opaqueBody(f *Func, open int, e *source.Error) {
	end := c.src.closing(open)
	f.Body = &Block{}
	f.Body.rng = c.src.span(open, end)
	f.Whole.End = max(f.Whole.End, f.Body.rng.End)
	start := open + 1
	depth := 0
	for i := start; i < end-1; i++ {
		switch t := &c.src.Tokens[i]; t.Text {
		case "(", "[":
			depth++
		case ")", "]":
			depth--
		case "{", "}", ";":
			if depth > 0 {
				continue
			}
			if t.Text == ";" && i > start || t.Text == "{" && i > start && c.src.Tokens[i-1].Text == ")" {
				to := i + 1
				if t.Text == "{" {
					to = i
				}
				if st := c.opaque(start, to, e); !declaresOnly(st.Range().Text()) {
					f.Body.List = append(f.Body.List, st)
				}
			}
			start = i + 1
		}
	}
	c.prog.Opaque = slices.DeleteFunc(c.prog.Opaque, func(n Note) bool { // the whole is opaque
		return !n.Whole && n.Range.File == f.Body.rng.File && n.Range.Start >= f.Body.rng.Start && n.Range.End <= f.Body.rng.End
	})
	c.note(f.Body.rng, e, true)
}

var (
	declaration = regexp.MustCompile(`^(\w+)(\s+|\s*\*+\s*)\w+([\s*,]+\w+)*\s*;$`)
	notTypes    = map[string]bool{"return": true, "goto": true, "else": true, "case": true, "do": true}
)

// declaresOnly reports whether the text of a statement declares variables without initializers. Compilers
// make no code for such a statement, so no debugger stops there.
func declaresOnly(text string) bool {
	m := declaration.FindStringSubmatch(text)
	return m != nil && !notTypes[m[1]]
}

// poison declares the names of a declaration that was refused. Any use of them is refused with e.
func (c *converter) poison(d *cc.Declaration, e *source.Error) {
	for s := d.DeclarationSpecifiers; s != nil; s = s.DeclarationSpecifiers {
		if s.TypeSpecifier == nil {
			continue
		}
		if u := s.TypeSpecifier.StructOrUnionSpecifier; u != nil && u.Case == cc.StructOrUnionSpecifierDef && u.Token.SrcStr() != "" {
			if t := c.scopes[len(c.scopes)-1].tags[u.Token.SrcStr()]; t == nil || !t.defined {
				c.scopes[len(c.scopes)-1].tags[u.Token.SrcStr()] = &tag{err: e}
			}
		}
	}
	for l := d.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		c.poisonName(l.InitDeclarator.Declarator.Name(), e)
	}
}

func (c *converter) poisonName(name string, e *source.Error) {
	if s := c.scopes[len(c.scopes)-1].names[name]; name != "" && (s == nil || s.v == nil && s.f == nil && s.typedef == nil) {
		c.declare(name, &symbol{err: e})
	}
}

// topLevel finds the external declaration that contains token i. open is the brace of a function's body, 0 if it is not
// a function definition; end is the token after the declaration.
func (u *unit) topLevel(i int) (open, end int) {
	k := u.declaration(i)
	for k < len(u.Tokens) {
		switch u.Tokens[k].Text {
		case "(", "[":
			k = u.closing(k)
			continue
		case "{":
			end = u.closing(k)
			if k > 0 && (u.Tokens[k-1].Text == ")" || u.Tokens[k-1].Text == ";") {
				return k, end
			}
			k = end
			continue
		case ";":
			if k+1 < len(u.Tokens) && k < i {
				k++
				continue // the parameters of an old style function
			}
			return 0, k + 1
		}
		k++
	}
	return 0, k
}

// declaration returns the first token of the external declaration that contains token i.
func (u *unit) declaration(i int) int {
	start := 0
	for k := 0; k <= i && k < len(u.Tokens); {
		switch u.Tokens[k].Text {
		case "(", "[":
			k = u.closing(k)
			continue
		case "{":
			end := u.closing(k)
			if end > i {
				return start
			}
			prev := u.Tokens[max(k-1, 0)].Text
			k = end
			if prev == ")" || prev == ";" {
				start = k
			}
			continue
		case ";":
			start = k + 1
		}
		k++
	}
	return min(start, i)
}

// blank overwrites tokens with spaces in the text that is parsed. It returns false if all were blank already.
func (u *unit) blank(first, end int) bool { return u.blankIn(u.text, 0, first, end) }

// blankIn is blank for a part of the parsed text, which begins at offset begin of it.
func (u *unit) blankIn(text []byte, begin, first, end int) bool {
	from, _ := slices.BinarySearchFunc(u.index, int32(first), cmp.Compare)
	any := false
	for k := from; k < len(u.index) && int(u.index[k]) < end; k++ {
		stop := begin + len(text)
		if k+1 < len(u.start) {
			stop = min(stop, int(u.start[k+1]))
		}
		for o := int(u.start[k]) - begin; o < stop-begin; o++ {
			if text[o] != ' ' && text[o] != '\n' {
				text[o], any = ' ', true
			}
		}
	}
	return any
}

// errorOffset returns the offset in the parsed text of the parser's first error, -1 if the error has no position.
func (u *unit) errorOffset(err error) int {
	for _, l := range strings.Split(err.Error(), "\n") {
		m := ccPos.FindStringSubmatch(strings.TrimSpace(l))
		if m == nil {
			continue
		}
		if start, ok := u.inPiece(m[1], 0); ok {
			return u.offset(start, atoi(m[2]), atoi(m[3]))
		}
	}
	return -1
}
