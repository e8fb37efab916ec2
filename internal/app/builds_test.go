package app

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gulo/internal/dap"
)

// placed puts files into a folder that becomes the current one.
func placed(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// says runs gulo, and looks for texts in its output.
func says(t *testing.T, code int, script string, args []string, want ...string) {
	t.Helper()
	out, got := runGulo(t, script, args...)
	if got != code {
		t.Errorf("gulo %s: exit %d:\n%s", strings.Join(args, " "), got, out)
	}
	for _, w := range want {
		if !strings.Contains(out, w) {
			t.Errorf("gulo %s: no %q in:\n%s", strings.Join(args, " "), w, out)
		}
	}
}

func sh(t *testing.T, command string) {
	t.Helper()
	if out, err := exec.Command("sh", "-c", command).CombinedOutput(); err != nil {
		t.Fatal(command, err, string(out))
	}
}

// TestOwnLibraries: C files of libraries that are built along are part of the program, however the linker is told of
// them, when the build is watched and when the debug information is read. A library whose sources nobody knows is
// named.
func TestOwnLibraries(t *testing.T) {
	placed(t, map[string]string{
		"add.c":  "int add(int x)\n{\n    return x + 1;\n}\n",
		"main.c": "int add(int);\nint main(void)\n{\n    return add(1) - 2;\n}\n",
		"Makefile": `CFLAGS = -g -fPIC
colon: main.o libx.a
	gcc -g -o colon main.o -L. -l:libx.a
named: main.o libx.so
	gcc -g -o named main.o ./libx.so
found: main.o libx.so
	gcc -g -o found main.o -L. -lx -Wl,-rpath,.
tool: main.o .libs/libx.so
	gcc -g -o .libs/tool main.o -L.libs -lx
	echo exec .libs/tool > tool
libx.a: add.o
	ar rcs libx.a add.o
libx.so: add.o
	gcc -shared -o libx.so add.o
.libs/libx.so: add.o
	mkdir -p .libs && gcc -shared -Wl,-soname,libx.so.1 -o .libs/libx.so.1.0 add.o && cd .libs && ln -sf libx.so.1.0 libx.so && ln -sf libx.so.1.0 libx.so.1
clean:
	rm -rf *.o *.a *.so .gulo .libs
`,
	})
	const script = "start\nbreak add\ncontinue\nprint x\n"
	for _, program := range []string{"colon", "named", "found", "tool"} {
		sh(t, "make -s clean")
		says(t, exitOK, script, []string{"debug", "--", "make", program}, "breakpoint at add.c:3: return x + 1;", "x = 1\n")
		says(t, exitOK, script, []string{"debug", "./" + program}, "its 2 C files are recompiled", "x = 1\n")
	}
	sh(t, "make -s clean; make -s named found")
	for _, program := range []string{"./named", "./found"} {
		says(t, exitOK, script, []string{"debug", program}, "its 2 C files are recompiled", "x = 1\n")
	}
	sh(t, "make -s clean; make -s tool; rm -rf .gulo; printf '#!/bin/sh\nLD_LIBRARY_PATH=\"'$PWD'/.libs:$LD_LIBRARY_PATH\"\nexec .libs/tool\n' > tool")
	says(t, exitOK, script, []string{"debug", "./tool"}, "its 2 C files are recompiled", "x = 1\n")
	sh(t, "make -s clean; make -s named; strip -g libx.so")
	says(t, exitOK, "start\ncontinue\n", []string{"debug", "./named"}, "not known from which sources libx.so was compiled", "the program ended with status 0\n")
}

// TestSharedSource: of two programs that share a source file, the one that was asked for is opened.
func TestSharedSource(t *testing.T) {
	files := map[string]string{"util.c": "int util(int x) { return x + 1; }\n"}
	for _, name := range []string{"a", "b"} {
		files[name+".c"] = fmt.Sprintf("#include <stdio.h>\nint util(int);\nint main(void)\n{\n    printf(\"I am %s %%d\\n\", util(1));\n    return 0;\n}\n", name)
	}
	placed(t, files)
	says(t, exitOK, "start\n", []string{"debug", "--", "gcc", "-g", "-o", "a", "a.c", "util.c"}, "a.c:5: printf") // a compiler is a build, too
	sh(t, "gcc -g -o b b.c util.c")
	says(t, exitOK, "start\nnext\n", []string{"debug", "./b"}, "b.c:5: printf", "I am b 2\n")
	says(t, exitOK, "start\nnext\n", []string{"debug", "./a"}, "I am a 2\n")
	says(t, exitOK, "start\n", []string{"debug", "--", "gcc", "-g", "-o", "b", "b.c", "util.c"}, "b.c:5: printf") // of two the one that is built now
	says(t, exitUsage, "start\n", []string{"debug", "-p", "."}, "say which one: a, b")
}

// TestTargets: the folders in which CMake and Meson put object files say which program these are for.
func TestTargets(t *testing.T) {
	text := "int main(void)\n{\n    return %d;\n}\n"
	placed(t, map[string]string{"one.c": fmt.Sprintf(text, 1), "two.c": fmt.Sprintf(text, 2), "three.c": fmt.Sprintf(text, 3)})
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for source, object := range map[string]string{"one.c": "src/CMakeFiles/first.dir/one.c.o", "two.c": "second.p/two.c.o", "three.c": "three.o"} {
		list = append(list, fmt.Sprintf(`{"directory": %q, "file": %q, "command": "gcc -c -o %s %s"}`, dir, source, object, source))
	}
	if err := os.WriteFile("compile_commands.json", []byte("["+strings.Join(list, ",")+"]"), 0o600); err != nil {
		t.Fatal(err)
	}
	says(t, exitUsage, "", []string{"debug", "-p", "."}, "say which one: first, second, three.c")
	for program, place := range map[string]string{"first": "one.c:3: return 1;", "second": "two.c:3: return 2;", "three": "three.c:3: return 3;"} {
		says(t, exitOK, "start\n", []string{"debug", "-p", ".", program}, place)
	}
}

// TestNothingKnown: if a build command compiles nothing, and nothing is known of an earlier build, gulo says what to
// do.
func TestNothingKnown(t *testing.T) {
	placed(t, map[string]string{"main.c": "int main(void) { return 0; }\n"})
	says(t, exitUsage, "", []string{"debug", "--", "true"}, "true compiled nothing, and how the program was compiled is not known; clean the build first, or open what it has made: gulo debug ./PROGRAM\n")
}

// TestLeftOut: gulo names what is missing from the program that it opens of one that was built.
func TestLeftOut(t *testing.T) {
	placed(t, map[string]string{
		"main.c": "int one(void);\nint main(void)\n{\n    return one() - 1;\n}\n",
		"one.c":  "int one(void) { return 1; }\n",
		"two.s":  "\t.globl two\ntwo:\n\tret\n",
	})
	sh(t, "mkdir o; gcc -g -c two.s -o o/x.o && gcc -g -o prog main.c one.c o/x.o && rm -r o")
	says(t, exitOK, "start\nnext\n", []string{"debug", "./prog"}, "two.s is not C, and its object is not found: what it defined is missing from the program; rebuild everything under gulo, as in: gulo debug -- make -B\n")
	sh(t, "rm one.c")
	says(t, exitUsage, "", []string{"run", "./prog"}, "one.c is not there any more: what it defined is missing from the program\n")
}

// TestBuildFlag: every command that takes flags of gcc takes a build, too.
func TestBuildFlag(t *testing.T) {
	root := (&streams{}).root()
	for name := range onSources {
		c, _, err := root.Find([]string{name})
		if err != nil || c.Flags().Lookup("build") == nil {
			t.Errorf("gulo %s takes no -p", name)
		}
	}
	placed(t, map[string]string{
		"main.c":                "#include <stdlib.h>\nint inc(int x)\n{\n    int y = x > 3 ? ONE : x;\n    return y;\n}\nint main(int n, char **v)\n{\n    return inc(n == 2 ? atoi(v[1]) : 0) != 1;\n}\n",
		"compile_commands.json": `[{"directory": ".", "file": "main.c", "command": "gcc -DONE=1 -c main.c -o main.o"}]`,
	})
	says(t, exitOK, "", []string{"inject", "-p", ".", "-n", "1", "--kind", "constant,operator", "--", "4"})
	says(t, exitOK, "", []string{"edits", "-p", "."})
	says(t, exitOK, "", []string{"explore", "-p", ".", "--entry", "inc"})
	says(t, exitOK, "", []string{"why-opaque", "-p", "."}, "0 opaque")
	o, err := launched(&dap.Launch{Build: ".", Args: []string{"4"}}, &sourceFlags{})
	if err != nil || len(o.files) != 1 || o.files[0] != "main.c" || !slices.Contains(o.opt.Unit("main.c").Flags, "-DONE=1") {
		t.Error("build in a launch configuration:", o, err)
	}
}

// TestOtherMachine: programs of 32 bits are refused as such, sources and binaries.
func TestOtherMachine(t *testing.T) {
	placed(t, map[string]string{"m.c": "#include <stdio.h>\nint main(void) { puts(\"m\"); return 0; }\n", "s.c": "int _start(void) { return 0; }\n"})
	for _, command := range []string{"run", "debug", "fix"} {
		args := []string{command, "-m32", "m.c"}
		if command == "fix" {
			args = append(args, "--memory")
		}
		says(t, exitUsage, "", args, "m.c:1:1: error: 32-bit programs are not supported; leave -m32 out\n")
	}
	if out, err := exec.Command("gcc", "-g", "-m32", "-nostdlib", "-static", "-ffreestanding", "-o", "s", "s.c").CombinedOutput(); err != nil {
		t.Skip("this gcc makes no 32-bit programs: ", string(out))
	}
	says(t, exitUsage, "", []string{"debug", "./s"}, "./s is a 32-bit program, which is not supported")
}

// TestPlugin: what a library allocates that the program loads while it runs is a part of the picture.
func TestPlugin(t *testing.T) {
	placed(t, map[string]string{
		"plug.c": "#include <stdlib.h>\nstruct node { int v; struct node *next; };\nstruct node *add(struct node *l)\n{\n    struct node *n = malloc(sizeof *n);\n    n->v = 42;\n    n->next = l;\n    return n;\n}\n",
		"main.c": `#include <stdlib.h>
#include <dlfcn.h>
struct node { int v; struct node *next; };
int main(void)
{
    void *h = dlopen("./plug.so", RTLD_NOW);
    struct node *(*f)(struct node *) = (struct node *(*)(struct node *))dlsym(h, "add");
    struct node *l = calloc(1, sizeof *l);
    l = f(l);
    return l->v != 42;
}
`,
	})
	sh(t, "gcc -g -shared -fPIC -o plug.so plug.c")
	says(t, exitOK, "start\nnext 4\nprint l\nprint h\n", []string{"debug", "main.c"}, " │ v    42 │   │ v    0 │\n │ next  ●─┼──▶│ next ∅ │\n", "l = n2\n", "which leads to no block, variable or function that is known here")
}

// TestUnnamedMember: a header with a pointer to, or an array of, structs without a tag is the same in all files.
func TestUnnamedMember(t *testing.T) {
	placed(t, map[string]string{
		"h.h": "#ifndef USED\n#define USED int\n#endif\nstruct S { int n; struct { int id; USED used; } *db; union { int i; char c[4]; } slots[4]; int (*f)(struct S *); };\nextern struct S s;\nint f(void);\n",
		"a.c": "#include \"h.h\"\nstruct S s;\nint main(void) { s.n = 1; s.slots[1].i = 2; return f() - 3; }\n",
		"b.c": "#include \"h.h\"\nint f(void) { return s.n + s.slots[1].i; }\n",
		"c.c": "#define USED char\n#include \"h.h\"\nint f(void) { return s.n + s.slots[1].i + sizeof *s.db - 8; }\n",
	})
	says(t, exitOK, "", []string{"why-opaque", "a.c", "b.c"}, "0 opaque in 2 functions\n")
	says(t, exitOK, "", []string{"run", "a.c", "b.c"})
	says(t, exitOK, "", []string{"run", "a.c", "c.c"}) // another struct by the same name
}

// TestRegisters: variables that are declared as register are in memory, where they can be seen; one that names its
// register stays there.
func TestRegisters(t *testing.T) {
	placed(t, map[string]string{
		"r.c": "#include <stdlib.h>\nint main(void)\n{\n    register int *p = calloc(1, sizeof *p);\n    *p = 7;\n    return *p;\n}\n",
		"a.c": "#include <stdlib.h>\nint main(void)\n{\n    register long a asm(\"rbx\") = 5;\n    int *p = malloc(sizeof *p);\n    *p = a;\n    return *p;\n}\n",
	})
	says(t, exitOK, "start\nnext 2\nprint *p\n", []string{"debug", "r.c"}, " │ * 7 │\n", "*p = 7\n")
	says(t, exitOK, "start\nnext 3\nprint *p\n", []string{"debug", "a.c"}, "*p = 5\n")
}

// TestBuiltApart: a program and the library that it is linked with were built at different times, in different
// folders. The record of the library's build counts for the program, whether the program's own build was watched or
// not.
func TestBuiltApart(t *testing.T) {
	placed(t, map[string]string{"Makefile": `lib/libx.a: lib/add.c
	cd lib && gcc -g -DSTEP=1 -c add.c && ar rcs libx.a add.o
`})
	sh(t, "mkdir lib app")
	for name, text := range map[string]string{
		"lib/add.c":    "int add(int x)\n{\n    return x + STEP;\n}\n",
		"app/main.c":   "int add(int);\nint main(void)\n{\n    return add(1) - ANSWER;\n}\n",
		"app/Makefile": "main: main.c\n\tgcc -g -DANSWER=2 -o main main.c ../lib/libx.a\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	runGulo(t, "", "run", "--", "make") // it makes no program, but it is noted how the library is compiled
	t.Chdir("app")
	sh(t, "make -s")
	says(t, exitUsage, "start\n", []string{"debug", "./main"}, "ANSWER", "gulo knows the flags of main.c from the debug information only, which has no -D; rebuild everything under gulo, as in: gulo debug -- make -B\n")
	sh(t, "rm main")
	const script = "start\nbreak add\ncontinue\nprint x\n"
	says(t, exitOK, script, []string{"debug", "--", "make"}, "add.c:3: return x + STEP;", "x = 1\n")
	says(t, exitOK, script, []string{"debug", "./main"}, "its 2 C files are recompiled", "x = 1\n")
	says(t, exitOK, "", []string{"run", "./main"})
}

// TestMainBehindMacro: if the function main is only compiled with some macro, and nobody knows the macro, gulo says
// what to do.
func TestMainBehindMacro(t *testing.T) {
	placed(t, map[string]string{"one.c": "#ifdef MAIN\nint main(void)\n{\n    return 0;\n}\n#endif\n"})
	sh(t, "gcc -g -DMAIN -o one one.c")
	says(t, exitUsage, "start\n", []string{"debug", "./one"}, "has no function main", "which has no -D; rebuild everything under gulo")
	says(t, exitOK, "start\n", []string{"debug", "--", "gcc", "-g", "-DMAIN", "-o", "one", "one.c"}, "return 0;")
}

// TestForeign: of a program in C and other languages the C can be stepped through, and what is not read is named; on
// the machine, a call of the rest is refused.
func TestForeign(t *testing.T) {
	placed(t, map[string]string{
		"main.c":   "int twice(int);\nint main(void)\n{\n    int x = twice(4);\n    return x - 8;\n}\n",
		"part.cpp": "extern \"C\" int twice(int x) { return 2 * x; }\n",
		"Makefile": "main: main.o part.o\n\tg++ -g -o main main.o part.o\nmain.o: main.c\n\tgcc -g -c main.c\npart.o: part.cpp\n\tg++ -g -c part.cpp\n",
	})
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("no g++")
	}
	const said = "part.cpp is not C: linked as its build compiled it, so its functions are not shown, and cannot be run on the machine\n"
	for _, args := range [][]string{{"--", "make"}, {"-p", ".", "main"}, {"./main"}} {
		says(t, exitOK, "start\nnext\nprint x\n", append([]string{"debug"}, args...), said, "x = 8\n")
	}
	says(t, exitUsage, "", []string{"run", "./main"}, said, "main.c:4:9: unsupported")
}

// TestStaticsElsewhere: no edit names a variable that its file does not declare, such as the static variable of
// another file or one that no header declares.
func TestStaticsElsewhere(t *testing.T) {
	placed(t, map[string]string{
		"list.h": "struct node { int key; struct node *next; };\nextern int shared;\nvoid push(int key);\n",
		"a.c": `#include <stdlib.h>
#include "list.h"
static struct node *head;
static int sum;
void push(int key)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->next = head;
    head = n->next;
    sum = sum + key;
    shared = shared + 1;
}
`,
		"b.c": `#include "list.h"
int shared, unannounced;
static struct node *spare;
int main(void)
{
    push(1);
    unannounced = unannounced + shared;
    spare = 0;
    return unannounced;
}
`,
	})
	out, code := runGulo(t, "", "edits", "a.c", "b.c")
	if code != exitOK {
		t.Fatal(code, out)
	}
	of := map[string]string{}
	for _, l := range strings.Split(out, "\n") {
		if name, _, ok := strings.Cut(l, ":"); ok {
			of[name] += l + "\n"
		}
	}
	for _, x := range []struct {
		file, name string
		want       bool
	}{{"a.c", "shared", true}, {"a.c", "head", true}, {"a.c", "unannounced", false}, {"a.c", "spare", false}, {"b.c", "unannounced", true}, {"b.c", "head", false}, {"b.c", "sum", false}} {
		if strings.Contains(of[x.file], x.name) != x.want {
			t.Errorf("edits of %s name %s: %t", x.file, x.name, !x.want)
		}
	}
}
