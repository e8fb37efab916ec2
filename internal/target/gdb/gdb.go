// Package gdb is target over gdb/MI: the program is compiled by gcc, runs
// natively, and gdb controls it.
//
// No inferior calls and no gdb checkpoints are used: both fail on processors
// with AMX under gdb 13. Control flow is forced by setting $pc; memory is read
// and written through /proc/PID/mem.
package gdb

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/target"
)

// Config is how the program is built and run.
type Config struct {
	Files []string
	Args  []string
	Opt   cfront.Options
}

// Target is a native program under gdb.
type Target struct {
	p    *lower.Program
	cfg  Config
	dir  string
	info *debugInfo

	c    *client
	mem  *memory
	tty  *terminal
	pid  int
	regs []int // numbers of the general registers
	rip  int
	rbp  int
	rsp  int

	pc, bp    uint64
	ended     bool
	running   bool
	exitBreak string
	breaks    map[uint64]string // breakpoint number by address
	last      *image
	arena     int
	pendingIn bool
	waiting   bool // the program runs on, waiting for input
	stop      atomic.Bool

	// of the resume in progress, for Wait
	resume resumeState
}

type resumeState struct {
	mode   target.Mode
	breaks map[int32]bool
	cmd    string
	depth  int
	stmt   int32
}

var generalRegs = strings.Fields("rax rbx rcx rdx rsi rdi rbp rsp r8 r9 r10 r11 r12 r13 r14 r15 rip eflags")

// New compiles the program. gdb starts meanwhile.
func New(ctx context.Context, p *lower.Program, cfg Config) (t *Target, err error) {
	if _, err := exec.LookPath("gdb"); err != nil {
		return nil, &cfront.ToolError{Tool: "gdb", Err: err, Hint: "install it with: apt-get install gdb, or use --engine machine"}
	}
	dir, err := os.MkdirTemp("", "gulo-")
	if err != nil {
		return nil, err
	}
	t = &Target{p: p, cfg: cfg, dir: dir, breaks: map[uint64]string{}}
	defer func() {
		if err != nil {
			t.Close()
			t = nil
		}
	}()
	if t.c, err = startClient(); err != nil {
		return t, &cfront.ToolError{Tool: "gdb", Err: err}
	}
	bin, err := build(ctx, p, cfg.Files, cfg.Opt, dir)
	if err != nil {
		return t, err
	}
	if t.info, err = readDebugInfo(bin, p); err != nil {
		return t, err
	}
	if t.tty, err = openTerminal(); err != nil {
		return t, err
	}
	for _, cmd := range []string{
		"-gdb-set confirm off", "-gdb-set width 0", "-gdb-set stack-cache off", "-gdb-set code-cache off",
		"-gdb-set auto-solib-add on", "-gdb-set inferior-tty " + t.tty.name,
		"-file-exec-and-symbols " + strconv.Quote(bin),
	} {
		if _, err = t.c.send(ctx, "%s", cmd); err != nil {
			return t, err
		}
	}
	env := "GLIBC_TUNABLES glibc.malloc.mmap_threshold=1073741824:glibc.malloc.trim_threshold=1073741824"
	// A crash is not passed on: after going back the program must not die of it.
	for _, cmd := range []string{"set environment " + env, "handle SIGSEGV SIGABRT SIGFPE SIGBUS SIGILL stop nopass"} {
		if err = t.c.console(ctx, cmd); err != nil {
			return t, err
		}
	}
	return t, nil
}

