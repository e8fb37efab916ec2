package cases

import (
	"maps"
	"math/rand"
	"slices"
	"strings"
	"sync"

	"gulo/internal/oracle"
)

// This file says which inputs a task asks for where one or two tests are all that shows it: such a test is as long as it is, and
// has the signs that it has, by chance. The reference says more. It was written for the task: a sign that it looks for, it looks
// for because inputs have it, and numbers are about as large as those that it tells apart. Where a sign may stand is tried: the
// reference must do something else there than with a sign that it does not know.

// Learn makes a form of few inputs one of more, by what the reference's text says: numbers and words of any length, more words,
// and larger numbers.
func (f *Form) Learn(ref *Language, seeds []Input) {
	for k, b := range brackets {
		f.paired[k] = !slices.ContainsFunc(seeds, func(in Input) bool {
			d := featuresOf(&in)
			return d.count(b[0], nil) != d.count(b[1], nil)
		})
	}
	f.loose, f.ends, f.fewest, f.words = true, [2]int{-1, -1}, f.words, -1
	for _, n := range ref.Sizes {
		f.most = max(f.most, aboutSize*n)
	}
	for _, k := range []byte{'N', 'L'} {
		if f.chars.holds(k) {
			f.chars.add(k, k)
		}
	}
	follows := f.follows
	f.follows = map[[2]string]bool{}
	for p := range follows {
		f.follows[[2]string{f.kind(p[0]), f.kind(p[1])}] = true
	}
}

// signs tries where signs that the reference looks for may stand in the runs in hand that have none of them: in the place of one
// that it looks for, or, where the sign says that the next one is text, before one.
type signs struct {
	sync.Mutex                // of run
	run        *oracle.Runner // of the reference
	known      []byte         // signs that the reference looks for
	fresh      []byte         // that no run in hand has
	escaping   []byte         // of them, that say that the next one is text
	line       bool           // what is printed in the runs in hand ends with a line
	seeds      []Input
}

// neutralSign is a sign that the reference does not look for; 0: it looks for all.
func (s *signs) neutralSign() byte {
	for _, c := range []byte(neutral) {
		if !slices.Contains(s.known, c) {
			return c
		}
	}
	return 0
}

// newSigns prepares to try signs; nil where there are none that the runs in hand do not have.
func (t *Set) newSigns(seeds []Input) (*signs, error) {
	s := &signs{seeds: seeds, line: true}
	for _, c := range LanguageOf(t.Ref.Prog.Tree).Signs {
		s.known = append(s.known, c[0])
		if !slices.ContainsFunc(seeds, func(in Input) bool { return strings.Contains(in.read(), c) }) {
			s.fresh = append(s.fresh, c[0])
		}
	}
	if len(s.fresh) == 0 || s.neutralSign() == 0 {
		return nil, nil
	}
	var err error
	if s.run, err = oracle.NewRunner(&oracle.Suite{Prog: t.Ref.Prog}); err != nil {
		return nil, err
	}
	for _, in := range seeds {
		did, _, err := s.does(in)
		if err != nil {
			return nil, err
		}
		s.line = s.line && strings.HasSuffix(did.Output, "\n")
	}
	return s, nil
}

// does runs the reference.
func (s *signs) does(in Input) (*oracle.Run, map[int32]int32, error) {
	s.Lock()
	defer s.Unlock()
	return s.run.Count(&oracle.Case{Args: in.Args, Stdin: in.Stdin})
}

// ends reports whether the reference comes to an end on an input as on those in hand: it reads all, and prints whole lines
// where it does so there.
func (s *signs) ends(in Input, did *oracle.Run) bool {
	return did.Fault == nil && did.Status == 0 && !did.Unread(in.Stdin) && (!s.line || strings.HasSuffix(did.Output, "\n"))
}

// Recognized reports whether the reference looks for the signs of an input that no run in hand has where they stand: it
// does something else where a sign that it does not know stands there.
func (s *signs) Recognized(in Input) (bool, error) {
	if s == nil || !strings.ContainsAny(in.Stdin, string(s.fresh)) {
		return true, nil
	}
	did, counts, err := s.does(in)
	if err != nil || !s.ends(in, did) {
		return false, err
	}
	other := s.neutralSign()
	escaped := false // by the sign before
	for i := 0; i < len(in.Stdin); i++ {
		if escaped || !slices.Contains(s.fresh, in.Stdin[i]) {
			escaped = false
			continue
		}
		x := Input{Args: in.Args, Stdin: in.Stdin[:i] + string(rune(other)) + in.Stdin[i+1:]}
		instead, counted, err := s.does(x)
		if err != nil {
			return false, err
		}
		same := func(out string) string {
			return strings.NewReplacer(string(rune(other)), "", in.Stdin[i:i+1], "").Replace(out)
		}
		if maps.Equal(counts, counted) && same(did.Output) == same(instead.Output) {
			return false, nil
		}
		escaped = s.escapes(in.Stdin[i])
	}
	return true, nil
}

// escapes reports whether a sign was found to say that the next one is text.
func (s *signs) escapes(c byte) bool { return slices.Contains(s.escaping, c) }

// learn adds to a form where signs may stand.
func (s *signs) learn(f *Form) error {
	if s == nil {
		return nil
	}
	for _, in := range s.seeds {
		for i := 0; i <= len(in.Stdin) && i < mostTried; i++ {
			for _, c := range s.fresh {
				if i < len(in.Stdin) && slices.Contains(s.known, in.Stdin[i]) {
					if err := s.try(f, Input{Args: in.Args, Stdin: in.Stdin[:i] + string(rune(c)) + in.Stdin[i+1:]}, 0); err != nil {
						return err
					}
				}
			}
		}
	}
	for _, in := range s.seeds { // what stands for another sign says nothing of the next one
		for i := 0; i <= len(in.Stdin) && i < mostTried; i++ {
			for _, c := range s.fresh {
				for _, next := range s.known {
					if f.chars.holds(c) && !s.escapes(c) {
						continue
					}
					if err := s.try(f, Input{Args: in.Args, Stdin: in.Stdin[:i] + string([]byte{c, next}) + in.Stdin[i:]}, c); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// mostTried bounds the characters of a run in hand at which signs are tried.
const mostTried = 60

// try adds to a form what stands beside each other in an input that the reference reads as those in hand. escaping is a sign in it
// that says that the next one is text; 0: none.
func (s *signs) try(f *Form, in Input, escaping byte) error {
	was := s.escaping
	if escaping != 0 && !s.escapes(escaping) {
		s.escaping = append(slices.Clone(was), escaping)
	}
	d := featuresOf(&in)
	f.escaping = s.escaping
	ok := f.closes(d)
	if ok {
		var err error
		if ok, err = s.Recognized(in); err != nil {
			return err
		}
	}
	if !ok {
		s.escaping, f.escaping = was, was
		return nil
	}
	d.eachChar(f.escaping, func(a, b byte) bool { f.chars.add(a, b); return true })
	d.eachWord(func(a, b string) bool { f.follows[[2]string{f.kind(a), f.kind(b)}] = true; return true })
	return nil
}

// Asks reports whether a run looks like those in hand: what a program does on others nobody says.
func (t *Set) Asks(in *Input) (bool, error) {
	if t.Like == nil || !t.Like.Has(in) {
		return t.Like == nil, nil
	}
	return t.signs.Recognized(*in)
}

// aboutSize is how many times as large as a number that the reference knows numbers of an input may be.
const aboutSize = 2

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
