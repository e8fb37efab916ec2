package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/dap"
)

// TestFollow opens a program whose child is to be followed: by the flag, and as an editor asks for it.
func TestFollow(t *testing.T) {
	file := filepath.Join(t.TempDir(), "forks.c")
	text := "#include <sys/wait.h>\n#include <unistd.h>\nint main(void) {\n    int k = 5;\n    if (fork() == 0)\n        return k + 1;\n    wait(&k);\n    return 0;\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for follow, want := range map[string]string{"child": "the child, ended with status 6", "parent": "the program ended with status 0"} {
		if _, out, errs := gulo(t, "start\ncontinue\n", "debug", "--follow", follow, file); !strings.Contains(out, want) {
			t.Errorf("--follow %s: %s%s", follow, out, errs)
		}
		ses, err := launchFor(t.Context(), &dap.Launch{Program: dap.Files{file}, Follow: follow})
		if err != nil {
			t.Fatal(err)
		}
		if out, _, err := ses.Exec(t.Context(), "start; continue"); err != nil || !strings.Contains(out, want) {
			t.Errorf("launched with follow %s: %s%v", follow, out, err)
		}
		ses.Close()
	}
	for _, args := range [][]string{{"--follow", "both", file}, {"--follow", "child", "--engine", "machine", file}, {"--follow", "child", "--attach", "1", file}} {
		if code, out, errs := gulo(t, "", append([]string{"debug"}, args...)...); code != exitUsage || !strings.Contains(errs, "follow") {
			t.Errorf("%v: exit %d\n%s%s", args, code, out, errs)
		}
	}
}
