package native

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// edited is a program with edits: gulo_g chooses what it does after it has
// changed all memory that it has.
const edited = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <assert.h>
#include <errno.h>
#include <signal.h>
extern int gulo_g, gulo_h;
extern long gulo_steps, gulo_limit;
extern void gulo_over(void);
static int counter = 7;
static int big[50000];
static char *kept;
struct node { struct node *next; int x; };
static struct node *list;
static int deep(int n) { int a[100]; a[n % 100] = n; return n < 0 ? a[0] : deep(n + 1) + a[n % 7]; }
static void late(void) { printf("late %d\n", counter); }
static int dirty(void) { int a[2000], s = 0; for (int i = 0; i < 2000; i++) { s |= a[i]; a[i] = 77; } return s != 0; }
int main(int argc, char **argv)
{
	printf("%d %d %s %p %d %d\n", counter, big[40000], argv[1], (void *)kept, list == NULL, errno);
	errno = 5;
	counter++, big[40000] = 5;
	argv[1][0] = '#';
	argv[1] = "gone";
	for (int i = 0; i < 30; i++) {
		struct node *n = malloc(sizeof *n + (size_t)i * 1000);
		n->x = i, n->next = list, list = n;
	}
	kept = strdup("kept");
	int c = getchar();
	printf("read %d %d\n", c, dirty());
	switch (gulo_g) {
	case 1: exit(3);
	case 2: abort();
	case 3: assert(counter == 9);
	case 4: *(volatile int *)0 = 1;
	case 5: return deep(0);
	case 6: for (;;) if (++gulo_steps > gulo_limit) gulo_over();
	case 7: raise(SIGFPE);
	case 8: atexit(late); return 0;
	case 9: free(kept), free(kept); return 0;
	case 10: fflush(stdout); printf("more\n"); exit(1);
	case 11: _exit(2);
	case 12: memset((char *)stdout, 'x', 64); printf("hello\n"); return 0;
	case 13: memset(big, 1, sizeof big); fclose(stdout); fclose(stdin); return 0;
	case 14: printf("%s\n", memset(malloc(1 << 20), 'y', 100) ? "large" : ""); return 256 + 4;
	case 15: free(list); free(list->next); return list->x;
	case 16: setvbuf(stdout, NULL, _IONBF, 0); printf("other buffer\n"); return 0;
	case 17: if (fopen("/dev/null", "r") == NULL) return 9; return argc;
	case 18: fork(); return 0;
	}
	return argc;
}
`

// TestInProcess compares runs in one process, of many edits in all orders, with runs
// that have a process each.
func TestInProcess(t *testing.T) {
	p := build(t, edited, Config{})
	tests := []Test{{Args: []string{"one"}, Stdin: "a"}, {Args: []string{"two"}}}
	session := func() *Session {
		s := &Session{}
		s.Limit(time.Second, 10_000)
		for i := range tests {
			s.Add(&tests[i])
		}
		return s
	}
	s := session()
	s.Print(0)
	s.Print(1)
	a, err := p.Run(context.Background(), s, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range a.Printed {
		tests[i].Stdout, tests[i].Exit = o.Stdout, o.Status
		if !strings.HasPrefix(o.Stdout, "7 0 ") {
			t.Fatalf("%+v", o)
		}
	}
	// Each edit alone, between runs without an edit: they must do as ever.
	want := map[int]string{}
	for round := 0; round < 3; round++ {
		s := session()
		for g := 0; g <= 18; g++ {
			s.Screen(0, 0)
			s.Profile((g*(2*round+1))%18, 0)
			s.Screen(0, 0)
		}
		if round == 1 { // a process that had to give up has forks do the rest
			s.Profile(18, 0)
		}
		for g := 0; g < 18; g++ {
			s.Profile(g, 0)
		}
		a, err := p.Run(context.Background(), s, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range a.Screened {
			if x.Failing != len(tests) {
				t.Fatalf("round %d: the program without an edit fails on test %d", round, x.Failing)
			}
		}
		for _, x := range a.Profiled {
			got := fmt.Sprintf("%v %x", x.Met, x.All)
			if old, ok := want[x.G]; ok && old != got {
				t.Errorf("round %d: edit %d: %s, and before %s", round, x.G, got, old)
			}
			want[x.G] = got
		}
	}
	for _, g := range []int{1, 2, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15} {
		if want[g] == want[0] {
			t.Errorf("edit %d does what the program does", g)
		}
	}
	if want[17] != want[0] {
		t.Errorf("a file that is opened: %s for %s", want[17], want[0])
	}
}

// marked is a program that marks what it executes.
const marked = `#include <stdio.h>
extern int gulo_g, gulo_h;
extern unsigned char *gulo_seen;
int main(int argc, char **argv)
{
	int x = 0;
	if (gulo_seen) gulo_seen[1] = 1;
	if (gulo_g == 1 || gulo_h == 1) argc = 1;
	if (argc > 1) {
		if (gulo_seen) gulo_seen[2] = 1;
		x = gulo_g == 2 || gulo_h == 2 || gulo_g == 3 || gulo_h == 3;
	}
	printf("%d %d\n", argc, x);
	return 0;
}
`

// TestSites asks for edits of places that are not executed.
func TestSites(t *testing.T) {
	p := build(t, marked, Config{})
	s := &Session{}
	s.Limit(time.Second, 0)
	s.Add(&Test{Args: []string{"x"}, Stdout: "2 0\n"})
	s.Add(&Test{Stdout: "1 0\n"})
	s.Sites([]int{1, 2, 2})
	s.Base(1)
	for _, j := range [][2]int{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {1, 2}, {2, 1}, {1, 3}, {0, 3}} {
		s.Profile(j[0], j[1])
	}
	a, err := p.Run(context.Background(), s, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"[true true]", "[false true]", "[false true]", "[false true]", "[false true]", "[false true]", "[false true]", "[false true]"}
	for i, x := range a.Profiled {
		if got := fmt.Sprint(x.Met); got != want[i] {
			t.Errorf("%d %d: %s", x.G, x.H, got)
		}
		if same := x.All == a.Profiled[1].All; same != (x.G == 1 || x.H == 1) {
			t.Errorf("%d %d: does as edit 1 alone: %v", x.G, x.H, same)
		}
	}
}

// TestReach asks which places tests execute, with edits and without.
func TestReach(t *testing.T) {
	p := build(t, `int printf(const char *, ...);