// Start implements target.Target.
func (t *Target) Start(ctx context.Context) (target.Stop, error) {
	if t.waiting { // gdb listens only while the program is stopped
		t.kill(syscall.SIGKILL)
		t.waiting = false
		if _, err := t.await(ctx); err != nil {
			return target.Stop{}, err
		}
	}
	if t.running {
		_ = t.c.console(ctx, "kill")
		t.mem.close()
		t.mem = nil
		for a, n := range t.breaks {
			_, _ = t.c.send(ctx, "-break-delete %s", n)
			delete(t.breaks, a)
		}
	}
	t.ended, t.running, t.last, t.exitBreak, t.arena = false, false, nil, "", 0
	main := t.p.Tree.Func("main")
	if main == nil {
		return target.Stop{}, errors.New("the program has no function main")
	}
	var args []string
	for _, a := range t.cfg.Args {
		args = append(args, "'"+strings.ReplaceAll(a, "'", `'\''`)+"'")
	}
	if err := t.c.console(ctx, "set args "+strings.Join(args, " ")); err != nil {
		return target.Stop{}, err
	}
	first := t.firstStmt(main)
	if first == 0 {
		return target.Stop{}, errors.New("main has no statement to stop at")
	}
	if _, err := t.c.send(ctx, "-break-insert -t *%d", t.info.start[first]); err != nil {
		return target.Stop{}, err
	}
	if _, err := t.c.send(ctx, "-exec-run"); err != nil {
		return target.Stop{}, &cfront.ToolError{Tool: "gdb", Err: err, Hint: "check that processes may be traced here (ptrace)"}
	}
	t.running = true
	rec, err := t.await(ctx)
	if err != nil {
		return target.Stop{}, err
	}
	t.c.mu.Lock()
	t.pid = t.c.pid
	t.c.mu.Unlock()
	if t.mem, err = openMemory(t.pid); err != nil {
		return target.Stop{}, &cfront.ToolError{Tool: "gdb", Err: err}
	}
	if err := t.registers(ctx); err != nil {
		return target.Stop{}, err
	}
	if r, err := t.c.send(ctx, "-break-insert _exit"); err == nil {
		t.exitBreak, _ = r.tuple("bkpt")["number"].(string)
	}
	t.resume = resumeState{mode: target.Continue}
	return t.arrive(ctx, rec)
}

func (t *Target) firstStmt(f *cfront.Func) int32 {
	best, at := int32(0), uint64(0)
	for i := range t.info.funcs {
		fi := &t.info.funcs[i]
		if fi.fn != f {
			continue
		}
		for _, e := range t.info.entries {
			if e.addr > fi.low && e.addr < fi.high && e.stmt != noStmt && e.stmt != 0 && t.p.Stmts[e.stmt].Stop && (best == 0 || e.addr < at) {
				best, at = e.stmt, e.addr
			}
		}
	}
	return best
}

// registers learns the numbers of the general registers.
func (t *Target) registers(ctx context.Context) error {
	r, err := t.c.send(ctx, "-data-list-register-names")
	if err != nil {
		return err
	}
	names, _ := r.data["register-names"].([]any)
	t.regs = make([]int, len(generalRegs))
	for i, n := range names {
		for k, g := range generalRegs {
			if n == g {
				t.regs[k] = i
			}
		}
		switch n {
		case "rip":
			t.rip = i
		case "rbp":
			t.rbp = i
		case "rsp":
			t.rsp = i
		}
	}
	return nil
}

func (t *Target) registerValues(ctx context.Context, nums ...int) ([]string, error) {
	s := make([]string, len(nums))
	for i, n := range nums {
		s[i] = strconv.Itoa(n)
	}
	r, err := t.c.send(ctx, "-data-list-register-values x %s", strings.Join(s, " "))
	if err != nil {
		return nil, err
	}
	l, _ := r.data["register-values"].([]any)
	out := make([]string, len(nums))
	for _, v := range l {
		tu, _ := v.(map[string]any)
		n, _ := strconv.Atoi(fmt.Sprint(tu["number"]))
		for i, m := range nums {
			if m == n {
				out[i], _ = tu["value"].(string)
			}
		}
	}
	return out, nil
}

// errNeedInput makes await return while the program goes on waiting.
var errNeedInput = errors.New("the program waits for input")

// await waits for the program to stop. When ctx ends first the program is
// interrupted and that stop is returned.
func (t *Target) await(ctx context.Context) (record, error) {
	tick := time.NewTicker(15 * time.Millisecond)
	defer tick.Stop()
	interrupted := false
	done := ctx.Done()
	var giveUp <-chan time.Time
	for {
		select {
		case r := <-t.c.async:
			return r, nil
		case <-t.c.done:
			t.ended = true
			return record{}, &cfront.ToolError{Tool: "gdb", Err: errDied}
		case <-done:
			done = nil
			t.kill(syscall.SIGINT)
			giveUp = time.After(5 * time.Second)
		case <-giveUp:
			return record{}, &cfront.ToolError{Tool: "gdb", Err: errors.New("the program cannot be stopped")}
		case <-tick.C:
			if t.stop.Load() && !interrupted {
				interrupted = true
				t.kill(syscall.SIGINT)
			}
			if t.pid != 0 && !t.pendingIn && waitsForInput(t.pid) {
				return record{}, errNeedInput
			}
			t.pendingIn = false
		}
	}
}

