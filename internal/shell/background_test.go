package shell_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/session"

	"golang.org/x/tools/txtar"
)

// TestBackground: repair shows what meets the pictures while it is held against the rest; what comes of that is told,
// and shown by the next repair. A command that changes something ends it, and so does Close.
func TestBackground(t *testing.T) {
	file := sourceOf(t, "testdata/input_halt.txtar")
	tree, err := cfront.Load(context.Background(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Lower(tree, lower.Options{Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	told := make(chan string, 10)
	begin := func() (*session.Session, func(line string) string) {
		s := session.New(p, newTarget(t, "machine", p, []string{file}, nil), session.Config{
			Name: file, Patience: 20, Limit: 5 * time.Minute, Background: func(text string) { told <- text }, Soon: 1,
		})
		exec := func(line string) string {
			text, _, err := s.Exec(context.Background(), line)
			if err != nil {
				text += "error: " + err.Error()
			}
			return text
		}
		for _, line := range []string{"start", "b dequeue", "c", "input e 1 d e 2 p q", "finish", "change q->tail null", "spec"} {
			exec(line)
		}
		return s, exec
	}
	s, exec := begin()
	first := exec("repair")
	if !strings.Contains(first, "Repair synthesized...") || !strings.Contains(first, "it is being held against other calls") {
		t.Fatalf("no offer:\n%s", first)
	}
	if d := exec("diff"); !strings.Contains(d, "+++ b/") {
		t.Errorf("what is offered is not in force:\n%s", d)
	}
	if text := <-told; !strings.Contains(text, "repair shows") {
		t.Errorf("told: %s", text)
	}
	if again := exec("repair"); !strings.Contains(again, "Repair synthesized...") || !strings.Contains(again, "120 generated inputs") {
		t.Errorf("the result:\n%s", again)
	}
	if last := exec("repair"); !strings.Contains(last, "nothing to repair") {
		t.Errorf("there is no search any more:\n%s", last)
	}
	s.Close()

	s, exec = begin()
	exec("repair")
	if text := exec("break enqueue"); !strings.Contains(text, "the search for a better repair has been ended") && len(told) == 0 {
		t.Errorf("a command ends the search:\n%s", text)
	}
	exec("unpatch")
	if text := exec("repair --wait"); !strings.Contains(text, "120 generated inputs") {
		t.Errorf("repair --wait:\n%s", text)
	}
	s.Close()
	s, exec = begin()
	exec("repair")
	s.Close() // waits for the search
}

// sourceOf writes a session's program to a file.
func sourceOf(t *testing.T, archive string) string {
	t.Helper()
	ar, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	file := t.TempDir() + "/prog.c"
	if err := os.WriteFile(file, section(ar, "prog.c").Data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
