package machine_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/machine"

	"golang.org/x/tools/txtar"
)

// This file tests threads that go wrong, and saved states of programs with threads. Threads that work are in
// testdata/meaning_threads*.txtar, compared with gcc.

const threadHead = `#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int shared, flag;
struct node { int hits; char text[8]; struct node *next; };
`

// both is a main that gives f and g one node.
const both = `
int main(void)
{
    struct node *n = calloc(1, sizeof *n);
    pthread_t s, t;
    pthread_create(&s, NULL, f, n);
    pthread_create(&t, NULL, g, n);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    printf("%d %d\n", n->hits, shared);
    return 0;
}
`

var threadFaults = []struct{ name, text, want string }{
	{"counter", `static void *f(void *p) { struct node *n = p; for (int i = 0; i < 10; i++) n->hits++; return NULL; }
static void *g(void *p) { return f(p); }` + both,
		`data_race: thread 3 reads 4 bytes at offset 0 of heap block n1 of 24 bytes, which thread 2 wrote to at .*:10:`},
	{"read", `static void *f(void *p) { struct node *n = p; return (void *)(long)n->hits; }
static void *g(void *p) { struct node *n = p; n->hits = 3; return NULL; }` + both,
		`data_race: thread 3 writes to 4 bytes at offset 0 of heap block n1 .*, which thread 2 read at .*:10:`},
	{"two readers", `static void *f(void *p) { struct node *n = p; pthread_t t; if (n->hits == 0) { pthread_create(&t, NULL, f, memset(malloc(24), 1, 24)); n->hits += n->hits; pthread_join(t, NULL); } return NULL; }
static void *g(void *p) { struct node *n = p; return (void *)(long)n->hits; }` + both,
		`data_race: thread 3 reads`},
	{"global", `static void *f(void *p) { shared = 1; return NULL; }
static void *g(void *p) { pthread_mutex_lock(&a); shared = 2; pthread_mutex_unlock(&a); return NULL; }` + both,
		`data_race: thread 3 writes to 4 bytes at offset 0 of shared of 4 bytes, which thread 2 wrote to`},
	{"library", `static void *f(void *p) { strcpy(((struct node *)p)->text, "one"); return NULL; }
static void *g(void *p) { return (void *)strlen(((struct node *)p)->text); }` + both,
		`data_race: thread 3 reads 1 byte at offset 4 of heap block n1`},
	{"other mutex", `static void *f(void *p) { pthread_mutex_lock(&a); ((struct node *)p)->hits++; pthread_mutex_unlock(&a); return NULL; }
static void *g(void *p) { pthread_mutex_lock(&b); ((struct node *)p)->hits++; pthread_mutex_unlock(&b); return NULL; }` + both,
		`data_race: thread 3 reads 4 bytes`},
	{"plain flag", `static void *f(void *p) { ((struct node *)p)->hits = 7; flag = 1; return NULL; }
static void *g(void *p) { while (!flag) ; return NULL; }` + both,
		`data_race: thread 3 reads 4 bytes at offset 0 of flag of 4 bytes, which thread 2 wrote to`},
	{"atomic and plain", `static void *f(void *p) { __atomic_store_n(&flag, 1, __ATOMIC_SEQ_CST); return NULL; }
static void *g(void *p) { return (void *)(long)flag; }` + both,
		`data_race: thread 3 reads 4 bytes at offset 0 of flag`},
	{"free", `static void *f(void *p) { struct node *n = ((struct node *)p)->next; return (void *)(long)(n ? n->hits : 0); }
static void *g(void *p) { free(p); return NULL; }` + both,
		`data_race: thread 3 frees heap block n1 of 24 bytes, which thread 2 read at .*:10:`},
	{"crossed locks", `static void *f(void *p) { for (int i = 0; i < 3000; i++) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); shared++; pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); } return NULL; }
static void *g(void *p) { for (int i = 0; i < 3000; i++) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); shared++; pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); } return NULL; }` + both,
		`deadlock: no thread can go on: thread 1 waits for the end of thread 2 at .*; thread 2 waits for a mutex at .*:10:\d+, which thread 3 holds; thread 3 waits for a mutex at .*:11:\d+, which thread 2 holds`},
	{"lost signal", `static void *f(void *p) { pthread_cond_signal(&c); return NULL; }
static void *g(void *p) { for (int i = 0; i < 5000; i++) ; pthread_mutex_lock(&a); pthread_cond_wait(&c, &a); return NULL; }` + both,
		`deadlock: no thread can go on: thread 1 waits for the end of thread 3 at .*; thread 3 waits for a condition at`},
	{"alone", `int main(void) { pthread_mutex_lock(&a); while (!flag) pthread_cond_wait(&c, &a); return 0; }`,
		`deadlock: no thread can go on: thread 1 waits for a condition at .*:10:`},
	{"itself", `int main(void) { pthread_mutex_lock(&a); pthread_mutex_lock(&a); return 0; }`,
		`deadlock: no thread can go on: thread 1 waits for a mutex at .*, which thread 1 holds`},
	{"other's mutex", `static void *f(void *p) { pthread_mutex_lock(&a); return NULL; }
static void *g(void *p) { for (int i = 0; i < 5000; i++) ; pthread_mutex_unlock(&a); return NULL; }` + both,
		`bad_library_call: pthread_mutex_unlock of a mutex that thread 2 holds`},
	{"joined twice", `static void *f(void *p) { return NULL; }
int main(void) { pthread_t t; pthread_create(&t, NULL, f, NULL); pthread_join(t, NULL); return pthread_join(t, NULL); }`,
		`bad_library_call: pthread_join of thread 2, which has been joined`},
	{"not held", `int main(void) { return pthread_cond_wait(&c, &a); }`,
		`bad_library_call: pthread_cond_wait with a mutex that thread 1 does not hold`},
	{"in a thread", `static void *f(void *p) { return NULL; }
static void *g(void *p) { struct node *n = p; free(n->next); n = malloc(sizeof *n); free(n); return n->next; }` + both,
		`dangling_pointer_deref: .*:11:`},
}

