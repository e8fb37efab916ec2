package judge

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/native"
	"gulo/internal/oracle"
	"gulo/internal/patch"
	"gulo/internal/process"
	"gulo/internal/sandbox"
	"gulo/internal/source"
)

// This file makes calls natively. It builds the state of each case in the memory of the compiled program, and calls the
// function there.

//go:embed native/calls.c
var callsRuntime string

var sanitizers = []string{"-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"}

// Limits of native calls.
const (
	mostCalls  = 120
	callsLimit = time.Minute // of all calls of a program
	stopped    = 86          // exit status if a sanitizer stopped the call
)

// Side is a program with the function that is called in it.
type Side struct {
	Prog    *lower.Program
	Entry   *cfront.Func
	Files   []string // the files that it was loaded from
	Options cfront.Options
}

// Calls makes the calls of cases natively, in repaired programs. What a case wants was found on the machine, and a
// native call may differ from that for reasons of its own, such as the size of the machine's memory. So each call is
// also made in Control, a program that is right on some cases: a case that Control fails natively refutes nothing.
// Calls is not safe for concurrent use.
type Calls struct {
	Own     Side
	Control Side // the reference, or the unrepaired program

	control map[*oracle.Case]bool // whether the control meets a case natively
	missing string                // why calls in the control cannot be made; empty: they can
}

// Native is the result of making a candidate's calls natively.
type Native struct {
	Met     int          // calls that it meets
	Bad     *oracle.Case // a call that it fails and the control meets; nil if there is none
	How     string       // how Bad differs, in words
	Missing string       // why calls could not be made
}

// Try makes the calls of cases in the program with changed texts. If there are more than mostCalls, it takes an even
// sample.
func (c *Calls) Try(ctx context.Context, texts map[string]string, cases []*oracle.Case) (*Native, error) {
	if len(cases) > mostCalls {
		var some []*oracle.Case
		for i := range mostCalls {
			some = append(some, cases[i*len(cases)/mostCalls])
		}
		cases = some
	}
	if err := c.learn(ctx, cases); err != nil {
		return nil, err
	}
	if c.missing != "" {
		return &Native{Missing: c.missing}, nil
	}
	ended, why, err := c.Own.run(ctx, texts, cases)
	if err != nil || why != "" {
		return &Native{Missing: why}, err
	}
	out := &Native{}
	for i, x := range cases {
		how := ended[i].differs(x.Want)
		switch {
		case how == "":
			out.Met++
		case c.control[x] && out.Bad == nil && !ended[i].late():
			out.Bad, out.How = x, how
		}
	}
	return out, nil
}

// Fails records that the control does not meet some cases, so that their calls are not made in it. A call that does not
// end would take seconds.
func (c *Calls) Fails(cases ...*oracle.Case) {
	if c.control == nil {
		c.control = map[*oracle.Case]bool{}
	}
	for _, x := range cases {
		c.control[x] = false
	}
}

// learn makes in the control those calls that it has not made there yet.
func (c *Calls) learn(ctx context.Context, cases []*oracle.Case) error {
	if c.control == nil {
		c.control = map[*oracle.Case]bool{}
	}
	var fresh []*oracle.Case
	for _, x := range cases {
		if _, known := c.control[x]; !known {
			fresh = append(fresh, x)
		}
	}
	if len(fresh) == 0 || c.missing != "" {
		return nil
	}
	ended, why, err := c.Control.run(ctx, nil, fresh)
	if c.missing = why; err != nil || why != "" {
		return err
	}
	for i, x := range fresh {
		c.control[x] = ended[i].differs(x.Want) == ""
	}
	return nil
}

