package machine

import (
	"bytes"
	"strings"

	"gulo/internal/ctype"
)

// This file is string.h, strings.h and ctype.h.

func init() {
	register(map[string]builtin{
		"memcpy": libMemcpy, "memmove": libMemmove, "memset": libMemset, "memcmp": libMemcmp, "memchr": libMemchr,
		"strlen": libStrlen, "strnlen": libStrnlen, "strcpy": libStrcpy, "stpcpy": libStrcpy, "strncpy": libStrncpy,
		"strcat": libStrcat, "strncat": libStrncat, "strcmp": libStrcmp, "strcoll": libStrcmp, "strncmp": libStrncmp,
		"strcasecmp": libStrcmp, "strncasecmp": libStrncmp, "strchr": libStrchr, "strrchr": libStrchr,
		"strstr": libStrstr, "strpbrk": libStrpbrk, "strspn": libStrspn, "strcspn": libStrspn,
		"strtok": libStrtok, "strtok_r": libStrtok, "strdup": libStrdup, "strndup": libStrdup, "strerror": libStrerror,
	})
	for name, f := range ctypeFuncs {
		builtins[name] = func(m *Machine, c *libCall) (ctype.Word, *Fault) {
			x := c.int(0)
			if (x < -1 || x > 255) && name != "isascii" {
				return 0, m.fault(BadLibraryCall, 0, "%s(%d): not a character", c.name, x)
			}
			return b2w(f(x)), nil
		}
	}
	register(map[string]builtin{
		"tolower": func(m *Machine, c *libCall) (ctype.Word, *Fault) {
			if x := c.int(0); x >= 'A' && x <= 'Z' {
				return ctype.Word(x + 32), nil
			}
			return c.arg(0), nil
		},
		"toupper": func(m *Machine, c *libCall) (ctype.Word, *Fault) {
			if x := c.int(0); x >= 'a' && x <= 'z' {
				return ctype.Word(x - 32), nil
			}
			return c.arg(0), nil
		},
	})
}

func between(x int64, lo, hi rune) bool { return x >= int64(lo) && x <= int64(hi) }

var ctypeFuncs = map[string]func(int64) bool{
	"isalnum": func(x int64) bool {
		return between(x, '0', '9') || between(x, 'a', 'z') || between(x, 'A', 'Z')
	},
	"isalpha": func(x int64) bool { return between(x, 'a', 'z') || between(x, 'A', 'Z') },
	"isblank": func(x int64) bool { return x == ' ' || x == '\t' },
	"iscntrl": func(x int64) bool { return between(x, 0, 31) || x == 127 },
	"isdigit": func(x int64) bool { return between(x, '0', '9') },
	"isgraph": func(x int64) bool { return between(x, 33, 126) },
	"islower": func(x int64) bool { return between(x, 'a', 'z') },
	"isprint": func(x int64) bool { return between(x, 32, 126) },
	"ispunct": func(x int64) bool {
		return between(x, 33, 126) && !between(x, '0', '9') && !between(x, 'a', 'z') && !between(x, 'A', 'Z')
	},
	"isspace": func(x int64) bool { return x == ' ' || between(x, 9, 13) },
	"isupper": func(x int64) bool { return between(x, 'A', 'Z') },
	"isxdigit": func(x int64) bool {
		return between(x, '0', '9') || between(x, 'a', 'f') || between(x, 'A', 'F')
	},
	"isascii": func(x int64) bool { return between(x, 0, 127) },
}

func libMemcpy(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n := c.long(2)
	to, o1 := m.Find(c.arg(0))
	from, o2 := m.Find(c.arg(1))
	if to != nil && to == from && n > 0 && o1 != o2 && o1 < o2+n && o2 < o1+n {
		return 0, m.fault(Overlap, c.arg(0), "memcpy between overlapping memory")
	}
	return c.arg(0), m.copyBytes(c.arg(0), c.arg(1), n)
}

// checkApart returns a fault if the n bytes at to that a string function writes overlap the k bytes at from that it reads
// (C11 7.24.2). It does so only with Config.Thorough, as such a call mostly does what was meant.
func checkApart(m *Machine, c *libCall, to ctype.Word, n int, from ctype.Word, k int) *Fault {
	if !m.cfg.Thorough || n <= 0 || k <= 0 || to >= from+ctype.Word(k) || from >= to+ctype.Word(n) {
		return nil
	}
	return m.fault(Overlap, to, "%s between overlapping memory", c.name)
}

func libMemmove(m *Machine, c *libCall) (ctype.Word, *Fault) {
	return c.arg(0), m.copyBytes(c.arg(0), c.arg(1), c.long(2))
}

