package runs

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/report"
)

// TestBeyond: where the tests have no number below one, the reference says more than they do. A second
// mistake that no test shows is mended with the first; what cannot be mended is named.
func TestBeyond(t *testing.T) {
	const (
		largest = `#include <stdio.h>
int main(void)
{
    int a, b, c, m;
    scanf("%d%d%d", &a, &b, &c);
    m = a;
    if (b > m)
        m = b;
    if (c > m)
        m = c;
    printf("largest %d\n", m);
    return 0;
}
`
		best = `#include <stdio.h>
int main(void)
{
    int x, i, best = 0;
    for (i = 1; i < 3; i++) {
        scanf("%d", &x);
        if (x > best)
            best = x;
    }
    printf("largest %d\n", best);
    return 0;
}
`
		digits = `#include <stdio.h>
int main(void)
{
    int n, sum = 0, k = 0;
    if (scanf("%d", &n) != 1)
        return 1;
    if (n < 0)
        n = -n;
    do {
        sum += n % 10;
        k++;
        n /= 10;
    } while (n > 0);
    printf("%d digits, sum %d\n", k, sum);
    return 0;
}
`
		counts = `#include <stdio.h>
int main(void)
{
    int n, sum = 0, count = 0;
    scanf("%d", &n);
    while (n > 0) {
        sum = n % 10;
        n = n / 10;
        count++;
    }
    printf("%d digits, sum %d\n", count, sum);
    return 0;
}
`
	)
	for _, x := range []struct {
		name, ref, faulty string
		tests, beyond     []string
		all               bool // it does what the reference does there, too
	}{
		{"largest", largest, best, []string{"7 2 3\n", "1 2 3\n", "4 9 1\n", "12 5 30\n", "8 8 2\n"}, []string{"-7 -2 -3\n", "0 0 0\n", "-1 -5 -9\n"}, true},
		{"digits", digits, counts, []string{"7\n", "12\n", "345\n", "9081\n", "50\n"}, []string{"0\n", "-12\n"}, false},
	} {
		j := submitted(t, x.faulty, x.ref, x.tests)
		ref := filepath.Join(t.TempDir(), "right.c")
		if err := os.WriteFile(ref, []byte(x.ref), 0o600); err != nil {
			t.Fatal(err)
		}
		j.Reference, j.Limit = []string{ref}, 60*time.Second
		rep, err := Fix(context.Background(), j)
		if err != nil {
			t.Fatal(err)
		}
		if rep.Result != report.Repaired {
			t.Errorf("%s: %s, %s", x.name, rep.Result, rep.Cause)
			continue
		}
		text := rep.Texts[0][j.Files[0]]
		given := ran(t, x.ref, x.tests)
		for i, o := range ran(t, text, x.tests) {
			if o.Stdout != given[i].Stdout {
				t.Errorf("%s: %q on %q\n%s", x.name, o.Stdout, x.tests[i], text)
			}
		}
		same := true
		want := ran(t, x.ref, x.beyond)
		for i, o := range ran(t, text, x.beyond) {
			same = same && o.Stdout == want[i].Stdout
		}
		ev := rep.Repairs[0].Evidence
		if same != (ev.Beyond == "") || x.all && !same {
			t.Errorf("%s: it does what the reference does there: %v, and says %q: %s\n%s", x.name, same, ev.Beyond, ev.Text, text)
		}
		if !same && !strings.Contains(ev.Text, "differs from the reference") {
			t.Errorf("%s: %s", x.name, ev.Text)
		}
	}
}