// run compiles a program with the calls and makes them. why says what prevents that, and is empty if nothing does.
func (s *Side) run(ctx context.Context, texts map[string]string, cases []*oracle.Case) (out []ended, why string, err error) {
	at, ok := holder(s.Files, s.Entry)
	if !ok {
		return nil, s.Entry.Name + " is in a file that is included", nil
	}
	dir, err := process.TempDir("gulo-calls")
	if err != nil {
		return nil, "", err
	}
	defer os.RemoveAll(dir)
	files, opt, err := patch.WriteTo(dir, s.Files, s.Options, texts)
	if err != nil {
		return nil, "", err
	}
	d := &driver{prog: s.Prog, entry: s.Entry}
	text, err := d.text(cases)
	var no *unwritable
	if errors.As(err, &no) {
		return nil, "its states cannot be made natively: " + no.why, nil
	}
	driverFile, runtime := filepath.Join(dir, "driver.c"), filepath.Join(dir, "runtime.c")
	if err := errors.Join(os.WriteFile(driverFile, fmt.Appendf(nil, "#include %q\n%s", files[at], text), 0o600), os.WriteFile(runtime, []byte(callsRuntime), 0o600)); err != nil {
		return nil, "", err
	}
	args := append([]string{"-O0", "-Dmain=gulo_main"}, sanitizers...)
	opt = opt.As(driverFile, files[at])
	files[at] = driverFile
	b, err := native.LinkFiles(ctx, dir, "program", files, opt, append(args, runtime)...)
	var refused *native.CompileError
	if errors.As(err, &refused) {
		return nil, "its calls cannot be compiled: " + refused.Reason(), nil
	}
	if err != nil {
		return nil, "", err
	}
	p, err := b.Run(ctx, sandbox.Limits{Time: callsLimit, Memory: 1 << 46, Output: 64 << 20, Weak: true}, "")
	if err != nil {
		return nil, "", err
	}
	if out = readEnded(p.Stdout); len(out) < len(cases) {
		return nil, "not all calls were made: " + p.String(), nil
	}
	return out, "", nil
}

// ended is how a native call ended.
type ended struct {
	output    string
	status    int
	signal    syscall.Signal
	came, has bool
	result    int64
}

// readEnded parses the output of the runtime, up to the first record that is malformed.
func readEnded(s string) (out []ended) {
	for _, part := range strings.Split(s, "\001")[1:] {
		_, rest, ok := strings.Cut(part, "\n")
		i := strings.LastIndexByte(rest, '\002')
		if !ok || i < 0 {
			return out
		}
		e := ended{output: rest[:i]}
		var came, has, sig int
		if _, err := fmt.Sscanf(rest[i+1:], "%d %d %d %d %d", &e.status, &sig, &came, &has, &e.result); err != nil {
			return out
		}
		e.signal, e.came, e.has = syscall.Signal(sig), came == 1, has == 1
		out = append(out, e)
	}
	return out
}

// late reports whether a call was ended by a limit of time or by SIGKILL. That depends on the machine's speed, so it
// refutes nothing.
func (e *ended) late() bool {
	return e.signal == syscall.SIGALRM || e.signal == syscall.SIGXCPU || e.signal == syscall.SIGKILL
}

// differs says how a call differs from want. It is empty if it does not.
func (e *ended) differs(want *oracle.Run) string {
	switch {
	case e.signal != 0:
		return "is ended by a signal: " + e.signal.String()
	case e.status == stopped && !e.came:
		return "is stopped by a sanitizer"
	case !e.came:
		return fmt.Sprintf("exits with %d", e.status)
	case want.Any:
		return ""
	case e.output != want.Output:
		got, right := source.Excerpts(e.output, want.Output)
		return fmt.Sprintf("prints %q instead of %q", got, right)
	}
	if n, ok := resultOf(want.State); ok && e.has && n != e.result {
		return fmt.Sprintf("returns %d instead of %d", e.result, n)
	}
	return ""
}

// resultOf reads the returned number from the text of a state.
func resultOf(state string) (int64, bool) {
	for _, l := range strings.Split(state, "\n") {
		if text, ok := strings.CutPrefix(l, "result="); ok {
			n, err := strconv.ParseInt(text, 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
