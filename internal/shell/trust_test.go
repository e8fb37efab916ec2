package shell_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/shell"

	"golang.org/x/tools/txtar"
)

// TestFirstShown counts, over all sessions, how often the patch that is shown first makes a program that prints what
// it should, on the inputs of the session and on held-back ones. It does so with verification on generated inputs and
// without (--no-verify). With verification every session must be right. A session in which nothing is chosen is
// already tested by TestSessions.
func TestFirstShown(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no sessions", err)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	right := map[string]int{}
	for _, path := range paths {
		ar, err := txtar.ParseFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		if section(ar, "want") == nil {
			continue // nothing is repaired
		}
		switch filepath.Base(path) {
		case "prints_apart.txtar", "callers_nodes.txtar", "contradicted.txtar":
			continue // the drawing does not say which is meant, and what is printed tells the user
		}
		modes := []string{"repair", "repair --no-verify"}
		if !strings.Contains(string(section(ar, "script").Data), "\nchoose") {
			right[modes[0]]++
			modes = modes[1:]
		}
		if testing.Short() {
			modes = modes[:len(modes)-1]
		}
		for _, mode := range modes {
			var script []string
			for _, l := range strings.Split(string(section(ar, "script").Data), "\n") {
				switch {
				case strings.HasPrefix(l, "choose"):
					continue
				case strings.HasPrefix(l, "repair"):
					l = mode + strings.TrimPrefix(l, "repair")
				}
				script = append(script, l)
			}
			t.Chdir(t.TempDir())
			if err := os.WriteFile("prog.c", section(ar, "prog.c").Data, 0o600); err != nil {
				t.Fatal(err)
			}
			s := newSession(t, "machine", nil, "prog.c")
			var out bytes.Buffer
			if _, _, err := shell.Script(context.Background(), s, strings.NewReader(strings.Join(script, "\n")), &out); err != nil {
				t.Fatal(err)
			}
			ok := prints("fixed.c", string(section(ar, "want").Data))
			if held := section(ar, "held.c"); ok && held != nil {
				if err := os.WriteFile("held.c", held.Data, 0o600); err != nil {
					t.Fatal(err)
				}
				ok = prints("held.c", string(section(ar, "held").Data))
			}
			if ok {
				right[mode]++
			} else {
				t.Logf("%s: %s shows a patch first that is not right", filepath.Base(path), mode)
				if mode == "repair" {
					t.Errorf("%s: the patch shown first is not right", path)
				}
			}
		}
	}
	t.Logf("patches shown first that are right, of %d sessions: %d with verification, %d without", len(paths), right["repair"], right["repair --no-verify"])
}

// prints reports whether a program compiles and prints what it should.
func prints(file, want string) bool {
	if exec.Command("gcc", "-w", "-o", "tried", file).Run() != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "./tried").Output()
	return err == nil && strings.TrimSpace(string(out)) == strings.TrimSpace(want)
}
