package agreement

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// This file makes programs that turn numbers into text and back: printf with
// random formats, strtol and its relatives, strtod, sscanf. glibc is the judge.

// formats makes a program of printf calls.
func formats(r *rand.Rand) string {
	var b strings.Builder
	fmt.Fprintf(&b, `#include <stdio.h>
#include <string.h>
#include <stddef.h>
#include <stdint.h>
static unsigned long reals[] = {%s};
static double real(int i) { double d; memcpy(&d, &reals[i], 8); return d; }
int main(void)
{
	char text[200];
	int n = 0;
`, words(r, 64, realBits))
	for range 500 {
		f, args := format(r)
		switch r.Intn(4) {
		case 0:
			fmt.Fprintf(&b, "\tn = snprintf(text, %d, \"%s|\"%s); printf(\"%%d %%s\\n\", n, text);\n", 1+r.Intn(30), f, args)
		default:
			fmt.Fprintf(&b, "\tn = printf(\"%s|\"%s); printf(\"%%d\\n\", n);\n", f, args)
		}
	}
	b.WriteString("\treturn n & 1;\n}\n")
	return b.String()
}

// format is one conversion with its arguments.
func format(r *rand.Rand) (f, args string) {
	conv := one(r, "d", "i", "u", "o", "x", "X", "c", "s", "f", "F", "e", "E", "g", "G", "a", "A", "f", "e", "g", "g", "p", "%")
	if conv == "%" {
		return "%%", ""
	}
	flags := "-"
	if conv != "c" && conv != "s" && conv != "p" {
		flags += "0"
	}
	if strings.Contains("difFeEgGaA", conv) {
		flags += "+ "
	}
	if strings.Contains("oxXfFeEgGaA", conv) {
		flags += "#"
	}
	f = "%"
	for range r.Intn(4) {
		f += string(flags[r.Intn(len(flags))])
	}
	switch r.Intn(4) {
	case 0:
		f += fmt.Sprint(1 + r.Intn(30))
	case 1:
		f, args = f+"*", fmt.Sprintf(", %d", r.Intn(50)-25)
	}
	if conv != "c" && conv != "p" {
		switch r.Intn(5) {
		case 0, 1:
			f += "." + fmt.Sprint(r.Intn(25))
		case 2:
			f, args = f+".*", args+fmt.Sprintf(", %d", r.Intn(30)-5)
		case 3:
			f += "."
		}
	}
	switch {
	case strings.Contains("diuoxX", conv):
		k := r.Intn(8)
		f += []string{"hh", "h", "", "l", "ll", "z", "j", "t"}[k]
		args += fmt.Sprintf(", (%s)%#xul", []string{"int", "int", "int", "long", "long long", "size_t", "intmax_t", "ptrdiff_t"}[k], bitPattern(r))
	case conv == "c":
		args += fmt.Sprintf(", %d", 32+r.Intn(95))
	case conv == "p":
		args += ", (void *)" + one(r, "0", "16", "0xabcdef")
	case conv == "s":
		args += fmt.Sprintf(", \"%s\"", strings.Repeat(one(r, "", "a", "bc"), r.Intn(12)))
	default:
		f += one(r, "", "", "l")
		args += fmt.Sprintf(", real(%d)", r.Intn(64))
	}
	return f + conv, args
}

func TestFormats(t *testing.T) { generated(t, formats) }

// numeral is a text that is a number, nearly one, or none.
func numeral(r *rand.Rand) string {
	digits := func(set string, n int) string {
		s := ""
		for range n {
			s += string(set[r.Intn(len(set))])
		}
		return s
	}
	s := one(r, "", "", "", " ", "\\t ", "\\n") + one(r, "", "", "-", "+", "--", "+-")
	switch r.Intn(9) {
	case 0:
		s += digits("0123456789", r.Intn(24))
	case 1:
		s += one(r, "0x", "0X", "x", "0xg") + digits("0123456789abcdefABCDEF", r.Intn(20))
	case 2:
		s += digits("0123456789abcdefghijklmnopqrstuvwxyzABCXYZ", r.Intn(12))
	case 3:
		s += "0" + digits("012345678", r.Intn(26))
	case 4:
		s += digits("0123456789", r.Intn(22)) + "." + digits("0123456789", r.Intn(30))
	case 5:
		s += digits("0123456789", 1+r.Intn(20)) + one(r, "", ".") + digits("0123456789", r.Intn(4)) + one(r, "e", "E") + one(r, "", "-", "+") + digits("0123456789", r.Intn(4))
	case 6:
		s += "0x" + digits("0123456789abcdef", r.Intn(16)) + one(r, "", ".") + digits("0123456789abcdef", r.Intn(16)) + one(r, "p", "P", "") + one(r, "", "-", "+") + digits("0123456789", r.Intn(4))
	case 7:
		s += one(r, "inf", "INF", "infinity", "infinit", "nan", "NAN(123)", "nan()", "nan(x", "NaN", "in")
	default:
		s += one(r, "2147483647", "2147483648", "4294967295", "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
			"16777217", "16777219", "9007199254740993", "1.17549435e-38", "1.40129846e-45", "7.0e-46", "7.1e-46", "4.9e-324", "2.4e-324", "2.5e-324", "3.4028235e38", "3.4028236e38", "1.7976931348623157e308", "1.7976931348623159e308",
			"0.1", "8388608.5", "8388609.5", "1e23", "5e-324", "1.00000017881393432617187499", "1.00000017881393432617187500", "1.00000017881393432617187501")
	}
	return s + one(r, "", "", " ", "x", ".", "e", "5", "_1")
}

