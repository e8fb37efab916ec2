// Package sim is target over the abstract machine.
package sim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/target"
)

// Target runs a program on the abstract machine.
type Target struct {
	p   *lower.Program
	cfg Config
	m   *machine.Machine
	in  *feed

	stdin []byte // the whole standard input of every start; nil: Input gives it
	out   strings.Builder
	stop  atomic.Bool

	ended   bool
	resume  resumeState      // the last Resume, for Wait
	whole   *target.Whole    // what the function returned that the last Resume with Out has left, if it is no scalar
	left    *ctype.Word      // the same, if it is a scalar
	over    int              // the thread that was let go and has ended; 0 for none
	watch   []watched        // what the last Resume halts at when it changes
	toWatch []watched        // of the next Resume
	named   *machine.Machine // knows the names of functions, after Close, too
	fitter  target.Fitter    // of types whose sizes are computed in each call
	texts   texts            // see Text
}

// Config is how the program is run.
type Config struct {
	Name     string
	Args     []string
	Env      []string // as name=value
	MaxSteps int64    // instructions for one Resume
	Watch    Watcher
	Files    *machine.Files // that the program may use; nil for none

	// Enter, when it is set, enters a function of the idle machine instead of main.
	Enter func(m *machine.Machine) error
	// Edits are laid over the program before it is entered.
	Edits []*lower.Overlay
}

// Watcher is a memory debugger that watches the program. Its state is saved and restored with the program's.
type Watcher interface {
	machine.Monitor
	Attach(m *machine.Machine)
	Reset()
	Save() any
	Restore(state any)
}

// resumeState is a Resume that the program may interrupt to wait for input.
type resumeState struct {
	mode    target.Mode
	breaks  map[int32]bool
	stmt    int32 // where it began
	depth   int
	callers map[int]int32 // the statements, by depth, in which the active functions were called
}

// feed is standard input that can run dry without being at its end.
type feed struct {
	buf []byte // all that it was given
	at  int    // what is read next
	eof bool
}

func (f *feed) Read(p []byte) (int, error) {
	if f.at == len(f.buf) {
		if f.eof {
			return 0, io.EOF
		}
		return 0, machine.ErrNoInput
	}
	n := copy(p, f.buf[f.at:])
	f.at += n
	return n, nil
}

// New prepares a program lowered with Options.Memory.
func New(p *lower.Program, cfg Config) *Target {
	if cfg.MaxSteps == 0 {
		cfg.MaxSteps = 2_000_000_000
	}
	return &Target{p: p, cfg: cfg, in: &feed{}}
}

// Arguments implements target.Target.
func (t *Target) Arguments(args []string, stdin string) error {
	if stdin != "" {
		text, err := os.ReadFile(stdin)
		if err != nil {
			return err
		}
		t.stdin = text
	}
	t.cfg.Args = args
	return nil
}

// Environment implements target.Environed.
func (t *Target) Environment() []string { return t.cfg.Env }

// Start implements target.Target.
func (t *Target) Start(ctx context.Context) (target.Stop, error) {
	t.out.Reset()
	t.ended, t.texts = false, nil
	if t.stdin != nil {
		t.in = &feed{buf: t.stdin, eof: true}
	} else if t.m != nil { // what was typed was for the run before
		t.in = &feed{}
	}
	cfg := machine.Config{
		Name: t.cfg.Name, Args: t.cfg.Args, Env: t.cfg.Env, Stdin: t.in, Stdout: &t.out, Stderr: &t.out,
		Debug: true, KeepFreed: true, LineInput: true, Files: t.cfg.Files, Idle: t.cfg.Enter != nil, Overlays: t.cfg.Edits != nil,
	}
	if w := t.cfg.Watch; w != nil {
		w.Reset()
		cfg.Monitor = w
	}
	m, err := machine.New(t.p, cfg)
	if err != nil {
		return target.Stop{}, err
	}
	if w := t.cfg.Watch; w != nil {
		w.Attach(m)
	}
	t.m, t.named = m, m
	for _, e := range t.cfg.Edits {
		if err := m.Overlay(e); err != nil {
			return target.Stop{}, err
		}
	}
	if t.cfg.Enter != nil {
		if err := t.cfg.Enter(m); err != nil {
			return target.Stop{}, err
		}
	}
	main := t.p.Tree.Func("main") // before it there may be constructors
	return t.run(ctx, func(s *lower.Stmt, depth int) bool { return s != nil && (t.cfg.Enter != nil || s.Func == main) }, nil)
}

