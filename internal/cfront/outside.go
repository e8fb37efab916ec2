package cfront

// This file knows which functions of the C library return values that the program does not determine.

// draws are the functions that return such a number and do nothing else.
var draws = map[string]bool{
	"rand": true, "random": true, "lrand48": true, "mrand48": true, "arc4random": true, "arc4random_uniform": true,
	"time": true, "clock": true, "getpid": true,
}

// Draws reports whether a function is a library function that returns a number which the program does not
// determine, such as rand or time.
func (f *Func) Draws() bool { return f.Body == nil && draws[f.Name] }

// Drawn lists the calls in an expression of functions for which Draws holds.
func Drawn(x Expr) (out []*Call) {
	Walk(x, func(y Expr) bool {
		if c, ok := y.(*Call); ok {
			if f, ok := c.Fun.(*FuncRef); ok && f.Func.Draws() {
				out = append(out, c)
			}
		}
		return true
	})
	return out
}
