package gdb

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/target"
)

// This file looks at and changes the stopped program: frames, variables, the
// allocation log, memory, saved states.

type rawFrame struct {
	fi *funcInfo
	pc uint64 // return address for outer frames
	bp uint64

	called bool // it has called something: pc is a return address
}

// walk follows the saved frame pointers. Frames of code that keeps none end
// the walk; then gdb's own unwinder is asked.
func (t *Target) walk() []rawFrame { return t.walkFrom(t.pc, t.bp, t.selected()) }

// walkFrom is the frames of a thread, by gdb's number.
func (t *Target) walkFrom(pc, bp uint64, gdb string) []rawFrame {
	if t.mem == nil {
		return nil
	}
	var out []rawFrame
	for len(out) < 200_000 {
		fi := t.info.around(pc, len(out) > 0)
		if fi == nil {
			break
		}
		out = append(out, rawFrame{fi, pc, bp, len(out) > 0})
		if fi.fn.Name == "main" {
			return out
		}
		ret, ok := t.mem.word(bp + 8)
		if ok && (t.info.begins[0].has(ret) || t.info.begins[1].has(ret)) {
			return out
		}
		next, ok2 := t.mem.word(bp)
		if !ok || !ok2 || next <= bp {
			break
		}
		pc, bp = ret, next
	}
	return t.unwind(gdb)
}

// unwind asks gdb for the frames.
func (t *Target) unwind(gdb string) []rawFrame {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	r, err := t.c.send(ctx, "-stack-list-frames --thread %s 0 2000", gdb)
	if err != nil {
		return nil
	}
	var out []rawFrame
	l, _ := r.data["stack"].([]any)
	for i, e := range l {
		tu, _ := e.(map[string]any)
		fr, _ := tu["frame"].(map[string]any)
		pc, _ := strconv.ParseUint(fmt.Sprint(fr["addr"]), 0, 64)
		fi := t.info.around(pc, i > 0)
		if fi == nil {
			continue
		}
		v, err := t.c.send(ctx, "-data-evaluate-expression --thread %s --frame %d \"(unsigned long)$rbp\"", gdb, i)
		if err != nil {
			continue
		}
		bp, _ := strconv.ParseUint(v.str("value"), 0, 64)
		out = append(out, rawFrame{fi, pc, bp, i > 0})
	}
	return out
}

func (t *Target) depth() int { return len(t.walk()) }

// Frames implements target.Target.
func (t *Target) Frames() ([]target.Frame, error) { return t.frames(t.walk()), nil }

func (t *Target) frames(raw []rawFrame) []target.Frame {
	var out []target.Frame
	for i, r := range raw {
		pc := r.pc
		if r.called {
			pc-- // a return address belongs to the call before it
		}
		id, _ := t.info.at(pc)
		f := target.Frame{Func: r.fi.fn, Stmt: id, ID: r.bp}
		vars := append(append([]*cfront.Var{}, r.fi.fn.Params...), r.fi.fn.Locals...)
		for _, v := range vars {
			if off, ok := r.fi.vars[v]; ok {
				x := target.Variable{Var: v, Addr: r.bp + 16 + uint64(off)}
				if v.Varying != nil {
					x.Type = t.fitted(&r, v)
				}
				f.Vars = append(f.Vars, x)
			} else if off, ok := r.fi.fromStack[v]; ok && r.fi.steps != nil {
				f.Vars = append(f.Vars, target.Variable{Var: v, Addr: lowered(r.fi.steps, r.bp) + uint64(off)})
			}
		}
		if len(r.fi.arrays) > 0 {
			low := r.bp - maxStack // of another thread's frame nothing nearer is known
			if i > 0 {
				low = raw[i-1].bp
			}
			f.Vars = append(f.Vars, t.arrays(&r, low, id)...)
		}
		out = append(out, f)
	}
	return out
}

