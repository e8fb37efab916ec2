package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSanitizersLeftOut: a program is compiled without the checks of sanitizers, and gulo says so, whether the flags
// come from the command line or from its build.
func TestSanitizersLeftOut(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	text := "#include <stdio.h>\nint main(void)\n{\n    printf(\"done\\n\");\n    return 0;\n}\n"
	build := `[{"directory": "` + dir + `", "file": "p.c", "command": "gcc -g -fsanitize=undefined -fno-sanitize=shift -Wall -c p.c -o p.o"}]`
	for name, text := range map[string]string{"p.c": text, "script": "start\ncontinue\n", "compile_commands.json": build} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const note = "gulo: compiled without %s; gulo run and gulo check look for such errors themselves\n"
	for flags, args := range map[string][]string{
		"-fsanitize=address,undefined":                 {"run", "-fsanitize=address,undefined", "p.c"},
		"-fsanitize=thread":                            {"debug", "-Wall", "-fsanitize=thread", "--script", "script", "p.c"},
		"-fsanitize=undefined -fno-sanitize=shift":     {"debug", "-p", ".", "--script", "script", "p.c"},
		"-fsanitize=leak -fsanitize-address-use-after": {"debug", "--engine", "machine", "-fsanitize=leak", "--cflag=-fsanitize-address-use-after", "--script", "script", "p.c"},
	} {
		out, code := runGulo(t, "", args...)
		want := strings.Replace(note, "%s", flags, 1)
		if code != exitOK || !strings.HasPrefix(out, want) || !strings.Contains(out, "done") || strings.Count(out, "compiled without") != 1 {
			t.Errorf("gulo %s: exit %d, want %q and no error:\n%s", strings.Join(args, " "), code, want, out)
		}
	}
	if out, code := runGulo(t, "", "run", "-Wall", "p.c"); code != exitOK || out != "done\n" {
		t.Errorf("without such flags: exit %d\n%s", code, out)
	}
}
