package check

import (
	"context"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"gulo/internal/rules"
	"gulo/internal/slice"
)

// This file builds programs of several parts with gulo cc, and runs what comes out.

// debugger builds the debugger of the shipped rules.
func debugger(t *testing.T) *Debugger {
	t.Helper()
	return built(t, false)
}

func built(t *testing.T, strict bool) *Debugger {
	t.Helper()
	engines(t)
	files, err := Load([]string{"memory"})
	if err != nil {
		t.Fatal(err)
	}
	d, err := Build(context.Background(), files, nil, strict)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// folder writes files into a new folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for n, text := range files {
		if err := os.WriteFile(filepath.Join(dir, n), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func cc(t *testing.T, d *Debugger, args ...string) {
	t.Helper()
	if code, err := CC(context.Background(), d, args); err != nil || code != 0 {
		t.Fatalf("gulo cc %s: %d, %v", strings.Join(args, " "), code, err)
	}
}

func output(t *testing.T, env []string, name string, args ...string) (string, int) {
	t.Helper()
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), env...)
	out, _ := c.CombinedOutput()
	return string(out), c.ProcessState.ExitCode()
}

// TestOwnNames: functions of the program in another file may have a name of the C library's; getline frees a block.
func TestOwnNames(t *testing.T) {
	d := debugger(t)
	dir := folder(t, map[string]string{
		"list.h": "struct node { int v; struct node *next; };\nvoid link(struct node *a, struct node *b);\nstruct node *index(struct node *l, int v);\nint access(struct node *l, int k);\n",
		"list.c": `#include <stddef.h>
#include "list.h"
void link(struct node *a, struct node *b) { a->next = b; }
struct node *index(struct node *l, int v) { while (l != NULL && l->v != v) l = l->next; return l; }
int access(struct node *l, int k) { while (k-- > 0) l = l->next; return l->v; }
`,
		"main.c": `#include <stdio.h>
#include <stdlib.h>
#include "list.h"
int main(void)
{
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    b->next = NULL;
    link(a, b);
    a->v = 2;
    b->v = 3;
    printf("%d %d\n", index(a, 3)->v, access(a, 1));
    free(b);
    return index(a, 2)->next->v;
}
`,
		"line.c": `#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    size_t n = 4;
    char *line = malloc(n), *first = line;
    first[0] = 'x';
    if (getline(&line, &n, stdin) < 0)
        return 1;
    return first[0] == 'x';
}
`})
	bin := filepath.Join(dir, "program")
	cc(t, d, filepath.Join(dir, "main.c"), filepath.Join(dir, "list.c"), "-o", bin)
	if out, _ := output(t, nil, bin); !strings.Contains(out, "3 3\n") || !strings.Contains(out, "main.c:13:") || strings.Count(out, "dangling_pointer_deref") != 1 {
		t.Error(out)
	}
	cc(t, d, filepath.Join(dir, "line.c"), "-o", bin)
	if out, _ := output(t, nil, "sh", "-c", "echo a line that does not fit into four bytes, nor where it is | "+bin); !strings.Contains(out, "line.c:11:") || !strings.Contains(out, "dangling_pointer_deref") {
		t.Error(out)
	}
}

