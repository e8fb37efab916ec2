package states

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gulo/internal/job"
	"gulo/internal/oracle"
	"gulo/internal/report"
	"gulo/internal/sandbox"
	"gulo/internal/source"
)

func TestMain(m *testing.M) {
	sandbox.Main()
	os.Exit(m.Run())
}

const class = "../../../examples/class"

// arguments are runs that the searches do not see, by problem.
var arguments = map[string][]string{
	"reverse": {"", "1", "1 2", "3 1 2 9 4"},
	"insert":  {"5", "5 1", "5 9", "5 5 6", "5 1 3 7 9", "1 1 1"},
	"delete":  {"2", "2 2", "2 1 2 3 2 2", "2 2 2 1", "7 1 2 3"},
	"unlink":  {"2", "2 2", "2 1 2 3", "3 1 2 3", "1 1 2 3", "9 1 2"},
	"tree":    {"4", "4 2 6", "4 2 6 1 3 5 7 4 1", "1 2 3"},
}

// TestClass repairs the submissions of examples/class from the references alone,
// compiles what comes out and holds it against the reference natively, under the
// sanitizers.
func TestClass(t *testing.T) {
	files, err := filepath.Glob(class + "/*/*.c")
	if err != nil || len(files) < 35 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	var mu sync.Mutex
	attempted, fixed := 0, 0
	t.Run("submissions", func(t *testing.T) {
		for i, f := range files {
			dir, name := filepath.Split(f)
			if name == "reference.c" || testing.Short() && i%8 != 0 {
				continue
			}
			problem := filepath.Base(dir)
			t.Run(problem+"/"+strings.TrimSuffix(name, ".c"), func(t *testing.T) {
				t.Parallel()
				rep, err := Fix(context.Background(), &job.Job{Files: []string{f}, Spec: job.Spec{Reference: []string{dir + "reference.c"}}, Limit: 20 * time.Second})
				if err != nil {
					t.Fatal(err)
				}
				if name == "gina.c" && rep.Result == report.None { // hardly begun
					return
				}
				mu.Lock()
				attempted++
				if rep.Result == report.Repaired {
					fixed++
				}
				mu.Unlock()
				if rep.Result != report.Repaired {
					t.Logf("%s: %s", rep.Result, rep.Cause)
					return
				}
				for _, text := range rep.Sources(0) {
					holdNatively(t, text, dir+"reference.c", arguments[problem])
				}
			})
		}
	})
	t.Logf("%d of %d attempts repaired", fixed, attempted)
	if fixed*100 <= 85*attempted {
		t.Errorf("%d of %d attempts repaired: not over 85%%", fixed, attempted)
	}
}

