package check

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// This file holds both engines against programs as people write them: right, and
// with a mistake that both must report by the same name at the same line.

// variants returns a program of testdata/pairs.txtar without its mistake and with it.
func variants(t *testing.T, name, text string) (right, wrong string) {
	t.Helper()
	choice := regexp.MustCompile(`@([^@]*)@([^@]*)@`)
	right, wrong = choice.ReplaceAllString(text, "$1"), choice.ReplaceAllString(text, "$2")
	if right == wrong || strings.Contains(right, "@") {
		t.Fatalf("%s: a mistake is written @right@wrong@", name)
	}
	return right, wrong
}

func TestPairs(t *testing.T) {
	list := engines(t)
	for name, text := range programs(t, "testdata/pairs.txtar") {
		right, wrong := variants(t, name, text)
		rule, line := wanted(wrong)
		dir := t.TempDir()
		good, bad := filepath.Join(dir, name), filepath.Join(dir, "wrong_"+name)
		for file, text := range map[string]string{good: right, bad: wrong} {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		prints := sync.OnceValues(func() (string, error) { return withGCC(dir, good) })
		for _, engine := range enginesFor(list, name) {
			if strings.HasPrefix(text, nativeOnly) && engine == "machine" {
				continue
			}
			t.Run(name+"/"+engine, func(t *testing.T) {
				t.Parallel()
				want, err := prints()
				if err != nil {
					t.Fatal(err)
				}
				quiet(t, engine, good, want)
				rep, out, err := play(t, engine, bad)
				if err != nil {
					t.Fatal(err)
				}
				if len(rep.Findings) == 0 {
					t.Fatalf("nothing is said of the mistake; %s\n%s", rep.Stopped, out)
				}
				if f := rep.Findings[0]; f.Rule != rule || f.Line != line {
					t.Errorf("of the mistake: %s at line %d, want %s at line %d", f.Rule, f.Line, rule, line)
				}
			})
		}
	}
}
