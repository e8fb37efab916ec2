package check

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"

	"golang.org/x/tools/txtar"
)

// This file runs small programs on both engines: those with an error must stop just before it, those without must end
// as they do natively.

const (
	onMachineOnly = "// machine only\n"
	nativeOnly    = "// native only\n"
)

func engines(t *testing.T) []string {
	t.Helper()
	if _, err := exec.LookPath(Clang); err != nil {
		t.Skip("native debuggers need " + Clang)
	}
	bin, err := filepath.Abs("../../bin/gulo-instrument")
	if err == nil {
		_, err = os.Stat(bin)
	}
	if err != nil {
		t.Skip("native debuggers need bin/gulo-instrument: make instrument")
	}
	os.Setenv("GULO_INSTRUMENT", bin) // not t.Setenv: tests run side by side
	return []string{"machine", "native"}
}

// enginesFor returns the engines for a program. With -short only a twelfth of the programs, drawn by a hash of their
// names, is also compiled natively.
func enginesFor(list []string, name string) []string {
	h := fnv.New32a()
	h.Write([]byte(name))
	if testing.Short() && h.Sum32()%12 != 0 {
		return []string{"machine"}
	}
	return list
}

func programs(t *testing.T, archive string) map[string]string {
	t.Helper()
	a, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range a.Files {
		out[f.Name] = string(f.Data)
	}
	return out
}

// play runs a program on an engine and returns its report and output.
func play(t *testing.T, engine, file string) (*Result, string, error) {
	t.Helper()
	var out bytes.Buffer
	rep, err := Run(context.Background(), &Request{
		Files: []string{file}, Native: engine == "native", Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out,
		Options: cfront.Options{}, MaxSteps: 10_000_000,
	})
	return rep, out.String(), err
}

// wanted finds the rule and the line that a program's comment names.
func wanted(text string) (rule string, line int) {
	for i, l := range strings.Split(text, "\n") {
		if _, r, ok := strings.Cut(l, "// want "); ok {
			return strings.TrimSpace(r), i + 1
		}
	}
	return "", 0
}

func TestBugs(t *testing.T) {
	list := engines(t)
	all := programs(t, "testdata/bugs.txtar")
	if len(all) < 60 {
		t.Errorf("%d programs", len(all))
	}
	for name, text := range all {
		rule, line := wanted(text)
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, engine := range enginesFor(list, name) {
			if strings.HasPrefix(text, onMachineOnly) && engine != "machine" || strings.HasPrefix(text, nativeOnly) && engine != "native" {
				continue
			}
			t.Run(name+"/"+engine, func(t *testing.T) {
				t.Parallel()
				rep, out, err := play(t, engine, file)
				if err != nil {
					t.Fatal(err)
				}
				if len(rep.Findings) == 0 {
					t.Fatalf("nothing fires; %s\n%s", rep.Stopped, out)
				}
				if f := rep.Findings[0]; f.Rule != rule || f.Line != line {
					t.Errorf("%s at line %d, want %s at line %d", f.Rule, f.Line, rule, line)
				}
			})
		}
	}
}

// TestGets: a line that does not fit stops the program in the call of gets, whether the program declares gets, or
// strdup, itself or not at all.
func TestGets(t *testing.T) {
	for _, engine := range engines(t) {
		for name, declared := range map[string]string{"itself": "char *gets(char *);\nchar *strdup(const char *);", "not at all": "#include <string.h>\n"} {
			file := filepath.Join(folder(t, map[string]string{"x.c": "#include <stdio.h>\n" + declared + `
void free(void *);
int main(void)
{
    char name[8], *copy;
    gets(name);
    copy = strdup(name);
    puts(copy);
    free(copy);
    gets(name);
    return 0;
}
`}), "x.c")
			var out bytes.Buffer
			rep, err := Run(context.Background(), &Request{Files: []string{file}, Native: engine == "native", Stdin: strings.NewReader("1234567\n12345678\n"), Stdout: &out, Stderr: &out, MaxSteps: 1_000_000})
			if err != nil {
				t.Fatal(err)
			}
			if len(rep.Findings) != 1 || rep.Findings[0].Rule != "stack_buffer_overflow" || rep.Findings[0].Line != 12 || out.String() != "1234567\n" {
				t.Errorf("%s, declared %s: %+v, %q", engine, name, rep, &out)
			}
		}
	}
}

