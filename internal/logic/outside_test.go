package logic

import (
	"context"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/report"
)

const dice = `#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int roll(int sides)
{
    int value = rand() % sides;
    assert(value >= 1 && value <= sides);
    return value;
}

int main(void)
{
    srand(time(NULL));
    printf("%d\n", roll(6));
    return 0;
}
`

const walk = `#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int at = 0;
    for (int i = 0; i < 2; i++) {
        int d = rand() % 2 ? 1 : 0;
        at += d;
        assert(d == -1 || d == 1);
    }
    printf("%d\n", at);
    return 0;
}
`

// TestRandom: what rand returns is any number that it can return. Repairs are proved for all of them, and
// one is none that makes nothing of it.
func TestRandom(t *testing.T) {
	need(t)
	for _, x := range []struct {
		name, text, want, example string
		lock                      []int
	}{
		{"dice", dice, "+    int value = rand() % sides + 1;", "rand#1=0", []int{14, 15, 16}},
		{"walk", walk, "+        int d = rand() % 2 ? 1 : -1;", "rand#1=0", []int{7, 8, 10, 13}},
	} {
		f := file(t, x.name+".c", x.text)
		rep, err := Fix(context.Background(), &job.Job{Files: []string{f}, Spec: job.Spec{Assert: true}, Limit: time.Minute, Logic: job.Logic{Random: 200, Failing: 1, Size: 1}, Lock: x.lock})
		if err != nil || rep.Result != report.Repaired || rep.Entry != "main" || !strings.Contains(rep.Example, x.example) {
			t.Errorf("%s: %v, %+v", x.name, err, rep)
			continue
		}
		r := rep.Repairs[0]
		if !strings.Contains(r.Diff, x.want) || r.Evidence.Proof != "proved for every number that rand may return; checked: assertions and errors" || r.Evidence.Native != 200 {
			t.Errorf("%s: %s\n%+v", x.name, r.Diff, r.Evidence)
		}
	}
}

// TestStreams: the n-th call on a way gets the n-th number, in the formula as natively, however the way came there;
// clocks do not go back, and a process has one number.
func TestStreams(t *testing.T) {
	need(t)
	const text = `#include <assert.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int input(void);

int main(void)
{
    int n = 0;
    time_t begin = time(NULL), now;
    if (input() > 0)
        n = input() % 10 + (n = rand() % 10);
    else
        n = rand() % 10;
    time(&now);
    assert(now >= begin && clock() >= 0 && getpid() == getpid());
    assert(n != 25 && random() >= 0 && rand() != 77);
    return 0;
}
`
	f := file(t, "streams.c", text)
	rep, err := Fix(context.Background(), &job.Job{Files: []string{f}, Entry: "main", Spec: job.Spec{Assert: true}, Limit: time.Minute, Logic: job.Logic{Random: 500}})
	if err != nil || !strings.HasPrefix(rep.Example, "on ") || !strings.Contains(rep.Example, "rand#2=77") || !strings.Contains(rep.Example, "rand() != 77") {
		t.Fatalf("%v: %+v", err, rep)
	}
	right := file(t, "right.c", strings.Replace(text, "rand() != 77", "rand() != -77", 1))
	rep, err = Fix(context.Background(), &job.Job{Files: []string{right}, Entry: "main", Spec: job.Spec{Assert: true}, Limit: time.Minute, Logic: job.Logic{Random: 500}})
	if err != nil || rep.Result != report.Right || rep.Calls != 500 || !strings.Contains(rep.Covers.String(), "all input1, input2 and every number that") {
		t.Errorf("%v: %+v %s", err, rep, rep.Covers)
	}
}

const larger = `#include <assert.h>
#include <stdio.h>

int main(void)
{
    int a, b, max;
    scanf("%d %d", &a, &b);
    if (a < b)
        max = a;
    else
        max = b;
    assert(max >= a && max >= b);
    printf("%d\n", max);
    return 0;
}
`

const adder = `#include <assert.h>
#include <stdio.h>

int main(void)
{
    long sum = 0, n = 0;
    short x = 7;
    while (n < 3 && scanf("%hd", &x) == 1) {
        sum += x;
        n++;
    }
    assert(n < 3 || sum != 5);
    assert(n > 0 || x == 7);
    return 0;
}
`

const letters = `#include <assert.h>
#include <ctype.h>
#include <stdio.h>

int main(void)
{
    int c, n = 0;
    for (int i = 0; i < 3 && (c = getchar()) != EOF; i++)
        if (c >= '0' && c <= '9')
            n = n * 10 + c - '0';
    assert(n >= 0 && n < 999);
    c = getchar();
    assert(c >= -1 && c <= 255);
    return 0;
}
`

// TestReads: what a program reads is any number or any character, up to any end, natively as in the formula.
func TestReads(t *testing.T) {
	need(t)
	for _, x := range []struct{ name, text, example, proof string }{
		{"larger", larger, "on scanf#1=0 scanf#2=1: ", "every number that scanf may read, where all that scanf reads are numbers that are there; checked: assertions and errors"},
		{"adder", adder, "on scanf#1=", "every number that scanf may read, where all that scanf reads are numbers, up to the end of the input; checked: assertions and errors"},
		{"letters", letters, "on getchar#1=57 getchar#2=57 getchar#3=57", "every character that getchar may return; checked: assertions and errors"},
	} {
		ctx, j := context.Background(), job.Job{Spec: job.Spec{Assert: true}, Limit: time.Minute, Logic: job.Logic{Random: 300, Failing: 1, Size: 1}}
		own, right := j, j
		own.Files = []string{file(t, x.name+".c", x.text)}
		_, rep, err := Locate(ctx, &own)
		if err != nil || !strings.HasPrefix(rep.Example, x.example) {
			t.Errorf("%s: %v, %+v", x.name, err, rep)
		}
		right.Files = []string{file(t, x.name+".c", strings.NewReplacer("a < b", "a > b", "sum != 5", "sum != 500000", "n < 999", "n <= 999").Replace(x.text))}
		rep, err = Fix(ctx, &right)
		if err != nil || rep.Result != report.Right || rep.Calls != 300 || rep.Covers.String() != x.proof {
			t.Errorf("%s, right: %v, %+v %s", x.name, err, rep, rep.Covers)
		}
	}
	mixed := file(t, "mixed.c", strings.Replace(larger, "if (a < b)", "getchar();\n    if (a < b)", 1))
	if _, err := Fix(context.Background(), &job.Job{Files: []string{mixed}, Spec: job.Spec{Assert: true}}); err == nil || !strings.Contains(err.Error(), "numbers and characters") {
		t.Error(err)
	}
}

// TestEntryElsewhere: where main cannot be followed, the function that asserts is.
func TestEntryElsewhere(t *testing.T) {
	need(t)
	const real = `#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int larger(int a, int b)
{
    int m = a > b ? a : b;
    assert(m >= a && m >= b);
    return m;
}

int main(void)
{
    double d = rand() / 2.0;
    printf("%f %d\n", d, larger(rand(), 3));
    return 0;
}
`
	rep, err := Fix(context.Background(), &job.Job{Files: []string{file(t, "real.c", real)}, Spec: job.Spec{Assert: true}, Limit: time.Minute, Logic: job.Logic{Random: 200}})
	if err != nil || rep.Entry != "larger" || rep.Result != report.Right {
		t.Errorf("%v: %+v", err, rep)
	}
}
