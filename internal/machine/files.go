package machine

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gulo/internal/ctype"
	"gulo/internal/workdir"

	"golang.org/x/sys/unix"
)

// This file is the files of a program: those below one folder of the user's, read
// from there, and what the program writes, which stays in memory unless the user
// has it written. So runs of candidates touch nothing, and going back in a
// session takes the files along.

// Files says which files a program may use.
type Files struct {
	Dir   string // the folder; what is not below it cannot be read
	Write bool   // what the program writes below Dir is written there, too
	Start string // the folder below Dir that the program is started in; "" is Dir
	Large bool   // files of more than MaxMemory can be read, for one run

	Given *workdir.Files // these and no others, in place of Dir
}

// memFile is the contents of a file.
type memFile struct {
	name     string // below the folder, or absolute for one in memory alone
	data     []byte
	shared   bool             // data is also that of a saved state: copy it before a change
	null     bool             // a device that takes what is written and keeps nothing: /dev/null, /dev/zero, /dev/urandom
	source   func(*disk) byte // gives the next byte of a device that can be read without end; else nil
	mapped   string           // data is a memory map of this file of the user's; "" if it is none
	disk     bool             // changes go to disk: Files.Write is set and the file is below the folder
	mode     uint32           // 1 more than the permissions that the program gave it, 0 for none
	mtime    int64            // that the program gave it, 0 for none
	isSocket bool             // the name of a socket
	fifo     *fifo            // of a pipe with a name; else nil
	link     string           // where a symbolic link that the program made leads; "" for other files
	linked   bool             // it has had more names than one
}

// stream is a descriptor and the state of its FILE.
type stream struct {
	*opened
	fd       int
	eof, bad bool
	unget    []byte
	held     []byte      // printed to a file and not in it yet
	direct   bool        // it has no buffer
	lines    bool        // its buffer is emptied at the end of each line
	stdio    bool        // it was read from as a FILE
	buffer   ctype.Word  // the program's own; 0 for none
	text     *textStream // open_memstream, fmemopen
	cookie   *cookie     // fopencookie
	answered bool        // a cookie's last answer was the end or an error, and nobody has been told
}

// opened is an open file description. Descriptors made by dup and fork share it.
type opened struct {
	file        *memFile // nil for the standard streams, pipes and sockets
	device      int      // of the standard streams: which
	pos         int64
	read, write bool
	appending   bool
	folder      *openFolder // of an open folder; file is empty
	pipe        *pipe       // of an end of a pipe, or what a socket reads from; file is nil
	nonblock    bool        // O_NONBLOCK
	socket      *socket     // of a socket
	epoll       *epoll      // of an epoll descriptor
	event       *event      // of eventfd, timerfd and signalfd
	locked      int8        // by flock: 1 shared, 2 alone
}

// noDescriptor is the description of a standard stream whose descriptor is closed. Nothing changes it.
var noDescriptor = &opened{device: -1}

// textStream is the program's own memory that a stream writes to; see syncText.
type textStream struct {
	buf, size ctype.Word // open_memstream: where the address and the size of the memory are stored
	at        ctype.Word // the memory
	room      int64      // fmemopen: its size
	wide      bool       // open_wmemstream
}

// fileSystem is what a process has of the files: its descriptors and its working folder.
type fileSystem struct {
	m *Machine
	*disk
	streams map[int]*stream // by descriptor, from 3 on
	dirs    map[uint32]int  // DIR block -> descriptor
	cwd     string          // the working folder, below root
	cloexec map[int]bool    // descriptors that exec closes
}

// disk is the files that all processes of a program have in common: those that they have touched.
type disk struct {
	root    *os.Root
	names   map[string]*memFile // nil for a file that the program has removed
	folders map[string]bool     // made by the program, or false for removed
	made    int                 // number of temporary names given out
	drawn   uint64              // bytes read from /dev/urandom: each is the same in every run
	pipes   int                 // number of pipes made
	links   int                 // number of symbolic links made

	segments map[int]*segment // of shmget; not changed in place
	shms     int              // how many were made
	shared   map[int]*shared  // of semget and msgget; not changed in place
	ipcs     int              // how many were made
}

// devices are the files that take all and keep nothing, and what can be read from them; nil for nothing.
var devices = map[string]func(*disk) byte{
	"/dev/null": nil, "/dev/zero": func(*disk) byte { return 0 }, "/dev/urandom": (*disk).chance, "/dev/random": (*disk).chance,
}