// holdNatively compares a repaired program with the reference.
func holdNatively(t *testing.T, text, reference string, runs []string) {
	t.Helper()
	dir := t.TempDir()
	src := filepath.Join(dir, "fixed.c")
	if err := os.WriteFile(src, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var bins [2]string
	for i, f := range []string{src, reference} {
		bins[i] = filepath.Join(dir, []string{"fixed", "reference"}[i])
		if out, err := exec.Command("gcc", "-g", "-fsanitize=address,undefined", "-o", bins[i], f).CombinedOutput(); err != nil {
			t.Fatalf("%s\n%s", out, text)
		}
	}
	for _, r := range runs {
		var outs [2]string
		for i, b := range bins {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			c := exec.CommandContext(ctx, b, strings.Fields(r)...)
			c.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0")
			out, err := c.Output()
			cancel()
			outs[i] = string(out)
			if err != nil {
				outs[i] += err.Error()
			}
		}
		if outs[0] != outs[1] {
			t.Errorf("on %q the repaired program gives %q, the reference %q\n%s", r, outs[0], outs[1], text)
		}
	}
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return p
}

const counting = `#include <stdio.h>
struct node { int data; struct node *next; };
int count(struct node *n)
{
    int k = 0;
    while (n != NULL) {
        k++;
        n = n->next;
    }
    return k;
}
`

// TestBadInput gives requests that make no sense; the text names what is wrong.
func TestBadInput(t *testing.T) {
	good := write(t, "good.c", counting)
	for _, x := range []struct {
		name string
		req  job.Job
		want string
	}{
		{"no specification", job.Job{Files: []string{good}}, "what is right?"},
		{"reference that does not compile", job.Job{Files: []string{good}, Spec: job.Spec{Reference: []string{write(t, "bad.c", "int count(")}}}, "bad.c:1:"},
		{"program that does not compile", job.Job{Files: []string{write(t, "bad.c", "int f(void) { return x; }")}, Spec: job.Spec{Reference: []string{good}}}, "bad.c:1:"},
		{"another signature", job.Job{Files: []string{write(t, "p.c", strings.Replace(counting, "int count(struct node *n)", "int count(struct node *n, int k0)", 1))}, Spec: job.Spec{Reference: []string{good}}}, "takes 2 arguments, in the reference 1"},
		{"another result", job.Job{Files: []string{write(t, "p.c", strings.Replace(counting, "int count(", "long count(", 1))}, Spec: job.Spec{Reference: []string{good}}}, "returns long"},
		{"other fields", job.Job{Files: []string{write(t, "p.c", strings.ReplaceAll(counting, "next", "link"))}, Spec: job.Spec{Reference: []string{good}}}, "in one program only"},
		{"no such entry", job.Job{Files: []string{good}, Spec: job.Spec{Reference: []string{good}}, Entry: "nothing"}, "no function nothing"},
		{"nothing differs", job.Job{Files: []string{good}, Spec: job.Spec{Reference: []string{good}}}, "differs from one of the reference's"},
		{"no tests", job.Job{Files: []string{good}, Spec: job.Spec{Tests: t.TempDir()}}, "holds no tests"},
		{"no folder", job.Job{Files: []string{good}, Spec: job.Spec{Tests: "/nowhere"}}, "cannot read --tests"},
		{"calls without a reference", job.Job{Files: []string{good}, Spec: job.Spec{Tests: write(t, "calls", "n=[1]")}}, "without --reference"},
		{"a wrong call", job.Job{Files: []string{good}, Spec: job.Spec{Reference: []string{good}, Tests: write(t, "calls", "\nn=[1,x]\n")}, Entry: "count"}, "calls:2:1: error: n: \"x\" is no number"},
		{"a missing argument", job.Job{Files: []string{good}, Spec: job.Spec{Reference: []string{good}, Tests: write(t, "calls", "m=[1]")}, Entry: "count"}, "the argument n of count is missing"},
		{"unsupported", job.Job{Files: []string{write(t, "p.c", "#include <stddef.h>\n_Complex double z; int count(int n) { return n; }")}, Spec: job.Spec{Reference: []string{good}}}, "p.c:2:"},
	} {
		t.Run(x.name, func(t *testing.T) {
			_, err := Fix(context.Background(), &x.req)
			if err == nil || !strings.Contains(err.Error(), x.want) {
				t.Fatalf("got %v, want %q in it", err, x.want)
			}
			var use *job.UsageError
			var mis *oracle.Mismatch
			var diag *source.Error
			if !errors.As(err, &use) && !errors.As(err, &mis) && !errors.As(err, &diag) {
				t.Errorf("%T is no error of the input", err)
			}
		})
	}
}

// TestCalls gives the calls by hand, for a function that nothing calls.
func TestCalls(t *testing.T) {
	bad := write(t, "p.c", strings.Replace(counting, "int k = 0", "int k = 1", 1))
	rep, err := Fix(context.Background(), &job.Job{Files: []string{bad}, Spec: job.Spec{Reference: []string{write(t, "ref.c", counting)}, Tests: write(t, "calls", "# some\nn=[1,2,3]\nn=[]\n")}})
	if err != nil || rep.Result != report.Repaired || !strings.Contains(rep.Repairs[0].Diff, "+    int k = 0;") {
		t.Fatalf("%+v %v", rep, err)
	}
	if e := rep.Repairs[0].Evidence; e.Held < 50 || e.HeldMet != e.Held || !e.Compiled {
		t.Errorf("evidence %+v", e)
	}
}

// TestRuns repairs from whole runs alone, and says so when a reference fails one.
func TestRuns(t *testing.T) {
	src, err := os.ReadFile(class + "/insert/reference.c")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"a.args": "5", "a.out": "5 \n", "b.args": "5 1 9", "b.out": "1 5 9 \n", "c.args": "1 2 3", "c.out": "1 2 3 \n", "d.args": "9 2 3", "d.out": "2 3 9 \n", "e.exit": "2", "e.out": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	bad := write(t, "p.c", strings.Replace(string(src), "n->next = at->next", "n->next = at", 1))
	rep, err := Fix(context.Background(), &job.Job{Files: []string{bad}, Spec: job.Spec{Tests: dir}})
	if err != nil || rep.Result != report.Repaired || rep.Cases != 5 {
		t.Fatalf("%+v %v", rep, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "f.out"), []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Fix(context.Background(), &job.Job{Files: []string{bad}, Spec: job.Spec{Reference: []string{class + "/insert/reference.c"}, Tests: dir}})
	if err == nil || !strings.Contains(err.Error(), "the reference fails test f") {
		t.Errorf("got %v", err)
	}
}
