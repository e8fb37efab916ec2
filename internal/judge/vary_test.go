package judge

import (
	"strings"
	"testing"

	"gulo/internal/cases"
	"gulo/internal/lower/lowertest"
	"gulo/internal/oracle"
)

func TestVary(t *testing.T) {
	given := []oracle.Test{{Args: []string{"3", "x"}}, {Stdin: "1 2\n3\n"}, {}}
	seen := map[string]bool{"3 x": true, "1 2\n3\n": true, "": true}
	list := vary(given, 30)
	if len(list) != 30 {
		t.Errorf("only %d", len(list))
	}
	for _, v := range list {
		k := strings.Join(v.Args, " ") + v.Stdin
		if seen[k] && v.Stdin != "" {
			t.Errorf("%q again", k)
		}
		seen[k] = true
	}
}

// TestNearby varies the tests of a program that reads numbers, and of one that no input reaches: about the latter
// nothing is said.
func TestNearby(t *testing.T) {
	for _, x := range []struct {
		name, wrong string
		reached     bool
	}{
		{"reads", "int main(void) { int n = 0; scanf(\"%d\", &n); printf(\"%d\\n\", n + 1); return 0; }", true},
		{"takes arguments", "int main(int argc, char **argv) { printf(\"%d\\n\", argc + 1); return 0; }", true},
		{"takes nothing", "int main(void) { int n = 0; printf(\"%d\\n\", n + 1); return 0; }", false},
	} {
		t.Run(x.name, func(t *testing.T) {
			wrong, _ := lowertest.Load(t, "#include <stdio.h>\n"+x.wrong+"\n")
			right, _ := lowertest.Load(t, "#include <stdio.h>\n"+strings.Replace(strings.Replace(x.wrong, "n + 1", "n + 2", 1), "argc + 1", "argc + 2", 1)+"\n")
			j := &Judge{Set: &cases.Set{Prog: wrong, Tests: []oracle.Test{{Stdin: "3\n", Stdout: "5\n"}}}}
			n, err := j.nearby(right, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := n != nil; got != x.reached {
				t.Errorf("inputs made: %v, want %v", got, x.reached)
			}
			if n != nil && (n.Inputs == 0 || n.Differ != n.Inputs) {
				t.Errorf("%d of %d inputs differ, want all", n.Differ, n.Inputs)
			}
		})
	}
}
