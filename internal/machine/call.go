package machine

import (
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/ir"
	"gulo/internal/plural"
)

// This file is calls: entering functions, the library, and arguments behind a `...`.

// call executes a call instruction: it enters a function of the program or
// runs one of the library.
func (m *Machine) call(x *inst, fr *frame, r []ctype.Word) *Fault {
	info := x.in.CallX
	nested, link := false, ctype.Word(0)
	lib := x.builtin
	var callee *code
	if x.callee > 0 {
		callee = m.funcs[x.callee-1]
	}
	name := ""
	if info.Func >= 0 {
		name = m.prog.IR.Funcs[info.Func].Name
	} else {
		id, off := ctype.SplitPointer(r[x.a])
		i, ok := m.fnOf[id]
		if !ok && off == 0 {
			i, link, nested = m.closure(id)
			ok = nested
		}
		if !ok || off != 0 {
			if r[x.a] == 0 {
				return m.fault(NullDeref, 0, "call through a null function pointer")
			}
			return m.fault(BadCall, r[x.a], "call of something that is no function")
		}
		callee, name = m.funcs[i], m.funcs[i].name
		if callee.code == nil {
			callee, lib = nil, builtins[name]
		}
	}
	var c *libCall
	args := m.args[:0] // push copies them
	if callee == nil {
		c = &libCall{name: name, info: info, dst: x.dst}
		args = c.few[:0]
	}
	for _, a := range info.Args {
		args = append(args, r[a])
	}
	if nested {
		at := 0
		if callee != nil && callee.ir.SRet != ir.NoReg {
			at = 1
		}
		args = slices.Insert(args, min(at, len(args)), link)
	}
	if callee != nil {
		m.args = args
		if !callee.ir.Type.Variadic && len(args) < len(callee.ir.Params) {
			return m.fault(BadCall, 0, "call of %s with %s instead of %d", name, plural.N(len(args), "argument"), len(callee.ir.Params))
		}
		m.event(EvCall, 0, 0)
		if f := m.calling(name, args, info); f != nil {
			return f
		}
		if f := m.nullArgument(callee, args); f != nil {
			return f
		}
		f := m.push(callee, args, x.dst, m.pc+1)
		if f == nil && callee.ir.Type.Variadic {
			f = m.structArguments(info)
		}
		if f == nil && m.tr != nil {
			m.traceArgs(fr, info.Args, callee, x.stmt)
			if m.numbering() {
				m.numberPassed(fr, info.Args, callee, x.stmt)
			}
		}
		return f
	}
	if lib == nil {
		return m.fault(Unsupported, 0, "library function %s is not supported", name)
	}
	if f := m.preempt(); f != nil || m.moved {
		return f // the call is made when this thread goes on
	}
	if f := m.calling(name, args, info); f != nil {
		return f
	}
	c.args = args
	v, f := m.callLibrary(lib, c)
	if f != nil {
		if len(info.Args) > 0 && f.Chain == nil {
			m.chained(f, fr, m.argument(fr, info, f.Pointer))
		}
		return f
	}
	if m.exited || c.entered {
		return nil
	}
	n := len(m.frames)
	if n > 0 && x.dst >= 0 {
		base := m.frames[n-1].base
		if info.Type != nil && info.Type.Result != nil && info.Type.Result.IsInteger() {
			v = ctype.Wrap(info.Type.Result, v)
		}
		m.regs[base+int(x.dst)] = v
		m.traceResult(&m.frames[n-1], x, v, name)
	}
	return nil
}

// openUnions replaces each argument that is a transparent union of pointers, such as a socket address, by its pointer.
func (m *memory) openUnions(name string, info *ir.CallInfo, args []ctype.Word) (f *Fault) {
	if len(info.Types) != len(args) {
		return nil
	}
	for i, t := range info.Types {
		if t == nil || t.Kind != ctype.Union || t.Size != ctype.VoidPtrT.Size || f != nil {
			continue
		}
		if name != "semctl" && name != "sigqueue" {
			args[i], f = m.load(args[i], ctype.VoidPtrT)
		} else if b, bad := m.given(args[i], t.Size); bad == nil { // beside the number in union semun or sigval the rest need not be written
			args[i] = ctype.Load(ctype.ULongT, b)
		} else {
			f = bad
		}
	}
	return f
}

