package app

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

func gulo(t *testing.T, stdin string, args ...string) (code int, out, errOut string) {
	t.Helper()
	var o, e bytes.Buffer
	code = Main(args, strings.NewReader(stdin), &o, &e)
	return code, o.String(), e.String()
}

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestExitCodes checks the messages and exit codes for input that cannot be used.
func TestExitCodes(t *testing.T) {
	good := "#include <stdio.h>\nint main(void) { puts(\"hi\"); return 4; }\n"
	tests := []struct {
		name, text, want string
		code             int
		args             []string
	}{
		{"status", good, "", 4, nil},
		{"error in line 7", "#include <stdio.h>\n\n\n\n\nint main(void) {\n    int x = ;\n}\n", "p.c:7:13: error: expected expression before ';' token", 2, nil},
		{"not C", "\x7fELF\x00\x01\x02", "error:", 2, nil},
		{"no main", "int f(void) { return 1; }\n", "the program has no function main", 2, nil},
		{"unsupported type", "_Float128 x; int main(void) { x = 1; return 0; }\n", "p.c:1:31: unsupported: the type _Float128 is not supported", 2, nil},
		{"unsupported type, unused", "_Float128 x; int main(void) { return 0; }\n", "", 0, nil},
		{"unsupported asm", "int main(void) { int x = 1; __asm__(\".set one, 1; incl %0\" : \"+r\"(x)); return x; }\n", "inline assembly is not supported", 2, nil},
		{"line directive", "#line 5 \"x.y\"\nint main(void) { return 0; }\n", "", 0, nil},
		{"pack", "#pragma pack(1)\n#include <stddef.h>\nint main(void) { return 0; }\n", "", 0, nil},
		{"unsupported function", "#include <stdio.h>\nint main(void) {\n    return popen(\"true\", \"r\") == NULL;\n}\n", "p.c:3:5: unsupported: popen of true: other programs are not started here; gulo run --exec starts them", 2, nil},
		{"null", "int main(void) {\n    int *p = 0;\n    return *p;\n}\n", "p.c:3:5: null_pointer_deref: read through a null pointer", 139, nil},
		{"brackets", "int main(void) {\n    return " + strings.Repeat("(", 100000) + "0" + strings.Repeat(")", 100000) + ";\n}\n", "p.c:2:1011: error: brackets nested deeper than 1000 levels are not supported", 2, nil},
		{"stack of calls", "int f(int n) { return n + f(n + 1); }\nint main(void) { return f(0); }\n", "stack_exhausted: more than 100000 nested calls", 139, nil},
		{"stack of variables", "int f(int n) { char b[4096]; b[0] = 1; return b[0] + f(n + 1); }\nint main(void) { return f(0); }\n", "stack_exhausted: the stack has more than 64 MiB of local variables", 139, nil},
		{"small blocks", "#include <stdlib.h>\nint main(void) { for (;;) malloc(1); }\n", "memory limit of 4 MiB reached", 3, []string{"--max-memory", "4194304"}},
		{"variable too large", "char g[1L << 40];\nint main(void) { return g[5]; }\n", "variable g has 1099511627776 bytes", 3, nil},
		{"array without bounds", "int main(int c, char **v) { long n = c * (1L << 61); int a[n]; a[0] = 1; return a[0]; }\n", "variable-length array of 2305843009213693952 elements", 1, nil},
		{"memset of too much", "#include <string.h>\nint main(void) { char b[8]; memset(b, 0, (size_t)-1); return 0; }\n", "stack_buffer_overflow", 1, nil},
		{"strncpy of too much", "#include <string.h>\nint main(void) { char b[8]; strncpy(b, \"a\", (size_t)-1); return 0; }\n", "stack_buffer_overflow", 1, nil},
		{"memcpy of too much", "#include <string.h>\nint main(void) { char b[8] = \"\", d[8]; memcpy(d, b, (size_t)-8); return 0; }\n", "_buffer_overflow", 1, nil},
		{"wide", "#include <stdio.h>\nint main(void) { printf(\"%*d\", 2000000000, 1); return 0; }\n", "printf: a width or precision over 67108864", 3, nil},
		{"steps", "int main(void) { for (;;) ; }\n", "step limit of 1000 reached", 3, []string{"--max-steps", "1000"}},
		{"memory", "#include <stdlib.h>\nint main(void) { for (;;) *(char *)malloc(1 << 20) = 1; }\n", "memory limit of 8 MiB reached", 3, []string{"--max-memory", "8388608"}},
		{"output", "#include <stdio.h>\nint main(void) { for (;;) puts(\"x\"); }\n", "output limit of 1000 bytes reached", 3, []string{"--max-output", "1000"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := writeFile(t, "p.c", tt.text)
			code, _, errOut := gulo(t, "", append(append([]string{"run"}, tt.args...), p)...)
			if code != tt.code || !strings.Contains(errOut, tt.want) {
				t.Errorf("code %d (want %d), stderr %q (want %q)", code, tt.code, errOut, tt.want)
			}
		})
	}
}

