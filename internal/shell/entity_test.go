package shell_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/session"
)

const entityProgram = `#include <stdio.h>
#include <stdlib.h>
enum color { RED, GREEN, BLUE };
struct link { struct link *next; };
struct item { enum color c; double w; char tag; struct link run; int (*f)(int); };
struct cell { int v; struct cell *next; };
struct tree { struct tree *child[4]; int n; };
static int twice(int x) { return 2 * x; }
static int grid[2][3];
static void body(struct item *it, struct cell *pool, struct tree *t, struct cell **at)
{
    it->c = RED;
    pool[2].v = 5;
    t->n = 1;
    *at = pool;
    at = 0;
}
int main(void)
{
    struct item *it = calloc(1, sizeof *it), *other = calloc(1, sizeof *other);
    struct cell *pool = calloc(4, sizeof *pool), *at = NULL;
    struct tree *t = calloc(1, sizeof *t);
    t->child[3] = calloc(1, sizeof *t);
    it->run.next = &other->run;
    pool[1].next = &pool[2];
    calloc(1, sizeof *at);
    body(it, pool, t, &at);
    return 0;
}
`

// TestEntities prints what the picture shows, and expressions over it. Both engines print the same, with the wanted
// text in it.
func TestEntities(t *testing.T) {
	tests := []struct{ script, want string }{
		{"change it->c BLUE\nprint it->c", "it->c = BLUE"},
		{"change it->c PINK", `error: it->c is of type enum color; "PINK" is none of its names`},
		{"print it->tag == '\\0'", "it->tag == '\\0' = 1"},
		{"print 'b' - 'a'", "'b' - 'a' = 1"},
		{"print 'b", "error"},
		{"print it->c == BLUE", "it->c == BLUE = 0"},
		{"print it->c + 2 == BLUE", "it->c + 2 == BLUE = 1"},
		{"change it->w 0.1\nprint it->w", "it->w = 0.1"},
		{"change it->w 1000000\nprint it->w", "it->w = 1000000"},
		{"change it->tag 'x'\nprint it->tag", "it->tag = 'x'"},
		{`change it->tag '\n'` + "\nprint it->tag", `it->tag = '\n'`},
		{"change it->f twice\nprint it->f", "it->f = twice"},
		{"change n1->run.next n2+24\nprint n1->run.next", "n1->run.next = n2+24"},
		{"change n1.run.next &n1->run\nprint n1->run.next", "n1->run.next = n1+24"},
		{"change n3[3].next n3+16\nprint pool[3].next", "pool[3].next = n3+16"},
		{"change pool[1].next->v 7\nprint pool[2].v", "pool[2].v = 7"},
		{"change t->child[3]->n 4\nprint n5->n", "n5->n = 4"},
		{"change *at &pool[1]\nprint main.at", "main.at = n3+16"},
		{"change grid[1][2] 9\nprint grid[1][2]", "grid[1][2] = 9"},
		{"change grid[1][2] t->n + 4\nprint grid[1][2]", "grid[1][2] = 4"},
		{"change it -> w 1 / 2.0\nprint it->w", "it->w = 0.5"},
		{"change it->w pool[1].v/8.0\nprint it->w", "it->w = 0"},
		{"change it->w twice", `error: it->w is of type double; "twice" is no number`},
		{"change grid[1][2] twice", `error: grid[1][2] is of type int; "twice" is no integer`},
		{"change it->cc RED", "error: no variable, node or field it->cc here; is it "},
		{"change n1->ww 1", "error: no variable, node or field n1->ww here; is it n1->w"},
		{"change it 5", "error: it is of type struct item * and cannot be 5, which is of type int"},
		{"change pool[4].v 1", "error: no variable, node or field pool[4].v here: pool points to no array that is so long"},
		{"change t->child[4] null", "error: no variable, node or field t->child[4] here: the array has elements 0 to 3"},
		{"change t->child[-1] null", "error: no variable, node or field t->child[-1] here: the array has elements 0 to 3"},
		{"change grid[0][3] 1", "error: no variable, node or field grid[0][3] here: the array has elements 0 to 2"},
		{"change at[1] pool", "error: no variable, node or field at[1] here: at points to no array that is so long"},
		{"print grid[2][0]", "error: cannot evaluate grid[2][0]: the array has elements 0 to 1"},
		{"change it->f thrice", `error: it->f is of type int (*)(int); "thrice" is no function, nor null`},
		{"change n6->v 3", "error: no variable, node or field n6->v here: no pointer tells what n6 holds; a cast does, as in"},
		{"change ((struct cell *)n6)->v 3\nprint ((struct cell *)n6)->v", "((struct cell *)n6)->v = 3"},
		{"print n6", "n6 = n6"},
		{"finish 2", `error: finish takes no argument, and "2" is one`},
		{"continue twice", `error: continue wants a number of halts, not "twice"`},
		{"spec 3 4", `error: spec takes no argument, and "3 4" is one`},
		{"list 40", `error: list takes no argument, and "40" is one`},
		{"state n9", "error: state takes nodes or pointers to them, depth N, text, svg FILE or dot FILE: no variable, node or field n9 here"},
		{"state n3", "n3"},
		{"state depth 1", "n1"},
		{"state n1 depth 1", "n1"},
		{"state n1 depth", "error: depth wants a number of links at the end"},
		{"help start", "A session goes like this"},
		{"help spec", "The repaired program must come from an earlier picture"},
	}
	opened := map[string]*session.Session{} // by engine
	for _, engine := range engines {
		opened[engine] = newSession(t, engine, nil, write(t, entityProgram))
		run(t, opened[engine], "start\nbreak body\ncontinue")
	}
	for _, tt := range tests {
		var outs []string
		for _, engine := range engines {
			out := run(t, opened[engine], tt.script)
			if outs = append(outs, out); !strings.Contains(out, tt.want) {
				t.Errorf("%s, %s: no %q in:\n%s", engine, tt.script, tt.want, out)
			}
			if strings.HasPrefix(tt.script, "change") && !strings.Contains(out, "error:") {
				run(t, opened[engine], "start\ncontinue") // as the next row finds it
			}
		}
		if outs[0] != outs[1] {
			t.Errorf("%s: machine\n%s\ngdb\n%s", tt.script, outs[0], outs[1])
		}
	}
}

