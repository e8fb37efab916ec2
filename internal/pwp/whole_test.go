package pwp

import (
	"context"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/report"
)

// bins is a program whose contract says little: that as many go as are asked for.
const bins = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { char name[8]; struct item *next; };

static struct item *bin[4];
static int items;

static int place(const char *name) { return name[0] % 4; }

static void put(const char *name)
{
    struct item *it = malloc(sizeof *it);
    strncpy(it->name, name, 7);
    it->name[7] = 0;
    it->next = bin[place(name)];
    bin[place(name)] = it;
    items++;
}

static int count(void)
{
    int n = 0;
    for (int b = 0; b < 4; b++)
        for (struct item *it = bin[b]; it; it = it->next)
            n++;
    return n;
}

/* pre:  items == length(bin[0]) + length(bin[1]) + length(bin[2]) + length(bin[3])
   post: implies(result == 1, length(bin[0]) + length(bin[1]) + length(bin[2]) + length(bin[3]) == old(items) - 1)
   post: implies(result == 0, length(bin[0]) + length(bin[1]) + length(bin[2]) + length(bin[3]) == old(items)) */
static int drop(const char *name)
{
    struct item *prev = NULL, *it = bin[place(name)];
    while (it) {
        if (strcmp(it->name, name) == 0) {
            if (prev)
                prev->next = it->next;
            else
                bin[place(name)] = NULL;
            free(it);
            items--;
            return 1;
        }
        prev = it;
        it = it->next;
    }
    return 0;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (argv[i][0] == '-')
            printf("%s %s\n", argv[i] + 1, drop(argv[i] + 1) ? "goes" : "is not there");
        else
            put(argv[i]);
    for (int b = 0; b < 4; b++)
        for (struct item *it = bin[b]; it; it = it->next)
            printf("%d %s\n", b, it->name);
    printf("%d\n", count());
    for (int b = 0; b < 4; b++)
        while (bin[b]) {
            struct item *it = bin[b];
            bin[b] = it->next;
            free(it);
        }
    return 0;
}
`

// TestWholes: what keeps a contract of few words also has to leave runs alone that keep it, and to
// keep it in runs that break it.
func TestWholes(t *testing.T) {
	tk, err := prepare(context.Background(), &job.Job{Files: []string{file(t, "p.c", bins)}, Args: []string{"pin", "tin", "ply", "-ply", "tap", "-pin"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := tk.wholes(); err != nil {
		t.Fatal(err)
	}
	keep, broken := 0, 0
	for _, w := range tk.whole {
		if w.kept {
			keep++
		} else {
			broken++
		}
	}
	if keep < 5 || broken < 1 || tk.whole[0].kept {
		t.Fatalf("%d runs keep the contract, %d do not", keep, broken)
	}
	for _, c := range []struct{ name, old, new, why string }{
		{"the repair", "bin[place(name)] = NULL;", "bin[place(name)] = it->next;", ""},
		{"and another place for all", "return name[0] % 4;", "return (name[0] + 1) % 4;", "that keep the contract as they are, such as in the run with"},
		{"half", "bin[place(name)] = NULL;", "bin[place(name)] = it->next ? it->next->next : NULL;", "the postcondition of drop"},
		{"an error", "prev = it;", "prev = NULL; free(it);", "in the run"},
	} {
		texts := strings.Replace(bins, c.old, c.new, 1)
		if strings.HasPrefix(c.name, "and ") {
			texts = strings.Replace(texts, "bin[place(name)] = NULL;", "bin[place(name)] = it->next;", 1)
		}
		other, err := prepare(context.Background(), &job.Job{Files: []string{file(t, "p.c", texts)}, Args: []string{"pin"}})
		if err != nil {
			t.Fatal(err)
		}
		x, err := tk.spoils(other.prog, other.ct, nil)
		if err != nil {
			t.Fatal(err)
		}
		why := x.refuted + x.String()
		if c.why == "" && why != "" || !strings.Contains(why, c.why) {
			t.Errorf("%s: %q, not %q", c.name, why, c.why)
		}
	}
	told, err := tk.told(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(told) < 3 {
		t.Errorf("%d runs stand beside the calls", len(told))
	}
	for _, x := range told {
		if x.Args[0] != wholeRun || !strings.HasSuffix(x.Stdout, "\n") {
			t.Errorf("a run is %q and prints %q", x.Args, x.Stdout)
		}
	}
}

// counted is a program that tells how much it has compared; its contract says nothing of that.
const counted = `#include <stdio.h>
#include <stdlib.h>

static int compared;

static int less(int a, int b)
{
    compared++;
    return a < b;
}

/* pre:  n >= 0 && n <= 8
   post: sorted(a, 0, n) && permutation(a, 0, n) */
static void sort(int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int v = a[i], j = i;
        while (j > 1 && less(v, a[j - 1])) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = v;
    }
}

int main(int argc, char **argv)
{
    int a[8], n = 0;
    for (int i = 1; i < argc && n < 8; i++)
        a[n++] = atoi(argv[i]);
    sort(a, n);
    for (int i = 0; i < n; i++)
        printf("%d ", a[i]);
    printf("after %d\n", compared);
    return 0;
}
`

// TestBesides: a repair that has other runs do something else is shown for want of a better one, and says so.
func TestBesides(t *testing.T) {
	rep, err := Fix(context.Background(), &job.Job{Files: []string{file(t, "p.c", counted)}, Args: []string{"4", "1", "3"}, Limit: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Result != report.Repaired || !rep.Besides || !strings.Contains(rep.Repairs[0].Diff, "+        while (j >= 1 ") {
		t.Fatalf("%s: %s: %+v", rep.Result, rep.Cause, rep.Repairs)
	}
	if ev := rep.Repairs[0].Evidence; !strings.Contains(ev.Text, "runs that keep the contract as they are, such as in the run with") || ev.Besides == "" {
		t.Errorf("it does not say what other runs do: %s", ev.Text)
	}
}
