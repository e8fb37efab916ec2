package logic

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/lower"
)

// loadFiles loads a program of several files.
func loadFiles(t *testing.T, texts []string) *lower.Program {
	dir := t.TempDir()
	var files []string
	for i, x := range texts {
		f := filepath.Join(dir, strconv.Itoa(i)+".c")
		if err := os.WriteFile(f, []byte(x), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	p, err := lower.Load(context.Background(), files, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestOfOneName: programs whose functions have the same names and texts and do not do the same,
// because a name stands for another thing. Nothing may be proved of them.
func TestOfOneName(t *testing.T) {
	const (
		main   = "int f(int); static int help(int x) { return x - 1; } int main(int c, char **v) { return help(c) + f(c); }"
		second = "static int help(int x) { return x + 1; } int f(int x) { return help(x); }"
		named  = "int num(int) __asm__(\"abs\"); int main(int c, char **v) { return num(-c); }"
		other  = "int num(int) __asm__(\"toupper\"); int main(int c, char **v) { return num(-c); }"
		both   = "int a(int x) { return x; } int b(int x) { return -x; } int main(int c, char **v) { return num(c); }"
		twice  = "static int n = 1; int g(void) { n = 2; return 0; } int f(void); int main(void) { g(); return f(); }"
	)
	for _, x := range []struct {
		name       string
		one, other []string
	}{
		{"statics of two files", []string{main, second},
			[]string{"int f(int); static int help(int x) { return x - 2; } int main(int c, char **v) { return help(c) + f(c); }", second}},
		{"variables of two files", []string{twice, "static int n = 1; int f(void) { return n; }"},
			[]string{twice + " int f(void) { return n; }"}},
		{"names for the linker", []string{named}, []string{other}},
		{"aliases", []string{"int num(int) __attribute__((alias(\"a\"))); " + both}, []string{"int num(int) __attribute__((alias(\"b\"))); " + both}},
		{"weak functions", []string{"int a(int); int main(int c, char **v) { return a(c); }", "__attribute__((weak)) int a(int x) { return x; }", "int a(int x) { return -x; }"},
			[]string{"int a(int); int main(int c, char **v) { return a(c); }", "int a(int x) { return x; }", "__attribute__((weak)) int a(int x) { return -x; }"}},
		{"a function of the library", []string{"#include <stdlib.h>\nint main(int c, char **v) { return atoi(v[0]); }"},
			[]string{"#include <stdlib.h>\nint main(int c, char **v) { return atoi(v[0]); } int atoi(const char *s) { return 7; }"}},
		{"a function that the library calls", []string{"#include <string.h>\nint main(int c, char **v) { return strdup(v[0]) == NULL; }"},
			[]string{"#include <stdlib.h>\n#include <string.h>\nint main(int c, char **v) { return strdup(v[0]) == NULL; } void *malloc(size_t n) { return NULL; }"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			one, other := loadFiles(t, x.one), loadFiles(t, x.other)
			for _, pair := range [][2]*lower.Program{{one, other}, {other, one}} {
				c := NewComparer(&job.Job{Files: []string{"a.c"}}, pair[0])
				defer c.Close()
				e, err := c.Compare(context.Background(), pair[1], time.Now().Add(time.Minute))
				if err != nil {
					t.Fatal(err)
				}
				if got := e.Proof(); got != "" {
					t.Errorf("proof %q", got)
				}
			}
		})
	}
}