// Globals implements target.Target.
func (t *Target) Globals() []target.Variable {
	var out []target.Variable
	for _, v := range t.p.Tree.Globals {
		if a, ok := t.info.globals[v]; ok {
			out = append(out, target.Variable{Var: v, Addr: a})
		}
	}
	for _, v := range t.p.Tree.Library {
		if _, named := t.p.GlobalIndex(v); !named {
			continue
		}
		if a, ok := t.libraryVariable(v.Name); ok {
			out = append(out, target.Variable{Var: v, Addr: a})
		}
	}
	return out
}

// chunkBlocks is how many entries a chunk of the allocation log has (runtime/alloc.c).
const chunkBlocks = 1022

// blockBytes is the size of an entry of the log.
const blockBytes = 5 * 8

// Blocks implements target.Target.
func (t *Target) Blocks() ([]target.Block, error) {
	if t.attached != 0 || t.core != nil {
		return t.heapBlocks()
	}
	if t.mem == nil {
		return nil, nil
	}
	if err := t.look(); err != nil {
		return nil, err
	}
	var out []target.Block
	for c := t.info.allocN; c != 0; {
		blocks, next, err := t.logAt(c, len(out)+1)
		if err != nil {
			return nil, err
		}
		for _, b := range blocks {
			out = append(out, b.Block)
		}
		c = next
	}
	return out, nil
}

// Read implements target.Target.
func (t *Target) Read(a ctype.Word, buf []byte) bool {
	return t.mem != nil && (t.current() && t.mirror.read(a, buf) || t.mem.read(a, buf))
}

// Write implements target.Target.
func (t *Target) Write(a ctype.Word, data []byte) error {
	if t.mem == nil {
		return target.ErrEnded
	}
	if t.core != nil {
		return ErrCore
	}
	if err := t.mem.write(a, data); err != nil {
		return fmt.Errorf("cannot write memory at %#x", a)
	}
	return nil
}

// Undefined implements target.Target: the compiled code fills fresh locals
// (fillFrames), and the allocation log fresh blocks, with target.Fill. Four bytes together
// rarely hold it by chance; heap.Image.Known, which knows sizes, decides on smaller values.
func (t *Target) Undefined(a ctype.Word, data []byte) []bool {
	if !t.Fills() || bytes.IndexByte(data, target.Fill) < 0 {
		return nil
	}
	return target.Cells(data, func(off, n int) bool {
		return n == 4 && binary.LittleEndian.Uint32(data[off:]) == 0x01010101*target.Fill
	})
}

// Fills implements target.Filler: processes that gulo did not start, and core files, are not filled.
func (t *Target) Fills() bool { return t.attached == 0 && t.core == nil }

// arenaBytes is the room that the program has for the debugger (runtime/alloc.c).
const arenaBytes = 8192*8 - 16

