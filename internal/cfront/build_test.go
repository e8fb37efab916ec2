package cfront

import (
	"testing"

	"gulo/internal/source"
)

// TestSpelled: what a macro makes of its arguments stands nowhere in the text and is written all the same.
func TestSpelled(t *testing.T) {
	p, err := Parse([]*source.File{source.NewFile("a.c", []byte(`#define newvector(n, t) ((t *)calloc((n), sizeof(t)))
void *calloc(unsigned long, unsigned long);
struct pair { int a, b; };
void *f(int n) { return newvector(n, struct pair); }
double _Complex g(void) { return 3.0 + 4.0i; }
int main(void) { return 0; }
`))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, fn := range p.Funcs {
		if fn.Body == nil {
			continue
		}
		WalkStmt(fn.Body, nil, func(x Expr) {
			Walk(x, func(y Expr) bool {
				switch y := y.(type) {
				case *Call:
					got["the size"] = Text(Skip(y.Args[1]))
				case *WideConst:
					got["the imaginary part"] = Text(y)
				}
				return true
			})
		})
	}
	for what, want := range map[string]string{"the size": "8ul", "the imaginary part": "4.0i"} {
		if got[what] != want {
			t.Errorf("%s is %q, want %q", what, got[what], want)
		}
	}
}
