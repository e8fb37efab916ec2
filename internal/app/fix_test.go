package app

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/process"
	"gulo/internal/sandbox"
)

// asCommand is the environment variable with which the test binary is gulo.
const asCommand = "GULO_TEST_COMMAND"

func TestMain(m *testing.M) {
	sandbox.Main()
	if os.Getenv(asStopped) != "" {
		os.Exit(process.Main(stopped))
	}
	if len(os.Args) > 1 && (os.Args[1] == "job" || os.Args[1] == "agree" || os.Args[1] == "fix" || os.Args[1] == "locate" || os.Args[1] == "debug") || os.Getenv(asCommand) != "" { // what a campaign, judges or a test start
		os.Exit(Process())
	}
	os.Exit(m.Run())
}

const insert = "../../examples/class/insert/"

// TestFix checks the exit codes and formats of fix and locate.
func TestFix(t *testing.T) {
	out := filepath.Join(t.TempDir(), "fixed.c")
	for i, x := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"repaired", []string{"fix", "--reference", insert + "reference.c", "--rewrite", out, insert + "carl.c"}, 0, "+        return n;"},
		{"diff", []string{"fix", "--reference", insert + "reference.c", "--format", "diff", insert + "carl.c"}, 0, "--- a/"},
		{"sarif", []string{"fix", "--reference", insert + "reference.c", "--format", "sarif", insert + "carl.c"}, 0, `"startLine": 31`},
		{"nothing wrong", []string{"fix", "--reference", insert + "reference.c", "--entry", "insert", insert + "reference.c"}, 0, "nothing to repair"},
		{"no repair", []string{"fix", "--limit", "3m", "--reference", "../../examples/class/reverse/reference.c", "../../examples/class/reverse/gina.c"}, 1, "no repair"},
		{"time", []string{"fix", "--limit", "1ms", "--reference", "../../examples/class/delete/reference.c", "../../examples/class/delete/bela.c"}, 3, "time limit"},
		{"no specification", []string{"fix", insert + "carl.c"}, 2, "what is right?"},
		{"evidence of a reference", []string{"fix", "--method", "evidence", "--reference", insert + "reference.c", "--explain", insert + "carl.c"}, 0, "evidence: at point"},
		{"explain asks for evidence", []string{"fix", "--reference", insert + "reference.c", "--trace", insert + "carl.c"}, 0, "precondition true"},
		{"evidence as json", []string{"fix", "--method", "evidence", "--reference", insert + "reference.c", "--format", "json", insert + "carl.c"}, 0, `"explanation"`},
		{"no evidence", []string{"fix", "--limit", "3m", "--method", "evidence", "--reference", "../../examples/class/reverse/reference.c", "../../examples/class/reverse/gina.c"}, 1, "no repair"},
		{"evidence of whole runs", []string{"fix", "--method", "evidence", "--entry", "main", "--reference", insert + "reference.c", insert + "carl.c"}, 2, "calls of a function"},
		{"format", []string{"fix", "--format", "yaml", insert + "carl.c"}, 2, "--format is"},
		{"no file", []string{"fix", "--reference", insert + "reference.c"}, 2, "no source file given"},
		{"input of the run", []string{"fix", "--stdin", insert + "reference.c", "--reference", insert + "reference.c", insert + "carl.c"}, 0, "+        return n;"},
		{"no such input", []string{"fix", "--stdin", "missing.txt", "--reference", insert + "reference.c", insert + "carl.c"}, 2, "cannot read --stdin"},
		{"no outside program", []string{"bench", "outside", "--program", "magic"}, 2, "no program"},
		{"too many processors", []string{"bench", "outside", "--processors", "1,100000"}, 2, "--processors 100000: there are"},
		{"processors of several", []string{"bench", "outside", "--processors", "1", "-j", "2"}, 2, "one program at a time"},
		{"outside folder without programs", []string{"bench", "outside", "--dir", insert}, 2, "there is no NAME/faulty.c in it"},
		{"no program of a folder", []string{"bench", "outside", "--dir", "../bench/outside/apart", "--program", "arena_blocks"}, 2, "there are base_change"},
		{"no outside mode", []string{"bench", "outside", "--mode", "magic"}, 2, "no mode"},
		{"locate", []string{"locate", "--reference", insert + "reference.c", insert + "carl.c"}, 0, "combined"},
		{"locate by a formula", []string{"locate", "--method", "ochiai", "--reference", insert + "reference.c", insert + "carl.c"}, 0, "tarantula"},
		{"locate method", []string{"locate", "--method", "magic", "--reference", insert + "reference.c", insert + "carl.c"}, 2, "--method is one of"},
		{"worker", []string{"worker"}, 2, "--nats URL"},
		{"worker without a server", []string{"worker", "--nats", "nats://127.0.0.1:9"}, 3, "cannot reach"},
		{"campaign without a folder", []string{"campaign", "run"}, 2, "name one folder"},
		{"status of a campaign that has not begun", []string{"campaign", "status", insert}, 2, "no campaign has begun for " + insert},
		{"report of a campaign that has not begun", []string{"campaign", "report", insert}, 2, "begin it with: gulo campaign run"},
		{"campaign on nothing", []string{"campaign", "run", t.TempDir()}, 2, "reference"},
		{"inject nothing", []string{"inject", "--mutations", "0", insert + "reference.c"}, 2, "at least one fault"},
		{"inject kind", []string{"inject", "--kind", "magic", insert + "reference.c"}, 2, "--kind is one of"},
		{"bench", []string{"bench", "magic"}, 2, "no table"},
	} {
		if testing.Short() && x.code < exitUsage && i%3 != 0 {
			continue
		}
		t.Run(x.name, func(t *testing.T) {
			code, o, e := gulo(t, "", x.args...)
			if code != x.code || !strings.Contains(o+e, x.want) {
				t.Errorf("code %d, want %d; %q not in\n%s%s", code, x.code, x.want, o, e)
			}
		})
	}
	if text, err := os.ReadFile(out); err != nil || !strings.Contains(string(text), "return n;") {
		t.Errorf("--rewrite: %v", err)
	}
}

