package shell_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gulo/internal/shell"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// This file is sessions of programs with several threads, which run under gdb only.

// threadID is what pthread_create calls a thread: an address.
var threadID = regexp.MustCompile(`\b1407\d{11}\b`)

func TestThreads(t *testing.T) {
	paths, err := filepath.Glob("testdata/threads/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no sessions", err)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("prog.c", section(ar, "prog.c").Data, 0o600); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			s := newSession(t, "gdb", nil, "prog.c")
			if _, _, err := shell.Script(context.Background(), s, bytes.NewReader(section(ar, "script").Data), &out); err != nil {
				t.Fatal(err)
			}
			got := threadID.ReplaceAll(out.Bytes(), []byte("THREAD"))
			tr := section(ar, "transcript")
			if *update {
				tr.Data = got
				if err := os.WriteFile(filepath.Join(root, path), txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if d := cmp.Diff(string(tr.Data), string(got)); d != "" {
				t.Errorf("transcript (-kept +now):\n%s", d)
			}
			if strings.Contains(string(section(ar, "script").Data), "rewrite fixed.c") {
				fixed(t, "fixed.c", string(section(ar, "want").Data))
			}
		})
	}
}

// The machine says what it does not do.
func TestThreadsMachine(t *testing.T) {
	path := write(t, "#include <pthread.h>\nvoid *f(void *p) { return p; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }\n")
	out := run(t, newSession(t, "machine", nil, path), "start\nthreads\nthread 2\nnext")
	for _, want := range []string{"=> 1 main\n", "this engine runs one thread only; gulo debug --engine gdb runs several", "library function pthread_create is not supported: the machine runs one thread"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
}
