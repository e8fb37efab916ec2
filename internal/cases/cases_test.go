package cases

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gulo/internal/lower"
	"gulo/internal/lower/lowertest"

	"gulo/internal/oracle"
)

func load(t *testing.T, text string) *lower.Program {
	t.Helper()
	p, _ := lowertest.Load(t, text)
	return p
}

const queue = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    int q[8], n = 0, x;
    char cmd[10];
    while (scanf("%9s", cmd) == 1) {
        if (strcmp(cmd, "push") == 0 && scanf("%d", &x) == 1) {
            if (n == 8) { puts("full"); continue; }
            q[n++] = x;
        } else if (strcmp(cmd, "pop") == 0) {
            if (n == 0) { puts("empty"); continue; }
            printf("%d\n", q[0]);
            memmove(q, q + 1, --n * sizeof *q);
        } else {
            puts("?");
            return 2;
        }
    }
    return 0;
}
`

// TestExplore finds commands and situations that the run in hand does not show, is
// the same for the same seed, and prints what the program prints.
func TestExplore(t *testing.T) {
	p := load(t, queue)
	seeds := []Input{{Stdin: "push 4\npush 5\npop\n"}}
	ex, err := Explore(context.Background(), p, seeds, Config{Want: 200, Steps: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	if ex.Runs[0].Test.Stdout != "4\n" || ex.Runs[0].Stdin != seeds[0].Stdin {
		t.Errorf("the run in hand is not the first: %+v", ex.Runs[0].Test)
	}
	for _, want := range []string{"empty\n", "?\n", "4\n5\n"} {
		if !slices.ContainsFunc(ex.Runs, func(r *Run) bool { return strings.Contains(r.Test.Stdout, want) }) {
			t.Errorf("no run prints %q", want)
		}
	}
	again, err := Explore(context.Background(), p, seeds, Config{Want: 200, Steps: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	if len(again.Runs) != len(ex.Runs) {
		t.Fatalf("%d runs, then %d", len(ex.Runs), len(again.Runs))
	}
	for i := range ex.Runs {
		if ex.Runs[i].String() != again.Runs[i].String() {
			t.Fatalf("run %d: %s, then %s", i, ex.Runs[i], again.Runs[i])
		}
	}
}

// TestDeaf keeps the run in hand alone of a program that does not look at its input, and
// leaves out what the program fails on.
func TestDeaf(t *testing.T) {
	ex, err := Explore(context.Background(), load(t, "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n"), []Input{{}}, Config{})
	if err != nil || len(ex.Runs) != 1 {
		t.Errorf("%d runs, %v", len(ex.Runs), err)
	}
	ex, err = Explore(context.Background(), load(t, "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) { printf(\"%d\\n\", 12 / atoi(argv[1])); return 0; }\n"), []Input{{Args: []string{"3"}}}, Config{Want: 30})
	if err != nil || ex.LeftOut == 0 {
		t.Errorf("nothing left out, %v", err)
	}
	for _, r := range ex.Runs {
		if len(r.Args) == 0 || r.Args[0] == "0" {
			t.Errorf("a run that fails is kept: %s", r)
		}
	}
}

// TestCounts keeps a word that counts others true.
func TestCounts(t *testing.T) {
	m := NewMaker(1, []Input{{Stdin: "3\n5 6 7\n"}}, nil)
	kept := 0
	for range 200 {
		in := m.Vary(Input{Stdin: "3\n5 6 7\n"})
		lines := strings.Split(strings.TrimSuffix(in.Stdin, "\n"), "\n")
		if len(lines) == 2 && lines[0] != "3" && len(strings.Fields(lines[1])) != 3 {
			kept++
		}
	}
	if kept < 20 {
		t.Errorf("the count followed the numbers in %d of 200 inputs", kept)
	}
}

// TestChosen takes failing and passing runs, and what must be there.
func TestChosen(t *testing.T) {
	p := load(t, queue)
	ex, err := Explore(context.Background(), p, []Input{{Stdin: "push 4\npop\n"}}, Config{Want: 60, Steps: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	fails := make([]bool, len(ex.Runs))
	for i := range fails {
		fails[i] = i%3 == 1
	}
	given, held := Chosen(ex.Runs, fails, 10, func(r *Run) bool { return r == ex.Runs[5] })
	if len(given) != 10 || len(given)+len(held) != len(ex.Runs) || !slices.Contains(given, 5) {
		t.Errorf("given %v of %d", given, len(ex.Runs))
	}
	bad := 0
	for _, i := range given {
		if fails[i] {
			bad++
		}
	}
	if bad < 3 || bad > 7 {
		t.Errorf("%d of 10 fail", bad)
	}
}

// TestMarks joins words with a mark that the program looks for and no run has.
func TestMarks(t *testing.T) {
	p := load(t, "#include <stdio.h>\n#include <string.h>\nint main(int argc, char **argv) { for (int i = 1; i < argc; i++) puts(strchr(argv[i], '>') ? \"pair\" : \"one\"); return 0; }\n")
	n := 0
	for _, in := range More(1, []Input{{Args: []string{"bio", "che"}}}, LanguageOf(p.Tree), 1000) {
		for _, a := range in.Args {
			if k := strings.Index(a, ">"); k > 0 && k < len(a)-1 {
				n++
			}
		}
	}
	if n < 5 {
		t.Errorf("%d words with the mark between others", n)
	}
}

// TestWide makes what no small change of a run comes to: a command where a number stood, a
// word of another kind that is as long as the program wants it, the same word twice, and
// words with what scanf wants between its values.
func TestWide(t *testing.T) {
	p := load(t, `#include <stdio.h>
