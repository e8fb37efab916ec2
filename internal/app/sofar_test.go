package app

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gulo/internal/process"
	"gulo/internal/report"
)

// asStopped is the environment variable with which the test binary is a gulo that is held when it has its first
// repair in hand, and then gets SIGINT.
const asStopped = "GULO_TEST_STOPPED"

// stopped is that gulo. Its search never goes on.
func stopped() int {
	ctx := process.Context()
	_, end := context.WithCancelCause(ctx)
	s := &streams{in: os.Stdin, out: &output{w: os.Stdout, name: "standard output", end: end}, err: &output{w: os.Stderr, name: "standard error", end: end}}
	s.offered = func() {
		_ = syscall.Kill(os.Getpid(), syscall.SIGINT)
		select {}
	}
	return s.run(ctx, s.root(), os.Args[1:])
}

// least prints the least of its arguments, and has two mistakes in what a test shows as one.
const least = `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int least = 0;
    for (int i = 1; i < argc; i++)
        if (atoi(argv[i]) < least)
            least = atoi(argv[i]);
    printf("%d\n", least);
    return 0;
}
`

// TestStopped holds a search when it has something in hand, and interrupts it. What was in hand is shown as such in
// every format; nothing is written as a repair, and nothing is left behind.
func TestStopped(t *testing.T) {
	right := strings.Replace(strings.Replace(least, "least = 0", "least = atoi(argv[1])", 1), "int i = 1", "int i = 2", 1)
	asserted := strings.Replace(least, "    printf", "    assert(argc < 2 || least == atoi(argv[1]) || least < atoi(argv[1]));\n    printf", 1)
	asserted = "#include <assert.h>\n" + strings.Replace(asserted, "< least", "> least", 1)
	memory := "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv)\n{\n    int *a = malloc(argc * sizeof *a);\n    for (int i = 0; i <= argc; i++)\n        a[i] = i;\n    printf(\"%d\\n\", a[argc - 1]);\n    free(a);\n    return argv == 0;\n}\n"
	contract := "/* pre: n > 0 && n < 5\n   post: result == n + 1 */\nint next(int n)\n{\n    return n + 2;\n}\nint main(void) { return next(3); }\n"
	for i, x := range []struct {
		name, text, format string
		args               []string
	}{
		{"tests", least, "text", []string{"--tests", "."}},
		{"tests", least, "json", []string{"--tests", "."}},
		{"tests", least, "sarif", []string{"--tests", "."}},
		{"tests", least, "diff", []string{"--tests", "."}},
		{"reference", least, "text", []string{"--reference", "right.c"}},
		{"memory", memory, "text", []string{"--memory"}},
		{"assert", asserted, "text", []string{"--assert"}},
		{"contract", contract, "text", []string{"--contracts"}},
	} {
		if testing.Short() && i%2 != 0 {
			continue
		}
		t.Run(x.name+" "+x.format, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			args := append([]string{"fix", "--limit=2m", "--format=" + x.format, "--rewrite=fixed.c"}, x.args...)
			for name, text := range map[string]string{"p.c": x.text, "right.c": right, "a.args": "3 5", "a.out": "3\n", "b.args": "7 4 9", "b.out": "4\n", "c.args": "-1 2", "c.out": "-1\n"} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			args = append(args, "p.c")
			if x.name != "tests" && x.name != "contract" {
				args = append(args, "--", "3", "5")
			}
			r := prepare(t, longJob{args: args, text: x.text, silent: true})
			r.cmd.Dir, r.cmd.Env = dir, append(r.cmd.Env, asStopped+"=1")
			if err := r.cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if code := r.end(t, 100*time.Second); code != 130 || !strings.Contains(r.errs.String(), "gulo: stopped by SIGINT") {
				t.Errorf("code %d:\n%s%s", code, r.out.String(), r.errs.String())
			}
			if exists(filepath.Join(dir, "fixed.c")) {
				t.Error("--rewrite wrote what was not judged")
			}
			inHand(t, x.format, r.out.String(), r.errs.String())
		})
	}
}

// TestLocateStopped: after a signal locate shows what methods have said, and which ones have not.
func TestLocateStopped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"p.c": least, "a.args": "3 5", "a.out": "3\n", "b.args": "7 4 9", "b.out": "4\n", "c.args": "-1 2", "c.out": "-1\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := prepare(t, longJob{args: []string{"locate", "--limit=2m", "--format=json", "--tests=.", "p.c"}, silent: true})
	r.cmd.Dir, r.cmd.Env = dir, append(r.cmd.Env, asStopped+"=1")
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	code := r.end(t, 100*time.Second)
	var got struct {
		SoFar   bool              `json:"so_far"`
		Left    map[string]string `json:"left_out"`
		Ranking []struct{ Ranks map[string]float64 }
		Notes   []string
	}
	if err := json.Unmarshal(r.out.Bytes(), &got); err != nil || code != 130 {
		t.Fatalf("code %d, %v: %s%s", code, err, r.out.String(), r.errs.String())
	}
	if !got.SoFar || got.Left["spectrum"] != "" || !strings.Contains(got.Left["edits"], "before it had an answer") || len(got.Ranking) == 0 || len(got.Ranking[0].Ranks) != 1 {
		t.Errorf("%s", r.out.String())
	}
}

// inHand checks how a format shows what a search had in hand.
func inHand(t *testing.T, format, out, errs string) {
	t.Helper()
	const how = "the search was stopped before the repair was tried on other inputs"
	switch format {
	case "text", "diff":
		if format == "diff" {
			if out != "" {
				t.Errorf("what was not judged is a diff that can be piped on: %q", out)
			}
			out = errs
		}
		for _, want := range []string{"no repair yet: stopped; the best so far:", "\n+++ b", how} {
			if !strings.Contains(out, want) {
				t.Errorf("no %q in\n%s", want, out)
			}
		}
	case "json":
		var rep report.Report
		if err := json.Unmarshal([]byte(out), &rep); err != nil {
			t.Fatalf("%v: %q", err, out)
		}
		if rep.Result != report.Unknown || rep.Cause != report.Stopped || !rep.SoFar || len(rep.Repairs) != 1 || !rep.Repairs[0].Evidence.Unjudged || rep.Repairs[0].Evidence.Given != 3 || rep.Repairs[0].Diff == "" {
			t.Errorf("%s", out)
		}
	case "sarif":
		run := readSARIF(t, []byte(out))
		if len(run.Results) != 1 || run.Results[0].Level != "note" || len(run.Invocations) != 1 || run.Invocations[0].Successful || !strings.Contains(run.Invocations[0].Notes[0].Message.Text, "best that it had found") {
			t.Errorf("%s", out)
		}
	}
}
