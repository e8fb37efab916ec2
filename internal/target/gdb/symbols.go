package gdb

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gulo/internal/ctype"
)

// This file names functions of libraries: those that are linked to the program, with their places in its own
// procedure linkage table, which is where their addresses lead in a program that is not position independent,
// and those that have been loaded.

// symbols are functions by address.
type symbols map[uint64]string

// add takes a name; of several for one function the plainest: malloc, not __libc_malloc.
func (s symbols) add(a uint64, name string) {
	name, _, _ = strings.Cut(name, "@")
	if old, ok := s[a]; !ok || plainer(name, old) {
		s[a] = name
	}
}

func plainer(a, b string) bool {
	x, y := len(a)-len(strings.TrimLeft(a, "_")), len(b)-len(strings.TrimLeft(b, "_"))
	if x != y {
		return x < y
	}
	return len(a) < len(b) || len(a) == len(b) && a < b
}

// linked returns the functions of libraries that a program's own file knows the addresses of.
func linked(f *elf.File, syms []elf.Symbol) symbols {
	out := symbols{}
	dynamic, _ := f.DynamicSymbols()
	for _, list := range [2][]elf.Symbol{syms, dynamic} {
		for _, s := range list {
			if elf.ST_TYPE(s.Info) == elf.STT_FUNC && elf.ST_BIND(s.Info) != elf.STB_LOCAL && s.Value != 0 {
				out.add(s.Value, s.Name)
			}
		}
	}
	return out
}

// module is a library that has been loaded.
type module struct {
	lo, hi uint64
	path   string
	funcs  symbols // nil until it is asked for
}

// modules are the libraries that a process has loaded.
type modules struct {
	pid  int
	list []*module
}

// libraryFunction names a function of a library by its address; "" where there is none.
func (t *Target) libraryFunction(a ctype.Word) string {
	if n := t.info.linked[a]; n != "" {
		return n
	}
	if t.mem == nil || t.core != nil || a < 4096 {
		return ""
	}
	if t.info.loaded.pid != t.pid {
		t.info.loaded = modules{t.pid, loadedModules(t.pid)}
	}
	for _, m := range t.info.loaded.list {
		if a < m.lo || a >= m.hi {
			continue
		}
		if m.funcs == nil {
			m.read()
		}
		return m.funcs[a]
	}
	return ""
}

// loadedModules lists the files that a process executes code of, from where their first bytes are.
func loadedModules(pid int) []*module {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return nil
	}
	var out []*module
	for _, l := range strings.Split(string(b), "\n") {
		f := strings.Fields(l)
		if len(f) < 6 || !filepath.IsAbs(f[5]) {
			continue
		}
		m := &module{path: f[5]}
		if _, err := fmt.Sscanf(f[0], "%x-%x", &m.lo, &m.hi); err != nil {
			continue
		}
		if n := len(out); n > 0 && out[n-1].path == m.path {
			out[n-1].hi = m.hi
			continue
		}
		out = append(out, m)
	}
	return out
}

// read reads the functions that a library offers.
func (m *module) read() {
	m.funcs = symbols{}
	f, err := elf.Open(m.path)
	if err != nil {
		return
	}
	defer f.Close()
	if f.Type != elf.ET_DYN {
		return
	}
	list, _ := f.DynamicSymbols()
	for _, s := range list {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Section != elf.SHN_UNDEF {
			m.funcs.add(m.lo+s.Value, s.Name)
		}
	}
}
