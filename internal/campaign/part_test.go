package campaign

import (
	"context"
	"strings"
	"testing"
	"time"

	"gulo/internal/report"
)

// TestPart: where no repair of all that is wrong is found, the tests that go wrong at one line are asked for
// alone, beside those that are met, and the student is told that something else is wrong.
func TestPart(t *testing.T) {
	ctx := context.Background()
	sub := &Submission{Name: "a", File: "a.c", Limit: 5 * time.Minute, Text: []byte(`#include <stdio.h>
int main(void)
{
    char op;
    int a, b;
    scanf("%c %d %d", &op, &a, &b);
    if (op == '+')
        printf("%d\n", a - b);
    else if (op == '*')
        printf("%d\n", a * b);
    else
        printf("%d\n", (b + a * 3) / (a + 2) - b * b);
    return 0;
}
`), Tests: map[string][]byte{
		"1.in": []byte("+ 1 2\n"), "1.out": []byte("3\n"), "2.in": []byte("+ 7 5\n"), "2.out": []byte("12\n"), "3.in": []byte("* 3 4\n"), "3.out": []byte("12\n"),
		"4.in": []byte("^ 2 5\n"), "4.out": []byte("32\n"), "5.in": []byte("^ 3 3\n"), "5.out": []byte("27\n"), "6.in": []byte("* 2 9\n"), "6.out": []byte("18\n"),
	}}
	j := newJob(sub, t.TempDir())
	if ctx = j.begin(ctx); j.write() != nil || j.readReference(ctx) != nil {
		t.Fatal("the job cannot be written")
	}
	prog, err := j.link(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for i := range j.runs {
		r, err := prog.run(ctx, runLimit, j.runs[i].Stdin)
		if err != nil {
			t.Skip(err)
		}
		j.tested(&j.runs[i], r)
	}
	if j.printers(ctx); len(j.parts()) != 2 {
		t.Fatalf("%d parts: %+v", len(j.parts()), j.out.Tests)
	}
	for _, x := range j.parts() {
		if len(x) != 4 {
			t.Errorf("%d tests of a part", len(x))
		}
	}
	bad, err := j.part(ctx, j.parts(), &wrong{why: "on 4: it prints"})
	if err != nil || bad.rep == nil || bad.rep.Result != report.Repaired || bad.rep.Repairs[0].Edits[0].Line != 8 {
		t.Fatalf("%v %+v", err, bad)
	}
	j.join(bad.rep)
	if j.parts() != nil {
		t.Error("the repaired program is parted, too")
	}
	if err := j.unrepaired(&wrong{why: "on 4: it prints 1", rep: &report.Report{Cause: "time limit"}}); err != nil {
		t.Fatal(err)
	}
	text := j.out.Feedback(AllStages)
	for _, part := range []string{"one of its mistakes is told below, and something else is wrong, too.", "With one mistake mended, on 4: it prints 1.\n", "Look at line 8 of a.c.", "+        printf(\"%d\\n\", a + b);"} {
		if !strings.Contains(strings.ReplaceAll(text, j.dir+"/", ""), part) {
			t.Errorf("%q is not told: %s", part, text)
		}
	}
	if j.out.Category != Limited || !strings.HasSuffix(j.out.Why, "no repair was found in the time given") {
		t.Errorf("%s: %s", j.out.Category, j.out.Why)
	}
}

// TestWorded: students and teachers read no name of a rule, and what is only begun is told from what is empty.
func TestWorded(t *testing.T) {
	if got := worded("on 1: uninitialized_read at line 7: variable n is read before anything was stored in it"); got != "on 1: it goes wrong at line 7: variable n is read before anything was stored in it" {
		t.Error(got)
	}
	if got := worded("it looks at line 7: x"); got != "it looks at line 7: x" {
		t.Error(got)
	}
	for text, want := range map[string]Category{"/* nothing */\n// yet\n": Empty, "#include <stdio.h>\n\n": Vacuous, "#include <stdio.h>\nint x\n": NoCompile} {
		out, err := Judge(context.Background(), &Submission{Name: "a", File: "a.c", Text: []byte(text), Limit: time.Second, Tests: map[string][]byte{"1.out": []byte("1\n")}})
		if err != nil || out.Category != want || out.Given != 1 || out.Passed != 0 {
			t.Errorf("%q: %v %+v, want %s", text, err, out, want)
		}
	}
	for _, x := range []struct {
		s    stages
		want string
	}{
		{stages{Test: &Tested{Name: "1", Ended: "stopped after 9s"}, Outcome: &Outcome{Given: 3, Tests: []Tested{{Name: "1", Ended: "stopped after 9s"}}}}, "Test 1 is not met; after test 1 no other was run"},
		{stages{Test: &Tested{Name: "1"}, Outcome: &Outcome{Given: 1, Tests: []Tested{{Name: "1"}}}}, "Test 1 is not met"},
		{stages{Test: &Tested{Name: "2"}, Outcome: &Outcome{Given: 2, Tests: []Tested{{Name: "1", Met: true}, {Name: "2"}}}}, "Test 2 is not met; all others are"},
	} {
		if got := x.s.Which(); got != x.want {
			t.Errorf("%q, want %q", got, x.want)
		}
	}
}
