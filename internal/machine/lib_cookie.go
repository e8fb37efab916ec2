package machine

import (
	"slices"

	"gulo/internal/ctype"
)

// This file is the streams of fopencookie. A call that needs what only the program's functions can give or take enters
// a function of cookies.c, which calls these, and is made again afterwards.

func init() {
	register(map[string]builtin{
		"__gulo_cookie_open": libCookieOpen, "__gulo_cookie_feed": libCookieFeed, "__gulo_cookie_held": libCookieHeld,
		"__gulo_cookie_drained": libCookieDrained, "__gulo_cookie_next": libCookieNext, "__gulo_cookie_close": libCookieClose,
		"open_wmemstream": func(m *Machine, c *libCall) (ctype.Word, *Fault) {
			w, f := libOpenMemstream(m, c)
			if f != nil {
				return 0, f
			}
			s, _ := m.lib.stdio.stream(c, w)
			s.text.wide = true
			return w, s.syncText(m)
		},
	})
}

// cookie is what a stream of fopencookie has instead of a file's data. It is not changed in place.
type cookie struct {
	own                ctype.Word // what the functions get
	fill, drain, close ctype.Word // functions of cookies.c
}

// cookieWaits is a kind of Fault that never leaves the machine: the call that returns it needs more of a cookie's stream.
const cookieWaits FaultKind = "a cookie"

func libCookieOpen(m *Machine, c *libCall) (ctype.Word, *Fault) {
	mode, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	var how opened
	if _, _, _, ok := how.mode(mode); !ok {
		m.set(errINVAL)
		return 0, nil
	}
	s := m.lib.stdio.open(&memFile{name: "a stream of fopencookie"})
	s.read, s.write, s.appending = how.read, how.write, how.appending
	s.cookie = &cookie{c.arg(1), c.arg(2), c.arg(3), c.arg(4)}
	m.lib.stdio.cookies = true
	return m.lib.stdio.fileOf(s), nil
}

// enterCookie calls a function of cookies.c for a stream. It returns to instruction retPC, its result to dst.
func enterCookie(m *Machine, c *libCall, s *stream, fn ctype.Word, dst int32, retPC int) *Fault {
	id, _ := ctype.SplitPointer(fn)
	c.entered = true
	return m.push(m.funcs[m.fnOf[id]], []ctype.Word{s.cookie.own}, dst, retPC)
}

// fillCookie reads more of a stream for a call that is then made again.
func (st *stdio) fillCookie(c *libCall, f *Fault) *Fault {
	m := st.m
	s := st.fileStream(int(f.Pointer))
	return enterCookie(m, c, s, s.cookie.fill, -1, m.pc)
}

// drainFull writes what a stream holds when a call has filled its buffer, and goes on behind the call, whose result is v.
func (st *stdio) drainFull(c *libCall, v ctype.Word) *Fault {
	m := st.m
	for s := range st.all {
		n := len(s.held)
		if s.cookie == nil || n == 0 || n < bufferSize && !s.direct && !(s.lines && slices.Contains(s.held, '\n')) {
			continue
		}
		if c.dst >= 0 {
			if t := c.info.Type; t != nil && t.Result != nil && t.Result.IsInteger() {
				v = ctype.Wrap(t.Result, v)
			}
			m.regs[m.frames[len(m.frames)-1].base+int(c.dst)] = v
		}
		return enterCookie(m, c, s, s.cookie.drain, -1, m.pc+1)
	}
	return nil
}

// drains empties a cookie's stream in front of a call, which is then made again. It returns false if nothing is held.
func (st *stdio) drains(c *libCall, s *stream) (bool, *Fault) {
	m := st.m
	if s.cookie == nil || len(s.held) == 0 {
		return false, nil
	}
	return true, enterCookie(m, c, s, s.cookie.drain, -1, m.pc)
}

// libCookieFeed takes what the program's function has read: no bytes are the end, fewer an error.
func libCookieFeed(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.stdio.stream(c, c.arg(0))
	if f != nil {
		return 0, f
	}
	n := c.long(2)
	s.answered = n <= 0
	s.eof, s.bad = s.eof || n == 0, s.bad || n < 0
	b, f := m.bytes(c.arg(1), max(n, 0), true)
	s.file.data = append(slices.Clip(s.file.data), b...)
	return 0, f
}

// libCookieHeld takes what a stream holds.
func libCookieHeld(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.stdio.stream(c, c.arg(0))
	if f != nil {
		return 0, f
	}
	b := m.newUnset(Global, int64(len(s.held)), alignment)
	b.Name = "the buffer of a stream"
	w := ctype.MakePointer(b.ID, 0)
	if f := m.putBytes(w, s.held); f != nil {
		return 0, f
	}
	n := len(s.held)
	s.held = nil // calls on the way to the program's function do not find it any more
	return w, m.store(c.arg(1), ctype.ULongT, ctype.Word(n))
}

// libCookieDrained notes whether the program's function has failed to write something.
func libCookieDrained(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.stdio.stream(c, c.arg(0))
	if f == nil {
		s.bad = s.bad || c.int(1) != 0
	}
	return 0, f
}

// libCookieNext is the next stream of fopencookie after one, or after none.
func libCookieNext(m *Machine, c *libCall) (ctype.Word, *Fault) {
	last := -1
	if c.arg(0) != 0 {
		s, f := m.lib.stdio.stream(c, c.arg(0))
		if f != nil {
			return 0, f
		}
		last = s.fd
	}
	next, at := uint32(0), -1
	for id, fd := range m.lib.stdio.files {
		if s := m.lib.stdio.fileStream(fd); s != nil && s.cookie != nil && fd > last && (at < 0 || fd < at) {
			next, at = id, fd
		}
	}
	if at < 0 {
		return 0, nil
	}
	return ctype.MakePointer(next, 0), nil
}

func libCookieClose(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.stdio.stream(c, c.arg(0))
	if f != nil {
		return 0, f
	}
	s.cookie, s.write = nil, false
	return libFclose(m, c)
}
