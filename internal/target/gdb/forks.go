package gdb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"gulo/internal/process"
	"gulo/internal/target"
)

// This file is programs that fork. One process is in hand, and gdb has let the others go: without breakpoints they run by
// themselves. gdb tells of each child that it lets go on its console.
//
// Where the child is to be followed gdb catches the fork. The program goes on from there to where fork returns, which
// the child does and the parent, now without breakpoints, does not: so a stop comes in any case, whatever was
// interrupted by the fork (gdb 13 forgets in the child that it was to stop at the end of a function). The thread
// that has forked keeps its number. Children that share their parent's memory (vfork) are never followed.
//
// Going back to a state before a fork ends the processes that were forked since, and takes them back: the program
// itself waits for them, by a system call that it makes for gulo, so that a later wait of its own does not find them.
// Whoever has ended and was waited for cannot be brought back.

// forkedProcess identifies a process of the system. Its start time tells it from later processes of the same number.
type forkedProcess struct {
	pid     int
	started uint64
}

// there looks the process up; ok is false if it is no more.
func (p forkedProcess) there() (i process.Info, ok bool) {
	i, ok = process.Look(p.pid)
	return i, ok && i.Started == p.started
}

// forked is a process that is not in hand.
type forked struct {
	forkedProcess
	shares bool // it shares its parent's memory until it becomes another program (vfork)
	parent bool // it was in hand, and was left for its child or when it became another program
}

// forks is what is known of the processes of a program.
type forks struct {
	child  bool     // the next fork leads into the child
	caught string   // the catchpoint at fork; "" for none
	execs  string   // the one at exec
	first  int      // the process that was started
	line   []int    // the processes in hand so far: each the parent of the next one, the last is in hand
	list   []forked // all others that gdb has let go
	became bool     // the process in hand has become another program

	standsFor map[int]int // by the number of a process that was ended: the child that goes on in its state

	news   target.ProcessNews // of what going back has done
	told   int                // how many of list News has looked at
	toldIn int                // the process in hand then
	hungUp bool               // the SIGHUP at the end of the first process has come
}

// entered reports whether the process in hand is a child.
func (f *forks) entered() bool { return len(f.line) > 0 && f.line[len(f.line)-1] != f.first }

// now returns the process that goes on in the state of pid, or pid itself.
func (f *forks) now(pid int) int {
	for f.standsFor[pid] != 0 {
		pid = f.standsFor[pid]
	}
	return pid
}

var freed = regexp.MustCompile(`^\[Detaching after (v?)fork from child process (\d+)`)

// letFree parses gdb's message about a child that it lets go; ok is false for other text.
func letFree(text string) (forked, bool) {
	m := freed.FindStringSubmatch(text)
	if m == nil {
		return forked{}, false
	}
	pid, _ := strconv.Atoi(m[2])
	i, _ := process.Look(pid)
	return forked{forkedProcess: forkedProcess{pid, i.Started}, shares: m[1] != ""}, true
}

// process returns the process that gdb has in hand, and gdb's name of its thread group.
func (c *client) process() (pid int, group string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pid, c.group
}

// noteForks adds to the list the processes that gdb has let go since.
func (t *Target) noteForks() {
	t.c.mu.Lock()
	defer t.c.mu.Unlock()
	t.forks.list = append(t.forks.list, t.c.forked...)
	t.c.forked = nil
}

// Follow implements target.Forking.
func (t *Target) Follow(child bool) error {
	switch {
	case t.core != nil:
		return ErrCore
	case t.attached != 0:
		return fmt.Errorf("process %d was attached to, and stays the one in hand; attach to a child of it by its own number", t.attached)
	}
	t.forks.child = child
	if !t.running {
		return nil
	}
	return t.catch(context.Background())
}

// catch has gdb stop at what changes the process in hand: at exec, and at fork where the child is followed.
func (t *Target) catch(ctx context.Context) error {
	f := &t.forks
	set := func(number *string, event string, on bool) error {
		if on == (*number != "") {
			return nil
		}
		if !on {
			n := *number
			*number = ""
			_, err := t.c.send(ctx, "-break-delete %s", n)
			return err
		}
		before := t.c.lastCatch()
		if err := t.c.console(ctx, "catch "+event); err != nil {
			return err
		}
		if *number = t.c.lastCatch(); *number == before {
			return fmt.Errorf("gdb does not catch %s", event)
		}
		return nil
	}
	return errors.Join(set(&f.execs, "exec", true), set(&f.caught, "fork", f.child))
}

