package machine_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gulo/internal/lower"
	"gulo/internal/machine"
)

// nested makes deep calls of itself; it ends in the middle of them, jumps out of them, or returns.
const nested = `#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf out;
static int deep(int n, int how)
{
	int a[3] = {n, n + 1}, sum;
	if (n == 0 && how == 1)
		exit(a[1]);
	if (n == 0 && how == 2)
		longjmp(out, 5);
	if (n == 0)
		return a[2];
	sum = deep(n - 1, how);
	return sum + a[0] + a[1] + a[2];
}
int main(int argc, char **argv)
{
	int n = atoi(argv[1]), how = atoi(argv[2]);
	if (setjmp(out)) {
		printf("out %d\n", deep(n / 2, 0));
		return 2;
	}
	printf("%d\n", deep(n, how));
	printf("%d\n", rand());
	return 0;
}
`

// TestRoom makes many runs of one program in one machine, from states that were saved in it and from states of other
// machines. Each run does what it does on a fresh machine, whatever an earlier one has left in the arrays that are
// used again.
func TestRoom(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(file, []byte(nested), 0o600); err != nil {
		t.Fatal(err)
	}
	p := load(t, lower.Options{Memory: true}, file)
	var out strings.Builder
	made := func(n, how int) *machine.Machine {
		m, err := machine.New(p, machine.Config{Args: []string{strconv.Itoa(n), strconv.Itoa(how)}, Stdout: &out, Debug: true, Overlays: true})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	run := func(m *machine.Machine) string {
		out.Reset()
		if f := m.RunUntil(nil); f != nil {
			t.Fatal(f)
		}
		m.FlushOutput()
		status, _ := m.Exited()
		return out.String() + strconv.Itoa(status)
	}
	var one *machine.Machine
	states := map[[2]int]*machine.State{}
	for round := range 3 {
		for _, n := range []int{3, 300, 40, 1} {
			for how := range 3 {
				k := [2]int{n, how}
				want := run(made(n, how))
				switch s := states[k]; {
				case one == nil:
					one = made(n, how)
				case s != nil:
					one.Restore(s)
				default:
					one.Adopt(made(n, how))
				}
				if round == 1 {
					states[k] = one.Save()
				}
				if got := run(one); got != want {
					t.Errorf("round %d, %v: %q, not %q", round, k, got, want)
				}
			}
		}
	}
}

// TestCodeRestored: after a state is restored, the address of a function that was taken since then is not that of
// memory that was allocated since then, and each function has one address.
func TestCodeRestored(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.c")
	const text = `#include <stdio.h>
#include <stdlib.h>
static int one(void) { return 1; }
static int two(void) { return 2; }
int main(void)
{
	int (*f)(void) = one, *p = malloc(sizeof *p), (*g)(void) = two;
	*p = 3;
	printf("%d %d %d %d\n", f(), g(), *p, f == one && g == two && f != g);
	return 0;
}
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := load(t, lower.Options{Memory: true}, file)
	index := func(name string) int32 {
		i, ok := p.FuncIndex(p.Tree.Func(name))
		if !ok {
			t.Fatal("no function ", name)
		}
		return i
	}
	var out strings.Builder
	m, err := machine.New(p, machine.Config{Stdout: &out, Debug: true, Overlays: true})
	if err != nil {
		t.Fatal(err)
	}
	begin := m.Save()
	second := m.FuncAddr(index("two"))
	later := m.Save()
	m.Restore(begin)
	first := m.FuncAddr(index("one"))
	if got := m.FuncName(first); got != "one" {
		t.Errorf("one's address is that of %q", got)
	}
	m.Restore(later)
	if a := m.FuncAddr(index("two")); a != second || m.FuncName(a) != "two" {
		t.Errorf("two is at %#x, not %#x, and is called %q", a, second, m.FuncName(a))
	}
	for i, s := range []*machine.State{begin, later, begin} {
		out.Reset()
		m.Restore(s)
		if f := m.RunUntil(nil); f != nil {
			t.Fatal(i, f)
		}
		if m.FlushOutput(); out.String() != "1 2 3 1\n" {
			t.Errorf("%d: %q", i, out.String())
		}
	}
}
