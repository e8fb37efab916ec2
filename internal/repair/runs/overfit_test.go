package runs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/judge"
	"gulo/internal/native"
	"gulo/internal/native/nativetest"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// TestFitsOnly tells answers that were copied from tests from other edits.
func TestFitsOnly(t *testing.T) {
	for _, x := range []struct {
		program string
		edits   [][2]string // before, after; an empty before is inserted at the end
		wanted  []string
		only    bool
	}{
		{`f(); `, [][2]string{{"", `printf("01:00:00\n");`}}, []string{"00:01:00\n", "01:00:00\n"}, true},
		{`f(); `, [][2]string{{"", `putchar('7');`}}, []string{"7\n", "8\n"}, true},
		{`f(); `, [][2]string{{"", `printf("no\n");`}}, []string{"yes\n", "no\n"}, false},
		{`f(); `, [][2]string{{"", `printf("top 10\n");`}}, []string{"top 10\n1\n", "top 10\n2\n"}, false},
		{`f(); `, [][2]string{{"", `printf("5\n98\n");`}}, []string{"5\n98\n"}, true},
		{`f(); `, [][2]string{{"", `printf("top 10\n");`}}, []string{"top 10\n1\n"}, false},
		{`printf("%d\n", n);`, [][2]string{{`"%d\n"`, `"3\n"`}}, []string{"3\n", "4\n"}, true},
		{`printf("%d\n", n);`, [][2]string{{`"%d\n"`, `"%02d\n"`}}, []string{"03\n", "04\n"}, false},
		{`printf("Error 44\n");`, [][2]string{{`"Error 44\n"`, `"Error 404\n"`}}, []string{"Error 404\n", "fine\n"}, false},
		{`return num - 48; g(c);`, [][2]string{{"48", "2"}, {"g(c)", "g(c) & 48"}}, []string{"3\n", "111\n"}, true},
		{`return num - 48; g(c);`, [][2]string{{"48", "2"}}, []string{"3\n", "111\n"}, false},
		{`return num - 48; g(c);`, [][2]string{{"48", "2"}, {"g(c)", "g(c) & 48"}}, []string{"3\n", "111\n", "4\n", "5\n"}, false},
		// The input is "hello you": a comparison with what it has is told by it.
		{`if (c == 'x') n++;`, [][2]string{{`c == 'x'`, `c != 'x'`}}, []string{"3\n", "4\n"}, true},
		{`if (c == 'x') n++;`, [][2]string{{`c == 'x'`, `!(c == 'x')`}}, []string{"3\n", "4\n"}, true},
		{`if (c == 'l') n++;`, [][2]string{{`c == 'l'`, `!(c == 'l')`}}, []string{"3\n", "4\n"}, false},
		{`if (c == 'l') n++;`, [][2]string{{`c == 'l'`, `c != 'l'`}}, []string{"3\n", "4\n"}, false},
		{`f(); `, [][2]string{{"", `printf("-1\n");`}}, []string{"-1\n", "3\n", "-1\n", "4\n"}, false},
		{`f(); `, [][2]string{{"", `printf("-1\n");`}}, []string{"-1\n", "3\n", "5\n", "4\n"}, true},
		{`printf("%d\n", n);`, [][2]string{{`"%d\n"`, `"-1\n"`}}, []string{"-1\n", "3\n", "-1\n", "4\n"}, true},
		// Both tests want the same.
		{`f(); `, [][2]string{{"", `printf("4\n");`}}, []string{"4\n", "4\n"}, true},
		{`f(); `, [][2]string{{"", `printf("yes\n");`}}, []string{"yes\n", "yes\n"}, false},
		{`f(); `, [][2]string{{"", `printf("%d\n", 4);`}}, []string{"4\n", "4\n"}, false},
		{`f(); `, [][2]string{{"", `printf("261\n");`}}, []string{"261\n"}, true},
		{`f(); `, [][2]string{{"", `printf("The sum: ");`}}, []string{"The sum: 261\n"}, false},
		{`f(); `, [][2]string{{"", `if (a < b) { printf("youhello"); return 0; }`}}, []string{"youhello\n", "a\n"}, true},
		{`f(); `, [][2]string{{"", `if (a < b) { printf("infinite"); return 0; }`}}, []string{"infinite\n", "a\n"}, false},
		// A digit behind a value makes another number of it.
		{`printf("%d:%d\n", m, s);`, [][2]string{{`"%d:%d\n"`, `"0%d:%d0\n"`}}, []string{"01:00\n", "02:00\n"}, true},
		{`printf("%d0\n", m);`, [][2]string{{`"%d0\n"`, `"0%d0\n"`}}, []string{"010\n", "020\n"}, false},
		{`while (c == d) { i++; c = s[i]; } g();`, [][2]string{{`while (c == d) { i++; c = s[i]; }`, `;/*-*/`}}, []string{"a\n", "b\n"}, true},
		{`while (c == d) { i++; c = s[i]; } g();`, [][2]string{{`while (c == d) { i++; c = s[i]; }`, `;/*-*/`}}, []string{"a\n", "b\n", "c\n", "d\n"}, false},
		{`f(); `, [][2]string{{"", `printf("hello you\n");`}}, []string{"hello you\n", "a\n"}, true},
		{`if (a > b) printf("%d\n", a); else g();`, [][2]string{{`printf("%d\n", a);`, ";"}}, []string{"a\n", "b\n"}, true},
		{`if (a > b) printf("%d\n", a); g();`, [][2]string{{`printf("%d\n", a);`, ";"}}, []string{"a\n", "b\n"}, false},
		// Two edits of what is computed, and tests that hardly tell anything.
		{`i = 0; while (i < n) i++;`, [][2]string{{"i = 0", "i = n"}, {"i < n", "i > n"}}, []string{"4\n", "4\n"}, true},
		{`i = 0; while (i < n) i++;`, [][2]string{{"i = 0", "i = n"}, {"i < n", "i > n"}}, []string{"yes\n", "no\n", "yes\n"}, true},
		{`i = 0; while (i < n) i++;`, [][2]string{{"i = 0", "i = n"}, {"i < n", "i > n"}}, []string{"4\n", "5\n", "6\n"}, false},
		{`i = 0; while (i < n) i++;`, [][2]string{{"i = 0", "i = n"}, {"i < n", "i > n"}}, []string{"1\n2\n", "1\n2\n3\n"}, false},
		{`i = 0; while (i < n) i++;`, [][2]string{{"i = 0", "i = n"}}, []string{"4\n", "4\n"}, false},
		// What is read goes elsewhere.
		{`scanf("%d %d", &r, &c); f(r);`, [][2]string{{`scanf("%d %d", &r, &c)`, `scanf("%d %d", &c, &r)`}, {"f(r)", "f(c)"}}, []string{"1\n", "2\n", "3\n"}, true},
		{`scanf("%d %d", &r, &c); f(r);`, [][2]string{{`scanf("%d %d", &r, &c)`, `scanf("%d %d", &c, &r)`}}, []string{"1\n", "2\n", "3\n"}, false},
		{`scanf("%d %d", &r, c); f(r);`, [][2]string{{`scanf("%d %d", &r, c)`, `scanf("%d %d", &r, &c)`}, {"f(r)", "f(c)"}}, []string{"1\n", "2\n", "3\n"}, false},
	} {
		f := source.NewFile("a.c", []byte(x.program))
		var es []*textedit.Edit
		for _, e := range x.edits {
			at := len(x.program)
			if e[0] != "" {
				at = strings.Index(x.program, e[0])
			}
			es = append(es, &textedit.Edit{Changes: []textedit.Change{{File: f, Start: at, End: at + len(e[0]), Text: e[1]}}})
		}
		got := fitsOnly(es, []string{"hello you\n"}, x.wanted, x.program)
		if got == "" {
			got = guessed(es, x.wanted, len(x.wanted))
		}
		if (got != "") != x.only {
			t.Errorf("%v of %v: %q", x.edits, x.wanted, got)
		}
	}
}

