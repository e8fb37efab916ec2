package template

import (
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower/lowertest"
	"gulo/internal/source"
)

// fares has an expression of each kind that may be a component.
const fares = `#include <assert.h>
enum zone { INNER, OUTER = 4, AIRPORT };
#define NIGHT 23
#define twice(x) ((x) + (x))
static int table[8] = {3, 5, 8, 12};
static int rides;
static int least(int a, int b) { return a < b ? a : b; }
static int most(int a, int b) { return a > b ? a : b; }
static int fare(int zone, int hour, int child)
{
    int sum = table[zone & 7];
    if (hour >= NIGHT && !child || zone == AIRPORT)
        sum = sum + 2 * zone;
    for (int i = 0; i < zone; i++)
        sum += least(i, hour) >> 1;
    table[(zone + 1) & 7] = most(sum, hour - 3);
    rides++;
    int half = twice(zone);
    assert(sum >= 0);
    return child ? sum / 2 : sum + half - zone;
}
int main(void) { return fare(OUTER, 7, 1) & 1; }
`

// of returns the components of fare and the program.
func of(t *testing.T, ch Choice) ([]*Component, *cfront.Program) {
	t.Helper()
	p, _ := lowertest.Load(t, fares)
	return Components([]*cfront.Func{p.Tree.Func("fare")}, ch), p.Tree
}

// TestComponents: what may be replaced, under each choice; never what assert says, what a macro stands
// for, what has an effect, and what is locked.
func TestComponents(t *testing.T) {
	text := func(ch Choice) (out []string) {
		list, _ := of(t, ch)
		for i, c := range list {
			if c.ID != i || c.Func.Name != "fare" {
				t.Errorf("%s: %d in %s", c, c.ID, c.Func.Name)
			}
			out = append(out, c.String())
		}
		return out
	}
	sides := []string{"table[zone & 7]", "sum + 2 * zone", "0", "least(i, hour) >> 1", "i", "hour", "(zone + 1) & 7", "most(sum, hour - 3)", "sum", "hour - 3", "twice(zone)", "child ? sum / 2 : sum + half - zone"}
	if got := text(Choice{}); !slices.Equal(got, sides) {
		t.Errorf("%q", got)
	}
	with := text(Choice{Conditions: true})
	for _, x := range []string{"hour >= NIGHT && !child || zone == AIRPORT", "i < zone"} {
		if !slices.Contains(with, x) {
			t.Errorf("no %q in %q", x, with)
		}
	}
	if len(with) != len(sides)+2 {
		t.Errorf("%q", with)
	}
	parts := text(Choice{Conditions: true, Parts: true})
	for _, x := range parts {
		if strings.Contains(x, "twice") && x != "twice(zone)" || strings.Contains(x, "+ (") || strings.Contains(x, "sum >= 0") || strings.Contains(x, "++") {
			t.Errorf("%q is a component", x)
		}
	}
	if len(parts) < 2*len(with) {
		t.Errorf("%q", parts)
	}
	for _, x := range text(Choice{Locked: func(p source.Position) bool { return p.Line > 12 }}) {
		if x != "table[zone & 7]" {
			t.Errorf("%q is locked", x)
		}
	}
}

