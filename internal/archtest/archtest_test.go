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
	"strconv"
	"strings"
	"testing"
)

const prefix = "gulo/internal/"

// layers says what packages may import, and where each of them stands.
type layers struct {
	may   map[string]map[string]bool
	floor map[string]int // from 1
	at    map[string]int // line of imports.txt
}

// down reports whether an import goes to a lower floor, or to what stands above in the list of its own.
func (l *layers) down(from, to string) bool {
	return l.floor[to] < l.floor[from] || l.floor[to] == l.floor[from] && l.at[to] < l.at[from]
}

var floorLine = regexp.MustCompile(`^# Floor (\d+), \w`)

// read reads imports.txt.
func read(t *testing.T) *layers {
	f, err := os.Open("imports.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := &layers{may: map[string]map[string]bool{}, floor: map[string]int{}, at: map[string]int{}}
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for n, floor := 1, 0; sc.Scan(); n++ {
		line := sc.Text()
		if m := floorLine.FindStringSubmatch(line); m != nil {
			if floor++; m[1] != strconv.Itoa(floor) {
				t.Fatalf("imports.txt:%d: floor %s stands where %d should", n, m[1], floor)
			}
			continue
		}
		if line == "" || line[0] == '#' {
			continue
		}
		name, rest, ok := strings.Cut(line, ":")
		switch {
		case !ok:
			t.Fatalf("imports.txt:%d: no colon in %q", n, line)
		case floor == 0:
			t.Fatalf("imports.txt:%d: %s stands on no floor", n, name)
		case out.may[name] != nil:
			t.Fatalf("imports.txt:%d: %s stands there twice", n, name)
		}
		out.may[name], out.floor[name], out.at[name] = map[string]bool{}, floor, n
		for _, w := range strings.Fields(rest) {
			out.may[name][w] = true
		}
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestFloors: imports go down.
func TestFloors(t *testing.T) {
	l := read(t)
	for name, deps := range l.may {
		for d := range deps {
			if l.floor[d] == 0 {
				t.Errorf("%s may import %s, which stands on no floor", name, d)
			} else if !l.down(name, d) {
				t.Errorf("%s on floor %d may import %s, which stands above it on floor %d", name, l.floor[name], d, l.floor[d])
			}
		}
	}
}

func TestImports(t *testing.T) {
	rules := read(t).may
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "../../...").Output()
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
