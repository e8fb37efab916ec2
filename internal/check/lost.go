package check

import (
	"context"
	"io"
	"os"
	"slices"

	"gulo/internal/rules"
)

// This file says of leaks that were found natively where the last pointers were lost: following every pointer would cost
// each run more than the search for errors itself, so the program is run once more, on the machine.

// addLosses completes the leaks of a native run, where the machine finds the same in a run of bounded length. Where it
// cannot run the program, or its input is gone, nothing is said.
func addLosses(ctx context.Context, r *Request, files []*rules.File, found *Result) {
	if !slices.ContainsFunc(found.Findings, func(f Finding) bool { return f.Blocks > 0 }) {
		return
	}
	input := again(r.Stdin)
	q := *r
	q.Native, q.Stdin, q.Stdout, q.Stderr = false, input, io.Discard, io.Discard
	if q.MaxSteps == 0 {
		q.MaxSteps = mostWatched
	}
	on, err := onMachine(ctx, &q, files)
	if gone, ok := input.(*gone); err != nil || ok && gone.asked {
		return
	}
	for i := range found.Findings {
		f := &found.Findings[i]
		if k := slices.IndexFunc(on.Findings, func(o Finding) bool { return sameLeak(&o, f) }); k >= 0 {
			f.Lost = on.Findings[k].Lost
		}
	}
}

// sameLeak reports whether two engines tell of the same blocks.
func sameLeak(a, b *Finding) bool {
	at := func(x, y Step) bool { return x.File == y.File && x.Line == y.Line }
	return a.Rule == b.Rule && a.Blocks == b.Blocks && a.Bytes == b.Bytes && a.Made != nil && b.Made != nil && at(*a.Made, *b.Made) &&
		slices.EqualFunc(a.MadeCalls, b.MadeCalls, at)
}

// again reads an input that was read before from its beginning.
func again(r io.Reader) io.Reader {
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return io.NewSectionReader(f, 0, info.Size())
		}
	}
	return &gone{}
}

// gone is an input that was read before and is not kept.
type gone struct{ asked bool }

func (g *gone) Read([]byte) (int, error) {
	g.asked = true
	return 0, io.EOF
}