func threadProgram(t *testing.T, text string) (*lower.Program, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "t.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := lower.Load(t.Context(), []string{file}, cfront.Options{Flags: []string{"-pthread"}})
	if err != nil {
		t.Fatal(err)
	}
	return p, file
}

// TestThreadFaults: races, deadlocks and wrong uses are found, the same in every run.
func TestThreadFaults(t *testing.T) {
	for _, c := range threadFaults {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, file := threadProgram(t, threadHead+c.text)
			for _, cfg := range []machine.Config{{}, {}, {Debug: true}, {Trace: true}} {
				cfg.Name, cfg.MaxSteps = file, 10_000_000
				m, err := machine.New(p, cfg)
				if err != nil {
					t.Fatal(err)
				}
				_, err = m.Run()
				var f *machine.Fault
				if !errors.As(err, &f) {
					t.Fatalf("no fault: %v", err)
				}
				if got := fmt.Sprintf("%s: %s at %s", f.Kind, f.Message, f.Pos); !regexp.MustCompile(c.want).MatchString(got) {
					t.Errorf("%q is not %q", got, c.want)
				}
			}
		})
	}
}

// TestRacesAllowed: if races are allowed, the program goes on after one.
func TestRacesAllowed(t *testing.T) {
	p, file := threadProgram(t, threadHead+threadFaults[0].text)
	var out bytes.Buffer
	m, err := machine.New(p, machine.Config{Name: file, Races: true, Stdout: &out})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Run(); err != nil || out.String() != "20 0\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// TestThreadStates: a program with threads that is restored again and again to saved states ends as it does without
// that.
func TestThreadStates(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/meaning_threads2.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range ar.Files {
		t.Run(strings.TrimSuffix(f.Name, ".c"), func(t *testing.T) {
			t.Parallel()
			p, file := threadProgram(t, string(f.Data))
			var want string
			for _, often := range []int{0, 1, 2} {
				var out bytes.Buffer
				m, err := machine.New(p, machine.Config{Name: file, Stdout: &out, Stderr: io.Discard, Debug: true, MaxSteps: 50_000_000})
				if err != nil {
					t.Fatal(err)
				}
				states := 0
				for n := 0; often > 0 && states < 60; states++ {
					s := m.Save()
					stop := func(int32, bool) bool { n++; return n%(23*often) == 0 }
					if m.RunUntil(stop) != nil {
						break
					}
					if _, ended := m.Exited(); ended && states > 10 {
						break
					}
					if states%2 == often%2 {
						m.Restore(s)
						n = 0
						m.RunUntil(stop)
					}
				}
				out.Reset() // what was printed on the way may have been printed twice
				status, err := m.Run()
				if got := fmt.Sprint(status, err, m.Thread()); often == 0 {
					want = got
				} else if got != want {
					t.Errorf("taken back: %s, not %s", got, want)
				}
				if live := len(m.Threads()); live < 1 {
					t.Error("no thread is left")
				}
			}
		})
	}
}
