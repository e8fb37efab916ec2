package machine

import "gulo/internal/ctype"

// This file is statx.

func init() { register(map[string]builtin{"statx": libStatx}) }

const (
	statxSize   = 256
	atEmptyPath = 0x1000
	statxKnown  = 0x7ff // STATX_BASIC_STATS
)

// libStatx is statx: what stat says, in another form. It says nothing of when a file was made.
func libStatx(m *Machine, c *libCall) (ctype.Word, *Fault) {
	const noAutomount, syncs = 0x800, 0x6000
	flags := c.int(2)
	path, f := m.cstring(c.arg(1))
	switch {
	case f != nil:
		return 0, f
	case flags&^(noAutomount|syncs|atNoFollow|atEmptyPath) != 0 || flags&syncs == syncs || c.arg(3)>>31&1 != 0:
		return m.failed(errINVAL)
	}
	var s fileStatus
	if path == "" && flags&atEmptyPath != 0 && c.int(0) != atCWD {
		x := m.lib.stdio.streamOf(int(c.int(0)))
		switch {
		case x == nil:
			return m.failed(errBADF)
		case x.folder != nil:
			s = m.lib.fs.folderStatus(x.folder.rel)
		case x.file == nil:
			return 0, m.fault(Unsupported, 0, "statx of a descriptor that is no file is not supported")
		default:
			s = x.file.status(m)
		}
	} else {
		to, ok, f := m.lib.fs.beside(c, "stat")
		if !ok || f != nil {
			return ^ctype.Word(0), f
		}
		if flags&atNoFollow != 0 {
			to.name = "lstat"
		}
		full, f := m.cstring(to.arg(0))
		if f != nil {
			return 0, f
		}
		var errno ctype.Word
		if s, errno, f = m.lib.fs.lookAt(to, full); f != nil || errno != 0 {
			m.set(errno)
			return ^ctype.Word(0), f
		}
	}
	return 0, m.putBytes(c.arg(4), extendedStatus(s.bytes()))
}

// extendedStatus is a struct stat as struct statx.
func extendedStatus(b []byte) []byte {
	out := make([]byte, statxSize)
	for _, x := range []struct {
		to, from int
		t, was   *ctype.Type
	}{
		{4, 56, ctype.UIntT, ctype.LongT}, {16, 16, ctype.UIntT, ctype.ULongT}, {20, 28, ctype.UIntT, ctype.UIntT}, {24, 32, ctype.UIntT, ctype.UIntT},
		{28, 24, ctype.UShortT, ctype.UIntT}, {32, 8, ctype.ULongT, ctype.ULongT}, {40, 48, ctype.ULongT, ctype.LongT}, {48, 64, ctype.ULongT, ctype.LongT},
		{64, 72, ctype.LongT, ctype.LongT}, {96, 104, ctype.LongT, ctype.LongT}, {112, 88, ctype.LongT, ctype.LongT}, {140, 0, ctype.UIntT, ctype.ULongT},
	} {
		ctype.Store(x.t, out[x.to:], ctype.Load(x.was, b[x.from:]))
	}
	ctype.Store(ctype.UIntT, out, statxKnown)
	return out
}