// chance is a byte as random as a program can expect; every run gets the same ones. (Steele, Lea and Flood: Fast
// splittable pseudorandom number generators. OOPSLA 2014.)
func (s *disk) chance() byte {
	s.drawn++
	z := s.drawn * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return byte(z >> 56)
}

// The numbers of errors that functions on files set.
const (
	errNOENT = 2
	errIO    = 5
	errNOMEM = 12
	errBADF  = 9
	errACCES = 13
	errEXIST = 17
	errISDIR = 21
	errMFILE = 24
	errFBIG  = 27
	errSPIPE = 29
	errROFS  = 30
)

func newFileSystem(given *Files) *fileSystem {
	start := ""
	if given != nil {
		start = given.Start
	}
	s := &fileSystem{
		disk: &disk{names: map[string]*memFile{}, folders: map[string]bool{}},
		cwd:  start, streams: map[int]*stream{}, dirs: map[uint32]int{}, cloexec: map[int]bool{},
	}
	if given != nil && given.Given != nil {
		for _, f := range given.Given.List {
			s.names[f.Name] = &memFile{name: f.Name, data: f.Data, shared: true}
		}
		for _, dir := range given.Given.Folders() {
			s.folders[dir] = true
		}
	}
	return s
}

// set sets errno.
func (m *Machine) set(errno ctype.Word) {
	b, off, f := m.reach(m.lib.errno, 4, true)
	if f == nil {
		ctype.Store(ctype.IntT, b.Data[off:], errno)
		b.markInit(off, 4)
		if m.cfg.Monitor != nil {
			m.cfg.Monitor.Wrote(m.lib.errno, 4)
		}
	}
}

// local returns a path below the folder, or in the scratch folder; ok is false for one that is elsewhere. Symbolic links
// that the program made are followed.
func (fsys *fileSystem) local(path string) (string, bool) { return fsys.followed(path, true) }

// located is local for a path without such links.
func (fsys *fileSystem) located(path string) (string, bool) {
	m := fsys.m
	dir, err := filepath.Abs(m.cfg.Files.Dir)
	if err != nil {
		return "", false
	}
	if filepath.IsAbs(path) && m.cfg.Files.Given != nil {
		return filepath.Clean(path), false
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(absolute(dir, fsys.cwd), path)
	}
	path = filepath.Clean(path)
	rel, err := filepath.Rel(dir, path)
	if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return path, fsys.scratch(path)
	}
	return rel, true
}

// scratchFolder is where programs put what they need for a while. A run has one of its own, in memory alone and empty at
// first. Files in it go by their absolute names.
const scratchFolder = "/tmp"

// scratch reports whether a path is the scratch folder's or that of something in it.
func (fsys *fileSystem) scratch(path string) bool {
	return fsys.m.cfg.Files.Given == nil && (path == scratchFolder || strings.HasPrefix(path, scratchFolder+"/"))
}

// absolute is the path of what is called rel in the folder dir.
func absolute(dir, rel string) string {
	if filepath.IsAbs(rel) {
		return rel
	}
	return filepath.Join(dir, rel)
}

// noFiles is the fault of a call that uses files where there are none.
func (fsys *fileSystem) noFiles(name string) *Fault {
	return fsys.m.fault(Unsupported, 0, "%s: the program uses files, and here it is given none; gulo run lets it use those of a folder", name)
}

// elsewhere is the fault of a call that uses a file of another folder.
func (fsys *fileSystem) elsewhere(name, path string) *Fault {
	m := fsys.m
	if m.cfg.Files.Given != nil {
		return m.fault(Unsupported, 0, "%s of %s: runs are given only the files of the program's folder", name, path)
	}
	return m.fault(Unsupported, 0, "%s of %s, which is not below the folder that --files names (%s)", name, path, m.cfg.Files.Dir)
}

