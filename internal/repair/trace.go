package repair

import (
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/spec"
)

// This file executes the items of a segment, with or without edits. Search, replay and localization share this meaning
// of a trace.

// Trace executes a segment in an image of its start.
type Trace struct {
	Prog *lower.Program
	Seg  *spec.Segment
	Im   *heap.Image
	Base *Patch // edits in force; may be nil

	world  eval.World
	inside map[int32]func(*cfront.Func) bool // by statement: the functions that the trace enters from it
	fresh  []ctype.Word
}

// NewTrace prepares a segment for execution.
func NewTrace(p *lower.Program, seg *spec.Segment, base *Patch) *Trace {
	t := &Trace{Prog: p, Seg: seg, Im: seg.Prepare(), Base: base, inside: map[int32]func(*cfront.Func) bool{}}
	t.world.Heap = t.Im
	base.Patched(p, &t.world)
	AddTemps(t.Im, base.Temps())
	t.world.Temps = nil // the image holds them
	for _, n := range seg.Fresh {
		t.fresh = append(t.fresh, n.Addr)
	}
	return t
}

// At prepares the evaluation of expressions at item i, and returns the memory for it.
func (t *Trace) At(i int) *eval.World {
	it := &t.Seg.Items[i]
	t.Im.SetVars(it.Vars)
	t.ready(it)
	return &t.world
}

// AtGap prepares the evaluation of expressions in the gaps after item i (-1: before the first), and returns the memory
// for it.
func (t *Trace) AtGap(i int) *eval.World {
	switch {
	case i >= 0:
		t.Im.SetVars(t.Seg.Items[i].GapVars())
	case len(t.Seg.Items) > 0:
		t.Im.SetVars(t.Seg.Items[0].Vars)
	}
	t.world.Reset()
	t.world.Known, t.world.Elsewhere = nil, nil
	t.Im.Supply = t.fresh
	return &t.world
}

func (t *Trace) ready(it *spec.Item) {
	w := &t.world
	w.Reset()
	t.Im.Supply = t.Seg.Supply(it)
	w.Known, w.Elsewhere = nil, nil
	if it.Kind == spec.Whole || it.Kind == spec.Leave {
		return
	}
	for _, a := range it.Results {
		v := ctype.Word(0)
		if o := t.Im.Find(a); o != nil {
			v, _ = t.Im.Load(a, o.Var.Type)
		}
		w.Known = append(w.Known, v)
	}
	w.Elsewhere = t.elsewhere(it)
}

// elsewhere returns which functions called by the item's statement the trace executes itself: those that the segment
// enters from it.
func (t *Trace) elsewhere(it *spec.Item) func(*cfront.Func) bool {
	if f, ok := t.inside[it.Stmt]; ok {
		return f
	}
	fs := map[*cfront.Func]bool{}
	for i := range t.Seg.Items {
		o := &t.Seg.Items[i]
		if o.Frame != nil && (o.Kind == spec.Enter && o.Stmt == it.Stmt || o.Kind == spec.Leave && o.Frame.Outer) {
			fs[o.Frame.Func] = true
		}
	}
	in := func(f *cfront.Func) bool { return fs[f] }
	t.inside[it.Stmt] = in
	return in
}

// Exec executes item i with an edit of its statement; nil: as written. For conditions it returns the decision.
func (t *Trace) Exec(i int, e *Edit) (bool, error) {
	it := &t.Seg.Items[i]
	st := t.Prog.Stmts[it.Stmt]
	w := t.At(i)
	switch {
	case it.Concrete != nil:
		it.Concrete.Apply(t.Im)
		return false, nil
	case it.Kind == spec.Leave:
		t.Pop(it.Frame)
		return false, nil
	case it.Kind == spec.Enter:
		return false, t.enter(it, st, e, w)
	}
	return Exec(w, st, e)
}

func (t *Trace) enter(it *spec.Item, st *lower.Stmt, e *Edit, w *eval.World) error {
	mark := t.Im.Mark()
	_, err := Exec(w, st, e)
	if err == nil || w.Entered != it.Frame.Func {
		return fmt.Errorf("%w: the call is not reached", eval.ErrSupport)
	}
	if t.Im.Mark() != mark {
		return fmt.Errorf("%w: effects before a call", eval.ErrSupport)
	}
	f := it.Frame
	t.Push(f)
	for k, p := range f.Func.Params {
		if k >= len(w.Args) || !p.Type.IsScalar() {
			return fmt.Errorf("%w: a parameter that is no scalar", eval.ErrSupport)
		}
		t.Im.Store(f.Vars[p], p.Type, w.Args[k])
	}
	return nil
}

// Push adds a function's variables to the image, with unknown values.
func (t *Trace) Push(f *spec.Frame) {
	for v, a := range f.Vars {
		if !f.Owns(v) {
			continue
		}
		if t.Im.Find(a) != nil {
			t.Im.Remove(a)
		}
		t.Im.Push(&heap.Object{Addr: a, Kind: heap.Local, Live: true, Var: v, Data: make([]byte, v.Type.Size), Undef: spec.Unknown(int(v.Type.Size))})
	}
}

// Pop removes the variables of a function from the image, except its result.
func (t *Trace) Pop(f *spec.Frame) {
	for v, a := range f.Vars {
		if f.Owns(v) && v != f.Func.Result {
			t.Im.Remove(a)
		}
	}
}

// Edit returns the edit in force for an item's statement; nil for none.
func (t *Trace) Edit(i int) *Edit {
	if t.Base == nil {
		return nil
	}
	return t.Base.Stmts[t.Seg.Items[i].Stmt]
}

// Fill executes the insertions in force in the gaps after item i.
func (t *Trace) Fill(i int, gaps []int32) error {
	if t.Base == nil {
		return nil
	}
	for _, g := range gaps {
		if e := t.Base.Gaps[g]; e != nil {
			if err := e.Run(t.AtGap(i)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Ends reports whether the asserted state holds.
func (t *Trace) Ends() bool {
	for _, c := range t.Seg.End {
		if !t.Im.Holds(c.Addr, c.Type, c.Word) {
			return false
		}
	}
	for _, a := range t.Seg.Freed {
		if o := t.Im.Find(a); o == nil || o.Live {
			return false
		}
	}
	return true
}

// Run executes the whole segment with the patch in force. It reports whether the run makes the recorded decisions and
// ends in the asserted state. Forced conditions in deferred are not checked.
func (t *Trace) Run(deferred map[int32]bool) bool {
	if t.Fill(-1, t.Seg.Before) != nil {
		return false
	}
	for i := range t.Seg.Items {
		it := &t.Seg.Items[i]
		d, err := t.Exec(i, t.Edit(i))
		skip := deferred[it.Stmt] && it.Forced
		decides := t.Prog.Stmts[it.Stmt].Kind == lower.Cond && it.Concrete == nil && it.Decision >= 0 && it.Kind != spec.Enter
		if !skip && (err != nil || decides && d != (it.Decision == 1)) {
			return false
		}
		if t.Fill(i, it.Gaps) != nil {
			return false
		}
	}
	return t.Ends()
}
