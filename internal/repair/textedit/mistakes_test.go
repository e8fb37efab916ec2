package textedit_test

import (
	"context"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/native"
	"gulo/internal/native/nativetest"
	"gulo/internal/oracle"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
)

// mistake is one in a program, with inputs that are given and others, as "1 2|3".
type mistake struct{ name, right, old, new, given, hidden string }

// repairs corrects mistakes, and runs what it finds on inputs that were not given. With -short it searches only for the
// first of a third of the tests, drawn by their names; of others it is enough that the space lists the edit that makes
// the right program.
func repairs(t *testing.T, list []mistake) {
	t.Helper()
	const head = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
	drawn := fnv.New32a()
	drawn.Write([]byte(t.Name()))
	for i, x := range list {
		right := head + x.right
		text := strings.Replace(right, x.old, x.new, 1)
		if text == right {
			t.Fatalf("%s: nothing to replace", x.name)
		}
		p, path := nativetest.Load(t, text)
		if testing.Short() && (i > 0 || drawn.Sum32()%3 != 0) && lists(p, right) {
			continue
		}
		inputs := func(list string) []native.Test {
			var out []native.Test
			for _, l := range strings.Split(list, "|") {
				out = append(out, native.Test{Args: strings.Fields(l)})
			}
			for i, o := range nativetest.Outputs(t, right, out) {
				out[i].Stdout, out[i].Exit = o.Stdout, o.Status
			}
			return out
		}
		given, hidden := inputs(x.given), inputs(x.hidden)
		funcs := nativetest.Own(p)
		r, err := schema.Solve(context.Background(), &schema.Problem{Tree: p, Funcs: funcs, Tests: given, Held: hidden, Limit: 3 * time.Minute, Single: true, Try: onMachine(t, path, given)})
		if err != nil || len(r.Repairs) == 0 {
			t.Errorf("%s: no repair of %d edits, %d failing: %v", x.name, r.Edits, r.Failing, err)
			continue
		}
		best := r.Repairs[0].Texts[path]
		for i, o := range nativetest.Outputs(t, best, hidden) {
			if o.Stdout != hidden[i].Stdout {
				t.Errorf("%s: %s in line %d is wrong on %v: %q, not %q\n%s", x.name, r.Repairs[0].Edits[0].What, r.Repairs[0].Edits[0].Line(), hidden[i].Args, o.Stdout, hidden[i].Stdout, best)
			}
		}
	}
}

// lists reports whether one of the edits of a program makes the right one of it, apart from white space.
func lists(p *cfront.Program, right string) bool {
	sp := textedit.New(textedit.Config{Tree: p})
	for _, f := range nativetest.Own(p) {
		sp.Function(f)
	}
	sp.Prune(textedit.MostEdits)
	edits := slices.Clone(sp.Moves)
	for _, site := range sp.Sites {
		edits = append(edits, site.Edits...)
	}
	right = bare(right)
	return slices.ContainsFunc(edits, func(e *textedit.Edit) bool { return bare(edited(e)) == right })
}

// edited is the text of a program of one file with an edit.
func edited(e *textedit.Edit) string {
	var changes []textedit.Change
	for _, h := range e.Halves() {
		changes = append(changes, h.Changes...)
	}
	slices.SortStableFunc(changes, func(a, b textedit.Change) int { return b.Start - a.Start }) // from the end, so that places stay
	if len(changes) == 0 {
		return ""
	}
	file := changes[0].File
	text, before := string(file.Text), len(file.Text)
	for _, c := range changes {
		if c.File != file || c.End > before {
			return "" // in two files, or two of one place
		}
		text, before = text[:c.Start]+c.Text+text[c.End:], c.Start
	}
	return text
}

// bare is a text without white space.
func bare(text string) string { return strings.Join(strings.Fields(text), "") }

// onMachine takes the first twelve repairs that come to the end of the runs given on the machine, which
// sees what is read and was never stored.
func onMachine(t *testing.T, path string, given []native.Test) func(context.Context, *schema.Repair) (schema.Verdict, error) {
	n := 0
	return func(ctx context.Context, r *schema.Repair) (schema.Verdict, error) {
		name := filepath.Join(t.TempDir(), "repaired.c")
		if err := os.WriteFile(name, []byte(r.Texts[path]), 0o600); err != nil {
			return schema.Verdict{}, err
		}
		p, err := lower.Load(ctx, []string{name}, cfront.Options{})
		if err != nil {
			return schema.Verdict{Refuted: true}, nil
		}
		for _, x := range given {
			if _, _, ok, err := oracle.Expect(p, "", x.Args, x.Stdin, -1); err != nil || !ok {
				return schema.Verdict{Refuted: true}, err
			}
		}
		n++
		return schema.Verdict{Enough: n >= 12}, nil
	}
}

