package project

import (
	"cmp"
	"debug/elf"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gulo/internal/cfront"
)

// This file finds the files that a program is made of.

// Program is a program of a build: its C files and how each is compiled. File names are relative to the current folder
// if they are below it.
type Program struct {
	Name    string // as it was linked; if its link command is unknown, the file with main
	Files   []string
	Options cfront.Options
	Left    []string // dropped flags: those of sanitizers
	Closed  []string // libraries of the build that are linked as they are, since their sources are unknown
	Foreign []string // files in other languages whose objects are linked
	Lost    []string // files in other languages whose objects are missing
	Gone    []string // C files that it was compiled from and that no longer exist
	Guessed []string // files whose flags are known only from debug information, which has no -D
}

// build is the parsed database.
type build struct {
	compiled map[string]*compiled // by absolute name of the object
	order    []*compiled
	archives map[string]*run   // static libraries, by absolute name
	shared   map[string]*run   // shared libraries, by absolute name
	links    []*run            // commands that link programs, the last one for each name
	foreign  map[string]string // files in other languages, by absolute name of the object
	asked    []string          // folders in which other records were looked for
}

// compiled is a C file that was compiled to an object.
type compiled struct {
	object, source string // absolute names
	run            *run
	given          string // the source as on the command line
	guessed        bool   // the flags are known only from debug information
}

// build parses a database. It adds what is recorded elsewhere about the files that its programs are linked from.
func (db *Database) build() *build {
	b, links := db.parts()
	for _, r := range links {
		b.program(r)
	}
	return b
}

// objectName returns a compiler's default name for the object of a file.
func objectName(source string) string {
	return strings.TrimSuffix(filepath.Base(source), filepath.Ext(source)) + ".o"
}

// parts parses the database itself, and returns the commands that link programs.
func (db *Database) parts() (b *build, links []*run) {
	b = &build{compiled: map[string]*compiled{}, archives: map[string]*run{}, shared: map[string]*run{}, foreign: map[string]string{}}
	for i := range db.Commands {
		r := parse(&db.Commands[i])
		r.earlier, r.made, r.since = i < db.before, db.Commands[i].Made, db.since
		switch {
		case r.tool == "ar":
			b.archive(&r)
		case r.tool != "cc" && r.tool != "c++" || r.stop == 'S' || r.stop == 'E':
		case r.stop == 'c':
			for _, s := range r.sources {
				out := r.output
				if out == "" || len(r.sources) > 1 {
					out = objectName(s)
				}
				b.add(&compiled{object: join(r.dir, out), source: join(r.dir, s), run: &r, given: s})
			}
			for _, s := range r.foreign {
				b.foreign[join(r.dir, cmp.Or(r.output, objectName(s)))] = join(r.dir, s)
			}
		case r.shared && r.output != "":
			b.shared[real(join(r.dir, r.output))] = &r
		case !r.shared && len(r.link) > 0:
			links = append(links, &r)
		}
	}
	return b, links
}

// consult adds what is recorded in the folder of a file and in those above: a program's libraries may have been built
// earlier and elsewhere. What is known already has precedence.
func (b *build) consult(at string) {
	for dir := filepath.Dir(at); !slices.Contains(b.asked, dir); dir = filepath.Dir(dir) {
		b.asked = append(b.asked, dir)
		db, err := Open(dir)
		if err != nil {
			continue
		}
		more, _ := db.parts()
		for _, c := range more.order {
			if b.compiled[c.object] == nil {
				b.add(c)
			}
		}
		maps.Copy(b.foreign, more.foreign)
		maps.Copy(more.archives, b.archives)
		maps.Copy(more.shared, b.shared)
		b.archives, b.shared = more.archives, more.shared
	}
}

// of returns how a C file was compiled, for the first time if there are several; nil if that is not recorded.
func (b *build) of(source string) *compiled {
	if i := slices.IndexFunc(b.order, func(c *compiled) bool { return c.source == source }); i >= 0 {
		return b.order[i]
	}
	return nil
}

// add adds a compiled file, unless its source no longer exists: then it was a probe by a configuration script.
func (b *build) add(c *compiled) {
	if _, err := os.Stat(c.source); err != nil {
		return
	}
	if b.compiled[c.object] == nil {
		b.order = append(b.order, c)
	} else {
		i := slices.Index(b.order, b.compiled[c.object])
		b.order[i] = c
	}
	b.compiled[c.object] = c
}

