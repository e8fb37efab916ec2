package cpp

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gulo/internal/source"
)

// preprocess returns the tokens of a text that includes nothing.
func preprocess(t testing.TB, text string) (*Unit, []string) {
	t.Helper()
	u, err := Preprocess(source.NewFile("a.c", []byte(text)), Config{Open: func(string) *source.File { return nil }})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var out []string
	for _, x := range u.Tokens {
		out = append(out, x.Text)
	}
	return u, out
}

// gcc returns the tokens that gcc -E leaves of a text.
func gcc(t *testing.T, text string) []string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("gcc", "-w", "-E", "-P", "-undef", name).CombinedOutput()
	if err != nil {
		t.Fatalf("gcc: %s\n%s", out, text)
	}
	_, toks := preprocess(t, string(out))
	return toks
}

func compare(t *testing.T, text string) {
	t.Helper()
	want := gcc(t, text)
	if _, got := preprocess(t, text); !slices.Equal(got, want) {
		for i := range max(len(got), len(want)) {
			if i >= len(got) || i >= len(want) || got[i] != want[i] {
				from := max(i-12, 0)
				t.Fatalf("token %d: %q, gcc has %q\n%s", i, got[min(from, len(got)):min(i+4, len(got))], want[min(from, len(want)):min(i+4, len(want))], text)
			}
		}
	}
}

// macros writes definitions that use each other, themselves, # and ##, and invocations
// with nested, empty and missing arguments.
func macros(r *rand.Rand) string {
	var b strings.Builder
	names := []string{"A", "B", "C", "D", "E"}
	params := map[string]int{} // -1: object-like
	for _, n := range names {
		switch params[n] = r.IntN(4) - 1; r.IntN(5) {
		case 0:
			params[n] = 4 // variadic: one parameter and the rest
		}
	}
	word := func(list []string) string {
		if len(list) > 0 && r.IntN(2) == 0 {
			return list[r.IntN(len(list))]
		}
		return []string{"x", "y", "17", "+", "A", "B", "C", "(", ")", ",", "\"s\"", "E"}[r.IntN(12)]
	}
	for _, n := range names {
		var list []string
		head := n
		switch params[n] {
		case -1:
		case 4:
			head, list = n+"(p, ...)", []string{"p", "__VA_ARGS__"}
		default:
			list = []string{"p", "q", "r"}[:params[n]]
			head = n + "(" + strings.Join(list, ", ") + ")"
		}
		var body []string
		for depth, k := 0, r.IntN(7); k > 0 || depth > 0; k-- {
			w := word(list)
			switch {
			case k <= 0:
				w, depth = ")", depth-1
			case w == "(":
				depth++
			case w == ")" && depth == 0:
				w = "z"
			case w == ")":
				depth--
			case len(list) > 0 && r.IntN(4) == 0:
				w = "#" + list[r.IntN(len(list))]
			case r.IntN(6) == 0 && len(list) > 0:
				w = "id ## " + list[0] + " x"
			}
			body = append(body, w)
		}
		fmt.Fprintf(&b, "#define %s %s\n", head, strings.Join(body, " "))
	}
	var use func(depth int) string
	use = func(depth int) string {
		n := names[r.IntN(len(names))]
		if params[n] < 0 || r.IntN(6) == 0 {
			return n
		}
		count := params[n]
		if count == 4 {
			count = 1 + r.IntN(3)
		}
		var args []string
		for range count {
			switch {
			case r.IntN(5) == 0:
				args = append(args, "")
			case depth > 0 && r.IntN(2) == 0:
				args = append(args, use(depth-1))
			default:
				args = append(args, []string{"1", "v", "w  w", "(a, b)"}[r.IntN(3)])
			}
		}
		if count == 0 {
			return n + "()"
		}
		return n + "(" + strings.Join(args, ", ") + ")"
	}
	for range 6 {
		fmt.Fprintf(&b, "[ %s ]\n", use(2))
	}
	for _, n := range names {
		fmt.Fprintf(&b, "#undef %s\n", n)
	}
	return b.String()
}

// TestRandomMacros compares random macros with gcc.
func TestRandomMacros(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc")
	}
	refused := 0
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 5))
		// What gcc refuses, a number of arguments or a paste, is left out.
		var text strings.Builder
		for range 12 {
			m := macros(r)
			cmd := exec.Command("gcc", "-w", "-E", "-P", "-undef", "-")
			cmd.Stdin = strings.NewReader(m)
			if cmd.Run() == nil {
				text.WriteString(m)
			} else {
				refused++
			}
		}
		compare(t, text.String())
	}
	if refused > 120 {
		t.Errorf("gcc refuses %d of 144", refused)
	}
}

