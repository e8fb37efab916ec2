package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sums adds the numbers below its input.
const sums = `#include <stdio.h>

int main(void)
{
	int n, i, sum = 0;
	scanf("%d", &n);
	for (i = 0; i < n; i++)
		sum = sum + i;
	printf("the sum is %d\n", sum);
	return 0;
}
`

// queueing puts numbers in front where they belong behind, and prints no blanks between them.
const queueing = `#include <stdio.h>
#include <stdlib.h>

struct node {
	int value;
	struct node *next;
};

struct node *head, *tail;

void append(int value)
{
	struct node *n = malloc(sizeof *n);
	n->value = value;
	n->next = NULL;
	if (head == NULL)
		head = n;
	else
		head->next = n;
	tail = n;
}

int main(void)
{
	int x;
	while (scanf("%d", &x) == 1)
		append(x);
	for (struct node *n = head; n != NULL; n = n->next)
		printf("%d", n->value);
	printf("\n");
	return 0;
}
`

// expecting plays a session of a program on an engine.
func expecting(t *testing.T, engine, text, stdin string, files map[string]string, commands ...string) (out string, code int, dir string) {
	t.Helper()
	dir = t.TempDir()
	t.Chdir(dir)
	files["prog.c"], files["script"] = text, strings.Join(commands, "\n")+"\n"
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	code, out, errs := gulo(t, stdin, "debug", "--engine", engine, "--script", "script", "prog.c")
	return out + errs, code, dir
}

// printsAs compiles a program, and compares what it prints.
func printsAs(t *testing.T, file, stdin, want string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	if out, err := exec.Command("gcc", "-o", program, file).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	c := exec.Command(program)
	c.Stdin = strings.NewReader(stdin)
	if out, err := c.Output(); err != nil || string(out) != want {
		t.Errorf("given %q it prints %q (%v), want %q", stdin, out, err, want)
	}
}

// TestExpect repairs by what a run should print, and goes on with the repaired program on another input.
func TestExpect(t *testing.T) {
	said := map[string]string{}
	for _, engine := range []string{"machine", "gdb"} {
		out, code, dir := expecting(t, engine, sums, "3\n", map[string]string{"four": "4\n", "ten": "the sum is 10\n"},
			"start", "continue", `expect "the sum is 6\n"`, "repair", "diff",
			"start < four", "continue", "expect < ten", "repair", "expect", "rewrite fixed.c")
		for _, want := range []string{
			`asserted: the run with the input "3\n" prints "the sum is 6\n", and nothing else` + "\n" + `it prints "the sum is 3\n"`,
			"prog.c:7: i < n  =>  i <= n\nThe repaired program prints what you asserted in 1 run",
			"+\tfor (i = 0; i <= n; i++)",
			"(gulo) continue\nthe sum is 10\n", // the repaired program runs
			"that is what it prints",
			"nothing to repair: the program prints what you asserted in 2 runs, and no other run was looked at",
			`asserted: the run with the input "3\n" prints "the sum is 6\n"` + "\n" + `asserted: the run with the input "4\n" prints "the sum is 10\n"`,
		} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: the session does not say %q:\n%s", engine, want, out)
			}
		}
		if said[engine] = out; code != 0 {
			t.Errorf("%s: status %d", engine, code)
			continue
		}
		printsAs(t, filepath.Join(dir, "fixed.c"), "5\n", "the sum is 15\n")
	}
	if said["machine"] != said["gdb"] {
		t.Errorf("the machine's session:\n%s\ngdb's:\n%s", said["machine"], said["gdb"])
	}
}

// TestExpectBlanks: an edit of a text's blanks beside another edit is not lost.
func TestExpectBlanks(t *testing.T) {
	text := strings.Replace(sums, "the sum is %d", "the sum is  %d", 1)
	out, code, dir := expecting(t, "machine", text, "3\n", map[string]string{}, "start", `expect "the sum is 6\n"`, "repair", "expect", "rewrite fixed.c")
	for _, want := range []string{
		`prog.c:9: printf("the sum is  %d\n", sum)  =>  printf("the sum is %d\n", sum)`,
		"The repaired program prints what you asserted in 1 run",
		`the run with the input "3\n" prints "the sum is 6\n"` + "\nasserted",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the session does not say %q:\n%s", want, out)
		}
	}
	if code != 0 {
		t.Fatalf("status %d:\n%s", code, out)
	}
	printsAs(t, filepath.Join(dir, "fixed.c"), "5\n", "the sum is 15\n")
}

// TestExpectEnds: where a program prints something else, white space at the ends does not count, which the answer says;
// asserted again, it counts.
func TestExpectEnds(t *testing.T) {
	text := strings.Replace(sums, `%d\n"`, `%d"`, 1)
	out, code, dir := expecting(t, "machine", text, "3\n", map[string]string{}, "start", `expect "the sum is 6\n"`, "repair", `expect "the sum is 6\n"`, "repair", "rewrite fixed.c")
	for _, want := range []string{
		"The repaired program prints what you asserted in 1 run apart from white space at the ends of lines or of the output (assert it again if that counts)\n",
		"they differ in white space at the ends of lines or of the output alone, so that counts",
		"The repaired program prints what you asserted in 1 run\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the session does not say %q:\n%s", want, out)
		}
	}
	if code != 0 {
		t.Fatalf("status %d:\n%s", code, out)
	}
	printsAs(t, filepath.Join(dir, "fixed.c"), "5\n", "the sum is 15\n")
}

