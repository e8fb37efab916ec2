package gdb

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/target"
)

// This file finds memory that has no name: string literals in the binary's
// read-only data, the arguments and the environment above main's frame, and
// compound literals.

// anonymous is what the binary says about memory without a name.
type anonymous struct {
	rodata   uint64 // address of .rodata
	text     []byte // its contents
	literals []target.Region
}

func (in *debugInfo) readAnonymous(f *elf.File, syms []elf.Symbol) {
	if s := f.Section(".rodata"); s != nil {
		in.anon.rodata = s.Addr
		in.anon.text, _ = s.Data()
	}
	for _, s := range syms {
		if strings.HasPrefix(s.Name, "__compound_literal.") && s.Size > 0 {
			in.anon.literals = append(in.anon.literals, target.Region{Addr: s.Value, Size: int64(s.Size)})
		}
	}
}

// arguments is where the kernel put the program's arguments and environment.
type arguments struct {
	argv, envp           uint64 // the vectors
	argc, envc           int64  // without the null at their ends
	argEnd, strings, end uint64
	name                 target.Region // of argv[0], where it did not fit in its place
	env                  environment
}

// readArguments finds the arguments and the environment; if it cannot, they are not shown.
func (t *Target) readArguments() {
	t.args = arguments{}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", t.pid))
	if err != nil {
		return
	}
	i := bytes.LastIndexByte(b, ')')
	f := strings.Fields(string(b[i+1:])) // f[0] is field 3
	if i < 0 || len(f) < 49 {
		return
	}
	at := func(n int) uint64 {
		v, _ := strconv.ParseUint(f[n-3], 10, 64)
		return v
	}
	stack := at(28)
	argc, ok := t.mem.word(stack)
	if !ok || argc > 1<<20 {
		return
	}
	a := arguments{argv: stack + 8, argc: int64(argc), envp: stack + 8*(argc+2), strings: at(48), argEnd: at(49), end: at(51)}
	for {
		w, ok := t.mem.word(a.envp + uint64(8*a.envc))
		if !ok || w == 0 {
			break
		}
		a.envc++
	}
	t.args = a
}

// rename makes argv[0] what the user calls the program instead of the
// temporary binary.
func (t *Target) rename(name string) {
	a := &t.args
	if a.argc == 0 || name == "" {
		return
	}
	at, _ := t.mem.word(a.argv)
	room := a.argEnd
	if a.argc > 1 {
		room, _ = t.mem.word(a.argv + 8)
	}
	if at+uint64(len(name))+1 > room {
		need := (len(name) + 16) / 16 * 16
		if t.arena+need > arenaBytes {
			return
		}
		at = (t.info.arena+15)/16*16 + uint64(t.arena)
		t.arena += need
		a.name = target.Region{Addr: at, Size: int64(len(name) + 1)}
		_ = t.mem.write(a.argv, binary.LittleEndian.AppendUint64(nil, at))
	}
	_ = t.mem.write(at, append([]byte(name), 0))
}

// Stack implements target.Stacked: what lies between the stack's end and the arguments of the program.
func (t *Target) Stack() []target.Region {
	if t.mem == nil || t.sp == 0 || t.sp >= t.args.argv {
		return nil
	}
	low := t.bottom()
	return []target.Region{{Addr: low, Size: int64(t.args.argv - low)}}
}

// bottom is where the stack ends: at the stack pointer, or below it where a function that calls none has variables in the red zone.
func (t *Target) bottom() uint64 {
	low := t.sp
	if fi := t.info.function(t.pc); fi != nil {
		for _, off := range fi.vars {
			if a := t.bp + 16 + uint64(off); a < low && t.sp-a <= redZone {
				low = a
			}
		}
	}
	return low
}

