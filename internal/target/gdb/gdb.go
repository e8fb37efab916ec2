// Package gdb is target over gdb/MI: the program is compiled by gcc, runs
// natively, and gdb controls it.
//
// No inferior calls and no gdb checkpoints are used: both fail on processors
// with AMX under gdb 13. Control flow is forced by setting $pc; memory is read
// and written through /proc/PID/mem.
package gdb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/lower"
	"gulo/internal/process"
	"gulo/internal/screen"
	"gulo/internal/target"
)

// Config is how the program is built and run.
type Config struct {
	Files []string
	Args  []string
	Opt   cfront.Options
	Env   []string // of the program, as NAME=VALUE; nil: gulo's own
	Name  string   // what argv[0] is; "" is the first file

	Terminal string         // name of the program's terminal; "": one of gulo's, which Output reads and Input writes
	Screen   *screen.Screen // of gulo's terminal, which has its size; nil: no screen
}

// Target is a native program under gdb.
type Target struct {
	p    *lower.Program
	cfg  Config
	dir  string
	bin  string // the program, as gcc has built it
	info *debugInfo

	c *client

	printers printers
	mem      *memory
	tty      *terminal
	pid      int
	regs     []int // numbers of the general registers

	fitter target.Fitter // of types whose sizes are computed in each call
	rip    int
	rbp    int
	rsp    int

	origRax int // the number of the register that tells of a system call
	threads threads
	forks   forks

	pc, bp    uint64
	sp        uint64
	args      arguments
	wide      wideLiterals
	ended     bool
	running   bool
	exitBreak string
	passed    []string          // signals of a crash that are passed on for once, as the program handles them
	breaks    map[uint64]string // breakpoint number by address
	landing   landings
	watched   watchpoints
	mirror    mirror
	arena     int
	texts     map[string]ctype.Word // string literals that were added to the process, by their bytes
	input     input
	stop      atomic.Bool

	attached int                     // the process that was attached to; 0: it was started here
	core     *Core                   // the core file that is looked at instead of a process; nil for none
	seen     map[uint64]target.Block // blocks seen in the heap of either, by address
	numbers  int                     // how many numbers these blocks have been given

	// of the resume in progress, for Wait
	resume resumeState
}

type resumeState struct {
	mode   target.Mode
	breaks map[int32]bool
	cmd    string
	depth  int
	stmt   int32
	thread int    // that was let go
	from   uint64 // where it stood
	still  bool   // it may not have moved from there yet, as another thread has stopped
	to     uint64 // Out: where the function to be left returns to
	fn     *cfront.Func
	left   *ctype.Word   // what the function that was left has returned
	whole  *target.Whole // the same, if it is no scalar

	since time.Time     // when it was let go last
	spell time.Duration // after which the read that waits for input ends by itself; 0 for never
}

// New compiles the program. gdb starts meanwhile.
func New(ctx context.Context, p *lower.Program, cfg Config) (t *Target, err error) {
	if err := usable(); err != nil {
		return nil, err
	}
	dir, err := process.TempDir("gulo-")
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
	if t.input.text, err = os.Create(filepath.Join(dir, "stdin")); err != nil {
		return t, err
	}
	if t.c, err = startClient(syscall.SIGKILL, t.input.text); err != nil {
		return t, &cfront.ToolError{Tool: "gdb", Err: err}
	}
	bin, err := build(ctx, p, cfg.Files, cfg.Opt, dir)
	if err != nil {
		return t, err
	}
	shown := bin + ".lines"
	if t.info, err = readDebugInfo(bin, shown, p, false); err != nil {
		return t, err
	}
	name := cfg.Terminal
	if name == "" {
		if t.tty, err = openTerminal(cfg.Screen, &t.input); err != nil {
			return t, err
		}
		name = t.tty.name
	}
	for _, cmd := range []string{
		"-gdb-set confirm off", "-gdb-set width 0", "-gdb-set stack-cache off", "-gdb-set code-cache off",
		"-gdb-set auto-solib-add on", "-gdb-set inferior-tty " + name,
	} {
		if _, err = t.c.send(ctx, "%s", cmd); err != nil {
			return t, err
		}
	}
	t.bin = bin
	if err = t.programFiles(ctx); err != nil {
		return t, err
	}
	env := "GLIBC_TUNABLES glibc.malloc.mmap_threshold=1073741824:glibc.malloc.trim_threshold=1073741824:glibc.pthread.rseq=0"
	// A crash is not passed on: after going back the program must not die of it.
	if cfg.Screen != nil {
		t.cfg.Env = screenEnvironment(t.Environment())
	}
	for _, cmd := range append(ownEnvironment(cfg.Screen != nil), "set environment "+env, withholding) {
		if err = t.c.console(ctx, cmd); err != nil {
			return t, err
		}
	}
	return t, nil
}