extern int gulo_g, gulo_h;
extern unsigned char *gulo_seen;
static int at(int n) { if (gulo_seen) gulo_seen[n] = 1; return gulo_g == n || gulo_h == n; }
int main(int argc, char **argv)
{
	int a = argc > 1;
	(void)argv;
	if (at(1)) a = !a;
	if (a) { at(2); printf("a"); }
	else if (!at(3)) at(4);
	return 0;
}
`, Config{})
	s := &Session{}
	s.Limit(time.Second, 0)
	s.Add(&Test{Args: []string{"x"}, Stdout: "a"})
	s.Add(&Test{})
	s.Sites([]int{1, 2, 3, 4})
	s.Profile(1, 0)
	s.Order([]int{0})
	s.Reach(0, 0)
	s.Reach(1, 0)
	s.Reach(1, 3)
	s.Order([]int{1})
	s.Reach(1, 0)
	s.Order([]int{0, 1})
	s.Reach(0, 0)
	s.Reach(3, 0)
	a, err := p.Run(context.Background(), s, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]int{{1, 2}, {1, 3, 4}, {1, 3}, {1, 2}, {1, 2, 3, 4}, {1, 2, 3}}
	if len(a.Reached) != len(want) {
		t.Fatalf("%d answers, %d wanted", len(a.Reached), len(want))
	}
	for i, x := range a.Reached {
		var got []int
		for n, ok := range x.Places {
			if ok {
				got = append(got, n)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want[i]) {
			t.Errorf("with edits %d and %d: %v, not %v", x.G, x.H, got, want[i])
		}
	}
}

// TestOutcomes compares the outcomes of runs, one of which destroys the process that it is made in.
func TestOutcomes(t *testing.T) {
	p := build(t, `#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <signal.h>
