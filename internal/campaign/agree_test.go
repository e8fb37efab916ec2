package campaign

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

const longest = `#include <stdio.h>
int main(void)
{
    int n, x, best = 0;
    if (scanf("%d", &n) != 1)
        return 0;
    while (n-- > 0) {
        if (scanf("%d", &x) != 1)
            return 0;
        if (x > best)
            best = x;
    }
    printf("%d\n", best);
    return 0;
}
`

// TestAgreement asks four submissions that meet the tests, and one that does not.
func TestAgreement(t *testing.T) {
	ctx := context.Background()
	first := strings.Replace(longest, "if (x > best)", "if (x >= best && x != 9)", 1)
	q := &Question{Programs: map[string]*Submission{"d": {File: "d.c", Text: []byte(first)}, "e": {File: "e.c", Text: []byte("int main(void) { return 0; }\n")}}, Tests: map[string][]byte{
		"a.in": []byte("3 1 4 2\n"), "a.out": []byte("4\n"), "b.in": []byte("2 7 5\n"), "b.out": []byte("7\n"), "c.in": []byte("1 3\n"), "c.out": []byte("3\n"),
	}}
	for i := range 3 {
		q.Programs[fmt.Sprint(i)] = &Submission{File: "main.c", Text: fmt.Appendf(nil, "/* %d */\n%s", i, longest)}
	}
	a, err := q.Answer(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if a.Others != 4 || a.Made < 20 || len(a.Runs) < 2*a.Made {
		t.Fatalf("%d submissions were asked, on %d runs in %d files", a.Others, a.Made, len(a.Runs))
	}
	sub := &Submission{Name: "d", File: "d.c", Text: []byte(first), Tests: q.Tests, Limit: 10 * time.Second}
	id := sub.ID()
	a.Give(map[string]*Submission{id: sub})
	if sub.ID() != id {
		t.Error("what others do makes it another job")
	}
}

// TestQuestionSpace: where the tests' outputs end without a newline, which nobody's do, a class is asked all the same,
// and white space tells nobody apart.
func TestQuestionSpace(t *testing.T) {
	ctx := context.Background()
	other := strings.Replace(strings.Replace(longest, "x > best", "x > best && x != 9", 1), `"%d\n"`, `"%d \n\n"`, 1)
	q := &Question{Programs: map[string]*Submission{"d": {File: "d.c", Text: []byte(other)}}, Tests: map[string][]byte{
		"a.in": []byte("3 1 4 2\n"), "a.out": []byte("4"), "b.in": []byte("2 7 5\n"), "b.out": []byte("7"), "c.in": []byte("1 3\n"), "c.out": []byte("3"),
	}}
	for i := range 3 {
		q.Programs[fmt.Sprint(i)] = &Submission{File: "main.c", Text: fmt.Appendf(nil, "/* %d */\n%s", i, longest)}
	}
	a, err := q.Answer(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if a.Others != 4 || a.Made == 0 {
		t.Errorf("%d submissions were asked, on %d runs", a.Others, a.Made)
	}
	list, err := q.Split(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 || len(list[0].Groups) != 2 || !slices.Equal(list[0].Groups[1].Names, []string{"d"}) || strings.Contains(list[0].Groups[1].Does, `\n`) {
		t.Errorf("d differs from three others where there is a 9; %+v", list)
	}
	q.Space = "exact"
	if a, err = q.Answer(ctx); err != nil || a.Others != 0 {
		t.Errorf("with white space %d submissions are asked: %v", a.Others, err)
	}
}

// TestLentByOthers: a branch that a submission lacks and those have that meet the tests is taken over from one of them.
func TestLentByOthers(t *testing.T) {
	ctx := context.Background()
	const right = `#include <stdio.h>
int main(void)
{
    int number, digit;
    scanf("%d", &number);
    if (number == 0)
        printf("zero\n");
    while (number > 0) {
        digit = number % 10;
        printf("digit %d\n", digit);
        number = number / 10;
    }
    return 0;
}
`
	wrong := strings.NewReplacer("    if (number == 0)\n        printf(\"zero\\n\");\n", "", "number", "n").Replace(right)
	q := &Question{Programs: map[string]*Submission{"w": {File: "w.c", Text: []byte(wrong)}}, Tests: map[string][]byte{}}
	for i, in := range []string{"0", "7", "120", "9045"} {
		name := fmt.Sprintf("t%d", i)
		q.Tests[name+".in"], q.Tests[name+".out"] = []byte(in+"\n"), []byte([]string{"zero\n", "digit 7\n", "digit 0\ndigit 2\ndigit 1\n", "digit 5\ndigit 4\ndigit 0\ndigit 9\n"}[i])
	}
	for i := range 3 {
		q.Programs[fmt.Sprint(i)] = &Submission{File: "main.c", Text: fmt.Appendf(nil, "/* %d */\n%s", i, right)}
	}
	a, err := q.Answer(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if a.Others != 3 || len(a.Right) != 3 {
		t.Fatalf("%d submissions were asked, %d lend statements", a.Others, len(a.Right))
	}
	sub := &Submission{Name: "w", File: "w.c", Text: []byte(wrong), Tests: q.Tests, Limit: 20 * time.Second}
	a.Give(map[string]*Submission{"w": sub})
	o, err := Judge(ctx, sub)
	if err != nil {
		t.Fatal(err)
	}
	if o.Category != Fixed || o.Report == nil || !strings.Contains(o.Report.Repairs[0].Diff, `+    if (n == 0) printf("zero\n");`) {
		t.Fatalf("%s: %s\n%+v", o.Category, o.Why, o.Report)
	}
	if !slices.Contains(o.Report.Notes, "taken over from another program: line 5") {
		t.Errorf("%q", o.Report.Notes)
	}
}
