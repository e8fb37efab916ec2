// Package mistakes holds frequent mistakes in C as templates: a pattern, its replacement, and an explanation. They are
// data, in mistakes.txt, which describes the format; teachers can add their own.
//
// Patterns are matched with the tokens of statements and expressions, so layout and comments do not count. The
// replacement of a match is a guess; the caller runs it.
//
// Not supported: patterns of declarations, and matches inside expansions of macros.
package mistakes

import (
	_ "embed"
	"fmt"
	"os"
	"strconv"
	"strings"

	"gulo/internal/source"
)

//go:embed mistakes.txt
var builtin string

// Mistake is a template.
type Mistake struct {
	Name  string
	Say   string
	Cost  int
	Needs []string
	Pairs []Pair

	// Common says that code which matches the patterns is mostly right. Such edits are tried together with all others,
	// not ahead of them.
	Common bool
}

// Pair is a pattern and its replacement.
type Pair struct {
	from, to  []string // tokens
	statement bool
	next      bool // the replacement includes the statement after the match
}

const usualCost = 3

// Builtin returns the mistakes that gulo knows.
func Builtin() []Mistake {
	ms, err := Parse("mistakes.txt", builtin)
	if err != nil {
		panic("mistakes: " + err.Error()) // a test reads the file
	}
	return ms
}

// ReadFile reads mistakes from a file.
func ReadFile(name string) ([]Mistake, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Parse(name, string(b))
}

// Parse reads mistakes from a text. It returns a *source.Error for a line that it cannot read.
func Parse(name, text string) ([]Mistake, error) {
	var out []Mistake
	var from []string
	for i, line := range strings.Split(text, "\n") {
		bad := func(format string, args ...any) error {
			return source.Errorf(source.Position{File: name, Line: i + 1, Column: 1}, format, args...)
		}
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		rest = strings.TrimSpace(rest)
		if word == "common" && rest == "" && len(out) > 0 {
			out[len(out)-1].Common = true
			continue
		}
		if rest == "" {
			return nil, bad("%q has nothing behind it", word)
		}
		if word == "mistake" {
			out = append(out, Mistake{Name: rest, Cost: usualCost})
			from = nil
			continue
		}
		if len(out) == 0 {
			return nil, bad("%q stands before the first mistake", word)
		}
		m := &out[len(out)-1]
		switch word {
		case "say":
			m.Say = rest
		case "cost":
			n, err := strconv.Atoi(rest)
			if err != nil || n < 1 || n > 20 {
				return nil, bad("the cost is a number from 1 to 20, not %q", rest)
			}
			m.Cost = n
		case "needs":
			m.Needs = append(m.Needs, strings.Fields(rest)...)
		case "change":
			from = texts(scan(rest))
		case "to":
			if from == nil {
				return nil, bad(`"to" needs a "change" before it`)
			}
			p := Pair{from: from, to: texts(scan(rest))}
			last := from[len(from)-1]
			p.statement = last == ";" || last == "}" || last == "$s"
			for _, t := range p.to {
				p.next = p.next || t == "$next"
				if t[0] == '$' && t != "$next" && !has(from, t) {
					return nil, bad("%s is not in the pattern", t)
				}
			}
			if p.next && !p.statement {
				return nil, bad("$next stands only in the place of statements")
			}
			m.Pairs = append(m.Pairs, p)
		default:
			return nil, bad("%q is none of mistake, say, cost, common, needs, change, to", word)
		}
	}
	for _, m := range out {
		if m.Say == "" || len(m.Pairs) == 0 {
			return nil, fmt.Errorf("%s: the mistake %q lacks say, or change and to", name, m.Name)
		}
	}
	return out, nil
}

func has(tokens []string, t string) bool {
	for _, x := range tokens {
		if x == t || x == t+"?" {
			return true
		}
	}
	return false
}

// token is a piece of a text.
type token struct {
	text       string
	start, end int
}

func texts(ts []token) []string {
	var out []string
	for _, t := range ts {
		out = append(out, t.text)
	}
	return out
}

var operators = []string{"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="}

func word(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// scan splits C text into tokens. In patterns, $ begins a word, and ? may end one.
func scan(s string) []token {
	var out []token
	for i := 0; i < len(s); {
		c := s[i]
		j := i + 1
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\':
			i++
			continue
		case strings.HasPrefix(s[i:], "//"):
			for i < len(s) && s[i] != '\n' {
				i++
			}
			continue
		case strings.HasPrefix(s[i:], "/*"):
			k := strings.Index(s[i+2:], "*/")
			if k < 0 {
				return out
			}
			i += k + 4
			continue
		case c == '"' || c == '\'':
			for j < len(s) && s[j] != c {
				if s[j] == '\\' {
					j++
				}
				j++
			}
			j = min(j+1, len(s))
		case c == '$' || word(c):
			for j < len(s) && (word(s[j]) || s[j] == '.' && c >= '0' && c <= '9') {
				j++
			}
			if c == '$' && j < len(s) && s[j] == '?' {
				j++
			}
		default:
			for _, o := range operators {
				if strings.HasPrefix(s[i:], o) {
					j = i + len(o)
					break
				}
			}
		}
		out = append(out, token{s[i:j], i, j})
		i = j
	}
	return out
}
