package check

import (
	"fmt"
	"strings"

	"gulo/internal/rules"
	"gulo/internal/rules/gen"
	"gulo/internal/rules/rt"
)

// This file counts the lines of rules and of the debuggers generated from them.

// LineTable compares the lines of rules with the lines of C generated from them, which is the question of Table 1 of
// Wang, Neamtiu and Gupta (ISMM 2013). Blank lines and comments do not count; definitions count with every rule that
// uses them.
func LineTable(files []*rules.File, names map[string]string) (string, error) {
	runtime := 0
	for _, n := range append([]string{"gulo.h", "inline.c"}, runtimeFiles...) {
		text, err := rt.Files.ReadFile("src/" + n)
		if err != nil {
			return "", err
		}
		runtime += codeLines(string(text))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-28s %6s %10s %13s\n", "", "rules", "detectors", "with runtime")
	row := func(name string, lines int, list []*rules.File) {
		out, err := gen.Generate(list, names)
		if err != nil {
			fmt.Fprintf(&b, "%-28s %6d %24s\n", name, lines, "on the machine only")
			return
		}
		n := codeLines(out.Detectors)
		fmt.Fprintf(&b, "%-28s %6d %10d %13d\n", name, lines, n, n+runtime)
	}
	all, native := 0, []*rules.File{}
	for _, f := range files {
		some := *f
		some.Rules = nil
		for _, d := range f.Defines {
			all += lineCount(d.Range.Text())
		}
		for _, r := range f.Rules {
			one := *f
			one.Rules = []*rules.Rule{r}
			row(r.Name, ruleLines(f, r), []*rules.File{&one})
			all += lineCount(r.Range.Text())
			if _, err := gen.Generate([]*rules.File{&one}, names); err == nil {
				some.Rules = append(some.Rules, r)
			}
		}
		native = append(native, &some)
	}
	row("all", all, native)
	return b.String(), nil
}

// ruleLines counts the lines of a rule and of the definitions that it uses.
func ruleLines(f *rules.File, r *rules.Rule) int {
	text, n := r.Range.Text(), lineCount(r.Range.Text())
	used := map[string]bool{}
	for again := true; again; {
		again = false
		for _, d := range f.Defines {
			if !used[d.Name] && strings.Contains(text, d.Name+"(") {
				used[d.Name], again = true, true
				text += d.Range.Text()
				n += lineCount(d.Range.Text())
			}
		}
	}
	return n
}

func lineCount(text string) int { return strings.Count(strings.TrimSpace(text), "\n") + 1 }

// codeLines counts the lines of C that are neither blank nor only comment.
func codeLines(text string) int {
	n, comment := 0, false
	for _, l := range strings.Split(text, "\n") {
		l = strings.TrimSpace(l)
		switch {
		case comment:
			comment = !strings.Contains(l, "*/")
		case l == "":
		case strings.HasPrefix(l, "/*") && !strings.Contains(l, "*/"):
			comment = true
		case strings.HasPrefix(l, "/*") && strings.HasSuffix(l, "*/"):
		default:
			n++
		}
	}
	return n
}