func (t *Target) depth() int {
	n := 0
	for _, c := range t.m.Calls() {
		if !c.Library {
			n++
		}
	}
	return n
}

// run runs until want accepts a statement, a breakpoint is met or watched memory changes. Interrupt, the end of ctx and
// Config.MaxSteps end it before.
func (t *Target) run(ctx context.Context, want func(*lower.Stmt, int) bool, breaks map[int32]bool) (target.Stop, error) {
	t.stop.Store(false)
	begin := t.m.Steps()
	n := 0
	reason := target.Stepped
	first, firstDepth := t.m.CurrentStmt(), t.m.Depth()
	moved := false
	thread := t.m.Thread()
	t.over = 0
	f := t.m.RunUntil(func(id int32, lib bool) bool {
		n++
		if n&0xff == 0 && ctx.Err() != nil || t.stop.Load() || t.m.Steps()-begin > t.cfg.MaxSteps {
			reason = target.Interrupted
			if !t.stop.Load() {
				reason = target.TimedOut
			}
			return true
		}
		if t.m.InChild() {
			return false // the process that the program was started as is followed
		}
		s := t.p.Stmts[id]
		d := t.m.Depth()
		if t.m.Thread() != thread {
			if lib || !s.Stop {
				return false
			}
			if !t.m.Alive(thread) {
				t.over = thread
				return true
			}
			if breaks[id] {
				reason = target.Breakpoint
			}
			return breaks[id] || t.changed(0)
		}
		if !moved {
			moved = true
			if id == first && d == firstDepth {
				return false // the statement we are at
			}
		}
		if lib || !s.Stop {
			want(nil, d)
			return false
		}
		if want(s, d) || t.changed(d) {
			reason = target.Stepped
			return true
		}
		if _, ok := breaks[id]; ok {
			reason = target.Breakpoint
			return true
		}
		return false
	})
	return t.stopped(f, reason)
}

func (t *Target) stopped(f *machine.Fault, reason target.Reason) (target.Stop, error) {
	if f != nil && f.Kind == machine.NeedInput {
		return target.Stop{Thread: t.m.Thread(), Reason: target.NeedInput, Stmt: t.m.At(), Inside: true, Depth: t.depth()}, nil
	}
	if f != nil {
		t.ended = true
		return target.Stop{Thread: t.m.Thread(), Reason: target.Crashed, Stmt: f.Stmt, Depth: t.depth(), Message: f.Message}, nil
	}
	if st, ok := t.m.Exited(); ok {
		t.ended = true
		return target.Stop{Thread: t.m.Thread(), Reason: target.Exited, Status: st}, nil
	}
	return target.Stop{Thread: t.m.Thread(), Reason: reason, Stmt: t.m.CurrentStmt(), Depth: t.depth(), Returned: t.left, Whole: t.whole, Ended: t.over}, nil
}

// Resume implements target.Target.
func (t *Target) Resume(ctx context.Context, mode target.Mode, breaks map[int32]bool) (target.Stop, error) {
	if t.m == nil || t.ended {
		return target.Stop{}, target.ErrEnded
	}
	r := &t.resume
	if mode == target.Wait {
		if breaks != nil {
			r.breaks = breaks
		}
	} else {
		t.watch, t.toWatch = t.toWatch, nil
		t.m.MarkDepth()
		*r = resumeState{mode: mode, breaks: breaks, stmt: t.m.CurrentStmt(), depth: t.m.Depth(), callers: t.callers()}
		t.left, t.whole = nil, nil
		if mode == target.Out && r.stmt != 0 && t.p.Stmts[r.stmt].Kind == lower.End {
			t.noteWhole()
		}
	}
	mode, cur, start, callers := r.mode, r.stmt, r.depth, r.callers
	bound := t.m.LowDepth()
	want := func(s *lower.Stmt, d int) bool {
		// Once a function has been left, later calls of it are not the one that was stepped.
		bound = t.m.LowDepth()
		if s == nil {
			return false
		}
		if d < start && callers[d] == s.ID && s.Kind == lower.Cond {
			return false // while (f()) ; is one step (decision 2), f or not
		}
		delete(callers, d)
		switch mode {
		case target.Next:
			return d <= bound && (s.ID != cur || d != start)
		case target.Into:
			return s.ID != cur || d != start
		case target.Out:
			if s.Kind == lower.End && d == start {
				if w, ok := t.m.Result(); ok {
					t.left = &w
				}
				t.noteWhole()
			}
			return d < start
		}
		return false
	}
	return t.run(ctx, want, r.breaks)
}

