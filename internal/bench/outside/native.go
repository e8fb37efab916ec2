package outside

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"gulo/internal/process"
)

// This file compiles and runs programs natively.

// Sanitized are the compiler flags that detect undefined behaviour.
var Sanitized = []string{"-g", "-Wall", "-Wextra", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"}

const (
	oneRun = 5 * time.Second
	// maxOutput bounds the output of a run; the longest of the programs print some hundred bytes.
	maxOutput = 1 << 20
	reported  = 99 // exit status after a sanitizer's report
)

// Compile builds a program and returns what gcc says.
func Compile(ctx context.Context, bin, src string, flags ...string) (string, error) {
	out, err := process.Command(ctx, "gcc", append(flags, "-o", bin, src, "-lm")...).CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("gcc: %w: %s", err, firstLine(string(out)))
	}
	return string(out), nil
}

// result is the outcome of a run.
type result struct {
	stdout string
	exit   int    // 128 + signal number if a signal ended it, as in a shell
	why    string // "time", "output", or the sanitizers' first line
}

type bounded struct {
	bytes.Buffer
	full bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxOutput {
		b.full = true
		return 0, errors.New("too much output")
	}
	return b.Buffer.Write(p)
}

// execute runs a binary once.
func execute(ctx context.Context, bin string, r *Run) (*result, error) {
	res, _, err := observe(ctx, bin, r, false)
	return res, err
}

// Leaks returns the first run that loses memory; nil if there is none, or if the system does not allow LeakSanitizer to
// run.
func Leaks(ctx context.Context, bin string, runs []Run) (*Run, error) {
	for i := range runs {
		_, said, err := observe(ctx, bin, &runs[i], true)
		if err != nil {
			return nil, err
		}
		if strings.Contains(said, "LeakSanitizer: detected memory leaks") {
			return &runs[i], nil
		}
	}
	return nil, nil
}

// observe runs a binary once and also returns its standard error.
func observe(ctx context.Context, bin string, r *Run, leaks bool) (*result, string, error) {
	limited, cancel := context.WithTimeout(ctx, oneRun)
	defer cancel()
	c := process.Command(limited, bin, r.Args...)
	c.Env = append(os.Environ(),
		fmt.Sprintf("ASAN_OPTIONS=detect_leaks=%t:exitcode=%d:hard_rss_limit_mb=512", leaks, reported),
		fmt.Sprintf("UBSAN_OPTIONS=exitcode=%d", reported))
	c.Stdin = strings.NewReader(r.Stdin)
	c.WaitDelay = time.Second
	var out, errs bounded
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	res := &result{stdout: out.String()}
	if c.ProcessState == nil {
		return nil, "", err
	}
	res.exit = c.ProcessState.ExitCode()
	switch {
	case limited.Err() != nil:
		res.why = "time"
	case out.full || errs.full:
		res.why = "output"
	case strings.Contains(errs.String(), "runtime error:") || strings.Contains(errs.String(), "Sanitizer"):
		res.why = complaint(errs.String())
	case res.exit < 0:
		res.why = c.ProcessState.String()
	}
	return res, errs.String(), nil
}

// complaint returns the sanitizers' message from their report.
func complaint(text string) string {
	for _, l := range strings.Split(text, "\n") {
		if i := strings.Index(l, "runtime error: "); i >= 0 {
			return l[i:]
		}
		if i := strings.Index(l, "AddressSanitizer: "); i >= 0 {
			return strings.Join(strings.Fields(l[i:])[:2], " ")
		}
	}
	return firstLine(text)
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

// differs says how a run differs from the expected one, or returns "".
func (r *result) differs(want *Run) string {
	switch {
	case r.why != "":
		return r.why
	case r.exit != want.Exit:
		return fmt.Sprintf("exit status %d, not %d", r.exit, want.Exit)
	case r.stdout != want.Stdout:
		at := 0
		for at < min(len(r.stdout), len(want.Stdout)) && r.stdout[at] == want.Stdout[at] {
			at++
		}
		at = max(at-clipped/3, 0)
		return fmt.Sprintf("prints %q, not %q", clip(r.stdout, at), clip(want.Stdout, at))
	}
	return ""
}

const clipped = 48 // bytes of an output that are shown

// clip cuts out a part of a text from position at.
func clip(s string, at int) string {
	cut := s[min(at, len(s)):]
	if at > 0 {
		cut = "…" + cut
	}
	if len(cut) > clipped {
		cut = cut[:clipped] + "…"
	}
	return cut
}

// Expected fills in the output and status of runs from the right program.
func Expected(ctx context.Context, right string, runs []Run) error {
	for i := range runs {
		res, err := execute(ctx, right, &runs[i])
		if err != nil {
			return err
		}
		if res.why != "" {
			return fmt.Errorf("the right program on %s: %s", runs[i], res.why)
		}
		runs[i].Stdout, runs[i].Exit = res.stdout, res.exit
	}
	return nil
}

// Refute returns the first run on which a binary behaves differently from what is expected, and how; nil if there is
// none.
func Refute(ctx context.Context, bin string, runs []Run) (*Run, string, error) {
	for i := range runs {
		res, err := execute(ctx, bin, &runs[i])
		if err != nil {
			return nil, "", err
		}
		if d := res.differs(&runs[i]); d != "" {
			return &runs[i], d, nil
		}
	}
	return nil, "", nil
}
