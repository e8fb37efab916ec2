package textedit

import (
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/native/nativetest"
)

// TestPrune bounds a space by what edits cost, not by where they stand: a function that comes last
// keeps its cheapest edits.
func TestPrune(t *testing.T) {
	long := "static int busy(int a, int b, int c)\n{\n    int sum = 0;\n    for (int i = 0; i < a; i++) {\n" +
		strings.Repeat("        if (a > b && b > c || sum < i)\n            sum += a * b - c;\n        else\n            sum -= b;\n", 6) +
		"    }\n    return sum;\n}\n"
	p, _ := nativetest.Load(t, "#include <stdio.h>\n"+long+"int zero(int x)\n{\n    if (x < 0)\n        x = 0;\n    else if (x > 9)\n        x = 9;\n    return x;\n}\nint main(void)\n{\n    printf(\"%d %d\\n\", busy(3, 2, 1), zero(10));\n    return 0;\n}\n")
	sp := New(Config{Tree: p})
	for _, name := range []string{"busy", "zero", "main"} {
		sp.Function(p.Func(name))
	}
	all, cost := sp.Total, sp.costs()
	dropped := map[*Edit]bool{}
	for _, st := range sp.Sites {
		for _, e := range st.Edits {
			dropped[e] = true
		}
	}
	most := all / 4
	sp.Prune(most)
	perFunc, highest, n := map[*cfront.Func]int{}, 0, 0
	for _, st := range sp.Sites {
		for _, e := range st.Edits {
			delete(dropped, e)
			perFunc[e.Func]++
			highest = max(highest, cost(e))
			n++
		}
	}
	if n != most || sp.Total != n {
		t.Errorf("%d of %d edits are left, %d counted", n, all, sp.Total)
	}
	for _, name := range []string{"zero", "main"} {
		if perFunc[p.Func(name)] == 0 {
			t.Errorf("nothing of %s is left", name)
		}
	}
	for e := range dropped {
		if cost(e) < highest {
			t.Errorf("%q costs %d and was left out, others cost %d", e.Alt, cost(e), highest)
			break
		}
	}
	found := false
	for _, st := range sp.Sites {
		for _, e := range st.Edits {
			found = found || e.What == "delete else" && e.Func == p.Func("zero")
		}
	}
	if !found {
		t.Error("the else of the last function cannot be deleted")
	}
}
