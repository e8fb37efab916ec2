package native

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"gulo/internal/process"
)

// shown prints, fails, dies and says things on stderr, as its argument says.
const shown = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int count;
static void bye(void) { printf("bye %d\n", count); }
int main(int argc, char **argv) {
	int n = argc > 1 ? atoi(argv[1]) : 0;
	char line[80];
	count++;
	while (fgets(line, sizeof line, stdin)) printf("%d: %s", count++, line);
	switch (n % 12) {
	case 1: fprintf(stderr, "no %d\n", n); return 3;
	case 2: atexit(bye); return 0;
	case 3: abort();
	case 4: fflush(stdout); return *(volatile int *)0;
	case 5: for (int i = 0; i < 3000; i++) fputs("much ", stderr); exit(4);
	case 6: for (int i = 0; i < 300000; i++) fputs("0123456789", stdout); return 0;
	case 7: printf("half a line"); _Exit(5);
	case 8: { char *p = malloc(100000); memset(p, 'x', 100000); p[99999] = 0; puts(p); free(p); return 0; }
	case 9: printf("%c%c%c", 0, 255, 10); return 0;
	}
	printf("%d\n", n);
	return n & 255;
}
`

// TestShow: runs whose whole outcome is asked for are the same whether each has a process of its own or many share
// one.
func TestShow(t *testing.T) {
	ctx := context.Background()
	p, err := Build(ctx, map[string]string{"a.c": shown}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var tests []Test
	for i := range 60 {
		tests = append(tests, Test{Args: []string{fmt.Sprint(i)}, Stdin: fmt.Sprintf("a\nb %d\n", i), Stdout: "1: a\n"})
	}
	all := &Session{}
	all.Limit(2*time.Second, 1_000_000)
	for i := range tests {
		all.Add(&tests[i])
	}
	for i := range tests {
		all.Print(i)
	}
	for i := range tests { // in another order, and as one asks with edits
		all.Show(0, 0, len(tests)-1-i)
	}
	a, err := p.Run(ctx, all, time.Minute)
	if err != nil || len(a.Printed) != 2*len(tests) {
		t.Fatal(err, len(a.Printed))
	}
	for i := range tests {
		one := &Session{}
		one.Limit(2*time.Second, 1_000_000)
		one.Print(one.Add(&tests[i]))
		b, err := p.Run(ctx, one, time.Minute)
		if err != nil || len(b.Printed) != 1 {
			t.Fatal(err)
		}
		for _, got := range []Outcome{a.Printed[i], a.Printed[2*len(tests)-1-i]} {
			if !reflect.DeepEqual(got, b.Printed[0]) {
				t.Errorf("test %d: together status %d, %d steps, %.60q (%d), %.60q; alone status %d, %d steps, %.60q (%d), %.60q", i, got.Status, got.Steps, got.Stdout, len(got.Stdout), got.Stderr, b.Printed[0].Status, b.Printed[0].Steps, b.Printed[0].Stdout, len(b.Printed[0].Stdout), b.Printed[0].Stderr)
			}
		}
	}
}

// TestGate: what is compiled behind a gate waits until it is opened.
func TestGate(t *testing.T) {
	g := &Gate{}
	g.Close()
	done := make(chan error, 1)
	process.Go(func() {
		p, err := Build(context.Background(), map[string]string{"a.c": shown}, Config{Gate: g})
		if p != nil {
			p.Close()
		}
		done <- err
	})
	select {
	case err := <-done:
		t.Fatal("it did not wait: ", err)
	case <-time.After(time.Second):
	}
	g.Open()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}