#include <string.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    char a[8], b[8];
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "turn") == 0) puts("turned");
        if (strlen(argv[i]) == 12) puts("long");
        if (sscanf(argv[i], "%7[a-z]>%7[a-z]", a, b) == 2) puts("pair");
    }
    return 0;
}
`)
	for _, c := range []struct {
		name string
		args []string
		want func(in Input) bool
	}{
		{"command", []string{"1", "3"}, func(in Input) bool { return len(in.Args) == 3 && in.Args[2] == "turn" }},
		{"kind", []string{"080442957X"}, func(in Input) bool { return len(in.Args[0]) == 12 && strings.Trim(in.Args[0], "0123456789") == "" }},
		{"pair", []string{"che", "bio"}, func(in Input) bool {
			return len(in.Args) > 1 && strings.IndexByte(in.Args[0], '>') > 0 && in.Args[1] == in.Args[0]
		}},
		{"equal", []string{"17", "29", "4"}, func(in Input) bool { return len(in.Args) > 2 && in.Args[0] == in.Args[1] && in.Args[1] == in.Args[2] }},
	} {
		n := 0
		for _, in := range More(1, []Input{{Args: c.args}}, LanguageOf(p.Tree), 3000) {
			if len(in.Args) > 0 && c.want(in) {
				n++
			}
		}
		if n < 3 {
			t.Errorf("%s: %d of 3000", c.name, n)
		}
	}
}

// TestLetters: what reads text is run on letters also where nothing is in hand.
func TestLetters(t *testing.T) {
	p := load(t, `#include <ctype.h>
#include <stdio.h>

int main(void)
{
    int c, n = 0;
    while ((c = getchar()) != EOF)
        n += islower(c) != 0;
    printf("%d\n", n);
    return n == 0;
}
`)
	ex, err := Explore(context.Background(), p, []Input{{}}, Config{Want: 60, Steps: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	some := 0
	for _, r := range ex.Runs {
		if r.Test.Exit == 0 {
			some++
		}
	}
	if some < 5 {
		t.Errorf("%d of %d runs have a letter", some, len(ex.Runs))
	}
}

// TestSquares: where output grows with the square of a number, greater numbers are not tried until
// the time is up. What is met seldom is met nevertheless.
func TestSquares(t *testing.T) {
	p := load(t, `#include <stdio.h>

int main(void)
{
    int n, i, j;
    if (scanf("%d", &n) != 1 || n < 0)
        return 1;
    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++)
            printf("%d ", i * j);
        printf("\n");
    }
    if (n % 7 == 3)
        printf("seldom\n");
    return 0;
}
`)
	ex, err := Explore(context.Background(), p, []Input{{Stdin: "3\n"}, {Stdin: "8\n"}}, Config{Want: 500, Steps: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	steps, seldom := int64(0), 0
	for _, r := range ex.Runs {
		if steps += r.Steps; strings.HasSuffix(r.Test.Stdout, "seldom\n") {
			seldom++
		}
	}
	if len(ex.Runs) < 250 || seldom < 5 || steps > 3*enoughSteps {
		t.Errorf("%d runs, %d of them seldom, %d steps", len(ex.Runs), seldom, steps)
	}
}

// TestContradiction: tests with the same input and different ends are named, and no repair is
// searched for.
func TestContradiction(t *testing.T) {
	a := oracle.Test{Name: "a", Args: []string{"1", "2"}, Stdout: "1 2\n"}
	for _, x := range []struct {
		b    oracle.Test
		want string
	}{
		{oracle.Test{Name: "b", Args: a.Args, Stdout: "2 1\n"}, `tests a and b contradict each other: they have the same input and want the outputs "1 2\n" and "2 1\n"`},
		{oracle.Test{Name: "b", Args: a.Args, Stdout: a.Stdout, Exit: 3}, "tests a and b contradict each other: they have the same input and want the exit statuses 0 and 3"},
		{oracle.Test{Name: "b", Args: a.Args, Stdout: a.Stdout}, ""},
		{oracle.Test{Name: "b", Args: []string{"1 2"}, Stdout: "2 1\n"}, ""},
		{oracle.Test{Name: "b", Args: a.Args, Stdin: "x", Stdout: "2 1\n"}, ""},
	} {
		got := ""
		if err := contradict([]oracle.Test{a, x.b}); err != nil {
			got = err.Error()
		}
		if got != x.want {
			t.Errorf("%+v: %q, want %q", x.b, got, x.want)
		}
	}
}

// TestTestsOfAnyOutput: what is written as a test that any output meets is read as one, and cases say so.
func TestTestsOfAnyOutput(t *testing.T) {
	dir := t.TempDir()
	want := []oracle.Test{{Name: "a", Args: []string{"1", "two words"}, Stdout: "1\n", Any: true}, {Name: "b", Stdin: "x", Stdout: "2\n", Exit: 3}}
	if err := SaveTests(dir, want); err != nil {
		t.Fatal(err)
	}
	got, err := LoadTests(dir)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%+v, %v", got, err)
	}
	s := oracle.Runs(nil, got, 0)
	if w := s.Cases[0].Want; !w.Any || w.Begins != "1\n" || w.Output != "" {
		t.Errorf("%+v", w)
	}
	if w := s.Cases[1].Want; w.Any || w.Output != "2\n" || w.Status != 3 {
		t.Errorf("%+v", w)
	}
}
