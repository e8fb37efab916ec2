package native

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/cfront"
)

// folders are programs of several folders. Each prints 1, and 2 when a 1 in the text of one of its files is changed
// to a 2.
var folders = map[string]struct {
	units   []string
	flags   []string
	changed string // the file with the 1
	files   map[string]string
}{
	"beside its own file": {
		[]string{"main.c", "lib/list.c"}, nil, "lib/inc/list.h", map[string]string{
			"main.c":         "#include <stdio.h>\n#include \"lib/inc/list.h\"\nint main(void) { printf(\"%d\", list()); }\n",
			"lib/list.c":     "#include \"inc/list.h\"\nint list(void) { return LIST; }\n",
			"lib/inc/list.h": "#define LIST 1\nint list(void);\n"},
	},
	"src and include": {
		[]string{"src/main.c", "src/list.c"}, []string{"-Iinclude"}, "src/list.c", map[string]string{
			"src/main.c":     "#include <stdio.h>\n#include <list.h>\nint main(void) { printf(\"%d\", list()); }\n",
			"src/list.c":     "#include \"list.h\"\nint list(void) { return 1; }\n",
			"include/list.h": "int list(void);\n"},
	},
	"a header of -I": {
		[]string{"src/main.c"}, []string{"-I", "include"}, "include/list.h", map[string]string{
			"src/main.c":     "#include <stdio.h>\n#include <list.h>\nint main(void) { printf(\"%d\", list()); }\n",
			"include/list.h": "static inline int list(void) { return 1; }\n"},
	},
	"C that is included": {
		[]string{"main.c"}, nil, "list.c", map[string]string{
			"main.c": "#include <stdio.h>\n#include \"list.c\"\nint main(void) { printf(\"%d\", list()); }\n",
			"list.c": "int list(void) { return 1; }\n"},
	},
	"a folder above": {
		[]string{"app/main.c"}, nil, "common/list.h", map[string]string{
			"app/main.c":    "#include <stdio.h>\n#include \"../common/all.h\"\nint main(void) { printf(\"%d\", list()); }\n",
			"common/all.h":  "#include \"list.h\"\n",
			"common/list.h": "static int list(void) { return 1; }\n"},
	},
	"-include and -iquote": {
		[]string{"src/main.c"}, []string{"-include", "conf/conf.h", "-iquote", "inc"}, "conf/conf.h", map[string]string{
			"src/main.c":  "#include <stdio.h>\n#include \"list.h\"\nint main(void) { printf(\"%d\", list()); }\n",
			"conf/conf.h": "#define LIST 1\n",
			"inc/list.h":  "static int list(void) { return LIST; }\n"},
	},
	"-isystem": {
		[]string{"src/main.c"}, []string{"-isystem", "sys"}, "src/main.c", map[string]string{
			"src/main.c": "#include <stdio.h>\n#include <list.h>\nint main(void) { printf(\"%d\", LIST(1)); }\n",
			"sys/list.h": "#define LIST(x) (x)\n"},
	},
	"a name that a macro makes": {
		[]string{"src/main.c"}, nil, "src/main.c", map[string]string{
			"src/main.c": "#include <stdio.h>\n#define CONF \"conf.h\"\n#include CONF\nint main(void) { printf(\"%d\", LIST(1)); }\n",
			"src/conf.h": "#define LIST(x) (x)\n"},
	},
}

func writeAll(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestMirror: changed texts are compiled as if each stood where its file stands, and gcc's messages name the files as
// the program does.
func TestMirror(t *testing.T) {
	for name, x := range folders {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			writeAll(t, x.files)
			changed := map[string]string{x.changed: strings.Replace(x.files[x.changed], "1", "2", 1)}
			if got := printed(t, x.units, x.flags, changed); got != "2" {
				t.Errorf("printed %q, not 2", got)
			}
			wrong := map[string]string{x.changed: x.files[x.changed] + "int = 3;\n"}
			_, err := Build(context.Background(), wrong, Config{Units: x.units, Options: cfront.Options{Flags: x.flags}})
			var no *CompileError
			if !errors.As(err, &no) || !strings.Contains(no.Text, x.changed+":") || strings.Contains(no.Text, "gulo-native") {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestMirrorUnits: units of a build are compiled each in its own folder and with its own flags.
func TestMirrorUnits(t *testing.T) {
	t.Chdir(t.TempDir())
	files := map[string]string{
		"app/main.c": "#include <stdio.h>\n#include \"list.h\"\nint main(void) { printf(\"%d\", list() + MORE); }\n",
		"lib/list.c": "int list(void) { return LIST; }\n",
		"lib/list.h": "int list(void);\n",
		"build/.at":  "",
	}
	writeAll(t, files)
	opt := cfront.Options{Units: map[string]cfront.Unit{
		"app/main.c": {Flags: []string{"-DMORE=40", "-I../lib"}, Dir: "build", Name: "../app/main.c"},
		"lib/list.c": {Flags: []string{"-DLIST=1"}, Dir: "lib", Name: "list.c"},
	}}
	p, err := Build(context.Background(), map[string]string{"lib/list.c": "int list(void) { return 1 + LIST; }\n"}, Config{Units: []string{"app/main.c", "lib/list.c"}, Options: opt})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if got := run(t, p); got != "42" {
		t.Errorf("printed %q", got)
	}
}

func printed(t *testing.T, units, flags []string, texts map[string]string) string {
	t.Helper()
	p, err := Build(context.Background(), maps.Clone(texts), Config{Units: units, Options: cfront.Options{Flags: flags}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	return run(t, p)
}

func run(t *testing.T, p *Program) string {
	t.Helper()
	s := &Session{}
	s.Limit(time.Minute, 0)
	s.Print(s.Add(&Test{}))
	a, err := p.Run(context.Background(), s, time.Minute)
	if err != nil || len(a.Printed) != 1 {
		t.Fatal(err, a)
	}
	return a.Printed[0].Stdout
}