func (t *Target) kill(sig syscall.Signal) {
	pid := t.pid
	if pid == 0 {
		t.c.mu.Lock()
		pid = t.c.pid
		t.c.mu.Unlock()
	}
	if pid > 0 {
		_ = syscall.Kill(pid, sig)
	}
}

// Resume implements target.Target.
func (t *Target) Resume(ctx context.Context, mode target.Mode, breaks map[int32]bool) (target.Stop, error) {
	if !t.running || t.ended {
		return target.Stop{}, target.ErrEnded
	}
	t.stop.Store(false)
	if mode == target.Wait {
		rec, err := t.await(ctx)
		return t.awaited(ctx, rec, err)
	}
	if err := t.setBreaks(ctx, breaks); err != nil {
		return target.Stop{}, err
	}
	stmt, _ := t.info.at(t.pc)
	t.resume = resumeState{mode: mode, breaks: breaks, depth: t.depth(), stmt: stmt}
	t.resume.cmd = map[target.Mode]string{target.Next: "-exec-next", target.Into: "-exec-step", target.Out: "-exec-finish", target.Continue: "-exec-continue"}[mode]
	cmd := t.resume.cmd
	if mode == target.Out && t.resume.depth <= 1 {
		cmd = "-exec-continue"
	}
	return t.exec(ctx, cmd)
}

// exec runs an MI command that lets the program run, until it arrives.
func (t *Target) exec(ctx context.Context, cmd string) (target.Stop, error) {
	if _, err := t.c.send(ctx, "%s", cmd); err != nil {
		return target.Stop{}, err
	}
	rec, err := t.await(ctx)
	return t.awaited(ctx, rec, err)
}

func (t *Target) awaited(ctx context.Context, rec record, err error) (target.Stop, error) {
	t.waiting = errors.Is(err, errNeedInput)
	if t.waiting {
		return target.Stop{Reason: target.NeedInput}, nil
	}
	if err != nil {
		return target.Stop{}, err
	}
	return t.arrive(ctx, rec)
}

// locate reads where the innermost frame is.
func (t *Target) locate() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	v, err := t.registerValues(ctx, t.rip, t.rbp)
	if err != nil {
		return err
	}
	if t.pc, err = strconv.ParseUint(v[0], 0, 64); err != nil {
		return err
	}
	t.bp, err = strconv.ParseUint(v[1], 0, 64)
	return err
}

// arrive decides whether a stop of gdb's is one of ours, and goes on if not.
func (t *Target) arrive(ctx context.Context, rec record) (target.Stop, error) {
	switch reason := rec.str("reason"); {
	case strings.HasPrefix(reason, "exited"):
		t.ended, t.running, t.pid = true, false, 0
		t.mem.close()
		t.mem = nil
		code, _ := strconv.ParseInt(rec.str("exit-code"), 8, 32)
		if s := rec.str("signal-name"); s != "" {
			return target.Stop{Reason: target.Crashed, Message: "the program was killed by " + s}, nil
		}
		return target.Stop{Reason: target.Exited, Status: int(code)}, nil
	case reason == "signal-received" && t.resume.mode == target.Continue && rec.str("signal-name") == "SIGCHLD":
		return t.exec(ctx, "-exec-continue")
	case reason == "signal-received":
		return t.signalled(ctx, rec)
	case reason == "breakpoint-hit" && rec.str("bkptno") == t.exitBreak:
		t.ended = true
		v, err := t.c.send(ctx, "-data-evaluate-expression $edi")
		if err != nil {
			return target.Stop{}, err
		}
		st, _ := strconv.Atoi(v.str("value"))
		return target.Stop{Reason: target.Exited, Status: st & 0xff}, nil
	}
	if err := t.locate(); err != nil {
		return target.Stop{}, err
	}
	id, begins := t.info.at(t.pc)
	depth := t.depth()
	rs := &t.resume
	known := id != 0 && t.info.function(t.pc) != nil
	switch {
	case known && begins && rs.breaks[id]:
		if id != rs.stmt || depth != rs.depth || rs.mode == target.Continue || rs.mode == target.Out {
			r := target.Breakpoint
			if rs.mode == target.Next || rs.mode == target.Into {
				r = t.stepReason(depth)
			}
			return target.Stop{Reason: r, Stmt: id, Depth: depth}, nil
		}
	case known && begins && t.p.Stmts[id].Stop && rs.wants(depth, id):
		return target.Stop{Reason: target.Stepped, Stmt: id, Depth: depth}, nil
	}
	if ctx.Err() != nil || t.stop.Load() {
		return target.Stop{Reason: target.Interrupted, Stmt: id, Depth: depth}, nil
	}
	return t.exec(ctx, t.goOn(known, depth))
}

