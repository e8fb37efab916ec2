package oracle

import (
	"context"
	"maps"
	"slices"
	"sort"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/target"
	"gulo/internal/target/sim"
)

// This file makes inputs close to one of a run, and shows what becomes of them, to distinguish repairs that nothing
// else distinguishes.

// Near returns a state and states that differ from it in one place: a link is null, or a number is changed a little or
// zero. It returns at most n. Of the variables in static storage only those in globals are changed; they are given by
// their names in states, with their types.
func Near(s *State, n int, globals map[string]*ctype.Type) []*State {
	out := []*State{s}
	add := func(change func(c *State)) {
		if len(out) < n {
			c := s.clone()
			change(c)
			out = append(out, c)
		}
	}
	numbers := func(w ctype.Word) []ctype.Word {
		out := []ctype.Word{w + 1, w - 1}
		if w > 1 {
			out = append(out, 0)
		}
		return out
	}
	for i, v := range s.Args {
		switch {
		case v.Whole:
		case v.Object > 0:
			add(func(c *State) { c.Args[i] = Value{} })
		case v.Name == "" && !v.Unset && !v.Gone:
			for _, w := range numbers(v.Word) {
				add(func(c *State) { c.Args[i].Word = w })
			}
		}
	}
	for k := range s.Objects {
		o := &s.Objects[k]
		if o.Count != 1 && o.Heap {
			continue
		}
		types := map[string]*ctype.Type{}
		for _, x := range scalars(o.Type, "", 0, nil) {
			types[x.path] = x.typ
		}
		for i, cell := range o.Cells {
			v, t := cell.Value, types[cell.Path]
			switch {
			case t == nil || v.Unset || v.Gone:
			case v.Object > 0:
				add(func(c *State) { c.Objects[k].Cells[i].Value = Value{} })
			case t.IsInteger() && v.Name == "":
				add(func(c *State) { c.Objects[k].Cells[i].Value.Word = ctype.Wrap(t, v.Word+2) })
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(globals)) {
		types := map[string]*ctype.Type{}
		for _, x := range scalars(globals[name], "", 0, nil) {
			types[x.path] = x.typ
		}
		for i, cell := range s.Globals[name] {
			v, t := cell.Value, types[cell.Path]
			switch {
			case t == nil || v.Unset || v.Gone:
			case v.Object > 0:
				add(func(c *State) { c.Globals[name][i].Value = Value{} })
			case t.IsInteger() && t.Size > 1 && v.Name == "": // not characters of texts
				add(func(c *State) { c.Globals[name][i].Value.Word = ctype.Wrap(t, v.Word+2) })
			}
		}
	}
	return out
}

// Named lists, in the form that Near takes, the variables in static storage that a function or one that it calls
// mentions, or that an argument of the state points to.
func Named(p *lower.Program, f *cfront.Func, s *State) map[string]*ctype.Type {
	out := map[string]*ctype.Type{}
	add := func(v *cfront.Var) {
		if v.Storage != cfront.Local && v.Storage != cfront.Param && !v.Const && v.Range.Valid() && s.Globals[nameOf(v)] != nil {
			out[nameOf(v)] = v.Type
		}
	}
	for g := range cfront.Callees(f) {
		cfront.WalkStmt(g.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				if r, ok := y.(*cfront.Ref); ok {
					add(r.Var)
				}
				return true
			})
		})
	}
	for _, v := range p.Tree.Globals {
		if slices.ContainsFunc(s.Args, func(a Value) bool { return a.Name == v.Name }) {
			add(v)
		}
	}
	return out
}

func (s *State) clone() *State {
	c := *s
	c.Globals = make(map[string][]Cell, len(s.Globals))
	for n, cells := range s.Globals {
		c.Globals[n] = slices.Clone(cells)
	}
	c.Args = append([]Value(nil), s.Args...)
	c.Objects = append([]Object(nil), s.Objects...)
	for i := range c.Objects {
		c.Objects[i].Cells = append([]Cell(nil), c.Objects[i].Cells...)
	}
	return &c
}

// Scene is a call on an input: the memory at its beginning and at its end.
type Scene struct {
	Before, After *heap.Image
	Result        string      // what it returns; empty for no result
	Returned      ctype.Word  // Result as a number
	Failed        string      // how it fails; then After is nil
	Stopped       *heap.Image // memory where it fails; nil if it does not fail
}

