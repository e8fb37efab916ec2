package shell_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/session"
)

// TestTrail: the states that a session has come through can be looked at without a change, undo leads to those that it
// says, and a new start begins anew.
func TestTrail(t *testing.T) {
	file := filepath.Join(t.TempDir(), "list.c")
	program := "#include <stdlib.h>\nstruct node { int v; struct node *next; } *head;\nint main(void)\n{\n    for (int i = 0; i < 1000; i++) {\n        struct node *n = malloc(sizeof *n);\n        n->v = i;\n        n->next = i % 8 ? head : NULL;\n        head = n;\n    }\n    return 0;\n}\n"
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, engine := range engines {
		s := newSession(t, engine, nil, file)
		do := func(lines ...string) {
			t.Helper()
			for _, line := range lines {
				if _, _, err := s.Exec(context.Background(), line); err != nil {
					t.Fatal(line, err)
				}
			}
		}
		do("start", "next", "next; next", "print head", "next 9")
		list := s.Trail()
		var told []string
		for _, m := range list {
			told = append(told, m.Command)
		}
		if got := strings.Join(told, ", "); got != "start, next, next; next, next 9" {
			t.Fatalf("%s: the session came through %s", engine, got)
		}
		nodes := func(id int) int { return len(s.Moment(id, session.Look{}).Picture.Nodes) }
		if a, b := nodes(list[1].ID), nodes(list[3].ID); a != 0 || b != 2 {
			t.Errorf("%s: states 2 and 4 show %d and %d nodes, not 0 and 2", engine, a, b)
		}
		if m := list[1]; m.Undo != 3 || m.Line != 5 || m.Function != "main" || m.State != "stopped" {
			t.Errorf("%s: state 2 is %+v", engine, m)
		}
		do(strings.TrimSuffix(strings.Repeat("undo; ", list[1].Undo), "; "))
		if now := s.Trail(); len(now) != 2 || now[1].ID != list[1].ID || now[1].Undo != 0 || s.View(session.Look{}).Place.Line != 5 {
			t.Errorf("%s: undo leads to %+v", engine, now)
		}
		for range 210 {
			do("next")
		}
		far := s.Trail()
		if first, last := far[0], far[len(far)-1]; len(far) != 212 || first.Undo != -1 || last.Undo != 0 || far[len(far)-200].Undo != 199 {
			t.Errorf("%s: of %d states the first is %+v, the last %+v", engine, len(far), first, last)
		}
		do("start")
		if now := s.Trail(); len(now) != 1 || now[0].Command != "start" || s.Moment(far[3].ID, session.Look{}) != nil {
			t.Errorf("%s: after a new start there are %+v", engine, now)
		}
	}
}
