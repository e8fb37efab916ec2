package mistakes

import (
	"slices"
	"strings"
)

// This file matches patterns with texts.

// match matches a pattern with all tokens of a text; bound gets what the names stand for, as the text
// has it. Patterns are short, so that trying all ways is quick.
func match(pattern []string, ts []token, text string, bound map[string]string) bool {
	return matchBehind("", pattern, ts, text, bound)
}

// matchBehind matches the rest of a pattern behind one of its tokens.
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

// fits reports whether tokens are what a name stands for.
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

// tells reports whether a token makes an expression one that may be meant as a condition.
func tells(t token) bool {
	switch t.text {
	case "(", "!", "==", "!=", "<", "<=", ">", ">=", "&&", "||":
		return true
	}
	return false
}

// dangling reports whether statements hold an else whose if is not among them.
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

// branching reports whether an else behind statements would be the second one, or that of an if
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

// leaves reports whether the last of some statements is a jump, without a condition or a loop around it.
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

// mayGrow reports whether more tokens could make it fit.
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

// splits reports whether a comma, a semicolon or a lone operator at the top makes tokens more than
// an expression.
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

// nonsense reports whether the address of an address would be taken, something be stored in
// what is returned, an else put into braces without its if, a block into braces once more, or a
// statement behind one that leaves, where nothing comes to it.
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
		if to[i-1] == "{" && to[i] == "$s" && isBlock(scan(bound["$s"])) { // it has its braces
			return true
		}
		if to[i-1] == "$s" && (to[i] == "$next" || to[i] == "else") && leaves(scan(bound["$s"])) {
			return true
		}
	}
	return false
}

// write writes what is put in the place of a match; the layout is that of people.
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

// spaced reports whether a blank stands between two tokens.
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