// TestStaticsOfOneName: two files have a static function each, of the same name.
func TestStaticsOfOneName(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.c"), filepath.Join(dir, "b.c")
	for path, text := range map[string]string{
		a: "int other(void);\nstatic int helper(void)\n{\n    return 1;\n}\nint main(void)\n{\n    return helper() + other();\n}\n",
		b: "static int helper(void)\n{\n    return 2;\n}\nint other(void)\n{\n    return helper();\n}\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, engine := range engines {
		s := newSession(t, engine, nil, a, b)
		out := run(t, s, "start\nbreak helper\nbreak b.c:helper\nbreak b.c:7\ncontinue\ncontinue")
		for _, want := range []string{"error: there are several functions helper: say which one, a.c:helper or b.c:helper", "b.c:3: return 2;", "b.c:7: return helper();"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in:\n%s", engine, want, out)
			}
		}
	}
}

// TestSpecAsserts: the first spec asserts about the run from the beginning of the function, and changes that no spec
// follows are named.
func TestSpecAsserts(t *testing.T) {
	const text = prelude + "static int x, y;\nstatic void f(int a)\n{\n    x = a;\n    y = a;\n    y = x;\n}\nint main(void)\n{\n    f(3);\n    return 0;\n}\n"
	tests := []struct{ script, want string }{
		{"next\nchange x 4\nspec\nrepair --slots 0", "x = a  =>  x = a + 1"},
		{"spec\nrepair", "error: nothing is asserted of what the program does yet: checkpoint 0 is where the run begins"},
		{"next\nchange x 4\nspec\nnext\nchange y 5\nrepair --slots 0", "note: no spec followed your change of y: it is not asserted"},
		{"next\nchange x 4\nnext\nspec\nchange y 9\nspec\nrepair", "note: no spec followed your change of x at "},
	}
	for _, tt := range tests {
		for _, engine := range engines {
			s := newSession(t, engine, nil, write(t, text))
			run(t, s, "start\nbreak f\ncontinue")
			out := run(t, s, tt.script)
			if !strings.Contains(out, tt.want) {
				t.Errorf("%s, %s: no %q in:\n%s", engine, tt.script, tt.want, out)
			}
		}
	}
}

// TestLargeMemory: what is too large for the picture can still be printed and used in conditions of breakpoints.
func TestLargeMemory(t *testing.T) {
	const text = prelude + `int dp[1000][1000];
int main(void)
{
    static long table[300000];
    char text[2000000];
    int *big = malloc(4000000);
    dp[3][4] = 7;
    table[5] = dp[3][4];
    text[0] = 'a';
    big[9] = 3;
    return dp[0][0];
}
`
	tests := []struct{ script, want string }{
		{"print dp[3][4]", "dp[3][4] = 7"},
		{"print table[5] + dp[3][4]", "= 14"},
		{"print text[0]", "text[0] = 'a'"},
		{"print text[9]", "text[9] = ?"},
		{"print dp[1000][2]", "error: cannot evaluate dp[1000][2]: the array has elements 0 to 999"},
		{"print big[9]", "big[9] = 3"},
		{"print big", "big = 4000000 bytes"},
		{"print &dp[3][4]", "&dp[3][4] = dp"},
		{"state", "big →4000000 bytes"},
		{"change dp[3][4] 9", "error: dp[3][4] is in dp, which is too large for the picture: print shows it, but it cannot be changed or watched"},
		{"change big[9] 9", "error: big[9] is in a block of 4000000 bytes, which is too large for the picture"},
	}
	var outs []string
	for _, engine := range engines {
		path := write(t, text)
		s := newSession(t, engine, nil, path)
		line := 1 + strings.Count(text[:strings.Index(text, "return dp")], "\n")
		all := run(t, s, fmt.Sprintf("start\nbreak %d if dp[3][4] == 7\ncontinue", line))
		if !strings.Contains(all, "return dp[0][0];") || strings.Contains(all, "cannot be evaluated") {
			t.Errorf("%s: the breakpoint's condition is not asked:\n%s", engine, all)
		}
		for _, tt := range tests {
			out := run(t, s, tt.script)
			if all += out; !strings.Contains(out, tt.want) {
				t.Errorf("%s, %s: no %q in:\n%s", engine, tt.script, tt.want, out)
			}
		}
		outs = append(outs, strings.ReplaceAll(all, path, ""))
	}
	if outs[0] != outs[1] {
		t.Errorf("machine\n%s\ngdb\n%s", outs[0], outs[1])
	}
}