int main(int argc, char **argv)
{
	int n = atoi(argv[1]);
	printf("%d\n", n / 2);
	if (n == 6)
		kill(getpid(), SIGKILL);
	return n == 9;
}
`, Config{})
	s := &Session{}
	s.Limit(time.Second, 0)
	for i := range 12 {
		s.Add(&Test{Args: []string{fmt.Sprint(i)}})
	}
	s.Outcomes()
	a, err := p.Run(context.Background(), s, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Outcomes) != 12 {
		t.Fatalf("%+v", a)
	}
	for i := range 12 {
		for k := range i {
			same := i/2 == k/2 && i != 9 && i != 7
			if (a.Outcomes[i] == a.Outcomes[k]) != same {
				t.Errorf("%d and %d: %x %x", k, i, a.Outcomes[k], a.Outcomes[i])
			}
		}
	}
}

// TestInputs runs a program on inputs of all lengths, one after the other; it writes into what it reads.
func TestInputs(t *testing.T) {
	p := build(t, `#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
	char *kept = malloc(60000), b[400];
	int n = 0, dirty = 0;
	for (int i = 0; i < 60000; i++) dirty |= kept[i];
	for (int i = 0; i < 60000; i += 100) kept[i] = 'x';
	while (n < 400 && read(0, b + n, 1) == 1) n++;
	printf("%d %d %.*s\n", dirty, n, n, b);
	return write(0, "written behind it all", 21) != 21;
}
`, Config{})
	s := &Session{}
	s.Limit(10*time.Second, 0)
	for _, n := range []int{3, 300, 0, 7, 0, 0, 120, 119, 1, 300} {
		in := strings.Repeat("abc", n)[:n]
		s.Add(&Test{Stdin: in, Stdout: fmt.Sprintf("0 %d %s\n", n, in)})
	}
	for range 3 {
		s.Profile(0, 0)
	}
	a, err := p.Run(context.Background(), s, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range a.Profiled {
		for i, met := range x.Met {
			if !met {
				t.Errorf("test %d: another output", i)
			}
		}
	}
}

// wild is a program that writes behind what it has: an edit's number says where.
const wild = `#include <stdio.h>
#include <stdlib.h>
extern int gulo_g;
static int few[4];
int main(int argc, char **argv)
{
	volatile int *p = few;
	if (gulo_g == 0) return 0;
	if (gulo_g % 100 == 7) /* an argument without an end */
		for (char *s = argv[1]; s < argv[1] + (1 << 20); s += gulo_g % 3 + 1) *s = 7;
	for (int i = 0; i < 20; i++) p[(gulo_g - 1) * 20 + i + 4] = gulo_g % 2 ? -1 : 1 << 30;
	return 1;
}
`

// TestWildWrites has runs write to what the harness keeps: no answer may get lost or be
// another run's.
func TestWildWrites(t *testing.T) {
	p := build(t, wild, Config{})
	test := Test{Args: []string{"a"}}
	for round := 0; round < 2; round++ {
		s := &Session{}
		s.Limit(time.Second, 10_000)
		s.Add(&test)
		s.Add(&test)
		const edits = 1500
		for g := 0; g <= edits; g++ {
			s.Screen(g, 0)
			s.Profile(0, 0)
		}
		a, err := p.Run(context.Background(), s, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if len(a.Screened) != edits+1 || len(a.Profiled) != edits+1 {
			t.Fatalf("%d and %d answers, want %d each", len(a.Screened), len(a.Profiled), edits+1)
		}
		for i, x := range a.Screened {
			want := 0
			if i == 0 {
				want = 2
			}
			if x.G != i || x.Failing != want {
				t.Errorf("edit %d: %+v, want the first test that is not met to be %d", i, x, want)
			}
		}
		for i, x := range a.Profiled {
			if x.G != 0 || len(x.Met) != 2 || !x.Met[0] || !x.Met[1] {
				t.Errorf("no edit, after edit %d: %+v", i, x)
			}
		}
	}
}

// TestCutOutcome: a run that takes more steps than allowed, and no other, has the outcome CutOutcome in both ways of
// running.
func TestCutOutcome(t *testing.T) {
	const text = `#include <stdio.h>
extern long gulo_steps, gulo_limit;
extern void gulo_over(void);
int main(void)
{
	int n = 0;
	if (scanf("%d", &n) != 1) return 85;
	for (int i = 0; i < n; i++) if (++gulo_steps > gulo_limit) gulo_over();
	printf("%d\n", n);
	return 0;
}
`
	p := build(t, text, Config{})
	s := &Session{}
	s.Limit(time.Second, 1000)
	for _, in := range []string{"1", "1000", "1001", "5", "70000", "2"} {
		s.Add(&Test{Stdin: in})
	}
	s.Outcomes()
	a, err := p.Run(context.Background(), s, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	for i, cut := range []bool{false, false, true, false, true, false} {
		if got := a.Outcomes[i] == CutOutcome; got != cut {
			t.Errorf("run %d: cut is %v", i, got)
		}
	}
}
