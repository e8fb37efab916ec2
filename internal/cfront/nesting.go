package cfront

import (
	"bytes"

	"gulo/internal/source"
)

// This file bounds how deep source text is nested, before gcc and the parser
// see it: both recurse, gcc crashes at some ten thousand brackets, and the
// parser takes quadratic time for some nestings.

const (
	maxNesting     = 1000 // brackets of all kinds in one another
	maxAssignments = 1000 // in one expression; each nests in the one before
)

// checkNesting refuses text with brackets, or assignments in one another, that
// are nested too deep. What macros expand to is not looked at.
func checkNesting(f *source.File) error {
	chains := []int{0} // for every open bracket, assignments since the last separator
	text := f.Text
	for i := 0; i < len(text); i++ {
		top := len(chains) - 1
		switch text[i] {
		case '"', '\'':
			i = literalEnd(text, i) - 1
		case '/':
			i = commentEnd(text, i)
		case '(', '[', '{':
			if top >= maxNesting {
				return source.Errorf(f.Position(i), "brackets nested deeper than %d levels are not supported", maxNesting)
			}
			chains = append(chains, 0)
		case ')', ']', '}':
			if top > 0 {
				chains = chains[:top]
				top--
			}
			if text[i] == '}' {
				chains[top] = 0
			}
		case ';', ',', '#':
			chains[top] = 0
		case '=':
			if i+1 < len(text) && text[i+1] == '=' {
				i++
				continue
			}
			if i > 0 && bytes.IndexByte([]byte("!<>"), text[i-1]) >= 0 && (i < 2 || text[i-2] != text[i-1]) {
				continue // a comparison
			}
			if chains[top]++; chains[top] > maxAssignments {
				return source.Errorf(f.Position(i), "more than %d assignments in one expression are not supported", maxAssignments)
			}
		}
	}
	return nil
}

// commentEnd returns the last byte of the comment that starts at i, or i when
// none does.
func commentEnd(text []byte, i int) int {
	switch {
	case bytes.HasPrefix(text[i:], []byte("//")):
		if k := bytes.IndexByte(text[i:], '\n'); k >= 0 {
			return i + k
		}
		return len(text)
	case bytes.HasPrefix(text[i:], []byte("/*")):
		if k := bytes.Index(text[i+2:], []byte("*/")); k >= 0 {
			return i + k + 3
		}
		return len(text)
	}
	return i
}

// literalEnd returns the end of the string or character literal at i.
func literalEnd(text []byte, i int) int {
	quote := text[i]
	for i++; i < len(text) && text[i] != quote && text[i] != '\n'; i++ {
		if text[i] == '\\' {
			i++
		}
	}
	return min(i+1, len(text))
}