// valueless has functions that end without a value; the arguments choose which use of it is made.
const valueless = `#include <stdio.h>
#include <stdlib.h>
int dead(int x) { if (x) return 1; }
int twice(int x) { dead(x); return x; }
int (*volatile by)(int) = dead;
int fact(int n) {
  if (n == 0) return 1;
  n * fact(n - 1);
}
static int sw(int x) { switch (x) { case 0: return 1; default: exit(x); } }
static int loop(int n) { while (1) { if (n-- == 0) return 3; } }
int main(int argc, char **argv)
{
    (void)argv;
    dead(0);
    (void)dead(0);
    argc > 1 ? dead(0) : dead(1);
    dead(0), dead(0);
    printf("%d %d %d\n", twice(0), sw(0), loop(2));
    printf("%d\n", dead(1));
    printf("%d\n", by(1));
    if (argc == 1) {
        by(0);
        return by(0);
    }
    if (argc == 2) { int y = dead(0); return 0; }
    if (argc == 3) return fact(3) > 100;
}
`

// TestMissingReturn: both engines stop where a function ended without a value that its caller uses, and only there.
// TestCrashes: a crash that no rule foresees has its place on both engines, in a library function the line of the call. The
// program's own handler comes first, and GULO_CRASHES=0 leaves the signal alone.
func TestCrashes(t *testing.T) {
	const head = "#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nstruct s { char name[8]; char *next; };\nstatic void caught(int s) { exit(s != SIGSEGV); }\nint main(int argc, char **argv)\n{\n"
	for _, x := range []struct{ text, want string }{
		{"    struct s a = {\"a\", \"b\"};\n    memcpy(a.name, \"0123456789abcdef\", sizeof a);\n    return *a.next;\n", "x.c:11: wild_pointer_deref"},
		{"    struct s a = {\"a\", \"b\"};\n    memcpy(a.name, \"0123456789abcdef\", sizeof a);\n    printf(\"%s\\n\", a.next);\n    return 0;\n", "x.c:11: wild_pointer_deref"},
		{"    return 10 / (argc - 1);\n", "x.c:9: division_by_zero"},
		{"    char big[argc * 1000];\n    big[0] = 0;\n    return main(argc + 1, argv) + big[0];\n", "x.c:9: stack_exhausted"},
		{"    char *p = (char *)strtol(\"12345678\", NULL, 16);\n    signal(SIGSEGV, caught);\n    return *p;\n", ""},
	} {
		file := filepath.Join(folder(t, map[string]string{"x.c": head + x.text + "}\n"}), "x.c")
		for _, engine := range engines(t) {
			rep, err := Run(context.Background(), &Request{Files: []string{file}, Native: engine == "native", Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard, MaxSteps: 100_000_000})
			if err != nil {
				t.Fatal(err)
			}
			at := regexp.MustCompile(`(x\.c:\d+):\d+`).ReplaceAllString(rep.Stopped, "$1")
			if engine == "machine" && x.want == "" || strings.Contains(x.want, "exhausted") && engine == "machine" {
				continue // there it is an error of its own, and the stack has another size
			}
			if x.want == "" != (rep.Stopped == "") || !strings.Contains(at, x.want) || rep.Exit != 0 && x.want == "" {
				t.Errorf("%s: %+v, want %s of\n%s", engine, rep, x.want, x.text)
			}
		}
	}
	d := debugger(t)
	bin := filepath.Join(t.TempDir(), "program")
	cc(t, d, filepath.Join(folder(t, map[string]string{"x.c": head + "    return 10 / (argc - 1);\n}\n"}), "x.c"), "-o", bin)
	if out, code := output(t, nil, bin); code != 1 || !strings.Contains(out, "x.c:9:1: division_by_zero: the program divides by zero") {
		t.Errorf("%d %s", code, out)
	}
	if out, code := output(t, []string{"GULO_CRASHES=0"}, bin); code != -1 || out != "" {
		t.Errorf("%d %s", code, out)
	}
}

