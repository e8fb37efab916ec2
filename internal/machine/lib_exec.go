package machine

import (
	"maps"
	"os"
	"path/filepath"
	"strings"

	"gulo/internal/ctype"

	"golang.org/x/sys/unix"
)

// This file is exec and what starts a program besides: posix_spawn, system and popen.

func init() {
	register(map[string]builtin{
		"execve": libExec, "execv": libExec, "execvp": libExec, "execvpe": libExec, "execl": libExec, "execlp": libExec, "execle": libExec, "fexecve": libExec,
		"posix_spawn": libSpawn, "posix_spawnp": libSpawn, "system": libSystem, "popen": libPopen, "pclose": libPclose,
		"posix_spawn_file_actions_init": libSpawnActions, "posix_spawn_file_actions_destroy": libSpawnActions, "posix_spawn_file_actions_addopen": libSpawnActions,
		"posix_spawn_file_actions_addclose": libSpawnActions, "posix_spawn_file_actions_adddup2": libSpawnActions,
		"posix_spawn_file_actions_addchdir_np": libSpawnActions, "posix_spawn_file_actions_addfchdir_np": libSpawnActions,
		"posix_spawnattr_init": libSpawnAttr, "posix_spawnattr_destroy": constant(0), "posix_spawnattr_setflags": libSpawnAttr, "posix_spawnattr_getflags": libSpawnAttr,
		"posix_spawnattr_setpgroup": libSpawnAttr, "posix_spawnattr_getpgroup": libSpawnAttr, "posix_spawnattr_setsigmask": libSpawnAttr, "posix_spawnattr_setsigdefault": libSpawnAttr,
	})
}

const (
	errNOEXEC  = 8
	mostWords  = 1 << 16 // of a vector of arguments
	shell      = "/bin/sh"
	searchPath = "/bin:/usr/bin" // execvp's where there is no PATH
)

// noPrograms is the fault of a call that starts another program where none may be.
func noPrograms(m *Machine, name, what string) *Fault {
	return m.fault(Unsupported, 0, "%s of %s: other programs are not started here; gulo run --exec starts them", name, what)
}

// words reads a vector of strings that ends with NULL.
func (m *memory) words(at ctype.Word) ([]string, *Fault) {
	var out []string
	for ; at != 0; at += 8 {
		w, f := m.load(at, ctype.VoidPtrT)
		if f != nil {
			return nil, f
		}
		if w == 0 {
			break
		}
		s, f := m.cstring(w)
		if f != nil {
			return nil, f
		}
		if out = append(out, s); len(out) > mostWords {
			return nil, m.fault(LimitFault, 0, "more than %d arguments", mostWords)
		}
	}
	return out, nil
}

// now is the environment as the program left it.
func (v *variables) now() ([]string, *Fault) {
	words, f := v.vector()
	if f != nil {
		return nil, f
	}
	out := []string{}
	for _, w := range words {
		s, f := v.m.cstring(w)
		if f != nil {
			return nil, f
		}
		out = append(out, s)
	}
	return out, nil
}

// order is what is to be started.
type order struct {
	path      string
	argv, env []string
	search    bool // path is looked for in PATH
}

// orderOf reads the arguments of a function of the family of exec.
func orderOf(m *Machine, c *libCall) (o order, f *Fault) {
	if c.name == "fexecve" {
		return o, m.fault(Unsupported, 0, "fexecve is not supported")
	}
	if o.path, f = m.cstring(c.arg(0)); f != nil {
		return o, f
	}
	env, given := ctype.Word(0), false
	if strings.HasPrefix(c.name, "execl") {
		i := 1
		for ; ; i++ {
			if i >= len(c.args) {
				return o, m.fault(BadLibraryCall, 0, "%s whose arguments do not end with NULL", c.name)
			}
			if c.arg(i) == 0 {
				break
			}
			s, f := m.cstring(c.arg(i))
			if f != nil {
				return o, f
			}
			o.argv = append(o.argv, s)
		}
		if c.name == "execle" {
			env, given = c.arg(i+1), true
		}
	} else {
		if o.argv, f = m.words(c.arg(1)); f != nil {
			return o, f
		}
		if strings.HasSuffix(c.name, "e") {
			env, given = c.arg(2), true
		}
	}
	if given {
		o.env, f = m.words(env)
	} else {
		o.env, f = m.lib.variables.now()
	}
	o.search = strings.Contains(c.name, "p")
	return o, f
}

