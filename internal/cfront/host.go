package cfront

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"gulo/internal/cpp"
	"gulo/internal/process"
)

// This file asks gcc for its include paths, its predefined macros, and the attributes and built-in
// functions that it has. Answers are cached for the life of the process.

// host is what gcc does with a set of flags.
type host struct {
	predefined string
	quote      []cpp.Dir
	dirs       []cpp.Dir
	include    []string // files in front of the first line
	macros     []string
	noLine     bool // // does not begin a comment
	trigraphs  bool
	separators bool  // ' may stand between digits
	biggest    int64 // __BIGGEST_ALIGNMENT__: the greatest alignment of a type without an attribute

	unsignedChar bool // plain char is unsigned: by a flag, or because the processor is ARM

	mu  sync.Mutex
	has map[string]int
}

var hosts sync.Map // by flags and folder: func() (*host, error)

// hostOf returns what gcc does for a unit.
func hostOf(u *Unit) (*host, error) {
	own := *u
	f, _ := hosts.LoadOrStore(strings.Join(append(slices.Clone(u.Flags), u.Dir), "\x00"), sync.OnceValues(func() (*host, error) { return newHost(&own) }))
	return f.(func() (*host, error))()
}

// newHost asks gcc, or derives the answer from that for fewer flags. Include folders (-I) change nothing but the
// include path, and the current folder matters only if a flag may name a path.
func newHost(u *Unit) (*host, error) {
	rest, folders := includes(u)
	dir := u.Dir
	if !slices.ContainsFunc(rest, func(f string) bool { return plain.MatchString(f) || elsewhere.MatchString(f) }) {
		dir = "" // it makes no difference where gcc is started
	}
	if len(folders) == 0 && dir == u.Dir {
		return askHost(u.Flags, u.Dir)
	}
	base, err := hostOf(&Unit{Flags: rest, Dir: dir})
	if err != nil {
		return nil, err
	}
	if len(folders) == 0 {
		return base, nil
	}
	if h := base.with(folders); h != nil {
		return h, nil
	}
	return askHost(u.Flags, u.Dir)
}

// plain matches flags that name files which may lie in the include folders, or that pass flags on. With such a flag
// gcc is asked with all flags at once.
var plain = regexp.MustCompile(`^(@|--|-include|-imacros|-X|-Wp,)`)

// elsewhere matches other flags whose path is relative to the folder that gcc is started in, and the words that are
// arguments of flags.
var elsewhere = regexp.MustCompile(`^(-i|-B|[^-])`)

// includes separates the folders that -I names from a unit's other flags. It separates nothing if a flag may change how
// gcc uses these folders.
func includes(u *Unit) (rest, folders []string) {
	for i := 0; i < len(u.Flags); i++ {
		f := u.Flags[i]
		switch d, ok := strings.CutPrefix(f, "-I"); {
		case f == "-I-" || plain.MatchString(f):
			return u.Flags, nil
		case ok && d == "" && i+1 < len(u.Flags):
			i++
			folders = append(folders, u.Path(u.Flags[i]))
		case ok && d != "":
			folders = append(folders, u.Path(d))
		default:
			rest = append(rest, f)
		}
	}
	return rest, folders
}

// with returns h with folders in front of its include path. It returns nil where gcc has to be asked: if a folder does
// not exist, is named twice, or is on gcc's include path anyway (gcc would then ignore the -I).
func (h *host) with(folders []string) *host {
	var known []os.FileInfo
	for _, d := range slices.Concat(h.quote, h.dirs) {
		if st, err := os.Stat(d.Path); err == nil {
			known = append(known, st)
		}
	}
	var own []cpp.Dir
	for _, d := range folders {
		st, err := os.Stat(d)
		if err != nil || !st.IsDir() || slices.ContainsFunc(known, func(o os.FileInfo) bool { return os.SameFile(o, st) }) {
			return nil
		}
		known, own = append(known, st), append(own, cpp.Dir{Path: d})
	}
	return &host{
		predefined: h.predefined, quote: h.quote, dirs: append(own, h.dirs...), include: h.include, macros: h.macros,
		noLine: h.noLine, trigraphs: h.trigraphs, separators: h.separators, biggest: h.biggest, unsignedChar: h.unsignedChar, has: map[string]int{},
	}
}

// files moves the arguments of -include and -imacros into h and returns the other flags.
func (h *host) files(flags []string) []string {
	var rest []string
	for i := 0; i < len(flags); i++ {
		f := flags[i]
		switch {
		case (f == "-include" || f == "-imacros") && i+1 < len(flags):
			i++
			if f == "-include" {
				h.include = append(h.include, flags[i])
			} else {
				h.macros = append(h.macros, flags[i])
			}
		case strings.HasPrefix(f, "-include") && len(f) > len("-include") && !strings.HasPrefix(f, "-include-"):
			h.include = append(h.include, f[len("-include"):])
		default:
			rest = append(rest, f)
		}
	}
	return rest
}

// beside resolves the files that -include and -imacros name in folder dir, if they are there. The
// others are looked for on the include path later.
func (h *host) beside(dir string) {
	if dir == "" {
		return
	}
	in := Unit{Dir: dir}
	for _, l := range [][]string{h.include, h.macros} {
		for i, name := range l {
			if _, err := os.Stat(in.Path(name)); err == nil {
				l[i] = in.Path(name)
			}
		}
	}
}