func TestMissingReturn(t *testing.T) {
	file := filepath.Join(folder(t, map[string]string{"x.c": valueless}), "x.c")
	for args, want := range map[string]string{"": "x.c:3:36: missing_return: dead ends without a value, which line 24 uses", "x": "dead ends without a value, which line 26 uses", "x y": "x.c:9:1: missing_return: fact ends without a value, which line 8 uses", "x y z": ""} {
		for _, engine := range engines(t) {
			rep, err := Run(context.Background(), &Request{Files: []string{file}, Args: strings.Fields(args), Native: engine == "native", Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard, MaxSteps: 1_000_000})
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(rep.Stopped, want) || (want == "") != (rep.Stopped == "") || len(rep.Findings) != 0 {
				t.Errorf("%s on %q: %+v, want %s", engine, args, rep, want)
			}
		}
	}
}

func TestClean(t *testing.T) {
	list := engines(t)
	all := programs(t, "testdata/clean.txtar")
	if len(all) < 40 {
		t.Errorf("%d programs", len(all))
	}
	for name, text := range all {
		dir := t.TempDir()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		want := sync.OnceValues(func() (string, error) { return withGCC(dir, file) })
		for _, engine := range enginesFor(list, name) {
			if strings.HasPrefix(text, nativeOnly) && engine != "native" {
				continue
			}
			t.Run(name+"/"+engine, func(t *testing.T) {
				t.Parallel()
				want, err := want()
				if err != nil {
					t.Fatal(err)
				}
				quiet(t, engine, file, want)
			})
		}
	}
}

// withGCC returns what a program prints when gcc compiles it.
func withGCC(dir, file string) (string, error) {
	bin := filepath.Join(dir, "a.out")
	if out, err := exec.Command("gcc", "-w", "-o", bin, file, "-lm", "-pthread").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	out, err := exec.Command(bin).Output()
	return string(out), err
}

// quiet checks that an engine reports nothing about a program, and that the program prints what it should.
func quiet(t *testing.T, engine, file, want string) {
	t.Helper()
	rep, out, err := play(t, engine, file)
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Findings) > 0 || rep.Stopped != "" {
		var b strings.Builder
		rep.Text(&b)
		t.Errorf("%s", &b)
	}
	if out != want {
		t.Errorf("it prints %q, natively %q", out, want)
	}
}

// twoErrors has an error that hides another one.
const twoErrors = `#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int *p = malloc(12);
    p[0] = 1;
    p[3] = 5;
    free(p);
    printf("%d\n", p[0] != 77);
    return 0;
}
`

