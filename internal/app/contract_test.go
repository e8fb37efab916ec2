package app

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestContracts checks the exit codes and formats of run, fix and locate with contracts.
func TestContracts(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const faulty = "../../examples/largest.c"
	text, err := os.ReadFile(faulty)
	if err != nil {
		t.Fatal(err)
	}
	right := file("right.c", strings.Replace(string(text), "s > a[i]", "s < a[i]", 1))
	plain := file("plain.c", "int f(int x) { return x; }\nint main(void) { return f(2); }\n")
	js := file("c.json", `{"entry": "largest", "pre": "n > 0", "post": "forall(i, 0, n, result >= a[i])", "inputs": [{"name": "n", "min": 1, "max": 4}]}`)
	bad := file("bad.json", "{\"entry\": \"largest\",\n \"post\": \"result >= b[0]\"}")
	small := file("small.json", `{"entry": "largest", "pre": "n > 0", "post": "forall(i, 0, n, result >= a[i]) && exists(i, 0, n, result == a[i])",
 "inputs": [{"name": "a", "len": 3, "min": -9, "max": 9}, {"name": "n", "min": 1, "max": 3}]}`)
	out := filepath.Join(dir, "fixed.c")
	searches := 0
	for _, x := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"run", []string{"run", "--contracts", faulty}, 1, "largest.c:5:10: the postcondition of largest does not hold after largest(a=[-2,5,3], n=3): result >= a[i] (-2 >= 5), for i = 1"},
		{"run, kept", []string{"run", "--contracts", right}, 0, "5\n"},
		{"run, file", []string{"run", "--contract", js, faulty}, 1, "c.json:1:"},
		{"run, no contract", []string{"run", "--contracts", plain}, 2, "there is no contract in a comment"},
		{"run, bad contract", []string{"run", "--contract", bad, faulty}, 2, `bad.json:2:21: no variable "b" here`},
		{"fix", []string{"fix", "--contracts", "--explain", "--trace", "--rewrite", out, faulty}, 0, "+        if (s < a[i])"},
		{"fix, dices", []string{"fix", "--contracts", "--dices", faulty}, 0, "+        if (s < a[i])"},
		{"fix, file", []string{"fix", "--contract", js, faulty}, 0, "keeps the contract on all"},
		{"fix, sarif", []string{"fix", "--contracts", "--format", "sarif", faulty}, 0, `"startLine": 11`},
		{"fix, right", []string{"fix", "--contracts", right}, 1, "no call found that breaks the contract, which is no proof"},
		{"fix, no contract", []string{"fix", "--contracts", plain}, 2, "there is no contract"},
		{"fix, two specifications", []string{"fix", "--contracts", "--reference", right, faulty}, 0, "+        if (s < a[i])"},
		{"fix, two contracts", []string{"fix", "--contracts", "--contract", js, faulty}, 2, "give one"},
		{"fix, by logic", []string{"fix", "--method", "template", "--contract", small, faulty}, 0, "that meet the precondition of largest; checked: assertions and errors"},
		{"fix, from cases", []string{"fix", "--method", "heap", "--contracts", faulty}, 2, "--contracts does not work with --method heap"},
		{"fix, by logic, bad contract", []string{"fix", "--method", "template", "--contract", bad, faulty}, 2, `bad.json:2:21: no variable "b" here`},
		{"fix, by cases, two specifications", []string{"fix", "--method", "heap", "--contracts", "--reference", right, faulty}, 0, "keeps the contract on all"},
		{"locate, by logic", []string{"locate", "--method", "diagnosis", "--contract", small, faulty}, 0, "the postcondition of largest does not hold"},
		{"locate", []string{"locate", "--contracts", "--explain", faulty}, 0, "they exclude each other"},
		{"locate, all", []string{"locate", "--method", "all", "--contract", small, faulty}, 0, "gradient diagnosis  evidence  spectrum"},
		{"locate, nothing given", []string{"locate", "--method", "all", faulty}, 2, "what is right? give --reference"},
		{"locate, all, with a reference too", []string{"locate", "--method", "all", "--contracts", "--reference", right, faulty}, 0, "diagnosis  evidence  spectrum"},
	} {
		if x.args[0] != "run" && x.code < exitUsage {
			searches++
			if testing.Short() && searches%6 != 1 {
				continue
			}
			bound := []string{"--work", "20s"} // a busy machine comes to --limit sooner
			if x.args[0] == "locate" && !slices.Contains(x.args, "all") {
				bound = []string{"--limit", "3m"}
			}
			x.args = append(x.args, bound...)
		}
		code, stdout, stderr := gulo(t, "", x.args...)
		if code != x.code || !strings.Contains(stdout+stderr, x.want) {
			t.Errorf("%s: %d, want %d with %q:\n%s%s", x.name, code, x.code, x.want, stdout, stderr)
		}
	}
	if fixed, err := os.ReadFile(out); err != nil || !strings.Contains(string(fixed), "if (s < a[i])") {
		t.Error("--rewrite:", err, string(fixed))
	}
	var fix struct {
		Result      string
		Explanation []string
		Repairs     []struct{ Edits []struct{ Line int } }
	}
	_, doc, _ := gulo(t, "", "fix", "--contracts", "--format", "json", faulty)
	if err := json.Unmarshal([]byte(doc), &fix); err != nil || fix.Result != "repaired" || len(fix.Explanation) == 0 || fix.Repairs[0].Edits[0].Line != 11 {
		t.Errorf("%v %s", err, doc)
	}
	type line struct {
		Line  int
		Ranks map[string]float64
	}
	var all struct{ Ranking []line }
	if testing.Short() {
		return
	}
	_, doc, _ = gulo(t, "", "locate", "--method", "all", "--contracts", "--format", "json", faulty)
	if err := json.Unmarshal([]byte(doc), &all); err != nil {
		t.Fatal(err)
	}
	if i := slices.IndexFunc(all.Ranking, func(l line) bool { return l.Line == 11 }); i < 0 || i > 1 || all.Ranking[i].Ranks["evidence"] != 1 {
		t.Errorf("line 11 is not one of the first two, or not evidence's first: %s", doc)
	}
}
