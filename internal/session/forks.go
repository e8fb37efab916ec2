package session

import (
	"context"
	"fmt"
	"strconv"

	"gulo/internal/plural"
	"gulo/internal/target"
)

// This file handles programs that fork. One process is the session's: the one that was started, or a child that was
// followed. The others run by themselves; the session says so, and what undo does to them.

// followCmd says which process a fork leads into, or tells which one is in hand.
func (s *Session) followCmd(ctx context.Context, args string) error {
	t, ok := s.tgt.(target.Forking)
	switch {
	case !ok:
		return errorf("on the machine sessions stay in the first process, and children run beside it; under gdb (--engine gdb) a child can be followed")
	case args == "":
		s.sayProcesses(t)
		return nil
	case args != "child" && args != "parent":
		return errorf("follow wants child or parent, not %q", args)
	}
	if err := t.Follow(args == "child"); err != nil {
		return errorf("%v", err)
	}
	s.printf("%s\n", followed(args == "child"))
	s.toldForks = true
	return nil
}

func followed(child bool) string {
	if child {
		return "a fork leads into the child from now on; its parent runs by itself"
	}
	return "a fork stays in the parent from now on; its child runs by itself"
}

// sayProcesses tells which process is in hand, and what the others do.
func (s *Session) sayProcesses(t target.Forking) {
	s.tellProcesses()
	p := t.Processes()
	switch {
	case p.InHand == 0 || p.Gone:
		s.printf("the session is in no process\n")
	case p.Parent != 0:
		s.printf("the session is in process %d, a child of process %d; that %s\n", p.InHand, p.Parent, doing(p.Doing))
	default:
		s.printf("the session is in process %d\n", p.InHand)
	}
	if list := t.Children(); len(list) == 1 {
		s.printf("process %d was forked and runs by itself\n", list[0])
	} else if len(list) > 1 {
		s.printf("%s were forked and run by themselves\n", processes(list))
	}
	s.printf("%s\n", followed(p.Child))
}

// doing says what a process does that is not in hand.
func doing(d target.Doing) string {
	return map[target.Doing]string{target.Over: "has ended", target.Waiting: "waits", target.Running: "runs by itself"}[d]
}

// mostNamed bounds the processes that are named one by one.
const mostNamed = 5

// processes names processes in a message.
func processes(list []int) string {
	if len(list) == 1 {
		return "process " + strconv.Itoa(list[0])
	}
	if len(list) > mostNamed {
		return fmt.Sprintf("%s, the last of them %d,", plural.N(len(list), "process"), list[len(list)-1])
	}
	var out []string
	for _, p := range list {
		out = append(out, strconv.Itoa(p))
	}
	return "processes " + joinAnd(out)
}

// notice prints a message about the program's processes and adds it to Noticed.
func (s *Session) notice(format string, args ...any) {
	s.printf(format, args...)
	s.noticed += fmt.Sprintf(format, args...)
}

// Noticed is what the last line given to Exec has said of the program's processes, for views that show no text of
// commands; "" for nothing.
func (s *Session) Noticed() string { return s.noticed }

// tellProcesses says what has become of the program's processes since it was said last.
func (s *Session) tellProcesses() {
	t, ok := s.tgt.(target.Forking)
	if !ok || !s.started {
		return
	}
	n, p := t.News(), t.Processes()
	if len(n.Killed) > 0 {
		s.notice("note: going back has ended %s, forked since then\n", processes(n.Killed))
	}
	if n.Replaced != 0 {
		s.notice("note: process %d takes the place of its parent, process %d, before the fork; that parent was ended\n", n.By, n.Replaced)
	}
	if len(n.Reaped) > 0 {
		s.notice("note: %s ended since then and cannot be brought back: a wait for it fails\n", processes(n.Reaped))
	}
	if n.Entered {
		s.thread, s.stop.Ended = s.stop.Thread, 0 // the child has only the thread that forked
		s.notice("the session is now in process %d, the child; its parent, process %d, was left to run by itself\n", p.InHand, p.Parent)
	}
	if len(n.Forked) > 0 {
		verb, hint := "was left to run by itself", ""
		if len(n.Forked) > 1 {
			verb = "were left to run by themselves"
		}
		if !s.toldForks && !p.Child {
			s.toldForks, hint = true, " (follow child leads into the child of the next fork)"
		}
		s.notice("the program forked: %s %s%s\n", processes(n.Forked), verb, hint)
	}
}

// processesNow returns what is known of the program's processes; the zero value if the engine has only one.
func (s *inferior) processesNow() target.Processes {
	if t, ok := s.tgt.(target.Forking); ok {
		return t.Processes()
	}
	return target.Processes{}
}

// ended says how the process in hand has ended.
func (s *inferior) ended() string {
	who := "the program"
	if p := s.processesNow(); p.Parent != 0 {
		who = fmt.Sprintf("process %d, the child,", p.InHand)
	}
	if s.stop.Became == "" {
		return fmt.Sprintf("%s ended with status %d", who, s.stop.Status)
	}
	end := fmt.Sprintf("that ended with status %d", s.stop.Status)
	if s.stop.Left {
		end = "it runs on by itself"
	} else if s.stop.Message != "" {
		end = "that was killed by " + s.stop.Message
	}
	return fmt.Sprintf("%s has become another program, %s (exec), whose source is not open here; %s", who, s.stop.Became, end)
}

// errBecame is the error of commands that need the program after it has executed another one.
func (s *inferior) errBecame() error {
	if x, ok := s.tgt.(interface{ Attached() int }); ok && x.Attached() != 0 {
		return errorf("the program has become another one, %s, and gulo is no longer attached to it", s.stop.Became)
	}
	return errorf("the program has become another one, %s; start runs it again from its beginning", s.stop.Became)
}

// sayEnded prints how the program ended, and what can be done then.
func (s *Session) sayEnded() {
	if s.processesNow().Gone {
		s.graph, s.img = nil, nil
	}
	if s.stop.Became == "" && s.processesNow().Parent == 0 {
		s.printf("%s\n", s.ended())
		return
	}
	s.notice("%s\n", s.ended())
	s.sayParent()
}

// Status is what the program ended with.
func (s *Session) Status() int { return s.stop.Status }

// sayParent says what the parent of a process in hand that has ended does, and how to go on.
func (s *Session) sayParent() {
	p := s.processesNow()
	next := "; start runs the program again"
	switch {
	case p.Parent == 0:
		return
	case p.Gone || p.Doing == target.Over:
	case s.stop.Reason == target.Exited:
		next = "; continue lets the child go, so that the parent sees its end"
	default:
		next = ""
	}
	s.notice("its parent, process %d, %s%s\n", p.Parent, doing(p.Doing), next)
}

// letGo lets a child in hand that has ended go; done is false if there is none.
func (s *Session) letGo(ctx context.Context) (done bool, err error) {
	t, ok := s.tgt.(target.Forking)
	if !ok || !s.started || s.stop.Reason != target.Exited {
		return false, nil
	}
	p := t.Processes()
	if p.Parent == 0 || p.Gone {
		return false, nil
	}
	if err := t.LetGo(ctx); err != nil {
		return true, errorf("process %d cannot be let go: %v", p.InHand, err)
	}
	s.history, s.graph, s.img = nil, nil, nil // they belong to a process that is gone
	s.flushProgram()
	s.notice("process %d is gone\n", p.InHand)
	s.sayParent()
	return true, nil
}
