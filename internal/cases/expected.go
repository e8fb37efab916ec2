package cases

import (
	"maps"
	"math/rand"
	"slices"
	"strings"
	"sync"

	"gulo/internal/oracle"
)

// This file guesses which inputs a task allows if only one or two tests show it. The length of such a test, and the
// signs in it, are chance. The reference says more, as it was written for the task: a sign that it compares with occurs
// in inputs, and numbers are about as large as those that it compares with. Where a sign may stand is found by trying:
// there the reference must do something else than with a sign that it does not know.

// Learn widens a form found in few inputs, using the reference's text: it allows numbers and words of any length, more
// words, and larger numbers.
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

// signs finds where signs that the reference compares with, and no given run has, may stand in the given runs: in place
// of another such sign or, if the new sign escapes the next one, before one.
type signs struct {
	sync.Mutex                // guards run
	run        *oracle.Runner // runs the reference
	known      []byte         // signs that the reference compares with
	fresh      []byte         // those that no given run has
	escaping   []byte         // those of fresh that escape the next sign
	line       bool           // the output of every given run ends with a newline
	seeds      []Input
}

// neutralSign returns a sign that the reference does not compare with, or 0 if there is none.
func (s *signs) neutralSign() byte {
	for _, c := range []byte(neutral) {
		if !slices.Contains(s.known, c) {
			return c
		}
	}
	return 0
}

// newSigns returns nil if the given runs have all signs that the reference compares with, or if there is no neutral
// sign.
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

// does runs the reference, and returns how often each statement was executed.
func (s *signs) does(in Input) (*oracle.Run, map[int32]int32, error) {
	s.Lock()
	defer s.Unlock()
	return s.run.Count(&oracle.Case{Args: in.Args, Stdin: in.Stdin})
}

// ends reports whether the reference ends as on the given runs: with status 0, all input read, and a final newline if
// all of them print one.
func (s *signs) ends(in Input, did *oracle.Run) bool {
	return did.Fault == nil && did.Status == 0 && !did.Unread(in.Stdin) && (!s.line || strings.HasSuffix(did.Output, "\n"))
}

// Recognized reports whether the reference recognizes the new signs of an input where they stand: with a neutral sign
// instead it would do something else. Escaped signs are skipped.
func (s *signs) Recognized(in Input) (bool, error) {
	if s == nil || !strings.ContainsAny(in.Stdin, string(s.fresh)) {
		return true, nil
	}
	did, counts, err := s.does(in)
	if err != nil || !s.ends(in, did) {
		return false, err
	}
	other := s.neutralSign()
	escaped := false // escaped by the sign before
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

// escapes reports whether a sign is known to escape the next one.
func (s *signs) escapes(c byte) bool { return slices.Contains(s.escaping, c) }

// learn adds to a form where the new signs may stand.
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
	for _, in := range s.seeds { // a sign that replaces another one escapes nothing
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

// mostTried bounds the characters of a given run at which signs are tried.
const mostTried = 60

// try adds the pairs of neighbouring characters and words of an input to a form, if the reference recognizes it.
// escaping is a sign in it that is assumed to escape the next one; 0: none.
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

// Asks reports whether a run looks like the given ones, so that the task says what it should do.
func (t *Set) Asks(in *Input) (bool, error) {
	if t.Like == nil || !t.Like.Has(in) {
		return t.Like == nil, nil
	}
	return t.signs.Recognized(*in)
}

// aboutSize is how many times larger than a number in the reference's text the numbers of an input may be.
const aboutSize = 2

// holds reports whether a kind of character occurs as the second of a pair.
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
	likeShare  = 12 // inputs made for each one wanted, as most do not look like the given ones
	mostSplice = 4  // signs put into one input
)

// few returns the form of the given inputs if they are too few to bind all others to it, else nil.
func (t *Set) few() *Form {
	if t.Form != nil || t.Like == nil || !t.Like.loose {
		return nil
	}
	return t.Like
}

// Expected makes up to about 3n inputs like the given ones, if these are too few to bind all made inputs to their form.
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

// spliced makes inputs by inserting signs, or replacing characters by signs.
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

// splice inserts one or two signs, or a piece of the text, into the text, or replaces a character by them.
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