// libExec is the family of exec.
func libExec(m *Machine, c *libCall) (ctype.Word, *Fault) {
	o, f := orderOf(m, c)
	if f != nil {
		return 0, f
	}
	errno, f := execute(m, c.name, &o)
	if f != nil {
		return 0, f
	}
	if errno != 0 {
		m.set(errno)
		return ^ctype.Word(0), nil
	}
	c.entered, m.moved = true, true
	return 0, m.th.schedule()
}

// execute makes the present process a real program; errno says why it could not.
func execute(m *Machine, name string, o *order) (errno ctype.Word, f *Fault) {
	switch {
	case m.cfg.Programs == nil || m.cfg.Files == nil || m.cfg.Files.Given != nil:
		return 0, noPrograms(m, name, o.path)
	case isItself(m, o.path):
		return 0, m.fault(Unsupported, 0, "%s of %s, the program itself, is not supported", name, o.path)
	case o.path == "":
		return errNOENT, nil
	}
	if len(o.argv) == 0 {
		o.argv = []string{""}
	}
	m.processing()
	for s := range m.lib.stdio.all { // the new program finds on disk what this one has written
		if s.file != nil && s.write {
			m.lib.fs.flush(s.file)
		}
	}
	if !o.search || strings.Contains(o.path, "/") {
		errno, f = m.lib.fs.executable(name, o, o.path)
		return errno, f
	}
	path := searchPath
	env, f := m.lib.variables.now()
	if f != nil {
		return 0, f
	}
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, "PATH="); ok {
			path = v
			break
		}
	}
	last := ctype.Word(errNOENT)
	for _, dir := range strings.Split(path, ":") {
		file := o.path
		if dir != "" {
			file = dir + "/" + o.path
		}
		errno, f := m.lib.fs.executable(name, o, file)
		switch {
		case f != nil, errno == 0:
			return errno, f
		case errno == errACCES:
			last = errno
		case errno != errNOENT && errno != errNOTDIR:
			return errno, nil
		}
	}
	return last, nil
}

// executable makes the present process the program of a file.
func (fsys *fileSystem) executable(name string, o *order, path string) (ctype.Word, *Fault) {
	m := fsys.m
	real := path
	if !filepath.IsAbs(path) {
		real = filepath.Join(workingFolder(m), path)
	}
	info, err := os.Stat(real)
	if err != nil {
		if rel, below := fsys.local(path); below && fsys.names[rel] != nil {
			return 0, m.fault(Unsupported, 0, "%s of %s, which the program has written and which is not on the disk; --files writes it there", name, path)
		}
		return errnoOf(err, errNOENT), nil
	}
	if info.IsDir() || unix.Access(real, unix.X_OK) != nil {
		return errACCES, nil
	}
	errno, f := startProgram(m, real, o.argv, o.env)
	if errno == errNOEXEC && o.search {
		return startProgram(m, shell, append([]string{o.argv[0], path}, o.argv[1:]...), o.env)
	}
	return errno, f
}

// spawn makes a child that becomes a real program; before that, prepare runs in the child. errno says why it could not.
func spawn(m *Machine, name string, o *order, prepare func() (ctype.Word, *Fault)) (pid int, errno ctype.Word, f *Fault) {
	if m.cfg.Programs == nil {
		return 0, 0, noPrograms(m, name, o.path)
	}
	q, f := m.fork(&libCall{name: name, dst: -1})
	m.pc-- // the call goes on in the parent
	if f != nil {
		return 0, 0, f
	}
	parent := m.procs.cur
	m.procs.become(q)
	if prepare != nil {
		errno, f = prepare()
	}
	if errno == 0 && f == nil {
		errno, f = execute(m, name, o)
	}
	m.procs.become(parent)
	m.moved = false
	if errno != 0 || f != nil {
		q.state = gone
		m.procs.closeAllOf(q.own.lib)
		return 0, errno, f
	}
	return q.pid, 0, nil
}

// spawnAction is what posix_spawn does in the child before it starts the program.
type spawnAction struct {
	name   string
	fd, to int64
	path   string
	flags  int64
}

