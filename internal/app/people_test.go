package app

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestPeople asks about programs as first-time users bring them, and holds what a person would be told. Each file of
// testdata/people has commands, with the exit code and with what the answer has and does not have, then the program.
func TestPeople(t *testing.T) {
	files, err := filepath.Glob("testdata/people/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	native := instrumented(t)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			if testing.Short() && strings.HasSuffix(file, "freed_and_lost.txtar") {
				t.Skip("it takes ten seconds of the processor; two_errors is searched in the same way")
			}
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			program := map[string]string{}
			for _, f := range a.Files {
				program[f.Name] = string(f.Data)
			}
			writeTree(t, program)
			asked, answer := 0, ""
			for line := range strings.Lines(string(a.Comment)) {
				word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
				switch word {
				case "$":
					asked++
					var code int
					code, answer = askedAs(t, rest, native)
					answer = "exit " + strconv.Itoa(code) + "\n" + answer
				case "exit":
					if !strings.HasPrefix(answer, "exit "+rest+"\n") {
						t.Errorf("want exit %s:\n%s", rest, answer)
					}
				case "has", "not":
					if strings.Contains(answer, rest) != (word == "has") {
						t.Errorf("%s %s:\n%s", word, rest, answer)
					}
				}
			}
			if asked == 0 {
				t.Error("nothing is asked")
			}
		})
	}
}

// askedAs returns what gulo says to a line of a shell: words, and the file that standard input is read from.
func askedAs(t *testing.T, line string, native bool) (int, string) {
	t.Helper()
	line, in, _ := strings.Cut(strings.TrimPrefix(line, "gulo "), " < ")
	stdin := ""
	if in != "" {
		text, err := os.ReadFile(in)
		if err != nil {
			t.Fatal(err)
		}
		stdin = string(text)
	}
	words := strings.Fields(line)
	switch words[0] {
	case "check":
		if !native {
			t.Skip("native debuggers need bin/gulo-instrument: make instrument")
		}
	case "fix", "locate": // as on a machine that does nothing else
		words = slices.Insert(words, 1, "--work", "20s")
	}
	code, out, errs := gulo(t, stdin, words...)
	return code, out + errs
}
