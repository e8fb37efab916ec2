package machine

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file is dlfcn.h as far as it is about the program itself and the libraries that the machine has, and backtraces. dlsym finds the program's functions and
// those of the library that it names, as in a program linked with -rdynamic.

func init() {
	register(map[string]builtin{
		"dlopen": libDlopen, "dlsym": libDlsym, "dlclose": libDlclose, "dlerror": libDlerror,
		"backtrace": libBacktrace, "backtrace_symbols": libBacktraceSymbols, "backtrace_symbols_fd": libBacktraceFd,
	})
}

// ours are the libraries whose functions the machine has; dlsym finds them as it finds the program's.
var ours = regexp.MustCompile(`^lib(c|m|pthread|dl|rt|util|gcc_s)\.so\.\d$`)

const ownHandle = "the handle of the program itself"

func libDlopen(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.int(1)&3 == 0 {
		return 0, m.fault(Unsupported, 0, "dlopen with the flags %#x is not supported", c.int(1))
	}
	if c.arg(0) == 0 {
		return m.lib.constantText(ownHandle, ""), nil
	}
	path, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	if ours.MatchString(filepath.Base(path)) {
		return m.lib.constantText(ownHandle, ""), nil
	}
	if strings.Contains(path, "/") {
		if _, errno, f := m.lib.fs.find(c, path); f == nil && errno == errNOENT {
			m.lib.dynamic = path + ": cannot open shared object file: No such file or directory"
			return 0, nil
		}
	}
	if !strings.Contains(path, "/") && !installed(path) {
		m.lib.dynamic = path + ": cannot open shared object file: No such file or directory"
		return 0, nil
	}
	return 0, m.fault(Unsupported, 0, "dlopen of %s is not supported: only the program itself", path)
}

// installed reports whether a library may be where the dynamic linker looks for it.
func installed(name string) bool {
	if os.Getenv("LD_LIBRARY_PATH") != "" {
		return true
	}
	for _, dir := range []string{"/lib", "/usr/lib", "/usr/local/lib", "/lib64", "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/usr/local/lib/x86_64-linux-gnu"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

// checkHandle reports whether a call's handle is that of the program, RTLD_DEFAULT included.
func checkHandle(m *Machine, c *libCall) *Fault {
	if h := c.arg(0); h == 0 && c.name == "dlsym" || h != 0 && h == m.lib.tables[ownHandle] {
		return nil
	}
	if c.name == "dlsym" && c.long(0) == -1 && len(c.args) > 2 {
		return nil
	}
	if c.name == "dlsym" && c.long(0) == -1 {
		return m.fault(Unsupported, 0, "dlsym with RTLD_NEXT is not supported")
	}
	return m.fault(BadLibraryCall, c.arg(0), "%s with something that dlopen has not returned", c.name)
}

func libDlsym(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if f := checkHandle(m, c); f != nil {
		return 0, f
	}
	name, f := m.cstring(c.arg(1))
	if f != nil {
		return 0, f
	}
	if len(c.args) > 2 { // cfront has found the function
		id, _ := ctype.SplitPointer(c.arg(2))
		if i, ok := m.fnOf[id]; ok && (m.funcs[i].code != nil || builtins[name] != nil) {
			return c.arg(2), nil
		}
	}
	for i := range m.prog.IR.Funcs {
		x := m.prog.IR.Funcs[i]
		decl, ok := x.Decl.(*cfront.Func)
		if x.Name != name || ok && decl.Static {
			continue
		}
		if m.funcs[i].code != nil || builtins[name] != nil {
			return m.funcAddr(int32(i)), nil
		}
	}
	if builtins[name] != nil || namesObject(m, name) {
		return 0, m.fault(Unsupported, 0, "dlsym of %s is not supported: a variable, or a function of the library that the program does not name", name)
	}
	m.lib.dynamic = sprintf("%s: undefined symbol: %s", m.cfg.Name, name)
	return 0, nil
}

// namesObject reports whether a variable of the program has a name.
func namesObject(m *Machine, name string) bool {
	for _, id := range m.globals {
		if b := m.Block(id); b != nil && b.Name == name {
			return true
		}
	}
	return false
}

func libDlclose(m *Machine, c *libCall) (ctype.Word, *Fault) { return 0, checkHandle(m, c) }

// libDlerror is what went wrong last, once.
func libDlerror(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if m.lib.dynamic == "" {
		return 0, nil
	}
	w := m.lib.text("what dlerror returns", m.lib.dynamic)
	m.lib.dynamic = ""
	return w, nil
}

// libBacktrace gives the functions that are being called, the last one first, by their addresses.
func libBacktrace(m *Machine, c *libCall) (ctype.Word, *Fault) {
	var b []byte
	for i := len(m.frames) - 1; i >= 0 && int64(len(b)/8) < c.int(1); i-- {
		for j := range m.funcs {
			if m.funcs[j] == m.frames[i].fn {
				b = append(b, make([]byte, 8)...)
				ctype.Store(ctype.ULongT, b[len(b)-8:], m.funcAddr(int32(j)))
				break
			}
		}
	}
	return ctype.Word(len(b) / 8), m.putBytes(c.arg(0), b)
}

// dynamicPlaces are the texts for what backtrace has filled.
func dynamicPlaces(m *Machine, c *libCall) (list []string, f *Fault) {
	for i := range max(c.int(1), 0) {
		w, f := m.load(c.arg(0)+ctype.Word(8*i), ctype.VoidPtrT)
		if f != nil {
			return nil, f
		}
		list = append(list, sprintf("%s(%s)", filepath.Base(m.cfg.Name), m.FuncName(w)))
	}
	return list, nil
}

func libBacktraceSymbols(m *Machine, c *libCall) (ctype.Word, *Fault) {
	list, f := dynamicPlaces(m, c)
	if f != nil {
		return 0, f
	}
	size := int64(8 * len(list))
	for _, s := range list {
		size += int64(len(s) + 1)
	}
	p, f := m.Malloc(size, false)
	if f != nil || p == 0 {
		return 0, f
	}
	at := p + ctype.Word(8*len(list))
	for i, s := range list {
		if f := m.store(p+ctype.Word(8*i), ctype.VoidPtrT, at); f != nil {
			return 0, f
		}
		if f := m.putString(at, s); f != nil {
			return 0, f
		}
		at += ctype.Word(len(s) + 1)
	}
	return p, nil
}

func libBacktraceFd(m *Machine, c *libCall) (ctype.Word, *Fault) {
	list, f := dynamicPlaces(m, c)
	if f != nil {
		return 0, f
	}
	for _, s := range list {
		if _, f := m.lib.stdio.writeTo(int(c.int(2)), []byte(s+"\n")); f != nil {
			return 0, f
		}
	}
	return 0, nil
}
