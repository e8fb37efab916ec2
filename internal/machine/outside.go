package machine

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"gulo/internal/ctype"

	"golang.org/x/sys/unix"
)

// This file is the real programs that processes become when they call exec. They run beside the machine and have real
// pipes in the place of the machine's. The machine moves what they print into its own pipes, and feeds them from these,
// whenever none of its processes can go on, and now and then besides. A file that the C program has open is lent to them
// as a copy in memory, which is read back when the real program has ended.

// outside is the real programs of a run.
type outside struct {
	running  []*program // that have not ended
	outs     []*outlet
	lent     map[*opened]*loan
	happened int // how much they have done
}

// program is a real program that a process has become.
type program struct {
	process *process
	cmd     *exec.Cmd
	pidfd   int
	feeds   []*feeding
	borrows []*opened
}

// outlet is a real pipe that real programs print to; the machine reads from it.
type outlet struct {
	from int // descriptor
	to   *opened
	left []byte // what was read and did not fit
}

// feeding is a real pipe that a real program reads from; the machine writes to it.
type feeding struct {
	to, back int // descriptors; back is its other end: what the program has not read is taken back
	from     *opened
	data     []byte
	closed   bool
}

// loan is a file that real programs have open.
type loan struct {
	file  *os.File
	users int
}

// outlets are the open file descriptions that real programs print to.
func (ps *processes) outlets(yield func(*opened) bool) {
	if ps == nil {
		return
	}
	for _, o := range ps.outs {
		if !yield(o.to) {
			return
		}
	}
}

// startProgram makes the present process a real program. errno says why that cannot be.
func startProgram(m *Machine, path string, argv, env []string) (errno ctype.Word, f *Fault) {
	if m.cfg.Files != nil && filepath.IsAbs(m.lib.fs.cwd) {
		return 0, m.fault(Unsupported, 0, "another program started in %s is not supported: this run's own is in memory alone", scratchFolder)
	}
	ps := m.processing()
	p := ps.cur
	g := &program{process: p, pidfd: -1}
	cmd := &exec.Cmd{Path: path, Args: argv, Env: env, Dir: workingFolder(m)}
	var own []*os.File // to be closed when it runs
	made := map[*opened]*os.File{}
	var files []*os.File
	var outs []*outlet
	for s := range m.lib.stdio.all {
		if m.lib.fs.cloexec[s.fd] || s.fd > 255 {
			continue
		}
		if s.socket != nil || s.epoll != nil {
			if s.fd < len(m.lib.stdio.standard) {
				return 0, m.fault(Unsupported, 0, "another program whose standard stream is a socket is not supported")
			}
			continue // it does not know of it
		}
		file := made[s.opened]
		if file == nil {
			var out *outlet
			if file, out, errno = m.procs.lend(g, s.opened); errno != 0 {
				break
			}
			if made[s.opened] = file; out != nil {
				outs = append(outs, out)
			}
			if ps.lent[s.opened] == nil && file != nil && file != m.cfg.Stdin {
				own = append(own, file)
			}
		}
		for len(files) <= s.fd {
			files = append(files, nil)
		}
		files[s.fd] = file
	}
	for i, x := range files {
		switch {
		case x == nil:
		case i == 0:
			cmd.Stdin = x
		case i == 1:
			cmd.Stdout = x
		case i == 2:
			cmd.Stderr = x
		}
	}
	if len(files) > 3 {
		cmd.ExtraFiles = files[3:]
	}
	if errno == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{PidFD: &g.pidfd}
		if err := m.cfg.Programs(cmd); err != nil {
			errno = errnoOf(err, errIO)
		}
	}
	for _, x := range own {
		_ = x.Close()
	}
	g.cmd = cmd
	if errno != 0 {
		for _, o := range outs {
			_ = unix.Close(o.from)
		}
		m.procs.endLoans(g)
		return errno, nil
	}
	ps.outs = append(ps.outs, outs...)
	ps.running = append(ps.running, g)
	p.program = g
	m.procs.replaced(p)
	return 0, nil
}

// errnoOf returns the errno in an error, and otherwise if there is none.
func errnoOf(err error, otherwise ctype.Word) ctype.Word {
	var sys syscall.Errno
	if errors.As(err, &sys) {
		return ctype.Word(sys)
	}
	return otherwise
}

// replaced ends the machine's part of a process that has become a real program.
func (ps *processes) replaced(p *process) {
	m := ps.m
	m.lib.stdio.settleOut()
	m.lib.stdio.out = nil
	for fd := range m.lib.fs.cloexec {
		if s := m.lib.stdio.streamOf(fd); s != nil {
			s.held = nil
			m.lib.stdio.closeDescriptor(m, s)
		}
	}
	for s := range m.lib.stdio.all {
		s.held = nil
		if s.pipe != nil && s.write { // the outlet has it now
			m.lib.stdio.unlink(s.fd)
		}
	}
	for _, t := range m.th.list {
		t.state = over
	}
	if p.vforked {
		p.vforked = false
		m.wakeAll(vforkKey + ctype.Word(p.number))
	}
}

