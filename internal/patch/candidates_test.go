package patch_test

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/patch"
	"gulo/internal/repair"
	"gulo/internal/repair/natural"
	"gulo/internal/repair/space"

	"golang.org/x/tools/txtar"
)

// This file holds the text that edits become to what the edits mean: candidates
// of every place of programs are written, compiled, and run.

// layouts are programs whose statements stand where text is easily broken.
var layouts = map[string]string{
	"jumps": `#include <stdio.h>
struct n { int v; struct n *next; };
static int walk(struct n *h, int k)
{
    int s = 0;
    for (struct n *p = h; p; p = p->next) {
        if (p->v < 0) continue;
        if (p->v == k)
            break;
        else if (p->v > 100) /* far */ continue;
        else
            s += p->v; // sum
    }
    if (s == 0) return -1;
    if (s > 50) goto out;
    do s++; while (s < k);
    while (s > 40) s -= 3;
out:
    return s;
}
int main(void)
{
    struct n c = {7, 0}, b = {-3, &c}, a = {5, &b};
    printf("%d %d\n", walk(&a, 9), walk(&a, 7));
    return 0;
}
`,
	"arguments": `#include <stdio.h>
#define ROUND(n) (((n) + 7u) & ~(size_t)7u)
#define MOST(a, b) ((a) > (b) ? (a) : (b))
struct box { size_t used, cap; int last; };
static size_t take(struct box *b, size_t n, size_t extra)
{
    size_t size = ROUND(n);
    size_t all = ROUND(n + extra);
    if (b->used + size > b->cap)
        return 0;
    b->used += all;
    b->last = MOST(b->last, (int)n);
    return size;
}
static int room(struct box *b) { return (int)(b->cap - b->used); }
int main(void)
{
    struct box b = {0, 64, 0};
    for (int i = 3; i < 20; i += 5)
        printf("%d %d %d\n", (int)take(&b, (size_t)i, 2), room(&b), b.last);
    return 0;
}
`,
	"switch": `#include <stdio.h>
static int kind(int c, int *n)
{
    switch (c) {
    case 'a': *n = 1; break;
    case 'b':
        *n = 2;
        /* falls through */
    case 'c':
        ++*n;
        break;
    default: return 0;
    }
    return *n;
}
int main(void)
{
    int n = 0, m = 0;
    for (int i = 0, c = 'a'; i < 4; i++, c++) m = m * 10 + kind(c, &n);
    printf("%d %d\n", m, n);
    return 0;
}
`,
	"macros": `#include <stdio.h>
#include <stdlib.h>
#define NEXT(p) ((p)->next)
#define SWAP(a, b) do { int t_ = (a); (a) = (b); (b) = t_; } while (0)
#define EACH(p, l) for (p = (l); p; p = NEXT(p))
struct n { int v; struct n *next; };
static int total(struct n *l)
{
    struct n *p; int s = 0, t = 1;
    EACH(p, l) s += p->v;
    EACH(p, l)
        if (p->v > 2)
            SWAP(s, t);
    if (l != NULL && NEXT(l) != NULL) { t = NEXT(l)->v; }
    return s - t;
}
int main(void)
{
    struct n *b = malloc(sizeof *b), *a = malloc(sizeof *a);
    b->v = 3; b->next = NULL; a->v = 2; a->next = b;
    printf("%d\n", total(a));
    free(a); free(b);
    return 0;
}
`,
	"lines": "#include <stdio.h>\nstruct n { int v; struct n *l, *r; };\n" +
		"static int depth(struct n *t) { if (!t) return 0; int a = depth(t->l), b = depth(t->r); if (a > b) return a + 1; else return b + 1; }\n" +
		"static void set(struct n *t, int v) { if (t) { t->v = v; set(t->l, v - 1); set(t->r, v + 1); } else ; }\n" +
		"int main(void) { struct n x = {1, 0, 0}, y = {2, &x, 0}; set(&y, 5); for (int i = 0; i < 2; i++) ; printf(\"%d %d\\n\", depth(&y), x.v); return 0; }\n",
}

