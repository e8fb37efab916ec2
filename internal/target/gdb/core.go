package gdb

import (
	"bytes"
	"context"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/plural"
	"gulo/internal/process"
	"gulo/internal/target"
)

// This file looks at a core file: the memory and the registers of a process as they were when it
// died. The program must have been compiled as for attach, from the sources as they are. Nothing
// runs there and nothing can be changed.
//
// Reference: the System V ABI, "Program Loading", and Linux's fs/binfmt_elf.c for the notes
// (NT_PRSTATUS, NT_AUXV, NT_FILE); gdb's generate-core-file writes the same. What the kernel leaves
// out, as it does with the text of programs, is read from the files that were mapped there.

// ErrCore is returned for what cannot be done with a core file.
var ErrCore = errors.New("a core file shows a process as it was; nothing runs there and nothing can be changed (gulo debug PROGRAM runs the program again)")

// Core is a core file.
type Core struct {
	Name   string
	Signal syscall.Signal // that the process died of; 0 for none
	Exe    string         // the file of the program, as the process had it mapped

	f     *os.File
	segs  []coreSegment
	files []coreMapping
	aux   []byte
	entry uint64
}

// coreSegment is a mapping of the process; the file has its first bytes.
type coreSegment struct {
	lo, hi, have uint64 // have is where the bytes in the file end
	off          int64
	writable     bool
}

// coreMapping is a file that was mapped.
type coreMapping struct {
	lo, hi uint64
	off    int64
	name   string
	f      *os.File // nil until it is read
}

// IsCore reports whether a file is a core file.
func IsCore(name string) bool {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [18]byte
	_, err = io.ReadFull(f, head[:])
	return err == nil && string(head[:4]) == elf.ELFMAG && elf.Type(binary.LittleEndian.Uint16(head[16:])) == elf.ET_CORE
}

// OpenCore reads what a core file says of its process.
func OpenCore(name string) (_ *Core, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
		}
	}()
	c := &Core{Name: name, f: f}
	progs, err := c.programs()
	if err != nil {
		return nil, fmt.Errorf("%s: %v", name, err)
	}
	st, err := c.f.Stat()
	if err != nil {
		return nil, err
	}
	for _, p := range progs {
		switch {
		case p.Filesz > uint64(st.Size()) || p.Off > uint64(st.Size())-p.Filesz:
			return nil, fmt.Errorf("%s is cut off: it has %s of at least %d; let the system write all of it (ulimit -c unlimited)", name, plural.N(st.Size(), "byte"), p.Off+p.Filesz)
		case elf.ProgType(p.Type) == elf.PT_LOAD:
			c.segs = append(c.segs, coreSegment{p.Vaddr, p.Vaddr + p.Memsz, p.Vaddr + p.Filesz, int64(p.Off), elf.ProgFlag(p.Flags)&elf.PF_W != 0})
		case elf.ProgType(p.Type) == elf.PT_NOTE:
			b := make([]byte, p.Filesz)
			if _, err := c.f.ReadAt(b, int64(p.Off)); err != nil {
				return nil, err
			}
			if err := c.notes(b); err != nil {
				return nil, fmt.Errorf("%s: %v", name, err)
			}
		}
	}
	const atEntry = 9
	for b := c.aux; len(b) >= 16; b = b[16:] {
		if binary.LittleEndian.Uint64(b) == atEntry {
			c.entry = binary.LittleEndian.Uint64(b[8:])
		}
	}
	if c.entry == 0 {
		return nil, fmt.Errorf("%s does not say where its program was", name)
	}
	for i := range c.files {
		if m := &c.files[i]; m.lo <= c.entry && c.entry < m.hi {
			c.Exe = m.name
		}
	}
	return c, nil
}

