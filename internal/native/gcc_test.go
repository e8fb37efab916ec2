package native

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"gulo/internal/cfront"
)

// TestCrowded has gcc refuse a program where there is room for its output, and where there is none: then the program
// may not be at fault.
func TestCrowded(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "p.c")
	if err := os.WriteFile(file, []byte("int main(void) { return x; }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var refused *CompileError
	if err := GCC(context.Background(), dir, "-o", "p", file); !errors.As(err, &refused) {
		t.Errorf("with room: %v", err)
	}
	var tool *cfront.ToolError
	if err := GCC(context.Background(), "/proc", "-o", filepath.Join(dir, "p"), file); !errors.As(err, &tool) { // a file system of no size
		t.Errorf("without: %v", err)
	}
}
