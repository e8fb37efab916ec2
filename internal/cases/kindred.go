package cases

import (
	"math/rand"
	"slices"
	"strings"
	"unicode"

	"gulo/internal/oracle"
)

// This file makes runs close to the given ones: a token is replaced by another of its kind, an operator with its
// operand is repeated or removed, or a text is cut off. An input that is changed many times soon has no form that a
// program accepts. These mostly keep one, or break it in only one place.

// tokenClass is the kind of a token.
type tokenClass uint8

const (
	blankToken tokenClass = iota
	digitToken
	wordToken
	markToken
	lineToken // a line break, or the end of an argument
)

type token struct {
	kind tokenClass
	text string
}

// argEnd separates arguments in a list of tokens.
const argEnd = "\x00"

func tokenKind(c rune) tokenClass {
	switch {
	case c == '\n' || c == 0:
		return lineToken
	case unicode.IsSpace(c):
		return blankToken
	case unicode.IsDigit(c):
		return digitToken
	case unicode.IsLetter(c) || c == '_':
		return wordToken
	}
	return markToken
}

// tokensOf splits a text into tokens. Each mark and line break is a token of its own.
func tokensOf(text string) (out []token) {
	for _, c := range text {
		k := tokenKind(c)
		if n := len(out); n > 0 && out[n-1].kind == k && k != markToken && k != lineToken {
			out[n-1].text += string(c)
			continue
		}
		out = append(out, token{k, string(c)})
	}
	return out
}

func textOf(list []token) string {
	var b strings.Builder
	for _, t := range list {
		b.WriteString(t.text)
	}
	return b.String()
}

// kin makes inputs like given ones.
type kin struct {
	rnd   *rand.Rand
	other [lineToken + 1][]string // known tokens, by kind
}

// Nearest makes the inputs, up to n, that differ from seeds in one place: a line or a word, a number or a mark stands
// twice, is missing, is exchanged with the next, or has another blank behind it.
func Nearest(seeds []Input, n int) (out []Input) {
	seen := map[string]bool{}
	for _, in := range seeds {
		seen[in.key()] = true
	}
	changes := []func(list []string, i int) []string{
		func(l []string, i int) []string { return slices.Concat(l[:i+1], l[i:]) },
		func(l []string, i int) []string { return slices.Concat(l[:i], l[i+1:]) },
		func(l []string, i int) []string {
			end := strings.TrimRight(l[i], "\n")
			return slices.Concat(l[:i], []string{end, " ", l[i][len(end):]}, l[i+1:])
		},
		func(l []string, i int) []string {
			return slices.Concat(l[:i], l[min(i+1, len(l)-1):min(i+2, len(l))], l[i:i+1], l[min(i+2, len(l)):])
		},
	}
	for _, in := range seeds {
		var lines []string
		for l := range strings.Lines(in.Stdin) {
			lines = append(lines, l)
		}
		for _, units := range [][]string{lines, splitBehind(in.Stdin, " \t\n")} {
			for _, change := range changes {
				for i := range units {
					x := Input{Args: in.Args, Stdin: strings.Join(change(units, i), "")}
					if key := x.key(); len(out) < n && x.Size() < mostSize && !seen[key] {
						seen[key] = true
						out = append(out, x)
					}
				}
			}
		}
	}
	return out
}

// splitBehind splits a text behind each run of some characters.
func splitBehind(text, ends string) (out []string) {
	from := 0
	for i := range len(text) {
		if strings.IndexByte(ends, text[i]) >= 0 && (i+1 == len(text) || strings.IndexByte(ends, text[i+1]) < 0) {
			out, from = append(out, text[from:i+1]), i+1
		}
	}
	if from < len(text) {
		out = append(out, text[from:])
	}
	return out
}

// Kindred makes up to n inputs that differ from seeds in a few tokens, without running them: first all with one mark
// replaced, then random changes. words are words that the program knows.
func Kindred(seed int64, seeds []Input, words []string, n int) []Input {
	k := &kin{rnd: rand.New(rand.NewSource(seed))}
	var texts [][]token
	seen := map[string]bool{}
	for _, in := range seeds {
		seen[in.key()] = true
		args, stdin := tokensOf(strings.Join(in.Args, argEnd)), tokensOf(in.Stdin)
		k.know(args)
		k.know(stdin)
		texts = append(texts, args, stdin)
	}
	for _, w := range words {
		k.know(tokensOf(w))
	}
	var out []Input
	add := func(i int, list []token) {
		in := Input{Args: seeds[i/2].Args, Stdin: seeds[i/2].Stdin}
		if i%2 == 1 {
			in.Stdin = textOf(list)
		} else {
			if in.Args = nil; len(list) > 0 {
				in.Args = strings.Split(textOf(list), argEnd)
			}
		}
		if key := in.key(); len(out) < n && in.Size() < mostSize && !seen[key] {
			seen[key] = true
			out = append(out, in)
		}
	}
	for i, list := range texts {
		for at, t := range list {
			if t.kind == markToken {
				for _, m := range k.other[markToken] {
					add(i, slices.Concat(list[:at], []token{{markToken, m}}, list[at+1:]))
				}
			}
		}
	}
	for tries := 0; len(out) < n && tries < 4*n && len(texts) > 0; tries++ {
		if i := k.rnd.Intn(len(texts)); len(texts[i]) > 0 {
			add(i, k.change(texts[i]))
		}
	}
	return out
}

