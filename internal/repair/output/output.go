// Package output uses the structure of expected output: it finds out
// which piece of which literal printed which bytes, aligns them with the text that is
// wanted, and says what the literals would have to be.
//
// A program that prints "3" where "3\n" is wanted does not need a search: the line break
// is missing behind what the conversion printed, so it belongs into the literal. All
// literals are changed at once (a menu of five answers lacks five line breaks, and each
// test shows one of them), by what most of their uses show. Where the uses of one literal
// differ, at the last round of a loop from the others, the place is a separator's.
//
// The alignment is Gotoh's ("An improved algorithm for matching biological sequences",
// J. Mol. Biol. 162, 1982) with costs that keep what conversions printed together: text
// between values is easily another, values are not.
//
// What the package says are guesses; its caller runs them. Not supported: what is printed with
// write and fwrite, and literals that macros hold.
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
	Text string // as the program has it in memory; for formats with its conversions
	Char bool   // a character constant
}

// Site is a call that prints.
type Site struct {
	Kind Kind
	Own  []int // literals that are its format or text
	Loop int   // the innermost loop around it; 0: none
}

// Note is what happened in a run: a call began to print, or a literal was used, when At
// bytes had been printed.
type Note struct {
	ID      int // of a site or a literal
	Literal bool
	At      int
}

// Run is a run with what was wanted of it.
type Run struct {
	Out, Want string
	Notes     []Note
}

// Program is what the runs are of. Numbers of sites and literals are their keys.
type Program struct {
	Sites    map[int]Site
	Literals map[int]Literal

	taken     map[*Run][]token  // what was taken apart
	distances map[[2]string]int // of outputs and what is wanted

	over func() bool // nobody waits for what is guessed any more; nil: somebody does
}

// token is a piece of what was printed.
type token struct {
	site    int // 0: none is known
	literal int // that it is a piece of; 0: a value, or fixed
	piece   int // of the literal
	conv    string
	text    string
	at      int  // in the output
	last    bool // of its call
	group   int  // number of the call in the run
	loop    int
}

// conversion is one of printf.
var conversion = regexp.MustCompile(`%([-+ 0#]*)([0-9]*)(\.[0-9]*)?(hh|h|ll|l|z|L|j|t)?([diuoxXcsfFgGeEp%])`)

// piece is a part of a format: fixed text, or a conversion.
type piece struct{ text, conv string }

// pieces takes a format apart; fixed pieces and conversions alternate, a fixed one
// begins and ends.
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

// join is the opposite of pieces.
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

// shapes are what conversions print.
var shapes = map[byte]string{'d': ` *[-+]?[0-9]+ *`, 'i': ` *[-+]?[0-9]+ *`, 'u': ` *[0-9]+ *`, 'o': ` *[0-7]+ *`, 'x': ` *[0-9a-fx]+ *`, 'X': ` *[0-9A-FX]+ *`,
	'c': `.`, 's': `.*?`, 'p': `[0-9a-fx()nil]+`}

const real = ` *[-+]?(?:[0-9.]+(?:[eE][-+]?[0-9]+)?|[a-zA-Z]+) *`

// split takes what a call printed apart by its format; nil where it does not fit.
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

// tokens takes the output of a run apart, once.
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
		if known := tokensEnd(out); start > known { // printed by nobody we know
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

// call takes what one call printed apart. used are the literals used so far.
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
	if own == 0 { // a variable may hold a literal
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

// shown finds the literal that %s printed.
func (p *Program) shown(t token, used []int) token {
	for i := len(used) - 1; i >= 0; i-- {
		if l := p.Literals[used[i]]; l.Text == t.text && t.text != "" && t.conv == "%s" {
			return token{literal: used[i], piece: whole, text: t.text}
		}
	}
	return t
}

// whole is the piece number of a literal that is no format where it was used.
const whole = -1
