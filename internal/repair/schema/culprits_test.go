package schema

import (
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/native/nativetest"
	"gulo/internal/repair/textedit"
)

// TestMissingFunction: a call of what no file has fails when the program is linked, without a
// line. The edits that call it are taken out, and no other is lost.
func TestMissingFunction(t *testing.T) {
	calls, names := &textedit.Edit{Alt: "s->key = key (s->low);"}, &textedit.Edit{Alt: "s->key = monkey(s->low);"}
	for _, linker := range []string{
		"/tmp/x.o:1_a.c:function settle: error: undefined reference to 'key'\n",
		"/usr/bin/ld: /tmp/x.o: in function `settle':\na.c:(.text+0x12): undefined reference to `key'\n",
	} {
		if got := culprits(nil, linker, nil, nil, []*textedit.Edit{nil, calls, names}); len(got) != 1 || got[0] != calls {
			t.Errorf("%d edits of %s", len(got), linker)
		}
	}
}

// TestUndeclared: gcc says once for a function that a name is unknown in it. All edits that
// name it where it is not visible are taken out, those of its own block are not, nor those of a
// member or a text.
func TestUndeclared(t *testing.T) {
	p, _ := nativetest.Load(t, `struct s { int j; };
int f(struct s *x, int n)
{
    if (n > 1) {
        int j = 0;
        n = j + 1;
    }
    n = n + x->j;
    return n;
}
int main(void) { struct s x = {1}; return f(&x, 2); }
`)
	fn := p.Func("f")
	file := fn.Range.File
	at := func(text string) *textedit.Site {
		i := strings.Index(string(file.Text), text)
		return &textedit.Site{File: file, Start: i, End: i + len(text)}
	}
	list := []*textedit.Edit{nil,
		{Func: fn, Alt: "n = j;", Site: at("n = n + x->j;")},
		{Func: fn, Alt: "return j;", Site: at("return n;")},
		{Func: fn, Alt: "n = j + j;", Site: at("n = j + 1;")},
		{Func: fn, Alt: "n = n - x->j - x->j;", Site: at("n = n + x->j;")},
		{Func: fn, Alt: `puts("j");`, Site: at("return n;")},
	}
	gcc := "t.c:8:5: error: ‘j’ undeclared (first use in this function)\nt.c:8:5: note: each undeclared identifier is reported only once\n"
	got := culprits(p, gcc, map[string]map[int]int{"t.c": {8: 1}}, nil, list)
	if len(got) != 2 || got[0] != list[1] || got[1] != list[2] {
		t.Errorf("%d edits", len(got))
	}
}

// TestCulpritsElsewhere says that an error in what a macro of a header expands to is one of the edit that uses the macro.
func TestCulpritsElsewhere(t *testing.T) {
	f := &cfront.Func{Name: "walk"}
	uses, other := &textedit.Edit{Func: f, Alt: "EACH(p, l)"}, &textedit.Edit{Func: &cfront.Func{Name: "other"}, Alt: "n"}
	gcc := `t.h:3:20: error: expected expression before ‘for’
    3 | #define EACH(p, l) for (p = l; p; p = p->next)
t.c:8:3: note: in expansion of macro ‘EACH’
    8 |   (EACH(p, l))
`
	list := []*textedit.Edit{nil, uses, other}
	lines := map[string]map[int]int{"t.c": {8: 1, 9: 2}}
	if got := culprits(nil, gcc, lines, nil, list); len(got) != 1 || got[0] != uses {
		t.Errorf("%d edits are to blame, the one that uses the macro is", len(got))
	}
}

// TestUnlined says that gcc's errors have the lines of the file itself where the program numbers them, as flex and bison
// do, and that nothing moves.
func TestUnlined(t *testing.T) {
	text := "#include <stdio.h>\n#line 3 \"t.l\"\n# 7 \"t.l\" 2\n  #  line 9\n#define line 4\nint n; /* # 3 */\n#lines\n"
	want := "#include <stdio.h>\n//ine 3 \"t.l\"\n//7 \"t.l\" 2\n  // line 9\n#define line 4\nint n; /* # 3 */\n#lines\n"
	if got := string(unlined([]byte(text))); got != want {
		t.Errorf("%q\nnot %q", got, want)
	}
}
