package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestGate measures on a program of a small corpus, continues from records that are there, and compares.
func TestGate(t *testing.T) {
	t.Parallel()
	const corpus = "../bench/gate/testdata/corpus"
	file := filepath.Join(t.TempDir(), "now.json")
	args := []string{"bench", "gate", corpus, "--program", "largest", "--made", "5", "--limit", "1m", "--json", file}
	code, out, e := gulo(t, "", append(args, "--mode", "tests")...)
	if code != 0 || !strings.Contains(out, "1 program drawn of 4") || !strings.Contains(strings.Join(strings.Fields(out), " "), "all 1 1 0 0 0 0 100 % (21 to 100)") {
		t.Fatalf("%d\n%s%s", code, out, e)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(t.TempDir(), "old.json")
	changed := strings.Replace(string(before), `"class":"right"`, `"class":"none","cause":"time limit"`, 1)
	if err := os.WriteFile(old, []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	code, out, e = gulo(t, "", append(args, "--mode", "tests,locate", "--against", old)...)
	after, _ := os.ReadFile(file)
	if code != 0 || !strings.HasPrefix(string(after), string(before)) || strings.Count(string(after), "\n") != 3 {
		t.Errorf("%d: the records are\n%s\nit prints\n%s%s", code, after, out, e)
	}
	for _, want := range []string{"1 changed\n  largest: none (time limit), now right", "gulo locate"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for _, x := range []struct {
		want string
		args []string
	}{
		{"name one folder", []string{}},
		{"is no folder of programs", []string{"nowhere"}},
		{"holds no programs", []string{t.TempDir()}},
		{`no mode "magic"`, []string{corpus, "--mode", "magic"}},
		{`no program "magic"`, []string{corpus, "--program", "magic"}},
		{"nobody works", []string{corpus, "--jobs", "0"}},
		{"of another measurement", []string{corpus, "--json", file}},
		{"no such file", []string{corpus, "--against", "nowhere"}},
	} {
		if code, _, e := gulo(t, "", append([]string{"bench", "gate"}, x.args...)...); code != exitUsage || !strings.Contains(e, x.want) {
			t.Errorf("%v: %d %s", x.args, code, e)
		}
	}
}

// TestGateSessions plays sessions with two programs of a small corpus: one is drawn, one ends in an error before anything differs.
func TestGateSessions(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "now.json")
	code, out, e := gulo(t, "", "bench", "gate", "../bench/gate/testdata/corpus", "--program", "sum_driver,queue", "--mode", "sessions", "--limit", "1m", "--json", file)
	for _, want := range []string{"all 2 2 0 0 0 0 100 % (34 to 100) 4, 7 ", "the first repair meets the test that was played: 2; another session was played: 0"} {
		if code != 0 || !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("%d: no %q in\n%s%s", code, want, out, e)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), `"shown":"6: for (int i = 1; i \u003c n; i++) =\u003e for (int i = 0; i \u003c n; i++)"`) || !strings.Contains(string(text), `"change i 0","spec"],"drawn":1`) || !strings.Contains(string(text), `"typed":["start"],"drawn":0,"prints":true`) {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestGateRounds: after a repair the session goes on while a test fails. Two statements are wrong, each of which
// shows in another picture.
func TestGateRounds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := func(s, p int) string {
		return fmt.Sprintf("#include <stdio.h>\nint main(void)\n{\n    int x, s = %d, p = 1;\n    while (scanf(\"%%d\", &x) == 1)\n        s += x;\n    printf(\"%%d\\n\", s);\n"+
			"    for (int i = %d; i <= s; i++)\n        p *= i;\n    printf(\"%%d\\n\", p);\n    return 0;\n}\n", s, p)
	}
	for name, text := range map[string]string{"wrong.c": text(1, 0), "right.c": text(0, 1), "tests/a.in": "1 2\n", "tests/b.in": "1 3\n"} {
		path := filepath.Join(dir, "two", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "now.json")
	code, out, e := gulo(t, "", "bench", "gate", dir, "--mode", "sessions", "--limit", "1m", "--json", file)
	record, err := os.ReadFile(file)
	for _, want := range []string{`"change s 0","spec"],"drawn":1`, `"met":false`, `"change i 1","spec"],"drawn":1,"prints":true`, `"met":true`, `"class":"right"`} {
		if code != 0 || err != nil || !strings.Contains(string(record), want) {
			t.Errorf("%d %v: no %s in\n%s%s\n%s", code, err, want, out, e, record)
		}
	}
}

// TestMine counts rules on a small corpus, writes records and the table, and goes on after the records.
func TestMine(t *testing.T) {
	t.Parallel()
	const corpus = "../bench/gate/testdata/corpus"
	table, file := filepath.Join(t.TempDir(), "mined.txt"), filepath.Join(t.TempDir(), "mined.json")
	code, out, e := gulo(t, "", "mine", corpus, "--sample", "3", "--table", table, "--json", file)
	text, err := os.ReadFile(table)
	if code != 0 || err != nil || !strings.Contains(out, "corrections read of 3 drawn") || !strings.HasPrefix(string(text), "# corrections 3, places ") {
		t.Errorf("%d %v\n%s%s%s", code, err, out, e, text)
	}
	before, err := os.ReadFile(file)
	if err != nil || strings.Count(string(before), "\n") != 4 {
		t.Fatalf("%v\n%s", err, before)
	}
	// A record that no run would write shows that it was not mined again.
	name := regexp.MustCompile(`"program":"(\w+)"`).FindStringSubmatch(string(before))[1]
	lines := strings.SplitAfter(string(before), "\n")
	kept := lines[0] + `{"program":"` + name + `","left":"it was read"}` + "\n" + lines[2][:20]
	if err := os.WriteFile(file, []byte(kept), 0o644); err != nil {
		t.Fatal(err)
	}
	code, out, e = gulo(t, "", "mine", corpus, "--sample", "3", "--json", file)
	if after, _ := os.ReadFile(file); code != 0 || !strings.Contains(out, "1  left out: it was read") || !strings.Contains(out, "2 corrections read of 3 drawn") || strings.Count(string(after), "\n") != 4 {
		t.Errorf("%d\n%s%s%s", code, out, e, after)
	}
	for _, x := range [][]string{
		{"name one folder"}, {"is no folder of programs", "nowhere"}, {"holds no pairs", t.TempDir()},
		{"of another measurement", corpus, "--seed", "2", "--json", file}, {"no file of gulo mine", corpus, "--json", table},
	} {
		if code, _, e := gulo(t, "", append([]string{"mine"}, x[1:]...)...); code != exitUsage || !strings.Contains(e, x[0]) {
			t.Errorf("%v: %d %s", x, code, e)
		}
	}
}

// TestMineStopped: ^C prints what was counted, and the same command goes on.
func TestMineStopped(t *testing.T) {
	t.Parallel()
	corpus, file := t.TempDir(), filepath.Join(t.TempDir(), "mined.json")
	text := "#include <stdio.h>\n" + strings.Repeat("int fN(int *a, int n) { int s = 0, t = 1; for (int i = 0; i < n; i++) { if (a[i] > s && n > t) s += a[i] * t; else t = s + 1; } return s; }\n", 8)
	for strings.Contains(text, "fN") {
		text = strings.Replace(text, "fN", "f"+strconv.Itoa(strings.Count(text, "fN")), 1)
	}
	for i := range 200 {
		dir := filepath.Join(corpus, strconv.Itoa(i))
		if err := errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "wrong.c"), []byte(text), 0o600),
			os.WriteFile(filepath.Join(dir, "right.c"), []byte(strings.Replace(text, "i < n", "i <= n", 1)), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	r := prepare(t, longJob{args: []string{"mine", corpus, "-j", "1", "--json", file}, text: text})
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for {
		if b, _ := os.ReadFile(file); strings.Count(string(b), "\n") > 1 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	_ = r.cmd.Process.Signal(os.Interrupt)
	if code := r.end(t, 100*time.Second); code != 130 || !strings.Contains(r.errs.String(), "interrupted; the same command goes on") {
		t.Errorf("code %d:\n%s", code, r.errs.String())
	}
	for _, want := range []string{"read of 200 drawn", "not looked at yet", "values: another comparison"} {
		if !strings.Contains(r.out.String(), want) {
			t.Errorf("no %q in\n%s", want, r.out.String())
		}
	}
	code, out, e := gulo(t, "", "mine", corpus, "--sample", "1", "--json", file)
	if code != 0 || !strings.Contains(out, "1 correction read of 1 drawn") {
		t.Errorf("%d\n%s%s", code, out, e)
	}
}
