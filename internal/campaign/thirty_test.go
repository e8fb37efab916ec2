package campaign

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// shop is the reference of a class: functions of numbers and memory, one that prints,
// one that keeps a count, one that nobody calls.
const shop = `#include <stdio.h>
#include <stdlib.h>
#define BONUS 5
int rate = 3;
static int twice(int x)
{
    return x + x;
}
int largest(const int *a, int n)
{
    int best = a[0];
    for (int i = 1; i < n; i++)
        if (a[i] > best)
            best = a[i];
    return best;
}
int ticket(void)
{
    static int last = 100;
    last++;
    return last;
}
int price(int amount)
{
    if (amount > 10)
        return twice(amount) * rate + BONUS;
    return amount * rate;
}
void report(int total)
{
    printf("total: %d\n", total);
}
int even(int n)
{
    return n % 2 == 0;
}
int squares(int n)
{
    int sum = 0;
    int *a = malloc((n + 1) * sizeof *a);
    for (int i = 0; i <= n; i++)
        a[i] = i * i;
    for (int i = 0; i <= n; i++)
        sum += a[i];
    free(a);
    return sum;
}
int main(void)
{
    int a[] = {3, 9, 4};
    printf("%d %d %d\n", largest(a, 3), price(12), ticket());
    report(squares(3));
    return 3;
}
`

