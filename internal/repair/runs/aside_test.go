package runs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/report"
)

// TestOverflow: with powers from right to left numbers get too large on runs near the tests on
// which they do not as the program is. That is set aside and shown: nobody says that those
// runs are inputs.
func TestOverflow(t *testing.T) {
	const program = `#include <stdio.h>
#include <stdlib.h>
static char *at;
static int digits(void)
{
	return (int)strtol(at, &at, 10);
}
static int raised(int b, int e)
{
	int r = 1;
	while (e-- > 0)
		r *= b;
	return r;
}
static int power(void);
static int factor(void)
{
	int v = digits();
	if (*at == '!')
		at++;
	return v;
}
static int power(void)
{
	int v = factor();
	while (*at == '^') {
		at++;
		v = raised(v, factor());
	}
	return v;
}
int main(void)
{
	char line[80];
	while (fgets(line, sizeof line, stdin)) {
		at = line;
		printf("%d\n", power());
	}
	return 0;
}
`
	dir := t.TempDir()
	file := filepath.Join(dir, "power.c")
	tests := filepath.Join(dir, "tests")
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(file, program)
	if err := os.Mkdir(tests, 0o700); err != nil {
		t.Fatal(err)
	}
	for i, c := range [][2]string{{"2^3^2\n", "512\n"}, {"7\n2^10\n", "7\n1024\n"}, {"2^2^3\n3^0^2\n", "256\n1\n"}, {"5^1\n", "5\n"}, {"2^0\n9!\n", "1\n9\n"}} {
		write(filepath.Join(tests, fmt.Sprintf("t%d.in", i)), c[0])
		write(filepath.Join(tests, fmt.Sprintf("t%d.out", i)), c[1])
	}
	rep, err := Fix(context.Background(), &job.Job{Files: []string{file}, Spec: job.Spec{Tests: tests}, Limit: 60 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Result != report.Repaired || len(rep.Repairs) == 0 {
		t.Fatalf("%s %s", rep.Result, rep.Cause)
	}
	r := rep.Repairs[0]
	if !strings.Contains(rep.Texts[0][file], "raised(v, power())") {
		t.Errorf("%s", r.Diff)
	}
	if r.Evidence.Overflow == "" || !strings.Contains(r.Evidence.Text, "overflows on") {
		t.Errorf("%s", r.Evidence.Text)
	}
}

// TestCheaperFirst: beside a reference a condition around a statement meets thousands of runs
// by chance; an else that is too much costs less, and is meant.
func TestCheaperFirst(t *testing.T) {
	const program = `#include <stdio.h>
#include <stdlib.h>
struct span { int key, top, most; struct span *low, *high; };
static int most(struct span *s) { return s ? s->most : -1000; }
static void settle(struct span *s)
{
	s->most = s->top;
	if (most(s->low) > s->most)
		s->most = most(s->low);
	if (most(s->high) > s->most)
		s->most = most(s->high);
}
static struct span *put(struct span *s, int key, int top)
{
	if (s == NULL) {
		s = calloc(1, sizeof *s);
		s->key = key;
		s->top = top;
	} else if (key < s->key)
		s->low = put(s->low, key, top);
	else
		s->high = put(s->high, key, top);
	settle(s);
	return s;
}
int main(void)
{
	struct span *all = NULL;
	int key, top;
	while (scanf("%d %d", &key, &top) == 2)
		all = put(all, key, top);
	printf("%d\n", all ? all->most : 0);
	return 0;
}
`
	dir := t.TempDir()
	right, wrong := filepath.Join(dir, "right.c"), filepath.Join(dir, "wrong.c")
	faulty := strings.Replace(program, "\tif (most(s->high) >", "\telse if (most(s->high) >", 1)
	for name, text := range map[string]string{right: program, wrong: faulty} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	rep, err := Fix(context.Background(), &job.Job{Files: []string{wrong}, Spec: job.Spec{Reference: []string{right}}, Stdin: "10 12 8 20 15 30\n", Limit: 60 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Result != report.Repaired || len(rep.Repairs) == 0 {
		t.Fatalf("%s %s %v", rep.Result, rep.Cause, rep.Notes)
	}
	if got := rep.Texts[0][wrong]; got != program {
		t.Errorf("%s", rep.Repairs[0].Diff)
	}
}
