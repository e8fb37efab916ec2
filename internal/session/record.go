package session

import (
	"maps"
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/spec"
	"gulo/internal/target"
)

// This file records what the program does as segments: statement by statement,
// through calls of functions under repair and back. A call of any other
// function is part of its statement: modelled when interpreting it gives what
// the program did, else its recorded effect stands for it.

// activation is a function that is active in the open segment.
type activation struct {
	frame   *spec.Frame
	depth   int
	caller  *lower.Stmt                // the statement that called it
	vars    map[*cfront.Var]ctype.Word // of the caller
	results []ctype.Word               // of the calls that the statement being executed in it has made
	tail    int                        // in a function that is not under repair: how many more statements are recorded
}

// maxTail bounds the statements recorded after the functions under repair have returned.
const maxTail = 200

// resultCells is where the results of functions are stored: addresses that no program has.
const resultCells = ctype.Word(0xFFF0) << 48

func (s *recorder) top() *activation {
	if s.open == nil || len(s.stack) == 0 {
		return nil
	}
	return &s.stack[len(s.stack)-1]
}

// recording reports whether a statement about to be executed goes into the
// open segment.
func (s *recorder) recording(st *lower.Stmt) bool {
	a := s.top()
	return a != nil && a.depth == s.stop.Depth && (s.recorded(st.Func) || a.tail > 0)
}

// recorded reports whether what a function does is recorded from its beginning.
func (s *recorder) recorded(f *cfront.Func) bool { return s.scope[f] || s.watched[f] }

// attend starts to record when the program has come to the beginning of a function, so that an assertion anywhere in it
// has a state to begin from. If the program halts in the middle of a function that is not recorded, it starts there.
func (s *recorder) attend() {
	if c := s.call; c != nil && s.stop.Reason == target.Stepped && s.stop.Depth < c.depth {
		c.over = true
	}
	st := s.stmt()
	if st == nil || s.stop.Reason != target.Stepped || s.stop.Inside || !s.enters(st) && s.open != nil {
		return
	}
	if s.recording(st) {
		if s.call == nil || s.stop.Depth <= s.call.depth {
			if im, err := s.capture(); err == nil {
				s.noteCall(im)
			}
		}
		return
	}
	s.watched = map[*cfront.Func]bool{}
	if !s.scope[st.Func] {
		s.watched[st.Func] = true
	}
	s.begin()
}

// begin starts a segment at the current state.
func (s *recorder) begin() {
	s.cut()
	im, err := s.capture()
	if err != nil || len(im.Frames) == 0 {
		return
	}
	s.open = &spec.Segment{Start: im}
	if st := s.stmt(); st != nil && st.Func.Name == "main" && s.stop.Depth == 1 {
		s.halted = append(slices.Clip(s.halted[max(0, len(s.halted)-mostHalted+1):]), im)
	}
	s.noteEntry(im)
	s.noteCall(im)
	a := s.outer(im, 0, s.stop.Depth)
	if st := s.stmt(); st != nil && st.Kind == lower.End && a.frame.Result != 0 {
		if w, ok := s.tgt.Result(); ok {
			r := st.Func.Result
			o := &heap.Object{Addr: a.frame.Result, Kind: heap.Local, Live: true, Var: r, Frame: -1, Data: make([]byte, r.Type.Size)}
			ctype.Store(r.Type, o.Data, w)
			im.Push(o)
		}
	}
	if !s.recorded(a.frame.Func) {
		a.tail = maxTail
	}
	s.stack = []activation{a}
	s.made = nil
}

// mostHalted bounds the halts in main whose pictures are kept.
const mostHalted = 3

// noteEntry keeps a state in which a function under repair was entered, as the example that inputs are generated from:
// the first one, or a later one with more nodes.
func (s *recorder) noteEntry(im *heap.Image) {
	st := s.stmt()
	if st == nil || st.Func.Name == "main" || !s.enters(st) {
		return
	}
	for i, e := range s.entries {
		if e.Frames[0].Func == st.Func {
			if im.LiveNodes() > e.LiveNodes() { // the larger example tells more of the shapes
				s.entries = slices.Clone(s.entries)
				s.entries[i] = im
			}
			return
		}
	}
	s.entries = append(s.entries, im)
}

