package cfront

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file tests what becomes of declarations: types, places, leaves. What the
// programs mean is tested in package machine, against gcc.

func parseText(t *testing.T, text string) (*Program, error) {
	t.Helper()
	return Parse([]*source.File{source.NewFile("t.c", []byte(text))}, Options{})
}

func mustParse(t *testing.T, text string) *Program {
	t.Helper()
	p, err := parseText(t, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func global(t *testing.T, p *Program, name string) *Var {
	t.Helper()
	for _, v := range p.Globals {
		if v.Name == name {
			return v
		}
	}
	t.Fatalf("there is no variable %s", name)
	return nil
}

// TestDeclarators: the type of x, printed as C.
func TestDeclarators(t *testing.T) {
	for text, want := range map[string]string{
		"int x;":                                "int x",
		"char *x[3];":                           "char *x[3]",
		"int (*x)[4];":                          "int (*x)[4]",
		"int (*x[2])(char, long);":              "int (*x[2])(char, long)",
		"char (*(*x)(void))[5];":                "char (*(*x)(void))[5]",
		"unsigned long int long x;":             "unsigned long long x",
		"short unsigned x;":                     "unsigned short x",
		"typedef int T[2]; T x[3];":             "int x[3][2]",
		"enum e { A = -1 } x;":                  "enum e x",
		"__typeof__(1 ? 1 : 2L) x;":             "long x",
		"int y[3]; __typeof__(&y[0]) x;":        "int *x",
		"int x __attribute__((mode(DI)));":      "long x",
		"void (*x)();":                          "void (*x)()",
		"int x[sizeof(struct { char c[7]; })];": "int x[7]",
	} {
		if got := global(t, mustParse(t, text), "x").Type.Decl("x"); got != want {
			t.Errorf("%s: %s, expected %s", text, got, want)
		}
	}
}

// TestLayout: offset, and for bit-fields first bit and width, of every member.
func TestLayout(t *testing.T) {
	for text, want := range map[string]string{
		"struct s { char c; int i; short h; }":                                "12/4 c@0 i@4 h@8",
		"struct s { char c; int i; } __attribute__((packed))":                 "5/1 c@0 i@1",
		"struct s { char c; int i __attribute__((packed)); }":                 "5/1 c@0 i@1",
		"struct s { int a : 3, b : 30; }":                                     "8/4 a@0:0+3 b@4:0+30",
		"struct s { int a : 3, b : 30; } __attribute__((packed))":             "5/1 a@0:0+3 b@0:3+30",
		"struct s { char c; int : 0; char d; }":                               "5/1 c@0 d@4",
		"struct s { char c; long long x : 40, y : 30; }":                      "16/8 c@0 x@1:0+40 y@8:0+30",
		"struct s { _Alignas(16) char c; char d; }":                           "16/16 c@0 d@1",
		"struct __attribute__((aligned(8))) s { char c; }":                    "8/8 c@0",
		"union s { int a : 9; char c; }":                                      "4/4 a@0:0+9 c@0",
		"struct s { }":                                                        "0/1",
		"struct s { int n; char a[]; }":                                       "4/4 n@0 a@4",
		"struct s { struct { char c; int i; }; char d; }":                     "12/4 @0 d@8",
		"struct s { enum { A, B = 300 } __attribute__((packed)) e; char c; }": "4/2 e@0 c@2",
	} {
		p := mustParse(t, text+" v;")
		s := global(t, p, "v").Type
		got := fmt.Sprintf("%d/%d", s.Size, s.Align)
		for _, f := range s.Fields {
			got += fmt.Sprintf(" %s@%d", f.Name, f.Offset)
			if f.BitLen > 0 {
				got += fmt.Sprintf(":%d+%d", f.BitOff, f.BitLen)
			}
		}
		if got != want {
			t.Errorf("%s: %s, expected %s", text, got, want)
		}
	}
}

// TestInitializers: the leaves in the order of their places.
func TestInitializers(t *testing.T) {
	for text, want := range map[string]string{
		"int v[3] = { 1, 2 };":                   "0=1 4=2",
		"int v[] = { [2] = 5, 6, [0] = 1 };":     "0=1 8=5 12=6",
		"int v[4] = { [0 ... 2] = 7, [1] = 8 };": "0=7 4=8 8=7",
		"struct { int a; struct { char b, c; } d[2]; int e; } v = { 1, 2, 3, { 4 }, 5 };": "0=1 4=2 5=3 6=4 8=5",
		"struct { int a, b; } v = { .b = 1, .a = 2, 3 };":                                 "0=2 4=3",
		"union { int a; char b[4]; } v = { .a = 1, .b = { 2, 3 } };":                      "0=2 1=3",
		"struct { int n; int a[]; } v = { 1, { 2, 3 } };":                                 "0=1 4=2 8=3",
		"struct { unsigned a : 3, b : 5; } v = { 1, 2 };":                                 "0=1 0=2",
		"int v = { 3 };": "0=3",
		"struct { int a, b; } v = { b: 4, a: 3 };":                     "0=3 4=4",
		"struct { struct { int x; }; int y; } v = { .y = 1, .x = 2 };": "0=2 4=1",
	} {
		var got []string
		for _, in := range global(t, mustParse(t, text), "v").Init {
			got = append(got, fmt.Sprintf("%d=%s", in.Offset, Text(in.X)))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, expected %s", text, s, want)
		}
	}
	if n := global(t, mustParse(t, `char v[] = "ab" "c";`), "v").Type.Len; n != 4 {
		t.Errorf("length %d of a string's array", n)
	}
}

// TestLiterals: bytes of string literals, values of character constants.
func TestLiterals(t *testing.T) {
	for text, want := range map[string]string{
		`"a\x41\102\n"`: "61 41 42 0a 00", `"\x1" "2"`: "01 32 00", `"\0" "7"`: "00 37 00", `u8"é"`: "c3 a9 00", `"\u20ac"`: "e2 82 ac 00",
		`L"a\x263a"`: "61 00 00 00 3a 26 00 00 00 00 00 00",
	} {
		v := global(t, mustParse(t, "__typeof__(*"+text+") v[] = "+text+";"), "v")
		if got := fmt.Sprintf("% x", v.Init[0].X.(*String).Bytes); got != want {
			t.Errorf("%s: %s, expected %s", text, got, want)
		}
	}
	for text, want := range map[string]int64{`'a'`: 97, `'\xff'`: -1, `'ab'`: 'a'<<8 | 'b', `L'\x1f600'`: 0x1f600, `'\''`: 39, "0x7fffffff + 0u": 0x7fffffff, "017": 15, "0b11": 3} {
		w, ok := Constant(global(t, mustParse(t, "long v = "+text+";"), "v").Init[0].X)
		if !ok || int64(w) != want {
			t.Errorf("%s: %d, expected %d", text, int64(w), want)
		}
	}
}

// TestScopes: which x a name stands for, by the size of its type.
func TestScopes(t *testing.T) {
	for text, want := range map[string]uint64{
		"char x; int f(void) { int x; return sizeof x; }":                                                4,
		"char x; int f(void) { { int x; } return sizeof x; }":                                            1,
		"struct T { int a; }; int f(void) { struct T { char c; } v; return sizeof v; }":                  1,
		"struct T { int a; }; int f(void) { { struct T { char c; } v; } struct T w; return sizeof w; }":  4,
		"typedef char T; int f(void) { int T = 1; return sizeof T; }":                                    4,
		"int f(char x) { { extern short x; return sizeof x; } }":                                         2,
		"enum { x = 5 }; int f(void) { enum { x = 6 }; return x; }":                                      6,
		"long long x; int f(void) { for (char x = 0; ; ) return sizeof x; }":                             1,
		"int f(void) { const int c = 1; return _Generic(&c, int *: 1, const int *: 2); }":                2,
		"int f(void) { int *const p = 0; return _Generic(p, int *: 1, default: 2); }":                    1,
		"int f(void) { struct { const char c; } s; return _Generic(&s.c, char *: 1, const char *: 2); }": 2,
	} {
		p := mustParse(t, text)
		var got ctype.Word
		WalkStmt(p.Func("f").Body, func(s Stmt) {
			if r, ok := s.(*Return); ok {
				got, _ = Constant(r.X)
			}
		}, nil)
		if got != want {
			t.Errorf("%s: %d, expected %d", text, got, want)
		}
	}
}

// TestRefused: what is not supported is opaque, or refused, where it stands.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		"int f(void) {\n  _Float128 x;\n}":                                                 "t.c:2:3: error: the type _Float128 is not supported",
		"struct s { int a:3, :0; } __attribute__((ms_struct)); struct s x;":                "t.c:1:42: error: the attribute ms_struct beside other layouts is not supported",
		"int x; int f(void) { __asm__ (\".set one, 1; incl %0\" : \"+r\"(x)); return x; }": "t.c:1:22: error: inline assembly is not supported",
		"int f(int n) { struct { char a[n]; int b : 3; } s; return s.b; }":                 "t.c:1:59: error: a bit-field behind a member of variable size is not supported",
		"int f(void) { int g(void) { return 1; } return g(); }":                            "t.c:1:19: error: nested functions are not supported",
		"int n; int f(void) { int a[3] = { [0 ... 2] = n++ }; return a[0]; }":              "t.c:1:47: error: a side effect in the initializer of a range is not supported",
		"__int128 x; int f(void) { __sync_fetch_and_add(&x, 1); return 0; }":               "t.c:1:27: error: __sync_fetch_and_add on a __int128 is not supported",
	} {
		p, err := parseText(t, text)
		var se *source.Error
		got := "nothing is opaque"
		switch {
		case errors.As(err, &se):
			got = se.List[0].String()
		case len(p.Opaque) > 0:
			got = source.Diagnostic{Pos: p.Opaque[0].At, Message: p.Opaque[0].Reason}.String()
		}
		if got != want {
			t.Errorf("%s:\n%s, expected\n%s", text, got, want)
		}
	}
}

// TestOwnFiles: functions of the library that gulo has in C are no files of the program,
// which is compiled from its files.
func TestOwnFiles(t *testing.T) {
	p := mustParse(t, "#include <stdlib.h>\nstatic int by(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }\nvoid f(int *a, int n) { qsort(a, n, sizeof *a, by); }\n")
	if f := p.Func("qsort"); f == nil || f.Body == nil {
		t.Fatal("qsort has no body")
	}
	for _, f := range p.Files {
		if f.Name != "t.c" {
			t.Errorf("%s is a file of the program", f.Name)
		}
	}
}
