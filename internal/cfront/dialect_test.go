package cfront

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDialect: flags that change types are each file's own; what is not modelled is opaque.
func TestDialect(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	const text = "enum e { A, B = 200 };\nstruct NAME { char c; enum e e; long l; };\nstruct NAME NAME;\nint f_NAME(void) { return 'x' + '\\377'; }\n"
	a, b := file("a.c", strings.ReplaceAll(text, "NAME", "one")), file("b.c", strings.ReplaceAll(text, "NAME", "two")+"int main(void) { return f_two(); }\n")
	load := func(fa, fb []string) *Program {
		p, err := Load(t.Context(), []string{a, b}, Options{Units: map[string]Unit{a: {Flags: fa}, b: {Flags: fb}}})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := load([]string{"-fshort-enums", "-fpack-struct=2", "-funsigned-char", "-fwrapv"}, []string{"-funsigned-char", "-fsigned-char", "-fwrapv", "-fno-wrapv"})
	if len(p.Opaque) > 0 || p.Wraps {
		t.Errorf("opaque: %v, wraps: %v", p.Opaque, p.Wraps)
	}
	for _, s := range p.Structs {
		want, unsigned := int64(16), false
		if s.Tag == "one" {
			want, unsigned = 10, true
		}
		if s.Tag != "" && s.Tag != "e" && (s.Size != want || s.Fields[0].Type.Signed == unsigned) {
			t.Errorf("struct %s has %d bytes, its char is signed: %v", s.Tag, s.Size, s.Fields[0].Type.Signed)
		}
	}
	if !load([]string{"-fwrapv"}, []string{"-fno-strict-overflow"}).Wraps {
		t.Error("-fwrapv everywhere")
	}
	p = load([]string{"-fshort-wchar"}, nil)
	if f := p.Func("f_one"); f == nil || f.Body == nil || len(p.Opaque) == 0 || !strings.Contains(p.Opaque[0].Reason, "-fshort-wchar") {
		t.Errorf("-fshort-wchar: %v", p.Opaque)
	}
	// The library's functions in C have the program's types.
	if err := os.WriteFile(a, []byte("#include <getopt.h>\nint f_one(void) { return optind; }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(b, []byte("#include <getopt.h>\n#include <stdlib.h>\nstatic struct option o[1];\nint cmp(const void *a, const void *b) { return 0; }\nint main(int argc, char **argv) { qsort(o, 1, sizeof o[0], cmp); return getopt_long(argc, argv, \"a\", o, NULL); }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"-funsigned-char"}, {"-fpack-struct"}, {"-fshort-enums", "-fsigned-char"}} {
		if p = load(flags, flags); len(p.Opaque) > 0 {
			t.Errorf("%v: %s", flags, p.Opaque[0].Reason)
		}
		if f := p.Func("getopt_long"); f == nil || f.Body == nil {
			t.Errorf("%v: getopt_long is not read", flags)
		}
	}
	if p.Func("main") == nil {
		t.Error("the other file is gone")
	}
}