// outer describes a call that was already active when the recorded part of the run (spec.Segment) began. i is the index
// of its frame in im.Frames, depth its depth on the stack.
func (s *recorder) outer(im *heap.Image, i, depth int) activation {
	f := im.Frames[i].Func
	a := activation{frame: &spec.Frame{Func: f, Vars: map[*cfront.Var]ctype.Word{}, Outer: true}, depth: depth}
	for o := range im.Each {
		if o.Kind == heap.Local && o.Frame == i {
			a.frame.Vars[o.Var] = o.Addr
		}
	}
	s.resultCell(a.frame)
	return a
}

func (s *recorder) resultCell(f *spec.Frame) {
	if f.Func.Result == nil {
		return
	}
	f.Result = resultCells + ctype.Word(s.cells16)
	s.cells16 += 16
	f.Vars[f.Func.Result] = f.Result
}

// vars returns the addresses of the variables that a statement of the innermost function can name.
func (s *recorder) vars(im *heap.Image) map[*cfront.Var]ctype.Word {
	a := s.top()
	if a == nil || a.depth != s.stop.Depth || a.frame.Result == 0 {
		return im.Vars()
	}
	vars := maps.Clone(im.Vars())
	vars[a.frame.Func.Result] = a.frame.Result
	return vars
}

// cut gives up the segment being recorded.
func (s *recorder) cut() { s.open, s.stack, s.made = nil, nil, nil }

// step is a statement being executed.
type step struct {
	st        *lower.Stmt
	depth     int
	before    *heap.Image
	recording bool
	item      spec.Item
}

// record adds the statement just executed to the open segment and executes
// what the patch inserts behind it.
func (s *recorder) record(r *step) error {
	switch d := s.stop.Depth - r.depth; {
	case d == 0 && !s.entered(r):
		s.called = false
		e := s.taken(r.st, &r.item)
		r.item.Gaps = e.Gaps
		if r.recording {
			if err := s.whole(r); err != nil {
				return err
			}
		}
		return s.fillGaps(e.Gaps)
	case d == 1:
		return s.enterCall(r.st, r.item)
	case d == -1 || d == 0:
		s.called = d == 0
		return s.leaveCall(r, d == 0)
	}
	s.lost()
	return nil
}

// entered reports whether the program, although as deep as before, is at the
// first statement of another function: the next one that the caller calls.
func (s *recorder) entered(r *step) bool {
	st := s.stmt()
	return r.st.Kind == lower.End && st != nil && s.isFirst(st)
}

func (s *recorder) isFirst(st *lower.Stmt) bool {
	i, ok := s.prog.FuncIndex(st.Func)
	return ok && s.prog.First(i).Next == st.ID
}

// enters reports whether the next statement begins a call. To be the first of its function is not enough: a loop may
// lead back to it, or a call return to it.
func (s *recorder) enters(st *lower.Stmt) bool { return s.called && s.isFirst(st) }

// lost starts anew after the program has gone a way that cannot be recorded.
func (s *recorder) lost() {
	s.cut()
	if st := s.stmt(); st != nil && s.recorded(st.Func) {
		s.begin()
	}
}

