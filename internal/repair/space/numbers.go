package space

import (
	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file is what programs of numbers need beside: elements of arrays, also those
// that no statement names, and sums into variables.

const maxElements = 40

// indexed adds the elements of arrays at integer variables and beside them.
func (s *scope) indexed() {
	seen := map[string]bool{}
	for _, x := range s.extra {
		seen[cfront.Text(x)] = true
	}
	for _, step := range []int64{0, -1, 1} {
		for _, a := range s.vars {
			if t := a.Type; t.Kind != ctype.Array && t.Kind != ctype.Pointer || !t.Elem.IsInteger() {
				continue
			}
			for _, v := range s.vars {
				if !v.Type.IsInteger() || len(s.extra) >= maxElements {
					continue
				}
				i := cfront.NewRef(v)
				switch {
				case step < 0:
					i = cfront.NewBinary(ctype.Sub, i, cfront.NewConst(ctype.IntT, 1))
				case step > 0:
					i = cfront.NewBinary(ctype.Add, i, cfront.NewConst(ctype.IntT, 1))
				}
				if x := cfront.NewIndex(cfront.NewRef(a), i); x != nil && !seen[cfront.Text(x)] {
					seen[cfront.Text(x)] = true
					s.extra = append(s.extra, x)
				}
			}
		}
	}
}

const maxAccumulations = 400

// accumulations returns statements that add something to a variable, take it off, or
// count.
func accumulations(sc *scope) []cfront.Expr {
	var out []cfront.Expr
	paths := sc.paths(1)
	for _, op := range []ctype.Op{ctype.Add, ctype.Sub, ctype.Mul, ctype.Div, ctype.Shr, ctype.Shl, ctype.Xor} {
		for _, l := range paths {
			if !l.Type().IsInteger() {
				continue
			}
			if op != ctype.Add && op != ctype.Sub && op != ctype.Xor {
				for _, n := range []ctype.Word{1, 2, 10} {
					if n > 1 || op == ctype.Shr || op == ctype.Shl {
						out = append(out, cfront.NewCompound(op, l, cfront.NewConst(ctype.IntT, n)))
					}
				}
				continue
			}
			for _, r := range paths {
				if r.Type().IsInteger() && len(out) < maxAccumulations {
					out = append(out, cfront.NewCompound(op, l, r))
				}
			}
		}
	}
	return out
}
