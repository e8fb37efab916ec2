package patch

import (
	"strings"
	"testing"

	"gulo/internal/source"
)

func TestApply(t *testing.T) {
	f := source.NewFile("x.c", []byte("abcdef"))
	got, err := apply(f, []change{{source.Range{File: f, Start: 4, End: 5}, "X"}, {source.Range{File: f, Start: 1, End: 1}, "-"}})
	if err != nil || got != "a-bcdXf" {
		t.Errorf("%q %v", got, err)
	}
	if _, err := apply(f, []change{{source.Range{File: f, Start: 0, End: 3}, ""}, {source.Range{File: f, Start: 2, End: 4}, ""}}); err == nil {
		t.Error("overlapping edits were accepted")
	}
}

// FuzzApply: bytes outside the edits stay as they are.
func FuzzApply(f *testing.F) {
	f.Add("int x = 1;\n", "2", "y", 8, 9, 4, 5)
	f.Fuzz(func(t *testing.T, text, a, b string, s1, e1, s2, e2 int) {
		n := len(text)
		file := source.NewFile("f.c", []byte(text))
		if s1 < 0 || e1 < s1 || e1 > n || s2 < 0 || e2 < s2 || e2 > n {
			return
		}
		got, err := apply(file, []change{{source.Range{File: file, Start: s1, End: e1}, a}, {source.Range{File: file, Start: s2, End: e2}, b}})
		if err != nil {
			if e1 <= s2 || e2 <= s1 {
				t.Fatalf("edits that do not overlap were refused: %v", err)
			}
			return
		}
		if s2 < s1 || s1 == s2 && e2 == s2 && e1 != s1 {
			s1, e1, s2, e2, a, b = s2, e2, s1, e1, b, a
		}
		a, b = file.Written(a), file.Written(b)
		if want := len(text) - (e1 - s1) - (e2 - s2) + len(a) + len(b); len(got) != want {
			t.Errorf("length %d, want %d", len(got), want)
		}
		if !strings.HasPrefix(got, text[:s1]) || !strings.HasSuffix(got, text[max(e1, e2):]) {
			t.Errorf("bytes outside the edits changed: %q to %q", text, got)
		}
	})
}