// find returns a file, from memory or from the folder. errno is not 0 when there
// is none; the fault is for what the user has not allowed.
func (fsys *fileSystem) find(c *libCall, path string) (*memFile, ctype.Word, *Fault) {
	m := fsys.m
	if f, ok := devices[filepath.Clean(path)]; ok {
		return &memFile{name: filepath.Clean(path), null: true, source: f}, 0, nil
	}
	if m.cfg.Files == nil {
		return nil, 0, fsys.noFiles(c.name)
	}
	if path == "" {
		return nil, errNOENT, nil
	}
	rel, below := fsys.localOf(c, path)
	if f, ok := devices[rel]; ok {
		return &memFile{name: rel, null: true, source: f}, 0, nil
	}
	if f, ok := fsys.names[rel]; ok {
		if f == nil {
			return nil, errNOENT, nil
		}
		if f.link != "" && !keepsLinks[c.name] {
			return nil, errLOOP, nil
		}
		return f, 0, nil
	}
	if below && fsys.folders[rel] || rel == scratchFolder && fsys.scratch(rel) {
		return nil, errISDIR, nil
	}
	if !below || filepath.IsAbs(rel) {
		if _, err := os.Lstat(rel); err != nil {
			return nil, errNOENT, nil
		}
		return nil, 0, fsys.elsewhere(c.name, path)
	}
	if g := m.cfg.Files.Given; g != nil {
		if why := g.Left(rel); why != "" {
			return nil, 0, m.fault(Unsupported, 0, "%s of %s, which runs are not given: %s", c.name, path, why)
		}
		return nil, errNOENT, nil
	}
	data, errno := fsys.readDisk(rel)
	if errno == errFBIG {
		return nil, 0, m.fault(LimitFault, 0, "%s of %s, a file of more than %d MiB", c.name, path, m.cfg.MaxMemory>>20)
	}
	if errno != 0 {
		return nil, errno, nil
	}
	f := &memFile{name: rel, data: data, disk: m.cfg.Files.Write}
	if int64(len(data)) > m.cfg.MaxMemory {
		f.shared, f.mapped = true, rel
	}
	fsys.names[rel] = f
	return f, 0, nil
}

func (fsys *fileSystem) readDisk(rel string) ([]byte, ctype.Word) {
	m := fsys.m
	s := fsys
	if m.cfg.Files.Given != nil || filepath.IsAbs(rel) {
		return nil, errNOENT
	}
	if s.root == nil {
		root, err := os.OpenRoot(m.cfg.Files.Dir)
		if err != nil {
			return nil, errNOENT
		}
		s.root = root
	}
	info, err := s.root.Stat(rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errNOENT
	case err != nil:
		return nil, errACCES
	case info.IsDir():
		return nil, errISDIR
	case info.Mode().IsRegular() && info.Size() > m.cfg.MaxMemory:
		if m.cfg.Files.Large {
			return s.mapDisk(rel, info.Size())
		}
		return nil, errFBIG
	case !info.Mode().IsRegular():
		return nil, errACCES
	}
	data, err := s.root.ReadFile(rel)
	if err != nil {
		return nil, errACCES
	}
	return data, 0
}

// mapDisk maps a file into memory, where it stays until gulo ends. The mapping cannot be written to, so find marks the
// file as shared.
func (s *fileSystem) mapDisk(rel string, size int64) ([]byte, ctype.Word) {
	f, err := s.root.Open(rel)
	if err != nil {
		return nil, errACCES
	}
	defer f.Close()
	data, err := unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ, unix.MAP_PRIVATE)
	if err != nil {
		return nil, errNOMEM
	}
	return data, 0
}

// create returns a new or emptied file.
func (fsys *fileSystem) create(c *libCall, path string, exclusive, truncate bool) (*memFile, ctype.Word, *Fault) {
	m := fsys.m
	f, errno, fault := fsys.find(c, path)
	if at, _ := fsys.followed(path, false); exclusive && fsys.names[at].isLink() {
		return nil, errEXIST, nil
	}
	switch {
	case fault != nil && !truncate, fault != nil && exclusive:
		return nil, 0, fault
	case fault != nil: // written anew, in memory alone: nothing of the user's is read
		if m.cfg.Files == nil || m.cfg.Files.Given != nil {
			return nil, 0, fault
		}
	case f != nil && exclusive:
		return nil, errEXIST, nil
	case f != nil:
		if truncate {
			f.data, f.shared, f.mapped = nil, false, ""
		}
		return f, 0, nil
	case errno != errNOENT || path == "":
		return nil, errno, nil
	}
	rel, below := fsys.localOf(c, path)
	if !below && m.cfg.Files.Given != nil {
		return nil, 0, fsys.elsewhere(c.name, path)
	}
	if below && !fsys.hasFolder(filepath.Dir(rel)) {
		return nil, errNOENT, nil
	}
	f = &memFile{name: rel, disk: m.cfg.Files.Write && below && !filepath.IsAbs(rel)}
	fsys.names[rel] = f
	return f, 0, nil
}

func (fsys *fileSystem) hasFolder(rel string) bool {
	m := fsys.m
	if rel == "." || rel == scratchFolder {
		return true
	}
	if there, ok := fsys.folders[rel]; ok {
		return there
	}
	if m.cfg.Files.Given != nil || filepath.IsAbs(rel) {
		return false
	}
	info, err := os.Stat(filepath.Join(m.cfg.Files.Dir, rel))
	return err == nil && info.IsDir()
}

