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

// TestDiffName: names in diffs are such that patch -p1 takes them from the current folder.
func TestDiffName(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "p")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for name, want := range map[string]string{"x.c": "x.c", "a/dir/../x.c": "a/x.c", "./x.c": "x.c", filepath.Join(dir, "s", "x.c"): "s/x.c", "/else/b/../x.c": "else/x.c", "../x.c": filepath.Join(filepath.Dir(dir), "x.c")[1:]} {
		if got := DiffName(name); got != want {
			t.Errorf("%s is %s in a diff, want %s", name, got, want)
		}
	}
}
