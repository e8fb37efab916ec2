package machine_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/machine"
)

const unsetHead = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nstruct s { int x, y; long z; char c; double d; struct s *next; };\nstatic int zero(void) { return 0; }\n"

// unsetCases are bodies of main. A line that ends in "// want" uses a value that was never written, and the message
// has the text behind it; the other bodies have no error.
var unsetCases = map[string]string{
	"member":        "struct s *a = malloc(sizeof *a);\na->y = a->x;\nfree(a);",
	"then used":     "struct s *a = malloc(sizeof *a);\na->y = a->x;\nif (a->y) // want copied there at x.c:8\n puts(\"\");",
	"overwritten":   "struct s *a = malloc(sizeof *a);\na->y = a->x;\na->y = 2;\nif (a->y)\n free(a);",
	"other member":  "struct s *a = malloc(sizeof *a);\na->x = 1;\na->z = a->d > 0; // want never written",
	"local":         "struct s *a = malloc(sizeof *a);\nint t = a->x;\na->y = t;\nif (zero())\n printf(\"%d\", t);",
	"local used":    "struct s *a = malloc(sizeof *a);\nint t = a->x;\nif (zero())\n t = 1;\nif (t) // want never written\n puts(\"\");",
	"swapped":       "struct s *a = malloc(sizeof *a), *b = malloc(sizeof *b);\na->x = 1;\nint t = b->x;\nb->x = a->x;\na->x = t;\nprintf(\"%d\\n\", b->x);\nprintf(\"%d\\n\", a->x); // want copied there at x.c:11",
	"argument":      "struct s *a = malloc(sizeof *a);\na->y = abs(a->x); // want never written",
	"computed":      "struct s *a = malloc(sizeof *a);\na->y = a->x + 1; // want never written",
	"sign":          "struct s *a = malloc(sizeof *a);\na->z = a->x;\na->c = (char)a->x;\na->d = 1;\nfree(a);",
	"narrowed":      "struct s *a = malloc(sizeof *a);\na->c = (char)a->x;\nint k = 3;\nk += a->c; // want copied there at x.c:8\nreturn k;",
	"to floating":   "struct s *a = malloc(sizeof *a);\na->d = a->x; // want never written",
	"floating":      "double *d = malloc(16);\nd[1] = d[0];\nd[0] = 1;\nd[0] += d[1]; // want copied there at x.c:8",
	"array":         "int a[4];\na[3] = 1;\nfor (int i = 0; i < 3; i++)\n a[i] = a[i + 1];\nprintf(\"%d\\n\", a[2]);\nprintf(\"%d\\n\", a[0]); // want copied there at x.c:10",
	"struct":        "struct s a, b;\na.x = 1;\nb = a;\nif (b.x)\n b.y = 1;\nif (b.z) // want never written\n puts(\"\");",
	"chosen":        "struct s *a = malloc(sizeof *a);\na->y = zero() ? 1 : a->x;\nint k = a->y;\nswitch (k) { // want never written\ncase 1: puts(\"\");\n}",
	"index":         "int *w = malloc(16), q[4] = {0};\nw[1] = w[0];\nreturn q[w[1] & 1]; // want copied there at x.c:8",
	"address":       "struct s *a = malloc(sizeof *a);\nstruct s *p = a->next;\na->next = a;\np->x = 1; // want read at x.c:8",
	"freed since":   "struct s *a = malloc(sizeof *a);\nint t = a->x;\nfree(a);\nif (t) // want never written\n puts(\"\");",
	"returned":      "struct s *a = malloc(sizeof *a);\nint t = a->x;\nif (zero())\n return 3;\nreturn t; // want read at x.c:8",
	"global":        "static int g;\nstruct s *a = malloc(sizeof *a);\ng = a->x;\ng++; // want copied there at x.c:9",
	"library":       "char *a = malloc(4), b[4];\nb[0] = a[0];\nb[1] = 0;\nputs(b); // want copied there at x.c:8",
	"copied onward": "char *a = malloc(4), b[4], c[4];\nb[0] = a[0];\nmemcpy(c, b, 4);\nc[1] = 0;\nif (c[0]) // want copied there at x.c:8\n puts(c);",
	"bits":          "unsigned *a = malloc(8);\na[1] = (a[0] & 0xff) << 8 | 1;\nif (a[1] & 1)\n puts(\"\");\nif (a[1] >> 16)\n puts(\"\");\nif (a[1] >> 8 & 3) // want copied there at x.c:8\n puts(\"\");",
	"loop":          "struct s *a = malloc(sizeof *a);\nint k = 0;\nfor (int i = 0; i < 3; i++) {\n int t = i < 2 ? i : a->x;\n a->y = t;\n k += a->y; // want copied there at x.c:11\n}",
	"many calls":    "struct s *a = malloc(sizeof *a);\nfor (int i = 0; i < 1000; i++) {\n struct s b = *a;\n int t = b.x;\n b.y = t;\n zero();\n}\nfree(a);",
}

