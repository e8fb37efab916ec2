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

// TestFixFolders: the edit is found wherever a file stands and however it comes into the program, and the diff names it.
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