// TestOwnAllocator: a program may have a malloc of its own. Its blocks are followed as those of the library's are.
func TestOwnAllocator(t *testing.T) {
	d := debugger(t)
	const use = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { int key; struct node *next; };
int main(int argc, char **argv)
{
    struct node *l = NULL;
    for (int i = 0; i < 4; i++) {
        struct node *n = malloc(sizeof *n);
        n->key = i;
        n->next = l;
        l = n;
    }
    char *s = strdup("text");
    s = realloc(s, 100);
    strcat(s, " and more");
    int *z = calloc(4, sizeof *z);
    printf("%d %s %d\n", l->next->key, s, z[argc + 2]);
    while (l) {
        struct node *n = l->next;
        free(l);
        l = n;
    }
    free(s);
    free(z);
    return argc > 2 ? z[0] : 0;
}
`
	dir := folder(t, map[string]string{"use.c": use, "own.c": `#include <stddef.h>
#include <string.h>
static _Alignas(16) char room[1 << 16];
static size_t used;
void *malloc(size_t n)
{
    n = (n + 15) / 16 * 16 + 16;
    if (used + n > sizeof room)
        return NULL;
    char *p = room + used;
    used += n;
    *(size_t *)p = n - 16;
    return p + 16;
}
void free(void *p)
{
    if (p)
        ((size_t *)p)[-2] = 0;
}
void *calloc(size_t a, size_t b)
{
    void *p = malloc(a * b);
    return p ? memset(p, 0, a * b) : NULL;
}
void *realloc(void *p, size_t n)
{
    void *q = malloc(n);
    if (p && q) {
        size_t m = ((size_t *)p)[-2];
        memcpy(q, p, m < n ? m : n);
        free(p);
    }
    return q;
}
`})
	bin := filepath.Join(dir, "program")
	cc(t, d, filepath.Join(dir, "use.c"), filepath.Join(dir, "own.c"), "-o", bin)
	if out, code := output(t, nil, bin); code != 0 || out != "2 text and more 0\n" {
		t.Errorf("%d %s", code, out)
	}
	if out, code := output(t, nil, bin, "beyond"); code != 1 || !strings.Contains(out, "use.c:18:") || !strings.Contains(out, "heap_buffer_overflow") {
		t.Errorf("%d %s", code, out)
	}
	if out, code := output(t, nil, bin, "x", "freed"); code != 1 || !strings.Contains(out, "heap_buffer_overflow") && !strings.Contains(out, "dangling_pointer_deref") {
		t.Errorf("%d %s", code, out)
	}
}

// TestPointersToLibrary: one file has a table of library functions, which another file calls. A report has the places
// of the calls, and pointers to one function are equal in both files. The C library may call what a pointer leads to,
// too.
func TestPointersToLibrary(t *testing.T) {
	d := debugger(t)
	dir := folder(t, map[string]string{
		"heap.h": "#include <stdlib.h>\nstruct heap { void *(*make)(size_t); void (*drop)(void *); };\nextern const struct heap plain;\n",
		"heap.c": "#include \"heap.h\"\nconst struct heap plain = {malloc, free};\n",
		"main.c": `#include <pthread.h>
#include "heap.h"
static pthread_key_t key;
static void *other(void *p) { pthread_setspecific(key, plain.make(8)); return p; }
int main(int argc, char **argv)
{
    (void)argv;
    pthread_t t;
    pthread_key_create(&key, free);
    pthread_create(&t, NULL, other, NULL);
    pthread_join(t, NULL);
    char *p = plain.make(4);
    if (plain.drop != free || plain.make != malloc)
        return 7;
    plain.drop(p);
    if (argc > 1)
        plain.drop(p);
    return 0;
}
`})
	bin := filepath.Join(dir, "program")
	cc(t, d, filepath.Join(dir, "main.c"), filepath.Join(dir, "heap.c"), "-o", bin)
	if out, code := output(t, nil, bin); code != 0 || out != "" {
		t.Errorf("%d %s", code, out)
	}
	out, code := output(t, nil, bin, "x")
	for _, w := range []string{"main.c:17:9: double_free", "allocated at " + filepath.Join(dir, "main.c") + ":12, freed at " + filepath.Join(dir, "main.c") + ":15"} {
		if code != 1 || !strings.Contains(out, w) {
			t.Errorf("%d, no %q in\n%s", code, w, out)
		}
	}
}

const listSource = `#include <stdlib.h>
struct node { int v; struct node *next; };
struct node *push(struct node *h, int v) { struct node *n = malloc(sizeof *n); n->v = v; n->next = h; return n; }
int sum(const struct node *h) { int s = 0; for (; h != NULL; h = h->next) s += h->v; return s; }
void fill(int *cells, int n);
int filled(int n) { int *cells = malloc(n * sizeof *cells), s = 0; fill(cells, n); for (int i = 0; i < n; i++) s += cells[i]; free(cells); return s; }
void drop(struct node *h) { while (h != NULL) { struct node *n = h->next; free(h); h = n; } }
int late(int v) { struct node *h = push(NULL, v); drop(h); return sum(h); }
`

// TestBesideCpp links instrumented C with C++ that is not. What C++ writes is not reported; what C does wrong with
// its blocks is.
func TestBesideCpp(t *testing.T) {
	d := debugger(t)
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("no g++")
	}
	dir := folder(t, map[string]string{"list.c": listSource, "main.cpp": `#include <cstdio>
#include <string>
#include <vector>
extern "C" { struct node; node *push(node *, int); int sum(const node *); int filled(int); int late(int); void drop(node *); void fill(int *cells, int n) { for (int i = 0; i < n; i++) cells[i] = i; } }
int main(int argc, char **) {
    node *h = nullptr;
    std::vector<int> values = {1, 2, 3};
    for (int v : values) h = push(h, v);
    try { if (argc > 5) throw 1; } catch (int) { }
    std::printf("%d %d\n", sum(h), filled(5));
    drop(h);
    if (argc > 1) std::printf("%d\n", late(2));
}
`})
	p := func(n string) string { return filepath.Join(dir, n) }
	if out, code := output(t, nil, "g++", "-c", p("main.cpp"), "-o", p("main.o")); code != 0 {
		t.Fatal(out)
	}
	cc(t, d, "-c", p("list.c"), "-o", p("list.o"))
	cc(t, d, p("main.o"), p("list.o"), "-lstdc++", "-o", p("program"))
	if out, code := output(t, nil, p("program")); code != 0 || out != "6 10\n" {
		t.Errorf("%d %q", code, out)
	}
	if out, code := output(t, nil, p("program"), "x"); code != 1 || !strings.Contains(out, "list.c:4:") || !strings.Contains(out, "dangling_pointer_deref") {
		t.Errorf("%d %s", code, out)
	}
}

// TestCMake builds a program and a static library with cmake.
func TestCMake(t *testing.T) {
	d := debugger(t)
	if _, err := exec.LookPath("cmake"); err != nil {
		t.Skip("no cmake")
	}
	dir := folder(t, map[string]string{
		"list.c":         listSource,
		"main.c":         "#include <stdio.h>\nstruct node *push(struct node *, int); int sum(struct node *); void drop(struct node *); int filled(int);\nvoid fill(int *c, int n) { for (int i = 0; i < n - 1; i++) c[i] = i; }\nint main(int argc, char **argv) { (void)argv; struct node *h = push(0, 4); printf(\"%d\\n\", sum(h)); drop(h); return argc > 1 ? filled(4) : 0; }\n",
		"CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(list C)\nadd_library(list STATIC list.c)\nadd_executable(program main.c)\ntarget_link_libraries(program list)\n",
	})
	wrapper := ccScript(t, d, dir)
	if out, code := output(t, nil, "cmake", "-S", dir, "-B", filepath.Join(dir, "made"), "-DCMAKE_C_COMPILER="+wrapper); code != 0 {
		t.Fatal(out)
	}
	if out, code := output(t, nil, "cmake", "--build", filepath.Join(dir, "made")); code != 0 {
		t.Fatal(out)
	}
	bin := filepath.Join(dir, "made", "program")
	if out, code := output(t, nil, bin); code != 0 || out != "4\n" {
		t.Errorf("%d %q", code, out)
	}
	if out, code := output(t, nil, bin, "x"); code != 1 || !strings.Contains(out, "list.c:6:") || !strings.Contains(out, "uninitialized_read") {
		t.Errorf("%d %s", code, out)
	}
}

// ccScript writes a script that is a compiler: gulo cc.
func ccScript(t *testing.T, _ *Debugger, dir string) string {
	t.Helper()
	bin, err := filepath.Abs("../../bin/gulo")
	if err == nil {
		_, err = os.Stat(bin)
	}
	if err != nil {
		t.Skip("needs bin/gulo: make build")
	}
	file := filepath.Join(dir, "cc")
	if err := os.WriteFile(file, []byte("#!/bin/sh\nexec "+bin+" cc \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestOtherRules: objects that were compiled for other rules do not link, and the linker's message says why.
func TestOtherRules(t *testing.T) {
	d := debugger(t)
	files, err := Load([]string{"figure2"})
	if err != nil {
		t.Fatal(err)
	}
	other, err := Build(context.Background(), files, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	dir := folder(t, map[string]string{"a.c": "int f(int *p) { return *p; }\n", "b.c": "int f(int *); int main(void) { int v = 0; return f(&v); }\n"})
	a, b := filepath.Join(dir, "a.o"), filepath.Join(dir, "b.o")
	cc(t, d, "-c", filepath.Join(dir, "a.c"), "-o", a)
	cc(t, other, "-c", filepath.Join(dir, "b.c"), "-o", b)
	args := append([]string{a, b, "-o", filepath.Join(dir, "program")}, d.Objects()...)
	if out, code := output(t, nil, Clang, args...); code == 0 || !strings.Contains(out, "gulo_compile_this_again_") {
		t.Errorf("%d %s", code, out)
	}
}

// TestEvents keeps every step of values in a file, with times that grow on the way
// from where a value was made to where it is used, and bounded memory otherwise.
func TestEvents(t *testing.T) {
	d := debugger(t)
	dir := folder(t, map[string]string{"walk.c": `#include <stdlib.h>
struct node { struct node *next; };
int main(void)
{
    struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b), *at = a;
    a->next = b;
    b->next = a;
    for (int i = 0; i < 20; i++) {
        a->next = at->next == a ? b : b;
        at = at->next;
        b->next = at;
        at = b->next;
    }
    free(b);
    return at->next == a->next->next;
}
`})
	bin := filepath.Join(dir, "program")
	cc(t, d, filepath.Join(dir, "walk.c"), "-o", bin)
	events := filepath.Join(dir, "events")
	out, code := output(t, []string{"GULO_EVENTS=" + events}, bin)
	if code != 1 || !strings.Contains(out, "dangling_pointer_deref") {
		t.Fatalf("%d %s", code, out)
	}
	steps := 0
	for _, chain := range strings.Split(out, " came from\n")[1:] {
		last := int64(1) << 62
		for _, m := range regexp.MustCompile(`(?m)^    at (\d+):`).FindAllStringSubmatch(chain, -1) {
			n, err := strconv.ParseInt(m[1], 10, 64)
			if err != nil || n >= last {
				t.Errorf("times do not fall: %s", out)
			}
			last = n
			steps++
		}
	}
	if steps < 3 {
		t.Errorf("%d times in\n%s", steps, out)
	}
	if s, err := os.Stat(events); err != nil || s.Size() == 0 {
		t.Errorf("no events: %v", err)
	}
}

// TestUnknown lists library functions that have no model, once each.
func TestUnknown(t *testing.T) {
	d := debugger(t)
	dir := folder(t, map[string]string{"u.c": "#define _GNU_SOURCE\n#include <string.h>\nint main(void)\n{\n    char a[8] = \"abcdefg\", b[8];\n    for (int i = 0; i < 3; i++)\n        memccpy(b, a, 0, 8);\n    return b[0] != 'a';\n}\n"})
	bin := filepath.Join(dir, "program")
	cc(t, d, filepath.Join(dir, "u.c"), "-o", bin)
	out, code := output(t, []string{"GULO_UNKNOWN=1"}, bin)
	if code != 0 || strings.Count(out, "nothing is known of memccpy") != 1 || !strings.Contains(out, "u.c:7:") {
		t.Errorf("%d %s", code, out)
	}
}

// TestLineTable checks the lines of each rule of figure 2 in the table.
func TestLineTable(t *testing.T) {
	f, err := rules.Shipped("figure2")
	if err != nil {
		t.Fatal(err)
	}
	text, err := LineTable([]*rules.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range []string{"unmatched_free 2", "double_free 3", "dangling_pointer_deref 3", "null_pointer_deref 1", "heap_buffer_overflow 3", "uninitialized_read 1", "all 8"} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), w+" ") {
			t.Errorf("no %q in\n%s", w, text)
		}
	}
}

// TestManyBlocks makes more than thirty million events; memory stays within what
// docs/rules.md states.
func TestManyBlocks(t *testing.T) {
	d := debugger(t)
	dir := folder(t, map[string]string{"many.c": `#include <stdio.h>