func TestUsage(t *testing.T) {
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"run"}, "gulo: no source file given; see: gulo run --help"},
		{[]string{"run", "/nonexistent.c"}, "/nonexistent.c: error: cannot read the file: no such file or directory"},
		{[]string{"debug", "--engine", "lldb", "x.c"}, `gulo: --engine is gdb or machine, not "lldb"`},
		{[]string{"debug", "--script", "/nonexistent", "x.c"}, "gulo: cannot read --script /nonexistent: no such file"},
		{[]string{"check", "/nonexistent.c"}, "/nonexistent.c: error: cannot read the file: no such file or directory"},
		{[]string{"check", os.TempDir()}, "error: cannot read the file: it is a folder; name the C files in it"},
		{[]string{"fix", "--contract", "/nonexistent.json", "x.c"}, "x.c: error: cannot read the file"},
		{[]string{"frobnicate"}, "gulo: there is no command gulo frobnicate; commands: gulo --help"},
		{[]string{"chekc", "x.c"}, "there is no command gulo chekc; did you mean check?; commands: gulo --help"},
		{[]string{"campaign", "begin"}, "there is no command gulo campaign begin; commands: gulo campaign --help"},
		{[]string{"rules", "list2"}, "there is no command gulo rules list2; did you mean list?"},
		{[]string{"help", "frobnicate"}, "there is no command gulo frobnicate; commands: gulo --help"},
		{[]string{"completion", "tcsh"}, "there is no command gulo completion tcsh"},
		{[]string{"fix", "--limit", "5", "--memory", "x.c"}, "gulo: --limit 5: write a time with its unit, such as 20s or 2m; see: gulo fix --help"},
		{[]string{"fix", "--limit", "-3s", "--memory", "x.c"}, "gulo: --limit -3s: write a time that is longer than nothing"},
		{[]string{"campaign", "run", "--limit", "0s", "class"}, "gulo: --limit 0s: write a time"},
		{[]string{"run", "--max-steps", "-1", "x.c"}, "gulo: --max-steps -1: a number below 0 makes no sense here; see: gulo run --help"},
		{[]string{"fix", "--tests", "ok.c"}, "gulo: no source file given: ok.c was taken for the DIR of --tests; write: gulo fix --tests DIR ok.c; see"},
		{[]string{"locate", "--reference", "ok.c"}, "ok.c was taken for the FILE of --reference; write: gulo locate --reference FILE ok.c; see"},
		{[]string{"fix", "--tests", "/nowhere", "../../examples/max.c"}, "gulo: cannot read --tests /nowhere: no such file or directory; name a folder of whole runs, NAME.out with NAME.in"},
		{[]string{"fix", "--tests", "/nowhere", "--reference", "../../examples/max.c", "../../examples/max.c"}, "gulo: cannot read --tests /nowhere: no such file"},
		{[]string{"locate", "--tests", "/nowhere", "../../examples/max.c"}, "gulo: cannot read --tests /nowhere: no such file"},
		{[]string{"fix", "--mistakes", "/nowhere", "--memory", "../../examples/max.c"}, "gulo: cannot read --mistakes /nowhere: no such file or directory; name a file of mistakes; docs/mistakes.md"},
		{[]string{"fix", "--inputs", "/nowhere", "--assert", "../../examples/max.c"}, "gulo: cannot read --inputs /nowhere: no such file"},
		{[]string{"fix", "--stdin", "/nowhere", "--memory", "../../examples/max.c"}, "gulo: cannot read --stdin /nowhere: no such file"},
		{[]string{"fix", "--right", "/nowhere", "--tests", ".", "../../examples/max.c"}, "gulo: --right /nowhere: there is no such file or folder"},
		{[]string{"debug", "-p", "/nowhere"}, "gulo: cannot read --build /nowhere: no such file or directory; name the folder with compile_commands.json"},
		{[]string{"web", "--explain", "/nowhere"}, "gulo: cannot read --explain /nowhere: no such file"},
		{[]string{"campaign", "run", "/nowhere"}, "gulo: /nowhere is no folder: there is nothing of this name; name the folder with the submissions"},
		{[]string{"campaign", "run", "--tests", "/nowhere", "."}, "gulo: cannot read --tests /nowhere: no such file or directory; name a folder of whole runs"},
		{[]string{"campaign", "run", "--reference", "/nowhere", "."}, "gulo: cannot read --reference /nowhere: no such file"},
		{[]string{"list.c"}, "gulo: list.c is no command; to step through it: gulo debug list.c; other commands: gulo --help"},
		{[]string{"debug", "list.c", "a", "30"}, "gulo: there is no file a; arguments of the program go after --, as in: gulo debug list.c -- a 30"},
		{[]string{"fix", "--memory", "list.c", "3"}, "arguments of the program go after --, as in: gulo fix ... list.c -- 3"},
		{[]string{"run", "--nope"}, "unknown flag: --nope; see: gulo run --help"},
	}
	for _, tt := range tests {
		code, _, errOut := gulo(t, "", tt.args...)
		if code != 2 || !strings.Contains(errOut, tt.want) {
			t.Errorf("%v: code %d, stderr %q, want %q", tt.args, code, errOut, tt.want)
		}
	}
}

