package machine

import "gulo/internal/ctype"

// This file is stdio_ext.h: what a stream is for, and what waits in it. Buffers are not looked
// at: __fpending and __flbf always answer 0.

func init() {
	register(map[string]builtin{
		"__freadable": ofStream(func(s *stream) bool { return s.read }), "__fwritable": ofStream(func(s *stream) bool { return s.write }),
		"__freading": libReading, "__fwriting": libReading, "__fpending": ofStream(func(*stream) bool { return false }),
		"__flbf": ofStream(func(*stream) bool { return false }), "_flushlbf": constant(0),
	})
}

// ofStream makes a library function that reports whether something is true of a stream.
func ofStream(is func(s *stream) bool) builtin {
	return func(m *Machine, c *libCall) (ctype.Word, *Fault) {
		s, f := m.lib.stdio.stream(c, c.arg(0))
		if f != nil || !is(s) {
			return 0, f
		}
		return 1, nil
	}
}

// libReading reports whether a stream is being read, or written. It does not support streams that
// are open for both, as what was done last is not known.
func libReading(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.lib.stdio.stream(c, c.arg(0))
	switch {
	case f != nil:
		return 0, f
	case s.read && s.write:
		return 0, m.fault(Unsupported, 0, "%s of a stream that is read and written is not supported", c.name)
	case s.read == (c.name == "__freading"):
		return 1, nil
	}
	return 0, nil
}
