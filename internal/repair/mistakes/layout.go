package mistakes

import (
	"strings"

	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// This file keeps the layout of a statement that a pattern changes: only what differs between the two texts is
// rewritten.

// longestAligned bounds the tokens of a statement that is aligned with its other text.
const longestAligned = 600

// keepLayout returns the text after with the blanks, line breaks and comments of the text before, wherever two tokens
// follow each other in both. indent is the indentation of the statement.
func keepLayout(before, after, indent string) string {
	a, b := scan(before), scan(after)
	if len(a) > longestAligned || len(b) > longestAligned {
		return after
	}
	at := align(a, b)
	var out strings.Builder
	lines := strings.Contains(before, "\n")
	var open []string // for each brace that is open: the indentation of its line
	for i, t := range b {
		if i > 0 {
			p, q := at[i-1], at[i]
			switch {
			case p >= 0 && q == p+1:
				out.WriteString(before[a[p].end:a[q].start])
			case lines && t.text == "}" && len(open) > 0: // a brace goes to the indentation of the brace that it closes
				out.WriteString("\n" + open[len(open)-1])
			case lines && b[i-1].text == "}" && len(open) == 0 && t.text != "else" && t.text != "while":
				out.WriteString("\n" + indent)
			default:
				out.WriteString(after[b[i-1].end:t.start])
			}
		}
		out.WriteString(t.text)
		switch {
		case t.text == "{":
			open = append(open, lineIndent(out.String(), indent))
		case t.text == "}" && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	return out.String()
}

// lineIndent returns the indentation of the last line of a text whose first line is indented by first.
func lineIndent(text, first string) string {
	i := strings.LastIndexByte(text, '\n')
	if i < 0 {
		return first
	}
	line := text[i+1:]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// align returns, for each token of b, the index of the token of a that it corresponds to in a longest common
// subsequence; -1 for none.
func align(a, b []token) []int {
	n := make([][]int16, len(a)+1)
	for i := range n {
		n[i] = make([]int16, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			n[i][j] = max(n[i+1][j], n[i][j+1])
			if a[i].text == b[j].text {
				n[i][j] = max(n[i][j], n[i+1][j+1]+1)
			}
		}
	}
	out := make([]int, len(b))
	for i, j := 0, 0; j < len(b); {
		switch {
		case i < len(a) && a[i].text == b[j].text && n[i][j] == n[i+1][j+1]+1:
			out[j] = i
			i++
			j++
		case i < len(a) && n[i+1][j] >= n[i][j+1]:
			i++
		default:
			out[j] = -1
			j++
		}
	}
	return out
}

// differing returns the change between two texts of a place: from the first token that differs to the last one,
// extended to whole statements or a whole head. It returns nil if that is the whole text.
func differing(f *source.File, start int, before, after string) []textedit.Change {
	a, b := scan(before), scan(after)
	front := 0
	for front < min(len(a), len(b)) && a[front].text == b[front].text {
		front++
	}
	back := 0
	for back < min(len(a), len(b))-front && a[len(a)-1-back].text == b[len(b)-1-back].text {
		back++
	}
	if h, k := head(a), head(b); h > 0 && k > 0 && back >= len(a)-h && len(a)-h == len(b)-k {
		front, back = 0, len(a)-h
	} else {
		for front > 0 && !ends(a[front-1].text) {
			front--
		}
		for back > 0 && !ends(a[len(a)-back].text) {
			back--
		}
	}
	if front+back >= len(a) || front+back >= len(b) || front == 0 && back == 0 {
		return nil
	}
	from, to := a[front].start, a[len(a)-1-back].end
	return []textedit.Change{{File: f, Start: start + from, End: start + to, Text: after[b[front].start:b[len(b)-1-back].end]}}
}

// head returns the number of tokens in the head of a statement, as in if (a = b); 0 if it has none.
func head(ts []token) int {
	if len(ts) < 2 || ts[1].text != "(" || ts[0].text != "if" && ts[0].text != "while" && ts[0].text != "for" {
		return 0
	}
	depth := 0
	for i, t := range ts {
		switch t.text {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// ends reports whether a token ends a statement, or begins or ends a block.
func ends(t string) bool { return t == ";" || t == "{" || t == "}" }