func libMemset(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n := c.long(2)
	if n == 0 {
		return c.arg(0), nil
	}
	b, off, f := m.access(c.arg(0), n, true)
	if f != nil {
		return 0, f
	}
	for i := off; i < off+n; i++ {
		b.Data[i] = byte(c.arg(1))
	}
	b.markInit(off, n)
	return c.arg(0), nil
}

func libMemcmp(m *Machine, c *libCall) (ctype.Word, *Fault) {
	a, f := m.bytes(c.arg(0), c.long(2), true)
	if f != nil {
		return 0, f
	}
	b, f := m.bytes(c.arg(1), c.long(2), true)
	if f != nil {
		return 0, f
	}
	return ctype.Word(int64(bytes.Compare(a, b))), nil
}

// libMemchr reads up to what it looks for, as the standard says.
func libMemchr(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n := c.long(2)
	if b, off := m.Find(c.arg(0)); n != 0 {
		if b != nil && !b.Freed && off >= 0 && off < b.Size {
			if i := bytes.IndexByte(b.Data[off:], byte(c.arg(1))); i >= 0 && (n < 0 || int64(i) < n) {
				n = int64(i) + 1
			}
		}
	}
	a, f := m.bytes(c.arg(0), n, true)
	if f != nil {
		return 0, f
	}
	if i := bytes.IndexByte(a, byte(c.arg(1))); i >= 0 {
		return c.arg(0) + ctype.Word(i), nil
	}
	return 0, nil
}

func libStrlen(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.cstring(c.arg(0))
	return ctype.Word(len(s)), f
}

// prefix reads a string of at most n bytes, which need not end.
func (m *memory) prefix(w ctype.Word, n int64) (string, *Fault) {
	var out []byte
	for i := int64(0); i < n; i++ {
		v, f := m.load(w+ctype.Word(i), ctype.UCharT)
		if f != nil {
			return "", f
		}
		if v == 0 {
			break
		}
		out = append(out, byte(v))
	}
	return string(out), nil
}

func libStrnlen(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.prefix(c.arg(0), c.long(1))
	return ctype.Word(len(s)), f
}

func libStrcpy(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.cstring(c.arg(1))
	if f != nil {
		return 0, f
	}
	if f := checkApart(m, c, c.arg(0), len(s)+1, c.arg(1), len(s)+1); f != nil {
		return 0, f
	}
	ret := c.arg(0)
	if strings.HasSuffix(c.name, "stpcpy") {
		ret += ctype.Word(len(s))
	}
	return ret, m.putString(c.arg(0), s)
}

func libStrncpy(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s, f := m.prefix(c.arg(1), c.long(2))
	if f != nil {
		return 0, f
	}
	if _, _, f := m.reach(c.arg(0), c.long(2), true); f != nil && c.long(2) != 0 {
		_, _, f = m.access(c.arg(0), c.long(2), true) // a monitor may report it before the machine does
		return 0, f                                   // before a buffer of that size is made
	}
	if f := checkApart(m, c, c.arg(0), int(c.long(2)), c.arg(1), min(len(s)+1, int(c.long(2)))); f != nil {
		return 0, f
	}
	buf := make([]byte, c.long(2))
	copy(buf, s)
	return c.arg(0), m.putBytes(c.arg(0), buf)
}

func libStrcat(m *Machine, c *libCall) (ctype.Word, *Fault) {
	d, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	s, f := m.cstring(c.arg(1))
	if f == nil {
		f = checkApart(m, c, c.arg(0), len(d)+len(s)+1, c.arg(1), len(s)+1)
	}
	if f != nil {
		return 0, f
	}
	return c.arg(0), m.putString(c.arg(0)+ctype.Word(len(d)), s)
}

func libStrncat(m *Machine, c *libCall) (ctype.Word, *Fault) {
	d, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	s, f := m.prefix(c.arg(1), c.long(2))
	if f == nil {
		f = checkApart(m, c, c.arg(0), len(d)+len(s)+1, c.arg(1), min(len(s)+1, int(c.long(2))))
	}
	if f != nil {
		return 0, f
	}
	return c.arg(0), m.putString(c.arg(0)+ctype.Word(len(d)), s)
}

// compareStrings orders as glibc's generic strcmp does: by the difference of
// the first differing bytes.
func compareStrings(a, b string) ctype.Word {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] != b[i] {
			return ctype.Word(int64(a[i]) - int64(b[i]))
		}
	}
	switch {
	case len(a) > len(b):
		return ctype.Word(a[len(b)])
	case len(a) < len(b):
		return ctype.Word(-int64(b[len(a)]))
	}
	return 0
}

func fold(name, s string) string {
	if strings.Contains(name, "case") {
		return asciiLower(s)
	}
	return s
}

