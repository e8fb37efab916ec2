package runs

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/native"
	"gulo/internal/native/nativetest"
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
		dir := t.TempDir()
		tests := filepath.Join(dir, "tests")
		if err := os.Mkdir(tests, 0o700); err != nil {
			t.Fatal(err)
		}
		file, ref := filepath.Join(dir, "faulty.c"), filepath.Join(dir, "right.c")
		files := map[string]string{file: x.faulty, ref: x.ref}
		var given, others []native.Test
		for _, in := range x.tests {
			given = append(given, native.Test{Stdin: in})
		}
		for i, o := range nativetest.Outputs(t, x.ref, given) {
			given[i].Stdout = o.Stdout
			files[filepath.Join(tests, fmt.Sprint(i, ".in"))], files[filepath.Join(tests, fmt.Sprint(i, ".out"))] = x.tests[i], o.Stdout
		}
		for name, text := range files {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		rep, err := Fix(context.Background(), &job.Job{Files: []string{file}, Spec: job.Spec{Reference: []string{ref}, Tests: tests}, Limit: 60 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Result != report.Repaired {
			t.Errorf("%s: %s, %s", x.name, rep.Result, rep.Cause)
			continue
		}
		text := rep.Texts[0][file]
		for i, o := range nativetest.Outputs(t, text, given) {
			if o.Stdout != given[i].Stdout {
				t.Errorf("%s: %q on %q\n%s", x.name, o.Stdout, x.tests[i], text)
			}
		}
		for _, in := range x.beyond {
			others = append(others, native.Test{Stdin: in})
		}
		same := true
		want := nativetest.Outputs(t, x.ref, others)
		for i, o := range nativetest.Outputs(t, text, others) {
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
