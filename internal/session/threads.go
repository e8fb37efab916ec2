package session

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"gulo/internal/target"
)

// This file handles programs with several threads. One of them is the session's: it is stepped, recorded and repaired.
// What the others do while it waits for them is part of the statement that waits.

// threads lists the threads of the program; nil if the target knows only one.
func (s *inferior) threads() []target.Thread {
	t, ok := s.tgt.(target.Threaded)
	if !ok || !s.started || s.stop.Reason == target.Exited {
		return nil
	}
	list, err := t.Threads()
	if err != nil {
		return nil
	}
	return list
}

// threadName is the function that a thread began with.
func threadName(t *target.Thread) string {
	if n := len(t.Frames); n > 0 {
		return t.Frames[n-1].Func.Name
	}
	return ""
}

// reportThread says which thread is the session's now, and which one has ended.
func (s *inferior) reportThread() {
	n := s.stop.Thread
	if n == s.thread || s.stop.Reason == target.Exited || s.stop.Reason == target.NeedInput {
		return
	}
	if s.stop.Ended != 0 {
		s.printf("thread %d has ended\n", s.stop.Ended)
	}
	s.thread = n
	for _, t := range s.threads() {
		if t.Number == n {
			s.printf("thread %d (%s) is the one that is stepped now\n", n, threadName(&t))
		}
	}
}

func (s *Session) threadsCmd(context.Context, string) error {
	if !s.started {
		return errorf("the program is not running; use start")
	}
	for _, t := range s.threads() {
		mark := "  "
		if t.Number == s.stop.Thread {
			mark = "=>"
		}
		s.printf("%s %d %s\n", mark, t.Number, s.threadLine(&t))
	}
	return nil
}

// threadLine says where a thread is.
func (s *inferior) threadLine(t *target.Thread) string {
	if len(t.Frames) == 0 {
		return "in no function of the program: it is starting or ending"
	}
	f := t.Frames[0]
	text := threadName(t)
	if len(t.Frames) > 1 {
		text += ", in " + f.Func.Name
	}
	if f.Stmt > 0 && int(f.Stmt) < len(s.prog.Stmts) {
		st := s.prog.Stmts[f.Stmt]
		p := st.Range.Position()
		text += fmt.Sprintf(" at %s:%d: %s", p.File, p.Line, Show(st))
		if t.Inside {
			text += "  (being executed)"
		}
	}
	return text
}

// threadCmd makes another thread the one that is stepped.
func (s *Session) threadCmd(ctx context.Context, args string) error {
	if err := s.running(); err != nil {
		return err
	}
	t, ok := s.tgt.(target.Threaded)
	n, err := strconv.Atoi(args)
	switch {
	case err != nil:
		return errorf("thread wants the number of a thread, as in: thread 2; threads lists them")
	case !ok:
		return errorf("this engine runs one thread only")
	case n == s.stop.Thread:
		return errorf("thread %d is the one that is stepped", n)
	}
	var numbers []string
	found := false
	for _, x := range s.threads() {
		numbers = append(numbers, strconv.Itoa(x.Number))
		found = found || x.Number == n
	}
	if !found {
		return errorf("there is no thread %d; there are %s", n, strings.Join(numbers, ", "))
	}
	s.settle()
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Limit)
	defer cancel()
	stop, err := t.Switch(ctx, n)
	if err != nil {
		return errorf("%v", err)
	}
	if err := s.arrived(stop, nil); err != nil {
		return err
	}
	if s.stop.Reason == target.Breakpoint {
		s.stop.Reason = target.Stepped
	}
	s.attend()
	return s.show()
}

// goBack returns to the stepped thread if another one has come to a breakpoint whose condition does not hold. on is
// false if that other thread is to be stepped.
func (s *Session) goBack(ctx context.Context, thread int) (on bool, err error) {
	t, ok := s.tgt.(target.Threaded)
	if !ok || s.stop.Reason != target.Stepped || s.stop.Inside || s.stop.Ended != 0 {
		return false, nil
	}
	if halt, err := s.halts(); halt || err != nil {
		return false, err
	}
	if st := s.stmt(); st != nil && s.patch.Touches(s.prog, st.Func) {
		return false, nil
	}
	stop, err := t.Switch(ctx, thread)
	return err == nil, s.arrived(stop, err)
}

// errInside is the error of commands that need a statement which has not begun.
func (s *inferior) errInside() error {
	return errorf("thread %d is in the middle of %s; next ends it", s.stop.Thread, Show(s.stmt()))
}

// outermost is the error of finish in a function that has no caller.
func (s *inferior) outermost() error {
	for _, t := range s.threads() {
		if t.Number == s.stop.Thread && t.Number > 1 {
			return errorf("%s is what thread %d began with, and has no caller to finish to; use continue", threadName(&t), t.Number)
		}
	}
	return errorf("main has no caller to finish to; use continue")
}
