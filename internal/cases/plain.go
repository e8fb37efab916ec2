package cases

import (
	"fmt"
	"math/rand"
	"slices"
	"strconv"
)

// This file makes runs that keep to the conventions of the given ones: lines are permuted, repeated or removed, a
// number is replaced by one close to it, one from elsewhere or one close to a constant of the program, and a word that
// is no command by another such word. The task says what a program does on those. It often does not for a negative
// number where there was none, an empty line, or a command that does not exist.

// Plain makes up to n inputs of this kind from given ones, without running them. speaks distinguishes commands from
// other words.
func Plain(seed int64, seeds []Input, speaks *Language, n int) []Input {
	p := &plainMaker{rnd: rand.New(rand.NewSource(seed)), speaks: speaks}
	seen := map[string]bool{}
	for _, in := range seeds {
		seen[in.key()] = true
		p.know(in)
	}
	if speaks != nil {
		for _, w := range speaks.Words {
			if n, err := strconv.ParseInt(w, 10, 32); err == nil {
				p.edges = append(p.edges, n-1, n, n+1)
			}
		}
	}
	if len(p.nums) < fewNumbers { // too few numbers to say how small one may be
		p.least = min(p.least, 1)
	}
	var out []Input
	for _, p.inside = range []bool{false, true} {
		for tries := 0; len(out) < n && tries < plainTries*n && len(seeds) > 0; tries++ {
			in := seeds[p.rnd.Intn(len(seeds))]
			made := Input{Args: slices.Clone(in.Args), Stdin: in.Stdin}
			for steps := 1 + p.rnd.Intn(plainSteps); steps > 0; steps-- {
				p.step(&made)
			}
			if key := made.key(); !seen[key] && made.Size() < mostSize {
				seen[key] = true
				out = append(out, made)
			}
		}
		if len(out) >= n/enoughPlain {
			break
		}
	}
	return out
}

const (
	fewNumbers  = 4
	plainSteps  = 4 // changes of one input, at most
	plainTries  = 6 // tries per input wanted
	enoughPlain = 4 // words are changed within only if fewer than one in so many of the wanted inputs can be made without
)

// plainMaker makes plain inputs.
type plainMaker struct {
	rnd    *rand.Rand
	speaks *Language
	nums   []int64
	edges  []int64    // constants of the program's text, and the numbers next to them
	words  []string   // words that are no commands
	lines  [][]string // lines of all given inputs
	least  int64      // least of nums
	most   int64
	known  bool // there are numbers
	inside bool // words may be changed within
	digits []string
	chars  []rune // letters
}

// know learns the words, numbers and lines of an input.
func (p *plainMaker) know(in Input) {
	see := func(w string) {
		for _, t := range tokensOf(w) {
			if t.kind == digitToken {
				p.digits = append(p.digits, t.text)
			} else if t.kind == wordToken && !p.command(w) {
				p.chars = append(p.chars, []rune(t.text)...)
			}
		}
		n, err := strconv.ParseInt(w, 10, 64)
		switch {
		case err == nil && !p.known:
			p.least, p.most, p.known = n, n, true
			fallthrough
		case err == nil:
			p.least, p.most = min(p.least, n), max(p.most, n)
			p.nums = append(p.nums, n)
		case w != "" && !p.command(w) && !slices.Contains(p.words, w):
			p.words = append(p.words, w)
		}
	}
	for _, a := range in.Args {
		see(a)
	}
	if in.Stdin == "" {
		return
	}
	for _, l := range documentOf(in.Stdin).lines {
		p.lines = append(p.lines, l)
		for _, w := range l {
			see(w)
		}
	}
}

// command reports whether a word is known to the program.
func (p *plainMaker) command(w string) bool {
	return p.speaks != nil && slices.Contains(p.speaks.Words, w)
}

// step makes one change.
func (p *plainMaker) step(in *Input) {
	if len(in.Args) > 0 && (in.Stdin == "" || p.rnd.Intn(2) == 0) {
		k := p.rnd.Intn(len(in.Args))
		switch l := in.Args; {
		case p.rnd.Intn(3) == 0 && p.alike(l):
			in.Args = p.listed(l, k)
		default:
			l[k] = p.word(l[k])
		}
		return
	}
	if in.Stdin == "" {
		return
	}
	d := documentOf(in.Stdin)
	cs, old := d.counts(), d.copy()
	i := p.rnd.Intn(len(d.lines))
	switch way := p.rnd.Intn(10); {
	case way < 2 && p.free(d, i): // remove it
		d.lines = slices.Delete(d.lines, i, i+1)
	case way < 4 && p.free(d, i): // repeat it, or insert a similar one of another run
		l := slices.Clone(d.lines[i])
		if p.rnd.Intn(2) == 0 {
			if x := p.lines[p.rnd.Intn(len(p.lines))]; similar(x, l) {
				l = slices.Clone(x)
			}
		}
		d.lines = slices.Insert(d.lines, i+1+p.rnd.Intn(len(d.lines)-i), l)
	case way < 6 && p.free(d, i): // swap it with another
		if k := p.rnd.Intn(len(d.lines)); p.free(d, k) {
			d.lines[i], d.lines[k] = d.lines[k], d.lines[i]
		}
	default:
		l := d.lines[i]
		if len(l) == 0 {
			return
		}
		k := p.rnd.Intn(len(l))
		if slices.ContainsFunc(cs, func(c count) bool { return c.line == i && c.word == k }) {
			return
		}
		if p.rnd.Intn(3) == 0 && p.alike(l) && !p.row(d, i) {
			d.lines[i] = p.listed(l, k)
		} else {
			l[k] = p.word(l[k])
		}
	}
	d.settle(cs, old)
	in.Stdin = d.text()
}

