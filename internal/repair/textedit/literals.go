package textedit

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"gulo/internal/cfront"
)

// This file edits string literals: text that the expected output has instead, line breaks, blanks, and conversions.

const (
	mostReplaced   = 60 // bytes of a piece of a literal
	mostOccurences = 3
)

// literal lists other texts for a string literal.
func (s *Space) literal(x *cfront.String, fn *cfront.Func) {
	text := x.Range().Text()
	if len(text) < 2 || text[0] != '"' || !x.Editable() || strings.Count(text, `"`)-strings.Count(text, `\"`) != 2 {
		return // several literals in a row, or a prefix
	}
	body := text[1 : len(text)-1]
	seen := map[string]bool{body: true}
	alt := func(cost int, b string) {
		if !seen[b] && utf8.ValidString(b) {
			seen[b] = true
			t := `"` + b + `"`
			s.replaced(x, fn, cost, "another text", t, t)
		}
	}
	reads := s.readBy[x]
	if !reads {
		for _, b := range s.shown(body) {
			alt(CostLiteral, b)
		}
	}
	trimmed := strings.TrimSuffix(body, `\n`)
	if trimmed != body {
		alt(CostLiteral, trimmed)
		alt(CostLiteral+1, trimmed+" ")
	}
	alt(CostLiteral, body+`\n`)
	alt(CostLiteral, strings.TrimRight(body, " "))
	alt(CostLiteral, strings.TrimRight(trimmed, " ")+`\n`)
	alt(CostLiteral+1, body+" ")
	alt(CostLiteral+1, `\n`+body)
	alt(CostLiteral+1, " "+body)
	alt(CostLiteral+1, strings.TrimLeft(body, " "))
	alt(CostLiteral+1, strings.TrimPrefix(body, `\n`))
	for _, b := range conversions(body, reads) {
		alt(CostLiteral+2, b)
	}
}

var conversion = regexp.MustCompile(`%([-+ 0#]*)([0-9]*)(\.[0-9]+)?(hh|h|ll|l|z)?([diuoxXcsfgeEp])`)

// hasWidth matches a conversion with a width or a precision.
var hasWidth = regexp.MustCompile(`^%-?[.0-9]`)

// conversions returns the texts with one conversion changed. A format of scanf gets no width: %3d would read the fourth
// digit as another number.
func conversions(body string, reads bool) []string {
	var out []string
	for _, m := range conversion.FindAllStringSubmatchIndex(body, -1) {
		with := func(c string) {
			if !reads || !hasWidth.MatchString(c) {
				out = append(out, body[:m[0]]+c+body[m[1]:])
			}
		}
		kind := body[m[10]:m[11]]
		old := body[m[0]:m[1]]
		switch kind {
		case "d", "i", "u":
			for _, c := range []string{"%d", "%ld", "%lld", "%u", "%c", "%2d", "%3d", "%4d", "%02d", "%5d", "%lf", "%f", "%x"} {
				if c != old {
					with(c)
				}
			}
		case "f", "g", "e":
			for _, c := range []string{"%f", "%.0f", "%.1f", "%.2f", "%.3f", "%.4f", "%g", "%lf", "%d"} {
				if c != old {
					with(c)
				}
			}
		case "c":
			for _, c := range []string{" %c", "%c", "%d", "%s"} {
				if c != old {
					with(c)
				}
			}
		case "s":
			for _, c := range []string{"%s", "%c", "%-10s", "%10s"} {
				if c != old {
					with(c)
				}
			}
		case "x", "X", "o":
			for _, c := range []string{"%x", "%X", "%o", "%d", "%02x", "%08x"} {
				if c != old {
					with(c)
				}
			}
		}
	}
	return out
}

// shown returns literals with a fixed piece changed to the text that the expected output has at the first difference
// in a failing test.
func (s *facts) shown(body string) []string {
	var out []string
	pieces, at := fixedPieces(body)
	for k, p := range pieces {
		plain := unescaped(p)
		if plain == "" {
			continue
		}
		for _, h := range s.printed {
			for _, with := range h.instead(plain, k+1 < len(pieces) || strings.HasSuffix(body, p) && at[k]+len(p) < len(body)) {
				if len(with) <= mostReplaced {
					out = append(out, body[:at[k]]+escaped(with)+body[at[k]+len(p):])
				}
			}
		}
	}
	return out
}

// fixedPieces returns the pieces between the conversions, and the offset where each begins.
func fixedPieces(body string) (pieces []string, at []int) {
	last := 0
	for _, m := range conversion.FindAllStringIndex(body, -1) {
		pieces, at = append(pieces, body[last:m[0]]), append(at, last)
		last = m[1]
	}
	return append(pieces, body[last:]), append(at, last)
}

// instead returns the texts that the wanted output has where a piece was printed across the first difference. inner
// says that the literal goes on after the piece; it is not used.
func (p *Printed) instead(piece string, inner bool) []string {
	part := 0
	for part < len(p.Got) && part < len(p.Want) && p.Got[part] == p.Want[part] {
		part++
	}
	if part == len(p.Got) && part == len(p.Want) {
		return nil
	}
	var out []string
	for from, n := max(0, part-len(piece)), 0; n < mostOccurences; n++ {
		i := strings.Index(p.Got[min(from, len(p.Got)):], piece)
		if i < 0 {
			break
		}
		i += from
		from = i + 1
		if i > part {
			break
		}
		if part > i+len(piece) {
			continue
		}
		// The text that follows the piece in the output is searched in the wanted output.
		rest := p.Got[i+len(piece):]
		head := p.Got[i:part]
		for _, k := range []int{8, 4, 2, 1} {
			if len(rest) < k {
				continue
			}
			if j := strings.Index(p.Want[part:], rest[:k]); j >= 0 && j <= mostReplaced {
				out = append(out, head+p.Want[part:part+j])
				break
			}
		}
		if rest == "" {
			out = append(out, head+p.Want[part:])
		}
		if j := strings.IndexByte(p.Want[part:], '\n'); j >= 0 {
			out = append(out, head+p.Want[part:part+j], head+p.Want[part:part+j+1])
		}
	}
	return out
}

var escapes = []struct{ c, e string }{{`\`, `\\`}, {"\n", `\n`}, {"\t", `\t`}, {`"`, `\"`}, {"%", "%%"}, {"\r", `\r`}}

func escaped(s string) string {
	for _, x := range escapes {
		s = strings.ReplaceAll(s, x.c, x.e)
	}
	return s
}

func unescaped(s string) string {
	for i := len(escapes) - 1; i >= 0; i-- {
		s = strings.ReplaceAll(s, escapes[i].e, escapes[i].c)
	}
	return s
}