// TestUnset: a value that was never written may be copied, and is an error where it is used, with variables in memory
// and in registers, in merged code and in code that is traced.
func TestUnset(t *testing.T) {
	for name, body := range unsetCases {
		text := unsetHead + "int main(void) {\n" + body + "\nreturn 0;\n}\n"
		line, says := 0, ""
		for i, l := range strings.Split(text, "\n") {
			if _, w, ok := strings.Cut(l, "// want "); ok {
				line, says = i+1, w
			}
		}
		src := filepath.Join(t.TempDir(), "x.c")
		if err := os.WriteFile(src, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		tree, err := cfront.Load(t.Context(), []string{src}, cfront.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, opt := range []lower.Options{{}, {Memory: true}} {
			p, err := lower.Lower(tree, opt)
			if err != nil {
				t.Fatal(err)
			}
			for _, cfg := range []machine.Config{{}, {Trace: true}, {Debug: true}, {Overlays: true}, {UninitOK: true}} {
				if cfg.Overlays && !opt.Memory {
					continue
				}
				cfg.Stdout = io.Discard
				m, err := machine.New(p, cfg)
				if err != nil {
					t.Fatal(err)
				}
				var f *machine.Fault
				_, err = m.Run()
				errors.As(err, &f)
				how := fmt.Sprintf("%s, in memory %v, trace %v, debug %v, overlays %v, allowed %v", name, opt.Memory, cfg.Trace, cfg.Debug, cfg.Overlays, cfg.UninitOK)
				switch {
				case cfg.UninitOK:
					if f != nil && f.Kind == machine.Uninitialized {
						t.Errorf("%s: %v", how, f)
					}
				case f == nil && line > 0:
					t.Errorf("%s: no error, want one at line %d", how, line)
				case f != nil && (f.Kind != machine.Uninitialized || f.Pos.Line != line):
					t.Errorf("%s: %v, want line %d", how, f, line)
				case f != nil && !strings.Contains(strings.ReplaceAll(f.Message, filepath.Dir(src)+"/", ""), says) && !(opt.Memory && strings.HasPrefix(says, "read at")):
					t.Errorf("%s: %s, want %q", how, f.Message, says)
				}
			}
		}
	}
}

// TestUnsetSaved goes back to a moment at which a variable in a register holds a value that was never written; from
// there the value is used.
func TestUnsetSaved(t *testing.T) {
	src := filepath.Join(t.TempDir(), "x.c")
	text := "#include <stdlib.h>\nint flag;\nint main(void) {\n int *p = malloc(4), k = 0;\n int t = *p;\n k = 1;\n if (flag)\n  k = t + 1;\n t = 5;\n return k + t;\n}\n"
	if err := os.WriteFile(src, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := load(t, lower.Options{}, src)
	m, err := machine.New(p, machine.Config{Debug: true})
	if err != nil {
		t.Fatal(err)
	}
	until := func(line int) *machine.State {
		if f := m.RunUntil(func(s int32, _ bool) bool { return p.Stmts[s].Range.Position().Line == line }); f != nil {
			t.Fatal(f)
		}
		return m.Save()
	}
	before, after := until(5), until(6)
	end := func(what string, flag, set, want int) {
		t.Helper()
		one := []byte{1, 0, 0, 0}
		if flag == 1 {
			for i, g := range p.IR.Globals {
				if g.Name == "flag" {
					m.Write(m.GlobalAddr(int32(i)), one)
				}
			}
		}
		if set == 1 {
			m.Write(ctype.Word(m.HeapBlocks()[0].Addr), one)
		}
		line := 0
		var f *machine.Fault
		if _, err := m.Run(); errors.As(err, &f) {
			line = f.Pos.Line
		}
		if line != want {
			t.Errorf("%s: error at line %d, want %d", what, line, want)
		}
	}
	end("straight on", 0, 0, 0)
	m.Restore(after)
	end("back, and t is used", 1, 0, 8)
	m.Restore(after)
	end("once more", 1, 0, 8)
	m.Restore(before)
	end("further back, and what t is given is written", 1, 1, 0)
	m.Restore(after)
	end("forward", 1, 1, 8)
}
