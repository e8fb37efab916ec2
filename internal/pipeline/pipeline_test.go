package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/native"
	"gulo/internal/report"
	"gulo/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

// words has a table of children, which is neither a list nor a tree, and a command language.
const words = `#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *kids[26];
    int ends;
};

static struct node *fresh(void) { return calloc(1, sizeof(struct node)); }

static void add(struct node *t, const char *s)
{
    for (; *s; s++) {
        if (t->kids[*s - 'a'] == NULL)
            t->kids[*s - 'a'] = fresh();
        t = t->kids[*s - 'a'];
    }
    t->ends++;
}

static int count(const struct node *t, const char *s)
{
    while (*s) {
        t = t->kids[*s++ - 'a'];
        if (t == NULL)
            return 0;
    }
    return t->ends;
}

static void drop(struct node *t)
{
    for (int i = 0; i < 26; i++)
        if (t->kids[i] != NULL)
            drop(t->kids[i]);
    free(t);
}

int main(int argc, char **argv)
{
    struct node *t = fresh();
    for (int i = 1; i < argc; i++) {
        const char *w = argv[i] + (argv[i][0] == '?');
        for (const char *p = w; *p; p++)
            if (*p < 'a' || *p > 'z')
                return 2;
        if (argv[i][0] == '?')
            printf("%s %d\n", w, count(t, w));
        else
            add(t, w);
    }
    drop(t);
    return 0;
}
`

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestFix repairs what cases of states cannot. The run in hand and runs made from it decide, and what is shown was
// run with the sanitizers.
func TestFix(t *testing.T) {
	dir := t.TempDir()
	right := write(t, dir, "right.c", words)
	for i, x := range []struct{ name, old, new, args string }{
		{"a null check", "        if (t == NULL)\n            return 0;\n", "", "ab ?ac ?ab"},
		{"a step", "t->kids[*s++ - 'a']", "t->kids[*s - 'a'];\n        s += t != NULL ? t->ends + 1 : 1", "ab abc ?abc ?ab"},
		{"a leak", "            drop(t->kids[i]);\n    free(t);", "            drop(t->kids[i]);", "ab ?ab"},
	} {
		if testing.Short() && i == 1 {
			continue
		}
		text := strings.Replace(words, x.old, x.new, 1)
		if text == words {
			t.Fatal(x.name)
		}
		wrong := write(t, dir, "wrong.c", text)
		a, err := Fix(context.Background(), &job.Job{Files: []string{wrong}, Spec: job.Spec{Reference: []string{right}}, Args: strings.Fields(x.args), Repairs: 1, Limit: 3 * time.Minute})
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		if x.name == "a leak" { // nothing that is printed shows it
			if a.Report.Result == report.Right {
				t.Errorf("%s: %s", x.name, a.Report.Result)
			}
			continue
		}
		if a.Report.Result != report.Repaired {
			t.Errorf("%s: %s: %s", x.name, a.Report.Result, a.Report.Cause)
			continue
		}
		if ev := a.Report.Repairs[0].Evidence; ev.Guarded == 0 || !ev.Compiled || ev.HeldMet != ev.Held || ev.Held < 20 {
			t.Errorf("%s: %+v", x.name, ev)
		}
	}
}

// TestNothing: if no engine takes a request, the answer says why.
func TestNothing(t *testing.T) {
	dir := t.TempDir()
	right := write(t, dir, "right.c", "struct s; int f(struct s *p) { return p != 0; }\n")
	wrong := write(t, dir, "wrong.c", "struct s; int f(struct s *p) { return p == 0; }\n")
	a, err := Fix(context.Background(), &job.Job{Files: []string{wrong}, Spec: job.Spec{Reference: []string{right}}, Limit: 5 * time.Second})
	if err == nil && a.Report.Met() {
		t.Errorf("%s", a.Report.Result)
	}
}

const larger = `#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

/* post: result >= a && result >= b && (result == a || result == b) */
int larger(int a, int b)
{
    int r = a;
    if (a < b)
        r = b;
    ASSERT
    return r;
}

static void show(int n) { printf("larger: %d\n", n); }

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    show(larger(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
`

// tests writes a folder of whole runs: arguments and what is printed.
func tests(t *testing.T, runs map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tests")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	n := 0
	for args, out := range runs {
		n++
		write(t, dir, fmt.Sprintf("t%d.args", n), args)
		write(t, dir, fmt.Sprintf("t%d.out", n), out)
	}
	return dir
}

