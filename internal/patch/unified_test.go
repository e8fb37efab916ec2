package patch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnified: hunks behind changes with lines between them say where they stand in the new text, as
// diff says it.
func TestUnified(t *testing.T) {
	var lines []string
	for i := range 60 {
		lines = append(lines, fmt.Sprintf("line %d", i))
	}
	before := strings.Join(lines, "\n") + "\n"
	lines[3], lines[6], lines[30] = "x", "y\nz", "w"
	lines = append(lines[:33], lines[34:]...)
	lines[50] = "v"
	after := strings.Join(lines, "\n") + "\n"
	dir := t.TempDir()
	for name, text := range map[string]string{"a": before, "b": after} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("diff", "-u", filepath.Join(dir, "a"), filepath.Join(dir, "b")).Output()
	if err == nil {
		t.Fatal("no difference")
	}
	heads := func(s string) (h []string) {
		for _, l := range strings.Split(s, "\n") {
			if strings.HasPrefix(l, "@@") {
				h = append(h, l)
			}
		}
		return h
	}
	want, got := heads(string(out)), heads(Unified("f.c", before, after))
	if strings.Join(want, "\n") != strings.Join(got, "\n") || len(want) < 3 {
		t.Errorf("%q, not %q", got, want)
	}
}
