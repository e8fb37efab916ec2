package schema

import (
	"strconv"
	"strings"

	"gulo/internal/native"
	"gulo/internal/repair/textedit"
)

// This file counts the rounds of loops, and the jumps, that stand in an edit's text, as those of the program
// are counted: an edit with a loop that does not end is as cheap to refuse as any other. It guesses
// how long runs are of which nobody has seen one end.

// counted is a statement's text with a step in each of its loops.
func counted(alt string) string {
	if !strings.Contains(alt, "while") && !strings.Contains(alt, "for") && !strings.Contains(alt, "goto") {
		return alt
	}
	var b strings.Builder
	for i := 0; i < len(alt); {
		n := textedit.Token(alt[i:])
		word := alt[i : i+n]
		if word == "goto" {
			b.WriteString(countedGoto)
		}
		b.WriteString(word)
		i += n
		if word != "while" && word != "for" {
			continue
		}
		open := i
		for open < len(alt) && alt[open] == ' ' {
			open++
		}
		if open == len(alt) || alt[open] != '(' {
			continue
		}
		at := open + 1
		if word == "for" {
			if at = semicolon(alt, at); at < 0 {
				continue
			}
		}
		// What stands before the condition is looked at, too: it may have a loop in GNU C.
		b.WriteString(counted(alt[i:at]))
		b.WriteString(" gulo_step(), ")
		i = at
		if rest := strings.TrimLeft(alt[i:], " "); strings.HasPrefix(rest, ";") { // for (;;)
			b.WriteString("1")
		}
	}
	return b.String()
}

// semicolon is where the first semicolon of a for ends that begins at a place; -1 for none.
func semicolon(s string, at int) int {
	for depth := 0; at < len(s); {
		n := textedit.Token(s[at:])
		switch s[at : at+n] {
		case "(", "{", "[":
			depth++
		case ")", "}", "]":
			if depth--; depth < 0 {
				return -1
			}
		case ";":
			if depth == 0 {
				return at + 1
			}
		}
		at += n
	}
	return -1
}

// StepLimit is how many steps an edited program may make where the program itself makes n; 0
// for one that did not end.
func StepLimit(n int64) int64 {
	if n == 0 {
		n = 100_000
	}
	return stepsFor(n)
}

// likelySteps is how many loops and calls tests may take that nobody has seen end: programs with small
// inputs and outputs make few, but they may count up to a number that is read. Edits of a program that
// ends on no test are tried with that, and most of them do not end either.
func likelySteps(tests []native.Test) int64 {
	n := int64(2_000)
	for i := range tests {
		t := &tests[i]
		n = max(n, int64(100*(size(t)+len(t.Stdout))))
		for _, text := range append([]string{t.Stdin, t.Stdout}, t.Args...) {
			for _, w := range printedNumber.FindAllString(text, -1) {
				if v, err := strconv.ParseInt(w, 10, 64); err == nil {
					n = max(n, 20*min(v, mostLikelySteps))
				}
			}
		}
	}
	return min(n, mostLikelySteps)
}

const mostLikelySteps = 100_000
