package cases

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
)

// TestOutputsLeftOut: arrays that are only written need not stand in a file of calls.
func TestOutputsLeftOut(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file := write("p.c", "void copy(const int *a, int *to, int n)\n{\n    for (int i = 0; i < n; i++)\n        to[i] = a[i];\n}\n")
	prog, err := lower.Load(context.Background(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := prog.Tree.Func("copy")
	calls := write("calls", "a=[1,2] n=2\na=[3] to=[7,7] n=1\n")
	states, err := Calls(calls, p, map[string]int{"to": 4})
	if err != nil || len(states) != 2 || states[0].Args[1].Object == 0 {
		t.Fatalf("%v %v", states, err)
	}
	if _, err := Calls(calls, p, nil); err == nil || !strings.Contains(err.Error(), "calls:1:1") {
		t.Errorf("without knowing: %v", err)
	}
}
