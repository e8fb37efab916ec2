package mine

import "strings"

// This file adds braces to every body of an if or a loop.

// canonical returns the tokens of a text with braces around every body and without redundant parentheses.
func canonical(text string) []token { return new(bracer).canonical(text) }

// bracer copies tokens. Its lists are reused for the next text.
type bracer struct {
	groups  grouper
	in, out []token
	at      int
}

// canonical returns the tokens of a text. They are valid until the next call.
func (b *bracer) canonical(text string) []token {
	b.read(text)
	return b.finish()
}

// read splits a text into tokens, and returns how many of them are solid.
func (b *bracer) read(text string) int { return solid(b.groups.read(text)) }

// finish returns the canonical tokens of the text last read.
func (b *bracer) finish() []token {
	b.in, b.out, b.at = b.groups.plain(), b.out[:0], 0
	for b.at < len(b.in) {
		b.outside()
	}
	return b.out
}

// solid counts tokens except parentheses, which may be removed, and braces, which may be added.
func solid(ts []token) int {
	n := 0
	for _, t := range ts {
		switch t.text {
		case "(", ")", "{", "}":
		default:
			n++
		}
	}
	return n
}

func (b *bracer) is(text string) bool { return b.at < len(b.in) && b.in[b.at].text == text }

// take copies a token.
func (b *bracer) take() {
	if b.at < len(b.in) {
		b.out = append(b.out, b.in[b.at])
		b.at++
	}
}

// made writes a brace that is not in the text.
func (b *bracer) made(text string) {
	at := 0
	if n := len(b.out); n > 0 {
		at = b.out[n-1].end
	}
	b.out = append(b.out, token{text, at, at})
}

// outside copies tokens outside functions, up to the end of a declaration or of a function's body.
func (b *bracer) outside() {
	for depth := 0; b.at < len(b.in); {
		switch t := b.in[b.at].text; {
		case t == "{" && depth == 0 && b.at > 0 && b.in[b.at-1].text == ")":
			b.block()
			return
		case t == "{" || t == "(" || t == "[":
			depth++
		case t == "}" || t == ")" || t == "]":
			depth--
		case t == ";" && depth <= 0:
			b.take()
			return
		}
		b.take()
	}
}

// block copies a block.
func (b *bracer) block() {
	for b.take(); b.at < len(b.in) && !b.is("}"); {
		b.statement()
	}
	b.take()
}

// body copies a body, with braces.
func (b *bracer) body() {
	if b.is("{") {
		b.block()
		return
	}
	b.made("{")
	b.statement()
	b.made("}")
}

// parens copies a part in parentheses.
func (b *bracer) parens() {
	for depth := 0; b.at < len(b.in); {
		switch b.in[b.at].text {
		case "(":
			depth++
		case ")":
			depth--
		}
		if b.take(); depth <= 0 {
			return
		}
	}
}

// statement copies a statement.
func (b *bracer) statement() {
	if b.at >= len(b.in) {
		return
	}
	switch b.in[b.at].text {
	case "{":
		b.block()
	case "if":
		b.take()
		b.parens()
		if b.body(); b.is("else") {
			b.take()
			b.body()
		}
	case "for", "while", "switch":
		b.take()
		b.parens()
		b.body()
	case "do":
		b.take()
		b.body()
		b.simple()
	case "case", "default":
		for b.at < len(b.in) && !b.is(":") {
			b.take()
		}
		b.take()
	default:
		b.simple()
	}
}

// simple copies up to a semicolon, or to the end of the enclosing block.
func (b *bracer) simple() {
	for depth := 0; b.at < len(b.in); {
		switch b.in[b.at].text {
		case "{", "(", "[":
			depth++
		case "}", ")", "]":
			if depth--; depth < 0 && b.is("}") {
				return
			}
		case ";":
			if depth <= 0 {
				b.take()
				return
			}
		}
		b.take()
	}
}

// keywords are the words of C that class keeps.
var keywords = map[string]bool{}

func init() {
	for _, w := range strings.Fields("auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool") {
		keywords[w] = true
	}
}

// class removes the name or the value from a token: it returns name, text, number, or the token itself.
func class(t string) string {
	switch c := t[0]; {
	case keywords[t]:
		return t
	case c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z':
		return "name"
	case c == '"' || c == '\'':
		return "text"
	case c >= '0' && c <= '9' || c == '.' && len(t) > 1:
		return "number"
	}
	return t
}