// TestExpectAndDraw draws where a link is wrong, and also says what should be printed.
func TestExpectAndDraw(t *testing.T) {
	out, code, dir := expecting(t, "machine", queueing, "1 2 3\n", map[string]string{},
		"start", "break append times 3", "continue", "finish", "change n2->next n3", "change n1->next n2", "spec",
		"expect 1 2 3", "repair", "rewrite fixed.c")
	if code != 0 || !strings.Contains(out, "The repaired program prints what you asserted in 1 run, and comes to 1 picture that you drew\n") {
		t.Fatalf("status %d:\n%s", code, out)
	}
	fixed := filepath.Join(dir, "fixed.c")
	text, err := os.ReadFile(fixed)
	if err != nil || !strings.Contains(string(text), "tail->next = n;") {
		t.Errorf("the link is as it was (%v):\n%s", err, text)
	}
	program := filepath.Join(t.TempDir(), "program")
	if out, err := exec.Command("gcc", "-o", program, fixed).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	c := exec.Command(program)
	c.Stdin = strings.NewReader("4 5 6 7\n")
	if got, err := c.Output(); err != nil || strings.TrimSpace(string(got)) != "4 5 6 7" {
		t.Errorf("it prints %q (%v)\n%s", got, err, text)
	}
}

// TestExpectRefused: what expect does not take, and what it says if there is no repair.
func TestExpectRefused(t *testing.T) {
	for _, x := range []struct {
		name     string
		stdin    string
		commands []string
		code     int
		want     []string
	}{
		{"before start", "", []string{"expect 6"}, 2, []string{"error: the program is not running; use start"}},
		{"a file that is not there", "3", []string{"start", "expect < nowhere"}, 2, []string{"error: open nowhere: no such file"}},
		{"a quotation mark is missing", "3", []string{"start", `expect "6`}, 2, []string{`error: "6 is no text in quotation marks`}},
		{"nothing", "3", []string{"start", "expect", "expect 6", "expect -", "expect", "repair"}, 2,
			[]string{"expect TEXT says what this run should print", "nothing is asserted of what the program prints\n", "error: nothing is asserted yet"}},
		{"taken back", "3", []string{"start", "expect 6", "undo", "expect"}, 0, []string{"nothing is asserted of what the program prints; expect"}},
		{"said anew", "3", []string{"start", "expect 6", "expect the sum is 3", "repair"}, 0, []string{"nothing to repair: the program prints what you asserted in 1 run"}},
		{"white space alone", "3", []string{"start", `expect "the sum is 3"`, "repair", "diff"}, 0, []string{"so that counts", `+	printf("the sum is %d", sum);`}},
		{"only pictures are ranked", "3", []string{"start", "expect 6", "locate"}, 2, []string{"error: only the program's output is asserted"}},
		{"no repair", "3", []string{"start", "expect a frog is green and has four legs", "lock 5", "lock 6", "lock 7", "lock 8", "lock 9", "repair --limit 2s"}, 1, []string{"error: no repair found"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			out, code, _ := expecting(t, "machine", sums, x.stdin, map[string]string{}, x.commands...)
			for _, want := range x.want {
				if !strings.Contains(out, want) {
					t.Errorf("it does not say %q", want)
				}
			}
			if code != x.code || t.Failed() {
				t.Errorf("status %d, want %d:\n%s", code, x.code, out)
			}
		})
	}
}

// TestExpectOnGdbWaiting gives a program its input at the prompt before what it should print is asserted.
func TestExpectOnGdbWaiting(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{"prog.c": sums, "script": "start\ncontinue\nexpect 6\ninput 3\nexpect the sum is 6\nrepair\n"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	code, out, errs := gulo(t, "", "debug", "--script", "script", "prog.c")
	out += errs
	if !strings.Contains(out, "i < n  =>  i <= n") {
		t.Errorf("status %d:\n%s", code, out)
	}
}

// TestExpectCall goes on in the process that runs with a repair that prints.
func TestExpectCall(t *testing.T) {
	text := strings.Replace(sums, `for (i = 0; i < n; i++)`, `for (i = 1; i <= n; i++)`, 1)
	text = strings.Replace(text, `printf("the sum is %d\n", sum);`, "printf(\"the sum is: %d\\n\", sum);\n\tsum = 0;", 1)
	said := map[string]string{}
	for _, engine := range []string{"machine", "gdb"} {
		out, code, _ := expecting(t, engine, text, "3\n", map[string]string{"four": "4\n"},
			"start", `expect "the sum is 6\n"`, "repair", "next 20", "start < four", "continue")
		for _, want := range []string{"(gulo) continue\nthe sum is 10\n"} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: the session does not say %q:\n%s", engine, want, out)
			}
		}
		if said[engine] = out; code != 0 {
			t.Errorf("%s: status %d", engine, code)
		}
	}
	if said["machine"] != said["gdb"] {
		t.Errorf("the machine's session:\n%s\ngdb's:\n%s", said["machine"], said["gdb"])
	}
}
