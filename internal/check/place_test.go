package check

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestAddressSpace runs a program where a debugger cannot reserve the memory that it needs: the result must not be
// that the program has no errors.
func TestAddressSpace(t *testing.T) {
	if _, err := exec.LookPath("prlimit"); err != nil {
		t.Skip(err)
	}
	bin, found := compiled(t, twoErrors, false), filepath.Join(t.TempDir(), "report")
	said, code := output(t, []string{"GULO_REPORT=" + found}, "prlimit", "--as=4000000000", bin)
	err := new(Result).read(found, newSourceLines(nil))
	var tool *ToolError
	if !errors.As(err, &tool) || !strings.Contains(err.Error(), "cannot reserve the address space") {
		t.Errorf("%d %s: %v", code, said, err)
	}
	if said, _ = output(t, nil, "prlimit", "--as=4000000000", bin); !strings.Contains(said, "gulo: cannot reserve") {
		t.Errorf("by itself it says %q", said)
	}
}

// TestNoCache builds a debugger although the user has no cache folder that can be written to.
func TestNoCache(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "/dev/null/cache")
	at, err := kept("debugger")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(filepath.Dir(at))
	if err := os.Mkdir(at, 0o700); err != nil {
		t.Error(err)
	}
}
