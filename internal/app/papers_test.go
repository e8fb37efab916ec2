package app

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestPapers asks gulo fix for a repair of the examples of the five papers: the first that is shown is
// the paper's own. The sessions of papers 1 and 2 on the same programs are reverse, deletemid,
// paper_hopping, paper_concrete and paper_slicing in internal/shell/testdata.
func TestPapers(t *testing.T) {
	if _, err := exec.LookPath("z3"); err != nil {
		t.Skip("no z3")
	}
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	session := func(name string) string {
		ar, err := txtar.ParseFile("../shell/testdata/" + name + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		return string(ar.Files[0].Data)
	}
	right := func(text string, pairs ...string) string {
		for i := 0; i < len(pairs); i += 2 {
			if !strings.Contains(text, pairs[i]) {
				t.Fatalf("no %q", pairs[i])
			}
			text = strings.Replace(text, pairs[i], pairs[i+1], 1)
		}
		return text
	}
	text, err := os.ReadFile("../../examples/reverse.c")
	if err != nil {
		t.Fatal(err)
	}
	reversed := file("reversed.c", right(string(text), "while (temp1 != NULL)", "while (current != NULL)", "temp2 = current->prev", "temp2 = current->next",
		"        current = current->prev;\n    }\n", "        current = current->prev;\n    }\n    head = temp1->prev;\n"))
	middle, sliced := session("deletemid"), session("paper_slicing")
	for i, x := range []struct {
		paper string
		args  []string
		want  []string // lines of the diff, all that begin with one sign
	}{
		{"1, figure 1, and 2, figure 1: reverse", []string{"--reference", reversed, "../../examples/reverse.c"},
			[]string{"-    while (temp1 != NULL) {", "+    while (current != NULL) {", "-        temp2 = current->prev;", "+        temp2 = current->next;", "+    head = temp1->prev;"}},
		{"1, figure 8: deleteMid", []string{"--reference", file("middle_right.c", right(middle, "temp = fast_ptr;", "temp = fast_ptr->next;")), file("middle.c", middle)},
			[]string{"-            temp = fast_ptr;", "+            temp = fast_ptr->next;"}},
		{"2, section 4.2: reverse and count", []string{"--method", "runs", "--reference", file("sliced_right.c", right(sliced, "data = j", "data = i", "current = current->next;\n    }\n", "current = nt;\n    }\n    head = last;\n")), file("sliced.c", sliced)},
			[]string{"-        current->data = j;", "+        current->data = i;", "-        current = current->next;", "+        current = nt;", "+    head = last;"}},
		{"3, section II: max", []string{"--assert", "../../examples/max.c"}, []string{"-        r = x;", "+        r = y;"}},
		{"4, figure 1: Max", []string{"--contracts", "../../examples/largest.c"}, []string{"-        if (s > a[i])", "+        if (s < a[i])"}},
		{"5, section 2.2: a shallow copy", []string{"--memory", "../../examples/shallow_copy.c"}, []string{"+    copy->code = strdup(from->code);"}},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(x.paper, func(t *testing.T) {
			code, stdout, stderr := gulo(t, "", append([]string{"fix", "--limit", "5m", "--format", "diff"}, x.args...)...)
			var got []string
			for _, l := range strings.Split(stdout, "\n") {
				if len(l) > 0 && strings.Contains("+-", l[:1]) && !strings.HasPrefix(l, "+++") && !strings.HasPrefix(l, "---") {
					got = append(got, l)
				}
			}
			if code != 0 || strings.Join(got, "\n") != strings.Join(x.want, "\n") {
				t.Errorf("%d, want\n%s\n%s%s", code, strings.Join(x.want, "\n"), stdout, stderr)
			}
		})
	}
}
