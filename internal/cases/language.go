package cases

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// Language is what a program's text says about its input. A nil Language says nothing.
type Language struct {
	Words []string // short strings, characters and numbers that occur in it
	Lines []string // formats of scanf and its relatives: what a line, or part of a line, may look like
	Flags []string // options that it may look for, such as "-r"
	Signs []string // characters that it compares with or searches for; those that it only prints do not count
	Text  bool     // no library function converts text to numbers: digits are characters like others
	Sizes []int64  // whole numbers that it compares with or divides by, and products of divisors

	hex      bool            // numbers are read in base 16
	bounds   []int64         // numbers that it compares with, except results of calls
	divisors []int64         // numbers that it divides by
	named    map[string]rune // characters that macros expand to
}

// LanguageOf finds in a program's text what the program may compare its input with, and how it reads the input.
func LanguageOf(p *cfront.Program) *Language {
	out := &Language{Text: true, named: namedCharacters(p)}
	add := func(w string) {
		if w = strings.TrimSpace(w); w != "" && len(w) < 20 && !slices.Contains(out.Words, w) && (len(w) == 1 || !strings.ContainsAny(w, "%\\\n ")) {
			out.Words = append(out.Words, w)
		}
	}
	var numbers []int64
	expr := func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch y := y.(type) {
			case *cfront.Call:
				out.call(y, add)
				out.looked(y)
			case *cfront.Binary:
				out.sized(y)
				if y.Op.IsCompare() {
					out.asked(y.X)
					out.asked(y.Y)
				}
			case *cfront.String:
				add(strings.TrimRight(string(y.Bytes), "\x00"))
			case *cfront.Const:
				t := y.Range().Text()
				switch {
				case len(t) == 3 && t[0] == '\'':
					add(t[1:2])
				case y.Type().IsInteger() && int64(y.Value) > 1:
					add(fmt.Sprint(int64(y.Value)))
					numbers = append(numbers, int64(y.Value))
				}
			}
			return true
		})
	}
	for _, v := range p.Globals {
		if v.Range.Valid() && !strings.HasPrefix(v.Range.File.Name, "@") {
			for i := 0; i < len(v.Init) && i < 60; i++ {
				expr(v.Init[i].X)
			}
		}
	}
	for _, f := range p.Funcs {
		if f.Body == nil || !f.Range.Valid() || strings.HasPrefix(f.Range.File.Name, "@") {
			continue
		}
		cfront.WalkStmt(f.Body, func(s cfront.Stmt) {
			c, ok := s.(*cfront.Case)
			if !ok || c.Default || c.Lo != c.Hi {
				return
			}
			if c.Lo > ' ' && c.Lo < 127 {
				add(string(rune(c.Lo)))
				out.sign(rune(c.Lo))
			}
		}, expr)
	}
	if out.hex {
		for _, n := range numbers {
			add(fmt.Sprintf("%x", n))
		}
	}
	for i, a := range out.divisors { // a program that divides by 60 twice divides by 3600
		add(fmt.Sprint(a))
		for _, b := range out.divisors[i:] {
			if out.size(a * b); slices.Contains(out.Sizes, a*b) {
				add(fmt.Sprint(a * b))
			}
		}
	}
	out.flags()
	return out
}

// mostSized bounds the numbers that Sizes holds.
const mostSized = 1_000_000

// sized notes the constants that an expression compares with or divides by.
func (l *Language) sized(x *cfront.Binary) {
	divides := x.Op == ctype.Div || x.Op == ctype.Rem
	if !divides && !x.Op.IsCompare() {
		return
	}
	for i, y := range []cfront.Expr{x.X, x.Y} {
		w, ok := cfront.Constant(y)
		if n := int64(w); ok && y.Type().IsInteger() && (i == 1 || !divides) && !strings.HasPrefix(y.Range().Text(), "'") {
			if _, result := cfront.Skip([]cfront.Expr{x.Y, x.X}[i]).(*cfront.Call); !divides && !result { // scanf's result says how much was read
				l.bounds = append(l.bounds, n)
			}
			if l.size(n); divides && n > 1 && n < mostSized && len(l.divisors) < mostDivisors && !slices.Contains(l.divisors, n) {
				l.divisors = append(l.divisors, n)
			}
		}
	}
}

