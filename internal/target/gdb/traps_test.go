package gdb

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTrapping holds what is found out of the processor's watchpoints against what gdb does with one.
func TestTrapping(t *testing.T) {
	dir := t.TempDir()
	src, program := filepath.Join(dir, "w.c"), filepath.Join(dir, "w")
	if err := os.WriteFile(src, []byte("int g;\nint main(void) { g = 1; g = 7; return 0; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-g", "-o", program, src).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	c := exec.Command("gdb", "-nx", "-q", "-batch", "-ex", "break main", "-ex", "run", "-ex", "watch g", "-ex", "continue", program)
	out, err := c.CombinedOutput()
	if err != nil && !strings.Contains(string(out), "atchpoint") {
		t.Fatalf("gdb: %v\n%s", err, out)
	}
	if traps := strings.Contains(string(out), "New value = 1"); traps != trapping() {
		t.Errorf("watchpoints trap: %v, found %v\n%s", traps, trapping(), out)
	}
}
