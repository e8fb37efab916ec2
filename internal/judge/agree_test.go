package judge

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/oracle"
)

// TestAgree asks other programs that meet the tests. One that is wrong elsewhere is outvoted, and where they do not
// agree nothing is said.
func TestAgree(t *testing.T) {
	const sum = `#include <stdio.h>
int main(void)
{
    int n, x, s = 0;
    if (scanf("%d", &n) != 1)
        return 1;
    while (n-- > 0 && scanf("%d", &x) == 1)
        s += x;
    printf("%d\n", s);
    return 0;
}
`
	programs := map[string]string{
		"a.c": sum,
		"b.c": strings.Replace(sum, "while (n-- > 0 && scanf(\"%d\", &x) == 1)\n", "for (; n > 0 && scanf(\"%d\", &x) == 1; n--)\n", 1),
		"c.c": strings.Replace(sum, "s += x", "s = s + x", 1),
		"d.c": strings.Replace(sum, "s += x", "s += x < 0 ? -x : x", 1), // no test has a negative number
		"e.c": strings.Replace(sum, "s = 0", "s = 1", 1),
		"f.c": strings.Replace(sum, "int n", "in n", 1),
	}
	dir := t.TempDir()
	var files []string
	for _, name := range []string{"e.c", "f.c", "d.c", "a.c", "b.c", "c.c"} {
		files = append(files, filepath.Join(dir, name))
		if err := os.WriteFile(filepath.Join(dir, name), []byte(programs[name]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := []oracle.Test{{Name: "one", Stdin: "3 1 2 3\n", Stdout: "6\n"}, {Name: "two", Stdin: "2 10 7\n", Stdout: "17\n"}}
	agreed, met, failed, err := Agree(context.Background(), Each(files, cfront.Options{}), tests, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(met) != 4 || len(failed) != 2 || failed[0].Why != "it fails test one" || failed[1].Why != "gcc refuses it" {
		t.Errorf("%d asked, failed %v", len(met), failed)
	}
	negative := 0
	for _, x := range agreed {
		want, count := 0, 0
		words := strings.Fields(x.Stdin)
		for i, w := range words {
			v := 0
			for _, c := range strings.TrimPrefix(w, "-") {
				v = 10*v + int(c-'0')
			}
			if strings.HasPrefix(w, "-") {
				v = -v
			}
			switch {
			case i == 0:
				count = v
			case i <= count:
				want += v
				if v < 0 {
					negative++
				}
			}
		}
		if strings.Trim(x.Stdin, "-0123456789 \n") != "" || len(x.Stdin) > 60 {
			continue // not of the form that is summed up here
		}
		if got := strings.TrimSpace(x.Stdout); x.Exit == 0 && got != "" && got != strconv.Itoa(want) {
			t.Errorf("on %q they agree on %s, %d is right", x.Stdin, got, want)
		}
	}
	if len(agreed) < 10 || negative == 0 {
		t.Errorf("%d runs, %d negative numbers in them", len(agreed), negative)
	}
	if agreed, met, _, err = Agree(context.Background(), Each(files[2:4], cfront.Options{}), tests, 0); err != nil || len(met) != 2 {
		t.Fatal(met, err)
	}
	for _, x := range agreed { // two that differ there say nothing
		if x.Exit == 0 && strings.Contains(x.Stdin, "-") && strings.HasPrefix(x.Stdin, "1 -") {
			t.Errorf("on %q they are said to agree on %q", x.Stdin, x.Stdout)
		}
	}
}

// TestAgreeForm: if the tests show a form, programs are only asked about inputs that have it, and that are read as the
// tests are. On others each program does what happens.
func TestAgreeForm(t *testing.T) {
	const last = `#include <stdio.h>
int main(void)
{
    int n, limit, x = 0;
    scanf("%d %d", &n, &limit);
    while (n-- > 0)
        scanf("%d", &x);
    printf("%d\n", x);
    return 0;
}
`
	file := filepath.Join(t.TempDir(), "last.c")
	if err := os.WriteFile(file, []byte(last), 0o600); err != nil {
		t.Fatal(err)
	}
	var tests []oracle.Test
	for i, line := range []string{"1 3 4", "2 5 8", "3 4 5", "6 9 20", "1 2 3", "2 3 9", "7 8 9"} {
		x := strings.Fields(line)[2]
		tests = append(tests, oracle.Test{Name: strconv.Itoa(i), Stdin: "3 1\n" + line + "\n", Stdout: x + "\n"})
	}
	agreed, met, failed, err := Agree(context.Background(), Each([]string{file}, cfront.Options{}), tests, 0)
	if err != nil || len(met) != 1 {
		t.Fatal(met, failed, err)
	}
	for _, x := range agreed {
		words := strings.Fields(x.Stdin)
		var v []int
		for _, w := range words {
			n, err := strconv.Atoi(w)
			if err != nil {
				t.Fatalf("%q", x.Stdin)
			}
			v = append(v, n)
		}
		if len(v) < 2 || len(v) != 2+v[0] || !slices.IsSorted(v[2:]) {
			t.Errorf("%q is unlike the tests: a count, one number, and as many in order", x.Stdin)
		}
	}
	if len(agreed) < 10 {
		t.Errorf("asked about %d", len(agreed))
	}
}
