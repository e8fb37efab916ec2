package project

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sources is a program of two files and a library, with what make, CMake and Meson need; without -DSTEP=2 it does not compile.
var sources = map[string]string{
	"src/main.c":   "#include \"config.h\"\nint add(int);\nint main(void) { return add(1) - STEP - FIVE; }\n",
	"src/add.c":    "int add(int x) { return x + STEP; }\n",
	"inc/config.h": "#define FIVE 5\n",
	"Makefile":     "CFLAGS = -g -DSTEP=2 -Iinc\nprog: src/main.o src/add.o\n\t$(CC) -o $@ src/main.o src/add.o\n",
	"CMakeLists.txt": `cmake_minimum_required(VERSION 3.20)
project(p C)
add_compile_definitions(STEP=2)
add_library(addlib STATIC src/add.c)
add_executable(prog src/main.c)
target_include_directories(prog PRIVATE inc)
target_link_libraries(prog addlib)
`,
	"CMakePresets.json": `{"version": 3, "configurePresets": [
{"name": "default", "generator": "Unix Makefiles", "binaryDir": "${sourceDir}/../elsewhere", "cacheVariables": {"CMAKE_BUILD_TYPE": "Debug"}},
{"name": "fast", "inherits": "default", "generator": "Ninja", "binaryDir": "${sourceDir}/out"},
{"name": "several", "inherits": "fast", "generator": "Ninja Multi-Config"}],
"buildPresets": [{"name": "default", "configurePreset": "default"}, {"name": "fast", "configurePreset": "fast"}, {"name": "several", "configurePreset": "several", "configuration": "Debug"}]}
`,
	"meson.build": `project('p', 'c', default_options: ['buildtype=debug'])
add_project_arguments('-DSTEP=2', language: 'c')
l = static_library('addlib', 'src/add.c')
executable('prog', 'src/main.c', link_with: l, include_directories: 'inc')
`,
}

// put writes files below a new folder, p, which becomes the current one.
func put(t *testing.T, files map[string]string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "p")
	for name, text := range files {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

func need(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool, " is missing")
		}
	}
}

func shell(t *testing.T, command string) {
	t.Helper()
	if out, err := exec.Command("sh", "-c", command).CombinedOutput(); err != nil {
		t.Fatal(command, err, string(out))
	}
}

// whole checks that a program has both files, with the flags of its build.
func whole(t *testing.T, p *Program, err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
		return
	}
	files := slices.Sorted(slices.Values(p.Files))
	if !slices.Equal(files, []string{"src/add.c", "src/main.c"}) {
		t.Error("files", p.Files)
		return
	}
	for _, f := range files {
		if u := p.Options.Unit(f); !slices.Contains(u.Flags, "-DSTEP=2") {
			t.Errorf("%s is compiled with %v", f, u.Flags)
		}
	}
	if u := p.Options.Unit("src/main.c"); !slices.ContainsFunc(u.Flags, func(f string) bool { return strings.HasPrefix(f, "-I") }) {
		t.Error("main.c is compiled with", u.Flags)
	}
	if len(p.Guessed)+len(p.Lost)+len(p.Gone) > 0 {
		t.Error(p.Guessed, p.Lost, p.Gone)
	}
}

