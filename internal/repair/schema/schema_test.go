package schema

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/native/nativetest"
	"gulo/internal/repair/textedit"
	"gulo/internal/sandbox"
	"gulo/internal/source"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

// listing is a program with what people get wrong in it, one mistake after the other.
const listing = `#include <stdio.h>
#include <stdlib.h>

struct item {
    int n;
    struct item *next;
};

static int contains(struct item *l, int n)
{
    for (; l != NULL; l = l->next)
        if (l->n == n)
            return 1;
    return 0;
}

static void add(struct item **l, int n)
{
    if (contains(*l, n))
        return;
    struct item *x = malloc(sizeof *x);
    x->n = n;
    x->next = *l;
    *l = x;
}

static int sum(struct item *l)
{
    int s = 0;
    while (l != NULL) {
        s += l->n;
        l = l->next;
    }
    return s;
}

static const char *kind(int s)
{
    if (s < 0)
        return "negative";
    else if (s == 0)
        return "zero";
    return "positive";
}

int main(int argc, char **argv)
{
    struct item *l = NULL;
    for (int i = 1; i < argc; i++)
        add(&l, atoi(argv[i]));
    for (struct item *p = l; p; p = p->next)
        printf("%d ", p->n);
    printf("\n%s: %d\n", kind(sum(l)), 100 - sum(l));
    while (l != NULL) {
        struct item *next = l->next;
        free(l);
        l = next;
    }
    return 0;
}
`

// TestMistakes corrects mistakes that edits of single expressions of the trace do not reach:
// each correction prints what the right program prints on inputs that were not given.
func TestMistakes(t *testing.T) {
	given := []native.Test{{}, {Args: []string{"3"}}, {Args: []string{"3", "4", "3"}}, {Args: []string{"-5", "2"}}, {Args: []string{"1", "-1"}}, {Args: []string{"7", "7", "7", "1"}}}
	hidden := []native.Test{{Args: []string{"0"}}, {Args: []string{"9", "8", "7", "9", "8"}}, {Args: []string{"-1", "-1"}}, {Args: []string{"5", "-5", "5"}}}
	for i, o := range nativetest.Outputs(t, listing, given) {
		given[i].Stdout = o.Stdout
	}
	rights := nativetest.Outputs(t, listing, hidden)
	for _, x := range []struct{ name, old, new string }{
		{"a line break too few", `"%d "`, `"%d"`},
		{"a check that is missing", "    if (contains(*l, n))\n        return;\n", ""},
		{"two statements", "        s += l->n;\n        l = l->next;\n", "        l = l->next;\n        s += l->n;\n"},
		{"moved out of a loop", "        l = l->next;\n    }\n    return s;", "    }\n    l = l->next;\n    return s;"},
		{"else", "    else if (s == 0)", "    if (s >= 0)"},
	} {
		text := strings.Replace(listing, x.old, x.new, 1)
		if text == listing {
			t.Fatalf("%s: nothing to replace", x.name)
		}
		p, path := nativetest.Load(t, text)
		funcs := nativetest.Own(p)
		r, err := Solve(context.Background(), &Problem{Tree: p, Funcs: funcs, Tests: slices.Clone(given), Limit: time.Minute, Single: true})
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		if len(r.Repairs) == 0 {
			t.Errorf("%s: no repair of %d edits, %d failing", x.name, r.Edits, r.Failing)
			continue
		}
		best := r.Repairs[0].Texts[path]
		for i, o := range nativetest.Outputs(t, best, given) {
			if o.Stdout != given[i].Stdout {
				t.Errorf("%s: the text of the repair does not do what the schema did on %v: %q\n%s", x.name, given[i].Args, o.Stdout, best)
			}
		}
		for i, o := range nativetest.Outputs(t, best, hidden) {
			if o.Stdout != rights[i].Stdout {
				t.Errorf("%s: %s in line %d is wrong on %v: %q, not %q", x.name, r.Repairs[0].Edits[0].What, r.Repairs[0].Edits[0].Line(), hidden[i].Args, o.Stdout, rights[i].Stdout)
			}
		}
	}
}

