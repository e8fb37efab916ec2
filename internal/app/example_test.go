package app

import (
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"gulo/internal/process"
)

// This file runs the examples that --help prints.

// needs matches examples that need more than files: servers, running processes, builds, days.
var needs = regexp.MustCompile(`nats://|--attach|-p [\w.]|-- make|\./server|--ts |gulo (bench|mine|dap|web)\b|\.\.\.`)

// long matches examples that take seconds.
var long = regexp.MustCompile(`gulo (campaign|cc|locate|check (--debug|--rules|list))\b`)

// exampleFiles are the files that the examples name.
var exampleFiles = map[string]string{
	"list.c":                  `#include <stdio.h>` + exampleList,
	"right.c":                 strings.Replace(`#include <stdio.h>`+exampleList, "return n; // wrong", "return head;", 1),
	"wrong.c":                 `#include <stdio.h>` + exampleList,
	"prog.c":                  `#include <stdio.h>` + exampleList,
	"main.c":                  "#include \"queue.h\"\nint main(int argc, char **argv)\n{\n    return put(argc);\n}\n",
	"queue.c":                 "#include \"include/queue.h\"\nint put(int n)\n{\n    return n - n;\n}\n",
	"include/queue.h":         "int put(int n);\n",
	"queue.h":                 "int put(int n);\n",
	"editor.c":                "#include <termios.h>\n#include <unistd.h>\nint main(void)\n{\n    struct termios t;\n    char c;\n    if (tcgetattr(0, &t) < 0)\n        return 1;\n    cfmakeraw(&t);\n    tcsetattr(0, TCSAFLUSH, &t);\n    return read(0, &c, 1) != 1;\n}\n",
	"menu.c":                  "#include <stdio.h>\nint main(void)\n{\n    int n = 0;\n    scanf(\"%d\", &n);\n    printf(\"%d\\n\", n);\n    return 0;\n}\n",
	"input.txt":               "3\n",
	"max.c":                   "#include <assert.h>\n/* pre: x > -100\n   post: result >= x && result >= y */\nint max(int x, int y)\n{\n    int r = x;\n    if (y > x)\n        r = x;\n    assert(r >= x && r >= y);\n    return r;\n}\nint main(void)\n{\n    return max(3, 2) - 3;\n}\n",
	"max.json":                `{"entry": "max", "post": "result >= x && result >= y", "inputs": [{"name": "x", "min": -3, "max": 3}, {"name": "y", "min": -3, "max": 3}]}`,
	"scan.c":                  "int main(void)\n{\n    return 0;\n}\n",
	"tax.c":                   "int tax(int income)\n{\n    return income > 10 ? income / 10 : 0;\n}\nint main(void)\n{\n    return tax(7);\n}\n",
	"ranges.json":             `{"entry": "tax", "inputs": [{"name": "income", "min": 0, "max": 30}]}`,
	"calls.txt":               "head=[1,2] key=2\nhead=[] key=1\n",
	"tests/one.args":          "3 1 2",
	"tests/one.out":           "2 1 3 \n",
	"session.gulo":            "start\nnext\nquit\n",
	"mine.rules":              "define Allocated(r) = exists event(_, malloc, _, bid) in Trace suchthat (bid == Bid(r))\ndefine Freed(r, r1) = exists event(_, free, r1, bid) in Trace suchthat (bid == Bid(r))\n[double_free] detect <Trace; free r>: Allocated(r) && Freed(r, r1): VPC(r), VPC(r1)\n",
	"submissions/ann.c":       `#include <stdio.h>` + exampleList,
	"submissions/bob.c":       strings.Replace(`#include <stdio.h>`+exampleList, "return n; // wrong", "return head;", 1),
	"submissions/reference.c": strings.Replace(`#include <stdio.h>`+exampleList, "return n; // wrong", "return head;", 1),
	"src/a.c":                 "int a(void)\n{\n    return 1;\n}\n",
}

const exampleList = `
#include <stdlib.h>
struct node { int key; struct node *next; };
struct node *insert(struct node *head, int key)
{
    struct node *n = malloc(sizeof *n);
    n->key = key;
    n->next = head;
    head = n;
    return n; // wrong
}
int main(int argc, char **argv)
{
    struct node *head = NULL;
    for (int i = 1; i < argc; i++)
        head = insert(head, atoi(argv[i]));
    for (; head; head = head->next)
        printf("%d ", head->key);
    printf("\n");
    return 0;
}
`

// TestExamples: every example that --help prints is accepted: its command has these flags and arguments. An example
// that needs nothing but files is run on some, and is not refused.
func TestExamples(t *testing.T) {
	dir := t.TempDir()
	for name, text := range exampleFiles {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS("../../examples")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	s := &streams{}
	var list []string
	var each func(c *cobra.Command)
	each = func(c *cobra.Command) {
		for _, line := range strings.Split(c.Example, "\n") {
			line, _, _ = strings.Cut(line, " # ")
			if line = strings.TrimSpace(line); line != "" && !c.Hidden && c.Name() != "completion" {
				list = append(list, line)
			}
		}
		for _, sub := range c.Commands() {
			each(sub)
		}
	}
	each(s.root())
	if len(list) < 40 {
		t.Fatalf("only %d examples", len(list))
	}
	slices.SortStableFunc(list, func(a, b string) int { // what is reported and shown has been run before
		return cmp.Compare(strings.Count(a, "campaign report")+strings.Count(a, "campaign status")+strings.Count(a, "--explain report"), strings.Count(b, "campaign report")+strings.Count(b, "campaign status")+strings.Count(b, "--explain report"))
	})
	for _, line := range slices.Compact(list) {
		t.Run(line, func(t *testing.T) { example(t, line) })
	}
}

// example runs an example, or only parses its flags if it needs more than files.
func example(t *testing.T, line string) {
	command, from, _ := strings.Cut(line, " < ")
	command, _, _ = strings.Cut(command, " > ")
	var args []string
	words, err := process.Words(command)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range words {
		files, err := filepath.Glob(w)
		if err != nil || len(files) == 0 || !strings.Contains(w, "*") {
			files = []string{w}
		}
		args = append(args, files...)
	}
	if _, value, ok := strings.Cut(args[0], "RULES="); ok {
		t.Setenv("GULO_RULES", value)
		args = args[1:]
	}
	if args[0] == "./configure" { // the project's own
		return
	}
	args = gccFlags(args[1:])
	if needs.MatchString(line) || testing.Short() && long.MatchString(line) {
		c, rest, err := (&streams{}).root().Find(args)
		if err == nil {
			err = c.ParseFlags(rest)
		}
		if err == nil {
			err = c.ValidateArgs(c.Flags().Args())
		}
		if err != nil {
			t.Error(err)
		}
		return
	}
	typed := "quit\n"
	if from != "" && args[0] != "debug" { // whose commands come from here, too, where it is no file
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		typed = string(text)
	}
	if args[0] == "fix" || args[0] == "locate" || args[0] == "explore" || strings.HasPrefix(line, "gulo campaign run") {
		args = append([]string{args[0], "--limit", "1s"}, args[1:]...)
		if args[0] == "campaign" {
			args = append([]string{"campaign", "run", "--limit", "1s"}, args[4:]...)
		}
	}
	code, out, errs := gulo(t, typed, args...)
	if code == exitUsage || code == exitBug {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}
