package cfront

import (
	"strings"
	"testing"

	"gulo/internal/ctype"
)

// TestTagged: which variables and members hold tagged pointers, and to what, by what the program does; "v" is the one that is
// asked for, a global variable, or a member of struct s.
func TestTagged(t *testing.T) {
	const head = `
typedef unsigned long word;
typedef unsigned long size_t;
void *memcpy(void *, const void *, size_t);
struct a { long x; };
struct b { struct a a; long y; };
#define TAG ((word)0xfffc << 48)
#define BOX(p) (TAG | (word)(p))
#define A(w) ((struct a *)((w) & ~TAG))
`
	for _, tt := range []struct{ name, text, want string }{
		{"boxed", `word v; void f(struct a *p) { v = BOX(p); }`, "a"},
		{"added", `word v; void f(struct a *p) { v = (word)p + 1; }`, "a"},
		{"marked later", `word v; void f(struct a *p) { v |= (word)p; }`, "a"},
		{"unboxed", `word v; long f(void) { return A(v)->x; }`, "a"},
		{"tag subtracted", `word v; long f(void) { return ((struct a *)(v - 1))->x; }`, "a"},
		{"shifted", `word v; long f(void) { return ((struct a *)(v << 16 >> 16))->x; }`, "a"},
		{"a member", `struct s { int n; word v; }; void f(struct s *s, struct a *p) { s->v = BOX(p); }`, "a"},
		{"an initializer", `struct s { int n; word v; }; void f(struct a *p) { struct s s = { .v = BOX(p) }; }`, "a"},
		{"elements", `word v[4]; void f(int i, struct a *p) { v[i] = BOX(p); }`, "a"},
		{"elements behind a pointer", `struct s { word *v; }; long f(struct s *s) { return A(s->v[1])->x; }`, "a"},
		{"through a function", `word v; word box(struct a *p) { return BOX(p); } void f(struct a *p) { v = box(p); }`, "a"},
		{"through parameters", `word v; long x(word w) { return A(w)->x; } long f(void) { return x(v); }`, "a"},
		{"through a pointer that moves", `word v[4]; void f(struct a *p) { word *top = v; *top++ = BOX(p); }`, "a"},
		{"several", `word v; long f(struct b *p) { v = BOX(p); return A(v)->x; }`, "b a"},
		{"to anything", `word v; void f(void *p) { v = BOX(p); }`, "void"},
		{"a double", `double v; long f(void) { return A(*(word *)&v)->x; }`, "a"},
		{"a double that is copied", `double v; long f(void) { word w; memcpy(&w, &v, 8); return A(w)->x; }`, "a"},
		{"one that shares its bytes", `union u { double d; word bits; }; double v; void f(struct a *p) { union u u; u.bits = BOX(p); v = u.d; }`, "a"},

		{"no mask", `word v; void f(struct a *p) { v = (word)p; }`, ""},
		{"a hash of an address", `word v; void f(struct a *p) { v = ((word)p >> 4) % 16; }`, ""},
		{"a distance", `long v; void f(struct a *p, struct a *q) { v = p - q; }`, ""},
		{"a comparison", `long v; void f(struct a *p) { v = BOX(p) == 0; }`, ""},
		{"four bytes", `unsigned v; void f(struct a *p) { v = (unsigned)BOX(p); }`, ""},
		{"a mask alone", `word v; word f(void) { return v & ~TAG; }`, ""},
		{"another one", `word v, w; void f(struct a *p) { w = BOX(p); v = 1; }`, ""},
		{"a number that is computed with one", `double v; word w; void f(struct a *p) { w = BOX(p); v = (double)w; }`, ""},
	} {
		p := mustParse(t, head+tt.text)
		p.MarkAddresses()
		p.MarkGeneric()
		var leads []*ctype.Type
		for _, v := range p.Globals {
			if v.Name == "v" {
				leads = v.Leads
			}
		}
		for _, s := range p.Structs {
			for _, f := range s.Fields {
				if s.Tag == "s" && f.Name == "v" {
					leads = f.Leads
				}
			}
		}
		var names []string
		for _, l := range leads {
			names = append(names, strings.TrimPrefix(l.String(), "struct "))
		}
		if got := strings.Join(names, " "); got != tt.want {
			t.Errorf("%s: %q, not %q", tt.name, got, tt.want)
		}
	}
}
