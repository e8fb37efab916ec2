package cfront

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"

	"gulo/internal/ctype"
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

// TestNamed: a constant that a macro stands for is written with the macro's name wherever it goes; a part of what one stands
// for is written as a number.
func TestNamed(t *testing.T) {
	p, err := Parse([]*source.File{source.NewFile("a.c", []byte(`#define LIMIT 650
#define CLOSE (600)
#define OUTER LIMIT
#define BOTH 3 + 4
#define ADD(n) n + 5
int f(int x) { return x * (LIMIT + 1) + x * (CLOSE + 2) + x * (OUTER + 3) + x * (BOTH + 6) + x * (ADD(LIMIT) + 7); }
int main(void) { return 0; }
`))}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, fn := range p.Funcs {
		if fn.Body != nil && fn.Name == "f" {
			WalkStmt(fn.Body, nil, func(x Expr) {
				Walk(x, func(y Expr) bool {
					if k, ok := y.(*Const); ok {
						got[Text(NewUnary(ctype.Neg, k))] = true
					}
					return true
				})
			})
		}
	}
	for _, want := range []string{"-LIMIT", "-CLOSE", "-OUTER", "-3", "-4", "-5"} {
		if !got[want] {
			t.Errorf("no constant is written %s: %v", want, got)
		}
	}
	if got["-BOTH"] {
		t.Error("a part of what a macro stands for is written as the whole")
	}
}

// TestReading: who opens a program of many files hears of each that has been read.
func TestReading(t *testing.T) {
	t.Chdir(t.TempDir())
	names := []string{"main.c", "a.c", "b.c"}
	for i, n := range names {
		text := fmt.Sprintf("int f%d(void) { return %d; }\n", i, i)
		if i == 0 {
			text = "int main(void) { return 0; }\n"
		}
		if err := os.WriteFile(n, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var told [][2]int
	if _, err := Load(context.Background(), names, Options{Reading: func(done, of int) { told = append(told, [2]int{done, of}) }}); err != nil {
		t.Fatal(err)
	}
	if want := [][2]int{{1, 3}, {2, 3}, {3, 3}}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
}
