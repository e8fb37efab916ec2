package cases

import (
	"fmt"
	"math/rand"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// This file makes runs from runs. It splits the arguments and the standard input of a run into words and lines, and
// changes them as people vary a test by hand: another value, another order, something left out or doubled, a command of
// another test in between.

// Input is what a program is run with.
type Input struct {
	Args  []string
	Stdin string
}

// key identifies an input.
func (in *Input) key() string { return strings.Join(in.Args, "\x00") + "\x01" + in.Stdin }

// Size orders inputs: small inputs are easier to understand.
func (in *Input) Size() int { return len(in.key()) }

func (in *Input) String() string {
	var b strings.Builder
	for i, a := range in.Args {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(quoted(a))
	}
	if in.Stdin != "" {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "<<< %q", in.Stdin)
	}
	if b.Len() == 0 {
		return "no arguments and no input"
	}
	return b.String()
}

var plain = regexp.MustCompile(`^[A-Za-z0-9_./:,=+@%-]+$`)

func quoted(a string) string {
	if plain.MatchString(a) {
		return a
	}
	return "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
}

// doc is a text split into lines of words. Single blanks separate the words.
type doc struct {
	lines [][]string
	args  bool // one line, whose words are arguments and may hold anything
	last  bool // the text ends with a newline
}

func documentOf(stdin string) *doc {
	d := &doc{last: strings.HasSuffix(stdin, "\n")}
	for _, l := range strings.Split(strings.TrimSuffix(stdin, "\n"), "\n") {
		d.lines = append(d.lines, strings.Split(l, " "))
	}
	return d
}

func (d *doc) text() string {
	var b strings.Builder
	for i, l := range d.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		for k, w := range l {
			if k > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w)
		}
	}
	if d.last && b.Len() > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

func (d *doc) copy() *doc {
	c := &doc{args: d.args, last: d.last, lines: make([][]string, len(d.lines), len(d.lines)+1)}
	for i, l := range d.lines {
		c.lines[i] = append(make([]string, 0, len(l)+1), l...)
	}
	return c
}

// count is a word that says how many words or lines follow. It is kept correct when they change.
type count struct {
	line, word int
	of         counted
}

// counted is what a count counts.
type counted int

const (
	wordsAfter counted = iota // on all lines after its own
	wordsHere                 // behind it on its own line
	wordsNext                 // on the next line
	linesAfter
)

// number returns how many there are for a count at a word of a line.
func (d *doc) number(of counted, line, word int) int {
	switch of {
	case wordsHere:
		return len(d.lines[line]) - word - 1
	case wordsNext:
		if line+1 == len(d.lines) {
			return 0
		}
		return len(d.lines[line+1])
	case linesAfter:
		return len(d.lines) - line - 1
	}
	return d.words(line + 1)
}

// counts finds the words that are counts, judged by their values.
func (d *doc) counts() []count {
	var out []count
	for i, l := range d.lines {
		for k, w := range l {
			if w == "" || w[0] > '9' { // parsing errors would cost more than everything else here
				continue
			}
			n, err := strconv.Atoi(w)
			if err != nil || n < 1 {
				continue
			}
			for _, of := range []counted{wordsHere, wordsAfter, linesAfter, wordsNext} {
				// A small number before another one on its line is often none, and equal by chance.
				if n == d.number(of, i, k) && (of == wordsHere || k == len(l)-1 || n > 1) {
					out = append(out, count{i, k, of})
					break
				}
			}
		}
	}
	return out
}

func (d *doc) words(from int) int {
	n := 0
	for _, l := range d.lines[min(from, len(d.lines)):] {
		n += len(l)
	}
	return n
}

// settle corrects counts after a change. A count that has moved because of changes before it is left alone.
func (d *doc) settle(cs []count, before *doc) {
	for _, c := range cs {
		if c.line >= len(d.lines) || c.word >= len(d.lines[c.line]) || d.lines[c.line][c.word] != before.lines[c.line][c.word] {
			continue
		}
		d.lines[c.line][c.word] = strconv.Itoa(d.number(c.of, c.line, c.word))
	}
}

// Maker makes inputs. It is not safe for concurrent use.
type Maker struct {
	rnd     *rand.Rand
	words   []string // words in other runs or known to the program
	lines   [][]string
	formats []string // formats with which the program reads lines
	flags   []string
	nums    []int64
	marks   []string
	wide    bool // also make words of other kinds and lengths, and equal ones
	text    bool // digits are characters like others
}

