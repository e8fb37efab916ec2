package gdb

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/target"
)

// This file calls functions of the library from outside of the program: gdb calls them in the process.

// Text implements target.Caller.
func (t *Target) Text(s *cfront.String) (ctype.Word, bool) {
	if t.mem == nil || t.core != nil || t.attached != 0 {
		return 0, false
	}
	if a, ok := t.texts[string(s.Bytes)]; ok {
		return a, true
	}
	a, ok := t.keep(strings.TrimSuffix(string(s.Bytes), "\x00"))
	if ok {
		if t.texts == nil {
			t.texts = map[string]ctype.Word{}
		}
		t.texts[string(s.Bytes)] = a
	}
	return a, ok
}

// CallLibrary implements target.Caller. After a crash of the function gdb takes its frame away; what it has written
// stays.
func (t *Target) CallLibrary(f *cfront.Func, types []*ctype.Type, args []ctype.Word) (ctype.Word, error) {
	switch {
	case t.core != nil:
		return 0, ErrCore
	case t.mem == nil || t.ended:
		return 0, target.ErrEnded
	}
	var params, values []string
	for i, typ := range types {
		name, value, ok := passed(typ, args[i])
		if !ok {
			return 0, fmt.Errorf("gdb cannot pass a %s to %s", typ, f.Name)
		}
		params, values = append(params, name), append(values, value)
	}
	result := "void"
	if r := f.Type.Result; r != nil && r.Kind != ctype.Void {
		var ok bool
		if result, _, ok = passed(r, 0); !ok {
			return 0, fmt.Errorf("gdb cannot read the %s that %s returns", r, f.Name)
		}
	}
	ctx := context.Background()
	if _, err := t.c.send(ctx, "-gdb-set unwindonsignal on"); err != nil {
		return 0, err
	}
	call := fmt.Sprintf("((%s (*)(%s)) %s)(%s)", result, strings.Join(params, ", "), f.Name, strings.Join(values, ", "))
	if result == "double" || result == "float" { // as bits
		call = fmt.Sprintf("$gulo_result = %s", call)
	} else if result != "void" {
		call = "(long)" + call
	}
	v, err := t.c.send(ctx, "-data-evaluate-expression %s", strconv.Quote(call))
	t.c.runs.Add(1)
	if err != nil || result == "void" {
		return 0, err
	}
	text := v.str("value")
	if result == "double" || result == "float" {
		x, err := strconv.ParseFloat(text, 64)
		return ctype.OfFloat(f.Type.Result, x), err
	}
	n, err := strconv.ParseInt(text, 0, 64)
	return ctype.Wrap(f.Type.Result, ctype.Word(n)), err
}

// passed returns a type that gdb knows without debug information and is passed like typ, and a value of it.
func passed(typ *ctype.Type, w ctype.Word) (name, value string, ok bool) {
	switch {
	case typ.Kind == ctype.Pointer:
		return "char *", fmt.Sprintf("(char *) %#x", uint64(w)), true
	case typ.IsInteger() && typ.Size <= 4:
		return "int", strconv.Itoa(int(int32(w))), true
	case typ.IsInteger() && typ.Size == 8:
		return "long", fmt.Sprintf("(long) %#x", uint64(w)), true
	case typ.Kind == ctype.Float && (typ.Size == 4 || typ.Size == 8):
		x := ctype.FloatOf(typ, w)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return "", "", false
		}
		return map[int64]string{4: "float", 8: "double"}[typ.Size], fmt.Sprintf("(double) %s", strconv.FormatFloat(x, 'g', 17, 64)), true
	}
	return "", "", false
}
