package gdb

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/target"
)

// This file is the program's environment. gdb changes it, and so does what gulo starts gdb with; the
// program must not see that. setenv puts texts where the C library likes.

// environment is where those parts of the environment are that the debugger or the C library has made.
type environment struct {
	at   uint64          // of the variable environ
	kept []target.Region // texts in the debugger's room

	asOf   int64           // the client's count of runs when what follows was read
	vector uint64          // what environ points to
	blocks []target.Region // live ones of the C library's own, by address

	looked    bool // the libraries are known
	libraries []segment
}

// Environment implements target.Environed.
func (t *Target) Environment() []string {
	if t.cfg.Env != nil {
		return t.cfg.Env
	}
	return os.Environ()
}

// ownEnvironment returns commands to gdb that undo, for the program, what gulo has changed in gdb's environment
// (startClient) and what gdb sets by itself (LINES, COLUMNS). On a screen, TERM names the kind of terminal, and LINES and
// COLUMNS are unset, so that the program asks the terminal for its size.
func ownEnvironment(onScreen bool) []string {
	var out []string
	for _, name := range []string{"LC_ALL", "DEBUGINFOD_URLS", "LINES", "COLUMNS"} {
		if v, ok := os.LookupEnv(name); ok {
			out = append(out, "set environment "+name+" = "+v)
		} else {
			out = append(out, "unset environment "+name)
		}
	}
	if onScreen {
		out = append(out, "set environment TERM = "+screenKind, "unset environment LINES", "unset environment COLUMNS")
	}
	return out
}

// screenKind is the kind of terminal, as terminfo has it, whose sequences a screen understands.
const screenKind = "xterm"

// screenEnvironment returns an environment as a program on a screen finds it: TERM names the screen's kind, and the size
// is not in it.
func screenEnvironment(env []string) []string {
	out := slices.DeleteFunc(slices.Clone(env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return name == "TERM" || name == "LINES" || name == "COLUMNS"
	})
	return append(out, "TERM="+screenKind)
}

// restoreEnvironment makes the program's environment what the user gives it: gdb adds variables,
// and some are for gdb and for our allocator only. What does not stand in memory is written where
// the debugger has room.
func (t *Target) restoreEnvironment() {
	a := &t.args
	if a.envp == 0 {
		return
	}
	have := map[string]uint64{}
	for i := range a.envc {
		if w, ok := t.mem.word(a.envp + uint64(8*i)); ok {
			have[t.textAt(w)] = w
		}
	}
	var vector []byte
	n := int64(0)
	for _, text := range t.Environment() {
		at, ok := have[text]
		if !ok {
			at, ok = t.keep(text)
		}
		if !ok || n == a.envc {
			continue
		}
		vector = binary.LittleEndian.AppendUint64(vector, at)
		n++
	}
	vector = binary.LittleEndian.AppendUint64(vector, 0)
	if t.mem.write(a.envp, vector) != nil {
		return
	}
	a.envc = n
	a.env.at, _ = t.mem.word(t.info.environ)
}

// keep writes a text into the debugger's own room.
func (t *Target) keep(text string) (uint64, bool) {
	need := (len(text) + 16) / 16 * 16
	if t.arena+need > arenaBytes {
		return 0, false
	}
	at := (t.info.arena+15)/16*16 + uint64(t.arena)
	if t.mem.write(at, append([]byte(text), 0)) != nil {
		return 0, false
	}
	t.arena += need
	t.args.env.kept = append(t.args.env.kept, target.Region{Addr: at, Size: int64(len(text) + 1)})
	return at, true
}

// longestVariable bounds the texts of an environment.
const longestVariable = 1 << 17

// textAt reads a text that ends with a zero byte.
func (t *Target) textAt(at uint64) string {
	var b strings.Builder
	buf := make([]byte, 64)
	for b.Len() < longestVariable {
		for !t.mem.read(at, buf) {
			if buf = buf[:len(buf)/2]; len(buf) == 0 {
				return b.String()
			}
		}
		s, _, end := strings.Cut(string(buf), "\x00")
		if b.WriteString(s); end {
			break
		}
		at += uint64(len(buf))
	}
	return b.String()
}

// holds reports whether find finds an address.
func (e *environment) holds(t *Target, a uint64) bool {
	_, ok := e.find(t, a)
	return ok
}

