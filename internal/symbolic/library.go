package symbolic

import (
	"gulo/internal/ctype"
	"gulo/internal/machine"
	"gulo/internal/plural"
	"gulo/internal/smt"
)

// This file models functions of the C library.

type libFunc func(e *Engine, st *State, c *libCall) *smt.Term

type libCall struct {
	name  string
	args  []*smt.Term
	types []*ctype.Type
}

var library = map[string]libFunc{}

func init() {
	zero := func(e *Engine, _ *State, _ *libCall) *smt.Term { return e.Word(0) }
	for _, n := range []string{"fflush", "setbuf", "setvbuf", "srand", "srandom", "srand48", "sleep", "usleep"} {
		library[n] = zero
	}
	library["printf"], library["fprintf"], library["dprintf"] = libPrintf, libPrintf, libPrintf
	library["puts"], library["fputs"] = libPuts, libPuts
	for _, n := range []string{"putchar", "putchar_unlocked", "fputc", "putc", "putc_unlocked"} {
		library[n] = libPutchar
	}
	library["write"], library["fwrite"], library["perror"] = libWrite, libWrite, libPerror
	library["getchar"], library["getchar_unlocked"], library["getc"], library["fgetc"] = libGetchar, libGetchar, libGetchar, libGetchar
	library["scanf"] = libScanf
	library["abs"], library["labs"], library["llabs"] = libAbs, libAbs, libAbs
	library["malloc"], library["__gulo_scratch"] = libMalloc, libMalloc
	library["calloc"] = libCalloc
	library["free"], library["__gulo_scratch_free"] = libFree, libFree
	library["exit"], library["_exit"] = libExit, libExit
	library["abort"] = func(e *Engine, st *State, _ *libCall) *smt.Term {
		e.fail(st, e.Terms.True, machine.Aborted, "abort is called")
		return nil
	}
	library["memset"] = libMemset
	library["memcpy"], library["memmove"] = libMemcpy, libMemcpy
	library["strlen"] = libStrlen
	for n, in := range map[string][][2]byte{
		"isdigit": {{'0', '9'}}, "isupper": {{'A', 'Z'}}, "islower": {{'a', 'z'}}, "isalpha": {{'A', 'Z'}, {'a', 'z'}},
		"isalnum": {{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}, "isspace": {{'\t', '\r'}, {' ', ' '}}, "isxdigit": {{'0', '9'}, {'A', 'F'}, {'a', 'f'}},
		"isprint": {{' ', '~'}}, "isgraph": {{'!', '~'}}, "isblank": {{'\t', '\t'}, {' ', ' '}}, "iscntrl": {{0, 31}, {127, 127}},
		"ispunct": {{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}},
	} {
		library[n] = func(e *Engine, _ *State, c *libCall) *smt.Term { return e.Terms.Number(e.within(c.args[0], in), 64) }
	}
	library["toupper"], library["tolower"] = libCase, libCase
}

// within returns the condition that a value is in one of some ranges.
func (e *Engine) within(v *smt.Term, ranges [][2]byte) *smt.Term {
	ts := e.Terms
	is := ts.False
	for _, r := range ranges {
		is = ts.Or(is, ts.And(ts.Less(e.Word(uint64(r[0])), v, true, true), ts.Less(v, e.Word(uint64(r[1])), true, true)))
	}
	return is
}

func libCase(e *Engine, _ *State, c *libCall) *smt.Term {
	v := c.args[0]
	in, by := [][2]byte{{'a', 'z'}}, -32
	if c.name == "tolower" {
		in, by = [][2]byte{{'A', 'Z'}}, 32
	}
	return e.Terms.Ite(e.within(v, in), e.Terms.Bin(smt.OpAdd, v, e.Word(uint64(int64(by)))), v)
}

// library calls a function without a body. The state is nil if no way is left.
func (e *Engine) library(st *State, name string, args []*smt.Term, types []*ctype.Type) (*State, *smt.Term) {
	f, ok := library[name]
	if !ok {
		e.unsupported("nothing is known of the function %s", name)
	}
	v := f(e, st, &libCall{name, args, types})
	if v == nil || st.PC == e.Terms.False {
		return nil, nil
	}
	return st, v
}

func libAbs(e *Engine, st *State, c *libCall) *smt.Term {
	t := ctype.LongT
	if c.name == "abs" {
		t = ctype.IntT
	}
	v, bad := e.Unary(ctype.Neg, t, c.args[0])
	if !e.fail(st, bad, machine.SignedOverflow, "%s: the result does not fit", c.name) {
		return nil
	}
	return e.Terms.Ite(e.Terms.Less(c.args[0], e.Word(0), true, false), v, c.args[0])
}

func (e *Engine) size(v *smt.Term) int64 {
	k, ok := v.IsConst()
	if !ok {
		e.unsupported("the size of a block depends on the input")
	}
	if k > 1<<20 {
		e.unsupported("a block of %s is too large to be followed", plural.N(k, "byte"))
	}
	return int64(k)
}

func libMalloc(e *Engine, st *State, c *libCall) *smt.Term {
	o := e.newObject(st, machine.Heap, "a block", e.size(c.args[0]), nil)
	return e.Word(ctype.MakePointer(o.id, 0))
}

func libCalloc(e *Engine, st *State, c *libCall) *smt.Term {
	o := e.newObject(st, machine.Heap, "a block", e.size(c.args[0])*e.size(c.args[1]), nil)
	o.zero = true
	return e.Word(ctype.MakePointer(o.id, 0))
}

func libFree(e *Engine, st *State, c *libCall) *smt.Term {
	ts := e.Terms
	for _, t := range e.targets(c.args[0]) {
		o := st.object(t.obj)
		if t.obj == 0 {
			continue
		}
		bad := t.cond
		if o != nil && o.kind == machine.Heap {
			bad = ts.And(t.cond, ts.Not(ts.Eq(t.off, e.Word(0))))
		}
		if !e.fail(st, bad, machine.UnmatchedFree, "free of a pointer that malloc did not return") {
			return nil
		}
		if o == nil { // the ways that remain free something else
			continue
		}
		if o.live != nil && !e.fail(st, ts.And(t.cond, ts.Not(o.live)), machine.DoubleFree, "free of a block that was freed before") {
			return nil
		}
		o = st.writable(o)
		live := ts.True
		if o.live != nil {
			live = o.live
		}
		o.live = ts.And(live, ts.Not(t.cond))
	}
	return e.Word(0)
}

func libExit(e *Engine, st *State, c *libCall) *smt.Term {
	if c.name == "_exit" && len(st.printed) > 0 {
		e.print(st, Printed{Stream: 1, When: st.PC, Opaque: "what was printed before _exit"})
	}
	e.end(Outcome{Kind: Passed, Cond: st.PC, Stmt: e.stmt, Result: c.args[0], State: e.clone(st), Exited: true})
	return nil
}

func libMemset(e *Engine, st *State, c *libCall) *smt.Term {
	if !e.fill(st, c.args[0], e.size(c.args[2]), e.Terms.Extract(c.args[1], 0, 8)) {
		return nil
	}
	return c.args[0]
}

func libMemcpy(e *Engine, st *State, c *libCall) *smt.Term {
	if !e.copyBytes(st, c.args[0], c.args[1], e.size(c.args[2])) {
		return nil
	}
	return c.args[0]
}

// libStrlen follows every byte that can be the last of the string.
func libStrlen(e *Engine, st *State, c *libCall) *smt.Term {
	ts := e.Terms
	n := e.Word(0)
	going := ts.True
	for i := uint64(0); i < maxPlaces; i++ {
		at := ts.Bin(smt.OpAdd, c.args[0], e.Word(i))
		way := e.clone(st)
		way.PC = ts.And(st.PC, going)
		if way.PC == ts.False {
			return n
		}
		list, ok := e.reach(way, at, 1, false)
		if !ok {
			break
		}
		v, unset := e.fetch(way, list, 1)
		if !e.fail(way, unset, machine.Uninitialized, "read of what was never written") {
			way.PC = ts.False
		}
		st.PC = ts.And(st.PC, ts.Implies(going, way.PC))
		going = ts.And(going, ts.Not(ts.Eq(v, ts.Const(0, 8))))
		if e.opt.Feasible != nil && going != ts.True && going != ts.False && !e.opt.Feasible(ts.And(st.PC, going)) {
			going = ts.False
		}
		if going == ts.False {
			return n
		}
		n = ts.Ite(going, e.Word(i+1), n)
	}
	st.PC = ts.And(st.PC, ts.Not(going))
	return n
}
