package shell_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/user"
)

// This file plays users who correct one fault, go on with the run, and come to another. The programs of testdata/two
// have two faults each, in one function or in two, which the first line names.

// faulty reads a program of testdata/two.
func faulty(t *testing.T, path string) (fns []string, wrong, right string) {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(b), "\n")
	fns = strings.Fields(strings.TrimPrefix(lines[0], "//"))
	var w, r []string
	for _, text := range lines {
		before, after, fault := strings.Cut(text, "//!")
		if !fault {
			w, r = append(w, text), append(r, text)
			continue
		}
		indent := text[:len(text)-len(strings.TrimLeft(text, " "))]
		w, r = append(w, strings.TrimRight(before, " ")), append(r, indent+strings.TrimSpace(after))
	}
	return fns, strings.Join(w, "\n"), strings.Join(r, "\n")
}

// goOn plays a user who looks at the end of every call of some functions. Where the picture differs from that of the
// right program, the user draws it, repairs, and goes on. goOn returns whether the program is right in the end, and
// the number of repairs.
func goOn(t *testing.T, path, engine string) (right bool, repairs int, d *drawer) {
	t.Helper()
	fns, wrong, text := faulty(t, path)
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"prog.c": wrong, "right.c": text} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d = &drawer{User: user.User{Session: newSession(t, engine, nil, "prog.c")}, t: t, right: newSession(t, "machine", nil, "right.c")}
	d.both("start")
	for _, fn := range fns {
		d.both("break " + fn)
	}
	for range 12 {
		if here, there := d.both("continue"); strings.Contains(here+there, "the program ended") {
			break
		}
		d.both("finish")
		if d.Difference(user.Shown(d.right)) == nil {
			continue
		}
		d.draw(false)
		d.do("spec")
		if out := d.do("repair"); strings.Contains(out, "Found a repair") {
			repairs++
		}
	}
	d.do("rewrite fixed.c")
	return held(t, "fixed.c") == held(t, "right.c"), repairs, d
}

func TestTwoFaults(t *testing.T) {
	paths, err := filepath.Glob("testdata/two/*.c")
	if err != nil || len(paths) == 0 {
		t.Fatal("no programs", err)
	}
	for i, p := range paths {
		if testing.Short() && i%4 != 0 {
			continue
		}
		if paths[0], err = filepath.Abs(p); err != nil {
			t.Fatal(err)
		}
		abs := paths[0]
		t.Run(strings.TrimSuffix(filepath.Base(p), ".c"), func(t *testing.T) {
			var texts []string
			for _, engine := range enginesFor(i) {
				right, repairs, d := goOn(t, abs, engine)
				if !right || repairs == 0 || repairs > 3 || d.commands > 30 {
					t.Errorf("%s: right on other inputs: %v; %d repairs, %d commands\n%s", engine, right, repairs, d.commands, d.Log.String())
				}
				texts = append(texts, d.Log.String())
			}
			if last := texts[len(texts)-1]; last != texts[0] {
				t.Errorf("machine\n%s\ngdb\n%s", texts[0], last)
			}
		})
	}
}
