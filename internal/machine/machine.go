// Package machine is the abstract machine: it runs package ir's programs and
// is the meaning of C here. It implements the calculus of Wang, Neamtiu and
// Gupta ("Generating Sound and Effective Memory Debuggers", ISMM 2013, section
// 3): heap H, freed set F, stack S, time k, trace σ, value origins f, and the
// error states of their Figure 8, for the C that package lower accepts. Beyond
// the paper: globals, functions, integers and floats of every width,
// out-of-bounds on stack and globals, arithmetic errors, and the C library.
//
// Threads of the program take turns (threads.go), and races between them are found (race.go).
//
// Where things are: the layers below Machine stand in machine.go, memory.go has blocks and access to them, exec.go and
// quick.go the loop. library.go has the parts of the C library: stdio (stdio.go), fileSystem (files.go), signals
// (lib_signal.go), mappings (lib_mmap.go) and smaller ones; threads and processes have files of these names. Functions
// of C are in lib_*.go, by header or subject.
//
// A Machine is used by one goroutine. It never panics on a C program's fault;
// faults are values. What a run may cost is bounded by Config.
package machine

import (
	"bytes"
	"context"
	"io"
	"os/exec"
	"strconv"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/ir"
	"gulo/internal/lower"
	"gulo/internal/plural"
)

// Config sets limits and habits of a machine.
type Config struct {
	Context   context.Context // ends the run with an Interrupted fault; nil: nothing does
	Args      []string        // argv[1:]
	Env       []string        // environment, as name=value
	Name      string          // argv[0]
	Stdin     io.Reader       // nil: empty
	Files     *Files          // nil: those that the program was read with (cfront.Options.Work), or none but the standard streams
	Stdout    io.Writer
	Stderr    io.Writer
	MaxSteps  int64 // instructions; 0 for no limit
	MaxMemory int64 // heap bytes; 0 for 1 GiB
	MaxStack  int64 // bytes of all local variables; 0 for 64 MiB
	MaxOutput int64 // bytes; 0 for 1 GiB
	MaxDepth  int   // calls; 0 for 100,000

	Wrap      bool  // signed overflow wraps silently
	UninitOK  bool  // reading bytes never written is no error
	Beyond    int64 // bytes behind a string literal that may be read; they count as never written
	Forgiving bool  // errors of memory do no harm, as far as that goes: forgiving.go; KeepFreed and UninitOK go with it
	Fill      byte  // the value of bytes never written
	KeepFreed bool  // keep the contents of freed blocks, for pictures
	Trace     bool  // record events and value origins
	MaxEvents int   // 0 for 1,000,000
	Numbers   int64 // with Trace: the step from which on it is recorded where numbers come from (Slices); 0: never
	Debug     bool  // statements can be stopped at
	LineInput bool  // report NeedInput instead of end of file on empty stdin
	Idle      bool  // do not enter main; Enter calls a function
	Overlays  bool  // code may be laid over functions, see Overlay
	Races     bool  // data races are no fault
	Monitor   Monitor
	Programs  func(*exec.Cmd) error // starts a real program for exec and what is like it; nil: none is started
	Thorough  bool                  // string functions may not write over what they read; a returning function holds no block any more

	threads bool // the program makes threads
	plain   bool // code is not merged although nothing is watched: this is the child of a process whose code is not
}

// Machine is a running program. What it knows stands in layers, each of which is embedded in the next one and whose
// methods see only what is below: loaded (the program as linked), control (where it is), recording (what it did), memory
// (what it may touch). Above these stand the C library with its parts (library), and processes.
type Machine struct {
	memory
	lib       *library
	procs     *processes // nil until it has made one
	atexit    []ctype.Word
	quietPipe bool  // the present call sends no SIGPIPE
	away      int64 // instructions that other processes executed
}

// loaded is the program as it was linked, and the code of edits that lie over it. It says what stands where in the source.
type loaded struct {
	prog     *lower.Program
	cfg      Config
	funcs    []*code
	isLib    []bool // statements of library code written in C
	overlays []laid
}

