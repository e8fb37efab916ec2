package mistakes

import (
	"slices"
	"strings"
)

// This file matches patterns with texts and writes replacements.

// match matches a pattern with all tokens of a text. It stores in bound the texts that the pattern's names match.
// Patterns are short, so trying all possibilities is quick.
func match(pattern []string, ts []token, text string, bound map[string]string) bool {
	return matchBehind("", pattern, ts, text, bound)
}

// matchBehind matches the rest of a pattern; behind is the token of the pattern before it.
func matchBehind(behind string, pattern []string, ts []token, text string, bound map[string]string) bool {
	if len(pattern) == 0 {
		return len(ts) == 0
	}
	p := pattern[0]
	if p[0] != '$' {
		return len(ts) > 0 && ts[0].text == p && matchBehind(p, pattern[1:], ts[1:], text, bound)
	}
	before := ""
	if len(pattern) > 1 {
		before = pattern[1]
	}
	name := strings.TrimSuffix(p, "?")
	least := 1
	if name != p || name == "$s" {
		least = 0
	}
	for n := least; n <= len(ts); n++ {
		if n > 0 && !fits(name, ts[:n]) {
			if !mayGrow(name, ts[:n]) {
				return false
			}
			continue
		}
		if n > 0 && !holdsTogether(behind, ts[:n], before) {
			continue
		}
		got := ""
		if n > 0 {
			got = text[ts[0].start:ts[n-1].end]
		}
		if old, ok := bound[name]; ok {
			if squeeze(old) != squeeze(got) {
				continue
			}
			if matchBehind(p, pattern[1:], ts[n:], text, bound) {
				return true
			}
			continue
		}
		bound[name] = got
		if matchBehind(p, pattern[1:], ts[n:], text, bound) {
			return true
		}
		delete(bound, name)
	}
	return false
}

// fits reports whether tokens may be the match of a name.
func fits(name string, ts []token) bool {
	first := ts[0].text
	switch name {
	case "$v", "$w":
		return len(ts) == 1 && (first[0] == '_' || first[0]|0x20 >= 'a' && first[0]|0x20 <= 'z')
	case "$n":
		return len(ts) == 1 && first[0] >= '0' && first[0] <= '9'
	case "$t":
		return len(ts) == 1 && first[0] == '"'
	case "$s":
		return balanced(ts)
	case "$o":
		return balanced(ts) && !splits(ts) && !slices.ContainsFunc(ts, tells)
	}
	return balanced(ts) && !splits(ts)
}

// tells reports whether a token shows that an expression may be meant as a condition.
func tells(t token) bool {
	switch t.text {
	case "(", "!", "==", "!=", "<", "<=", ">", ">=", "&&", "||":
		return true
	}
	return false
}

// dangling reports whether statements contain an else whose if is not among them.
func dangling(ts []token) bool {
	depth, ifs := 0, 0
	for _, t := range ts {
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case "if":
			if depth == 0 {
				ifs++
			}
		case "else":
			if depth == 0 && ifs == 0 {
				return true
			}
		}
	}
	return false
}

// branching reports whether an else behind statements would be misplaced: a second else, or one that belongs to an if
// among them.
func branching(ts []token) bool {
	if dangling(ts) || len(ts) == 0 {
		return true
	}
	first := ts[0].text
	return first == "if" || first == "for" || first == "while" || first == "do" || first == "switch"
}

// isBlock reports whether statements are one block in braces.
func isBlock(ts []token) bool {
	if len(ts) == 0 || ts[0].text != "{" {
		return false
	}
	depth := 0
	for i, t := range ts {
		switch t.text {
		case "{":
			depth++
		case "}":
			if depth--; depth == 0 {
				return i == len(ts)-1
			}
		}
	}
	return false
}

