package cfront_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"gulo/internal/cfront"
)

// TestTypedMacros: a macro that may come from the command line is not taken as the program's text has it.
func TestTypedMacros(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m.c")
	text := "#ifndef STEP\n#define STEP 1\n#endif\n#if !defined(SIZE)\n#define SIZE 8\n#endif\n#define PLAIN 2\nint main(void) { return STEP + PLAIN; }\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := cfront.Load(context.Background(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	none := func(string) *cfront.Var { return nil }
	if x, err := p.ParseTyped("PLAIN + 1", none); err != nil {
		t.Error(err)
	} else if w, ok := cfront.Constant(x); !ok || w != 3 {
		t.Errorf("PLAIN + 1 is %d", w)
	}
	for _, name := range []string{"STEP", "SIZE"} {
		if _, err := p.ParseTyped(name, none); err == nil {
			t.Errorf("%s has a value", name)
		}
	}
}
