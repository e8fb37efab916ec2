package app

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestEdits: gulo edits lists the edit that gulo fix shows, with the rule that made it and how often that was
// counted.
func TestEdits(t *testing.T) {
	files := map[string]string{"max.c": `#include <stdio.h>

int main(void) {
    int n, x, best = 0;
    scanf("%d", &n);
    for (int i = 0; i <= n; i++) {
        scanf("%d", &x);
        if (x > best)
            best = x;
    }
    printf("%d\n", best);
    return 0;
}
`, "own.txt": "mistake best of all\nsay the last one is not the best\nchange $a > best\nto best > $a\n"}
	writeTree(t, files)
	code, out, errs := gulo(t, "", "edits", "--line", "6", "max.c")
	if code != exitOK || !strings.Contains(out, "max.c:6: i <= n  =>  i < n\n    cost 2, values: another comparison: ") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "max.c:") && !strings.HasPrefix(line, "max.c:6: ") {
			t.Errorf("another line: %s", line)
		}
	}

	code, out, errs = gulo(t, "", "edits", "--rule", "another comparison", "--format", "json", "max.c")
	var doc struct {
		Edits []editJSON
		Rules []ruleJSON
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil || code != exitOK {
		t.Fatalf("%d %v\n%s%s", code, err, out, errs)
	}
	if len(doc.Rules) != 1 || doc.Rules[0].Edits != len(doc.Edits) || doc.Rules[0].Explained < 100 || doc.Rules[0].Bits < 5 {
		t.Errorf("%+v", doc.Rules)
	}
	if !slices.ContainsFunc(doc.Edits, func(e editJSON) bool { return e.Line == 8 && strings.Contains(e.Edit, "x < best") }) {
		t.Errorf("%+v", doc.Edits)
	}

	if code, out, errs = gulo(t, "", "edits", "--mistakes", "own.txt", "--rule", "the last one", "max.c"); code != exitOK || !strings.Contains(out, "=>  if (best > x) best = x;\n    cost 3, mistakes: the last one is not the best\n") {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	if code, out, errs = gulo(t, "", "edits", "--rules"); code != exitOK || !strings.Contains(out, "  values: another comparison\n") || strings.Count(out, "\n") < 100 {
		t.Errorf("%d\n%s%s", code, out, errs)
	}
	for _, x := range [][]string{
		{"--line 99: no file has that many lines", "--line", "99", "max.c"},
		{"--format xml: there are text and json", "--format", "xml", "max.c"},
		{"max.txt: error: cannot read the file", "max.txt"},
	} {
		if code, _, errs := gulo(t, "", append([]string{"edits"}, x[1:]...)...); code != exitUsage || !strings.Contains(errs, x[0]) {
			t.Errorf("%s: %d %s", x[0], code, errs)
		}
	}
}