// TestFixJSON checks the stable part of the document.
func TestFixJSON(t *testing.T) {
	code, o, e := gulo(t, "", "fix", "--times", "--format", "json", "--reference", insert+"reference.c", insert+"carl.c")
	var doc struct {
		Result  string
		Cause   string
		Repairs []struct {
			Diff     string
			Edits    []struct{ File, Before, After string }
			Evidence map[string]any
		}
		Spans []struct{ What string }
	}
	if err := json.Unmarshal([]byte(o), &doc); err != nil || code != 0 {
		t.Fatalf("%v %d %s", err, code, e)
	}
	if len(doc.Spans) == 0 || doc.Spans[0].What == "" || e != "" {
		t.Errorf("times: %+v, %s", doc.Spans, e)
	}
	if doc.Result != "repaired" || len(doc.Repairs) != 1 || !strings.Contains(doc.Repairs[0].Edits[0].Before, "head") || doc.Repairs[0].Evidence["held"] == nil {
		t.Errorf("%s", o)
	}
	code, o, _ = gulo(t, "", "locate", "--format", "json", "--reference", insert+"reference.c", insert+"carl.c")
	var rank struct {
		Method    string
		Ranking   []struct{ File, Statement string }
		Diagnoses []any
	}
	if err := json.Unmarshal([]byte(o), &rank); err != nil || code != 0 || len(rank.Ranking) < 5 || rank.Diagnoses == nil {
		t.Errorf("%v %d %s", err, code, o)
	}
}

// TestInject compiles the variants, and repairs one of each kind of fault.
func TestInject(t *testing.T) {
	dir := t.TempDir()
	code, o, e := gulo(t, "", "inject", "--mutations", "1", "-n", "6", "-o", dir, "--kind", "variable,field,constant,operator,swap,null-check", "--entry", "insert", insert+"reference.c", "--", "5", "1", "9")
	if code != 0 {
		t.Fatalf("%d %s %s", code, o, e)
	}
	var m manifest
	b, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil || json.Unmarshal(b, &m) != nil || len(m.Variants) != 6 {
		t.Fatalf("%v %s", err, b)
	}
	for _, v := range m.Variants {
		if v.Shown == "" || len(v.Faults) != 1 {
			t.Errorf("%+v", v)
		}
		if out, err := exec.Command("gcc", "-fsyntax-only", filepath.Join(dir, v.File)).CombinedOutput(); err != nil {
			t.Errorf("%s: %s", v.File, out)
		}
	}
	code, o, e = gulo(t, "", "fix", "--reference", insert+"reference.c", filepath.Join(dir, m.Variants[0].File))
	if code != 0 {
		t.Errorf("%v is not repaired: %d %s %s", m.Variants[0].Faults, code, o, e)
	}
}

// TestCampaign runs a class twice: the second time there is nothing to do.
func TestCampaign(t *testing.T) {
	state, page := t.TempDir(), filepath.Join(t.TempDir(), "report.html")
	folder, all, limit := "../../examples/class/insert", 8, "10s"
	if testing.Short() { // each of these three is repaired in seconds
		folder, all, limit = filepath.Join(t.TempDir(), "insert"), 3, "3m"
		class(t, folder, "carl.c dora.c fritz.c")
	}
	for round := 0; round < 2; round++ {
		code, o, e := gulo(t, "", "campaign", "run", folder, "--state", state, "--html", page, "--limit", limit)
		if code != 0 || !strings.Contains(o, fmt.Sprintf("%[1]d of %[1]d submissions", all)) || !strings.Contains(o, "fixed") {
			t.Fatalf("%d %s %s", code, o, e)
		}
	}
	if code, o, e := gulo(t, "", "campaign", "status", folder, "--state", state); code != 0 || !strings.Contains(o, fmt.Sprintf("%[1]d of %[1]d submissions are done", all)) {
		t.Errorf("%d %s %s", code, o, e)
	}
	if b, err := os.ReadFile(page); err != nil || !strings.Contains(string(b), "<b>fritz</b>") {
		t.Errorf("%v", err)
	}
}