// control is where the program is: active calls, registers, the next instruction, the threads and the time. It makes faults,
// as a fault says where it happened.
type control struct {
	loaded

	regs   []ctype.Word
	args   []ctype.Word // of the call that is made, until its frame has them
	frames []frame
	fn     *code // of the innermost frame
	pc     int
	steps  int64

	exited    bool
	status    int
	exitW     ctype.Word
	entryArgs []ctype.Word // of Enter
	result    ctype.Word   // what the outermost function returned
	stmtID    int32        // with Debug: the statement begun last in the innermost frame
	calls     int64        // made so far
	moved     bool         // the thread, the frame or pc was changed: exec has to load them again
	low       int          // the fewest active calls since MarkDepth
	th        *threads     // nil until there are several
	slept     int64        // nanoseconds that the program has waited
}

// recording is what is recorded of a run: events, and where pointers and numbers come from.
type recording struct {
	control

	tr      *tracer      // nil without Config.Trace
	monReg  int32        // register of the pointer that the monitor is told of; -1 for none
	monCall *ir.CallInfo // the call of which it is told; nil if it is told of something else
}

// memory is the blocks that the program has, and the rules of access to them. All that reads or writes goes through it.
type memory struct {
	recording

	blocks    []*Block
	heap      []*Block
	fixed     []uint32 // ids of blocks that are neither Heap nor Stack; some may be gone
	saved     table    // the heap blocks of the last State
	savedTo   int      // how many these are
	unsaved   []int32  // numbers of those that have changed since
	soiled    []int32  // numbers of blocks among the first known that have changed since Changed was called
	known     int      // how many blocks there were then
	noting    bool     // Changed was called
	heapBytes int64    // of live blocks, perBlock for each included; of large ones the pages that were written
	mapped    int64    // bytes of addresses that large blocks on the heap take
	large     []*pages // of large blocks that no state has
	stack     int64    // bytes of local variables
	arrays    int64    // bytes of variable-length arrays
	globals   []uint32 // block of each ir global
	fnBlocks  map[int32]uint32
	fnOf      map[uint32]int32
	before    map[uint32]*Block // with Forgiving: memory in front of blocks, by their ids
	leaving   bool              // a function is about to return: its variables hold nothing any more

	unset     map[place]unset  // registers whose values were never written
	mostUnset int              // how many of these there may be before those of ended calls are dropped
	spots     map[spot]*copied // where values that were never written were copied to

	// OnUnset, if set, is called with the statement that loads bytes that were never written, whether it uses them or not.
	OnUnset func(stmt int32)
}

type frame struct {
	fn      *code
	base    int // first register
	retPC   int
	dst     int32 // caller's register for the result, relative to its base
	objs    []uint32
	varargs uint32 // block of variable arguments, 0 until asked for
	extra   []ctype.Word
	vlas    []uint32
	stmt    int32
	serial  int64       // of the call; no other has it
	mask    *ctype.Word // signals that are blocked again when it returns: a signal handler's
}

// New prepares a program for running from main.
func New(p *lower.Program, cfg Config) (*Machine, error) {
	if cfg.MaxMemory == 0 {
		cfg.MaxMemory = 1 << 30
	}
	if cfg.MaxStack == 0 {
		cfg.MaxStack = 64 << 20
	}
	if cfg.MaxOutput == 0 {
		cfg.MaxOutput = 1 << 30
	}
	if cfg.MaxDepth == 0 {
		cfg.MaxDepth = 100_000
	}
	if cfg.MaxEvents == 0 {
		cfg.MaxEvents = 1_000_000
	}
	if cfg.MaxSteps == 0 {
		cfg.MaxSteps = 1 << 62
	}
	if cfg.Stdin == nil {
		cfg.Stdin = strings.NewReader("")
	}
	if cfg.Forgiving {
		cfg.KeepFreed, cfg.UninitOK = true, true
	}
	if cfg.Name == "" {
		cfg.Name = "program"
	}
	if cfg.Files == nil && p.Tree != nil && p.Tree.Work != nil {
		cfg.Files = &Files{Dir: ".", Given: p.Tree.Work}
	}
	m := &Machine{memory: memory{blocks: make([]*Block, 1, 64), fnBlocks: map[int32]uint32{}, fnOf: map[uint32]int32{}}}
	m.loaded = loaded{prog: p, cfg: cfg, isLib: make([]bool, len(p.Stmts))}
	m.cfg.threads = m.runsThreads()
	m.cfg.Wrap = m.cfg.Wrap || p.Tree != nil && p.Tree.Wraps
	if cfg.Trace {
		m.tr = newTracer(cfg.MaxEvents)
		if cfg.Numbers > 0 {
			m.tr.nums = newNumbers(cfg.Numbers)
		}
	}
	m.lib = newLibrary(m)
	for i, s := range p.Stmts {
		if s != nil && strings.HasPrefix(s.Range.File.Name, "@gulo/") {
			m.isLib[i] = true
		}
	}
	m.link()
	if f := m.checkSizes(); f != nil {
		return nil, f
	}
	if d := p.Unread(); d != nil {
		return nil, &Fault{Kind: Unsupported, Pos: d.Pos, Message: d.Message}
	}
	m.initGlobals()
	if cfg.Idle {
		return m, nil
	}
	return m, m.enterMain()
}

