package machine

import "gulo/internal/ctype"

// This file is stdio_ext.h: what a stream is for, and what waits in it. Streams have no buffer
// here: what is written is in the file, what was not read yet is there, too.

func init() {
	register(map[string]builtin{
		"__freadable": ofStream(func(s *stream) bool { return s.read }), "__fwritable": ofStream(func(s *stream) bool { return s.write }),
		"__freading": libReading, "__fwriting": libReading, "__fpending": ofStream(func(*stream) bool { return false }),
		"__flbf": ofStream(func(*stream) bool { return false }), "_flushlbf": constant(0),
	})
}

// ofStream is a function that says something of a stream.
func ofStream(is func(s *stream) bool) builtin {
	return func(m *Machine, c *libCall) (ctype.Word, *Fault) {
		s, f := m.stream(c, c.arg(0))
		if f != nil || !is(s) {
			return 0, f
		}
		return 1, nil
	}
}

// libReading says whether a stream is being read, or written. Of one that may be both it is not
// known what was done last.
func libReading(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.stream(c, c.arg(0))
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
