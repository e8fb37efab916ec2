package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeTree writes files into a new folder, which becomes the current one.
func writeTree(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// Tests of a queue that answers -1 where it is empty.
var queueTests = map[string]string{
	"tests/a.in": "4 5 0 0\n", "tests/a.out": "4\n5\n",
	"tests/b.in": "0 7 0\n", "tests/b.out": "-1\n7\n",
}

const (
	queueHeader = "struct queue;\nstruct queue *queue_new(void);\nvoid queue_add(struct queue *q, int x);\nint queue_take(struct queue *q, int *x);\n"
	queueMain   = `#include <stdio.h>
#include "HEADER"
int main(void)
{
    struct queue *q = queue_new();
    int x;
    while (scanf("%d", &x) == 1)
        if (x)
            queue_add(q, x);
        else
            printf("%d\n", queue_take(q, &x) ? x : -1);
    return 0;
}
`
	queueText = `#include "HEADER"
#include <stdlib.h>
struct cell { int value; struct cell *next; };
struct queue { struct cell *head, *tail; };
struct queue *queue_new(void) { return calloc(1, sizeof(struct queue)); }
void queue_add(struct queue *q, int x)
{
    struct cell *c = malloc(sizeof *c);
    c->value = x;
    c->next = NULL;
    if (q->tail)
        q->tail->next = c;
    else
        q->head = c;
    q->tail = c;
}
int queue_take(struct queue *q, int *x)
{
    struct cell *c = q->head;
    if (c != NULL)
        return 0;
    *x = c->value;
    q->head = c->next;
    if (q->head == NULL)
        q->tail = NULL;
    free(c);
    return 1;
}
`
)

// queueIn is the program with its header and its text in folders.
func queueIn(main, text, header, fromMain, fromText string) map[string]string {
	files := map[string]string{main: strings.Replace(queueMain, "HEADER", fromMain, 1), text: strings.Replace(queueText, "HEADER", fromText, 1), header: queueHeader}
	for name, s := range queueTests {
		files[name] = s
	}
	return files
}

// TestFixFolders: the edit is found in whatever folder a file stands and however the file comes into the program, and
// the diff names the file.
func TestFixFolders(t *testing.T) {
	for _, x := range []struct {
		name  string
		files map[string]string
		args  []string
		in    string
	}{
		{"a quoted name beside its own file", queueIn("main.c", "lib/queue.c", "lib/inc/queue.h", "lib/inc/queue.h", "inc/queue.h"), []string{"main.c", "lib/queue.c"}, "lib/queue.c"},
		{"C that is included", queueIn("main.c", "queue.c", "queue.h", "queue.c", "queue.h"), []string{"main.c"}, "queue.c"},
	} {
		t.Run(x.name, func(t *testing.T) {
			writeTree(t, x.files)
			code, out, errOut := gulo(t, "", append([]string{"fix", "--limit", "3m", "--tests", "tests"}, x.args...)...)
			if code != 0 || !strings.Contains(out, "+++ b/"+x.in+"\n") || !strings.Contains(out, "+    if (c == NULL)") {
				t.Errorf("%d\n%s%s", code, out, errOut)
			}
		})
	}
}

// builtQueue is a project with a Makefile. Its queue keeps a tail that was freed.
func builtQueue(t *testing.T) {
	files := queueIn("src/main.c", "src/queue.c", "include/queue.h", "queue.h", "queue.h")
	files["src/queue.c"] = strings.NewReplacer("if (c != NULL)", "if (c == NULL)", "    if (q->head == NULL)\n        q->tail = NULL;\n", "").Replace(files["src/queue.c"])
	files["Makefile"] = "CFLAGS = -Iinclude -O2\nqueue: build/main.o build/queue.o\n\t$(CC) -o $@ build/main.o build/queue.o\n" +
		"build/%.o: src/%.c\n\t@mkdir -p build\n\t$(CC) $(CFLAGS) -c -o $@ $<\n"
	files["tests/a.in"], files["tests/a.out"] = "4 0 5 0 0\n", "4\n5\n-1\n"
	writeTree(t, files)
}

// TestBuiltProject: a project is repaired and looked at as its build compiles it; the build is watched once, and then
// known from its record.
func TestBuiltProject(t *testing.T) {
	builtQueue(t)
	for _, x := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"fix", "--limit", "3m", "--tests", "tests", "--", "make"}, 0, "--- a/src/queue.c\n"},
		{[]string{"locate", "--tests", "tests", "--method", "ochiai", "--", "make"}, 0, "make compiled nothing; how the program was compiled is known from before\n"},
		{[]string{"fix", "--limit", "3m", "--tests", "tests", "-p", "."}, 0, "dangling_pointer_deref at src/queue.c:12: "},
		{[]string{"locate", "--tests", "tests", "--method", "ochiai", "-p", ".", "queue"}, 0, "src/queue.c:"},
		{[]string{"run", "-p", "."}, 1, "src/queue.c:12:9: dangling_pointer_deref"},
		{[]string{"check", "--engine", "machine", "-p", ".", "queue"}, 1, "src/queue.c:12:9: dangling_pointer_deref"},
	} {
		code, out, errOut := gulo(t, "4 0 5 0 0\n", x.args...)
		if code != x.code || !strings.Contains(out+errOut, x.want) {
			t.Errorf("%v: %d\n%s%s", x.args, code, out, errOut)
		}
	}
}
