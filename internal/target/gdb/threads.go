package gdb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"gulo/internal/target"
)

// This file is programs with several threads.
//
// One thread is stepped, the others stand still (gdb's scheduler-locking), so that what a
// statement does is what this thread does. When the thread waits for the others (a join, a
// mutex, a condition), or does not come to its next statement in a second of processor time,
// each of them in turn is let go alone, the oldest first, until it waits, too, or has ended;
// then the one that is stepped tries again. So a session goes the same way every time and
// under every load, unless a thread spins. Continue lets all go at once. A breakpoint in
// another thread makes that one the thread that is stepped, as in gdb.
//
// gdb 13 lets a new thread run although it has been told to let only one go. Every thread
// therefore comes by gulo_held before it begins, where a breakpoint keeps it until the
// others are let go.

// threads is what is known of the program's threads.
type threads struct {
	list   []thread // alive, in the order of their creation
	cur    int      // the one that is stepped
	last   int      // the highest number given
	locked bool     // gdb lets only the one that is stepped go
	turn   int      // the one that is let go instead, because the one that is stepped waits; 0 for none
	before int      // the last that had its turn since Resume
	nudged bool     // a SIGSTOP was sent to stop the one that goes, and has not been seen yet
	gives  bool     // it was found to wait since it was let go
	held   string   // the breakpoint at gulo_held
	waits  int      // turns in a row that ended because the thread waits
	naps   int      // looks in a row that found it asleep
	looks  int      // that found it asleep for a time
	spent  int64    // of the processor's time when it was let go, in nanoseconds
}

type thread struct {
	number int
	gdb    string // gdb's number
	born   string // gdb's number when it was created: in a child that is followed gdb gives the thread another one
	tid    int
	runs   int // times that it was let go

	seen     target.Thread // as it was found last
	seenRuns int           // runs at that time, plus 1; 0 for never
}

var lwp = regexp.MustCompile(`LWP (\d+)`)

// syncThreads updates the list of threads to those that gdb has told of.
func (t *Target) syncThreads(ctx context.Context) error {
	t.c.mu.Lock()
	ids := slices.Clone(t.c.threads)
	t.c.mu.Unlock()
	th := &t.threads
	if slices.EqualFunc(ids, th.list, func(id string, x thread) bool { return id == x.gdb }) {
		return nil
	}
	var list []thread
	for _, id := range ids {
		if i := slices.IndexFunc(th.list, func(x thread) bool { return x.gdb == id }); i >= 0 {
			list = append(list, th.list[i])
			continue
		}
		r, err := t.c.send(ctx, "-thread-info %s", id)
		if err != nil {
			return err
		}
		l, _ := r.data["threads"].([]any)
		if len(l) == 0 {
			continue // it has ended meanwhile
		}
		tu, _ := l[0].(map[string]any)
		tid := 0
		if m := lwp.FindStringSubmatch(fmt.Sprint(tu["target-id"])); m != nil {
			tid, _ = strconv.Atoi(m[1])
		} else if len(ids) == 1 {
			tid = t.pid
		}
		th.last++
		list = append(list, thread{number: th.last, gdb: id, born: id, tid: tid})
	}
	th.list = list
	return nil
}

// byNumber returns a thread that is alive; nil for none.
func (t *Target) byNumber(n int) *thread {
	for i := range t.threads.list {
		if t.threads.list[i].number == n {
			return &t.threads.list[i]
		}
	}
	return nil
}

// selected is gdb's number of the thread that is stepped.
func (t *Target) selected() string {
	if x := t.byNumber(t.threads.cur); x != nil {
		return x.gdb
	}
	return "1"
}

// choose makes a thread the one that is stepped.
func (t *Target) choose(ctx context.Context, n int) error {
	x := t.byNumber(n)
	if x == nil {
		return fmt.Errorf("there is no thread %d", n)
	}
	if _, err := t.c.send(ctx, "-thread-select %s", x.gdb); err != nil {
		return err
	}
	t.threads.cur = n
	return t.locate()
}