// programFiles tells gdb what it runs.
func (t *Target) programFiles(ctx context.Context) error {
	_, err := t.c.send(ctx, "-file-exec-file %s", strconv.Quote(t.bin))
	if err == nil {
		_, err = t.c.send(ctx, "-file-symbol-file %s", strconv.Quote(t.bin+".lines"))
	}
	return err
}

// Arguments implements target.Target.
func (t *Target) Arguments(args []string, stdin string) error {
	if t.core != nil {
		return ErrCore
	}
	if t.attached != 0 {
		return fmt.Errorf("process %d was attached to, and cannot be started again", t.attached)
	}
	if stdin != "" {
		if err := t.input.from(stdin); err != nil {
			return err
		}
	}
	t.cfg.Args = args
	return nil
}

func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// Start implements target.Target.
func (t *Target) Start(ctx context.Context) (target.Stop, error) {
	switch {
	case t.core != nil:
		return t.postmortem(ctx)
	case t.attached != 0:
		return t.begin(ctx)
	}
	if t.running {
		_ = t.disarm(ctx)
		t.endForked() // first: a parent would see that its child has been killed
		_ = t.c.console(ctx, "kill")
		t.mem.close()
		t.mem = nil
	}
	for a, n := range t.breaks {
		_, _ = t.c.send(ctx, "-break-delete %s", n)
		delete(t.breaks, a)
	}
	if err := t.alone(ctx); err != nil {
		return target.Stop{}, err
	}
	if t.exitBreak != "" { // gdb would tell of this one where two are at the same place
		_, _ = t.c.send(ctx, "-break-delete %s", t.exitBreak)
	}
	t.ended, t.running, t.exitBreak, t.arena, t.texts = false, false, "", 0, nil
	t.threads = threads{held: t.threads.held, locked: t.threads.locked}
	main := t.p.Tree.Func("main")
	if main == nil {
		return target.Stop{}, errors.New("the program has no function main")
	}
	var args []string
	for _, a := range t.cfg.Args {
		args = append(args, quoted(a))
	}
	if t.input.file {
		args = append(args, fmt.Sprintf("<&%d %d<&-", inputFD, inputFD))
	}
	if err := t.input.begin(t.tty); err != nil {
		return target.Stop{}, err
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
	t.pid, _ = t.c.process()
	t.forks.first, t.forks.line = t.pid, []int{t.pid}
	if err := t.openMemory(); err != nil {
		return target.Stop{}, &cfront.ToolError{Tool: "gdb", Err: err}
	}
	if err := t.registers(ctx); err != nil {
		return target.Stop{}, err
	}
	t.readArguments()
	t.restoreEnvironment()
	if t.cfg.Name == "" {
		t.cfg.Name = t.cfg.Files[0]
	}
	t.rename(t.cfg.Name)
	if r, err := t.c.send(ctx, "-break-insert _exit"); err == nil {
		t.exitBreak, _ = r.tuple("bkpt")["number"].(string)
	}
	if t.threads.held == "" {
		r, err := t.c.send(ctx, "-break-insert *%d", t.info.held)
		if err != nil {
			return target.Stop{}, err
		}
		t.threads.held, _ = r.tuple("bkpt")["number"].(string)
	}
	if err := t.catch(ctx); err != nil {
		return target.Stop{}, err
	}
	t.resume = resumeState{mode: target.Continue}
	return t.arrive(ctx, rec)
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
		case "orig_rax":
			t.origRax = i
		}
	}
	return nil
}

func (t *Target) registerValues(ctx context.Context, nums ...int) ([]string, error) {
	return t.threadValues(ctx, "", nums...)
}