// callLibrary calls a library function. A call that has to wait for a pipe is suspended. Signals are delivered when the
// function returns: SIGPIPE after a write to a broken pipe, and those that other processes have sent meanwhile.
func (m *Machine) callLibrary(lib builtin, c *libCall) (ctype.Word, *Fault) {
	if c.info != nil {
		if f := m.openUnions(c.name, c.info, c.args); f != nil {
			return 0, f
		}
	}
	if m.th != nil && m.th.cancels(c) {
		return 0, quitThread(m, c, cancelled)
	}
	if m.racing() {
		defer m.ordered(c)()
	}
	var v ctype.Word
	var f *Fault
	if m.lib.mappings.maps != nil && !ownMemory[c.name] && m.lib.mappings.shared() {
		v, f = m.withMaps(lib, c)
	} else if m.lib.limits.changed != nil {
		v, f = m.lib.limits.callWithin(lib, c)
	} else {
		v, f = lib(m, c)
	}
	if f != nil && f.Kind == pipeWaits {
		v, f = m.waitPipe(c, f)
	}
	if m.lib.stdio.cookies {
		switch {
		case f != nil && f.Kind == cookieWaits:
			f = m.lib.stdio.fillCookie(c, f)
		case f == nil && !c.entered && !m.exited:
			f = m.lib.stdio.drainFull(c, v)
		}
	}
	if f == nil && (m.lib.signals.broken || m.procs != nil && !c.entered && !m.exited && m.lib.signals.interrupts()) {
		v, f = m.lib.signals.interrupted(c, v)
	}
	m.lib.signals.broken = false
	return v, f
}

// CallLibrary calls a function of the library from outside, with arguments of the given types, and returns what it
// returns. The program goes on where it stands.
func (m *Machine) CallLibrary(f *cfront.Func, types []*ctype.Type, args []ctype.Word) (ctype.Word, *Fault) {
	lib := builtins[f.Name]
	if lib == nil {
		return 0, m.fault(Unsupported, 0, "%s cannot be called from outside of the program", f.Name)
	}
	c := &libCall{name: f.Name, args: args, info: &ir.CallInfo{Func: -1, Type: f.Type, Types: types}, dst: -1}
	v, fault := m.callLibrary(lib, c)
	if fault == nil && c.entered {
		fault = m.fault(Unsupported, 0, "%s cannot be called from outside of the program", f.Name)
	}
	if f.Type.Result != nil && f.Type.Result.IsInteger() {
		v = ctype.Wrap(f.Type.Result, v)
	}
	return v, fault
}

// traceResult notes in the trace that a library function has returned v.
func (m *memory) traceResult(fr *frame, x *inst, v ctype.Word, name string) {
	if m.tr != nil {
		m.tr.regs[fr.base+int(x.dst)] = m.tr.node(0, m.at(), m.steps, "made by "+name)
	}
	if m.numbering() {
		m.numberReturned(fr, x.dst, x.in.CallX.Args, v, name)
	}
}

// closure decodes a block that stands for the address of a nested function; cfront.ClosureMark
// describes its layout. It returns the function and its hidden argument, the link; ok is false for
// any other block.
func (m *memory) closure(id uint32) (i int32, link ctype.Word, ok bool) {
	b := m.Block(id)
	if b == nil || b.Freed || b.Size != cfront.ClosureSize || b.Kind != Stack || len(b.Data) < cfront.ClosureSize || !b.initialized(0, cfront.ClosureSize) || ctype.Load(ctype.ULongT, b.Data) != cfront.ClosureMark {
		return 0, 0, false
	}
	f, off := ctype.SplitPointer(ctype.Load(ctype.ULongT, b.Data[8:]))
	i, ok = m.fnOf[f]
	return i, ctype.Load(ctype.ULongT, b.Data[16:]), ok && off == 0
}

// structArguments copies the variable arguments of the call just made when
// there are structs among them.
func (m *memory) structArguments(info *ir.CallInfo) *Fault {
	fr := &m.frames[len(m.frames)-1]
	types := info.Types[len(info.Types)-len(fr.extra):]
	for _, t := range types {
		if t.InMemory() {
			return m.varargs(fr, types)
		}
	}
	return nil
}

// calling tells the monitor of a call.
func (m *recording) calling(name string, args []ctype.Word, info *ir.CallInfo) *Fault {
	if m.cfg.Monitor == nil {
		return nil
	}
	m.monReg, m.monCall = -1, info
	if len(info.Args) > 0 {
		m.monReg = int32(info.Args[0])
	}
	return m.cfg.Monitor.Calling(name, args)
}

