package machine

import (
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/ir"
	"gulo/internal/plural"
)

// This file is glibc's functions that check the size of a buffer (_FORTIFY_SOURCE),
// and other names that its headers give to functions.

func init() {
	// name: the arguments that only the checking function has, then the index of
	// the buffer's size and that of the bytes to be written; -1 for none.
	for name, x := range map[string]struct {
		drop        []int
		size, count int
	}{
		"memcpy": {[]int{3}, 3, 2}, "memmove": {[]int{3}, 3, 2}, "mempcpy": {[]int{3}, 3, 2}, "memset": {[]int{3}, 3, 2},
		"strncpy": {[]int{3}, 3, 2}, "stpncpy": {[]int{3}, 3, 2}, "strcpy": {[]int{2}, -1, -1}, "stpcpy": {[]int{2}, -1, -1}, "strcat": {[]int{2}, -1, -1}, "strncat": {[]int{3}, -1, -1},
		"printf": {[]int{0}, -1, -1}, "fprintf": {[]int{1}, -1, -1}, "vprintf": {[]int{0}, -1, -1}, "vfprintf": {[]int{1}, -1, -1},
		"sprintf": {[]int{1, 2}, -1, -1}, "vsprintf": {[]int{1, 2}, -1, -1}, "snprintf": {[]int{2, 3}, 3, 1}, "vsnprintf": {[]int{2, 3}, 3, 1},
		"asprintf": {[]int{1}, -1, -1}, "vasprintf": {[]int{1}, -1, -1}, "dprintf": {[]int{1}, -1, -1}, "vdprintf": {[]int{1}, -1, -1},
		"fgets": {[]int{1}, 1, -1}, "fread": {[]int{1}, -1, -1}, "read": {[]int{3}, 3, 2}, "getcwd": {[]int{2}, -1, -1},
	} {
		f := checked(name, x.drop, x.size, x.count)
		builtins["__"+name+"_chk"] = f
		builtins["__builtin___"+name+"_chk"] = f
	}
	builtins["__assert_fail"] = libAssertFail
	builtins["__assert"] = libAssertFail
}

func checked(name string, drop []int, size, count int) builtin {
	return func(m *Machine, c *libCall) (ctype.Word, *Fault) {
		if size >= 0 && count >= 0 && c.arg(size) < c.arg(count) {
			if m.cfg.Stderr != nil {
				_, _ = m.cfg.Stderr.Write([]byte("*** buffer overflow detected ***: terminated\n"))
			}
			return 0, m.fault(Aborted, 0, "%s: %s into a buffer of %d", c.name, plural.N(c.arg(count), "byte"), c.arg(size))
		}
		d := &libCall{name: name, dst: c.dst}
		info := &ir.CallInfo{Func: -1}
		if c.info != nil {
			info.Type = c.info.Type
		}
		k := 0
		for i, a := range c.args {
			if k < len(drop) && drop[k] == i {
				k++
				continue
			}
			d.args = append(d.args, a)
			if c.info != nil && i < len(c.info.Types) {
				info.Types = append(info.Types, c.info.Types[i])
			}
		}
		d.info = info
		w, f := builtins[name](m, d)
		c.entered = d.entered
		return w, f
	}
}

// libAssertFail is what glibc's assert calls: condition, file, line, function.
func libAssertFail(m *Machine, c *libCall) (ctype.Word, *Fault) {
	text, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	file, f := m.cstring(c.arg(1))
	if f != nil {
		return 0, f
	}
	function := ""
	if c.arg(3) != 0 {
		if function, f = m.cstring(c.arg(3)); f != nil {
			return 0, f
		}
		function += ": "
	}
	m.lib.stdio.flush()
	if m.cfg.Stderr != nil {
		name := m.cfg.Name[strings.LastIndexByte(m.cfg.Name, '/')+1:]
		_, _ = m.cfg.Stderr.Write([]byte(sprintf("%s: %s:%d: %sAssertion `%s' failed.\n", name, file, c.int(2), function, text)))
	}
	return 0, m.fault(AssertFailed, 0, "assertion `%s' failed", text)
}
