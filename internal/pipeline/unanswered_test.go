package pipeline

import (
	"context"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
)

// history keeps the newest words that fit into some bytes. Its data are an array and numbers, so that logic is asked
// first; but logic does not follow what it reads.
const history = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct history { char *text; unsigned room, first, used; };

static void forget(struct history *h)
{
    while (h->used > 0) {
        char c = h->text[h->first];
        h->first = (h->first + 1) % h->room;
        h->used--;
        if (c == '|')
            break;
    }
}

static void add(struct history *h, const char *word)
{
    unsigned n = strlen(word) + 1;
    if (n > h->room)
        return;
    while (h->room - h->used < n)
        forget(h);
    unsigned at = (h->first + h->used) % h->room;
    for (unsigned i = 0; i < n; i++) {
        h->text[at] = i + 1 < n ? word[i] : '|';
        at = (at + 1) % h->room;
    }
    h->used += n;
}

static void print(const struct history *h)
{
    for (unsigned i = 0; i < h->used; i++)
        putchar(h->text[(h->first + i) % h->room]);
    printf("%u\n", h->room - h->used);
}

int main(void)
{
    struct history h = {malloc(12), 12, 0, 0};
    char word[40];
    while (scanf("%39s", word) == 1)
        if (strcmp(word, "?") == 0)
            print(&h);
        else
            add(&h, word);
    print(&h);
    free(h.text);
    return 0;
}
`

const (
	asOften = "    while (h->room - h->used < n)\n"
	around  = "    unsigned at = (h->first + h->used) % h->room;\n"
)

// TestUnanswered: edits that a person would make come before code that is copied from the reference, also if logic is
// asked first and has no answer. With the second mistake all long runs end early, in an error; this says nothing
// about how long they are when nothing is wrong.
func TestUnanswered(t *testing.T) {
	dir := t.TempDir()
	right := write(t, dir, "right.c", history)
	once := strings.Replace(history, asOften, "    if (h->room - h->used < n)\n", 1)
	for i, x := range []struct {
		name, text string
		lines      []string
	}{
		{"one", once, []string{asOften}},
		{"two", strings.Replace(once, around, "    unsigned at = h->first + h->used;\n", 1), []string{asOften, around}},
	} {
		if testing.Short() && i%2 != 0 {
			continue
		}
		t.Run(x.name, func(t *testing.T) {
			wrong := write(t, dir, x.name+".c", x.text)
			a, err := Fix(context.Background(), &job.Job{Files: []string{wrong}, Spec: job.Spec{Reference: []string{right}}, Stdin: "ab cd ? ef longword gh\n", Limit: 2 * time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			if len(a.Report.Repairs) == 0 {
				t.Fatal(a.Report.Result, a.Report.Cause)
			}
			r := a.Report.Repairs[0]
			if len(r.Edits) != len(x.lines) || strings.Count(r.Diff, "\n+") != len(x.lines)+1 {
				t.Errorf("%s\n%s", r.Diff, r.Evidence.Text)
			}
			for _, l := range x.lines {
				if !strings.Contains(r.Diff, "\n+"+l) {
					t.Errorf("%q is not in\n%s", l, r.Diff)
				}
			}
			for _, n := range a.Report.Notes {
				if strings.Contains(n, "taken over from the reference") {
					t.Error(n)
				}
			}
		})
	}
}