// NewMaker prepares to vary inputs of a program that speaks a language; speaks may be nil.
func NewMaker(seed int64, seeds []Input, speaks *Language) *Maker {
	if speaks == nil {
		speaks = &Language{}
	}
	m := &Maker{rnd: rand.New(rand.NewSource(seed)), formats: speaks.Lines, flags: speaks.Flags, text: speaks.Text}
	add := func(w string) {
		if n, err := strconv.ParseInt(w, 10, 64); err == nil {
			m.nums = append(m.nums, n)
		} else if w != "" {
			m.words = append(m.words, w)
		}
	}
	for _, in := range seeds {
		for _, a := range in.Args {
			add(a)
		}
		if in.Stdin == "" {
			continue
		}
		for _, l := range documentOf(in.Stdin).lines {
			m.lines = append(m.lines, l)
			for _, w := range l {
				add(w)
			}
		}
	}
	for _, w := range speaks.Words {
		add(w)
	}
	m.nums = append(m.nums, 0, 1, 2, 3, 5, 10)
	if nothing(seeds) { // then text to read must come from here
		m.words = append(m.words, text...)
	}
	for _, w := range m.words {
		if len(w) == 1 && !unicode.IsLetter(rune(w[0])) && !unicode.IsDigit(rune(w[0])) {
			m.marks = append(m.marks, w)
		}
	}
	return m
}

// text holds words for inputs if none is given: letters of both cases and digits.
var text = []string{"a", "Bob", "tea", "x9", "LEVEL", "noon"}

// nothing reports whether all inputs are without arguments and standard input.
func nothing(seeds []Input) bool {
	for _, in := range seeds {
		if len(in.Args) > 0 || strings.TrimSpace(in.Stdin) != "" {
			return false
		}
	}
	return true
}

// Vary returns an input with a few random changes.
func (m *Maker) Vary(in Input) Input {
	out := Input{Args: append([]string(nil), in.Args...), Stdin: in.Stdin}
	both := len(in.Args) > 0 && in.Stdin != ""
	steps := 1 + m.rnd.Intn(3)
	if m.rnd.Intn(8) == 0 {
		steps += m.rnd.Intn(6)
	}
	if len(in.Args) > 0 && (!both || m.rnd.Intn(2) == 0) || len(in.Args) == 0 && in.Stdin == "" && m.rnd.Intn(2) == 0 {
		d := &doc{lines: [][]string{out.Args}, args: true}
		out.Args = m.change(d, steps).lines[0]
		return out
	}
	out.Stdin = m.change(documentOf(in.Stdin), steps).text()
	return out
}

// Cross joins two inputs: one after the other, or the beginning of the first with the end of the second.
func (m *Maker) Cross(a, b Input) Input {
	cut := func(n int) int {
		if n == 0 || m.rnd.Intn(2) == 0 {
			return n
		}
		return m.rnd.Intn(n + 1)
	}
	out := Input{Args: append([]string(nil), a.Args...), Stdin: a.Stdin}
	if len(a.Args)+len(b.Args) > 0 {
		i := cut(len(a.Args))
		j := len(b.Args) - cut(len(b.Args))
		out.Args = append(append([]string(nil), a.Args[:i]...), b.Args[j:]...)
	}
	if a.Stdin != "" && b.Stdin != "" {
		x, y := documentOf(a.Stdin), documentOf(b.Stdin)
		cs, old := x.counts(), x.copy()
		i, j := cut(len(x.lines)), len(y.lines)-cut(len(y.lines))
		x.lines = append(x.lines[:i:i], y.lines[j:]...)
		x.settle(cs, old)
		out.Stdin = x.text()
	}
	return out
}

// change makes random changes to a copy of d, and mostly keeps counts correct.
func (m *Maker) change(d *doc, steps int) *doc {
	for ; steps > 0; steps-- {
		cs := d.counts()
		old := d
		d = d.copy()
		m.step(d)
		if len(d.lines) == 0 {
			d.lines = [][]string{{}}
		}
		if m.rnd.Intn(10) > 0 {
			d.settle(cs, old)
		}
	}
	return d
}

