package shell_test

import (
	"context"
	"strings"
	"testing"
)

// TestHalt: breakpoints have conditions, entities are watched, and a session goes back to where an entity changed
// last, alike on both engines.
func TestHalt(t *testing.T) {
	for _, engine := range engines {
		t.Run(engine, func(t *testing.T) {
			s := newSession(t, engine, nil, "../../examples/reverse.c")
			exec := func(line string) string {
				t.Helper()
				text, _, err := s.Exec(context.Background(), line)
				if err != nil {
					return "error: " + err.Error()
				}
				return text
			}
			want := func(line string, parts ...string) {
				t.Helper()
				got := exec(line)
				for _, p := range parts {
					if !strings.Contains(got, p) {
						t.Errorf("%s: no %q in\n%s", line, p, got)
					}
				}
			}
			want("break 17 if data == 8", "reverse.c:17: n->data = data; if data == 8")
			want("break", "if data == 8")
			want("break 17 if data = 8", "error:")
			want("break 17 if nothing > 1", "error: ")
			want("break 17 times 0", "error:")
			want("start")
			want("continue", "reverse.c:17", "data 8")
			want("undo; break 17 times 2; continue", "data 4")
			want("continue", "data 8") // the second time and all that follow
			want("break -17; break 17 if data > 8 times 1; continue", "data 10", "reverse.c:17")
			want("break -17; watch head", "the program halts when head changes")
			want("continue", "head changed from n3 to n4", "reverse.c:23")
			want("watch head", "halts")
			want("watch", "head")
			want("watch n3", "error: ")
			want("continue", "the program ended")
			want("undo; watch -head; watch", "nothing is watched")

			// The last command changed it by hand, the one before in the middle of a run.
			want("until 44; change n3->prev n1; when n3->prev", `changed by the command "change n3->prev n1"`, "reverse.c:44")
			want("undo; undo; print n3->prev", "n3->prev = n4")
			want("when n3->prev", "n3->prev got its value from the statement that comes next", "reverse.c:21: head->prev = n;")
			want("print n3->prev", "n3->prev = null")
			want("undo", "reverse.c:44") // where the program was before when
			want("print n3->prev", "n3->prev = n4")
			want("when head", "reverse.c:22: head = n;")
			want("print head", "head = n3")
			want("next", "head*", "reverse.c:23") // from there it goes on
			want("when n9", "error: no variable, node or field n9")
			want("start; when head", "error: head was not changed by any of the commands")
			want("print head", "head = null")
		})
	}
}
