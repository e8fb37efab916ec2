package pwp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/contract"
	"gulo/internal/lower"
	"gulo/internal/oracle"
)

// TestContractAsC runs calls of right and wrong programs against their contracts as
// they are, and as C: the assertion fails exactly when the contract is broken.
func TestContractAsC(t *testing.T) {
	files, err := filepath.Glob("../bench/contracts/*.c")
	if err != nil || len(files) < 20 {
		t.Fatal(err, len(files))
	}
	broken, written := 0, 0
	for _, name := range files {
		right, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		body := strings.Index(string(right), "{")
		for _, change := range [][2]string{{"", ""}, {" < ", " <= "}, {" + ", " - "}, {"= 0;", "= 1;"}} {
			text := string(right)[:body] + strings.Replace(string(right)[body:], change[0], change[1], 1)
			n, ok := contractAsC(t, file(t, "p.c", text))
			broken += n
			if ok {
				written++
			}
		}
	}
	if broken < 500 || written < 4*len(files)*3/4 {
		t.Errorf("%d calls broke a contract; %d programs of %d could be written", broken, written, 4*len(files))
	}
}

// contractAsC returns how many calls break the contract.
func contractAsC(t *testing.T, name string) (broken int, ok bool) {
	t.Helper()
	prog, err := lower.Load(context.Background(), []string{name}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ct, err := contract.Find(prog.Tree, "", "")
	if err != nil {
		t.Fatal(err)
	}
	text, err := ct.C(func(*cfront.Var) int { return usualLen })
	if err != nil {
		return 0, false // lists as they were
	}
	with := file(t, "with.c", fmt.Sprintf("#include \"%s\"\n%s", filepath.Base(name), text))
	same, err := lower.Load(context.Background(), []string{with}, cfront.Options{Flags: []string{"-I" + filepath.Dir(name)}})
	if err != nil {
		t.Fatal(err)
	}
	one, err := oracle.NewRunner(&oracle.Suite{Prog: prog, Entry: ct.Func})
	if err != nil {
		t.Fatal(err)
	}
	other, err := oracle.NewRunner(&oracle.Suite{Prog: same, Entry: same.Tree.Func(contract.Keeps)})
	if err != nil {
		t.Fatal(err)
	}
	g, err := newGenerator(prog, ct, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range g.states(60, 7) {
		pad(s)
		c := &oracle.Case{Name: s.Text, State: s, Want: &oracle.Run{Any: true, Steps: 2000}}
		k, err := one.Hold(c, nil, ct, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := other.Run(&oracle.Case{Name: s.Text, State: s, Want: &oracle.Run{Any: true, Steps: 4000}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		wrong := !k.Outside && !k.Passed()
		if wrong != (r.Fault != nil) {
			t.Errorf("%s, %s: %s; as C: %v\n%s", name, s.Text, k, r.Fault, text)
			return broken, true
		}
		if wrong {
			broken++
		}
	}
	return broken, true
}

// pad gives arrays the length that copies of them have.
func pad(s *oracle.State) {
	for i := range s.Objects {
		o := &s.Objects[i]
		if !o.Type.IsInteger() || o.Count >= usualLen {
			continue
		}
		if o.Count == 1 {
			o.Cells[0].Path = "[0]"
		}
		for ; o.Count < usualLen; o.Count++ {
			o.Cells = append(o.Cells, oracle.Cell{Path: fmt.Sprintf("[%d]", o.Count)})
		}
	}
}