func programs(t *testing.T) map[string]string {
	out := map[string]string{}
	for n, text := range layouts {
		out[n] = text
	}
	paths, err := filepath.Glob("../shell/testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no programs", err)
	}
	for _, p := range paths {
		ar, err := txtar.ParseFile(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			if f.Name == "prog.c" {
				out[strings.TrimSuffix(filepath.Base(p), ".txtar")] = string(f.Data)
			}
		}
	}
	return out
}

// taken are the programs of a test: with -short the layouts, and a sixth of the others, drawn by their names.
func taken(t *testing.T) map[string]string {
	out := programs(t)
	if !testing.Short() {
		return out
	}
	maps.DeleteFunc(out, func(name, _ string) bool {
		h := fnv.New32a()
		h.Write([]byte(name))
		_, layout := layouts[name]
		return !layout && h.Sum32()%6 != 0
	})
	return out
}

// edits lists candidates of a place: of every kind some, spread over all.
func edits(u *space.Unit, each int) []*repair.Edit {
	if u.Locked {
		return nil
	}
	u.Build()
	base := repair.Edit{Gap: u.ID}
	if u.Stmt != nil {
		base = repair.Edit{Stmt: u.ID}
	}
	var out []*repair.Edit
	add := func(n, most int, make func(e *repair.Edit, i int)) {
		for i := 0; i < n; i += max(n/most, 1) {
			e := base
			make(&e, i)
			out = append(out, &e)
		}
	}
	cond := u.Stmt != nil && u.Stmt.Kind == lower.Cond
	if !cond {
		add(u.Pairs, each, func(e *repair.Edit, i int) { e.New = u.Candidate(i) })
		add(len(u.Wholes), each, func(e *repair.Edit, i int) { e.New = u.Wholes[i] })
	}
	guarded := u.Stmt == nil || u.Stmt.Kind == lower.Expr
	add(len(u.Conds), each, func(e *repair.Edit, i int) {
		c, constant := u.Conds[i].(*cfront.Const)
		switch {
		case cond:
			e.New = u.Conds[i]
		case constant && c.Value == 0:
			e.Delete = true
		case guarded && u.Pairs > 0:
			e.Guard, e.New = u.Conds[i], u.Candidate(i%u.Pairs)
		default:
			e.Guard = u.Conds[i]
		}
	})
	if u.Gap != nil {
		f := u.Gap.Func
		if f.Type.Result.Kind == ctype.Void {
			add(1, 1, func(e *repair.Edit, _ int) { e.Return = true })
		}
		add(len(u.Rhs), 2, func(e *repair.Edit, i int) {
			if ctype.Same(u.Rhs[i].Type(), f.Type.Result) {
				e.Return, e.New = true, u.Rhs[i]
			} else if u.Pairs > 0 {
				e.New = u.Candidate(0)
			} else {
				e.Return = f.Type.Result.Kind == ctype.Void
			}
		})
	}
	var ok []*repair.Edit
	for _, e := range out {
		if e.New != nil || e.Delete || e.Guard != nil || e.Return {
			if !(e.Guard != nil && e.New == nil && u.Stmt == nil) && !(u.Stmt != nil && (u.Stmt.Kind == lower.Decl || u.Stmt.Kind == lower.Return) && (e.Delete || e.Guard != nil)) {
				ok = append(ok, e)
			}
		}
	}
	return ok
}

// candidate is an edit with its text.
type candidate struct {
	edit *repair.Edit
	fn   *cfront.Func
	text string // of the whole file
}