func libStrcmp(m *Machine, c *libCall) (ctype.Word, *Fault) {
	a, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	b, f := m.cstring(c.arg(1))
	if f != nil {
		return 0, f
	}
	return compareStrings(fold(c.name, a), fold(c.name, b)), nil
}

func libStrncmp(m *Machine, c *libCall) (ctype.Word, *Fault) {
	// Only as far as the strings agree is read.
	n := c.long(2)
	for i := int64(0); i < n; i++ {
		a, f := m.load(c.arg(0)+ctype.Word(i), ctype.UCharT)
		if f != nil {
			return 0, f
		}
		b, f := m.load(c.arg(1)+ctype.Word(i), ctype.UCharT)
		if f != nil {
			return 0, f
		}
		x, y := fold(c.name, string([]byte{byte(a)})), fold(c.name, string([]byte{byte(b)}))
		if x != y {
			return ctype.Word(int64(x[0]) - int64(y[0])), nil
		}
		if a == 0 {
			break
		}
	}
	return 0, nil
}

func libStrchr(m *Machine, c *libCall) (ctype.Word, *Fault) {
	wanted, found := byte(c.arg(1)), false
	last := strings.HasPrefix(c.name, "strr") || c.name == "rindex"
	s, f := m.textUntil(c.arg(0), func(b byte) bool {
		found = !last && b == wanted
		return found
	})
	switch {
	case f != nil:
		return 0, f
	case found:
		return c.arg(0) + ctype.Word(len(s)), nil
	}
	i := strings.LastIndexByte(s+"\x00", wanted) // the last occurrence, which may be the 0 at the end
	if !last && wanted != 0 {
		i = -1
	}
	if i < 0 {
		return 0, nil
	}
	return c.arg(0) + ctype.Word(i), nil
}

func twoTexts(m *Machine, c *libCall) (string, string, *Fault) {
	a, f := m.cstring(c.arg(0))
	if f != nil {
		return "", "", f
	}
	b, f := m.cstring(c.arg(1))
	return a, b, f
}

func libStrstr(m *Machine, c *libCall) (ctype.Word, *Fault) {
	a, b, f := twoTexts(m, c)
	i := strings.Index(a, b)
	if f != nil || i < 0 {
		return 0, f
	}
	return c.arg(0) + ctype.Word(i), nil
}

func libStrpbrk(m *Machine, c *libCall) (ctype.Word, *Fault) {
	a, b, f := twoTexts(m, c)
	for i := 0; f == nil && i < len(a); i++ {
		if strings.IndexByte(b, a[i]) >= 0 {
			return c.arg(0) + ctype.Word(i), nil
		}
	}
	return 0, f
}

func libStrspn(m *Machine, c *libCall) (ctype.Word, *Fault) {
	a, b, f := twoTexts(m, c)
	i := 0
	for i < len(a) && (strings.IndexByte(b, a[i]) >= 0) == (c.name == "strspn") {
		i++
	}
	return ctype.Word(i), f
}

func libStrtok(m *Machine, c *libCall) (ctype.Word, *Fault) {
	p := c.arg(0)
	get := func() (ctype.Word, *Fault) { return m.lib.tok, nil }
	put := func(w ctype.Word) *Fault { m.lib.tok = w; return nil }
	if strings.HasSuffix(c.name, "strtok_r") {
		get = func() (ctype.Word, *Fault) { return m.load(c.arg(2), ctype.VoidPtrT) }
		put = func(w ctype.Word) *Fault { return m.store(c.arg(2), ctype.VoidPtrT, w) }
	}
	if p == 0 {
		var f *Fault
		if p, f = get(); f != nil || p == 0 {
			return 0, f
		}
	}
	s, f := m.cstring(p)
	if f != nil {
		return 0, f
	}
	sep, f := m.cstring(c.arg(1))
	if f != nil {
		return 0, f
	}
	i := 0
	for i < len(s) && strings.IndexByte(sep, s[i]) >= 0 {
		i++
	}
	if i == len(s) {
		return 0, put(p + ctype.Word(i))
	}
	j := i
	for j < len(s) && strings.IndexByte(sep, s[j]) < 0 {
		j++
	}
	if j == len(s) {
		return p + ctype.Word(i), put(p + ctype.Word(j))
	}
	if f := m.putBytes(p+ctype.Word(j), []byte{0}); f != nil {
		return 0, f
	}
	return p + ctype.Word(i), put(p + ctype.Word(j+1))
}

func libStrdup(m *Machine, c *libCall) (ctype.Word, *Fault) {
	var s string
	var f *Fault
	if strings.HasSuffix(c.name, "strndup") {
		s, f = m.prefix(c.arg(0), c.long(1))
	} else {
		s, f = m.cstring(c.arg(0))
	}
	if f != nil {
		return 0, f
	}
	p, f := m.Malloc(int64(len(s)+1), false)
	if f != nil || p == 0 {
		return 0, f
	}
	return p, m.putString(p, s)
}