// Alloc implements target.Target: the block comes from an arena that the
// program carries for this; nothing is called in the program.
func (t *Target) Alloc(size int64) (ctype.Word, error) {
	if t.core != nil {
		return 0, ErrCore
	}
	if t.attached != 0 {
		return 0, errors.New("a process that was attached to has no room for a fresh node")
	}
	need := (int(size)+15)/16*16 + 16
	if t.mem == nil || t.arena+need > arenaBytes {
		return 0, errors.New("no room for another fresh node")
	}
	base := (t.info.arena+15)/16*16 + uint64(t.arena)
	// Append to the last chunk of the log.
	c := t.info.allocN
	for {
		next, ok := t.mem.word(c)
		if !ok {
			return 0, errors.New("cannot read the allocation log")
		}
		if next == 0 {
			break
		}
		c = next
	}
	n, _ := t.mem.word(c + 8)
	if n >= chunkBlocks {
		return 0, errors.New("the allocation log is full; take a step and try again")
	}
	entry := c + 16 + n*blockBytes
	t.arena += need
	put := func(a uint64, ws ...uint64) error {
		var b []byte
		for _, w := range ws {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		return t.mem.write(a, b)
	}
	fill := make([]byte, size)
	for i := range fill {
		fill[i] = 0xFE
	}
	err := errors.Join(
		put(base, 0x67756c6f626c6f63, entry),
		t.mem.write(base+16, fill),
		put(entry, base+16, uint64(size), 1, 1, 0),
		put(c+8, n+1))
	return base + 16, err
}

// Free implements target.Target: it marks the block freed in the log.
func (t *Target) Free(a ctype.Word) error {
	if a == 0 {
		return nil
	}
	if t.core != nil {
		return ErrCore
	}
	if t.attached != 0 {
		return errors.New("blocks of a process that was attached to cannot be freed from outside")
	}
	e, ok := t.mem.word(a - 8)
	p, ok2 := t.mem.word(e)
	live, _ := t.mem.word(e + 16)
	if !ok || !ok2 || p != a {
		return errors.New("free of a pointer that malloc did not return")
	}
	if live == 0 {
		return errors.New("free of a block that is already freed")
	}
	return t.mem.write(e+16, make([]byte, 8))
}

// Origin implements target.Originator: the log has the return addresses of the calls.
func (t *Target) Origin(a ctype.Word) (made, freed int32) {
	if t.mem == nil || t.core != nil || t.attached != 0 || a < 8 {
		return 0, 0
	}
	e, ok := t.mem.word(a - 8)
	if p, there := t.mem.word(e); !ok || !there || p != a {
		return 0, 0
	}
	from := func(at uint64) int32 {
		back, _ := t.mem.word(at)
		stmt, _ := t.info.at(back - 1)
		return stmt
	}
	return from(e + 24), from(e + 32)
}

// FuncAddr implements target.Target.
func (t *Target) FuncAddr(f *cfront.Func) (ctype.Word, bool) {
	for i := range t.info.funcs {
		if t.info.funcs[i].fn == f {
			return t.info.funcs[i].low, true
		}
	}
	return 0, false
}

// LabelAddr implements target.Target.
func (t *Target) LabelAddr(f *cfront.Func, label string) (ctype.Word, bool) {
	for i := range t.info.funcs {
		if fi := &t.info.funcs[i]; fi.fn == f {
			at, ok := fi.labelled[label]
			return fi.low + at, ok
		}
	}
	return 0, false
}

// FuncName implements target.Target.
func (t *Target) FuncName(a ctype.Word) string {
	if fi := t.info.function(a); fi != nil && fi.low == a {
		return fi.fn.Name
	} else if fi != nil && fi.labels[a-fi.low] != "" {
		return "&&" + fi.labels[a-fi.low]
	}
	if n := t.streamName(a); n != "" {
		return n
	}
	return t.libraryFunction(a)
}

type snapshot struct {
	image
	pc, bp uint64
	sp     uint64
	ended  bool
	arena  int

	seen    map[uint64]target.Block // of the heap of a process that was attached to
	numbers int

	threads []threadState
	cur     int // the thread that is stepped
	last    int // the highest number of a thread

	read   readState
	tty    terminalState
	resume resumeState

	process  int             // whose state it is
	forked   int             // how many processes had been forked
	children []forkedProcess // that had not been waited for
}

// Save implements target.Target.
func (t *Target) Save() (target.Snapshot, error) {
	if t.mem == nil {
		return nil, target.ErrEnded
	}
	if t.core != nil {
		return &snapshot{pc: t.pc, bp: t.bp, sp: t.sp, cur: t.threads.cur}, nil
	}
	if err := t.look(); err != nil {
		return nil, err
	}
	regs, err := t.threadRegisters(context.Background(), "")
	if err != nil {
		return nil, err
	}
	others, err := t.saveThreads(context.Background())
	if err != nil {
		return nil, err
	}
	s := &snapshot{image: image{t.mirror.segs, regs}, pc: t.pc, bp: t.bp, sp: t.sp, ended: t.ended, arena: t.arena, threads: others, cur: t.threads.cur, last: t.threads.last}
	s.seen, s.numbers = maps.Clone(t.seen), t.numbers
	s.tty, s.read, s.resume = t.tty.save(), t.input.save(t.tty), t.resume
	s.process, s.forked, s.children = t.pid, len(t.forks.list), t.children()
	return s, nil
}

// Restore implements target.Target.
func (t *Target) Restore(sn target.Snapshot) error {
	s := sn.(*snapshot)
	switch {
	case t.mem == nil && t.attached != 0:
		return fmt.Errorf("process %d is not in hand any more", t.attached)
	case t.mem == nil:
		return errors.New("the process is gone; use start to run the program again")
	}
	ctx := context.Background()
	if t.core != nil {
		return t.choose(ctx, s.cur)
	}
	if err := t.canReturn(s); err != nil {
		return err
	}
	newer, err := t.canRestore(s.threads)
	if err != nil {
		return err
	}
	if err := t.end(ctx, newer); err != nil {
		return err
	}
	if err := t.unfork(ctx, s); err != nil {
		return err
	}
	if err := restoreMemory(t.mem, s.segs); err != nil {
		return err
	}
	if err := t.restoreThreads(ctx, s.threads); err != nil {
		return err
	}
	t.threads.last = s.last
	if t.threads.cur != s.cur || len(newer) > 0 || len(s.threads) > 1 {
		if err := t.choose(ctx, s.cur); err != nil {
			return err
		}
	}
	if err := t.setRegisters(ctx, t.selected(), append(slices.Clone(generalRegs), "orig_rax"), append(slices.Clone(s.regs), "-1")); err != nil {
		return err
	}
	if err := t.tty.restore(s.tty); err != nil {
		return err
	}
	if err := t.input.restore(t.tty, s.read); err != nil {
		return err
	}
	t.resume = s.resume
	if err := t.c.console(ctx, "maintenance flush dcache"); err != nil {
		return err
	}
	t.args.env.asOf = 0
	t.pc, t.bp, t.sp, t.ended, t.arena = s.pc, s.bp, s.sp, s.ended, s.arena
	t.seen, t.numbers = maps.Clone(s.seen), s.numbers
	return nil
}

// SetResult implements target.Target. Integers and pointers are returned in
// rax, floating-point values elsewhere.
func (t *Target) SetResult(w ctype.Word) error {
	if t.core != nil {
		return ErrCore
	}
	fr := t.walk()
	if len(fr) == 0 {
		return errors.New("no function is active")
	}
	if r := fr[0].fi.fn.Type.Result; r.Kind == ctype.Float {
		return errors.New("a floating-point result")
	}
	return t.setRegisters(context.Background(), t.selected(), []string{"rax"}, []string{fmt.Sprint(w)})
}

// Result implements target.Target.
func (t *Target) Result() (ctype.Word, bool) {
	fr := t.walk()
	if len(fr) == 0 || fr[0].fi.fn.Result == nil || fr[0].fi.fn.Result.Type.Kind == ctype.Float {
		return 0, false
	}
	v, err := t.c.send(context.Background(), "-data-evaluate-expression $rax")
	if err != nil {
		return 0, false
	}
	w, err := strconv.ParseInt(v.str("value"), 0, 64)
	return ctype.Wrap(fr[0].fi.fn.Result.Type, ctype.Word(w)), err == nil
}

// returned reads what a function has just returned.
func (t *Target) returned(f *cfront.Func) *ctype.Word {
	if f == nil || f.Result == nil {
		return nil
	}
	typ := f.Result.Type
	from := "$rax"
	switch {
	case typ.Kind == ctype.Float && typ.Size == 4:
		from = "$xmm0.v4_int32[0]"
	case typ.Kind == ctype.Float && typ.Size == 8:
		from = "$xmm0.v2_int64[0]"
	case typ.Kind == ctype.Float || typ.Size > 8:
		return nil
	}
	v, err := t.c.send(context.Background(), "-data-evaluate-expression %s", from)
	if err != nil {
		return nil
	}
	n, err := strconv.ParseInt(v.str("value"), 0, 64)
	if err != nil {
		return nil
	}
	w := ctype.Word(n)
	switch {
	case typ.Kind != ctype.Float:
		w = ctype.Wrap(typ, w)
	case typ.Size == 4:
		w = ctype.Word(uint32(n))
	}
	return &w
}
