package cases

import (
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// This file makes runs of programs that take one command per line. The runs are written afresh, from the known
// commands, with few numbers and names that recur. So what is put in is found, doubled and removed again, which rarely
// happens in inputs made by small changes.

// script holds what lines are made of.
type script struct {
	rnd   *rand.Rand
	lines [][]string // one of each shape: "#" for a number, "$" for a word; shapes from given runs come first
	own   int        // how many come from given runs
	read  int        // how many come from those or from formats with which the program reads
	known map[string]bool
	names []string // words to put in place of "$"
	words []string // others, which the program compares something with
	head  bool     // the first line says how many lines follow
}

// Bounds of scripts.
const (
	mostShapes = 60
	mostNames  = 8
	mostLength = 36 // lines of a script
)

// Scripts makes up to n inputs from the lines of given inputs and from what the program looks for. It returns none if
// no given input consists of standard input only.
func Scripts(seed int64, p *lower.Program, grounds []Input, speaks *Language, n int) ([]Input, error) {
	s := &script{rnd: rand.New(rand.NewSource(seed + 13)), known: map[string]bool{}}
	short := Input{}
	for _, in := range grounds {
		if len(in.Args) > 0 || strings.TrimSpace(in.Stdin) == "" {
			continue
		}
		if short.Stdin == "" || in.Size() < short.Size() {
			short = in
		}
		d := documentOf(in.Stdin)
		s.head = s.head || len(d.lines[0]) == 1 && slices.Contains(d.counts(), count{0, 0, linesAfter})
		for i, l := range d.lines {
			if i > 0 || !s.head {
				s.learn(l)
			}
		}
	}
	s.own, s.read = len(s.lines), len(s.lines)
	if s.own == 0 {
		return nil, nil
	}
	s.extend(NewMaker(seed, grounds, speaks), speaks)
	if !s.head {
		if err := s.sift(p, short.Stdin); err != nil {
			return nil, err
		}
	}
	var out []Input
	seen := map[string]bool{}
	for tries := 0; len(out) < n && tries < 4*n; tries++ {
		in := Input{Stdin: s.text()}
		if !seen[in.Stdin] && in.Size() < mostSize {
			seen[in.Stdin] = true
			out = append(out, in)
		}
	}
	return out, nil
}

// learn remembers the shape of a line.
func (s *script) learn(l []string) {
	if len(l) == 0 || l[0] == "" || len(s.lines) == mostShapes {
		return
	}
	shape := slices.Clone(l)
	for i, w := range l {
		switch _, err := strconv.Atoi(w); {
		case err == nil:
			shape[i] = "#"
		case i > 0 && w != "#" && w != "$":
			shape[i] = "$"
			if len(s.names) < mostNames && !slices.Contains(s.names, w) {
				s.names = append(s.names, w)
			}
		}
	}
	if key := strings.Join(shape, " "); !s.known[key] {
		s.known[key] = true
		s.lines = append(s.lines, shape)
	}
}

// extend adds lines that the program's formats read. If lines start with a word that the program looks for, it also
// adds lines that start with another such word, and that word alone.
func (s *script) extend(m *Maker, speaks *Language) {
	if speaks == nil {
		return
	}
	for _, w := range speaks.Words {
		if unicode.IsLetter(rune(w[0])) && !slices.Contains(s.names, w) {
			s.words = append(s.words, w)
		}
	}
	for _, f := range speaks.Lines {
		if strings.Trim(scanned.ReplaceAllString(f, ""), " ") != "" { // a format without text may be only a part of a line
			m.formats = []string{f}
			s.learn(m.formatted())
		}
	}
	s.read = len(s.lines)
	for _, l := range s.lines[:s.own] {
		if !slices.Contains(speaks.Words, l[0]) {
			continue
		}
		for _, w := range speaks.Words {
			if _, err := strconv.Atoi(w); err != nil && unicode.IsLetter(rune(w[0])) == unicode.IsLetter(rune(l[0][0])) {
				s.learn(append([]string{w}, l[1:]...))
				s.learn([]string{w})
			}
		}
	}
}

// sift removes made shapes after whose line the program stops reading. short is a text that the program reads
// completely.
func (s *script) sift(p *lower.Program, short string) error {
	run, err := oracle.NewRunner(&oracle.Suite{Prog: p})
	if err != nil {
		return err
	}
	fails := false
	steps := func(text string) int64 {
		r, _, err2 := run.Count(&oracle.Case{Stdin: text})
		if err2 != nil {
			err = err2
			return 0
		}
		fails = r.Fault != nil
		return r.Steps
	}
	if !strings.HasSuffix(short, "\n") {
		short += "\n"
	}
	once := steps(short)
	if fails { // it may also do so before the end, and how far it reads is not known
		return err
	}
	own, read := 0, 0
	var kept [][]string
	for i, l := range s.lines {
		line := s.line(l, []int{1, 2, 3}, s.names) + "\n"
		goesOn := err == nil && steps(short+line+short) > steps(short+line)+once/4
		if i < s.own || goesOn {
			kept = append(kept, l)
		}
		if i < s.own {
			own++
		}
		if i < s.read {
			read = len(kept)
		}
	}
	s.lines, s.own, s.read = kept, own, read
	return err
}

// line writes a line of a shape, with numbers from pool and some names.
func (s *script) line(shape []string, pool []int, names []string) string {
	l := slices.Clone(shape)
	for i, w := range l {
		switch w {
		case "#":
			l[i] = strconv.Itoa(pool[s.rnd.Intn(len(pool))])
		case "$":
			l[i] = names[s.rnd.Intn(len(names))]
		}
	}
	return strings.Join(l, " ")
}

// text writes a script with few shapes, few different numbers and few names, so that they recur. A shape from a given run occurs more often than
// others, and half of the scripts have no shapes but those that the program certainly reads.
func (s *script) text() string {
	pool := make([]int, 2+s.rnd.Intn(6))
	for i := range pool {
		pool[i] = s.rnd.Intn(10)
		if s.rnd.Intn(8) == 0 {
			pool[i] = s.rnd.Intn(120) - 10
		}
	}
	names := slices.Clone(s.names)
	s.rnd.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
	names = names[:min(len(names), 1+s.rnd.Intn(4))]
	if len(s.words) > 0 && s.rnd.Intn(2) == 0 { // options, say
		names = append(names, s.words[s.rnd.Intn(len(s.words))])
	}
	shapes := make([][]string, 2+s.rnd.Intn(6))
	from := s.lines
	if s.rnd.Intn(2) == 0 {
		from = s.lines[:s.read]
	}
	for i := range shapes {
		shapes[i] = from[s.rnd.Intn(len(from))]
		if i == 0 {
			shapes[i] = s.lines[s.rnd.Intn(s.own)]
		}
	}
	var b strings.Builder
	n := 3 + s.rnd.Intn(mostLength-3)
	if s.head {
		b.WriteString(strconv.Itoa(n) + "\n")
	}
	for ; n > 0; n-- {
		shape := shapes[0]
		if s.rnd.Intn(5) > 1 {
			shape = shapes[s.rnd.Intn(len(shapes))]
		}
		b.WriteString(s.line(shape, pool, names) + "\n")
	}
	return b.String()
}