func askHost(flags []string, dir string) (*host, error) {
	h := &host{has: map[string]int{}}
	flags = h.files(flags)
	h.beside(dir)
	for _, f := range flags {
		switch f {
		case "-ansi", "-std=c89", "-std=c90", "-std=iso9899:1990", "-std=iso9899:199409":
			h.noLine, h.trigraphs = true, true
		case "-trigraphs":
			h.trigraphs = true
		default:
			if strings.HasPrefix(f, "-std=") {
				h.noLine, h.trigraphs = false, !strings.HasPrefix(f, "-std=gnu")
				h.separators = strings.HasSuffix(f, "2x") || strings.HasSuffix(f, "23")
			}
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), gccLimit)
	defer cancel()
	cmd := process.Command(ctx, "gcc", append(slices.Clone(flags), "-O0", "-dM", "-E", "-v", "-x", "c", "/dev/null")...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "LC_ALL=C")
	var out, says bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &says
	if err := cmd.Run(); err != nil {
		hint := ""
		if errors.Is(err, exec.ErrNotFound) {
			hint = "install it with: apt-get install gcc libc6-dev"
		} else if s := lastLine(says.String()); s != "" {
			err = errors.New(s)
		}
		return nil, &ToolError{"gcc", err, hint}
	}
	h.predefined = out.String()
	if _, rest, ok := strings.Cut(h.predefined, "#define __BIGGEST_ALIGNMENT__ "); ok {
		number, _, _ := strings.Cut(rest, "\n")
		h.biggest, _ = strconv.ParseInt(number, 10, 64)
	}
	h.unsignedChar = strings.Contains(h.predefined, "#define __CHAR_UNSIGNED__ ")
	h.paths(says.Bytes())
	in := Unit{Dir: dir}
	for _, l := range [][]cpp.Dir{h.quote, h.dirs} {
		for i := range l {
			l[i].Path = in.Path(l[i].Path)
		}
	}
	return h, nil
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// paths reads the include paths from the output of gcc -v. A folder for <...> is a system folder
// unless -I names it.
func (h *host) paths(says []byte) {
	const none, quote, angle = 0, 1, 2
	state := none
	sc := bufio.NewScanner(bytes.NewReader(says))
	sc.Buffer(nil, 1<<20)
	user := map[string]bool{}
	for sc.Scan() {
		line := sc.Text()
		switch {
		case strings.HasPrefix(line, " ") && strings.Contains(line, "cc1 "):
			f := strings.Fields(line)
			for i, w := range f {
				if w == "-I" && i+1 < len(f) {
					user[f[i+1]] = true
				} else if d, ok := strings.CutPrefix(w, "-I"); ok {
					user[d] = true
				}
			}
		case strings.HasPrefix(line, `#include "..."`):
			state = quote
		case strings.HasPrefix(line, "#include <...>"):
			state = angle
		case strings.HasPrefix(line, "End of search list"):
			return
		case state != none && strings.HasPrefix(line, " "):
			d := cpp.Dir{Path: strings.TrimSuffix(strings.TrimSpace(line), " (framework directory)")}
			if state == quote {
				h.quote = append(h.quote, d)
				continue
			}
			d.System = !user[d.Path]
			h.dirs = append(h.dirs, d)
		}
	}
}

var hasQuery = regexp.MustCompile(`_has_(attribute|builtin|c_attribute|cpp_attribute)\s*\(\s*(\w+)`)

// hasKinds are the operators that are evaluated together for each name.
var hasKinds = []string{"__has_attribute", "__has_builtin", "__has_c_attribute"}

// ask evaluates kind(name) for __has_attribute and similar operators. All names that text asks for are looked up in
// one run of gcc.
func (h *host) ask(kind, name, text string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	if n, ok := h.has[kind+name]; ok {
		return n
	}
	names := []string{name}
	for _, m := range hasQuery.FindAllStringSubmatch(text, -1) {
		if _, ok := h.has[hasKinds[0]+m[2]]; !ok && !slices.Contains(names, m[2]) {
			names = append(names, m[2])
		}
	}
	var b strings.Builder
	kinds := hasKinds
	if !slices.Contains(kinds, kind) {
		kinds = append(slices.Clone(kinds), kind)
	}
	for _, n := range names {
		for _, k := range kinds {
			h.has[k+n] = 0
			if strings.Contains(n, "::") && k == "__has_builtin" {
				continue
			}
			b.WriteString("#if " + k + "(" + n + ")\n\"" + k + n + "\" " + k + "(" + n + ")\n#endif\n")
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	cmd := process.Command(ctx, "gcc", "-E", "-P", "-x", "c", "-")
	cmd.Stdin = strings.NewReader(b.String())
	out, _ := cmd.Output()
	for _, l := range strings.Split(string(out), "\n") {
		key, val, ok := strings.Cut(l, " ")
		if !ok {
			continue
		}
		if n, err := strconv.Atoi(strings.TrimRight(val, "Ll")); err == nil {
			h.has[strings.Trim(key, `"`)] = n
		}
	}
	return h.has[kind+name]
}
