package textedit

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"gulo/internal/native/nativetest"
)

// TestSame: whether a text makes both sides of a choice equal is found without looking at every side, and blanks, also
// such as are more than a byte, do not count.
func TestSame(t *testing.T) {
	text := "#include <stdio.h>\nint main(int argc, char **argv)\n{\n    if (argc > 3)\n        puts(\"é  ü\");\n    else if (argc > 2)\n        puts ( \"éü\" ) ;\n    else\n        puts(argc > 1 ? \"ä\" : \"ö\u00a0\");\n    return 0;\n}\n"
	p, _ := nativetest.Load(t, text)
	arms := ArmsOf(p)
	f := p.Func("main").Range.File
	rnd := rand.New(rand.NewSource(1))
	sides := []string{"puts(\"éü\");", "\"ä\"", "\"ö\u00a0\"", " \"ö\"", "ü", "  ", ""}
	met := 0
	for range 20_000 {
		start := strings.Index(text, "if") + rnd.Intn(strings.Index(text, "return")-strings.Index(text, "if"))
		if rnd.Intn(2) == 0 { // of a side itself
			x := arms[f].arms[rnd.Intn(len(arms[f].arms))]
			start = x.Start
		}
		end := start + rnd.Intn(24)
		if rnd.Intn(2) == 0 {
			for _, x := range arms[f].arms {
				if x.Start == start {
					end = x.End
				}
			}
		}
		end = min(end, len(text))
		alt := sides[rnd.Intn(len(sides))]
		want := false
		for _, x := range arms[f].arms {
			if x.Start <= start && end <= x.End {
				side := x.Text()
				want = want || unspaced(side[:start-x.Start]+alt+side[end-x.Start:]) == x.other
			}
		}
		if got := arms.Same(f, start, end, alt); got != want {
			t.Fatalf("%q for %q: %v, want %v", alt, text[start:end], got, want)
		}
		if want {
			met++
		}
	}
	if met < 100 {
		t.Errorf("only %d texts make both sides equal", met)
	}
}

// TestManySides lists the edits of a chain of 150 conditions, each of which holds all that come after it.
func TestManySides(t *testing.T) {
	var b strings.Builder
	b.WriteString("#include <stdio.h>\nint main(void)\n{\n    int a;\n    if (scanf(\"%d\", &a) != 1)\n        return 1;\n    ")
	for i := range 150 {
		fmt.Fprintf(&b, "if (a == %d)\n        printf(\"%d\\n\");\n    else ", i, i*37%101)
	}
	b.WriteString("\n        printf(\"none\\n\");\n    return 0;\n}\n")
	n := 0
	for _, e := range listed(t, b.String()) {
		if e.Alt == "a >= 7" {
			n++
		}
	}
	if n == 0 {
		t.Error("a >= 7 is not listed")
	}
}