// step makes one random change.
func (m *Maker) step(d *doc) {
	i := m.rnd.Intn(len(d.lines))
	if d.args && len(m.flags) > 0 && m.rnd.Intn(6) == 0 {
		d.lines[i] = insert(d.lines[i], 0, m.flags[m.rnd.Intn(len(m.flags))])
		return
	}
	if (len(d.lines) > 1 || !d.args) && m.rnd.Intn(3) == 0 {
		m.lineStep(d, i)
		return
	}
	l := d.lines[i]
	if len(l) == 0 {
		d.lines[i] = []string{m.word("")}
		return
	}
	k := m.rnd.Intn(len(l))
	if m.wide && m.rnd.Intn(5) == 0 {
		d.lines[i] = m.wideStep(l, k)
		return
	}
	switch m.rnd.Intn(10) {
	case 0: // remove a word
		d.lines[i] = append(l[:k:k], l[k+1:]...)
	case 1: // repeat it
		d.lines[i] = insert(l, m.rnd.Intn(len(l)+1), l[k])
	case 2: // insert a similar one
		d.lines[i] = insert(l, m.rnd.Intn(len(l)+1), m.word(l[k]))
	case 3: // swap two
		n := m.rnd.Intn(len(l))
		l[k], l[n] = l[n], l[k]
	case 4: // remove a part, or repeat it
		n := k + 1 + m.rnd.Intn(len(l)-k)
		if m.rnd.Intn(2) == 0 {
			d.lines[i] = append(l[:k:k], l[n:]...)
		} else {
			d.lines[i] = append(l[:n:n], l[k:]...)
		}
	case 5: // shuffle the rest
		m.rnd.Shuffle(len(l)-k, func(a, b int) { l[k+a], l[k+b] = l[k+b], l[k+a] })
	default:
		l[k] = m.word(l[k])
	}
}

// wideStep makes a change that is rare by hand: a word that the program knows, whatever stood there; a word of another
// length; a word equal to another one, or a number greater or less by one; or numbers in sequence.
func (m *Maker) wideStep(l []string, k int) []string {
	switch n := m.rnd.Intn(len(l)); m.rnd.Intn(6) {
	case 0:
		if len(m.words) > 0 {
			w := m.words[m.rnd.Intn(len(m.words))]
			if m.rnd.Intn(2) == 0 {
				return insert(l, k+m.rnd.Intn(2), w)
			}
			l[k] = w
		}
	case 1, 2:
		l[k] = m.afresh(l[k])
	case 3:
		l[k] = l[n]
	case 4:
		if x, err := strconv.ParseInt(l[n], 10, 64); err == nil {
			l[k] = strconv.FormatInt(x+int64(m.rnd.Intn(3))-1, 10)
		}
	case 5:
		x := int64(m.rnd.Intn(4))
		step := []int64{-1, 0, 1, 1, 2, 3}[m.rnd.Intn(6)]
		for i := k; i < len(l); i++ {
			if _, err := strconv.Atoi(l[i]); err == nil {
				l[i] = strconv.FormatInt(x, 10)
				x += step
			}
		}
	}
	return l
}

// afresh makes a word of the kind of one of w's characters. It is as long as w, or about as long as a number that is
// known.
func (m *Maker) afresh(w string) string {
	r := []rune(w)
	if len(r) == 0 {
		return m.word("")
	}
	n := len(r)
	if m.rnd.Intn(3) > 0 {
		n = int(m.nums[m.rnd.Intn(len(m.nums))]) + m.rnd.Intn(3) - 1
	}
	if n < 1 || n > 40 {
		n = len(r)
	}
	kind := r[m.rnd.Intn(len(r))]
	if _, err := strconv.Atoi(w); err == nil && len(r) < digits && !m.text {
		return strconv.FormatInt(m.number(int64(m.rnd.Intn(1000))), 10)
	}
	out := make([]rune, n)
	for i := range out {
		out[i] = near(kind, m.rnd)
	}
	return string(out)
}

func (m *Maker) lineStep(d *doc, i int) {
	switch m.rnd.Intn(6) {
	case 5:
		if !d.args {
			d.lines = m.burst(d.lines, i)
		}
	case 4:
		switch {
		case d.args:
		case len(m.formats) > 0 && m.rnd.Intn(2) == 0:
			d.lines = insert(d.lines, i+m.rnd.Intn(2), m.formatted())
		case len(m.words) > 0:
			d.lines = insert(d.lines, i+1, m.command())
		}
	case 0:
		d.lines = append(d.lines[:i:i], d.lines[i+1:]...)
	case 1:
		d.lines = insert(d.lines, m.rnd.Intn(len(d.lines)+1), append([]string(nil), d.lines[i]...))
	case 2:
		n := m.rnd.Intn(len(d.lines))
		d.lines[i], d.lines[n] = d.lines[n], d.lines[i]
	case 3:
		if len(m.lines) > 0 {
			d.lines = insert(d.lines, m.rnd.Intn(len(d.lines)+1), append([]string(nil), m.lines[m.rnd.Intn(len(m.lines))]...))
		}
	}
}