// TestExchanged: reads that change places, and others.
func TestLosesShape(t *testing.T) {
	l := &schema.Loss{Input: native.Test{Stdin: "6 8 2\n"}, Was: native.Outcome{Stdout: "6 is the median\n"}, Does: native.Outcome{Stdout: ""}}
	if got, want := losesShape(l), `on <<< "6 8 2\n", which is like the tests, it prints nothing with it, unlike all that they want; without it it prints "6 is the median\n"`; got != want {
		t.Errorf("%s\nnot %s", got, want)
	}
	if losesShape(nil) != "" {
		t.Error("nothing is known")
	}
}

func TestExchanged(t *testing.T) {
	for _, x := range []struct {
		before, after string
		yes           bool
	}{
		{"scanf(\"%d\", &a);\n    scanf(\"%d\", &b); f();", "scanf(\"%d\", &b);\n    scanf(\"%d\", &a); f();", true},
		{"scanf(\"%d\", &a);\n    scanf(\"%d\", &b); f();", "scanf(\"%d\", &a);\n    scanf(\"%d\", &c); f();", false},
		{"scanf(\"%d\", &a); f(a); scanf(\"%d\", &b);", "scanf(\"%d\", &b); f(a); scanf(\"%d\", &a);", false},
		{"scanf(\"%d\", &a); f(a);", "f(a); scanf(\"%d\", &a);", false},
		{"scanf(\"%d\", &a); getchar(); x = getchar();", "scanf(\"%d\", &a); x = getchar();", false},
	} {
		if got := exchanged(x.before, x.after); (got != "") != x.yes {
			t.Errorf("%q of\n%s\n%s", got, x.before, x.after)
		}
	}
}

