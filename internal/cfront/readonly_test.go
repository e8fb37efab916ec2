package cfront

import "testing"

// TestReadOnly asks of each left side of f whether it may be assigned to.
func TestReadOnly(t *testing.T) {
	p, err := parseText(t, `struct s { int a; const int b; int v[3]; const int w[2]; struct { int in; } part; };
extern const int table[4];
extern const struct s fixed;
extern struct s *const here;
void f(const struct s *c, struct s *m, const int *p, int *const q, const int grid[][2], int x)
{
    table[x]; fixed.a; fixed.v[1]; fixed.part.in; c->a; c->v[x]; c->part.in; m->b; m->w[1]; *p; p[2]; grid[x][1]; here; q;
    m->a; m->v[x]; m->part.in; *q; q[1]; here->a; x; p; c;
}
`)
	if err != nil {
		t.Fatal(err)
	}
	n, constant := 0, 14
	WalkStmt(p.Func("f").Body, func(st Stmt) {
		x, ok := st.(*ExprStmt)
		if !ok {
			return
		}
		n++
		e := Skip(x.X)
		if got, want := ReadOnly(e), n <= constant; got != want {
			t.Errorf("%s: ReadOnly is %v", e.Range().Text(), got)
		}
	}, nil)
	if n != 23 {
		t.Errorf("%d left sides", n)
	}
}
