package machine

import (
	"path/filepath"
	"slices"
	"strings"

	"gulo/internal/ctype"
)

// This file is symbolic links and files of several names, and the other functions that change a file by its path. A link
// that the program makes is in memory, and on the disk too where the program's files go there.

func init() {
	register(map[string]builtin{
		"symlink": libSymlink, "symlinkat": libSymlinkat, "readlink": libReadlink, "readlinkat": libReadlinkat, "link": libLink, "linkat": libLinkat,
		"truncate": libTruncate, "truncate64": libTruncate, "flock": libFlock, "preadv": libPlacedVector, "pwritev": libPlacedVector,
		"preadv64": libPlacedVector, "pwritev64": libPlacedVector,
	})
}

const (
	errLOOP      = 40
	openNoFollow = 0o400000
	atFollow     = 0x400
	mostHops     = 40 // that are followed in one path
)

// keepsLinks are the functions that take a symbolic link for itself.
var keepsLinks = map[string]bool{
	"lstat": true, "lstat64": true, "remove": true, "unlink": true, "rename": true, "readlink": true, "symlink": true, "link": true, "rmdir": true, "mkdir": true, "lchown": true,
}

// isLink reports whether a file, which may be nil, is a symbolic link that the program made.
func (f *memFile) isLink() bool { return f != nil && f.link != "" }

// localOf is local for a call, which may be one that follows no symbolic link at the end of the path.
func (fsys *fileSystem) localOf(c *libCall, path string) (string, bool) {
	return fsys.followed(path, !keepsLinks[c.name])
}

// followed is the place of a path behind the symbolic links that the program made; last says whether one at the end is
// followed, too. Where they lead in a circle it is the place of one of them.
func (fsys *fileSystem) followed(path string, last bool) (string, bool) {
	if fsys.links == 0 {
		return fsys.located(path)
	}
	dir, err := filepath.Abs(fsys.m.cfg.Files.Dir)
	if err != nil {
		return "", false
	}
	last = last || strings.HasSuffix(path, "/")
	if !filepath.IsAbs(path) {
		path = absolute(dir, fsys.cwd) + "/" + path
	}
	at, rest, hops := "/", strings.Split(path, "/"), 0
	for len(rest) > 0 {
		part := rest[0]
		rest = rest[1:]
		next := filepath.Join(at, part)
		rel, _ := fsys.located(next)
		file := fsys.names[rel]
		if part == ".." || !file.isLink() || !last && strings.Join(rest, "") == "" {
			at = next
			continue
		}
		if hops++; hops > mostHops {
			return rel, true
		}
		if rest = slices.Concat(strings.Split(file.link, "/"), rest); filepath.IsAbs(file.link) {
			at = "/"
		}
	}
	return fsys.located(at)
}

// linkAt is the symbolic link of the program's at the end of a path, and its place; nil for none.
func (fsys *fileSystem) linkAt(path string) (*memFile, string) {
	if fsys.m.cfg.Files == nil || path == "" {
		return nil, ""
	}
	rel, _ := fsys.followed(path, false)
	if f := fsys.names[rel]; f.isLink() {
		return f, rel
	}
	return nil, rel
}

// onDisk reports whether what the program makes at a place goes to the disk.
func (fsys *fileSystem) onDisk(rel string) bool {
	if !fsys.m.cfg.Files.Write || filepath.IsAbs(rel) {
		return false
	}
	if fsys.root == nil {
		fsys.readDisk(".")
	}
	return fsys.root != nil
}

// namesOf counts the names of a file.
func (s *fileSystem) namesOf(f *memFile) (n int) {
	for _, g := range s.names {
		if g == f {
			n++
		}
	}
	return n
}

// rename gives a file of several names one that it still has.
func (s *fileSystem) rename(f *memFile) {
	if s.names[f.name] == f {
		return
	}
	var left []string
	for n, g := range s.names {
		if g == f {
			left = append(left, n)
		}
	}
	if len(left) == 0 {
		f.disk = false
		return
	}
	f.name = slices.Min(left)
}

// newName is the place for a new file of a call; errno says why there can be none.
func (fsys *fileSystem) newName(c *libCall, path string) (string, ctype.Word, *Fault) {
	m := fsys.m
	if m.cfg.Files == nil {
		return "", 0, fsys.noFiles(c.name)
	}
	if path == "" {
		return "", errNOENT, nil
	}
	rel, below := fsys.localOf(c, path)
	switch {
	case !below:
		return "", 0, fsys.elsewhere(c.name, path)
	case m.cfg.Files.Given != nil:
		return "", 0, m.fault(Unsupported, 0, "%s: these runs have files without links", c.name)
	case fsys.hasFolder(rel):
		return "", errEXIST, nil
	}
	_, errno, f := fsys.find(c, path)
	switch {
	case f != nil || errno != 0 && errno != errNOENT:
		return "", errno, f
	case errno == 0:
		return "", errEXIST, nil
	case !fsys.hasFolder(filepath.Dir(rel)):
		return "", errNOENT, nil
	}
	return rel, 0, nil
}