// only sets whether gdb lets go only the thread that it has selected.
func (t *Target) only(ctx context.Context, on bool) error {
	if t.threads.locked == on {
		return nil
	}
	if _, err := t.c.send(ctx, "-gdb-set scheduler-locking %s", map[bool]string{true: "on", false: "off"}[on]); err != nil {
		return err
	}
	t.threads.locked = on
	return nil
}

// going returns the number of the thread that is let go when only one is.
func (th *threads) going() int {
	if th.turn != 0 {
		return th.turn
	}
	return th.cur
}

// letGo notes that the program runs: it counts a run of each thread that is let go, and begins anew what waitsForOthers
// measures.
func (t *Target) letGo() {
	th := &t.threads
	th.naps, th.looks, th.gives = 0, 0, false
	if x := t.byNumber(th.going()); x != nil && th.locked {
		th.spent = t.spent(x)
	}
	for i := range th.list {
		if !th.locked || th.list[i].number == th.going() {
			th.list[i].runs++
		}
	}
}

// A thread counts as waiting for the others when mostNaps looks in a row, one each tick of
// await, find it asleep in a system call. So does one that does not arrive: when it and gdb,
// which steps it, have used mostSpent nanoseconds of processor time, or when mostLooks looks
// have found it asleep in a call that ends after a time.
const (
	mostNaps  = 2
	mostLooks = 70
	mostSpent = 1e9
)

// waitsForOthers reports whether the thread that is let go alone waits for one that is not.
func (t *Target) waitsForOthers() bool {
	th := &t.threads
	x := t.byNumber(th.going())
	if !th.locked || x == nil {
		return false
	}
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", t.pid))
	if err != nil || len(tasks) < 2 && th.last < 2 {
		return false
	}
	if th.nudged { // gdb may have taken the signal for one that it has sent itself
		th.looks++
		return th.looks%mostLooks == 0
	}
	switch sleeps, timed := asleep(t.pid, x.tid); {
	case sleeps && !timed:
		th.naps++
	case sleeps:
		th.naps = 0
		th.looks++
	default:
		th.naps = 0
	}
	if th.naps >= mostNaps {
		th.waits++
		return true
	}
	if th.looks >= mostLooks || t.spent(x)-th.spent >= mostSpent {
		th.waits = 0
		return true
	}
	return false
}

// spent is the processor's time that a thread and gdb have taken, in nanoseconds.
func (t *Target) spent(x *thread) int64 {
	return onProcessor(t.c.cmd.Process.Pid) + onProcessor(x.tid)
}

// onProcessor is the processor's time that a thread has taken, in nanoseconds.
func onProcessor(tid int) int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", tid))
	ns, _, _ := strings.Cut(string(text), " ")
	n, _ := strconv.ParseInt(ns, 10, 64)
	return n
}

// runnable reports whether a thread runs, or would if the machine had time for it.
func runnable(tid int) bool {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", tid))
	_, rest, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(rest, "R")
}

