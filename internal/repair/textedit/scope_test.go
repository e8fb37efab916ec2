package textedit

import (
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// TestScoped: what names a variable where it is not declared is no edit; what declares it itself is.
func TestScoped(t *testing.T) {
	const text = `#include <stdlib.h>
typedef struct item { int key; struct item *next; } item;
item *head;
static int len(const item *from) {
	int n = 0;
	for (const item *c = from; c; c = c->next)
		n++;
	return n;
}
int main(void) {
	item *x = malloc(sizeof(item));
	x->key = len(head);
	{
		int inner = x->key;
		head = inner > 1 ? x : NULL;
	}
	return 0;
}
`
	p, err := cfront.Parse([]*source.File{source.NewFile("scope.c", []byte(text))}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := New(Config{Tree: p})
	at := func(mark string) scopeAt { // where a line begins
		fn := p.Func("main")
		if strings.Contains(mark, "n++") {
			fn = p.Func("len")
		}
		return scopeAt{fn, p.Files[0], strings.Index(text, mark)}
	}
	for _, x := range []struct {
		text, old, mark string
		want            bool
	}{
		{"x->next = NULL;", "", "x->key = len", true},
		{"x->next = NULL;", "", "item *x = malloc", false},
		{"inner = 2;", "", "return 0", false},
		{"x->key = n;", "", "x->key = len", false},
		{"head->key = x->inner;", "", "return 0", true}, // a member
		{"for (const item *c = head; c; c = c->next) x->key++;", "", "return 0", true},
		{"for (c = head; c; c = c->next) x->key++;", "", "return 0", false},
		{"if (c->key) { const item *c = head; x->key = c->key; }", "", "return 0", false},
		{"if (x) { int n = 1, inner = n; x->key = inner; } else { x->key = n; }", "", "return 0", false},
		{"if (x) { int n = 1, inner = n; x->key = inner; } else { x->key = 0; }", "", "return 0", true},
		{"struct item *c = (struct item *)head; unsigned long n = sizeof(item) * 2, inner; n = inner;", "", "return 0", true},
		{"x->key = inner * n;", "", "head = inner", false},
		{"printf(\"%d n c\", 'n');", "", "return 0", true},
		{"n--;", "n++;", "n++", true},
		{"{ int inner = 1; x->key = inner; } x->key = inner;", "{ int inner = 1; x->key = inner; }", "return 0", false},
	} {
		if got := s.scoped(x.text, x.old, at(x.mark)); got != x.want {
			t.Errorf("scoped(%q, at %q) is %v", x.text, x.mark, got)
		}
	}
}
