package cfront

import (
	"slices"
	"testing"

	"gulo/internal/ctype"
)

// TestUnionWrites: which member of union u is the only one that a program writes, whether others than names may write it,
// and whether a call of f leaves all such unions as they are.
func TestUnionWrites(t *testing.T) {
	const head = `
typedef unsigned long size_t;
void *memcpy(void *, const void *, size_t), *malloc(size_t);
void free(void *);
char *strcpy(char *, const char *);
size_t strlen(const char *);
long read(int, void *, size_t);
union u { int i; float f; char t[8]; };
struct s { int kind; union u u; };
struct a { int kind; union { int n; float g; }; };
extern struct s *all;
`
	for _, tt := range []struct {
		name, text string
		sole       int
		exposed    bool
		keeps      bool
	}{
		{"one member", `void f(void) { all->u.f = 1; }`, 1, false, false},
		{"another is read", `int g; void f(void) { union u u; u.f = 1; g = u.i; }`, 1, false, true},
		{"two members", `void f(void) { all->u.f = 1; } void g(void) { all->u.i = 1; }`, -1, false, false},
		{"an initializer", `union u g = { .f = 1 }; void f(void) { }`, 1, false, true},
		{"incremented", `void f(void) { all->u.i++; }`, 0, false, false},
		{"an element", `void f(void) { all->u.t[1] = 'x'; }`, 2, false, false},
		{"a text", `void f(void) { strcpy(all->u.t, "x"); }`, 2, false, false},
		{"read by the library", `size_t g; void f(void) { g = strlen(all->u.t); } void h(void) { all->u.t[0] = 0; }`, 2, false, true},
		{"copied whole", `void f(struct s *p) { *p = *all; } void g(void) { all->u.i = 1; }`, 0, false, false},
		{"a fresh block", `struct s *f(void) { struct s *n = malloc(sizeof *n); n->u.i = 1; return n; }`, 0, false, true},
		{"not fresh", `struct s *f(int c) { struct s *n = malloc(sizeof *n); if (c) n = all; n->u.i = 1; return n; }`, 0, false, false},
		{"freed", `void f(struct s *p) { free(p); } void g(void) { all->u.i = 1; }`, 0, false, true},
		{"an address", `int *f(void) { all->u.f = 1; return &all->u.i; }`, -1, true, false},
		{"an array that decays", `char *f(void) { all->u.f = 1; return all->u.t; }`, -1, true, false},
		{"a cast", `void f(void) { all->u.f = 1; *(int *)&all->u = 1; }`, -1, true, false},
		{"read from a file", `void f(void) { all->u.f = 1; read(0, all, sizeof *all); }`, -1, true, false},
		{"bytes from elsewhere", `void f(int *p) { all->u.f = 1; memcpy(&all->u, p, 4); }`, -1, true, false},
		{"through a void pointer", `void c(void *p) { char *q = p; *q = 1; } void f(void) { all->u.f = 1; c(all); }`, -1, true, false},
		{"carried by a void pointer", `void *g; void f(void) { all->u.f = 1; g = all; }`, 1, false, false},
		{"a function that a pointer names", `void (*g)(void); void f(void) { g(); } void h(void) { all->u.i = 1; }`, 0, false, false},
	} {
		p := mustParse(t, head+tt.text)
		var u *ctype.Type
		for _, s := range p.Structs {
			if s.Tag == "u" {
				u = s
			}
		}
		w := p.Unions
		if got := w.Sole(u); got != tt.sole {
			t.Errorf("%s: the only member is %d, not %d", tt.name, got, tt.sole)
		}
		if got := w.Exposed(u); got != tt.exposed {
			t.Errorf("%s: exposed is %t", tt.name, got)
		}
		if got := w.Keeps(p.Func("f"), u); got != tt.keeps {
			t.Errorf("%s: f keeps is %t", tt.name, got)
		}
	}
}

// TestWayOfInitializers: an initializer names the members of unions that it gives values, where its type and place tell.
func TestWayOfInitializers(t *testing.T) {
	p := mustParse(t, `
struct p { short a, b; };
struct { int k; union { long n; double d; struct p p; union { short s; char c; } in; }; } v = { .p = { 1, 2 } }, w = { .d = 1 }, x = { .in = { .c = 1 } };
union { int a, b; } y = { .b = 1 };
`)
	for name, want := range map[string][]int{"v": {2}, "w": {1}, "x": {3, 1}} {
		for _, g := range p.Globals {
			if g.Name != name {
				continue
			}
			var got []int
			ways, ok := g.Init[len(g.Init)-1].UnionsIn(g.Type)
			for _, m := range ways {
				got = append(got, m.Index)
			}
			if !ok || !slices.Equal(got, want) {
				t.Errorf("%s: %v %t, not %v", name, got, ok, want)
			}
		}
	}
	for _, g := range p.Globals {
		if _, ok := g.Init[0].UnionsIn(g.Type); g.Name == "y" && ok {
			t.Error("of two members of one type one is told")
		}
	}
}
