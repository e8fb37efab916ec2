package gdb

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/target"
)

// This file reads what a function has just returned that is no scalar: structs, unions and values that are no
// words, by the classes of the System V ABI for x86-64 (3.2.3). Structs with packed members and with a long
// double are not read.

// whole reads what f has just returned, if that is no scalar; nil where it cannot be read.
func (t *Target) whole(f *cfront.Func) *target.Whole {
	if f == nil || f.Type.Result.IsScalar() || f.Type.Result.Size <= 0 {
		return nil
	}
	typ := f.Type.Result
	data := make([]byte, typ.Size)
	switch {
	case typ.Kind == ctype.LongDouble:
		if !t.x87(data, "st0") {
			return nil
		}
	case typ.Kind == ctype.Complex && typ.Elem.Kind == ctype.LongDouble:
		if !t.x87(data, "st0") || !t.x87(data[16:], "st1") {
			return nil
		}
	case typ.Kind == ctype.Vector:
		if typ.Size > 16 || !t.parts(data, []string{"$xmm0.v2_int64[0]", "$xmm0.v2_int64[1]"}) {
			return nil
		}
	case typ.Size > 16:
		at, ok := t.number("$rax")
		if !ok || !t.mem.read(at, data) {
			return nil
		}
	default:
		from, ok := inRegisters(typ)
		if !ok || !t.parts(data, from) {
			return nil
		}
	}
	return &target.Whole{Data: data, Undef: t.Undefined(0, data)}
}

// number evaluates an integer expression.
func (t *Target) number(x string) (uint64, bool) {
	v, err := t.c.send(context.Background(), "-data-evaluate-expression %s", x)
	if err != nil {
		return 0, false
	}
	text := v.str("value")
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return uint64(n), true
	}
	n, err := strconv.ParseUint(text, 0, 64)
	return n, err == nil
}

// parts fills data with the values of registers, eight bytes each.
func (t *Target) parts(data []byte, from []string) bool {
	for i := 0; i < len(data); i += 8 {
		n, ok := t.number(from[i/8])
		if !ok {
			return false
		}
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], n)
		copy(data[i:], b[:])
	}
	return true
}

// x87 reads a register of the floating-point stack.
func (t *Target) x87(data []byte, name string) bool {
	r, err := t.c.send(context.Background(), "-data-list-register-names")
	if err != nil {
		return false
	}
	names, _ := r.data["register-names"].([]any)
	for i, n := range names {
		if n != name {
			continue
		}
		r, err := t.c.send(context.Background(), "-data-list-register-values r %d", i)
		if err != nil {
			return false
		}
		l, _ := r.data["register-values"].([]any)
		if len(l) != 1 {
			return false
		}
		v, _ := l[0].(map[string]any)
		digits := strings.TrimPrefix(fmt.Sprint(v["value"]), "0x")
		b, err := hex.DecodeString(strings.Repeat("0", max(0, 20-len(digits))) + digits)
		if err != nil || len(b) != 10 {
			return false
		}
		for k := range b {
			data[k] = b[len(b)-1-k]
		}
		return true
	}
	return false
}

// inRegisters tells in which registers a value of at most 16 bytes is returned, eight bytes in each.
func inRegisters(t *ctype.Type) ([]string, bool) {
	var integer [2]bool
	if !classify(t, 0, &integer) {
		return nil, false
	}
	integers, floats := []string{"$rax", "$rdx"}, []string{"$xmm0.v2_int64[0]", "$xmm1.v2_int64[0]"}
	var out []string
	for i := range (t.Size + 7) / 8 {
		if integer[i] {
			out, integers = append(out, integers[0]), integers[1:]
		} else {
			out, floats = append(out, floats[0]), floats[1:]
		}
	}
	return out, true
}

// classify notes the eightbytes in which a t at offset at has something else than floating-point numbers; it returns
// false for types that it does not know.
func classify(t *ctype.Type, at int64, integer *[2]bool) bool {
	switch {
	case t.IsAggregate():
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.BitLen > 0 {
				for bit := f.BitOff; bit < f.BitOff+f.BitLen; bit++ {
					integer[(at+f.Offset+int64(bit/8))/8] = true
				}
			} else if (at+f.Offset)%max(f.Type.Align, 1) != 0 || !classify(f.Type, at+f.Offset, integer) {
				return false
			}
		}
		return true
	case t.Kind == ctype.Array:
		for i := range max(t.Len, 0) {
			if !classify(t.Elem, at+i*t.Elem.Size, integer) {
				return false
			}
		}
		return true
	case t.Kind == ctype.Complex:
		return classify(ctype.ArrayOf(t.Elem, 2), at, integer)
	case t.Kind == ctype.LongDouble, t.Kind == ctype.Vector, at+t.Size > 16:
		return false
	case t.Kind != ctype.Float:
		integer[at/8], integer[(at+t.Size-1)/8] = true, true
	}
	return true
}
