package session

import (
	"context"
	"errors"
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/repair"
	"gulo/internal/spec"
	"gulo/internal/target"
)

// This file lets the program run: statement by statement where a patch is in
// force or a trace is recorded (Algorithm 2 of Wolverine2), freely elsewhere.

// goal says when a run is over.
type goal struct {
	mode  target.Mode
	depth int
	moved bool
}

// reached reports whether the goal holds at the current stop.
func (g *goal) reached(s *recorder) bool {
	if !g.moved {
		return false
	}
	switch g.mode {
	case target.Next:
		return s.stop.Depth <= g.depth
	case target.Into:
		return true
	case target.Out:
		return s.stop.Depth < g.depth
	}
	return false // advance halts at breakpoints
}

// running returns nil if the program can go on, and otherwise an error that says why not.
func (s *recorder) running() error {
	switch {
	case !s.started:
		return errorf("the program is not running; use start")
	case s.postMortem() != "":
		return errorf("a core file shows a process as it was; nothing runs there and nothing can be changed")
	case s.waiting:
		return errorf("the program waits for input: type a line for it (input TEXT), or undo")
	case s.stop.Became != "":
		return s.errBecame()
	case s.stop.Reason == target.Exited:
		return errorf("the program has ended; use undo to go back or start to run it again")
	case s.stop.Reason == target.Crashed:
		return errorf("the program has crashed; %s", s.beforeCrash())
	}
	return nil
}

// postMortem names what the session shows instead of a process that can run, such as a core file; "" for a process.
func (s *inferior) postMortem() string {
	if x, ok := s.tgt.(interface{ PostMortem() string }); ok {
		return x.PostMortem()
	}
	return ""
}

// careful reports whether the current function must be executed statement by
// statement by the session itself.
func (s *recorder) careful() bool {
	st := s.stmt()
	if st == nil || s.stop.Inside {
		return false
	}
	if s.patch.Touches(s.prog, st.Func) {
		return true
	}
	return s.recording(st)
}

// Bounds of the statements recorded in one command: of functions stepped into, and of
// those that are recorded in case something will be asserted in them.
const (
	maxTrace   = 20_000
	maxWatched = 1_000
)

// longest returns how many statements may be recorded in one command.
func (s *recorder) longest() int {
	if st := s.stmt(); len(s.watched) > 0 && st != nil && !s.scope[st.Func] && !s.patch.Touches(s.prog, st.Func) {
		return maxWatched
	}
	return maxTrace
}

// advance runs until the goal is reached or the program stops otherwise.
func (s *Session) advance(outer context.Context, g *goal) error {
	ctx, cancel := context.WithTimeout(outer, s.cfg.Limit)
	defer cancel()
	defer func() {
		switch {
		case s.stop.Reason == target.TimedOut && outer.Err() != nil:
			s.stop.Reason = target.Interrupted
		case s.stop.Reason == target.Interrupted && errors.Is(ctx.Err(), context.DeadlineExceeded) && outer.Err() == nil:
			s.stop.Reason = target.TimedOut
		}
	}()
	thread := s.stop.Thread
	for n := 0; ; n++ {
		if g.moved && s.landing == nil && g.reached(&s.recorder) {
			return nil
		}
		if ctx.Err() != nil {
			s.stop.Reason = target.TimedOut
			return nil
		}
		watching := g.mode == target.Continue && len(s.watches) > 0
		if err := s.goOn(ctx, g, watching, n < s.longest()); err != nil {
			return err
		}
		g.moved = true
		switch s.stop.Reason {
		case target.Stepped, target.Breakpoint:
			s.stop.Reason = target.Stepped
			if s.stop.Thread != thread && g.mode != target.Continue { // the depth of another thread says nothing
				if on, err := s.goBack(ctx, thread); !on || err != nil {
					return err
				}
				g.moved = false
				continue
			}
			if err := s.notePassed(); err != nil {
				return err
			}
			if watching && s.changedWatch() {
				return nil
			}
			if g.mode == target.Next && s.stop.Depth <= g.depth || g.mode == target.Into {
				continue // reached
			}
			if halt, err := s.halts(); halt || err != nil {
				return err
			}
		case target.NeedInput: // the recording goes on when input has come
			s.waiting = true
			return nil
		default:
			s.cut()
			return nil
		}
	}
}

