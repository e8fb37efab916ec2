package cfront

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gulo/internal/cpp"
	"gulo/internal/source"
)

// This file holds the preprocessor against gcc's: the same tokens.

// tokensOf preprocesses a file as gcc would, without what gulo adds.
func tokensOf(t *testing.T, file string, flags ...string) []string {
	t.Helper()
	h, err := hostOf(&Unit{Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	f, err := source.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	open := func(name string) *source.File {
		if g, err := source.ReadFile(name); err == nil {
			return g
		}
		return nil
	}
	u, err := cpp.Preprocess(f, cpp.Config{Quote: h.quote, Dirs: h.dirs, Predefined: h.predefined, Include: h.include, Macros: h.macros, NoLine: h.noLine, Trigraphs: h.trigraphs, Has: h.ask, Open: open})
	if err != nil {
		return []string{err.Error()}
	}
	var out []string
	for _, t := range u.Tokens {
		out = append(out, t.Text)
	}
	return out
}

// gccTokens are the tokens that gcc -E leaves.
func gccTokens(t *testing.T, file string, flags ...string) ([]string, bool) {
	t.Helper()
	out, err := exec.Command("gcc", append(append([]string{"-w", "-O0", "-E"}, flags...), file)...).Output()
	if err != nil {
		return nil, false
	}
	var b strings.Builder
	for _, l := range strings.SplitAfter(string(out), "\n") {
		if !strings.HasPrefix(l, "#") {
			b.WriteString(l)
		} else {
			b.WriteString("\n")
		}
	}
	name := filepath.Join(t.TempDir(), "e.c")
	if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := source.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	u, err := cpp.Preprocess(f, cpp.Config{Open: func(string) *source.File { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	var toks []string
	for _, t := range u.Tokens {
		toks = append(toks, t.Text)
	}
	return toks, true
}

func comparePreprocessed(t *testing.T, file string, flags ...string) {
	t.Helper()
	want, ok := gccTokens(t, file, flags...)
	if !ok {
		if os.Getenv("GULO_PREPROCESS") == "" {
			t.Fatalf("gcc refuses %s", file)
		}
		return
	}
	got := tokensOf(t, file, flags...)
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			from := max(0, i-8)
			t.Errorf("%s: token %d of %d: %q, gcc has %q", file, i, len(want), strings.Join(got[min(from, len(got)):min(i+8, len(got))], " "), strings.Join(want[min(from, len(want)):min(i+8, len(want))], " "))
			return
		}
	}
}

// TestMacros: what the standard and gcc's manual say of macros.
func TestMacros(t *testing.T) {
	comparePreprocessed(t, "testdata/macros.c")
	comparePreprocessed(t, "testdata/macros.c", "-std=c99")
}

// TestHeaders: headers of the system's, under several dialects.
func TestHeaders(t *testing.T) {
	for _, flags := range [][]string{nil, {"-std=c90"}, {"-std=c11", "-D_GNU_SOURCE"}, {"-D_FORTIFY_SOURCE=2", "-include", "limits.h"}} {
		var b strings.Builder
		for _, h := range []string{"assert", "complex", "ctype", "dirent", "errno", "fenv", "float", "inttypes", "limits", "locale", "math", "netinet/in", "pthread", "regex", "setjmp",
			"signal", "stdarg", "stdatomic", "stdbool", "stddef", "stdint", "stdio", "stdlib", "string", "strings", "sys/socket", "sys/stat", "sys/time", "tgmath", "time", "unistd", "wchar", "wctype"} {
			b.WriteString("#include <" + h + ".h>\n")
		}
		b.WriteString("int x = INT_MAX; int f(int c) { return isalpha(c) && isnan(1.0) && errno; }\n")
		name := filepath.Join(t.TempDir(), "h.c")
		if err := os.WriteFile(name, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		comparePreprocessed(t, name, flags...)
	}
}

// TestOutside: the files that GULO_PREPROCESS names, with the flags in front of them.
func TestOutside(t *testing.T) {
	var flags []string
	for _, w := range strings.Fields(os.Getenv("GULO_PREPROCESS")) {
		if strings.HasPrefix(w, "-") {
			flags = append(flags, w)
			continue
		}
		comparePreprocessed(t, w, flags...)
	}
}

// TestSpellings: one header that two files, or two lines of one file, call by other paths.
func TestSpellings(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{
		"guarded.h":    "#ifndef GUARDED\n#define GUARDED\ntypedef struct { int x; } pair;\npair get(void);\n#define WHERE __FILE__\n#endif\n",
		"once.h":       "#pragma once\nstatic const char *where = __FILE__;\n",
		"sub/again.h":  "#include \"../once.h\"\n#include \"../guarded.h\"\n",
		"sub/main.c":   "#include \"../guarded.h\"\n#include \"../once.h\"\n#include \"again.h\"\n#include \"../sub/../once.h\"\n#include <once.h>\nint main(void) { pair p = get(); return p.x; }\nconst char *file = WHERE;\n",
		"own.c":        "#include \"once.h\"\n#include \"guarded.h\"\npair get(void) { pair p = { 1 }; return p; }\n",
		"sub/import.c": "#import \"../once.h\"\n#import \"again.h\"\n#import \"again.h\"\nint n;\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, flags := range [][]string{{"-I."}, {"-I", dir}} {
		for _, name := range []string{"sub/main.c", "own.c", "sub/import.c"} {
			want, ok := gccTokens(t, name, flags...)
			if got := tokensOf(t, name, flags...); !ok || !slices.Equal(got, want) {
				t.Errorf("%s %v: %q, gcc has %q", name, flags, got, want)
			}
		}
		for _, names := range [][]string{{"sub/main.c", "own.c"}, {"own.c", "sub/main.c"}, {"own.c", filepath.Join(dir, "sub/main.c")}} {
			p, err := Load(t.Context(), names, Options{Flags: flags})
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range p.Opaque {
				t.Errorf("%q %v: %s: opaque: %s", names, flags, n.Range.Position(), n.Reason)
			}
		}
	}
}
