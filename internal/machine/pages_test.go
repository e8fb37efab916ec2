package machine_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/machine"
)

// largeBlocks has 300 MB of variables and of memory from malloc, of which it uses a few pages.
const largeBlocks = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int dp[5000][5000];
char text[60000000] = "begins";
long seen = 0;
static long local(int n) { int a[500000]; a[n] = n; a[499999] = 2; return a[n] + a[499999]; }
int main(void)
{
    long *heap = malloc(80000000), *zeros = calloc(10000000, 8);
    for (int round = 0; round < 3; round++) {
        dp[4999][4999] += 1;
        dp[round][4] = round;
        heap[9999999] = dp[4999][4999];
        text[59999999] += 2;
        seen += dp[4999][4999] + dp[2][4] + heap[9999999] + zeros[123456] + text[59999999] + local(round);
        zeros[round] = 7;
    }
    heap = realloc(heap, 16);
    printf("%ld %d %s %c\n", seen, dp[1][4], text, text[59999999] + 'a');
    free(heap), free(zeros);
    return 0;
}
`

func largeMachine(t *testing.T, text string, limit int64, out *bytes.Buffer) *machine.Machine {
	t.Helper()
	file := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := lower.Load(context.Background(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := machine.New(p, machine.Config{Name: file, Stdout: out, Debug: true, MaxMemory: limit})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestLargeBlocks runs a program whose arrays are far larger than the memory that it may use, to its end and from
// states in its middle: only pages that are written count, and states stay small.
func TestLargeBlocks(t *testing.T) {
	const want = "35 1 begins g\n"
	var out bytes.Buffer
	// realloc writes the 16 bytes that stay only.
	m := largeMachine(t, largeBlocks, 2<<20, &out)
	if f := m.RunUntil(nil); f != nil || out.String() != want {
		t.Fatalf("it ends with %v and prints %q instead of %q", f, out.String(), want)
	}
	out.Reset()
	m = largeMachine(t, largeBlocks, 2<<20, &out)
	var states []*machine.State
	var at []int
	n := 0
	m.RunUntil(func(int32, bool) bool {
		if n%7 == 0 {
			states, at = append(states, m.Save()), append(at, n)
		}
		n++
		return false
	})
	for i := len(states) - 1; i >= 0; i-- {
		for range 2 {
			out.Reset()
			m.Restore(states[i])
			k := at[i]
			if f := m.RunUntil(func(int32, bool) bool { k++; return false }); f != nil || out.String() != want || k != n {
				t.Fatalf("from state %d of %d it ends with %v after %d statements of %d and prints %q", i, len(states), f, k, n, out.String())
			}
		}
		if b := states[i].Bytes(); b > 1<<20 {
			t.Errorf("state %d takes %d bytes", i, b)
		}
	}
}

// TestLargeLimit: memory that is written counts for the limit, and memory that was never written has no value.
func TestLargeLimit(t *testing.T) {
	for text, want := range map[string]string{
		"char a[90000000];\nint main(void) { for (int i = 0; i < 90000000; i += 1000) a[i] = 1; return 0; }":                                                     "memory limit of 8 MiB reached",
		"#include <string.h>\nchar a[90000000];\nint main(void) { memset(a, 1, sizeof a); return 0; }":                                                           "memory limit of 8 MiB reached",
		"#include <stdlib.h>\nint main(void) { for (int i = 0; i < 1000; i++) { char *p = malloc(1000000); p[i] = 1; free(p); } return 0; }":                     "",
		"#include <stdlib.h>\nint main(void) { char *p = malloc(50000000); p[4000000] = 1; return p[4000001]; }":                                                 "never written",
		"#include <stdlib.h>\nint main(void) { char *p = malloc(50000000); return p[50000000] = 1; }":                                                            "at offset 50000000",
		"int a[9000000];\nstatic int f(int n) { int b[400000]; b[n] = 1; return n == 0 ? b[0] : f(n - 1) + b[n]; }\nint main(void) { return f(9) - 10 + a[7]; }": "",
	} {
		var out bytes.Buffer
		m := largeMachine(t, text, 8<<20, &out)
		f := m.RunUntil(nil)
		said := ""
		if f != nil {
			said = f.Error()
		}
		if status, _ := m.Exited(); f == nil && status != 0 || (want == "") != (f == nil) || !strings.Contains(said, want) {
			t.Errorf("%s\nends with %q (status %d), which has no %q", text, said, status, want)
		}
		var limit *machine.Fault
		if strings.Contains(want, "limit") && (!errors.As(f, &limit) || limit.Kind != machine.LimitFault) {
			t.Errorf("%s\n%v is no limit", text, f)
		}
	}
}
