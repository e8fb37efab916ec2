package machine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/machine"
)

// TestGreatSizes passes sizes to the library that no object has: this is an error of the program, and does not crash
// the machine.
func TestGreatSizes(t *testing.T) {
	for _, call := range []string{
		"memcpy(b, a, n)", "memmove(b, a, n)", "memset(b, 0, n)", "memcmp(a, b, n)", "memchr(a, 1, n)",
		"qsort(b, n, 1, order)", "qsort(b, n / 2, 4, order)",
		"memcpy(b, a, n / 2)", "memmove(b + 1, a, n / 2)", "memset(b + 1, 0, n / 2)", "memset(b + 3, 0, n - 1)",
	} {
		t.Run(call, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "p.c")
			text := "#include <stdlib.h>\n#include <string.h>\nstatic int order(const void *x, const void *y) { return *(const char *)x - *(const char *)y; }\nint main(void)\n{\n    char a[8] = {0}, b[8] = {0};\n    size_t n = -1;\n    (void)" + call + ";\n    return a[0] + b[0];\n}\n"
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			prog, err := lower.Load(context.Background(), []string{file}, cfront.Options{})
			if err != nil {
				t.Fatal(err)
			}
			m, err := machine.New(prog, machine.Config{Name: "p"})
			if err != nil {
				t.Fatal(err)
			}
			var f *machine.Fault
			want := machine.StackOverflow
			if strings.HasPrefix(call, "qsort") {
				want = machine.BadLibraryCall
			}
			if _, err := m.Run(); !errors.As(err, &f) || f.Kind != want {
				t.Errorf("%v", err)
			}
		})
	}
}
