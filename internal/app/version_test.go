package app

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// TestVersion: gulo version prints what a bug report needs, about tools that are found and tools that are not.
func TestVersion(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"gdb": "echo 'GNU gdb 99.1'; echo 'and more'",
		"z3":  "echo broken >&2; exit 7",
		"tcc": `[ "$1" = -v ] && echo 'tcc version 0.9'`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	t.Setenv("GULO_INSTRUMENT", "/opt/gulo-instrument")
	code, out, errOut := gulo(t, "", "version")
	for _, want := range []string{
		"commit ", "built with       go1.", "system           Linux ",
		"gcc              not found: nothing works without it; install it with: apt-get install gcc",
		"gdb              GNU gdb 99.1\n",
		"z3               " + dir + "/z3 does not run: exit status 7: broken\n",
		"tcc              tcc version 0.9\n",
		"gulo-instrument  /opt/gulo-instrument\n",
	} {
		if code != 0 || errOut != "" || !strings.Contains(out, want) {
			t.Errorf("%d %s: %q is missing in\n%s", code, errOut, want, out)
		}
	}
	if _, again, _ := gulo(t, "", "--version"); again != out {
		t.Errorf("gulo --version prints\n%s", again)
	}
	if _, list, _ := gulo(t, "", "__complete", "ver"); !strings.HasPrefix(list, "version\tsay which gulo") {
		t.Errorf("completed as %s", list)
	}
	if code, _, errOut := gulo(t, "", "version", "x"); code != 2 || !strings.Contains(errOut, "takes no arguments") {
		t.Errorf("%d %s", code, errOut)
	}
}

// TestCommit: the commit is named as the build knows it.
func TestCommit(t *testing.T) {
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-11-01T10:00:00Z"}, {Key: "vcs.modified", Value: "true"}}}
	if got, want := commit(info), "abc of 2026-11-01, with changes that are not committed"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	if got := commit(nil); !strings.HasPrefix(got, "not known") {
		t.Errorf("%q", got)
	}
}