func (t *Target) stepReason(depth int) target.Reason {
	if t.resume.mode == target.Next && depth > t.resume.depth {
		return target.Breakpoint
	}
	return target.Stepped
}

func (r *resumeState) wants(depth int, id int32) bool {
	switch r.mode {
	case target.Next:
		return depth <= r.depth
	case target.Into:
		return true
	case target.Out:
		return depth < r.depth
	}
	return r.stmt == 0 // Start
}

// goOn picks the command that continues an unfinished resume.
func (t *Target) goOn(known bool, depth int) string {
	switch {
	case !known && depth == 0:
		return "-exec-continue"
	case !known:
		return "-exec-finish"
	case t.resume.mode == target.Continue:
		return "-exec-continue"
	case t.resume.mode == target.Into:
		return "-exec-step"
	case t.resume.mode == target.Out && depth >= t.resume.depth:
		return "-exec-finish"
	case t.resume.mode == target.Next && depth > t.resume.depth:
		return "-exec-finish"
	}
	return "-exec-next"
}

func (t *Target) signalled(ctx context.Context, rec record) (target.Stop, error) {
	sig := rec.str("signal-name")
	if err := t.locate(); err != nil {
		return target.Stop{}, err
	}
	s := target.Stop{Depth: t.depth()}
	if fs, err := t.Frames(); err == nil && len(fs) > 0 {
		s.Stmt = fs[0].Stmt
	}
	if sig == "SIGINT" {
		s.Reason = target.Interrupted
		if ctx.Err() != nil {
			s.Reason = target.TimedOut
		}
		return s, nil
	}
	t.ended = true
	s.Reason = target.Crashed
	s.Message = map[string]string{
		"SIGSEGV": "segmentation fault (SIGSEGV): a pointer that leads nowhere was followed",
		"SIGABRT": "the program aborted (SIGABRT)",
		"SIGFPE":  "arithmetic error (SIGFPE), most likely a division by zero",
	}[sig]
	if s.Message == "" {
		s.Message = "signal " + sig + ": " + rec.str("signal-meaning")
	}
	return s, nil
}

// setBreaks makes gdb's breakpoints those of the statements given.
func (t *Target) setBreaks(ctx context.Context, stmts map[int32]bool) error {
	want := map[uint64]bool{}
	for id := range stmts {
		for _, a := range t.info.breakpoints(id) {
			want[a] = true
		}
	}
	for a, n := range t.breaks {
		if !want[a] {
			if _, err := t.c.send(ctx, "-break-delete %s", n); err != nil {
				return err
			}
			delete(t.breaks, a)
		}
	}
	for a := range want {
		if t.breaks[a] != "" {
			continue
		}
		r, err := t.c.send(ctx, "-break-insert *%d", a)
		if err != nil {
			return err
		}
		n, _ := r.tuple("bkpt")["number"].(string)
		t.breaks[a] = n
	}
	return nil
}

// Goto implements target.Target.
func (t *Target) Goto(stmt int32) error {
	a, ok := t.info.start[stmt]
	if !ok {
		return fmt.Errorf("the compiler made no code for the statement at %s", t.p.Stmts[stmt].Range)
	}
	ctx := context.Background()
	if _, err := t.c.send(ctx, "-data-evaluate-expression %s", strconv.Quote(fmt.Sprintf("$pc=%d", a))); err != nil {
		return err
	}
	t.pc = a
	return nil
}

