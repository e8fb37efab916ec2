package machine

import (
	"errors"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gulo/internal/ctype"
)

// This file is sys/stat.h and the other functions of unistd.h on files and folders. What a program
// makes or changes stays in memory, as its files do, unless the user has it written to disk.

func init() {
	register(map[string]builtin{
		"stat": libStat, "lstat": libStat, "fstat": libFstat, "stat64": libStat, "lstat64": libStat, "fstat64": libFstat,
		"chmod": libChmod, "fchmod": libFchmod, "chown": libKept, "lchown": libKept, "fchown": libKeptFd,
		"utime": libUtime, "mkdir": libMkdir, "rmdir": libRmdir, "dup": libDup, "dup2": libDup2, "dup3": libDup2,
		"pread": libPread, "pwrite": libPwrite, "pread64": libPread, "pwrite64": libPwrite, "fsync": libKeptFd, "fdatasync": libKeptFd,
	})
}

// Kinds of files, and the sizes of struct stat and of its members.
const (
	modeFIFO   = 0o010000
	modeFolder = 0o040000
	modeFile   = 0o100000
	modeLink   = 0o120000
	statSize   = 144
	errNOTDIR  = 20
	errNOTEMPT = 39
)

// fileStatus is what stat says of a file.
type fileStatus struct {
	name  string
	mode  ctype.Word
	size  int64
	mtime int64
	links int // names of the file; 0 for as many as it has at first
}

// bytes is a status as struct stat.
func (s fileStatus) bytes() []byte {
	b := make([]byte, statSize)
	h := fnv.New32a()
	_, _ = h.Write([]byte(s.name))
	links := ctype.Word(1)
	if s.mode&modeFolder != 0 && s.mode&modeFile == 0 {
		links = 2
	}
	if s.links > 0 {
		links = ctype.Word(s.links)
	}
	for _, x := range []struct {
		at int
		t  *ctype.Type
		w  ctype.Word
	}{
		{0, ctype.ULongT, 1}, {8, ctype.ULongT, ctype.Word(h.Sum32()) | 1}, {16, ctype.ULongT, links}, {24, ctype.UIntT, s.mode},
		{28, ctype.UIntT, 1000}, {32, ctype.UIntT, 1000}, {48, ctype.LongT, ctype.Word(s.size)}, {56, ctype.LongT, 4096},
		{64, ctype.LongT, ctype.Word((s.size + 511) / 512)}, {72, ctype.LongT, ctype.Word(s.mtime)}, {88, ctype.LongT, ctype.Word(s.mtime)},
		{104, ctype.LongT, ctype.Word(s.mtime)},
	} {
		ctype.Store(x.t, b[x.at:], x.w)
	}
	return b
}

// status returns the status of a file: what the program has set, else what the disk says, else a default.
func (f *memFile) status(m *Machine) fileStatus {
	s := fileStatus{name: f.name, mode: modeFile | 0o644, size: int64(len(f.data)), mtime: m.now()}
	if m.lib.fs.root != nil && filepath.IsLocal(f.name) {
		if info, err := m.lib.fs.root.Stat(f.name); err == nil {
			s.mode = modeFile | ctype.Word(info.Mode().Perm())
			if info.Size() == s.size {
				s.mtime = info.ModTime().Unix()
			}
		}
	}
	if f.mode != 0 {
		s.mode = modeFile | ctype.Word(f.mode-1)
	}
	if f.fifo != nil {
		s.mode, s.size = modeFIFO|s.mode&0o7777, 0
	}
	if f.linked {
		s.links = m.lib.fs.namesOf(f)
	}
	if f.isLink() {
		s.mode, s.size = modeLink|0o777, int64(len(f.link))
	}
	if f.mtime != 0 {
		s.mtime = f.mtime
	}
	return s
}

func libStat(m *Machine, c *libCall) (ctype.Word, *Fault) {
	path, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	s, errno, f := m.lib.fs.lookAt(c, path)
	if f != nil || errno != 0 {
		m.set(errno)
		return ^ctype.Word(0), f
	}
	return 0, m.putBytes(c.arg(1), s.bytes())
}

