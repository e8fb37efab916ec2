package machine

import (
	"bufio"
	"errors"
	"math"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/ir"
	"gulo/internal/machine/random"
	"gulo/internal/plural"
)

// This file is the frame of the C library: the calling convention, and the parts
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

// outputLimit is the fault of a program that has written too much.
func (m *control) outputLimit() *Fault {
	return m.fault(LimitFault, 0, "output limit of %s reached", plural.N(m.cfg.MaxOutput, "byte"))
}

// FlushOutput hands buffered output to the writer.
func (m *Machine) FlushOutput() { m.lib.stdio.flush() }

// ErrNoInput is what a Config.Stdin returns when there is nothing to read yet.
var ErrNoInput = errors.New("no input yet")

// builtins is the C library; filled by the files beside this one.
var builtins = map[string]builtin{}

func register(table map[string]builtin) {
	for n, b := range table {
		builtins[n] = b
	}
}
