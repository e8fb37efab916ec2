package campaign

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"
)

// listing is an exercise whose main shows what its functions do.
const listing = `#include <stdio.h>
struct node { int data; struct node *next; };
int length(struct node *n)
{
    int k = 0;
    for (; n != NULL; n = n->next)
        k++;
    return k;
}
int sum(struct node *n)
{
    int s = 0;
    for (; n != NULL; n = n->next)
        s += n->data;
    return s;
}
int main(void)
{
    struct node a = {3, NULL}, b = {2, &a};
    printf("%d %d\n", length(&b), sum(&b));
    return 0;
}
`

// TestFunctionAtFault: where the example in main is not met, the function is named that goes wrong, and not the
// first of the file; where all functions are the reference's, main is looked at. Functions that are the
// reference's word for word are not called.
func TestFunctionAtFault(t *testing.T) {
	other := strings.NewReplacer("length(struct node *n)", "length(struct node *p)", "(; n != NULL; n = n->next)\n        k++", "(; p != NULL; p = p->next)\n        k++")
	for _, x := range []struct {
		text, example, mistake string
		called, same           string // of the repaired program
	}{
		{strings.Replace(other.Replace(listing), "s += n->data", "s += n->data + 1", 1), "on n: [", "s += n->data should", "length", "sum"},
		{strings.Replace(listing, "s += n->data", "s += n->data + 1", 1), "on n: [", "s += n->data should", "", "length sum"},
		{strings.Replace(listing, "length(&b), sum(&b)", "sum(&b), length(&b)", 1), "on no arguments and no input: it prints", "length(&b), sum(&b)", "", "length sum"},
	} {
		out, err := Judge(context.Background(), &Submission{Name: "a", File: "a.c", Text: []byte(x.text), Reference: []byte(listing), Limit: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if out.Category != Fixed || !strings.Contains(inWords(out.Report), x.mistake) || !strings.HasPrefix(out.Report.Example, x.example) {
			t.Errorf("%s: %s %+v\n%s", out.Category, out.Why, out.Report, x.text)
			continue
		}
		c := out.Checked
		slices.Sort(c.Same)
		for _, f := range []string{"length", "sum"} {
			if (c.Calls[f] > 0) != strings.Contains(x.called, f) {
				t.Errorf("%d calls of %s", c.Calls[f], f)
			}
		}
		if got := strings.Join(c.Same, " "); got != x.same {
			t.Errorf("%q are the reference's, not %q", got, x.same)
		}
	}
}
