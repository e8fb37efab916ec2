package project

import (
	"debug/dwarf"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gulo/internal/cfront"
)

// This file finds the sources of a built program by its debug information, which names the files, the folders in which
// they were compiled and in which headers were found, and the flags that change code. It does not contain -D and -U; a
// recorded build or a compile_commands.json near the sources does.

// IsProgram reports whether a file is an executable for this machine.
func IsProgram(name string) bool {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return false // opening a pipe would wait
	}
	f, err := elf.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	return f.Type == elf.ET_EXEC || f.Type == elf.ET_DYN
}

// Behind returns the program that a script by libtool runs, or name itself if it is not such a script.
func Behind(name string) string {
	for _, prefix := range []string{"", "lt-"} {
		at := filepath.Join(filepath.Dir(name), ".libs", prefix+filepath.Base(name))
		if !IsProgram(name) && IsProgram(at) {
			return at
		}
	}
	return name
}

// FromBinary returns the sources of a built program.
func FromBinary(name string) (*Program, error) {
	f, err := elf.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Class == elf.ELFCLASS32 {
		return nil, fmt.Errorf("%s is a 32-bit program, which is not supported; build it without -m32", name)
	}
	if f.Section(".debug_info") == nil && f.Section(".zdebug_info") == nil {
		return nil, fmt.Errorf("%s has no debug information; build it with -g, or use gulo debug -- make", name)
	}
	d, err := f.DWARF()
	if err != nil {
		return nil, fmt.Errorf("%s: %v", name, err)
	}
	units, err := cUnits(d)
	if err != nil {
		return nil, fmt.Errorf("%s: %v", name, err)
	}
	if !slices.ContainsFunc(units, func(u cUnit) bool { return isSource(u.name) }) {
		return nil, fmt.Errorf("%s has no debug information about C files; build it with -g, or use gulo debug -- make", name)
	}
	if p := recorded(name, units); p != nil {
		return p, nil
	}
	p := &Program{Name: name, Options: cfront.Options{Units: map[string]cfront.Unit{}}}
	missing := ""
	libs, units := p.libraries(f, name, units)
	m := maker{b: (&Database{}).build(), p: p, met: map[string]bool{}}
	for _, u := range units {
		at := join(u.dir, u.name)
		switch _, err := os.Stat(at); {
		case err != nil && !isSource(u.name): // a file of the system, such as the code that calls main, or a generated one
			if _, err := os.Stat(u.dir); err == nil {
				m.unread(u)
			}
			continue
		case err != nil:
			missing = at
			p.Gone = append(p.Gone, relative(at))
			continue
		case !isSource(u.name):
			m.unread(u)
			continue
		}
		m.b.consult(at)
		m.b.consult(filepath.Join(u.dir, "object"))
		c := m.b.of(at)
		if c == nil {
			c = u.compiled("")
		}
		m.file(c)
	}
	if len(p.Files) == 0 {
		return nil, fmt.Errorf("%s was built from %s, which is not there", name, missing)
	}
	p.Options.Link = append(p.Options.Link, m.link...)
	for _, l := range libs {
		base, _, ok := strings.Cut(strings.TrimPrefix(l, "lib"), ".so")
		if ok && strings.HasPrefix(l, "lib") && base != "c" {
			p.Options.Link = append(p.Options.Link, "-l:"+l)
		}
	}
	return p, nil
}

// libraries sorts the shared libraries of a program. The C files of libraries of its own build become a part of the
// program, libraries of the system stay, and a library of its build without debug information is linked as it is.
func (p *Program) libraries(f *elf.File, name string, units []cUnit) (system []string, all []cUnit) {
	names, _ := f.ImportedLibraries()
	dirs := besideScript(name)
	for _, tag := range []elf.DynTag{elf.DT_RPATH, elf.DT_RUNPATH} {
		paths, _ := f.DynString(tag)
		for _, list := range paths {
			for _, d := range filepath.SplitList(list) {
				dirs = append(dirs, join(mustGetwd(), strings.NewReplacer("$ORIGIN", filepath.Dir(name), "${ORIGIN}", filepath.Dir(name)).Replace(d)))
			}
		}
	}
	for _, l := range names {
		at := ""
		if strings.Contains(l, "/") {
			at = join(mustGetwd(), l)
		}
		for _, d := range dirs {
			if _, err := os.Stat(filepath.Join(d, l)); err == nil && at == "" {
				at = filepath.Join(d, l)
			}
		}
		if _, err := os.Stat(at); at == "" || err != nil || ofSystem(at) {
			system = append(system, l)
			continue
		}
		if more := unitsOf(at); len(more) > 0 {
			units = append(units, more...)
			continue
		}
		p.Closed = append(p.Closed, relative(at))
		p.Options.Link = append(p.Options.Link, at, "-Wl,-rpath,"+filepath.Dir(at))
	}
	return system, units
}

