package extmath

import (
	"math"
	"testing"

	"gulo/internal/ctype"
)

// TestElementary holds that the functions agree with package math to the precision of a double, and go beyond it.
func TestElementary(t *testing.T) {
	for name, f := range map[string]func(float64) float64{"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "exp": math.Exp, "log": math.Log, "atan": math.Atan, "cbrt": math.Cbrt, "sinh": math.Sinh} {
		for _, x := range []float64{0.001, 0.5, 1, 2.75, 10} {
			got, want := Elementary(name, ctype.ExtOfFloat(x), f).Float64(), f(x)
			if math.Abs(got-want) > 4e-16*max(1, math.Abs(want)) {
				t.Errorf("%s(%g) is %.17g, not %.17g", name, x, got, want)
			}
		}
	}
	third := ctype.ExtBinary(ctype.Div, ctype.ExtOfFloat(1), ctype.ExtOfFloat(3))
	back := Elementary("log", Elementary("exp", third, math.Exp), math.Log)
	if d := ctype.ExtBinary(ctype.Sub, back, third).Float64(); math.Abs(d) > 1e-19 {
		t.Errorf("the logarithm of expl(1/3) is off by %g", d)
	}
}

func TestTwoArguments(t *testing.T) {
	of := ctype.ExtOfFloat
	for _, x := range []struct {
		name      string
		got, want float64
	}{
		{"powl(2, 0.5)", Pow(of(2), of(0.5)).Float64(), math.Sqrt2},
		{"powl(-2, 3)", Pow(of(-2), of(3)).Float64(), -8},
		{"hypotl(3, 4)", Hypot(of(3), of(4)).Float64(), 5},
		{"atan2l(1, -1)", Atan2(of(1), of(-1)).Float64(), 3 * math.Pi / 4},
	} {
		if math.Abs(x.got-x.want) > 4e-16*math.Abs(x.want) {
			t.Errorf("%s is %.17g, not %.17g", x.name, x.got, x.want)
		}
	}
	if x := Pow(of(-2), of(0.5)); !x.IsNaN() {
		t.Errorf("powl(-2, 0.5) is %v", x.Float64())
	}
}
