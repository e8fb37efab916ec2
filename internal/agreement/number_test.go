package agreement

import (
	"flag"
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"
)

// This file makes programs that compute with numbers: conversions between all
// scalar types at the edges of their ranges, and expressions of mixed types
// without the wrappers that csmith puts around every operator.

var rounds = flag.Int("rounds", 1, "programs of each generator")

// generated runs the programs of a generator with seeds from 1 on.
func generated(t *testing.T, generate func(*rand.Rand) string) {
	for i := range *rounds {
		seed := int64(*first + i)
		t.Run(fmt.Sprint(seed), func(t *testing.T) { compare(t, generate(rand.New(rand.NewSource(seed)))) })
	}
}

func one[T any](r *rand.Rand, xs ...T) T { return xs[r.Intn(len(xs))] }

type intType struct {
	name   string
	bits   int
	signed bool
}

var intTypes = []intType{
	{"signed char", 8, true}, {"unsigned char", 8, false}, {"char", 8, true}, {"short", 16, true}, {"unsigned short", 16, false},
	{"int", 32, true}, {"unsigned", 32, false}, {"long", 64, true}, {"unsigned long", 64, false}, {"long long", 64, true},
	{"unsigned long long", 64, false}, {"_Bool", 1, false},
}

// bitPattern is a number near the edges at which arithmetic changes.
func bitPattern(r *rand.Rand) uint64 {
	switch r.Intn(4) {
	case 0:
		return r.Uint64() >> r.Intn(64)
	case 1:
		return uint64(r.Intn(9) - 4)
	}
	v := uint64(1)<<r.Intn(64) + uint64(r.Intn(5)-2)
	if r.Intn(3) == 0 {
		v += uint64(1) << r.Intn(64)
	}
	if r.Intn(2) == 0 {
		v = -v
	}
	return v
}

// realBits are the bits of a double: of any number, of an integer, of a half
// between integers, or of a special value.
func realBits(r *rand.Rand) uint64 {
	specials := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64,
		math.MaxFloat32, math.SmallestNonzeroFloat32, 16777217, 9007199254740993, 1 << 31, 1 << 32, 1 << 63, 1 << 24, 0x1p-126, 0x1p-1022, 0x1.fffffefp127}
	switch r.Intn(6) {
	case 0:
		return math.Float64bits(specials[r.Intn(len(specials))])
	case 1:
		return math.Float64bits(float64(int64(bitPattern(r))))
	case 2:
		return math.Float64bits(float64(int64(bitPattern(r)>>r.Intn(40))) / 2)
	case 3:
		return math.Float64bits(float64(math.Float32frombits(r.Uint32())))
	case 4:
		return math.Float64bits(math.Nextafter(specials[r.Intn(len(specials))], float64(r.Intn(3)-1)))
	}
	return r.Uint64()
}

func words(r *rand.Rand, n int, f func(*rand.Rand) uint64) string {
	var b strings.Builder
	for range n {
		fmt.Fprintf(&b, "%#xul, ", f(r))
	}
	return b.String()
}

// conversions makes a program that converts numbers between all scalar types
// and prints the bits of the results. Reals that do not fit in an integer type
// are left out, C does not define them.
func conversions(r *rand.Rand) string {
	const n = 60
	var b strings.Builder
	fmt.Fprintf(&b, `#include <stdio.h>
#include <string.h>
static unsigned long ints[%[1]d] = {%[2]s}, reals[%[1]d] = {%[3]s};
static unsigned fbits(float f) { unsigned u; memcpy(&u, &f, 4); return u; }
static unsigned long dbits(double d) { unsigned long u; memcpy(&u, &d, 8); return u; }
static double real(int i) { double d; memcpy(&d, &reals[i], 8); return d; }
`, n, words(r, n, bitPattern), words(r, n, realBits))
	for i, t := range intTypes {
		fmt.Fprintf(&b, "static void from%d(int i)\n{\n\t%s v = (%s)ints[i];\n", i, t.name, t.name)
		b.WriteString("\tprintf(\"%x %lx\", fbits(v), dbits(v));\n\tfloat f = 1; double d = 2;\n")
		b.WriteString("\tf += v; d -= v; printf(\" %x %lx\", fbits(f), dbits(d)); f = v * 1.5f; d = v / 3.0; printf(\" %x %lx\", fbits(f), dbits(d));\n")
		for _, u := range intTypes {
			fmt.Fprintf(&b, "\tprintf(\" %%lx\", (unsigned long)(%s)v);\n", u.name)
		}
		b.WriteString("\tprintf(\" %d%d%d%d\\n\", v == (float)v, v < (double)v, !v, v && 0.5f);\n}\n")
		lo, hi := 0.0, math.Pow(2, float64(t.bits))
		if t.signed {
			lo, hi = -hi/2, hi/2
		}
		fmt.Fprintf(&b, "static void to%d(double d)\n{\n\tfloat f = (float)d;\n", i)
		cond := fmt.Sprintf("d > %.1f && d < %.1f && f < %.1f && f > %.1f", lo-1, hi, hi, lo-1)
		if t.bits == 64 {
			cond = fmt.Sprintf("d >= %.1f && d < %.1f && f < %.1f", lo, hi, hi)
		}
		if t.bits == 1 {
			cond = "1"
		}
		fmt.Fprintf(&b, "\tif (%s)\n\t\tprintf(\"%%lx %%lx\\n\", (unsigned long)(%s)d, (unsigned long)(%s)f);\n}\n", cond, t.name, t.name)
	}
	b.WriteString(`static void ops(double a, double b)
{
	float f = (float)a, g = (float)b;
	printf("%lx %lx %lx %lx %lx ", dbits(a + b), dbits(a - b), dbits(a * b), dbits(a / b), dbits(-a));
	printf("%x %x %x %x %x ", fbits(f + g), fbits(f - g), fbits(f * g), fbits(f / g), fbits(-f));
	printf("%lx %lx %x ", dbits(f + b), dbits(a * g), fbits(f * g + f));
	printf("%d%d%d%d%d%d ", a < b, a <= b, a > b, a >= b, a == b, a != b);
	printf("%d%d%d%d%d%d %d%d%d ", f < g, f <= g, f > g, f >= g, f == b, f != a, !a, a ? 1 : 0, f && g);
	f++; --g; a += f; b *= g; f /= 3; g -= 1e-3;
	printf("%x %x %lx %lx\n", fbits(f), fbits(g), dbits(a), dbits(b));
}
`)
	fmt.Fprintf(&b, "int main(void)\n{\n\tfor (int i = 0; i < %d; i++) {\n", n)
	for i := range intTypes {
		fmt.Fprintf(&b, "\t\tfrom%d(i); to%d(real(i));\n", i, i)
	}
	fmt.Fprintf(&b, "\t\tops(real(i), real((i + 1) %% %d)); ops(real(i), real(i));\n\t}\n\treturn 0;\n}\n", n)
	return b.String()
}