// find returns the part of the environment around an address, if the debugger (keep) or the C library (setenv) has made it.
func (e *environment) find(t *Target, a uint64) (target.Region, bool) {
	for _, r := range e.kept {
		if a >= r.Addr && a < r.Addr+uint64(r.Size) {
			return r, true
		}
	}
	b := t.libraryBlock(a)
	switch {
	case b == nil:
		return target.Region{}, false
	case e.vector == b.Addr:
		return target.Region{Addr: b.Addr, Size: b.Size, Type: target.Environment}, true
	}
	text := t.textAt(b.Addr)
	return target.Region{Addr: b.Addr, Size: b.Size}, int64(len(text)+1) == b.Size && variable.MatchString(text)
}

// variable is what the texts of an environment are like.
var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z_0-9]*=`)

// libraryBlock returns the live block of the C library's own around an address; nil for none.
func (t *Target) libraryBlock(a uint64) *target.Region {
	e := &t.args.env
	if t.info.library == 0 {
		return nil
	}
	if runs := t.c.runs.Load(); e.asOf != runs {
		e.asOf, e.blocks = runs, nil
		e.vector, _ = t.mem.word(e.at)
		for c := t.info.library; c != 0; {
			n, ok := t.mem.word(c + 8)
			if !ok || n > chunkBlocks {
				break
			}
			buf := make([]byte, n*blockBytes)
			if n > 0 && !t.mem.read(c+16, buf) {
				break
			}
			for i := 0; i < len(buf); i += blockBytes {
				if binary.LittleEndian.Uint64(buf[i+16:]) != 0 {
					e.blocks = append(e.blocks, target.Region{Addr: binary.LittleEndian.Uint64(buf[i:]), Size: int64(binary.LittleEndian.Uint64(buf[i+8:]))})
				}
			}
			if c, ok = t.mem.word(c); !ok {
				break
			}
		}
		slices.SortFunc(e.blocks, func(x, y target.Region) int { return cmp.Compare(x.Addr, y.Addr) })
	}
	i, _ := slices.BinarySearchFunc(e.blocks, a, func(r target.Region, a uint64) int {
		if r.Addr+uint64(max(r.Size, 1)) <= a {
			return -1
		}
		return 1
	})
	if i == len(e.blocks) || a < e.blocks[i].Addr {
		return nil
	}
	return &e.blocks[i]
}

// inLibrary reports whether an address is in what a shared library has brought, or the C library
// has allocated.
func (t *Target) inLibrary(a uint64) bool {
	if t.libraryBlock(a) != nil {
		return true
	}
	if !t.args.env.looked {
		t.args.env.looked = true
		t.args.env.libraries = librariesOf(t.pid)
	}
	return slices.ContainsFunc(t.args.env.libraries, func(s segment) bool { return a >= s.lo && a < s.hi })
}

// librariesOf lists the memory of a process's shared libraries. Their zero-initialized data is in
// mappings without a name, right behind the others.
func librariesOf(pid int) (out []segment) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return nil
	}
	end := uint64(0)
	for _, l := range strings.Split(string(b), "\n") {
		f := strings.Fields(l)
		var s segment
		if len(f) < 5 || !strings.HasPrefix(f[1], "r") {
			continue
		}
		if _, err := fmt.Sscanf(f[0], "%x-%x", &s.lo, &s.hi); err != nil {
			continue
		}
		if len(f) > 5 && strings.Contains(f[5], ".so") || len(f) == 5 && s.lo == end {
			out, end = append(out, s), s.hi
		}
	}
	return out
}

// longestText bounds how far before an address the text around it is looked for.
const longestText = 256

// libraryRegion returns the text around an address of the C library, or the struct there. The
// contents of a FILE are not shown.
func (t *Target) libraryRegion(a uint64, typ *ctype.Type) (target.Region, bool) {
	if t.streamName(a) != "" {
		return target.Region{}, false // another member of a union that holds a stream
	}
	if b := t.libraryBlock(a); b != nil {
		return *b, typ.Size == 1 && typ.IsInteger()
	}
	switch {
	case typ.IsAggregate():
		return target.Region{Addr: a, Size: typ.Size, Type: typ}, typ.Size > 0 && typ.Tag != "_IO_FILE"
	case typ.Size != 1 || !typ.IsInteger():
		return target.Region{}, false
	}
	before := make([]byte, min(longestText, a%pageSize))
	if !t.mem.read(a-uint64(len(before)), before) {
		return target.Region{}, false
	}
	lo := a - uint64(len(before)) + stringStart(before, uint64(len(before)))
	return target.Region{Addr: lo, Size: int64(a-lo) + int64(len(t.textAt(a))) + 1, ReadOnly: true}, true
}