// lastCatch is the number of the catchpoint that was made last.
func (c *client) lastCatch() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.caught
}

// enter goes into the child of a fork that gdb has caught.
func (t *Target) enter(ctx context.Context, rec record) (target.Stop, error) {
	who := t.threads.cur
	for _, x := range t.threads.list {
		if x.gdb == rec.str("thread-id") {
			who = x.number
		}
	}
	back, ok := t.forkReturns(ctx, rec.str("thread-id"))
	if !ok { // the program has not called it, and has no place where it would return to
		return t.aside(ctx)
	}
	if _, err := t.c.send(ctx, "-break-insert -t *%d", back); err != nil {
		return target.Stop{}, err
	}
	if _, err := t.c.send(ctx, "-gdb-set follow-fork-mode child"); err != nil {
		return target.Stop{}, err
	}
	_, err := t.c.send(ctx, "-exec-continue")
	var stop record
	if err == nil {
		t.letGo()
		stop, err = t.await(ctx)
	}
	if _, e := t.c.send(ctx, "-gdb-set follow-fork-mode parent"); err == nil {
		err = e
	}
	if err == nil {
		err = t.takeOver(who)
	}
	if err != nil {
		return target.Stop{}, err
	}
	return t.arrive(ctx, stop)
}

// forkReturns returns where the program goes on after the call that a thread, by gdb's number, is in; ok is false where
// none of its 21 innermost frames is of the program.
func (t *Target) forkReturns(ctx context.Context, gdb string) (addr uint64, ok bool) {
	r, err := t.c.send(ctx, "-stack-list-frames --thread %s 0 20", gdb)
	if err != nil {
		return 0, false
	}
	l, _ := r.data["stack"].([]any)
	for _, e := range l {
		tu, _ := e.(map[string]any)
		fr, _ := tu["frame"].(map[string]any)
		if pc, err := strconv.ParseUint(fmt.Sprint(fr["addr"]), 0, 64); err == nil && t.info.around(pc, true) != nil {
			return pc, true
		}
	}
	return 0, false
}

// takeOver makes the process that gdb has gone to the one in hand. Its only thread is the one that has forked, which
// keeps its number.
func (t *Target) takeOver(number int) error {
	pid, _ := t.c.process()
	was := t.byNumber(number)
	if pid == t.pid || pid == 0 || was == nil {
		return errors.New("gdb has not gone into the child")
	}
	if err := t.c.console(context.Background(), "handle SIGHUP nopass"); err != nil {
		return err
	}
	f := &t.forks
	i, _ := process.Look(t.pid)
	f.list = append(f.list, forked{forkedProcess: forkedProcess{t.pid, i.Started}, parent: true})
	f.line = append(f.line, pid)
	t.pid = pid
	t.mem.close()
	if err := t.openMemory(); err != nil {
		return fmt.Errorf("the child, process %d, cannot be looked at: %w", pid, err)
	}
	t.c.mu.Lock()
	ids := slices.Clone(t.c.threads)
	t.c.mu.Unlock()
	x := thread{number: number, born: was.born, tid: pid, runs: was.runs}
	if len(ids) > 0 {
		x.gdb = ids[0]
	}
	t.threads.list, t.threads.cur, t.threads.turn, t.threads.nudged = []thread{x}, number, 0, false
	return nil
}

// newProgram precedes the name of the file in gdb's message about an exec.
const newProgram = " is executing new program: "

// execed returns a stop for an exec that gdb reports on its console only. gdb 13 does so when it cannot set its
// breakpoints, which are at addresses, in the new program.
func (t *Target) execed(ctx context.Context) (record, bool) {
	t.c.mu.Lock()
	name := t.c.execed
	t.c.mu.Unlock()
	if name == "" {
		return record{}, false
	}
	_, _ = t.c.send(ctx, "-data-evaluate-expression 1") // when it is answered, gdb has said all about the exec
	select {
	case rec := <-t.c.async:
		return rec, true
	default:
		return record{kind: '*', class: "stopped", data: map[string]any{"reason": "exec", "new-exec": name}}, true
	}
}

// forgetBreaks deletes all breakpoints.
func (t *Target) forgetBreaks(ctx context.Context) error {
	clear(t.breaks)
	t.exitBreak, t.landing, t.forks.execs, t.forks.caught = "", landings{}, "", ""
	t.threads.held, t.watched = "", watchpoints{}
	return t.c.console(ctx, "delete")
}