// programs reads the headers of the mappings and notes. The headers of sections, which are at the
// end, may be missing.
func (c *Core) programs() ([]elf.Prog64, error) {
	var h elf.Header64
	if err := binary.Read(io.NewSectionReader(c.f, 0, 64), binary.LittleEndian, &h); err != nil {
		return nil, errors.New("it is no core file")
	}
	if h.Ident[elf.EI_CLASS] != byte(elf.ELFCLASS64) || elf.Machine(h.Machine) != elf.EM_X86_64 {
		return nil, errors.New("it is of another processor than x86-64")
	}
	n := uint32(h.Phnum)
	if h.Phnum == 0xffff { // more than that: the first section says how many
		var s elf.Section64
		if err := binary.Read(io.NewSectionReader(c.f, int64(h.Shoff), 64), binary.LittleEndian, &s); err != nil {
			return nil, errors.New("it is cut off")
		}
		n = s.Info
	}
	if n > 1<<20 || h.Phentsize != 56 {
		return nil, errors.New("it is damaged")
	}
	progs := make([]elf.Prog64, n)
	if err := binary.Read(io.NewSectionReader(c.f, int64(h.Phoff), 56*int64(n)), binary.LittleEndian, progs); err != nil {
		return nil, errors.New("it is cut off")
	}
	return progs, nil
}

// Types of notes, of owner CORE.
const (
	noteStatus = 1          // NT_PRSTATUS
	noteAux    = 6          // NT_AUXV
	noteFile   = 0x46494c45 // NT_FILE
)

func (c *Core) notes(b []byte) error {
	up := func(n uint32) int { return (int(n) + 3) &^ 3 }
	seen := false
	for len(b) >= 12 {
		owner, size, typ := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])
		b = b[12:]
		if up(owner) > len(b) || up(size) > len(b)-up(owner) {
			return errors.New("its notes are damaged")
		}
		desc := b[up(owner) : up(owner)+int(size)]
		b = b[up(owner)+up(size):]
		switch {
		case typ == noteStatus && !seen && len(desc) >= 14: // of the thread that died first
			seen = true
			c.Signal = syscall.Signal(binary.LittleEndian.Uint16(desc[12:])) // pr_cursig
		case typ == noteAux:
			c.aux = desc
		case typ == noteFile:
			if err := c.mapped(desc); err != nil {
				return err
			}
		}
	}
	return nil
}

// mapped reads the note about mapped files: their count, the size of a page, the mappings,
// the names.
func (c *Core) mapped(b []byte) error {
	damaged := errors.New("its list of files is damaged")
	if len(b) < 16 {
		return damaged
	}
	n, page := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	b = b[16:]
	if n > uint64(len(b)/24) {
		return damaged
	}
	names := bytes.Split(b[n*24:], []byte{0})
	if uint64(len(names)) < n {
		return damaged
	}
	for i := range n {
		w := func(k uint64) uint64 { return binary.LittleEndian.Uint64(b[24*i+8*k:]) }
		c.files = append(c.files, coreMapping{lo: w(0), hi: w(1), off: int64(w(2) * page), name: string(names[i])})
	}
	return nil
}

// ReadAt reads the memory of the process.
func (c *Core) ReadAt(buf []byte, at int64) (n int, err error) {
	a := uint64(at)
	for n < len(buf) {
		k := c.part(buf[n:], a+uint64(n))
		if k <= 0 {
			return n, io.ErrUnexpectedEOF
		}
		n += k
	}
	return n, nil
}

// part reads from one mapping; 0 where there is none.
func (c *Core) part(buf []byte, a uint64) int {
	for i := range c.segs {
		s := &c.segs[i]
		if a < s.lo || a >= s.hi {
			continue
		}
		if a < s.have {
			n, _ := c.f.ReadAt(buf[:min(uint64(len(buf)), s.have-a)], s.off+int64(a-s.lo))
			return n
		}
		if s.writable {
			return 0 // a file need not have what was written there
		}
		buf = buf[:min(uint64(len(buf)), s.hi-a)]
		break
	}
	for i := range c.files {
		m := &c.files[i]
		if a < m.lo || a >= m.hi {
			continue
		}
		if m.f == nil {
			var err error
			if m.f, err = os.Open(m.name); err != nil {
				return 0
			}
		}
		n, _ := m.f.ReadAt(buf[:min(uint64(len(buf)), m.hi-a)], m.off+int64(a-m.lo))
		return n
	}
	return 0
}

// WriteAt refuses.
func (c *Core) WriteAt([]byte, int64) (int, error) { return 0, ErrCore }

// Close closes the files.
func (c *Core) Close() error {
	for i := range c.files {
		if f := c.files[i].f; f != nil {
			_ = f.Close()
		}
	}
	return c.f.Close()
}

