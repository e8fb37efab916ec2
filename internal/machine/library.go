package machine

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"syscall"

	"gulo/internal/ctype"
	"gulo/internal/ir"
	"gulo/internal/machine/random"
	"gulo/internal/plural"
)

// This file is the C library's frame: calling convention, streams, memory
// helpers. The functions are in the files beside it. What is not in the table
// is a fault that names the function, never a no-op.

type builtin func(m *Machine, c *libCall) (ctype.Word, *Fault)

type libCall struct {
	name    string
	args    []ctype.Word
	info    *ir.CallInfo
	dst     int32
	entered bool // the call pushed a frame instead of returning

	few [4]ctype.Word // where most calls' arguments are kept: one allocation instead of two
}

func (c *libCall) arg(i int) ctype.Word {
	if i < len(c.args) {
		return c.args[i]
	}
	return 0
}

func (c *libCall) int(i int) int64     { return int64(int32(c.arg(i))) }
func (c *libCall) long(i int) int64    { return int64(c.arg(i)) }
func (c *libCall) float(i int) float64 { return math.Float64frombits(c.arg(i)) }

// NeedInput is the fault kind of a program that waits for standard input; only
// with Config.LineInput.
const NeedInput FaultKind = "need_input"

// stdio is the streams of a process: those of FILE, and the standard ones, whose descriptors are open from the beginning.
type stdio struct {
	m        *Machine
	in       *bufio.Reader
	out      []byte // printed to standard output, and not handed to its writer yet
	written  int64
	printed  int64           // to standard output
	files    map[uint32]int  // FILE block -> descriptor
	std      [3]ctype.Word   // stdin, stdout, stderr
	standard [3]stream       // of the standard streams
	closed   map[uint32]bool // FILE blocks that were closed
	misread  []string        // formats of scanf that standard input did not meet
	cookies  bool            // fopencookie was called
}

// library is the C library's state of a process, in parts. Each part has what its functions need, and the machine.
type library struct {
	m          *Machine
	stdio      stdio
	signals    signals
	mappings   mappings
	variables  variables
	generators generators
	systemV    systemV
	limits     limits
	fs         *fileSystem
	quick      []ctype.Word          // functions of at_quick_exit
	tables     map[string]ctype.Word // objects that functions return each time, by function; not changed in place
	tok        ctype.Word            // strtok
	errno      ctype.Word
	locale     ctype.Word                   // of uselocale; 0: the global one
	spawning   map[ctype.Word][]spawnAction // by posix_spawn_file_actions_t; not changed in place
	popened    map[int]int                  // processes of popen, by descriptor; not changed in place
	ticks      ctype.Word                   // how often rdtsc was executed
	dynamic    string                       // what dlerror says; "" for nothing
	alone      string                       // why fork is refused; "" where it is not
}

func newLibrary(m *Machine) *library {
	l := &library{m: m, generators: generators{random: random.First()}, fs: newFileSystem(m.cfg.Files)}
	l.stdio = stdio{in: bufio.NewReader(m.cfg.Stdin), files: map[uint32]int{}, closed: map[uint32]bool{}}
	l.attach(m)
	for i := range l.stdio.standard {
		l.stdio.standard[i] = stream{fd: i, opened: &opened{device: i, read: i == 0, write: i > 0}}
	}
	for i, n := range []string{"stdin", "stdout", "stderr"} {
		b := m.newBlock(Global, 8)
		b.Name = "*" + n
		l.stdio.files[b.ID] = i
		l.stdio.std[i] = ctype.MakePointer(b.ID, 0)
	}
	b := m.newBlock(Global, 4)
	b.Name = "errno"
	l.errno = ctype.MakePointer(b.ID, 0)
	return l
}

// attach tells the parts that they are those of m.
func (l *library) attach(m *Machine) {
	l.fs.m, l.stdio.m, l.signals.m, l.mappings.m, l.variables.m, l.generators.m, l.systemV.m, l.limits.m = m, m, m, m, m, m, m, m
	if m.th != nil {
		m.th.m = m
	}
}

// libraryVariable gives the value of the library's own variables.
func (l *library) libraryVariable(name string) (ctype.Word, bool) {
	switch name {
	case "stdin":
		return l.stdio.std[0], true
	case "stdout":
		return l.stdio.std[1], true
	case "stderr":
		return l.stdio.std[2], true
	case "program_invocation_name":
		return l.constantText(name, l.m.cfg.Name), true
	case "program_invocation_short_name", "__progname":
		return l.constantText(name, l.m.cfg.Name[strings.LastIndexByte(l.m.cfg.Name, '/')+1:]), true
	case "environ", "__environ":
		return l.variables.environment(), true
	}
	return 0, false
}

