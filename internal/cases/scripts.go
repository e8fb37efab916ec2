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
	known map[string]bool
	names []string // words to put in place of "$"
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
	s.own = len(s.lines)
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
	for _, f := range speaks.Lines {
		if strings.Trim(scanned.ReplaceAllString(f, ""), " ") != "" { // a format without text may be only a part of a line
			m.formats = []string{f}
			s.learn(m.formatted())
		}
	}
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
	steps := func(text string) int64 {
		r, _, err2 := run.Count(&oracle.Case{Stdin: text})
		if err2 != nil {
			err = err2
			return 0
		}
		if r.Fault != nil {
			return 0
		}
		return r.Steps
	}
	if !strings.HasSuffix(short, "\n") {
		short += "\n"
	}
	own := 0
	var kept [][]string
	for i, l := range s.lines {
		line := s.line(l, []int{1, 2, 3}) + "\n"
		ends := err == nil && steps(short+line+short) > steps(short+line)+steps(short)/4
		if i < s.own || ends {
			kept = append(kept, l)
		}
		if i < s.own {
			own++
		}
	}
	s.lines, s.own = kept, own
	return err
}

// line writes a line of a shape, with numbers from pool.
func (s *script) line(shape []string, pool []int) string {
	l := slices.Clone(shape)
	for i, w := range l {
		switch w {
		case "#":
			l[i] = strconv.Itoa(pool[s.rnd.Intn(len(pool))])
		case "$":
			l[i] = s.names[s.rnd.Intn(len(s.names))]
		}
	}
	return strings.Join(l, " ")
}

// text writes a script with few shapes and few different numbers. A shape from a given run occurs more often than
// others.
func (s *script) text() string {
	pool := make([]int, 2+s.rnd.Intn(6))
	for i := range pool {
		pool[i] = s.rnd.Intn(10)
		if s.rnd.Intn(8) == 0 {
			pool[i] = s.rnd.Intn(120) - 10
		}
	}
	shapes := make([][]string, 2+s.rnd.Intn(6))
	for i := range shapes {
		shapes[i] = s.lines[s.rnd.Intn(len(s.lines))]
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
		b.WriteString(s.line(shape, pool) + "\n")
	}
	return b.String()
}