func libSymlink(m *Machine, c *libCall) (ctype.Word, *Fault) {
	target, path, f := twoTexts(m, c)
	if f != nil {
		return 0, f
	}
	rel, errno, f := m.lib.fs.newName(c, path)
	switch {
	case f != nil:
		return 0, f
	case target == "":
		errno = errNOENT
	}
	if errno != 0 {
		return m.failed(errno)
	}
	if m.lib.fs.onDisk(rel) && m.lib.fs.root.Symlink(target, rel) != nil {
		return m.failed(errACCES)
	}
	m.lib.fs.names[rel] = &memFile{name: rel, link: target}
	m.lib.fs.links++
	return 0, nil
}

// besides is beside for the argument at i and the one behind it.
func (fsys *fileSystem) besides(c *libCall, i int, name string) (path ctype.Word, ok bool, f *Fault) {
	last := *c
	last.args = c.args[i:]
	to, ok, f := fsys.beside(&last, name)
	if !ok || f != nil {
		return 0, false, f
	}
	return to.args[0], true, nil
}

func libSymlinkat(m *Machine, c *libCall) (ctype.Word, *Fault) {
	path, ok, f := m.lib.fs.besides(c, 1, "symlink")
	if !ok || f != nil {
		return ^ctype.Word(0), f
	}
	to := *c
	to.name, to.args = "symlink", []ctype.Word{c.arg(0), path}
	return libSymlink(m, &to)
}

func libReadlinkat(m *Machine, c *libCall) (ctype.Word, *Fault) {
	to, ok, f := m.lib.fs.beside(c, "readlink")
	if !ok || f != nil {
		return ^ctype.Word(0), f
	}
	return libReadlink(m, to)
}

func libReadlink(m *Machine, c *libCall) (ctype.Word, *Fault) {
	path, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	if m.cfg.Files == nil {
		return 0, m.lib.fs.noFiles(c.name)
	}
	if c.long(2) <= 0 {
		return m.failed(errINVAL)
	}
	file, rel := m.lib.fs.linkAt(path)
	text := ""
	switch {
	case path == "":
		return m.failed(errNOENT)
	case file != nil:
		text = file.link
	case m.lib.fs.hasFolder(rel):
		return m.failed(errINVAL)
	default:
		_, known := m.lib.fs.names[rel]
		to, ok := "", false
		if _, below := m.lib.fs.localOf(c, path); below && !known {
			to, ok = m.lib.fs.linkTo(rel)
		}
		if ok {
			text = to
			break
		}
		_, errno, f := m.lib.fs.find(c, path)
		if f != nil {
			return 0, f
		}
		return m.failed(pick(errno == 0, errINVAL, int64(errno)))
	}
	text = text[:min(c.long(2), int64(len(text)))]
	return ctype.Word(len(text)), m.putBytes(c.arg(1), []byte(text))
}

func libLink(m *Machine, c *libCall) (ctype.Word, *Fault) {
	from, to, f := twoTexts(m, c)
	if f != nil {
		return 0, f
	}
	file, errno, f := m.lib.fs.find(c, from)
	if errno == errISDIR {
		errno = errPERM
	}
	if f != nil || errno != 0 {
		m.set(errno)
		return ^ctype.Word(0), f
	}
	at := *c
	at.name = "link"
	rel, errno, f := m.lib.fs.newName(&at, to)
	switch {
	case f != nil:
		return 0, f
	case errno != 0:
		return m.failed(errno)
	case file.null || file.isSocket || file.isLink() && m.cfg.Files.Write || file.disk != m.lib.fs.onDisk(rel):
		return 0, m.fault(Unsupported, 0, "%s of %s is not supported", c.name, from)
	}
	if file.disk {
		m.lib.fs.flush(file)
		if m.lib.fs.root.Link(file.name, rel) != nil {
			return m.failed(errACCES)
		}
	}
	file.linked = true
	m.lib.fs.names[rel] = file
	return 0, nil
}

func libLinkat(m *Machine, c *libCall) (ctype.Word, *Fault) {
	flags := c.int(4)
	if flags&^atFollow != 0 {
		return 0, m.fault(Unsupported, 0, "linkat with the flags %#x is not supported", flags)
	}
	from, ok, f := m.lib.fs.besides(c, 0, "link")
	if !ok || f != nil {
		return ^ctype.Word(0), f
	}
	to, ok, f := m.lib.fs.besides(c, 2, "link")
	if !ok || f != nil {
		return ^ctype.Word(0), f
	}
	plain := *c
	plain.args = []ctype.Word{from, to}
	if flags == 0 {
		plain.name = "link"
	}
	return libLink(m, &plain)
}

