package native

import "testing"

// TestUndefinedWords: a run is not taken to have been stopped for a division or an overflow because the program
// itself writes such words.
func TestUndefinedWords(t *testing.T) {
	const own = "error: division by zero\nerror: signed integer overflow\n"
	for _, x := range []struct {
		stderr         string
		zero, overflow bool
	}{
		{own + "a.c:3:5: runtime error: index 4 out of bounds for type 'int [4]'\n", false, false},
		{own + "=================\n==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x1\n", false, false},
		{"index\nlib/a.c:3:5: runtime error: division by zero\n", true, false},
		{"a.c:3:5: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'\n", false, true},
		{"a.c:3:5: runtime error: negation of -2147483648 cannot be represented in type 'int'; cast to an unsigned type\n", false, true},
	} {
		o := Outcome{Status: Sanitizer, Stderr: x.stderr}
		if o.DividedByZero() != x.zero || o.Overflowed() != x.overflow {
			t.Errorf("%q: %v, %v", x.stderr, o.DividedByZero(), o.Overflowed())
		}
	}
}