// mostDivisors bounds the divisors of which products are formed.
const mostDivisors = 8

// size adds a number to Sizes.
func (l *Language) size(n int64) {
	if n > 1 && n < mostSized && !slices.Contains(l.Sizes, n) {
		l.Sizes = append(l.Sizes, n)
	}
}

// flags guesses options if the program looks for a dash: each letter that it knows may be one.
func (l *Language) flags() {
	if !slices.Contains(l.Words, "-") {
		return
	}
	for _, w := range l.Words {
		if len(w) == 1 && unicode.IsLetter(rune(w[0])) {
			l.Flags = append(l.Flags, "-"+w)
		}
	}
}

// With returns what two programs say together.
func (l *Language) With(o *Language) *Language {
	return &Language{
		Words: union(l.Words, o.Words), Lines: union(l.Lines, o.Lines), Flags: union(l.Flags, o.Flags),
		Signs: union(l.Signs, o.Signs), Text: l.Text && o.Text, Sizes: union(l.Sizes, o.Sizes),
	}
}

// asked notes a character constant that something is compared with.
func (l *Language) asked(x cfront.Expr) {
	if c, ok := cfront.Skip(x).(*cfront.Const); ok {
		t := c.Range().Text()
		if r, ok := l.named[t]; ok {
			l.sign(r)
		} else if len(t) > 2 && t[0] == '\'' {
			l.sign(rune(c.Value))
		}
	}
}

