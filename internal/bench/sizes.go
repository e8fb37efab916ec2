package bench

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/session"
	"gulo/internal/target"
	"gulo/internal/target/gdb"
	"gulo/internal/target/sim"
)

// This file measures the cost of a session by the size of the program's heap.

//go:embed sizes/sizes.c
var sizesProgram []byte

// SizesOptions say what is measured.
type SizesOptions struct {
	Nodes   []int
	Shapes  []string      // of list, ring, tree, hash; nil: all
	Engines []string      // gdb, machine
	Steps   int           // steps, each of which can be undone, for measuring their memory
	Limit   time.Duration // for these steps
}

// Shapes are the shapes that the program builds; its first argument is the index of one.
var Shapes = []string{"list", "ring", "tree", "hash"}

// sized is one row. Times are gulo's own processor time in milliseconds, without gdb and the program. On the machine,
// the time for running without a picture is subtracted.
type sized struct {
	shape, engine string
	nodes         int
	first, next   float64
	wait          float64 // from the command next to its picture, by the clock; the best of several
	steps         int
	memory        int64 // memory in use after the steps, in MiB
}

// Sizes prints the table and returns a plot of it.
func Sizes(ctx context.Context, w io.Writer, o SizesOptions) ([]byte, error) {
	dir, err := process.TempDir("gulo-sizes-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "sizes.c")
	if err := os.WriteFile(file, sizesProgram, 0o600); err != nil {
		return nil, err
	}
	fmt.Fprintf(w, "Sessions by the size of the heap; milliseconds of gulo's processor time beyond the program's own\n%-6s %-8s %9s %10s %8s %8s %8s %8s\n",
		"shape", "engine", "nodes", "to picture", "next", "by clock", "steps", "MiB")
	if len(o.Shapes) == 0 {
		o.Shapes = Shapes
	}
	curves := map[string]*curve{}
	var order []string
	for _, shape := range o.Shapes {
		for _, engine := range o.Engines {
			for _, n := range o.Nodes {
				r, err := sizesOf(ctx, file, shape, engine, n, o)
				if err != nil {
					return nil, fmt.Errorf("%s of %s, %s: %w", shape, plural.N(n, "node"), engine, err)
				}
				fmt.Fprintf(w, "%-6s %-8s %9d %10.0f %8.2f %8.2f %8d %8d\n", shape, engine, n, r.first, r.next, r.wait, r.steps, r.memory)
				name := shape + ", " + engine
				if curves[name] == nil {
					curves[name] = &curve{name: name}
					order = append(order, name)
				}
				c := curves[name]
				c.x, c.y = append(c.x, float64(n)), append(c.y, math.Max(0, r.next))
			}
		}
	}
	var cs []curve
	for _, name := range order {
		cs = append(cs, *curves[name])
	}
	return plot("next with its picture, by nodes in the heap", "nodes", "milliseconds of processor time", true, cs), nil
}

// own returns the processor time of this process, in milliseconds.
func own() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e6
}

// resident returns the resident memory in MiB.
func resident() int64 {
	b, err := os.ReadFile("/proc/self/statm")
	f := strings.Fields(string(b))
	if err != nil || len(f) < 2 {
		return 0
	}
	pages, _ := strconv.ParseInt(f[1], 10, 64)
	return pages * int64(os.Getpagesize()) >> 20
}

func openSizes(ctx context.Context, p *lower.Program, file, engine string, args []string) (target.Target, error) {
	if engine == "gdb" {
		return gdb.New(ctx, p, gdb.Config{Files: []string{file}, Args: args})
	}
	return sim.New(p, sim.Config{Name: file, Args: args}), nil
}

func sizesOf(ctx context.Context, file, shape, engine string, n int, o SizesOptions) (*sized, error) {
	load := lower.Load
	if engine == "gdb" {
		load = lower.LoadNative
	}
	p, err := load(ctx, []string{file}, cfront.Options{})
	if err != nil {
		return nil, err
	}
	kind := 0
	for i, s := range Shapes {
		if s == shape {
			kind = i
		}
	}
	args := []string{strconv.Itoa(kind), strconv.Itoa(n)}
	r := &sized{shape: shape, engine: engine, nodes: n}
	bare, err := bareRun(ctx, p, file, engine, args)
	if err != nil {
		return nil, err
	}
	debug.FreeOSMemory()
	tgt, err := openSizes(ctx, p, file, engine, args)
	if err != nil {
		return nil, err
	}
	s := session.New(p, tgt, session.Config{Name: "sizes.c", Args: args, Width: 100, Limit: 5 * time.Minute})
	defer s.Close()
	var last string // the output of the previous command
	do := func(line string) (string, error) {
		text, _, err := s.Exec(ctx, line)
		if err != nil {
			return "", fmt.Errorf("%s: %w, after %.300s", line, err, last)
		}
		last = text
		return text, nil
	}
	if _, err := do("break walk"); err != nil {
		return nil, err
	}
	if _, err := do("start"); err != nil {
		return nil, err
	}
	at := own()
	text, err := do("continue")
	if err != nil {
		return nil, err
	}
	if !strings.Contains(text, "more nodes") {
		return nil, fmt.Errorf("no picture of many nodes: %.300s", text)
	}
	r.first = own() - at - bare
	const some = 20
	at, r.wait = own(), math.Inf(1)
	for range some {
		begin := time.Now()
		if _, err := do("next"); err != nil {
			return nil, err
		}
		r.wait = math.Min(r.wait, float64(time.Since(begin).Microseconds())/1000)
	}
	r.next = (own() - at) / some
	for begin := time.Now(); r.steps < o.Steps && time.Since(begin) < o.Limit; r.steps++ {
		if _, err := do("next"); err != nil {
			return nil, err
		}
	}
	if r.steps > 0 {
		if _, err := do("undo"); err != nil {
			return nil, err
		}
	}
	r.memory = resident()
	return r, nil
}

// bareRun returns the processor time for running to the place without a session.
func bareRun(ctx context.Context, p *lower.Program, file, engine string, args []string) (float64, error) {
	tgt, err := openSizes(ctx, p, file, engine, args)
	if err != nil {
		return 0, err
	}
	defer tgt.Close()
	if _, err := tgt.Start(ctx); err != nil {
		return 0, err
	}
	walk := p.Tree.Func("walk")
	i, ok := p.FuncIndex(walk)
	if !ok {
		return 0, fmt.Errorf("no function walk")
	}
	at := own()
	stop, err := tgt.Resume(ctx, target.Continue, map[int32]bool{p.First(i).Next: true})
	if err == nil && stop.Reason != target.Breakpoint {
		err = fmt.Errorf("stopped elsewhere: %s", bytes.TrimSpace([]byte(stop.Message)))
	}
	return own() - at, err
}