// descriptor returns the descriptor of a FILE pointer, or a fault if it is no open stream.
func (st *stdio) descriptor(c *libCall, w ctype.Word) (int, *Fault) {
	m := st.m
	id, off := ctype.SplitPointer(w)
	if d, ok := st.files[id]; ok && off == 0 {
		return d, nil
	}
	if w == 0 {
		return 0, m.fault(NullDeref, w, "%s on a null stream", c.name)
	}
	if st.closed[id] {
		return 0, m.fault(BadLibraryCall, w, "%s on a stream that was closed", c.name)
	}
	return 0, m.fault(BadLibraryCall, w, "%s on something that is no open stream", c.name)
}

// outputLimit is the fault of a program that has written too much.
func (m *control) outputLimit() *Fault {
	return m.fault(LimitFault, 0, "output limit of %s reached", plural.N(m.cfg.MaxOutput, "byte"))
}

func (st *stdio) write(fd int, data []byte) *Fault {
	m := st.m
	s := st.fileStream(fd)
	if s != nil && s.pipe != nil {
		return s.holdPipe(m, data)
	}
	if s != nil && s.file != nil {
		if !s.write {
			s.bad = true
			m.set(errBADF)
			return nil
		}
		return s.hold(m, data)
	}
	if s != nil && s.opened == noDescriptor {
		s.bad = true
	}
	if s == nil || s.opened == noDescriptor || !s.write && s.device != 0 {
		m.set(errBADF)
		return nil
	}
	st.written += int64(len(data))
	if st.written > m.cfg.MaxOutput {
		return m.outputLimit()
	}
	if s.device == 2 {
		if m.cfg.Stderr != nil {
			_, _ = m.cfg.Stderr.Write(data)
		}
		return nil
	}
	st.out = append(st.out, data...)
	st.printed += int64(len(data))
	switch {
	case m.cfg.LineInput && strings.ContainsRune(string(data), '\n'):
		st.flush()
	case len(st.out) >= 1<<16:
		st.settleOut()
	}
	return nil
}

// settleOut writes out the part of the printed text that would not be in the buffer of stdout any more.
func (st *stdio) settleOut() {
	n := 0
	switch s := &st.standard[1]; {
	case s.direct:
		n = len(st.out)
	case s.lines:
		n = bytes.LastIndexByte(st.out, '\n') + 1
	case len(st.out) > bufferSize:
		n = len(st.out) / bufferSize * bufferSize
	}
	if n > 0 {
		rest := slices.Clone(st.out[n:])
		st.out = st.out[:n]
		st.flush()
		st.out = append(st.out, rest...)
	}
}

// flush writes out what was printed. If that fails, it sets errno and the error flag of stdout, and returns false.
func (st *stdio) flush() (taken bool) {
	m := st.m
	taken = true
	if len(st.out) > 0 && m.cfg.Stdout != nil {
		if _, err := m.cfg.Stdout.Write(st.out); err != nil {
			taken = false
			st.standard[1].bad = true
			errno := ctype.Word(errIO)
			var sys syscall.Errno
			if errors.As(err, &sys) {
				errno = ctype.Word(sys)
			}
			m.set(errno)
		}
	}
	st.out = st.out[:0]
	return taken
}

// FlushOutput hands buffered output to the writer.
func (m *Machine) FlushOutput() { m.lib.stdio.flush() }