// goOn executes one statement, or lets the program run to where it may halt. If that waited for input, goOn continues
// it. recorded allows execution statement by statement.
func (s *Session) goOn(ctx context.Context, g *goal, watching, recorded bool) error {
	if land := s.landing; land != nil {
		s.landing = nil
		return land(ctx)
	}
	s.called = true
	if st := s.stmt(); g.mode == target.Out && st != nil && st.Kind == lower.End && s.stop.Depth == g.depth {
		s.noteResult(st.Func)
	}
	if s.careful() && recorded {
		return s.single(ctx, g.mode == target.Into)
	}
	s.cut()
	return s.free(ctx, g, !s.tellWatched(g.mode) && watching)
}

// stopsAt returns the statements at which a free run must halt. The value is false for those that matter only in the
// thread that is stepped. whole leaves out functions that are only recorded.
func (s *recorder) stopsAt(whole bool) map[int32]bool {
	b := map[int32]bool{}
	for id := range s.breaks {
		b[id] = true
	}
	for _, f := range s.prog.Tree.Funcs {
		if s.attends(f) && !whole || s.patch.Touches(s.prog, f) || s.open != nil && s.recorded(f) && !whole {
			if i, ok := s.prog.FuncIndex(f); ok {
				if e := s.prog.First(i); e.Next != 0 {
					b[e.Next] = b[e.Next] || s.patch.Touches(s.prog, f)
				}
			}
		}
	}
	return b
}

// free lets the target run by itself. slowly stops it after one statement, or after a call that cannot change what is
// watched.
func (s *Session) free(ctx context.Context, g *goal, slowly bool) error {
	mode := g.mode
	skip := slowly && s.passive()
	if slowly {
		mode = target.Into
	}
	if skip {
		mode = target.Out
	}
	if g.mode == target.Next && s.stop.Depth > g.depth {
		mode = target.Out
	}
	loop := mode == target.Continue && s.loopsAtEntry()
	depth, ends := s.stop.Depth, false
	if loop {
		if ends = s.stmt().Kind == lower.End; ends {
			mode = target.Next
		} else {
			mode = target.Out
		}
	}
	var left *cfront.Func
	if st := s.stmt(); st != nil && mode == target.Out && s.stop.Depth == g.depth && !skip {
		left = st.Func
	}
	return s.let(ctx, mode, false, func(stop target.Stop, err error) error {
		if left != nil {
			s.leaves(left, &stop)
		}
		s.called = !loop || stop.Depth > depth || stop.Depth == depth && (ends || stop.Returned != nil || stop.Whole != nil)
		return s.arrived(stop, err)
	})
}

// leaves records what a function has returned, if the target says so.
func (s *recorder) leaves(f *cfront.Func, stop *target.Stop) {
	if stop.Returned != nil {
		s.left = &leftFunction{f: f, w: *stop.Returned}
	} else if stop.Whole != nil {
		s.left = &leftFunction{f: f, whole: stop.Whole}
	}
}

// loopsAtEntry reports whether the current function has a breakpoint at its beginning. A loop may come back to that
// statement, which is no call of the function, so the breakpoint does not count before the function has been left.
func (s *inferior) loopsAtEntry() bool {
	st := s.stmt()
	if st == nil || s.stop.Inside {
		return false
	}
	i, ok := s.prog.FuncIndex(st.Func)
	return ok && s.atEntry[s.prog.First(i).Next]
}