// TestConjunction gives several specifications, each of which alone would allow a wrong program: the repair meets all
// of them.
func TestConjunction(t *testing.T) {
	few := map[string]string{"3 5": "larger: 5\n", "4 4": "larger: 4\n"}
	for i, x := range []struct {
		name, old, new, assert string
		spec                   job.Spec
	}{
		{"tests and a contract", "    if (a < b)\n        r = b;\n", "    if (a > b)\n        r = b;\n", "", job.Spec{Contracts: true}},
		{"tests and assertions", "    if (a < b)\n        r = b;\n", "    if (a > b)\n        r = b;\n", "assert(r >= a && r >= b);", job.Spec{Assert: true}},
		{"a fault in each", "", "", "", job.Spec{Contracts: true}},
	} {
		if testing.Short() && i == 0 { // TestOneLoad has a contract with tests, too
			continue
		}
		text := strings.Replace(larger, "ASSERT", x.assert, 1)
		faulty := strings.Replace(text, x.old, x.new, 1)
		if x.old == "" {
			faulty = strings.Replace(strings.Replace(text, "a < b", "a > b", 1), "larger: %d", "larger %d", 1)
		}
		dir := t.TempDir()
		x.spec.Tests = tests(t, few)
		a, err := Fix(context.Background(), &job.Job{Files: []string{write(t, dir, "p.c", faulty)}, Spec: x.spec, Limit: time.Minute})
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		if a.Report.Result != report.Repaired {
			t.Errorf("%s: %s: %s", x.name, a.Report.Result, a.Report.Cause)
			continue
		}
		for args, want := range map[string]string{"9 2": "larger: 9\n", "-5 -3": "larger: -3\n"} {
			p, err := native.Build(context.Background(), a.Sources(), native.Config{})
			if err != nil {
				t.Fatalf("%s: %v", x.name, err)
			}
			var s native.Session
			s.Print(s.Add(&native.Test{Args: strings.Fields(args)}))
			got, err := p.Run(context.Background(), &s, 30*time.Second)
			p.Close()
			if err != nil || len(got.Printed) != 1 || got.Printed[0].Stdout != want {
				t.Errorf("%s: %s: %+v %v\n%s", x.name, args, got, err, a.Report.Repairs[0].Diff)
			}
		}
	}
}

// TestSense refuses what makes no sense.
func TestSense(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "p.c", "int main(void) { return 0; }\n")
	calls := write(t, dir, "calls.txt", "x=1\n")
	for _, x := range []struct {
		spec job.Spec
		want string
	}{
		{job.Spec{}, "what is right?"},
		{job.Spec{Tests: calls}, "what must come of them is not known"},
		{job.Spec{Tests: calls + "x"}, "cannot read --tests"},
		{job.Spec{Contract: "c.json", Contracts: true}, "two contracts"},
	} {
		_, err := Fix(context.Background(), &job.Job{Files: []string{file}, Spec: x.spec})
		var use *job.UsageError
		if !errors.As(err, &use) || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%+v: %v", x.spec, err)
		}
	}
}