// became handles an exec of the process in hand. Nothing of the new program can be shown: it runs on without
// breakpoints, to its end unless runOut returns before. Then, and always if it was attached to, gdb lets it go.
func (t *Target) became(ctx context.Context, name string) (target.Stop, error) {
	stop := target.Stop{Reason: target.Exited, Became: name, Thread: t.threads.cur}
	t.noteForks()
	t.mem.close()
	t.mem, t.ended, t.forks.became = nil, true, true
	t.c.mu.Lock()
	t.c.execed = ""
	t.c.mu.Unlock()
	if err := errors.Join(t.forgetBreaks(ctx), t.c.console(ctx, passing)); err != nil {
		return stop, err
	}
	t.threads.list = nil
	if err := t.only(ctx, false); err != nil {
		return stop, err
	}
	if t.attached == 0 {
		over, err := t.runOut(ctx, &stop)
		if over || err != nil {
			return stop, err
		}
	}
	i, _ := process.Look(t.pid)
	t.forks.list = append(t.forks.list, forked{forkedProcess: forkedProcess{t.pid, i.Started}, shares: true, parent: true})
	_, err := t.c.send(ctx, "-target-detach")
	t.running, t.pid, stop.Left = false, 0, true
	return stop, err
}

// runOut lets another program that the process has become run until it ends, or is interrupted, or waits for input. over
// says that it has ended.
func (t *Target) runOut(ctx context.Context, stop *target.Stop) (over bool, err error) {
	for {
		if _, err := t.c.send(ctx, "-exec-continue"); err != nil {
			return false, err
		}
		rec, err := t.await(ctx)
		if errors.Is(err, errNeedInput) {
			t.kill(unix.SIGINT)
			for errors.Is(err, errNeedInput) {
				rec, err = t.await(context.WithoutCancel(ctx))
			}
		}
		switch {
		case err != nil:
			return false, err
		case strings.HasPrefix(rec.str("reason"), "exited"):
			t.running, t.pid = false, 0
			code, _ := strconv.ParseInt(rec.str("exit-code"), 8, 32)
			stop.Status, stop.Message = int(code), rec.str("signal-name")
			t.awaitParent(ctx, true)
			return true, nil
		case rec.str("signal-name") == "SIGINT":
			return false, nil
		}
	}
}

// alone makes gdb and the system as they were before the program was started: the processes of the last run are ended.
func (t *Target) alone(ctx context.Context) error {
	t.noteForks()
	t.endForked()
	f := &t.forks
	if _, group := t.c.process(); group != "" && group != "i1" {
		if err := t.forgetBreaks(ctx); err != nil { // they go with the group
			return err
		}
		if err := t.c.console(ctx, "inferior 1"); err != nil {
			return err
		}
		_ = t.c.console(ctx, "remove-inferiors "+strings.TrimPrefix(group, "i"))
	}
	if f.became {
		if err := errors.Join(t.programFiles(ctx), t.c.console(ctx, withholding)); err != nil {
			return err
		}
	}
	if f.entered() {
		if err := t.c.console(ctx, "handle SIGHUP pass"); err != nil {
			return err
		}
	}
	*f = forks{child: f.child, caught: f.caught, execs: f.execs}
	return nil
}

// childAsks tells whether a process that the program has forked waits for what is typed while the program itself waits
// for something.
func (t *Target) childAsks() asking {
	t.noteForks()
	for _, f := range t.forks.list {
		if _, there := f.there(); !there || !readsFrom(f.pid, t.tty) {
			continue
		}
		if a := t.asks(f.pid); a.waits {
			sleeps, timed := asleep(t.pid, t.pid)
			a.waits = t.input.pending() || sleeps && !timed
			return a
		}
	}
	return asking{}
}

// readsFrom reports whether a process has the terminal as its standard input.
func readsFrom(pid int, tty *terminal) bool {
	name, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/0", pid))
	return err == nil && tty != nil && name == tty.name
}

// endForked kills the processes of the program that are not in hand, and their descendants.
func (t *Target) endForked() {
	f := &t.forks
	if len(f.list) == 0 || t.attached != 0 {
		return
	}
	for round := range 100 {
		all := process.List()
		left := 0
		for pid := range t.family(all) {
			left++
			if !all[pid].Dead {
				_ = unix.Kill(pid, unix.SIGKILL)
			} else if all[pid].Parent == os.Getpid() {
				_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil)
			} else {
				left-- // whoever has started it waits for it
			}
		}
		if left == 0 {
			return
		}
		time.Sleep(time.Duration(min(round+1, 20)) * time.Millisecond)
	}
}