// whole records a statement that was executed in one go.
func (s *recorder) whole(r *step) error {
	if a := s.top(); a.tail > 0 {
		if a.tail--; a.tail == 0 {
			s.cut()
			return nil
		}
	}
	it := r.item
	if err := s.asExecuted(r, &it); err != nil {
		return err
	}
	// A concrete statement that can be executed again is; it is only kept out
	// of repairs. Otherwise what it did here stands for it.
	asWhole := s.concrete[r.st.ID] && (r.st.Kind == lower.Cond || !repair.Modelled(r.st))
	if it.Concrete != nil {
		s.open.Items = append(s.open.Items, it)
		return nil
	}
	if asWhole || !repair.Modelled(r.st) && r.st.Kind != lower.End {
		after, err := s.capture()
		if err != nil {
			return err
		}
		d := spec.Difference(r.before, after)
		it.Allocs = d.New
		if asWhole || !s.modelled(r.before, after, it) {
			it.Concrete, it.Allocs = d, nil
		}
	}
	s.open.Items = append(s.open.Items, it)
	return nil
}

// asExecuted replaces a statement by its recorded effect if it cannot be computed again. An item that fails although
// the program did not would make right code suspicious.
func (s *recorder) asExecuted(r *step, it *spec.Item) error {
	if !repair.Modelled(r.st) || it.Forced {
		return nil
	}
	w := &eval.World{Heap: r.before}
	s.patch.Patched(s.prog, w)
	repair.AddTemps(r.before, s.patch.Temps())
	mark := r.before.Mark()
	var err error
	same := true
	if e := s.patch.Stmts[r.st.ID]; r.st.Kind == lower.Return && e == nil {
		_, err = eval.Value(w, r.st.X)
	} else if r.st.Kind != lower.Return && e == nil {
		var d bool
		d, err = repair.Exec(w, r.st, nil)
		same = r.st.Kind != lower.Cond || it.Decision < 0 || d == (it.Decision == 1)
	}
	r.before.Rollback(mark)
	if err == nil && same {
		return nil
	}
	after, cerr := s.capture()
	if cerr != nil {
		return cerr
	}
	it.Concrete = spec.Difference(r.before, after)
	return nil
}

// modelled reports whether interpreting an item's statement, calls included,
// does what the program did.
func (s *recorder) modelled(before, after *heap.Image, it spec.Item) bool {
	if s.prog.Stmts[it.Stmt].Macro {
		return false
	}
	seg := &spec.Segment{Start: before, Items: []spec.Item{it}}
	t := repair.NewTrace(s.prog, seg, s.patch)
	d, err := t.Exec(0, t.Edit(0))
	if err != nil || it.Decision >= 0 && d != (it.Decision == 1) && !it.Forced {
		return false
	}
	for _, o := range after.All() {
		p := t.Im.Find(o.Addr)
		if p == nil && o.ReadOnly { // a literal that nothing led to before
			continue
		}
		if p == nil || p.Addr != o.Addr || p.Live != o.Live || len(p.Data) != len(o.Data) {
			return false
		}
		for i := range o.Data {
			known := (o.Undef == nil || !o.Undef[i]) && (p.Undef == nil || !p.Undef[i])
			fill := o.Filled && o.Data[i] == heap.Fill // beside bytes that were written
			if known && o.Data[i] != p.Data[i] || p.Undef != nil && p.Undef[i] && (o.Undef == nil || !o.Undef[i]) && !fill {
				return false
			}
		}
	}
	return true
}

// enterCall records that a statement called a function, whose first statement
// is next.
func (s *recorder) enterCall(caller *lower.Stmt, it spec.Item) error {
	st := s.stmt()
	a := s.top()
	if st == nil || !s.isFirst(st) {
		s.lost()
		return nil
	}
	i, _ := s.prog.FuncIndex(st.Func)
	first := s.prog.First(i)
	if a == nil || a.depth != s.stop.Depth-1 || !directCall(caller, st.Func) {
		s.lost()
		return s.fillGaps(first.Gaps)
	}
	frames, err := s.tgt.Frames()
	if err != nil {
		return err
	}
	f := &spec.Frame{Func: st.Func, Vars: map[*cfront.Var]ctype.Word{}}
	for v, addr := range it.Vars {
		if v.Func == nil || v.Storage == cfront.Static {
			f.Vars[v] = addr
		}
	}
	for _, v := range frames[0].Vars {
		f.Vars[v.Var] = v.Addr
	}
	s.resultCell(f)
	it.Kind, it.Frame, it.Gaps, it.Decision = spec.Enter, f, first.Gaps, -1
	it.Results = append([]ctype.Word(nil), a.results...)
	s.open.Items = append(s.open.Items, it)
	s.stack = append(s.stack, activation{frame: f, depth: s.stop.Depth, caller: caller, vars: it.Vars})
	return s.fillGaps(first.Gaps)
}

