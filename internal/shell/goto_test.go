package shell_test

import (
	"context"
	"strings"
	"testing"
)

// TestGoto makes another statement the next one, alike on both engines. A place that cannot be gone to is refused
// with the reason, and what comes after is recorded anew.
func TestGoto(t *testing.T) {
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			s := newSession(t, engine, nil, "../../examples/reverse.c")
			want := func(line string, parts ...string) {
				t.Helper()
				got, _, err := s.Exec(context.Background(), line)
				if err != nil {
					got += "error: " + err.Error()
				}
				for _, p := range parts {
					if !strings.Contains(got, p) {
						t.Errorf("%s: no %q in\n%s", line, p, got)
					}
				}
			}
			want("goto 40", "error: the program is not running")
			want("start; goto 42", "reverse.c:42: push(8);")
			want("next; print head->data", "head->data = 8") // what was jumped over was not done
			want("goto 17", "error: line 17 is in push, and the program is in main")
			want("goto 39", "error: no statement begins on line 39")
			want("goto", "error: goto wants a line")
			want("goto 40:7", "error: no statement of main begins at 40:7")
			want("goto x", "error: goto wants a line")
			want("goto 40:5; undo", "reverse.c:43")
			want("goto 45:33", "n != NULL")
			want("step; undo; goto 44; break reverse; continue", "reverse.c:27")
			want("goto 30; next", "crashed")
			want("goto 30", "error: the program has crashed")
			want("undo; goto 28; next", "reverse.c:29")
			want("leave; finish; continue", "the program ended")
			want("goto 48", "error: the program has ended")
		})
	}
}

// TestGotoRecords: assertions after goto are about the run from there on, so that the statement that was jumped to is
// repaired, and what was jumped over is not.
func TestGotoRecords(t *testing.T) {
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			s := newSession(t, engine, nil, "../../examples/reverse.c")
			for _, line := range []string{"start", "break push", "continue", "next", "goto 17", "next", "change n1->data 7", "spec"} {
				if _, _, err := s.Exec(context.Background(), line); err != nil {
					t.Fatalf("%s: %v", line, err)
				}
			}
			if segs := s.Segments(); len(segs) != 1 || len(segs[0].Items) != 1 {
				t.Errorf("%d segments are asserted, not one of one statement", len(segs))
			}
		})
	}
}

// TestLedIntoLoop: flip led the run into a loop, which can only be asserted about where it has been left. Before
// that, repair finds nothing, and says why.
func TestLedIntoLoop(t *testing.T) {
	path := write(t, "int main(void) {\n    int n = 3, i, s = 0;\n    for (i = n; i < 3; i++)\n        s = s + i;\n    return s;\n}\n")
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			out := run(t, newSession(t, engine, nil, path), "start\nnext 3\nflip\nnext\nspec\nrepair\nnext 2\nspec\nrepair")
			before, after, _ := strings.Cut(out, "which you had to force true, is not asserted until the run has left the loop\n")
			if !strings.Contains(before, "nothing to repair in this run") || !strings.Contains(after, "Found a repair") {
				t.Error(out)
			}
		})
	}
}
