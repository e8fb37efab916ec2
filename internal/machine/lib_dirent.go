package machine

import (
	"io/fs"
	"path/filepath"
	"slices"

	"gulo/internal/ctype"
)

// This file is dirent.h, and the functions whose names end in at: folders that are open, and
// names below them. A folder is read as it is when it is opened, sorted by name.

func init() {
	register(map[string]builtin{
		"opendir": libOpendir, "fdopendir": libFdopendir, "readdir": libReaddir, "readdir64": libReaddir, "closedir": libClosedir,
		"rewinddir": libRewinddir, "dirfd": libDirfd, "telldir": libTelldir, "seekdir": libSeekdir,
		"openat": libAt, "openat64": libAt, "unlinkat": libUnlinkat, "mkdirat": libAt, "fchmodat": libAt, "fchownat": libAt, "faccessat": libAt,
		"fstatat": libFstatat, "fstatat64": libFstatat, "renameat": libRenameat,
		"utimensat": libUtimensat, "futimens": libFutimens, "utimes": libUtimes, "futimesat": libFutimesat,
		"chdir": libChdir, "fchdir": libFchdir,
	})
}

// openFolder is a folder that a descriptor stands for.
type openFolder struct {
	rel   string
	names []string
	pos   int
	entry ctype.Word // what readdir returns; 0 until it is asked
}

// Numbers of dirent.h and fcntl.h.
const (
	direntSize   = 280
	typeFolder   = 4
	typeFile     = 8
	typeLink     = 10
	atCWD        = -100
	atRemoveDir  = 0x200
	atNoFollow   = 0x100
	openFolderIs = 0o200000 // O_DIRECTORY
	nowTime      = 1<<30 - 1
	omitTime     = 1<<30 - 2
)

// openDir makes a stream of a folder.
func (fsys *fileSystem) openDir(rel string) *stream {
	s := fsys.m.lib.stdio.open(&memFile{name: rel})
	s.folder = &openFolder{rel: rel, names: fsys.entries(rel)}
	return s
}

// entries are the names in a folder: those of the disk and of the program, without what it has
// removed.
func (fsys *fileSystem) entries(rel string) []string {
	there := map[string]bool{}
	if _, errno := fsys.readDisk(rel); errno == errISDIR {
		if list, err := fs.ReadDir(fsys.root.FS(), filepath.ToSlash(rel)); err == nil {
			for _, e := range list {
				there[e.Name()] = true
			}
		}
	}
	for n, f := range fsys.names {
		if filepath.Dir(n) == rel {
			there[filepath.Base(n)] = f != nil
		}
	}
	for n, is := range fsys.folders {
		if n != "." && filepath.Dir(n) == rel {
			there[filepath.Base(n)] = is
		}
	}
	out := []string{".", ".."}
	for n, is := range there {
		if is {
			out = append(out, n)
		}
	}
	slices.Sort(out[2:])
	return out
}

// folderAt is the folder that a path names; errno says why there is none.
func (fsys *fileSystem) folderAt(c *libCall, path string) (string, ctype.Word, *Fault) {
	if fsys.m.cfg.Files == nil {
		return "", 0, fsys.noFiles(c.name)
	}
	if path != "" {
		rel, below := fsys.local(path)
		if below && fsys.hasFolder(rel) {
			return rel, 0, nil
		}
	}
	_, errno, f := fsys.find(c, path)
	if f == nil && errno == 0 {
		errno = errNOTDIR
	}
	return "", errno, f
}

func libOpendir(m *Machine, c *libCall) (ctype.Word, *Fault) {
	path, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	rel, errno, f := m.lib.fs.folderAt(c, path)
	if f != nil || errno != 0 {
		m.set(errno)
		return 0, f
	}
	if m.cfg.Files.Given != nil {
		return 0, m.fault(Unsupported, 0, "opendir: in which order a folder's files come is the system's choice, and these runs are compared")
	}
	return m.lib.fs.dirOf(m.lib.fs.openDir(rel)), nil
}

// dirOf makes the DIR of a stream.
func (fsys *fileSystem) dirOf(s *stream) ctype.Word {
	b := fsys.m.newBlock(Global, 8)
	b.Name = "a DIR"
	fsys.dirs[b.ID] = s.fd
	return ctype.MakePointer(b.ID, 0)
}

func libFdopendir(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.streamOf(int(c.int(0)))
	switch {
	case s == nil:
		m.set(errBADF)
		return 0, nil
	case s.folder == nil:
		m.set(errNOTDIR)
		return 0, nil
	}
	return m.lib.fs.dirOf(s), nil
}

