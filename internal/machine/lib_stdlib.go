package machine

import (
	"math"
	"slices"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/machine/random"
)

// This file is the part of stdlib.h that no other file has, assert.h, and the
// tables of math.h's simple functions, which lib_math.go registers.

func init() {
	register(map[string]builtin{
		"exit": libExit, "_Exit": libQuick, "_exit": libQuick,
		"assert": libAssert, "atexit": libAtexit,
		"atoi": libStrtol, "atol": libStrtol, "atoll": libStrtol, "strtol": libStrtol, "strtoll": libStrtol, "strtoimax": libStrtol,
		"strtoul": libStrtol, "strtoull": libStrtol, "strtoumax": libStrtol,
		"atof": libStrtod, "strtod": libStrtod, "strtof": libStrtod,
		"abs": libAbs, "labs": libAbs, "llabs": libAbs,
		"div": libDiv, "ldiv": libDiv, "lldiv": libDiv,
		"rand": libRand, "random": libRand, "srand": libSrand, "srandom": libSrand, "rand_r": libRandR,
		"__errno_location": func(m *Machine, c *libCall) (ctype.Word, *Fault) { return m.lib.errno, nil },
		"__gulo_isnan":     floatTest(math.IsNaN),
		"__gulo_isinf":     floatTest(func(x float64) bool { return math.IsInf(x, 0) }),
		"__gulo_isfinite":  floatTest(func(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }),
		"__gulo_signbit":   floatTest(math.Signbit),
	})
}

var math1 = map[string]func(float64) float64{
	"sqrt": math.Sqrt, "fabs": math.Abs, "floor": math.Floor, "ceil": math.Ceil, "round": math.Round, "trunc": math.Trunc,
	"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
	"sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh, "exp": math.Exp, "exp2": math.Exp2, "log": math.Log,
	"log2": math.Log2, "log10": math.Log10, "log1p": math.Log1p, "expm1": math.Expm1, "cbrt": math.Cbrt,
	"rint": math.RoundToEven, "nearbyint": math.RoundToEven,
}

var math2 = map[string]func(a, b float64) float64{
	"pow": math.Pow, "fmod": math.Mod, "atan2": math.Atan2, "hypot": math.Hypot, "copysign": math.Copysign,
}

func floatTest(f func(float64) bool) builtin {
	return func(m *Machine, c *libCall) (ctype.Word, *Fault) { return b2w(f(c.float(0))), nil }
}

func libExit(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if m.cloned() != nil {
		return 0, m.fault(Unsupported, 0, "%s in a process of clone that shares its memory is not supported", c.name)
	}
	m.exitW = c.arg(0)&0xff | 1<<63
	if m.cfg.Monitor != nil {
		if f := m.cfg.Monitor.Returning("main", c.arg(0)); f != nil {
			return 0, f
		}
	}
	for len(m.frames) > 0 {
		m.pop()
	}
	c.entered = true
	m.finish(c.arg(0))
	return 0, nil
}

func libQuick(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if m.cloned() != nil {
		return 0, quitThread(m, c, c.arg(0)&0xff)
	}
	m.lib.stdio.forget()
	m.atexit = nil
	return libExit(m, c)
}

func libAssert(m *Machine, c *libCall) (ctype.Word, *Fault) {
	f := m.fault(AssertFailed, 0, "assertion `%s' failed", c.info.Text)
	if m.cfg.Stderr != nil {
		m.lib.stdio.flush()
		_, _ = m.cfg.Stderr.Write([]byte(sprintf("%s: %s:%d: %s: Assertion `%s' failed.\n", m.cfg.Name[strings.LastIndexByte(m.cfg.Name, '/')+1:], f.Pos.File, f.Pos.Line, f.Func, c.info.Text)))
	}
	return 0, f
}

func libAtexit(m *Machine, c *libCall) (ctype.Word, *Fault) {
	m.atexit = append(m.atexit, c.arg(0))
	return 0, nil
}

func isSpace(b byte) bool { return b == ' ' || b >= 9 && b <= 13 }

// scanInt parses an integer as strtol does: the value, how much was read, and
// whether it fits.
func scanInt(s string, base int) (neg bool, v uint64, n int, fits bool) {
	i := 0
	for i < len(s) && isSpace(s[i]) {
		i++
	}
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		neg = s[i] == '-'
		i++
	}
	if (base == 0 || base == 16) && len(s) > i+2 && s[i] == '0' && (s[i+1]|0x20) == 'x' && digit(s[i+2]) < 16 {
		base = 16
		i += 2
	}
	if base == 0 {
		base = 10
		if i < len(s) && s[i] == '0' {
			base = 8
		}
	}
	start := i
	fits = true
	for i < len(s) && digit(s[i]) < base {
		d := uint64(digit(s[i]))
		if v > (math.MaxUint64-d)/uint64(base) {
			fits = false
		}
		v = v*uint64(base) + d
		i++
	}
	if i == start {
		return false, 0, 0, true
	}
	return neg, v, i, fits
}

