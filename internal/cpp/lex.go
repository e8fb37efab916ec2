package cpp

import (
	"regexp"
	"strconv"
	"strings"

	"gulo/internal/source"
)

// This file splits text into preprocessing tokens (C11 6.4). It has gcc's extensions: $ in
// names, and white space between the backslash and the line break of a line splice.

// Kind classifies tokens.
type Kind uint8

const (
	Ident Kind = iota + 1
	Number
	Char
	String
	Punct
	Other // not a valid token: a lone quote, a stray character
)

const (
	flagSpace    = 1 << iota // white space in front
	flagLine                 // first of its line
	flagNoExpand             // the name of a macro that is not expanded again
)

// Token is a preprocessing token.
type Token struct {
	Text string // without line splices
	File int32  // where it is written: an index into Unit.Files
	Off  int32  // offset in the file
	Len  int32  // bytes in the file
	Exp  int32  // the macro call it comes from, an index into Unit.Expansions; 0 for none
	Kind Kind
	flag uint8
}

func (t *Token) is(text string) bool { return t.Kind == Punct && t.Text == text }

// mode is a set of lexical rules that depend on the language standard.
type mode uint8

const (
	lineComments mode = 1 << iota // // begins a comment
	separators                    // ' may stand between digits
)

func (c *Config) mode() (m mode) {
	if !c.NoLine {
		m |= lineComments
	}
	if c.Separators {
		m |= separators
	}
	return m
}

// lexer reads one file.
type lexer struct {
	separators bool
	s          string
	i          int
	file       int32
	cpp        bool // // begins a comment
	toks       []Token
}

// lex returns the tokens of a text. The first token of each line has flagLine.
func lex(text string, file int32, m mode) []Token {
	l := &lexer{s: text, file: file, cpp: m&lineComments != 0, separators: m&separators != 0, toks: make([]Token, 0, len(text)/5+8)}
	if strings.HasPrefix(text, "\ufeff") {
		l.i = 3
	}
	flag := uint8(flagLine)
	for l.i < len(l.s) {
		switch c := l.s[l.i]; {
		case c == '\n':
			flag = flagLine
			l.i++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == 0:
			flag |= flagSpace
			l.i++
		case c == '\\' && l.splice(l.i) > 0:
			l.i += l.splice(l.i)
		case c == '/' && l.peek(1) == '*':
			l.i = l.skipComment(l.i)
			flag |= flagSpace
		case c == '/' && l.peek(1) == '/' && l.cpp:
			l.lineComment()
			flag |= flagSpace
		default:
			l.token(flag)
			flag = 0
		}
	}
	return l.toks
}

// splice returns the length of the line splice at i, a backslash and a line break; 0 if there is none.
func (l *lexer) splice(i int) int {
	if i >= len(l.s) || l.s[i] != '\\' {
		return 0
	}
	for j := i + 1; j < len(l.s); j++ {
		switch l.s[j] {
		case '\n':
			return j + 1 - i
		case ' ', '\t', '\r', '\f', '\v':
		default:
			return 0
		}
	}
	return 0
}

// trigraphs maps x to the character that ??x stands for (C11 5.2.1.1).
var trigraphs = map[byte]byte{'=': '#', '/': '\\', '\'': '^', '(': '[', ')': ']', '!': '|', '<': '{', '>': '}', '-': '~'}

// lexTrigraphs is lex with trigraphs replaced. The offsets of the tokens are those in the original text.
func lexTrigraphs(text string, file int32, m mode) []Token {
	if !strings.Contains(text, "??") {
		return lex(text, file, m)
	}
	plain := make([]byte, 0, len(text))
	at := make([]int32, 0, len(text)+1) // by byte of plain: where it is in text
	for i := 0; i < len(text); i++ {
		at = append(at, int32(i))
		if i+2 < len(text) && text[i] == '?' && text[i+1] == '?' && trigraphs[text[i+2]] != 0 {
			plain = append(plain, trigraphs[text[i+2]])
			i += 2
			continue
		}
		plain = append(plain, text[i])
	}
	at = append(at, int32(len(text)))
	toks := lex(string(plain), file, m)
	for i := range toks {
		t := &toks[i]
		start, end := at[t.Off], at[t.Off+t.Len]
		t.Off, t.Len = start, end-start
	}
	return toks
}

// peek returns the n-th character after the current one, not counting line splices; 0 at the end.
func (l *lexer) peek(n int) byte {
	i := l.i
	for ; i < len(l.s); n-- {
		for l.s[i] == '\\' {
			k := l.splice(i)
			if k == 0 {
				break
			}
			if i += k; i >= len(l.s) {
				return 0
			}
		}
		if n == 0 {
			return l.s[i]
		}
		i++
	}
	return 0
}

// skipComment returns the end of the /* comment that begins at i.
func (l *lexer) skipComment(i int) int {
	i++
	for k := l.splice(i); k > 0; k = l.splice(i) {
		i += k
	}
	i++ // the star
	for i < len(l.s) {
		j := strings.IndexByte(l.s[i:], '*')
		if j < 0 {
			break
		}
		i += j + 1
		k := i
		for n := l.splice(k); n > 0; n = l.splice(k) {
			k += n
		}
		if k < len(l.s) && l.s[k] == '/' {
			return k + 1
		}
	}
	return len(l.s)
}

