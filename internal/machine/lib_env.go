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

// variables is the environment of a process.
type variables struct {
	m       *Machine
	env     ctype.Word // the vector of environment strings; 0 until asked for
	environ ctype.Word // the program's variable environ; 0 when it names none
}

// environment returns the vector of the environment, making it on first use.
// environ, when the program names it, holds the same pointer.
func (v *variables) environment() ctype.Word {
	m := v.m
	if v.env != 0 {
		return v.env
	}
	var words []ctype.Word
	for _, e := range m.cfg.Env {
		words = append(words, m.lib.text("an environment string", e))
	}
	v.setVector(words)
	return v.env
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

func (v *variables) setVector(words []ctype.Word) {
	m := v.m
	vec := m.newBlock(Global, int64(8*(len(words)+1)))
	vec.Name = "environ"
	for i, w := range words {
		ctype.Store(ctype.ULongT, vec.Data[8*i:], w)
	}
	v.env = ctype.MakePointer(vec.ID, 0)
	if v.environ != 0 {
		_ = m.store(v.environ, ctype.VoidPtrT, v.env)
	}
}

// vector reads the environment as the program left it.
func (v *variables) vector() ([]ctype.Word, *Fault) {
	m := v.m
	at := v.environment()
	if v.environ != 0 {
		w, f := m.load(v.environ, ctype.VoidPtrT)
		if f != nil {
			return nil, f
		}
		at = w
	}
	var out []ctype.Word
	for at != 0 {
		w, f := m.load(at, ctype.VoidPtrT)
		if f != nil || w == 0 {
			return out, f
		}
		out = append(out, w)
		at += 8
	}
	return out, nil
}

// find returns the index of a name in the environment, -1 when it is not there.
func (v *variables) find(name string) (words []ctype.Word, i int, value ctype.Word, f *Fault) {
	words, f = v.vector()
	if f != nil {
		return nil, -1, 0, f
	}
	for i, w := range words {
		s, f := v.m.cstring(w)
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
	_, _, v, f := m.lib.variables.find(name)
	return v, f
}

// invalidName sets errno for a name that no variable can have.
func (v *variables) invalidName(name string) bool {
	m := v.m
	if name != "" && !strings.Contains(name, "=") {
		return false
	}
	_ = m.store(m.lib.errno, ctype.IntT, 22)
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
	if m.lib.variables.invalidName(name) {
		return ^ctype.Word(0), nil
	}
	words, i, _, f := m.lib.variables.find(name)
	if f != nil || i >= 0 && c.int(2) == 0 {
		return 0, f
	}
	return 0, m.lib.variables.put(words, i, m.lib.text("an environment string", name+"="+value))
}

func (v *variables) put(words []ctype.Word, i int, w ctype.Word) *Fault {
	if i >= 0 {
		words[i] = w
	} else {
		words = append(words, w)
	}
	v.setVector(words)
	return nil
}

func libPutenv(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	name, _, ok := strings.Cut(s, "=")
	words, i, _, f := m.lib.variables.find(name)
	if f != nil {
		return 0, f
	}
	if !ok {
		return 0, m.lib.variables.drop(words, i)
	}
	return 0, m.lib.variables.put(words, i, c.arg(0))
}

func (v *variables) drop(words []ctype.Word, i int) *Fault {
	if i >= 0 {
		v.setVector(append(words[:i:i], words[i+1:]...))
	}
	return nil
}

func libUnsetenv(m *Machine, c *libCall) (ctype.Word, *Fault) {
	name, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	if m.lib.variables.invalidName(name) {
		return ^ctype.Word(0), nil
	}
	words, i, _, f := m.lib.variables.find(name)
	if f != nil {
		return 0, f
	}
	return 0, m.lib.variables.drop(words, i)
}

func libClearenv(m *Machine, c *libCall) (ctype.Word, *Fault) {
	m.lib.variables.setVector(nil)
	return 0, nil
}