// TestThirty is a class in which ten are right, ten wrong in ways of their own, five lack
// a function, three do not compile and three do not end: ten are called right, by name.
func TestThirty(t *testing.T) {
	dir := t.TempDir()
	change := func(pairs ...string) string {
		for i := 0; i < len(pairs); i += 2 {
			if !strings.Contains(shop, pairs[i]) {
				t.Fatalf("%q is not in the program", pairs[i])
			}
		}
		return strings.NewReplacer(pairs...).Replace(shop)
	}
	without := func(fn string) string {
		at := strings.Index(shop, fn)
		end := at + strings.Index(shop[at:], "\n}\n") + 3
		return shop[:at] + shop[end:]
	}
	right := map[string]string{
		"anna":        shop,
		"bob":         change("int best = a[0];", "int best = *a;"),
		"m\u00fcller": change("last++;\n    return last;", "return ++last;"),
		"m\u00f6ller": change("return x + x;", "return 2 * x;"),
		"carol":       change("twice(amount) * rate + BONUS", "rate * (amount + amount) + BONUS"),
		"dan":         change("n % 2 == 0", "!(n & 1)"),
		"e v":         change("return n % 2 == 0;", "if (n % 2)\n        return 0;\n    return 1;"),
		"f\"g'<b>":    change("int i = 1; i < n", "int i = 0; i < n"),
		"new\nline":   change("#define BONUS 5", "#define BONUS (2 + 3)"),
		"sub/anna":    change("int rate = 3;", "int rate = 4 - 1;"),
	}
	wrong := map[string]string{
		"main only":     change("price(12)", "price(11)"),
		"text":          change("total: ", "Total: "),
		"status":        change("return 3;\n}", "return 0;\n}"),
		"helper":        change("return x + x;", "return x + x + 1;"),
		"initializer":   change("int rate = 3;", "int rate = 4;"),
		"macro":         change("#define BONUS 5", "#define BONUS 6"),
		"heap":          change("malloc((n + 1) *", "malloc(n *"),
		"off by one":    change("int i = 1; i < n;", "int i = 1; i < n - 1;"),
		"static":        change("    static int last = 100;\n", "    int last = 100;\n"),
		"never called":  change("n % 2 == 0", "n % 2 == 1"),
		"loops":         change("i <= n; i++)\n        sum", "i <= n; )\n        sum"),
		"main for ever": change("    report(squares(3));", "    for (;;)\n        report(squares(3));"),
		"prints on":     change("i <= n; i++)\n        sum", "i <= n; )\n        puts(\"on\"), sum"),
	}
	lacks := map[string]string{
		"lacks largest": without("int largest"),
		"lacks ticket":  strings.Replace(without("int ticket"), "ticket()", "101", 1),
		"lacks price":   strings.Replace(without("int price"), "price(12)", "77", 1),
		"lacks even":    without("int even"),
		"lacks all":     "#include <stdio.h>\nint main(void)\n{\n    printf(\"9 77 101\\ntotal: 14\\n\");\n    return 3;\n}\n",
	}
	broken := map[string]string{
		"semicolon": change("return best;", "return best"),
		"bytes":     "\x7fELF\x00\xff\xfe",
		"name":      change("sum += a[i];", "summ += a[i];"),
	}
	if testing.Short() { // all that are right, and some of each other kind
		few := []string{"main only", "heap", "main for ever", "prints on", "lacks ticket", "lacks all", "bytes"}
		for _, list := range []map[string]string{wrong, lacks, broken} {
			maps.DeleteFunc(list, func(name, _ string) bool { return !slices.Contains(few, name) })
		}
	}
	all := map[string]string{}
	for _, list := range []map[string]string{right, wrong, lacks, broken} {
		for name, text := range list {
			all[name] = text
		}
	}
	write(t, dir, all)
	write(t, dir, map[string]string{"reference": shop})
	class := &Class{Folder: dir, Limit: 300 * time.Millisecond}
	jobs, err := class.Jobs()
	if err != nil || len(jobs) != len(all) {
		t.Fatalf("%d jobs: %v", len(jobs), err)
	}
	q, err := Open(context.Background(), "", t.TempDir(), "c")
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	begin := time.Now()
	sum := judged(t, q, dir, jobs)
	t.Logf("%v for %d", time.Since(begin), len(jobs))
	total := 0
	for _, n := range sum.Counts {
		total += n
	}
	if total != len(all) || sum.Done != len(all) {
		t.Errorf("%d done, counts %v", sum.Done, sum.Counts)
	}
	for _, o := range sum.Outcomes {
		t.Logf("%-16s %-18s %s; %s", o.Name, o.Category, o.Why, o.Checked)
	}
	if strings.HasPrefix(outcome(sum, "anna").Native, "not run") {
		t.Log("the system gives no namespaces: what only native runs show is not seen")
		return
	}
	for list, want := range map[*map[string]string][]Category{&right: {Right}, &wrong: {Fixed, Limited, NoEnd}, &lacks: {Lacks}, &broken: {NoCompile}} {
		for name := range *list {
			if o := outcome(sum, shown(name)); !slices.Contains(want, o.Category) {
				t.Errorf("%s: %s (%s), want one of %v", shown(name), o.Category, o.Why, want)
			}
		}
	}
	if sum.Counts[Right] != 10 {
		t.Errorf("counts %v", sum.Counts)
	}
	for _, name := range []string{"loops", "prints on"} { // whose repairs take more work than the limit
		if _, ok := wrong[name]; ok && outcome(sum, name).Category != NoEnd {
			t.Errorf("%s: %s, want that it does not end", name, outcome(sum, name).Category)
		}
	}
	html, err := sum.HTML()
	for _, want := range []string{"m\u00fcller", "m\u00f6ller", "&lt;b&gt;", `new\nline`, "sub/anna"} {
		if err != nil || !strings.Contains(string(html), want) {
			t.Errorf("the page does not show %q: %v", want, err)
		}
	}
	if strings.Contains(string(html), "<b>\"") {
		t.Error("a name is not escaped on the page")
	}
}

func outcome(s *Summary, name string) *Outcome {
	for _, o := range s.Outcomes {
		if o.Name == name {
			return o
		}
	}
	return &Outcome{Category: "missing"}
}

