package judge

import (
	"strings"
	"testing"

	"gulo/internal/cases"
	"gulo/internal/job"
	"gulo/internal/lower"
	"gulo/internal/lower/lowertest"
	"gulo/internal/oracle"
)

// looked prints what numbers stand for in a table, one of which is missing, and keeps them in a list of its own.
const looked = `#include <stdio.h>
#include <stdlib.h>
static const char *names[3] = {"zero", "one"};
static int kept[8], n;
static void keep(int k)
{
    if (n < 8)
        kept[n++] = k;
}
static int weight(int k)
{
    int w;
    if (k > 1)
        w = 10;
    else if (k > 0)
        w = 5;
    return w;
}
static void show(const char *s)
{
    putchar('<');
    printf("%c>", *s);
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        keep(atoi(argv[i]));
    for (int i = 0; i < n; i++)
        show(names[kept[i]]);
    return n < 0 ? weight(n) : 0;
}
`

// TestGaveUp tells repairs of memory errors that leave out what had been done, or what was to fail, from those that mend it.
func TestGaveUp(t *testing.T) {
	for _, x := range []struct {
		name, old, now string
		refused        bool
	}{
		{"an argument", "printf(\"%c>\", *s);", "printf(\"%c>\", s != NULL ? *s : ' ');", false},
		{"done in no run", "printf(\"%c>\", *s);", "if (s != s)\n        printf(\"%c>\", *s);", true},
		{"less is kept", "if (n < 8)", "if (n < 1)", true},
		{"fewer rounds", "i < n; i++", "i < n && kept[i] < 0; i++", true},
	} {
		wrong, _ := lowertest.Load(t, looked)
		text := strings.Replace(looked, x.old, x.now, 1)
		if text == looked {
			t.Fatal(x.name)
		}
		now, _ := lowertest.Load(t, text)
		tests := []oracle.Test{{Args: []string{"1", "2"}}, {Args: []string{"2"}}}
		j := &Judge{Set: &cases.Set{Prog: wrong, Given: oracle.Runs(wrong, tests, 0)}}
		for _, c := range j.Given.Cases {
			c.Want.Any = true
		}
		j.Job = &job.Job{Spec: job.Spec{Memory: true}}
		c, err := j.gaveUp(now, map[string]string{wrong.Tree.Files[0].Name: text})
		if err != nil || (c != nil) != x.refused {
			t.Errorf("%s: refused %v, want %v, %v", x.name, c != nil, x.refused, err)
		}
	}
}

// TestGuessed finds numbers that are given zero and that the function computes otherwise.
func TestGuessed(t *testing.T) {
	for _, x := range []struct{ old, now, want string }{
		{"int w;", "int w = 0;", "w"},
		{"int w;", "int w = 7;", ""},
		{"int w;\n    if (k > 1)\n        w = 10;\n    else if (k > 0)\n        w = 5;", "int w = 0;\n    if (k > 1)\n        w = 1;", ""},
		{"int w;\n    if (k > 1)\n        w = 10;\n    else if (k > 0)\n        w = 5;", "int w = 0;\n    while (k-- > 0)\n        w = w + 2;", ""},
		{"int w;\n    if (k > 1)\n        w = 10;", "int w = 0;\n    if (k > 1)\n        w = k;", "w"},
	} {
		load := func(text string) *lower.Program { p, _ := lowertest.Load(t, text); return p }
		wrong, now := load(looked), load(strings.Replace(looked, x.old, x.now, 1))
		j := &Judge{Set: &cases.Set{Prog: wrong, Given: oracle.Runs(wrong, nil, 0)}}
		j.Job = &job.Job{Spec: job.Spec{Memory: true}}
		if got := j.Guessed(now.Tree); got != x.want {
			t.Errorf("%s: %q, want %q", x.now, got, x.want)
		}
	}
}
