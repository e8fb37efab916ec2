package archtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEditsListed holds that docs/edits.md names every file of the edits of the text, and none that is
// not there.
func TestEditsListed(t *testing.T) {
	page, err := os.ReadFile("../../docs/edits.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../repair/textedit/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	there := map[string]bool{}
	for _, f := range files {
		name := filepath.Base(f)
		if there[name] = true; !strings.HasSuffix(name, "_test.go") && !strings.Contains(string(page), name) {
			t.Errorf("docs/edits.md does not say what %s does", name)
		}
	}
	for _, w := range strings.FieldsFunc(string(page), func(r rune) bool { return strings.ContainsRune(" ,|\n:()", r) }) {
		if strings.HasSuffix(w, ".go") && !there[w] {
			t.Errorf("docs/edits.md names %s, which is not there", w)
		}
	}
}
