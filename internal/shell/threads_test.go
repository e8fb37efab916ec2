package shell_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gulo/internal/shell"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// This file has sessions of programs with several threads.

// threadID matches what pthread_create calls a thread: an address.
var threadID = regexp.MustCompile(`\b1407\d{11}\b`)

func TestThreads(t *testing.T) {
	paths, err := filepath.Glob("testdata/threads/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no sessions", err)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("prog.c", section(ar, "prog.c").Data, 0o600); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			s := newSession(t, "gdb", nil, "prog.c")
			if _, _, err := shell.Script(context.Background(), s, bytes.NewReader(section(ar, "script").Data), &out); err != nil {
				t.Fatal(err)
			}
			got := threadID.ReplaceAll(out.Bytes(), []byte("THREAD"))
			tr := section(ar, "transcript")
			if *update {
				tr.Data = got
				if err := os.WriteFile(filepath.Join(root, path), txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if d := cmp.Diff(string(tr.Data), string(got)); d != "" {
				t.Errorf("transcript (-kept +now):\n%s", d)
			}
			if strings.Contains(string(section(ar, "script").Data), "rewrite fixed.c") {
				fixed(t, "fixed.c", string(section(ar, "want").Data))
			}
		})
	}
}

// TestThreadsMachine steps threads on the machine: a list filled by two under a mutex, a race, a deadlock.
func TestThreadsMachine(t *testing.T) {
	const list = `#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *p)
{
    struct node *n = malloc(sizeof *n);
    n->v = *(int *)p;
    pthread_mutex_lock(&lock);
    n->next = head;
    head = n;
    pthread_mutex_unlock(&lock);
    return NULL;
}
int main(void)
{
    int one = 1, two = 2;
    pthread_t a, b;
    pthread_create(&a, NULL, add, &one);
    pthread_create(&b, NULL, add, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", head->v + head->next->v);
    return 0;
}
`
	race := strings.ReplaceAll(strings.ReplaceAll(list, "    pthread_mutex_lock(&lock);\n", ""), "    pthread_mutex_unlock(&lock);\n", "")
	stuck := strings.Replace(list, "    pthread_mutex_unlock(&lock);\n", "", 1)
	for _, c := range []struct {
		text, script string
		want         []string
	}{
		{list, "start\nnext\nnext\nnext\nthreads\nthread 2\nnext\nnext\nwhere\nthreads\nundo\nthread 1\nnext\ncontinue", []string{
			"=> 1 main", "2 in no function of the program: it is starting or ending", "thread 2", "n->v = *(int *)p;", "pthread_mutex_lock(&lock);", "#0 add at", "1 main at", "=> 2 add", "3\n", "the program ended with status 0"}},
		{list, "break add\nstart\ncontinue\ncontinue\nwhere\ncontinue", []string{"thread 2 (add) is the one", "thread 3 (add) is the one", "ended with status 0"}},
		{list, "start\nnext\nnext\nnext\nnext\nnext\nnext\nnext\nnext\nnext", []string{"pthread_join(b, NULL);", "printf", "status 0"}},
		{race, "start\ncontinue", []string{"thread 3 reads 8 bytes at offset 0 of head of 8 bytes, which thread 2 wrote to at", "nothing orders the two"}},
		{stuck, "start\ncontinue", []string{"no thread can go on: thread 1 waits for the end of thread 3", "which thread 2 holds"}},
	} {
		out := run(t, newSession(t, "machine", nil, write(t, c.text)), c.script)
		rest := out
		for _, want := range c.want {
			_, after, ok := strings.Cut(rest, want)
			if !ok {
				t.Errorf("no %q behind what comes before it in:\n%s", want, out)
				break
			}
			rest = after
		}
	}
}