func write(t *testing.T, dir string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		path := filepath.Join(dir, name+".c")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestIDs: every change of what a result depends on is another job, and what is the
// reference, a test or hidden is none.
func TestIDs(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a": "int f(void) { return 1; }\n", "reference": "int f(void) { return 1; }\n", "sub/a": "int f(void) { return 1; }\n", ".old/b": "int x;\n", "tests/c": "int y;\n"})
	one := func(c Class) string {
		t.Helper()
		c.Folder = dir
		jobs, err := c.Jobs()
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		id := ""
		for k, j := range jobs {
			if names = append(names, j.Name); j.Name == "a" {
				id = k
			}
		}
		slices.Sort(names)
		if !slices.Contains(names, "sub/a") || slices.Contains(names, "reference") || slices.Contains(names, ".old/b") || c.Tests != "" && slices.Contains(names, "tests/c") {
			t.Errorf("submissions %q", names)
		}
		return id
	}
	test := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "tests", "x.out"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	test("1")
	seen := map[string]string{}
	add := func(what, id string) {
		if other, ok := seen[id]; ok {
			t.Errorf("%s and %s are one job", what, other)
		}
		seen[id] = what
	}
	first := one(Class{})
	add("as it is", first)
	if again := one(Class{}); again != first {
		t.Error("the same job has two names")
	}
	add("limit", one(Class{Limit: time.Second}))
	add("entry", one(Class{Entry: "f"}))
	tests := filepath.Join(dir, "tests")
	add("tests", one(Class{Tests: tests}))
	test("2")
	add("another test", one(Class{Tests: tests}))
	if err := os.WriteFile(filepath.Join(dir, "a.h"), []byte("#define A 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	add("header", one(Class{}))
	write(t, dir, map[string]string{"reference": "int f(void) { return 2; }\n"})
	add("reference", one(Class{}))
	write(t, dir, map[string]string{"a": "int f(void) { return 3; }\n"})
	add("submission", one(Class{}))
}

// TestOldResults: a report shows no result of what a file held before.
func TestOldResults(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	q, err := Open(ctx, "", filepath.Join(dir, ".gulo-campaign"), "c")
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	write(t, dir, map[string]string{"a": "int f(void) { return 1; }\n", "b": "int f(void) { return 2; }\n", "reference": "int f(void) { return 1; }\n"})
	class := &Class{Folder: dir}
	done := func() *Summary {
		t.Helper()
		jobs, err := class.Jobs()
		if err != nil {
			t.Fatal(err)
		}
		sum, err := Collect(ctx, q, dir, jobs)
		if err != nil {
			t.Fatal(err)
		}
		for id := range jobs {
			if err := q.Add(ctx, id, []byte("x")); err != nil {
				t.Fatal(err)
			}
		}
		h := func(context.Context, string, []byte) ([]byte, error) { return []byte(`{"category": "right"}`), nil }
		if err := q.Work(ctx, h, FailedOutcome, true); err != nil {
			t.Fatal(err)
		}
		return sum
	}
	if s := done(); s.Done != 0 {
		t.Errorf("%d results before anything was done", s.Done)
	}
	if s := done(); s.Done != 2 {
		t.Errorf("%d results of 2", s.Done)
	}
	write(t, dir, map[string]string{"a": "int f(void) { return 3; }\n"})
	if s := done(); s.Done != 1 || s.Outcomes[0].Name != "b" {
		t.Errorf("%d results after one of two files was changed", s.Done)
	}
	class.Entry = "f"
	if s := done(); s.Done != 0 {
		t.Errorf("%d results after an option was changed", s.Done)
	}
}

// TestShown: different names are shown differently.
func TestShown(t *testing.T) {
	names := []string{"a", "a b", " a", "a ", "a\nb", "a\tb", `a\nb`, `"a\nb"`, "a\xff", "a\xfe", "a\u202eb", "\u00fc", "u\u0308", "'", "<b>", ""}
	seen := map[string]string{}
	for _, n := range names {
		s := shown(n)
		if other, ok := seen[s]; ok {
			t.Errorf("%q and %q are both shown as %s", n, other, s)
		}
		seen[s] = n
		if !utf8.ValidString(s) || strings.ContainsAny(s, "\n\t") {
			t.Errorf("%q is shown as %q", n, s)
		}
	}
	if fmt.Sprint(anchor("a")) == anchor("b") {
		t.Error("anchors")
	}
}
