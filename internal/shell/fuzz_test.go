package shell_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/session"
	"gulo/internal/target/sim"
)

// FuzzCommands: no command line breaks a session; after it the session still
// answers.
func FuzzCommands(f *testing.F) {
	for _, s := range []string{"start; next; step", "change head n1; spec; repair", "break f; continue; undo", "print head->next", "state text; where; list", "flip; leave; enter", "next 3; change n2->next null; spec; repair --slots 1", "help change; patches; diff"} {
		f.Add(s)
	}
	path := write(f, listProgram)
	tree, err := cfront.Load(context.Background(), []string{path}, cfront.Options{})
	if err != nil {
		f.Fatal(err)
	}
	p, err := lower.Lower(tree, lower.Options{Memory: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.Contains(line, "rewrite") || strings.Contains(line, "state") || len(line) > 200 {
			return // they write files
		}
		s := session.New(p, sim.New(p, sim.Config{Name: path, MaxSteps: 100_000}), session.Config{Limit: time.Second})
		defer s.Close()
		line = strings.ReplaceAll(line, "repair", "repair --limit 500ms --no-verify") // an input that takes 10 s is called hung
		for _, l := range []string{"start", "next 2; step; spec", line, "where"} {
			_, more, err := s.Exec(context.Background(), l)
			var ue *session.Error
			if err != nil && !errors.As(err, &ue) {
				t.Fatalf("%q: %v", l, err)
			}
			if !more {
				return
			}
		}
	})
}