// flush writes a file where the user has allowed it.
func (fsys *fileSystem) flush(f *memFile) {
	if !f.disk {
		return
	}
	if fsys.root == nil {
		if _, errno := fsys.readDisk(f.name); errno != 0 && fsys.root == nil {
			return
		}
	}
	if f.mapped != f.name || f.mapped == "" { // else it would be emptied before it is read
		if err := fsys.root.WriteFile(f.name, f.data, 0o666); err != nil {
			fsys.m.set(errROFS)
			return
		}
	}
	if f.mode != 0 {
		_ = fsys.root.Chmod(f.name, fs.FileMode(f.mode-1)&fs.ModePerm)
	}
	if f.mtime != 0 {
		t := time.Unix(f.mtime, 0)
		_ = fsys.root.Chtimes(f.name, t, t)
	}
}

// put writes at the stream's position.
func (s *stream) put(m *Machine, data []byte) *Fault {
	f := s.counted(m, data)
	if f == nil {
		s.place(data)
	}
	return f
}

// bufferSize is how much the buffer of a stream holds.
const bufferSize = 4096

// hold puts what is printed to a file into the stream's buffer. The file has it once the buffer is full or flushed.
func (s *stream) hold(m *Machine, data []byte) *Fault {
	if s.cookie != nil {
		s.held = append(slices.Clip(s.held), data...)
		return s.counted(m, data)
	}
	if s.text != nil || s.direct {
		return s.put(m, data)
	}
	if f := s.counted(m, data); f != nil || s.file.null {
		return f
	}
	s.held = append(s.held, data...)
	n := 0
	switch {
	case s.lines:
		n = bytes.LastIndexByte(s.held, '\n') + 1
	case len(s.held) > bufferSize:
		n = len(s.held) / bufferSize * bufferSize
	}
	if n > 0 {
		s.place(s.held[:n])
		s.held = slices.Clone(s.held[n:])
	}
	return nil
}

// settle empties the stream's buffer into its file.
func (s *stream) settle() {
	if len(s.held) > 0 && s.file != nil && s.cookie == nil {
		s.place(s.held)
		s.held = nil
	}
}

// counted counts a write and returns a fault if it goes over a limit.
func (s *stream) counted(m *Machine, data []byte) *Fault {
	m.lib.stdio.written += int64(len(data))
	switch {
	case m.lib.stdio.written > m.cfg.MaxOutput:
		return m.outputLimit()
	case s.file.null:
		return nil
	case s.at()+int64(len(data)) > m.cfg.MaxMemory:
		return m.fault(LimitFault, 0, "a file of more than %d MiB", m.cfg.MaxMemory>>20)
	case int64(len(s.file.data)) > m.cfg.MaxMemory:
		return m.fault(LimitFault, 0, "a write to a file of more than %d MiB", m.cfg.MaxMemory>>20)
	}
	return nil
}

// at is where what is printed next goes.
func (s *stream) at() int64 {
	if s.appending && len(s.held) > 0 {
		return int64(len(s.file.data) + len(s.held))
	}
	return s.pos + int64(len(s.held))
}

// place writes to the file.
func (s *stream) place(data []byte) {
	f := s.file
	if f.null {
		return
	}
	if s.appending {
		s.pos = int64(len(f.data))
	}
	end := s.pos + int64(len(data))
	if f.shared {
		f.data, f.shared = slices.Clone(f.data), false
	}
	if end > int64(len(f.data)) {
		f.data = append(f.data, make([]byte, end-int64(len(f.data)))...)
	}
	copy(f.data[s.pos:], data)
	s.pos = end
}

// dirty reports whether a stream may have changed a file that it has not closed.
func (s *fileSystem) dirty(f *memFile) bool {
	for _, st := range s.streams {
		if st.file == f && st.write {
			return true
		}
	}
	return false
}

// mode parses a mode of fopen and sets s.read, s.write and s.appending; ok is false if it is invalid.
func (s *opened) mode(mode string) (create, truncate, exclusive, ok bool) {
	if mode == "" {
		return false, false, false, false
	}
	switch mode[0] {
	case 'r':
		s.read = true
	case 'w':
		s.write, create, truncate = true, true, true
	case 'a':
		s.write, s.appending, create = true, true, true
	default:
		return false, false, false, false
	}
	if strings.Contains(mode, "+") {
		s.read, s.write = true, true
	}
	return create, truncate, strings.Contains(mode, "x"), true
}
