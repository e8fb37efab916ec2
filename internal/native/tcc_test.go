package native

import (
	"context"
	"os"
	"reflect"
	"testing"

	"gulo/internal/cfront"
)

// screened compiles a text to screen, and reports what it prints and whether tcc made it.
func screened(t *testing.T, text string, flags ...string) (printed string, tcc bool) {
	t.Helper()
	p, err := Build(context.Background(), map[string]string{"a.c": text}, Config{Options: cfront.Options{Flags: flags}, Unset: true, Screens: true})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	ses := &Session{}
	ses.Print(ses.Add(&Test{}))
	a, err := p.Run(context.Background(), ses, 5e9)
	if err != nil || len(a.Printed) != 1 {
		t.Fatal(a, err)
	}
	return a.Printed[0].Stdout, p.Screens()
}

func TestScreens(t *testing.T) {
	there := Screening()
	for _, tt := range []struct {
		name, text string
		flags      []string
		want       string
		tcc        bool
	}{
		{"plain", "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { int *p = malloc(sizeof *p); *p = 7; printf(\"%d\\n\", *p); free(p); return 0; }", nil, "7\n", true},
		{"defined", "#include <stdio.h>\nint main(void) { printf(\"%d\\n\", N + 0); return 0; }", []string{"-D", "N=3", "-std=c99", "-O2"}, "3\n", true},
		{"exits", "#include <stdio.h>\n#include <stdlib.h>\nint main(void) { puts(\"a\"); exit(0); }", nil, "a\n", true},
		{"filled", `#include <stdio.h>
extern void gulo_fill(void *);
#ifdef __TINYC__
#define FILL { char top; gulo_fill(&top); }
#else
#define FILL
#endif
static int unset(int a, double d, int b) { FILL int x; if (a + b + d < 0) x = 1; return x; }
int main(void) { printf("%x %x\n", unset(1, 2, 3), unset(-9, 2, 3)); return 0; }`, nil, "fefefefe 1\n", true},
		{"not declared", "#include <stdio.h>\nint main(void) { printf(\"%.1f\\n\", fabs(-2.5)); return 0; }", nil, "2.5\n", false},
		{"attributes", "#include <stdio.h>\nstruct s { char c; int i; } __attribute__((packed));\nint main(void) { printf(\"%d\\n\", (int)sizeof(struct s)); return 0; }", nil, "5\n", false},
		{"other integers", "#include <stdio.h>\nint main(void) { __int128 x = 5; printf(\"%d\\n\", (int)(x * x)); return 0; }", nil, "25\n", false},
		{"other meaning", "#include <stdio.h>\nstruct s { char c; int i; };\nint main(void) { printf(\"%d\\n\", (int)sizeof(struct s)); return 0; }", []string{"-fpack-struct"}, "5\n", false},
	} {
		printed, tcc := screened(t, tt.text, tt.flags...)
		if printed != tt.want || tcc != (tt.tcc && there) {
			t.Errorf("%s: %q, tcc: %v", tt.name, printed, tcc)
		}
	}
}

// TestScreensRefused: a text that tcc takes and gcc refuses is screened all the same, and for one that both refuse
// the error is that of gcc.
func TestScreensRefused(t *testing.T) {
	if Screening() {
		if _, tcc := screened(t, "int main(void) { const int n = 1; n = 2; return 0; }"); !tcc {
			t.Error("a constant that is assigned to is left to gcc")
		}
	}
	_, err := Build(context.Background(), map[string]string{"a.c": "int main(void) { return nowhere; }"}, Config{Screens: true})
	if _, ok := err.(*CompileError); !ok {
		t.Error(err)
	}
}

func TestTinyFlags(t *testing.T) {
	for _, tt := range []struct {
		in, out []string
		ok      bool
	}{
		{nil, nil, true},
		{[]string{"-Iinc", "-D", "A=1", "-Wall", "-std=c11", "-lm"}, []string{"-Iinc", "-D", "A=1"}, true},
		{[]string{"-fshort-enums"}, nil, false},
		{[]string{"-D"}, nil, false},
	} {
		if out, ok := tinyFlags(tt.in); ok != tt.ok || ok && !reflect.DeepEqual(out, tt.out) {
			t.Errorf("%v: %v, %v", tt.in, out, ok)
		}
	}
}

// TestPortable: tcc does not compile a text that asks which compiler reads it, or that includes such a header of the
// user's.
func TestPortable(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"plain.h": "#include \"inner.h\"\n#include \"plain.h\"\n", "inner.h": "int x;\n", "packed.h": "#include \"gnu.h\"\n", "gnu.h": "#ifdef __GNUC__\n#endif\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"#include <stdio.h>\n#include \"plain.h\"\n#include \"nowhere.h\"\n", true},
		{"#include \"packed.h\"\n", false},
		{"int x __attribute__((aligned(64)));\n", false},
	} {
		m, err := NewMirror(t.TempDir(), []string{"a.c"}, cfront.Options{}, map[string]string{"a.c": tt.text})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.portable(); got != tt.want {
			t.Errorf("%q: %v", tt.text, got)
		}
	}
}