// threadValues reads registers of a thread, by gdb's number; "" is the one that gdb has
// selected.
func (t *Target) threadValues(ctx context.Context, gdb string, nums ...int) ([]string, error) {
	if gdb != "" {
		gdb = "--thread " + gdb + " "
	}
	s := make([]string, len(nums))
	for i, n := range nums {
		s[i] = strconv.Itoa(n)
	}
	r, err := t.c.send(ctx, "-data-list-register-values %sx %s", gdb, strings.Join(s, " "))
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

// await waits for the program to stop. When ctx ends first the program is
// interrupted and that stop is returned. While the program waits for input,
// await returns errNeedInput.
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
			if rec, ok := t.execed(ctx); ok {
				return rec, nil
			}
			if t.stop.Load() && !interrupted {
				interrupted = true
				t.kill(syscall.SIGINT)
			}
			if t.needsInput() {
				return record{}, errNeedInput
			}
			t.input.fresh = false
			if t.waitsForOthers() {
				t.nudge()
			}
		}
	}
}

func (t *Target) kill(sig syscall.Signal) {
	pid := t.pid
	if pid == 0 {
		pid, _ = t.c.process()
	}
	if pid > 0 {
		_ = syscall.Kill(pid, sig)
	}
}

// letRun is Resume without its end: memory stays watched, as it must while the program waits for input.
func (t *Target) letRun(ctx context.Context, mode target.Mode, breaks map[int32]bool) (target.Stop, error) {
	switch {
	case t.core != nil:
		return target.Stop{}, ErrCore
	case !t.running || t.ended:
		return target.Stop{}, target.ErrEnded
	}
	t.stop.Store(false)
	if mode == target.Wait {
		return t.goOnReading(ctx, breaks)
	}
	if err := t.halting(ctx, breaks); err != nil {
		return target.Stop{}, err
	}
	if err := t.land(ctx, mode != target.Continue); err != nil {
		return target.Stop{}, err
	}
	if err := t.only(ctx, mode != target.Continue); err != nil {
		return target.Stop{}, err
	}
	t.threads.turn, t.threads.before, t.threads.waits = 0, 0, 0
	stmt, _ := t.info.at(t.pc)
	t.resume = resumeState{mode: mode, breaks: breaks, depth: t.depth(), stmt: stmt, thread: t.threads.cur, from: t.pc}
	if fi := t.info.function(t.pc); fi != nil && mode == target.Out {
		t.resume.fn = fi.fn
		t.resume.to, _ = t.mem.word(t.bp + 8)
	}
	t.resume.cmd = map[target.Mode]string{target.Next: "-exec-next", target.Into: "-exec-step", target.Out: "-exec-finish", target.Continue: "-exec-continue"}[mode]
	cmd := t.resume.cmd
	switch known := stmt != 0 && t.info.function(t.pc) != nil; {
	case mode == target.Out && t.resume.depth <= 1:
		cmd = "-exec-continue"
	case !known && (len(t.threads.list) > 1 || t.attached != 0): // a thread that has stood in the library since others were stepped
		cmd = t.goOn(false, t.resume.depth)
	}
	return t.exec(ctx, cmd)
}

// exec runs an MI command that lets the program run, and returns the stop that arrive accepts.
func (t *Target) exec(ctx context.Context, cmd string) (target.Stop, error) {
	t.resume.since = time.Now()
	if _, err := t.c.send(ctx, "%s", cmd); err != nil {
		return target.Stop{}, err
	}
	t.letGo()
	rec, err := t.await(ctx)
	return t.awaited(ctx, rec, err)
}

func (t *Target) awaited(ctx context.Context, rec record, err error) (target.Stop, error) {
	if errors.Is(err, errNeedInput) {
		return t.pause(ctx)
	}
	if err != nil {
		return target.Stop{}, err
	}
	return t.arrive(ctx, rec)
}

// locate reads where the thread is that gdb has selected: its pc, bp and sp.
func (t *Target) locate() (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	t.pc, t.bp, t.sp, err = t.place(ctx, "")
	return err
}

// place reads where a thread is, by gdb's number; "" is the one that gdb has selected.
func (t *Target) place(ctx context.Context, gdb string) (pc, bp, sp uint64, err error) {
	v, err := t.threadValues(ctx, gdb, t.rip, t.rbp, t.rsp)
	if err != nil {
		return 0, 0, 0, err
	}
	if pc, err = strconv.ParseUint(v[0], 0, 64); err != nil {
		return 0, 0, 0, err
	}
	if bp, err = strconv.ParseUint(v[1], 0, 64); err != nil {
		return 0, 0, 0, err
	}
	sp, err = strconv.ParseUint(v[2], 0, 64)
	return pc, bp, sp, err
}

