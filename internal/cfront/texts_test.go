package cfront_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"gulo/internal/cfront"
)

// TestTexts: who accepts a file of a program is told all files that it is made of, also headers that have nothing but macros.
func TestTexts(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	var names []string
	for name, text := range map[string]string{"n.h": "#define N 3\n", "a.c": "#include \"n.h\"\n#include <stdio.h>\nint a = N;\n", "b.c": "int b;\n", "c.c": "int c;\n", "d.c": "int d;\n"} {
		at := filepath.Join(dir, name)
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if filepath.Ext(name) == ".c" {
			names = append(names, at)
		}
	}
	slices.Sort(names)
	var mu sync.Mutex
	of := map[string][]string{}
	_, err := cfront.Load(context.Background(), names, cfront.Options{Accept: func(_ context.Context, u cfront.Unit, _ string, texts []string) error {
		mu.Lock()
		defer mu.Unlock()
		of[filepath.Base(u.Name)] = texts
		return nil
	}})
	if err != nil || len(of) != len(names) {
		t.Fatal(err, of)
	}
	for _, text := range of["a.c"] {
		if _, err := os.Stat(text); err != nil {
			t.Error(err)
		}
	}
	if got := of["a.c"]; !slices.Contains(got, filepath.Join(dir, "n.h")) || !slices.Contains(got, filepath.Join(dir, "a.c")) || !slices.ContainsFunc(got, func(n string) bool { return filepath.Base(n) == "stdio.h" }) {
		t.Error(got)
	}
}
