package app

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// This file types the commands of the guides by task, docs/guides/*.md, in the order in which they stand, in a folder with
// the examples. What they print is what the guide says.

var updateGuides = flag.Bool("update", false, "write what the commands of docs/guides print into them")

// guideBlock matches a block of a guide; a comment before it makes it a file.
var guideBlock = regexp.MustCompile("(?ms)^(?:<!-- file: (\\S+) -->\n)?```\\w*\n(.*?)^```$")

const guideFolder = "../../docs/guides"

func TestGuides(t *testing.T) {
	guides, err := filepath.Glob(guideFolder + "/*.md")
	if err != nil || len(guides) == 0 {
		t.Fatal(guides, err)
	}
	native := instrumented(t)
	for _, name := range guides {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".md"), func(t *testing.T) {
			if testing.Short() && strings.HasSuffix(name, "class.md") {
				t.Skip("it judges a class, which takes ten seconds of the processor")
			}
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			full, err := filepath.Abs(name)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS("../../examples")); err != nil {
				t.Fatal(err)
			}
			t.Chdir(dir)
			commands := 0
			text := guideBlock.ReplaceAllStringFunc(string(b), func(block string) string {
				m := guideBlock.FindStringSubmatch(block)
				if m[1] != "" {
					if err := os.MkdirAll(filepath.Dir(m[1]), 0o700); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(m[1], []byte(m[2]), 0o600); err != nil {
						t.Fatal(err)
					}
					return block
				}
				if !strings.HasPrefix(m[2], "$ bin/gulo ") {
					return block
				}
				var now strings.Builder
				for _, part := range strings.Split(strings.TrimPrefix(m[2], "$ "), "\n$ ") {
					commands++
					now.WriteString("$ " + typedGuide(t, strings.TrimSuffix(part, "\n"), native) + "\n")
				}
				return strings.Replace(block, m[2], now.String(), 1)
			})
			if commands == 0 {
				t.Error("no command is typed")
			}
			if *updateGuides {
				if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if text != string(b) {
				t.Errorf("docs/guides/%s is not what its commands print: go test ./internal/app -run Guides -update", filepath.Base(full))
			}
		})
	}
}

// typedGuide runs a command of a guide with what is typed in its session, and returns it with its output. A block in
// which the guide leaves lines out ("...") is returned unchanged, if the output has its other lines.
func typedGuide(t *testing.T, part string, native bool) string {
	t.Helper()
	line, printed, _ := strings.Cut(part, "\n")
	words := strings.Fields(strings.TrimPrefix(line, "bin/gulo "))
	switch words[0] {
	case "check":
		if !native && !slices.Contains(words, "machine") {
			return part
		}
	case "fix", "locate": // as on a machine that does nothing else
		if !slices.Contains(words, "--method") {
			words = slices.Insert(words, 1, "--work", "20s")
		}
	case "debug":
		var typed strings.Builder
		for l := range strings.Lines(printed) {
			if command, ok := strings.CutPrefix(l, "(gulo) "); ok {
				typed.WriteString(strings.TrimSuffix(command, "\n") + "\n")
			}
		}
		if err := os.WriteFile("session", []byte(typed.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		words = slices.Insert(words, 1, "--script", "session")
	}
	_, out, errs := gulo(t, "", words...)
	now := strings.TrimRight(out+errs, "\n")
	if !slices.Contains(strings.Split(printed, "\n"), "...") {
		if now != printed {
			t.Logf("%s prints\n%s", line, now)
		}
		return line + "\n" + now
	}
	for l := range strings.SplitSeq(printed, "\n") {
		if l == "..." {
			continue
		}
		_, after, ok := strings.Cut("\n"+now+"\n", "\n"+l+"\n")
		if !ok {
			t.Errorf("%s does not print, or not behind the lines before it:\n%s\nbut\n%s", line, l, now)
			return part
		}
		now = after
	}
	return part
}