// family are the processes of the program that are not in hand: those that gdb has told of, all of their session, all
// that run the program, and those below them.
func (t *Target) family(all map[int]process.Info) map[int]bool {
	own := map[int]bool{}
	for _, f := range t.forks.list {
		if i, ok := all[f.pid]; ok && i.Started == f.started {
			own[f.pid] = true
		}
	}
	for pid, i := range all {
		if t.forks.first != 0 && i.Session == t.forks.first {
			own[pid] = true
		} else if exe, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", pid)); err == nil && filepath.Dir(exe) == t.dir {
			own[pid] = true
		}
	}
	addBelow(own, all)
	delete(own, t.pid)
	return own
}

// addBelow adds to processes those below them.
func addBelow(own map[int]bool, all map[int]process.Info) {
	for more := true; more; {
		more = false
		for pid, i := range all {
			if !own[pid] && own[i.Parent] {
				own[pid], more = true, true
			}
		}
	}
}

// children are the processes that the one in hand has forked and not waited for.
func (t *Target) children() []forkedProcess {
	t.noteForks()
	var out []forkedProcess
	for _, f := range t.forks.list {
		if i, ok := f.there(); ok && i.Parent == t.pid {
			out = append(out, f.forkedProcess)
		}
	}
	return out
}

// canReturn reports why the process in hand cannot be taken back to a saved state. It can go back to states of its own,
// and to those of a parent that was left for it, unless that had other children then: only the parent can wait for them.
func (t *Target) canReturn(s *snapshot) error {
	switch i := slices.Index(t.forks.line, t.forks.now(s.process)); {
	case t.attached != 0 || s.process == t.pid:
		return nil
	case i < 0:
		return fmt.Errorf("that was in process %d, which is not in hand; start runs the program again", s.process)
	case len(s.children) > 0:
		return fmt.Errorf("that was in the parent, process %d, which had other children; start runs the program again", s.process)
	}
	return nil
}

// unfork kills the processes that were forked since a state was saved, and has the process in hand wait for those that
// are its children.
func (t *Target) unfork(ctx context.Context, s *snapshot) error {
	f := &t.forks
	if t.attached != 0 {
		return nil
	}
	t.noteForks()
	for _, c := range s.children {
		if _, ok := c.there(); !ok && !slices.Contains(f.news.Reaped, c.pid) {
			f.news.Reaped = append(f.news.Reaped, c.pid)
		}
	}
	if s.forked >= len(f.list) {
		return nil
	}
	all := process.List()
	own := map[int]bool{}
	var mine []int // that only the process in hand can wait for
	for _, x := range f.list[s.forked:] {
		if i, ok := all[x.pid]; ok && i.Started == x.started {
			own[x.pid] = true
			if i.Parent == t.pid {
				mine = append(mine, x.pid)
			}
			if !i.Dead && !x.parent {
				f.news.Killed = append(f.news.Killed, x.pid)
			}
		}
	}
	self := map[int]bool{t.pid: true}
	addBelow(self, all)
	for pid := range self { // what is below the parent is below it, too
		if i := all[pid]; pid == t.pid || !own[pid] && !own[i.Parent] {
			delete(all, pid)
		}
	}
	addBelow(own, all)
	for pid := range own {
		_ = unix.Kill(pid, unix.SIGKILL)
	}
	f.list = f.list[:s.forked]
	f.told = min(f.told, s.forked)
	if was := f.now(s.process); was != t.pid {
		i := slices.Index(f.line, was)
		f.line, f.news.Replaced, f.news.By, f.toldIn = append(f.line[:i:i], t.pid), was, t.pid, t.pid
		if f.standsFor == nil {
			f.standsFor = map[int]int{}
		}
		f.standsFor[was] = t.pid
	}
	return t.waitFor(ctx, mine)
}

