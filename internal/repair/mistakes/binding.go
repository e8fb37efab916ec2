package mistakes

// This file knows how tightly operators bind: m / 60 + n is no quotient, although a pattern
// $a / $b could be laid over it.

// binding is how tightly binary operators bind; what is not in it is none.
var binding = map[string]int{
	"*": 11, "/": 11, "%": 11, "+": 10, "-": 10, "<<": 9, ">>": 9, "<": 8, ">": 8, "<=": 8, ">=": 8, "==": 7, "!=": 7,
	"&": 6, "^": 5, "|": 4, "&&": 3, "||": 2, "?": 1, ":": 1,
	"=": assignment, "+=": assignment, "-=": assignment, "*=": assignment, "/=": assignment, "%=": assignment,
	"&=": assignment, "|=": assignment, "^=": assignment, "<<=": assignment, ">>=": assignment,
}

// assignment is the binding of assignments: what stands on their right may be one, too.
const assignment = 0

// holdsTogether reports whether tokens are an operand of the operators of a pattern before and
// behind which they stand; what is no operator asks for nothing.
func holdsTogether(behind string, ts []token, before string) bool {
	loosest, found := 0, false
	depth := 0
	for i, t := range ts {
		switch t.text {
		case "(", "[", "{":
			depth++
			continue
		case ")", "]", "}":
			depth--
			continue
		}
		b, ok := binding[t.text]
		if !ok || depth > 0 || i == 0 || !endsOperand(ts[i-1].text) {
			continue
		}
		if !found || b < loosest {
			loosest, found = b, true
		}
	}
	if !found {
		return true
	}
	if b, ok := binding[behind]; ok && (loosest < b || loosest == b && b != assignment) {
		return false
	}
	if b, ok := binding[before]; ok && (loosest < b || b == assignment) {
		return false
	}
	return true
}

// endsOperand reports whether an operator behind a token has two operands.
func endsOperand(t string) bool {
	last := t[len(t)-1]
	return word(last) || last == ')' || last == ']' || last == '"' || last == '\'' || t == "++" || t == "--"
}
