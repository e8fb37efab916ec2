package cases

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// This file finds what inputs have in common. Given tests show what inputs look like. A run on an input that looks
// different says little: a reference does something on it, and a right program may do something else.

// Form is what some inputs have in common. Other inputs must have it, too.
type Form struct {
	args    int                // number of arguments; -1: varies
	lines   int                // number of lines; -1: varies
	words   int                // number of words; -1: varies
	counted bool               // the first word is the number of words after it
	numbers bool               // all words are numbers
	least   int64              // least number, at most 1
	most    int64              // greatest number allowed
	ends    [2]int             // characters of the first and the last line; -1: varies
	chars   pairs              // pairs of kinds of characters, one after the other
	follows map[[2]string]bool // pairs of kinds of words, one after the other
	even    [2]bool            // whether quotes come in pairs, for each of quoteSigns
	large   size               // upper limit: a program's arrays may be just long enough
	cases   [2]bool            // there are lower-case letters, upper-case letters
	between *relations         // between its numbers; nil: any
	spoken  []string           // words that the program knows; words of letters must be among them. nil: any word may occur

	// For a form that was learned (Learn):
	loose    bool    // a word of digits and signs may have any length
	fewest   int     // least number of words
	escaping []byte  // signs that escape the next one
	paired   [4]bool // as many opening brackets as closing ones, for each of brackets
}

// size is the size of an input.
type size struct{ lines, words, line int } // line: characters of the longest one

// grown returns a size a few times as large, which other inputs of the task may have.
func (s size) grown() size { return size{2*s.lines + 8, 2*s.words + 8, 2*s.line + 16} }

func (s size) within(most size) bool {
	return s.lines <= most.lines && s.words <= most.words && s.line <= most.line
}

func (s size) joined(t size) size {
	return size{max(s.lines, t.lines), max(s.words, t.words), max(s.line, t.line)}
}

// quoteSigns are the signs that may come in pairs.
var quoteSigns = [2]rune{'"', '\''}

// pairs is a set of pairs of kinds of characters, where the second follows the first.
type pairs [128][2]uint64

func (p *pairs) add(a, b byte)      { p[a][b/64] |= 1 << (b % 64) }
func (p *pairs) has(a, b byte) bool { return p[a][b/64]>>(b%64)&1 != 0 }

// FormOf finds the form of some inputs. It returns nil if there are none.
func FormOf(list []Input) *Form {
	if len(list) == 0 {
		return nil
	}
	f := &Form{counted: true, numbers: true, least: 1, most: 1000, follows: map[[2]string]bool{}}
	var odd [2]bool
	most := int64(1)
	for i := range list {
		in := &list[i]
		d := featuresOf(in)
		most = max(most, d.most)
		f.counted, f.numbers = f.counted && d.counted, f.numbers && d.numbers
		f.least, f.most = min(f.least, d.least), max(f.most, 10*d.most)
		d.eachChar(nil, func(a, b byte) bool { f.chars.add(a, b); return true })
		d.eachWord(func(a, b string) bool { f.follows[[2]string{a, b}] = true; return true })
		for k, n := range d.quotes(nil) {
			f.even[k] = f.even[k] || n > 0
			odd[k] = odd[k] || n%2 == 1
		}
		f.large = f.large.joined(d.size)
		f.cases[0], f.cases[1] = f.cases[0] || d.cases[0], f.cases[1] || d.cases[1]
		same := func(of *int, n int) {
			if i == 0 {
				*of = n
			} else if *of != n {
				*of = -1
			}
		}
		same(&f.args, len(in.Args))
		same(&f.lines, d.lines)
		same(&f.words, len(d.words))
		same(&f.ends[0], d.ends[0])
		same(&f.ends[1], d.ends[1])
	}
	if len(list) == 1 { // the length of a single input is chance
		f.ends = [2]int{-1, -1}
	}
	for k := range odd {
		f.even[k] = f.even[k] && !odd[k]
	}
	if many(len(list)) { // a task's limits are met by some
		f.most = most
	} else {
		f.large = f.large.grown()
	}
	f.between = relationsOf(list)
	return f
}

// many reports whether inputs are so many that something that would be in half of the possible ones, and is in none of
// them, is hardly missing by chance.
func many(inputs int) bool { return math.Exp2(-float64(inputs)) < chance }

// Speak says which words the programs know. If every word in list is among them, other words do not have the form: such
// a word would be a command that does not exist, or an answer that nobody gives.
func (f *Form) Speak(words []string, list []Input) {
	for i := range list {
		if !featuresOf(&list[i]).speaks(words) {
			return
		}
	}
	f.spoken = words
}

// speaks reports whether all words of letters are among words.
func (s *features) speaks(words []string) bool {
	for _, w := range s.words {
		if wordKind(w) == "L" && !slices.Contains(words, w) {
			return false
		}
	}
	return true
}

// Has reports whether an input has the form. If f is nil, every input has it.
func (f *Form) Has(in *Input) bool {
	if f == nil {
		return true
	}
	d := featuresOf(in)
	is := func(want, n int) bool { return want < 0 || want == n }
	if !is(f.args, len(in.Args)) || !is(f.lines, d.lines) || !is(f.words, len(d.words)) || !is(f.ends[0], d.ends[0]) || !is(f.ends[1], d.ends[1]) {
		return false
	}
	if f.counted && !d.counted || f.numbers && !d.numbers || d.least < f.least || d.most > f.most {
		return false
	}
	if len(d.words) < f.fewest || !f.closes(d) {
		return false
	}
	if !d.size.within(f.large) || d.cases[0] && !f.cases[0] || d.cases[1] && !f.cases[1] {
		return false
	}
	if f.spoken != nil && !d.speaks(f.spoken) || !f.between.Has(in) {
		return false
	}
	return d.eachChar(f.escaping, f.chars.has) && d.eachWord(func(a, b string) bool { return f.follows[[2]string{f.kind(a), f.kind(b)}] })
}