func (s *recorder) arrived(stop target.Stop, err error) error {
	if errors.Is(err, target.ErrEnded) {
		return errorf("the program has ended; use undo to go back or start to run it again")
	}
	if err != nil {
		return err
	}
	if stop.Thread != s.stop.Thread { // what is recorded is one thread's
		s.cut()
		s.call, s.left = nil, nil
	}
	s.stop, s.frame = stop, 0
	return nil
}

// single executes one statement as the patch has it, records it, and executes
// what the patch inserts behind it.
func (s *Session) single(ctx context.Context, into bool) error {
	st, thread := s.stmt(), s.stop.Thread
	forced, isForced := s.pending[st.ID]
	delete(s.pending, st.ID)
	before, err := s.capture()
	if err != nil {
		return err
	}
	s.img = before
	r := &step{st: st, depth: s.stop.Depth, before: before, recording: s.recording(st)}
	r.item = spec.Item{Stmt: st.ID, Decision: -1, Vars: s.vars(before)}
	edit := s.patch.Stmts[st.ID]
	switch {
	case st.Kind == lower.Cond && !st.Macro && (isForced || edit != nil):
		d := forced == 1
		if !isForced {
			if d, err = repair.Exec(s.executing(), st, edit); err != nil {
				return s.patchFailed(st, err)
			}
		}
		r.item.Decision, r.item.Forced = bit(d), isForced
		err = s.follow(s.edge(st, r.item.Decision))
	case edit != nil && st.Kind == lower.Return:
		err = s.returnPatched(st, edit)
	case edit != nil:
		if _, err = repair.Exec(s.executing(), st, edit); err != nil {
			return s.patchFailed(st, err)
		}
		edges := s.prog.Edges(st)
		if len(edges) == 0 {
			return errorf("cannot go on after the patched statement at %s", st.Range)
		}
		err = s.follow(edges[0])
	default:
		mode := target.Next
		if into {
			mode = target.Into
		}
		ends := s.leaving == s.stop.Depth && st.Kind == lower.End && st.Func.Type.Result.Kind != ctype.Void && s.left == nil
		if ends { // the result is known only after the function has been left
			mode = target.Out
		}
		return s.let(ctx, mode, s.concrete[st.ID], func(stop target.Stop, err error) error {
			if ends {
				s.leaves(st.Func, &stop)
			}
			return s.executed(*r, thread, s.arrived(stop, err))
		})
	}
	return s.executed(*r, thread, err)
}

// executed records the statement that a thread has executed.
func (s *recorder) executed(r step, thread int, err error) error {
	if err != nil {
		return err
	}
	if s.stop.Reason != target.Stepped && s.stop.Reason != target.Breakpoint || s.stop.Thread != thread {
		return nil
	}
	return s.record(&r)
}

// returnPatched makes the function return what the edit says.
func (s *drawing) returnPatched(st *lower.Stmt, e *repair.Edit) error {
	w := s.executing()
	v, err := eval.Value(w, e.New)
	if err != nil {
		return s.patchFailed(st, err)
	}
	v, _ = ctype.Convert(e.New.Type(), st.Func.Type.Result, v)
	edges := s.prog.Edges(st)
	if len(edges) == 0 || s.prog.Stmts[edges[0].Next].Kind != lower.End {
		return errorf("cannot go on after the patched statement at %s", st.Range)
	}
	if err := s.follow(edges[0]); err != nil {
		return err
	}
	if err := s.tgt.SetResult(v); err != nil {
		return errorf("cannot change what %s returns: %v", st.Func.Name, err)
	}
	return nil
}

func bit(b bool) int8 {
	if b {
		return 1
	}
	return 0
}

func (s *inferior) patchFailed(st *lower.Stmt, err error) error {
	return errorf("the patched statement at %s cannot be executed: %v", st.Range, err)
}

func (s *drawing) edge(st *lower.Stmt, d int8) lower.Edge {
	for _, e := range s.prog.Edges(st) {
		if e.Decision == d {
			return e
		}
	}
	return lower.Edge{}
}

