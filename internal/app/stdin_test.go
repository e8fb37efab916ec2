package app

import (
	"os"
	"path/filepath"
	"testing"
)

// TestRunInput: a file that the command reads is the input of the run where memory rules are asked about, and only there.
func TestRunInput(t *testing.T) {
	name := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(name, []byte("3 4\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		f    specFlags
		want string
	}{{specFlags{memory: true}, "3 4\n"}, {specFlags{}, ""}, {specFlags{stdin: "-"}, "3 4\n"}, {specFlags{memory: true, stdin: os.DevNull}, ""}} {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		s := &streams{in: file}
		if got, err := s.runInput(&x.f); err != nil || got != x.want {
			t.Errorf("%+v: %q, %v", x.f, got, err)
		}
	}
}