// directCall reports whether a statement itself calls a function by name.
func directCall(st *lower.Stmt, f *cfront.Func) bool { return countCalls(st, f) > 0 }

func countCalls(st *lower.Stmt, f *cfront.Func) int {
	n := 0
	visit := func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if c, ok := y.(*cfront.Call); ok {
				if r, ok := cfront.Skip(c.Fun).(*cfront.FuncRef); ok && r.Func == f {
					n++
				}
			}
			return true
		})
	}
	for _, x := range st.Exprs() {
		visit(x)
	}
	return n
}

// leaveCall records the return from a function; again says that the statement
// which called it has called the next one already.
func (s *recorder) leaveCall(r *step, again bool) error {
	a := s.top()
	if a == nil || a.depth != r.depth {
		if a == nil && s.open == nil {
			s.lost()
		}
		return nil
	}
	s.open.Items = append(s.open.Items, spec.Item{Stmt: r.st.ID, Kind: spec.Leave, Decision: -1, Vars: r.item.Vars, Frame: a.frame})
	left := *a
	s.stack = s.stack[:len(s.stack)-1]
	if len(s.stack) == 0 && !s.callerOf(&left, r) {
		s.lost()
		return nil
	}
	b := s.top()
	b.results = append(b.results, left.frame.Result)
	if again {
		return s.enterCall(left.caller, spec.Item{Stmt: left.caller.ID, Vars: left.vars})
	}
	it := spec.Item{Stmt: left.caller.ID, Kind: spec.Finish, Decision: -1, Vars: left.vars, Results: b.results}
	b.results = nil
	e := s.taken(left.caller, &it)
	it.Gaps = e.Gaps
	if callsLibrary(left.caller) { // printf("%d", f(x)): what is left of it is not modelled
		after, err := s.capture()
		if err != nil {
			return err
		}
		it.Concrete = spec.Difference(r.before, after)
	}
	s.open.Items = append(s.open.Items, it)
	return s.fillGaps(e.Gaps)
}

// callsLibrary reports whether a statement calls a function that has no body
// to be interpreted.
func callsLibrary(st *lower.Stmt) bool {
	if st.X == nil {
		return false
	}
	found := false
	cfront.Walk(st.X, func(y cfront.Expr) bool {
		if c, ok := y.(*cfront.Call); ok {
			if r, ok := cfront.Skip(c.Fun).(*cfront.FuncRef); !ok || r.Func.Body == nil {
				found = true
			}
		}
		return !found
	})
	return found
}

// callerOf makes the caller of a function the innermost one of the segment, if it was active before the segment began.
// The calling statement must have only one call: what earlier ones returned is not known.
func (s *recorder) callerOf(left *activation, r *step) bool {
	if len(r.before.Frames) < 2 || r.before.Frames[1].Thread != 0 {
		return false
	}
	id := r.before.Frames[1].Stmt
	if id <= 0 || int(id) >= len(s.prog.Stmts) {
		return false
	}
	caller := s.prog.Stmts[id]
	if countCalls(caller, left.frame.Func) != 1 {
		return false
	}
	b := s.outer(r.before, 1, r.depth-1)
	left.caller, left.vars = caller, maps.Clone(b.frame.Vars)
	for v, addr := range r.before.Vars() {
		if v.Func == nil || v.Storage == cfront.Static {
			left.vars[v] = addr
		}
	}
	if !s.recorded(caller.Func) {
		b.tail = maxTail
	}
	s.stack = append(s.stack, b)
	return true
}
