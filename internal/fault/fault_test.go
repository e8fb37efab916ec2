package fault

import (
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/lower/lowertest"
)

// programs are small ones of both kinds that faults are drawn in.
var programs = map[string]string{
	"queue": `#include <stdio.h>
#include <stdlib.h>
struct job { int id, weight; struct job *next, *prev; };
static struct job *front, *rear;
static int waiting;
static struct job *join(int id, int weight)
{
    struct job *j = malloc(sizeof *j);
    j->id = id;
    j->weight = weight;
    j->next = NULL;
    j->prev = rear;
    if (rear != NULL)
        rear->next = j;
    else
        front = j;
    rear = j;
    waiting = waiting + 1;
    return j;
}
static void leave(struct job *j)
{
    if (j->prev != NULL)
        j->prev->next = j->next;
    else
        front = j->next;
    if (j->next != NULL)
        j->next->prev = j->prev;
    else
        rear = j->prev;
    waiting = waiting - 1;
    free(j);
}
int main(void)
{
    struct job *a = join(3, 10), *b = join(5, 20), *c = join(8, 30);
    leave(b);
    for (struct job *j = front; j != NULL && j != a; j = j->next)
        printf("%d\n", j->weight);
    leave(a);
    leave(c);
    printf("%d\n", waiting);
    return 0;
}
`,
	"median": `#include <stdio.h>
static int kept[16], n;
static void keep(int x)
{
    int i = n;
    while (i > 0 && kept[i - 1] > x) {
        kept[i] = kept[i - 1];
        i--;
    }
    kept[i] = x;
    n++;
}
static int median(int otherwise)
{
    int half = n / 2;
    if (n == 0)
        return otherwise;
    return n % 2 == 1 ? kept[half] : (kept[half - 1] + kept[half]) / 2;
}
int main(void)
{
    int x;
    while (n < 16 && scanf("%d", &x) == 1)
        keep(x);
    printf("%d\n", median(-1));
    return 0;
}
`,
}

// own are the functions of a program but main.
func own(p *lower.Program) (out []*cfront.Func) {
	for _, f := range p.Tree.Funcs {
		if f.Body != nil && f.Range.Valid() && f.Name != "main" {
			out = append(out, f)
		}
	}
	return out
}

// changed are the lines in which two texts differ, by their numbers in the first.
func changed(a, b string) (out []int) {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	front := 0
	for front < len(x) && front < len(y) && x[front] == y[front] {
		front++
	}
	back := 0
	for back < len(x)-front && back < len(y)-front && x[len(x)-1-back] == y[len(y)-1-back] {
		back++
	}
	for i := front; i < len(x)-back; i++ {
		out = append(out, i+1)
	}
	return out
}

// TestAll: every fault of every kind is a text that gcc takes, is another one than the right program's
// and than every other fault's, and differs from it where it says.
func TestAll(t *testing.T) {
	all := append(append([]Kind{Deletion}, Paper...), Beyond...)
	kinds := map[Kind]int{}
	for name, text := range programs {
		p, _ := lowertest.Load(t, text)
		in := New(p, own(p), all)
		faults := in.All()
		if m, d := in.Possible(); m+d != len(faults) || d == 0 || m == 0 {
			t.Errorf("%s: %d faults of %d and %d", name, len(faults), m, d)
		}
		dir := t.TempDir()
		args := []string{"-fsyntax-only", "-w"}
		seen := map[string]string{}
		for i, f := range faults {
			m := f.Mutations[0]
			kinds[m.Kind]++
			_, faulty, err := f.Source(p)
			if err != nil {
				t.Errorf("%s: %s: %v", name, m.Text, err)
				continue
			}
			lines := changed(text, faulty)
			in := len(lines) > 0 && lines[0] <= m.Line && m.Line <= lines[len(lines)-1]
			if !in || m.Kind != Swap && len(lines) > 2 {
				t.Errorf("%s, line %d: %s: lines %v differ", name, m.Line, m.Text, lines)
			}
			if was, ok := seen[faulty]; ok {
				t.Errorf("%s: %s is %s, too", name, m.Text, was)
			}
			seen[faulty] = m.Text
			file := filepath.Join(dir, fmt.Sprintf("f%d.c", i))
			if err := os.WriteFile(file, []byte(faulty), 0o600); err != nil {
				t.Fatal(err)
			}
			args = append(args, file)
		}
		if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	for _, k := range all {
		if kinds[k] == 0 && k != NullCheck {
			t.Errorf("no fault is a %s", k)
		}
	}
}

// TestDraw: a draw has as many mutations and deletions as were asked for, no two at one statement, none
// that prints, none outside the functions given; the same seed draws the same.
func TestDraw(t *testing.T) {
	for name, text := range programs {
		p, _ := lowertest.Load(t, text)
		inside := own(p)
		in := New(p, inside, Paper)
		for seed := range int64(60) {
			x, y := int(seed%3)+1, int(seed%2)
			f := in.Draw(rand.New(rand.NewSource(seed)), x, y)
			if f == nil {
				t.Fatalf("%s, seed %d: nothing was drawn", name, seed)
			}
			n := map[bool]int{}
			at := map[int32]bool{}
			for _, m := range f.Mutations {
				n[m.Kind == Deletion]++
				if at[m.Stmt] {
					t.Errorf("%s, seed %d: two at one statement", name, seed)
				}
				at[m.Stmt] = true
				s := p.Stmts[m.Stmt]
				if s.Func.Name == "main" || strings.Contains(s.Range.Text(), "printf") {
					t.Errorf("%s, seed %d: %s", name, seed, m.Text)
				}
				if m.Kind != Deletion && m.Kind != Variable && m.Kind != Field {
					t.Errorf("%s, seed %d: %s was not asked for", name, seed, m.Kind)
				}
			}
			if n[false] != x || n[true] != y {
				t.Errorf("%s, seed %d: %v, want %d and %d", name, seed, n, x, y)
			}
			again := in.Draw(rand.New(rand.NewSource(seed)), x, y)
			for i := range f.Mutations {
				if f.Mutations[i].Text != again.Mutations[i].Text {
					t.Errorf("%s, seed %d: %s, then %s", name, seed, f.Mutations[i].Text, again.Mutations[i].Text)
				}
			}
		}
		if f := in.Draw(rand.New(rand.NewSource(1)), 0, 1000); f != nil {
			t.Errorf("%s: a thousand deletions", name)
		}
	}
}

// TestNullChecks: a check for NULL is dropped from what it is joined with, and nothing else is.
func TestNullChecks(t *testing.T) {
	p, _ := lowertest.Load(t, `#include <stddef.h>
struct n { int v; struct n *next; };
static int find(struct n *p, int v)
{
    while (p != NULL && p->v != v)
        p = p->next;
    return p != NULL;
}
int main(void)
{
    struct n a = {1, NULL};
    return find(&a, 2);
}
`)
	in := New(p, own(p), []Kind{NullCheck})
	faults := in.All()
	var got []string
	for _, f := range faults {
		if f.Mutations[0].Kind == NullCheck {
			_, text, err := f.Source(p)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, strings.TrimSpace(strings.Split(text, "\n")[4]))
		}
	}
	if len(got) != 1 || got[0] != "while (p->v != v)" {
		t.Errorf("%q", got)
	}
}
