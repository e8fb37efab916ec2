package outside

import (
	"bytes"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestStartOn starts commands on one processor and on all.
func TestStartOn(t *testing.T) {
	count := func(n int) int {
		t.Helper()
		c := exec.Command("nproc")
		var out bytes.Buffer
		c.Stdout = &out
		if err := startOn(n, c); err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(); err != nil {
			t.Fatal(err)
		}
		k, err := strconv.Atoi(strings.TrimSpace(out.String()))
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	t.Setenv("OMP_NUM_THREADS", "") // which nproc heeds
	all := Processors()
	for _, n := range []int{1, 0, all, 1, 0} {
		want := n
		if n == 0 {
			want = all
		}
		if got := count(n); got != want {
			t.Errorf("asked for %d of %d processors, and there are %d", n, all, got)
		}
	}
}

// TestCompare compares those that both numbers of processors answer.
func TestCompare(t *testing.T) {
	var out bytes.Buffer
	Print(&out, []Answer{
		{Program: "a", Mode: "tests", Class: Right, Millis: 2000, Processors: 1},
		{Program: "b", Mode: "tests", Class: Right, Millis: 4000, Processors: 1},
		{Program: "c", Mode: "tests", Class: Time, Millis: 9000, Processors: 1},
		{Program: "a", Mode: "tests", Class: Right, Millis: 1000, Processors: 2},
		{Program: "b", Mode: "tests", Class: Right, Millis: 3000, Processors: 2},
		{Program: "c", Mode: "tests", Class: Right, Millis: 5000, Processors: 2},
	})
	want := "tests, 2 processors against 1: median 2.00 s against 3.00 s, median ratio of times 0.62, of 2 programs answered with both"
	if !strings.Contains(out.String(), want) || strings.Count(out.String(), "eight runs; processors: ") != 2 {
		t.Errorf("%s", out.String())
	}
}