func (m *loaded) library(stmt int32) bool {
	return stmt >= 0 && int(stmt) < len(m.isLib) && m.isLib[stmt]
}

// checkSizes finds variables too large to be made.
func (m *loaded) checkSizes() *Fault {
	var all, mapped int64
	for i := range m.prog.IR.Globals {
		o := &m.prog.IR.Globals[i]
		if o.Size > maxRoom {
			return &Fault{Kind: LimitFault, Message: sprintf("variable %s has %s, which is over the limit of %d GiB", o.Name, plural.N(o.Size, "byte"), int64(maxRoom)>>30)}
		}
		if o.Size >= largeBlock {
			mapped += o.Size
		} else {
			all += o.Size
		}
	}
	switch {
	case mapped > maxRoom:
		return &Fault{Kind: LimitFault, Message: sprintf("the program's variables are larger than the limit of %d GiB", int64(maxRoom)>>30)}
	case all > m.cfg.MaxMemory:
		return &Fault{Kind: LimitFault, Message: sprintf("the program's variables are larger than the memory limit of %d MiB", m.cfg.MaxMemory>>20)}
	}
	return nil
}

func (m *Machine) initGlobals() {
	m.globals = make([]uint32, len(m.prog.IR.Globals))
	for i := range m.prog.IR.Globals {
		o := &m.prog.IR.Globals[i]
		var b *Block
		if o.ReadOnly && m.cfg.Beyond > 0 && o.Size < largeBlock {
			b = m.newUnset(Global, o.Size+m.cfg.Beyond, o.Align)
			b.markInit(0, o.Size)
		} else {
			b = m.newAligned(Global, o.Size, o.Align)
		}
		b.Name, b.ReadOnly, b.Obj, b.Var = o.Name, o.ReadOnly, o.Type, o.Var
		if w, ok := m.lib.libraryVariable(o.Name); ok && o.Data == nil && o.Size == 8 {
			ctype.Store(ctype.ULongT, b.Data, w)
			if w != 0 && w == m.lib.variables.env {
				m.lib.variables.environ = ctype.MakePointer(b.ID, 0)
			}
		}
		m.globals[i] = b.ID
	}
	for i := range m.prog.IR.Globals {
		m.initGlobal(m.Block(m.globals[i]), i)
	}
}

// initGlobal gives a block the value that a global begins with.
func (m *memory) initGlobal(b *Block, i int) {
	o := &m.prog.IR.Globals[i]
	m.fillIn(b, o.Data)
	for _, r := range o.Relocs {
		w := ctype.Word(r.Addend)
		if r.Func {
			w += m.funcAddr(r.Index)
		} else {
			w += ctype.MakePointer(m.globals[r.Index], 0)
		}
		if b.large != nil {
			m.heapBytes += page * b.large.write(r.Offset, 8)
		}
		ctype.Store(ctype.ULongT, b.Data[r.Offset:], w)
	}
}

// fillIn writes a global's initial bytes into its block; of a large block only to the pages that are not all zero.
func (m *memory) fillIn(b *Block, data []byte) {
	if b.large == nil {
		copy(b.Data, data)
		return
	}
	for at := 0; at < len(data); at += page {
		part := data[at:min(at+page, len(data))]
		if !bytes.Equal(part, zeros[:len(part)]) {
			m.heapBytes += page * b.large.write(int64(at), int64(len(part)))
			copy(b.Data[at:], part)
		}
	}
}

var zeros [page]byte

