package outside

import (
	"os"
	"path/filepath"
	"testing"
)

func subjectOf(t *testing.T, name string) *subject {
	t.Helper()
	s, err := (&Options{Seed: 1, Hidden: 40}).lay(Sixty(), filepath.Join(t.TempDir(), name), name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
