package campaign

import (
	"context"
	"strings"
	"testing"
	"time"

	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/report"
)

// TestVisible shows white space and marks a byte.
func TestVisible(t *testing.T) {
	for _, c := range []struct {
		text string
		at   int
		want string
	}{
		{"a b\n", -1, "a·b↵\n"},
		{"a b\n", 1, "a<mark>·</mark>b↵\n"},
		{"ab\n", 2, "ab<mark>↵</mark>\n"},
		{"ab", 2, `ab<mark title="nothing more is printed">∎</mark>`},
		{"", 0, `<mark title="nothing more is printed">∎</mark>`},
		{"é<", 2, "é<mark>&lt;</mark>"},
		{"\xff\t\x00", 1, "\ufffd<mark>⇥</mark>\\0"},
	} {
		if got := string(visible(c.text, c.at)); got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.text, c.at, got, c.want)
		}
	}
}

// TestPageTests: the page has the tests as a table with what can be filtered by, and in the
// same words what the line of a submission says.
func TestPageTests(t *testing.T) {
	rep := &report.Report{Result: report.Repaired, Repairs: []report.Repair{{Edits: []report.Changed{{Line: 7, Before: `"%d"`, After: `"%d\n"`, What: "no newline at the end"}}}}}
	tests := []Tested{{Name: "one", Met: true}, {Name: "two", Stdin: "3 4\n", Want: "7\n", Got: "7", At: 1, Line: 7}}
	s := &Summary{Folder: "class", Total: 2, Done: 2, Counts: map[Category]int{Fixed: 1, Right: 1}, Outcomes: []*Outcome{
		{Name: "ann", Category: Fixed, Report: rep, Mistake: Mistake(rep), Tests: tests, Seconds: 2}, {Name: "b<en", Category: Right, Seconds: 1}},
		Clusters: []Cluster{{Mistake: "m", Name: "no newline at the end", Example: "x", Names: []string{"ann"}}}}
	b, err := s.HTML()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`data-name="ann" data-status="fixed" data-cluster="0" data-failed="1" data-seconds="2.0"`, `data-name="b&lt;en" data-status="right" data-cluster=""`,
		`<button type="button" data-cluster="0"`, "1: no newline at the end</option>", "1 of 2 tests fails; no newline at the end",
		`7<mark title="nothing more is printed">∎</mark>`, "7<mark>↵</mark>", "3·4↵", "line 7", "slowest 2.0 s (ann)",
	} {
		if !strings.Contains(string(b), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// TestTested: all tests of a submission are in the table, with the line that printed what
// is not wanted.
func TestTested(t *testing.T) {
	sub := &Submission{Name: "a", File: "a.c", Limit: 2 * time.Minute, Text: []byte(`#include <stdio.h>
int main(void)
{
    int a, b;
    scanf("%d%d", &a, &b);
    printf("%d ", a);
    printf("%d", b);
    return 0;
}
`), Tests: map[string][]byte{"1.in": []byte("1 2\n"), "1.out": []byte("1 2\n"), "2.in": []byte("3 4\n"), "2.out": []byte("3 4\n")}}
	out, err := Judge(context.Background(), sub)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(out.Native, "not run") {
		t.Skip(out.Native)
	}
	if out.Category != Fixed || len(out.Tests) != 2 {
		t.Fatalf("%s, tests %+v", out.Category, out.Tests)
	}
	for _, x := range out.Tests {
		if x.Met || x.Line != 7 || x.At != 3 || x.Got != strings.TrimSuffix(x.Want, "\n") {
			t.Errorf("%+v", x)
		}
	}
	sub.Text = []byte("int main(void)\n{\n    return 0;\n}\n")
	if out, err = Judge(context.Background(), sub); err != nil || out.Category != Vacuous || len(out.Tests) != 2 || out.Tests[0].Line != 0 {
		t.Errorf("a program that does nothing: %v %+v", err, out)
	}
	long := newJob(sub, "")
	for range 2 * mostTested { // of many tests a part is kept
		long.tested(&oracle.Test{Name: "t", Stdout: strings.Repeat("x", 2*longTested)}, &native.Process{})
	}
	if n := len(long.out.Tests); n != mostTested || len(long.out.Tests[0].Want) > longTested+3 || long.out.Tests[mostFailing].Want != "" {
		t.Errorf("%d tests are kept", n)
	}
}

// TestBriefEndless: after a test without end no other is run, and the line says so.
func TestBriefEndless(t *testing.T) {
	o := &Outcome{Category: Limited, Why: "time limit", Tests: []Tested{{Name: "1", Ended: "stopped after 2s"}}}
	if got := o.brief(); !strings.HasPrefix(got, "test 1 is stopped after 2s, and no other") {
		t.Errorf("%q", got)
	}
	o.Tests = []Tested{{Name: "1", Ended: "stopped by SIGSEGV"}, {Name: "2", Met: true}}
	if got := o.brief(); !strings.HasPrefix(got, "1 of 2 tests fails") {
		t.Errorf("%q", got)
	}
}