#include <stdlib.h>
struct node { struct node *next; long v; };
static void use(struct node **p) { (*p)->v++; }
int main(int argc, char **argv)
{
    struct node *ring[64] = {0};
    long n = argc > 1 ? atol(argv[1]) : 1000;
    for (long i = 0; i < n; i++) {
        struct node *x = malloc(sizeof *x), *local = x;
        x->next = ring[i % 64];
        x->v = i;
        use(&local);
        if (ring[i % 64] != NULL)
            free(ring[i % 64]);
        x->next = NULL;
        ring[i % 64] = x;
    }
    for (int i = 0; i < 64; i++)
        free(ring[i]);
    puts("done");
    return 0;
}
`})
	bin := filepath.Join(dir, "program")
	cc(t, d, filepath.Join(dir, "many.c"), "-o", bin)
	n := 3_000_000 // each is more than ten events
	c := exec.Command(bin, fmt.Sprint(n))
	out, err := c.CombinedOutput()
	if err != nil || string(out) != "done\n" {
		t.Fatalf("%v %s", err, out)
	}
	if m := c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10; m > 256 {
		t.Errorf("%d MiB for %d blocks", m, n)
	}
}

// TestHistory uses ids of blocks again after only a few others have ended: many blocks are freed in a row, others
// live on, and none is taken for another.
func TestHistory(t *testing.T) {
	d := debugger(t)
	dir := folder(t, map[string]string{"bursts.c": `#include <stdio.h>
