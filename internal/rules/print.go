package rules

import (
	"fmt"
	"strings"
)

// This file writes rules in one form, the paper's Figure 9 in ASCII. What it
// writes is read back as the same tree.

// maxLine is the length from which on a declaration is broken into lines.
const maxLine = 100

// Print formats a file.
func Print(f *File) string {
	var b strings.Builder
	at := func(doc []string, first bool) {
		if !first {
			b.WriteByte('\n')
		}
		comment(&b, doc)
	}
	d, r := 0, 0
	first := true
	for d < len(f.Defines) || r < len(f.Rules) {
		if d < len(f.Defines) && (r == len(f.Rules) || f.Defines[d].Range.Start < f.Rules[r].Range.Start) {
			at(f.Defines[d].Doc, first)
			b.WriteString(f.Defines[d].String())
			d++
		} else {
			at(f.Rules[r].Doc, first)
			b.WriteString(f.Rules[r].String())
			r++
		}
		b.WriteByte('\n')
		first = false
	}
	if len(f.Tail) > 0 {
		at(f.Tail, first)
	}
	return b.String()
}

func comment(b *strings.Builder, doc []string) {
	for _, l := range doc {
		b.WriteString(strings.TrimRight("# "+l, " "))
		b.WriteByte('\n')
	}
}

func (d *Define) String() string {
	return broken(fmt.Sprintf("define %s(%s) =", d.Name, strings.Join(d.Params, ", ")), show(d.Body, 0), "")
}

func (r *Rule) String() string {
	name, head := "["+r.Name+"] ", "detect <"
	if r.Means != "" {
		name += "\"" + r.Means + "\"\n    "
	} else {
		name, head = "", name+head
	}
	for _, s := range r.State {
		head += s.String() + "; "
	}
	head += r.Point.String() + ">:"
	var chains []string
	for _, c := range r.Chains {
		chains = append(chains, "VPC("+c+")")
	}
	tail := ""
	if len(chains) > 0 {
		tail = ": " + strings.Join(chains, ", ")
	}
	return name + broken(head, show(r.Cond, 0), tail)
}

// broken writes a declaration on one line, or on two or three if it is long.
func broken(head, body, tail string) string {
	if len(head)+len(body)+len(tail)+1 <= maxLine {
		return head + " " + body + tail
	}
	if tail != "" && len(body)+len(tail)+4 > maxLine {
		return head + "\n    " + body + "\n    " + tail
	}
	return head + "\n    " + body + tail
}

func (p Point) String() string {
	s := p.Kind.String()
	if p.Kind == Call || p.Kind == Ret {
		s += " " + p.Func
	}
	return s + " " + p.Var
}

// precedence returns the precedence of an operator, as in parse.go.
func precedence(op string) int {
	for i, ops := range levels {
		for _, o := range ops {
			if o == op {
				return i + 1
			}
		}
	}
	return 0
}

// show writes an expression for a place where operators must bind at least as tightly as level.
func show(x Expr, level int) string {
	switch x := x.(type) {
	case *Name:
		return x.Text
	case *Number:
		switch {
		case x.Null:
			return "NULL"
		case x.Hex:
			return fmt.Sprintf("%#x", x.Value)
		}
		return fmt.Sprint(x.Value)
	case *Empty:
		return "{}"
	case *Not:
		return "!" + show(x.X, len(levels)+1)
	case *Apply:
		return x.Name + "(" + list(x.Args) + ")"
	case *FindLast:
		return "FindLast" + x.Event.String()
	case *Binary:
		p := precedence(x.Op)
		right := p + 1
		left := p
		if p == compareLevel+1 {
			left++
		}
		s := show(x.X, left) + " " + x.Op + " " + show(x.Y, right)
		if p < level {
			s = "(" + s + ")"
		}
		return s
	case *Quantified:
		s := "exists "
		if x.All {
			s = "forall "
		}
		s += x.Pattern.String() + " in " + x.In.String()
		if x.Such != nil {
			s += " suchthat (" + show(x.Such, 0) + ")"
		}
		if level > 0 {
			return "(" + s + ")"
		}
		return s
	}
	return "?"
}

func list(xs []Expr) string {
	var out []string
	for _, x := range xs {
		out = append(out, show(x, 0))
	}
	return strings.Join(out, ", ")
}

func (e EventPattern) String() string {
	s := "(" + show(e.Time, 0) + ", " + e.Kind.String()
	if len(e.Args) > 0 {
		s += ", " + list(e.Args)
	}
	return s + ")"
}

func (p Pattern) String() string {
	switch {
	case p.Event != nil:
		return "event" + p.Event.String()
	case p.Pointer != nil:
		return show(p.Pointer[0], 0) + " -> (" + show(p.Pointer[1], 0) + ", " + show(p.Pointer[2], 0) + ")"
	}
	return p.Block
}
