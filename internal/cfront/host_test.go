package cfront

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestFolders holds what is said of folders of headers without gcc against what gcc says.
func TestFolders(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"include", "lib/sub", "quoted", "system"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "include", "first.h"), []byte("#define FIRST 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("include", filepath.Join(dir, "again")); err != nil {
		t.Fatal(err)
	}
	absolute := filepath.Join(dir, "lib")
	for _, c := range []struct {
		flags   []string
		derived bool // gcc is not asked about these flags
	}{
		{[]string{"-Iinclude"}, true},
		{[]string{"-I", "include", "-I" + absolute, "-Ilib/sub", "-DX=1"}, true},
		{[]string{"-I."}, true},
		{[]string{"-std=c99", "-iquote", "quoted", "-Iinclude", "-isystem", "system"}, true},
		{[]string{"-Iinclude", "-Inowhere"}, false},
		{[]string{"-Iinclude", "-Iagain"}, false},
		{[]string{"-I/usr/include", "-Iinclude"}, false},
		{[]string{"-Iinclude", "-isystem", "include"}, false},
		{[]string{"-Iinclude", "-include", "first.h"}, false},
		{[]string{"-DX=1"}, false},
	} {
		u := &Unit{Flags: c.flags, Dir: dir}
		got, err := hostOf(u)
		if err != nil {
			t.Fatalf("%q: %v", c.flags, err)
		}
		want, err := askHost(c.flags, dir)
		if err != nil {
			t.Fatalf("%q: %v", c.flags, err)
		}
		if !reflect.DeepEqual(got.dirs, want.dirs) || !reflect.DeepEqual(got.quote, want.quote) || got.predefined != want.predefined {
			t.Errorf("%q: folders %v and %v, gcc says %v and %v", c.flags, got.quote, got.dirs, want.quote, want.dirs)
		}
		rest, folders := includes(u)
		base, err := hostOf(&Unit{Flags: rest, Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if derived := len(folders) > 0 && base.with(folders) != nil; derived != c.derived {
			t.Errorf("%q: known without gcc: %v", c.flags, derived)
		}
	}
}