// TestHarmless: an expression that changes something, itself or in what it calls, is none to replace.
func TestHarmless(t *testing.T) {
	p, _ := lowertest.Load(t, `static int n;
static int next(void) { return n++; }
static int twice(int x) { int y = x; y += x; return y; }
static int deep(int x) { return twice(x) + next(); }
int main(void) { int a = twice(2); int b = next(); int c = deep(a); int d = (a = b); return c + d; }
`)
	list := Components([]*cfront.Func{p.Tree.Func("main")}, Choice{})
	var got []string
	for _, c := range list {
		got = append(got, c.String())
	}
	if want := []string{"twice(2)", "c + d"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// vars declares the variables that expressions of fare name.
const vars = "int zone, int hour, int child, int sum, int i, int half"

// TestTemplates: what is built for numbers, which is written as people write it, has the value that the
// template has with these numbers. gcc says which values they have.
func TestTemplates(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	list, tree := of(t, Choice{Conditions: true})
	var b strings.Builder
	head, _, _ := strings.Cut(fares, "static int fare")
	b.WriteString("#include <stdio.h>\n#include <stdlib.h>\n" + head)
	var calls []string
	names := map[string]int{}
	for _, c := range list {
		for _, x := range Templates(c, tree, nil, []string{"zone * k0 - k1", "k3 ? hour : k3 + k0"}) {
			names[x.Name]++
			if len(x.Params) == 0 || len(x.Params) > 1 && x.Name != "linear" && x.Name != "user" {
				t.Errorf("%s: %s has %d numbers", c, cfront.Text(x.X), len(x.Params))
			}
			for range 2 {
				params, args := "", ""
				var k []int64
				for _, p := range x.Params {
					n := int64(rnd.Intn(9) - 3)
					text := cfront.Text(x.X)
					if x.Name == "bits" || strings.Contains(text, "/ "+p.Var.Name) || strings.Contains(text, ">> "+p.Var.Name) { // what C defines
						n = int64(rnd.Intn(5) + 1)
					}
					k = append(k, n)
					params += ", int " + p.Var.Name
					args += fmt.Sprintf(", %d", n)
				}
				n := len(calls)
				fmt.Fprintf(&b, "static int t%d(%s%s) { return %s; }\nstatic int b%d(%s) { return %s; }\n", n, vars, params, cfront.Text(x.X), n, vars, cfront.Text(x.Build(k)))
				calls = append(calls, fmt.Sprintf("if (t%d(v[0], v[1], v[2], v[3], v[4], v[5]%s) != b%d(v[0], v[1], v[2], v[3], v[4], v[5])) printf(\"%d \");", n, args, n, n))
			}
		}
	}
	for _, n := range append(slices.Clone(Names), "user") {
		if names[n] == 0 {
			t.Errorf("no template is called %s", n)
		}
	}
	b.WriteString("int main(void)\n{\n    srand(1);\n    for (int r = 0; r < 50; r++) {\n        int v[6];\n        for (int i = 0; i < 6; i++)\n            v[i] = rand() % 41 - 10;\n        for (int i = 0; i < 8; i++)\n            table[i] = rand() % 99;\n        rides = rand() % 9;\n        ")
	b.WriteString(strings.Join(calls, "\n        ") + "\n    }\n    return 0;\n}\n")
	if out := run(t, b.String()); out != "" {
		for _, n := range strings.Fields(out)[:1] {
			t.Errorf("differ: %s\n%s", out, lines(b.String(), "t"+n+"(", "b"+n+"("))
		}
	}
}

// lines are those of a text that declare something named.
func lines(text string, names ...string) (out string) {
	for _, l := range strings.Split(text, "\n") {
		for _, n := range names {
			if strings.HasPrefix(l, "static int "+n) {
				out += l + "\n"
			}
		}
	}
	return out
}

// run compiles a program, runs it and returns what it prints.
func run(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "a.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-w", "-O0", "-fwrapv", "-o", filepath.Join(dir, "a"), file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(filepath.Join(dir, "a")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

// written of the neighbours is one in so many.
const written = 23

// TestNeighbours: no neighbour is the expression itself or comes twice, the cheapest come first, and gcc
// takes them in its place.
func TestNeighbours(t *testing.T) {
	list, tree := of(t, Choice{Conditions: true})
	var b strings.Builder
	n := 0
	at := strings.Index(fares, "static int fare")
	end := at + strings.Index(fares[at:], "\n}\n") + 3
	b.WriteString(fares[:at])
	what := map[string]bool{}
	for _, c := range list {
		seen := map[string]bool{key(c.X): true}
		cost := 0
		for _, x := range Neighbours(c, tree) {
			k := key(x.X)
			if seen[k] || x.Cost < cost {
				t.Errorf("%s: %s of cost %d after %d", c, cfront.Text(x.X), x.Cost, cost)
			}
			seen[k], cost = true, x.Cost
			what[x.What] = true
			if n++; n%written != 0 {
				continue
			}
			r := c.X.Range()
			body := fares[at:r.Start] + "(" + cfront.Text(x.X) + ")" + fares[r.End:end]
			b.WriteString(strings.Replace(body, "int fare(", fmt.Sprintf("int fare%d(", n), 1))
		}
	}
	b.WriteString("int main(void) { return 0; }\n")
	if out := run(t, b.String()); out != "" {
		t.Error(out)
	}
	for _, w := range []string{"another operator", "another variable", "another function", "a constant by one", "another name of the enumeration", "arguments exchanged", "operands exchanged", "negated", "a condition less", "a condition more", "one of two values", "the other way round"} {
		if !what[w] {
			t.Errorf("no neighbour is called %q", w)
		}
	}
	if n < 500 {
		t.Errorf("%d neighbours", n)
	}
}

// TestParse: a user's template is an integer expression over what can be named there.
func TestParse(t *testing.T) {
	list, tree := of(t, Choice{})
	c := list[1]
	for _, x := range []struct {
		text string
		k    []int64
		want string // empty: it is refused
	}{
		{"zone * k0 + k1", []int64{3, -2}, "zone * 3 + -2"},
		{"k0 + k0 * hour", []int64{7}, "7 + 7 * hour"},
		{"k0", []int64{5}, "5"},
		{"nowhere + k0", nil, ""},
		{"rides = k0", nil, ""},
		{"zone +", nil, ""},
		{"table", nil, ""},
	} {
		got, err := Parse(x.text, c, tree)
		if (err == nil) != (x.want != "") {
			t.Errorf("%s: %v", x.text, err)
		} else if err == nil && (len(got.Params) != len(x.k) || cfront.Text(got.Build(x.k)) != x.want) {
			t.Errorf("%s: %s", x.text, cfront.Text(got.Build(x.k)))
		}
	}
}

// TestUnwritten: the size of a type, which has the value of a number that the program writes, is none of the
// numbers that may be written elsewhere.
func TestUnwritten(t *testing.T) {
	p, _ := lowertest.Load(t, `#include <stdlib.h>
struct edge { int to; struct edge *next; };
static struct edge *adj[16];
static int dist[16];
static void link(int a, int b)
{
    struct edge *e = malloc(sizeof(struct edge));
    e->to = b;
    e->next = adj[a];
    adj[a] = e;
}
static int hops(int from, int to)
{
    int queue[16], head = 0, tail = 0;
    dist[from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        int v = queue[head++];
        if (v == to)
            return dist[v];
        for (struct edge *e = adj[v]; e; e = e->next)
            if (dist[e->to] < 0) {
                dist[e->to] = dist[v] + 1;
                queue[tail++] = e->to;
            }
    }
    return -1;
}
int main(void)
{
    for (int i = 0; i < 16; i++)
        adj[i] = NULL;
    link(0, 16 - 1);
    return hops(0, 1) == -1;
}
`)
	for _, c := range Components([]*cfront.Func{p.Tree.Func("hops")}, Choice{Conditions: true}) {
		list := Neighbours(c, p.Tree)
		if len(list) == 0 {
			t.Errorf("%s has no neighbours", c)
		}
		for _, x := range list {
			if cfront.Text(x.X) == "" {
				t.Errorf("%s: a neighbour without a text", c)
			}
		}
	}
}