// Static implements target.Target.
func (t *Target) Static(a ctype.Word, typ *ctype.Type) (target.Region, bool) {
	if t.mem == nil || a < 4096 {
		return target.Region{}, false
	}
	in, args := &t.info.anon, &t.args
	aggregate := typ != nil && typ.IsAggregate() && typ.Size > 0
	switch {
	case a >= in.rodata && a < in.rodata+uint64(len(in.text)):
		i := a - in.rodata
		if r, ok := t.wideLiteral(a); ok {
			return r, true
		}
		return target.Region{Addr: in.rodata + stringStart(in.text, i), Size: stringLen(in.text, i), ReadOnly: true}, true
	case args.name.Size > 0 && a >= args.name.Addr && a < args.name.Addr+uint64(args.name.Size):
		return args.name, true
	case args.argv != 0 && a >= args.argv && a <= args.argv+uint64(8*args.argc):
		return target.Region{Addr: args.argv, Size: 8 * (args.argc + 1), Type: ctype.PointerTo(ctype.CharT)}, true
	case args.env.holds(t, a):
		return args.env.find(t, a)
	case args.envp != 0 && a >= args.envp && a <= args.envp+uint64(8*args.envc):
		return target.Region{Addr: args.envp, Size: 8 * (args.envc + 1), Type: target.Environment}, true
	case args.strings != 0 && a >= args.strings && a < args.end:
		text := make([]byte, args.end-args.strings)
		if !t.mem.read(args.strings, text) {
			return target.Region{}, false
		}
		i := a - args.strings
		return target.Region{Addr: args.strings + stringStart(text, i), Size: stringLen(text, i)}, true
	case aggregate && t.sp != 0 && a >= t.bottom() && a+uint64(typ.Size) <= args.argv:
		return target.Region{Addr: a, Size: typ.Size, Type: typ}, true
	}
	if typ != nil && t.inLibrary(a) {
		return t.libraryRegion(a, typ)
	}
	for _, l := range in.literals {
		if aggregate && a >= l.Addr && a < l.Addr+uint64(l.Size) {
			l.Type = typ
			return l, true
		}
	}
	return target.Region{}, false
}

// wideLiterals are where the program's literals of wide characters are: their end is no zero byte.
type wideLiterals struct {
	of      int // so many objects of the program were looked at
	regions []target.Region
}

// wideLiteral returns the literal of wide characters that is at an address.
func (t *Target) wideLiteral(a uint64) (target.Region, bool) {
	w, objects := &t.wide, t.p.IR.Globals
	for ; w.of < len(objects); w.of++ {
		o := &objects[w.of]
		if o.Var == nil && o.Type.IsText() && o.Type.Elem.Size > 1 && o.Type.Len > 1 {
			w.regions = append(w.regions, w.in(&t.info.anon, o.Data, o.Type.Elem.Size)...)
		}
	}
	for _, r := range w.regions {
		if a >= r.Addr && a < r.Addr+uint64(r.Size) {
			return r, true
		}
	}
	return target.Region{}, false
}

// in returns where a literal of wide characters is in the read-only data, once for each file that has it.
func (*wideLiterals) in(anon *anonymous, literal []byte, elem int64) []target.Region {
	var out []target.Region
	for from := 0; ; {
		i := bytes.Index(anon.text[from:], literal)
		if i < 0 {
			return out
		}
		i += from
		from = i + 1
		if at := anon.rodata + uint64(i); at%uint64(elem) == 0 {
			out = append(out, target.Region{Addr: at, Size: int64(len(literal)), ReadOnly: true})
		}
	}
}

// stringStart returns where the string around offset i begins.
func stringStart(text []byte, i uint64) uint64 {
	return uint64(bytes.LastIndexByte(text[:i], 0) + 1)
}

// stringLen returns the length of the string around offset i with its end.
func stringLen(text []byte, i uint64) int64 {
	s := stringStart(text, i)
	n := bytes.IndexByte(text[i:], 0)
	if n < 0 {
		return int64(uint64(len(text)) - s)
	}
	return int64(i-s) + int64(n) + 1
}

// Literal implements target.Target. gcc keeps literals one after the other at
// -O0, equal ones of a file once.
func (t *Target) Literal(s *cfront.String) (ctype.Word, bool) {
	in := &t.info.anon
	if len(s.Bytes) == 0 {
		return 0, false
	}
	if s.Type() != nil && s.Type().Kind == ctype.Array && s.Type().Elem.Size > 1 {
		for _, r := range t.wide.in(in, s.Bytes, s.Type().Elem.Size) {
			return r.Addr, true
		}
		return 0, false
	}
	first := -1
	for from := 0; ; {
		i := bytes.Index(in.text[from:], s.Bytes)
		if i < 0 {
			break
		}
		i += from
		if i > 0 && in.text[i-1] == 0 {
			return in.rodata + uint64(i), true
		}
		if first < 0 {
			first = i
		}
		from = i + 1
	}
	return in.rodata + uint64(max(first, 0)), first >= 0
}
