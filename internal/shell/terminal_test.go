package shell_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/screen"
	"gulo/internal/session"
	"gulo/internal/shell"
	"gulo/internal/target/gdb"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// This file has sessions of programs that have a terminal with a screen of their own, under gdb.

func TestTerminal(t *testing.T) {
	paths, err := filepath.Glob("testdata/terminal/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no sessions", err)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("prog.c", section(ar, "prog.c").Data, 0o600); err != nil {
				t.Fatal(err)
			}
			p, err := lower.Open(t.Context(), []string{"prog.c"}, cfront.Options{}, lower.Options{Memory: true, Native: true})
			if err != nil {
				t.Fatal(err)
			}
			tgt, err := gdb.New(t.Context(), p, gdb.Config{Files: []string{"prog.c"}, Screen: screen.New(24, 80)})
			if err != nil {
				t.Fatal(err)
			}
			s := session.New(p, tgt, session.Config{Width: 100, Name: "prog.c"})
			t.Cleanup(s.Close)
			var out bytes.Buffer
			if _, _, err := shell.Script(context.Background(), s, bytes.NewReader(section(ar, "script").Data), &out); err != nil {
				t.Fatal(err)
			}
			tr := section(ar, "transcript")
			if *update {
				tr.Data = out.Bytes()
				if err := os.WriteFile(filepath.Join(root, path), txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if d := cmp.Diff(string(tr.Data), out.String()); d != "" {
				t.Errorf("transcript (-kept +now):\n%s", d)
			}
		})
	}
}