// libSpawnActions is the functions on posix_spawn_file_actions_t.
func libSpawnActions(m *Machine, c *libCall) (ctype.Word, *Fault) {
	all := maps.Clone(m.lib.spawning)
	if all == nil {
		all = map[ctype.Word][]spawnAction{}
	}
	m.lib.spawning = all
	at := c.arg(0)
	name := strings.TrimPrefix(c.name, "posix_spawn_file_actions_")
	switch name {
	case "init":
		all[at] = nil
		return 0, m.putBytes(at, make([]byte, 80))
	case "destroy":
		delete(all, at)
		return 0, nil
	}
	a := spawnAction{name: name, fd: c.int(1), to: c.int(2)}
	var f *Fault
	switch name {
	case "addopen":
		if a.path, f = m.cstring(c.arg(2)); f != nil {
			return 0, f
		}
		a.flags = c.int(3)
	case "addchdir_np":
		if a.path, f = m.cstring(c.arg(1)); f != nil {
			return 0, f
		}
	}
	if name != "addchdir_np" && (a.fd < 0 || a.fd >= m.lib.limits.descriptors()) {
		return errBADF, nil
	}
	all[at] = append(all[at][:len(all[at]):len(all[at])], a)
	return 0, nil
}

// applyAction does an action in the child.
func applyAction(m *Machine, a spawnAction) (ctype.Word, *Fault) {
	call := func(lib builtin, name string, args ...ctype.Word) (ctype.Word, ctype.Word, *Fault) {
		m.set(0)
		w, f := lib(m, &libCall{name: name, args: args, dst: -1})
		return w, ctype.Word(m.Errno()), f
	}
	var errno ctype.Word
	var f *Fault
	switch a.name {
	case "addopen":
		if s := m.lib.stdio.streamOf(int(a.fd)); s != nil {
			m.lib.stdio.closeDescriptor(m, s)
		}
		w, e, f := call(libOpen, "open", m.lib.text("a path", a.path), ctype.Word(a.flags))
		if f != nil || int32(w) < 0 {
			return e, f
		}
		if int64(w) != a.fd {
			_, _, f = call(libDup2, "dup2", w, ctype.Word(a.fd))
			m.lib.stdio.closeDescriptor(m, m.lib.stdio.streamOf(int(w)))
		}
		return 0, f
	case "addclose":
		_, _, f = call(libClose, "close", ctype.Word(a.fd))
		return 0, f
	case "adddup2":
		if a.fd == a.to {
			m.lib.fs.setCloexec(int(a.fd), false)
			return 0, nil
		}
		_, errno, f = call(libDup2, "dup2", ctype.Word(a.fd), ctype.Word(a.to))
	case "addchdir_np":
		_, errno, f = call(libChdir, "chdir", m.lib.text("a path", a.path))
	case "addfchdir_np":
		_, errno, f = call(libFchdir, "fchdir", ctype.Word(a.fd))
	}
	return errno, f
}

// libSpawnAttr is the functions on posix_spawnattr_t: flags at 0, a group at 4, signals at 8 and 136.
func libSpawnAttr(m *Machine, c *libCall) (ctype.Word, *Fault) {
	at := c.arg(0)
	switch strings.TrimPrefix(c.name, "posix_spawnattr_") {
	case "init":
		return 0, m.putBytes(at, make([]byte, 336))
	case "setflags":
		return 0, m.store(at, ctype.ShortT, c.arg(1))
	case "setpgroup":
		return 0, m.store(at+4, ctype.IntT, c.arg(1))
	case "setsigdefault":
		return 0, m.copyBytes(at+8, c.arg(1), 128)
	case "setsigmask":
		return 0, m.copyBytes(at+136, c.arg(1), 128)
	case "getflags":
		w, f := m.load(at, ctype.ShortT)
		if f != nil {
			return 0, f
		}
		return 0, m.store(c.arg(1), ctype.ShortT, w)
	}
	w, f := m.load(at+4, ctype.IntT)
	if f != nil {
		return 0, f
	}
	return 0, m.store(c.arg(1), ctype.IntT, w)
}

// spawnAttributes does in the child what posix_spawnattr_t says of groups and sessions. The signals of a real program are
// those that the system gives it.
func spawnAttributes(m *Machine, at ctype.Word) *Fault {
	const setGroup, setSession = 2, 0x80
	if at == 0 {
		return nil
	}
	flags, f := m.load(at, ctype.ShortT)
	if f != nil {
		return f
	}
	p := m.procs.cur
	if flags&setSession != 0 {
		p.group, p.session = p.pid, p.pid
	}
	if flags&setGroup != 0 {
		g, f := m.load(at+4, ctype.IntT)
		if f != nil {
			return f
		}
		if p.group = int(int32(g)); p.group == 0 {
			p.group = p.pid
		}
	}
	return nil
}