// TestWays: however a program was built, its build tells how: as it is watched, watched when there is nothing left to do, asked for
// by the folder, and found from the program.
func TestWays(t *testing.T) {
	for _, x := range []struct {
		name    string
		tools   []string
		prepare string
		command string // of the build
		folder  string // that has its description afterwards; "": the folder has none but what was watched
		program string
	}{
		{"make", []string{"make"}, "true", "make prog", ".", "prog"},
		{"compiler by its path", []string{"make"}, "true", "make CC=/usr/bin/gcc prog", ".", "prog"},
		{"CMake, makefiles elsewhere", []string{"cmake", "make"}, "cmake --preset default", "cmake --build --preset default", "../elsewhere", "../elsewhere/prog"},
		{"CMake, Ninja", []string{"cmake", "ninja"}, "cmake --preset fast", "cmake --build --preset fast", "out", "out/prog"},
		{"CMake, Ninja of several configurations", []string{"cmake", "ninja"}, "cmake --preset several", "cmake --build --preset several", "out", "out/Debug/prog"},
		{"CMake, configured and built", []string{"cmake", "ninja"}, "true", "sh -c 'cmake --preset fast && cmake --build --preset fast'", "out", "out/prog"},
		{"Meson", []string{"meson", "ninja"}, "meson setup out", "ninja -C out", "out", "out/prog"},
		{"Bear", []string{"bear", "make"}, "bear -- make prog && touch src/*.c", "make prog", ".", "prog"},
	} {
		t.Run(x.name, func(t *testing.T) {
			need(t, append(x.tools, "gcc")...)
			put(t, sources)
			shell(t, x.prepare)
			if strings.HasPrefix(x.prepare, "bear") {
				db, err := Open(".")
				if err != nil {
					t.Fatal(err)
				}
				p, err := db.Program("prog")
				whole(t, p, err)
			}
			command := []string{"sh", "-c", x.command}
			if !strings.HasPrefix(x.command, "sh ") {
				command = strings.Fields(x.command)
			}
			db, err := Record(context.Background(), command, io.Discard)
			if err != nil || len(db.Commands) == 0 {
				t.Fatal("not watched", err)
			}
			p, err := db.Program(db.Asked(command))
			whole(t, p, err)
			again, err := Record(context.Background(), command, io.Discard)
			if err != nil || len(again.Commands) > 0 {
				t.Fatal("built twice", again.Commands, err)
			}
			if again, err = again.Known(command); err != nil {
				t.Fatal(err)
			}
			p, err = again.Program(again.Asked(command))
			whole(t, p, err)
			if x.folder != "." { // without what was watched
				shell(t, "rm -r .gulo")
			}
			if db, err = Open(x.folder); err != nil {
				t.Fatal(err)
			}
			p, err = db.Program("prog")
			whole(t, p, err)
			p, err = FromBinary(x.program)
			whole(t, p, err)
		})
	}
}

// TestForms: the forms in which others write compile_commands.json: compiledb's arguments, with libtool and wrappers in front of the compiler
// and relative folders, a command, files of arguments; linked to from beside the sources.
func TestForms(t *testing.T) {
	put(t, sources)
	for name, text := range map[string]string{
		"src/flags": "-DSTEP=2\n-Iinc '-DNAME=a b'\n",
		"compile_commands.json": `[
{"directory": ".", "arguments": ["ccache", "gcc", "@src/flags", "-MD", "-MF", "src/main.d", "-c", "src/main.c", "-o", "src/main.o"], "file": "src/main.c", "output": "src/main.o"},
{"directory": "src", "command": "/bin/bash ../libtool --tag=CC --mode=compile distcc x86_64-linux-gnu-gcc-12 -DSTEP=2 \"-DNAME=a b\" -MT add.lo -c add.c -o add.lo", "file": "add.c"},
{"directory": ".", "arguments": ["/bin/bash", "./libtool", "--tag=CC", "--mode=link", "gcc", "-o", "prog", "src/main.o", "src/add.lo"], "file": "src/main.c"}
]`} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	shell(t, "mkdir link && ln -s ../compile_commands.json link/")
	for _, at := range []string{".", "compile_commands.json"} {
		db, err := Open(at)
		if err != nil {
			t.Fatal(err)
		}
		p, err := db.Program("")
		whole(t, p, err)
		if err == nil && !slices.Contains(p.Options.Unit("src/add.c").Flags, "-DNAME=a b") {
			t.Error(p.Options.Unit("src/add.c").Flags)
		}
	}
}

// TestRest: where a build that is watched compiles only what has changed, the debug information in the other objects tells how those
// were compiled, and that it is only this.
func TestRest(t *testing.T) {
	need(t, "make", "gcc")
	put(t, sources)
	shell(t, "make prog && touch -d '+1 minute' src/add.c")
	command := []string{"make", "prog"}
	db, err := Record(context.Background(), command, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	p, err := db.Program(db.Asked(command))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Files) != 2 || !slices.Equal(p.Guessed, []string{"src/main.c"}) {
		t.Error(p.Files, p.Guessed)
	}
}

// TestLost: a file in another language whose object is gone, and a C file that is gone, are named.
func TestLost(t *testing.T) {
	need(t, "gcc", "g++")
	put(t, map[string]string{
		"main.c": "int twice(int); int once(int);\nint main(void) { return twice(1) + once(1); }\n",
		"a.cpp":  "extern \"C\" int twice(int x) { return 2 * x; }\n",
		"b.c":    "int once(int x) { return x; }\n",
	})
	shell(t, "mkdir o && g++ -g -c a.cpp -o o/x.o && gcc -g -o prog main.c b.c o/x.o && rm -r o b.c")
	p, err := FromBinary("./prog")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(p.Files, []string{"main.c"}) || !slices.Equal(p.Lost, []string{"a.cpp"}) || !slices.Equal(p.Gone, []string{"b.c"}) {
		t.Error(p.Files, p.Lost, p.Gone)
	}
}
