package cfront_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// TestAccepted loads a program of several files twice: the second time gcc is not asked about
// them (there is another gcc in PATH that notes it). It is where a header has changed, and what it
// says then is the error, be it that the parser would take the text; it is where flags have. Of a
// program that it never took it says what is wrong with each file.
func TestAccepted(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	write := func(name, text string, mode os.FileMode) string {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return at
	}
	calls := filepath.Join(dir, "calls")
	write("bin/gcc", fmt.Sprintf("#!/bin/sh\necho \"$*\" >> %s\nPATH=%s exec gcc \"$@\"\n", calls, os.Getenv("PATH")), 0o700)
	t.Setenv("PATH", filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
	write("n.h", "#define N 3\nextern int all;\n", 0o600)
	var names []string
	for i := range 5 {
		names = append(names, write(fmt.Sprintf("f%d.c", i), fmt.Sprintf("#include \"n.h\"\nint f%d(void) { return N + %d; }\n", i, i), 0o600))
	}
	asked := func(opt cfront.Options) (files int, err error) {
		t.Helper()
		_ = os.Remove(calls)
		_, err = cfront.Load(context.Background(), names, opt)
		b, _ := os.ReadFile(calls)
		for _, l := range strings.Split(string(b), "\n") {
			if strings.Contains(l, "-fsyntax-only") {
				files += strings.Count(l, ".c")
			}
		}
		return files, err
	}
	for i, c := range []struct {
		before func()
		opt    cfront.Options
		files  int    // at least, where it refuses one: it is asked about several at once
		want   string // of the error
	}{
		{nil, cfront.Options{}, 5, ""},
		{nil, cfront.Options{}, 0, ""},
		{nil, cfront.Options{Flags: []string{"-DM=1"}}, 5, ""},
		{func() { write("n.h", "#define N 4\n", 0o600) }, cfront.Options{}, 5, ""},
		{nil, cfront.Options{}, 0, ""},
		{func() { write("f2.c", "#include \"n.h\"\nint f2(void) { return N * 2; }\n", 0o600) }, cfront.Options{}, 1, ""},
		{func() { write("n.h", "#define N undeclared\n", 0o600) }, cfront.Options{}, 1, "undeclared"},
		{func() { write("n.h", "#define N 4 ) ) }\n", 0o600) }, cfront.Options{}, 1, "expected"},
		{func() { write("n.h", "#if\n#define N 4\n", 0o600) }, cfront.Options{}, 1, "#if with no expression"},
		{func() { write("n.h", "#define N 4\n", 0o600) }, cfront.Options{}, 0, ""},
		{func() { write("n.h", "#define N other\n", 0o600) }, cfront.Options{Flags: []string{"-DM=2"}}, 1, "f4.c:"},
	} {
		if c.before != nil {
			c.before()
		}
		n, err := asked(c.opt)
		if n < c.files || n > c.files && c.want == "" {
			t.Errorf("%d: gcc was asked about %d files, not %d", i, n, c.files)
		}
		var refused *source.Error
		if (err == nil) != (c.want == "") || err != nil && (!errors.As(err, &refused) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%d: %v, not %q", i, err, c.want)
		}
	}
}
