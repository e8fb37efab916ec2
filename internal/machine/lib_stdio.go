package machine

import (
	"math"

	"gulo/internal/ctype"
)

// This file is stdio.h on the standard streams.

func init() {
	register(map[string]builtin{
		"printf": libPrintf, "fprintf": libPrintf, "sprintf": libPrintf, "snprintf": libPrintf, "dprintf": libPrintf, "asprintf": libPrintf, "vasprintf": libPrintf, "vdprintf": libPrintf,
		"vprintf": libPrintf, "vfprintf": libPrintf, "vsprintf": libPrintf, "vsnprintf": libPrintf,
		"puts": libPuts, "fputs": libPuts, "putchar": libPutc, "putc": libPutc, "fputc": libPutc, "putchar_unlocked": libPutc,
		"getchar": libGetc, "getc": libGetc, "fgetc": libGetc, "getchar_unlocked": libGetc, "ungetc": libUngetc,
		"fgets": libFgets, "getline": libGetline, "getdelim": libGetline, "fread": libFread, "fwrite": libFwrite, "read": libRead, "write": libWrite,
		"scanf": libScanf, "fscanf": libScanf, "sscanf": libScanf, "vscanf": libScanf, "vfscanf": libScanf, "vsscanf": libScanf,
		"fflush": func(m *Machine, c *libCall) (ctype.Word, *Fault) { m.lib.flush(); return 0, nil },
		"feof": func(m *Machine, c *libCall) (ctype.Word, *Fault) {
			d, f := m.lib.descriptor(c, c.arg(0))
			return b2w(d == 0 && m.lib.eof), f
		},
		"ferror":   libStream,
		"clearerr": libStream,
		"fileno":   libStream,
		"setvbuf":  libStream,
		"setbuf":   libStream,
		"fclose":   libStream,
		"perror":   libPerror,
	})
}

// libStream is a function of a stream that has nothing to do here.
func libStream(m *Machine, c *libCall) (ctype.Word, *Fault) {
	d, f := m.lib.descriptor(c, c.arg(0))
	if c.name == "fileno" {
		return ctype.Word(d), f
	}
	return 0, f
}

func libPerror(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	e, _ := m.load(m.lib.errno, ctype.IntT)
	return 0, m.lib.write(2, []byte(s+": "+errorTexts[int64(e)]+"\n"))
}

func libPuts(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	fd := 1
	if c.name == "fputs" {
		if fd, f = m.lib.descriptor(c, c.arg(1)); f != nil {
			return 0, f
		}
	} else {
		s += "\n"
	}
	return 1, m.lib.write(fd, []byte(s))
}

func libPutc(m *Machine, c *libCall) (ctype.Word, *Fault) {
	fd := 1
	if c.name == "putc" || c.name == "fputc" {
		var f *Fault
		if fd, f = m.lib.descriptor(c, c.arg(1)); f != nil {
			return 0, f
		}
	}
	return ctype.Word(byte(c.arg(0))), m.lib.write(fd, []byte{byte(c.arg(0))})
}

func libGetc(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.name == "getc" || c.name == "fgetc" {
		if _, f := m.lib.descriptor(c, c.arg(0)); f != nil {
			return 0, f
		}
	}
	b, f := m.lib.getc()
	return ctype.Word(int64(b)), f
}

func libUngetc(m *Machine, c *libCall) (ctype.Word, *Fault) {
	m.lib.unget = append(m.lib.unget, byte(c.arg(0)))
	return c.arg(0), nil
}

// line reads up to max bytes, through a line break.
func (l *library) line(max int) ([]byte, *Fault) { return l.until('\n', max) }

// until reads up to max bytes, through a byte.
func (l *library) until(end byte, max int) ([]byte, *Fault) {
	var out []byte
	for len(out) < max {
		b, f := l.getc()
		if f != nil {
			for i := len(out) - 1; i >= 0; i-- {
				l.unget = append(l.unget, out[i])
			}
			return nil, f
		}
		if b < 0 {
			break
		}
		out = append(out, byte(b))
		if byte(b) == end {
			break
		}
	}
	return out, nil
}

