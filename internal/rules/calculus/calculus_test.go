package calculus

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/rules"
)

var (
	programs = flag.Int("programs", 250, "random programs for TestSoundness")
	seed     = flag.Int64("seed", 1, "of the random programs")
)

func load(t testing.TB, text string) *lower.Program {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err := cfront.Load(context.Background(), []string{path}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Lower(tree, lower.Options{Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// watch runs a program under rules and returns the debugger and the machine's
// fault.
func watch(t testing.TB, p *lower.Program, o Options, files []string, args ...string) (*Debugger, *machine.Fault) {
	t.Helper()
	for _, n := range files {
		f, err := rules.Shipped(n)
		if err != nil {
			t.Fatal(err)
		}
		o.Rules = append(o.Rules, f)
	}
	d, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	m, err := machine.New(p, machine.Config{Args: args, MaxSteps: 200_000, Trace: true, Monitor: d})
	if err != nil {
		t.Fatal(err)
	}
	d.Attach(m)
	_, err = m.Run()
	var f *machine.Fault
	if err != nil && !errors.As(err, &f) {
		t.Fatal(err)
	}
	return d, f
}

// memoryFaults are the error states that memory.rules has a rule for.
var memoryFaults = []machine.FaultKind{
	machine.UnmatchedFree, machine.DoubleFree, machine.DanglingDeref, machine.NullDeref, machine.HeapOverflow, machine.Uninitialized,
	machine.StackOverflow, machine.GlobalOverflow,
}

// TestSoundness holds the paper's Theorem 3.3 on random programs, and its
// converse: whenever the machine steps to an error state, the detector of that
// error has fired just before, at that statement, and no detector fires
// otherwise.
func TestSoundness(t *testing.T) {
	text := randomProgram(rand.New(rand.NewSource(*seed)), *programs)
	p := load(t, text)
	count := map[machine.FaultKind]int{}
	for i := 0; i < *programs; i++ {
		arg := fmt.Sprint(i)
		d, f := watch(t, p, Options{Keep: true, Disabled: map[string]bool{"definite_leak": true}}, []string{"memory"}, arg)
		kind := machine.FaultKind("none")
		if f != nil {
			kind = f.Kind
		}
		count[kind]++
		if !slices.Contains(memoryFaults, kind) {
			if len(d.Findings) > 0 {
				t.Errorf("program %d ends with %s, but %s fires at %s", i, kind, d.Findings[0].Rule, p.Stmts[d.Findings[0].Stmt].Range)
			}
			continue
		}
		if len(d.Findings) == 0 {
			t.Errorf("program %d: nothing fires before %v", i, f)
			continue
		}
		x := d.Findings[0]
		if x.Rule != string(f.Kind) || x.Stmt != f.Stmt || x.Point != d.points {
			t.Errorf("program %d: %s fires at %s, point %d of %d, before %v", i, x.Rule, p.Stmts[x.Stmt].Range, x.Point, d.points, f)
		}
		// The paper's own rules, in one direction.
		if !slices.Contains([]machine.FaultKind{machine.StackOverflow, machine.GlobalOverflow}, f.Kind) && f.Kind != machine.DanglingDeref {
			d, f := watch(t, p, Options{Keep: true}, []string{"figure2"}, arg)
			if !slices.ContainsFunc(d.Findings, func(x Finding) bool { return x.Rule == string(f.Kind) && x.Point == d.points }) {
				t.Errorf("program %d: rule %s of figure 2 does not fire before %v", i, f.Kind, f)
			}
		}
	}
	t.Log(count)
	for _, k := range memoryFaults {
		if count[k] == 0 {
			t.Errorf("only %d programs of %d end with %s", count[k], *programs, k)
		}
	}
}

// randomProgram writes functions that use memory at random, and a main that
// calls the one that its argument names.
func randomProgram(rnd *rand.Rand, n int) string {
	var b strings.Builder
	b.WriteString(`#include <stdlib.h>
#include <string.h>
struct node { int data; struct node *next; int a[3]; };
static struct node *g[3], whole;
static int numbers[4];
static char text[6] = "abc";
static struct node *same(struct node *p) { return p; }
static int *leave(int n) { int local[2]; local[0] = n; local[1] = n; int *p = local; return p; }
`)
	for i := 0; i < n; i++ {
		fmt.Fprintf(&b, "static int f%d(void)\n{\n    struct node *p[3] = {NULL, NULL, NULL}, local;\n    int k = 0, *q = numbers, some[3];\n    char *s = text, buffer[4];\n    some[0] = 1;\n", i)
		for k := 5 + rnd.Intn(20); k > 0; k-- {
			statement(&b, rnd)
		}
		b.WriteString("    return k;\n}\n")
	}
	b.WriteString("int main(int argc, char **argv)\n{\n    switch (atoi(argv[1])) {\n")
	for i := 0; i < n; i++ {
		fmt.Fprintf(&b, "    case %d: return f%d() & 1;\n", i, i)
	}
	b.WriteString("    }\n    return argc;\n}\n")
	return b.String()
}

func statement(b *strings.Builder, rnd *rand.Rand) {
	one := func(xs ...string) string { return xs[rnd.Intn(len(xs))] }
	ptr := func() string { return one("p[0]", "p[1]", "p[2]", "g[0]", "g[1]", "g[2]") }
	index := func(most int) string {
		if rnd.Intn(8) == 0 {
			return one("-1", fmt.Sprint(most))
		}
		return fmt.Sprint(rnd.Intn(most))
	}
	safe := func(s, p string) string { // most dereferences are guarded
		if rnd.Intn(12) > 0 {
			return "if (" + p + " != NULL) " + s
		}
		return s
	}
	x, y := ptr(), ptr()
	b.WriteString("    ")
	switch rnd.Intn(28) {
	case 0, 1, 2:
		fmt.Fprintf(b, "%s = malloc(sizeof(struct node));", x)
	case 3, 4, 5:
		fmt.Fprintf(b, "%s = calloc(%d, sizeof(struct node));", x, 1+rnd.Intn(2))
	case 6:
		fmt.Fprintf(b, "free(%s);%s", x, one("", " "+x+" = NULL;"))
	case 7:
		fmt.Fprintf(b, "free(%s); %s = NULL;", x, x)
	case 8:
		b.WriteString(safe(fmt.Sprintf("%s->data = k;", x), x))
	case 9:
		b.WriteString(safe(fmt.Sprintf("k += %s->data;", x), x))
	case 10:
		b.WriteString(safe(fmt.Sprintf("%s->next = %s;", x, y), x))
	case 11:
		b.WriteString(safe(fmt.Sprintf("%s = %s->next;", y, x), x))
	case 12:
		b.WriteString(safe(fmt.Sprintf("%s->a[%s] = 1;", x, index(4)), x))
	case 13:
		fmt.Fprintf(b, "%s = same(%s);", x, y)
	case 14:
		b.WriteString(safe(fmt.Sprintf("%s = *%s;", one("local", "whole"), x), x))
	case 15:
		b.WriteString(safe(fmt.Sprintf("memcpy(%s, &%s, sizeof(struct node));", x, one("local", "whole")), x))
	case 16:
		fmt.Fprintf(b, "some[%s] = k; q = some + %s;", index(3), index(3))
	case 17:
		fmt.Fprintf(b, "numbers[%s] = k; q = numbers + %s;", index(4), index(4))
	case 18:
		fmt.Fprintf(b, "k += q[%s];", index(2))
	case 19:
		fmt.Fprintf(b, "q = leave(k);")
	case 20:
		fmt.Fprintf(b, "%s", safe(fmt.Sprintf("%s = realloc(%s, %d * sizeof(struct node));", x, x, 1+rnd.Intn(3)), x))
	case 21:
		fmt.Fprintf(b, "k += (int)strlen(s); strcpy(buffer, %s); s = %s;", one("\"ab\"", "\"ab\"", "\"abc\"", "\"abcd\""), one("buffer", "text", "s"))
	case 22:
		fmt.Fprintf(b, "memset(text, 'x', %s);", one("2", "3", "6", "7"))
	case 23:
		fmt.Fprintf(b, "free(%s);", one(x, y, x, y, "q", x+" + 1"))
	case 24:
		fmt.Fprintf(b, "for (int i = 0; i < %d; i++) k += some[i];", 1+rnd.Intn(4))
	case 25:
		b.WriteString(safe(fmt.Sprintf("k = %s[%d].data;", x, rnd.Intn(2)), x))
	case 26:
		fmt.Fprintf(b, "free(%s); free(%s); %s = NULL;", x, y, x)
	case 27:
		fmt.Fprintf(b, "local.data = 1; %s = &local;", x)
	}
	b.WriteByte('\n')
}
