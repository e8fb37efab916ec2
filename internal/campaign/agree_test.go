package campaign

import (
	"context"
	"fmt"
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

// TestAgreement asks four submissions, of which one differs where no test looks: the others
// outvote it, and it stays right, with a note.
func TestAgreement(t *testing.T) {
	ctx := context.Background()
	first := strings.Replace(longest, "if (x > best)", "if (x >= best && x != 9)", 1)
	q := &Question{Programs: map[string][]byte{"d": []byte(first), "e": []byte("int main(void) { return 0; }\n")}, Tests: map[string][]byte{
		"a.in": []byte("3 1 4 2\n"), "a.out": []byte("4\n"), "b.in": []byte("2 7 5\n"), "b.out": []byte("7\n"), "c.in": []byte("1 3\n"), "c.out": []byte("3\n"),
	}}
	for i := range 3 {
		q.Programs[fmt.Sprint(i)] = []byte(fmt.Sprintf("/* %d */\n%s", i, longest))
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
	sub.Agreed = map[string][]byte{"r.in": []byte("2 9 8\n"), "r.out": []byte("9\n")}
	out, err := Judge(ctx, sub)
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(out.Notes, "; "); out.Category != Right || !strings.Contains(notes, "differs from most of 4 submissions") {
		t.Errorf("%s: %s", out.Category, notes)
	}
	if !strings.HasPrefix(out.brief(), unlikeMost) {
		t.Errorf("the page says %q", out.brief())
	}
	same := *sub
	same.Text = q.Programs["0"]
	if out, err = Judge(ctx, &same); err != nil || out.Category != Right || len(out.Notes) > 0 {
		t.Errorf("%v %v", out, err)
	}
}
