package machine

import (
	"strings"

	"gulo/internal/ctype"
)

// This file is the environment: envp, environ, getenv and its relatives.

func init() {
	register(map[string]builtin{
		"getenv": libGetenv, "secure_getenv": libGetenv, "setenv": libSetenv, "unsetenv": libUnsetenv, "putenv": libPutenv, "clearenv": libClearenv,
	})
}

// environment returns the vector of the environment, making it on first use.
// environ, when the program names it, holds the same pointer.
func (l *library) environment() ctype.Word {
	if l.env != 0 {
		return l.env
	}
	var words []ctype.Word
	for _, e := range l.m.cfg.Env {
		words = append(words, l.text("an environment string", e))
	}
	l.setVector(words)
	return l.env
}

func (l *library) text(name, s string) ctype.Word {
	b := l.m.newBlock(Global, int64(len(s)+1))
	b.Name = name
	copy(b.Data, s)
	return ctype.MakePointer(b.ID, 0)
}

// constantText is a text that is the same object each time.
func (l *library) constantText(name, s string) ctype.Word {
	if p := l.tables[name]; p != 0 {
		return p
	}
	return l.keep(name, l.text(name, s))
}

func (l *library) setVector(words []ctype.Word) {
	vec := l.m.newBlock(Global, int64(8*(len(words)+1)))
	vec.Name = "environ"
	for i, w := range words {
		ctype.Store(ctype.ULongT, vec.Data[8*i:], w)
	}
	l.env = ctype.MakePointer(vec.ID, 0)
	if l.environ != 0 {
		_ = l.m.store(l.environ, ctype.VoidPtrT, l.env)
	}
}

// vector reads the environment as the program left it.
func (l *library) vector() ([]ctype.Word, *Fault) {
	at := l.environment()
	if l.environ != 0 {
		w, f := l.m.load(l.environ, ctype.VoidPtrT)
		if f != nil {
			return nil, f
		}
		at = w
	}
	var out []ctype.Word
	for at != 0 {
		w, f := l.m.load(at, ctype.VoidPtrT)
		if f != nil || w == 0 {
			return out, f
		}
		out = append(out, w)
		at += 8
	}
	return out, nil
}

// find returns the index of a name in the environment, -1 when it is not there.
func (l *library) find(name string) (words []ctype.Word, i int, value ctype.Word, f *Fault) {
	words, f = l.vector()
	if f != nil {
		return nil, -1, 0, f
	}
	for i, w := range words {
		s, f := l.m.cstring(w)
		if f != nil {
			return nil, -1, 0, f
		}
		if strings.HasPrefix(s, name+"=") {
			return words, i, w + ctype.Word(len(name)+1), nil
		}
	}
	return words, -1, 0, nil
}

func libGetenv(m *Machine, c *libCall) (ctype.Word, *Fault) {
	name, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	_, _, v, f := m.lib.find(name)
	return v, f
}

// invalidName sets errno for a name that no variable can have.
func (l *library) invalidName(name string) bool {
	if name != "" && !strings.Contains(name, "=") {
		return false
	}
	_ = l.m.store(l.errno, ctype.IntT, 22)
	return true
}

func libSetenv(m *Machine, c *libCall) (ctype.Word, *Fault) {
	name, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	value, f := m.cstring(c.arg(1))
	if f != nil {
		return 0, f
	}
	if m.lib.invalidName(name) {
		return ^ctype.Word(0), nil
	}
	words, i, _, f := m.lib.find(name)
	if f != nil || i >= 0 && c.int(2) == 0 {
		return 0, f
	}
	return 0, m.lib.put(words, i, m.lib.text("an environment string", name+"="+value))
}

func (l *library) put(words []ctype.Word, i int, w ctype.Word) *Fault {
	if i >= 0 {
		words[i] = w
	} else {
		words = append(words, w)
	}
	l.setVector(words)
	return nil
}

func libPutenv(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	name, _, ok := strings.Cut(s, "=")
	words, i, _, f := m.lib.find(name)
	if f != nil {
		return 0, f
	}
	if !ok {
		return 0, m.lib.drop(words, i)
	}
	return 0, m.lib.put(words, i, c.arg(0))
}

func (l *library) drop(words []ctype.Word, i int) *Fault {
	if i >= 0 {
		l.setVector(append(words[:i:i], words[i+1:]...))
	}
	return nil
}

func libUnsetenv(m *Machine, c *libCall) (ctype.Word, *Fault) {
	name, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	if m.lib.invalidName(name) {
		return ^ctype.Word(0), nil
	}
	words, i, _, f := m.lib.find(name)
	if f != nil {
		return 0, f
	}
	return 0, m.lib.drop(words, i)
}

func libClearenv(m *Machine, c *libCall) (ctype.Word, *Fault) {
	m.lib.setVector(nil)
	return 0, nil
}
