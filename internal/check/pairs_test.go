package check

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// This file runs programs as people write them on both engines: right, and with a mistake that both must report by
// the same name at the same line.

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
				said, at := told(rep)
				if said == "" {
					t.Fatalf("nothing is said of the mistake; %s\n%s", rep.Stopped, out)
				}
				if said != rule || at != line {
					t.Errorf("of the mistake: %s at line %d, want %s at line %d", said, at, rule, line)
				}
			})
		}
	}
}

// stop matches how a fault is written that no rule is about.
var stop = regexp.MustCompile(`^.*:(\d+):\d+: (\w+): `)

// told returns the first rule that fired, or the fault that ended a run, and its line.
func told(r *Result) (rule string, line int) {
	if len(r.Findings) > 0 {
		return r.Findings[0].Rule, r.Findings[0].Line
	}
	if m := stop.FindStringSubmatch(r.Stopped); m != nil {
		line, _ = strconv.Atoi(m[1])
		return m[2], line
	}
	return "", 0
}
