package process

import (
	"os"
	"path/filepath"
	"testing"
)

// TestPlace leaves the usual folder where no files can be made in it, or where other users cannot
// come to the programs of root.
func TestPlace(t *testing.T) {
	if usual := place(); usual != os.TempDir() {
		t.Skipf("programs cannot be executed in %s, or it has no room", os.TempDir())
	}
	closed := filepath.Join(t.TempDir(), "closed")
	if err := os.Mkdir(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	dirs := []string{filepath.Join(closed, "missing")}
	if os.Geteuid() == 0 {
		dirs = append(dirs, closed)
	}
	for _, dir := range dirs {
		t.Setenv("TMPDIR", dir)
		if at := place(); at == dir {
			t.Errorf("%s is taken", at)
		} else if _, ok := usable(at); !ok {
			t.Errorf("%s is taken in place of %s", at, dir)
		}
	}
}
