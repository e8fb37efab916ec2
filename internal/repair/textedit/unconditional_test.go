package textedit

import (
	"testing"

	"gulo/internal/native/nativetest"
)

// TestUnconditional takes the condition of an if away, also of one whose body has lines of the preprocessor.
func TestUnconditional(t *testing.T) {
	for _, x := range []struct{ name, body string }{
		{"plain", "        return 2;\n"},
		{"with a line of the preprocessor", "#if 1\n        return 2;\n#else\n        return 3;\n#endif\n"},
	} {
		p, _ := nativetest.Load(t, "int f(int a, int b)\n{\n    if (a > b) {\n        return 1;\n    } else if (a == b) {\n"+x.body+"    }\n    return 0;\n}\nint main(void) { return f(1, 2); }\n")
		sp := New(Config{Tree: p})
		sp.Function(p.Func("f"))
		n := 0
		for _, st := range sp.Sites {
			for _, e := range st.Edits {
				if e.What == withoutCondition && e.Changes[0].File.Position(e.Changes[0].Start).Line == 5 {
					n++
				}
			}
		}
		if n != 1 {
			t.Errorf("%s: %d edits take the condition away, want 1", x.name, n)
		}
	}
}
