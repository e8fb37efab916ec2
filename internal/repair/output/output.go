// Package output uses the structure of expected output. It finds out which piece of which literal printed which bytes,
// aligns them with the wanted text, and says what the literals would have to be.
//
// A program that prints "3" where "3\n" is wanted does not need a search: the newline is missing after the value of a
// conversion, so it belongs into the literal. All literals are changed at once, each to the text that most of its uses
// show: a menu of five answers lacks five newlines, and each test shows one of them. If the uses of one literal differ
// only in the first or last round of a loop, the literal is a separator.
//
// The alignment is Gotoh's ("An improved algorithm for matching biological sequences", J. Mol. Biol. 162, 1982). Its
// costs keep the output of a conversion together, because the text between values is wrong more often than the values.
//
// The package only guesses; its caller runs the guesses. Not supported: output by write and fwrite, and literals in
// macros.
package output

import (
	"regexp"
	"strings"
)

// Kind says how a call prints.
type Kind uint8

// The kinds.
const (
	Format Kind = iota // printf: the literal is a format
	Line               // puts: the literal and a line break
	Plain              // fputs: the literal
	Char               // putchar
)

// Literal is a text of the program that may be printed.
type Literal struct {
	Text string // as in memory; conversions of a format included
	Char bool   // a character constant
}

// Site is a call that prints.
type Site struct {
	Kind Kind
	Own  []int // numbers of the literals that are its format or text
	Loop int   // number of the innermost loop around it; 0: none
}

// Note is an event in a run, after At bytes had been printed: a call began to print, or a literal was used.
type Note struct {
	ID      int // number of a site or a literal
	Literal bool
	At      int
}

// Run is the output of a run and the wanted one.
type Run struct {
	Out, Want string
	Notes     []Note
}

// Program is the program of the runs. Sites and literals are numbered; their numbers are the keys.
type Program struct {
	Sites    map[int]Site
	Literals map[int]Literal
	Judged   bool // white space at the ends of lines and outputs does not count; Out and Want come without it

	taken     map[*Run][]token  // tokens of each run
	distances map[[2]string]int // by actual and wanted output

	over func() bool // reports that nobody waits for the guesses any more; nil: never
}

// token is a piece of the output.
type token struct {
	site    int // number of the call that printed it; 0: unknown
	literal int // number of the literal that it is a piece of; 0: none
	piece   int // index of the piece in the literal
	conv    string
	text    string
	at      int  // offset in the output
	last    bool // it is the last token of its call
	group   int  // number of the call in the run
	loop    int
}

// conversion matches a conversion of printf.
var conversion = regexp.MustCompile(`%([-+ 0#]*)([0-9]*)(\.[0-9]*)?(hh|h|ll|l|z|L|j|t)?([diuoxXcsfFgGeEp%])`)

// piece is a part of a format: fixed text, or a conversion.
type piece struct{ text, conv string }

// pieces splits a format. Fixed pieces and conversions alternate, and the first and the last piece are fixed.
func pieces(format string) []piece {
	var out []piece
	fixed := ""
	last := 0
	for _, m := range conversion.FindAllStringIndex(format, -1) {
		fixed += format[last:m[0]]
		last = m[1]
		if c := format[m[0]:m[1]]; strings.HasSuffix(c, "%") {
			fixed += "%"
		} else {
			out = append(out, piece{text: fixed}, piece{conv: c})
			fixed = ""
		}
	}
	return append(out, piece{text: fixed + format[last:]})
}

// join is the inverse of pieces.
func join(ps []piece) string {
	var b strings.Builder
	for _, p := range ps {
		if p.conv != "" {
			b.WriteString(p.conv)
			continue
		}
		b.WriteString(strings.ReplaceAll(p.text, "%", "%%"))
	}
	return b.String()
}

// shapes are regular expressions for the output of conversions.
var shapes = map[byte]string{'d': ` *[-+]?[0-9]+ *`, 'i': ` *[-+]?[0-9]+ *`, 'u': ` *[0-9]+ *`, 'o': ` *[0-7]+ *`, 'x': ` *[0-9a-fx]+ *`, 'X': ` *[0-9A-FX]+ *`,
	'c': `.`, 's': `.*?`, 'p': `[0-9a-fx()nil]+`}

const real = ` *[-+]?(?:[0-9.]+(?:[eE][-+]?[0-9]+)?|[a-zA-Z]+) *`