// TestCopies: what is stored or returned by hand.
func TestCopies(t *testing.T) {
	repairs(t, []mistake{
		{"strdup", `struct item { char *name; int n; };
static struct item items[20];
static int count;
int main(int argc, char **argv)
{
    char word[20];
    for (int i = 1; i < argc; i++) {
        int k;
        strcpy(word, argv[i]);
        for (k = 0; k < count; k++)
            if (strcmp(items[k].name, word) == 0)
                break;
        if (k == count) {
            items[count].name = strdup(word);
            count++;
        }
        items[k].n++;
    }
    for (int k = 0; k < count; k++)
        printf("%s %d\n", items[k].name, items[k].n);
    return 0;
}
`, "strdup(word)", "word", "a|a b|a b a|c d e", "x y z x|b b b"},
		{"realloc", `int main(int argc, char **argv)
{
    int *a = NULL, n = 0, cap = 0;
    for (int i = 1; i < argc; i++) {
        if (n == cap) {
            cap = cap ? 2 * cap : 1;
            a = realloc(a, cap * sizeof *a);
        }
        a[n++] = atoi(argv[i]);
    }
    for (int i = n; i-- > 0;)
        printf("%d ", a[i]);
    printf("\n");
    return 0;
}
`, "a = realloc(a, cap * sizeof *a)", "realloc(a, cap * sizeof *a)", "1|1 2|1 2 3 4 5", "3 2 1|9 8 7 6 5 4 3 2 1"},
		{"long product", `int main(int argc, char **argv)
{
    int a = atoi(argv[1]), b = atoi(argv[2]), m = atoi(argv[3]);
    int r = (long long) a * b % m;
    printf("%d\n", r);
    return 0;
}
`, "(long long) a * b % m", "a * b % m", "2 3 4|100000 100000 7|99999 88888 1000|5 5 5", "123456 654321 1000|70000 70000 11"},
	})
}

// TestThroughPointer: who walks with a pointer to a link steps on where the link was to change.
func TestThroughPointer(t *testing.T) {
	const text = `struct n { int v; struct n *next; };
static struct n *head;
static void drop(int v)
{
    struct n **pp = &head;
    while (*pp && (*pp)->v != v)
        pp = &(*pp)->next;
    if (*pp) {
        struct n *dead = *pp;
        *pp = dead->next;
        free(dead);
    }
}
int main(int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        struct n *x = malloc(sizeof *x);
        x->v = atoi(argv[i]);
        x->next = head;
        head = x;
    }
    drop(atoi(argv[1]));
    for (struct n *p = head; p; p = p->next)
        printf("%d ", p->v);
    printf("\n");
    return 0;
}
`
	repairs(t, []mistake{{"a step for a link", text, "*pp = dead->next", "pp = &dead->next", "2 1 2 3|1 1 2 3|3 1 2 3|5 1 2|1 1", "4 4 5|1 2 1 3|7 1 7"}})
	repairs(t, []mistake{{"a link for a step", text, "pp = &(*pp)->next", "*pp = (*pp)->next", "2 1 2 3|1 1 2 3|3 1 2 3|5 1 2|1 1", "4 4 5|1 2 1 3|7 1 7"}})
}

// TestTypes corrects what stands beside a value that an alternative of an unsigned type is
// listed for: none of the others may change what it means.
func TestTypes(t *testing.T) {
	repairs(t, []mistake{
		{"a length beside a counter", "int main(int c, char **v)\n{\n    char *s = v[1], out[40];\n    int i, n = 0, d;\n    for (i = 0; i < strlen(s); i++) {\n        if (s[i] >= '0' && s[i] <= '9')\n            d = s[i] - '0';\n        else if (s[i] >= 'A' && s[i] <= 'F')\n            d = s[i] - 'A' + 10;\n        else if (s[i] >= 'a' && s[i] <= 'f')\n            d = s[i] - 'a' + 10;\n        else\n            d = -1;\n        if (d < 0)\n            break;\n        n = n * 16 + d;\n    }\n    i = 0;\n    do {\n        out[i++] = '0' + n % 2;\n        n /= 2;\n    } while (n > 0);\n    for (i = i - 1; i >= 0; i--)\n        putchar(out[i]);\n    puts(\"\");\n    return 0;\n}\n",
			"n * 16 + d", "n * 15 + d", "1|F|f|0|1a|Z|AB", "e|ff|0c|g"},
	})
}