type rawFrame struct {
	fi *funcInfo
	pc uint64 // return address for outer frames
	bp uint64
}

// walk follows the saved frame pointers. Frames of code that keeps none end
// the walk; then gdb's own unwinder is asked.
func (t *Target) walk() []rawFrame {
	if t.mem == nil {
		return nil
	}
	var out []rawFrame
	pc, bp := t.pc, t.bp
	for len(out) < 200_000 {
		fi := t.info.function(pc)
		if fi == nil {
			break
		}
		out = append(out, rawFrame{fi, pc, bp})
		if fi.fn.Name == "main" {
			return out
		}
		ret, ok := t.mem.word(bp + 8)
		next, ok2 := t.mem.word(bp)
		if !ok || !ok2 || next <= bp {
			break
		}
		pc, bp = ret, next
	}
	return t.unwind()
}

// unwind asks gdb for the frames.
func (t *Target) unwind() []rawFrame {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	r, err := t.c.send(ctx, "-stack-list-frames 0 2000")
	if err != nil {
		return nil
	}
	var out []rawFrame
	l, _ := r.data["stack"].([]any)
	for i, e := range l {
		tu, _ := e.(map[string]any)
		fr, _ := tu["frame"].(map[string]any)
		pc, _ := strconv.ParseUint(fmt.Sprint(fr["addr"]), 0, 64)
		fi := t.info.function(pc)
		if fi == nil {
			continue
		}
		v, err := t.c.send(ctx, "-data-evaluate-expression --thread 1 --frame %d \"(unsigned long)$rbp\"", i)
		if err != nil {
			continue
		}
		bp, _ := strconv.ParseUint(v.str("value"), 0, 64)
		out = append(out, rawFrame{fi, pc, bp})
	}
	return out
}

func (t *Target) depth() int { return len(t.walk()) }

// Frames implements target.Target.
func (t *Target) Frames() ([]target.Frame, error) {
	var out []target.Frame
	for i, r := range t.walk() {
		pc := r.pc
		if i > 0 {
			pc-- // a return address belongs to the call before it
		}
		id, _ := t.info.at(pc)
		f := target.Frame{Func: r.fi.fn, Stmt: id, ID: r.bp}
		vars := append(append([]*cfront.Var{}, r.fi.fn.Params...), r.fi.fn.Locals...)
		for _, v := range vars {
			if off, ok := r.fi.vars[v]; ok {
				f.Vars = append(f.Vars, target.Variable{Var: v, Addr: r.bp + 16 + uint64(off)})
			}
		}
		out = append(out, f)
	}
	return out, nil
}

// Globals implements target.Target.
func (t *Target) Globals() []target.Variable {
	var out []target.Variable
	for _, v := range t.p.Tree.Globals {
		if a, ok := t.info.globals[v]; ok {
			out = append(out, target.Variable{Var: v, Addr: a})
		}
	}
	return out
}

const chunkBlocks = 1022

// Blocks implements target.Target.
func (t *Target) Blocks() ([]target.Block, error) {
	if t.mem == nil {
		return nil, nil
	}
	var out []target.Block
	for c := t.info.allocN; c != 0; {
		var head [16]byte
		if !t.mem.read(c, head[:]) {
			return nil, errors.New("cannot read the allocation log")
		}
		next, n := binary.LittleEndian.Uint64(head[:]), binary.LittleEndian.Uint64(head[8:])
		if n > chunkBlocks {
			return nil, errors.New("the allocation log is damaged")
		}
		buf := make([]byte, n*32)
		if n > 0 && !t.mem.read(c+16, buf) {
			return nil, errors.New("cannot read the allocation log")
		}
		for i := 0; i < len(buf); i += 32 {
			if binary.LittleEndian.Uint64(buf[i+24:]) == 0 {
				continue
			}
			out = append(out, target.Block{
				Addr: binary.LittleEndian.Uint64(buf[i:]), Size: int64(binary.LittleEndian.Uint64(buf[i+8:])),
				Live: binary.LittleEndian.Uint64(buf[i+16:]) != 0, Seq: len(out) + 1,
			})
		}
		c = next
	}
	return out, nil
}