// of checks that the core file is of the program exe, whose file is f, moved by bias. It compares the build ids, or the
// names of the files if the core file has no build id. A program without a build id is not checked.
func (c *Core) of(exe string, f *elf.File, bias uint64) error {
	s := f.Section(".note.gnu.build-id")
	if s == nil {
		return nil
	}
	want, err := s.Data()
	if err != nil {
		return err
	}
	got := make([]byte, len(want))
	for _, seg := range c.segs { // what the core file itself has
		if a := s.Addr + bias; a >= seg.lo && a+s.Size <= seg.have {
			if _, err := c.f.ReadAt(got, seg.off+int64(a-seg.lo)); err == nil && !bytes.Equal(got, want) {
				return fmt.Errorf("%s is of another program than %s, or of another build of it", c.Name, exe)
			}
			return nil
		}
	}
	if filepath.Base(c.Exe) != filepath.Base(exe) && c.Exe != "" {
		return fmt.Errorf("%s is of %s, not of %s", c.Name, c.Exe, exe)
	}
	return nil
}

// NewCore opens the core file of a program, whose sources are p's. The target closes c.
func NewCore(ctx context.Context, p *lower.Program, exe string, c *Core) (t *Target, err error) {
	if err := usable(); err != nil {
		return nil, err
	}
	dir, err := process.TempDir("gulo-")
	if err != nil {
		return nil, err
	}
	t = &Target{p: p, cfg: Config{Name: exe}, dir: dir, breaks: map[uint64]string{}, core: c}
	defer func() {
		if err != nil {
			t.Close()
			t = nil
		}
	}()
	t.mem = &memory{f: c, wrote: func() {}}
	b, err := coreBinary(exe, c, p)
	if err != nil {
		if known := knownToGdb(ctx, exe, c); known != "" && errors.Is(err, errOptimized) {
			return t, fmt.Errorf("%w; gdb knows this much, the innermost call first, and there is no picture:\n%s", err, known)
		}
		return t, err
	}
	if t.c, err = startClient(syscall.SIGKILL, nil); err != nil {
		return t, &cfront.ToolError{Tool: "gdb", Err: err, Hint: "install it with: apt-get install gdb"}
	}
	shown := filepath.Join(dir, "program.lines")
	if t.info, err = readDebugInfo(exe, shown, p, true); err != nil {
		return t, err
	}
	t.info.move(b)
	for _, cmd := range []string{
		"-gdb-set confirm off", "-gdb-set width 0", "-file-exec-and-symbols " + strconv.Quote(shown),
	} {
		if _, err = t.c.send(ctx, "%s", cmd); err != nil {
			return t, err
		}
	}
	if err = t.c.console(ctx, "core-file "+c.Name); err != nil { // a name may have spaces
		return t, &cfront.ToolError{Tool: "gdb", Err: err}
	}
	return t, nil
}

// knownToGdb is the calls that gdb finds in a core file, with what it knows of their arguments, and the variables of the
// innermost one.
func knownToGdb(ctx context.Context, exe string, c *Core) string {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	cmd := process.Command(ctx, "gdb", "-q", "-nx", "-batch", "-ex", "set print frame-arguments all", "-ex", "backtrace 20", "-ex", "info locals", exe, c.Name)
	out, err := cmd.Output()
	at := bytes.LastIndex(out, []byte("\n#0 ")) // the first is where the program died, without backtrace
	if err != nil || at < 0 {
		return ""
	}
	return "  " + strings.ReplaceAll(strings.TrimSpace(string(out[at:])), "\n", "\n  ")
}

// coreBinary checks a program against its core file and returns how far it had been moved.
func coreBinary(exe string, c *Core, p *lower.Program) (bias uint64, err error) {
	f, err := elf.Open(exe)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	bias = c.entry - f.Entry
	if err := c.of(exe, f, bias); err != nil {
		return 0, err
	}
	var d *dwarf.Data
	if d, err = f.DWARF(); err != nil {
		return 0, fmt.Errorf("%s has no debug information: %w", exe, err)
	}
	if err := followable(d, "let it run into its fault again"); err != nil {
		return 0, err
	}
	return bias, unchanged(exe, p, exe+" was built; build it and let it run into its fault again")
}

