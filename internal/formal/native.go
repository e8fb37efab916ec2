package formal

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/sandbox"
	"gulo/internal/sat"
	"gulo/internal/smt"
)

// This file runs a program natively on many inputs: one process that calls the entry
// again and again, with its variables put back in between.

//go:embed native/harness.c
var harness string

// nativeLimit and perInput bound one native run: a program that does not end on an input
// must not take the time of the search.
const (
	nativeLimit = 4 * time.Second
	perInput    = 300 * time.Microsecond
)

// endedError is a native run that did not get through its inputs.
type endedError struct{ text string }

func (e *endedError) Error() string { return e.text }

// native compiles a repaired program and runs it on random and boundary inputs; bad
// is the first on which it fails. n is 0 when that was not asked for.
func (t *task) native(ctx context.Context, f *failure, files []string, opt cfront.Options) (n int, bad string, err error) {
	want := t.req.Random
	if want == 0 {
		want = 2000
	}
	if want < 0 {
		return 0, "", nil
	}
	ins := t.randomInputs(f, want)
	if len(ins) == 0 {
		return 0, "", errors.New("no input was found that meets what is assumed")
	}
	own, err := t.calls(ctx, files, opt, f, ins)
	var ended *endedError
	if errors.As(err, &ended) && ctx.Err() == nil {
		return 0, "on one of the random inputs: " + ended.text, nil
	}
	if err != nil {
		return 0, "", err
	}
	var ref []string
	if t.ref != nil {
		if ref, err = t.calls(ctx, t.req.Reference, t.req.Options, f, ins); err != nil {
			return 0, "", err
		}
	}
	for i, in := range ins {
		switch {
		case ref != nil && strings.HasPrefix(ref[i], "fault"):
		case ref != nil && own[i] != ref[i], strings.HasPrefix(own[i], "fault"):
			return i, describe(f.inputs, in), nil
		default:
			n++
		}
	}
	return n, "", nil
}

// Compare runs a program and the reference natively on random and boundary inputs;
// bad is the first on which they differ, n how many were run.
func Compare(ctx context.Context, req *Request) (n int, bad string, err error) {
	t, err := prepare(ctx, req)
	if err != nil {
		return 0, "", err
	}
	defer t.close()
	if t.ref == nil {
		return 0, "", usage("there is no reference to compare with")
	}
	f := &failure{inputs: t.inputs.symbols(nil)}
	r, _, err := t.ask.Check(ctx, t.inputs.assume)
	if err != nil {
		return 0, "", err
	}
	if r != sat.Satisfiable {
		return 0, "", errors.New("no input was found that meets what is assumed")
	}
	in := smt.Model{}
	for _, s := range f.inputs {
		in[s.Name] = t.ask.Model()[s.Name]
	}
	f.passing = []smt.Model{in}
	return t.native(ctx, f, req.Files, req.Options)
}

// randomInputs makes inputs: some of all numbers, most near each other, near 0, near
// the program's constants and at the ends of types.
func (t *task) randomInputs(f *failure, want int) []smt.Model {
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
	out := append(append([]smt.Model(nil), f.failing...), f.passing...)
	for tries := 0; len(out) < want && tries < 20*want; tries++ {
		in, base := smt.Model{}, smt.Model{}
		if len(out) > 0 {
			base = out[rnd.Intn(len(out))]
		}
		for _, s := range f.inputs {
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
				v = int64(base[f.inputs[rnd.Intn(len(f.inputs))].Name])
			default:
				v = int64(base[s.Name])
			}
			in[s.Name] = uint64(v) & maskOf(s)
		}
		lazy.Use(in)
		if lazy.Value(t.inputs.assume) == 1 {
			out = append(out, in)
		}
	}
	return out
}

