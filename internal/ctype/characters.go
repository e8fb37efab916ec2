package ctype

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// This file converts between strings and arrays of characters, wide ones included.

// CharactersOf decodes b as characters of type elem and returns those before the first zero.
func CharactersOf(b []byte, elem *Type) []Word {
	var s []Word
	for ; int64(len(b)) >= elem.Size; b = b[elem.Size:] {
		w := Load(elem, b)
		if w == 0 {
			break
		}
		s = append(s, w)
	}
	return s
}

// Quote writes characters of a type as a string literal.
func Quote(s []Word, elem *Type) string {
	if elem.Size == 1 {
		b := make([]byte, len(s))
		for i, w := range s {
			b[i] = byte(w)
		}
		return strconv.Quote(string(b))
	}
	var out strings.Builder
	out.WriteString(prefixOf(elem) + `"`)
	for i := 0; i < len(s); i++ {
		r := rune(s[i])
		if elem.Size == 2 && i+1 < len(s) && utf16.IsSurrogate(r) {
			if pair := utf16.DecodeRune(r, rune(s[i+1])); pair != utf8.RuneError {
				r = pair
				i++
			}
		}
		switch quoted := strconv.QuoteRune(r); {
		case !utf8.ValidRune(r):
			fmt.Fprintf(&out, `\x%x`, uint32(r))
		case r == '"':
			out.WriteString(`\"`)
		case r == '\'':
			out.WriteByte('\'')
		default:
			out.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return out.String() + `"`
}

// prefixOf returns the prefix of string literals of a wide character type.
func prefixOf(t *Type) string {
	switch {
	case t.Text != "":
		return t.Text
	case t.Size == 2:
		return "u"
	case t.Signed:
		return "L"
	}
	return "U"
}

// Characters encodes a string as characters of type elem, without the final zero.
func Characters(s string, elem *Type) []Word {
	var out []Word
	switch elem.Size {
	case 1:
		for i := range len(s) {
			out = append(out, Word(s[i]))
		}
	case 2:
		for _, u := range utf16.Encode([]rune(s)) {
			out = append(out, Word(u))
		}
	default:
		for _, r := range s {
			out = append(out, Word(r))
		}
	}
	return out
}
