package space

import (
	"slices"
	"strings"

	"gulo/internal/cfront"
)

// This file computes how far an edit is from the original code. Repairs of equal cost are ranked by it.

// Distance returns the distance of an expression from the original, roughly in tokens. Adding, removing or changing a
// field counts less than taking another variable.
func Distance(orig, x cfront.Expr) int {
	if orig == nil {
		return TokenDistance("", cfront.Text(x))
	}
	a, ok1 := orig.(*cfront.Assign)
	b, ok2 := x.(*cfront.Assign)
	if ok1 && ok2 && a.HasOp == b.HasOp {
		return operandDistance(a.L, b.L) + operandDistance(a.R, b.R)
	}
	c, ok1 := orig.(*cfront.Binary)
	d, ok2 := x.(*cfront.Binary)
	if ok1 && ok2 {
		n := 0
		if c.Op != d.Op {
			n = 2
		}
		return n + operandDistance(c.X, d.X) + operandDistance(c.Y, d.Y)
	}
	return operandDistance(orig, x)
}

// operandDistance returns the distance of two operands; of paths, it compares the variables and the selections.
func operandDistance(a, b cfront.Expr) int {
	va, sa, ok1 := splitPath(a)
	vb, sb, ok2 := splitPath(b)
	if !ok1 || !ok2 {
		was := cfront.Text(a)
		if long := cfront.Expanded(a); strings.Contains(was, "(") && TokenDistance(long, cfront.Text(b)) < TokenDistance(was, cfront.Text(b)) {
			was = long
		}
		n := 1 + 2*TokenDistance(was, cfront.Text(b))
		if inBody(was, a, b) {
			n += bodyDistance
		}
		if isNumber(a) && !isNumber(b) {
			n++
		}
		return n
	}
	n := 0
	if va != vb {
		n = 3
	}
	return n + 2*len2(sa, sb)
}

// isNumber reports whether an expression is an arithmetic constant. A null pointer is not one: only variables can
// replace it.
func isNumber(x cfront.Expr) bool {
	_, ok := cfront.Constant(x)
	return ok && x.Type().IsArith()
}

// bodyDistance is added for a change in the expansion of a macro. Such a change is less likely than one in its
// arguments, because the macro is used elsewhere, too.
const bodyDistance = 6

// inBody reports whether b leaves out a token of a that comes from the body of a macro. long is the text of a with
// macros expanded.
func inBody(long string, a, b cfront.Expr) bool {
	written := tokens(cfront.Text(a))
	kept := map[string]int{}
	for _, t := range tokens(cfront.Text(b)) {
		kept[t]++
	}
	for _, t := range tokens(long) {
		if kept[t]--; kept[t] < 0 && !slices.Contains(written, t) {
			return true
		}
	}
	return false
}

// len2 returns the edit distance of two lists of selections.
func len2(a, b []string) int { return TokenDistance(strings.Join(a, " "), strings.Join(b, " ")) }

func splitPath(x cfront.Expr) (*cfront.Var, []string, bool) {
	switch y := cfront.Skip(x).(type) {
	case *cfront.Ref:
		return y.Var, nil, true
	case *cfront.Member:
		v, s, ok := splitPath(y.X)
		return v, append(s, y.Field.Name), ok
	case *cfront.Deref:
		v, s, ok := splitPath(y.X)
		return v, append(s, "deref"), ok
	}
	return nil, nil, false
}

// TokenDistance returns the edit distance of two pieces of C, in tokens.
func TokenDistance(a, b string) int {
	x, y := tokens(a), tokens(b)
	prev := make([]int, len(y)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(x); i++ {
		cur := make([]int, len(y)+1)
		cur[0] = i
		for j := 1; j <= len(y); j++ {
			d := prev[j-1]
			if x[i-1] != y[j-1] {
				d++
			}
			cur[j] = min(d, prev[j]+1, cur[j-1]+1)
		}
		prev = cur
	}
	return prev[len(y)]
}

func tokens(s string) []string {
	var out []string
	for i := 0; i < len(s); {
		c := s[i]
		j := i + 1
		switch {
		case c == ' ' || c == '\t' || c == '\n':
			i++
			continue
		case c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9':
			for j < len(s) && (s[j] == '_' || s[j]|0x20 >= 'a' && s[j]|0x20 <= 'z' || s[j] >= '0' && s[j] <= '9') {
				j++
			}
		case j < len(s) && (s[j] == '=' || s[j] == c || c == '-' && s[j] == '>'):
			j++
		}
		out = append(out, s[i:j])
		i = j
	}
	return out
}