// unread adds the object of a file in another language to the program, if it finds one by a description of the build or
// by its usual name. Otherwise the file is listed as Lost.
func (m *maker) unread(u cUnit) {
	source := join(u.dir, u.name)
	m.b.consult(source)
	m.b.consult(filepath.Join(u.dir, "object"))
	var objects []string
	for o, of := range m.b.foreign {
		if of == source {
			objects = append(objects, o)
		}
	}
	slices.Sort(objects)
	base := join(u.dir, u.name)
	objects = append(objects, strings.TrimSuffix(base, filepath.Ext(base))+".o", base+".o", filepath.Join(u.dir, strings.TrimSuffix(filepath.Base(base), filepath.Ext(base))+".o"))
	for _, o := range objects {
		if _, err := os.Stat(o); err == nil {
			m.foreign(o, source)
			return
		}
	}
	m.p.Lost = append(m.p.Lost, relative(source))
}

// searched matches where a script by libtool lets a program look for libraries.
var searched = regexp.MustCompile(`LD_LIBRARY_PATH="([^"$]*)`)

// besideScript returns the folders with a build's libraries for a program that a script by libtool runs; none for
// others.
func besideScript(name string) []string {
	text, err := os.ReadFile(shownAt(name))
	if err != nil || filepath.Base(filepath.Dir(name)) != ".libs" {
		return nil
	}
	var dirs []string
	for _, m := range searched.FindAllSubmatch(text, -1) {
		for _, d := range filepath.SplitList(string(m[1])) {
			if d != "" {
				dirs = append(dirs, d)
			}
		}
	}
	return dirs
}

// unitsOf returns the C files that a library or object was compiled from; none if its debug information does not say.
func unitsOf(name string) []cUnit {
	f, err := elf.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	if d, err := f.DWARF(); err == nil {
		units, _ := cUnits(d)
		return units
	}
	return nil
}

// recorded looks for a description of the build in the folders of the sources and above.
func recorded(name string, units []cUnit) *Program {
	at := join(mustGetwd(), name)
	names := []string{at, filepath.Base(at)}
	for _, u := range units { // a program whose link command is unknown is found by its file with main
		if c := (&compiled{source: join(u.dir, u.name)}); c.hasMain() {
			names = append(names, c.source)
		}
	}
	var tried []string
	for _, u := range units {
		for dir := u.dir; ; dir = filepath.Dir(dir) {
			if slices.Contains(tried, dir) {
				break
			}
			tried = append(tried, dir)
			db, err := Open(dir)
			if err == nil {
				for _, by := range names {
					if p, err := db.Program(by); err == nil {
						p.Name = name
						return p
					}
				}
			}
			if dir == "/" || dir == "." {
				break
			}
		}
	}
	return nil
}

// cUnit is a compilation unit in the debug information.
type cUnit struct {
	dir, name string
	flags     []string
}

// compiled returns how, according to the debug information, a C file was compiled to an object.
func (u *cUnit) compiled(object string) *compiled {
	return &compiled{object: object, source: join(u.dir, u.name), run: &run{dir: u.dir, flags: u.flags}, given: u.name, guessed: true}
}

func cUnits(d *dwarf.Data) ([]cUnit, error) {
	var out []cUnit
	r := d.Reader()
	for {
		e, err := r.Next()
		if err != nil {
			return nil, err
		}
		if e == nil {
			return out, nil
		}
		r.SkipChildren()
		if e.Tag != dwarf.TagCompileUnit {
			continue
		}
		name, _ := e.Val(dwarf.AttrName).(string)
		dir, _ := e.Val(dwarf.AttrCompDir).(string)
		if filepath.Ext(name) == "" || !filepath.IsAbs(dir) {
			continue
		}
		u := cUnit{dir: dir, name: name}
		if !isSource(name) {
			out = append(out, u)
			continue
		}
		producer, _ := e.Val(dwarf.AttrProducer).(string)
		u.flags = append(u.flags, codeFlags(producer)...)
		lr, err := d.LineReader(e)
		if err != nil && !errors.Is(err, dwarf.ErrUnknownPC) {
			return nil, err
		}
		u.flags = append(u.flags, headerFolders(lr, dir, filepath.Dir(join(dir, name)))...)
		out = append(out, u)
	}
}

// codeFlags extracts the flags that determine the C dialect from a compiler's description of itself.
func codeFlags(producer string) []string {
	var out []string
	for _, w := range strings.Fields(producer) {
		if strings.HasPrefix(w, "-std=") || w == "-ansi" || w == "-funsigned-char" || w == "-fshort-enums" || w == "-fpack-struct" || strings.HasPrefix(w, "-fms-extensions") || w == "-fplan9-extensions" {
			out = append(out, w)
		}
	}
	return out
}

// headerFolders returns -I flags for the user's folders in which headers were found. Folders above these are included,
// because the build may have named those.
func headerFolders(lr *dwarf.LineReader, dir, own string) []string {
	if lr == nil {
		return nil
	}
	var out []string
	add := func(d string) {
		if f := "-I" + d; !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	for _, f := range lr.Files() {
		if f == nil || strings.HasSuffix(f.Name, ".c") {
			continue
		}
		d := filepath.Dir(join(dir, f.Name))
		if strings.HasPrefix(d, "/usr/include") || strings.Contains(d, "/gcc/") || d == own {
			continue
		}
		add(d)
	}
	for _, f := range slices.Clone(out) {
		add(filepath.Dir(strings.TrimPrefix(f, "-I")))
	}
	if own != dir {
		add(dir)
	}
	if len(out) > 0 {
		out = append(out, "-iquote", own) // headers elsewhere may include one next to the source
	}
	return out
}
