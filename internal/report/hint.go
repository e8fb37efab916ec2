package report

import (
	"fmt"
	"regexp"
	"strings"
)

// This file describes an edit to a student if its own description says only that something is inserted or deleted.

var (
	isCall   = regexp.MustCompile(`^([A-Za-z_]\w*) ?\(`)
	isStep   = regexp.MustCompile(`^(?:\+\+|--)?([^=();{}]+?)(\+\+|--|)$`)
	isAssign = regexp.MustCompile(`^([^=;{}"']+?) ?(?:[-+*/%&|^]|<<|>>)?=[^=]`)
	leaves   = regexp.MustCompile(`\b(return|break|continue|exit|goto)\b`)
)

// Hint describes an edit to a student: by its own description or, if that is "insert" or "delete", by the kind of
// statement that is missing or superfluous, without showing the statement.
func Hint(e Changed) string {
	switch {
	case e.What == "insert" && e.Before == "":
		if what := kind(e.After); what != "" {
			return what + " is missing"
		}
		return "a statement is missing"
	case e.What == "delete" && e.After == "":
		if what := kind(e.Before); what != "" {
			return what + " should not be here"
		}
		return "a statement should not be here"
	}
	return e.What
}

// kind names the kind of a statement; "" if it has no name.
func kind(text string) string {
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), ";"))
	word, _, _ := strings.Cut(strings.NewReplacer("(", " ", ";", " ", "{", " ").Replace(text), " ")
	switch word {
	case "if":
		if m := leaves.FindString(text); m != "" {
			return fmt.Sprintf("an if with %s", m)
		}
		return "an if statement"
	case "while", "for", "do":
		return "a loop"
	case "return", "break", "continue", "goto":
		return fmt.Sprintf("a %s", word)
	case "":
		return ""
	}
	if strings.Contains(text, ";") {
		return ""
	}
	if m := isCall.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("a call of %s", m[1])
	}
	if m := isStep.FindStringSubmatch(text); m != nil && (m[2] != "" || strings.HasPrefix(text, "++") || strings.HasPrefix(text, "--")) {
		return fmt.Sprintf("an update of %s", m[1])
	}
	if m := isAssign.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("an assignment to %s", strings.TrimSpace(m[1]))
	}
	return ""
}
