package app

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// manyLoads lets TestLoad ask all its questions, those with sessions too, beside six busy loops.
var manyLoads = flag.Bool("load", false, "TestLoad asks about all programs of examples/class and plays sessions, too, beside six busy loops")

// counting is a program that fails three of its tests because of two mistakes: the numbers below zero count, and the
// average is rounded down.
const counting = `#include <stdio.h>

int main(void) {
    int n, x, sum = 0, many = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%d", &x);
        if (x > -100) {
            sum += x;
            many++;
        }
    }
    printf("%d\n", many);
    printf("%d\n", many ? sum / many : 1);
    return 0;
}
`

var countingTests = map[string]string{"3 1 2 3": "3\n2\n", "4 5 -1 7 -8": "2\n6\n", "2 -1 -2": "0\n0\n", "0": "0\n0\n", "1 9": "1\n9\n", "3 -5 4 4": "2\n4\n"}

// TestLoad: an answer does not depend on what else the machine does. The test reads no clock. It asks each question
// twice, the second time beside busy loops, and compares the two answers byte for byte, apart from durations.
func TestLoad(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	own := file("counting.c", counting)
	for i, in := range slices.Sorted(maps.Keys(countingTests)) {
		file(fmt.Sprintf("tests/%d.in", i), in+"\n")
		file(fmt.Sprintf("tests/%d.out", i), countingTests[in])
	}
	tests := filepath.Join(dir, "tests")
	const examples, class = "../../examples/", "../../examples/class/"
	list := []string{
		"fix --tests " + tests + " " + own,
		"fix --reference " + class + "tree/reference.c " + class + "tree/anna.c",
		"fix --contracts " + examples + "largest.c",
		"fix --memory " + examples + "stack.c -- 1 2 3 4 pop",
		"fix --work 20ms --tests " + tests + " " + own, // ends by its work
		"locate --reference " + class + "unlink/reference.c " + class + "unlink/bela.c",
	}
	loops := 2
	if testing.Short() {
		list = []string{list[0], list[4]}
	}
	if *manyLoads {
		loops = 6
		list = append(list, "fix --assert "+examples+"max.c", "fix --work 30ms --assert "+examples+"max.c", "fix --work 30ms --contracts "+examples+"largest.c", "locate --work 100ms --contracts "+examples+"largest.c", "locate --contracts "+examples+"largest.c", "fix --method heap --reference "+class+"insert/reference.c "+class+"insert/gina.c")
		programs, err := filepath.Glob(class + "*/*.c")
		if err != nil || len(programs) < 30 {
			t.Fatal(len(programs), err)
		}
		for _, p := range programs {
			if right := filepath.Join(filepath.Dir(p), "reference.c"); p != right {
				list = append(list, "fix --reference "+right+" "+p)
			}
		}
		list = append(list, sessions(t, file)...)
	}
	idle := make([]string, len(list))
	for i, q := range list {
		idle[i] = answer(t, q)
	}
	for range loops {
		c := exec.Command("sh", "-c", "while :; do :; done")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = c.Process.Kill()
			_ = c.Wait()
		})
	}
	for i, q := range list {
		if busy := answer(t, q); busy != idle[i] {
			t.Errorf("gulo %s\nbeside %d loops:\n%s\nwithout:\n%s", q, loops, busy, idle[i])
		}
	}
	t.Logf("%d answers compared", len(list))
}

// everySession says that TestLoad plays one in so many sessions of package shell.
const everySession = 4

// sessions returns questions that play sessions of package shell, without the commands that write files.
func sessions(t *testing.T, file func(name, text string) string) (list []string) {
	t.Helper()
	paths, err := filepath.Glob("../shell/testdata/*.txtar")
	if err != nil || len(paths) < 50 {
		t.Fatal(len(paths), err)
	}
	for i := 0; i < len(paths); i += everySession {
		ar, err := txtar.ParseFile(paths[i])
		if err != nil {
			t.Fatal(err)
		}
		text := map[string]string{}
		for _, f := range ar.Files {
			text[f.Name] = string(f.Data)
		}
		lines := slices.DeleteFunc(strings.Split(text["script"], "\n"), func(l string) bool { return strings.HasPrefix(l, "rewrite") || strings.HasPrefix(l, "state svg") })
		name := strings.TrimSuffix(filepath.Base(paths[i]), ".txtar")
		list = append(list, "debug --engine machine --script "+file(name+"/script", strings.Join(lines, "\n"))+" "+file(name+"/prog.c", text["prog.c"]))
	}
	return list
}

// answer returns what gulo says, without durations, and its exit code. Its time limit is far away.
func answer(t *testing.T, question string) string {
	t.Helper()
	words := strings.Fields(question)
	if words[0] == "debug" {
		code, out, errs := gulo(t, "", words...)
		return fmt.Sprintf("%s%s\nexit %d", out, errs, code)
	}
	args := slices.Concat(words[:1], []string{"--format", "json", "--limit", "10m"}, words[1:])
	code, out, errs := gulo(t, "", args...)
	var doc any
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatalf("gulo %s: %v\n%s%s", question, err, out, errs)
	}
	text, err := json.MarshalIndent(timeless(doc), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%s\nexit %d", text, code)
}

// timeless takes durations out of a document.
func timeless(x any) any {
	switch x := x.(type) {
	case map[string]any:
		for _, k := range []string{"ms", "millis", "took", "took_ms", "times"} {
			delete(x, k)
		}
		for k := range x {
			x[k] = timeless(x[k])
		}
	case []any:
		for i := range x {
			x[i] = timeless(x[i])
		}
	}
	return x
}

// TestWork: --work may not be more than --limit, and a search that its work ends says so.
func TestWork(t *testing.T) {
	files := map[string]string{"counting.c": counting}
	for in, out := range countingTests {
		name := "tests/" + strings.ReplaceAll(in, " ", "_")
		files[name+".in"], files[name+".out"] = in+"\n", out
	}
	writeTree(t, files)
	for _, x := range []struct {
		code       int
		args, want string
	}{
		{2, "--work 20s --limit 2s", "--work 20s is more than --limit 2s"},
		{3, "--work 1us", "give more time with --limit or --work"},
		{0, "--work 1h --limit 2h", "+        if (x >"},
	} {
		code, out, errs := gulo(t, "", append(append([]string{"fix"}, strings.Fields(x.args)...), "--tests", "tests", "counting.c")...)
		if code != x.code || !strings.Contains(out+errs, x.want) {
			t.Errorf("%s: %d\n%s%s", x.args, code, out, errs)
		}
	}
}