// workingFolder is the real folder that the present process is in.
func workingFolder(m *Machine) string {
	if m.cfg.Files == nil {
		return ""
	}
	dir, err := filepath.Abs(m.cfg.Files.Dir)
	if err != nil {
		return ""
	}
	return filepath.Join(dir, m.lib.fs.cwd)
}

// lend returns a real file for an open file description, and an outlet if the machine has to read what is written to it.
func (ps *processes) lend(g *program, o *opened) (*os.File, *outlet, ctype.Word) {
	m := ps.m
	switch {
	case o.folder != nil:
		file, err := os.Open(filepath.Join(m.cfg.Files.Dir, o.folder.rel))
		return file, nil, errnoOf(err, 0)
	case o.file != nil && o.file.null:
		file, err := os.OpenFile(filepath.Clean("/"+o.file.name), os.O_RDWR, 0)
		return file, nil, errnoOf(err, 0)
	case o.file != nil:
		file, errno := ps.lendFile(g, o)
		return file, nil, errno
	case o.read:
		if file, ok := m.cfg.Stdin.(*os.File); ok && o.pipe == nil && ps.returnInput(file) {
			return file, nil, 0
		}
		return ps.lendInput(g, o)
	}
	var ends [2]int
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
		return nil, nil, errnoOf(err, errIO)
	}
	_ = unix.SetNonblock(ends[0], true)
	return os.NewFile(uintptr(ends[1]), "pipe"), &outlet{from: ends[0], to: o}, 0
}

// lendInput makes a real pipe for what a program reads.
func (ps *processes) lendInput(g *program, o *opened) (*os.File, *outlet, ctype.Word) {
	var ends [2]int
	if err := unix.Pipe2(ends[:], unix.O_CLOEXEC); err != nil {
		return nil, nil, errnoOf(err, errIO)
	}
	fd, err := unix.FcntlInt(uintptr(ends[0]), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, nil, errnoOf(err, errIO)
	}
	_ = unix.SetNonblock(ends[1], true)
	g.feeds = append(g.feeds, &feeding{to: ends[1], back: ends[0], from: o})
	return os.NewFile(uintptr(fd), "pipe"), nil, 0
}

// returnInput moves a real standard input back to where the C program has read it. ok is false if the machine has read
// ahead and the input cannot go back.
func (ps *processes) returnInput(file *os.File) (ok bool) {
	m := ps.m
	n := m.lib.stdio.in.Buffered()
	if n == 0 {
		return true
	}
	if _, err := file.Seek(-int64(n), io.SeekCurrent); err != nil {
		return false
	}
	m.lib.stdio.in.Reset(m.cfg.Stdin)
	return true
}

// lendFile makes a real file in memory of one that the program has open.
func (ps *processes) lendFile(g *program, o *opened) (*os.File, ctype.Word) {
	if ps.lent == nil {
		ps.lent = map[*opened]*loan{}
	}
	g.borrows = append(g.borrows, o)
	if l := ps.lent[o]; l != nil {
		l.users++
		return l.file, 0
	}
	fd, err := unix.MemfdCreate(filepath.Base(o.file.name), unix.MFD_CLOEXEC)
	if err != nil {
		return nil, errnoOf(err, errIO)
	}
	file := os.NewFile(uintptr(fd), o.file.name)
	if _, err = file.Write(o.file.data); err == nil {
		_, err = file.Seek(o.pos, io.SeekStart)
	}
	if err == nil && o.appending {
		_, err = unix.FcntlInt(uintptr(fd), unix.F_SETFL, unix.O_APPEND)
	}
	ps.lent[o] = &loan{file: file, users: 1}
	return file, errnoOf(err, 0)
}

// endLoans takes back the files that were lent to a program, unless another one has them, and what it has not read.
func (ps *processes) endLoans(g *program) {
	m := ps.m
	for _, o := range g.borrows {
		l := ps.lent[o]
		if l == nil {
			continue
		}
		if l.users--; l.users > 0 {
			continue
		}
		delete(ps.lent, o)
		if pos, err := l.file.Seek(0, io.SeekCurrent); err == nil {
			o.pos = pos
		}
		if o.write {
			if info, err := l.file.Stat(); err == nil && info.Size() <= m.cfg.MaxMemory {
				data := make([]byte, info.Size())
				if n, err := l.file.ReadAt(data, 0); err == nil || errors.Is(err, io.EOF) {
					o.file.data, o.file.shared, o.file.mapped = data[:n], false, ""
					m.lib.fs.flush(o.file)
				}
			}
		}
		_ = l.file.Close()
	}
	g.borrows = nil
	for _, x := range g.feeds {
		ps.takeBack(x)
	}
	g.feeds = nil
}

