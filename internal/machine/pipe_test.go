package machine_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gulo/internal/machine"

	"golang.org/x/tools/txtar"
)

// This file tests pipes on which nobody can go on, calls on pipes that are refused, and saved states of programs with
// pipes. Pipes that work are in testdata/meaning_headers5.txtar, compared with gcc.

const pipeHead = `#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <unistd.h>
static char page[70000];
static int f[2], number;
`

var pipeFaults = []struct{ name, text, want string }{
	{"empty", `int main(void) { pipe(f); return (int)read(f[0], page, 1); }`,
		`deadlock: no thread can go on: thread 1 waits for something to be written to the pipe at .*:11:`},
	{"full", `int main(void) { pipe(f); return (int)write(f[1], page, sizeof page); }`,
		`deadlock: no thread can go on: thread 1 waits for something to be read from the pipe, which is full at .*:11:`},
	{"stream", `int main(void) { pipe(f); return fgetc(fdopen(f[0], "r")); }`,
		`deadlock: no thread can go on: thread 1 waits for something to be written to the pipe`},
	{"poll", `int main(void) { pipe(f); struct pollfd p = { f[0], POLLIN, 0 }; return poll(&p, 1, -1); }`,
		`deadlock: no thread can go on: thread 1 waits for a descriptor to be ready`},
	{"select", `int main(void) { pipe(f); fd_set r; FD_ZERO(&r); FD_SET(f[0], &r); return select(f[0] + 1, &r, NULL, NULL, NULL); }`,
		`deadlock: no thread can go on: thread 1 waits for a descriptor to be ready`},
	{"each other", `static void *g(void *p) { read(f[0], page, 1); return p; }
int main(void) { pthread_t t; pipe(f); pthread_create(&t, NULL, g, NULL); pthread_join(t, NULL); return 0; }`,
		`deadlock: no thread can go on: thread 1 waits for the end of thread 2 .*; thread 2 waits for something to be written to the pipe at .*:11:`},
	{"unordered", `static void *g(void *p) { char c = 0; write(f[1], &c, 1); number = 1; return p; }
int main(void) { pthread_t t; char c; pipe(f); pthread_create(&t, NULL, g, NULL); read(f[0], &c, 1); usleep(1000); printf("%d\n", number); return 0; }`,
		`data_race: thread 1 reads 4 bytes at offset 0 of number of 4 bytes, which thread 2 wrote to`},
	{"no reader", `int main(void) { pipe(f); close(f[0]); FILE *o = fdopen(f[1], "w"); fputs("text", o); fclose(o); return 0; }`,
		`signal: SIGPIPE arrives, as nothing reads the pipe that is written to, and the program does not handle it at .*:11:`},
	{"small stack", `int main(void) { struct rlimit l = { 4096, 4096 }; return setrlimit(RLIMIT_STACK, &l); }`,
		`unsupported: setrlimit that lowers a limit is not supported`},
	{"packets", `int main(void) { return pipe2(f, O_DIRECT); }`,
		`unsupported: pipe2 with O_DIRECT is not supported`},
}

// TestPipeFaults: a pipe on which nobody can go on is a deadlock, and what the machine has no model of is refused.
func TestPipeFaults(t *testing.T) {
	for _, c := range pipeFaults {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, file := threadProgram(t, pipeHead+c.text)
			m, err := machine.New(p, machine.Config{Name: file, Stdin: strings.NewReader(""), Stdout: io.Discard, MaxSteps: 10_000_000})
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
		})
	}
}

// TestPipeHandsOver: what a thread does before it writes to a pipe happens before what follows the read, so that it
// is no race.
func TestPipeHandsOver(t *testing.T) {
	p, file := threadProgram(t, pipeHead+`static void *g(void *p) { char c = 0; number = 42; write(f[1], &c, 1); return p; }
int main(void) { pthread_t t; char c; pipe(f); pthread_create(&t, NULL, g, NULL); read(f[0], &c, 1); printf("%d\n", number); return 0; }`)
	var out bytes.Buffer
	m, err := machine.New(p, machine.Config{Name: file, Stdout: &out})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Run(); err != nil || out.String() != "42\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// TestPipeStates: a program goes on from each saved state with the contents of its pipes and with the ends that were
// open.
func TestPipeStates(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/meaning_headers5.txtar")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(ar.Files, func(f txtar.File) bool { return f.Name == "hdr_pipe_queue.c" })
	p, file := threadProgram(t, string(ar.Files[i].Data))
	var out bytes.Buffer
	m, err := machine.New(p, machine.Config{Name: file, Stdout: &out, Stderr: io.Discard, Debug: true})
	if err != nil {
		t.Fatal(err)
	}
	var states []*machine.State
	n := 0
	stop := func(int32, bool) bool {
		if n++; n%61 == 0 {
			states = append(states, m.Save())
		}
		return false
	}
	end := m.RunUntil(stop)
	m.FlushOutput()
	want := out.String()
	if end == nil || end.Kind != machine.Signalled || len(states) < 20 {
		t.Fatalf("%v after %d states", end, len(states))
	}
	for i, s := range slices.Backward(states) {
		out.Reset()
		m.Restore(s)
		f := m.RunUntil(nil)
		m.FlushOutput()
		if got := out.String(); f == nil || f.Message != end.Message || got == "" || !strings.HasSuffix(want, got) {
			t.Fatalf("from state %d of %d it ends with %v and prints %q", i, len(states), f, got)
		}
	}
}
