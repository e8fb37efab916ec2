package cfront

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"gulo/internal/process"
	"gulo/internal/source"
)

// Options are the compiler flags that change what a source file means.
type Options struct {
	Flags []string // -I, -D, -U, -std=, -include
}

// ToolError says that something outside gulo failed (exit code 3).
type ToolError struct {
	Tool string
	Err  error
	Hint string // what to install or do
}

func (e *ToolError) Error() string {
	s := fmt.Sprintf("%s: %v", e.Tool, e.Err)
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

func (e *ToolError) Unwrap() error { return e.Err }

// gccLimit bounds one run of the compiler.
const gccLimit = 60 * time.Second

// Check asks gcc whether the files are C. What gcc says about errors is
// returned as a *source.Error with gcc's own words.
func Check(ctx context.Context, files []string, opt Options) error {
	ctx, cancel := context.WithTimeout(ctx, gccLimit)
	defer cancel()
	args := append([]string{"-fsyntax-only", "-w", "-fdiagnostics-color=never", "-x", "c"}, opt.Flags...)
	for _, f := range files {
		if strings.HasPrefix(f, "-") {
			f = "./" + f
		}
		args = append(args, f)
	}
	cmd := process.Command(ctx, "gcc", args...)
	cmd.Env = append(cmd.Environ(), "LC_ALL=C")
	var out bytes.Buffer
	cmd.Stderr = &out
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return &ToolError{"gcc", errors.New("gave no answer in " + gccLimit.String()), ""}
	case !errors.As(err, &exit):
		return &ToolError{"gcc", err, "install it with: apt-get install gcc libc6-dev"}
	}
	if died := process.Died("gcc", err, out.Bytes()); died != nil {
		return died
	}
	text := strings.TrimRight(out.String(), "\n")
	if strings.Contains(text, "internal compiler error") {
		line, _, _ := strings.Cut(text, "\n")
		return &ToolError{"gcc", errors.New(line), ""}
	}
	return &source.Error{List: []source.Diagnostic{{Pos: firstPosition(text), Message: text, Raw: true}}}
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
