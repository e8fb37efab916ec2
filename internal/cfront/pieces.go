package cfront

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gulo/internal/source"

	"modernc.org/cc/v4"
)

// This file parses a large unit in pieces. Each piece is converted while the next one is parsed. The
// parser's trees take a hundred times as much memory as the text; to have all of them at once costs more
// time for garbage collection than the parsing itself. The parser has to know which names in earlier
// pieces are types.

// pieceBytes is the approximate size of a piece.
const pieceBytes = 256 << 10

// piece is a part of a unit's text, and its tree.
type piece struct {
	name  string // file name for the parser
	text  []byte
	start int // offset of text in the unit's text
	first int // first token

	ast     *cc.AST
	err     error
	blanked map[int]*source.Error // bodies that the parser rejects, by the token of their opening brace
	notes   []blankNote           // declarations that the parser rejects
}

type blankNote struct {
	r source.Range
	e *source.Error
}

// begins are the words that begin a declaration and cannot continue one after the closing brace of a struct.
var begins = map[string]bool{}

func init() {
	for _, w := range strings.Fields("static extern typedef inline __inline __inline__ __extension__ void char short int long float double signed unsigned _Bool struct union enum") {
		begins[w] = true
	}
}

// split divides the text into pieces of about size bytes. A piece begins after the body of a
// function, at a word that begins a declaration.
func (u *unit) split(size int) {
	u.pieces = []*piece{{name: u.name}}
	if len(u.text) < 2*size {
		u.pieces[0].text = u.text
		return
	}
	depth, body := 0, false
	for k := 0; k+1 < len(u.start); k++ {
		last := u.pieces[len(u.pieces)-1]
		switch u.Tokens[u.index[k]].Text {
		case "(", "[":
			depth++
		case ")", "]":
			depth--
		case "{":
			if depth == 0 {
				body = k > 0 && u.Tokens[u.index[k-1]].Text == ")"
			}
			depth++
		case "}":
			at := int(u.start[k+1])
			if depth--; depth == 0 && body && at-last.start >= size && begins[u.Tokens[u.index[k+1]].Text] {
				name := fmt.Sprintf("%s\x00%d", u.name, len(u.pieces))
				u.pieces = append(u.pieces, &piece{name: name, start: at, first: int(u.index[k+1])})
			}
		}
	}
	u.starts = map[string]int{}
	for i, p := range u.pieces {
		end := len(u.text)
		if i+1 < len(u.pieces) {
			end = u.pieces[i+1].start
		}
		p.text = u.text[p.start:end:end]
		u.starts[p.name] = p.start
	}
}

// inPiece translates an offset in a file of the parser to one in the unit's text. ok is false
// for the declarations in front of the text.
func (u *unit) inPiece(name string, off int) (_ int, ok bool) {
	if name == u.name {
		return off, true
	}
	start, ok := u.starts[name]
	return start + off, ok
}

// parse parses the pieces in order and sends each. It stops if send returns false or if a piece cannot be parsed.
func (u *unit) parse(send func(*piece) bool) {
	types := map[string]bool{}
	for i, p := range u.pieces {
		before := u.builtins
		if i > 0 {
			before = typesBefore(types)
		}
		u.parsePiece(p, before)
		if p.ast != nil && i+1 < len(u.pieces) {
			for name, nodes := range p.ast.Scope.Nodes {
				if slices.ContainsFunc(nodes, func(n cc.Node) bool { d, ok := n.(*cc.Declarator); return ok && d.IsTypename() }) {
					types[name] = true
				}
			}
		}
		if failed := p.err != nil; !send(p) || failed {
			return
		}
	}
}

// typesBefore returns the declarations in front of a later piece: names as types, and what the parser requires in any
// text.
func typesBefore(types map[string]bool) string {
	var b strings.Builder
	b.WriteString("int __predefined_declarator;\n")
	for _, name := range slices.Sorted(maps.Keys(types)) {
		b.WriteString("typedef int " + name + ";\n")
	}
	return b.String()
}

// fewFailures is the number of parser errors in a piece after which takeOutEach looks for bad bodies in small groups.
const fewFailures = 8

// parsePiece parses a piece after the declarations before. What gcc accepts and the parser rejects
// is blanked: the body of a function, or else a declaration.
func (u *unit) parsePiece(p *piece, before string) {
	p.blanked = map[int]*source.Error{}
	for n := 1; ; n++ {
		if p.ast, p.err = parsePadded(p.name, before, p.text); p.err == nil {
			return
		}
		e := u.ccError(p.err)
		if !u.takeOut(p, p.err, e) {
			p.err = e
			return
		}
		if n == fewFailures {
			u.takeOutEach(p, before)
		}
	}
}

// parsePadded parses the text of a piece, with newlines added at the end if the parser needs them.
func parsePadded(name, before string, text []byte) (*cc.AST, error) {
	if !strings.HasSuffix(string(text[max(len(text)-2, 0):]), "\n\n") {
		text = append(slices.Clone(text), "\n\n"...) // one less, and the parser's scanner may loop at the end
	}
	ast, err := parseTokens(name, before, text)
	if err != nil {
		return nil, err
	}
	return ast, nil
}

// takeOut blanks the function body or declaration that the parser's error is in. It returns false if that is not
// possible.
func (u *unit) takeOut(p *piece, err error, e *source.Error) bool {
	at := u.errorOffset(err)
	i, ok := u.token(u.name, at)
	if at < 0 || !ok {
		return false
	}
	open, end := u.topLevel(i)
	if open > 0 && p.blanked[open] == nil && i > open {
		p.blanked[open] = e
		u.blank(open+1, u.closing(open)-1)
		return true
	}
	first := u.declaration(i)
	if !u.blank(first, end) {
		return false
	}
	p.notes = append(p.notes, blankNote{u.span(first, end), e})
	return true
}

// takeOutEach blanks every body of a piece that the parser rejects. The bodies are parsed a few at a time: the parser
// stops at the first error, so that otherwise the whole piece would be parsed once for each error.
func (u *unit) takeOutEach(p *piece, before string) {
	const few = 16
	bodies := u.bodies(p)
	for from := 0; from < len(bodies); from += few {
		for {
			text := slices.Clone(p.text)
			for i, open := range bodies {
				if i < from || i >= from+few {
					u.blankIn(text, p.start, open+1, u.closing(open)-1)
				}
			}
			_, err := parsePadded(p.name, before, text)
			if err == nil {
				break
			}
			if !u.takeOut(p, err, u.ccError(err)) {
				return
			}
		}
	}
}

// bodies lists the braces that open the bodies of functions in a piece.
func (u *unit) bodies(p *piece) []int {
	end := len(u.Tokens)
	if k := slices.Index(u.pieces, p); k+1 < len(u.pieces) {
		end = u.pieces[k+1].first
	}
	var out []int
	for k := p.first; k < end; k++ {
		switch u.Tokens[k].Text {
		case "(", "[":
			k = u.closing(k) - 1
		case "{":
			if k > 0 && (u.Tokens[k-1].Text == ")" || u.Tokens[k-1].Text == ";") {
				out = append(out, k)
			}
			k = u.closing(k) - 1
		}
	}
	return out
}

// convertPiece converts a piece.
// Precondition: the pieces before it have been converted.
func (c *converter) convertPiece(p *piece) {
	maps.Copy(c.blanked, p.blanked)
	for _, n := range p.notes {
		c.note(n.r, n.e, true)
	}
	c.unit(p.ast)
	clear(c.specs) // only needed within one declaration, and they keep the tree in memory
	clear(c.enums)
}