// TestConjunctionMet: an answer that nothing is wrong is about all specifications.
func TestConjunctionMet(t *testing.T) {
	dir := t.TempDir()
	right := write(t, dir, "right.c", strings.Replace(larger, "ASSERT", "", 1))
	// Alike on every run that is made up. The assertion fails on a number that only logic finds, 1440528649.
	wrong := write(t, dir, "wrong.c", strings.Replace(larger, "ASSERT", "assert((unsigned)r * 2654435761u != 12345u);", 1))
	a, err := Fix(context.Background(), &job.Job{Files: []string{wrong}, Spec: job.Spec{Reference: []string{right}, Assert: true}, Engines: []string{"heap"}, Args: []string{"3", "5"}, Limit: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if a.Report.Met() || !strings.Contains(a.Report.Cause, "assertion") && !strings.Contains(a.Report.Cause, "on a whole run beside the reference, 0 1440528649") {
		t.Errorf("%s: %s", a.Report.Result, a.Report.Cause)
	}
}

// TestOperands repairs whole programs of a few lines by exchanging two operands, even if no test divides by zero, and
// not by a more complicated edit.
func TestOperands(t *testing.T) {
	const program = `#include <stdio.h>

int main()
{
    int n, m;
    scanf("%d%d", &n, &m);
    if (m % n == 0)
        printf("yes\n");
    else
        printf("no\n");
    return 0;
}
`
	begin := strings.Index(program, "    if")
	for _, x := range []struct {
		name, text, want string
		out              []string
	}{
		{"remainder", program, "if (n % m == 0)", []string{"yes\n", "yes\n", "no\n", "no\n"}},
		{"difference", program[:begin] + "    printf(\"%d\\n\", m - n);\n    return 0;\n}\n", "n - m", []string{"5\n", "2\n", "-6\n", "2\n"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			dir := t.TempDir()
			for i, in := range []string{"10 5\n", "4 2\n", "3 9\n", "5 3\n"} {
				write(t, dir, fmt.Sprintf("t%d.in", i), in)
				write(t, dir, fmt.Sprintf("t%d.out", i), x.out[i])
			}
			a, err := Fix(context.Background(), &job.Job{Files: []string{write(t, dir, x.name+".c", x.text)}, Spec: job.Spec{Tests: dir}, Limit: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Report.Repairs) == 0 {
				t.Fatal(a.Report.Result, a.Report.Cause)
			}
			if r := a.Report.Repairs[0]; len(r.Edits) != 1 || !strings.Contains(r.Diff, x.want) {
				t.Errorf("%s\n%s", r.Diff, r.Evidence.Text)
			}
		})
	}
}

// two is a program of several functions.
const two = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { struct entry *next; char name[16]; int n; };
static struct entry *all;

static struct entry *find(const char *name)
{
    for (struct entry *e = all; e != NULL; e = e->next)
        if (strcmp(e->name, name) == 0)
            return e;
    return NULL;
}

static void add(const char *name, int n)
{
    struct entry *e = find(name);
    if (e == NULL) {
        e = calloc(1, sizeof *e);
        strncpy(e->name, name, 15);
        e->next = all;
        all = e;
    }
    e->n += n;
}

static int check(int n)
{
    int sum = 0;
    for (int i = 2; n > 0; n /= 10, i++)
        sum += n % 10 * i;
    return (10 - sum % 10) % 10;
}

int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2)
        add(argv[i], atoi(argv[i + 1]));
    for (struct entry *e = all; e != NULL; e = e->next)
        printf("%s %d %d\n", e->name, e->n, check(e->n));
    return 0;
}
`

// TestParts repairs two functions, each of which hides the mistake in the other, one at a time. The run in hand shows
// only one of the mistakes.
func TestParts(t *testing.T) {
	dir := t.TempDir()
	right := write(t, dir, "right.c", two)
	text := two
	for _, x := range [][2]string{{"strcmp(e->name, name) == 0", "e->name == name"}, {"(10 - sum % 10) % 10", "10 - sum % 10"}} {
		text = strings.Replace(text, x[0], x[1], 1)
	}
	wrong := write(t, dir, "wrong.c", text)
	a, err := Fix(context.Background(), &job.Job{Files: []string{wrong}, Spec: job.Spec{Reference: []string{right}}, Args: strings.Fields("ab 3 ab 4"), Limit: 2 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if a.Report.Result != report.Repaired {
		t.Fatalf("%s: %s", a.Report.Result, a.Report.Cause)
	}
	r := a.Report.Repairs[0]
	got := map[int]string{}
	for _, e := range r.Edits {
		got[e.Line] = e.Before + " => " + e.After
		if e.File != wrong {
			t.Errorf("an edit of %s", e.File)
		}
	}
	if got[11] != "e->name == name => strcmp(e->name, name) == 0" || len(got) != 2 || got[33] == "" {
		t.Errorf("%v", got)
	}
	if ev := r.Evidence; ev.Guarded == 0 || !ev.Compiled || ev.HeldMet != ev.Held || ev.Held < 1000 && ev.Proof == "" {
		t.Errorf("%+v", ev)
	}
	if fixed := a.Sources()[wrong]; strings.Count(r.Diff, "\n+ ") != 2 || strings.Contains(fixed, "e->name == name") {
		t.Errorf("%s", r.Diff)
	}
}

// TestEngines: every engine of the table is asked somewhere, and no other engine is.
func TestEngines(t *testing.T) {
	asked := map[string]bool{}
	for _, s := range []Spec{{Reference: []string{"r.c"}}, {Tests: "t"}, {Assert: true}, {Contracts: true}} {
		for _, e := range order(&s) {
			if asked[e.Engine()] = true; e.Engine() != "" && !slices.Contains(Names(), e.Engine()) {
				t.Errorf("%s is not in the table", e.Engine())
			}
		}
	}
	for _, n := range Names() {
		if !asked[n] {
			t.Errorf("nobody asks %s", n)
		}
	}
}

// TestOneMistake repairs programs that only have main, with tests alone, at the one place that is wrong.
func TestOneMistake(t *testing.T) {
	for _, x := range []struct {
		name, text, diff string
		tests            map[string]string // what is read and printed
	}{
		{"and for or",
			"#include <stdio.h>\n\nint main()\n{\n    int n;\n    scanf(\"%d\", &n);\n    if (n != 13 && (n > 10 || n < 20))\n        printf(\"in\\n\");\n    else\n        printf(\"out\\n\");\n    return 0;\n}\n",
			"n > 10 && n < 20",
			map[string]string{"4": "out\n", "10": "out\n", "11": "in\n", "13": "out\n", "15": "in\n", "19": "in\n", "20": "out\n", "25": "out\n"}},
		{"printed too much",
			"#include <stdio.h>\n\nint line(char s[])\n{\n    int c, i = 0;\n    while ((c = getchar()) != EOF && c != '\\n')\n        s[i++] = c;\n    s[i] = '\\0';\n    return i;\n}\n\nint main()\n{\n    int n;\n    char w[80];\n    n = line(w);\n    printf(\"%s\\n\", w);\n    printf(\"%d\\n\", n);\n    return 0;\n}\n",
			"-    printf(\"%d\\n\", n);",
			map[string]string{"ola adeus": "ola adeus\n", "abc": "abc\n"}},
		{"no line break",
			"#include <stdio.h>\n\nint main()\n{\n    int n;\n    scanf(\"%d\", &n);\n    printf(\"%d\", n + 1);\n    return 0;\n}\n",
			"+    printf(\"%d\\n\", n + 1);",
			map[string]string{"4": "5\n", "25": "26\n", "-1": "0\n"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			dir := t.TempDir()
			for in, out := range x.tests {
				name := strings.ReplaceAll(in, " ", "_")
				write(t, dir, name+".in", in)
				write(t, dir, name+".out", out)
			}
			a, err := Fix(context.Background(), &job.Job{Files: []string{write(t, dir, "main.c", x.text)}, Spec: job.Spec{Tests: dir}, Limit: 2 * time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Report.Repairs) == 0 {
				t.Fatal(a.Report.Result, a.Report.Cause)
			}
			if r := a.Report.Repairs[0]; len(r.Edits) != 1 || !strings.Contains(r.Diff, x.diff) {
				t.Errorf("%s\n%s", r.Diff, r.Evidence.Text)
			}
		})
	}
}

// TestSlow repairs a program that counts step by step what its reference computes directly. That it takes many times
// as many steps is no mistake, and nothing says that it does not end.
func TestSlow(t *testing.T) {
	const reference = `#include <stdio.h>
int main(void)
{
    long n;
    if (scanf("%ld", &n) != 1 || n < 0)
        return 1;
    printf("%ld\n", n * (n + 1) / 2);
    return 0;
}
`
	const program = `#include <stdio.h>
int main(void)
{
    long n, i, sum = 0;
    if (scanf("%ld", &n) != 1 || n < 0)
        return 1;
    for (i = 1; i < n; i++)
        sum += i;
    printf("%ld\n", sum);
    return 0;
}
`
	dir := t.TempDir()
	write(t, dir, "t.in", "20000\n")
	write(t, dir, "t.out", "200010000\n")
	a, err := Fix(context.Background(), &job.Job{Files: []string{write(t, dir, "main.c", program)}, Spec: job.Spec{Reference: []string{write(t, dir, "ref.c", reference)}, Tests: dir}, Limit: 2 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(a.Report.Example, "come to an end") {
		t.Error(a.Report.Example)
	}
	if len(a.Report.Repairs) == 0 {
		t.Fatal(a.Report.Result, a.Report.Cause)
	}
}

// TestBeyond repairs a program whose reference does something else on inputs unlike the run in hand. What the program
// did there before is not part of the mistake, and is named.
func TestBeyond(t *testing.T) {
	const reference = `#include <stdio.h>
int main(void)
{
    int p;
    while (scanf("%d", &p) == 1) {
        if (p < 0)
            puts("no such points");
        else
            putchar("EDCBA"[p < 50 ? 0 : p < 60 ? 1 : p < 70 ? 2 : p < 80 ? 3 : 4]), putchar('\n');
    }
    return 0;
}
`
	const program = `#include <stdio.h>
static char grade(int p)
{
    if (p >= 80)
        return 'A';
    if (p >= 70)
        return 'B';
    if (p > 60)
        return 'C';
    if (p >= 50)
        return 'D';
    return 'E';
}
int main(void)
{
    int p;
    while (scanf("%d", &p) == 1)
        printf("%c\n", grade(p));
    return 0;
}
`
	dir := t.TempDir()
	write(t, dir, "t.in", "45 60 77\n")
	write(t, dir, "t.out", "E\nC\nB\n")
	a, err := Fix(context.Background(), &job.Job{Files: []string{write(t, dir, "main.c", program)}, Spec: job.Spec{Reference: []string{write(t, dir, "ref.c", reference)}, Tests: dir}, Limit: 2 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Report.Repairs) == 0 {
		t.Fatal(a.Report.Result, a.Report.Cause)
	}
	r := a.Report.Repairs[0]
	if !strings.Contains(r.Diff, "p >= 60") {
		t.Error(r.Diff)
	}
	if ev := r.Evidence; !strings.Contains(ev.Beyond, "-") || !strings.Contains(ev.Text, "both differ from the reference on "+ev.Beyond) {
		t.Errorf("%q %s", ev.Beyond, ev.Text)
	}
}