// burst adds several lines like those of the input, with few numbers, which recur: what is put in is then looked for,
// changed and removed again.
func (m *Maker) burst(lines [][]string, i int) [][]string {
	pool := []string{"1", "2", "3", "5"}
	for _, l := range lines {
		for _, w := range l {
			if _, err := strconv.Atoi(w); err == nil && len(pool) < 12 {
				pool = append(pool, w)
			}
		}
	}
	for k := 2 + m.rnd.Intn(6); k > 0 && len(lines) < mostLines; k-- {
		l := slices.Clone(lines[m.rnd.Intn(len(lines))])
		if len(m.formats) > 0 && m.rnd.Intn(4) == 0 {
			l = m.formatted()
		} else if len(m.words) > 0 && len(l) > 0 && m.rnd.Intn(3) == 0 {
			l[0] = m.words[m.rnd.Intn(len(m.words))]
		}
		for n, w := range l {
			if _, err := strconv.Atoi(w); err == nil && m.rnd.Intn(4) > 0 {
				l[n] = pool[m.rnd.Intn(len(pool))]
			}
		}
		i++
		lines = insert(lines, min(i, len(lines)), l)
	}
	return lines
}

// mostLines bounds the lines of an input that lines are added to.
const mostLines = 60

// command makes a line for programs that read commands: a word that the program knows and up to three small numbers.
func (m *Maker) command() []string {
	l := []string{m.words[m.rnd.Intn(len(m.words))]}
	for k := m.rnd.Intn(4); k > 0; k-- {
		l = append(l, strconv.Itoa(m.rnd.Intn(6)))
	}
	return l
}

func insert[T any](l []T, at int, x T) []T {
	out := append([]T(nil), l[:at]...)
	return append(append(out, x), l[at:]...)
}

// digits is the length from which digits may be a text and not a number.
const digits = 6

var number = regexp.MustCompile(`-?\d+`)

// word returns another word in place of w, or any word if w is empty.
func (m *Maker) word(w string) string {
	if w == "" {
		if len(m.words) > 0 && m.rnd.Intn(2) == 0 {
			return m.words[m.rnd.Intn(len(m.words))]
		}
		return strconv.FormatInt(m.nums[m.rnd.Intn(len(m.nums))], 10)
	}
	at := number.FindAllStringIndex(w, -1)
	if len(at) > 0 && m.text && m.rnd.Intn(4) == 0 {
		return m.letters(w)
	}
	if len(w) >= digits && len(at) == 1 && m.rnd.Intn(2) == 0 {
		return m.letters(w)
	}
	if len(at) > 0 && (len(at[0]) == 2 && at[0][1]-at[0][0] == len(w) || m.rnd.Intn(3) > 0) {
		p := at[m.rnd.Intn(len(at))]
		n, err := strconv.ParseInt(w[p[0]:p[1]], 10, 64)
		if err != nil {
			return w
		}
		x := m.number(n)
		text := strconv.FormatInt(x, 10)
		if z := w[p[0]:p[1]]; len(z) > 1 && z[0] == '0' && x >= 0 { // 07 keeps two digits
			text = fmt.Sprintf("%0*d", len(z), x)
		}
		return w[:p[0]] + text + w[p[1]:]
	}
	return m.letters(w)
}

// number returns another number in place of n.
func (m *Maker) number(n int64) int64 {
	some := func() int64 { return m.nums[m.rnd.Intn(len(m.nums))] }
	switch m.rnd.Intn(11) {
	case 0:
		return n + 1
	case 1:
		return n - 1
	case 8: // next to a known number
		return some() + int64(m.rnd.Intn(3)) - 1
	case 9: // a multiple of one
		return some() * int64(1+m.rnd.Intn(25))
	case 10:
		return n + some()
	case 2:
		return n * 2
	case 3:
		return int64(m.rnd.Intn(24)) - 3
	case 4:
		return int64(m.rnd.Intn(130))
	case 5:
		if m.rnd.Intn(3) == 0 {
			return -n
		}
		return n + int64(m.rnd.Intn(9)) - 4
	case 6: // just before or after a known number
		return some() + int64(m.rnd.Intn(2))*2 - 1
	default:
		return some()
	}
}

