package cfront

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
)

// TestChoices: what functions say of the union in a struct; "tag: value member", with the members of values 0 to 9.
func TestChoices(t *testing.T) {
	const head = `
void abort(void);
#define INT 1
#define STR 2
#define LST 3
struct v { int type, refs, len; struct v *next; union { long i; char *s; struct v *l; } as; };
long use(long); char *look(char *);
`
	const anonymous = `
#define BIG 4
#define INT 8
struct v { unsigned char flags; unsigned kind : 2; _Bool leaf; union { char small[8]; char *big; struct { int lo, hi; }; }; };
int use(int); char *look(char *);
`
	const headed = `
struct head { int refs; unsigned kind : 4; };
struct v { struct head h; union { long i; char *s; } as; struct { struct head deep; } in; };
long use(long); char *look(char *);
`
	for _, tt := range []struct{ name, head, text, want string }{
		{"in the head", headed, `
long f(struct v *v) { switch (v->h.kind) { case 1: return v->as.i; case 2: look(v->as.s); } return 0; }`,
			"h.kind: 1i 2s"},
		{"deep in a struct", headed, `
long f(struct v *v) { if (v->in.deep.refs == 3) return v->as.i; if (v->in.deep.refs == 5) look(v->as.s); return 0; }`,
			"in.deep.refs: 3i 5s"},
		{"in the head of another object", headed, `
long f(struct v *v, struct v *w) { switch (v->h.kind) { case 1: return w->as.i; case 2: look(w->as.s); } return 0; }`,
			""},
		{"the head is changed", headed, `
long f(struct v *v, struct head h) { if (v->h.kind == 1) { v->h = h; use(v->as.i); } if (v->h.kind == 2) { v->h.kind = 1; look(v->as.s); } return 0; }`,
			""},
		{"switch", head, `
long f(struct v *v) { switch (v->type) { case INT: return v->as.i; case STR: look(v->as.s); break; case LST: { struct v *l = v->as.l; return f(l); } } return 0; }`,
			"type: 1i 2s 3l"},
		{"falls through", head, `
long f(struct v *v) { switch (v->type) { case INT: case 4: use(v->as.i); case 5: use(v->as.i); break; default: look(v->as.s); case STR: look(v->as.s); break; case LST: f(v->as.l); } return 0; }`,
			"type: 1i 3l 4i 5i"},
		{"if, early return, assert-like abort", head, `
long f(struct v *v) { if (v->type == INT) return v->as.i; if (v->type != STR) abort(); return *v->as.s; }`,
			"type: 1i 2s"},
		{"macros", head, `
#define IS_STR(v) ((v).type == STR)
#define AS_STR(v) ((v).as.s)
#define IS_INT(v) ((v).type == INT)
#define AS_INT(v) ((v).as.i)
long f(struct v a, struct v *b) { if (IS_INT(a) && AS_INT(a) > 3) return 1; return IS_STR(b[2]) ? *AS_STR(b[2]) : 0; }`,
			"type: 1i 2s"},
		{"either of two", head, `
long f(struct v *v) { if (v->type == INT || v->type == 7) use(v->as.i); else if (v->type == STR) look(v->as.s); return 0; }`,
			"type: 1i 2s 7i"},
		{"an else says nothing of other values", head, `
long f(struct v *v) { if (v->type == INT) use(v->as.i); else look(v->as.s); return 0; }`,
			""},
		{"another object", head, `
long f(struct v *v, struct v *w) { if (v->type == INT) use(w->as.i); if (v->next->type == STR) look(v->as.s); if (w->type == LST) f(w->as.l, w); return 0; }`,
			""},
		{"the object is another one when it is used", head, `
long f(struct v *v) { while (v->type == INT) { v = v->next; use(v->as.i); } if (v->type == STR) { look(v->as.s); } return 0; }`,
			""},
		{"the tag is changed", head, `
long f(struct v *v) { if (v->type == INT) { v->type = STR; v->as.s = 0; } if (v->type == LST) f(v->as.l); return 0; }`,
			""},
		{"used for two members", head, `
long f(struct v *v) { if (v->type == INT) use(v->as.i); if (v->type == STR) look(v->as.s); if (v->type == LST) f(v->as.l); return 0; }
void drop(struct v *v) { if (v->type == STR) use(v->as.i); }`,
			"type: 1i 3l"},
		{"one member only", head, `
void drop(struct v *v) { if (v->refs == 1) look(v->as.s); if (v->refs == 2) look(v->as.s); }`,
			""},
		{"another member is looked at, too", head, `
long f(struct v *v) { switch (v->type) { case INT: if (v->len == 1) use(v->as.i); use(v->as.i); break; case STR: if (v->len == 2) look(v->as.s); look(v->as.s); } return 0; }`,
			"type: 1i 2s"},
		{"two members that say the same", head, `
long f(struct v *v) { if (v->type == INT && v->len == 1) use(v->as.i); if (v->type == STR && v->len == 2) look(v->as.s); return 0; }`,
			""},
		{"jumped into", head, `
long f(struct v *v, int n) { if (n) goto in; if (v->type == INT) { in: use(v->as.i); } if (v->type == STR) look(v->as.s); return 0; }`,
			""},
		{"flags", anonymous, `
char *f(struct v *v) { if (v->flags & INT) return use(v->lo) ? 0 : look(0); return v->flags & BIG ? v->big : v->small; }`,
			"flags: 0small 1small 2small 3small 4big 5big 6big 7big 8{} 9{}"},
		{"flags that are looked at apart", anonymous, `
char *f(struct v *v) { return v->flags & BIG ? v->big : v->small; }
int g(struct v *v) { return v->flags & INT ? v->lo : 0; }`,
			"flags: 0small 1small 2small 3small 4big 5big 6big 7big 8? 9?"},
		{"bits with a value", anonymous, `
char *f(struct v *v) { if ((v->flags & 3) == 1) use(v->hi); if ((v->flags & 3) == 2) look(v->big); return 0; }`,
			"flags: 1{} 2big 5{} 6big 9{}"},
		{"a bit-field", anonymous, `
char *f(struct v *v) { switch (v->kind) { case 1: return v->small; case 3: return v->big; } return 0; }`,
			"kind: 1small 3big"},
		{"yes or no", anonymous, `
char *f(const struct v *v) { if (!v->leaf) return v->big; return (char *)v->small; }`,
			"leaf: 0big 1small 2small 3small 4small 5small 6small 7small 8small 9small"},
	} {
		p := mustParse(t, tt.head+tt.text)
		got := ""
		for i := range p.Choices {
			c := &p.Choices[i]
			if got != "" {
				got += ", "
			}
			got += c.Tag.Name + ":"
			for w := range uint64(10) {
				any := false
				for _, k := range c.Cases {
					holds := true
					for _, x := range k.Tests {
						holds = holds && x.Holds(w)
					}
					any = any || holds
				}
				switch m := c.Of(w); {
				case any && m < 0:
					got += fmt.Sprintf(" %d?", w)
				case any:
					got += fmt.Sprintf(" %d%s", w, cmp.Or(c.Union.Fields[m].Name, "{}"))
				}
			}
		}
		if got != strings.TrimSpace(tt.want) {
			t.Errorf("%s: %q, not %q", tt.name, got, tt.want)
		}
	}
}
