package textedit

import (
	"testing"

	"gulo/internal/native/nativetest"
)

// TestHeld lists a variable for the expression that it was given before, and not for the one that it is given.
func TestHeld(t *testing.T) {
	p, _ := nativetest.Load(t, `int down(int *h, int k, int n)
{
    while (2 * k + 1 < n) {
        int big = 2 * k + 1;
        if (big + 1 < n && h[big + 1] > h[big])
            big++;
        k = 2 * k + 1;
    }
    return k;
}
int main(void) { int h[3] = {1, 2, 3}; return down(h, 0, 3); }
`)
	sp := New(Config{Tree: p})
	sp.Function(p.Func("down"))
	var lines []int
	for _, st := range sp.Sites {
		for _, e := range st.Edits {
			if st.Text() == "2 * k + 1" && e.Alt == "big" {
				lines = append(lines, st.File.Position(st.Start).Line)
			}
		}
	}
	if len(lines) != 1 || lines[0] != 7 {
		t.Errorf("big stands for the expression in lines %v, want 7", lines)
	}
}
