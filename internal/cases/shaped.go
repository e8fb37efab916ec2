package cases

import (
	"math/rand"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// This file makes words and lines that no run in hand has, of the signs that a program and its reference know: "3:7"
// where one scans "%d:%d" and the other looks for a colon, "-TWFu", "${name}". Like commands they are tried
// before they count.

const (
	mostFormed = 30
	mostSigns  = 8 // of which shapes are made

	printedShare = 2 // of the words one in so many is one that the program prints
)

// brackets come in pairs.
var brackets = []string{"{}", "()", "[]", "<>"}

// Shapes lists what a word or a line may look like, as formats of %d, a number of those in hand, and %s, a word of
// theirs: formats of scanf whose signs both programs know, and words between, behind and around such signs. What is there
// already needs no trial.
func Shapes(seeds []Input, own, ref *Language) (out []Command) {
	add := func(f string) {
		if len(out) < mostFormed && !has(seeds, f) && !slices.ContainsFunc(out, func(c Command) bool { return c.format == f }) {
			out = append(out, Command{format: f})
		}
	}
	knows := func(w string) bool { return knownSign(own, w) && knownSign(ref, w) }
	for _, f := range union(own.Lines, ref.Lines) {
		signs := strings.Fields(scanned.ReplaceAllString(f, " "))
		if f = formatOf(f); f != "" && len(signs) > 0 && !slices.ContainsFunc(signs, func(w string) bool { return !knows(w) }) {
			add(f)
		}
	}
	var signs []string
	for _, both := range []bool{true, false} { // what is "else" for one of them it does not name
		for _, w := range union(own.Signs, ref.Signs) {
			if (slices.Contains(own.Signs, w) && slices.Contains(ref.Signs, w)) == both && len(signs) < mostSigns {
				signs = append(signs, w)
			}
		}
	}
	var pairs []string
	for _, b := range brackets {
		if slices.Contains(signs, b[:1]) && slices.Contains(signs, b[1:]) {
			pairs = append(pairs, b)
		}
	}
	single := slices.DeleteFunc(slices.Clone(signs), func(s string) bool {
		return slices.ContainsFunc(pairs, func(b string) bool { return strings.Contains(b, s) })
	})
	for _, b := range pairs {
		add(b[:1] + "%s" + b[1:])
		for _, s := range single {
			add(s + b[:1] + "%s" + b[1:])
			add(b[:1] + "%s" + s + "%s" + b[1:])
			for _, r := range single {
				if r != s {
					add(r + b[:1] + "%s" + s + "%s" + b[1:])
				}
			}
		}
	}
	for _, s := range single {
		add(s + "%s")
		add("%d" + s + "%d")
		add("%s" + s + "%s")
	}
	return out
}

// neutral are signs of which one that no program asks for stands for others.
const neutral = "@~#^&|;!?_"

// Idle is a shape with another sign in the place of its own, which neither program asks for: what it makes of a run when nobody looks for
// the sign. The zero Command where all are asked for.
func Idle(c Command, own, ref *Language) Command {
	for _, r := range neutral {
		if !slices.Contains(own.Signs, string(r)) && !slices.Contains(ref.Signs, string(r)) {
			return Command{format: c.format, sign: string(r)}
		}
	}
	return Command{}
}

// has reports whether a word or a line of runs in hand looks like a format.
func has(seeds []Input, format string) bool {
	var pattern strings.Builder
	last := 0
	for _, at := range scanned.FindAllStringIndex(format, -1) {
		pattern.WriteString(regexp.QuoteMeta(format[last:at[0]]))
		pattern.WriteString(map[string]string{"%d": `-?\d+`, "%s": `[^\s[:punct:]]+`}[format[at[0]:at[1]]])
		last = at[1]
	}
	pattern.WriteString(regexp.QuoteMeta(format[last:]))
	like := regexp.MustCompile("^" + strings.Join(strings.Fields(pattern.String()), `\s+`) + "$")
	for _, in := range seeds {
		if slices.ContainsFunc(in.Args, like.MatchString) {
			return true
		}
		for line := range strings.Lines(in.Stdin) {
			if like.MatchString(strings.TrimSpace(line)) || slices.ContainsFunc(strings.Fields(line), like.MatchString) {
				return true
			}
		}
	}
	return false
}

// knownSign reports whether a program asks for what stands between the values of a format.
func knownSign(l *Language, w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool { return !slices.Contains(l.Signs, string(r)) }) || slices.Contains(l.Words, w) ||
		slices.ContainsFunc(l.Lines, func(f string) bool {
			return slices.Contains(strings.Fields(scanned.ReplaceAllString(f, " ")), w)
		})
}

