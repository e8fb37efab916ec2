package symbolic

import (
	"fmt"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/ir"
	"gulo/internal/machine"
	"gulo/internal/smt"
)

// This file models what a program prints. A state has a list of pieces, each with the condition under which it is
// printed. When ways meet, the pieces of both are kept, as their conditions exclude each other. The output for an input
// is the sequence of those pieces whose conditions hold.

// Printed is a piece of a program's output: a byte, a number, or something that cannot be computed.
type Printed struct {
	Stream int       // 1 standard output, 2 standard error
	When   *smt.Term // condition under which it is printed
	Byte   *smt.Term // 8 bits; nil for a number
	Number *smt.Term // 64 bits, as the conversion takes it
	Spec   string    // the number's conversion, such as "%5ld"
	Opaque string    // why the piece cannot be computed; empty: it can
}

// mostPrinted bounds the pieces that are kept of a run.
const mostPrinted = 4000

// Printed returns what was printed on the ways that lead to a state.
func (s *State) Printed() []*Printed { return s.printed }

func (e *Engine) print(st *State, p Printed) {
	switch {
	case p.When == e.Terms.False:
		return
	case len(st.printed) > mostPrinted:
		return
	case len(st.printed) == mostPrinted:
		p = Printed{Stream: p.Stream, When: p.When, Opaque: fmt.Sprintf("what is printed after %d characters", mostPrinted)}
	}
	st.printed = append(st.printed[:len(st.printed):len(st.printed)], &p)
}

// joined returns the pieces of two merged states.
func joined(a, b []*Printed) []*Printed {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	switch {
	case n == len(b):
		return a
	case n == len(a):
		return b
	}
	return append(append([]*Printed(nil), a...), b[n:]...)
}

// printer is one call that prints.
type printer struct {
	e      *Engine
	st     *State
	stream []target // among the standard streams; nil: standard output
	n      *smt.Term
	known  bool // n is the number of bytes printed
}

func (p *printer) put(when *smt.Term, x Printed) {
	ts := p.e.Terms
	when = ts.And(p.st.PC, when)
	if x.Byte == nil {
		p.known = false
	} else {
		p.n = ts.Bin(smt.OpAdd, p.n, ts.Number(when, 64))
	}
	if p.stream == nil {
		x.Stream, x.When = 1, when
		p.e.print(p.st, x)
		return
	}
	for _, t := range p.stream {
		x.Stream, x.When = p.e.streams[t.obj], ts.And(when, t.cond)
		p.e.print(p.st, x)
	}
}

func (p *printer) text(when *smt.Term, s string) {
	for i := 0; i < len(s); i++ {
		p.put(when, Printed{Byte: p.e.Terms.Const(uint64(s[i]), 8)})
	}
}

func (p *printer) opaque(format string, args ...any) {
	p.put(p.e.Terms.True, Printed{Opaque: fmt.Sprintf(format, args...)})
}

// printing begins a call that prints to a stream; nil is standard output. It panics with Unsupported if the pointer may
// not be stdout or stderr.
func (e *Engine) printing(st *State, stream *smt.Term) *printer {
	p := &printer{e: e, st: st, n: e.Word(0), known: true}
	if stream == nil {
		return p
	}
	for _, t := range e.targets(stream) {
		if n := e.streams[t.obj]; n != 1 && n != 2 || t.off != e.Word(0) {
			e.unsupported("something is printed to what is not known to be standard output or standard error")
		}
		p.stream = append(p.stream, t)
	}
	return p
}

// count returns the number of bytes that the call printed. If it is not known, that is an unknowable symbol, on which
// no decision may depend.
func (p *printer) count() *smt.Term {
	if p.known {
		return p.n
	}
	p.e.unknowns++
	return p.e.Terms.Var(fmt.Sprintf("%sthe number of characters printed %d", Unknowable, p.e.unknowns), 64)
}

// Unknowable begins the names of symbols for unknown values, such as the number of characters that printf returns.
const Unknowable = "unknown "

