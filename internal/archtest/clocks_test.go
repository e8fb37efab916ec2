package archtest

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// reading is a look at the clock.
var reading = regexp.MustCompile(`\btime\.(Now|Since|Until|After|AfterFunc|NewTimer|NewTicker|Tick)\(|\bcontext\.With(Timeout|Deadline)\(`)

// TestClocks: what a search does must not depend on how fast the machine is, so that its work is bounded by steps
// (package budget), and the clock is a guard. clocks.txt has how often packages of searches read it; none may more often.
func TestClocks(t *testing.T) {
	f, err := os.Open("clocks.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		line := strings.TrimSpace(in.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		var dir string
		var most int
		if _, err := fmt.Sscan(line, &dir, &most); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		files, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(dir), "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files, %v", dir, err)
		}
		n := 0
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			n += len(reading.FindAll(text, -1))
		}
		if n > most {
			t.Errorf("package %s reads the clock %d times, and no more than %d are allowed: bound work by steps (package budget)", dir, n, most)
		}
	}
}
