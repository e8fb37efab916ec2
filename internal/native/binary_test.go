package native

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/process"
	"gulo/internal/sandbox"
)

// TestBinary compiles a program and says of its runs how they end.
func TestBinary(t *testing.T) {
	dir, err := process.TempDir("gulo-binary") // which whom the program runs as may enter
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	src := filepath.Join(dir, "p.c")
	text := `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    if (argc < 2) return 3;
    if (!strcmp(argv[1], "crash")) *(volatile int *)argv = *(volatile int *)8;
    if (!strcmp(argv[1], "spin")) for (;;) ;
    if (!strcmp(argv[1], "talk")) for (;;) puts("and on");
    char line[20];
    printf("%s-%s", argv[1], fgets(line, sizeof line, stdin));
    return 0;
}
`
	if err := os.WriteFile(src, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := Link(context.Background(), dir, "program", src)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ arg, want string }{
		{"hello", ""},
		{"other", `it prints "other-x" instead of "hello-x"`},
		{"", "it prints \"\" instead of \"hello-x\""},
		{"crash", "it is stopped by SIGSEGV"},
		{"spin", "it is stopped after 1s"},
		{"talk", "it is stopped: it prints without end"},
	} {
		l := sandbox.Limits{Time: 30 * time.Second, Weak: true}
		if x.arg == "spin" {
			l.Time = time.Second
		}
		var args []string
		if x.arg != "" {
			args = []string{x.arg}
		}
		p, err := b.Run(context.Background(), l, "x", args...)
		if err != nil {
			t.Fatal(err)
		}
		if x.arg == "spin" && p.Endless() && strings.HasPrefix(p.Differs("", 0), "it is stopped after") {
			continue // how late it was stopped is the machine's
		}
		if got := p.Differs("hello-x", 0); got != x.want {
			t.Errorf("%s: %q, not %q", x.arg, got, x.want)
		}
	}
	_, err = Link(context.Background(), dir, "none", filepath.Join(dir, "missing.c"))
	var ce *CompileError
	if !errors.As(err, &ce) || !strings.Contains(ce.First(), "missing.c") {
		t.Errorf("%v", err)
	}
}