// mostCallers bounds how many calls that one step can return from are looked at.
const mostCallers = 64

// callers are the statements, by depth, in which the active functions were called.
func (t *Target) callers() map[int]int32 {
	out := map[int]int32{}
	for d := t.m.Depth() - 1; d > 0 && len(out) < mostCallers; d-- {
		out[d] = t.m.StmtAt(d)
	}
	return out
}

// Goto implements target.Target.
func (t *Target) Goto(to lower.Edge) error {
	if s := t.p.Stmts[to.Next]; !to.Middle {
		to.Block, to.At = s.Block, s.At
	}
	t.m.GotoBlock(to.Block, to.At)
	return nil
}

// SetResult implements target.Target.
func (t *Target) SetResult(w ctype.Word) error {
	if !t.m.SetResult(w) {
		return errors.New("the function is not at its end")
	}
	return nil
}

// Result implements target.Target.
func (t *Target) Result() (ctype.Word, bool) { return t.m.Result() }

// Frames implements target.Target.
func (t *Target) Frames() ([]target.Frame, error) {
	if t.m == nil {
		return nil, nil
	}
	var out []target.Frame
	for _, c := range t.m.Calls() {
		if c.Library {
			continue
		}
		f := target.Frame{Func: c.Func.Decl.(*cfront.Func), Stmt: c.Stmt, ID: uint64(t.m.Thread()-1)<<32 | uint64(c.Serial)}
		for i, o := range c.Func.Objects {
			if v, ok := o.Var.(*cfront.Var); ok {
				x := target.Variable{Var: v, Addr: t.m.ObjectAddr(c, i)}
				if v.Varying != nil {
					x.Type = t.fitted(c, v, v.Type.Size)
				}
				f.Vars = append(f.Vars, x)
			}
		}
		f.Vars = append(f.Vars, t.arrays(c, f.Func, f.Stmt)...)
		out = append(out, f)
	}
	return out, nil
}

// arrays lists the arrays of variable length that a call has where it is.
func (t *Target) arrays(c machine.FrameInfo, f *cfront.Func, at int32) []target.Variable {
	var out []target.Variable
	for _, v := range f.Locals {
		r, ok := c.Func.VarReg[v]
		if v.VLALen == nil || !ok || at <= 0 || !target.Visible(v, t.p.Stmts[at]) {
			continue
		}
		if a, size, ok := t.m.Array(c, r); ok {
			if typ := t.fitted(c, v, size); typ != nil && typ.Size == size && size > 0 {
				out = append(out, target.Variable{Var: v, Addr: a, Type: typ})
			}
		}
	}
	return out
}

// Threads implements target.Threaded.
func (t *Target) Threads() ([]target.Thread, error) {
	if t.m == nil || t.ended {
		return nil, nil
	}
	var out []target.Thread
	for _, n := range t.m.Threads() {
		th := target.Thread{Number: n, Current: n == t.m.Thread()}
		var err error
		t.m.Within(n, func() {
			at := t.m.CurrentStmt()
			if at != 0 && t.p.Stmts[at].Stop || t.m.Begun() {
				th.Frames, err = t.Frames()
			}
			th.Inside = at == 0
		})
		if err != nil {
			return nil, err
		}
		out = append(out, th)
	}
	return out, nil
}

// Switch implements target.Threaded.
func (t *Target) Switch(ctx context.Context, n int) (target.Stop, error) {
	switch {
	case t.m == nil || t.ended:
		return target.Stop{}, target.ErrEnded
	case !t.m.Alive(n):
		return target.Stop{}, fmt.Errorf("thread %d has ended", n)
	}
	t.m.SwitchTo(n)
	t.left, t.over = nil, 0
	if at := t.m.CurrentStmt(); (at == 0 || !t.p.Stmts[at].Stop) && !t.m.Begun() {
		return t.run(ctx, func(*lower.Stmt, int) bool { return true }, nil)
	}
	s, err := t.stopped(nil, target.Stepped)
	if s.Stmt == 0 {
		s.Stmt, s.Inside = t.m.At(), true
	}
	return s, err
}

