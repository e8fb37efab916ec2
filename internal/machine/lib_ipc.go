package machine

import (
	"encoding/binary"
	"maps"
	"slices"

	"gulo/internal/ctype"
)

// This file is semaphores and queues of messages of System V (sys/sem.h, sys/msg.h). All processes of a program have
// them in common.

func init() {
	register(map[string]builtin{
		"semget": libSemget, "semop": libSemop, "semtimedop": libSemop, "semctl": libSemctl, "msgget": libMsgget, "msgsnd": libMsgsnd, "msgrcv": libMsgrcv, "msgctl": libMsgctl,
	})
}

const (
	errBIG    = 7
	errRANGE  = 34
	errNOMSG  = 42
	errIDRM   = 43
	ipcNoWait = 0o4000
	ipcKey    = pollKey | 1<<59 // with a number added, what threads wait on (thread.on)
	semUndo   = 0o10000
	mostValue = 32767
	mostText  = 8192
	roomOf    = 16384 // bytes of a queue
)

// systemV is what a process does with them. The disk has the sets and queues, as processes share them.
type systemV struct {
	m    *Machine
	undo map[[2]int]int // what semop has done with SEM_UNDO, by set and number, negated; not changed in place
}

// shared is a set of semaphores or a queue of messages. It is not changed in place.
type shared struct {
	key      int32
	mode     ctype.Word
	values   []int // of the semaphores; nil for a queue
	pids     []int // who changed each last
	messages []message
	pid      [2]int // who has sent and received last
}

// message is a message of a queue.
type message struct {
	kind int64
	text []byte
}

// setShared changes what is known of a set or queue; nil removes it. Those who wait for it look again.
func (v *systemV) setShared(id int, x *shared) {
	m := v.m
	d := m.lib.fs.disk
	d.shared = maps.Clone(d.shared)
	if d.shared == nil {
		d.shared = map[int]*shared{}
	}
	if d.shared[id] = x; x == nil {
		delete(d.shared, id)
	}
	if m.several() {
		m.th.release(ipcKey + ctype.Word(id))
	}
	m.wakeAll(ipcKey + ctype.Word(id))
}

// sharedOf returns the set or queue of a call, nil with an errno where there is none.
func (v *systemV) sharedOf(c *libCall, queue bool) (int, *shared, ctype.Word) {
	m := v.m
	id := int(c.int(0))
	x := m.lib.fs.shared[id]
	if x == nil || (x.values == nil) != queue {
		if t := m.threading().cur; t.inside {
			t.inside = false
			return id, nil, errIDRM
		}
		return id, nil, errINVAL
	}
	if m.several() {
		m.th.acquire(ipcKey + ctype.Word(id))
	}
	return id, x, 0
}

// getShared finds a set or queue by its key, or makes one.
func (v *systemV) getShared(key int32, flags int64, count int, queue bool) (ctype.Word, *Fault) {
	m := v.m
	const create, exclusive = 0o1000, 0o2000
	for id, x := range m.lib.fs.shared {
		if key == 0 || x.key != key || (x.values == nil) != queue {
			continue
		}
		switch {
		case flags&(create|exclusive) == create|exclusive:
			return m.failed(errEXIST)
		case count > len(x.values):
			return m.failed(errINVAL)
		}
		return ctype.Word(id), nil
	}
	if key != 0 && flags&create == 0 {
		return m.failed(errNOENT)
	}
	x := &shared{key: key, mode: ctype.Word(flags & 0o777)}
	if !queue {
		if count <= 0 || count > 32000 {
			return m.failed(errINVAL)
		}
		x.values, x.pids = make([]int, count), make([]int, count)
	}
	m.lib.fs.ipcs++
	v.setShared(m.lib.fs.ipcs-1, x)
	return ctype.Word(m.lib.fs.ipcs - 1), nil
}

