package campaign

import (
	"strings"
	"testing"

	"gulo/internal/oracle"
	"gulo/internal/report"
)

// TestPlainer: an edit that has no name in it is shown with its line, to teacher and student.
func TestPlainer(t *testing.T) {
	rep := &report.Report{Result: report.Repaired, Repairs: []report.Repair{{
		Edits: []report.Changed{{File: "a.c", Line: 4, Before: "1", After: "-1", What: "change"}},
		Diff:  "--- a/a.c\n+++ b/a.c\n@@ -3,3 +3,3 @@\n int f(void)\n-    while (x <= y + 1)\n+    while (x <= y + -1)\n         x++;\n",
	}}}
	if got, want := inWords(rep), "while (x <= y + -1) should stand in place of while (x <= y + 1)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	o := &Outcome{Name: "a", Category: Fixed, Report: rep}
	if text := o.Feedback(Stages{Where: true, Why: true}); !strings.Contains(text, "Not right here: while (x <= y + 1).") || strings.Contains(text, "-1") {
		t.Errorf("%s", text)
	}
	rep.Repairs[0].Edits[0].Before, rep.Repairs[0].Edits[0].After = "lo", "hi"
	if got := inWords(rep); got != "hi should stand in place of lo" {
		t.Errorf("%q", got)
	}
}

// TestClip: of outputs so many lines are kept as show the first difference.
func TestClip(t *testing.T) {
	long := strings.Repeat("hello\n", 1000)
	for _, x := range []struct {
		text      string
		at, lines int
	}{{long, 0, tallTested}, {long, 6 * 40, 41}, {long, 6 * 900, longTested / 6}, {"a\nb\n", 0, 2}} {
		if got := clip(x.text, x.at); strings.Count(got, "\n") != x.lines {
			t.Errorf("%d of %d lines", strings.Count(got, "\n"), strings.Count(x.text, "\n"))
		}
	}
}

// TestArguments: a test that gives arguments shows them, and no empty input.
func TestArguments(t *testing.T) {
	for _, test := range []oracle.Test{{Args: []string{"3", "1"}}, {Stdin: "3 1\n"}, {}} {
		o := &Outcome{Name: "a", Category: Limited, Given: 1, Tests: []Tested{{Name: "t", Args: test.Args, Stdin: test.Stdin, Want: "1\n", Got: "2\n"}}}
		text := o.Feedback(AllStages)
		b, err := o.FeedbackPage(AllStages)
		if err != nil {
			t.Fatal(err)
		}
		args, input := len(test.Args) > 0, len(test.Args) == 0
		if strings.Contains(text, "Arguments:\n\n    3 1\n") != args || strings.Contains(text, "Input:") != input || strings.Contains(string(b), "<th>input</th>") != input {
			t.Errorf("%+v:\n%s", test, text)
		}
	}
}