// libPrintf is printf, fprintf and dprintf.
func libPrintf(e *Engine, st *State, c *libCall) *smt.Term {
	at, stream := 0, (*smt.Term)(nil)
	switch c.name {
	case "fprintf":
		at, stream = 1, c.args[0]
	case "dprintf":
		at = 1
		if k, ok := c.args[0].IsConst(); !ok || k != 1 && k != 2 {
			p := e.printing(st, nil)
			p.opaque("dprintf to what is not known to be standard output or standard error")
			return p.count()
		} else if k == 2 {
			stream = e.Word(ctype.MakePointer(e.stdStream("stderr"), 0))
		}
	}
	p := e.printing(st, stream)
	format, ok := e.literal(st, c.args[at])
	if !ok {
		p.opaque("%s with a format that depends on the input", c.name)
		return p.count()
	}
	p.format(format, c.args[at+1:])
	return p.count()
}

// format prints the arguments as a format says.
func (p *printer) format(f string, args []*smt.Term) {
	for i := 0; i < len(f); i++ {
		if f[i] != '%' {
			p.text(p.e.Terms.True, f[i:i+1])
			continue
		}
		conv, n, rest, why := conversion(f[i:], args)
		if why != "" {
			p.opaque("%s", why)
			return
		}
		i += n - 1
		args = rest
		if conv.verb == '%' {
			p.text(p.e.Terms.True, "%")
			continue
		}
		if len(args) == 0 {
			p.opaque("a format that wants more arguments than there are")
			return
		}
		p.convert(conv, args[0])
		args = args[1:]
	}
}

// conv is a conversion of a format.
type conv struct {
	flags  string // flags, width and precision, as written
	prec   int    // -1: none
	length string
	verb   byte
}

// conversion parses a conversion at the beginning of a format. n is its length, and rest the arguments after those for
// its stars. why says why it cannot be parsed, and is empty if it can.
func conversion(f string, args []*smt.Term) (c conv, n int, rest []*smt.Term, why string) {
	i := 1
	for i < len(f) && strings.IndexByte("-+ #0'", f[i]) >= 0 {
		c.flags += f[i : i+1]
		i++
	}
	number := func() string {
		if i < len(f) && f[i] == '*' {
			i++
			if len(args) == 0 {
				return "a format that wants more arguments than there are"
			}
			k, ok := args[0].IsConst()
			if args = args[1:]; !ok {
				return "a width or precision that depends on the input"
			}
			c.flags += fmt.Sprint(int32(k))
			return ""
		}
		for i < len(f) && f[i] >= '0' && f[i] <= '9' {
			c.flags += f[i : i+1]
			i++
		}
		return ""
	}
	if why = number(); why != "" {
		return c, i, args, why
	}
	c.prec = -1
	if i < len(f) && f[i] == '.' {
		c.flags += "."
		i++
		from := len(c.flags)
		if why = number(); why != "" {
			return c, i, args, why
		}
		c.prec = 0
		_, _ = fmt.Sscan(c.flags[from:], &c.prec)
		if c.prec < 0 {
			c.flags, c.prec = c.flags[:from-1], -1
		}
	}
	for i < len(f) && strings.IndexByte("hljztLq", f[i]) >= 0 {
		c.length += f[i : i+1]
		i++
	}
	if i >= len(f) {
		return c, i, args, "a format that ends in the middle of a conversion"
	}
	c.verb = f[i]
	return c, i + 1, args, ""
}

// convert prints one argument.
func (p *printer) convert(c conv, v *smt.Term) {
	e, ts := p.e, p.e.Terms
	spec := "%" + c.flags + string(c.verb)
	switch c.verb {
	case 'd', 'i':
		v, spec = e.wide(e.narrow(v, length(c, true)), length(c, true)), "%"+c.flags+"ld"
	case 'u', 'x', 'X', 'o':
		v, spec = e.wide(e.narrow(v, length(c, false)), length(c, false)), "%"+c.flags+"l"+string(c.verb)
	case 'c':
		if c.flags == "" {
			p.put(ts.True, Printed{Byte: ts.Extract(v, 0, 8)})
			return
		}
		v = ts.Extend(ts.Extract(v, 0, 8), false, 64)
	case 's':
		if plain := strings.TrimRight(c.flags, "0123456789."); plain == "" && (c.flags == "" || c.flags[0] == '.') {
			p.string(v, c.prec)
			return
		}
		s, ok := e.literal(p.st, v)
		if !ok {
			p.opaque("%s of a text that depends on the input", spec)
			return
		}
		p.text(ts.True, padded(c, s))
		return
	case 'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A':
	default:
		p.opaque("the conversion %s", spec)
		return
	}
	if k, ok := v.IsConst(); ok {
		s, ok := machine.FormatNumber(spec, k)
		if !ok {
			p.opaque("the conversion %s", spec)
			return
		}
		p.text(ts.True, s)
		return
	}
	p.put(ts.True, Printed{Number: v, Spec: spec})
}