// archive adds a static library. If it is made by several commands, their members accumulate.
func (b *build) archive(r *run) {
	at := join(r.dir, r.output)
	if old := b.archives[at]; old != nil {
		for _, m := range old.link {
			if m = join(old.dir, m); !slices.ContainsFunc(r.link, func(n string) bool { return join(r.dir, n) == m }) {
				r.link = append(r.link, m)
			}
		}
	}
	b.archives[at] = r
}

func (b *build) program(r *run) {
	if r.output == "" {
		r.output = "a.out"
	}
	for _, s := range r.sources {
		if _, err := os.Stat(join(r.dir, s)); err != nil {
			return // a probe by a configuration script
		}
	}
	known := len(r.sources) > 0
	for _, in := range r.link {
		known = known || b.objectOf(join(r.dir, in)) != nil
	}
	at := join(r.dir, r.output)
	if !known || probe(at) {
		return
	}
	b.links = slices.DeleteFunc(b.links, func(o *run) bool { return join(o.dir, o.output) == at })
	b.links = append(b.links, r)
}

// objectOf returns how an object was compiled. If the commands at hand do not say, for example because only changed
// files were compiled, it uses other records or the object's debug information. It returns nil if the object was not
// compiled from C or nothing is known.
func (b *build) objectOf(at string) *compiled {
	if c := b.compiled[at]; c != nil || filepath.Ext(at) != ".o" {
		return c
	}
	if _, err := os.Stat(at); err != nil {
		return nil
	}
	b.consult(at)
	if b.compiled[at] == nil && b.foreign[at] == "" {
		if units := unitsOf(at); len(units) == 1 && isSource(units[0].name) {
			b.add(units[0].compiled(at))
		}
	}
	return b.compiled[at]
}

// probe reports whether a program is one with which CMake or Meson test the compiler.
func probe(at string) bool {
	for _, part := range []string{"/CMakeFiles/", "/meson-private/"} {
		if strings.Contains(at, part) {
			return true
		}
	}
	return false
}

// Asked returns the program that a build command names and has just made, such as make NAME or gcc -o NAME, or else the
// only program linked in a folder that had none before. It returns "" if there is none or several.
func (db *Database) Asked(command []string) string {
	var out, fresh []string
	folders := map[string]bool{}
	links := db.build().links
	for _, r := range links {
		folders[r.dir] = folders[r.dir] || r.earlier
	}
	for _, r := range links {
		name := shownAt(join(r.dir, r.output))
		if slices.ContainsFunc(command, func(w string) bool { return filepath.Base(w) == filepath.Base(name) }) && !r.earlier {
			out = append(out, name)
		}
		if !r.earlier && !folders[r.dir] {
			fresh = append(fresh, name)
		}
	}
	if len(out) == 0 {
		out = fresh
	}
	if len(out) != 1 {
		return ""
	}
	return out[0]
}

// Program finds a program by its name, its path, or its file with main; "" means the only one.
func (db *Database) Program(name string) (*Program, error) {
	b := db.build()
	if len(b.links) == 0 {
		return b.unlinked(db, name)
	}
	var hits []*run
	var names []string
	for _, r := range b.links {
		at := shownAt(join(r.dir, r.output))
		names = append(names, relative(at))
		if name == "" || filepath.Base(at) == name || at == shownAt(join(mustGetwd(), name)) || b.hasSource(r, name) {
			hits = append(hits, r)
		}
	}
	slices.Sort(names)
	if there := slices.DeleteFunc(slices.Clone(hits), func(r *run) bool { return !IsProgram(join(r.dir, r.output)) }); len(there) > 0 {
		hits = there // with several configurations, prefer those that were built
	}
	switch {
	case len(hits) == 0:
		return nil, fmt.Errorf("the build has no program %s; it has %s", name, strings.Join(names, ", "))
	case len(hits) > 1 && name == "":
		return nil, fmt.Errorf("the build makes several programs; say which one: %s", strings.Join(names, ", "))
	case len(hits) > 1:
		if i := slices.IndexFunc(hits, func(r *run) bool { return filepath.Base(r.output) == filepath.Base(name) }); i >= 0 {
			hits[0] = hits[i]
		} else {
			return nil, fmt.Errorf("several programs are made of %s; say which one: %s", name, strings.Join(names, ", "))
		}
	}
	return b.linked(hits[0])
}

// shownAt returns where the user sees a program made by libtool: outside the folder .libs, where a script replaces it.
func shownAt(at string) string {
	if dir := filepath.Dir(at); filepath.Base(dir) == ".libs" {
		return filepath.Join(filepath.Dir(dir), strings.TrimPrefix(filepath.Base(at), "lt-"))
	}
	return at
}

