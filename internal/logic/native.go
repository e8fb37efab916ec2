package logic

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gulo/internal/budget"
	"gulo/internal/cfront"
	"gulo/internal/job"
	"gulo/internal/native"
	"gulo/internal/process"
	"gulo/internal/sandbox"
	"gulo/internal/sat"
	"gulo/internal/smt"
	"gulo/internal/symbolic"
)

// This file runs a program natively on many inputs. One process calls the entry again and again, and restores its
// variables in between.

//go:embed native/runtime.c
var runtime string

// Time for native runs. A program that does not end on some input must not use up the time of the search. Single calls
// and all calls together are measured in processor time; the clock is a guard.
const (
	nativeLimit = 2 * time.Minute
	perInput    = 300 * time.Microsecond
)

// pace bounds native calls.
type pace struct {
	call time.Duration // processor time of one call
	slow int           // calls that may take longer before the run is stopped
}

var (
	patient = pace{2 * time.Second, 1}
	brisk   = pace{5 * time.Millisecond, 400} // for the reference: longer calls are left out
)

// endedError says that a native run did not get through its inputs.
type endedError struct{ text string }

func (e *endedError) Error() string { return e.text }

// native compiles a program and runs it on random and boundary inputs. bad describes the first input on which it fails.
// n counts the inputs that passed; those outside of a precondition do not count, and it is 0 if the job asks for no
// runs. A repaired program must end on all inputs, another one only if there is a reference.
func (t *task) native(ctx context.Context, f *failure, files []string, opt cfront.Options, repaired bool) (n int, bad string, err error) {
	want := t.req.Random
	if want == 0 {
		want = 2000
	}
	if want < 0 {
		return 0, "", nil
	}
	if len(f.all) == 0 {
		want = 1
	}
	ins := t.randomInputs(ctx, f, f.all, want)
	if len(ins) == 0 {
		return 0, "", errors.New("no input was found that meets what is assumed")
	}
	var ref []string
	if t.ref != nil {
		if ref, err = t.calls(ctx, t.req.Reference, t.req.Options, f, ins, true, brisk); err != nil {
			return 0, "", fmt.Errorf("the reference: %w", err)
		}
		if ins, ref = ended(ins[:len(ref)], ref); len(ins) == 0 {
			return 0, "", errors.New("the reference comes to an end on none of the random inputs")
		}
	}
	own, err := t.calls(ctx, files, opt, f, ins, false, patient)
	var ended *endedError
	if errors.As(err, &ended) && ctx.Err() == nil && (t.ref != nil || repaired) {
		return 0, "on one of the random inputs: " + ended.text, nil
	}
	if err != nil {
		return 0, "", err
	}
	for i, in := range ins[:len(own)] { // on the others it was not run any more
		switch {
		case own[i] == "endless" && !(ref != nil || repaired): // it may be meant not to end
		case ref != nil && own[i] != ref[i], own[i] == "fault", own[i] == "endless":
			return i, "on " + describe(f.inputs, in), nil
		case t.of != nil && strings.HasPrefix(own[i], "0 "): // the precondition does not hold
		default:
			n++
		}
	}
	return n, "", nil
}

// ended removes the inputs on which the reference fails or takes too long.
func ended(ins []smt.Model, ref []string) ([]smt.Model, []string) {
	var some []smt.Model
	var said []string
	for i, line := range ref {
		if line != "fault" && line != "endless" {
			some, said = append(some, ins[i]), append(said, line)
		}
	}
	return some, said
}

// Compare runs a program and the reference natively on random and boundary inputs. Inputs on which the reference fails
// or does not end are left out. bad describes the first input on which they differ; n counts the inputs before it on
// which they agree, all if bad is "".
func Compare(ctx context.Context, req *job.Job) (n int, bad string, err error) {
	t, err := prepare(ctx, req)
	if err != nil {
		return 0, "", err
	}
	defer t.close()
	if t.ref == nil {
		return 0, "", job.Usage("there is no reference to compare with")
	}
	f := &failure{inputs: t.inputs.symbols(nil), all: t.inputs.symbols(nil)}
	r, _, err := t.ask.Check(ctx, t.inputs.assume)
	if err != nil {
		return 0, "", err
	}
	if r != sat.Satisfiable {
		return 0, "", errors.New("no input was found that meets what is assumed")
	}
	in := smt.Model{}
	for _, s := range f.all {
		in[s.Name] = t.ask.Model()[s.Name]
	}
	f.passing = []smt.Model{in}
	return t.native(ctx, f, req.Files, req.Options, true)
}

