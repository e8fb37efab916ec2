package app

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/dap"

	proto "github.com/google/go-dap"
)

// coreSource dies in deepest, where the name of the node that it looks at has been freed, or in fatal, which does not
// return.
const coreSource = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int key; char *name; struct node *left, *right; };
static struct node *root;
int counts[4];

static struct node *make(int key, const char *name)
{
    struct node *n = calloc(1, sizeof *n);
    n->key = key;
    n->name = strdup(name);
    return n;
}

static void insert(struct node **at, int key, const char *name)
{
    if (!*at) {
        *at = make(key, name);
        counts[key % 4]++;
    } else
        insert(key < (*at)->key ? &(*at)->left : &(*at)->right, key, name);
}

static int deepest(struct node *n, int depth)
{
    if (n && n->key == 3)
        free(n->name);
    if (!n->left && !n->right)
        return depth;
    return deepest(n->left, depth + 1) + deepest(n->right, depth + 1);
}

static _Noreturn void fatal(void)
{
    abort();
}

int main(int argc, char **argv)
{
    char word[8] = "abc";
    for (int i = 1; i < argc; i++)
        insert(&root, atoi(argv[i]), argv[i]);
    if (argc > 2)
        printf("%s %d\n", word, deepest(root, 0));
    fatal();
}
`

// coreFile compiles coreSource with flags, and runs it with arguments until it dies.
func coreFile(t *testing.T, args string, flags ...string) (exe, core string) {
	t.Helper()
	if _, err := exec.LookPath("gdb"); err != nil {
		t.Skip("gdb is not installed: no core file was made")
	}
	dir := t.TempDir()
	src := filepath.Join(dir, "tree.c")
	exe, core = filepath.Join(dir, "tree"), filepath.Join(dir, "core of tree")
	if err := os.WriteFile(src, []byte(coreSource), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", append(flags, "-o", exe, src)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	old := time.Now().Add(-time.Hour) // whatever the file system's clock does
	if err := os.Chtimes(src, old, old); err != nil {
		t.Fatal(err)
	}
	// The kernel may hand its own core files to another program.
	out, err := exec.Command("gdb", "-nx", "-q", "-batch", "-ex", "set disable-randomization off", "-ex", "run "+args, "-ex", "generate-core-file "+core, exe).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Saved corefile") {
		t.Fatalf("%v\n%s", err, out)
	}
	return exe, core
}

// TestCore looks at core files of programs linked in all the usual ways.
func TestCore(t *testing.T) {
	for _, flags := range [][]string{{"-g"}, {"-g", "-no-pie", "-gdwarf-4"}, {"-g", "-static"}} {
		t.Run(strings.Join(flags, ""), func(t *testing.T) {
			t.Parallel()
			exe, core := coreFile(t, "5 3 8 4", flags...)
			script := "start\nwhere\nprint n\nup\nprint n->key\nprint counts\nprint root->right->key\nup 2\nprint word\nprint argv[2]\nnext\nchange root null\nstart\nundo\nquit\n"
			code, out, errOut := gulo(t, script, "debug", "--script", "-", exe, core)
			for _, want := range []string{"Looking at core file " + core, "segmentation fault (SIGSEGV)", "tree.c:30: if (!n->left && !n->right)", "#2 deepest at", "#3 main at",
				"(gulo) print n\nn = null\n", "n->key = 3\n", "counts = {2, 1, 0, 1}\n", "root->right->key = 8", `word = "abc"`, `argv[2] = "3"`, "freed", `* "5"`,
				"(gulo) next\nerror: a core file shows", "(gulo) change root null\nerror: a core file shows", "(gulo) start\nerror: a core file shows", "undid "} {
				if !strings.Contains(out, want) {
					t.Errorf("no %q", want)
				}
			}
			if code != exitUsage || t.Failed() { // some commands could not be done
				t.Errorf("exit %d\n%s\n%s", code, out, errOut)
			}
		})
	}
}

// TestCoreAtOnce: the picture of a core file is there before start, and every command answers; start
// shows it again, once.
func TestCoreAtOnce(t *testing.T) {
	exe, core := coreFile(t, "5 3 8 4", "-g")
	code, out, errOut := gulo(t, "where\nstate\nprint root->key\nup\nstart\nstart\nquit\n", "debug", "--script", "-", exe, core)
	first, rest, _ := strings.Cut(out, "(gulo) where")
	for _, want := range []string{"Looking at core file " + core, "segmentation fault (SIGSEGV)", "key 5", "freed"} {
		if !strings.Contains(first, want) {
			t.Errorf("no %q before the first command", want)
		}
	}
	for _, want := range []string{"#2 deepest at", "(gulo) state\n", "root->key = 5\n", "(gulo) start\nLooking at core file", "(gulo) start\nerror: a core file shows"} {
		if !strings.Contains(rest, want) {
			t.Errorf("no %q", want)
		}
	}
	if code != exitUsage || t.Failed() { // one start too many
		t.Errorf("exit %d\n%s\n%s", code, out, errOut)
	}
}

// TestCoreNoReturn: behind a call that does not return another function begins; where still names the function that
// made the call.
func TestCoreNoReturn(t *testing.T) {
	_, core := coreFile(t, "1", "-g")
	code, out, errOut := gulo(t, "start\nwhere\nquit\n", "debug", "--script", "-", core)
	if want := "#0 fatal at "; code != 0 || !strings.Contains(out, want) || !strings.Contains(out, "#1 main at ") || !strings.Contains(out, "tree.c:37: abort();") || !strings.Contains(out, "(SIGABRT)") {
		t.Errorf("exit %d, no %q in\n%s\n%s", code, want, out, errOut)
	}
}

// TestCoreRefused: gulo says why a core file cannot be looked at.
func TestCoreRefused(t *testing.T) {
	exe, core := coreFile(t, "5 3", "-g")
	refused := func(want string, args ...string) {
		t.Helper()
		if code, _, errOut := gulo(t, "start\n", append([]string{"debug", "--script", "-"}, args...)...); code != exitUsage || !strings.Contains(errOut, want) {
			t.Errorf("%v: exit %d, %q, not %q", args, code, errOut, want)
		}
	}
	text, err := os.ReadFile(core)
	if err != nil {
		t.Fatal(err)
	}
	short := filepath.Join(t.TempDir(), "core")
	if err := os.WriteFile(short, text[:len(text)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	other, _ := coreFile(t, "5 3", "-g", "-DOTHER", "-Wl,--build-id=md5")
	fast, fastCore := coreFile(t, "5 3", "-g", "-O2")
	bare, bareCore := coreFile(t, "5 3")
	refused("is cut off", exe, short)
	refused("is of another program than", other, core)
	refused("compiled with -O2", fast, fastCore)
	refused("has no debug information", bare, bareCore)
	refused("name a core file after its program", core, exe)
	refused("it takes no arguments", exe, core, "--", "5")
	refused("is no program", filepath.Join(filepath.Dir(exe), "tree.c"), core)
	refused("core files are for gdb", exe, core, "--engine", "machine")
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(filepath.Dir(exe), "tree.c"), later, later); err != nil {
		t.Fatal(err)
	}
	refused("has been changed since", exe, core)
	if err := os.Remove(exe); err != nil {
		t.Fatal(err)
	}
	refused("which is not there", core)
}

// TestCoreInEditor looks at a core file over the Debug Adapter Protocol, and runs a program that
// gcc has built.
func TestCoreInEditor(t *testing.T) {
	exe, core := coreFile(t, "5 3", "-g")
	ask := editor(t)
	ask("initialize", map[string]any{"adapterID": "gulo"}, "initialize")
	ask("launch", map[string]any{"program": exe, "coreFile": core}, "initialized")
	m := ask("configurationDone", nil, "stopped")
	if body := m["body"].(map[string]any); body["reason"] != "exception" || !strings.Contains(body["text"].(string), "SIGSEGV") {
		t.Errorf("it stops for %v", body)
	}
	m = ask("stackTrace", map[string]any{"threadId": 1}, "stackTrace")
	if f := m["body"].(map[string]any)["stackFrames"].([]any)[0].(map[string]any); f["name"] != "deepest" || f["line"] != 30.0 {
		t.Errorf("it stops at %v", f)
	}
	m = ask("evaluate", map[string]any{"expression": "root->left->key", "context": "watch"}, "evaluate")
	if m["body"].(map[string]any)["result"] != "3" {
		t.Error(m)
	}
	ask("disconnect", nil, "disconnect")

	ask = editor(t)
	ask("initialize", map[string]any{"adapterID": "gulo"}, "initialize")
	ask("launch", map[string]any{"program": exe, "args": []string{"7"}, "stopOnEntry": true}, "initialized")
	ask("configurationDone", nil, "stopped")
	m = ask("stackTrace", map[string]any{"threadId": 1}, "stackTrace")
	if f := m["body"].(map[string]any)["stackFrames"].([]any)[0].(map[string]any); f["name"] != "main" {
		t.Errorf("it stops at %v", f)
	}
	ask("disconnect", nil, "disconnect")
}

// editor begins a conversation with the debug adapter. The function that it returns sends a request, and reads
// messages up to the awaited one.
func editor(t *testing.T) func(command string, args any, until string) map[string]any {
	t.Helper()
	cfg, err := adapterConfig()
	if err != nil {
		t.Fatal(err)
	}
	in, toAdapter := io.Pipe()
	fromAdapter, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- dap.Serve(t.Context(), in, out, cfg); _ = out.Close() }()
	r := bufio.NewReader(fromAdapter)
	seq := 0
	return func(command string, args any, until string) map[string]any {
		t.Helper()
		seq++
		text, err := json.Marshal(map[string]any{"seq": seq, "type": "request", "command": command, "arguments": args})
		if err != nil {
			t.Fatal(err)
		}
		if err := proto.WriteBaseMessage(toAdapter, text); err != nil {
			t.Fatal(err)
		}
		for {
			text, err := proto.ReadBaseMessage(r)
			if err != nil {
				t.Fatalf("%s: %v", command, err)
			}
			var m map[string]any
			if err := json.Unmarshal(text, &m); err != nil {
				t.Fatal(err)
			}
			if m["event"] == until || m["type"] == "response" && m["command"] == until {
				if command == "disconnect" {
					if err := <-done; err != nil {
						t.Error(err)
					}
				}
				return m
			}
			if m["success"] == false {
				t.Fatal(m)
			}
		}
	}
}

// TestCoreOptimized: of a program that was compiled with -O2 gulo shows at least the calls.
func TestCoreOptimized(t *testing.T) {
	exe, core := coreFile(t, "5 3 8 4", "-g", "-O2")
	code, _, errOut := gulo(t, "where\n", "debug", "--script", "-", exe, core)
	for _, want := range []string{"was compiled with -O2, which leaves variables where they cannot be followed", "there is no picture:\n  #0 ", " in main ("} {
		if code == 0 || !strings.Contains(errOut, want) {
			t.Errorf("code %d, no %q in:\n%s", code, want, errOut)
		}
	}
}

// TestSanitizeFlag: gcc's sanitizers are left out of what gulo compiles.
func TestSanitizeFlag(t *testing.T) {
	p := writeFile(t, "p.c", "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n    int *a = malloc(8);\n    a[1] = 5;\n    printf(\"%d\\n\", a[1]);\n    free(a);\n    return 0;\n}\n")
	for _, engine := range []string{"gdb", "machine"} {
		code, out, errOut := gulo(t, "start\nnext 2\nprint a[1]\ncontinue\n", "debug", "--engine", engine, "-fsanitize=address,undefined", "--script", "-", p)
		if code != 0 || !strings.Contains(out, "a[1] = 5") || !strings.Contains(out, "ended with status 0") {
			t.Errorf("%s: code %d:\n%s%s", engine, code, out, errOut)
		}
	}
}
