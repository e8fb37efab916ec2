package submissions

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

// TestMeasure measures a stand-in for gulo that always prints the same answer: the judge tells
// what is right from what only meets the tests given.
func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	program := func(body string) string {
		return "#include <stdio.h>\nint main(void)\n{\n    int n;\n    scanf(\"%d\", &n);\n    " + body + "\n    return 0;\n}\n"
	}
	right := program(`printf("%d\n", 2 * n);`)
	for in, out := range map[string]string{"1": "2\n", "2": "4\n", "7": "14\n", "30": "60\n"} {
		write("tests/lab/ex1/"+in+".in", in)
		write("tests/lab/ex1/"+in+".out", out)
	}
	write("reference/lab/ex1.c", right)
	write("correct/lab/ex1/a.c", right)
	write("wrong/lab/ex1/b.c", program(`printf("%d", 2 * n);`))
	write("wrong/lab/ex1/c.c", program(`printf("%d\n", n);`))
	write("wrong/lab/ex1/d.c", program(`printf("%d", n < 0 || n > 30 ? n : 2 * n);`)) // no newline, and a mistake that no test shows
	fixed := write("fixed.txt", right)
	gulo := write("gulo.sh", "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = --rewrite ] && cp "+fixed+" \"$2\"; shift; done\n"+
		`echo '{"result":"repaired","repairs":[{"edits":[{"line":6,"before":"x","after":"y","what":"no newline at the end"}],"evidence":{"text":"t"}}]}'`+"\n")
	var found []Answer
	m, err := Measure(context.Background(), &Options{Dir: dir, Limit: 1, Gulo: []string{gulo}, Workers: 1, Found: func(a *Answer) { found = append(found, *a) }})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 3 || found[0].Submission != m.Answers[0].Submission || found[0].Settings != "given 0.5, limit 1ns, 14 made up, seed 0" {
		t.Errorf("told: %+v", found)
	}
	if len(m.Answers) != 3 || m.Answers[0].Class != Right || m.Answers[1].Class != Right || m.Answers[2].Class != Right || m.Made["lab/ex1"] == 0 {
		t.Fatalf("%+v", m)
	}
	spaces, everywhere := 0, 0
	for _, a := range m.Answers {
		if a.Spaces {
			spaces++
		}
		if a.Everywhere {
			everywhere++
		}
	}
	if spaces != 2 || everywhere != 1 {
		t.Errorf("%d differ in white space alone in the tests, %d everywhere", spaces, everywhere)
	}
	var b bytes.Buffer
	Line(&b, &m.Answers[0])
	Print(&b, m)
	if !strings.Contains(b.String(), "edits of the right repairs: no newline at the end 3") {
		t.Errorf("%s", b.String())
	}
	// What is known is not asked again: nothing answers here.
	asked := 0
	again, err := Measure(context.Background(), &Options{Dir: dir, Limit: 1, Gulo: []string{"/nothing"}, Known: found, Found: func(*Answer) { asked++ }})
	if err != nil || asked != 0 || len(again.Answers) != 3 || again.Answers[1].Submission != m.Answers[1].Submission {
		t.Errorf("%d asked, %+v, %v", asked, again, err)
	}
	if second, err := Measure(context.Background(), &Options{Dir: dir, Limit: 1, Skip: 1, Gulo: []string{"/nothing"}, Known: found[1:]}); err != nil || len(second.Answers) != 2 || second.Answers[0].Submission != found[1].Submission {
		t.Errorf("the second alone: %+v, %v", second, err)
	}
	// A program for the tests alone.
	if err := os.WriteFile(fixed, []byte(program(`if (n == 1 || n == 2 || n == 7 || n == 30) printf("%d\n", 2 * n);`)), 0o644); err != nil {
		t.Fatal(err)
	}
	if m, err = Measure(context.Background(), &Options{Dir: dir, Limit: 1, Gulo: []string{gulo}, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	if m.Answers[0].Class != Fits || m.Answers[1].Class != Fits {
		t.Errorf("%+v", m.Answers)
	}
	// An exit status for input that the assignment says nothing about is the student's business.
	if err := os.WriteFile(fixed, []byte(program(`printf("%d\n", 2 * n); if (n != 1 && n != 2 && n != 7 && n != 30) return 1;`)), 0o644); err != nil {
		t.Fatal(err)
	}
	if m, err = Measure(context.Background(), &Options{Dir: dir, Limit: 1, Gulo: []string{gulo}, Workers: 1}); err != nil {
		t.Fatal(err)
	}
	if m.Answers[0].Class != Right || m.Answers[1].Class != Right {
		t.Errorf("%+v", m.Answers)
	}
}