#include <stdlib.h>
struct node { struct node *next; int v; };
static struct node *make(int n) { struct node *h = NULL; for (int i = 0; i < n; i++) { struct node *x = malloc(sizeof *x); x->v = i; x->next = h; h = x; } return h; }
static long drop(struct node *h) { long s = 0; while (h) { struct node *n = h->next; s += h->v; free(h); h = n; } return s; }
static int *last;
static void local(int v) { int here[2] = {v, v}; last = here; }
int main(void)
{
    long sum = 0;
    struct node *kept = make(500);
    for (int round = 0; round < 60; round++) {
        struct node *a = make(37 * (round % 11)), *b = make(100);
        sum += drop(b);
        for (int i = 0; i < 50; i++)
            local(i);
        sum += drop(a);
    }
    printf("%ld\n", sum + drop(kept));
    return 0;
}
`})
	bin := filepath.Join(dir, "bursts")
	cc(t, d, filepath.Join(dir, "bursts.c"), "-o", bin)
	for _, h := range []string{"1", "2", "7", "100", "1000"} {
		if out, code := output(t, []string{"GULO_HISTORY=" + h}, bin); code != 0 || strings.Contains(out, ":") {
			t.Errorf("history of %s: %d %s", h, code, out)
		}
	}
}

// TestExamined traces a program whose cause is far from its error: the slice leaves
// out the work in between.
func TestExamined(t *testing.T) {
	d := debugger(t)
	dir := folder(t, map[string]string{"far.c": `#include <stdlib.h>