func libSemget(m *Machine, c *libCall) (ctype.Word, *Fault) {
	return m.lib.systemV.getShared(int32(c.arg(0)), c.int(2), int(c.int(1)), false)
}

func libMsgget(m *Machine, c *libCall) (ctype.Word, *Fault) {
	return m.lib.systemV.getShared(int32(c.arg(0)), c.int(1), 0, true)
}

// waitShared lets a call wait for a set or queue.
func (v *systemV) waitShared(c *libCall, id int, why string, until int64) (ctype.Word, *Fault) {
	m := v.m
	m.threading().cur.inside = true
	return m.wait(c, why, ipcKey+ctype.Word(id), until)
}

// libSemop is semop and semtimedop: all of the operations, or none and the call waits.
func libSemop(m *Machine, c *libCall) (ctype.Word, *Fault) {
	id, x, errno := m.lib.systemV.sharedOf(c, false)
	if errno != 0 {
		return m.failed(errno)
	}
	t := m.threading().cur
	late := t.late
	t.late = false
	n := c.long(2)
	if n < 1 || n > 500 {
		return m.failed(pick(n < 1, errINVAL, errBIG))
	}
	ops, f := m.bytes(c.arg(1), 6*n, true)
	if f != nil {
		return 0, f
	}
	y := *x
	y.values, y.pids = slices.Clone(x.values), slices.Clone(x.pids)
	undo := maps.Clone(m.lib.systemV.undo)
	for ; len(ops) > 0; ops = ops[6:] {
		k, by, flags := int(binary.LittleEndian.Uint16(ops)), int(int16(binary.LittleEndian.Uint16(ops[2:]))), binary.LittleEndian.Uint16(ops[4:])
		switch {
		case k >= len(y.values):
			return m.failed(errFBIG)
		case by == 0 && y.values[k] != 0, y.values[k]+by < 0:
			return m.lib.systemV.semWaits(c, id, flags&ipcNoWait != 0 || late)
		case y.values[k]+by > mostValue:
			return m.failed(errRANGE)
		}
		y.values[k] += by
		y.pids[k] = m.pid()
		if flags&semUndo != 0 {
			if undo == nil {
				undo = map[[2]int]int{}
			}
			undo[[2]int{id, k}] -= by
		}
	}
	t.inside = false
	m.lib.systemV.undo = undo
	m.lib.systemV.setShared(id, &y)
	return 0, nil
}

// semWaits is a semop that cannot be done now; at once says that it may not wait.
func (v *systemV) semWaits(c *libCall, id int, atOnce bool) (ctype.Word, *Fault) {
	m := v.m
	t := m.th.cur
	if atOnce {
		t.inside = false
		return m.failed(errAGAIN)
	}
	until := t.until
	if !t.inside {
		if until = 0; c.name == "semtimedop" && c.arg(3) != 0 {
			n, f := m.timespec(c.arg(3))
			if f != nil {
				return 0, f
			}
			until = m.nanos() + max(n, 1)
		}
	}
	return v.waitShared(c, id, "a semaphore", until)
}

// undoAll takes back what a process that ends has done with SEM_UNDO.
func (v *systemV) undoAll(l *library) {
	for at, by := range l.systemV.undo {
		x := v.m.lib.fs.shared[at[0]]
		if x == nil || by == 0 || at[1] >= len(x.values) {
			continue
		}
		y := *x
		y.values = slices.Clone(x.values)
		y.values[at[1]] = max(y.values[at[1]]+by, 0)
		v.setShared(at[0], &y)
	}
	l.systemV.undo = nil
}

// permissions is the struct ipc_perm of a set or queue, in front of n bytes in all.
func (x *shared) permissions(n int) []byte {
	b := make([]byte, n)
	ctype.Store(ctype.IntT, b, ctype.Word(uint32(x.key)))
	for _, at := range []int{4, 8, 12, 16} {
		ctype.Store(ctype.UIntT, b[at:], 1000)
	}
	ctype.Store(ctype.UIntT, b[20:], x.mode)
	return b
}

