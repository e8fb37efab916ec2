package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

// TestSummary: of what passes one line is printed, of what fails everything; the slowest come first.
func TestSummary(t *testing.T) {
	var out bytes.Buffer
	s := newSummary(&out)
	s.read(strings.NewReader(`{"Action":"start","Package":"gulo/internal/a"}
{"Action":"run","Package":"gulo/internal/a","Test":"TestQuick"}
{"Action":"output","Package":"gulo/internal/a","Test":"TestQuick","Output":"=== RUN   TestQuick\n"}
{"Action":"output","Package":"gulo/internal/b","Test":"TestWrong","Output":"    b_test.go:7: 2, not 3\n"}
{"Action":"pass","Package":"gulo/internal/a","Test":"TestQuick","Elapsed":0.25}
{"Action":"pass","Package":"gulo/internal/a","Test":"TestSlow","Elapsed":12.5}
{"Action":"output","Package":"gulo/internal/a","Test":"TestSlow","Output":"slowest: processor time 6.25 TestSlow\n"}
{"Action":"fail","Package":"gulo/internal/b","Test":"TestWrong","Elapsed":3}
{"Action":"output","Package":"gulo/internal/a","Output":"slowest: processor time 7.5\n"}
{"Action":"output","Package":"gulo/internal/a","Output":"ok  \tgulo/internal/a\t12.8s\n"}
{"Action":"pass","Package":"gulo/internal/a","Elapsed":12.8}
{"Action":"output","Package":"gulo/internal/b","Output":"FAIL\tgulo/internal/b\t3.0s\n"}
{"Action":"fail","Package":"gulo/internal/b","Elapsed":3.0}
{"ImportPath":"gulo/internal/c","Action":"build-output","Output":"c.go:1:1: expected package\n"}
`))
	s.print(2)
	const want = `ok  	gulo/internal/a	12.8s
    b_test.go:7: 2, not 3
FAIL	gulo/internal/b	3.0s
c.go:1:1: expected package

The slowest packages and tests, in seconds by the clock and of processor time

    12.8      7.5  a
     3.0  b

    12.5      6.2  a TestSlow
     3.0  b TestWrong

2 packages; of their tests 2 pass, 1 fail, 0 are skipped
`
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
}

// TestWatch: the time of a test is what was used between its two lines; the parts of a test have none.
func TestWatch(t *testing.T) {
	const printed = "\x16=== RUN   TestA\n=== RUN   TestA/part\n    --- PASS: TestA/part (0.10s)\n--- PASS: TestA (0.20s)\n=== RUN   TestB\nsaid --- FAIL: TestB (1s)\n--- FAIL: TestB (0.30s)\nFAIL\n"
	var out bytes.Buffer
	clock := 0.0
	watch(strings.NewReader(printed), &out, func() float64 { clock += 1.5; return clock })
	want := strings.ReplaceAll(strings.ReplaceAll(printed, "(0.20s)\n", "(0.20s)\nslowest: processor time 1.50 TestA\n"),
		"(0.30s)\n", "(0.30s)\nslowest: processor time 1.50 TestB\n")
	if out.String() != want {
		t.Errorf("%s\nwant\n%s", out.String(), want)
	}
}

// TestTree: the time of a process includes that of those it started.
func TestTree(t *testing.T) {
	c := exec.Command("sh", "-c", "sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo; read x'; exit 0")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	out.Read(make([]byte, 1))
	if used := tree(c.Process.Pid); used <= 0 {
		t.Errorf("%v s", used)
	}
	in.Close()
	c.Wait()
}

// TestExit: what go test ends with is what slowest ends with.
func TestExit(t *testing.T) {
	for script, want := range map[string]int{"exit 0": 0, "exit 1": 1, "exit 2": 2} {
		if got := run(exec.Command("sh", "-c", script), &bytes.Buffer{}, 1); got != want {
			t.Errorf("%s: %d, not %d", script, got, want)
		}
	}
}