// lookAt is the status of a path.
func (fsys *fileSystem) lookAt(c *libCall, path string) (fileStatus, ctype.Word, *Fault) {
	m := fsys.m
	if m.cfg.Files != nil && path != "" {
		rel, below := fsys.localOf(c, path)
		if below && fsys.hasFolder(rel) {
			return fsys.folderStatus(rel), 0, nil
		}
		if strings.HasPrefix(c.name, "lstat") && below && fsys.names[rel] == nil {
			if to, ok := fsys.linkTo(rel); ok {
				return fileStatus{name: rel, mode: modeLink | 0o777, size: int64(len(to)), mtime: m.now()}, 0, nil
			}
		}
	}
	if m.cfg.Programs != nil && m.cfg.Files != nil && filepath.IsAbs(path) {
		if rel, below := fsys.local(path); (!below || filepath.IsAbs(rel)) && fsys.names[filepath.Clean(path)] == nil && devices[filepath.Clean(path)] == nil {
			return programStatus(path)
		}
	}
	file, errno, f := fsys.find(c, path)
	if f != nil || errno != 0 {
		return fileStatus{}, errno, f
	}
	return file.status(m), 0, nil
}

// folderStatus is the status of a folder that there is.
func (fsys *fileSystem) folderStatus(rel string) fileStatus {
	mode := ctype.Word(modeFolder | 0o755)
	if rel == scratchFolder {
		mode = modeFolder | 0o1777
	}
	return fileStatus{name: rel, mode: mode, size: 4096, mtime: fsys.m.now()}
}

// programStatus returns the status of a file outside of the program's folder: whoever starts programs looks for them.
func programStatus(path string) (fileStatus, ctype.Word, *Fault) {
	info, err := os.Stat(path)
	if err != nil {
		return fileStatus{}, errnoOf(err, errNOENT), nil
	}
	mode := ctype.Word(modeFile)
	if info.IsDir() {
		mode = modeFolder
	}
	return fileStatus{name: path, mode: mode | ctype.Word(info.Mode().Perm()), size: info.Size(), mtime: info.ModTime().Unix()}, 0, nil
}

// linkTo is where a symbolic link of the user's leads.
func (fsys *fileSystem) linkTo(rel string) (string, bool) {
	if _, errno := fsys.readDisk(rel); errno != 0 && fsys.root == nil {
		return "", false
	}
	info, err := fsys.root.Lstat(rel)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return "", false
	}
	to, err := fsys.root.Readlink(rel)
	return to, err == nil
}

func libFstat(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.streamOf(int(c.int(0)))
	switch {
	case s == nil:
		m.set(errBADF)
		return ^ctype.Word(0), nil
	case s.folder != nil:
		return 0, m.putBytes(c.arg(1), m.lib.fs.folderStatus(s.folder.rel).bytes())
	case s.file == nil:
		return 0, m.putBytes(c.arg(1), fileStatus{name: "a standard stream", mode: modeFIFO | 0o600, mtime: m.now()}.bytes())
	}
	return 0, m.putBytes(c.arg(1), s.file.status(m).bytes())
}

// named is the file that the first argument names; nil after setting errno. Folders are nil
// without an errno.
func (fsys *fileSystem) named(c *libCall) (*memFile, ctype.Word, *Fault) {
	m := fsys.m
	path, f := m.cstring(c.arg(0))
	if f != nil {
		return nil, 0, f
	}
	if m.cfg.Files != nil && path != "" {
		if rel, below := fsys.local(path); below && fsys.hasFolder(rel) {
			return nil, 0, nil
		}
	}
	file, errno, f := fsys.find(c, path)
	if errno != 0 {
		m.set(errno)
		return nil, ^ctype.Word(0), f
	}
	return file, 0, f
}

