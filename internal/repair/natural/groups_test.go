package natural

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
)

// crowd are functions of the program that no test executes, and one long one that all execute.
func crowd(others, lines int) string {
	var b strings.Builder
	for i := range others {
		fmt.Fprintf(&b, "int other%d(struct node *a, int n)\n{\n    while (a != NULL && n > 0) {\n        n -= a->value;\n        a = a->next;\n    }\n    return n;\n}\n\n", i)
	}
	b.WriteString("static int long_one(int n)\n{\n")
	for range lines {
		b.WriteString("    n = n + 1;\n")
	}
	b.WriteString("    return n;\n}\n\n")
	return b.String()
}

// TestGroups says that of a program of many statements functions are taken in groups, those that failing tests alone
// execute first, that what no failing test executes is not edited, and that the mistake is found.
func TestGroups(t *testing.T) {
	wrong := strings.Replace(sorted, "*at = gone->next;", "*at = gone;", 1)
	wrong = strings.Replace(wrong, "static struct node *list;", "static struct node *list;\n\n"+crowd(40, 500), 1)
	wrong = strings.Replace(wrong, "int value = atoi(argv[i]);", "int value = long_one(atoi(argv[i])) - 500;", 1)
	p := problem(t, wrong)
	p.Funcs = nil
	for _, f := range p.Prog.Tree.Funcs {
		if f.Body != nil {
			p.Funcs = append(p.Funcs, f)
		}
	}
	ctx := budget.Begin(context.Background(), time.Hour)
	s, err := begin(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.sortCases(); err != nil {
		t.Fatal(err)
	}
	list, size, err := s.ranked()
	if err != nil {
		t.Fatal(err)
	}
	names := func(fs []*cfront.Func) (out []string) {
		for _, f := range fs {
			out = append(out, f.Name)
		}
		return out
	}
	if got := names(list); size == nil || len(got) != 4 || got[0] != "drop" || slices.Index(got, "long_one") != 3 {
		t.Errorf("functions in the order of %v", got)
	}
	if n := within(list, size, firstPlaces); n != 3 {
		t.Errorf("%d functions are of the first group", n)
	}
	res, err := Solve(ctx, p)
	if err != nil || len(res.Repairs) == 0 {
		t.Fatal(err, "no repair")
	}
	if got := Describe(p.Prog, res.Repairs[0].Patch); !strings.Contains(strings.Join(got, " "), "*at = gone->next") {
		t.Errorf("%v", got)
	}
}
