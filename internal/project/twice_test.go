package project

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A file that is compiled twice, with nothing built and no link command known, is linked once:
// a program cannot have both.
func TestSameFileTwice(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{
		"main.c":  "int scale(int); int main(void) { return scale(1); }\n",
		"scale.c": "int scale(int v) { return FACTOR * v; }\n",
		"compile_commands.json": `[
{"directory": ".", "file": "main.c", "command": "gcc -c main.c -o main.o"},
{"directory": ".", "file": "scale.c", "arguments": ["gcc", "-DFACTOR=3", "-c", "scale.c", "-o", "scale3.o"]},
{"directory": ".", "file": "scale.c", "command": "gcc -DFACTOR=5 -c scale.c -o scale5.o"}
]`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	db, err := Open(".")
	if err != nil {
		t.Fatal(err)
	}
	p, err := db.Program("")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"main.c", "scale.c"}; !slices.Equal(p.Files, want) || len(p.Options.Link) > 0 {
		t.Errorf("files %v and %v for the linker, want %v and none", p.Files, p.Options.Link, want)
	}
	if u := p.Options.Unit("scale.c"); !slices.Contains(u.Flags, "-DFACTOR=3") {
		t.Errorf("scale.c has the flags %v, want those that come first", u.Flags)
	}
}