func libChmod(m *Machine, c *libCall) (ctype.Word, *Fault) {
	file, w, f := m.lib.fs.named(c)
	if file != nil {
		file.setMode(m, c.arg(1))
	}
	return w, f
}

func (f *memFile) setMode(m *Machine, mode ctype.Word) {
	f.mode = uint32(mode&0o7777) + 1
	if f.disk {
		m.lib.fs.flush(f)
		_ = m.lib.fs.root.Chmod(f.name, fs.FileMode(mode&0o777))
	}
}

func libFchmod(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.streamOf(int(c.int(0)))
	if s == nil {
		m.set(errBADF)
		return ^ctype.Word(0), nil
	}
	if s.file != nil {
		s.file.setMode(m, c.arg(1))
	}
	return 0, nil
}

// libKept is a call on a file that changes nothing here: all files are the user's.
func libKept(m *Machine, c *libCall) (ctype.Word, *Fault) {
	_, w, f := m.lib.fs.named(c)
	return w, f
}

func libKeptFd(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if m.lib.stdio.streamOf(int(c.int(0))) == nil {
		m.set(errBADF)
		return ^ctype.Word(0), nil
	}
	return 0, nil
}

func libUtime(m *Machine, c *libCall) (ctype.Word, *Fault) {
	file, w, f := m.lib.fs.named(c)
	if file == nil || f != nil {
		return w, f
	}
	t := ctype.Word(m.now())
	if c.arg(1) != 0 {
		if t, f = m.load(c.arg(1)+8, ctype.LongT); f != nil {
			return 0, f
		}
	}
	file.mtime = int64(t)
	m.lib.fs.flush(file)
	return 0, nil
}

func libMkdir(m *Machine, c *libCall) (ctype.Word, *Fault) {
	rel, errno, f := m.lib.fs.newFolder(c)
	if f != nil || errno != 0 {
		m.set(errno)
		return ^ctype.Word(0), f
	}
	m.lib.fs.folders[rel] = true
	return 0, nil
}

// newFolder makes a folder on disk where that is allowed.
func (fsys *fileSystem) newFolder(c *libCall) (string, ctype.Word, *Fault) {
	m := fsys.m
	path, f := m.cstring(c.arg(0))
	if f != nil {
		return "", 0, f
	}
	if m.cfg.Files == nil {
		return "", 0, fsys.noFiles(c.name)
	}
	rel, below := fsys.localOf(c, path)
	if path == "" || !below {
		return "", 0, fsys.elsewhere(c.name, path)
	}
	if fsys.hasFolder(rel) {
		return "", errEXIST, nil
	}
	if _, errno, f := fsys.find(c, path); f != nil || errno == 0 {
		return "", errEXIST, f
	}
	if !fsys.hasFolder(filepath.Dir(rel)) {
		return "", errNOENT, nil
	}
	if m.cfg.Files.Write && !filepath.IsAbs(rel) {
		if err := fsys.root.Mkdir(rel, fs.FileMode(c.arg(1)&0o777)); err != nil {
			return "", errACCES, nil
		}
	}
	return rel, 0, nil
}

func libRmdir(m *Machine, c *libCall) (ctype.Word, *Fault) {
	path, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	if m.cfg.Files == nil {
		return 0, m.lib.fs.noFiles("rmdir")
	}
	rel, below := m.lib.fs.localOf(c, path)
	if !below || rel == "." || rel == scratchFolder {
		return 0, m.lib.fs.elsewhere("rmdir", path)
	}
	switch errno := m.lib.fs.removable(rel); {
	case errno != 0:
		m.set(errno)
		return ^ctype.Word(0), nil
	case m.cfg.Files.Write && !filepath.IsAbs(rel):
		if err := m.lib.fs.root.Remove(rel); err != nil && !errors.Is(err, fs.ErrNotExist) {
			m.set(errACCES)
			return ^ctype.Word(0), nil
		}
	}
	m.lib.fs.folders[rel] = false
	return 0, nil
}

