package app

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// asked is a request of fix that has a repair.
type asked struct {
	name, file string
	args       []string
}

// requests returns a request for each engine and form of specification.
func requests(t *testing.T) []asked {
	const right = "#include <stdio.h>\nint largest(const int *a, int n)\n{\n    int best = a[0];\n    for (int i = 1; i < n; i++)\n        if (a[i] > best)\n            best = a[i];\n    return best;\n}\nint main(void)\n{\n    int a[] = {3, 9, 4};\n    printf(\"%d\\n\", largest(a, 3));\n    return 0;\n}\n"
	wrong := strings.Replace(right, "a[i] > best", "a[i] < best", 1)
	number := "#include <assert.h>\nint twice(int x)\n{\n    if (x < 0 || x >= 100)\n        return 0;\n    /* Grüße */ int r = x + x + 1;\n    assert(r == 2 * x);\n    return r;\n}\n"
	max := "/* pre: n > 0 && n < 5\n   post: forall(i, 0, n, result >= a[i]) */\n"
	ref := writeFile(t, "ref.c", right)
	tests := t.TempDir()
	if err := os.WriteFile(filepath.Join(tests, "one.out"), []byte("9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	head, body, _ := strings.Cut(wrong, "int largest")
	kept := head + max + "int largest" + body
	list := []asked{
		{"cases", "../../examples/class/insert/carl.c", []string{"--reference", insert + "reference.c"}},
		{"cases of numbers", writeFile(t, "p.c", wrong), []string{"--method", "heap", "--reference", ref, "--entry", "largest"}},
		{"runs", writeFile(t, "p.c", wrong), []string{"--tests", tests}},
		{"logic", writeFile(t, "p.c", wrong), []string{"--method", "template", "--reference", ref}},
		{"assertions", writeFile(t, "p.c", number), []string{"--assert"}},
		{"contract by logic", writeFile(t, "p.c", kept), []string{"--method", "template", "--contracts"}},
		{"contract by evidence", writeFile(t, "p.c", kept), []string{"--contracts"}},
	}
	return list
}

// TestLock: no engine edits a locked line, by any kind of edit.
func TestLock(t *testing.T) {
	for i, x := range requests(t) {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(x.name, func(t *testing.T) {
			before, err := os.ReadFile(x.file)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(string(before), "\n")
			var locked []string
			for round := 0; round < 3; round++ {
				to := filepath.Join(t.TempDir(), "fixed.c")
				limit := "5m"
				if round > 0 {
					limit = "1s"
				}
				args := append([]string{"fix", "--limit", limit, "--format", "json", "--rewrite", to}, x.args...)
				if len(locked) > 0 {
					args = append(args, "--lock", strings.Join(locked, ","))
				}
				code, o, e := gulo(t, "", append(args, x.file)...)
				var doc struct {
					Repairs []struct{ Edits []struct{ Line int } }
				}
				if code == 2 || json.Unmarshal([]byte(o), &doc) != nil || round == 0 && (code != 0 || len(doc.Repairs) == 0) {
					t.Fatalf("round %d: %d %s%s", round, code, o, e)
				}
				if len(doc.Repairs) == 0 {
					return
				}
				text, err := os.ReadFile(to)
				if err != nil {
					if code != 0 {
						return // the nearest, refuted
					}
					t.Fatal(err)
				}
				for _, l := range locked {
					n, _ := strconv.Atoi(l)
					if strings.Count(string(text), lines[n-1]+"\n") < strings.Count(string(before), lines[n-1]+"\n") {
						t.Errorf("line %s is locked, and changed:\n%s", l, text)
					}
				}
				for _, e := range doc.Repairs[0].Edits {
					for _, l := range locked {
						if l == strconv.Itoa(e.Line) && !strings.Contains(string(text), lines[e.Line-1]) {
							t.Errorf("line %s is locked, and edited", l)
						}
					}
					locked = append(locked, strconv.Itoa(e.Line))
				}
			}
		})
	}
	for _, method := range []string{"heap", "template"} {
		code, o, e := gulo(t, "", "fix", "--method", method, "--lock", "999", "--reference", insert+"reference.c", insert+"carl.c")
		if code != 2 || !strings.Contains(o+e, "--lock 999: there is no such line") {
			t.Errorf("%s: %d %s%s", method, code, o, e)
		}
	}
}

// TestSARIF: the replacements of every repair, applied to the file, give what --rewrite writes, and the document
// keeps the rules of SARIF 2.1.0.
func TestSARIF(t *testing.T) {
	for i, x := range requests(t) {
		if testing.Short() && i%2 != 0 {
			continue
		}
		to := filepath.Join(t.TempDir(), "fixed.c")
		code, o, e := gulo(t, "", append(append([]string{"fix", "--work", "20s", "--limit", "5m", "--format", "sarif", "--rewrite", to}, x.args...), x.file)...)
		if code != 0 {
			t.Fatalf("%s: %d %s%s", x.name, code, o, e)
		}
		var doc struct {
			Version string
			Runs    []struct {
				ColumnKind string
				Results    []struct {
					RuleID    string
					Message   struct{ Text string }
					Locations []json.RawMessage
					Fixes     []struct {
						ArtifactChanges []struct {
							ArtifactLocation struct{ URI string }
							Replacements     []struct {
								DeletedRegion struct {
									StartLine, StartColumn, EndLine, EndColumn int
								}
								InsertedContent struct{ Text string }
							}
						}
					}
				}
			}
		}
		if err := json.Unmarshal([]byte(o), &doc); err != nil {
			t.Fatal(err)
		}
		r := doc.Runs[0].Results
		if doc.Version != "2.1.0" || doc.Runs[0].ColumnKind != "unicodeCodePoints" || len(r) == 0 || len(r[0].Fixes) != 1 || r[0].Message.Text == "" || len(r[0].Locations) == 0 {
			t.Fatalf("%s: %s", x.name, o)
		}
		before, err := os.ReadFile(x.file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(to)
		if err != nil {
			t.Fatal(err)
		}
		changes := r[0].Fixes[0].ArtifactChanges
		if len(changes) != 1 || len(changes[0].Replacements) == 0 || !strings.HasSuffix(changes[0].ArtifactLocation.URI, filepath.Base(x.file)) {
			t.Fatalf("%s: %s", x.name, o)
		}
		text := string(before)
		list := changes[0].Replacements
		for i := len(list) - 1; i >= 0; i-- { // from behind, so that places stay
			d := list[i].DeletedRegion
			if d.StartLine < 1 || d.StartColumn < 1 || d.EndLine < d.StartLine || d.EndLine == d.StartLine && d.EndColumn < d.StartColumn {
				t.Fatalf("%s: region %+v", x.name, d)
			}
			from, till := offset(text, d.StartLine, d.StartColumn), offset(text, d.EndLine, d.EndColumn)
			text = text[:from] + list[i].InsertedContent.Text + text[till:]
		}
		if text != string(want) {
			t.Errorf("%s: the fix gives\n%s\nand --rewrite\n%s", x.name, text, want)
		}
	}
}

// offset finds a place by line and column in characters.
func offset(text string, line, column int) int {
	at := 0
	for ; line > 1; line-- {
		at += strings.IndexByte(text[at:], '\n') + 1
	}
	for ; column > 1; column-- {
		_, n := utf8.DecodeRuneInString(text[at:])
		at += n
	}
	return at
}
