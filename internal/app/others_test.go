package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// others are programs for one exercise: whether a letter is in a word, and where.
var others = map[string]string{
	"right/ana.c": `#include <stdio.h>
int main(void)
{
    char word[40], letter;
    int i;
    scanf("%39s %c", word, &letter);
    for (i = 0; word[i] != '\0'; i++)
        if (word[i] == letter)
            break;
    printf("%d\n", word[i] == '\0' ? -1 : i);
    return 0;
}
`,
	"right/ben.c": `#include <stdio.h>
#include <string.h>
int main(void)
{
    char word[40], letter;
    char *p;
    scanf("%39s %c", word, &letter);
    p = strchr(word, letter);
    if (p == NULL)
        puts("-1");
    else
        printf("%d\n", (int)(p - word));
    return 0;
}
`,
	"right/cleo.c": `#include <stdio.h>
int find(const char *s, char c)
{
    int at = -1, n = 0;
    while (s[n] != '\0') {
        if (s[n] == c && at < 0)
            at = n;
        n++;
    }
    return at;
}
int main(void)
{
    char word[40], letter;
    if (scanf("%39s %c", word, &letter) != 2)
        return 0;
    printf("%d\n", find(word, letter));
    return 0;
}
`,
	"right/dan.c":  "#include <stdio.h>\nint main(void)\n{\n    puts(\"0\");\n    return 0;\n}\n",
	"right/eva.c":  "int main(void) { return 0 }\n",
	"tests/a.in":   "xx x\n",
	"tests/a.out":  "0\n",
	"tests/b.in":   "xx y\n",
	"tests/b.out":  "-1\n",
	"wrong/last.c": lastOne,
}

// lastOne finds the last one, where there is none it says 0.
const lastOne = `#include <stdio.h>
int find(const char *s, char c)
{
    int at = 0, n;
    for (n = 0; s[n] != '\0'; n++)
        if (s[n] == c)
            at = n;
    return at;
}
int main(void)
{
    char word[40], letter;
    scanf("%39s %c", word, &letter);
    printf("%d\n", find(word, letter));
    return 0;
}
`

// slowly has a program that says "no" for "No", and takes more steps on larger numbers than a search gives a run that is
// expected to take few.
var slowly = map[string]string{
	"slow.c": `#include <stdio.h>
int prime(int n)
{
    int i, k = 0;
    for (i = 1; i <= n; i++)
        if (n % i == 0)
            k++;
    return k == 2;
}
int main(void)
{
    int n, i, sum = 0;
    scanf("%d", &n);
    for (i = 2; i <= n - 2; i++)
        if (prime(i) && prime(n - i))
            sum = 1;
    if (sum)
        printf("yes\n");
    else
        printf("no\n");
    return 0;
}
`,
	"sum.c": `#include <stdio.h>
int prime(int n)
{
    int i;
    for (i = 2; i * i <= n; i++)
        if (n % i == 0)
            return 0;
    return n > 1;
}
int main(void)
{
    int n, i, sum = 0;
    scanf("%d", &n);
    for (i = 2; i <= n / 2 && !sum; i++)
        sum = prime(i) && prime(n - i);
    puts(sum ? "Yes" : "No");
    return 0;
}
`,
	"sums/a.in": "89\n", "sums/a.out": "No\n", "sums/b.in": "59\n", "sums/b.out": "No\n",
	"sums/c.in": "109\n", "sums/c.out": "Yes\n", "sums/d.in": "141\n", "sums/d.out": "Yes\n",
}

// TestOthers asks other programs what is right where no test says so.
func TestOthers(t *testing.T) {
	dir := t.TempDir()
	for name, text := range others {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	folders(t, dir, map[string]string{"bare/a.in": "xx x\n", "bare/a.out": "0", "bare/b.in": "xx y\n", "bare/b.out": "-1"})
	folders(t, dir, map[string]string{"mixed/a.in": "xx x\n", "mixed/a.out": "0\n", "mixed/b.in": "xx y\n", "mixed/b.out": "-1"})
	folders(t, dir, slowly)
	meets := strings.Replace(strings.Replace(lastOne, "at = 0", "at = -1", 1), "at = n;", "at = 0;", 1)
	if err := os.WriteFile(in("wrong/meets.c"), []byte(meets), 0o644); err != nil {
		t.Fatal(err)
	}
	fixed := in("fixed.c")
	for _, x := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"repaired", []string{"--rewrite", fixed, "--tests", in("tests"), "--right", in("right"), in("wrong/last.c")}, 0, "with what most of 3 other programs do that meet the tests"},
		{"newlines that no test wants", []string{"--tests", in("bare"), "--right", in("right"), in("wrong/last.c")}, 0, "does not count, since the other programs' output differs in it"},
		{"newlines that some tests want", []string{"--tests", in("mixed"), "--right", in("right"), in("wrong/last.c")}, 0, "does not count, since the other programs' output differs in it"},
		{"slower than the others", []string{"--tests", in("sums"), "--right", in("sum.c"), in("slow.c")}, 0, "+        printf(\"Yes\\n\");\n     else\n-        printf(\"no\\n\");\n+        printf(\"No\\n\");"},
		{"white space does not count", []string{"--space", "judge", "--tests", in("bare"), "--right", in("right"), in("wrong/meets.c")}, 0, "it meets the tests, and differs from most of 3 other programs"},
		{"white space counts", []string{"--space", "exact", "--tests", in("bare"), "--right", in("right"), in("wrong/last.c")}, 2, "given with --right meets the tests"},
		{"meets the tests", []string{"--tests", in("tests"), "--right", in("right"), in("wrong/meets.c")}, 0, "it meets the tests, and differs from most of 3 other programs"},
		{"none of them is right", []string{"--tests", in("tests"), "--right", in("right/dan.c"), in("wrong/last.c")}, 2, "it fails test b"},
		{"only itself", []string{"--tests", in("tests"), "--right", in("right/ana.c"), in("right/ana.c")}, 2, "no program but the one"},
		{"beside a reference", []string{"--tests", in("tests"), "--reference", in("right/ana.c"), "--right", in("right"), in("wrong/last.c")}, 2, "a reference says more"},
		{"without tests", []string{"--right", in("right"), in("wrong/last.c")}, 2, "--right needs --tests"},
		{"no program", []string{"--tests", in("tests"), "--right", in("tests"), in("wrong/last.c")}, 2, "no folder of any"},
	} {
		t.Run(x.name, func(t *testing.T) {
			code, o, e := gulo(t, "", append([]string{"fix", "--limit", "2m"}, x.args...)...)
			if code != x.code || !strings.Contains(o+e, x.want) {
				t.Errorf("code %d, want %d; %q not in\n%s%s", code, x.code, x.want, o, e)
			}
		})
	}
	if err := os.Mkdir(in("more"), 0o755); err != nil {
		t.Fatal(err)
	}
	for ext, text := range map[string]string{".in": "axbx x\n", ".out": "1\n"} {
		if err := os.WriteFile(in("more/c")+ext, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if code, o, e := gulo(t, "", "fix", "--tests", in("more"), fixed); code != 0 || !strings.Contains(o, "nothing to repair") {
		t.Errorf("the last one is found still: code %d\n%s%s", code, o, e)
	}
}