func candidates(t *testing.T, p *lower.Program, path string, each int) []candidate {
	sp := space.New(space.Config{Program: p, Rich: true, Mallocs: true, Frees: true, Donors: true})
	var out []candidate
	add := func(u *space.Unit, f *cfront.Func) {
		if f.Whole.File == nil || f.Whole.File.Name != path {
			return
		}
		for _, e := range edits(u, each) {
			texts, err := patch.Rewrite(p, repair.NewPatch(e))
			if err != nil {
				t.Errorf("%s: %v", e.Describe(p), err)
				continue
			}
			out = append(out, candidate{e, f, texts[path]})
		}
	}
	for _, st := range p.Stmts {
		if st != nil && st.Stop {
			add(sp.Unit(st.ID), st.Func)
		}
	}
	for _, g := range p.Gaps {
		add(sp.Slot(g.ID), g.Func)
	}
	return out
}

// TestCandidatesCompile rewrites each function with each candidate under a name of
// its own behind the program, so that gcc takes all of them at once.
func TestCandidatesCompile(t *testing.T) {
	for name, text := range taken(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "p.c")
			p := load(t, path, text)
			var b bytes.Buffer
			b.WriteString(text)
			list := candidates(t, p, path, 3)
			for i, c := range list {
				w := c.fn.Whole
				body := c.text[w.Start : len(c.text)-(len(text)-w.End)]
				named := regexp.MustCompile(`\b`+c.fn.Name+`\s*\(`).ReplaceAllStringFunc(body, func(s string) string { return s })
				at := c.fn.Range.Start - w.Start
				named = named[:at] + fmt.Sprintf("%s_%d", c.fn.Name, i) + named[at+len(c.fn.Name):]
				fmt.Fprintf(&b, "\n# 1 \"candidate %d\"\n%s\n", i, named)
			}
			all := filepath.Join(dir, "all.c")
			if err := os.WriteFile(all, b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			msg, err := exec.Command("gcc", "-fsyntax-only", "-w", "-fmax-errors=5", all).CombinedOutput()
			if err == nil {
				return
			}
			what := ""
			if m := regexp.MustCompile(`candidate (\d+):`).FindSubmatch(msg); m != nil {
				var i int
				fmt.Sscan(string(m[1]), &i)
				what = list[i].edit.Describe(p)
			}
			t.Errorf("%s\n%s", what, msg)
		})
	}
}

func load(t *testing.T, path, text string) *lower.Program {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := lower.Load(context.Background(), []string{path}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCandidatesMean runs rewritten programs and the edits that they were written
// from: both do the same.
func TestCandidatesMean(t *testing.T) {
	for name, text := range taken(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "p.c")
			p := load(t, path, text)
			list := candidates(t, p, path, 1)
			for i := 0; i < len(list); i += max(len(list)/3, 1) {
				c := list[i]
				os, err := natural.Overlays(p, repair.NewPatch(c.edit))
				if err != nil {
					continue // it cannot be an answer
				}
				again := load(t, filepath.Join(dir, fmt.Sprintf("p%d.c", i)), c.text)
				if a, b := outcome(t, p, os), outcome(t, again, nil); a != b {
					t.Errorf("%s: the edit %s, its text %s\n%s", c.edit.Describe(p), a, b, c.text)
				}
			}
		})
	}
}

// outcome runs a program with edits laid over it.
func outcome(t *testing.T, p *lower.Program, edits []*lower.Overlay) string {
	t.Helper()
	var out bytes.Buffer
	m, err := machine.New(p, machine.Config{Name: "p", Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Debug: true, Overlays: true, MaxMemory: 8 << 20, MaxOutput: 1 << 16})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range edits {
		if err := m.Overlay(o); err != nil {
			t.Fatal(err)
		}
	}
	m.SetLimit(100_000)
	f := m.RunUntil(func(int32, bool) bool { return false })
	m.FlushOutput()
	if f != nil && f.Kind == machine.LimitFault {
		return "does not end" // how far it comes is not the same
	}
	if f != nil {
		return fmt.Sprintf("prints %q and ends with %s", out.String(), f.Kind)
	}
	st, _ := m.Exited()
	return fmt.Sprintf("prints %q and returns %d", out.String(), st)
}
