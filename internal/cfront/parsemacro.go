package cfront

import (
	"regexp"
	"strings"
)

// This file expands macros of the program in expressions that a person types, such as
// TASK(pos)->prio. Their bodies are taken from the text of the program's files, without preprocessing it.

// typedMacro is a macro's parameters and body; function says whether it takes arguments.
type typedMacro struct {
	function bool
	params   []string
	body     string
}

var (
	wordPattern = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[A-Za-z_0-9][A-Za-z_0-9]*`)
	comments    = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
)

// maxTypedMacros bounds how deep macro expansions are nested.
const maxTypedMacros = 20

// typedMacro finds the definition of a macro in the program's files. It returns nil if there is none, if there are
// several that differ, if the definition is conditional on the macro itself (one from the command line may come first),
// or if it uses #, ## or variable arguments.
func (p *Program) typedMacro(name string) *typedMacro {
	define := regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+` + regexp.QuoteMeta(name) + `(\([^)\n]*\))?(?:[ \t]([^\n]*))?$`)
	unless := regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(?:ifndef[ \t]+|if[ \t]*![ \t]*defined[ \t]*\(?[ \t]*)` + regexp.QuoteMeta(name) + `\b`)
	var found *typedMacro
	for _, f := range p.Files {
		text := strings.ReplaceAll(strings.ReplaceAll(string(f.Text), "\\\r\n", " "), "\\\n", " ")
		defined := define.FindAllStringSubmatch(text, -1)
		if len(defined) > 0 && unless.MatchString(text) {
			return nil
		}
		for _, m := range defined {
			d := &typedMacro{function: m[1] != "", body: strings.TrimSpace(comments.ReplaceAllString(m[2], " "))}
			if d.function {
				for _, w := range strings.Split(strings.Trim(m[1], "()"), ",") {
					if w = strings.TrimSpace(w); w != "" {
						d.params = append(d.params, w)
					}
				}
			}
			if found != nil && found.body != d.body || strings.Contains(d.body, "#") || strings.Contains(m[1], "...") {
				return nil
			}
			found = d
		}
	}
	return found
}

// expansion expands a macro and parses the result. function says that it is used with arguments and that the opening
// bracket has been read. It returns nil if the program has no such macro.
func (p *exprParser) expansion(name string, function bool) Expr {
	m := p.prog.typedMacro(name)
	if m == nil || m.function != function || m.body == "" {
		return nil
	}
	if p.macros++; p.macros > maxTypedMacros {
		p.fail("the macro %s stands in itself", name)
	}
	var args []string
	if function {
		args = p.macroArguments(name)
		if len(args) != len(m.params) && !(len(m.params) == 0 && len(args) == 1 && args[0] == "") {
			p.fail("the macro %s takes (%s)", name, strings.Join(m.params, ", "))
		}
	}
	text := wordPattern.ReplaceAllStringFunc(m.body, func(w string) string {
		for i, param := range m.params {
			if param == w {
				return args[i]
			}
		}
		return w
	})
	s, i := p.s, p.i
	p.s, p.i = text, 0
	x := p.conditional()
	if p.space(); p.i < len(p.s) {
		p.fail("what the macro %s stands for is no expression: %q", name, p.s[p.i:])
	}
	p.s, p.i = s, i
	p.macros--
	return x
}

// macroArguments reads the texts of a macro's arguments and the closing bracket.
func (p *exprParser) macroArguments(name string) (args []string) {
	begin, depth := p.i, 0
	for ; p.i < len(p.s); p.i++ {
		switch c := p.s[p.i]; {
		case c == '"' || c == '\'':
			for p.i++; p.i < len(p.s) && p.s[p.i] != c; p.i++ {
				if p.s[p.i] == '\\' {
					p.i++
				}
			}
		case c == '(' || c == '[':
			depth++
		case c == ',' && depth == 0, c == ')' && depth == 0:
			args = append(args, strings.TrimSpace(p.s[begin:p.i]))
			if begin = p.i + 1; c == ')' {
				p.i++
				return args
			}
		case c == ')' || c == ']':
			depth--
		}
	}
	p.fail("missing ) behind %s", name)
	return nil
}