func (m *memory) funcAddr(i int32) ctype.Word {
	id, ok := m.fnBlocks[i]
	if !ok {
		b := m.newBlock(Code, 1)
		b.Func, b.Name = i, m.prog.IR.Funcs[i].Name
		id = b.ID
		m.fnBlocks[i] = id
		m.fnOf[id] = i
	}
	return ctype.MakePointer(id, 0)
}

// GlobalAddr returns the address of a program variable of static storage.
func (m *memory) GlobalAddr(i int32) ctype.Word { return ctype.MakePointer(m.globals[i], 0) }

// Globals is how many objects of static storage the machine has: those of the program when it was loaded. Literals of
// edits that were lowered later are not among them.
func (m *memory) Globals() int { return len(m.globals) }

// enterMain pushes main's frame with its arguments.
func (m *Machine) enterMain() error {
	i := m.prog.IR.Main
	if i < 0 {
		return &Fault{Kind: Unsupported, Message: "the program has no function main"}
	}
	fn := m.funcs[i]
	var args []ctype.Word
	if len(fn.ir.Params) > 0 {
		argv := append([]string{m.cfg.Name}, m.cfg.Args...)
		vec := m.newBlock(Global, int64(8*(len(argv)+1)))
		vec.Name = "argv"
		for i, a := range argv {
			s := m.newBlock(Global, int64(len(a)+1))
			s.Name = "argv[" + strconv.Itoa(i) + "]"
			copy(s.Data, a)
			ctype.Store(ctype.ULongT, vec.Data[8*i:], ctype.MakePointer(s.ID, 0))
		}
		args = []ctype.Word{ctype.Word(len(argv)), ctype.MakePointer(vec.ID, 0), m.lib.variables.environment()}[:min(3, len(fn.ir.Params))]
	}
	for _, i := range m.prog.IR.Fini { // the last runs first
		m.atexit = append(m.atexit, m.funcAddr(i))
	}
	if f := m.push(fn, args, -1, 0); f != nil {
		return f
	}
	// A constructor returns to the one after it, the last to the start of main.
	for i := len(m.prog.IR.Init) - 1; i >= 0; i-- {
		c := m.funcs[m.prog.IR.Init[i]]
		if f := m.push(c, args[:min(len(args), len(c.ir.Params))], -1, 0); f != nil {
			return f
		}
	}
	return nil
}

// push enters a function.
func (m *memory) push(fn *code, args []ctype.Word, dst int32, retPC int) *Fault {
	if len(m.frames) >= m.cfg.MaxDepth {
		return m.fault(StackExhausted, 0, "more than %s", plural.N(m.cfg.MaxDepth, "nested call"))
	}
	base := 0
	if n := len(m.frames); n > 0 {
		base = m.frames[n-1].base + m.fn.nregs
		m.frames[n-1].stmt = m.stmtID
	}
	if need := base + fn.nregs; need > len(m.regs) {
		m.regs = append(m.regs, make([]ctype.Word, need+len(m.regs))...)
		if m.tr != nil {
			m.tr.regs = append(m.tr.regs, make([]int32, len(m.regs)-len(m.tr.regs))...)
			m.tr.numberRegisters(len(m.regs))
		}
	}
	if m.tr != nil && m.tr.nums != nil {
		clear(m.tr.nums.regs[base : base+fn.nregs]) // what another call left there
	}
	regs := m.regs[base : base+fn.nregs]
	if m.cfg.Fill != 0 {
		for i := range regs {
			regs[i] = 0x0101010101010101 * ctype.Word(m.cfg.Fill)
		}
	}
	for _, c := range fn.ir.Consts {
		regs[c.Reg] = c.Value
	}
	k := 0
	if fn.ir.SRet != ir.NoReg && len(args) > 0 {
		regs[fn.ir.SRet] = args[0]
		k = 1
	}
	np := len(fn.ir.Params)
	for i := 0; i < np && k+i < len(args); i++ {
		regs[fn.ir.Params[i].Reg] = args[k+i]
	}
	var fr *frame
	if n := len(m.frames); n < cap(m.frames) {
		m.frames = m.frames[:n+1]
		fr = &m.frames[n]
		objs := fr.objs[:0]
		*fr = frame{fn: fn, base: base, retPC: retPC, dst: dst, objs: objs}
	} else {
		m.frames = append(m.frames, frame{fn: fn, base: base, retPC: retPC, dst: dst})
		fr = &m.frames[n]
	}
	m.calls++
	fr.serial = m.calls
	for range fn.ir.Objects {
		fr.objs = append(fr.objs, 0)
	}
	if len(args) > k+np {
		fr.extra = append([]ctype.Word(nil), args[k+np:]...)
	}
	m.fn, m.pc, m.stmtID = fn, 0, 0
	for i := range fn.ir.Params {
		p := &fn.ir.Params[i]
		if p.Object < 0 {
			continue
		}
		if k+i >= len(args) {
			break
		}
		b := m.object(fr, p.Object)
		if m.stack > m.cfg.MaxStack {
			return m.stackFull()
		}
		if p.Type.InMemory() {
			if f := m.copyBytes(ctype.MakePointer(b.ID, 0), args[k+i], p.Type.Size); f != nil {
				return f
			}
			continue
		}
		ctype.Store(p.Type, b.Data, args[k+i])
		b.markInit(0, p.Type.Size)
		if m.cfg.Monitor != nil {
			m.cfg.Monitor.Wrote(ctype.MakePointer(b.ID, 0), p.Type.Size)
		}
	}
	return nil
}