// postmortem begins the session at the thread that gdb has selected, which is the one that died. It sets what commands
// need, since nothing is run.
func (t *Target) postmortem(ctx context.Context) (target.Stop, error) {
	if err := t.registers(ctx); err != nil {
		return target.Stop{}, err
	}
	r, err := t.c.send(ctx, "-thread-info")
	if err != nil {
		return target.Stop{}, err
	}
	list, _ := r.data["threads"].([]any)
	t.threads.list = nil
	for i, e := range list {
		tu, _ := e.(map[string]any)
		id := fmt.Sprint(tu["id"])
		t.threads.list = append(t.threads.list, thread{number: i + 1, gdb: id})
		if id == r.str("current-thread-id") {
			t.threads.cur = i + 1
		}
	}
	if len(list) == 0 {
		return target.Stop{}, fmt.Errorf("%s has no thread", t.core.Name)
	}
	t.threads.last = len(list)
	if t.threads.cur == 0 {
		t.threads.cur = 1
	}
	t.readCoreArguments()
	if err := t.choose(ctx, t.threads.cur); err != nil {
		return target.Stop{}, err
	}
	s, err := t.standing()
	switch sig := t.core.Signal; sig {
	case 0, syscall.SIGTRAP, syscall.SIGSTOP, syscall.SIGINT: // generate-core-file of a process that lives
		s.Reason = target.Interrupted
	default:
		s.Reason, s.Message = target.Crashed, crashMessage(unix.SignalName(sig), sig.String())
	}
	t.ended = true
	return s, err
}

// readCoreArguments finds the arguments and the environment: they stand below the auxiliary
// vector, which the core file has a copy of.
func (t *Target) readCoreArguments() {
	c := t.core
	vector := c.aux
	for i := 0; i+16 <= len(vector); i += 16 {
		if binary.LittleEndian.Uint64(vector[i:]) == 0 { // gdb writes more behind its end
			vector = vector[:i]
		}
	}
	for _, s := range c.segs {
		if !s.writable || len(vector) < 32 || s.have-s.lo > 64<<20 {
			continue
		}
		b := make([]byte, s.have-s.lo)
		if !t.mem.read(s.lo, b) {
			continue
		}
		i := bytes.Index(b, vector)
		if i < 0 {
			continue
		}
		word := func(at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }
		a := arguments{end: s.have}
		at := i - 8 // the end of the environment
		for at >= 16 && word(at-8) != 0 {
			at -= 8
			a.envc++
		}
		a.envp = s.lo + uint64(at)
		at -= 8 // the end of the arguments
		for at >= 8 && word(at-8) != uint64(a.argc) {
			at -= 8
			a.argc++
		}
		if at < 8 || a.argc == 0 {
			return
		}
		a.argv = s.lo + uint64(at)
		a.strings = word(at)
		if a.strings >= a.envp && a.strings < a.end {
			t.args = a
		}
		return
	}
}

// maps returns where the heap is and the writable data. A core file does not name the heap, as
// /proc does: it is the first writable mapping of no file that begins with a thread's cache.
func (c *Core) maps(mem *memory) *heapMaps {
	m, near := &heapMaps{}, false
	for _, s := range c.segs {
		name := ""
		for _, f := range c.files {
			if f.lo <= s.lo && s.lo < f.hi {
				name = f.name
			}
		}
		at := firstChunk(mem, s.lo, s.hi)
		first, ok := mem.word(s.lo + at + 8)
		switch {
		case !s.writable:
			near = false
		case name == "" && m.lo == 0 && ok && first == cacheChunk:
			m.lo, m.hi, near = s.lo, s.hi, false
		default:
			near = m.add(segment{lo: s.lo, hi: s.hi}, name, near)
		}
	}
	return m
}

// PostMortem returns what is looked at where nothing runs: a core file; "" for a process.
func (t *Target) PostMortem() string {
	if t.core == nil {
		return ""
	}
	text := "core file " + t.core.Name
	if n := len(t.threads.list); n > 1 {
		text += fmt.Sprintf(" (%s; nodes that another thread has allocated or freed may be missing or look alive)", plural.N(n, "thread"))
	}
	return text
}

func isLibcName(name string) bool {
	return strings.Contains(name, "/libc.so") || strings.Contains(name, "/libc-2")
}