// letters changes a word that is no number.
func (m *Maker) letters(w string) string {
	r := []rune(w)
	k := m.rnd.Intn(len(r))
	switch m.rnd.Intn(12) {
	case 8, 10: // about as long as a known number
		n := int(m.nums[m.rnd.Intn(len(m.nums))]) + m.rnd.Intn(3) - 1
		for len(r) < n && n <= 40 {
			r = append(r, near(r[m.rnd.Intn(len(r))], m.rnd))
		}
		if n > 0 && n < len(r) {
			r = r[:n]
		}
	case 9: // other characters of the same kinds
		for i := range r {
			if m.rnd.Intn(3) > 0 {
				r[i] = near(r[i], m.rnd)
			}
		}
	case 11: // two words with a known mark between them, as a>b or a=1
		if p := m.mark(); p != "" && len(r) < 40 {
			return w + p + m.word(w)
		}
	case 7: // followed by a changed copy
		if len(r) < 40 {
			return w + m.word(w)
		}
	case 0:
		r[k] = near(r[k], m.rnd)
	case 1:
		r = append(r[:k:k], r[k+1:]...)
	case 2:
		r = insert(r, k, r[m.rnd.Intn(len(r))])
	case 3:
		n := m.rnd.Intn(len(r))
		r[k], r[n] = r[n], r[k]
	default:
		if len(m.words) > 0 {
			return m.words[m.rnd.Intn(len(m.words))]
		}
		r[k] = near(r[k], m.rnd)
	}
	return string(r)
}

// mark returns a punctuation character that the program knows or a run has, or "" if there is none.
func (m *Maker) mark() string {
	if len(m.marks) == 0 {
		return ""
	}
	return m.marks[m.rnd.Intn(len(m.marks))]
}

// near returns a random character of the same kind.
func near(c rune, rnd *rand.Rand) rune {
	switch {
	case unicode.IsDigit(c):
		return '0' + rune(rnd.Intn(10))
	case unicode.IsLower(c):
		return 'a' + rune(rnd.Intn(26))
	case unicode.IsUpper(c):
		return 'A' + rune(rnd.Intn(26))
	}
	return []rune("()[]{}+-*/,.;: ab1")[rnd.Intn(18)]
}

// short returns the beginning of an input.
func (m *Maker) short(in Input) Input {
	out := Input{Args: append([]string(nil), in.Args[:min(len(in.Args), 1+m.rnd.Intn(3))]...), Stdin: in.Stdin}
	if in.Stdin != "" {
		d := documentOf(in.Stdin)
		cs, old := d.counts(), d.copy()
		d.lines = d.lines[:min(len(d.lines), 1+m.rnd.Intn(4))]
		d.settle(cs, old)
		out.Stdin = d.text()
	}
	return out
}

// mirrorShare says that one in so many inputs has the signs of all its numbers changed.
const mirrorShare = 50

// mirrored changes the sign of all numbers, so that the greatest may be negative.
func mirrored(in Input) Input {
	out := Input{Args: slices.Clone(in.Args)}
	sign := func(w string) string {
		if n, ok := wholeNumber(w); ok && n != 0 {
			return strconv.FormatInt(-n, 10)
		}
		return w
	}
	for i, a := range out.Args {
		out.Args[i] = sign(a)
	}
	out.Stdin = word.ReplaceAllStringFunc(in.Stdin, sign)
	return out
}

// word matches the text between blanks.
var word = regexp.MustCompile(`\S+`)

// More makes up to n inputs that differ from grounds and from each other, without running them: some are changed
// grounds, some are joined ones.
func More(seed int64, grounds []Input, speaks *Language, n int) []Input {
	return MoreOf(nil, seed, grounds, speaks, n, n)
}

// MoreOf makes up to n inputs of form f as More does, by making at most most of any form. If f is nil, any form is
// accepted.
func MoreOf(f *Form, seed int64, grounds []Input, speaks *Language, n, most int) (out []Input) {
	if len(grounds) == 0 {
		return nil
	}
	m := NewMaker(seed, grounds, speaks)
	m.wide = true
	seen := map[string]bool{}
	for _, in := range grounds {
		seen[in.key()] = true
	}
	for tries, made := 0, 0; len(out) < n && made < most && tries < 4*most; tries++ {
		in := grounds[m.rnd.Intn(len(grounds))]
		switch m.rnd.Intn(5) {
		case 0: // short inputs reach what long ones pass
			in = m.short(in)
		case 1:
			for k := 1 + m.rnd.Intn(4); k > 0 && in.Size() < mostSize; k-- {
				in = m.Cross(in, grounds[m.rnd.Intn(len(grounds))])
			}
		}
		if m.rnd.Intn(mirrorShare) == 0 {
			in = mirrored(in)
		} else {
			in = m.Vary(in)
		}
		key := in.key()
		if seen[key] {
			continue
		}
		seen[key] = true
		if made++; f.Has(&in) {
			out = append(out, in)
		}
	}
	return out
}