// namedCharacter matches the definition of a macro that is a punctuation character.
var namedCharacter = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+'\\?([[:punct:]])'`)

// namedCharacters returns the characters that a program's macros expand to, by macro name.
func namedCharacters(p *cfront.Program) map[string]rune {
	out := map[string]rune{}
	for _, f := range p.Files {
		for _, m := range namedCharacter.FindAllStringSubmatch(string(f.Text), -1) {
			out[m[1]] = rune(m[2][0])
		}
	}
	return out
}

// sign adds an ASCII punctuation character or symbol to Signs.
func (l *Language) sign(c rune) {
	if c < unicode.MaxASCII && isSign(c) {
		l.Signs = union(l.Signs, []string{string(c)})
	}
}

func isSign(c rune) bool { return unicode.IsPunct(c) || unicode.IsSymbol(c) }

// searchers are library functions that search a text for characters, or compare it.
var searchers = []string{"strchr", "strrchr", "memchr", "strpbrk", "strspn", "strcspn", "strtok", "strtok_r", "strsep", "strcmp", "strncmp", "strstr", "index"}

// looked notes the characters that a call searches for.
func (l *Language) looked(c *cfront.Call) {
	f, ok := c.Fun.(*cfront.FuncRef)
	if !ok || !slices.Contains(searchers, strings.TrimPrefix(f.Func.Name, "__builtin_")) {
		return
	}
	for _, a := range c.Args {
		l.asked(a)
		if s, ok := cfront.Skip(a).(*cfront.String); ok {
			for _, r := range strings.TrimRight(string(s.Bytes), "\x00") {
				l.sign(r)
			}
		}
	}
}

func union[T comparable](a, b []T) []T {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// scanned matches a conversion in a format of scanf.
var scanned = regexp.MustCompile(`%\*?[0-9]*(?:hh|h|ll|l|z|j|t|L)?(?:\[\^?\]?[^\]]*\]|[a-zA-Z%])`)

// converters are library functions that convert text to numbers.
var converters = []string{"atoi", "atol", "atoll", "atof", "strtol", "strtoll", "strtoul", "strtoull", "strtod", "strtof"}

// letterTests are functions that test for a letter. glibc's headers expand such tests to the last one.
var letterTests = []string{"isalpha", "isalnum", "isupper", "islower", "__ctype_b_loc"}

// call learns from a call that reads or converts: from options of getopt, and from the words between the conversions of
// a scanf format.
func (l *Language) call(c *cfront.Call, add func(string)) {
	f, ok := c.Fun.(*cfront.FuncRef)
	switch {
	case !ok:
		return
	case slices.Contains(converters, f.Func.Name):
		l.Text = false
		l.hex = l.hex || len(c.Args) == 3 && slices.Contains([]string{"16", "0"}, c.Args[2].Range().Text())
	case slices.Contains(letterTests, f.Func.Name):
		for _, w := range text[:3] {
			add(w)
		}
	case f.Func.Name == "getopt" && len(c.Args) == 3:
		if s, ok := cfront.Skip(c.Args[2]).(*cfront.String); ok {
			for _, letter := range strings.Trim(string(s.Bytes), "\x00:+-") {
				if letter != ':' {
					l.Flags = union(l.Flags, []string{"-" + string(letter)})
				}
			}
		}
	}
	if !strings.HasSuffix(f.Func.Name, "scanf") {
		return
	}
	for _, a := range c.Args {
		s, ok := cfront.Skip(a).(*cfront.String)
		if !ok {
			continue
		}
		format := strings.TrimRight(string(s.Bytes), "\x00")
		for _, piece := range scanned.Split(format, -1) {
			for _, w := range strings.Fields(piece) {
				add(w)
			}
		}
		for _, x := range scanned.FindAllString(format, -1) {
			if strings.ContainsAny(x[len(x)-1:], "diuxXofeg") {
				l.Text = false
			}
			l.hex = l.hex || strings.ContainsAny(x[len(x)-1:], "xX")
		}
		if format = strings.Trim(format, " \n\t"); scanned.MatchString(format) && len(l.Lines) < mostFormats {
			l.Lines = union(l.Lines, []string{format})
		}
	}
}

// mostFormats bounds the formats that are kept.
const mostFormats = 40

// formatted returns the words of a line that one of the program's formats reads.
func (m *Maker) formatted() []string {
	f := m.formats[m.rnd.Intn(len(m.formats))]
	var b strings.Builder
	last := 0
	for _, at := range scanned.FindAllStringIndex(f, -1) {
		b.WriteString(f[last:at[0]])
		if at[0] == last && last > 0 { // "%d%d" needs a blank between the numbers
			b.WriteByte(' ')
		}
		b.WriteString(m.converted(f[at[0]:at[1]]))
		last = at[1]
	}
	b.WriteString(f[last:])
	return strings.Split(strings.ReplaceAll(b.String(), "\n", " "), " ")
}

// converted returns a text that a conversion of scanf reads.
func (m *Maker) converted(conv string) string {
	name := func() string {
		if len(m.words) == 0 || m.rnd.Intn(3) == 0 {
			return text[m.rnd.Intn(len(text))]
		}
		return m.words[m.rnd.Intn(len(m.words))]
	}
	switch conv[len(conv)-1] {
	case 'd', 'i', 'u', 'x', 'X', 'o':
		if m.rnd.Intn(2) == 0 {
			return strconv.Itoa(m.rnd.Intn(6))
		}
		return strconv.FormatInt(m.number(m.nums[m.rnd.Intn(len(m.nums))]), 10)
	case 'e', 'f', 'g':
		return strconv.FormatFloat(float64(m.rnd.Intn(400)-40)/4, 'g', -1, 64)
	case 'c':
		return name()[:1]
	case 's':
		return name()
	case ']':
		w := name()
		for m.rnd.Intn(3) == 0 {
			w += " " + name()
		}
		return w
	}
	return "%"
}
