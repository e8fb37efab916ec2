package takeover

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

const grade = `#include <stdio.h>
#define TOP 90
int main(void)
{
    int p;
    scanf("%d", &p);
    if (p >= TOP)
        puts("A");
    else if (p >= 70)
        puts("B");
    else if (p >= 50)
        puts("C");
    else
        puts("F");
    return 0;
}
`

const runs = `#include <stdio.h>
#include <string.h>
int longest(char *s, int n)
{
    int i, best = 0, now = 0;
    for (i = 0; i < n; i++) {
        if (i > 0 && s[i] == s[i - 1])
            now++;
        else
            now = 1;
        if (now > best)
            best = now;
    }
    return best;
}
int main(void)
{
    char line[80];
    scanf("%79s", line);
    printf("%d\n", longest(line, strlen(line)));
    return 0;
}
`

// cells is a program with a function that walks in a list.
func cells(body string) string {
	return `#include <stdio.h>
#include <stdlib.h>
struct cell { int value; struct cell *after; };
int walked(struct cell **first)
{` + body + `}
int main(void)
{
    struct cell *first = NULL, *c;
    int v;
    while (scanf("%d", &v) == 1) {
        c = malloc(sizeof *c);
        c->value = v;
        c->after = first;
        first = c;
    }
    printf("%d\\n", walked(&first));
    return 0;
}
`
}

// TestSolve repairs programs with parts of a reference.
func TestSolve(t *testing.T) {
	for _, x := range []struct {
		name, own, ref string
		ins            []string
		taken          int    // at most
		want           string // in the text
	}{
		{"the reference's way with other names and layout", `#include <stdio.h>
int main()
{
	int marks;
	/* read */
	scanf("%d", &marks);
	if (marks >= 90) { puts("A"); }
	else if (marks >= 50) puts("C");
	else puts("F");
}
`, grade, []string{"95", "75", "60", "10", "70", "90"}, 2, "else if (marks >= 70) {\n"},
		{"a loop without its second condition", `#include <stdio.h>
#include <string.h>
int longest(char *word, int len) {
    int k = 0, most = 0, run = 0;
    while (k < len) {
        run++;
        if (most < run) most = run;
        k++;
    }
    return most;
}
int main(void)
{
    char text[80];
    scanf("%79s", text);
    printf("%d\n", longest(text, strlen(text)));
    return 0;
}
`, runs, []string{"aab", "abc", "aabbb", "x", "abbbbbc"}, 6, "most"},
		{"a statement that is missing, in a body without braces", `#include <stdio.h>
int main(void)
{
    int i, n, sum = 0, x;
    scanf("%d", &n);
    for (i = 0; i < n; i++)
        scanf("%d", &x);
    printf("%d\n", sum);
    return 0;
}
`, `#include <stdio.h>
int main(void)
{
    int total = 0, count, v;
    scanf("%d", &count);
    for (int k = 0; k < count; k++) {
        scanf("%d", &v);
        total += v;
    }
    printf("%d\n", total);
    return 0;
}
`, []string{"3 1 2 3", "1 5", "0"}, 1, "sum += x;\n"},
		{"variables of other kinds, and one declared late", cells(`
    int seen = 0;
    while (*first) {
        struct cell *after = (*first)->after;
        seen++;
        *first = after;
    }
    return seen;
`), cells(`
    struct cell *at = *first;
    int sum = 0;
    while (at) {
        sum += at->value;
        at = at->after;
    }
    return sum;
`), []string{"1 2 3", "5", "", "7 7"}, 4, "at->value"},
		{"a declaration behind what is taken over", cells(`
    if (!*first)
        return 0;
    struct cell *here;
    int last = 0;
    for (here = (*first)->after; here; here = here->after)
        last = here->value;
    return last;
`), cells(`
    struct cell *at = *first;
    int sum = 0;
    for (; at; at = at->after)
        sum += at->value;
    return sum;
`), []string{"1 2 3", "5", "", "7 7"}, 5, "+="},
		{"a variable that is missing", `#include <stdio.h>
int main(void)
{
    int a, b;
    scanf("%d%d", &a, &b);
    a = b;
    b = a;
    printf("%d %d\n", a, b);
    return 0;
}
`, `#include <stdio.h>
int main(void)
{
    int a, b, t;
    scanf("%d%d", &a, &b);
    t = a;
    a = b;
    b = t;
    printf("%d %d\n", a, b);
    return 0;
}
`, []string{"1 2", "3 3", "7 -1"}, 2, "int t;"},
	} {
		t.Run(strings.ReplaceAll(x.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			load := func(name, text string) *cfront.Program {
				file := filepath.Join(dir, name)
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				p, err := cfront.Load(context.Background(), []string{file}, cfront.Options{})
				if err != nil {
					t.Fatal(err)
				}
				return p
			}
			want := outputs(t, x.ref, x.ins)
			own, ref := load("own.c", x.own), load("ref.c", x.ref)
			known := map[string]bool{}
			fits := func(_ context.Context, text string) (bool, error) {
				if _, ok := known[text]; !ok {
					known[text] = strings.Join(outputs(t, text, x.ins), "|") == strings.Join(want, "|")
				}
				return known[text], nil
			}
			alone, compiled := 0, 0
			counted := func(ctx context.Context, text string) (bool, error) { alone++; return fits(ctx, text) }
			screen := func(_ context.Context, text string, n int) ([]bool, string, error) {
				compiled++
				fits, refused := variants(t, text, n, x.ins, want)
				return fits, refused, nil
			}
			for _, many := range []func(context.Context, string, int) ([]bool, string, error){nil, screen} {
				alone = 0
				res, err := Solve(context.Background(), &Problem{Own: own, Ref: ref, Fits: counted, Screen: many, Until: time.Now().Add(5 * time.Minute)})
				if err != nil || res == nil {
					t.Fatal(res, err)
				}
				if res.Taken > x.taken || !strings.Contains(res.Text, x.want) {
					t.Errorf("%d of %d statements taken:\n%s", res.Taken, res.Statements, res.Text)
				}
				if many != nil && (alone > 4) {
					t.Errorf("%d programs are compiled alone beside %d times several", alone, compiled)
				}
			}
		})
	}
}