// saturated is the result of strtol and, when not signed, strtoul.
func saturated(neg bool, v uint64, fits, signed bool) ctype.Word {
	switch {
	case signed && neg && (!fits || v > 1<<63):
		return 1 << 63
	case signed && !neg && (!fits || v > math.MaxInt64):
		return math.MaxInt64
	case !fits:
		return math.MaxUint64
	case neg:
		return -v
	}
	return v
}

func digit(b byte) int {
	switch {
	case b >= '0' && b <= '9':
		return int(b - '0')
	case b|0x20 >= 'a' && b|0x20 <= 'z':
		return int(b|0x20-'a') + 10
	}
	return 99
}

// floating are the characters, beside letters and digits, that a number of floating point may have.
const floating = ".+-()_"

// numberEnds returns a function that is called with the characters of a text one by one. It reports whether the C library
// stops reading a number there: after space and a sign, at the first character that is no digit, no letter (unless
// decimal) and not in others.
func numberEnds(decimal bool, others string) func(byte) bool {
	begun := false
	return func(b byte) bool {
		digit, letter := b >= '0' && b <= '9', b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
		space := b == ' ' || b >= 9 && b <= 13
		switch {
		case !begun && space:
			return false
		case !begun && (b == '+' || b == '-'):
			begun = true
			return false
		}
		begun = true
		return !digit && (decimal || !letter) && strings.IndexByte(others, b) < 0
	}
}

func libStrtol(m *Machine, c *libCall) (ctype.Word, *Fault) {
	base := 10
	if !strings.HasPrefix(c.name, "ato") {
		base = int(c.int(2))
	}
	s, f := m.textUntil(c.arg(0), numberEnds(base == 10, ""))
	if f != nil {
		return 0, f
	}
	neg, v, n, fits := scanInt(s, base)
	c.name = strings.TrimPrefix(c.name, "__isoc23_")
	r := saturated(neg, v, fits, !strings.Contains(c.name, "u"))
	if signed := !strings.Contains(c.name, "u"); signed && (neg && v > 1<<63 || !neg && v > math.MaxInt64) {
		fits = false
	}
	if !fits {
		_ = m.store(m.lib.errno, ctype.IntT, 34)
	}
	if base := c.arg(1); !strings.HasPrefix(c.name, "ato") && base != 0 {
		if f := m.store(base, ctype.VoidPtrT, c.arg(0)+ctype.Word(n)); f != nil {
			return 0, f
		}
	}
	return r, nil
}

func libAbs(m *Machine, c *libCall) (ctype.Word, *Fault) {
	v := c.long(0)
	if c.name == "abs" && v == math.MinInt32 || v == math.MinInt64 {
		return 0, m.fault(SignedOverflow, 0, "%s of the smallest value", c.name)
	}
	if v < 0 {
		v = -v
	}
	return ctype.Word(v), nil
}

// libDiv returns a struct, which is stored where the first argument points.
func libDiv(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t := ctype.LongT
	if c.name == "div" {
		t = ctype.IntT
	}
	if c.arg(2) == 0 {
		return 0, m.fault(DivideByZero, 0, "%s by 0", c.name)
	}
	q, _ := ctype.Binary(ctype.Div, t, c.arg(1), c.arg(2))
	r, _ := ctype.Binary(ctype.Rem, t, c.arg(1), c.arg(2))
	if f := m.store(c.arg(0), t, q); f != nil {
		return 0, f
	}
	return c.arg(0), m.store(c.arg(0)+ctype.Word(t.Size), t, r)
}

func libRand(m *Machine, c *libCall) (ctype.Word, *Fault) {
	return ctype.Word(m.lib.generators.random.Next()), nil
}

func libSrand(m *Machine, c *libCall) (ctype.Word, *Fault) {
	m.lib.generators.random = random.New(uint32(c.arg(0)))
	return 0, nil
}

// libRandR is glibc's rand_r.
func libRandR(m *Machine, c *libCall) (ctype.Word, *Fault) {
	w, f := m.load(c.arg(0), ctype.UIntT)
	if f != nil {
		return 0, f
	}
	next := uint32(w)
	step := func() uint32 { next = next*1103515245 + 12345; return next / 65536 }
	r := step() % 2048
	r = r<<10 ^ step()%1024
	r = r<<10 ^ step()%1024
	return ctype.Word(r), m.store(c.arg(0), ctype.UIntT, ctype.Word(next))
}

// consoleCommands are commands of Windows' console, which programs call to control the screen. No
// shell here knows them.
var consoleCommands = strings.Fields("chcp cls color mode pause title")

// libSystem runs a command if programs may be started. Otherwise it answers for the shell where nothing has to be run:
// there is a shell, clear does nothing, and consoleCommands are not found.
func libSystem(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.arg(0) == 0 {
		return 1, nil
	}
	s, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	const unknown = 127 << 8
	words := strings.Fields(s)
	switch {
	case m.cfg.Programs != nil:
		return runShell(m, c, s)
	case len(words) == 0, len(words) == 1 && words[0] == "clear":
		return 0, nil
	case slices.Contains(consoleCommands, strings.ToLower(words[0])) && !strings.ContainsAny(s, "&|;<>$`(){}'\"\\\n"):
		return unknown, m.lib.stdio.write(2, []byte("sh: 1: "+words[0]+": not found\n"))
	}
	return 0, noPrograms(m, c.name, sprintf("%q", s))
}
