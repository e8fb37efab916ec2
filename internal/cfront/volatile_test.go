package cfront

import (
	"strings"
	"testing"
)

// TestVolatiles: every way to name an object that is volatile, and none to name others.
func TestVolatiles(t *testing.T) {
	p, err := parseText(t, `struct dev { volatile int status; int plain; };
volatile int port, ports[4];
int quiet;
static int deeper(volatile char *reg) { return *reg + reg[1]; }
int f(struct dev *d, volatile struct dev *all, int *q)
{
    volatile int local = *q;
    port = d->plain + quiet;
    ports[2] = d->status;
    return all->plain + deeper(0) + local;
}
int g(int *q) { return *q + quiet; }
`)
	if err != nil {
		t.Fatal(err)
	}
	const want = "*reg; all->plain; d->status; port; ports; ports[2]; reg[1]"
	if got := strings.Join(Volatiles(p.Func("f")), "; "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := Volatiles(p.Func("g")); got != nil {
		t.Errorf("%q in what names no volatile object", got)
	}
}