// TestFixGlobalList repairs a function whose list is a global variable: inputs are made from its type, or from the
// run that the arguments give.
func TestFixGlobalList(t *testing.T) {
	const right = "../bench/programs/sll_reverse.c"
	text, err := os.ReadFile(right)
	if err != nil {
		t.Fatal(err)
	}
	faulty := strings.Replace(string(text), "prev = current;", "prev = next;", 1)
	if faulty == string(text) {
		t.Fatal("the program has changed")
	}
	file := writeFile(t, "faulty.c", faulty)
	for _, args := range [][]string{nil, {"--", "3", "1", "2"}} {
		code, out, errOut := gulo(t, "", append([]string{"fix", "--reference", right, file}, args...)...)
		if code != 0 || !strings.Contains(out, "prev = current;") {
			t.Errorf("%v: code %d\n%s%s", args, code, out, errOut)
		}
	}
}

// TestFixFunctionValues: a state that holds functions is looked at after the run that it comes from has ended.
func TestFixFunctionValues(t *testing.T) {
	text := `#include <stdlib.h>
struct node { int data; struct node *next; };
int less(int a, int b) { return a < b; }
struct node *head;
struct node *push(struct node *h, int v, int (*cmp)(int, int)) {
    struct node *n = malloc(sizeof *n);
    n->data = v;
    n->next = cmp(v, 100) ? h : 0;
    return n;
}
int main(void) { head = push(head, 3, less); head = push(head, 1, less); return head->data; }
`
	right := writeFile(t, "right.c", text)
	wrong := writeFile(t, "wrong.c", strings.Replace(text, "? h : 0", "? n : 0", 1))
	code, out, errOut := gulo(t, "", "fix", "--method", "heap", "--limit", "5s", "--entry", "push", "--reference", right, wrong)
	if code == 70 || code == 0 && !strings.Contains(out, "+++") || strings.Contains(errOut, "bug in gulo") {
		t.Errorf("code %d:\n%s%s", code, out, errOut)
	}
}

// TestNotOfMemory: if the run in hand ends with an error that no memory rule is about, gulo says so. If the run takes
// long, gulo waits for it.
func TestNotOfMemory(t *testing.T) {
	writeTree(t, map[string]string{
		"vla.c":  "#include <stdio.h>\nint main(void)\n{\n    int n = 0;\n    scanf(\"%d\", &n);\n    char s[n];\n    if (n > 0)\n        s[0] = 'a';\n    printf(\"%d\\n\", n);\n    return 0;\n}\n",
		"slow.c": "#include <stdlib.h>\nint main(void)\n{\n    int *p = malloc(4);\n    *p = 0;\n    for (int i = 0; i < 40000; i++)\n        *p += i % 2;\n    free(p);\n    return *p == 20000 ? 0 : 1;\n}\n",
		"zero":   "0\n",
		"left.c": "#include <stdio.h>\nint main(void)\n{\n    int *p = NULL;\n    for (int i = 0; i < 3; i++) {\n        int k = i;\n        p = &k;\n    }\n    printf(\"%d\\n\", *p);\n    return 0;\n}\n",
		"row.c":  "#include <stdio.h>\nint main(void)\n{\n    int m[2][3] = {{0}}, s = 0;\n    for (int i = 0; i <= 3; i++)\n        s += m[0][i];\n    printf(\"%d\\n\", s);\n    return 0;\n}\n",
	})
	for _, x := range []struct {
		args string
		code int
		want string
	}{
		{"vla.c --stdin zero", 2, "variable-length array of 0 elements; no memory rule is about that"},
		{"left.c", 2, "dangling_pointer_deref at left.c:9: use of a variable after its end"},
		{"row.c", 0, "+    for (int i = 0; i < 3; i++)"},
		{"slow.c", 0, "dangling_pointer_deref at line 9"},
	} {
		if testing.Short() && x.args == "slow.c" {
			continue
		}
		code, out, errs := gulo(t, "", append([]string{"fix", "--work", "2s", "--limit", "5m", "--memory"}, strings.Fields(x.args)...)...)
		if code != x.code || !strings.Contains(out+errs, x.want) {
			t.Errorf("%s: %d\n%s%s", x.args, code, out, errs)
		}
	}
}