// dir is the stream of a DIR.
func (fsys *fileSystem) dir(c *libCall) (*stream, *Fault) {
	m := fsys.m
	id, off := ctype.SplitPointer(c.arg(0))
	fd, ok := fsys.dirs[id]
	if s := m.lib.stdio.streamOf(fd); ok && off == 0 && s != nil && s.folder != nil {
		return s, nil
	}
	return nil, m.fault(BadLibraryCall, c.arg(0), "%s on something that is no open folder", c.name)
}

func libReaddir(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.fs.dir(c)
	if f != nil {
		return 0, f
	}
	d := s.folder
	if d.pos >= len(d.names) {
		return 0, nil
	}
	name := d.names[d.pos]
	d.pos++
	if d.entry == 0 {
		b := m.newBlock(Global, direntSize)
		b.Name = "what readdir returns"
		d.entry = ctype.MakePointer(b.ID, 0)
	}
	rel := filepath.Join(d.rel, name)
	kind := ctype.Word(typeFile)
	if name == "." || name == ".." || m.lib.fs.hasFolder(rel) {
		kind = typeFolder
	} else if m.lib.fs.names[rel].isLink() {
		kind = typeLink
	}
	text := make([]byte, direntSize)
	status := fileStatus{name: rel}.bytes()
	copy(text, status[8:16])
	ctype.Store(ctype.LongT, text[8:], ctype.Word(d.pos))
	ctype.Store(ctype.UShortT, text[16:], direntSize)
	ctype.Store(ctype.UCharT, text[18:], kind)
	copy(text[19:direntSize-1], name)
	return d.entry, m.putBytes(d.entry, text)
}

func libClosedir(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.fs.dir(c)
	if f != nil {
		return 0, f
	}
	id, _ := ctype.SplitPointer(c.arg(0))
	delete(m.lib.fs.dirs, id)
	m.lib.stdio.release(m, s)
	return 0, nil
}

func libRewinddir(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.fs.dir(c)
	if f == nil {
		s.folder.pos, s.folder.names = 0, m.lib.fs.entries(s.folder.rel)
	}
	return 0, f
}

func libDirfd(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.fs.dir(c)
	if f != nil {
		return 0, f
	}
	return ctype.Word(s.fd), nil
}

func libTelldir(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.fs.dir(c)
	if f != nil {
		return 0, f
	}
	return ctype.Word(s.folder.pos), nil
}

func libSeekdir(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.fs.dir(c)
	if f == nil {
		s.folder.pos = max(0, min(int(c.long(1)), len(s.folder.names)))
	}
	return 0, f
}

// below returns the path of a name in the folder of a descriptor; errno says why there is none.
func (fsys *fileSystem) below(fd int64, path string) (string, ctype.Word) {
	m := fsys.m
	if fd == atCWD || filepath.IsAbs(path) || path == "" {
		return path, 0
	}
	switch s := m.lib.stdio.streamOf(int(fd)); {
	case s == nil:
		return "", errBADF
	case s.folder == nil:
		return "", errNOTDIR
	default:
		dir, err := filepath.Abs(m.cfg.Files.Dir)
		if err != nil {
			return "", errNOENT
		}
		return absolute(dir, s.folder.rel) + "/" + path, 0
	}
}

func libChdir(m *Machine, c *libCall) (ctype.Word, *Fault) {
	path, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	rel, errno, f := m.lib.fs.folderAt(c, path)
	if f != nil || errno != 0 {
		m.set(errno)
		return ^ctype.Word(0), f
	}
	m.lib.fs.cwd = rel
	return 0, nil
}

func libFchdir(m *Machine, c *libCall) (ctype.Word, *Fault) {
	switch s := m.lib.stdio.streamOf(int(c.int(0))); {
	case s == nil:
		m.set(errBADF)
	case s.folder == nil:
		m.set(errNOTDIR)
	default:
		m.lib.fs.cwd = s.folder.rel
		return 0, nil
	}
	return ^ctype.Word(0), nil
}

// beside turns a call that begins with a folder's descriptor and a name, such as openat, into the call
// with a path. ok is false if errno was set instead.
func (fsys *fileSystem) beside(c *libCall, name string) (rest *libCall, ok bool, f *Fault) {
	m := fsys.m
	path, f := m.cstring(c.arg(1))
	if f != nil {
		return nil, false, f
	}
	full, errno := fsys.below(c.int(0), path)
	if errno != 0 {
		m.set(errno)
		return nil, false, nil
	}
	to := *c
	to.name = name
	to.args = slices.Clone(c.args[1:])
	if full != path {
		to.args[0] = m.lib.text("a path", full)
	}
	return &to, true, nil
}