// object returns the block of a frame's variable, making it on first use.
func (m *memory) object(fr *frame, i int) *Block {
	if id := fr.objs[i]; id != 0 {
		return m.Block(id)
	}
	o := &fr.fn.ir.Objects[i]
	var b *Block
	if pool := &fr.fn.pool[i]; len(*pool) > 0 && !m.cfg.Forgiving { // else it may have grown, and has to be filled
		b = (*pool)[len(*pool)-1]
		*pool = (*pool)[:len(*pool)-1]
		clear(b.Data)
		clear(b.Init)
		if b.unions != nil {
			b.unions, b.clean = nil, false
		}
		m.adopt(b, o.Align)
	} else {
		b = m.newUnset(Stack, o.Size, o.Align)
		b.Name, b.Obj, b.Var = o.Name, o.Type, o.Var
	}
	m.stack += b.Size
	fr.objs[i] = b.ID
	return b
}

// endObject ends a variable of a frame, if it has been used.
func (m *memory) endObject(fr *frame, i int) {
	id := fr.objs[i]
	if id == 0 {
		return
	}
	b := m.Block(id)
	m.stack -= b.Size
	m.end(id)
	if m.tr != nil {
		delete(m.tr.mem, uint64(id))
	}
	if b.large != nil {
		m.forget(b)
	} else {
		fr.fn.pool[i] = append(fr.fn.pool[i], b)
	}
	fr.objs[i] = 0
}

// pop leaves the innermost frame; its variables join the freed set.
func (m *memory) pop() {
	n := len(m.frames) - 1
	fr := &m.frames[n]
	for i := range fr.objs {
		m.endObject(fr, i)
	}
	for _, id := range fr.vlas {
		b := m.Block(id)
		m.arrays -= b.Size
		m.forget(b)
		m.end(id)
	}
	if fr.varargs != 0 {
		m.end(fr.varargs)
	}
	m.frames = m.frames[:n]
	m.low = min(m.low, n)
	if n > 0 {
		m.fn = m.frames[n-1].fn
		m.pc = fr.retPC
		m.stmtID = m.frames[n-1].stmt
	}
}

// end makes a stack block dead.
func (m *memory) end(id uint32) {
	b := m.Block(id)
	m.fill(b, nil)
	if m.tr != nil && m.tr.nums != nil {
		m.tr.nums.forget(id)
	}
	if m.cfg.Monitor != nil {
		m.cfg.Monitor.Ended(b)
	}
}

// Exited reports whether the program has ended, and its exit status.
func (m *control) Exited() (int, bool) { return m.status, m.exited }

// Errno is what the library's errno holds.
func (m *Machine) Errno() int64 {
	w, _ := m.load(m.lib.errno, ctype.IntT)
	return int64(w)
}

// Steps returns the number of instructions executed.
func (m *control) Steps() int64 { return m.steps }

// Depth returns the number of active calls.
func (m *control) Depth() int { return len(m.frames) }

// Run runs to the end and returns the exit status, or the fault.
func (m *Machine) Run() (int, error) {
	f := m.exec(nil)
	m.lib.stdio.flush()
	if f != nil {
		return 0, f
	}
	return m.status, nil
}