static int *choose(int n)
{
    int *p = malloc(4);
    if (n > 0)
        p = NULL;
    return p;
}
static int work(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += i % 7;
    return s;
}
int main(int argc, char **argv)
{
    (void)argv;
    int *p = choose(argc);
    int s = work(1000);
    *p = s;
    return 0;
}
`})
	info := filepath.Join(dir, "info")
	if err := os.Mkdir(info, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GULO_TRACE_INFO", info)
	bin, trace := filepath.Join(dir, "far"), filepath.Join(dir, "trace")
	cc(t, d, filepath.Join(dir, "far.c"), "-o", bin)
	if out, code := output(t, []string{"GULO_TRACE=" + trace}, bin); code != 1 || !strings.Contains(out, "far.c:21:") {
		t.Fatalf("%d %s", code, out)
	}
	fns, err := slice.Load(info)
	if err != nil {
		t.Fatal(err)
	}
	c, err := slice.Examine(fns, trace, "far.c", 6)
	if err != nil {
		t.Fatal(err)
	}
	if c.Total < 3000 || c.Trace < 3000 && c.Found {
		t.Errorf("%+v", c)
	}
	if c, err = slice.Examine(fns, trace, "far.c", 5); err != nil || !c.Found || c.Trace < 3000 || c.Slice > c.Trace {
		t.Errorf("the condition decides which value is returned: %+v, %v", c, err)
	}
}

// TestSVG draws the chains of a report with characters that XML must not have.
func TestSVG(t *testing.T) {
	r := &Result{Findings: []Finding{{Rule: "double_free", File: "a.c", Line: 3, Function: "f", Text: "if (a < b && c) free(p);",
		Chain: []Step{{File: "a.c", Line: 1, Function: "main", Text: "p = \"x\";", What: "stored", Time: 7}}, Others: []Chain{{"r1", []Step{{What: "variable v"}}}}}}}
	text := r.SVG()
	if err := xml.Unmarshal([]byte(text), new(any)); err != nil {
		t.Error(err)
	}
	for _, w := range []string{"double_free", "a.c:3 f", "a &lt; b &amp;&amp; c", "stored", "at 7", "r1", "variable v"} {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in\n%s", w, text)
		}
	}
}