// TestLocked leaves lines alone that are locked.
func TestLocked(t *testing.T) {
	text := strings.Replace(listing, "100 - sum(l)", "sum(l) - 100", 1)
	p, path := nativetest.Load(t, text)
	line := 1 + strings.Count(text[:strings.Index(text, "sum(l) - 100")], "\n")
	tests := []native.Test{{Args: []string{"3"}, Stdout: "3 \npositive: 97\n"}, {Args: []string{"5"}, Stdout: "5 \npositive: 95\n"}}
	r, err := Solve(context.Background(), &Problem{Tree: p, Funcs: []*cfront.Func{p.Func("main")}, Tests: tests, Single: true, Limit: time.Minute,
		Free: func(_ *source.File, l int) bool { return l != line }})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range r.Repairs {
		if y := strings.Split(x.Texts[path], "\n"); y[line-1] != strings.Split(text, "\n")[line-1] {
			t.Errorf("line %d became %s", line, y[line-1])
		}
	}
}

// TestTry learns from refutations: what does not meet a learned test does not come again.
func TestTry(t *testing.T) {
	text := "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv)\n{\n    int x = atoi(argv[1]);\n    if (x > 10)\n        puts(\"big\");\n    else\n        puts(\"small\");\n    return 0;\n}\n"
	p, path := nativetest.Load(t, text)
	tests := []native.Test{{Args: []string{"5"}, Stdout: "big\n"}, {Args: []string{"1"}, Stdout: "small\n"}}
	want := map[string]string{"2": "small\n", "3": "big\n", "20": "big\n", "-4": "small\n", "11": "big\n"}
	tried := 0
	r, err := Solve(context.Background(), &Problem{Tree: p, Funcs: []*cfront.Func{p.Func("main")}, Tests: tests, Limit: time.Minute,
		Try: func(ctx context.Context, r *Repair) (Verdict, error) {
			tried++
			for _, k := range []string{"2", "3", "20", "-4", "11"} {
				if o := nativetest.Outputs(t, r.Texts[path], []native.Test{{Args: []string{k}}}); o[0].Stdout != want[k] {
					return Verdict{Refuted: true, By: &native.Test{Args: []string{k}, Stdout: want[k]}}, nil
				}
			}
			return Verdict{Enough: true}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Repairs) != 1 || r.Refuted != tried-1 || r.Refuted > 5 {
		t.Errorf("%d repairs, %d tried, %d refuted", len(r.Repairs), tried, r.Refuted)
	}
}

// TestCheapest tries the cheapest edits of a program by themselves, and all of them where
// those do not do: also when what was found first is refuted.
func TestCheapest(t *testing.T) {
	given := []native.Test{{}, {Args: []string{"3"}}, {Args: []string{"3", "4", "3"}}, {Args: []string{"-5", "2"}}, {Args: []string{"1", "-1"}}}
	for i, o := range nativetest.Outputs(t, listing, given) {
		given[i].Stdout = o.Stdout
	}
	for _, x := range []struct {
		name, old, new string
		refuse         bool // what costs little
		all            bool
	}{
		{"cheap", "100 - sum(l)", "100 + sum(l)", false, false},
		{"refuted", "100 - sum(l)", "100 + sum(l)", true, true},
		{"an insertion", "    if (contains(*l, n))\n        return;\n", "", false, true},
	} {
		p, _ := nativetest.Load(t, strings.Replace(listing, x.old, x.new, 1))
		funcs := nativetest.Own(p)
		judged := 0
		s := Start(context.Background(), &Problem{Tree: p, Funcs: funcs, Tests: given, Limit: 3 * time.Minute, Try: func(_ context.Context, r *Repair) (Verdict, error) {
			judged++
			return Verdict{Refuted: x.refuse && r.Cost <= textedit.Cheapest, Enough: !x.refuse || r.Cost > textedit.Cheapest}, nil
		}})
		res, err := s.Solve(context.Background(), nil, false, time.Now().Add(3*time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Edits > len(s.sp.Sites) && !s.more; got != x.all {
			t.Errorf("%s: all edits were tried: %v", x.name, got)
		}
		if len(res.Repairs) == 0 && !x.refuse {
			t.Errorf("%s: no repair, %d judged", x.name, judged)
		}
		s.Close()
	}
}

// TestRival says on which input a repair differs from another one that meets the tests too.
func TestRival(t *testing.T) {
	p, _ := nativetest.Load(t, "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv)\n{\n    int n = atoi(argv[1]);\n    printf(\"%d\\n\", n + 1);\n    return 0;\n}\n")
	test := func(arg, out string) native.Test { return native.Test{Args: []string{arg}, Stdout: out} }
	near := []native.Test{test("123", ""), test("5", ""), test("7", "")}
	try := func(context.Context, *Repair) (Verdict, error) { return Verdict{Enough: true}, nil }
	given := []native.Test{test("2", "4\n")}
	for _, differs := range []bool{true, false} {
		if !differs { // now the tests tell them apart
			given = append(given, test("3", "5\n"), test("-1", "1\n"))
		}
		r, err := Solve(context.Background(), &Problem{Tree: p, Funcs: []*cfront.Func{p.Func("main")}, Tests: given, Near: near, Limit: 3 * time.Minute, Single: true, Try: try})
		if err != nil || len(r.Repairs) != 1 {
			t.Fatalf("%d repairs: %v", len(r.Repairs), err)
		}
		v := r.Rival
		if (v != nil) != differs {
			t.Errorf("a rival: %v", v)
			continue
		}
		if v != nil && (v.Input.Args[0] == "123" || v.Does.Stdout == v.Found.Stdout) {
			t.Errorf("%v: %q and %q", v.Input, v.Does.Stdout, v.Found.Stdout)
		}
	}
}

// TestWork: a search for pairs that its work ends has tried the same ones whenever it is made.
func TestWork(t *testing.T) {
	given := []native.Test{{}, {Args: []string{"3"}}, {Args: []string{"3", "4", "3"}}, {Args: []string{"-5", "2"}}}
	for i, o := range nativetest.Outputs(t, listing, given) {
		given[i].Stdout = o.Stdout
	}
	p, _ := nativetest.Load(t, strings.NewReplacer("100 - sum(l)", "sum(l) * 100", "x->next = *l;", "x->next = x;").Replace(listing))
	var first *Result
	for range 2 {
		res, err := Solve(budget.Begin(context.Background(), time.Hour), &Problem{Tree: p, Funcs: nativetest.Own(p), Tests: slices.Clone(given), Limit: 800 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = res
		}
		if !res.Cut || res.Runs != first.Runs || res.Refuted != first.Refuted {
			t.Errorf("cut off: %v, %d runs, %d refuted; before: %d, %d", res.Cut, res.Runs, res.Refuted, first.Runs, first.Refuted)
		}
	}
}

// TestTimeUp: a search a part of which takes all that is left has not come to an end, and one that has says how many
// pairs it tried.
func TestTimeUp(t *testing.T) {
	text := "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv)\n{\n    int n = atoi(argv[1]);\n    printf(\"%d\\n\", n);\n    return 0;\n}\n"
	p, _ := nativetest.Load(t, text)
	given := []native.Test{{Args: []string{"5"}, Stdout: "917 33 of 41\n"}, {Args: []string{"6"}, Stdout: "12 2048 of 7\n"}}
	for _, long := range []bool{false, true} {
		ctx := budget.Begin(context.Background(), time.Hour)
		asked := 0
		res, err := Solve(ctx, &Problem{Tree: p, Funcs: nativetest.Own(p), Tests: slices.Clone(given), Limit: time.Minute,
			Distance: func(got, want string) int { return -len(got) },
			Nearer: func(ctx context.Context, list []Repair, two bool) (bool, error) {
				if asked++; long && two {
					budget.Spend(ctx, budget.Of(time.Hour))
				}
				return false, nil
			}})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Repairs) > 0 || res.Cut != long || asked == 0 || !long && res.Pairs == 0 {
			t.Errorf("%v: %d repairs, asked %d times, cut off: %v, %d pairs", long, len(res.Repairs), asked, res.Cut, res.Pairs)
		}
	}
}