// length returns the integer type that a conversion takes.
func length(c conv, isSigned bool) *ctype.Type {
	t := [2]*ctype.Type{ctype.ULongT, ctype.LongT}
	switch c.length {
	case "hh":
		t = [2]*ctype.Type{ctype.UCharT, ctype.SCharT}
	case "h":
		t = [2]*ctype.Type{ctype.UShortT, ctype.ShortT}
	case "":
		t = [2]*ctype.Type{ctype.UIntT, ctype.IntT}
	}
	if isSigned {
		return t[1]
	}
	return t[0]
}

// padded applies a conversion's precision and width to a text.
func padded(c conv, s string) string {
	width, left := 0, false
	f := c.flags
	for len(f) > 0 && strings.IndexByte("-+ #0'", f[0]) >= 0 {
		left = left || f[0] == '-'
		f = f[1:]
	}
	_, _ = fmt.Sscan(f, &width)
	if width < 0 {
		left, width = true, -width
	}
	if c.prec >= 0 && len(s) > c.prec {
		s = s[:c.prec]
	}
	if n := width - len(s); n > 0 && left {
		return s + strings.Repeat(" ", n)
	} else if n > 0 {
		return strings.Repeat(" ", n) + s
	}
	return s
}

// literal returns the text at a pointer, if pointer and text are constant.
func (e *Engine) literal(st *State, p *smt.Term) (string, bool) {
	list := e.targets(p)
	if len(list) != 1 {
		return "", false
	}
	o := st.object(list[0].obj)
	at, ok := list[0].off.IsConst()
	if o == nil || !ok || list[0].obj == 0 {
		return "", false
	}
	var out []byte
	for i := int64(at); i >= 0 && i < o.size; i++ {
		v, def := e.get(o, i, 1)
		k, ok := v.IsConst()
		if !ok || def != e.Terms.True {
			return "", false
		}
		if k == 0 {
			return string(out), true
		}
		out = append(out, byte(k))
	}
	return "", false
}

// string prints the bytes at a pointer up to the zero, but at most most bytes if that is not negative. It ends the ways
// on which that is an error.
func (p *printer) string(v *smt.Term, most int) {
	e, ts := p.e, p.e.Terms
	list, ok := e.reach(p.st, v, 1, false)
	if !ok && most != 0 || most == 0 {
		return
	}
	for _, t := range list {
		at, known := t.off.IsConst()
		o := p.st.object(t.obj)
		if !known || o == nil {
			p.opaque("a text that begins at a place that depends on the input")
			return
		}
		going := t.cond
		for i := int64(0); most < 0 || i < int64(most); i++ {
			if int64(at)+i >= o.size {
				if !e.fail(p.st, going, overflow[o.kind], "a text without an end is printed") {
					return
				}
				break
			}
			b, def := e.get(o, int64(at)+i, 1)
			if !e.fail(p.st, ts.And(going, ts.Not(def)), machine.Uninitialized, "read of what was never written") {
				return
			}
			going = ts.And(going, ts.Not(ts.Eq(b, ts.Const(0, 8))))
			if going == ts.False {
				break
			}
			p.put(going, Printed{Byte: b})
		}
	}
}

func libPuts(e *Engine, st *State, c *libCall) *smt.Term {
	var stream *smt.Term
	if c.name == "fputs" {
		stream = c.args[1]
	}
	p := e.printing(st, stream)
	if p.string(c.args[0], -1); st.PC == e.Terms.False {
		return nil
	}
	if c.name == "puts" {
		p.text(e.Terms.True, "\n")
		return p.count()
	}
	return e.Word(1)
}