// asleep reports whether a thread sleeps in a system call. timed says that the call is a sleep
// for a given time, and ends by itself.
func asleep(pid, tid int) (sleeps, timed bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/stat", pid, tid))
	if err != nil {
		return false, false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	if !strings.HasPrefix(rest, "S") {
		return false, false
	}
	call, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/syscall", pid, tid))
	number, _, _ := strings.Cut(string(call), " ")
	if err != nil || number == "running" || number == "-1" {
		return false, false
	}
	return true, number == strconv.Itoa(unix.SYS_NANOSLEEP) || number == strconv.Itoa(unix.SYS_CLOCK_NANOSLEEP)
}

// nudge stops the thread that waits for others. SIGSTOP cannot be blocked.
func (t *Target) nudge() {
	if x := t.byNumber(t.threads.going()); x != nil && unix.Tgkill(t.pid, x.tid, unix.SIGSTOP) == nil {
		t.threads.nudged, t.threads.gives = true, true
	}
}

// nudged goes on after the stop that nudge has asked for.
func (t *Target) nudged(ctx context.Context) (target.Stop, error) {
	th := &t.threads
	th.nudged = false
	switch {
	case !th.gives: // it had arrived when the signal came
	case th.turn == 0 && t.resume.mode != target.Continue:
		return t.yield(ctx)
	default:
		th.turn = 0
	}
	return t.aside(ctx)
}

// yield lets the next of the other threads go, since the one that is stepped waits. If all have waited for several turns it
// stops instead: that is a deadlock.
func (t *Target) yield(ctx context.Context) (target.Stop, error) {
	th := &t.threads
	if th.waits > 3*len(th.list)+1 {
		if err := t.choose(ctx, th.cur); err != nil {
			return target.Stop{}, err
		}
		s, err := t.standing()
		s.Reason, s.Message = target.Interrupted, "every thread waits for another: a deadlock, unless one waits for a time only"
		return s, err
	}
	var first, next *thread
	for i := range th.list {
		x := &th.list[i]
		if x.number == th.cur {
			continue
		}
		if first == nil {
			first = x
		}
		if next == nil && x.number > th.before {
			next = x
		}
	}
	if next == nil {
		next = first
	}
	if next == nil {
		return t.back(ctx)
	}
	th.turn, th.before = next.number, next.number
	return t.resumeTurn(ctx)
}

func (t *Target) resumeTurn(ctx context.Context) (target.Stop, error) {
	if _, err := t.c.send(ctx, "-thread-select %s", t.byNumber(t.threads.turn).gdb); err != nil {
		return target.Stop{}, err
	}
	return t.exec(ctx, "-exec-continue")
}

// back goes on with the thread that is stepped after another one has stopped.
func (t *Target) back(ctx context.Context) (target.Stop, error) {
	t.threads.turn = 0
	if err := t.choose(ctx, t.threads.cur); err != nil {
		return target.Stop{}, err
	}
	if ctx.Err() != nil || t.stop.Load() {
		s, err := t.standing()
		s.Reason = target.Interrupted
		return s, err
	}
	t.resume.still = true
	return t.decide(ctx)
}

// aside goes on after a stop of a thread that is not the one that is stepped, or of one
// that comes by gulo_held.
func (t *Target) aside(ctx context.Context) (target.Stop, error) {
	switch {
	case t.resume.mode == target.Continue:
		return t.exec(ctx, "-exec-continue")
	case t.byNumber(t.threads.turn) != nil && ctx.Err() == nil && !t.stop.Load():
		return t.resumeTurn(ctx)
	}
	return t.back(ctx)
}

// standing is where the thread that is stepped is now.
func (t *Target) standing() (target.Stop, error) {
	fs, err := t.Frames()
	if err != nil {
		return target.Stop{}, err
	}
	s := target.Stop{Depth: len(fs), Thread: t.threads.cur}
	if len(fs) > 0 {
		s.Stmt = fs[0].Stmt
		_, begins := t.info.at(t.pc)
		s.Inside = !begins || t.info.function(t.pc) == nil
	}
	return s, nil
}

// threadEnded goes to another thread when the one that was stepped has ended: main's, or
// else the oldest one that has begun.
func (t *Target) threadEnded(ctx context.Context) (target.Stop, error) {
	ended := t.threads.cur
	if len(t.threads.list) == 0 {
		return target.Stop{}, errors.New("the program has no thread any more")
	}
	for _, x := range t.threads.list {
		if err := t.choose(ctx, x.number); err != nil {
			return target.Stop{}, err
		}
		if t.depth() > 0 {
			break
		}
	}
	s, err := t.standing()
	s.Ended = ended
	return s, err
}

// Threads implements target.Threaded.
func (t *Target) Threads() ([]target.Thread, error) {
	if t.mem == nil {
		return nil, nil
	}
	ctx := context.Background()
	var out []target.Thread
	for i := range t.threads.list {
		x := &t.threads.list[i]
		if x.number != t.threads.cur && x.seenRuns == x.runs+1 {
			out = append(out, x.seen) // it has stood still
			continue
		}
		pc, bp, _, err := t.place(ctx, x.gdb)
		if err != nil {
			return nil, err
		}
		th := target.Thread{Number: x.number, Current: x.number == t.threads.cur}
		th.Frames = t.frames(t.walkFrom(pc, bp, x.gdb))
		_, begins := t.info.at(pc)
		th.Inside = len(th.Frames) > 0 && (!begins || t.info.function(pc) == nil)
		if x.seen, x.seenRuns = th, x.runs+1; th.Current {
			x.seenRuns = 0
		}
		out = append(out, th)
	}
	return out, nil
}

// Switch implements target.Threaded.
func (t *Target) Switch(ctx context.Context, n int) (target.Stop, error) {
	if t.core == nil && (!t.running || t.ended) {
		return target.Stop{}, target.ErrEnded
	}
	was := t.threads.cur
	if err := t.choose(ctx, n); err != nil {
		return target.Stop{}, err
	}
	if t.core != nil {
		s, err := t.standing()
		s.Reason = target.Interrupted
		return s, err
	}
	if t.depth() > 0 {
		return t.standing()
	}
	back := func(err error) (target.Stop, error) {
		return target.Stop{}, errors.Join(err, t.choose(ctx, was))
	}
	if t.pc != t.info.held { // it may be on its way there
		t.stop.Store(false)
		t.resume = resumeState{mode: target.Next, breaks: map[int32]bool{}, thread: n}
		if err := t.only(ctx, true); err != nil {
			return back(err)
		}
		if _, err := t.c.send(ctx, "-exec-continue"); err != nil {
			return back(err)
		}
		t.letGo()
		rec, err := t.await(ctx)
		if err != nil {
			return back(err)
		}
		if rec.str("signal-name") == "SIGSTOP" {
			t.threads.nudged = false
		}
		if err := t.syncThreads(ctx); err != nil {
			return back(err)
		}
		if t.byNumber(n) == nil {
			return back(fmt.Errorf("thread %d was about to end, and has ended", n))
		}
		if err := t.locate(); err != nil {
			return back(err)
		}
	}
	if t.depth() > 0 { // it had left there, and waits now
		return t.standing()
	}
	if t.pc != t.info.held {
		return back(fmt.Errorf("thread %d is in no function of the program", n))
	}
	v, err := t.registerValues(ctx, t.regs[slices.Index(generalRegs, "rdi")])
	if err != nil {
		return back(err)
	}
	f, _ := strconv.ParseUint(v[0], 0, 64)
	fi := t.info.function(f)
	if fi == nil {
		return back(fmt.Errorf("thread %d begins in no function of the program", n))
	}
	return t.Resume(ctx, target.Next, map[int32]bool{t.firstStmt(fi.fn): true})
}

// threadState is a thread other than the one that is stepped, in a snapshot.
type threadState struct {
	thread
	regs  []string
	quiet bool // what its vector registers hold does not matter where it stands
}

// errThread says why a saved state with threads cannot be gone back to.
type errThread struct{ text string }

func (e *errThread) Error() string { return e.text }

// saveThreads saves what the image of the memory does not have of the threads: of others than the one that is stepped, their
// registers.
func (t *Target) saveThreads(ctx context.Context) ([]threadState, error) {
	var out []threadState
	for _, x := range t.threads.list {
		s := threadState{thread: x}
		if x.number != t.threads.cur {
			var err error
			if s.regs, err = t.threadRegisters(ctx, x.gdb); err != nil {
				return nil, err
			}
			s.quiet = t.quiet(s.regs[slices.Index(generalRegs, "rip")])
		}
		out = append(out, s)
	}
	return out, nil
}

// threadRegisters reads a thread's general registers. For a thread whose system call was
// interrupted and would be restarted by the kernel they are those before the call: when it
// goes on from there it makes the call again.
func (t *Target) threadRegisters(ctx context.Context, gdb string) ([]string, error) {
	v, err := t.threadValues(ctx, gdb, append(slices.Clone(t.regs), t.origRax)...)
	if err != nil {
		return nil, err
	}
	regs, n := v[:len(generalRegs)], v[len(generalRegs)]
	rax, rip := slices.Index(generalRegs, "rax"), slices.Index(generalRegs, "rip")
	code, _ := strconv.ParseUint(regs[rax], 0, 64)
	call, _ := strconv.ParseUint(n, 0, 64)
	const restart, restartNoIntr, restartNoHand, restartBlock = 512, 513, 514, 516
	if int64(call) >= 0 && slices.Contains([]int64{-restart, -restartNoIntr, -restartNoHand, -restartBlock}, int64(code)) {
		pc, _ := strconv.ParseUint(regs[rip], 0, 64)
		regs[rip], regs[rax] = fmt.Sprintf("%#x", pc-2), n
	}
	return regs, nil
}

// quiet reports whether compiled code keeps nothing in vector registers at an address: at
// the beginning of a statement, at a system call or right behind it, before a thread begins.
func (t *Target) quiet(rip string) bool {
	pc, err := strconv.ParseUint(rip, 0, 64)
	if err != nil {
		return false
	}
	if _, begins := t.info.at(pc); begins && t.info.function(pc) != nil || pc == t.info.held {
		return true
	}
	var code [4]byte
	return t.mem.read(pc-2, code[:]) && (string(code[:2]) == "\x0f\x05" || string(code[2:]) == "\x0f\x05")
}

// canRestore reports why threads cannot be taken back to where they were, and which ones
// were created since.
func (t *Target) canRestore(saved []threadState) (newer []thread, err error) {
	for _, s := range saved {
		x := t.byNumber(s.number)
		switch {
		case x == nil || x.born != s.born:
			return nil, &errThread{fmt.Sprintf("thread %d has ended since, and cannot be brought back; start runs the program again", s.number)}
		case x.runs != s.runs && s.regs != nil && !s.quiet:
			return nil, &errThread{fmt.Sprintf("thread %d was in the middle of a statement then and has gone on since; start runs the program again", s.number)}
		}
	}
	for _, x := range t.threads.list {
		if !slices.ContainsFunc(saved, func(s threadState) bool { return s.number == x.number }) {
			newer = append(newer, x)
		}
	}
	return newer, nil
}

// end makes threads that were created since a state was saved end: each makes the system
// call that ends it, alone.
func (t *Target) end(ctx context.Context, newer []thread) error {
	for _, x := range newer {
		if err := t.only(ctx, true); err != nil {
			return err
		}
		if _, err := t.c.send(ctx, "-thread-select %s", x.gdb); err != nil {
			return err
		}
		if err := t.setRegisters(ctx, x.gdb, []string{"rip", "orig_rax"}, []string{fmt.Sprint(t.info.exit), "-1"}); err != nil {
			return err
		}
		if _, err := t.c.send(ctx, "-exec-continue"); err != nil {
			return err
		}
		if _, err := t.await(ctx); err != nil {
			return err
		}
		if err := t.syncThreads(ctx); err != nil {
			return err
		}
		if t.byNumber(x.number) != nil {
			return fmt.Errorf("thread %d does not end", x.number)
		}
	}
	return nil
}

// restoreThreads sets the registers of the other threads that have gone on since.
func (t *Target) restoreThreads(ctx context.Context, saved []threadState) error {
	for _, s := range saved {
		x := t.byNumber(s.number)
		x.seenRuns = 0
		if s.regs == nil || x.runs == s.runs {
			x.runs = s.runs
			continue
		}
		x.runs = s.runs
		if err := t.setRegisters(ctx, x.gdb, append(slices.Clone(generalRegs), "orig_rax"), append(slices.Clone(s.regs), "-1")); err != nil {
			return err
		}
	}
	return nil
}

// setRegisters sets registers of a thread, by gdb's number. Every command names the innermost
// frame, because after each change gdb selects the frame that it takes for the old one.
func (t *Target) setRegisters(ctx context.Context, gdb string, names, values []string) error {
	for i, r := range names {
		if _, err := t.c.send(ctx, "-data-evaluate-expression --thread %s --frame 0 %s", gdb, strconv.Quote("$"+r+"="+values[i])); err != nil {
			return err
		}
	}
	return nil
}