// The commands of semctl and msgctl.
const (
	ipcRemove = 0
	ipcSet    = 1
	ipcStat   = 2
	semGetPid = 11
	semGet    = 12
	semGetAll = 13
	semWaitN  = 14
	semWaitZ  = 15
	semSet    = 16
	semSetAll = 17
)

func libSemctl(m *Machine, c *libCall) (ctype.Word, *Fault) {
	id, x, errno := m.lib.systemV.sharedOf(c, false)
	if errno != 0 {
		return m.failed(errno)
	}
	k, cmd := int(c.int(1)), c.int(2)
	if (cmd == semGetPid || cmd == semGet || cmd == semSet || cmd == semWaitN || cmd == semWaitZ) && (k < 0 || k >= len(x.values)) {
		return m.failed(errINVAL)
	}
	y := *x
	y.values, y.pids = slices.Clone(x.values), slices.Clone(x.pids)
	switch cmd {
	case ipcRemove:
		m.lib.systemV.setShared(id, nil)
		return 0, nil
	case ipcSet:
		mode, f := m.load(c.arg(3)+20, ctype.UIntT)
		y.mode = mode & 0o777
		m.lib.systemV.setShared(id, &y)
		return 0, f
	case ipcStat:
		b := x.permissions(104)
		ctype.Store(ctype.LongT, b[64:], ctype.Word(m.now()))
		ctype.Store(ctype.ULongT, b[80:], ctype.Word(len(x.values)))
		return 0, m.putBytes(c.arg(3), b)
	case semGetPid:
		return ctype.Word(x.pids[k]), nil
	case semGet:
		return ctype.Word(x.values[k]), nil
	case semWaitN, semWaitZ:
		return m.lib.systemV.waitingFor(id, k, cmd == semWaitZ), nil
	case semSet:
		v := int(c.int(3))
		if v < 0 || v > mostValue {
			return m.failed(errRANGE)
		}
		y.values[k], y.pids[k] = v, m.pid()
		m.lib.systemV.setShared(id, &y)
		return 0, nil
	case semGetAll:
		var b []byte
		for _, v := range x.values {
			b = binary.LittleEndian.AppendUint16(b, uint16(v))
		}
		return 0, m.putBytes(c.arg(3), b)
	case semSetAll:
		b, f := m.bytes(c.arg(3), int64(2*len(x.values)), true)
		if f != nil {
			return 0, f
		}
		for i := range y.values {
			if y.values[i] = int(binary.LittleEndian.Uint16(b[2*i:])); y.values[i] > mostValue {
				return m.failed(errRANGE)
			}
		}
		m.lib.systemV.setShared(id, &y)
		return 0, nil
	}
	return 0, m.fault(Unsupported, 0, "semctl with the command %d is not supported", cmd)
}

// waitingFor counts the threads that wait for a semaphore to grow, or for it to be zero: all that wait for its set,
// where the set has no other semaphore.
func (v *systemV) waitingFor(id, k int, zero bool) (n ctype.Word) {
	m := v.m
	if (m.lib.fs.shared[id].values[k] == 0) == zero {
		return 0
	}
	for l := range m.libraries {
		for _, t := range l.threads(m) {
			if t.state == waiting && t.on == ipcKey+ctype.Word(id) {
				n++
			}
		}
	}
	return n
}

func (x *shared) bytes() (n int) {
	for i := range x.messages {
		n += len(x.messages[i].text)
	}
	return n
}