// most is the processor time of a run. Those that come to an end take a thousandth of it.
const most = 300 * time.Millisecond

// variants are the variants of a program that print what they should; refused is what gcc says.
func variants(t *testing.T, text string, n int, ins, want []string) (fits []bool, refused string) {
	p, err := native.Build(context.Background(), map[string]string{"a.c": text}, native.Config{})
	if err != nil {
		return nil, err.Error()
	}
	defer p.Close()
	ses := &native.Session{}
	ses.Limit(most, 0)
	for i, in := range ins {
		ses.Add(&native.Test{Stdin: in, Stdout: want[i]})
	}
	ses.Order(identity(len(ins)))
	for g := range n {
		ses.Screen(g, 0)
	}
	a, err := p.Run(context.Background(), ses, time.Minute)
	if err != nil {
		t.Error(err)
	}
	fits = make([]bool, n)
	for _, x := range a.Screened {
		fits[x.G] = x.Failing == len(ins)
	}
	return fits, ""
}

func identity(n int) (out []int) {
	for i := range n {
		out = append(out, i)
	}
	return out
}

// outputs are what a program prints; empty for one that does not compile.
func outputs(t *testing.T, text string, ins []string) (out []string) {
	p, err := native.Build(context.Background(), map[string]string{"a.c": text}, native.Config{})
	if err != nil {
		t.Log(err)
		return nil
	}
	defer p.Close()
	ses := &native.Session{}
	ses.Limit(most, 0)
	for _, in := range ins {
		ses.Print(ses.Add(&native.Test{Stdin: in}))
	}
	a, err := p.Run(context.Background(), ses, time.Minute)
	if err != nil {
		t.Error(err)
		return nil
	}
	for _, o := range a.Printed {
		out = append(out, o.Stdout)
	}
	return out
}
