package campaign

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gulo/internal/report"
)

// asked is what `gulo agree` does with a class that it divides.
func asked() {
	var q Question
	err := json.NewDecoder(os.Stdin).Decode(&q)
	var list []Division
	if err == nil {
		list, err = q.Split(context.Background())
	}
	if err != nil || json.NewEncoder(os.Stdout).Encode(list) != nil {
		os.Exit(3)
	}
}

// TestDividedFolders: submissions of several files, as handed in and as repaired, are asked on which inputs
// they differ, as those of one file are.
func TestDividedFolders(t *testing.T) {
	ctx := context.Background()
	dir, tests := t.TempDir(), t.TempDir()
	const part = "#include \"best.h\"\nint better(int x, int best, int first)\n{\n    return COND;\n}\n"
	main := strings.NewReplacer("#include <stdio.h>", "#include <stdio.h>\n#include \"best.h\"", "best = 0", "best = START, first = 1", "if (x > best)\n            best = x;", "if (better(x, best, first))\n            best = x;\n        first = 0;").Replace(longest)
	whole := strings.Replace(longest, "n--", "0 < n--", 1)
	for name, text := range map[string]string{
		"anna/main.c": main, "anna/best.c": strings.Replace(part, "COND", "x > best", 1), "anna/best.h": "#define START 0\nint better(int, int, int);\n",
		"bela/src/main.c": main, "bela/src/best.c": strings.Replace(part, "COND", "x > best && x != 9", 1), "bela/include/best.h": "int better(int, int, int);\n",
		"bela/Makefile": "CFLAGS = -DSTART=0 -Iinclude\n",
		"carl/main.c":   main, "carl/best.c": strings.Replace(part, "COND", "x < best", 1), "carl/best.h": "#define START 0\nint better(int, int, int);\n",
		"dora.c": whole,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"a.in": "3 1 4 2\n", "a.out": "4\n", "b.in": "2 7 5\n", "b.out": "7\n"} {
		if err := os.WriteFile(filepath.Join(tests, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	jobs, err := (&Class{Folder: dir, Tests: tests}).Jobs()
	if err != nil || len(jobs) != 4 {
		t.Fatalf("%d jobs, %v", len(jobs), err)
	}
	q, err := Open(ctx, "", t.TempDir(), "class")
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	for id, s := range jobs {
		o := &Outcome{Category: Right}
		if s.Name == "carl" {
			o = &Outcome{Category: Fixed, Report: &report.Report{Result: report.Repaired}, Repaired: Texts{"carl/best.c": strings.Replace(part, "COND", "x > best", 1)}}
		}
		b, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := q.Add(ctx, id, b); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.Work(ctx, func(_ context.Context, _ string, outcome []byte) ([]byte, error) { return outcome, nil }, testFailed, true); err != nil {
		t.Fatal(err)
	}
	if err := AskDivided(ctx, []string{os.Args[0], "agree"}, q, jobs); err != nil {
		t.Fatal(err)
	}
	sum, err := Collect(ctx, q, dir, jobs)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range sum.Divisions {
		for _, g := range d.Groups {
			if slices.Equal(g.Names, []string{"anna", "carl", "dora"}) && slices.Equal(g.Repaired, []string{"carl"}) {
				return
			}
		}
	}
	t.Errorf("bela differs from three others; %+v", sum.Divisions)
}
