package app

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// This file runs the commands of README.md as users do who are not root, have a low priority, or work in a container.

// typedCommand is a command of README.md that can be typed.
type typedCommand struct {
	line  string
	typed string   // on standard input
	lines []string // of output; "..." stands for any lines
}

// placeholder matches a word that stands for something of the user's.
var placeholder = regexp.MustCompile(`\b[A-Z]{3,}\b`)

// inline matches a command within a text.
var inline = regexp.MustCompile("`(bin/gulo [^`]+)`")

// commands reads the commands of README.md: those of its examples, with what they print, and those in
// its text that can be typed as they stand.
func readmeCommands(t *testing.T) (list []typedCommand) {
	t.Helper()
	b, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var now *typedCommand
	for _, line := range strings.Split(string(b), "\n") {
		code, indented := strings.CutPrefix(line, "    ")
		if command, ok := strings.CutPrefix(code, "$ bin/gulo "); ok && indented {
			list = append(list, typedCommand{line: command})
			now = &list[len(list)-1]
			continue
		}
		if indented && now != nil {
			now.lines = append(now.lines, code)
			if typed, ok := strings.CutPrefix(code, "(gulo) "); ok {
				now.typed += typed + "\n"
			}
			continue
		}
		now = nil
		for _, m := range inline.FindAllStringSubmatch(line, -1) {
			if command := strings.TrimPrefix(m[1], "bin/gulo "); !placeholder.MatchString(command) {
				list = append(list, typedCommand{line: command})
			}
		}
	}
	return list
}

// figure matches a number, or the dash that a table has for none: they depend on how far a search comes.
var figure = regexp.MustCompile(`[0-9.]+|\s-\s`)

// plain returns a line without figures and without the width of columns.
func plain(line string) string {
	return strings.Join(strings.Fields(figure.ReplaceAllString(line, " # ")), " ")
}

// printed looks for the lines of an example in an output, in order and without gaps but for "...". It returns the
// first line that is missing.
func (s *typedCommand) printed(out string) (missing string) {
	have := strings.Split(out, "\n")
	gap := true
	for _, want := range s.lines {
		if want == "..." {
			gap = true
			continue
		}
		at := 0
		for gap && at < len(have) && !strings.Contains(plain(have[at]), plain(want)) {
			at++
		}
		if at >= len(have) || !strings.Contains(plain(have[at]), plain(want)) {
			return want
		}
		have, gap = have[at+1:], false
	}
	return ""
}