// TestScriptCodes: a script whose commands make no sense is bad input; one whose commands get "no" for an answer is
// not.
func TestScriptCodes(t *testing.T) {
	p := writeFile(t, "p.c", "#include <stddef.h>\nint x;\nvoid f(void)\n{\n    x = 1;\n}\nint main(void)\n{\n    f();\n    return 0;\n}\n")
	tests := []struct {
		script, want string
		code         int
	}{
		{"start\ncontinue\n", "the program ended with status 0\n", 0},
		{"start\nchange nope 1\n", "error: no variable, node or field nope here\n", 2},
		{"start\nchange x null\n", "error: x is of type int; \"null\" is no integer\n", 2},
		{"start\nenter\n", "error: enter works at the condition of a loop or branch; the next statement is f();\n", 2},
		{"start\nrepair\n", "error: nothing is asserted yet: step into the function, correct the picture with change, then use spec\n", 2},
		{"start\nstep\nspec\nnext\nspec\nchange x 7\nspec\nrepair\n", "error: no repair exists: the assertions contradict each other at checkpoint 1 and checkpoint 2\n", 1},
		{"start\nstep\nspec\nnext\nchange x 77\nspec\nlock 5\nrepair --slots 0\n", "error: no repair found: none of the edits searched gives x = 77 at checkpoint 1; check that assertion, or allow more with unlock and --scope\n", 1},
		{"start\nstep\nspec\nnext\nchange x 77\nspec\nrepair --limit 1ns\n", "error: no repair found within the time limit of 1ns; assert more states in between, lock lines that are right, or allow more with --limit\n", 1},
		{"start\nresume 3\n", "error: there is no checkpoint yet; spec makes one\n", 2},
	}
	for _, tt := range tests {
		code, out, errOut := gulo(t, tt.script, "debug", "--engine", "machine", "--script", "-", p)
		if code != tt.code || !strings.Contains(out, tt.want) {
			t.Errorf("%q: code %d (want %d), no %q in:\n%s%s", tt.script, code, tt.code, tt.want, out, errOut)
		}
	}
}

func TestRunStdin(t *testing.T) {
	p := writeFile(t, "p.c", "#include <stdio.h>\nint main(int c, char **v) { int a; scanf(\"%d\", &a); printf(\"%d %s\\n\", a + 1, v[1]); return 0; }\n")
	code, out, errOut := gulo(t, "41", "run", p, "--", "arg")
	if code != 0 || out != "42 arg\n" {
		t.Errorf("code %d out %q err %q", code, out, errOut)
	}
}

// TestOverreads reads behind the end of a string literal. With --allow-overreads such bytes may be copied, but not
// used, and not farther than is stated.
func TestOverreads(t *testing.T) {
	for _, x := range []struct {
		read, use string
		flags     []string
		code      int
		says      string
	}{
		{"8", "b[2]", nil, 1, "read of 8 bytes at offset 0 of \"abc\\x00\" of 4 bytes\n"},
		{"8", "b[2]", nil, 1, "--allow-overreads goes on"},
		{"8", "b[2]", []string{"--allow-overreads"}, 'c', ""},
		{"8", "b[6]", []string{"--allow-overreads"}, 1, "uninitialized_read: read of 1 byte at offset 6 of b"},
		{"8", "b[6]", []string{"--allow-overreads", "--allow-uninitialized"}, 0, ""},
		{"80", "b[2]", []string{"--allow-overreads"}, 1, "read of 80 bytes at offset 0 of \"abc\\x00\" of 4 bytes\n"},
	} {
		p := writeFile(t, "p.c", "#include <string.h>\nint main(void) {\n    const char *s = \"abc\";\n    char b[100];\n    memcpy(b, s, "+x.read+");\n    return "+x.use+" + 0;\n}\n")
		code, out, errOut := gulo(t, "", append(append([]string{"run"}, x.flags...), p)...)
		if code != x.code || !strings.Contains(errOut, x.says) || x.says == "" && errOut != "" {
			t.Errorf("%s bytes, %s, %v: code %d, %s%s", x.read, x.use, x.flags, code, out, errOut)
		}
	}
}