func (l *lexer) lineComment() {
	for l.i < len(l.s) && l.s[l.i] != '\n' {
		if k := l.splice(l.i); k > 0 {
			l.i += k
			continue
		}
		l.i++
	}
}

func isIdentStart(c byte) bool {
	return c == '_' || c == '$' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}
func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// token reads one token.
func (l *lexer) token(flag uint8) {
	start, kind := l.i, Punct
	c := l.s[l.i]
	switch {
	case isIdentStart(c), c == '\\' && (l.peek(1) == 'u' || l.peek(1) == 'U'):
		kind = l.word()
	case isDigit(c), c == '.' && isDigit(l.peek(1)):
		kind = Number
		l.number()
	case c == '"' || c == '\'':
		kind = l.quoted()
	default:
		kind = l.punct()
	}
	text := l.s[start:l.i]
	if strings.IndexByte(text, '\\') >= 0 && strings.IndexByte(text, '\n') >= 0 {
		text = unsplice(text)
	}
	if kind == Ident && strings.IndexByte(text, '\\') >= 0 {
		text = universal(text)
	}
	if kind == Punct {
		if d, ok := digraphs[text]; ok {
			text = d
		}
	}
	l.toks = append(l.toks, Token{Kind: kind, Text: text, File: l.file, Off: int32(start), Len: int32(l.i - start), flag: flag})
}

var digraphs = map[string]string{"<:": "[", ":>": "]", "<%": "{", "%>": "}", "%:": "#", "%:%:": "##"}

// unsplice removes line splices.
func unsplice(s string) string {
	l := lexer{s: s}
	var b strings.Builder
	for i := 0; i < len(s); {
		if k := l.splice(i); k > 0 {
			i += k
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// advance skips one character and the line splices after it, if the token continues after them.
func (l *lexer) advance() {
	l.i++
	for l.i < len(l.s) && l.s[l.i] == '\\' {
		j, k := l.i, l.splice(l.i)
		if k == 0 {
			return
		}
		for n := k; n > 0; n = l.splice(j) {
			j += n
		}
		if j >= len(l.s) || !continues(l.s[j]) {
			return // the splice stands between tokens
		}
		l.i = j
	}
}

var universalName = regexp.MustCompile(`\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})`)

// universal replaces the universal character names in an identifier by the characters they name.
// Both spellings are the same identifier (C17 6.4.2.1).
func universal(name string) string {
	return universalName.ReplaceAllStringFunc(name, func(s string) string {
		n, _ := strconv.ParseUint(s[2:], 16, 32)
		return string(rune(n))
	})
}

// continues reports whether a token may continue with a character: it is not white space.
func continues(c byte) bool { return c > ' ' }

// word reads an identifier, or a literal with a prefix.
func (l *lexer) word() Kind {
	start := l.i
	for l.i < len(l.s) {
		c := l.s[l.i]
		if !isIdentStart(c) && !isDigit(c) && !(c == '\\' && (l.peek(1) == 'u' || l.peek(1) == 'U')) {
			break
		}
		l.advance()
	}
	if l.i < len(l.s) && (l.s[l.i] == '"' || l.s[l.i] == '\'') {
		switch p := l.s[start:l.i]; {
		case p == "L" || p == "u" || p == "U", p == "u8" && l.s[l.i] == '"':
			return l.quoted()
		}
	}
	return Ident
}

func (l *lexer) number() {
	for l.i < len(l.s) {
		c := l.s[l.i]
		if c == '\'' && l.separators && (isIdentStart(l.peek(1)) || isDigit(l.peek(1))) {
			l.advance()
			continue
		}
		if !isIdentStart(c) && !isDigit(c) && c != '.' {
			break
		}
		if e := c | 0x20; (e == 'e' || e == 'p') && (l.peek(1) == '+' || l.peek(1) == '-') {
			l.advance()
		}
		l.advance()
	}
}

// quoted reads a string or character constant. If it has no closing quote, it is the rest of the line and of kind Other.
func (l *lexer) quoted() Kind {
	quote := l.s[l.i]
	l.i++
	for l.i < len(l.s) && l.s[l.i] != '\n' {
		if k := l.splice(l.i); k > 0 {
			l.i += k
			continue
		}
		switch c := l.s[l.i]; {
		case c == quote:
			l.i++
			if quote == '"' {
				return String
			}
			return Char
		case c == '\\':
			l.i++
			for k := l.splice(l.i); k > 0; k = l.splice(l.i) {
				l.i += k
			}
			if l.i < len(l.s) && l.s[l.i] != '\n' {
				l.i++
			}
		default:
			l.i++
		}
	}
	return Other
}

var puncts = []string{"%:%:", "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|=", "##", "<:", ":>", "<%", "%>", "%:"}

func (l *lexer) punct() Kind {
	if strings.IndexByte("[](){}.&*+-~!/%<>^|?:;=,#", l.s[l.i]) < 0 {
		l.i++
		return Other
	}
	for _, p := range puncts {
		if p[0] == l.s[l.i] && l.matches(p) {
			for range len(p) {
				l.advance()
			}
			return Punct
		}
	}
	l.i++
	return Punct
}

func (l *lexer) matches(p string) bool {
	for k := 1; k < len(p); k++ {
		if l.peek(k) != p[k] {
			return false
		}
	}
	return true
}

// File is a source file of a unit.
type File struct {
	*source.File
	Path   string // by which this unit includes it; Name may be spelled differently
	System bool   // a system header
}
