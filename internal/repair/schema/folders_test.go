package schema

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/native/nativetest"
)

// inFolders are programs of several folders. In each a minus has become a plus, in the function less.
var inFolders = map[string]struct {
	units []string
	files map[string]string
}{
	"a quoted name beside its own file": {[]string{"main.c", "lib/less.c"}, map[string]string{
		"main.c":         "#include <stdio.h>\n#include <stdlib.h>\n#include \"lib/inc/less.h\"\nint main(int n, char **v) { printf(\"%d\\n\", less(atoi(v[1]), atoi(v[2]))); return 0; }\n",
		"lib/less.c":     "#include \"inc/less.h\"\nint less(int a, int b)\n{\n    return a + b;\n}\n",
		"lib/inc/less.h": "int less(int a, int b);\n"}},
	"C that is included": {[]string{"main.c"}, map[string]string{
		"main.c": "#include \"less.c\"\nint main(int n, char **v) { printf(\"%d\\n\", less(atoi(v[1]), atoi(v[2]))); return 0; }\n",
		"less.c": "#include <stdio.h>\n#include <stdlib.h>\nint less(int a, int b)\n{\n    return a + b;\n}\n"}},
	"a header of two files": {[]string{"main.c", "more.c"}, map[string]string{
		"main.c": "#include <stdio.h>\n#include <stdlib.h>\n#include \"less.h\"\nint more(int, int);\nint main(int n, char **v) { printf(\"%d\\n\", less(more(atoi(v[1]), 0), atoi(v[2]))); return 0; }\n",
		"more.c": "#include \"less.h\"\nint more(int a, int b) { return less(a, b); }\n",
		"less.h": "static inline int less(int a, int b)\n{\n    return a + b;\n}\n"}},
}

func load(t *testing.T, units []string, files map[string]string) *cfront.Program {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	p, err := cfront.Load(context.Background(), units, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestFolders: edits are tried wherever the text of a function stands.
func TestFolders(t *testing.T) {
	given := []native.Test{{Args: []string{"7", "2"}, Stdout: "5\n"}, {Args: []string{"3", "9"}, Stdout: "-6\n"}, {Args: []string{"4", "0"}, Stdout: "4\n"}}
	for name, x := range inFolders {
		t.Run(name, func(t *testing.T) {
			p := load(t, x.units, x.files)
			funcs := cfront.Once(nativetest.Own(p))
			r, err := Solve(context.Background(), &Problem{Tree: p, Funcs: funcs, Tests: given, Limit: time.Minute, Single: true})
			if err != nil || len(r.Repairs) == 0 {
				t.Fatalf("%v: none of %d edits", err, r.Edits)
			}
			for name, text := range r.Repairs[0].Texts {
				if !strings.Contains(name, "less") || !strings.Contains(text, "a - b") {
					t.Errorf("%s:\n%s", name, text)
				}
			}
		})
	}
}

// TestIncludedWithin: a file that is included in the middle of a declaration stays as it is.
func TestIncludedWithin(t *testing.T) {
	p := load(t, []string{"main.c"}, map[string]string{
		"main.c": "#include <stdio.h>\nstatic const int primes[] = {\n#include \"primes\"\n};\nint main(void) { printf(\"%d\\n\", primes[1]); return 0; }\n",
		"primes": "2, 3, 5\n",
	})
	prog, err := native.Build(context.Background(), Counted(p), native.Config{Units: p.Units()})
	if err != nil {
		t.Fatal(err)
	}
	prog.Close()
}
