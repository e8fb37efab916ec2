package machine

import "gulo/internal/ctype"

// This file is the children of clone that share the memory of their parent. Each is a thread; control.c makes the
// process that has its number and its status.

func init() {
	register(map[string]builtin{
		"__gulo_clone_thread": libCloneThread,
		"__gulo_clone_status": func(m *Machine, _ *libCall) (ctype.Word, *Fault) { return m.threading().cur.result & 0xff, nil },
	})
}

// cloned is the running thread if it is a process of clone, else nil.
func (m *memory) cloned() *thread {
	if m.th == nil || m.th.cur == nil || m.th.cur.pid == 0 {
		return nil
	}
	return m.th.cur
}

// libCloneThread makes the thread of a process, as pthread_create does.
func libCloneThread(m *Machine, c *libCall) (ctype.Word, *Fault) {
	id, _ := ctype.SplitPointer(c.arg(0))
	if len(m.threading().list) >= maxThreads {
		return 0, m.fault(LimitFault, 0, "more than %d threads", maxThreads)
	}
	t, f := m.newThread(m.funcs[m.fnOf[id]], c.arg(1))
	if f != nil {
		return 0, f
	}
	t.pid, t.quiet = int(c.int(2)), c.int(3) != 0
	m.returns(c, ctype.Word(t.number))
	return 0, nil
}

// isQuiet reports whether a process is one of clone whose end no signal tells; wait finds it with __WCLONE only.
func (m *memory) isQuiet(pid int) bool {
	t := m.threadOfProcess(pid)
	return t != nil && t.quiet
}

// joinCloned orders what a process of clone did before what its parent does after waiting for it.
func (m *memory) joinCloned(pid int) {
	if t := m.threadOfProcess(pid); t != nil {
		m.th.cur.clock = m.th.cur.clock.joined(t.clock)
	}
}

// threadOfProcess is the thread that a process of clone is, nil for none.
func (m *memory) threadOfProcess(pid int) *thread {
	if m.th == nil {
		return nil
	}
	for _, t := range m.th.list {
		if t.pid == pid {
			return t
		}
	}
	return nil
}
