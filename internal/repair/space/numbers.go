package space

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file adds edits for numeric programs: elements of arrays, also those that no statement names, and sums into
// variables.

const maxElements = 60

// arrays returns the arrays and pointers of integers in scope: variables and fields of variables.
func (s *scope) arrays() []cfront.Expr {
	var out []cfront.Expr
	add := func(x cfront.Expr) {
		if t := x.Type(); (t.Kind == ctype.Array || t.Kind == ctype.Pointer) && t.Elem.IsInteger() {
			out = append(out, x)
		}
	}
	for _, v := range s.vars {
		x := cfront.NewRef(v)
		add(x)
		t := v.Type
		if t.Kind == ctype.Pointer {
			t = t.Elem
		}
		if t.Kind != ctype.Struct {
			continue
		}
		for i := range t.Fields {
			if f := t.Fields[i]; f.Name != "" && f.Type.Kind == ctype.Array {
				add(cfront.NewMember(x, f))
			}
		}
	}
	return out
}

// indexed adds array elements with an integer variable or field as the index, and with that index plus or minus one.
func (s *scope) indexed() {
	seen := map[string]bool{}
	for _, x := range s.extra {
		seen[cfront.Text(x)] = true
	}
	plain := *s
	plain.extra = nil
	indices := plain.paths(1)
	for _, step := range []int64{0, -1, 1} {
		for _, a := range s.arrays() {
			for _, i := range indices {
				if !i.Type().IsInteger() || len(s.extra) >= maxElements {
					continue
				}
				switch {
				case step < 0:
					i = cfront.NewBinary(ctype.Sub, i, cfront.NewConst(ctype.IntT, 1))
				case step > 0:
					i = cfront.NewBinary(ctype.Add, i, cfront.NewConst(ctype.IntT, 1))
				}
				if x := cfront.NewIndex(a, i); x != nil && !seen[cfront.Text(x)] {
					seen[cfront.Text(x)] = true
					s.extra = append(s.extra, x)
				}
			}
		}
	}
}

const maxAccumulations = 700

// accumulations returns statements that add something to a variable or subtract it, and statements that combine a
// variable with a constant of the function: v += x, v %= 10.
func accumulations(sc *scope, f *cfront.Func) []cfront.Expr {
	var out []cfront.Expr
	add := func(x cfront.Expr) {
		if len(out) < maxAccumulations {
			out = append(out, x)
		}
	}
	paths := sc.paths(1)
	var numbers []ctype.Word
	seen := map[ctype.Word]bool{0: true, ^ctype.Word(0): true}
	for _, w := range append(constants(f), 2, 10) {
		for _, n := range []ctype.Word{w, w - 1} {
			if !seen[n] {
				seen[n] = true
				numbers = append(numbers, n)
			}
		}
	}
	for _, op := range []ctype.Op{ctype.Add, ctype.Sub, ctype.Xor} {
		for _, l := range writable(paths) {
			for _, r := range paths {
				if l.Type().IsInteger() && r.Type().IsInteger() {
					add(cfront.NewCompound(op, l, r))
				}
			}
		}
	}
	for _, op := range []ctype.Op{ctype.Mul, ctype.Div, ctype.Shr, ctype.Shl, ctype.And, ctype.Rem, ctype.Sub, ctype.Add} {
		for _, v := range sc.vars {
			for _, n := range numbers {
				if v.Type.IsInteger() && v.Qual&ctype.Const == 0 && (n > 1 || op == ctype.Shr || op == ctype.Shl) {
					add(cfront.NewCompound(op, cfront.NewRef(v), cfront.NewConst(ctype.IntT, n)))
				}
			}
		}
	}
	return out
}