func (b *build) hasSource(r *run, name string) bool {
	if !isSource(name) {
		return false
	}
	at := join(mustGetwd(), name)
	for _, in := range r.link {
		if c := b.compiled[join(r.dir, in)]; c != nil && c.source == at || isSource(in) && join(r.dir, in) == at {
			return true
		}
	}
	return false
}

// linked returns a program whose link command is known.
func (b *build) linked(r *run) (*Program, error) {
	m := &maker{b: b, p: &Program{Name: relative(shownAt(join(r.dir, r.output)))}, met: map[string]bool{}}
	m.p.Options.Units = map[string]cfront.Unit{}
	var dirs []string
	for _, in := range r.link {
		if d, ok := strings.CutPrefix(in, "-L"); ok {
			dirs = append(dirs, join(r.dir, d))
		}
	}
	for i := 0; i < len(r.link); i++ {
		in := r.link[i]
		switch {
		case in == "-Xlinker" || in == "-u" || in == "-z" || in == "-T":
			if i++; i < len(r.link) {
				m.option(in, r.link[i])
			}
		case strings.HasPrefix(in, "-L"):
			m.option("-L"+join(r.dir, in[2:]), "-Wl,-rpath,"+join(r.dir, in[2:]))
		case strings.HasPrefix(in, "-l"):
			if a := b.library(dirs, in[2:]); a != "" {
				m.library(a)
			} else {
				m.option(in)
			}
		case strings.HasPrefix(in, "-"):
			m.option(in)
		default:
			m.input(r, in)
		}
	}
	if r.tool == "c++" {
		m.option("-lstdc++")
	}
	return m.done()
}

// library finds the library of the build that -l names, in the folders where the linker looks, in each first a shared
// one.
func (b *build) library(dirs []string, name string) string {
	names := []string{"lib" + name + ".so", "lib" + name + ".a"}
	if exact, ok := strings.CutPrefix(name, ":"); ok {
		names = []string{exact}
	}
	for _, d := range dirs {
		for _, n := range names {
			at := filepath.Join(d, n)
			if _, err := os.Stat(at); err == nil && !b.isLibrary(at) && !ofSystem(at) {
				b.consult(at)
			}
			if b.isLibrary(at) {
				return at
			}
		}
	}
	return ""
}

func (b *build) isLibrary(at string) bool { return b.archives[at] != nil || b.shared[real(at)] != nil }

// real resolves symbolic links: libtool gives a library several names.
func real(at string) string {
	if to, err := filepath.EvalSymlinks(at); err == nil {
		return to
	}
	return at
}