func libPutchar(e *Engine, st *State, c *libCall) *smt.Term {
	var stream *smt.Term
	if c.name != "putchar" && c.name != "putchar_unlocked" {
		stream = c.args[1]
	}
	b := e.Terms.Extract(c.args[0], 0, 8)
	e.printing(st, stream).put(e.Terms.True, Printed{Byte: b})
	return e.Terms.Extend(b, false, 64)
}

// libWrite is write and fwrite to standard output and standard error.
func libWrite(e *Engine, st *State, c *libCall) *smt.Term {
	ts := e.Terms
	from, size, out := c.args[1], c.args[2], c.args[2]
	var p *printer
	if c.name == "fwrite" {
		from, size, out = c.args[0], ts.Bin(smt.OpMul, c.args[1], c.args[2]), c.args[2]
		p = e.printing(st, c.args[3])
	} else {
		k, ok := c.args[0].IsConst()
		switch {
		case !ok || int32(k) != 1 && int32(k) != 2:
			p = e.printing(st, nil)
			p.opaque("write to what is not known to be standard output or standard error")
			return p.count()
		case k == 2:
			p = e.printing(st, e.Word(ctype.MakePointer(e.stdStream("stderr"), 0)))
		default:
			p = e.printing(st, nil)
			if len(st.printed) > 0 { // the buffer of stdout may be written later, when the program ends
				p.opaque("what write and what stdio's functions print, one after the other")
			}
		}
	}
	k, ok := size.IsConst()
	if !ok || k > mostPrinted {
		p.opaque("%s of a number of characters that depends on the input", c.name)
		return p.count()
	}
	n := int64(k)
	list, ok := e.reach(st, from, max(n, 1), false)
	if !ok {
		return nil
	}
	for i := int64(0); i < n; i++ {
		part := make([]target, len(list))
		for k, t := range list {
			t.off = ts.Bin(smt.OpAdd, t.off, e.Word(uint64(i)))
			part[k] = t
		}
		v, unset := e.fetch(st, part, 1)
		if !e.fail(st, unset, machine.Uninitialized, "read of what was never written") {
			return nil
		}
		p.put(ts.True, Printed{Byte: v})
	}
	return out
}

func libPerror(e *Engine, st *State, c *libCall) *smt.Term {
	e.printing(st, e.Word(ctype.MakePointer(e.stdStream("stderr"), 0))).opaque("what perror prints")
	return e.Word(0)
}

// stdStream returns the block of a standard stream.
func (e *Engine) stdStream(name string) uint32 {
	for id, n := range e.streams {
		if n == map[string]int{"stdin": 0, "stdout": 1, "stderr": 2}[name] {
			return id
		}
	}
	e.unsupported("nothing is known of %s", name)
	return 0
}

// libraryVariable initializes g if it is stdin, stdout or stderr.
func (e *Engine) libraryVariable(st *State, g *ir.Object) {
	n, ok := map[string]int{"stdin": 0, "stdout": 1, "stderr": 2}[g.Name]
	if !ok || g.Data != nil || g.Size != 8 {
		return
	}
	for id, k := range e.streams {
		if k == n {
			e.put(st.mem[e.globalBlock(g)], 0, 8, e.Word(ctype.MakePointer(id, 0)), nil)
		}
	}
}

func (e *Engine) globalBlock(g *ir.Object) uint32 {
	for i := range e.Prog.IR.Globals {
		if &e.Prog.IR.Globals[i] == g {
			return e.statics[i]
		}
	}
	return 0
}

// TextOf returns what pieces print to a stream for given values of terms. ok is false if a piece cannot be computed.
func TextOf(list []*Printed, stream int, value func(*smt.Term) uint64) (text string, ok bool) {
	var b strings.Builder
	ok = true
	for _, p := range list {
		if p.Stream != stream || value(p.When) == 0 {
			continue
		}
		switch {
		case p.Opaque != "":
			ok = false
		case p.Byte != nil:
			b.WriteByte(byte(value(p.Byte)))
		default:
			s, good := machine.FormatNumber(p.Spec, value(p.Number))
			ok = ok && good
			b.WriteString(s)
		}
	}
	return b.String(), ok
}

// Unprinted returns a copy of the state without output.
func (s *State) Unprinted() *State {
	c := *s
	c.printed = nil
	return &c
}
