package judges

import (
	"context"
	"os"
	"testing"
	"time"

	"gulo/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	code := m.Run()
	forget()
	os.Exit(code)
}

// TestPairs holds that pairs differ and that a seed makes the same ones.
func TestPairs(t *testing.T) {
	o := &Options{Pairs: 8, Seed: 3, Workers: 2, Programs: []string{"middle", "stairs", "watch", "add"}}
	var before []Pair
	for range 2 {
		ps, err := Pairs(context.Background(), o)
		if err != nil || len(ps) != 8 {
			t.Fatal(len(ps), err)
		}
		for i := range ps {
			if ps[i].Witness.Got == ps[i].Witness.Want || before != nil && before[i].Text != ps[i].Text {
				t.Errorf("%s %s: %s", ps[i].Program.Name, ps[i].What, ps[i].Witness)
			}
		}
		before = ps
	}
}

// TestPrograms holds the corpus: it is well formed, and a program with a
// sanitizer does not fail and agrees with itself without.
func TestPrograms(t *testing.T) {
	list, err := Programs()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 60 {
		t.Errorf("only %d programs", len(list))
	}
	names := map[string]bool{}
	for _, p := range list {
		if names[p.Name] {
			t.Errorf("two programs %s", p.Name)
		}
		names[p.Name] = true
	}
	if testing.Short() {
		return
	}
	for _, p := range list {
		if os.Getenv("JUDGES") == "" && p.Name[0]%8 != 0 { // all of them: JUDGES=all go test
			continue
		}
		w, n, err := p.differ(context.Background(), p.Text, search{0, 3000, time.Second, sanitizers})
		if err != nil || w != nil || n == 0 {
			t.Errorf("%s: %v %v, %d cases", p.Name, w, err, n)
		}
		for i, m := range p.mistakes {
			w, _, err := p.differ(context.Background(), apply(p.Text, m), search{most: 100_000, limit: time.Minute})
			if err != nil || w == nil {
				t.Errorf("%s: mistake %d is not told from the program: %v", p.Name, i+1, err)
			}
		}
	}
}