func libFgets(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if _, f := m.lib.descriptor(c, c.arg(2)); f != nil {
		return 0, f
	}
	b, f := m.lib.line(int(c.int(1)) - 1)
	if f != nil || len(b) == 0 {
		return 0, f
	}
	return c.arg(0), m.putString(c.arg(0), string(b))
}

// libGetline is getline and getdelim.
func libGetline(m *Machine, c *libCall) (ctype.Word, *Fault) {
	end, stream := byte('\n'), c.arg(2)
	if c.name == "getdelim" {
		end, stream = byte(c.arg(2)), c.arg(3)
	}
	p, f := m.load(c.arg(0), ctype.VoidPtrT)
	if f != nil {
		return 0, f
	}
	var size ctype.Word
	if p != 0 {
		if size, f = m.load(c.arg(1), ctype.ULongT); f != nil {
			return 0, f
		}
	}
	if _, f := m.lib.descriptor(c, stream); f != nil {
		return 0, f
	}
	b, f := m.lib.until(end, math.MaxInt32)
	if f != nil {
		return 0, f
	}
	if size < ctype.Word(len(b)+1) || p == 0 {
		size = max(120, ctype.Word(len(b)+1), 2*size)
		q, f := m.Malloc(int64(size), false)
		if f != nil {
			return 0, f
		}
		if f := m.FreePtr(p); f != nil {
			return 0, f
		}
		p = q
		if f := m.store(c.arg(0), ctype.VoidPtrT, p); f != nil {
			return 0, f
		}
		if f := m.store(c.arg(1), ctype.ULongT, size); f != nil {
			return 0, f
		}
	}
	if len(b) == 0 {
		return ^ctype.Word(0), nil
	}
	return ctype.Word(len(b)), m.putString(p, string(b))
}

func (l *library) take(n int) ([]byte, *Fault) {
	var out []byte
	for len(out) < n {
		b, f := l.getc()
		if f != nil {
			return nil, f
		}
		if b < 0 {
			break
		}
		out = append(out, byte(b))
	}
	return out, nil
}

func libFread(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if _, f := m.lib.descriptor(c, c.arg(3)); f != nil || c.arg(1) == 0 {
		return 0, f
	}
	b, f := m.lib.take(int(c.arg(1) * c.arg(2)))
	if f != nil {
		return 0, f
	}
	return ctype.Word(len(b)) / c.arg(1), m.putBytes(c.arg(0), b)
}

func libFwrite(m *Machine, c *libCall) (ctype.Word, *Fault) {
	fd, f := m.lib.descriptor(c, c.arg(3))
	if f != nil {
		return 0, f
	}
	b, f := m.given(c.arg(0), int64(c.arg(1)*c.arg(2)))
	if f != nil {
		return 0, f
	}
	return c.arg(2), m.lib.write(fd, b)
}

func libRead(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.int(0) != 0 {
		return ^ctype.Word(0), nil
	}
	b, f := m.lib.line(int(c.long(2)))
	if f != nil {
		return 0, f
	}
	return ctype.Word(len(b)), m.putBytes(c.arg(1), b)
}

func libWrite(m *Machine, c *libCall) (ctype.Word, *Fault) {
	b, f := m.given(c.arg(1), c.long(2))
	if f != nil || c.int(0) != 1 && c.int(0) != 2 {
		return ^ctype.Word(0), f
	}
	if c.int(0) == 1 {
		// write bypasses the buffer of stdout; printed text that waits there comes later.
		held := append([]byte(nil), m.lib.out...)
		m.lib.out = m.lib.out[:0]
		f = m.lib.write(1, b)
		m.lib.flush()
		m.lib.out = append(m.lib.out, held...)
		return ctype.Word(len(b)), f
	}
	return ctype.Word(len(b)), m.lib.write(2, b)
}