// leaves reports whether the last of some statements is a jump that is not under a condition or in a loop.
func leaves(ts []token) bool {
	if isBlock(ts) {
		ts = ts[1 : len(ts)-1]
	}
	if len(ts) == 0 || ts[len(ts)-1].text != ";" {
		return false
	}
	depth, begin := 0, 0
	for i, t := range ts[:len(ts)-1] {
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		if depth == 0 && (t.text == ";" || t.text == "}") {
			begin = i + 1
		}
	}
	switch ts[begin].text {
	case "return", "break", "continue", "goto":
		return true
	}
	return false
}

// mayGrow reports whether more tokens could make the match of a name fit.
func mayGrow(name string, ts []token) bool {
	switch name {
	case "$v", "$w", "$n", "$t":
		return false
	case "$s":
		return true
	}
	depth := 0
	for _, t := range ts {
		switch t.text {
		case "(", "[":
			depth++
		case ")", "]":
			if depth--; depth < 0 {
				return false
			}
		case ";", "{", "}":
			return false
		case ",":
			if depth == 0 {
				return false
			}
		}
	}
	return true
}

// splits reports whether tokens are more or less than one expression: a comma, a semicolon or a brace separates them,
// or an operator lacks an operand.
func splits(ts []token) bool {
	depth := 0
	for _, t := range ts {
		switch t.text {
		case "(", "[":
			depth++
		case ")", "]":
			depth--
		case ";", "{", "}":
			return true
		case ",":
			if depth == 0 {
				return true
			}
		}
	}
	last := ts[len(ts)-1].text
	return !(word(last[0]) || last == ")" || last == "]" || last[0] == '"' || last[0] == '\'' || last == "++" || last == "--") ||
		strings.Contains(" * / % < > <= >= == != && || = += -= *= /= . -> ? : ", " "+ts[0].text+" ") && ts[0].text != "*"
}

func balanced(ts []token) bool {
	depth := 0
	for _, t := range ts {
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}

func squeeze(s string) string { return strings.Join(texts(scan(s)), " ") }

// nonsense reports whether a replacement would be useless or wrong: the address of an address, an assignment to what is
// returned, an else separated from its if, a second pair of braces, or a statement that nothing reaches.
func nonsense(to []string, bound map[string]string) bool {
	for i := 1; i < len(to); i++ {
		if to[i-1] == "&" && strings.HasPrefix(bound[to[i]], "&") {
			return true
		}
		if to[i] == "=" && strings.HasPrefix(bound[to[i-1]], "return") {
			return true
		}
		if (to[i] == "+" || to[i] == "-") && number(bound[to[i-1]]) && i+1 < len(to) && number(to[i+1]) {
			return true // 7 + 1: that is another constant
		}
		if to[i-1] == "{" && to[i] == "$s" && dangling(scan(bound["$s"])) {
			return true
		}
		if to[i-1] == "$s" && to[i] == "else" && branching(scan(bound["$s"])) {
			return true
		}
		if to[i-1] == "{" && to[i] == "$s" && isBlock(scan(bound["$s"])) { // it has braces already
			return true
		}
		if to[i-1] == "$s" && (to[i] == "$next" || to[i] == "else") && leaves(scan(bound["$s"])) {
			return true
		}
	}
	return false
}

// write returns the text of a replacement, with blanks where people put them.
func write(to []string, bound map[string]string) string {
	var b strings.Builder
	last := ""
	for i, t := range to {
		s := t
		if t[0] == '$' {
			s = bound[t]
		}
		if s == "" {
			continue
		}
		if i > 0 && spaced(last, t, s) {
			b.WriteByte(' ')
		}
		b.WriteString(s)
		last = t
	}
	return b.String()
}

// spaced reports whether a blank is written between two tokens.
func spaced(last, t, s string) bool {
	switch {
	case last == "" || last == "(" || last == "[" || last == "!" || last == "&" || t == ")" || t == "]" || t == ";" || t == "," || t == "++" || t == "--" || t == "[":
		return false
	case t == "(":
		return last == "if" || last == "for" || last == "while" || strings.Contains(" + - * / % = == != < > <= >= && || return ", " "+last+" ") || last == ")" || last == "{"
	}
	return s != ""
}

func number(t string) bool { return t != "" && strings.Trim(t, "0123456789") == "" }
