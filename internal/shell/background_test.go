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

// TestBackground: repair shows a repair that meets the pictures while it is still checked against the rest. The
// result of the check is announced, and the next repair shows it. A command that changes something ends the check,
// and so does Close.
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
	if !strings.Contains(first, "Found a repair:") || !strings.Contains(first, "This is the best so far") {
		t.Fatalf("no offer:\n%s", first)
	}
	if d := exec("diff"); !strings.Contains(d, "+++ b/") {
		t.Errorf("what is offered is not in force:\n%s", d)
	}
	if text := <-told; !strings.Contains(text, "type repair to see") {
		t.Errorf("told: %s", text)
	}
	if again := exec("repair"); !strings.Contains(again, "Found a repair:") || !strings.Contains(again, "Tried on 120 made-up") {
		t.Errorf("the result:\n%s", again)
	}
	if last := exec("repair"); !strings.Contains(last, "nothing to repair") {
		t.Errorf("there is no search any more:\n%s", last)
	}
	s.Close()

	s, exec = begin()
	exec("repair")
	if text := exec("break enqueue"); !strings.Contains(text, "the search for a better repair was stopped") && len(told) == 0 {
		t.Errorf("a command ends the search:\n%s", text)
	}
	exec("unpatch")
	if text := exec("repair --wait"); !strings.Contains(text, "Tried on 120 made-up") {
		t.Errorf("repair --wait:\n%s", text)
	}
	s.Close()
	s, exec = begin()
	exec("repair")
	s.Close() // waits for the search
}

// TestAnswersSoFar: at a terminal, repair offers an edit of the text while the search goes on, and locate shows its
// order before all edits were tried. In the end both say what they say to a script.
func TestAnswersSoFar(t *testing.T) {
	for _, x := range []struct{ name, command, first string }{
		{"text_without_end", "repair", "the best so far"},
		{"buffer_text", "locate", "still looking for edits of one place"},
	} {
		t.Run(x.name, func(t *testing.T) {
			archive := "testdata/" + x.name + ".txtar"
			file := sourceOf(t, archive)
			told := make(chan string, 10)
			var said [2]string
			for i, c := range []session.Config{{Patience: 20}, {Patience: 1, Background: func(text string) { told <- text }, Soon: 1}} {
				p, err := lower.Load(context.Background(), []string{file}, cfront.Options{})
				if err != nil {
					t.Fatal(err)
				}
				c.Name, c.Limit = file, 5*time.Minute
				s := session.New(p, newTarget(t, "machine", p, []string{file}, nil), c)
				defer s.Close()
				for _, line := range scriptTo(t, archive, "spec") {
					_, _, _ = s.Exec(context.Background(), line)
				}
				if said[i], _, err = s.Exec(context.Background(), x.command); err != nil {
					t.Fatal(err)
				}
				if c.Background == nil {
					continue
				}
				if !strings.Contains(said[i], x.first) {
					t.Fatalf("nothing is shown before the end:\n%s", said[i])
				}
				if text := <-told; !strings.Contains(text, map[string]string{"repair": "type repair to see", "locate": "locate shows"}[x.command]) {
					t.Errorf("told: %s", text)
				}
				said[i], _, _ = s.Exec(context.Background(), x.command)
			}
			if said[0] != said[1] {
				t.Errorf("a script is told\n%s\nand somebody at a terminal in the end\n%s", said[0], said[1])
			}
		})
	}
}

// TestBestSoFar: ^C in repair leaves the best that the search has found, also when that is an edit of the text.
func TestBestSoFar(t *testing.T) {
	const archive = "testdata/buffer_text.txtar"
	file := sourceOf(t, archive)
	p, err := lower.Load(context.Background(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var s *session.Session
	s = session.New(p, newTarget(t, "machine", p, []string{file}, nil), session.Config{
		Name: file, Patience: 1, Limit: 5 * time.Minute, Background: func(string) {}, Soon: 5 * time.Minute,
		Progress: func(text string) {
			if strings.HasPrefix(text, "trying repairs on other calls") {
				s.Interrupt()
			}
		},
	})
	defer s.Close()
	for _, line := range scriptTo(t, archive, "spec") {
		_, _, _ = s.Exec(context.Background(), line)
	}
	if text, _, err := s.Exec(context.Background(), "repair"); err != nil || !strings.Contains(text, "Found a repair:") || !strings.Contains(text, "the search was stopped: there may be a better repair") {
		t.Errorf("%v\n%s", err, text)
	}
	if text, _, err := s.Exec(context.Background(), "diff"); err != nil || !strings.Contains(text, "+++ b/") {
		t.Errorf("what was found is not in force: %v\n%s", err, text)
	}
}

// scriptTo returns the commands of a session up to one of them.
func scriptTo(t *testing.T, archive, last string) (out []string) {
	t.Helper()
	ar, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(section(ar, "script").Data)) {
		if out = append(out, strings.TrimSpace(line)); out[len(out)-1] == last {
			return out
		}
	}
	t.Fatalf("%s: no %s", archive, last)
	return nil
}

// TestInterrupted: ^C in the middle of repair and locate leaves what was found so far and says that it is not all, under
// both engines. The session goes on.
func TestInterrupted(t *testing.T) {
	file := sourceOf(t, "testdata/input_halt.txtar")
	p, err := lower.Load(context.Background(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, engine := range []string{"machine", "gdb"} {
		t.Run(engine, func(t *testing.T) {
			var s *session.Session
			at := ""
			s = session.New(p, newTarget(t, engine, p, []string{file}, nil), session.Config{
				Name: file, Patience: 20, Limit: 5 * time.Minute, Background: func(string) {}, Soon: 5 * time.Minute,
				Progress: func(text string) {
					if at != "" && strings.HasPrefix(text, at) {
						s.Interrupt()
					}
				},
			})
			defer s.Close()
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
			at = "looking for edits of one place"
			if text := exec("locate"); !strings.Contains(text, "prog.c:") && !strings.Contains(text, "suspicious") || !strings.Contains(text, "was stopped; the order might have changed") {
				t.Errorf("locate:\n%s", text)
			}
			at = "trying repairs on other calls"
			if text := exec("repair"); !strings.Contains(text, "Found a repair:") || !strings.Contains(text, "the search was stopped: there may be a better repair") {
				t.Errorf("repair:\n%s", text)
			}
			if text := exec("diff"); !strings.Contains(text, "+++ b/") {
				t.Errorf("what was found is not in force:\n%s", text)
			}
			at = ""
			if text := exec("state"); strings.Contains(text, "error") {
				t.Errorf("the session does not go on:\n%s", text)
			}
		})
	}
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