// nullArgument returns the fault of a null pointer for a parameter that the program declares never to be null. Only a
// monitored run is stopped there.
func (m *control) nullArgument(callee *code, args []ctype.Word) *Fault {
	d, ok := callee.ir.Decl.(*cfront.Func)
	if !ok || d.NonNull == 0 || m.cfg.Monitor == nil || callee.ir.SRet != ir.NoReg {
		return nil
	}
	for i, a := range args {
		if i < 64 && d.NonNull>>i&1 != 0 && a == 0 {
			return m.fault(NullValue, 0, "a null pointer is passed to a parameter that is declared nonnull")
		}
	}
	return nil
}

// argument returns the register of the argument of a call from which a pointer was computed: of those into its block the
// one closest below it, else the first one. A call without arguments has none: -1.
func (m *control) argument(fr *frame, info *ir.CallInfo, p ctype.Word) int32 {
	if len(info.Args) == 0 {
		return -1
	}
	best, closest := int32(info.Args[0]), ctype.Word(0)
	block, _ := ctype.SplitPointer(p)
	for _, a := range info.Args {
		v := m.regs[fr.base+int(a)]
		if b, _ := ctype.SplitPointer(v); b == block && v <= p && v > closest {
			best, closest = int32(a), v
		}
	}
	return best
}

// chained adds to a fault where the pointer in a register came from.
func (m *recording) chained(f *Fault, fr *frame, reg int32) *Fault {
	if m.tr != nil && f != nil && reg >= 0 {
		f.Chain = m.tr.chain(m.tr.regs[fr.base+int(reg)])
	}
	return f
}

// varargs makes the block of a frame's variable arguments. Structs are copied
// at the call, since the caller may change its own afterwards.
func (m *memory) varargs(fr *frame, types []*ctype.Type) *Fault {
	size, align := int64(0), int64(alignment)
	for i := range fr.extra {
		size = aligned(types, i, size) + room(types, i)
		if i < len(types) {
			align = max(align, argumentAlign(types[i]))
		}
	}
	b := m.newAligned(Stack, size, align)
	b.Name = "the variable arguments"
	fr.varargs = b.ID
	off := int64(0)
	for i, w := range fr.extra {
		off = aligned(types, i, off)
		p := ctype.MakePointer(b.ID, int32(off))
		if n := room(types, i); i < len(types) && types[i].InMemory() {
			if f := m.copyBytes(p, w, types[i].Size); f != nil {
				return f
			}
			off += n
			continue
		}
		ctype.Store(ctype.ULongT, b.Data[off:], w)
		off += 8
	}
	m.wrote(b)
	return nil
}

func room(types []*ctype.Type, i int) int64 {
	if i < len(types) && types[i].InMemory() {
		return (types[i].Size + 7) / 8 * 8
	}
	return 8
}

// argumentAlign is the alignment of a variable argument.
func argumentAlign(t *ctype.Type) int64 {
	if t != nil && t.InMemory() && t.Align >= 16 {
		return t.Align
	}
	return 8
}

func aligned(types []*ctype.Type, i int, off int64) int64 {
	if i >= len(types) {
		return off
	}
	a := argumentAlign(types[i])
	return (off + a - 1) / a * a
}

// vaStart fills a va_list of x86-64. All arguments are in the overflow area, as
// if the registers were used up.
func (m *memory) vaStart(list ctype.Word, fr *frame) *Fault {
	if fr.varargs == 0 {
		if f := m.varargs(fr, nil); f != nil {
			return f
		}
	}
	for _, x := range []struct {
		off ctype.Word
		t   *ctype.Type
		w   ctype.Word
	}{{0, ctype.UIntT, 48}, {4, ctype.UIntT, 304}, {8, ctype.VoidPtrT, ctype.MakePointer(fr.varargs, 0)}, {16, ctype.VoidPtrT, 0}} {
		if f := m.store(list+x.off, x.t, x.w); f != nil {
			return f
		}
	}
	return nil
}

func (m *memory) vaArg(list ctype.Word, size, align int64) (ctype.Word, *Fault) {
	p, f := m.load(list+8, ctype.VoidPtrT)
	if f != nil {
		return 0, f
	}
	if a := ctype.Word(align); a > 8 {
		p = (p + a - 1) &^ (a - 1)
	}
	return p, m.store(list+8, ctype.VoidPtrT, p+ctype.Word(size))
}
