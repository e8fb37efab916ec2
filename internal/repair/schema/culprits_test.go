package schema

import "testing"

// TestMissingFunction: a call of what no file has fails when the program is linked, without a
// line. The edits that call it are taken out, and no other is lost.
func TestMissingFunction(t *testing.T) {
	calls, names := &Edit{alt: "s->key = key (s->low);"}, &Edit{alt: "s->key = monkey(s->low);"}
	for _, linker := range []string{
		"/tmp/x.o:1_a.c:function settle: error: undefined reference to 'key'\n",
		"/usr/bin/ld: /tmp/x.o: in function `settle':\na.c:(.text+0x12): undefined reference to `key'\n",
	} {
		if got := culprits(linker, nil, []*Edit{nil, calls, names}); len(got) != 1 || got[0] != calls {
			t.Errorf("%d edits of %s", len(got), linker)
		}
	}
}

// TestExchange: a member, a function and a variable of one name are three things.
func TestExchange(t *testing.T) {
	text := "if (top(s->top) > top) s->top = top(top);"
	if got, want := (exchange{"top", "key", true}).in(text), "if (top(s->key) > top) s->key = top(top);"; got != want {
		t.Errorf("members: %s, want %s", got, want)
	}
	if got, want := (exchange{"top", "key", false}).in(text), "if (top(s->top) > key) s->top = top(key);"; got != want {
		t.Errorf("variables: %s, want %s", got, want)
	}
}