// Play runs a call, with edits applied to the program, and captures its memory.
func (s *Suite) Play(ctx context.Context, st *State, edits []*lower.Overlay) (*Scene, error) {
	if edits == nil {
		edits = []*lower.Overlay{}
	}
	c := &Case{State: st}
	var call *Call
	t := sim.New(s.Prog, sim.Config{Name: "program", MaxSteps: maxSteps, Edits: edits, Enter: func(m *machine.Machine) (err error) {
		call, err = s.Enter(m, c)
		return err
	}})
	defer t.Close()
	stop, err := t.Start(ctx)
	if err != nil {
		return nil, err
	}
	sc := &Scene{}
	if sc.Before, err = call.picture(t, st); err != nil {
		return nil, err
	}
	end := int32(0)
	for _, x := range s.Prog.Stmts {
		if x != nil && x.Kind == lower.End && x.Func == s.Entry {
			end = x.ID
		}
	}
	for stop.Stmt != end || stop.Depth > 1 {
		if stop, err = t.Resume(ctx, target.Continue, map[int32]bool{end: true}); err != nil {
			return nil, err
		}
		switch stop.Reason {
		case target.Breakpoint, target.Stepped:
			continue
		case target.TimedOut:
			sc.Failed = "does not come to an end"
		case target.Crashed:
			sc.Failed = "fails: " + stop.Message
		}
		sc.Stopped, err = call.picture(t, st)
		return sc, err
	}
	if sc.After, err = call.picture(t, st); err != nil {
		return nil, err
	}
	if w, ok := t.Result(); ok && s.Entry.Type.Result.IsScalar() {
		sc.Result, sc.Returned = sc.After.Symbol(w, s.Entry.Type.Result).Text, w
	}
	return sc, nil
}

// Seen returns the memory after the call as its caller sees it: parameters have the values that they were given, and
// the result is a variable.
func (sc *Scene) Seen(f *cfront.Func) *heap.Image {
	im := sc.After.Clone()
	last := 0
	for _, o := range im.All() {
		if o.Kind != heap.Local || o.Frame != 0 || o.Var.Storage != cfront.Param {
			continue
		}
		last = max(last, o.Var.Range.Start)
		if a, ok := sc.Before.VarAddr(o.Var); ok {
			if b := sc.Before.Find(a); b != nil && len(b.Data) == len(o.Data) {
				o.Data, o.Undef = slices.Clone(b.Data), slices.Clone(b.Undef)
			}
		}
	}
	if t := f.Type.Result; sc.Result != "" && t.Size > 0 {
		v := &cfront.Var{Name: "returned", Type: t, Storage: cfront.Param, Func: f}
		v.Range.Start = last + 1
		o := &heap.Object{Addr: 1, Kind: heap.Local, Live: true, Var: v, Data: make([]byte, t.Size)}
		ctype.Store(t, o.Data, sc.Returned)
		im.Add(o)
	}
	im.Sort()
	return im
}

// picture captures the memory of a call in a made state. Objects that the call was given have the names that they had
// in the picture from which the state was taken.
func (e *Call) picture(t *sim.Target, st *State) (*heap.Image, error) {
	im, err := target.Capture(t)
	if err != nil {
		return nil, err
	}
	im.SetTypes(e.suite.Prog.Tree)
	frames := map[*cfront.Func]int{}
	given := map[*heap.Object]bool{}
	last := 0
	for k, a := range e.addrs {
		x := &st.Objects[k]
		last = max(last, x.Node)
		if a == 0 {
			continue
		}
		o := im.Find(a)
		if o == nil || o.Addr != a {
			if o = unmet(t, a, e.types[k].Size*e.count[k]); o == nil {
				continue
			}
			im.Add(o)
			im.Sort()
		}
		switch {
		case o.Kind == heap.Node && x.Node > 0:
			o.Seq, given[o] = x.Node, true
		case o.Kind == heap.Static && x.Var != nil && x.Var.Func != nil && x.Var.Type.Size <= int64(len(o.Data)):
			f, ok := frames[x.Var.Func]
			if !ok {
				f = len(im.Frames)
				frames[x.Var.Func] = f
				im.Frames = append(im.Frames, heap.FrameInfo{Func: x.Var.Func})
			}
			o.Kind, o.Var, o.Frame = heap.Local, x.Var, f
		case o.Kind == heap.Static && !o.ReadOnly && e.types[k].Size > 1:
			o.Type = ctype.ArrayOf(e.types[k], e.count[k])
			if e.count[k] == 1 {
				o.Type = e.types[k]
			}
		}
	}
	var fresh []*heap.Object
	for _, o := range im.All() {
		if o.Kind == heap.Node && !given[o] {
			fresh = append(fresh, o)
		}
	}
	sort.Slice(fresh, func(i, j int) bool { return fresh[i].Seq < fresh[j].Seq })
	for i, o := range fresh {
		o.Seq = last + 1 + i
	}
	return im, nil
}

// unmet reads memory that a capture did not reach. It returns nil if the memory cannot be read.
func unmet(t *sim.Target, a ctype.Word, size int64) *heap.Object {
	o := &heap.Object{Addr: a, Kind: heap.Static, Live: true, Data: make([]byte, size)}
	if !t.Read(a, o.Data) {
		return nil
	}
	return o
}
