package agreement

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/process"

	"golang.org/x/tools/txtar"
)

// This file loads the C programs of this repository as gulo debug does under gdb: none that gcc
// compiles is refused, and docs/opaque.md lists what of them is opaque. make opaque does so with all.

var allPrograms = flag.Bool("opaque", false, "load all C programs of the repository, and write docs/opaque.md anew")

// cFiles are the C files below some folders; those of txtar archives are written into a folder.
func cFiles(t *testing.T, dir string, roots ...string) (files []string) {
	t.Helper()
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "node_modules" || d.Name() == "bin" || d.Name() == ".git"):
				return fs.SkipDir
			case strings.HasSuffix(path, ".c"):
				files = append(files, path)
			case strings.HasSuffix(path, ".txtar"):
				ar, err := txtar.ParseFile(path)
				if err != nil {
					return err
				}
				to := filepath.Join(dir, strings.ReplaceAll(strings.TrimLeft(filepath.ToSlash(path), "./"), "/", "-"))
				for _, f := range ar.Files {
					name := filepath.Join(to, filepath.FromSlash(f.Name))
					if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
						return err
					}
					if err := os.WriteFile(name, f.Data, 0o600); err != nil {
						return err
					}
					if strings.HasSuffix(name, ".c") {
						files = append(files, name)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// variable is what differs between places that are opaque for one reason.
var variable = regexp.MustCompile(`\b\d+\b`)

func TestOpaquePrograms(t *testing.T) {
	roots := []string{"../../examples", "../../scripts"}
	if *allPrograms {
		roots = []string{"../.."}
	}
	files := cFiles(t, t.TempDir(), roots...)
	if len(files) < 30 {
		t.Fatalf("only %d C files", len(files))
	}
	type loaded struct {
		refused bool // by gcc
		funcs   int
		notes   []cfront.Note
	}
	all := make([]loaded, len(files))
	err := process.Parallel(t.Context(), runtime.GOMAXPROCS(0), len(files), func(ctx context.Context, i int) error {
		if exec.CommandContext(ctx, "gcc", "-fsyntax-only", "-w", files[i]).Run() != nil {
			all[i].refused = true // a header is missing, an error is meant
			return nil
		}
		p, err := lower.LoadNative(ctx, files[i:i+1], cfront.Options{})
		if err != nil {
			t.Errorf("gcc compiles %s, gulo debug does not: %v", files[i], err)
			return nil
		}
		all[i].funcs, all[i].notes = len(p.Tree.Funcs), p.Tree.Opaque
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	programs, refused, funcs := 0, 0, 0
	places, in := map[string]int{}, map[string]int{}
	for _, l := range all {
		if l.refused {
			refused++
			continue
		}
		programs++
		funcs += l.funcs
		met := map[string]bool{}
		for _, n := range l.notes {
			reason := variable.ReplaceAllString(n.Reason, "N")
			places[reason]++
			if !met[reason] {
				met[reason] = true
				in[reason]++
			}
		}
	}
	if programs < 30 {
		t.Errorf("gcc compiles only %d of %d", programs, len(files))
	}
	var rows []string
	for r, n := range places {
		rows = append(rows, fmt.Sprintf("| %s | %d | %d |\n", strings.ReplaceAll(r, "|", "\\|"), n, in[r]))
	}
	slices.Sort(rows)
	page := fmt.Sprintf(`# What is opaque

This page is made by "make opaque". It loads every C file of this repository by itself, those in
archives of tests among them, as "gulo debug" does under gdb: of %d that gcc compiles none is
refused (gcc refuses %d others: parts of programs, and errors that tests are about). What gulo has no
model of runs natively there and is stepped over as a whole; "gulo why-opaque" lists it for a program.

Of their %d functions, this is opaque:

| reason | places | programs |
|---|---|---|
%s`, programs, refused, funcs, strings.Join(rows, ""))
	t.Log("\n" + page)
	if *allPrograms && !t.Failed() {
		if err := os.WriteFile("../../docs/opaque.md", []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
