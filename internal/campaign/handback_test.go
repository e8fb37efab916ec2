package campaign

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/report"
)

// TestHandBack writes the gradebook's table and a student's text.
func TestHandBack(t *testing.T) {
	rep := &report.Report{Result: report.Repaired, Repairs: []report.Repair{{
		Edits: []report.Changed{{File: "a.c", Line: 7, Before: `"%d"`, After: `"%d\n"`, What: "no newline at the end"}},
		Hints: []string{"look at main", "look at line 7 of a.c", "no newline at the end"},
		Diff:  "-    printf(\"%d\", n);\n+    printf(\"%d\\n\", n);\n",
	}}}
	s := &Summary{Outcomes: []*Outcome{
		{Name: "ann", Category: Right, Seconds: 1},
		{Name: "=ben", Category: Fixed, Report: rep, Mistake: Mistake(rep), Why: "it prints \"3\", not \"3\\n\"", Passed: 1, Given: 2, Leaks: new(int)},
	}}
	b, err := s.CSV()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(b))).ReadAll()
	if err != nil || len(rows) != 3 {
		t.Fatalf("%v %v", rows, err)
	}
	if got := strings.Join(rows[2], "|"); got != `'=ben|fixed|no newline at the end|7|it prints "3", not "3\n"|0.0|1|2|0|'-    printf("%d", n);
+    printf("%d\n", n);
` {
		t.Errorf("%s", got)
	}
	text := s.Outcomes[1].Feedback(AllStages)
	at := -1
	for _, part := range []string{"## Where", "Look at line 7 of a.c.", "## Why", "No newline at the end.", "## What", "+    printf"} {
		i := strings.Index(text, part)
		if i <= at {
			t.Errorf("%q is not where it should be:\n%s", part, text)
		}
		at = i
	}
	s.Outcomes[1].Tests = []Tested{{Name: "one", Met: true}, {Name: "two", Stdin: "3\n", Want: "3 4\n", Got: "3", At: 1, Line: 7}}
	text = s.Outcomes[1].Feedback(AllStages)
	for _, part := range []string{"Test two is not met; all others are (in outputs", "    3·4↵\n", "Prints:\n\n    3\n", "printed by line 7."} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not told:\n%s", part, text)
		}
	}
	page, err := s.Outcomes[1].FeedbackPage(AllStages)
	if err != nil {
		t.Fatal(err)
	}
	at = -1
	for _, part := range []string{"<h1>=ben</h1>", "3<mark>·</mark>4↵", "printed by line 7.", "<h2>Where</h2>", "Look at line 7 of a.c.", "<h2>Why</h2>", "No newline at the end.", "<h2>What</h2>", `<span class="new">&#43;    printf`} {
		i := strings.Index(string(page), part)
		if i <= at {
			t.Errorf("%q is not where it should be:\n%s", part, page)
		}
		at = i
	}
	if page, err := s.Outcomes[0].FeedbackPage(AllStages); err != nil || strings.Contains(string(page), "<h2>") || strings.Contains(string(page), "<script") {
		t.Errorf("%v %s", err, page)
	}
	if text := s.Outcomes[0].Feedback(AllStages); strings.Contains(text, "##") || !strings.Contains(text, "does what it should") {
		t.Errorf("%s", text)
	}
	// Like mistakes have one name, whatever the program prints.
	other := &report.Report{Repairs: []report.Repair{{Edits: []report.Changed{{Before: `"yes"`, After: `"yes\n"`, What: "no newline at the end"}, {Before: `"no"`, After: `"no\n"`, What: "no newline at the end"}}}}}
	if Mistake(other) != Mistake(rep) {
		t.Errorf("%q and %q", Mistake(other), Mistake(rep))
	}
	other.Repairs[0].Edits[1].What = "change"
	if m := Mistake(other); !strings.Contains(m, "instead of") {
		t.Errorf("%q", m)
	}
}

// TestMistakesOfClass: mistakes of a file go with every submission, and their names are known.
func TestMistakesOfClass(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"sub/ana.c": "int main(void) { return 0; }\n", "tests/1.out": "1\n",
		"own.txt": "mistake m\nsay a mistake of this class alone\nchange $a + $b\nto $a * $b\n", "bad.txt": "mistake m\nchagne x\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	edits := []report.Changed{{Line: 3, Before: "a + b", After: "a * b", What: "a mistake of this class alone"}}
	if named(edits) != "" {
		t.Error("the name is known already")
	}
	c := &Class{Folder: filepath.Join(dir, "sub"), Tests: filepath.Join(dir, "tests"), Mistakes: filepath.Join(dir, "own.txt")}
	jobs, err := c.Jobs()
	if err != nil {
		t.Fatal(err)
	}
	for id, s := range jobs {
		if !strings.Contains(s.Mistakes, "this class") {
			t.Errorf("%q", s.Mistakes)
		}
		if s.Mistakes = ""; s.ID() == id {
			t.Error("a result without the mistakes stands for one with them")
		}
	}
	if named(edits) == "" {
		t.Error("the name is not known")
	}
	if got := told([]report.Changed{{Line: 3, Before: "a + b;", After: "a * b;"}, {Line: 4, After: "n = 0;"}, {Line: 5, Before: "f();"}}, true); got != "line 3: a * b should stand in place of a + b; line 4: n = 0 is missing; line 5: f() should not be there" {
		t.Errorf("%q", got)
	}
	c.Mistakes = filepath.Join(dir, "bad.txt")
	if _, err := c.Jobs(); err == nil || !strings.Contains(err.Error(), "chagne") {
		t.Errorf("%v", err)
	}
}
