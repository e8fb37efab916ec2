package oracle

import (
	"os"
	"path/filepath"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
)

// TestPrinter asks who printed which byte.
func TestPrinter(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(file, []byte(`#include <stdio.h>
int main(void)
{
    int i;
    printf("ab");
    for (i = 0; i < 2; i++) {
        putchar('c');
        puts("d");
    }
    return i;
}
`), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := lower.Load(t.Context(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	suite := Runs(p, []Test{{Name: "t", Stdout: "abcd\ncd\n"}}, 0)
	run, err := NewRunner(suite)
	if err != nil {
		t.Fatal(err)
	}
	for at, line := range []int{5, 5, 7, 8, 8, 7, 8, 8, 8, 8} { // the last two lie behind the end
		s, err := run.Printer(suite.Cases[0], at)
		if err != nil {
			t.Fatal(err)
		}
		if s == nil || s.Range.Position().Line != line {
			t.Errorf("byte %d: %+v, want line %d", at, s, line)
		}
	}
}
