package gate

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gulo/internal/cases"
	"gulo/internal/process"
)

// This file runs gulo as on a command line.

// guard is the factor by which a search may exceed its nominal time by the clock, for a busy machine: on one at
// a load of twelve, a factor of ten has ended a search.
const guard = 30

// killAfter returns after what time a gulo is killed that does not keep its own guard.
func killAfter(limit time.Duration) time.Duration { return (guard+2)*limit + 30*time.Second }

// document is the part of an answer of gulo fix or gulo locate that is read.
type document struct {
	Result, Cause string
	Repairs       []repairShown
	Spans         []struct{ What, Detail string }
	Ranking       []struct {
		File  string
		Line  int
		Score float64
	}
}

type repairShown struct{ Edits []editShown }

type editShown struct {
	File          string
	Line          int
	Before, After string
}

// counted are the spans whose numbers are summed up as steps: compiled edits and runs on the machine.
var counted = []string{"schema: compile", "edits on the machine"}

// steps returns how much was tried.
func (d *document) steps() (n int64) {
	for _, s := range d.Spans {
		if first, _, _ := strings.Cut(s.Detail, " "); slices.Contains(counted, s.What) {
			k, _ := strconv.ParseInt(first, 10, 64)
			n += k
		}
	}
	return n
}

// arguments returns gulo's arguments. It runs in the folder of the wrong version.
func (t *trial) arguments(ctx context.Context) ([]string, error) {
	var space []string // by default gulo decides, but not if the right version does not print what the tests expect
	if !t.judged {
		space = []string{"--space", "exact"}
	} else if t.loose {
		space = []string{"--space", "judge"}
	}
	if err := cases.SaveTests(filepath.Join(t.dir, "given"), t.tests[:t.given]); err != nil {
		return nil, err
	}
	common := []string{"--format", "json", "--work", t.Limit.String(), "--limit", (guard * t.Limit).String(), "--seed", fmt.Sprint(t.Seed)}
	fix := slices.Concat([]string{"fix"}, common, []string{"--times", "--rewrite", "../fixed.c"})
	tests := append(space, "--tests", "../given")
	switch t.Mode {
	case ByTests:
		return t.named(append(fix, tests...)), nil
	case ByReference:
		text, err := t.beside(ctx)
		if err != nil {
			return nil, err
		}
		if text == nil {
			return nil, &leave{"no reference", "there is neither a reference.c nor a right.c"}
		}
		if _, err := t.write("reference", text); err != nil {
			return nil, err
		}
		return t.named(slices.Concat(fix, tests, []string{"--reference", "../reference/reference.c"})), nil
	case ByClass:
		var files []string
		for i, text := range t.Others {
			ok, err := t.meets(ctx, text)
			if err != nil {
				return nil, err
			}
			if !ok {
				continue
			}
			name := fmt.Sprintf("../right_%d.c", i+1)
			if err := os.WriteFile(filepath.Join(t.dir, "wrong", name), text, 0o644); err != nil {
				return nil, err
			}
			files = append(files, name)
		}
		if len(files) == 0 {
			return nil, &leave{"no other right program", "of the same exercise that meets the given tests"}
		}
		return t.named(slices.Concat(fix, tests, []string{"--right", strings.Join(files, ",")})), nil
	case ByMemory:
		return t.memory(ctx, fix)
	case Locate:
		return t.named(slices.Concat([]string{"locate"}, common, tests)), nil
	}
	return nil, fmt.Errorf("there is no mode %q", t.Mode)
}

// named appends the program's files to args.
func (t *trial) named(args []string) []string {
	files := []string{"wrong.c"}
	for name := range t.Program.More {
		if filepath.Ext(name) == ".c" {
			files = append(files, name)
		}
	}
	slices.Sort(files[1:])
	return append(args, files...)
}