// waitFor has the process in hand wait for children that have been killed. It changes registers, which the caller sets
// anew.
func (t *Target) waitFor(ctx context.Context, list []int) error {
	if len(list) == 0 {
		return nil
	}
	if err := t.only(ctx, true); err != nil {
		return err
	}
	if err := t.c.console(ctx, "handle SIGCHLD nopass"); err != nil {
		return err
	}
	for _, pid := range list {
		err := t.setRegisters(ctx, t.selected(), []string{"rip", "orig_rax", "rax", "rdi", "rsi", "rdx", "r10"},
			[]string{fmt.Sprint(t.info.wait), "-1", fmt.Sprint(unix.SYS_WAIT4), fmt.Sprint(pid), "0", fmt.Sprint(unix.WALL), "0"})
		if err != nil {
			return err
		}
		if _, err := t.c.send(ctx, "-exec-step-instruction"); err != nil {
			return err
		}
		if _, err := t.await(context.WithoutCancel(ctx)); err != nil {
			return fmt.Errorf("process %d, which was forked since, does not end: %w", pid, err)
		}
	}
	return t.c.console(ctx, "handle SIGCHLD pass")
}

// Processes implements target.Forking.
func (t *Target) Processes() target.Processes {
	t.noteForks()
	f := &t.forks
	p := target.Processes{Child: f.child, Gone: t.pid == 0, Forked: len(f.list)}
	if n := len(f.line); n > 0 {
		if p.InHand = f.line[n-1]; n > 1 {
			p.Parent = f.line[n-2]
			p.Doing = t.doing(p.Parent)
		}
	}
	return p
}

// News implements target.Forking.
func (t *Target) News() target.ProcessNews {
	in := t.Processes().InHand
	f := &t.forks
	p := f.news
	p.Entered = f.toldIn != 0 && in != f.toldIn
	for _, x := range f.list[f.told:] {
		if !x.shares && !x.parent {
			p.Forked = append(p.Forked, x.pid)
		}
	}
	f.told, f.toldIn, f.news = len(f.list), in, target.ProcessNews{}
	return p
}

// Children implements target.Forking.
func (t *Target) Children() []int {
	t.noteForks()
	var out []int
	for _, f := range t.forks.list {
		if i, ok := f.there(); ok && !i.Dead && !f.parent {
			out = append(out, f.pid)
		}
	}
	return out
}

// doing tells what a process does that was left for its child.
func (t *Target) doing(pid int) target.Doing {
	i := slices.IndexFunc(t.forks.list, func(f forked) bool { return f.pid == pid })
	if i < 0 {
		return target.Over
	}
	if p, ok := t.forks.list[i].there(); !ok || p.Dead {
		return target.Over
	}
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, e := range tasks {
		tid, err := strconv.Atoi(e.Name())
		if sleeps, timed := asleep(pid, tid); err == nil && (!sleeps || timed) {
			return target.Running
		}
	}
	return target.Waiting
}

// Bounds of how long the parent is waited for, and how long it has to wait for something else.
const (
	parentEnds  = 2 * time.Second // of the processor's time while it runs
	parentWaits = 300 * time.Millisecond
	parentGuard = 30 * time.Second
)

// awaitParent waits a moment until the parent of the process in hand has ended or waits for something. If the child is
// gone, the parent may be about to wake up because of that: it counts as waiting only if it has done so for parentWaits.
func (t *Target) awaitParent(ctx context.Context, gone bool) {
	n := len(t.forks.line)
	if n < 2 {
		return
	}
	parent := t.forks.line[n-2]
	begun, last, took := time.Now(), time.Now(), time.Duration(0)
	spent, slept := onProcessor(parent), begun
	for took < parentEnds && time.Since(begun) < parentGuard && ctx.Err() == nil {
		time.Sleep(5 * time.Millisecond)
		now, used := time.Now(), onProcessor(parent)
		if runnable(parent) { // on a loaded machine it waits for its turn, which does not count
			took += time.Duration(used - spent)
		} else {
			took += now.Sub(last)
		}
		last, spent = now, used
		switch d := t.doing(parent); {
		case d == target.Over || d == target.Waiting && (!gone || now.Sub(slept) >= parentWaits):
			return
		case d == target.Running:
			slept = now
		}
	}
}

// LetGo implements target.Forking.
func (t *Target) LetGo(ctx context.Context) error {
	if !t.ended || !t.running || !t.forks.entered() {
		return target.ErrEnded
	}
	if _, err := t.c.send(ctx, "-exec-continue"); err != nil {
		return err
	}
	rec, err := t.await(ctx)
	if err != nil {
		return err
	}
	_, err = t.arrive(ctx, rec)
	return err
}
