package shell_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gulo/internal/process"
	"gulo/internal/shell"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// This file has sessions of programs that fork, under gdb. On the machine sessions stay in the first process.

var saidProcesses = regexp.MustCompile(`(?:process|processes|and|last of them|pid|,) (\d+)\b`)

// named replaces the numbers of processes by P1, P2, ... in the order in which the session names them.
func named(text string) string {
	name := map[string]string{}
	for _, line := range strings.Split(text, "\n") {
		if !strings.Contains(line, "process") {
			continue
		}
		for _, m := range saidProcesses.FindAllStringSubmatch(line, -1) {
			if n, _ := strconv.Atoi(m[1]); n > 300 && name[m[1]] == "" {
				name[m[1]] = fmt.Sprintf("P%d", len(name)+1)
			}
		}
	}
	return regexp.MustCompile(`\b\d+\b`).ReplaceAllStringFunc(text, func(n string) string {
		if p := name[n]; p != "" {
			return p
		}
		return n
	})
}

// marks is a variable of the environment by which the processes of one test are known.
const marks = "GULO_TEST_OF_FORKS"

// running lists the processes of a test that run a program which gulo has built into a folder of its own.
func running(test string) map[int]string {
	out := map[int]string{}
	for pid, i := range process.List() {
		exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid))
		env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if err == nil && !i.Dead && strings.HasPrefix(filepath.Base(filepath.Dir(exe)), "gulo-") && bytes.Contains(env, []byte(marks+"="+test+"\x00")) {
			out[pid] = exe
		}
	}
	return out
}

func TestForks(t *testing.T) {
	paths, err := filepath.Glob("testdata/forks/*.txtar")
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
			t.Setenv(marks, path)
			var out bytes.Buffer
			s := newSession(t, "gdb", nil, "prog.c")
			if _, _, err := shell.Script(context.Background(), s, bytes.NewReader(section(ar, "script").Data), &out); err != nil {
				t.Fatal(err)
			}
			s.Close()
			for pid, exe := range running(path) {
				t.Errorf("process %d (%s) is left behind", pid, exe)
			}
			got := named(out.String())
			tr := section(ar, "transcript")
			if *update {
				tr.Data = []byte(got)
				if err := os.WriteFile(filepath.Join(root, path), txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if d := cmp.Diff(string(tr.Data), got); d != "" {
				t.Errorf("transcript (-kept +now):\n%s", d)
			}
			if strings.Contains(string(section(ar, "script").Data), "rewrite fixed.c") {
				fixed(t, "fixed.c", string(section(ar, "want").Data))
			}
		})
	}
}

// TestRunning: a process of a session is seen by running while it is there, and not any more when the session is
// closed.
func TestRunning(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(marks, t.Name())
	if err := os.WriteFile("prog.c", []byte("int main(void) { return 0; }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newSession(t, "gdb", nil, "prog.c")
	if _, _, err := shell.Script(context.Background(), s, strings.NewReader("start\n"), io.Discard); err != nil {
		t.Fatal(err)
	}
	if len(running(t.Name())) == 0 {
		t.Error("the program that stands at its beginning is not seen")
	}
	s.Close()
	for pid, exe := range running(t.Name()) {
		t.Errorf("process %d (%s) is left behind", pid, exe)
	}
}