// closes reports whether the quotes and brackets of an input come in pairs where the form wants that.
func (f *Form) closes(d *features) bool {
	for k, n := range d.quotes(f.escaping) {
		if f.even[k] && n%2 == 1 {
			return false
		}
	}
	for k, b := range brackets {
		if f.paired[k] && d.count(b[0], f.escaping) != d.count(b[1], f.escaping) {
			return false
		}
	}
	return true
}

// kind returns the kind of a word as far as the form distinguishes it. A loose form does not distinguish longer kinds.
func (f *Form) kind(k string) string {
	if f.loose && len(k) > 1 {
		return "M"
	}
	return k
}

// features are the properties of an input that forms look at.
type features struct {
	text             string
	words            []string
	lines            int
	counted, numbers bool
	least, most      int64
	ends             [2]int
	size             size
	cases            [2]bool
}

// featuresOf finds the features of an input.
func featuresOf(in *Input) *features {
	s := &features{numbers: true, least: 1, text: in.Stdin}
	if len(in.Args) > 0 {
		s.text = strings.Join(in.Args, " ") + "\n" + in.Stdin
	}
	s.lines = strings.Count(s.text, "\n") + 1
	body := s.text
	if s.lines > 1 {
		body = strings.TrimSuffix(body, "\n")
	}
	s.ends[0], s.ends[1] = len(body), len(body)-1-strings.LastIndexByte(body, '\n')
	if n := strings.IndexByte(body, '\n'); n >= 0 {
		s.ends[0] = n
	}
	s.words = strings.Fields(s.text)
	s.size = size{lines: s.lines, words: len(s.words)}
	for _, l := range strings.Split(body, "\n") {
		s.size.line = max(s.size.line, len(l))
	}
	for _, c := range s.text {
		s.cases[0], s.cases[1] = s.cases[0] || c >= 'a' && c <= 'z', s.cases[1] || c >= 'A' && c <= 'Z'
	}
	for i, w := range s.words {
		n, ok := wholeNumber(w)
		if !ok {
			s.numbers = false
			continue
		}
		s.least, s.most = min(s.least, n), max(s.most, n)
		s.counted = s.counted || i == 0 && n == int64(len(s.words)-1)
	}
	return s
}

// quotes counts the quotes of each kind, without escaped ones.
func (s *features) quotes(escaping []byte) (n [2]int) {
	for k, q := range quoteSigns {
		n[k] = s.count(byte(q), escaping)
	}
	return n
}

// count counts a sign, without escaped ones.
func (s *features) count(sign byte, escaping []byte) (n int) {
	text := false
	for i := range len(s.text) {
		if c := s.text[i]; text {
			text = false
		} else if text = slices.Contains(escaping, c); c == sign && !text {
			n++
		}
	}
	return n
}

// eachChar visits each pair of neighbouring characters, by kind, from the start of the text to its end, until visit
// returns false; it reports whether none was refused. Start and end have kind 0, an escaped sign has kind E.
func (s *features) eachChar(escaping []byte, visit func(a, b byte) bool) bool {
	last, text := byte(0), false
	for _, c := range s.text {
		k := kindOf(c)
		switch {
		case text && isSign(c):
			k, text = 'E', false
		case text:
			text = false
		default:
			text = slices.Contains(escaping, k)
		}
		if !visit(last, k) {
			return false
		}
		last = k
	}
	return visit(last, 0)
}

// eachWord visits each pair of neighbouring words in the same way.
func (s *features) eachWord(visit func(a, b string) bool) bool {
	last := ""
	for _, w := range s.words {
		k := wordKind(w)
		if !visit(last, k) {
			return false
		}
		last = k
	}
	return true
}

// wholeNumber parses a word as a 64-bit integer.
func wholeNumber(w string) (int64, bool) {
	if w == "" || w[len(w)-1] < '0' || w[len(w)-1] > '9' {
		return 0, false // rejects most words without building an error
	}
	n, err := strconv.ParseInt(w, 10, 64)
	return n, err == nil
}

// Those returns the inputs that have the form.
func (f *Form) Those(list []Input) []Input {
	var out []Input
	for i := range list {
		if f.Has(&list[i]) {
			out = append(out, list[i])
		}
	}
	return out
}

// wordKind returns N for a number, L for a word with a letter, else the word with each number in it replaced by N:
// N.N.N is a date.
func wordKind(w string) string {
	if _, ok := wholeNumber(w); ok {
		return "N"
	}
	for _, c := range w {
		if kindOf(c) == 'L' {
			return "L"
		}
	}
	var b strings.Builder
	for i := range len(w) {
		if k := kindOf(rune(w[i])); k != 'N' || i == 0 || kindOf(rune(w[i-1])) != 'N' {
			b.WriteByte(k)
		}
	}
	return b.String()
}

// kindOf returns the kind of a character: N for a digit, L for a letter, else the character itself.
func kindOf(c rune) byte {
	switch {
	case c >= '0' && c <= '9':
		return 'N'
	case c|0x20 >= 'a' && c|0x20 <= 'z' || c > 127:
		return 'L'
	}
	return byte(c)
}