func libMsgsnd(m *Machine, c *libCall) (ctype.Word, *Fault) {
	id, x, errno := m.lib.systemV.sharedOf(c, true)
	if errno != 0 {
		return m.failed(errno)
	}
	kind, f := m.load(c.arg(1), ctype.LongT)
	if f != nil {
		return 0, f
	}
	n := c.long(2)
	if int64(kind) < 1 || n < 0 || n > mostText {
		return m.failed(errINVAL)
	}
	text, f := m.given(c.arg(1)+8, n)
	if f != nil {
		return 0, f
	}
	if int64(x.bytes())+n > roomOf || len(x.messages) >= roomOf {
		if c.int(3)&ipcNoWait != 0 {
			return m.failed(errAGAIN)
		}
		return m.lib.systemV.waitShared(c, id, "room in a queue of messages", 0)
	}
	y := *x
	y.messages = append(slices.Clone(x.messages), message{int64(kind), slices.Clone(text)})
	y.pid[0] = m.pid()
	m.threading().cur.inside = false
	m.lib.systemV.setShared(id, &y)
	return 0, nil
}

// wanted is the place of the message that msgrcv takes: the first one of a kind, or of another one, or of the least kind
// up to a number; -1 for none.
func (x *shared) wanted(kind int64, other bool) int {
	best := -1
	for i, t := range x.messages {
		switch {
		case kind == 0, kind > 0 && (t.kind == kind) != other:
			return i
		case kind < 0 && t.kind <= -kind && (best < 0 || t.kind < x.messages[best].kind):
			best = i
		}
	}
	return best
}

func libMsgrcv(m *Machine, c *libCall) (ctype.Word, *Fault) {
	const cut, other, peek = 0o10000, 0o20000, 0o40000
	id, x, errno := m.lib.systemV.sharedOf(c, true)
	if errno != 0 {
		return m.failed(errno)
	}
	n, flags := c.long(2), c.int(4)
	if n < 0 {
		return m.failed(errINVAL)
	}
	if flags&peek != 0 {
		return 0, m.fault(Unsupported, 0, "msgrcv with MSG_COPY is not supported")
	}
	i := x.wanted(c.long(3), flags&other != 0)
	if i < 0 {
		if flags&ipcNoWait != 0 {
			return m.failed(errNOMSG)
		}
		return m.lib.systemV.waitShared(c, id, "a message", 0)
	}
	m.threading().cur.inside = false
	got := x.messages[i]
	if int64(len(got.text)) > n && flags&cut == 0 {
		return m.failed(errBIG)
	}
	text := got.text[:min(n, int64(len(got.text)))]
	if f := m.store(c.arg(1), ctype.LongT, ctype.Word(got.kind)); f != nil {
		return 0, f
	}
	if f := m.putBytes(c.arg(1)+8, text); f != nil {
		return 0, f
	}
	y := *x
	y.messages = slices.Delete(slices.Clone(x.messages), i, i+1)
	y.pid[1] = m.pid()
	m.lib.systemV.setShared(id, &y)
	return ctype.Word(len(text)), nil
}

func libMsgctl(m *Machine, c *libCall) (ctype.Word, *Fault) {
	id, x, errno := m.lib.systemV.sharedOf(c, true)
	if errno != 0 {
		return m.failed(errno)
	}
	switch c.int(1) {
	case ipcRemove:
		m.lib.systemV.setShared(id, nil)
		return 0, nil
	case ipcSet:
		mode, f := m.load(c.arg(2)+20, ctype.UIntT)
		y := *x
		y.mode = mode & 0o777
		m.lib.systemV.setShared(id, &y)
		return 0, f
	case ipcStat:
		b := x.permissions(120)
		for i, v := range []int64{m.now(), m.now(), m.now(), int64(x.bytes()), int64(len(x.messages)), roomOf} {
			ctype.Store(ctype.LongT, b[48+8*i:], ctype.Word(v))
		}
		ctype.Store(ctype.IntT, b[96:], ctype.Word(x.pid[0]))
		ctype.Store(ctype.IntT, b[100:], ctype.Word(x.pid[1]))
		return 0, m.putBytes(c.arg(2), b)
	}
	return 0, m.fault(Unsupported, 0, "msgctl with the command %d is not supported", c.int(1))
}
