package job

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
)

// TestLock refuses lines that are not there, and knows statements of several lines.
func TestLock(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.c")
	text := "int f(int x)\n{\n    x = x +\n        1;\n    return x;\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := lower.Load(context.Background(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		line   int
		wrong  string
		locked string // the statement that is
	}{
		{3, "", "x = x"}, {4, "", "x = x"}, {5, "", "return x"}, {1, "", ""},
		{0, "there is no such line", ""}, {7, "the program's last is 6", ""},
	} {
		j := &Job{Files: []string{file}, Lock: []int{x.line}}
		var use *UsageError
		if err := j.CheckLock(); (err != nil) != (x.wrong != "") || err != nil && (!errors.As(err, &use) || !strings.Contains(err.Error(), x.wrong)) {
			t.Errorf("line %d: %v", x.line, err)
		}
		for _, s := range p.Stmts {
			if s == nil || !s.Stop || !s.Range.Valid() || s.Kind == lower.End {
				continue
			}
			if want := x.locked != "" && strings.HasPrefix(s.Range.Text(), x.locked); j.Locked(s) != want {
				t.Errorf("line %d: %q locked: %t", x.line, s.Range.Text(), j.Locked(s))
			}
		}
	}
}
