package check

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestReports: the reports of both engines, and of a program that runs alone, say what people ask next: how far
// outside an access is, by which calls, where the block was made and freed, how many blocks are lost, and where the
// last pointer was lost.
func TestReports(t *testing.T) {
	list := append(engines(t), "alone")
	for name, text := range programs(t, "testdata/reports.txtar") {
		for _, engine := range list {
			if engine == "native" && testing.Short() { // as the others, one of which is native, too
				continue
			}
			t.Run(name+"/"+engine, func(t *testing.T) {
				t.Parallel()
				said := reported(t, engine, name, text)
				rest, n := said, 0
				for line := range strings.Lines(text) {
					how, want, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "// ")), " ")
					if !ok || !strings.HasPrefix(line, "// ") || how != "want" && (how != "also" || engine == "alone") {
						continue
					}
					i := strings.Index(rest, want)
					if i < 0 {
						t.Fatalf("no %q, or not in this order, in\n%s", want, said)
					}
					rest, n = rest[i+len(want):], n+1
				}
				if n == 0 {
					t.Error("nothing is wanted of it")
				}
			})
		}
	}
}

// reported returns the report, as people read it, about a program that has an error.
func reported(t *testing.T, engine, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if engine == "alone" {
		bin := file + ".out"
		if code, err := CC(context.Background(), built(t, false), []string{"-g", "-o", bin, file}); code != 0 || err != nil {
			t.Fatal(code, err)
		}
		said, code := output(t, nil, bin)
		if code != 1 {
			t.Errorf("it ends with %d", code)
		}
		return said
	}
	rep, _, err := play(t, engine, file)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	rep.Text(&b)
	return b.String()
}

// TestPiped: input through a pipe is kept for the run on the machine that says where a number came from, as far as it
// was read, also if more may follow.
func TestPiped(t *testing.T) {
	if !slices.Contains(engines(t), "native") {
		t.Skip("no native engine")
	}
	file := filepath.Join(t.TempDir(), "piped.c")
	text := "#include <stdio.h>\nint list[3];\nint main(void)\n{\n\tint k = 0;\n\tscanf(\"%d\", &k);\n\tint at = k + 1;\n\tlist[at] = 1;\n\treturn 0;\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, open := range []bool{false, true} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		defer w.Close()
		_, _ = w.WriteString("2\n")
		if !open {
			w.Close()
		}
		rep, err := Run(context.Background(), &Request{Files: []string{file}, Native: true, Stdin: r, Stdout: io.Discard, Stderr: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		rep.Text(&b)
		for _, want := range []string{"the index came from", "piped.c:7  main: at = k + 1"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("open %v: no %q in\n%s", open, want, b.String())
			}
		}
	}
}