func TestConversions(t *testing.T) { generated(t, conversions) }

// expr is a random expression of depth d over the variables v0..v11, one of each
// integer type, a float and a double. Divisors are odd and positive, shift
// counts small; the program is compiled with -fwrapv.
func expr(r *rand.Rand, d int) string {
	if d == 0 {
		switch r.Intn(4) {
		case 0:
			return one(r, "0", "1", "7u", "-1", "'a'", "0x7fffffff", "0x80000000", "4294967295", "3l", "-2ll", "0xffffffffffffffff", "1ul")
		default:
			return fmt.Sprintf("v%d", r.Intn(len(intTypes)))
		}
	}
	sub := func() string { return expr(r, r.Intn(d)) }
	switch r.Intn(12) {
	case 0, 1, 2:
		return fmt.Sprintf("(%s %s %s)", sub(), one(r, "+", "-", "*", "&", "|", "^"), sub())
	case 3:
		return fmt.Sprintf("(%s %s %s)", sub(), one(r, "<", ">", "<=", ">=", "==", "!="), sub())
	case 4:
		return fmt.Sprintf("(%s %s (%s & 7))", sub(), one(r, "<<", ">>"), sub())
	case 5:
		return fmt.Sprintf("(%s %s (%s & 0x7ffe | 1))", sub(), one(r, "/", "%"), sub())
	case 6:
		return fmt.Sprintf("%s%s", one(r, "~", "-", "!", "+"), "("+sub()+")")
	case 7:
		return fmt.Sprintf("(%s)%s", intTypes[r.Intn(len(intTypes))].name, "("+sub()+")")
	case 8:
		return fmt.Sprintf("(%s ? %s : %s)", sub(), sub(), sub())
	case 9:
		return fmt.Sprintf("(%s %s %s)", sub(), one(r, "&&", "||"), sub())
	case 10:
		return fmt.Sprintf("(v%d %s %s)", r.Intn(len(intTypes)), one(r, "=", "+=", "-=", "*=", "&=", "|=", "^="), sub())
	}
	return fmt.Sprintf("(v%d %s (%s))", r.Intn(len(intTypes)), one(r, "<<= 7 &", ">>= 7 &", "/= 1 | 0x7ffe &", "%= 1 | 0x7ffe &"), sub())
}

// expressions makes a program of random expressions without sequence: each
// variable that one assigns to occurs in it once.
func expressions(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("#include <stdio.h>\nstatic unsigned long sum;\nstatic void show(unsigned long v) { sum = sum * 31 + v; printf(\"%lx\\n\", v); }\n")
	const funcs = 120
	for i := range funcs {
		fmt.Fprintf(&b, "static void f%d(void)\n{\n", i)
		for j, t := range intTypes {
			fmt.Fprintf(&b, "\t%s%s v%d = (%s)%#xul;\n", one(r, "", "", "static ", "volatile "), t.name, j, t.name, bitPattern(r))
		}
		for range 4 {
			fmt.Fprintf(&b, "\tshow(%s);\n", settled(r))
		}
		b.WriteString("}\n")
	}
	b.WriteString("int main(void)\n{\n")
	for i := range funcs {
		fmt.Fprintf(&b, "\tf%d();\n", i)
	}
	b.WriteString("\tprintf(\"%lx\\n\", sum);\n\treturn sum & 127;\n}\n")
	return b.String()
}

// settled is an expression whose value does not depend on the order of evaluation.
func settled(r *rand.Rand) string {
	for {
		x, ok := expr(r, 4), true
		for j := range intTypes {
			v := fmt.Sprintf("v%d", j)
			all := strings.Count(x+" ", v+" ") + strings.Count(x, v+")")
			sets := 0
			for _, op := range []string{"=", "+=", "-=", "*=", "&=", "|=", "^=", "<<=", ">>=", "/=", "%="} {
				sets += strings.Count(x, "("+v+" "+op+" ")
			}
			ok = ok && (sets == 0 || sets == 1 && all == 1)
		}
		if ok {
			return x
		}
	}
}

func TestExpressions(t *testing.T) { generated(t, expressions) }
