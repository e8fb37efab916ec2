package gdb

import "gulo/internal/ctype"

// This file is what the C library has that programs name: its streams and its variables.

// standardStreams are those that are open from the beginning, in the order of gulo_streams.
var standardStreams = [...]string{"stdin", "stdout", "stderr"}

// libraryVariable returns the address of a variable of the C library: environ or a standard stream; ok is false for others.
func (t *Target) libraryVariable(name string) (ctype.Word, bool) {
	if t.mem == nil {
		return 0, false
	}
	if name == "environ" || name == "__environ" {
		return t.args.env.at, t.args.env.at != 0
	}
	for i, n := range standardStreams {
		if n == name && t.info.streams != 0 {
			return t.mem.word(t.info.streams + uint64(8*i))
		}
	}
	return 0, false
}

// streamMagic is what a FILE of glibc begins with, in the upper half of its flags.
const streamMagic = 0xFBAD

// streamName returns the name of the open stream at an address: stdin, stdout, stderr, or FILE for others; "" for none.
func (t *Target) streamName(a ctype.Word) string {
	if t.mem == nil || t.info.streams == 0 || a < 4096 {
		return ""
	}
	for _, n := range standardStreams {
		if v, ok := t.libraryVariable(n); ok {
			if w, ok := t.mem.word(v); ok && w == a {
				return n
			}
		}
	}
	if b := t.libraryBlock(a); b != nil && b.Addr == a {
		if w, ok := t.mem.word(a); ok && uint32(w)>>16 == streamMagic {
			return "FILE"
		}
	}
	return ""
}