// split splits the output of a call by its format; nil if it does not match.
func split(ps []piece, out string) []string {
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	for _, p := range ps {
		if p.conv == "" {
			b.WriteString("(" + regexp.QuoteMeta(p.text) + ")")
			continue
		}
		shape, ok := shapes[p.conv[len(p.conv)-1]]
		if !ok {
			shape = real
		}
		b.WriteString("(" + shape + ")")
	}
	b.WriteString(`\z`)
	re, err := regexp.Compile(b.String())
	if err != nil {
		return nil
	}
	m := re.FindStringSubmatch(out)
	if m == nil {
		return nil
	}
	return m[1:]
}

// tokens splits the output of a run into tokens; the result is kept.
func (p *Program) tokens(r *Run) []token {
	ts, ok := p.taken[r]
	if !ok {
		if p.taken == nil {
			p.taken = map[*Run][]token{}
		}
		ts = p.takenApart(r)
		p.taken[r] = ts
	}
	return ts
}

func (p *Program) takenApart(r *Run) []token {
	var out []token
	used := []int{} // literals, in the order of their use
	emit := func(t token) {
		t.at = 0
		if n := len(out); n > 0 {
			t.at = out[n-1].at + len(out[n-1].text)
		}
		out = append(out, t)
	}
	group := 0
	for i := 0; i < len(r.Notes); i++ {
		n := r.Notes[i]
		if n.Literal {
			used = append(used, n.ID)
			continue
		}
		end := len(r.Out)
		j := i + 1
		for ; j < len(r.Notes); j++ {
			if x := r.Notes[j]; !x.Literal {
				end = x.At
				break
			}
			used = append(used, r.Notes[j].ID)
		}
		start := min(max(n.At, 0), len(r.Out))
		end = min(max(end, start), len(r.Out))
		i = j - 1
		if known := tokensEnd(out); start > known { // printed by an unknown call
			emit(token{text: r.Out[known:start], conv: "?", group: group})
		}
		group++
		for _, t := range p.call(n.ID, used, r.Out[start:end]) {
			t.site, t.group, t.loop = n.ID, group, p.Sites[n.ID].Loop
			emit(t)
		}
		out[len(out)-1].last = true
	}
	if end := tokensEnd(out); end < len(r.Out) {
		emit(token{text: r.Out[end:], conv: "?", group: group + 1})
	}
	return out
}

func tokensEnd(ts []token) int {
	if len(ts) == 0 {
		return 0
	}
	return ts[len(ts)-1].at + len(ts[len(ts)-1].text)
}

// call splits the output of one call. used are the literals used so far in the run.
func (p *Program) call(site int, used []int, out string) []token {
	s := p.Sites[site]
	own := 0
	for i := len(used) - 1; i >= 0 && own == 0; i-- {
		for _, k := range s.Own {
			if k == used[i] {
				own = k
			}
		}
	}
	if own == 0 { // a variable may point to a literal
		for i := len(used) - 1; i >= 0; i-- {
			if t := p.Literals[used[i]].Text; s.Kind != Format && out == t+map[Kind]string{Line: "\n"}[s.Kind] {
				own = used[i]
				break
			}
		}
	}
	l, ok := p.Literals[own]
	if !ok {
		return []token{{text: out, conv: "?"}}
	}
	switch s.Kind {
	case Char:
		return []token{{literal: own, text: out}}
	case Line:
		if t, ok := strings.CutSuffix(out, "\n"); ok && t == l.Text {
			return []token{{literal: own, text: t}, {text: "\n"}}
		}
	case Plain:
		if out == l.Text {
			return []token{{literal: own, text: out}}
		}
	case Format:
		ps := pieces(l.Text)
		parts := split(ps, out)
		if parts == nil {
			break
		}
		var ts []token
		for i, part := range parts {
			t := token{literal: own, piece: i, conv: ps[i].conv, text: part}
			if strings.HasSuffix(t.conv, "s") {
				t = p.shown(t, used)
			}
			ts = append(ts, t)
		}
		return ts
	}
	return []token{{text: out, conv: "?"}}
}

// shown looks for the literal that a %s printed, and returns the token with it.
func (p *Program) shown(t token, used []int) token {
	for i := len(used) - 1; i >= 0; i-- {
		if l := p.Literals[used[i]]; l.Text == t.text && t.text != "" && t.conv == "%s" {
			return token{literal: used[i], piece: whole, text: t.text}
		}
	}
	return t
}

// whole is the piece number of a literal that was used as text, not as a format.
const whole = -1
