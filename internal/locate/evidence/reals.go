package evidence

import (
	"math"
	"strconv"
	"strings"

	"gulo/internal/ctype"
)

// This file represents real numbers on traces by integers. The integers of two reals have the same order as the reals,
// and that of -x is the negative one (except for the last bit of the mantissa, which is dropped). So comparisons are
// sums as for integers; values computed from reals are opaque. The paper has no reals.

// realKey returns the integer that represents a real.
func realKey(f float64) int64 {
	k := int64(math.Float64bits(math.Abs(f)) >> 1)
	if f < 0 {
		return -k
	}
	return k
}

// realOf returns the real that an integer represents.
func realOf(k int64) float64 {
	if k < 0 {
		return -math.Float64frombits(uint64(-k) << 1)
	}
	return math.Float64frombits(uint64(k) << 1)
}

func isReal(t *ctype.Type) bool { return t != nil && t.Kind == ctype.Float }

// Real returns the C value of a real that is represented by k.
func Real(t *ctype.Type, k int64) ctype.Word { return ctype.OfFloat(t, realOf(k)) }

// valueOf converts a value in memory to its integer on traces; wordOf converts it back.
func valueOf(t *ctype.Type, w ctype.Word) int64 {
	if isReal(t) {
		return realKey(ctype.FloatOf(t, w))
	}
	return int64(w)
}

func wordOf(t *ctype.Type, v int64) ctype.Word {
	if isReal(t) {
		return Real(t, v)
	}
	return ctype.Wrap(t, ctype.Word(v))
}

// suffix returns the suffix of operations on a type of reals.
func suffix(t *ctype.Type) string {
	if t.Size == 4 {
		return ".f"
	}
	return "."
}

// realOp computes an operation on reals; op includes the suffix.
func realOp(op string, a, b int64) (int64, bool) {
	base, size, _ := strings.Cut(op, ".")
	x, y := realOf(a), realOf(b)
	var v float64
	switch base {
	case "+":
		v = x + y
	case "-":
		v = x - y
	case "*":
		v = x * y
	case "/":
		v = x / y
	default:
		return 0, false
	}
	if size == "f" {
		v = float64(float32(v))
	}
	return realKey(v), !math.IsNaN(v)
}

// reals combines two values of a type of reals.
func reals(t *ctype.Type, op ctype.Op, a, b val) val {
	name := op.String() + suffix(t)
	if (op == ctype.Add || op == ctype.Mul) && b.e.key() < a.e.key() {
		a, b = b, a
	}
	out := val{e: opaque(name, a.e, b.e), ok: a.ok && b.ok}
	var known bool
	out.v, known = realOp(name, a.v, b.v)
	out.ok = out.ok && known
	return out
}

// converted converts a value between types of which at least one is real.
func converted(from, to *ctype.Type, e val) val {
	if !e.ok {
		return val{e: opaque("("+to.String()+")", e.e)}
	}
	w, err := ctype.Convert(from, to, wordOf(from, e.v))
	v := valueOf(to, w)
	_, number := e.e.IsNum()
	switch {
	case number && err == nil:
		return num(v)
	case isReal(from) && isReal(to) && v == e.v:
		return e
	}
	return val{opaque("("+to.String()+")", e.e), v, err == nil}
}

// calculateCast computes a conversion of an integer to a real type.
func calculateCast(op string, n int64) (int64, bool) {
	switch op {
	case "(double)":
		return realKey(float64(n)), true
	case "(float)":
		return realKey(float64(float32(n))), true
	}
	return 0, false
}

// number writes an integer of a trace, or the real that it represents.
func number(k int64, real bool) string {
	if real {
		return strconv.FormatFloat(realOf(k), 'g', 6, 64)
	}
	return strconv.FormatInt(k, 10)
}

// real reports whether an expression has real values.
func (e *Exp) real() bool {
	for _, m := range e.M {
		for _, f := range m.F {
			if f.Loc != nil && isReal(f.Loc.Type) || strings.Contains(f.Op, ".") || f.Op == "(double)" || f.Op == "(float)" {
				return true
			}
		}
	}
	return false
}
