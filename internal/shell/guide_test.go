package shell_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gulo/internal/shell"
)

// The guide with its transcripts is docs/first-session.md; what is not generated
// of it is package session's guide.md.
const (
	guideSource = "../session/guide.md"
	guidePath   = "../../docs/first-session.md"
	examples    = "../../examples/first"
)

var guidePart = regexp.MustCompile(`(?s)<!-- (source|session): (\S+)(.*?)-->\n`)

// TestGuide types the sessions of the guide. On both engines they print what the guide says, and the programs that
// they write print what the guide promises.
func TestGuide(t *testing.T) {
	src, err := os.ReadFile(guideSource)
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"append.c": "1 2 3", "reverse.c": "3 2 1", "tree.c": "20 30 40 50", "drop.c": "9"}
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			out := guidePart.ReplaceAllStringFunc(string(src), func(part string) string {
				m := guidePart.FindStringSubmatch(part)
				if m[1] == "source" {
					return quoteSource(t, filepath.Join(root, examples, m[2]), m[3])
				}
				if testing.Short() && m[2] == "tree.c" {
					return keptSession(t, filepath.Join(root, guidePath), m[2])
				}
				text := filepath.Join(root, examples, m[2])
				dir := t.TempDir()
				t.Chdir(dir)
				if err := os.MkdirAll("examples/first", 0o700); err != nil {
					t.Fatal(err)
				}
				b, err := os.ReadFile(text)
				if err != nil {
					t.Fatal(err)
				}
				name := "examples/first/" + m[2]
				if err := os.WriteFile(name, b, 0o600); err != nil {
					t.Fatal(err)
				}
				var tr bytes.Buffer
				s := newSession(t, engine, nil, name)
				if _, _, err := shell.Script(context.Background(), s, strings.NewReader(strings.TrimSpace(m[3])), &tr); err != nil {
					t.Fatal(err)
				}
				if msg, err := exec.Command("gcc", "-w", "-o", "fixed", "fixed.c").CombinedOutput(); err != nil {
					t.Errorf("%s: %v %s\n%s", m[2], err, msg, tr.String())
				} else if got, _ := exec.Command("./fixed").Output(); strings.TrimSpace(string(got)) != want[m[2]] {
					t.Errorf("%s prints %q", m[2], got)
				}
				return "```\n" + strings.TrimRight(tr.String(), "\n") + "\n```\n"
			})
			t.Chdir(root)
			out = "<!-- Made from internal/session/guide.md by go test ./internal/shell -run Guide -update; do not edit. -->\n\n" + out
			if *update && engine == "machine" {
				if err := os.WriteFile(guidePath, []byte(out), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			got, err := os.ReadFile(guidePath)
			if err != nil || string(got) != out {
				t.Errorf("docs/first-session.md is not what the sessions print: run go test ./internal/shell -run Guide -update (%v)", err)
			}
		})
	}
}

// keptSession returns a session as the guide has it. With -short that of the tree is not played: its first repair
// searches for two minutes of processor time on each engine.
func keptSession(t *testing.T, guide, program string) string {
	t.Helper()
	b, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	first := "```\n(gulo) start\nStarting program...\nexamples/first/" + program
	if _, rest, ok := strings.Cut(string(b), first); ok {
		rest, _, _ = strings.Cut(rest, "\n```\n")
		return first + rest + "\n```\n"
	}
	t.Fatalf("%s has no session of %s", guide, program)
	return ""
}

// TestHelpStart: the commands that help start lists are those of the guide's first session.
func TestHelpStart(t *testing.T) {
	src, err := os.ReadFile(guideSource)
	if err != nil {
		t.Fatal(err)
	}
	var first string
	for _, m := range guidePart.FindAllStringSubmatch(string(src), -1) {
		if m[1] == "session" {
			first = strings.TrimSpace(m[3])
			break
		}
	}
	help, _, err := newSession(t, "machine", nil, filepath.Join(examples, "append.c")).Exec(context.Background(), "help start")
	if err != nil {
		t.Fatal(err)
	}
	_, listed, ok := strings.Cut(help, "examples/first/append.c:\n\n")
	if !ok {
		t.Fatalf("help start does not say which program its commands are for:\n%s", help)
	}
	listed, _, _ = strings.Cut(listed, "\n\n")
	var commands []string
	for line := range strings.Lines(listed) {
		command, _, _ := strings.Cut(strings.TrimSpace(line), "   ")
		commands = append(commands, command)
	}
	if got := strings.Join(append(commands, "quit"), "\n"); got != first {
		t.Errorf("help start lists\n%s\nthe guide has\n%s", got, first)
	}
}

// quoteSource returns lines of a file.
func quoteSource(t *testing.T, path, lines string) string {
	t.Helper()
	var from, to int
	if _, err := fmt.Sscan(lines, &from, &to); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return "```c\n" + strings.Join(strings.Split(string(b), "\n")[from-1:to], "\n") + "\n```\n"
}