// unlinked returns a program whose link command is unknown: the files that its file with main needs, as far as their
// objects exist to tell.
func (b *build) unlinked(db *Database, name string) (*Program, error) {
	if len(b.order) == 0 {
		return nil, fmt.Errorf("%s names no C file that is there", db.Dir)
	}
	var mains []*compiled
	var names []string
	for _, c := range b.order {
		if !c.hasMain() {
			continue
		}
		names = append(names, cmp.Or(c.target(), relative(c.source)))
		base := filepath.Base(c.source)
		if name == "" || base == name || c.target() != "" && c.target() == filepath.Base(name) || strings.TrimSuffix(base, filepath.Ext(base)) == filepath.Base(name) || c.source == join(mustGetwd(), name) {
			mains = append(mains, c)
		}
	}
	if len(mains) == 0 && name != "" {
		mains = b.mainOf(db, name)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	switch {
	case len(names) == 0:
		return nil, fmt.Errorf("no file of %s has a function main", db.Dir)
	case len(mains) == 0:
		return nil, fmt.Errorf("the build has no program %s; main is in %s", name, strings.Join(names, ", "))
	case len(mains) > 1:
		return nil, fmt.Errorf("the build makes several programs; say which one: %s", strings.Join(names, ", "))
	}
	m := &maker{b: b, p: &Program{Name: relative(mains[0].source)}, met: map[string]bool{}}
	m.p.Options.Units = map[string]cfront.Unit{}
	m.file(mains[0])
	var rest []*compiled
	for _, c := range b.order {
		if c != mains[0] && !c.hasMain() {
			rest = append(rest, c)
		}
	}
	m.pool = append(m.pool, rest...)
	return m.done()
}

// mainOf finds the file with main of a built program by its debug information. name is its path, or its name in the
// folder of the database.
func (b *build) mainOf(db *Database, name string) []*compiled {
	for _, at := range []string{join(mustGetwd(), name), join(db.Dir, name)} {
		at = Behind(at)
		if !IsProgram(at) {
			continue
		}
		for _, u := range unitsOf(at) {
			if c := b.of(join(u.dir, u.name)); c != nil && c.hasMain() {
				return []*compiled{c}
			}
		}
	}
	return nil
}

// target returns the program or library for which an object is made, by the folder in which CMake (CMakeFiles/NAME.dir)
// and Meson (NAME.p) put its objects; "" if it does not say.
func (c *compiled) target() string {
	dir := filepath.Dir(c.object)
	for ; dir != "/" && dir != "."; dir = filepath.Dir(dir) {
		base := filepath.Base(dir)
		if name, ok := strings.CutSuffix(base, ".dir"); ok && filepath.Base(filepath.Dir(dir)) == "CMakeFiles" {
			return name
		}
		if name, ok := strings.CutSuffix(base, ".p"); ok {
			return name
		}
	}
	return ""
}

var mainText = regexp.MustCompile(`(?m)^[^#\n]*\bmain[ \t]*\(`)

func (c *compiled) hasMain() bool {
	if d, _, ok := symbols(c.object); ok {
		return d["main"]
	}
	b, err := os.ReadFile(c.source)
	return err == nil && mainText.Match(b)
}

// symbols returns the symbols that an object defines and needs; ok is false if the object cannot be read.
func symbols(object string) (defined, needed map[string]bool, ok bool) {
	f, err := elf.Open(object)
	if err != nil {
		return nil, nil, false
	}
	defer f.Close()
	list, err := f.Symbols()
	if err != nil {
		return nil, nil, false
	}
	defined, needed = map[string]bool{}, map[string]bool{}
	for _, s := range list {
		bind := elf.ST_BIND(s.Info)
		switch {
		case s.Name == "" || bind == elf.STB_LOCAL:
		case s.Section == elf.SHN_UNDEF && bind != elf.STB_WEAK:
			needed[s.Name] = true
		case s.Section != elf.SHN_UNDEF:
			defined[s.Name] = true
		}
	}
	return defined, needed, true
}

// maker collects the files of a program.
type maker struct {
	b    *build
	p    *Program
	met  map[string]bool // by source
	objs []string        // objects that are linked in any case
	pool []*compiled     // files that are linked only if something needs them
	link []string
	took map[*run]bool // shared libraries included already
}

func (m *maker) option(words ...string) { m.link = append(m.link, words...) }

// input adds an input of the linker.
func (m *maker) input(r *run, in string) {
	at := join(r.dir, in)
	if isLibraryName(at) && !m.b.isLibrary(at) {
		m.b.consult(at)
	}
	c := m.b.objectOf(at)
	switch {
	case c != nil:
		m.file(c)
	case isSource(in) && slices.Contains(r.sources, in):
		m.file(&compiled{source: at, run: r, given: in})
	case m.b.isLibrary(at):
		m.library(at)
	case m.b.foreign[at] != "":
		m.foreign(at, m.b.foreign[at])
	default:
		m.option(at)
		m.closed(at)
	}
}

// foreign adds an object that was compiled from another language.
func (m *maker) foreign(object, source string) {
	m.option(object)
	m.p.Foreign = append(m.p.Foreign, relative(source))
}

// ofSystem reports whether a library comes with the system, by its path; CMake names those by path, too.
func ofSystem(at string) bool { return strings.HasPrefix(at, "/usr/") || strings.HasPrefix(at, "/lib") }

// isLibraryName reports whether a file has the name of a library, and does not come with the system.
func isLibraryName(at string) bool {
	name := filepath.Base(at)
	return (strings.HasSuffix(name, ".a") || strings.Contains(name+".", ".so.")) && !ofSystem(at)
}

// closed records a linked file as Closed if it is a library of the build.
func (m *maker) closed(at string) {
	if isLibraryName(at) {
		m.p.Closed = append(m.p.Closed, relative(at))
	}
}

// library adds a library of the build. The C files of a static one go to the pool.
func (m *maker) library(at string) {
	a := m.b.archives[at]
	if a == nil {
		m.loaded(m.b.shared[real(at)])
		return
	}
	for _, in := range a.link {
		if c := m.b.compiled[join(a.dir, in)]; c != nil {
			m.pool = append(m.pool, c)
		}
	}
	if _, err := os.Stat(at); err == nil && !slices.Contains(m.link, at) {
		m.option(at) // for its parts that are not C or that its own build inlined
	}
}

// loaded adds a shared library as if it were linked statically: its C files become a part of the program. Its parts
// that are not C are linked as they are.
func (m *maker) loaded(r *run) {
	if m.took == nil {
		m.took = map[*run]bool{}
	}
	if m.took[r] {
		return
	}
	m.took[r] = true
	var dirs []string
	for i := 0; i < len(r.link); i++ {
		in := r.link[i]
		switch {
		case in == "-Xlinker" || in == "-u" || in == "-z" || in == "-T":
			i++
		case strings.HasPrefix(in, "-L"):
			dirs = append(dirs, join(r.dir, in[2:]))
			m.option("-L"+join(r.dir, in[2:]), "-Wl,-rpath,"+join(r.dir, in[2:]))
		case strings.HasPrefix(in, "-l"):
			if a := m.b.library(dirs, in[2:]); a != "" {
				m.library(a)
			} else {
				m.option(in)
			}
		case strings.HasPrefix(in, "-"):
		case m.b.compiled[join(r.dir, in)] != nil:
			m.pool = append(m.pool, m.b.compiled[join(r.dir, in)])
		case isSource(in) && slices.Contains(r.sources, in):
			m.file(&compiled{source: join(r.dir, in), run: r, given: in})
		default:
			m.input(r, in)
		}
	}
}

// asRecorded returns the object if it was certainly made by the known command: it is the one that Record saw being
// made, or it is newer than the description by which generated makefiles keep it current. Otherwise it returns "".
func (c *compiled) asRecorded() string {
	st, err := os.Stat(c.object)
	if err != nil || c.guessed {
		return ""
	}
	at := st.ModTime().UnixNano()
	if at == c.run.made || c.run.made == 0 && c.run.since > 0 && at > c.run.since {
		return c.object
	}
	return ""
}

// file adds a C file. If the file is already in the program, compiled with other flags, its object is linked instead.
func (m *maker) file(c *compiled) {
	if m.met[c.source] {
		if c.object != "" && !slices.Contains(m.objs, c.object) {
			m.option(c.object)
		}
		return
	}
	m.met[c.source] = true
	m.objs = append(m.objs, c.object)
	name := relative(c.source)
	m.p.Files = append(m.p.Files, name)
	if c.guessed && !slices.Contains(m.p.Guessed, name) {
		m.p.Guessed = append(m.p.Guessed, name)
	}
	dir := relative(c.run.dir)
	u := cfront.Unit{Flags: c.run.flags, Dir: dir, Name: c.given, Object: c.asRecorded()}
	if dir == "." {
		u.Dir, u.Name = "", name
	}
	m.p.Options.Units[name] = u
	for _, f := range c.run.left {
		if !slices.Contains(m.p.Left, f) {
			m.p.Left = append(m.p.Left, f)
		}
	}
}

// done adds those files of the pool that are needed, and those for which that cannot be found out.
func (m *maker) done() (*Program, error) {
	defined, needed := map[string]bool{}, map[string]bool{}
	known := true
	note := func(object string) {
		d, n, ok := symbols(object)
		known = known && ok
		for s := range d {
			defined[s] = true
		}
		for s := range n {
			needed[s] = true
		}
	}
	for _, o := range m.objs {
		note(o)
	}
	for again := true; again && len(m.pool) > 0; {
		again = false
		for i, c := range m.pool {
			if c == nil {
				continue
			}
			take := !known
			if d, _, ok := symbols(c.object); !ok {
				take = !m.met[c.source] // the same file compiled with other flags belongs to another program
			} else {
				for s := range d {
					take = take || needed[s] && !defined[s]
				}
			}
			if take {
				m.pool[i], again = nil, true
				m.file(c)
				note(c.object)
			}
		}
	}
	m.p.Options.Link = m.link
	if len(m.p.Files) == 0 {
		return nil, fmt.Errorf("no C file of %s is known; build it anew", m.p.Name)
	}
	return m.p, nil
}

func mustGetwd() string {
	dir, err := os.Getwd()
	if err != nil {
		return "/"
	}
	return dir
}

// relative returns a file's name relative to the current folder if the file is below it.
func relative(path string) string {
	if r, err := filepath.Rel(mustGetwd(), path); err == nil && r != ".." && !strings.HasPrefix(r, "../") {
		return r
	}
	return path
}