var errorTexts = map[int64]string{
	0: "Success", 1: "Operation not permitted", 2: "No such file or directory", 3: "No such process", 4: "Interrupted system call",
	5: "Input/output error", 6: "No such device or address", 7: "Argument list too long", 8: "Exec format error", 9: "Bad file descriptor",
	10: "No child processes", 11: "Resource temporarily unavailable", 12: "Cannot allocate memory", 13: "Permission denied", 14: "Bad address",
	15: "Block device required", 16: "Device or resource busy", 17: "File exists", 18: "Invalid cross-device link", 19: "No such device",
	20: "Not a directory", 21: "Is a directory", 22: "Invalid argument", 23: "Too many open files in system", 24: "Too many open files",
	25: "Inappropriate ioctl for device", 26: "Text file busy", 27: "File too large", 28: "No space left on device", 29: "Illegal seek",
	30: "Read-only file system", 31: "Too many links", 32: "Broken pipe", 33: "Numerical argument out of domain", 34: "Numerical result out of range",
	35: "Resource deadlock avoided", 36: "File name too long", 37: "No locks available", 38: "Function not implemented", 39: "Directory not empty",
	40: "Too many levels of symbolic links", 42: "No message of desired type", 43: "Identifier removed", 44: "Channel number out of range",
	45: "Level 2 not synchronized", 46: "Level 3 halted", 47: "Level 3 reset", 48: "Link number out of range", 49: "Protocol driver not attached",
	50: "No CSI structure available", 51: "Level 2 halted", 52: "Invalid exchange", 53: "Invalid request descriptor", 54: "Exchange full",
	55: "No anode", 56: "Invalid request code", 57: "Invalid slot", 59: "Bad font file format", 60: "Device not a stream", 61: "No data available",
	62: "Timer expired", 63: "Out of streams resources", 64: "Machine is not on the network", 65: "Package not installed", 66: "Object is remote",
	67: "Link has been severed", 68: "Advertise error", 69: "Srmount error", 70: "Communication error on send", 71: "Protocol error",
	72: "Multihop attempted", 73: "RFS specific error", 74: "Bad message", 75: "Value too large for defined data type",
	76: "Name not unique on network", 77: "File descriptor in bad state", 78: "Remote address changed", 79: "Can not access a needed shared library",
	80: "Accessing a corrupted shared library", 81: ".lib section in a.out corrupted", 82: "Attempting to link in too many shared libraries",
	83: "Cannot exec a shared library directly", 84: "Invalid or incomplete multibyte or wide character",
	85: "Interrupted system call should be restarted", 86: "Streams pipe error", 87: "Too many users", 88: "Socket operation on non-socket",
	89: "Destination address required", 90: "Message too long", 91: "Protocol wrong type for socket", 92: "Protocol not available",
	93: "Protocol not supported", 94: "Socket type not supported", 95: "Operation not supported", 96: "Protocol family not supported",
	97: "Address family not supported by protocol", 98: "Address already in use", 99: "Cannot assign requested address", 100: "Network is down",
	101: "Network is unreachable", 102: "Network dropped connection on reset", 103: "Software caused connection abort", 104: "Connection reset by peer",
	105: "No buffer space available", 106: "Transport endpoint is already connected", 107: "Transport endpoint is not connected",
	108: "Cannot send after transport endpoint shutdown", 109: "Too many references: cannot splice", 110: "Connection timed out",
	111: "Connection refused", 112: "Host is down", 113: "No route to host", 114: "Operation already in progress", 115: "Operation now in progress",
	116: "Stale file handle", 117: "Structure needs cleaning", 118: "Not a XENIX named type file", 119: "No XENIX semaphores available",
	120: "Is a named type file", 121: "Remote I/O error", 122: "Disk quota exceeded", 123: "No medium found", 124: "Wrong medium type",
	125: "Operation canceled", 126: "Required key not available", 127: "Key has expired", 128: "Key has been revoked",
	129: "Key was rejected by service", 130: "Owner died", 131: "State not recoverable", 132: "Operation not possible due to RF-kill",
	133: "Memory page has hardware error",
}

func errorText(e int64) string {
	if s, ok := errorTexts[e]; ok {
		return s
	}
	return sprintf("Unknown error %d", e)
}

func libStrerror(m *Machine, c *libCall) (ctype.Word, *Fault) {
	s := errorText(c.int(0))
	b := m.newBlock(Global, int64(len(s)+1))
	copy(b.Data, s)
	return ctype.MakePointer(b.ID, 0), nil
}