// calls builds a program with the harness and returns a line for each input.
func (t *task) calls(ctx context.Context, files []string, opt cfront.Options, f *failure, ins []smt.Model) ([]string, error) {
	dir, err := os.MkdirTemp("", "gulo-native-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if files, opt, err = t.specified(dir, files, opt); err != nil {
		return nil, err
	}
	src := filepath.Join(dir, "harness.c")
	if err := os.WriteFile(src, []byte(t.driver(files, f)), 0o600); err != nil {
		return nil, err
	}
	bin := filepath.Join(dir, "program")
	args := append([]string{"-w", "-O1", "-fwrapv", "-o", bin, src}, opt.Flags...)
	for _, n := range files {
		args = append(args, "-I"+filepath.Dir(n))
	}
	cc := exec.CommandContext(ctx, "gcc", append(args, "-lm")...)
	if out, err := cc.CombinedOutput(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return nil, &cfront.ToolError{Tool: "gcc", Err: err, Hint: "install it with: apt-get install gcc"}
		}
		if ctx.Err() != nil {
			return nil, errors.New("the time was up")
		}
		return nil, fmt.Errorf("gcc: %s", strings.SplitN(string(out), "\n", 2)[0])
	}
	var b strings.Builder
	for _, in := range ins {
		for _, s := range f.inputs {
			fmt.Fprintf(&b, "%d ", decimal(s, in))
		}
		b.WriteByte('\n')
	}
	// It runs as a user of its own.
	if err := errors.Join(os.Chmod(dir, 0o755), os.Chmod(bin, 0o755)); err != nil {
		return nil, err
	}
	res, err := sandbox.Run(ctx, sandbox.Limits{Time: nativeLimit + time.Duration(len(ins))*perInput, Memory: 1 << 30, Output: 64 << 20, Weak: true}, dir, b.String(), bin)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(res.Stdout), "\n"), "\n")
	if len(lines) != len(ins) {
		if res.Stopped == "time" {
			return nil, &endedError{"it does not come to an end"}
		}
		return nil, &endedError{fmt.Sprintf("the program ended after %d of %d (%s %d %q)", len(lines), len(ins), res.Stopped, res.Status, res.Stderr)}
	}
	return lines, nil
}

// driver writes the harness for an entry.
func (t *task) driver(files []string, f *failure) string {
	var read, call, show strings.Builder
	args := make([]string, len(t.entry.Params))
	k := 0
	for _, in := range t.inputs.list {
		switch {
		case in.global != nil:
			for i, c := range scalars(in.global.Type, 0) {
				fmt.Fprintf(&read, "        *(%s *)((char *)&%s + %d) = (%s)in[%d];\n", c.typ, in.name, c.off, c.typ, k+i)
			}
			k += len(in.terms)
		case in.shape != nil:
			read.WriteString(driveStructure(in, k))
			args[in.param] = fmt.Sprintf("(in[%d] ? %s_[0] : 0)", k, in.name)
			k += len(in.terms)
		case in.array:
			fmt.Fprintf(&read, "        %s %s_[%d] = {0};\n", in.typ, in.name, len(in.terms))
			for i, s := range in.terms {
				if s.Term.Op == smt.OpVar {
					fmt.Fprintf(&read, "        %s_[%d] = (%s)in[%d];\n", in.name, i, in.typ, k)
					k++
				}
			}
			args[in.param] = in.name + "_"
			fmt.Fprintf(&show, "            for (int i = 0; i < %d; i++) gulo_put(%s_[i]);\n", len(in.terms), in.name)
		default:
			args[in.param] = fmt.Sprintf("(%s)in[%d]", in.typ, k)
			k++
		}
	}
	name := t.entry.Name
	if name == "main" {
		name = "gulo_program_main"
		if len(args) == 2 {
			args = []string{"0", "(char **)0"}
		}
	}
	c := fmt.Sprintf("%s(%s)", name, strings.Join(args, ", "))
	if t.entry.Type.Result.Kind == ctype.Void {
		fmt.Fprintf(&call, "            %s;\n", c)
	} else {
		fmt.Fprintf(&call, "            gulo_put((long)%s);\n", c)
	}
	for _, o := range t.outputs {
		for _, s := range o.cells {
			fmt.Fprintf(&show, "            gulo_put((long)*(%s *)((char *)&%s + %d));\n", s.typ, o.own.Name, s.off)
		}
	}
	var includes strings.Builder
	for _, n := range files {
		if abs, err := filepath.Abs(n); err == nil {
			n = abs
		}
		fmt.Fprintf(&includes, "#include \"%s\"\n", n)
	}
	return strings.NewReplacer(
		"/* PROGRAM */", includes.String(), "INPUTS", fmt.Sprint(len(f.inputs)), "GIVEN", fmt.Sprint(k),
		"/* READ */", read.String(), "/* CALL */", call.String(), "/* SHOW */", show.String(),
	).Replace(harness)
}
