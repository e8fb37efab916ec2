// Package archtest tests the architecture: who may import whom (imports.txt), and that
// lists in the documents are complete.
package archtest

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"
)

const prefix = "gulo/internal/"

func allowed(t *testing.T) map[string]map[string]bool {
	f, err := os.Open("imports.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]map[string]bool{}
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		line := sc.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		name, rest, ok := strings.Cut(line, ":")
		if !ok {
			t.Fatalf("imports.txt: no colon in %q", line)
		}
		out[name] = map[string]bool{}
		for _, w := range strings.Fields(rest) {
			out[name][w] = true
		}
	}
	return out
}

func TestImports(t *testing.T) {
	rules := allowed(t)
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "gulo/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]map[string]bool{}
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name, internal := strings.CutPrefix(p.ImportPath, prefix)
		if !internal {
			continue
		}
		used[name] = map[string]bool{}
		if rules[name] == nil {
			t.Errorf("%s is not in imports.txt", name)
			continue
		}
		for _, i := range p.Imports {
			if dep, ok := strings.CutPrefix(i, prefix); ok {
				used[name][dep] = true
				if !rules[name][dep] {
					t.Errorf("%s imports %s, which imports.txt does not allow", name, dep)
				}
			}
		}
	}
	for name, deps := range rules {
		if used[name] == nil {
			t.Errorf("imports.txt names %s, which does not exist", name)
			continue
		}
		var extra []string
		for d := range deps {
			if !used[name][d] {
				extra = append(extra, d)
			}
		}
		sort.Strings(extra)
		if len(extra) > 0 {
			t.Errorf("imports.txt allows %s to import %v, which it does not", name, extra)
		}
	}
}

// TestGoroutines: a panic in a goroutine that does not report it is a raw trace.
func TestGoroutines(t *testing.T) {
	started := regexp.MustCompile(`(?m)^\s*go [\w.]+\(|^\s*go func\(|\.Go\(func\(`)
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "../process/") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range started.FindAllIndex(text, -1) {
			line := string(text[m[0]:m[1]])
			if !strings.Contains(string(text[max(0, m[0]-8):m[1]]), "process.Go(") {
				t.Errorf("%s: %q: start it with process.Go, or give it process.Guard", path, strings.TrimSpace(line))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
