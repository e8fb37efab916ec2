package native

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gulo/internal/cfront"
)

// This file writes a program with changed texts into a folder, in which every file stands as in the real file system,
// one level down: /home/ann/lib/queue.c becomes ROOT/home/ann/lib/queue.c. The compiler is started in the folder that
// stands for its own, and every folder of headers has the changed one in front. So each #include leads to the changed
// text of the file that it leads to without the change, whichever folder it starts from.
//
// The program's files are written, and what they include from the user's folders. Includes are looked for in the
// text, also in parts that the preprocessor skips: a file too many does no harm. A name that a macro makes is not
// seen; such a file is looked for in the unit's own folder, after all others.

// Mirror is a program with changed texts in a folder of its own.
type Mirror struct {
	Files   []string // the files that are compiled, in the order given
	Options cfront.Options

	root    string
	texts   map[string]string // by absolute path in the real file system
	names   map[string]string // the program's names for files, by the same path
	folders []string          // of headers, absolute
	made    bool              // a macro makes the name of an included file
}

// NewMirror writes a program whose units are compiled as opt says. texts are by name, as the program has them; other
// texts are read from the disk.
func NewMirror(root string, units []string, opt cfront.Options, texts map[string]string) (*Mirror, error) {
	m := &Mirror{root: root, texts: map[string]string{}, names: map[string]string{}}
	for name, text := range texts {
		at, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		m.texts[at], m.names[at] = text, name
	}
	var places []string
	for _, name := range units {
		at, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		if places, m.names[at] = append(places, at), name; m.texts[at] != "" {
			continue
		}
		if _, ok := m.texts[at]; !ok && !m.read(at) {
			_, err := os.ReadFile(name)
			return nil, err
		}
	}
	if err := m.include(units, &opt); err != nil {
		return nil, err
	}
	for at, text := range m.texts {
		to := m.in(at)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
			return nil, err
		}
	}
	return m, m.place(units, places, opt)
}

// in returns where a path of the real file system stands in the mirror.
func (m *Mirror) in(at string) string { return filepath.Join(m.root, at) }

// read reads a file of the real file system into texts; false if there is none.
func (m *Mirror) read(at string) bool {
	st, err := os.Stat(at)
	if err != nil || !st.Mode().IsRegular() {
		return false
	}
	b, err := os.ReadFile(at)
	if err != nil {
		return false
	}
	m.texts[at] = string(b)
	return true
}

// ofSystem reports whether a path belongs to the system: nobody changes what stands there.
func ofSystem(at string) bool {
	return strings.HasPrefix(at, "/usr/") && !strings.HasPrefix(at, "/usr/src/") && !strings.HasPrefix(at, "/usr/home/")
}

// include reads what the program's files include.
func (m *Mirror) include(units []string, opt *cfront.Options) error {
	var first []string
	for _, name := range units {
		u := opt.Unit(name)
		here, err := filepath.Abs(u.Path(""))
		if err != nil {
			return err
		}
		for _, f := range paths(u.Flags) {
			at := join(here, f.path)
			switch {
			case f.header && !slices.Contains(m.folders, at) && !ofSystem(at):
				m.folders = append(m.folders, at)
			case f.file && !slices.Contains(first, at):
				first = append(first, at)
			}
		}
	}
	for _, at := range first {
		if _, ok := m.texts[at]; !ok && !ofSystem(at) {
			m.read(at)
		}
	}
	var left []string
	for at := range m.texts {
		left = append(left, at)
	}
	tried := map[string]bool{}
	for len(left) > 0 {
		at := left[len(left)-1]
		left = left[:len(left)-1]
		names, made := included(m.texts[at])
		m.made = m.made || made
		for _, name := range names {
			for _, dir := range append([]string{filepath.Dir(at)}, m.folders...) {
				to := join(dir, name)
				if strings.Contains(name, "..") {
					if err := m.reach(dir, name); err != nil {
						return err
					}
				}
				if _, ok := m.texts[to]; ok || tried[to] || ofSystem(to) {
					continue
				}
				if tried[to] = true; m.read(to) {
					left = append(left, to)
				}
			}
		}
	}
	return nil
}

// reach makes the folders that a path goes through before it goes up again.
func (m *Mirror) reach(dir, name string) error {
	if filepath.IsAbs(name) {
		dir = "/"
	}
	for i := range name {
		if st, err := os.Stat(join(dir, name[:i])); name[i] == '/' && i > 0 && err == nil && st.IsDir() {
			if err := os.MkdirAll(m.in(join(dir, name[:i])), 0o755); err != nil {
				return err
			}
		}
	}
	return nil
}