// Read implements target.Target.
func (t *Target) Read(a ctype.Word, buf []byte) bool { return t.mem != nil && t.mem.read(a, buf) }

// Write implements target.Target.
func (t *Target) Write(a ctype.Word, data []byte) error {
	if t.mem == nil {
		return target.ErrEnded
	}
	if err := t.mem.write(a, data); err != nil {
		return fmt.Errorf("cannot write memory at %#x", a)
	}
	return nil
}

// Undefined implements target.Target: gcc fills fresh locals, and the
// allocation log fresh blocks, with 0xFE.
func (t *Target) Undefined(a ctype.Word, data []byte) []bool {
	if bytes.IndexByte(data, 0xFE) < 0 {
		return nil
	}
	return target.Cells(data, func(off, n int) bool {
		return n == 4 && binary.LittleEndian.Uint32(data[off:]) == 0xFEFEFEFE
	})
}

// Alloc implements target.Target: the block comes from an arena that the
// program carries for this; nothing is called in the program.
func (t *Target) Alloc(size int64) (ctype.Word, error) {
	need := (int(size)+15)/16*16 + 16
	if t.mem == nil || t.arena+need > 8192*8-16 {
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
	entry := c + 16 + n*32
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
		put(entry, base+16, uint64(size), 1, 1),
		put(c+8, n+1))
	return base + 16, err
}

// Free implements target.Target: it marks the block freed in the log.
func (t *Target) Free(a ctype.Word) error {
	if a == 0 {
		return nil
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

// FuncName implements target.Target.
func (t *Target) FuncName(a ctype.Word) string {
	if fi := t.info.function(a); fi != nil && fi.low == a {
		return fi.fn.Name
	}
	return ""
}

type snapshot struct {
	image
	pc, bp uint64
	ended  bool
	arena  int
}

// Save implements target.Target.
func (t *Target) Save() (target.Snapshot, error) {
	if t.mem == nil {
		return nil, target.ErrEnded
	}
	segs, err := saveMemory(t.pid, t.mem, t.last)
	if err != nil {
		return nil, err
	}
	regs, err := t.registerValues(context.Background(), t.regs...)
	if err != nil {
		return nil, err
	}
	s := &snapshot{image{segs, regs}, t.pc, t.bp, t.ended, t.arena}
	t.last = &s.image
	return s, nil
}

// Restore implements target.Target.
func (t *Target) Restore(sn target.Snapshot) error {
	s := sn.(*snapshot)
	if t.mem == nil {
		return errors.New("the process is gone; use start to run the program again")
	}
	if err := restoreMemory(t.mem, s.segs); err != nil {
		return err
	}
	ctx := context.Background()
	for i, r := range generalRegs {
		if _, err := t.c.send(ctx, "-data-evaluate-expression %s", strconv.Quote("$"+r+"="+s.regs[i])); err != nil {
			return err
		}
	}
	if err := t.c.console(ctx, "maintenance flush dcache"); err != nil {
		return err
	}
	t.pc, t.bp, t.ended, t.arena = s.pc, s.bp, s.ended, s.arena
	return nil
}

// Output implements target.Target.
func (t *Target) Output() string {
	if t.tty == nil {
		return ""
	}
	return t.tty.drain()
}

// Input implements target.Target.
func (t *Target) Input(text string) {
	t.pendingIn = true
	t.tty.write(text)
}

// EndInput implements target.Target.
func (t *Target) EndInput() { t.Input("\x04") }

// Interrupt implements target.Target.
func (t *Target) Interrupt() { t.stop.Store(true) }

// Close implements target.Target. It ends the program and gdb.
func (t *Target) Close() {
	if t.c != nil {
		t.kill(syscall.SIGKILL)
		t.c.close()
	}
	t.mem.close()
	if t.tty != nil {
		t.tty.close()
	}
	_ = os.RemoveAll(t.dir)
}

// Statements returns the statements that the compiler made code for; for tests.
func (t *Target) Statements() []int32 {
	var out []int32
	for id := range t.info.start {
		out = append(out, id)
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}