// follow makes an edge's end the next statement.
func (s *inferior) follow(e lower.Edge) error {
	if e.Next == 0 {
		return errorf("there is no statement to go on with there")
	}
	if err := s.tgt.Goto(e); err != nil {
		return errorf("%v", err)
	}
	s.stop.Stmt, s.stop.Reason, s.frame = e.Next, target.Stepped, 0
	return nil
}

// taken finds which edge led from st to where the program is now.
func (s *recorder) taken(st *lower.Stmt, it *spec.Item) lower.Edge {
	edges := s.prog.Edges(st)
	var hits []lower.Edge
	for _, e := range edges {
		if e.Next == s.stop.Stmt && (it.Decision < 0 || e.Decision == it.Decision) {
			hits = append(hits, e)
		}
	}
	if len(hits) == 0 {
		return lower.Edge{}
	}
	if len(hits) > 1 && st.Kind == lower.Cond {
		// Both ways lead here: the condition's value tells.
		if d, err := repair.Exec(&eval.World{Heap: s.img}, st, s.patch.Stmts[st.ID]); err == nil {
			for _, e := range hits {
				if e.Decision == bit(d) {
					hits[0] = e
				}
			}
		}
	}
	if st.Kind == lower.Cond {
		it.Decision = hits[0].Decision
	}
	return hits[0]
}

// fillGaps executes the statements that the patch inserts into gaps.
func (s *recorder) fillGaps(gaps []int32) error {
	for _, g := range gaps {
		e := s.patch.Gaps[g]
		if e == nil {
			continue
		}
		if e.Return {
			if done, err := s.returnInserted(s.prog.Gaps[g].Func, e); done || err != nil {
				return err
			}
			continue
		}
		if err := e.Run(s.executing()); err != nil {
			return errorf("the inserted statement %q cannot be executed: %v", cfront.Text(e.New), err)
		}
	}
	return nil
}

// returnInserted executes an inserted return, and reports whether it was taken: its guard may not hold. The recording
// ends there, and what follows is a segment of its own.
func (s *recorder) returnInserted(f *cfront.Func, e *repair.Edit) (bool, error) {
	w := s.executing()
	fails := func(err error) (bool, error) {
		return false, errorf("the inserted statement %q cannot be executed: %v", e.Inserted(), err)
	}
	if e.Guard != nil {
		if ok, err := eval.Truth(w, e.Guard); err != nil {
			return fails(err)
		} else if !ok {
			return false, nil
		}
	}
	var v ctype.Word
	if e.New != nil {
		var err error
		if v, err = eval.Value(w, e.New); err != nil {
			return fails(err)
		}
		v, _ = ctype.Convert(e.New.Type(), f.Type.Result, v)
	}
	for _, st := range s.prog.Stmts {
		if st != nil && st.Kind == lower.End && st.Func == f {
			if err := s.follow(lower.Edge{Next: st.ID}); err != nil {
				return false, err
			}
			break
		}
	}
	if e.New != nil {
		if err := s.tgt.SetResult(v); err != nil {
			return fails(err)
		}
	}
	s.lost()
	return true, nil
}