// place sets Files and Options, so that the units are compiled in the mirror.
func (m *Mirror) place(units, places []string, opt cfront.Options) error {
	m.Options = opt
	m.Options.Units = map[string]cfront.Unit{}
	for i, name := range units {
		u := opt.Unit(name)
		here, err := filepath.Abs(u.Path(""))
		if err != nil {
			return err
		}
		v := cfront.Unit{Dir: m.in(here), Name: u.Name}
		if err := os.MkdirAll(v.Dir, 0o755); err != nil {
			return err
		}
		if v.Flags, err = m.flags(u.Flags, here); err != nil {
			return err
		}
		if filepath.IsAbs(u.Name) {
			v.Name = m.in(u.Name)
		} else if err := m.reach(here, u.Name); err != nil {
			return err
		}
		if m.made {
			v.Flags = append(v.Flags, "-idirafter", filepath.Dir(places[i]))
		}
		m.Files = append(m.Files, m.in(places[i]))
		m.Options.Units[m.in(places[i])] = v
	}
	here, err := filepath.Abs("")
	if err != nil {
		return err
	}
	m.Options.Flags, err = m.flags(opt.Flags, here)
	return err
}

// flags translates the flags of a compiler that is started in the folder here for one that is started in the mirror's
// folder for it.
func (m *Mirror) flags(flags []string, here string) ([]string, error) {
	var out []string
	done := 0
	for _, f := range paths(flags) {
		out = append(out, flags[done:f.at]...)
		done = f.at + f.words
		at := join(here, f.path)
		own := f.path
		if filepath.IsAbs(own) {
			own = m.in(own)
		} else if err := m.reach(here, own+"/"); err != nil {
			return nil, err
		}
		_, err := os.Stat(m.in(at))
		switch {
		case err == nil && f.header: // the changed ones first
			out = append(out, f.flag, own, f.flag, at)
		case err == nil && f.file:
			out = append(out, f.flag, own)
		default:
			if _, err := os.Stat(at); err != nil {
				at = f.path // found elsewhere by the compiler, or not at all
			}
			if f.flag != "" {
				out = append(out, f.flag)
			}
			out = append(out, at)
		}
	}
	return append(out, flags[done:]...), nil
}

// flagged is a path in a compiler's flags.
type flagged struct {
	at, words    int    // in the flags
	flag, path   string // the flag without the path; "" for an input
	header, file bool   // the path is a folder of headers; it is a file that is read first
}

// pathFlags are flags with a path; a flag stands before those that it begins with.
var pathFlags = []flagged{
	{flag: "-iquote", header: true}, {flag: "-isystem", header: true}, {flag: "-idirafter", header: true},
	{flag: "-include", file: true}, {flag: "-imacros", file: true}, {flag: "-I", header: true}, {flag: "-L"}, {flag: "-B"},
}

// valued are other flags whose value is the next word.
var valued = strings.Fields("-D -U -x -o -l -u -z -T -e -A -MF -MT -MQ -Xpreprocessor -Xassembler -Xlinker --param -iprefix -iwithprefix -isysroot")

// paths finds the paths in a compiler's flags.
func paths(flags []string) (out []flagged) {
	for i := 0; i < len(flags); i++ {
		a := flags[i]
		if slices.Contains(valued, a) {
			i++
			continue
		}
		k := slices.IndexFunc(pathFlags, func(p flagged) bool { return strings.HasPrefix(a, p.flag) })
		switch {
		case k >= 0 && a == pathFlags[k].flag && i+1 < len(flags):
			f := pathFlags[k]
			f.at, f.words, f.path = i, 2, flags[i+1]
			out = append(out, f)
			i++
		case k >= 0 && a != pathFlags[k].flag && a != "-I-":
			f := pathFlags[k]
			f.at, f.words, f.path = i, 1, a[len(f.flag):]
			out = append(out, f)
		case !strings.HasPrefix(a, "-"):
			out = append(out, flagged{at: i, words: 1, path: a})
		}
	}
	return out
}

// included lists the names that a text includes; made reports whether a macro makes one.
func included(text string) (names []string, made bool) {
	for {
		before, after, ok := strings.Cut(text, "include")
		if !ok {
			return names, made
		}
		line, _, _ := strings.Cut(strings.TrimPrefix(after, "_next"), "\n")
		line = strings.TrimSpace(line)
		text = after
		hash := strings.TrimRight(before, " \t")
		switch {
		case !strings.HasSuffix(hash, "#") || line == "":
		case line[0] == '"' || line[0] == '<':
			if name, _, ok := strings.Cut(line[1:], map[byte]string{'"': `"`, '<': ">"}[line[0]]); ok && name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		default:
			made = true
		}
	}
}

func join(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// saidAt is the place with which a compiler's message begins.
var saidAt = regexp.MustCompile(`(?m)^((?:In file included | +)?from )?([^\s:][^:\n]*):(\d+)`)

// said puts the program's names for files into what a compiler said that was started in the folder dir.
func (m *Mirror) said(text, dir string) string {
	return saidAt.ReplaceAllStringFunc(text, func(s string) string {
		p := saidAt.FindStringSubmatch(s)
		at := join(dir, p[2])
		rest, ok := strings.CutPrefix(at, m.root)
		if !ok {
			return s
		}
		if name, ok := m.names[rest]; ok {
			rest = name
		}
		return p[1] + rest + ":" + p[3]
	})
}
