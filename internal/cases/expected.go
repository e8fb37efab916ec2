package cases

import (
	"math/rand"
	"slices"
)

// This file says which inputs a task asks for where one or two tests are all that shows it: such a test is as long as it is, and
// has the signs that it has, by chance. The reference says more. It was written for the task: a sign that it looks for, it looks
// for because inputs have it, and numbers are about as large as those that it tells apart.

// Learn makes a form of few inputs one of more, by what the reference's text says: numbers and words of any length, as many
// words as are read, larger numbers, and signs that the reference asks for in the place of each other.
func (f *Form) Learn(ref *Language) {
	f.ends, f.words = [2]int{-1, -1}, -1
	for _, n := range ref.Sizes {
		f.most = max(f.most, aboutSize*n)
	}
	for _, k := range []byte{'N', 'L'} {
		if f.chars.has(k, k) || f.chars.holds(k) {
			f.chars.add(k, k)
		}
	}
	f.loose = true
	seen := f.chars
	var known []byte
	for _, s := range ref.Signs {
		known = append(known, s[0])
	}
	like := func(c byte) []byte { // what may stand where it stands
		if slices.Contains(known, c) {
			return known
		}
		return []byte{c}
	}
	for a := range byte(128) {
		for b := range byte(128) {
			if !seen.has(a, b) {
				continue
			}
			for _, x := range like(a) {
				for _, y := range like(b) {
					f.chars.add(x, y)
				}
			}
		}
	}
	for _, a := range known { // one that no test has may stand beside any of them
		for _, b := range known {
			if !seen.holds(a) || !seen.holds(b) {
				f.chars.add(a, b)
			}
		}
	}
	follows := f.follows
	f.follows = map[[2]string]bool{}
	for p := range follows {
		for _, a := range likeWord(p[0], known) {
			for _, b := range likeWord(p[1], known) {
				f.follows[[2]string{f.kind(a), f.kind(b)}] = true
			}
		}
	}
}

// aboutSize is how many times as large as a number that the reference knows numbers of an input may be.
const aboutSize = 2

// likeWord are the kinds of words that may stand where one does.
func likeWord(kind string, known []byte) []string {
	if len(kind) != 1 || !slices.Contains(known, kind[0]) {
		return []string{kind}
	}
	var out []string
	for _, s := range known {
		out = append(out, string(rune(s)))
	}
	return out
}

// holds reports whether a kind of character is among the pairs.
func (p *pairs) holds(k byte) bool {
	for a := range byte(128) {
		if p.has(a, k) {
			return true
		}
	}
	return false
}

// Bounds.
const (
	likeShare  = 12 // times as many inputs are made, since most do not look like those in hand
	mostSplice = 4  // signs that are put into one input
)

// few is the form of inputs in hand that are too few for others to be bound to it; nil where there are more, or none.
func (t *Set) few() *Form {
	if t.Form != nil || t.Like == nil || !t.Like.loose {
		return nil
	}
	return t.Like
}

// Expected makes up to n inputs like those in hand where these are too few for all that is made to be bound to their form.
func (t *Set) Expected(speaks *Language, n int) []Input {
	if t.few() == nil {
		return nil
	}
	grounds := slices.Clone(t.seeds)
	for _, r := range t.Explored {
		if t.Like.Has(&r.Input) && len(grounds) < mostGrounds {
			grounds = append(grounds, r.Input)
		}
	}
	out := MoreOf(t.Like, t.Job.Seed+19, grounds, speaks, n, likeShare*n)
	signs := LanguageOf(t.Ref.Prog.Tree).Signs
	out = append(out, t.Like.Those(spliced(t.Job.Seed+23, grounds, signs, likeShare*n))...)
	return append(out, t.Like.Those(Kindred(t.Job.Seed+29, grounds, speaks.Words, n))...)
}

// mostGrounds bounds the inputs that others are made from.
const mostGrounds = 60

// spliced are inputs with some signs put in, or in the place of other characters.
func spliced(seed int64, grounds []Input, signs []string, n int) (out []Input) {
	rnd := rand.New(rand.NewSource(seed))
	known := map[string]bool{}
	for tries := 0; tries < n && len(signs) > 0; tries++ {
		in := grounds[rnd.Intn(len(grounds))]
		args := slices.Clone(in.Args)
		for k := 1 + rnd.Intn(mostSplice); k > 0; k-- {
			if i := rnd.Intn(len(args) + 1); i < len(args) {
				args[i] = splice(rnd, args[i], signs)
			} else if in.Stdin != "" {
				in.Stdin = splice(rnd, in.Stdin, signs)
			}
		}
		in.Args = args
		if key := in.key(); !known[key] && in.Size() < mostSize {
			known[key] = true
			out = append(out, in)
		}
	}
	return out
}

// splice puts one or two signs, or a piece of the text, into a text.
func splice(rnd *rand.Rand, text string, signs []string) string {
	at := rnd.Intn(len(text) + 1)
	to := at
	if rnd.Intn(3) == 0 {
		to = min(len(text), at+1)
	}
	put := signs[rnd.Intn(len(signs))]
	switch rnd.Intn(4) {
	case 0:
		put += signs[rnd.Intn(len(signs))]
	case 1:
		from := rnd.Intn(len(text) + 1)
		put = text[from:min(len(text), from+1+rnd.Intn(4))]
	}
	return text[:at] + put + text[to:]
}