// libSpawn is posix_spawn and posix_spawnp.
func libSpawn(m *Machine, c *libCall) (ctype.Word, *Fault) {
	o := order{search: c.name == "posix_spawnp"}
	var f *Fault
	if o.path, f = m.cstring(c.arg(1)); f != nil {
		return 0, f
	}
	if o.argv, f = m.words(c.arg(4)); f != nil {
		return 0, f
	}
	if o.env, f = m.words(c.arg(5)); f != nil {
		return 0, f
	}
	actions := m.lib.spawning[c.arg(2)]
	pid, errno, f := spawn(m, c.name, &o, func() (ctype.Word, *Fault) {
		for _, a := range actions {
			if errno, f := applyAction(m, a); errno != 0 || f != nil {
				return errno, f
			}
		}
		return 0, spawnAttributes(m, c.arg(3))
	})
	if errno != 0 || f != nil || c.arg(0) == 0 {
		return errno, f
	}
	return 0, m.store(c.arg(0), ctype.IntT, ctype.Word(pid))
}

// shellOrder is how the shell is started for system and popen.
func shellOrder(m *Machine, command string) (*order, *Fault) {
	env, f := m.lib.variables.now()
	return &order{path: shell, argv: []string{"sh", "-c", command}, env: env}, f
}

// runShell is system where programs may be started: the call is made again until the shell has ended.
func runShell(m *Machine, c *libCall, command string) (ctype.Word, *Fault) {
	t := m.threading().cur
	if t.child == 0 {
		o, f := shellOrder(m, command)
		if f != nil {
			return 0, f
		}
		pid, errno, f := spawn(m, c.name, o, nil)
		if f != nil || errno != 0 {
			return 127 << 8, f
		}
		t.child = pid
	}
	return shellEnded(m, c, t)
}

// shellEnded waits for the shell that a thread has started, and returns its status.
func shellEnded(m *Machine, c *libCall, t *thread) (ctype.Word, *Fault) {
	p, done, v, f := waitChild(m, c, t.child, waitExited)
	if !done || f != nil {
		return v, f
	}
	if t.child = 0; p == nil {
		return ^ctype.Word(0), nil
	}
	return ctype.Word(p.reap(waitExited)), nil
}

func libPopen(m *Machine, c *libCall) (ctype.Word, *Fault) {
	command, mode, f := twoTexts(m, c)
	if f != nil {
		return 0, f
	}
	if m.cfg.Programs == nil {
		return 0, noPrograms(m, c.name, command)
	}
	reads := strings.HasPrefix(mode, "r")
	if !reads && !strings.HasPrefix(mode, "w") {
		m.set(errINVAL)
		return 0, nil
	}
	o, f := shellOrder(m, command)
	if f != nil {
		return 0, f
	}
	m.lib.fs.pipes++
	p := &pipe{number: m.lib.fs.pipes}
	own := m.lib.stdio.open(nil)
	own.pipe, own.read, own.write = p, reads, !reads
	own.eof, own.bad = false, false
	m.lib.fs.setCloexec(own.fd, true)
	theirs := m.lib.stdio.open(nil)
	theirs.pipe, theirs.read, theirs.write = p, !reads, reads
	end := theirs.opened
	pid, errno, f := spawn(m, c.name, o, func() (ctype.Word, *Fault) {
		fd := 0
		if reads {
			fd = 1
		}
		m.lib.stdio.closeDescriptor(m, m.lib.stdio.streamOf(theirs.fd))
		m.lib.stdio.describe(fd, end)
		return 0, nil
	})
	m.lib.stdio.closeDescriptor(m, theirs)
	if f != nil || errno != 0 {
		m.lib.stdio.closeDescriptor(m, own)
		m.set(errno)
		return 0, f
	}
	m.lib.popened = maps.Clone(m.lib.popened)
	if m.lib.popened == nil {
		m.lib.popened = map[int]int{}
	}
	m.lib.popened[own.fd] = pid
	return m.lib.stdio.fileOf(own), nil
}

// libPclose closes a stream of popen; the call is made again until the shell has ended.
func libPclose(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t := m.threading().cur
	if t.child == 0 {
		s, f := m.lib.stdio.stream(c, c.arg(0))
		if f != nil {
			return 0, f
		}
		pid, ok := m.lib.popened[s.fd]
		if !ok {
			return 0, m.fault(BadLibraryCall, c.arg(0), "pclose of a stream that popen did not open")
		}
		if _, f = libFclose(m, &libCall{name: c.name, args: c.args, dst: -1}); f != nil {
			return 0, f
		}
		m.lib.popened = maps.Clone(m.lib.popened)
		delete(m.lib.popened, s.fd)
		t.child = pid
	}
	return shellEnded(m, c, t)
}