// Commands that make the surroundings in which another command runs.
var (
	asUser   = []string{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"}
	behind   = []string{"nice", "-n", "15"}
	noExec   = []string{"unshare", "-m", "sh", "-c", `mount -t tmpfs -o noexec,mode=1777 tmpfs /tmp && exec "$@"`, "sh"}
	noSpaces = []string{"unshare", "-r", "sh", "-c", `echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all --inh-caps=-all "$@"`, "sh"}
)

// place makes a folder, outside of /tmp, in which anybody can type the commands of README.md.
func place(t *testing.T) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	for _, tool := range []string{"setpriv", "nice", "unshare"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	dir, err := os.MkdirTemp("/var/tmp", "gulo-readme")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := `cp -r ../../examples "$1" && mkdir "$1/bin" "$1/home" && cp "$2" "$1/bin/gulo" && chmod -R a+rwX "$1" && chmod a+rx "$1/bin/gulo"`
	if out, err := exec.Command("sh", "-c", script, "sh", dir, self).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// in runs gulo in dir, behind the commands before, which make the surroundings.
func in(t *testing.T, dir, typed string, before []string, args ...string) (code int, out string) {
	t.Helper()
	all := append(append(before[:len(before):len(before)], filepath.Join(dir, "bin/gulo")), args...)
	c := exec.Command(all[0], all[1:]...)
	c.Dir, c.Stdin = dir, strings.NewReader(typed)
	c.Env = []string{asCommand + "=1", "PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(dir, "home"), "LANG=C.UTF-8"}
	var o bytes.Buffer
	c.Stdout, c.Stderr = &o, &o
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), o.String()
}

// join puts one after the other.
func join(list ...[]string) (out []string) {
	for _, l := range list {
		out = append(out, l...)
	}
	return out
}

// TestReadme runs every command of README.md: as an ordinary user, at a low priority, where nothing in /tmp can be
// executed, and with what a container leaves of all that. They print what README.md says. With -short it runs them as
// an ordinary user where nothing in /tmp can be executed, with three submissions of the class; in the container it
// only checks, with two submissions, that gulo says what is missing.
func TestReadme(t *testing.T) {
	list := readmeCommands(t)
	if len(list) < 8 {
		t.Fatalf("README.md has %d commands: %v", len(list), list)
	}
	dir := place(t)
	verdicts := map[string]bool{} // of the class: they are the same everywhere
	ofClass := func(c typedCommand) bool { return strings.HasPrefix(c.line, "campaign ") }
	for _, x := range []struct {
		name   string
		before []string
		lacks  bool   // programs run with less protection, which is said
		few    string // of the class in short; empty: left out there
	}{
		{"both", join(noExec, asUser), false, "carl.c dora.c fritz.c"},
		{"container", join(noExec, asUser, noSpaces), true, "carl.c fritz.c"},
		{"container, low priority", join(noExec, asUser, behind, noSpaces), true, ""},
		{"ordinary user", asUser, false, ""},
		{"low priority", behind, false, ""},
		{"nothing executable in /tmp", noExec, false, ""},
	} {
		if testing.Short() && x.few == "" {
			continue
		}
		t.Run(x.name, func(t *testing.T) {
			if said, err := exec.Command(x.before[0], append(x.before[1:], "true")...).CombinedOutput(); err != nil {
				t.Skipf("%v: %s", err, said)
			}
			folder, submissions := filepath.Join(dir, "examples/class/insert"), 8
			if whole(t, folder); testing.Short() {
				submissions = len(strings.Fields(x.few))
				class(t, folder, x.few)
			}
			os.Remove(filepath.Join(dir, "report.html")) // another user's
			for _, c := range list {
				if testing.Short() && x.lacks && !ofClass(c) {
					continue
				}
				args := strings.Fields(c.line)
				late := slices.Contains(x.before, "nice")                          // behind all others: 20 s of the clock are no time there
				if ofClass(c) || args[0] == "locate" || args[0] == "fix" && late { // however busy the machine is
					args = slices.Insert(args, 1, "--limit", "5m")
				}
				code, out := in(t, dir, c.typed, x.before, args...)
				if missing := c.printed(out); code > exitNegative || code > 0 && args[0] == "fix" || missing != "" {
					t.Errorf("%s: exit %d, %q is not printed\n%s", c.line, code, missing, out)
				}
				if !ofClass(c) {
					continue
				}
				if code != 0 || !strings.Contains(out, fmt.Sprintf("submissions:  %d fixed\n", submissions)) || strings.Contains(out, "less protection") != x.lacks {
					t.Errorf("%s", out)
				}
				said := verdict.FindAllString(out, -1)
				if len(said) != submissions {
					t.Errorf("%d verdicts, not %d\n%s", len(said), submissions, out)
				}
				first := len(verdicts) == 0
				for _, v := range said {
					if !first && !verdicts[v] {
						t.Errorf("%s\nis none of the verdicts elsewhere:\n%s", v, slices.Collect(maps.Keys(verdicts)))
					}
					verdicts[v] = true
				}
			}
		})
	}
}

// verdict matches the line about a submission.
var verdict = regexp.MustCompile(`(?m)^     \w+: .*$`)

// whole copies the class to a folder, without records of earlier runs.
func whole(t *testing.T, dir string) {
	t.Helper()
	script := `rm -rf "$2" && mkdir -m 777 "$2" && cp "$1"/*.c "$2" && chmod a+r "$2"/*`
	from, err := filepath.Abs(insert)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("sh", "-c", script, "sh", from, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// class copies only some submissions of the class to a folder.
func class(t *testing.T, dir string, names string) {
	t.Helper()
	script := `rm -rf "$2" && mkdir -m 777 "$2" && cd "$1" && cp $3 "$2" && chmod a+r "$2"/*`
	from, err := filepath.Abs(insert)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("sh", "-c", script, "sh", from, dir, "reference.c "+names).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