// TestOutOfTheAir: two edits that are no known mistakes, one of them with a number that nothing speaks
// for, are a guess where a few tests are all there is.
func TestOutOfTheAir(t *testing.T) {
	wanted := []string{"1\n2\n", "3\n", "4\n5\n6\n", "7\n"}
	for _, x := range []struct {
		before, after, what string
		wanted              []string
		guess               bool
	}{
		{"10", "5", textedit.AnotherConstant, wanted, true},
		{"0", "1", textedit.AnotherConstant, wanted, false},
		{"n", "(n % 60)", textedit.CombinedWithConstant, wanted, true},
		{"n", "(n + 1)", textedit.CombinedWithConstant, wanted, false},
		{"n < 10", "n <= 10", "another comparison", wanted, false},
		{"", "if (a == b) break;", "insert", wanted, true},
		{"10", "5", textedit.AnotherConstant, append(wanted[:4:4], "8\n", "9\n"), false},
	} {
		f := source.NewFile("a.c", []byte("if (a < b) f("+x.before+");"))
		es := []*textedit.Edit{
			{What: "another comparison", Changes: []textedit.Change{{File: f, Start: 6, End: 7, Text: "<="}}},
			{What: x.what, Changes: []textedit.Change{{File: f, Start: 13, End: 13 + len(x.before), Text: x.after}}},
		}
		if got := guessed(es, x.wanted, len(x.wanted)); (got != "") != x.guess {
			t.Errorf("%s for %s by %d tests: %q", x.after, x.before, len(x.wanted), got)
		}
		if got := guessed(es[1:], x.wanted, len(x.wanted)); got != "" {
			t.Errorf("%s for %s alone: %q", x.after, x.before, got)
		}
		// Tests that the program meets tell little more of what mends the others.
		many := append(slices.Clone(wanted), "8\n", "9\n", "10\n", "11\n")
		if got := guessed(es, many, 3); (got != "") != (x.guess || len(x.wanted) > len(wanted)) {
			t.Errorf("%s for %s where 3 of %d fail: %q", x.after, x.before, len(many), got)
		}
	}
}

// TestStandsElsewhere: a call of one of the program's functions that stands at another place in the same words
// is no statement out of all that there are; with another argument, or of the library, it is.
func TestStandsElsewhere(t *testing.T) {
	f := source.NewFile("ledger.c", []byte(`static int total;
static void settle(struct account *a)
{
    a->open = 0;
}
static int pay(struct account *a, int sum)
{
    total += sum;
    puts("paid");
    settle(a);
    return a->open;
}
static int cancel(struct account *a)
{
    return a->open;
}
`))
	at := strings.LastIndex(string(f.Text), "    return a->open")
	wanted := []string{"0\n", "1\n", "2\n", "3\n", "4\n", "5\n", "6\n"}
	for call, guess := range map[string]bool{"settle(a);": false, "settle(b);": true, "puts(\"paid\");": true, "total += sum;": true, "a->open--;": true, "cancel(a);": true} {
		es := []*textedit.Edit{
			{What: "another comparison", Changes: []textedit.Change{{File: f, Start: 6, End: 7, Text: "<="}}},
			{What: "insert", Changes: []textedit.Change{{File: f, Start: at, End: at, Text: call + "\n"}}},
		}
		if got := guessed(es, wanted, 3); (got != "") != guess {
			t.Errorf("%s: %q", call, got)
		}
	}
}

