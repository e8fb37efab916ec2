package modify

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/contract"
	"gulo/internal/ctype"
	"gulo/internal/locate/evidence"
	"gulo/internal/lower"
	"gulo/internal/lower/lowertest"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/repair"
)

// faults are small functions over an array, each with one mistake, the call that shows it, and the line
// as it should be. Which modifications come first is the engine's; that the right one is among them is
// what it lives by.
var faults = []struct {
	name, text, right string
	array             []int64
	more              []int64
}{
	{"the wrong comparison", `/* pre: n > 0
   post: forall(i, 0, n, result >= a[i]) && exists(i, 0, n, result == a[i]) */
int largest(const int *a, int n)
{
    int s = a[0];
    for (int i = 1; i < n; i++)
        if (s > a[i])
            s = a[i];
    return s;
}
`, "if (s < a[i])", []int64{-2, 5, 3}, []int64{3}},
	{"the wrong start", `/* pre: n >= 0
   post: result == sum(i, 0, n, a[i]) */
int total(const int *a, int n)
{
    int i = 0;
    int s = 1;
    while (i < n) {
        s = s + a[i];
        i = i + 1;
    }
    return s;
}
`, "int s = 0;", []int64{4, 5}, []int64{2}},
	{"a loop too short", `/* pre: n >= 0
   post: result == sum(i, 0, n, a[i]) */
int total(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n - 1; i++)
        s = s + a[i];
    return s;
}
`, "for (int i = 0; i < n; i++)", []int64{4, 5, 6}, []int64{3}},
	{"the wrong element", `/* pre: n > 1
   post: result == a[n - 1] - a[0] */
int span(const int *a, int n)
{
    int low = a[0];
    int high = a[n - 2];
    return high - low;
}
`, "int high = a[n - 1];", []int64{4, 5, 16}, []int64{3}},
	{"the wrong operand", `/* pre: n > 0
   post: result == a[n - 1] + n */
int last(const int *a, int n)
{
    int k = n - 1;
    int x = a[k];
    return x + k;
}
`, "return x + n;", []int64{4, 5, 16}, []int64{3}},
	{"the wrong target", `/* pre: n > 1
   post: a[0] == old(a[1]) && a[1] == old(a[0]) */
void swap(int *a, int n)
{
    int t = a[0];
    a[0] = a[1];
    a[0] = t;
}
`, "a[1] = t;", []int64{4, 5}, []int64{2}},
}

// load records the failing call of a program.
func load(t *testing.T, text string, array, more []int64) (*lower.Program, *evidence.Trace) {
	t.Helper()
	p, _ := lowertest.Load(t, text)
	var ct *contract.Contract
	for _, f := range p.Tree.Funcs {
		if c, err := contract.Of(p.Tree, f); err != nil {
			t.Fatal(err)
		} else if c != nil {
			ct = c
		}
	}
	s := &oracle.State{Globals: map[string][]oracle.Cell{}}
	s.Args = append(s.Args, s.Array(ct.Func.Params[0].Type.Elem, array))
	for _, v := range more {
		s.Args = append(s.Args, oracle.Value{Word: ctype.Word(v)})
	}
	r, err := oracle.NewRunner(&oracle.Suite{Prog: p, Entry: ct.Func})
	if err != nil {
		t.Fatal(err)
	}
	tr, err := evidence.Record(r, &oracle.Case{State: s}, ct)
	if err != nil {
		t.Fatal(err)
	}
	if tr.Verdict.Passed() {
		t.Fatal("the call keeps the contract")
	}
	return p, tr
}

// TestModifications: among the modifications for a failing call is the right one, with a reason; none
// comes twice or leaves the program as it is; of one evidence the nearer come first; gcc takes each.
func TestModifications(t *testing.T) {
	for _, x := range faults {
		p, tr := load(t, x.text, x.array, x.more)
		list := Modifications(p, tr, nil)
		found := -1
		seen := map[string]bool{x.text: true}
		dir := t.TempDir()
		args := []string{"-fsyntax-only", "-w"}
		for i, m := range list {
			texts, err := patch.Rewrite(p, repair.NewPatch(m.Edit))
			if err != nil {
				continue // an expression that cannot be written there
			}
			text := ""
			for _, s := range texts {
				text = s
			}
			if seen[text] {
				t.Errorf("%s: %s comes twice, or changes nothing", x.name, m.Edit.Describe(p))
			}
			seen[text] = true
			if found < 0 && strings.Contains(text, x.right) && !strings.Contains(x.text, x.right) {
				found = i
			}
			if m.Why == "" {
				t.Errorf("%s: nothing asks for %s", x.name, m.Edit.Describe(p))
			}
			if i > 0 && list[i-1].Why == m.Why && list[i-1].Distance > m.Distance && !strings.HasPrefix(m.Why, "no evidence") {
				t.Errorf("%s: %s comes after %s", x.name, m.Edit.Describe(p), list[i-1].Edit.Describe(p))
			}
			file := filepath.Join(dir, fmt.Sprintf("m%d.c", i))
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			args = append(args, file)
		}
		if found < 0 {
			t.Errorf("%s: %q is not among %d modifications", x.name, x.right, len(list))
		}
		if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", x.name, err, out)
		}
	}
}

// TestLocked: no modification is of a statement that may not change.
func TestLocked(t *testing.T) {
	x := faults[0]
	p, tr := load(t, x.text, x.array, x.more)
	all := Modifications(p, tr, nil)
	line := func(m Modification) int { return p.Stmts[m.Edit.Stmt].Range.Position().Line }
	free := Modifications(p, tr, func(s *lower.Stmt) bool { return s.Range.Position().Line != 7 })
	locked := 0
	for _, m := range all {
		if line(m) == 7 {
			locked++
		}
	}
	if locked == 0 || len(free) != len(all)-locked {
		t.Errorf("%d of %d, %d of them of the locked line", len(free), len(all), locked)
	}
	for _, m := range free {
		if line(m) == 7 {
			t.Errorf("%s is locked", m.Edit.Describe(p))
		}
	}
}
