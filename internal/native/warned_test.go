package native

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// A program that gcc takes is refused for a warning that it had not before, and only for such a one.
func TestRefuse(t *testing.T) {
	const own = `#include <stdio.h>
int main(void) {
	int n = 0, i;
	for (i = 0; i < 3; i++) n += i;
	printf("%d\n", n);
	return 0;
}
`
	ctx := context.Background()
	of := func(text string) map[string]string { return map[string]string{"a.c": text} }
	refuse, err := Unwarned(ctx, of(own), Config{})
	if err != nil || !slices.Equal(refuse, unmeant) {
		t.Fatalf("%v, %v: all warnings are expected", refuse, err)
	}
	for edit, ok := range map[[2]string]bool{
		{"n += i;", "n == i;"}:              false,
		{"i < 3", "i < i"}:                  false,
		{"\"%d", "\"%s"}:                    false,
		{"n += i;", "{ int unused; n++; }"}: true,
	} {
		text := strings.Replace(own, edit[0], edit[1], 1)
		p, err := Build(ctx, of(text), Config{Sanitize: true, Refuse: refuse})
		if p != nil {
			p.Close()
		}
		if _, refused := err.(*CompileError); refused == ok || err != nil && !refused {
			t.Errorf("%v: %v", edit, err)
		}
		left, err := Unwarned(ctx, of(text), Config{})
		if err != nil || !ok && len(left) == len(unmeant) {
			t.Errorf("%v: %v, %v", edit, left, err)
			continue
		}
		p, err = Build(ctx, of(text), Config{Refuse: left})
		if err != nil {
			t.Errorf("%v: what a program has is no reason to refuse it: %v", edit, err)
			continue
		}
		p.Close()
	}
}
