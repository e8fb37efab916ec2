package rules

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"gulo/internal/source"
)

// token is a word, a number, a quoted text (without its quotes), a mark, or the end ("").
type token struct {
	text  string
	kind  tokenKind
	start int
	end   int
	doc   []string // comment lines before it
}

type tokenKind uint8

const (
	endToken tokenKind = iota
	wordToken
	numberToken
	textToken
	markToken
)

// signs maps the paper's signs to their ASCII forms.
var signs = map[rune]string{
	'∃': "exists", '∀': "forall", '∈': "in", '∧': "&&", '∨': "||", '¬': "!", '≐': "=", '≠': "!=", '≤': "<=", '≥': ">=",
	'σ': "Trace", '∅': "{}", '↦': "->", '⟨': "<", '⟩': ">",
}

var marks = []string{"||", "&&", "==", "!=", "<=", ">=", "->", "{}"}

// lex splits a file into tokens; the last one is the end.
func lex(f *source.File) ([]token, error) {
	text := string(f.Text)
	var out []token
	var doc []string
	add := func(k tokenKind, t string, start, end int) {
		out = append(out, token{text: t, kind: k, start: start, end: end, doc: doc})
		doc = nil
	}
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == '#' || strings.HasPrefix(text[i:], "//"):
			end := i + strings.IndexByte(text[i:]+"\n", '\n')
			line := strings.TrimPrefix(strings.TrimPrefix(text[i:end], "#"), "//")
			doc = append(doc, strings.TrimRightFunc(strings.TrimPrefix(line, " "), unicode.IsSpace))
			i = end
		case unicode.IsSpace(r):
			i += n
		case r == '_' || r < utf8.RuneSelf && unicode.IsLetter(r):
			end := i
			for end < len(text) && (text[end] == '_' || text[end] < utf8.RuneSelf && (unicode.IsLetter(rune(text[end])) || unicode.IsDigit(rune(text[end])))) {
				end++
			}
			add(wordToken, text[i:end], i, end)
			i = end
		case r >= '0' && r <= '9':
			end := i
			for end < len(text) && (text[end] < utf8.RuneSelf && (unicode.IsLetter(rune(text[end])) || unicode.IsDigit(rune(text[end])))) {
				end++
			}
			add(numberToken, text[i:end], i, end)
			i = end
		case r == '"':
			end := strings.IndexAny(text[i+1:], "\"\n")
			if end < 0 || text[i+1+end] != '"' || strings.ContainsFunc(text[i+1:i+1+end], unicode.IsControl) {
				return nil, source.Errorf(f.Position(i), "expected a text in quotes, on one line")
			}
			add(textToken, text[i+1:i+1+end], i, i+end+2)
			i += end + 2
		default:
			t := mark(text[i:], r)
			if t == "" {
				return nil, source.Errorf(f.Position(i), "unexpected %q", string(r))
			}
			k := markToken
			if unicode.IsLetter(rune(t[0])) {
				k = wordToken
			}
			if signs[r] == "" {
				n = len(t)
			}
			add(k, t, i, i+n)
			i += n
		}
	}
	add(endToken, "", len(text), len(text))
	return out, nil
}

func mark(text string, r rune) string {
	if s := signs[r]; s != "" {
		return s
	}
	for _, m := range marks {
		if strings.HasPrefix(text, m) {
			return m
		}
	}
	if strings.ContainsRune("()[]<>;:,=!|&+-*._{}", r) && r != '_' {
		return string(r)
	}
	return ""
}
