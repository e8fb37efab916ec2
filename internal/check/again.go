package check

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"sync"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/process"
	"gulo/internal/rules"
	"gulo/internal/rules/calculus"
	"gulo/internal/slice"
)

// This file explains why an access outside a block went there: where the index came from, what it was compared with,
// and where the block's size came from. The machine records this in a second run (machine.Config.Numbers).

// numbersOf is the number of steps before an error in which values are tracked.
const numbersOf = 4 << 20

// mostAgain bounds the steps of a run that is repeated.
const mostAgain = 10 * mostWatched

// arrayBounds names an error that clang's check or ir.Bound detects. No rule is about it, but it can be switched off
// like one.
const arrayBounds = string(machine.ArrayBounds)

// unwritten is the rule about memory that was never written.
const unwritten = "uninitialized_read"

// addNumbers completes the first finding of a run on the machine by a second run on the same input.
func (x *prepared) addNumbers(r *Request, input io.Reader, rep *Result) error {
	if x.lax || len(rep.Findings) == 0 || !rep.Findings[0].outside() && rep.Findings[0].Rule != unwritten || rep.Steps == 0 || rep.Steps > mostAgain {
		return nil
	}
	d, err := x.debugger(r)
	if err != nil {
		return err
	}
	q := *r
	q.Stdin, q.Stdout, q.Stderr = input, io.Discard, io.Discard
	m, err := x.machineFor(&q, d, machine.Config{Numbers: max(1, rep.Steps-numbersOf)})
	if err != nil {
		return err
	}
	_, err = m.Run()
	var f *machine.Fault
	if !errors.As(err, &f) || f.Kind != machine.FaultKind(rep.Findings[0].Rule) || m.Steps() != rep.Steps {
		return nil // the second run went another way, for example because the program reads the time
	}
	var about calculus.Firing
	if len(d.Findings) > 0 {
		about = d.Findings[0]
	}
	first := &rep.Findings[0]
	if first.Rule == unwritten {
		if links := m.Before(uint32(about.Block), first.Access.at()); len(links) > 0 {
			first.Others = append(first.Others, Chain{"what is before it", x.places(links)})
		}
		return nil
	}
	for _, s := range m.Slices(uint32(about.Block), x.conditions(m.Indexed(uint32(about.Block)))) {
		links := x.places(s.Links)
		if s.Of == machine.LastByte && (first.Access == nil || first.Access.Write || first.Access.Size > 1) || len(links) == 0 {
			continue
		}
		first.Others = append(first.Others, Chain{s.Of, links})
	}
	return nil
}

func (x *prepared) places(links []machine.Link) (out []Step) {
	for _, l := range links {
		if stmt(x.p, l.Stmt) != nil {
			out = append(out, place(x.p, l.Stmt, l.What))
		}
	}
	return out
}

// at is the offset of an access; 0 if it is not known.
func (a *Access) at() int64 {
	if a == nil {
		return 0
	}
	return a.Offset
}

// outside reports whether a finding is an access outside an existing block, or an index outside an array.
func (f *Finding) outside() bool {
	a := f.Access
	return f.Rule == arrayBounds || a != nil && f.about != (subject{}) && (a.Offset < 0 || a.Offset+a.Size > f.about.size)
}

// mostConditions bounds the conditions that are reported for one access.
const mostConditions = 2

// conditions returns the conditions that decide whether a statement is reached, the nearest first, and only those that
// compare a variable which the statement mentions.
func (x *prepared) conditions(id int32) (out []int32) {
	s := stmt(x.p, id)
	if s == nil || s.Func == nil {
		return nil
	}
	i, ok := x.p.FuncIndex(s.Func)
	if !ok {
		return nil
	}
	blocks, vars := x.p.IR.Funcs[i].Blocks, variables(s)
	succ := make([][]int, len(blocks))
	for k, b := range blocks {
		b.Succs(func(n int32) { succ[k] = append(succ[k], int(n)) })
	}
	depends := slice.ControlDependences(succ)
	seen := make([]bool, len(blocks))
	for open := []int{int(s.Block)}; len(open) > 0 && len(out) < mostConditions; open = open[1:] {
		if seen[open[0]] {
			continue
		}
		seen[open[0]] = true
		for _, k := range slices.Backward(depends[open[0]]) {
			open = append(open, k)
			c := stmt(x.p, blocks[k].Instrs[len(blocks[k].Instrs)-1].Stmt)
			if c != nil && c.Kind == lower.Cond && c != s && len(out) < mostConditions && !slices.Contains(out, c.ID) &&
				slices.ContainsFunc(compared(c.X), func(v *cfront.Var) bool { return slices.Contains(vars, v) }) {
				out = append(out, c.ID)
			}
		}
	}
	return out
}

// variables returns the variables that a statement mentions.
func variables(s *lower.Stmt) (out []*cfront.Var) {
	for _, e := range s.Exprs() {
		out = append(out, mentioned(e)...)
	}
	return out
}

func mentioned(e cfront.Expr) (out []*cfront.Var) {
	cfront.Walk(e, func(e cfront.Expr) bool {
		if r, ok := e.(*cfront.Ref); ok {
			out = append(out, r.Var)
		}
		return true
	})
	return out
}

