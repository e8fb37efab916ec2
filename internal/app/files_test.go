package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/workdir"
)

// Programs that read files, as they are handed in.
const (
	itemsOfFile = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { char name[32]; int count; struct item *next; };
static struct item *add(struct item *head, const char *name, int count)
{
    struct item *n = malloc(sizeof *n);
    strcpy(n->name, name);
    n->count = count;
    n->next = NULL;
    if (head == NULL)
        return n;
    struct item *p = head;
    while (p->next != NULL)
        p = p->next;
    p->next = n;
    return n;
}
int main(void)
{
    FILE *f = fopen("data/items.txt", "r");
    if (f == NULL) {
        printf("cannot open items.txt\n");
        return 1;
    }
    struct item *head = NULL;
    char name[32];
    int count, total = 0;
    while (fscanf(f, "%31s %d", name, &count) == 2)
        head = add(head, name, count);
    fclose(f);
    for (struct item *p = head; p != NULL; p = p->next) {
        printf("%s %d\n", p->name, p->count);
        total += p->count;
    }
    printf("total %d\n", total);
    return 0;
}
`
	wordsOfFile = `#include <ctype.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (f == NULL) {
        printf("no file\n");
        return 1;
    }
    int lines = 0, words = 0, c, in = 0;
    while ((c = fgetc(f)) != EOF) {
        if (c == '\n')
            lines++;
        if (isspace(c))
            in = 1;
        else if (!in) {
            in = 1;
            words++;
        }
    }
    fclose(f);
    printf("%d %d\n", lines, words);
    return 0;
}
`
	copier = `#include <stdio.h>
static int copy(const char *from, const char *to)
{
    char buf[8];
    int n, total = 0;
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    if (in == NULL || out == NULL)
        return -1;
    while ((n = fread(buf, 1, sizeof buf, in)) > 0) {
        fwrite(buf, 1, n, out);
        total = n;
    }
    fclose(in);
    fclose(out);
    return total;
}
int main(int argc, char **argv)
{
    printf("%d bytes\n", copy(argv[1], argv[2]));
    FILE *f = fopen(argv[2], "rb");
    for (int c; (c = fgetc(f)) != EOF;)
        putchar(c);
    fclose(f);
    rename(argv[2], argv[1]);
    f = fopen(argv[1], "a");
    fprintf(f, "%s", "again");
    printf("%d\n", fopen(argv[2], "rb") == NULL);
    return 0;
}
`
)

// TestFiles: fix, locate and campaign follow programs that read files beside the program or beside the tests. Each
// run finds the files as they were given, and what a run writes is not kept.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	inv := write("inv/inventory.c", itemsOfFile)
	write("inv/data/items.txt", "nail 10\nscrew 5\nbolt 7\n")
	write("inv/tests/1.out", "nail 10\nscrew 5\nbolt 7\ntotal 22\n")
	count := write("wc/wc.c", wordsOfFile)
	for name, text := range map[string]string{"a.txt": "one two\nthree\n", "b.txt": "\n\n", "1.args": "a.txt", "1.out": "2 3\n", "2.args": "b.txt", "2.out": "2 0\n", "3.args": "none.txt", "3.out": "no file\n", "3.exit": "1"} {
		write("wc/tests/"+name, text)
	}
	write("class/lee.c", wordsOfFile)
	write("class/kim.c", strings.Replace(wordsOfFile, "in = 1;\n        else", "in = 0;\n        else", 1))
	cp := write("cp/cp.c", copier)
	for name, text := range map[string]string{"1.args": "red.txt to.txt", "1.out": "12 bytes\nred or green1\n", "2.args": "ten to.txt", "2.out": "10 bytes\n01234567891\n", "red.txt": "red or green", "ten": "0123456789"} {
		write("cp/tests/"+name, text)
	}
	far := write("far.c", "#include <stdio.h>\nint main(void)\n{\n    FILE *f = fopen(\"/etc/passwd\", \"r\");\n    printf(\"%d\\n\", f != NULL);\n    return 0;\n}\n")
	write("fars/1.out", "0\n")
	big := write("big/big.c", "#include <stdio.h>\nint main(void)\n{\n    FILE *f = fopen(\"big.txt\", \"r\");\n    printf(\"%d\\n\", f != NULL);\n    return 0;\n}\n")
	write("big/big.txt", strings.Repeat("x", workdir.MaxFile+1))
	for _, x := range []struct {
		args []string
		code int
		want []string
	}{
		{[]string{"fix", "--tests", dir + "/inv/tests", inv}, 0, []string{"+    return head;", "meets the only test"}},
		{[]string{"fix", "--memory", inv}, 0, []string{"leaves"}},
		{[]string{"fix", "--tests", dir + "/wc/tests", count}, 0, []string{`1 of 3 cases fails; on 1: it prints "2 1\n" instead of "2 3\n"`, "+            in = 0;"}},
		{[]string{"locate", "--tests", dir + "/wc/tests", count}, 0, []string{"1 of 3 cases fails", "wc.c:15 "}},
		{[]string{"fix", "--limit", "60s", "--tests", dir + "/cp/tests", cp}, 0, []string{"+        total += n;"}},
		{[]string{"campaign", "run", "--tests", dir + "/wc/tests", "--workers", "1", "--limit", "60s", dir + "/class"}, 0, []string{"1 right", "1 fixed"}},
		{[]string{"fix", "--tests", dir + "/fars", far}, 1, []string{"fopen of /etc/passwd: runs are given only the files of the program's folder"}},
		{[]string{"fix", "--tests", dir + "/fars", big}, 1, []string{"fopen of big.txt, which runs are not given: it has more than 1 MiB"}},
	} {
		code, out, errs := gulo(t, "", x.args...)
		for _, want := range x.want {
			if code != x.code || !strings.Contains(out+errs, want) {
				t.Errorf("%s: code %d, and %q is not in\n%s%s", strings.Join(x.args, " "), code, want, out, errs)
				break
			}
		}
	}
	for _, left := range []string{"cp/to.txt", "cp/tests/to.txt", "to.txt"} {
		if _, err := os.Stat(filepath.Join(dir, left)); err == nil {
			t.Errorf("a run left %s", left)
		}
	}
	t.Chdir(dir + "/inv")
	if code, out, errs := gulo(t, "", "check", "--engine", "machine", "inventory.c"); code != 1 || !strings.Contains(out, "bolt 7\ntotal 7\n") || !strings.Contains(out+errs, "leak") {
		t.Errorf("check on the machine: code %d\n%s%s", code, out, errs)
	}
	if text, err := os.ReadFile(dir + "/cp/tests/ten"); err != nil || string(text) != "0123456789" {
		t.Errorf("a run wrote to a file of the user's: %q", text)
	}
}