// compiled builds a program as gulo cc does.
func compiled(t *testing.T, text string, strict bool) string {
	t.Helper()
	d := built(t, strict)
	dir := t.TempDir()
	src, bin := filepath.Join(dir, "two.c"), filepath.Join(dir, "two")
	if err := os.WriteFile(src, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	// As make does it: compile, then link.
	for _, args := range [][]string{{"-Wall", "-O2", "-c", src, "-o", bin + ".o"}, {"-o", bin, bin + ".o", "-lm"}} {
		if code, err := CC(context.Background(), d, args); code != 0 || err != nil {
			t.Fatal(code, err)
		}
	}
	return bin
}

// TestUnderGDB runs a program under plain gdb: it stops just before an error, gdb switches the rule off, and the
// program goes on.
func TestUnderGDB(t *testing.T) {
	if _, err := exec.LookPath("gdb"); err != nil {
		t.Skip("gdb is missing")
	}
	bin := compiled(t, twoErrors, false)
	out, err := exec.Command("gdb", "-batch", "-nx", "-ex", "run", "-ex", "frame function main", "-ex", "print p[0]",
		"-ex", `print (int)gulo_rule("dangling_pointer_deref", 0)`, "-ex", "continue", bin).CombinedOutput()
	if err != nil {
		t.Fatalf("gdb: %v\n%s", err, out)
	}
	text := string(out)
	if strings.Contains(text, "Couldn't write extended state status") {
		t.Skip("this gdb cannot call functions of a program on this processor")
	}
	for _, want := range []string{"two.c:7:10: heap_buffer_overflow", "SIGTRAP", "main () at", "$2 = 2", "1\n", "exited normally"} {
		i := strings.Index(text, want)
		if i < 0 {
			t.Fatalf("no %q, or not in this order, in\n%s", want, out)
		}
		text = text[i+len(want):]
	}
}

// TestStandalone runs a program built with gulo cc by itself.
func TestStandalone(t *testing.T) {
	bin := compiled(t, twoErrors, false)
	for _, x := range []struct {
		env  []string
		code int
		want []string
	}{
		{nil, 1, []string{"two.c:7:10: heap_buffer_overflow", "a block of 12 bytes allocated at"}},
		{[]string{"GULO_OFF=heap_buffer_overflow"}, 1, []string{"two.c:9:", "dangling_pointer_deref", "freed at"}},
		{[]string{"GULO_OFF=heap_buffer_overflow,dangling_pointer_deref,nothing"}, 0, []string{"there is no rule nothing", "1\n"}},
		{[]string{"GULO_GO_ON=1"}, 0, []string{"two.c:7:10: heap_buffer_overflow", "two.c:9:"}},
	} {
		c := exec.Command(bin)
		c.Env = append(os.Environ(), x.env...)
		out, _ := c.CombinedOutput()
		if c.ProcessState.ExitCode() != x.code {
			t.Errorf("%v: status %d", x.env, c.ProcessState.ExitCode())
		}
		for _, w := range x.want {
			if !strings.Contains(string(out), w) {
				t.Errorf("%v: no %q in\n%s", x.env, w, out)
			}
		}
	}
}

// TestSharedLibrary: a block is made in a shared library, and the program writes past its end.
func TestSharedLibrary(t *testing.T) {
	engines(t)
	files, err := Load([]string{"memory"})
	if err != nil {
		t.Fatal(err)
	}
	d, err := Build(context.Background(), files, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	lib := write("lib.c", "#include <stdlib.h>\nint *make(int n)\n{\n    int *a = calloc(n, sizeof *a);\n    return a;\n}\n")
	use := write("use.c", "int *make(int n);\nint main(void)\n{\n    int *a = make(3), s = 0;\n    for (int i = 0; i <= 3; i++)\n        s += a[i];\n    return s;\n}\n")
	for _, args := range [][]string{{"-fPIC", "-shared", "-o", dir + "/libmake.so", lib}, {"-o", dir + "/use", use, "-L" + dir, "-lmake", "-Wl,-rpath," + dir}} {
		if code, err := CC(context.Background(), d, args); code != 0 || err != nil {
			t.Fatal(code, err)
		}
	}
	out, _ := exec.Command(dir + "/use").CombinedOutput()
	for _, want := range []string{"use.c:6:14: heap_buffer_overflow", "a block of 12 bytes allocated at " + lib + ":4", "returned       " + lib + ":5  make: return a;"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// TestFirstErrorOfScope: a session opens just before an access that is only an error because a scope has ended,
// though the session's program was loaded so that variables live as long as their call.
func TestFirstErrorOfScope(t *testing.T) {
	text := programs(t, "testdata/bugs.txtar")["left_scope.c"]
	_, line := wanted(text)
	file := filepath.Join(folder(t, map[string]string{"left_scope.c": text}), "left_scope.c")
	p, err := lower.Load(context.Background(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rep, at, err := FirstError(context.Background(), &Request{Files: []string{file}, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: io.Discard}, p)
	if err != nil || at == nil || len(rep.Findings) == 0 {
		t.Fatal(rep, at, err)
	}
	if got := p.Stmts[at.Stmt].Range.Position().Line; got != line || at.Times != 1 {
		t.Errorf("line %d, time %d; want line %d", got, at.Times, line)
	}
}
