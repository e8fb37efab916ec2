package shell_test

import (
	"strings"
	"testing"
)

// This file has sessions about the environment, and about what the C library returns.

const environProgram = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static int count(const char *s)
{
    int n = 1;
    for (; s != NULL && *s; s++)
        n++;
    return n;
}
int main(int argc, char **argv)
{
    char *given = getenv("GULO_SESSION");
    int a = count(given);
    char *none = getenv("LINES"), *tuned = getenv("GLIBC_TUNABLES");
    setenv("KEY", "value", 1);
    char *first = getenv("KEY");
    setenv("KEY", "another", 1);
    char *second = getenv("KEY");
    unsetenv("KEY");
    char *gone = getenv("KEY");
    time_t epoch = 0;
    struct tm *day = gmtime(&epoch);
    char *why = strerror(2);
    printf("%d %s %s %s %d\n", a, first, second, why, day->tm_year);
    return none || tuned || gone || argc > 9 || !argv;
}
`

// TestEnvironment: on both engines the program has the user's environment and nothing else. What setenv makes, and
// what the C library returns, is memory like any other. An earlier run is made again in the same environment.
func TestEnvironment(t *testing.T) {
	t.Setenv("GULO_SESSION", "five!")
	path := write(t, environProgram)
	for _, tt := range []struct {
		script string
		wants  []string
	}{
		{"break count\nstart\ncontinue\nprint s\nfinish\nchange a 5\nspec\nrepair\ncontinue", []string{`s = "five!"`, "count returned 6", "n = 1  =>  n = 0", "5 value another", "ended with status 0"}},
		{"start\nuntil 28\nprint first\nprint second\nprint gone\nprint why\nprint day->tm_mday", []string{`first = "value"`, `second = "another"`, "gone = null", `why = "No such file or directory"`, "day->tm_mday = 1", "none ∅", "tuned ∅"}},
		{"start\nuntil 21\nundo\nuntil 21\nprint second", []string{`second = "another"`}},
	} {
		var outs []string
		for _, engine := range engines {
			out := run(t, newSession(t, engine, nil, path), tt.script)
			for _, want := range tt.wants {
				if !strings.Contains(out, want) {
					t.Errorf("%s: no %q in:\n%s", engine, want, out)
				}
			}
			outs = append(outs, out)
		}
		if outs[0] != outs[1] {
			t.Errorf("machine\n%s\ngdb\n%s", outs[0], outs[1])
		}
	}
}

const environProgram2 = `#include <stdio.h>
#include <string.h>
extern char **environ;
static int found(const char *prefix)
{
    int n = 1;
    for (char **e = environ; *e; e++)
        if (strncmp(*e, prefix, strlen(prefix)) == 0)
            n++;
    return n;
}
int main(void)
{
    int n = found("GULO_SESSION=");
    printf("%d\n", n);
    return 0;
}
`

// TestEnviron: the vector of the environment is memory like any other, with a name of its own, even while only the
// variable of the C library leads to it.
func TestEnviron(t *testing.T) {
	t.Setenv("GULO_SESSION", "five!")
	path := write(t, environProgram2)
	var outs []string
	for _, engine := range engines {
		out := run(t, newSession(t, engine, nil, path), "start\nprint environ\nstep\nnext 2\nprint e\nfinish\nchange n 1\nspec\nlocate\nrepair\ncontinue")
		for _, want := range []string{"environ = &environ[0]\n", "e = &environ[0]", "found returned 2", "Found a repair"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in:\n%s", engine, want, out)
			}
		}
		if strings.Contains(out, "not the program's") || strings.Contains(out, "executed as a whole") {
			t.Errorf("%s: the environment could not be read:\n%s", engine, out)
		}
		outs = append(outs, out)
	}
	if outs[0] != outs[1] {
		t.Errorf("machine\n%s\ngdb\n%s", outs[0], outs[1])
	}
}