// know adds tokens to the known ones.
func (k *kin) know(list []token) {
	for _, t := range list {
		if !slices.Contains(k.other[t.kind], t.text) {
			k.other[t.kind] = append(k.other[t.kind], t.text)
		}
	}
}

// change makes one to four random changes.
func (k *kin) change(list []token) []token {
	list = slices.Clone(list)
	for n := 1 + k.rnd.Intn(4); n > 0 && len(list) > 0; n-- {
		at := k.rnd.Intn(len(list))
		switch k.rnd.Intn(8) {
		case 0: // repeat a few tokens, such as an operator with its operand
			if end := k.piece(list, at); end > at {
				list = slices.Concat(list[:end], list[at:end], list[end:])
			}
		case 1: // or remove them
			list = slices.Concat(list[:at], list[k.piece(list, at):])
		case 2: // cut off a line, an argument, or everything
			end := at
			for end < len(list) && list[end].kind != lineToken {
				end++
			}
			if k.rnd.Intn(3) == 0 {
				end = len(list)
			}
			list = slices.Concat(list[:at], list[end:])
		case 3: // repeat a whole line
			from, to := at, at
			for from > 0 && list[from-1].kind != lineToken {
				from--
			}
			for to < len(list) && list[to].kind != lineToken {
				to++
			}
			if to < len(list) {
				list = slices.Concat(list[:to+1], list[from:])
			}
		default:
			list[at].text = k.like(list[at])
		}
	}
	return list
}

// piece returns the end of a piece of one to four tokens that starts at a place and stays in its line.
func (k *kin) piece(list []token, at int) int {
	end := at
	for n := 1 + k.rnd.Intn(4); n > 0 && end < len(list) && list[end].kind != lineToken; n-- {
		end++
	}
	return end
}

// like returns another token of the same kind. Blanks and line breaks stay as they are.
func (k *kin) like(t token) string {
	known := k.other[t.kind]
	switch {
	case t.kind == blankToken, t.kind == lineToken:
		return t.text
	case t.kind == digitToken && k.rnd.Intn(2) == 0:
		return []string{"0", "1", "2", "3", "7", "10"}[k.rnd.Intn(6)]
	case t.kind == wordToken && k.rnd.Intn(3) == 0:
		r := []rune(t.text)
		n := k.rnd.Intn(len(r))
		r[n] = near(r[n], k.rnd)
		return string(r)
	}
	return known[k.rnd.Intn(len(known))]
}

// InHand returns the given runs, from which others are made: the user's own run and the tests.
func (t *Set) InHand() []Input { return t.seeds }

// MadeUp reports whether one of the given cases was made up, under memory rules.
func (t *Set) MadeUp(c *oracle.Case) bool { return slices.Index(t.Given.Cases, c) >= t.inHand }

// Longer makes up to n inputs by joining 2, 4 or 8 inputs, the first one from some. They show what happens late, or
// when something is full.
func Longer(seed int64, some, all []Input, n int) []Input {
	if len(some) == 0 || len(all) == 0 {
		return nil
	}
	rnd := rand.New(rand.NewSource(seed + 11))
	seen := map[string]bool{}
	var out []Input
	for tries := 0; len(out) < n && tries < 4*n; tries++ {
		in := some[tries%len(some)]
		for times := 2 << (tries / len(some) % 3); times > 1 && in.Size() < mostSize; times-- {
			next := all[rnd.Intn(len(all))]
			if rnd.Intn(2) == 0 {
				next = some[rnd.Intn(len(some))]
			}
			in.Args = slices.Concat(in.Args, next.Args)
			if in.Stdin != "" && !strings.HasSuffix(in.Stdin, "\n") && next.Stdin != "" {
				in.Stdin += "\n"
			}
			in.Stdin += next.Stdin
		}
		if key := in.key(); !seen[key] {
			seen[key] = true
			out = append(out, in)
		}
	}
	return out
}

// Grown makes inputs with longer words and more lines than some have: each word, line and text several times. They show
// what is too small, and what grows too late.
func Grown(some []Input) (out []Input) {
	seen := map[string]bool{}
	add := func(in Input) {
		if key := in.key(); in.Size() < grownSize && !seen[key] {
			seen[key] = true
			out = append(out, in)
		}
	}
	for _, times := range []int{2, 512, 16, 64, 4} {
		for _, in := range some {
			in.larger(times, add)
		}
	}
	return out
}

// larger visits an input with each word, and each line, so many times.
func (in *Input) larger(times int, add func(Input)) {
	for i, a := range in.Args {
		x := *in
		x.Args = slices.Clone(in.Args)
		x.Args[i] = strings.Repeat(a, times)
		add(x)
	}
	if in.Stdin == "" {
		return
	}
	d := documentOf(in.Stdin)
	cs := d.counts()
	for i, l := range d.lines {
		y := d.copy()
		y.lines = slices.Concat(y.lines[:i], slices.Repeat([][]string{l}, times), y.lines[i+1:])
		y.settle(cs, d)
		add(Input{Args: in.Args, Stdin: y.text()})
		for k, w := range l {
			if _, number := wholeNumber(w); w != "" && !number {
				y := d.copy()
				y.lines[i][k] = strings.Repeat(w, times)
				add(Input{Args: in.Args, Stdin: y.text()})
			}
		}
	}
}

// grownSize bounds the bytes of such an input.
const grownSize = 20_000
