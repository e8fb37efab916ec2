package process

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestDied: a compiler that was ended is told from one that refuses a program, whatever words stand in that. gcc runs
// what stands in for its compiler.
func TestDied(t *testing.T) {
	dir := t.TempDir()
	for _, x := range []struct {
		name, cc1, text string
		died            bool
	}{
		{"killed", "#!/bin/sh\nkill -9 $$\n", "int x;\n", true},
		{"no memory", "#!/bin/sh\necho 'cc1: out of memory allocating 65536 bytes after a total of 1 bytes' >&2\nexit 1\n", "int x;\n", true},
		{"words in a string", "", "int puts(const char *);\nint main(void) { return puts(\"Cannot allocate memory\"), puts(\"virtual memory exhausted\") }\n", false},
		{"words in a message", "", "#pragma GCC error \"a\\ngcc: fatal error: Killed signal terminated program cc1\\ncompilation terminated.\"\n", false},
		{"words in a name", "", "#error ld terminated with signal 9\n", false},
	} {
		text := filepath.Join(dir, "a.c")
		if err := os.WriteFile(text, []byte(x.text), 0o600); err != nil {
			t.Fatal(err)
		}
		args := []string{"-fsyntax-only", text}
		if x.cc1 != "" {
			if err := os.WriteFile(filepath.Join(dir, "cc1"), []byte(x.cc1), 0o700); err != nil {
				t.Fatal(err)
			}
			args = append(args, "-B", dir)
		}
		cmd := Command(context.Background(), "gcc", args...)
		cmd.Env = append(cmd.Environ(), "LC_ALL=C")
		said, err := cmd.CombinedOutput()
		if err == nil {
			t.Fatalf("%s: gcc takes it", x.name)
		}
		var died *DiedError
		if got := Died("gcc", err, said); errors.As(got, &died) != x.died {
			t.Errorf("%s: %v\n%s", x.name, got, said)
		}
	}
}
