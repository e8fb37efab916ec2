package job

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInputs: --inputs and the list of a contract file are read alike, and what no input can meet
// is refused.
func TestInputs(t *testing.T) {
	for _, x := range []struct{ list, wrong string }{
		{`[{"name": "n", "min": -1, "max": 4}, {"name": "a", "len": 3, "output": true}]`, ""},
		{`[{"name": "n", "min": 4, "max": 4}]`, ""},
		{`[{"name": "n", "min": 5, "max": 4}]`, "no number is n: its min is 5, its max is 4"},
		{`[{"name": "n", "min": 1}, {"name": "n", "max": 4}]`, "n is listed twice"},
		{`[{"name": "a", "len": -3}]`, "the length of a is -3"},
		{`[{"min": 1}]`, "an input has no name"},
		{`[{"name": "n", "most": 1}]`, `unknown field "most"`},
		{`[{"name": "n", "min": 1.5}]`, "cannot unmarshal number 1.5"},
	} {
		file := filepath.Join(t.TempDir(), "i.json")
		if err := os.WriteFile(file, []byte(`{"entry": "f", "pre": "n > 0", "inputs": `+x.list+`}`), 0o600); err != nil {
			t.Fatal(err)
		}
		doc, err1 := ReadInputs(file)
		list, err2 := ParseInputs([]byte(x.list), "c.json")
		for _, err := range []error{err1, err2} {
			var use *UsageError
			if (err != nil) != (x.wrong != "") || err != nil && (!errors.As(err, &use) || !strings.Contains(err.Error(), x.wrong)) {
				t.Errorf("%s: %v, %q is wanted", x.list, err, x.wrong)
			}
		}
		if x.wrong != "" {
			continue
		}
		if len(list) != len(doc.Inputs) || doc.Entry != "f" || doc.Pre != "n > 0" || *list[0].Max != 4 || *doc.Inputs[0].Max != 4 || !list[0].Bounded() {
			t.Errorf("%s is read as %v and %v", x.list, doc, list)
		}
		if len(list) > 1 && (list[1].Bounded() || !list[1].Output || list[1].Len != 3) {
			t.Errorf("%s: the second is read as %v", x.list, list[1])
		}
	}
	if _, err := ReadInputs(filepath.Join(t.TempDir(), "none.json")); err == nil || !strings.Contains(err.Error(), "cannot read --inputs") {
		t.Errorf("a file that is not there: %v", err)
	}
	if doc, err := ReadInputs(""); err != nil || len(doc.Inputs) != 0 {
		t.Errorf("no file: %v, %v", doc, err)
	}
}
