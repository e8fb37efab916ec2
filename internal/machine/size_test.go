package machine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/machine"
)

// TestGreatSizes hands sizes to the library that no object has: an error state, and
// no crash of the machine.
func TestGreatSizes(t *testing.T) {
	for _, call := range []string{
		"memcpy(b, a, n)", "memmove(b, a, n)", "memset(b, 0, n)", "memcmp(a, b, n)", "memchr(a, 1, n)",
		"memcpy(b, a, n / 2)", "memmove(b + 1, a, n / 2)", "memset(b + 1, 0, n / 2)", "memset(b + 3, 0, n - 1)",
	} {
		t.Run(call, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "p.c")
			text := "#include <string.h>\nint main(void)\n{\n    char a[8] = {0}, b[8] = {0};\n    size_t n = -1;\n    (void)" + call + ";\n    return a[0] + b[0];\n}\n"
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
			if _, err := m.Run(); !errors.As(err, &f) || f.Kind != machine.StackOverflow {
				t.Errorf("%v", err)
			}
		})
	}
}