// renameLink is rename where one of both files is a symbolic link or has several names; done is false where none is.
func (fsys *fileSystem) renameLink(c *libCall, file *memFile, from, to string) (done bool, f *Fault) {
	rel, below := fsys.localOf(c, to)
	old := fsys.names[rel]
	if !file.isLink() && !file.linked && !old.isLink() && (old == nil || !old.linked) {
		return false, nil
	}
	if old == file {
		return true, nil
	}
	was, _ := fsys.localOf(c, from)
	switch {
	case !below:
		return false, fsys.elsewhere(c.name, to)
	case fsys.hasFolder(rel) || !fsys.hasFolder(filepath.Dir(rel)) || fsys.onDisk(was) != fsys.onDisk(rel):
		return false, fsys.m.fault(Unsupported, 0, "%s of %s to %s is not supported", c.name, from, to)
	}
	if fsys.onDisk(was) {
		fsys.flush(file)
		_ = fsys.root.Rename(was, rel)
	}
	fsys.names[was], fsys.names[rel] = nil, file
	if file.name == was {
		file.name = rel
	}
	if old != nil && old.linked {
		fsys.rename(old)
	} else if old != nil {
		old.disk = false
	}
	return true, nil
}

func libTruncate(m *Machine, c *libCall) (ctype.Word, *Fault) {
	path, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	n := c.long(1)
	if n < 0 || n > m.cfg.MaxMemory {
		return m.failed(pick(n < 0, errINVAL, errFBIG))
	}
	file, errno, f := m.lib.fs.find(c, path)
	if f != nil || errno != 0 {
		m.set(errno)
		return ^ctype.Word(0), f
	}
	if file.null {
		return m.failed(errINVAL)
	}
	data := make([]byte, n)
	copy(data, file.data)
	file.data, file.shared, file.mapped = data, false, ""
	m.lib.fs.flush(file)
	return 0, nil
}

// libFlock is flock. A lock is of an open file description; one that is closed has none.
func libFlock(m *Machine, c *libCall) (ctype.Word, *Fault) {
	const shared, alone, unlock, nonblock = 1, 2, 8, 4
	s := m.lib.stdio.streamOf(int(c.int(0)))
	if s == nil {
		return m.failed(errBADF)
	}
	how := c.int(1) &^ nonblock
	switch how {
	case unlock:
		s.locked = 0
		return 0, nil
	case shared, alone:
	default:
		return m.failed(errINVAL)
	}
	for l := range m.libraries {
		for o := range l.stdio.all {
			if o.opened == s.opened || s.file == nil || o.file != s.file || o.locked == 0 || how == shared && o.locked == shared {
				continue
			}
			if c.int(1)&nonblock == 0 {
				return 0, m.fault(Unsupported, 0, "flock that waits for another lock is not supported")
			}
			return m.failed(errAGAIN)
		}
	}
	s.locked = int8(how)
	return 0, nil
}

// libPlacedVector is preadv and pwritev.
func libPlacedVector(m *Machine, c *libCall) (ctype.Word, *Fault) {
	list, size, ok, f := vectorParts(m, c.arg(1), c.int(2))
	if f != nil {
		return 0, f
	}
	if !ok {
		return m.failed(errINVAL)
	}
	write := strings.HasPrefix(c.name, "pw")
	at := *c
	at.args = []ctype.Word{c.arg(0), 0, ctype.Word(size), c.arg(3)}
	s, ok := m.lib.fs.placed(&at)
	if !ok {
		return ^ctype.Word(0), nil
	}
	if write && !s.write || !write && !s.read {
		return m.failed(errBADF)
	}
	if !write {
		data := s.file.data
		data = data[min(c.long(3), int64(len(data))):]
		data = data[:min(int64(size), int64(len(data)))]
		return ctype.Word(len(data)), scatter(m, list, data)
	}
	b, f := gather(m, list)
	if f != nil {
		return 0, f
	}
	was := s.pos
	s.pos = c.long(3)
	f = s.put(m, b)
	s.pos = was
	return ctype.Word(len(b)), f
}

// reopen is freopen without a name: the same file in another mode, if its descriptor allows that.
func (st *stdio) reopen(c *libCall, s *stream) (ctype.Word, *Fault) {
	m := st.m
	text, f := m.cstring(c.arg(1))
	if f != nil {
		return 0, f
	}
	var o opened
	_, truncate, _, ok := o.mode(text)
	switch {
	case !ok:
		return 0, m.fault(Unsupported, 0, "freopen with the mode %s is not supported", text)
	case s.file == nil || s.text != nil || s.file.null:
		return 0, m.fault(Unsupported, 0, "freopen without a file name, of a stream that is no file, is not supported")
	case m.lib.fs.names[s.file.name] != s.file:
		return 0, m.fault(Unsupported, 0, "freopen without a file name, of a file that has none, is not supported")
	}
	s.settle()
	if truncate {
		s.file.data, s.file.shared, s.file.mapped = nil, false, ""
	}
	m.lib.fs.flush(s.file)
	o.file = s.file
	st.describe(s.fd, &o)
	s.eof, s.bad, s.unget, s.held, s.stdio = false, false, nil, nil, false
	return c.arg(2), nil
}