// atFunctions gives the function without a folder's descriptor for each one that has it.
var atFunctions = map[string]struct {
	name string
	call builtin
}{
	"openat": {"open", libOpen}, "openat64": {"open", libOpen}, "mkdirat": {"mkdir", libMkdir}, "mkfifoat": {"mkfifo", libMkfifo}, "mknodat": {"mknod", libMknod}, "fchmodat": {"chmod", libChmod},
	"fchownat": {"chown", libKept}, "faccessat": {"access", libAccess},
}

func libAt(m *Machine, c *libCall) (ctype.Word, *Fault) {
	plain := atFunctions[c.name]
	to, ok, f := m.lib.fs.beside(c, plain.name)
	if !ok || f != nil {
		return ^ctype.Word(0), f
	}
	return plain.call(m, to)
}

func libUnlinkat(m *Machine, c *libCall) (ctype.Word, *Fault) {
	to, ok, f := m.lib.fs.beside(c, "unlink")
	if !ok || f != nil {
		return ^ctype.Word(0), f
	}
	if c.int(2)&atRemoveDir != 0 {
		to.name = "rmdir"
		return libRmdir(m, to)
	}
	return libRemove(m, to)
}

func libFstatat(m *Machine, c *libCall) (ctype.Word, *Fault) {
	to, ok, f := m.lib.fs.beside(c, "stat")
	if !ok || f != nil {
		return ^ctype.Word(0), f
	}
	if c.int(3)&atNoFollow != 0 {
		to.name = "lstat"
	}
	return libStat(m, to)
}

func libRenameat(m *Machine, c *libCall) (ctype.Word, *Fault) {
	from, ok, f := m.lib.fs.beside(c, "rename")
	if !ok || f != nil {
		return ^ctype.Word(0), f
	}
	last := *c
	last.args = c.args[2:]
	to, ok, f := m.lib.fs.beside(&last, "rename")
	if !ok || f != nil {
		return ^ctype.Word(0), f
	}
	from.args = []ctype.Word{from.args[0], to.args[0]}
	return libRename(m, from)
}

// setTime sets a file's modification time to the second of two times at an address, or to now if
// the address is 0. A time is seconds and a fraction; scale is how many units of it make a second.
func (file *memFile) setTime(m *Machine, at ctype.Word, scale int64) *Fault {
	t := ctype.Word(m.now())
	if at != 0 {
		part, f := m.load(at+24, ctype.LongT)
		if f != nil {
			return f
		}
		switch {
		case scale == 1e9 && int64(part) == omitTime:
			return nil
		case scale == 1e9 && int64(part) == nowTime:
		default:
			if t, f = m.load(at+16, ctype.LongT); f != nil {
				return f
			}
		}
	}
	file.mtime = int64(t)
	m.lib.fs.flush(file)
	return nil
}

// timed sets the modification time of the file that a call names by its path; see setTime.
func (fsys *fileSystem) timed(c *libCall, at ctype.Word, scale int64) (ctype.Word, *Fault) {
	file, w, f := fsys.named(c)
	if file == nil || f != nil {
		return w, f
	}
	return 0, file.setTime(fsys.m, at, scale)
}

func libUtimes(m *Machine, c *libCall) (ctype.Word, *Fault) { return m.lib.fs.timed(c, c.arg(1), 1e6) }

func libUtimensat(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.arg(1) == 0 { // the descriptor itself
		return m.lib.fs.timedFd(c, c.arg(2))
	}
	to, ok, f := m.lib.fs.beside(c, c.name)
	if !ok || f != nil {
		return ^ctype.Word(0), f
	}
	return m.lib.fs.timed(to, c.arg(2), 1e9)
}

func libFutimesat(m *Machine, c *libCall) (ctype.Word, *Fault) {
	to, ok, f := m.lib.fs.beside(c, c.name)
	if !ok || f != nil {
		return ^ctype.Word(0), f
	}
	return m.lib.fs.timed(to, c.arg(2), 1e6)
}

func libFutimens(m *Machine, c *libCall) (ctype.Word, *Fault) { return m.lib.fs.timedFd(c, c.arg(1)) }

func (fsys *fileSystem) timedFd(c *libCall, at ctype.Word) (ctype.Word, *Fault) {
	m := fsys.m
	s := m.lib.stdio.streamOf(int(c.int(0)))
	if s == nil {
		m.set(errBADF)
		return ^ctype.Word(0), nil
	}
	if s.file == nil || s.folder != nil {
		return 0, nil
	}
	return 0, s.file.setTime(m, at, 1e9)
}
