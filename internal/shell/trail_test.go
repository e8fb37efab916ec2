package shell_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"gulo/internal/session"
)

// TestTrail: the states that a session has passed can be looked at without changing it, undo leads to those that it
// names, and a new start begins a new trail.
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

// TestFill: on the machine, the states inside a command that lets the program run are on the time line, and the
// session goes on as without them. Under gdb, which would run a real process a second time, only the command is
// marked.
func TestFill(t *testing.T) {
	file := filepath.Join(t.TempDir(), "list.c")
	program := `#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; } *head;
void push(int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = head;
    head = n;
    free(malloc(8));
    printf("%d\n", v);
}
int main(void)
{
    for (int i = 0; i < 5; i++)
        push(i);
    head = head->next;
    for (int i = 0; i < 500; i++)
        head->v++;
    return 0;
}
`
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, engine := range engines {
		s, plain := newSession(t, engine, nil, file), newSession(t, engine, nil, file)
		do := func(line string) {
			t.Helper()
			got, _, err := s.Exec(context.Background(), line)
			s.Fill(context.Background())
			want, _, err2 := plain.Exec(context.Background(), line)
			if got != want || (err == nil) != (err2 == nil) {
				t.Errorf("%s: after states were filled in, %s answers\n%s%v\nnot\n%s%v", engine, line, got, err, want, err2)
			}
			if a, b := s.View(session.Look{}), plain.View(session.Look{}); !reflect.DeepEqual(a.Picture, b.Picture) || a.Output != b.Output {
				t.Errorf("%s: after states were filled in, %s leads to another view", engine, line)
			}
		}
		do("start")
		do("until 17")
		list := s.Trail()
		if engine != "machine" {
			if len(list) != 2 || !list[1].Gap || list[1].Inside != 0 {
				t.Errorf("%s: the time line is %+v", engine, list)
			}
			continue
		}
		if last := list[len(list)-1]; last.Gap || last.Inside != 0 || last.Line != 17 || last.Undo != 0 {
			t.Errorf("the last state is %+v", last)
		}
		lines, most := map[string]bool{}, 0
		for i, m := range list[1 : len(list)-1] {
			if m.Inside < 1 || m.Inside > m.Of || m.Undo != -1 || i > 0 && m.Inside <= list[i].Inside {
				t.Errorf("state %d is %+v", i+2, m)
			}
			lines[m.Function] = true
			most = max(most, len(s.Moment(m.ID, session.Look{}).Picture.Nodes))
		}
		if !lines["push"] || !lines["main"] || most < 5 {
			t.Errorf("%d states inside are in %v and have up to %d nodes", len(list)-2, lines, most)
		}
		for _, line := range []string{"next", "undo", "next", "change head->v 70", "undo", "continue", "undo", "next 3", "until 20", "continue"} {
			do(line)
		}
		end := s.Trail()
		if last := end[len(end)-1]; last.State != "ended" || last.Gap {
			t.Errorf("the end is %+v", last)
		}
		inside := 0
		for _, m := range end {
			if m.Of > 900 {
				inside++
			}
		}
		if inside < 20 || inside > 40 {
			t.Errorf("of 1,000 statements %d states are on the time line", inside)
		}
	}
}

// TestFillLong: if there are too many states, the first of them are on the time line, and the command is marked.
func TestFillLong(t *testing.T) {
	file := filepath.Join(t.TempDir(), "long.c")
	if err := os.WriteFile(file, []byte("int main(void)\n{\n    long n = 0;\n    for (int i = 0; i < 100000; i++)\n        n += i;\n    return n == 0;\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := newSession(t, "machine", nil, file)
	for _, line := range []string{"start", "until 6"} {
		if _, _, err := s.Exec(context.Background(), line); err != nil {
			t.Fatal(err)
		}
		s.Fill(context.Background())
	}
	list := s.Trail()
	last := list[len(list)-1]
	if len(list) < 20 || !last.Gap || last.Line != 6 || list[1].Inside == 0 || list[1].Of != 0 {
		t.Errorf("%d states, the last is %+v, the second %+v", len(list), last, list[1])
	}
}
