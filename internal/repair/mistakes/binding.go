package mistakes

// This file knows the precedence of operators: m / 60 + n is no quotient, although the pattern $a / $b could match it.

// binding is the precedence of binary operators; a larger number binds more tightly. Other tokens are not in it.
var binding = map[string]int{
	"*": 11, "/": 11, "%": 11, "+": 10, "-": 10, "<<": 9, ">>": 9, "<": 8, ">": 8, "<=": 8, ">=": 8, "==": 7, "!=": 7,
	"&": 6, "^": 5, "|": 4, "&&": 3, "||": 2, "?": 1, ":": 1,
	"=": assignment, "+=": assignment, "-=": assignment, "*=": assignment, "/=": assignment, "%=": assignment,
	"&=": assignment, "|=": assignment, "^=": assignment, "<<=": assignment, ">>=": assignment,
}

// assignment is the precedence of assignments. The right side of an assignment may be another assignment.
const assignment = 0

// holdsTogether reports whether tokens are one operand in a pattern, between the tokens behind and before of the
// pattern. Those of the two that are no operators ask for nothing.
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

// endsOperand reports whether an operand may end with a token, so that the operator behind it is binary.
func endsOperand(t string) bool {
	last := t[len(t)-1]
	return word(last) || last == ')' || last == ']' || last == '"' || last == '\'' || t == "++" || t == "--"
}
