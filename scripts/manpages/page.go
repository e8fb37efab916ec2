package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// This file turns what a command's --help prints into a manual page: headings become sections, options and commands
// become tagged paragraphs that fit any width, and other indented lines stay as they are.

// page writes the manual page of a command in roff's man macros (groff_man(7)).
func page(c *cobra.Command, help, date string) string {
	var b strings.Builder
	name := strings.ReplaceAll(c.CommandPath(), " ", "-")
	fmt.Fprintf(&b, ".TH %q 1 %q gulo \"User Commands\"\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n", strings.ToUpper(name), date, name, escape(c.Short))
	w := &writer{b: &b}
	for _, l := range strings.Split(strings.TrimSpace(help), "\n") {
		w.line(l)
	}
	w.end()
	b.WriteString(".SH SEE ALSO\n")
	var also []string
	if p := c.Parent(); p != nil {
		also = append(also, strings.ReplaceAll(p.CommandPath(), " ", "-"))
	}
	for _, x := range c.Commands() {
		if !x.Hidden && x.Name() != "help" {
			also = append(also, strings.ReplaceAll(x.CommandPath(), " ", "-"))
		}
	}
	for i, x := range also {
		end := ","
		if i == len(also)-1 {
			end = ""
		}
		fmt.Fprintf(&b, ".BR %s (1)%s\n", escape(x), end)
	}
	return b.String()
}

var (
	heading = regexp.MustCompile(`^[A-Z].*:$`)
	// An entry is an option or a word, and after at least two spaces its meaning.
	entry = regexp.MustCompile(`^ {2,6}(-\w, --\S+(?: [\w-]+)?|--\S+(?: [\w-]+)?|-\w|\w[\w-]*) {2,}(\S.*)$`)
)

// writer turns lines of help into roff.
type writer struct {
	b        *strings.Builder
	verbatim bool // within lines that stay as they are
	tagged   bool // within an option or a word
	examples bool // a section in which all lines stay as they are
}

func (w *writer) line(l string) {
	m := entry.FindStringSubmatch(l)
	switch {
	case l == "":
		w.end()
		w.b.WriteString(".PP\n")
	case heading.MatchString(l):
		w.end()
		title := strings.TrimSuffix(l, ":")
		w.examples = title == "Usage" || title == "Examples"
		fmt.Fprintf(w.b, ".SH %s\n", strings.ToUpper(escape(title)))
	case l[0] != ' ':
		w.end()
		w.b.WriteString(escape(l) + "\n")
	case !w.examples && m != nil && !w.verbatim:
		w.tagged = true
		fmt.Fprintf(w.b, ".TP\n.B %s\n%s\n", escape(m[1]), escape(m[2]))
	case w.tagged:
		w.b.WriteString(escape(strings.TrimSpace(l)) + "\n")
	default:
		if !w.verbatim {
			w.verbatim = true
			w.b.WriteString(".nf\n")
		}
		w.b.WriteString(escape(strings.TrimPrefix(l, "  ")) + "\n")
	}
}

// end ends lines that stay as they are, and a tagged paragraph.
func (w *writer) end() {
	if w.verbatim {
		w.b.WriteString(".fi\n")
	}
	w.verbatim, w.tagged = false, false
}

// escape writes text so that roff prints it as it is.
func escape(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", "\\`", "^", `\(ha`, "~", `\(ti`).Replace(s)
	if strings.HasPrefix(s, ".") {
		return `\&` + s
	}
	return s
}