// takeBack puts what a real program has not read in front of what it was taken from.
func (ps *processes) takeBack(x *feeding) {
	m := ps.m
	if !x.closed {
		_ = unix.Close(x.to)
	}
	var rest []byte
	if n, err := unix.IoctlGetInt(x.back, unix.TIOCINQ); err == nil && n > 0 {
		rest = make([]byte, n)
		n, _ = unix.Read(x.back, rest)
		rest = rest[:max(n, 0)]
	}
	_ = unix.Close(x.back)
	if rest = append(rest, x.data...); len(rest) == 0 {
		return
	}
	if p := x.from.pipe; p != nil {
		p.pages = slices.Insert(p.pages, 0, pipePage{rest, pageSize})
		p.changed(m)
		return
	}
	ahead, _ := m.lib.stdio.in.Peek(m.lib.stdio.in.Buffered())
	m.lib.stdio.in.Reset(io.MultiReader(bytes.NewReader(append(rest, ahead...)), m.cfg.Stdin))
}

// waited is something that the machine waits for.
type waited struct {
	fd     int
	events int16
	do     func() *Fault
}

// pump moves data to and from real programs. It waits up to patience nanoseconds for one of them to do something.
func (ps *processes) pump(patience int64) *Fault {
	m := ps.m
	if len(ps.running) == 0 && len(ps.outs) == 0 {
		return nil
	}
	end := time.Now().Add(time.Duration(min(patience, int64(1000*time.Hour))))
	for {
		if m.cfg.Context != nil && m.cfg.Context.Err() != nil {
			return m.fault(Interrupted, 0, "%v", m.cfg.Context.Err())
		}
		list := ps.awaited()
		fds := make([]unix.PollFd, len(list))
		for i, w := range list {
			fds[i] = unix.PollFd{Fd: int32(w.fd), Events: w.events}
		}
		wait := 0
		if patience > 0 {
			wait = int(min(max(time.Until(end).Milliseconds(), 1), 100))
		}
		n, err := unix.Poll(fds, wait)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return m.fault(Unsupported, 0, "waiting for other programs failed: %v", err)
		}
		if n > 0 {
			for i, w := range list {
				if fds[i].Revents != 0 {
					ps.happened++
					if f := w.do(); f != nil {
						return f
					}
				}
			}
			return nil
		}
		if patience == 0 || time.Now().After(end) {
			return nil
		}
	}
}

// awaited lists what real programs may do next: print, read, and last end.
func (ps *processes) awaited() []waited {
	m := ps.m
	var list []waited
	for _, o := range slices.Clone(ps.outs) {
		if len(o.left) > 0 {
			ps.deliverOutput(o)
		}
		if len(o.left) == 0 && slices.Contains(ps.outs, o) {
			list = append(list, waited{o.from, unix.POLLIN, func() *Fault { return ps.takeOutput(o) }})
		}
	}
	for _, g := range ps.running {
		for _, x := range g.feeds {
			ps.fetch(x)
			if len(x.data) > 0 && !x.closed {
				list = append(list, waited{x.to, unix.POLLOUT, func() *Fault { ps.feed(x); return nil }})
			} else if file, ok := m.cfg.Stdin.(*os.File); ok && x.from.pipe == nil && !x.closed {
				list = append(list, waited{int(file.Fd()), unix.POLLIN, func() *Fault { _, _ = m.lib.stdio.in.Peek(1); return nil }})
			}
		}
	}
	for _, g := range ps.running {
		list = append(list, waited{g.pidfd, unix.POLLIN, func() *Fault { ps.programEnds(g); return nil }})
	}
	return list
}

// fetch takes what a real program is fed with next.
func (ps *processes) fetch(x *feeding) {
	m := ps.m
	if x.closed || len(x.data) > 0 {
		return
	}
	if p := x.from.pipe; p != nil {
		if x.data = p.take(pageSize); len(x.data) > 0 {
			p.changed(m)
			ps.happened++
			return
		}
		x.closed = !p.hasEnd(m, true)
	} else {
		if _, ok := m.cfg.Stdin.(*os.File); !ok && m.lib.stdio.in.Buffered() == 0 {
			_, err := m.lib.stdio.in.Peek(1)
			x.closed = err != nil
		}
		ahead, _ := m.lib.stdio.in.Peek(m.lib.stdio.in.Buffered())
		x.data = slices.Clone(ahead)
		_, _ = m.lib.stdio.in.Discard(len(ahead))
	}
	if x.closed {
		_ = unix.Close(x.to)
	}
}