// Globals implements target.Target.
func (t *Target) Globals() []target.Variable {
	var out []target.Variable
	for _, list := range [][]*cfront.Var{t.p.Tree.Globals, t.p.Tree.Library} {
		for _, v := range list {
			if i, ok := t.p.GlobalIndex(v); ok && t.m != nil {
				out = append(out, target.Variable{Var: v, Addr: t.m.GlobalAddr(i)})
			}
		}
	}
	return out
}

// Stack implements target.Stacked.
func (t *Target) Stack() []target.Region {
	if t.m == nil {
		return nil
	}
	var out []target.Region
	for i, c := range t.m.Calls() {
		if i >= target.MaxFrames {
			break
		}
		if !c.Library {
			t.m.Stacked(c, func(a ctype.Word, size int64) { out = append(out, target.Region{Addr: a, Size: size}) })
		}
	}
	return out
}

// Static implements target.Target.
func (t *Target) Static(a ctype.Word, typ *ctype.Type) (target.Region, bool) {
	if t.m == nil {
		return target.Region{}, false
	}
	b, _ := t.m.Find(a)
	if b == nil || b.Freed || b.Kind != machine.Global && b.Kind != machine.Stack || b.Size == 0 {
		return target.Region{}, false
	}
	r := target.Region{Addr: b.Addr, Size: b.Size, ReadOnly: b.ReadOnly}
	switch {
	case b.ReadOnly, strings.HasPrefix(b.Name, "argv["), b.Name == "an environment string":
		return r, true
	case b.Addr == t.m.Environment():
		r.Type = target.Environment
		return r, true
	case b.Name == "argv":
		r.Type = ctype.PointerTo(ctype.CharT)
		return r, true
	case b.Name == "" && b.Kind == machine.Global && !t.program(b.ID): // what a made-up call was given
		return r, true
	case typ != nil && typ.Size == 1 && b.Kind == machine.Global && !t.program(b.ID) && b.Name != "a FILE": // a text of the C library
		return r, true
	case typ != nil && typ.IsAggregate() && strings.HasPrefix(b.Name, "what ") && b.Size >= typ.Size:
		r.Size, r.Type = typ.Size, typ
		return r, true
	case b.Name == "" && typ != nil && typ.IsAggregate() && typ.Size > 0: // a compound literal
		r.Type = typ
		return r, true
	}
	return target.Region{}, false
}

// program reports whether a global block is one of the program's own.
func (t *Target) program(id uint32) bool {
	n := t.m.Globals()
	if n == 0 {
		return false
	}
	last, _ := ctype.SplitPointer(t.m.GlobalAddr(int32(n - 1)))
	return id <= last
}

// Literal implements target.Target.
func (t *Target) Literal(s *cfront.String) (ctype.Word, bool) {
	i, ok := t.p.LiteralIndex(s)
	if !ok || t.m == nil || int(i) >= t.m.Globals() {
		return 0, false
	}
	return t.m.GlobalAddr(i), true
}

// Blocks implements target.Target.
func (t *Target) Blocks() ([]target.Block, error) {
	if t.m == nil {
		return nil, nil
	}
	hb := t.m.HeapBlocks()
	out := make([]target.Block, 0, len(hb))
	for _, b := range hb {
		out = append(out, block(b))
	}
	return out, nil
}

// Origin implements target.Originator.
func (t *Target) Origin(a ctype.Word) (made, freed int32) {
	if t.m == nil {
		return 0, 0
	}
	b, off := t.m.Find(a)
	if b == nil || off != 0 || b.Kind != machine.Heap {
		return 0, 0
	}
	return b.Alloc, b.Free
}

func block(b *machine.Block) target.Block {
	return target.Block{Addr: b.Addr, Size: b.Size, Live: !b.Freed, Seq: b.Seq}
}

// Changes implements target.Changer: blocks that have changed are read again as a whole.
func (t *Target) Changes() (target.Changes, bool, error) {
	if t.m == nil {
		return target.Changes{}, false, nil
	}
	list, ok := t.m.Changed()
	c := target.Changes{Count: len(t.m.HeapBlocks())}
	if !ok {
		return c, false, nil
	}
	for _, b := range list {
		c.Blocks = append(c.Blocks, block(b))
	}
	return c, true, nil
}

// Read implements target.Target.
func (t *Target) Read(a ctype.Word, buf []byte) bool { return t.m != nil && t.m.Read(a, buf) }