// randomInputs makes inputs that meet the assumptions. Some values are arbitrary; most are close to each other, to 0 or
// to the program's constants.
func (t *task) randomInputs(ctx context.Context, f *failure, list []symbolic.Input, want int) []smt.Model {
	rnd := rand.New(rand.NewSource(t.req.Seed + 99))
	near := []int64{0, 1, -1}
	for _, fn := range t.tree.Funcs {
		if t.own[fn] {
			cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
				cfront.Walk(x, func(y cfront.Expr) bool {
					if c, ok := y.(*cfront.Const); ok && c.Type().IsInteger() {
						near = append(near, int64(c.Value))
					}
					return true
				})
			})
		}
	}
	lazy := &smt.Lazy{}
	defer lazy.Spend(ctx)
	assume := t.inputs.assume
	if t.inputs.wide != nil {
		assume = t.inputs.wide
	}
	out := append(append([]smt.Model(nil), f.failing...), f.passing...)
	for tries := 0; len(out) < want && tries < 20*want; tries++ {
		in, base := smt.Model{}, smt.Model{}
		if len(out) > 0 {
			base = out[rnd.Intn(len(out))]
		}
		for _, s := range list {
			var v int64
			switch rnd.Intn(6) {
			case 0:
				if v = int64(rnd.Uint64()); s.Bounded() {
					v = s.Lo + int64(uint64(v)%uint64(s.Hi-s.Lo+1))
				}
			case 1:
				v = near[rnd.Intn(len(near))] + int64(rnd.Intn(3)-1)
			case 2:
				v = int64(rnd.Intn(2000) - 500)
			case 3:
				v = int64(rnd.Intn(8) - 1)
			case 4:
				v = int64(base[list[rnd.Intn(len(list))].Name])
			default:
				v = int64(base[s.Name])
			}
			in[s.Name] = uint64(v) & maskOf(s)
		}
		lazy.Use(in)
		if lazy.Value(assume) == 1 {
			out = append(out, in)
		}
	}
	return out
}

// calls builds a program with the harness and returns one line of output for each input, or for the first of them, if
// all together take more processor time than the search has left, or a fault among them decides.
func (t *task) calls(ctx context.Context, files []string, opt cfront.Options, f *failure, ins []smt.Model, ref bool, p pace) ([]string, error) {
	dir, err := process.TempDir("gulo-native-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if files, opt, err = t.specified(dir, files, opt); err != nil {
		return nil, err
	}
	src, rt := filepath.Join(dir, "driver.c"), filepath.Join(dir, "runtime.c")
	if err := errors.Join(os.WriteFile(src, []byte(t.driver(files, f, ref)), 0o600), os.WriteFile(rt, []byte(runtime), 0o600)); err != nil {
		return nil, err
	}
	args := []string{"-fwrapv", "-O1"}
	if len(t.statics()) > 0 {
		args = []string{"-fwrapv", "-O0", "-g"} // so that each has a place in memory, with debug information
	}
	bin, err := native.LinkFiles(ctx, dir, "program", []string{src}, opt.As(src, files[0]), append(args, rt)...)
	var no *native.CompileError
	switch {
	case ctx.Err() != nil:
		return nil, errors.New("the time was up")
	case errors.As(err, &no):
		return nil, errors.New(no.Reason())
	case err != nil:
		return nil, err
	}
	offsets, err := t.staticOffsets(bin.Path(), ref)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	most := nativeLimit
	if left, ok := budget.Left(ctx); ok {
		most = min(most, max(left, time.Second))
	}
	first := 0
	if t.ref == nil { // then the first fault decides
		first = 1
	}
	fmt.Fprint(&b, p.call.Milliseconds(), " ", p.slow, " ", most.Milliseconds(), " ", first, " ", len(offsets))
	for _, at := range offsets {
		fmt.Fprintf(&b, " %d", at)
	}
	b.WriteByte('\n')
	for _, in := range ins {
		for _, s := range f.all {
			fmt.Fprintf(&b, "%d ", decimal(s, in))
		}
		b.WriteByte('\n')
	}
	guard := nativeLimit + time.Duration(len(ins))*perInput
	res, err := bin.Run(ctx, sandbox.Limits{Time: guard, Memory: 1 << 30, Output: 64 << 20, Weak: true}, b.String())
	if err != nil {
		return nil, err
	}
	budget.Spend(ctx, budget.Process+int64(len(ins))*budget.Quick)
	lines := strings.Split(strings.TrimSuffix(res.Stdout, "\n"), "\n")
	switch last := len(lines) - 1; {
	case lines[last] == "over":
		budget.Spend(ctx, budget.Of(most))
		return lines[:last], nil
	case first == 1 && lines[last] == "fault":
		return lines, nil
	}
	if len(lines) != len(ins) {
		if res.Stopped == "time" {
			return nil, &endedError{fmt.Sprintf("it does not come to an end within %v", guard)}
		}
		return nil, &endedError{fmt.Sprintf("the program ended after %d of %d (%s %d %q)", len(lines), len(ins), res.Stopped, res.Status, res.Stderr)}
	}
	return lines, nil
}