// expression writes a constant expression of #if; divisors are never zero.
func expression(r *rand.Rand, depth int) string {
	if depth == 0 || r.IntN(6) == 0 {
		return []string{"0", "1", "7u", "-3", "'a'", "0x7fffffffffffffff", "M", "undefined", "defined M", "defined(N)", "(1 ? -1 : 0u)", "'\\377'", "1ull << 63"}[r.IntN(13)]
	}
	x, y := expression(r, depth-1), expression(r, depth-1)
	switch op := []string{"+", "-", "*", "/", "%", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&", "|", "^", "&&", "||", "?", "!", "~", "-u"}[r.IntN(22)]; op {
	case "/", "%":
		return "(" + x + ") " + op + " ((" + y + ") | 1)"
	case "<<", ">>":
		return "(" + x + ") " + op + " ((" + y + ") & 31)"
	case "?":
		return "(" + expression(r, depth-1) + ") ? (" + x + ") : (" + y + ")"
	case "!", "~":
		return op + "(" + x + ")"
	case "-u":
		return "-(" + x + ")"
	default:
		return "(" + x + ") " + op + " (" + y + ")"
	}
}

// TestRandomConditions compares which branches of random #if are read with gcc.
func TestRandomConditions(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc")
	}
	r := rand.New(rand.NewPCG(1, 6))
	var text strings.Builder
	text.WriteString("#define M 5\n")
	for i := range 600 {
		fmt.Fprintf(&text, "#if %s\ntrue%d\n#elif %s\nelif%d\n#else\nfalse%d\n#endif\n", expression(r, 3), i, expression(r, 2), i, i)
	}
	compare(t, text.String())
}

// TestPlaces: every token knows where it is written, and the invocation it comes from.
func TestPlaces(t *testing.T) {
	const text = "#define ADD(a, b) (a + b)\n#define TWICE(x) ADD(x, x)\nint y = TWICE(\n  z) ; \\\nint w;\n"
	u, _ := preprocess(t, text)
	var got []string
	for _, x := range u.Tokens {
		e := u.Expansions[x.Exp]
		got = append(got, fmt.Sprintf("%s|%s|%s", x.Text, text[x.Off:x.Off+x.Len], strings.Join(strings.Fields(text[e.Start:e.End]), "")))
	}
	const call = "TWICE(z)"
	want := []string{"int|int|", "y|y|", "=|=|", "(|(|" + call, "z|z|" + call, "+|+|" + call, "z|z|" + call, ")|)|" + call, ";|;|", "int|int|", "w|w|", ";|;|"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nnot\n%q", got, want)
	}
}

// TestDates: the time of a unit and that of a file are gcc's, and a unit that has them says so.
func TestDates(t *testing.T) {
	const text = "__DATE__ __TIME__ __TIMESTAMP__ __DATE__\n"
	name := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	changed := time.Date(2019, 3, 5, 4, 6, 7, 0, time.Local)
	if err := os.Chtimes(name, changed, changed); err != nil {
		t.Fatal(err)
	}
	for _, epoch := range []string{"0", "1700000007"} {
		t.Setenv("SOURCE_DATE_EPOCH", epoch)
		out, err := exec.Command("gcc", "-w", "-E", "-P", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		_, want := preprocess(t, string(out))
		u, err := Preprocess(source.NewFile(name, []byte(text)), Config{Open: func(string) *source.File { return nil }})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range u.Tokens {
			got = append(got, x.Text)
		}
		if !slices.Equal(got, want) || !u.Dated {
			t.Errorf("%q, gcc has %q; dated: %v", got, want, u.Dated)
		}
	}
	if u, _ := preprocess(t, "#define NOW __DATE__\n\"__TIME__\" __LINE__\n"); u.Dated {
		t.Error("a unit that has no date says that it has one")
	}
	if u, toks := preprocess(t, "__TIMESTAMP__\n"); !u.Dated || !slices.Equal(toks, []string{`"??? ??? ?? ??:??:?? ????"`}) {
		t.Errorf("a file that is not there: %q", toks)
	}
}

// TestRefused: what cannot go on is an error with its place.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"int x;\n#include \"missing.h\"\n": "a.c:2:",
		"#error no\n":                      "a.c:1:",
		"#if 1\nint x;\n":                  "",
		"#define F(x) x\nF(1\n":            "",
	} {
		_, err := Preprocess(source.NewFile("a.c", []byte(text)), Config{Open: func(string) *source.File { return nil }})
		if err != nil && !strings.HasPrefix(err.Error(), "a.c:") || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// FuzzPreprocess: no text makes it panic, run on, or name places outside of the text.
func FuzzPreprocess(f *testing.F) {
	for _, s := range []string{"#define A(x,...) #x __VA_OPT__(x##1) A\nA(A(1),2)", "#if 1/0\n#elif\n#else\n#endif", "#include <a\n#line 3 \"b\"\n_Pragma(\"x\")", "'\\", "/*", "\"\\\n", "#define\n#undef\n#ifdef", "__COUNTER__ \\\n##",
		"#define A(...) __VA_OPT__(\nA(1)", "#define A(...) 1 ## __VA_OPT__((\nA(1)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := Preprocess(source.NewFile("a.c", []byte(s)), Config{Open: func(string) *source.File { return nil }})
		if err != nil {
			return
		}
		for _, x := range u.Tokens {
			if file := u.Files[x.File]; x.Off < 0 || x.Len < 0 || int(x.Off+x.Len) > len(file.Text) {
				t.Fatalf("%q is at %d of %d bytes", x.Text, x.Off, len(file.Text))
			}
		}
	})
}