// beside chooses the reference: a separately written one, the right version of another program if it meets the given
// tests here, or else the author's own.
func (t *trial) beside(ctx context.Context) ([]byte, error) {
	if len(t.Program.Reference) > 0 {
		t.rec.Beside = "reference.c"
		return t.Program.Reference, nil
	}
	for _, text := range t.Others {
		ok, err := t.meets(ctx, text)
		if err != nil {
			return nil, err
		}
		if ok {
			t.rec.Beside = "another's right.c"
			return text, nil
		}
	}
	if len(t.Program.Right) > 0 {
		t.rec.Beside = "right.c"
	}
	return t.Program.Right, nil
}

// meets reports whether a program meets the given tests.
func (t *trial) meets(ctx context.Context, text []byte) (bool, error) {
	fails, err := t.failing(ctx, text)
	return err == nil && !slices.Contains(fails, true), err
}

// memory asks about the first given run on which the wrong version has a memory error.
func (t *trial) memory(ctx context.Context, args []string) ([]string, error) {
	b, err := t.build(ctx, "wrong", t.Program.Wrong, sanitized...)
	if err != nil {
		return nil, refusedBy(err, "wrong.c with sanitizers")
	}
	for i := range t.tests[:t.given] {
		x := &t.tests[i]
		p, err := run(ctx, b, x.Args, x.Stdin)
		if err != nil {
			return nil, err
		}
		if !ofMemory(reported(p)) {
			continue
		}
		args = append(args, "--memory")
		if x.Stdin != "" {
			args = append(args, "--stdin", "../given/"+x.Name+".in")
		}
		if args = t.named(args); len(x.Args) > 0 {
			args = append(append(args, "--"), x.Args...)
		}
		return args, nil
	}
	return nil, &leave{"no memory error", "on the tests given"}
}

// lastWords returns the reason that gulo gives for its end, or else the first line of its output that is not of the table of
// --times.
func lastWords(errs string) string {
	said := firstLine(errs)
	if strings.HasPrefix(said, "begin ms") {
		at := strings.Index(errs, "error: ")
		said = strings.TrimSpace(errs[strings.LastIndexByte(errs[:max(at, 0)], '\n')+1:])
		said = firstLine(said)
	}
	for line := range strings.Lines(errs) {
		if why, ok := strings.CutPrefix(line, "gulo: "); ok {
			said = strings.TrimSpace(why)
		}
	}
	return said
}

// ask runs gulo and judges its answer.
func (t *trial) ask(ctx context.Context) error {
	switch {
	case t.Mode == Locate && t.Program.Right == nil:
		return &leave{"no right.c", "nobody says where the mistake is"}
	case t.Mode == Sessions:
		return t.session(ctx)
	}
	args, err := t.arguments(ctx)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	r := t.rec
	u, err := process.Measure(ctx, killAfter(t.Limit), func(c *exec.Cmd) error {
		c.Dir = filepath.Join(t.dir, "wrong")
		return c.Start()
	}, self, args...)
	if err != nil {
		return err
	}
	t.measured(u)
	switch {
	case r.Cause != "":
	case len(u.Out) == 0:
		if r.Cause = outside; r.Exit == 1 {
			r.Cause = unknown
		}
	default:
		var d document
		if err := json.Unmarshal(u.Out, &d); err != nil {
			return fmt.Errorf("gulo %s: %w", args[0], err)
		}
		r.Steps = d.steps()
		if t.Mode == Locate {
			t.ranked(&d)
			return nil
		}
		return t.judge(ctx, &d)
	}
	return nil
}

// measured records the resources that a process took, and a cause if it gave no answer.
func (t *trial) measured(u *process.Usage) {
	r := t.rec
	r.Millis, r.CPU, r.Memory, r.Exit = u.Millis, u.CPU, u.Memory, u.Exit
	said := lastWords(string(u.Errs))
	r.Class, r.Why = None, said
	switch {
	case u.Late:
		r.Cause, r.Why = late, fmt.Sprintf("still at work after %v", killAfter(t.Limit))
	case r.Exit == process.BugCode || r.Exit < 0 || strings.HasPrefix(said, "panic: ") || strings.HasPrefix(said, "fatal error: "):
		r.Cause = crash
	case r.Exit == 2 && t.Mode != Sessions:
		r.Cause = refused
	}
}
