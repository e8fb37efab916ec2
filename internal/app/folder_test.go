package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const copies = `#include <stdio.h>
int main(void)
{
    char line[32];
    FILE *in = fopen("in.txt", "r"), *out = fopen("out.txt", "w");
    if (in == NULL || out == NULL)
        return 1;
    while (fgets(line, sizeof line, in))
        fputs(line, out);
    fclose(in);
    return fclose(out);
}
`

// TestSessionFiles: programs in sessions read files on both engines. On the machine, what they write is only kept
// with --files.
func TestSessionFiles(t *testing.T) {
	for _, flags := range [][]string{{"--engine", "machine"}, {"--engine", "machine", "--files", "."}, {"--engine", "gdb"}} {
		t.Chdir(t.TempDir())
		for name, text := range map[string]string{"copies.c": copies, "in.txt": "one\ntwo\n"} {
			if err := os.WriteFile(filepath.Clean(name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		code, out, errOut := gulo(t, "start\nnext 4\nprint line\ncontinue\n", append(append([]string{"debug"}, flags...), "--script", "-", "copies.c")...)
		if code != 0 || !strings.Contains(out, `line = "one\n"`) || !strings.Contains(out, "the program ended with status 0") {
			t.Errorf("%v: %d\n%s%s", flags, code, out, errOut)
		}
		got, _ := os.ReadFile("out.txt")
		if want := map[bool]string{true: "", false: "one\ntwo\n"}[len(flags) == 2 && flags[1] == "machine"]; string(got) != want {
			t.Errorf("%v: wrote %q, want %q", flags, got, want)
		}
	}
	if code, _, errOut := gulo(t, "", "debug", "--files", ".", "copies.c"); code != exitUsage || !strings.Contains(errOut, "--files is for the machine") {
		t.Errorf("%d %s", code, errOut)
	}
}