// arrive decides whether a stop of gdb's is one of ours, and goes on if not.
func (t *Target) arrive(ctx context.Context, rec record) (target.Stop, error) {
	switch reason := rec.str("reason"); {
	case strings.HasPrefix(reason, "exited"):
		t.ended, t.running, t.pid = true, false, 0
		t.mem.close()
		t.mem = nil
		t.awaitParent(ctx, true)
		code, _ := strconv.ParseInt(rec.str("exit-code"), 8, 32)
		if s := rec.str("signal-name"); s != "" {
			return target.Stop{Reason: target.Crashed, Message: "the program was killed by " + s, Thread: t.threads.cur}, nil
		}
		return target.Stop{Reason: target.Exited, Status: int(code), Thread: t.threads.cur}, nil
	case reason == "exec":
		return t.became(ctx, rec.str("new-exec"))
	}
	t.noteForks()
	other, err := t.stopped(ctx, rec)
	if err != nil {
		return target.Stop{}, err
	}
	switch reason := rec.str("reason"); {
	case reason == "" && t.byNumber(t.threads.cur) == nil:
		return t.threadEnded(ctx)
	case reason == "":
		t.threads.waits = 0
		return t.back(ctx)
	case reason == "signal-received" && t.resume.mode == target.Continue && rec.str("signal-name") == "SIGCHLD":
		return t.exec(ctx, "-exec-continue")
	case reason == "signal-received" && rec.str("signal-name") == "SIGSTOP" && t.threads.nudged:
		return t.nudged(ctx)
	case reason == "signal-received":
		if err := t.withhold(ctx); err != nil {
			return target.Stop{}, err
		}
		if t.hungUp(rec.str("signal-name")) {
			return t.goPast(ctx, other)
		}
		if name := rec.str("signal-name"); name != "SIGINT" && (harmless[name] || stopping[name] || t.handles(name)) {
			return t.deliver(ctx, name, other)
		}
		return t.signalled(ctx, rec, other)
	case reason == "breakpoint-hit" && rec.str("bkptno") == t.threads.held:
		return t.aside(ctx)
	case reason == "fork":
		return t.enter(ctx, rec)
	case reason == "watchpoint-trigger":
		return t.written(ctx)
	case reason == "breakpoint-hit" && t.watched.ends[rec.str("bkptno")] > 0:
		return t.returnedTo(ctx, t.watched.ends[rec.str("bkptno")])
	case reason == "breakpoint-hit" && rec.str("bkptno") == t.exitBreak:
		t.ended = true
		v, err := t.c.send(ctx, "-data-evaluate-expression $edi")
		if err != nil {
			return target.Stop{}, err
		}
		t.awaitParent(ctx, false)
		st, _ := strconv.Atoi(v.str("value"))
		return target.Stop{Reason: target.Exited, Status: st & 0xff, Thread: t.threads.cur}, nil
	}
	if err := t.locate(); err != nil {
		return target.Stop{}, err
	}
	id, begins := t.info.at(t.pc)
	if other != 0 {
		if known := id != 0 && t.info.function(t.pc) != nil; !known || !begins || !t.resume.breaks[id] {
			return t.aside(ctx)
		}
		t.threads.cur, t.threads.turn = other, 0
		return target.Stop{Reason: target.Breakpoint, Stmt: id, Depth: t.depth(), Thread: other, Ended: t.gone()}, nil
	}
	return t.decide(ctx)
}

// decide tells whether the thread that is stepped has come to where it was to go, and lets
// it go on if not.
func (t *Target) decide(ctx context.Context) (target.Stop, error) {
	id, begins := t.info.at(t.pc)
	depth := t.depth()
	rs := &t.resume
	if id != 0 {
		t.threads.waits = 0
	}
	if rs.mode == target.Out && rs.left == nil && rs.whole == nil && depth == rs.depth-1 && t.pc == rs.to {
		rs.left, rs.whole = t.returned(rs.fn), t.whole(rs.fn)
	}
	known := id != 0 && t.info.function(t.pc) != nil
	stop := target.Stop{Stmt: id, Depth: depth, Returned: rs.left, Whole: rs.whole, Thread: t.threads.cur, Ended: t.gone()}
	if t.pc == rs.from && depth == rs.depth && rs.mode != target.Continue && t.threads.cur == rs.thread && rs.still {
		begins = false // another thread has stopped before this one began
	}
	rs.still = false
	_, isBreak := rs.breaks[id]
	switch {
	case known && begins && isBreak:
		if id != rs.stmt || depth != rs.depth || rs.mode == target.Continue || rs.mode == target.Out {
			stop.Reason = target.Breakpoint
			if rs.mode == target.Next || rs.mode == target.Into {
				stop.Reason = t.stepReason(depth)
			}
			return stop, nil
		}
	case known && begins && t.p.Stmts[id].Stop && rs.wants(depth, id):
		stop.Reason = target.Stepped
		return stop, nil
	}
	if ctx.Err() != nil || t.stop.Load() {
		return target.Stop{Reason: target.Interrupted, Stmt: id, Depth: depth, Thread: t.threads.cur}, nil
	}
	return t.exec(ctx, t.goOn(known, depth))
}

