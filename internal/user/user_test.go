package user_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/session"
	"gulo/internal/target/sim"
	"gulo/internal/user"
)

// version loads a version of a program; where its text has /*!X!*/ the right one has X, and the wrong one what stands
// before that from the last /*?*/ on.
func version(t *testing.T, text string, right bool) *lower.Program {
	t.Helper()
	var b strings.Builder
	for text != "" {
		before, rest, ok := strings.Cut(text, "/*?*/")
		b.WriteString(before)
		if !ok {
			break
		}
		wrong, rest, _ := strings.Cut(rest, "/*!")
		good, rest, _ := strings.Cut(rest, "!*/")
		if text = rest; right {
			wrong = good
		}
		b.WriteString(wrong)
	}
	path := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := lower.Open(context.Background(), []string{path}, cfront.Options{Nested: true}, lower.Options{Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func open(t *testing.T, p *lower.Program) *session.Session {
	s := session.New(p, sim.New(p, sim.Config{Name: "p.c"}), session.Config{Name: "p.c"})
	t.Cleanup(s.Close)
	return s
}

func record(t *testing.T, p *lower.Program, most int) *user.Trace {
	t.Helper()
	r, err := user.Record(context.Background(), p, open(t, p), "start", most)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// list appends to a list, from the second call on wrong.
const list = `#include <stdlib.h>
struct node { int key; struct node *next; };
static struct node *append(struct node *list, int key) {
    struct node *n = malloc(sizeof *n), *p = list;
    n->key = key;
    n->next = NULL;
    if (!list)
        return n;
    while (p->next)
        p = p->next;
    /*?*/list/*!p!*/->next = n;
    return list;
}
int main(void) {
    struct node *l = append(append(append(NULL, 1), 2), 3);
    return l->key;
}
`

// TestPlay finds where a right run shows something else, goes there, and draws it.
func TestPlay(t *testing.T) {
	for _, x := range []struct{ name, text, typed, log string }{
		{"the third call", list, "start; break append times 3; continue; break -append; next 9; change n1->next n2; change n2->next n3; spec", "n1 "},
		{"a round of a loop", "int main(void) {\n    int s = 0;\n    for (int i = 0; i < 4; i++)\n        s += /*?*/2/*!i!*/;\n    return s;\n}\n",
			"start; next 4; change s 0; spec", ""},
		{"behind a branch", "int most(int a, int b) {\n    int m = a;\n    if (b /*?*/</*!>!*/ a)\n        m = b;\n    return m;\n}\nint main(void) { return most(3, 3) + most(1, 2); }\n",
			"start; break most times 2; continue; break -most; next 2; change m 2; spec", ""},
		{"what is returned", "int twice(int a) { return a * /*?*/3/*!2!*/; }\nint main(void) {\n    int n = twice(0);\n    n += twice(4);\n    return n;\n}\n",
			"start; break twice times 2; continue; break -twice; next 1; change result 8; spec", ""},
		{"a branch", "#include <stdio.h>\nint main(void) {\n    int n = 2;\n    if (n > /*?*/2/*!1!*/)\n        printf(\"many\");\n    else\n        printf(\"few\");\n    return 0;\n}\n", "start; next 1; enter; spec", ""},
		{"a branch with a call", "#include <stdio.h>\n#include <string.h>\nint main(void) {\n    char *s = \"few\";\n    if (strcmp(s, \"few\") /*?*/!=/*!==!*/ 0)\n        printf(\"few\");\n    else\n        printf(\"many\");\n    return 0;\n}\n", "start; next 1; enter; spec", ""},
		{"what was never set", "int main(void) {\n    int s/*?*//*! = 0!*/;\n    for (int i = 1; i < 4; i++)\n        s += i;\n    return s;\n}\n", "start; next 1; change s 0; spec", ""},
		{"no branch", "#include <stdio.h>\nint main(void) {\n    int n = 2;\n    if (n > /*?*/1/*!2!*/)\n        printf(\"many\");\n    return 0;\n}\n", "start; next 1; leave; spec", ""},
		{"a node that is missing", "#include <stdlib.h>\nstruct node { int key; struct node *next; };\nint main(void) {\n    struct node *l = NULL;\n    for (int i = 0; i < 2; i++) {\n        struct node *n = /*?*/NULL/*!malloc(sizeof *n)!*/;\n        if (n) {\n            n->key = i;\n            n->next = l;\n            l = n;\n        }\n    }\n    return l != NULL;\n}\n",
			"start; next 4; change n new; spec", ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			wrong := version(t, x.text, false)
			m := user.Find(record(t, wrong, 100), record(t, version(t, x.text, true), 100)).Moment
			if m == nil {
				t.Fatal("nothing differs")
			}
			u := &user.User{Session: open(t, wrong)}
			err := u.Go(ctx, "start", m)
			if err == nil {
				_, err = u.Draw(ctx, m.Want, 5)
			}
			if err == nil {
				_, err = u.Do(ctx, "spec")
			}
			if got := strings.Join(u.Typed, "; "); err != nil || got != x.typed {
				t.Errorf("%v: typed\n%s\nwant\n%s\n%s", err, got, x.typed, u.Log.String())
			}
		})
	}
}

// TestNothing compares runs that show the same: output alone differs, or what only one version has, or they are cut off before.
func TestNothing(t *testing.T) {
	for _, x := range []struct {
		name, text string
		most       int
		apart      bool
		end        user.End
	}{
		{"output", "#include <stdio.h>\nint main(void) {\n    int n = 2;\n    printf(\"/*?*/%d/*!%d\\n!*/\", n);\n    return 0;\n}\n", 100, false, user.Over},
		{"other variables", "int main(void) {\n    int n = 2;\n    /*?*/int k = 1/*!long m = 3!*/;\n    n++;\n    return n;\n}\n", 100, false, user.Over},
		{"a variable that nothing reads", "int main(void) {\n    int n = 2, k = 0;\n    /*?*/k++;/*!!*/\n    n++;\n    return n;\n}\n", 100, false, user.Over},
		{"a loop", "#include <stdio.h>\nint main(void) {\n    for (int i = 0; i < /*?*/3/*!4!*/; i++)\n        printf(\"%d\", i);\n    return 0;\n}\n", 100, true, user.Over},
		{"what scanf sets", "#include <stdio.h>\nint main(void) {\n    int s/*?*//*! = 7!*/;\n    puts(\"a number?\");\n    scanf(\"%d\", &s);\n    return 0;\n}\n", 100, false, user.Over},
		{"crash", "int main(void) {\n    int n = 2;\n    n = 3;\n    *(int *)/*?*/0/*!&n!*/ = 3;\n    return n;\n}\n", 100, false, user.Crashed},
		{"too deep", "static int sum(int n) {\n    int k = n - 1;\n    k += 0;\n    return n /*?*/!=/*!>!*/ 0 ? n + sum(k) : 0;\n}\nint main(void) { return sum(-1); }\n", 10000, false, user.Cut},
		{"cut", "int main(void) {\n    int n = 0;\n    while (n < 50)\n        n++;\n    n /*?*/+/*!-!*/= 1;\n    return n;\n}\n", 20, false, user.Cut},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			wrong := record(t, version(t, x.text, false), x.most)
			f := user.Find(wrong, record(t, version(t, x.text, true), x.most))
			if x.end == user.Cut && x.most == 20 && wrong.Len != 20 {
				t.Errorf("%d statements are recorded", wrong.Len)
			}
			if f.Moment != nil || f.Apart != x.apart || wrong.End != x.end || f.Common == 0 {
				t.Errorf("%+v %+v, the run ends %d", f, f.Moment, wrong.End)
			}
		})
	}
}
