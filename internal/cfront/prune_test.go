package cfront

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// TestPrune: what a unit mentions, in whatever way, is still declared; what it does not is
// not parsed.
func TestPrune(t *testing.T) {
	text := `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <math.h>
#define CALL(f, x) f(x)
#define NAME(a, b) a##b
static double (*root)(double) = sqrt;
static void handle(int n) { (void)n; }
int main(void)
{
	char *s = NAME(str, dup)("abc");
	signal(SIGINT, handle);
	int n = CALL(atoi, s) + (int)root(4) + (int)sizeof(div(1, 2));
	printf("%d %zu\n", n, strlen(s));
	free(s);
	return 0;
}
`
	name := filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := Load(context.Background(), []string{name}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Opaque) > 0 {
		t.Errorf("opaque: %v", p.Opaque)
	}
	c := newConverter()
	u, _, err := c.preprocess(c.file(name), Unit{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	u.write(pieceBytes)
	count := map[string]int{}
	for _, w := range strings.FieldsFunc(string(u.text), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		count[w]++
	}
	for _, w := range []string{"strdup", "signal", "atoi", "sqrt", "div", "printf", "strlen", "free"} {
		if count[w] < 2 {
			t.Errorf("%s is not declared any more", w)
		}
	}
	for _, w := range []string{"strtok", "getenv", "cbrt", "sigsuspend"} {
		if count[w] > 0 {
			t.Errorf("%s is declared although nothing uses it", w)
		}
	}
}
