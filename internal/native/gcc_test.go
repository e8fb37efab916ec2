package native

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
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

// TestReason: what the linker objects to is said without the names of gcc's own files, which are others in every run.
func TestReason(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "p.c")
	if err := os.WriteFile(file, []byte("int missing(void);\nint main(void) { return missing(); }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, linker := range []string{"bfd", "gold"} {
		var refused *CompileError
		if err := GCC(context.Background(), dir, "-o", "p", "-fuse-ld="+linker, file); !errors.As(err, &refused) {
			t.Fatalf("%s: %v", linker, err)
		}
		if got := refused.Reason(); !regexp.MustCompile("^the linker says: undefined reference to .missing'$").MatchString(got) {
			t.Errorf("%s: %q", linker, got)
		}
	}
}
