// Package lowertest loads C programs given as text, for tests.
package lowertest

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
)

// Load lowers the text of a program, with local variables in memory, and returns the file
// that it is in.
func Load(t testing.TB, text string) (*lower.Program, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := lower.Load(context.Background(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p, file
}

// Statement returns the first statement that begins with a text.
func Statement(t testing.TB, p *lower.Program, text string) *lower.Stmt {
	t.Helper()
	for _, s := range p.Stmts[1:] {
		if r := s.Range.Text(); len(r) >= len(text) && r[:len(text)] == text {
			return s
		}
	}
	t.Fatalf("no statement %q", text)
	return nil
}