// compared returns the variables in comparisons that bound something: all but ==.
func compared(e cfront.Expr) (out []*cfront.Var) {
	cfront.Walk(e, func(e cfront.Expr) bool {
		if b, ok := e.(*cfront.Binary); ok && b.Op.IsCompare() && b.Op != ctype.Eq {
			out = append(out, mentioned(b)...)
		}
		return true
	})
	return out
}

// mostKept bounds the input that is kept for a second run, in bytes.
const mostKept = 1 << 20

// reread is an input that keeps what was read, to be read again.
type reread struct {
	from io.Reader
	text bytes.Buffer
	lost bool // the input was too long to keep
}

func (k *reread) Read(p []byte) (int, error) {
	if k.from == nil {
		return 0, io.EOF
	}
	n, err := k.from.Read(p)
	k.keep(p[:n])
	return n, err
}

func (k *reread) keep(p []byte) {
	if k.text.Len()+len(p) > mostKept {
		k.lost = true
	} else {
		k.text.Write(p)
	}
}

// complete adds to the findings of a native run what a run on the machine finds out: every step of the pointers, for
// leaks where the last pointers were lost, and for accesses outside a block where the numbers came from. Tracking this
// natively would cost every run more than the search for errors itself. If the machine cannot run the program that far, or the input is gone, nothing
// is added.
func complete(ctx context.Context, r *Request, files []*rules.File, found *Result) {
	if len(found.Findings) == 0 || r.Events != "" { // events have the times of the steps that they saw
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
	if len(on.Findings) == 0 {
		return
	}
	if f, o := &found.Findings[0], &on.Findings[0]; sameAccess(f, o) {
		if further(o.Chain, f.Chain) || len(o.Others) > len(f.Others) {
			f.Chain, f.Others = o.Chain, o.Others
		}
	}
}

// further reports whether chain a, which begins at the same use as b, says more: where the value comes from is nowhere in b,
// or a has more lines.
func further(a, b []Step) bool {
	lines := func(steps []Step) map[Step]bool {
		out := map[Step]bool{}
		for _, s := range steps {
			out[Step{File: s.File, Line: s.Line}] = true
		}
		return out
	}
	if len(a) == 0 {
		return false
	}
	inA, inB, last := lines(a), lines(b), a[len(a)-1]
	return len(inA) > len(inB) || !inB[Step{File: last.File, Line: last.Line}]
}

// sameAccess reports whether the findings of two engines are about the same error of the same statement.
func sameAccess(a, b *Finding) bool {
	return a.Blocks == 0 && a.Rule == b.Rule && a.File == b.File && a.Function == b.Function && (a.Line == b.Line || a.outside() && a.Access != nil && b.Access != nil && *a.Access == *b.Access)
}

// sameLeak reports whether the findings of two engines are about blocks that were made at the same place by the same
// calls. How many of them are lost may differ: natively one whose address an old register or stack word still holds is not.
func sameLeak(a, b *Finding) bool {
	at := func(x, y Step) bool { return x.File == y.File && x.Line == y.Line }
	return a.Blocks > 0 && b.Blocks > 0 && a.Rule == b.Rule && a.Made != nil && b.Made != nil && at(*a.Made, *b.Made) &&
		slices.EqualFunc(a.MadeCalls, b.MadeCalls, at)
}

// handed is the input of a native program that comes through a pipe: what is handed on is kept.
type handed struct {
	mu   sync.Mutex
	kept reread
	all  bool // nothing follows
}

// hand returns what a native program reads instead of in, and what keeps it; in itself and nil if in can be read again,
// or if a person types it. done is called when the program has ended.
func hand(in io.Reader) (to io.Reader, kept *handed, done func(), err error) {
	f, ok := in.(*os.File)
	if !ok {
		return in, nil, func() {}, nil
	}
	if info, err := f.Stat(); err != nil || info.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return in, nil, func() {}, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, nil, &ToolError{err.Error()}
	}
	h := &handed{kept: reread{from: f}}
	process.Go(func() { // it may wait for the other end of f when the program has ended
		defer w.Close()
		_, _ = io.Copy(w, h)
	})
	return r, h, func() { r.Close() }, nil
}

func (h *handed) Read(p []byte) (int, error) {
	n, err := h.kept.from.Read(p)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.kept.keep(p[:n])
	h.all = errors.Is(err, io.EOF)
	return n, err
}

// again returns what was handed on.
func (h *handed) again() io.Reader {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.kept.lost {
		return &gone{}
	}
	g := &gone{begin: slices.Clone(h.kept.text.Bytes())}
	if h.all {
		return bytes.NewReader(g.begin)
	}
	return g
}

// again returns a reader of an input, which was read before, from its beginning.
func again(r io.Reader) io.Reader {
	switch f := r.(type) {
	case *handed:
		return f.again()
	case *os.File:
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return io.NewSectionReader(f, 0, info.Size())
		}
	case *reread:
		if !f.lost {
			return bytes.NewReader(f.text.Bytes())
		}
	}
	return &gone{}
}

// gone is an input that was read before and of which only the beginning was kept.
type gone struct {
	begin []byte
	asked bool // for more
}

func (g *gone) Read(p []byte) (int, error) {
	if len(g.begin) == 0 {
		g.asked = true
		return 0, io.EOF
	}
	n := copy(p, g.begin)
	g.begin = g.begin[n:]
	return n, nil
}
