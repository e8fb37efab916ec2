package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// inventory copies the project of testdata to a folder, which becomes the current one.
func inventory(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/inventory")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
}

// inventorySession steps through the project: list.c is compiled with other flags than main.c and has another struct
// entry; odd.c cannot be parsed.
const inventorySession = `break list_sort
break odd_sum
start
continue
next 3
continue
next
finish
continue
`

var inventoryShows = []string{
	"breakpoint at lib/list.c:24: sorted = NULL;\n",
	"breakpoint at lib/odd.c:10: for (i = 0; i < n; i++) w.value += i;\n",
	"src/main.c:27: head = NULL;\n",
	"│ name \"fig\" │   │ name \"pear\" │",
	"lib/list.c:26: at = &sorted;\n",
	"entries: 2 blank   top { weight 1.5, parent ∅ }",
	"lib/odd.c:10: for (i = 0; i < n; i++) w.value += i;\n",
	"hello, you: 2 7 6 5.2\nodd_sum returned 6\nsrc/main.c:33: p = head;\n",
	"fig\npear\nthe program ended with status 0\n",
}

func checkInventory(t *testing.T, out string, code int) {
	t.Helper()
	if code != exitOK {
		t.Errorf("exit %d", code)
	}
	for _, want := range inventoryShows {
		if !strings.Contains(out, want) {
			t.Errorf("no %q", want)
		}
	}
	if t.Failed() {
		t.Log(out)
	}
}

// TestCompileCommands: a program whose files have flags of their own, and that was never built.
func TestCompileCommands(t *testing.T) {
	inventory(t)
	for range 2 { // the second time objects come from the cache
		out, code := runGulo(t, inventorySession, "debug", "-p", ".", "main", "--", "pear", "fig")
		checkInventory(t, out, code)
	}
	out, code := runGulo(t, "", "debug", "-p", ".")
	if want := "gulo: the build makes several programs; say which one: src/main.c, src/other.c\n"; code != exitUsage || out != want {
		t.Errorf("exit %d: %s", code, out)
	}
}

// TestWatchedBuild: what make compiles and links is recorded, and debugged.
func TestWatchedBuild(t *testing.T) {
	inventory(t)
	out, code := runGulo(t, "start\nstate\n", "debug", "--", "make", "inventory")
	if code != exitOK || !strings.Contains(out, "src/main.c:27: head = NULL;\n") {
		t.Fatalf("exit %d:\n%s", code, out)
	}
	out, code = runGulo(t, inventorySession, "debug", "-p", ".", "--", "pear", "fig")
	checkInventory(t, out, code)
	if !strings.Contains(out, `argv { "inventory", "pear", "fig" }`) {
		t.Error("the program is not called inventory")
	}
	out, code = runGulo(t, "", "debug", "--", "make", "inventory")
	if code != exitOK || !strings.Contains(out, "make inventory compiled nothing; how the program was compiled is known from before\n") {
		t.Errorf("exit %d: %s", code, out)
	}
	out, code = runGulo(t, "start\n", "debug", "--", "make")
	if code != exitUsage || !strings.HasSuffix(out, "say which one: inventory, other; go on with: gulo debug -p . PROGRAM\n") && !strings.Contains(out, "other.c") {
		t.Errorf("exit %d: %s", code, out)
	}
	out, code = runGulo(t, "start\nnext\n", "debug", "-p", ".", "other")
	if code != exitOK || !strings.Contains(out, "another program\n") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// TestBuiltProgram: a built program is opened by its debug information, with the flags of a record or of
// compile_commands.json where there is one.
func TestBuiltProgram(t *testing.T) {
	inventory(t)
	if out, err := exec.Command("make", "CC=gcc -g", "src/other.o", "lib/liblist.a", "src/main.o").CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	for _, args := range [][]string{
		{"-g", "-o", "inventory", "src/main.o", "lib/liblist.a", "-lm"},
		{"-g", "-o", "other", "src/other.o"},
		{"-s", "-o", "stripped", "src/other.o"},
	} {
		if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
			t.Fatal(err, string(out))
		}
	}
	out, code := runGulo(t, inventorySession, "debug", "./inventory", "--", "pear", "fig")
	checkInventory(t, out, code)
	if want := "gulo: ./inventory: its 3 C files are recompiled without optimization "; !strings.HasPrefix(out, want) {
		t.Errorf("no %q", want)
	}
	if err := os.Remove("compile_commands.json"); err != nil {
		t.Fatal(err)
	}
	out, code = runGulo(t, "start\n", "debug", "./inventory")
	if code != exitUsage || !strings.Contains(out, "main.c:12:29: error: 'LIMIT' undeclared") {
		t.Errorf("exit %d: %s", code, out)
	}
	out, code = runGulo(t, inventorySession, "debug", "-DLIMIT=2", `-DGREETING="hello, you"`, "./inventory", "--", "pear", "fig")
	if code != exitOK || !strings.Contains(out, "hello, you: 2 2 6 5.2\n") { // the debug information has no macros
		t.Errorf("exit %d: %s", code, out)
	}
	out, code = runGulo(t, "start\nnext\n", "debug", "./other")
	if code != exitOK || !strings.Contains(out, "another program\n") {
		t.Errorf("exit %d: %s", code, out)
	}
	out, code = runGulo(t, "", "debug", "./stripped")
	if code != exitUsage || !strings.Contains(out, "./stripped") || !strings.Contains(out, "debug information") && !strings.Contains(out, "dwarf") {
		t.Errorf("exit %d: %s", code, out)
	}
	out, code = runGulo(t, "", "debug", "./other", "core")
	if code != exitUsage || !strings.Contains(out, "there is no file core; arguments of the program go after --") {
		t.Errorf("exit %d: %s", code, out)
	}
}

// TestBuildErrors: what is wrong with a build is said with its place.
func TestBuildErrors(t *testing.T) {
	inventory(t)
	for _, c := range []struct{ name, text, want string }{
		{"broken", "[\n{ \"directory\": \".\",, }]", "gulo: broken/compile_commands.json:2:"},
		{"gone", `[{ "directory": ".", "file": "gone.c", "arguments": ["gcc", "-c", "gone.c"] }]`, "gulo: gone names no C file that is there"},
		{"none", "", "gulo: none has no compile_commands.json"},
	} {
		if err := os.MkdirAll(c.name, 0o700); err != nil {
			t.Fatal(err)
		}
		if c.text != "" {
			if err := os.WriteFile(filepath.Join(c.name, "compile_commands.json"), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		out, code := runGulo(t, "", "debug", "-p", c.name)
		if code != exitUsage || !strings.HasPrefix(out, c.want) {
			t.Errorf("%s: exit %d: %s", c.name, code, out)
		}
	}
	if out, code := runGulo(t, "", "debug", "--", "gulo-no-such-command"); code != exitUsage || !strings.Contains(out, "no such command") {
		t.Errorf("exit %d: %s", code, out)
	}
	if out, code := runGulo(t, "", "debug", "--", "false"); code != exitUsage || !strings.Contains(out, "exit status 1") {
		t.Errorf("exit %d: %s", code, out)
	}
}