func TestTraceShowsWhereNullCameFrom(t *testing.T) {
	p := writeFile(t, "p.c", "struct n { struct n *next; };\nstatic struct n a;\nstruct n *get(struct n *x) {\n    return x->next;\n}\nint main(void) {\n    a.next = 0;\n    struct n *p = get(&a);\n    p->next = p;\n    return 0;\n}\n")
	code, _, errOut := gulo(t, "", "run", "--trace", p)
	if code != 139 || !strings.Contains(errOut, "null stored at "+p+":7") {
		t.Errorf("code %d, stderr:\n%s", code, errOut)
	}
}

// children returns the processes below a process.
func children(pid int) []int {
	var out []int
	tasks, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/children")
	for _, f := range tasks {
		b, _ := os.ReadFile(f)
		for _, w := range strings.Fields(string(b)) {
			if c, err := strconv.Atoi(w); err == nil {
				out = append(append(out, c), children(c)...)
			}
		}
	}
	return out
}

func alive(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	f := strings.Fields(string(b[bytes.LastIndexByte(b, ')')+1:]))
	return len(f) > 0 && f[0] != "Z"
}

// TestKilled kills gulo in the middle of a session: neither gdb nor the
// program may live on.
func TestKilled(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range []string{"start\n", "start\ncontinue\n"} {
		p := writeFile(t, "p.c", "#include <stdio.h>\nint main(void) { puts(\"running\"); for (;;) ; }\n")
		cmd := exec.Command(self, "debug", "--script", "-", p)
		cmd.Env = append(os.Environ(), asCommand+"=1")
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := in.Write([]byte(script)); err != nil {
			t.Fatal(err)
		}
		var kids []int
		for end := time.Now().Add(40 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			// gcc has two processes, too, but not for long.
			if kids = children(cmd.Process.Pid); len(kids) >= 2 {
				time.Sleep(500 * time.Millisecond)
				if again := children(cmd.Process.Pid); slices.Equal(again, kids) {
					break
				}
			}
		}
		if len(kids) < 2 {
			t.Fatalf("gdb and the program did not start: %v", kids)
		}
		_ = cmd.Process.Signal(syscall.SIGKILL)
		_ = cmd.Wait()
		left := kids
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end) && len(left) > 0; time.Sleep(50 * time.Millisecond) {
			left = nil
			for _, k := range kids {
				if alive(k) {
					left = append(left, k)
				}
			}
		}
		if len(left) > 0 {
			t.Errorf("after %q and kill -9 these processes live on: %v", script, left)
		}
	}
}

// TestStandardInput: with commands from a script, the program reads standard input; if that is empty, its input comes
// from the commands.
func TestStandardInput(t *testing.T) {
	p := writeFile(t, "twice.c", "#include <stdio.h>\nint main(void)\n{\n    int n, k = 0;\n    while (scanf(\"%d\", &n) == 1)\n        k += n;\n    printf(\"sum %d\\n\", k);\n    return 0;\n}\n")
	for _, engine := range []string{"machine", "gdb"} {
		for _, tt := range []struct{ stdin, script, want string }{
			{"1 2\n39\n", "start\nuntil 7\nundo\nuntil 7\ncontinue\nstart\ncontinue\n", "sum 42\nthe program ended with status 0\n(gulo) start\nthe program is run again; what was done before cannot be undone any more\nStarting program...\n" + p + ":4: k = 0;\n n ?\n(gulo) continue\nsum 42\n"},
			{"", "start\ncontinue\n1 2\ninput 3\ninput --end\n", "sum 6\n"},
		} {
			script := writeFile(t, "commands", tt.script)
			code, out, errOut := gulo(t, tt.stdin, "debug", "--engine", engine, "--script", script, p)
			if code != 0 || !strings.Contains(out, tt.want) {
				t.Errorf("%s: %d %s%s", engine, code, out, errOut)
			}
		}
	}
}