// getc returns the next byte of a stream, -1 at its end.
func (st *stdio) getc(s *stream) (int, *Fault) {
	m := st.m
	if n := len(s.unget); n > 0 {
		c := s.unget[n-1]
		s.unget = s.unget[:n-1]
		return int(c), nil
	}
	s.stdio = true
	switch {
	case s.eof && s.file == nil:
		return -1, nil
	case !s.read:
		s.bad = true
		m.set(errBADF)
		return -1, nil
	case s.pipe != nil:
		if more, f := s.refill(m); f != nil || !more {
			return -1, f
		}
		return st.getc(s)
	case s.cookie != nil && s.pos >= int64(len(s.file.data)):
		if s.answered || s.eof {
			s.answered = false
			return -1, nil
		}
		return -1, &Fault{Kind: cookieWaits, Pointer: ctype.Word(s.fd)}
	case s.file != nil && s.file.source != nil:
		return int(s.file.source(m.lib.fs.disk)), nil
	case s.file != nil:
		s.settle()
		if s.pos >= int64(len(s.file.data)) {
			s.eof = true
			return -1, nil
		}
		s.pos++
		return int(s.file.data[s.pos-1]), nil
	}
	st.flush()
	b, err := st.in.ReadByte()
	if errors.Is(err, ErrNoInput) {
		st.in.Reset(m.cfg.Stdin)
		return -1, m.fault(NeedInput, 0, "the program waits for input")
	}
	if errors.Is(err, io.EOF) || err != nil {
		s.eof = true
		return -1, nil
	}
	return int(b), nil
}

// ErrNoInput is what a Config.Stdin returns when there is nothing to read yet.
var ErrNoInput = errors.New("no input yet")

// cstring reads a zero-terminated string.
func (m *memory) cstring(w ctype.Word) (string, *Fault) {
	return m.textUntil(w, func(byte) bool { return false })
}

// textUntil reads a text as far as a function looks at it: to its end, or to a byte at which ends holds.
func (m *memory) textUntil(w ctype.Word, ends func(byte) bool) (string, *Fault) {
	b, off, f := m.access(w, 1, false)
	if f != nil {
		return "", f
	}
	for i := off; i < b.Size; i++ {
		if i > off && m.watching() {
			if _, _, f = m.access(w+ctype.Word(i-off), 1, false); f != nil {
				return "", f
			}
		}
		if !b.initialized(i, 1) && !m.cfg.UninitOK {
			return "", m.badLoad(w+ctype.Word(i-off), 1)
		}
		if b.Data[i] == 0 || ends(b.Data[i]) {
			return string(b.Data[off:i]), nil
		}
	}
	if _, _, f = m.access(w+ctype.Word(b.Size-off), 1, false); f == nil { // the block has become larger
		return m.textUntil(w, ends)
	}
	return "", f
}

// bytes reads n bytes; never-written ones are a fault when strict.
func (m *memory) bytes(w ctype.Word, n int64, strict bool) ([]byte, *Fault) {
	if n == 0 {
		return nil, nil
	}
	b, off, f := m.reading(w, n, strict)
	if f != nil {
		return nil, f
	}
	if strict && !m.cfg.UninitOK {
		for i := int64(0); i < n; i++ {
			if !b.initialized(off+i, 1) {
				return nil, m.badLoad(w+ctype.Word(i), 1)
			}
		}
	}
	return b.Data[off : off+n], nil
}

// given reads n bytes that leave the program. Some of them may be uninitialized,
// such as padding and the rest of a buffer, but not all.
func (m *memory) given(w ctype.Word, n int64) ([]byte, *Fault) {
	if n == 0 {
		return nil, nil
	}
	b, off, f := m.reading(w, n, false)
	if f != nil {
		return nil, f
	}
	for i := off; i < off+n; i++ {
		if b.initialized(i, 1) {
			return b.Data[off : off+n], nil
		}
	}
	return m.bytes(w, n, true)
}

// reading is access for reading n bytes. Without strict they are only moved, and
// some may be uninitialized.
func (m *memory) reading(w ctype.Word, n int64, strict bool) (*Block, int64, *Fault) {
	if m.racing() {
		if f := m.raced(w, n, false); f != nil {
			return nil, 0, f
		}
	}
	if m.cfg.Monitor != nil {
		kind := MoveAccess
		if strict {
			kind = ReadAccess
		}
		if f := m.cfg.Monitor.Accessing(w, n, kind); f != nil {
			return nil, 0, f
		}
	}
	return m.reach(w, n, false)
}

func (m *memory) putBytes(w ctype.Word, data []byte) *Fault {
	if len(data) == 0 {
		return nil
	}
	b, off, f := m.access(w, int64(len(data)), true)
	if f != nil {
		return f
	}
	copy(b.Data[off:], data)
	b.markInit(off, int64(len(data)))
	return nil
}

func (m *memory) putString(w ctype.Word, s string) *Fault {
	return m.putBytes(w, append([]byte(s), 0))
}

// builtins is the C library; filled by the files beside this one.
var builtins = map[string]builtin{}

func register(table map[string]builtin) {
	for n, b := range table {
		builtins[n] = b
	}
}