// cells lists what a spec asserts: the visible variables of this frame that can
// still be read or that the user set, the globals, and every live node.
func (s *recorder) cells() []spec.Cell {
	var out []spec.Cell
	dotted := s.untracked()
	add := func(c heap.Cell) {
		if c.Type.IsText() && !dotted[c.Key] {
			out = append(out, s.letters(c)...)
			return
		}
		if !c.Type.IsScalar() || c.Value.Kind == heap.Unknown || dotted[c.Key] {
			return
		}
		if w, ok := s.img.Load(c.Addr, c.Type); ok {
			out = append(out, spec.Cell{Key: c.Key, Addr: c.Addr, Type: c.Type, Word: w, Text: c.Value.Text})
		}
	}
	st := s.stmt()
	live := map[*cfront.Var]bool{}
	if st != nil {
		live = s.prog.Live(st.Func)[st.ID]
	}
	for _, v := range s.graph.Vars {
		if v.Frame == 0 && v.Var.Type.IsScalar() && !v.Var.AddrTaken && !live[v.Var] && !s.fresh[v.Name] && !s.tracked.named(v.Name) {
			continue
		}
		if v.Frame > 0 && !v.Var.Exposed() || v.Frame == 0 && st != nil && st.Kind == lower.End {
			continue // the end of a function drops its locals
		}
		for _, c := range v.Cells {
			add(c)
		}
	}
	for _, n := range s.graph.Nodes {
		if n.Live {
			for _, c := range n.Cells {
				add(c)
			}
		}
	}
	for _, n := range s.graph.Lost { // of unreachable nodes only what was drawn
		for _, c := range n.Cells {
			if s.fresh[c.Key] {
				add(c)
			}
		}
	}
	if a := s.top(); s.fresh["result"] && st != nil && st.Kind == lower.End && a != nil && a.frame.Result != 0 {
		if w, ok := s.tgt.Result(); ok {
			r := st.Func.Result
			out = append(out, spec.Cell{Key: "result", Addr: a.frame.Result, Type: r.Type, Word: w, Text: s.img.Symbol(w, r.Type).Text})
		}
	}
	return out
}

// letters lists the characters of an array up to the end of its string.
func (s *recorder) letters(c heap.Cell) []spec.Cell {
	var out []spec.Cell
	for i := range min(c.Type.Len, maxLetters) {
		a := c.Addr + ctype.Word(i*c.Type.Elem.Size)
		w, ok := s.img.Load(a, c.Type.Elem)
		if !ok || !s.img.Known(a, c.Type.Elem.Size) {
			break
		}
		out = append(out, spec.Cell{Key: fmt.Sprintf("%s[%d]", c.Key, i), Addr: a, Type: c.Type.Elem, Word: w, Text: s.img.Symbol(w, c.Type.Elem).Text})
		if w == 0 {
			break
		}
	}
	return out
}

// maxLetters bounds the characters asserted of a string.
const maxLetters = 200

var _ eval.Memory = memory{}

// skip goes to the next statement without executing this one. The trace has it like an executed statement.
func (s *Session) skip(ctx context.Context, args string) error {
	if err := s.running(); err != nil {
		return err
	}
	st := s.stmt()
	switch {
	case st == nil:
		return errorf("the program is at no known statement")
	case st.Kind == lower.Cond || st.Kind == lower.Switch:
		return errorf("a condition cannot be skipped; use enter, leave or flip")
	case st.Kind == lower.End:
		return errorf("the end of a function cannot be skipped; use next")
	case s.stop.Inside:
		return s.errInside()
	}
	edges := s.prog.Edges(st)
	if len(edges) == 0 {
		return errorf("cannot go on after %s", Show(st))
	}
	recording := s.recording(st)
	it := spec.Item{Stmt: st.ID, Decision: -1, Vars: s.vars(s.img), Gaps: edges[0].Gaps}
	if err := s.follow(edges[0]); err != nil {
		return err
	}
	if recording {
		if !repair.Modelled(st) && callsLibrary(st) && !allocates(st) {
			it.Concrete = &spec.Delta{}
		}
		s.open.Items = append(s.open.Items, it)
	}
	if err := s.refresh(); err != nil {
		return err
	}
	s.report()
	return nil
}

// allocates reports whether the library functions that a statement calls are
// ones that can be executed in a picture.
func allocates(st *lower.Stmt) bool {
	only := st.X != nil
	if only {
		cfront.Walk(st.X, func(y cfront.Expr) bool {
			if r, ok := y.(*cfront.FuncRef); ok && r.Func.Body == nil {
				only = only && (r.Func.Name == "malloc" || r.Func.Name == "calloc" || r.Func.Name == "free")
			}
			return only
		})
	}
	return only
}