// TestComputed: numbers that are wanted and stand in no text of both programs are computed by the
// reference; a repair does not print them as they are.
func TestComputed(t *testing.T) {
	programs := []string{`int main(void) { printf("%d %d\n", a, b); puts("0 1 none"); }`, `puts("sizes 11 20");`}
	wanted := []string{"4 8 10 \n", "sizes 11 20\n"}
	for _, x := range []struct{ before, after, want string }{
		{`printf("\n");`, `printf("4 8 10 \n");`, "4 8 10 \n"},
		{`"%d "`, `"%d 8 10 "`, " 8 10 "},
		{`"\n"`, `"sizes 11 20\n"`, ""}, // a text of the reference
		{`"\n"`, `"8 \n"`, ""},          // one number may be a heading
		{`"\n"`, `"7 9\n"`, ""},         // nobody wants it
		{`"4 8 10 \n"`, `"4 8 10 \n" `, ""},
		{`n + 1`, `n + 48`, ""},
	} {
		if got := computed(x.before, x.after, wanted, programs); got != x.want {
			t.Errorf("%s for %s: %q, want %q", x.after, x.before, got, x.want)
		}
	}
}

// TestNoneMeets does not say that nothing meets the tests where what does was left out, nor that this meets nothing else,
// which nobody knows.
func TestNoneMeets(t *testing.T) {
	w := &Search{t: &judge.Judge{Set: &cases.Set{}}}
	res := &schema.Result{Edits: 7}
	if got := w.noneMeets(res); !strings.HasPrefix(got, "none of 7 edits") || !strings.HasSuffix(got, "meets all runs") {
		t.Error(got)
	}
	res.Pairs = 12 // not all of them
	if got := w.noneMeets(res); !strings.HasSuffix(got, "meets all runs, and none of the 12 pairs of them that were tried together") {
		t.Error(got)
	}
	if w.leftOut(3, "x", "why"); !strings.HasSuffix(w.noneMeets(res), "those that meet all runs may meet nothing else") {
		t.Error(w.noneMeets(res))
	}
	if n := w.t.Notes; len(n) != 1 || !strings.Contains(n[0], "meets the given tests and perhaps nothing else") {
		t.Error(n)
	}
}

// TestChance: of two texts the larger number is wanted. Half of the tests are met, and a pair of edits
// that reads nonsense meets the others by chance; it is not shown.
func TestChance(t *testing.T) {
	if testing.Short() {
		t.Skip("it searches for half a minute")
	}
	const program = `#include <stdio.h>
#include <string.h>
int main(void)
{
    char a[100], b[100];
    int i, la, lb;
    scanf("%s", a);
    scanf("%s", b);
    la = strlen(a);
    lb = strlen(b);
    if (la > lb)
        printf("%s\n", a);
    else if (lb > la)
        printf("%s\n", b);
    else {
        for (i = 0; i < la; i++) {
            if (a[i] > b[i]) {
                printf("%s\n", a);
            }
            else {
                printf("%s\n", b);
            }
        }
    }
    return 0;
}
`
	dir := t.TempDir()
	file, tests := filepath.Join(dir, "larger.c"), filepath.Join(dir, "tests")
	files := map[string]string{file: program}
	for name, x := range map[string][2]string{"a": {"12 9\n", "12\n"}, "b": {"1234567890123456 1234567890123457\n", "1234567890123457\n"}, "c": {"7 7\n", "7\n"}, "d": {"55 54\n", "55\n"}, "e": {"100 99\n", "100\n"}, "f": {"19 23\n", "23\n"}} {
		files[filepath.Join(tests, name+".in")], files[filepath.Join(tests, name+".out")] = x[0], x[1]
	}
	if err := os.Mkdir(tests, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rep, err := Fix(steady(), &job.Job{Files: []string{file}, Spec: job.Spec{Tests: tests}, Limit: 6 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	others := []native.Test{{Stdin: "21 12\n"}, {Stdin: "12 21\n"}, {Stdin: "334 343\n"}, {Stdin: "99 98\n"}, {Stdin: "450 405\n"}}
	for _, texts := range rep.Texts { // if there is one it is right
		for i, o := range nativetest.Outputs(t, texts[file], others) {
			if want := []string{"21", "21", "343", "99", "450"}[i]; strings.TrimSpace(o.Stdout) != want {
				t.Errorf("%q for %q\n%s", o.Stdout, others[i].Stdin, texts[file])
			}
		}
	}
	if len(rep.Texts) == 0 && !strings.Contains(strings.Join(rep.Notes, "\n"), "by chance") && !strings.Contains(strings.Join(rep.Notes, "\n"), "no known mistakes") {
		t.Error(rep.Cause, rep.Notes)
	}
}
