package native

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

func build(t testing.TB, text string, c Config) *Program {
	t.Helper()
	p, err := Build(context.Background(), map[string]string{"a.c": text}, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

const sum = `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	int n, s = 0;
	for (int i = 1; i < argc; i++)
		s += atoi(argv[i]);
	while (scanf("%d", &n) == 1)
		s += n;
	printf("%d\n", s);
	if (s == 13)
		abort();
	if (s == 14)
		for (;;)
			;
	int a[4] = {0};
	volatile int k = s == 15 ? 4 : 0;
	return a[k] + s % 7;
}
`

// TestRun runs a program in all the ways it can end.
func TestRun(t *testing.T) {
	for _, sanitize := range []bool{false, true} {
		p := build(t, sum, Config{Sanitize: sanitize})
		s := &Session{}
		s.Limit(200*time.Millisecond, 0)
		for _, x := range []Test{
			{Args: []string{"1", "2 3"}, Stdin: "4 5\n", Stdout: "12\n", Exit: 5},
			{Stdin: "8", Stdout: "8\n", Exit: 0},
			{Args: []string{"13"}}, {Args: []string{"14"}}, {Args: []string{"15"}},
		} {
			s.Print(s.Add(&x))
		}
		s.Screen(0, 0)
		s.Profile(0, 0)
		a, err := p.Run(context.Background(), s, 20*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Printed) != 5 || len(a.Screened) != 1 || len(a.Profiled) != 1 {
			t.Fatalf("%+v", a)
		}
		if o := a.Printed[0]; o.Status != 5 || o.Stdout != "12\n" || !o.Ended() {
			t.Errorf("first: %+v", o)
		}
		if o := a.Printed[2]; o.Ended() || !strings.Contains(o.Says(), "signal: abort") {
			t.Errorf("abort: %q %+v", o.Says(), o)
		}
		if o := a.Printed[3]; o.Ended() || o.Says() != "does not come to an end" {
			t.Errorf("endless: %q %+v", o.Says(), o)
		}
		if o := a.Printed[4]; sanitize == o.Ended() || sanitize && !strings.Contains(o.Says(), "index 4 out of bounds") {
			t.Errorf("out of bounds: %q %+v", o.Says(), o)
		}
		if sc := a.Screened[0]; sc.Failing != 1 {
			t.Errorf("screen: %+v", sc)
		}
		if m := a.Profiled[0].Met; len(m) != 5 || !m[0] || m[1] || m[2] {
			t.Errorf("profile: %v", m)
		}
	}
}

// TestCut ends a session whose time is up and keeps what it had answered.
func TestCut(t *testing.T) {
	p := build(t, sum, Config{})
	s := &Session{}
	s.Limit(50*time.Millisecond, 0)
	n := s.Add(&Test{Args: []string{"14"}})
	for i := 0; i < 2000; i++ {
		s.Print(n)
	}
	a, err := p.Run(context.Background(), s, 4*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if !a.Cut || len(a.Printed) == 0 || len(a.Printed) > 1000 {
		t.Errorf("cut %v after %d runs", a.Cut, len(a.Printed))
	}
}

func TestCompileError(t *testing.T) {
	_, err := Build(context.Background(), map[string]string{"a.c": "int main(void) { return x; }\n"}, Config{})
	var ce *CompileError
	if !errors.As(err, &ce) || !strings.Contains(ce.Text, "a.c:1:25: error") {
		t.Errorf("%v", err)
	}
}

// BenchmarkRuns prints what a run costs.
func BenchmarkRuns(b *testing.B) {
	p := build(b, sum, Config{})
	s := &Session{}
	s.Add(&Test{Args: []string{"1", "2"}, Stdout: "3\n", Exit: 3})
	for range b.N {
		s.Screen(0, 0)
	}
	b.ResetTimer()
	if _, err := p.Run(context.Background(), s, time.Minute); err != nil {
		b.Fatal(err)
	}
}

// TestMainEnds: a main that ends without a return gives 0, as C says, whatever it called last.
func TestMainEnds(t *testing.T) {
	for name, c := range map[string]Config{
		"plain": {}, "sanitized": {Sanitize: true}, "guarded": {Heap: Guarding}, "bfd": {Options: cfront.Options{Flags: []string{"-fuse-ld=bfd"}}},
	} {
		for _, text := range []string{
			"#include <stdio.h>\nint main(void)\n{\n\tprintf(\"a longer line\\n\");\n}\n",
			"#include <stdio.h>\nint main()\n{\n\tif (printf(\"a longer line\\n\") == 1)\n\t\treturn 3;\n}\n",
		} {
			p := build(t, text, c)
			s := &Session{}
			s.Limit(time.Second, 0)
			for range 2 {
				s.Print(s.Add(&Test{Stdout: "a longer line\n"}))
			}
			a, err := p.Run(context.Background(), s, 20*time.Second)
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range a.Printed {
				if o.Status != 0 || o.Stdout != "a longer line\n" {
					t.Errorf("%s: %+v", name, o)
				}
			}
			if len(a.Printed) != 2 {
				t.Errorf("%s: %d runs", name, len(a.Printed))
			}
		}
	}
}

// TestVariableSize: a program with structs whose size is computed is compiled where variables without an
// initial value are to be filled, which gcc cannot do for those.
func TestVariableSize(t *testing.T) {
	const text = `#include <stdio.h>
static int sum(int n)
{
	struct { int id; int a[n]; double w; } s;
	union { int x[n]; char c[2]; } u;
	s.id = n;
	for (int i = 0; i < n; i++)
		s.a[i] = i;
	u.x[n - 1] = 7;
	return s.id + s.a[n - 1] + u.x[n - 1] + (int)sizeof u;
}
int main(void) { printf("%d\n", sum(3)); return 0; }
`
	for _, heap := range []Heap{Plain, Guarding} {
		p := build(t, text, Config{Unset: true, Heap: heap})
		ses := &Session{}
		ses.Print(ses.Add(&Test{}))
		a, err := p.Run(context.Background(), ses, 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Printed[0].Stdout; got != "24\n" {
			t.Errorf("heap %d: %q", heap, got)
		}
	}
}

// TestOwnNames: functions of the program that are called as functions are that the harness calls do not meet these,
// whoever compiles.
func TestOwnNames(t *testing.T) {
	const text = `#include <stdio.h>
int read(char s[]) { return scanf("%s", s); }
int strcmp(const char *a, const char *b) { return 5; }
int atoi(const char *s)
{
	return 7;
}
int write(int n) { return printf("%d %d %d\n", n, strcmp("a", "a"), atoi("1")); }
int main(void)
{
	char s[20];
	read(s);
	return write(s[0]) < 0;
}
`
	for _, c := range []Config{{}, {Sanitize: true}, {Screens: true}, {Unset: true, Heap: Guarding}} {
		p := build(t, text, c)
		s := &Session{}
		s.Limit(time.Second, 0)
		for range 3 {
			s.Print(s.Add(&Test{Stdin: "A\n", Stdout: "65 5 7\n"}))
		}
		s.Screen(0, 0)
		a, err := p.Run(context.Background(), s, 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range a.Printed {
			if o.Stdout != "65 5 7\n" || o.Status != 0 {
				t.Errorf("%+v: %+v", c, o)
			}
		}
		if len(a.Printed) != 3 || len(a.Screened) != 1 || a.Screened[0].Failing != 3 {
			t.Errorf("%+v: %+v", c, a)
		}
	}
}