// free reports whether a line may be moved or removed: another line is similar, or it starts with a command.
func (p *plainMaker) free(d *doc, i int) bool {
	if len(d.lines) < 2 {
		return false
	}
	return p.row(d, i) || len(d.lines[i]) > 0 && p.command(d.lines[i][0])
}

// similar reports whether two lines have as many words, of the same kinds.
func similar(a, b []string) bool {
	return slices.EqualFunc(a, b, func(x, y string) bool { return wordKind(x) == wordKind(y) })
}

// fewWords is the least number of words in a list.
const fewWords = 2

// row reports whether a line is similar to another line.
func (p *plainMaker) row(d *doc, i int) bool {
	for k, l := range d.lines {
		if k != i && similar(l, d.lines[i]) {
			return true
		}
	}
	return false
}

// alike reports whether a line is a list: all words are of one kind, and none is a command.
func (p *plainMaker) alike(l []string) bool {
	if len(l) < fewWords {
		return false
	}
	for _, w := range l[1:] {
		if wordKind(w) != wordKind(l[len(l)-1]) || p.command(w) {
			return false
		}
	}
	return wordKind(l[0]) == wordKind(l[1]) && !p.command(l[0])
}

// listed changes a list: it removes, repeats, inserts or swaps a word.
func (p *plainMaker) listed(l []string, k int) []string {
	l = slices.Clone(l)
	switch p.rnd.Intn(4) {
	case 0:
		return slices.Delete(l, k, k+1)
	case 1:
		return slices.Insert(l, p.rnd.Intn(len(l)+1), l[k])
	case 2:
		return slices.Insert(l, p.rnd.Intn(len(l)+1), p.word(l[k]))
	}
	n := p.rnd.Intn(len(l))
	l[k], l[n] = l[n], l[k]
	return l
}

// within changes part of a word: its digits, whose number stays at least the same, or its letters.
func (p *plainMaker) within(w string) string {
	list := tokensOf(w)
	k := p.rnd.Intn(len(list))
	switch t := &list[k]; t.kind {
	case digitToken:
		n, err := strconv.Atoi(t.text)
		if err != nil {
			return w
		}
		if n += p.rnd.Intn(7) - 3; n < 0 {
			return w
		}
		x := fmt.Sprintf("%0*d", len(t.text), n)
		if p.rnd.Intn(2) == 0 {
			x = p.digits[p.rnd.Intn(len(p.digits))]
		}
		t.text = x
	case wordToken:
		l := []rune(t.text)
		i := p.rnd.Intn(len(l))
		switch p.rnd.Intn(4) {
		case 0:
			j := p.rnd.Intn(len(l))
			l[i], l[j] = l[j], l[i]
		case 1:
			l = slices.Insert(l, i, l[i])
		case 2:
			if len(l) > 1 {
				l = slices.Delete(l, i, i+1)
			}
		default:
			if len(p.chars) > 0 {
				l[i] = p.chars[p.rnd.Intn(len(p.chars))]
			}
		}
		t.text = string(l)
	}
	return textOf(list)
}

// word returns another word of the same kind.
func (p *plainMaker) word(w string) string {
	if p.inside && w != "" && !p.command(w) && p.rnd.Intn(2) == 0 {
		return p.within(w)
	}
	if n, err := strconv.ParseInt(w, 10, 64); err == nil {
		v := n + int64(p.rnd.Intn(7)) - 3
		if p.rnd.Intn(3) > 0 {
			v = p.nums[p.rnd.Intn(len(p.nums))]
		} else if p.rnd.Intn(3) == 0 && p.most > p.least {
			v = p.least + p.rnd.Int63n(p.most-p.least+1)
		}
		if len(p.edges) > 0 && p.rnd.Intn(4) == 0 {
			v = p.edges[p.rnd.Intn(len(p.edges))]
		}
		if v < p.least || v > 2*p.most {
			return w
		}
		return strconv.FormatInt(v, 10)
	}
	if p.command(w) || w == "" || len(p.words) == 0 {
		return w
	}
	for range 4 {
		if x := p.words[p.rnd.Intn(len(p.words))]; wordKind(x) == wordKind(w) {
			return x
		}
	}
	return w
}
