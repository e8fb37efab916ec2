package cases

import (
	"math/rand"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// This file makes words and lines that no given run has, from signs that a program and its reference know: "3:7" if one
// scans "%d:%d" and the other looks for a colon, "-TWFu", "${name}". Like commands, they are tried before they are
// used.

const (
	mostFormed = 30
	mostSigns  = 8 // signs that shapes are made of

	printedShare = 2 // one in so many words is one that the program prints
)

// brackets are the pairs of brackets.
var brackets = []string{"{}", "()", "[]", "<>"}

// Shapes lists what a word or a line may look like, as formats in which %d stands for a number and %s for a word of the
// given runs. These are formats of scanf whose signs both programs know, and words between, after and around signs. A
// shape that a given run has is left out.
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
	// A sign that one program handles with all others is in its text only by chance, so shared signs come first.
	for _, both := range []bool{true, false} {
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

// neutral are signs of which one may replace a sign of a shape, if no program looks for it.
const neutral = "@~#^&|;!?_"

// Idle returns a shape with its signs replaced by one that neither program looks for. It shows what the shape does if
// nobody recognizes it. The result is the zero Command if the programs look for every neutral sign.
func Idle(c Command, own, ref *Language) Command {
	for _, r := range neutral {
		if !slices.Contains(own.Signs, string(r)) && !slices.Contains(ref.Signs, string(r)) {
			return Command{format: c.format, sign: string(r)}
		}
	}
	return Command{}
}

// has reports whether a word or a line of a given run matches a format.
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

// knownSign reports whether a program knows a text that stands between the values of a format.
func knownSign(l *Language, w string) bool {
	return !strings.ContainsFunc(w, func(r rune) bool { return !slices.Contains(l.Signs, string(r)) }) || slices.Contains(l.Words, w) ||
		slices.ContainsFunc(l.Lines, func(f string) bool {
			return slices.Contains(strings.Fields(scanned.ReplaceAllString(f, " ")), w)
		})
}

// formatOf rewrites a format of scanf with %d and %s only. It returns "" if that is not possible.
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

// shaper fills in formats.
type shaper struct {
	rnd     *rand.Rand
	nums    []int64
	words   []string
	printed []string
}

// shaperOf takes the numbers and words of given runs.
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

// filled returns the words of a filled-in format; its numbers mostly rise. ok is false if the format needs something
// that the given runs do not have. If sign is not empty, it replaces every sign of the format.
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

// made returns the words of a command. ok is false if it needs something that the given runs do not have.
func (s *shaper) made(c *Command) (words []string, ok bool) {
	if c.format == "" {
		return c.line(s.rnd), true
	}
	words, ok = s.filled(c.format, c.sign)
	return words, ok && len(words) > 0
}

// put inserts words among others. In half of the cases they replace one.
func (s *shaper) put(l, words []string) []string {
	k := s.rnd.Intn(len(l) + 1)
	if k < len(l) && s.rnd.Intn(2) == 0 {
		return slices.Concat(l[:k], words, l[k+1:])
	}
	return slices.Concat(l[:k], words, l[k:])
}

// in inserts words into a line from index from on, or makes a line of them. Several words always make a line.
func (s *shaper) in(d *doc, from int, words []string) {
	if i := from + s.rnd.Intn(len(d.lines)-from+1); i == len(d.lines) || len(words) > 1 || s.rnd.Intn(3) == 0 {
		d.lines = slices.Insert(d.lines, i, words)
	} else {
		d.lines[i] = s.put(d.lines[i], words)
	}
}