// Share implements target.Sharer.
func (t *Target) Share(a ctype.Word, size int64) ([]byte, bool) {
	if t.m == nil {
		return nil, false
	}
	return t.m.Share(a, size)
}

// Members implements target.Unions.
func (t *Target) Members(a ctype.Word) (out []target.Member) {
	if t.m != nil {
		for _, x := range t.m.Members(a) {
			out = append(out, target.Member{Off: x.Off, Union: x.Union, Index: int(x.Index)})
		}
	}
	return out
}

// Write implements target.Target.
func (t *Target) Write(a ctype.Word, data []byte) error {
	if !t.m.Write(a, data) {
		return fmt.Errorf("cannot write memory at %#x", a)
	}
	return nil
}

// Undefined implements target.Target.
func (t *Target) Undefined(a ctype.Word, data []byte) []bool {
	if t.m.Initialized(a, int64(len(data))) {
		return nil
	}
	out := make([]bool, len(data))
	for i := range out {
		out[i] = !t.m.Initialized(a+ctype.Word(i), 1)
	}
	return out
}

// Alloc implements target.Target.
func (t *Target) Alloc(size int64) (ctype.Word, error) {
	p, f := t.m.Malloc(size, false)
	if f != nil {
		return 0, f
	}
	return p, nil
}

// Free implements target.Target.
func (t *Target) Free(a ctype.Word) error {
	if f := t.m.FreePtr(a); f != nil {
		return errors.New(f.Message)
	}
	return nil
}

// FuncAddr implements target.Target.
func (t *Target) FuncAddr(f *cfront.Func) (ctype.Word, bool) {
	i, ok := t.p.FuncIndex(f)
	if !ok || t.m == nil {
		return 0, false
	}
	return t.m.FuncAddr(i), true
}

// LabelAddr implements target.Target.
func (t *Target) LabelAddr(f *cfront.Func, label string) (ctype.Word, bool) {
	i := slices.Index(f.LabelAddrs, label)
	a, ok := t.FuncAddr(f)
	return a + ctype.Word(i+1), ok && i >= 0
}

// FuncName implements target.Target. It also answers after Close, because images
// ask for the names of functions when they are looked at.
func (t *Target) FuncName(a ctype.Word) string {
	if t.named == nil {
		return ""
	}
	if n := t.named.FuncName(a); n != "" {
		return n
	}
	return t.named.StreamName(a)
}

type snapshot struct {
	state  *machine.State
	in     feed // its place is where the program reads next, without what the machine has read ahead
	ended  bool
	watch  any
	resume resumeState
}

// Save implements target.Target.
func (t *Target) Save() (target.Snapshot, error) {
	if t.m == nil {
		return nil, target.ErrEnded
	}
	in := *t.in
	in.buf, in.at = slices.Clip(in.buf), in.at-t.m.Unread()
	s := &snapshot{state: t.m.Save(), in: in, ended: t.ended, resume: t.resume.clone()}
	if w := t.cfg.Watch; w != nil {
		s.watch = w.Save()
	}
	return s, nil
}

func (r *resumeState) clone() resumeState {
	c := *r
	c.callers = maps.Clone(r.callers)
	return c
}

// Bytes is about how much memory a snapshot takes.
func (s *snapshot) Bytes() int64 { return s.state.Bytes() }

// Restore implements target.Target.
func (t *Target) Restore(s target.Snapshot) error {
	sn := s.(*snapshot)
	t.texts = nil
	t.m.Restore(sn.state)
	if w := t.cfg.Watch; w != nil {
		w.Restore(sn.watch)
	}
	*t.in = sn.in
	t.m.Reread()
	t.ended, t.resume = sn.ended, sn.resume.clone()
	return nil
}

// Output implements target.Target.
func (t *Target) Output() string {
	if t.m != nil && t.ended {
		t.m.FlushOutput()
	}
	s := t.out.String()
	t.out.Reset()
	return s
}

// Input implements target.Target.
func (t *Target) Input(text string) { t.in.buf = append(t.in.buf, text...) }

// EndInput implements target.Target.
func (t *Target) EndInput() { t.in.eof = true }

// Interrupt implements target.Target.
func (t *Target) Interrupt() { t.stop.Store(true) }

// Close implements target.Target.
func (t *Target) Close() {
	t.m = nil
}

// Steps is how many instructions were executed.
func (t *Target) Steps() int64 { return t.m.Steps() }
