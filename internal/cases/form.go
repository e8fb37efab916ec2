package cases

import (
	"strconv"
	"strings"
)

// This file finds what inputs have in common. Where tests are given, they show what inputs look
// like, and a run on what looks otherwise says little: a reference does something on it, and a
// right program may do something else.

// Form is what some inputs have in common: what is the same in all of them is required of others.
type Form struct {
	args    int // how many; -1: not always as many
	lines   int
	words   int
	counted bool   // the first word says how many follow
	numbers bool   // all words are numbers
	least   int64  // of all numbers, at most 1
	most    int64  // larger ones are not made
	ends    [2]int // characters of the first and of the last line; -1: not always as many
	follows map[[2]string]bool
	even    map[rune]bool // quotes that come in pairs
}

// FormOf finds the form of inputs; nil where there are none.
func FormOf(list []Input) *Form {
	if len(list) == 0 {
		return nil
	}
	f := &Form{counted: true, numbers: true, least: 1, most: 1000, follows: map[[2]string]bool{}, even: map[rune]bool{}}
	odd := map[rune]bool{}
	for i := range list {
		in := &list[i]
		d := shapeOf(in)
		f.counted, f.numbers = f.counted && d.counted, f.numbers && d.numbers
		f.least, f.most = min(f.least, d.least), max(f.most, 10*d.most)
		for p := range d.follows {
			f.follows[p] = true
		}
		for c, n := range d.quotes {
			f.even[c] = true
			odd[c] = odd[c] || n%2 == 1
		}
		same := func(of *int, n int) {
			if i == 0 {
				*of = n
			} else if *of != n {
				*of = -1
			}
		}
		same(&f.args, len(in.Args))
		same(&f.lines, d.lines)
		same(&f.words, d.words)
		same(&f.ends[0], d.ends[0])
		same(&f.ends[1], d.ends[1])
	}
	for c := range odd {
		if odd[c] {
			delete(f.even, c)
		}
	}
	return f
}

// Has reports whether an input has the form; every input has none.
func (f *Form) Has(in *Input) bool {
	if f == nil {
		return true
	}
	d := shapeOf(in)
	is := func(want, n int) bool { return want < 0 || want == n }
	if !is(f.args, len(in.Args)) || !is(f.lines, d.lines) || !is(f.words, d.words) || !is(f.ends[0], d.ends[0]) || !is(f.ends[1], d.ends[1]) {
		return false
	}
	if f.counted && !d.counted || f.numbers && !d.numbers || d.least < f.least || d.most > f.most {
		return false
	}
	for p := range d.follows {
		if !f.follows[p] {
			return false
		}
	}
	for c, n := range d.quotes {
		if f.even[c] && n%2 == 1 {
			return false
		}
	}
	return true
}

// shape is what a form asks of an input.
type shape struct {
	lines, words     int
	counted, numbers bool
	least, most      int64
	ends             [2]int
	follows          map[[2]string]bool // kinds of characters, and of words (^), one behind the other
	quotes           map[rune]int
}

func shapeOf(in *Input) *shape {
	s := &shape{numbers: true, least: 1, follows: map[[2]string]bool{}, quotes: map[rune]int{}}
	text := in.Stdin
	if len(in.Args) > 0 {
		text = strings.Join(in.Args, " ") + "\n" + text
	}
	lines := strings.Split(text, "\n")
	s.lines = len(lines)
	if n := len(lines); n > 1 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	s.ends = [2]int{len(lines[0]), len(lines[len(lines)-1])}
	words := strings.Fields(text)
	s.words = len(words)
	for i, w := range words {
		n, err := strconv.ParseInt(w, 10, 64)
		if err != nil {
			s.numbers = false
			continue
		}
		s.least, s.most = min(s.least, n), max(s.most, n)
		s.counted = s.counted || i == 0 && n == int64(len(words)-1)
	}
	last, lastWord := "", "^"
	for _, c := range text {
		k := kindOf(c)
		s.follows[[2]string{last, k}] = true
		if last = k; c == '"' || c == '\'' {
			s.quotes[c]++
		}
	}
	s.follows[[2]string{last, ""}] = true
	for _, w := range words {
		k := wordKind(w)
		s.follows[[2]string{lastWord, "^" + k}] = true
		lastWord = "^" + k
	}
	return s
}

// Those returns the inputs that have a form.
func (f *Form) Those(list []Input) []Input {
	var out []Input
	for i := range list {
		if f.Has(&list[i]) {
			out = append(out, list[i])
		}
	}
	return out
}

// wordKind is a number, a word with letters, or signs as they are.
func wordKind(w string) string {
	if _, err := strconv.ParseInt(w, 10, 64); err == nil {
		return "N"
	}
	for _, c := range w {
		if kindOf(c) == "L" {
			return "L"
		}
	}
	return w
}

// kindOf names the kind of a character.
func kindOf(c rune) string {
	switch {
	case c >= '0' && c <= '9':
		return "N"
	case c|0x20 >= 'a' && c|0x20 <= 'z' || c > 127:
		return "L"
	}
	return string(c)
}