// formatOf is a format of scanf in %d and %s; "" where it reads something else.
func formatOf(f string) string {
	good := true
	f = scanned.ReplaceAllStringFunc(f, func(x string) string {
		switch x[len(x)-1] {
		case 'd', 'i', 'u':
			return "%d"
		case 's', 'c', ']':
			return "%s"
		}
		good = false
		return ""
	})
	if !good {
		return ""
	}
	return f
}

// shaper fills formats in.
type shaper struct {
	rnd     *rand.Rand
	nums    []int64
	words   []string
	printed []string
}

// shaperOf takes numbers and words of runs in hand.
func shaperOf(rnd *rand.Rand, some []Input) *shaper {
	p := &plainMaker{rnd: rnd}
	for _, in := range some {
		p.know(in)
	}
	s := &shaper{rnd: rnd, nums: p.nums}
	for _, w := range p.words {
		for _, t := range tokensOf(w) {
			if t.kind == wordToken {
				s.words = union(s.words, []string{t.text})
			}
		}
	}
	for _, d := range p.digits {
		if n, err := strconv.ParseInt(d, 10, 32); err == nil {
			s.nums = append(s.nums, n)
		}
	}
	return s
}

// filled is a word or several of a format; numbers mostly rise. ok is false where it asks for what the runs in hand do not have.
// With another sign it stands where each of the format's was.
func (s *shaper) filled(format, sign string) (words []string, ok bool) {
	signs := strings.Join(strings.Fields(scanned.ReplaceAllString(format, " ")), "")
	said := slices.DeleteFunc(slices.Clone(s.printed), func(w string) bool { return strings.ContainsAny(w, signs) })
	var last *int64
	value := func(x string) (string, bool) {
		switch {
		case x == "%d" && len(s.nums) > 0:
			n := s.nums[s.rnd.Intn(len(s.nums))] + int64(s.rnd.Intn(5)) - 2
			if last != nil && n < *last && s.rnd.Intn(4) > 0 {
				n = *last + int64(s.rnd.Intn(5))
			}
			last = &n
			return strconv.FormatInt(n, 10), true
		case x == "%s" && len(said) > 0 && s.rnd.Intn(printedShare) == 0:
			return said[s.rnd.Intn(len(said))], true
		case x == "%s" && len(s.words) > 0:
			return s.words[s.rnd.Intn(len(s.words))], true
		case x == "%s" && len(s.nums) > 0:
			return strconv.FormatInt(s.nums[s.rnd.Intn(len(s.nums))], 10), true
		}
		return "", false
	}
	var text strings.Builder
	end := 0
	between := func(piece string) {
		for _, c := range piece {
			if sign != "" && isSign(c) {
				text.WriteString(sign)
			} else {
				text.WriteRune(c)
			}
		}
	}
	for _, at := range scanned.FindAllStringIndex(format, -1) {
		between(format[end:at[0]])
		v, ok := value(format[at[0]:at[1]])
		if !ok {
			return nil, false
		}
		text.WriteString(v)
		end = at[1]
	}
	between(format[end:])
	return strings.Fields(text.String()), true
}

// made is what a command is in a run; ok is false where it asks for what the runs in hand do not have.
func (s *shaper) made(c *Command) (words []string, ok bool) {
	if c.format == "" {
		return c.line(s.rnd), true
	}
	words, ok = s.filled(c.format, c.sign)
	return words, ok && len(words) > 0
}

// put puts words into others, half of the time for one of them.
func (s *shaper) put(l, words []string) []string {
	k := s.rnd.Intn(len(l) + 1)
	if k < len(l) && s.rnd.Intn(2) == 0 {
		return slices.Concat(l[:k], words, l[k+1:])
	}
	return slices.Concat(l[:k], words, l[k:])
}

// in puts words into a line behind the first ones, or makes a line of them, as it must be of several.
func (s *shaper) in(d *doc, from int, words []string) {
	if i := from + s.rnd.Intn(len(d.lines)-from+1); i == len(d.lines) || len(words) > 1 || s.rnd.Intn(3) == 0 {
		d.lines = slices.Insert(d.lines, i, words)
	} else {
		d.lines[i] = s.put(d.lines[i], words)
	}
}