// numerals makes a program that reads numbers from strings.
func numerals(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(`#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
static const char *const texts[] = {
`)
	for range 300 {
		fmt.Fprintf(&b, "\t\"%s\",\n", numeral(r))
	}
	fmt.Fprintf(&b, `};
static unsigned fbits(float f) { unsigned u; memcpy(&u, &f, 4); return f != f ? 1 : u; }
static unsigned long dbits(double d) { unsigned long u; memcpy(&u, &d, 8); return d != d ? 1 : u; }
static const int bases[] = {0, 10, 16, 8, 2, 36, %d};
int main(void)
{
	for (int i = 0; i < 300; i++) {
		const char *s = texts[i];
		char *end;
		printf("%%d %%ld", atoi(strlen(s) < 9 ? s : "1"), atol(s));
		for (int k = 0; k < 7; k++) {
			errno = 0;
			long l = strtol(s, &end, bases[k]);
			printf(" %%ld %%d %%d", l, (int)(end - s), errno);
			errno = 0;
			unsigned long u = strtoul(s, &end, bases[k]);
			printf(" %%lu %%d %%d", u, (int)(end - s), errno);
		}
		printf(" %%lld %%llu\n", strtoll(s, NULL, 0), strtoull(s, NULL, 0));
		errno = 0;
		double d = strtod(s, &end);
		printf(" %%lx %%d %%d", dbits(d), (int)(end - s), errno);
		errno = 0;
		float f = strtof(s, &end);
		printf(" %%x %%d %%d %%lx\n", fbits(f), (int)(end - s), errno, dbits(atof(s)));
	}
	return 0;
}
`, 2+r.Intn(35))
	return b.String()
}

func TestNumerals(t *testing.T) { generated(t, numerals) }

// scans makes a program of sscanf calls.
func scans(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(`#include <stdio.h>
#include <string.h>
static unsigned fbits(float f) { unsigned u; memcpy(&u, &f, 4); return f != f ? 1 : u; }
static unsigned long dbits(double d) { unsigned long u; memcpy(&u, &d, 8); return d != d ? 1 : u; }
static int n, at;
static signed char hh; static short h; static int i; static long l; static long long ll;
static unsigned char uhh; static unsigned u; static unsigned long ul; static float f; static double d; static char s[64];
static void clear(void) { n = at = -7; hh = h = i = l = ll = 77; uhh = u = ul = 77; f = d = 77; memset(s, 'z', 63); }
static void show(void)
{
	for (char *p = s; *p; p++)
		if (*p == '\n')
			*p = '_';
	printf("%d %d %d %d %d %ld %lld %d %u %lu %x %lx %.20s\n", n, at, hh, h, i, l, ll, uhh, u, ul, fbits(f), dbits(d), s);
}
int main(void)
{
`)
	targets := []struct{ format, arg string }{
		{"hhd", "&hh"}, {"hd", "&h"}, {"d", "&i"}, {"ld", "&l"}, {"lld", "&ll"}, {"hhu", "&uhh"}, {"u", "&u"}, {"lu", "&ul"}, {"x", "&u"}, {"lx", "&ul"}, {"o", "&u"},
		{"i", "&i"}, {"li", "&l"}, {"f", "&f"}, {"lf", "&d"}, {"e", "&f"}, {"lg", "&d"}, {"s", "s"}, {"c", "s"}, {"[0-9]", "s"}, {"[^,. ]", "s"}, {"[]a-f]", "s"},
	}
	for range 250 {
		var text, form, args string
		for range 1 + r.Intn(3) {
			text += numeral(r) + one(r, "", " ", ",", ", ")
			x := targets[r.Intn(len(targets))]
			width := ""
			if x.arg == "s" {
				width = fmt.Sprint(1 + r.Intn(20))
			} else if r.Intn(3) == 0 {
				width = fmt.Sprint(1 + r.Intn(9))
			}
			if r.Intn(6) == 0 {
				form += "%*" + width + x.format
			} else {
				form += "%" + width + x.format
				args += ", " + x.arg
			}
			form += one(r, "", " ", ",", " , ", "%%")
		}
		fmt.Fprintf(&b, "\tclear(); n = sscanf(\"%s\", \"%s%%n\"%s, &at); show();\n", text, form, args)
	}
	b.WriteString("\treturn 0;\n}\n")
	return b.String()
}

func TestScans(t *testing.T) { generated(t, scans) }