// feed writes to a real program.
func (ps *processes) feed(x *feeding) {
	n, err := unix.Write(x.to, x.data)
	switch {
	case err == nil:
		x.data = x.data[n:]
	case !errors.Is(err, unix.EAGAIN) && !errors.Is(err, unix.EINTR):
		x.closed = true
		_ = unix.Close(x.to)
	}
}

// takeOutput reads what real programs have printed.
func (ps *processes) takeOutput(o *outlet) *Fault {
	m := ps.m
	if !slices.Contains(ps.outs, o) {
		return nil
	}
	b := make([]byte, 1<<16)
	n, err := unix.Read(o.from, b)
	switch {
	case err != nil && (errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR)):
		return nil
	case n <= 0:
		_ = unix.Close(o.from)
		ps.outs = slices.DeleteFunc(ps.outs, func(x *outlet) bool { return x == o })
		o.to.target().changed(m)
		return nil
	}
	o.left = b[:n]
	if m.lib.stdio.written += int64(n); m.lib.stdio.written > m.cfg.MaxOutput {
		return m.outputLimit()
	}
	ps.deliverOutput(o)
	return nil
}

// deliverOutput puts what real programs have printed where it belongs.
func (ps *processes) deliverOutput(o *outlet) {
	m := ps.m
	if p := o.to.target(); p != nil {
		if !p.hasEnd(m, false) { // the program gets SIGPIPE
			_ = unix.Close(o.from)
			ps.outs = slices.DeleteFunc(ps.outs, func(x *outlet) bool { return x == o })
			o.left = nil
			ps.happened++
			return
		}
		if n := p.put(o.left, true); n > 0 {
			o.left = o.left[n:]
			p.changed(m)
		}
		return
	}
	w := m.cfg.Stdout
	if o.to.device == 2 {
		w = m.cfg.Stderr
	}
	if w != nil {
		_, _ = w.Write(o.left)
	}
	o.left = nil
}

// programEnds is the end of a real program.
func (ps *processes) programEnds(g *program) {
	_ = g.cmd.Wait()
	_ = unix.Close(g.pidfd)
	ps.running = slices.DeleteFunc(ps.running, func(x *program) bool { return x == g })
	for _, o := range slices.Clone(ps.outs) { // what it has printed comes before its end
		for k := 0; len(o.left) == 0 && k < 1024; k++ {
			before := ps.happened
			if n, err := unix.Poll([]unix.PollFd{{Fd: int32(o.from), Events: unix.POLLIN}}, 0); n <= 0 || err != nil {
				break
			}
			_ = ps.takeOutput(o)
			if !slices.Contains(ps.outs, o) || ps.happened != before {
				break
			}
		}
	}
	ps.endLoans(g)
	ps.refresh()
	status := 0
	if ws, ok := g.cmd.ProcessState.Sys().(syscall.WaitStatus); ok {
		status = int(ws) &^ 0x80
	}
	g.process.program = nil
	ps.end(g.process, status)
}

// refresh forgets what was read of files of the user's: another program may have changed them.
func (ps *processes) refresh() {
	m := ps.m
	open := map[*memFile]bool{}
	for l := range m.libraries {
		for s := range l.stdio.all {
			open[s.file] = true
		}
	}
	for name, f := range m.lib.fs.names {
		if f != nil && f.disk && !open[f] {
			delete(m.lib.fs.names, name)
		}
	}
}

// signalProgram sends a signal to a real program, and to those that it has started.
func (ps *processes) signalProgram(p *process, n int64) {
	_ = unix.Kill(-p.program.cmd.Process.Pid, syscall.Signal(n))
	_ = unix.Kill(p.program.cmd.Process.Pid, syscall.Signal(n))
}

// stopPrograms ends the real programs that have not ended.
func (ps *processes) stopPrograms() {
	if ps == nil {
		return
	}
	for _, g := range ps.running {
		_ = unix.Kill(-g.cmd.Process.Pid, unix.SIGKILL)
		_ = g.cmd.Process.Kill()
		_ = g.cmd.Wait()
		_ = unix.Close(g.pidfd)
		for _, x := range g.feeds {
			_, _ = unix.Close(x.to), unix.Close(x.back)
		}
	}
	for _, o := range ps.outs {
		_ = unix.Close(o.from)
	}
	for _, l := range ps.lent {
		_ = l.file.Close()
	}
	ps.outside = outside{}
}

// isItself reports whether a path is that of the program itself, which is no file that could be started.
func isItself(m *Machine, path string) bool {
	return path == m.cfg.Name || strings.HasPrefix(path, "/proc/self/exe")
}