// stopped updates the list of threads after a stop. other is the number of the thread that
// has stopped, 0 if it is the one that is stepped. After Continue the thread that has stopped
// becomes the one that is stepped, unless it stopped at gulo_held.
func (t *Target) stopped(ctx context.Context, rec record) (other int, err error) {
	if err := t.syncThreads(ctx); err != nil {
		return 0, err
	}
	th := &t.threads
	if th.cur == 0 && len(th.list) > 0 {
		th.cur = th.list[0].number
	}
	for _, x := range th.list {
		if x.gdb == rec.str("thread-id") && x.number != th.cur {
			other = x.number
		}
	}
	if other != 0 && t.resume.mode == target.Continue && rec.str("bkptno") != th.held {
		th.cur, other = other, 0
	}
	return other, nil
}

// gone is the thread that was let go if it has ended; 0 if not.
func (t *Target) gone() int {
	if n := t.resume.thread; n != 0 && t.byNumber(n) == nil {
		return n
	}
	return 0
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

// signalled returns the stop for SIGINT, or for a signal that the program does not handle;
// other is the thread that got it, if that is not the one that is stepped.
func (t *Target) signalled(ctx context.Context, rec record, other int) (target.Stop, error) {
	sig := rec.str("signal-name")
	t.threads.turn = 0
	switch {
	case other != 0 && sig == "SIGINT": // for the program as a whole
		if err := t.choose(ctx, t.threads.cur); err != nil {
			return target.Stop{}, err
		}
	case other != 0:
		t.threads.cur = other
	}
	if err := t.locate(); err != nil {
		return target.Stop{}, err
	}
	s := target.Stop{Depth: t.depth(), Thread: t.threads.cur, Ended: t.gone()}
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
	t.awaitParent(ctx, false)
	s.Reason = target.Crashed
	s.Message = crashMessage(sig, rec.str("signal-meaning"))
	return s, nil
}

// crashMessage says what a signal, by its name, did to the program.
func crashMessage(sig, meaning string) string {
	text := map[string]string{
		"SIGSEGV": "segmentation fault (SIGSEGV): a pointer that leads nowhere was followed",
		"SIGABRT": "the program aborted (SIGABRT)",
		"SIGFPE":  "arithmetic error (SIGFPE), most likely a division by zero",
	}[sig]
	if text == "" {
		text = "signal " + sig + ": " + meaning
	}
	return text
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
func (t *Target) Goto(to lower.Edge) error {
	if t.core != nil {
		return ErrCore
	}
	a, ok := t.info.start[to.Next]
	if starts := t.info.starts[to.Next]; to.Middle && len(starts) != 2 {
		return fmt.Errorf("the compiler's code does not tell where the macro at %s is entered", t.p.Stmts[to.Next].Range)
	} else if to.Middle {
		a = starts[1]
	}
	if !ok {
		return fmt.Errorf("the compiler made no code for the statement at %s", t.p.Stmts[to.Next].Range)
	}
	ctx := context.Background()
	if err := t.setRegisters(ctx, t.selected(), []string{"pc"}, []string{fmt.Sprint(a)}); err != nil {
		return err
	}
	t.pc = a
	return nil
}

// Interrupt implements target.Target.
func (t *Target) Interrupt() { t.stop.Store(true) }

// Close implements target.Target. It ends the program and gdb.
func (t *Target) Close() {
	if t.c != nil {
		switch {
		case t.core != nil:
		case t.attached != 0:
			t.leave()
		default:
			t.kill(syscall.SIGKILL)
			defer process.AwaitEnd(t.pid)
		}
		t.c.close()
		t.pid = 0
	}
	t.endForked()
	t.mem.close()
	t.mirror.writes.close()
	t.mirror.writes = nil
	if t.tty != nil {
		t.tty.close()
	}
	if t.input.text != nil {
		_ = t.input.text.Close()
	}
	_ = os.RemoveAll(t.dir)
	openCache().tidy()
}
