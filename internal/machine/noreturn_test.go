package machine_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/machine"
)

// TestMissingReturn: a function that ends without a value stops the run where its caller uses one, and only there.
func TestMissingReturn(t *testing.T) {
	for _, x := range []struct {
		name, text string
		line       int // 0: the run ends by itself
	}{
		{"used", "int f(int x) {\n  if (x) return 1;\n}\nint main(void) {\n  return f(0);\n}\n", 3},
		{"stored", "int f(int x) {\n  if (x) return 1;\n}\nint main(void) {\n  int y = f(0); return 0;\n}\n", 3},
		{"return alone", "int f(int x) {\n  if (x) return 1;\n  return;\n}\nint main(void) {\n  return f(0) > 0;\n}\n", 3},
		{"a struct", "struct p { int x, y; };\nstruct p f(int x) {\n  if (x) return (struct p){1, 2};\n}\nint main(void) {\n  return f(0).x;\n}\n", 4},
		{"through a pointer", "int f(int x) {\n  if (x) return 1;\n}\nint main(void) {\n  int (*g)(int) = f; return g(0);\n}\n", 3},
		{"another way", "int f(int x) {\n  if (x) return 0;\n}\nint main(void) {\n  return f(1);\n}\n", 0},
		{"dropped", "int f(int x) {\n  if (x) return 1;\n}\nint main(void) {\n  f(0); (void)f(0); 1 ? f(0) : f(1); f(0), f(0);\n  return 0;\n}\n", 0},
		{"main", "int f(void) { return 0; }\nint main(void) {\n  f();\n}\n", 0},
		{"by the library", "#include <pthread.h>\nstatic void *f(void *p) {\n  *(int *)p = 1;\n}\nint main(void) {\n  pthread_t t; int x; pthread_create(&t, 0, f, &x); pthread_join(t, 0);\n  return 0;\n}\n", 0},
	} {
		path := filepath.Join(t.TempDir(), "x.c")
		if err := os.WriteFile(path, []byte(x.text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, opt := range []lower.Options{{}, {Memory: true}} {
			p, err := lower.Load(context.Background(), []string{path}, cfront.Options{})
			if opt.Memory {
				p, err = lower.Lower(p.Tree, opt)
			}
			if err != nil {
				t.Fatalf("%s: %v", x.name, err)
			}
			for _, trace := range []bool{false, true} {
				m, err := machine.New(p, machine.Config{Name: "x", Stdout: io.Discard, Stderr: io.Discard, Trace: trace})
				if err != nil {
					t.Fatal(err)
				}
				_, err = m.Run()
				var f *machine.Fault
				switch {
				case x.line == 0 && err != nil:
					t.Errorf("%s: %v", x.name, err)
				case x.line > 0 && (!errors.As(err, &f) || f.Kind != machine.MissingReturn || f.Pos.Line != x.line || f.Func != "f"):
					t.Errorf("%s: %v, not missing_return in line %d", x.name, err, x.line)
				}
			}
		}
	}
}
