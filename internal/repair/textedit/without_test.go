package textedit

import (
	"slices"
	"strings"
	"testing"

	"gulo/internal/native/nativetest"
)

// TestWithoutElse: where an else is taken out, its branch stands on a line of its own and without needless braces.
func TestWithoutElse(t *testing.T) {
	for _, x := range []struct{ old, new string }{
		{"    if (n > 1) {\n        n--;\n    } else {\n        n = 2;\n        n += 3;\n    }\n", "    if (n > 1) {\n        n--;\n    }\n    n = 2;\n    n += 3;\n"},
		{"    if (n > 1)\n        n--;\n    else\n        n = 2;\n", "    if (n > 1)\n        n--;\n    n = 2;\n"},
		{"    if (n > 1) {\n        n--;\n    } else n = 2;\n", "    if (n > 1) {\n        n--;\n    }\n    n = 2;\n"},
		{"    if (n > 1) {\n        n--;\n    }\n    else {\n        n = 2;\n    }\n", "    if (n > 1) {\n        n--;\n    }\n    n = 2;\n"},
		{"    if (n > 1) {\n        n--;\n    } else if (n < 0) {\n        n = 2;\n    }\n", "    if (n > 1) {\n        n--;\n    }\n    if (n < 0) {\n        n = 2;\n    }\n"},
		{"    if (n > 1) {\n        n--;\n    } else {\n        int k = n;\n        n += k;\n    }\n", "    if (n > 1) {\n        n--;\n    }\n    {\n        int k = n;\n        n += k;\n    }\n"},
	} {
		p, _ := nativetest.Load(t, "int f(int n)\n{\n"+x.old+"    return n;\n}\nint main(void) { return f(2); }\n")
		s := New(Config{Tree: p})
		s.Function(p.Func("f"))
		var got []string
		for _, st := range s.Sites {
			for _, e := range st.Edits {
				if e.What == "delete else" {
					texts, _ := Apply(e)
					got = append(got, texts[st.File.Name])
				}
			}
		}
		want := "int f(int n)\n{\n" + x.new + "    return n;\n}\nint main(void) { return f(2); }\n"
		if !slices.Contains(got, want) {
			t.Errorf("%s\nbecame\n%s", x.old, strings.Join(got, "\n---\n"))
		}
	}
}