// removable says why a folder cannot be removed, 0 when it can.
func (fsys *fileSystem) removable(rel string) ctype.Word {
	if _, errno := fsys.readDisk(rel); !fsys.hasFolder(rel) {
		if errno == 0 || fsys.names[rel] != nil {
			return errNOTDIR
		}
		return errNOENT
	}
	for n, f := range fsys.names {
		if f != nil && filepath.Dir(n) == rel {
			return errNOTEMPT
		}
	}
	for n, there := range fsys.folders {
		if there && filepath.Dir(n) == rel {
			return errNOTEMPT
		}
	}
	if fsys.root == nil || filepath.IsAbs(rel) {
		return 0
	}
	on, err := fs.ReadDir(fsys.root.FS(), filepath.ToSlash(rel))
	if err != nil {
		return 0 // in memory alone
	}
	for _, e := range on {
		n := filepath.Join(rel, e.Name())
		file, known := fsys.names[n]
		there, folder := fsys.folders[n]
		if !(known && file == nil) && !(folder && !there) {
			return errNOTEMPT
		}
	}
	return 0
}

// libDup gives a file another descriptor, with one position for both.
func libDup(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := m.lib.stdio.streamOf(int(c.int(0)))
	if s == nil {
		m.set(errBADF)
		return ^ctype.Word(0), nil
	}
	return m.lib.stdio.dupFrom(s, 0, false), nil
}

// libDup2 is dup2 and dup3: descriptor to becomes one of what from refers to, and what it referred to before is closed.
func libDup2(m *Machine, c *libCall) (ctype.Word, *Fault) {
	from, to := int(c.int(0)), int(c.int(1))
	s := m.lib.stdio.streamOf(from)
	switch {
	case s == nil || to < 0 || to > 1023:
		m.set(errBADF)
		return ^ctype.Word(0), nil
	case from == to && c.name == "dup3", c.name == "dup3" && c.arg(2)&^openCloexec&0xffffffff != 0:
		m.set(errINVAL)
		return ^ctype.Word(0), nil
	case from == to:
		return ctype.Word(to), nil
	}
	old := m.lib.stdio.streamOf(to)
	if old != nil && to > 2 {
		m.lib.stdio.closeDescriptor(m, old)
	} else if old != nil {
		defer old.pipe.changed(m)
	}
	m.lib.stdio.describe(to, s.opened)
	m.lib.fs.setCloexec(to, c.name == "dup3" && c.arg(2)&openCloexec != 0)
	return ctype.Word(to), nil
}

// libPread and libPwrite are read and write at a place.
func libPread(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, ok := m.lib.fs.placed(c)
	if !ok || !s.read {
		m.set(pick(ok, errBADF, m.Errno()))
		return ^ctype.Word(0), nil
	}
	data := s.file.data
	data = data[min(c.long(3), int64(len(data))):]
	data = data[:min(uint64(c.arg(2)), uint64(len(data)))]
	return ctype.Word(len(data)), m.putBytes(c.arg(1), data)
}

func libPwrite(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, ok := m.lib.fs.placed(c)
	if !ok || !s.write {
		m.set(pick(ok, errBADF, m.Errno()))
		return ^ctype.Word(0), nil
	}
	b, f := m.given(c.arg(1), c.long(2))
	if f != nil {
		return 0, f
	}
	at := s.pos
	s.pos = c.long(3)
	f = s.put(m, b)
	s.pos = at
	return ctype.Word(len(b)), f
}

// placed is the file of pread and pwrite; errno is set when there is none.
func (fsys *fileSystem) placed(c *libCall) (*stream, bool) {
	m := fsys.m
	s := m.lib.stdio.streamOf(int(c.int(0)))
	switch {
	case s == nil:
		m.set(errBADF)
	case s.file == nil:
		m.set(errSPIPE)
	case c.long(3) < 0 || c.long(2) < 0:
		m.set(errINVAL)
	default:
		return s, true
	}
	return nil, false
}

func pick(ok bool, a ctype.Word, b int64) ctype.Word {
	if ok {
		return a
	}
	return ctype.Word(b)
}
