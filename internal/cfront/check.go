package cfront

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"gulo/internal/timing"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gulo/internal/process"
	"gulo/internal/source"
)

// ToolError says that something outside gulo failed (exit code 3).
type ToolError struct {
	Tool string
	Err  error
	Hint string // what to install or do
}

func (e *ToolError) Error() string {
	s := fmt.Sprintf("%s: %v", e.Tool, e.Err)
	if errors.Is(e.Err, exec.ErrNotFound) {
		s = e.Tool + " is not found in PATH"
	}
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

func (e *ToolError) Unwrap() error { return e.Err }

// gccLimit bounds one run of the compiler.
const gccLimit = 60 * time.Second

// Check asks gcc whether the files are C. Errors that gcc finds are returned as a *source.Error with gcc's own words. A
// *ToolError says that gcc itself failed.
func Check(ctx context.Context, files []string, opt Options) error {
	ctx, cancel := context.WithTimeout(ctx, gccLimit)
	defer cancel()
	var runs [][]Unit
	for _, f := range files {
		u := opt.Unit(f)
		i := slices.IndexFunc(runs, func(r []Unit) bool { return u.Same(&r[0]) })
		if i < 0 {
			i = len(runs)
			runs = append(runs, nil)
		}
		runs[i] = append(runs[i], u)
	}
	errs := make([]error, len(runs))
	places := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for i, r := range runs {
		places <- struct{}{}
		wg.Go(process.Guard(func() {
			errs[i] = checkUnits(ctx, r)
			<-places
		}))
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// compilerBug is gcc's exit status after an internal compiler error (with -pass-exit-codes).
const compilerBug = 4

// checkUnits asks gcc about units that have the same flags and folder, in one run.
func checkUnits(ctx context.Context, units []Unit) error {
	if d := dialectOf(units[0].Flags); d.otherMachine() != "" {
		return source.Errorf(source.Position{File: units[0].Name, Line: 1, Column: 1}, "%s", d.otherMachine())
	}
	args := append([]string{"-fsyntax-only", "-w", "-fdiagnostics-color=never", "-pass-exit-codes", "-x", "c"}, units[0].Flags...)
	for _, u := range units {
		args = append(args, u.Name)
	}
	cmd := process.Command(ctx, "gcc", args...)
	cmd.Dir = units[0].Dir
	cmd.Env = append(cmd.Environ(), "LC_ALL=C")
	var out bytes.Buffer
	cmd.Stderr = &out
	span := timing.Begin(ctx, "gcc, syntax alone")
	err := cmd.Run()
	span.Used(cmd.ProcessState)
	span.End("")
	var exit *exec.ExitError
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay): // it has ended rightly, and this machine is slow to say so
		return nil
	case errors.Is(ctx.Err(), context.Canceled): // by whoever asked
		return ctx.Err()
	case ctx.Err() != nil:
		return &ToolError{"gcc", errors.New("gave no answer in " + gccLimit.String()), ""}
	case !errors.As(err, &exit):
		return &ToolError{"gcc", err, "install it with: apt-get install gcc libc6-dev"}
	}
	if died := process.Died("gcc", err, out.Bytes()); died != nil {
		return died
	}
	text := strings.TrimRight(out.String(), "\n")
	if exit.ExitCode() == compilerBug {
		line, _, _ := strings.Cut(text, "\n")
		return &ToolError{"gcc", errors.New(line), ""}
	}
	pos := firstPosition(text)
	if hint := advice(text); hint != "" {
		text += "\n" + hint
	}
	return &source.Error{List: []source.Diagnostic{{Pos: pos, Message: text, Raw: true}}}
}

var gccPos = regexp.MustCompile(`(?m)^([^\s:][^:\n]*):(\d+):(\d+): (?:fatal )?error:`)

func firstPosition(text string) source.Position {
	m := gccPos.FindStringSubmatch(text)
	if m == nil {
		return source.Position{}
	}
	line, _ := strconv.Atoi(m[2])
	col, _ := strconv.Atoi(m[3])
	return source.Position{File: m[1], Line: line, Column: col}
}
