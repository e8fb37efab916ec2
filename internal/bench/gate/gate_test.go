package gate

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gulo/internal/oracle"
	"gulo/internal/process"
	"gulo/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

func corpus(t *testing.T) []*Program {
	t.Helper()
	all, err := Open("testdata/corpus")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if p.Tests != nil {
			t.Fatal("tests are read before they are asked for")
		}
		if err := p.ReadTests("testdata/corpus"); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// TestOpen reads a corpus: programs with tests, and one with a driver and none.
func TestOpen(t *testing.T) {
	all := corpus(t)
	var names []string
	for _, p := range all {
		names = append(names, p.Name)
	}
	if got := strings.Join(names, " "); got != "largest largest_too queue sum_driver" {
		t.Fatal(got)
	}
	if p := all[0]; p.Kind != "comparison" || p.Exercise != "numbers" || len(p.Tests) != 6 || p.Tests[0].Name != "a" || p.Tests[0].Said || string(p.Tests[0].Stdin) != "3\n1 2 3\n" {
		t.Errorf("%+v", p)
	}
	if p := all[2]; !p.Tests[1].Said || string(p.Tests[1].Stdout) != "empty\n" {
		t.Errorf("%+v", p.Tests[1])
	}
	if p := all[3]; len(p.Tests) != 1 || p.Tests[0].Name != "driver" || len(p.More) != 2 {
		t.Errorf("%+v", p)
	}
	if o := others(all, all[0]); len(o) != 1 || !bytes.Equal(o[0], all[1].Right) {
		t.Errorf("%d other right programs", len(o))
	}
	if o := others(all, all[2]); len(o) != 0 {
		t.Errorf("%d other right programs of no exercise", len(o))
	}
}

// TestDraw draws the same programs for the same seed, others for another, and smaller samples from larger ones.
func TestDraw(t *testing.T) {
	var all []*Program
	for _, n := range strings.Fields("a b c d e f g h i j k l m n o p") {
		all = append(all, &Program{Name: n})
	}
	one, again, other := Draw(all, 6, 1), Draw(all, 6, 1), Draw(all, 6, 2)
	if !slices.Equal(one, again) || slices.Equal(one, other) || !slices.Equal(one[:3], Draw(all, 3, 1)) || len(Draw(all, 0, 1)) != len(all) {
		t.Error("the draw does not depend on the seed alone")
	}
}

// TestChanged finds the lines of a correction.
func TestChanged(t *testing.T) {
	for _, x := range []struct {
		wrong, right string
		want         []int
	}{
		{"a\nb\nc\n", "a\nB\nc\n", []int{2}},
		{"a\nb\nc\n", "a\nb\nx\nc\n", []int{2, 3}},
		{"a\nb\nc\n", "a\nc\n", []int{2}},
		{"a\n  b\nc\n", "a\nb  \nc", nil},
		{"a\nb\nc\nd\n", "x\na\nb\nc\nD\n", []int{1, 4}},
	} {
		got := changed([]byte(x.wrong), []byte(x.right))
		var list []int
		for l := range got {
			list = append(list, l)
		}
		if slices.Sort(list); !slices.Equal(list, x.want) {
			t.Errorf("%q to %q: %v, want %v", x.wrong, x.right, list, x.want)
		}
	}
}

// TestWilson holds the interval against values from tables.
func TestWilson(t *testing.T) {
	for _, x := range []struct {
		k, n      int
		low, high float64
	}{{0, 10, 0, 27.75}, {5, 10, 23.66, 76.34}, {10, 10, 72.25, 100}, {81, 263, 25.53, 36.62}} {
		low, high := Wilson(x.k, x.n)
		if math.Abs(low-x.low) > 0.01 || math.Abs(high-x.high) > 0.01 {
			t.Errorf("%d of %d: %.2f to %.2f, want %.2f to %.2f", x.k, x.n, low, high, x.low, x.high)
		}
	}
	if p := percentile([]float64{5, 1, 4, 2, 3}, 0.95); p != 5 || percentile([]float64{2, 1}, 0.5) != 1 || percentile(nil, 0.5) != 0 {
		t.Errorf("percentile %v", p)
	}
}

// begun prepares a program for a mode.
func begun(t *testing.T, p *Program, mode string) *trial {
	t.Helper()
	dir, err := process.TempDir("gulo-gate-test-") // where users of programs may enter
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	x := &trial{Job: &Job{Mode: mode, Inputs: 12, Seed: 1, Program: p}, dir: dir, rec: &Record{}}
	if err := x.prepare(context.Background()); err != nil {
		t.Fatal(err)
	}
	return x
}

// judged judges a repaired program of the corpus as the first repair that gulo shows.
func judged(t *testing.T, name, mode string, repair func(wrong string) string) *Record {
	t.Helper()
	i := slices.IndexFunc(corpus(t), func(p *Program) bool { return p.Name == name })
	return judgedOf(t, corpus(t)[i], mode, repair)
}

// judgedOf judges a repair of a program.
func judgedOf(t *testing.T, p *Program, mode string, repair func(wrong string) string) *Record {
	t.Helper()
	x := begun(t, p, mode)
	text := repair(string(p.Wrong))
	if text == string(p.Wrong) {
		t.Fatal("the repair changes nothing")
	}
	if err := os.WriteFile(filepath.Join(x.dir, "fixed.c"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	d := &document{Result: "repaired"}
	d.Repairs = append(d.Repairs, repairShown{})
	if err := x.judge(context.Background(), d); err != nil {
		t.Fatal(err)
	}
	return x.rec
}

// TestJudge judges repairs: what meets the tests alone is not right, nor what loses memory or does something undefined.
func TestJudge(t *testing.T) {
	replace := func(pairs ...string) func(string) string {
		return strings.NewReplacer(pairs...).Replace
	}
	for _, x := range []struct {
		name, program, mode string
		repair              func(string) string
		class, why          string
	}{
		{"as its author", "largest", ByTests, replace("x > best", "x >= best"), Right, ""},
		{"for the tests", "largest", ByTests, replace("x > best", "x >= best", `printf("`, `printf(best > 9 || best == 6 || best == 4 || best < -1 ? "?" : "`), Overfit, "made from the tests"},
		{"not even for those", "largest", ByTests, replace("x > best", "x < best"), Wrong, "prints"},
		{"no C", "largest", ByTests, replace("x > best", "x > "), Wrong, "does not compile"},
		{"moved", "queue", ByMemory, replace("free(n);\n    first = n->next;", "first = n->next;\n    free(n);"), Right, ""},
		{"never freed", "queue", ByMemory, replace("    free(n);\n", ""), Leaking, "memory is lost"},
		{"beyond a block", "queue", ByTests, replace("free(n);\n    first = n->next;", "first = n->next;\n    n[1].value++;\n    free(n);"), Wrong, "heap-buffer-overflow"},
		{"with a driver", "sum_driver", ByTests, replace("i = 1", "i = 0"), Right, ""},
		{"for the driver", "sum_driver", ByTests, replace("s = 0", "s = n > 0 ? 4 : 0"), Overfit, "it leaves result=4 where result="},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			r := judged(t, x.program, x.mode, x.repair)
			if r.Class != x.class || !strings.Contains(r.Why, x.why) || x.why == "" && r.Why != "" {
				t.Errorf("%+v", r)
			}
			if x.class == Right && r.Further < 8 {
				t.Errorf("%d further inputs", r.Further)
			}
		})
	}
}

// TestLost: that a repaired program loses memory says nothing if the right version ends in an error before it could.
func TestLost(t *testing.T) {
	const text = `#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int n, sum = 1;
    scanf("%d", &n);
    int *v = calloc(n, sizeof *v);
    for (int i = 0; i < n; i++)
        scanf("%d", &v[i]);
    for (int i = 0; i < n; i++)
        sum += v[i];
    free(v);
    printf("%d\n", sum);
    return 0;
}
`
	for beyond, class := range map[string]string{"v[n] == 123456": Right, "0": Leaking} {
		right := strings.NewReplacer("sum = 1", "sum = 0", "free(v);", "sum += "+beyond+";\n    free(v);").Replace(text)
		p := &Program{Name: "sum", Wrong: []byte(text), Right: []byte(right), Tests: []Test{{Name: "a", Stdin: []byte("2\n1 2\n")}, {Name: "b", Stdin: []byte("3\n4 5 6\n")}}}
		if r := judgedOf(t, p, ByTests, strings.NewReplacer("sum = 1", "sum = 0", "free(v)", "v = NULL").Replace); r.Class != class {
			t.Errorf("with %s: %+v", beyond, r)
		}
	}
}

// TestCounted: a run is killed in the last of so many basic blocks, however long it takes, and is left as it is before.
func TestCounted(t *testing.T) {
	x := begun(t, &Program{
		Wrong: []byte("int main(void) { return 1; }\n"),
		Right: []byte("#include <stdio.h>\nint main(void)\n{\n    int n, s = 0;\n    scanf(\"%d\", &n);\n    for (int i = 0; i < n; i++)\n        s += i;\n    printf(\"%d\\n\", s);\n    return 0;\n}\n"),
		Tests: []Test{{Name: "four", Stdin: []byte("4\n")}},
	}, ByTests)
	b, err := x.counted(context.Background(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	for stdin, want := range map[string]string{"4": "", "400": "", "1000": "signal: SIGILL", "1000000000": "signal: SIGILL"} {
		p, err := run(context.Background(), b, nil, stdin)
		if err != nil {
			t.Fatal(err)
		}
		if p.Stopped != want || want == "" && p.Stdout == "" {
			t.Errorf("%s: %q, prints %q", stdin, p.Stopped, p.Stdout)
		}
	}
}

// TestAgain: a test counts only if the right version does the same on it each time.
func TestAgain(t *testing.T) {
	x := begun(t, &Program{
		Wrong: []byte("int main(void) { return 1; }\n"),
		Right: []byte("#include <stdio.h>\n#include <time.h>\nint main(void)\n{\n    struct timespec now = {0};\n    if (getchar() == 'n')\n        clock_gettime(CLOCK_MONOTONIC, &now);\n    printf(\"%ld\\n\", now.tv_nsec);\n    return 0;\n}\n"),
		Tests: []Test{{Name: "never", Stdin: []byte("0\n")}, {Name: "now", Stdin: []byte("n\n")}},
	}, ByTests)
	if len(x.tests) != 1 || x.tests[0].Name != "never" {
		t.Errorf("%+v", x.tests)
	}
}

// TestPlay looks for sessions: what the user types, or why there is none.
func TestPlay(t *testing.T) {
	all := corpus(t)
	text := func(s string) []byte {
		return []byte("#include <stdio.h>\nint main(void)\n{\n    int a[8], n = 0, s = 0;\n    while (n < 8 && scanf(\"%d\", &a[n]) == 1)\n        n++;\n" + s + "    return 0;\n}\n")
	}
	four := []Test{{Name: "four", Stdin: []byte("1 2 3 4\n")}}
	for _, x := range []struct {
		name, typed, cause string
		p                  *Program
	}{
		{"a driver", "start; break sum; continue; break -sum; next 2; change i 0; spec", "", all[3]},
		{"the picture is right", "", noDifference, &Program{Wrong: text("    printf(\"%d\", n);\n"), Right: text("    printf(\"%d\\n\", n);\n"), Tests: four}},
		{"six elements", "", tooMuch, &Program{
			Wrong: text("    printf(\"%d %d\\n\", s, a[7]);\n"),
			Right: text("    for (int i = 0; i < 8; i++)\n        a[i]++;\n    printf(\"%d %d\\n\", s, a[7]);\n"),
			Tests: []Test{{Name: "eight", Stdin: []byte("9 9 9 9 9 9 9 9\n")}}}},
		{"a crash", "", crashes, all[2]},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			r := begun(t, x.p, Sessions)
			r.hand = x.p.Wrong
			_, err := r.play(context.Background(), r.fails)
			var l *leave
			if errors.As(err, &l); x.cause != "" && (l == nil || l.cause != x.cause) || x.cause == "" && err != nil {
				t.Fatalf("%v %+v", err, r.rec.Sessions)
			}
			if x.typed != "" && strings.Join(r.rec.Sessions[0].Typed, "; ") != x.typed {
				t.Errorf("%q", r.rec.Sessions[0].Typed)
			}
		})
	}
}

// TestCommands is what a user types before the third session, which goes on in the process of the second: that is of a
// program that was written after the first, of which the user states first what the run prints that is right by now.
func TestCommands(t *testing.T) {
	r := &trial{Job: &Job{Limit: time.Second}, dir: t.TempDir(), rec: &Record{Sessions: []*Played{
		{Test: "a", Typed: []string{"start", "next 2", "change i 0", "spec"}},
		{Test: "b", Typed: []string{"start", "next 3", "change i 1", "spec"}},
		{Test: "c", Typed: []string{"start"}, Prints: true, None: true},
	}}}
	for _, name := range []string{"a", "b", "c"} {
		r.tests = append(r.tests, oracle.Test{Name: name, Stdin: name + "in", Stdout: name + "out", Args: []string{"-" + name}})
	}
	check := func(n int, want string) {
		t.Helper()
		got, err := r.commands(n)
		if text := strings.ReplaceAll(strings.Join(got, "; "), r.dir+"/", ""); text != want || err != nil {
			t.Errorf("%q, %v, want %q", text, err, want)
		}
	}
	check(2, "start; next 2; change i 0; spec; repair --limit 1s; start -b < input1; next 3; change i 1; spec; repair --limit 1s")
	r.shown = []editShown{{"wrong.c", 1, "x", "y"}}
	r.rec.Sessions = r.rec.Sessions[:1]
	r.written([]byte("y"), []bool{false, true, true})
	if x := r.first(&r.tests[2]); x.Name != "c" {
		t.Errorf("%s", x.Name)
	}
	r.rec.Sessions = append(r.rec.Sessions, &Played{Test: "b", Typed: []string{"start", "next 3", "change i 1", "spec"}}, &Played{Test: "c", Typed: []string{"start"}, Prints: true, None: true})
	if x := r.first(&r.tests[2]); x.Name != "b" {
		t.Errorf("%s", x.Name)
	}
	check(3, "start -a < input0; expect < expect0; start -b < input1; next 3; change i 1; spec; repair --limit 1s; start -c < input2; expect < expect2")
	if text, err := os.ReadFile(filepath.Join(r.dir, "expect0")); string(text) != "aout" || err != nil || string(r.hand) != "y" || len(r.edits) != 1 {
		t.Errorf("%q, %v, %+v", text, err, r)
	}
}

// TestRepairOf reads the edits of a diff, with the file that they are in.
func TestRepairOf(t *testing.T) {
	got := repairOf("--- a/wrong.c\n+++ b/wrong.c\n@@ -3,4 +3,5 @@\n int s;\n-  s = 1;\n+  s = 2;\n+  n = 0;\n f();\n-  g();\n")
	want := repairShown{[]editShown{{"wrong.c", 4, "  s = 1;", "  s = 2;"}, {"wrong.c", 5, "", "  n = 0;"}, {"wrong.c", 6, "  g();", ""}}}
	if !slices.Equal(got.Edits, want.Edits) {
		t.Errorf("%+v", got)
	}
}

// TestFile keeps records: a file goes on where it was cut off, and one of another measurement is refused.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	h := Header{Gate: 1, Commit: "c", Build: "b", Limit: 1, Inputs: 2, Seed: 3}
	f, known, err := Append(path, h)
	if err != nil || len(known) != 0 {
		t.Fatal(known, err)
	}
	for _, n := range []string{"x", "y"} {
		if err := f.Add(&Record{Program: n, Mode: ByTests, Class: Right}); err != nil {
			t.Fatal(err)
		}
	}
	f.Close()
	text, _ := os.ReadFile(path)
	if err := os.WriteFile(path, text[:len(text)-5], 0o644); err != nil {
		t.Fatal(err)
	}
	f, known, err = Append(path, h)
	if err != nil || len(known) != 1 || known[0].Program != "x" {
		t.Fatal(known, err)
	}
	if err := f.Add(&Record{Program: "z"}); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if got, list, _, err := Read(path); err != nil || got != h || len(list) != 2 || list[1].Program != "z" {
		t.Fatal(got, list, err)
	}
	h.Build = "another"
	if _, _, err := Append(path, h); err == nil || !strings.Contains(err.Error(), "--against") {
		t.Error(err)
	}
	if err := os.WriteFile(path, []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Append(path, h); err == nil || !strings.Contains(err.Error(), "no file of gulo bench gate") {
		t.Error(err)
	}
}

// TestPrint prints tables, causes, and what changed.
func TestPrint(t *testing.T) {
	m := &Measured{All: 9, Drawn: 4, Records: []Record{
		{Program: "a", Mode: ByTests, Kind: "loop", Class: Right, Steps: 10, CPU: 1000},
		{Program: "b", Mode: ByTests, Kind: "loop", Class: None, Cause: timeLimit, Steps: 30, CPU: 3000},
		{Program: "c", Mode: ByTests, Class: Overfit, Why: "on x", Blanks: true},
		{Program: "d", Mode: ByTests, Class: LeftOut, Cause: "fails no test"},
		{Program: "a", Mode: Locate, Class: Ranked, Rank: 2},
	}}
	old := []Record{{Program: "a", Mode: ByTests, Class: Wrong}, {Program: "c", Mode: ByTests, Class: Overfit}, {Program: "a", Mode: Locate, Class: Ranked}}
	var b strings.Builder
	Print(&b, m, old)
	squeezed := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{
		"4 programs drawn of 9", "loop 2 1 0 0 0 1 50 % (9 to 91) 20, 30 2.00 s, 3.00 s", "white space alone 1 0 0 1 0 0", "all 3 1 0 1 0 1",
		"1 left out: fails no test", "1 none: time limit", "of 2 programs that both have: right 0 before, 1 now; 1 changed a: wrong, now right",
		"all 1 0 1 0 100 %", "of 1 program that both have: in the first five 0 before, 1 now; 1 changed a: not listed, now rank 2",
	} {
		if !strings.Contains(squeezed, want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// TestLastWords: the reason is gulo's own, or what the compiler says behind the table of times.
func TestLastWords(t *testing.T) {
	times := "begin ms       ms   cpu ms\n      20      941       22  gcc, syntax alone\n"
	for errs, want := range map[string]string{
		"note: one\ngulo: no tests\n": "no tests", "panic: oh\n\ngoroutine 1\n": "panic: oh", "": "",
		times + "r.c:39:13: error: unknown type name\n   39 | x\n": "r.c:39:13: error: unknown type name", times + "gulo: none\n": "none", times: "begin ms       ms   cpu ms",
	} {
		if got := lastWords(errs); got != want {
			t.Errorf("%q: %q, not %q", errs, got, want)
		}
	}
}
