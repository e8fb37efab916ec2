package symbolic

import (
	"gulo/internal/ctype"
	"gulo/internal/smt"
)

// This file models standard input: numbers read by scanf, or characters read by getchar. What a read finds is a symbol.
// One more symbol says how many reads find something before the input ends. Input where scanf finds no number, such as
// letters, is not modelled, and neither are programs that read both numbers and characters.

// Streams of standard input. StdinReads counts the reads; its only symbol says how many find something.
const (
	StdinReads   = "stdin"
	StdinNumbers = "scanf"
	StdinChars   = "getchar"
)

// How a program uses the results of scanf.
const (
	scanDropped = 1 + iota // not at all: all numbers are taken to be there
	scanUsed
)

// AllThere reports whether the program ignores the results of scanf, so that all numbers are taken to be there.
func (e *Engine) AllThere() bool { return e.scans == scanDropped }

// Reads returns what the program reads: StdinNumbers, StdinChars, or "" for nothing.
func (e *Engine) Reads() string { return e.stdin }

// reads notes what the program reads. It panics with Unsupported if that is numbers and characters.
func (e *Engine) reads(what string) {
	if e.stdin != "" && e.stdin != what {
		e.unsupported("numbers and characters are read from standard input, which are not followed together")
	}
	e.stdin = what
}

// read returns what a read from standard input finds, in the given width, and the condition under which it finds
// something.
func (e *Engine) read(st *State, t *ctype.Type, width uint8) (v, there *smt.Term) {
	ts := e.Terms
	c := st.takenOf(e, StdinReads)
	v = e.pick(c, e.stdin, t, width)
	if there = ts.True; e.scans != scanDropped {
		there = ts.Less(c.n, ts.Extend(e.symbol(StdinReads, 0, ctype.LongT, 16), false, 64), false, false)
	}
	st.setTaken(StdinReads, c.next(e))
	return v, there
}

// libGetchar is getchar, and getc and fgetc on standard input.
func libGetchar(e *Engine, st *State, c *libCall) *smt.Term {
	if len(c.args) > 0 {
		list := e.targets(c.args[0])
		if len(list) != 1 || !e.isStdin(list[0].obj) {
			e.unsupported("something is read from what is not known to be standard input")
		}
	}
	e.reads(StdinChars)
	v, there := e.read(st, ctype.LongT, 8)
	return e.Terms.Ite(there, e.Terms.Extend(v, false, 64), e.Word(^uint64(0)))
}

func (e *Engine) isStdin(id uint32) bool {
	n, ok := e.streams[id]
	return ok && n == 0
}

// libScanf is scanf with a format of integers only.
func libScanf(e *Engine, st *State, c *libCall) *smt.Term {
	ts := e.Terms
	format, ok := e.literal(st, c.args[0])
	if !ok {
		e.unsupported("scanf with a format that depends on the input")
	}
	types, ok := scanned(format)
	if !ok || len(types) != len(c.args)-1 {
		e.unsupported("scanf with the format %q is not followed", format)
	}
	how := scanUsed
	if e.dropped {
		how = scanDropped
	}
	if e.scans != 0 && e.scans != how {
		e.unsupported("what scanf returns is used here and not elsewhere")
	}
	e.reads(StdinNumbers)
	e.scans = how
	n, first := e.Word(0), ts.True
	for i, t := range types {
		v, there := e.read(st, t, uint8(8*t.Size))
		if i == 0 {
			first = there
		}
		list, ok := e.reach(st, c.args[i+1], t.Size, true)
		if !ok {
			return nil
		}
		for _, to := range list {
			to.cond = ts.And(to.cond, there)
			e.change(st, to, t.Size, v, len(list) == 1 && there == ts.True)
		}
		n = ts.Bin(smt.OpAdd, n, ts.Number(there, 64))
	}
	return ts.Ite(first, n, e.Word(^uint64(0)))
}

// scanned lists the types that a format of scanf reads. ok is false if it has anything but integers and white space.
func scanned(format string) (out []*ctype.Type, ok bool) {
	for i := 0; i < len(format); i++ {
		switch format[i] {
		case ' ', '\n', '\t':
			continue
		case '%':
		default:
			return nil, false
		}
		c, n, _, why := conversion(format[i:], nil)
		if why != "" || c.flags != "" || c.prec >= 0 || c.verb != 'd' && c.verb != 'u' {
			return nil, false
		}
		out = append(out, length(c, c.verb == 'd'))
		i += n - 1
	}
	return out, len(out) > 0
}
