package output

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/repair/textedit"
)

// This file suggests statements that print the result, for programs that print nothing at all: one or two variables, a
// string, or the elements of an array. The wanted outputs give the text around the values.

const (
	whatSilent     = "the result is not printed"
	mostSilent     = 120 // suggestions
	mostSilentVars = 10  // variables that are printed in pairs
)

// silent lists statements that print a result, if no run prints anything.
func (a *Analysis) silent() []textedit.Suggested {
	var wants []string
	for i := range a.runs {
		if a.runs[i].Out != "" {
			return nil
		}
		if strings.TrimSpace(a.runs[i].Want) != "" {
			wants = append(wants, a.runs[i].Want)
		}
	}
	main := a.p.Tree.Func("main")
	if len(wants) == 0 || !a.prints() || main == nil || main.Body == nil || len(main.Body.List) == 0 {
		return nil
	}
	var out []textedit.Suggested
	if f, real := formatOf(wants); f != nil {
		out = append(out, a.silentValues(main, f, real)...)
	}
	if sep, end, ok := listOf(wants); ok {
		out = append(out, a.silentList(main, sep, end)...)
	}
	return out[:min(len(out), mostSilent)]
}

// aNumber matches a number in an output.
var aNumber = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?`)

var aName = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// formatOf returns the fixed texts of a format that prints all the outputs, with % escaped: one more than there are
// numbers. It returns nil if the outputs have no numbers or differ in more than the numbers. real is the conversion for
// real numbers; "" if all are integers.
func formatOf(wants []string) (texts []string, real string) {
	for i, w := range wants {
		now := aNumber.Split(w, -1)
		if i > 0 && !slices.Equal(now, texts) || len(now) < 2 {
			return nil, ""
		}
		texts = now
		for _, n := range aNumber.FindAllString(w, -1) {
			if at := strings.IndexByte(n, '.'); at >= 0 {
				c := fmt.Sprintf("%%.%df", len(n)-at-1)
				if real != "" && real != c {
					return nil, ""
				}
				real = c
			}
		}
	}
	for i := range texts {
		texts[i] = strings.ReplaceAll(texts[i], "%", "%%")
	}
	return texts, real
}

// silentValues lists statements that print one variable after a statement of main, or two variables at its end, and
// prints of the value that main returns.
func (a *Analysis) silentValues(main *cfront.Func, texts []string, real string) (out []textedit.Suggested) {
	conv := func(v *cfront.Var) string {
		switch {
		case v.Name == "" || !v.Range.Valid():
		case v.Type.IsInteger() && real == "" && v.Type.Size > 4:
			return "%ld"
		case v.Type.IsInteger() && real == "":
			return "%d"
		case v.Type.IsScalar() && !v.Type.IsInteger() && v.Type.Elem == nil:
			return real
		}
		return ""
	}
	list := main.Body.List
	for i, st := range list {
		if r, ok := st.(*cfront.Return); ok && len(texts) == 2 && real == "" && r.X != nil && plain(r.X) && cfront.Skip(r.X).Type().IsInteger() {
			in := r.Range().File.Indent(r.Range().Start)
			if _, constant := cfront.Skip(r.X).(*cfront.Const); !constant {
				out = append(out, textedit.Suggested{Func: main, Node: st, Text: "{\n" + in + "    printf(" + quoted(texts[0]+"%d"+texts[1], false) + ", " + r.X.Range().Text() + ");\n" + in + "    return 0;\n" + in + "}",
					What: "the result is returned, not printed", Cost: costMissing})
			}
		}
		if !ended(st) {
			continue
		}
		add := func(format, args string) {
			out = append(out, textedit.Suggested{Func: main, Where: textedit.Behind, Node: st, Block: main.Body, Text: "printf(" + quoted(format, false) + ", " + args + ");", What: whatSilent, Cost: costMissing})
		}
		last := i == len(list)-1 || !ended(list[i+1])
		for k, v := range main.Locals {
			c := conv(v)
			if c == "" || v.Range.Start > st.Range().Start {
				continue
			}
			switch {
			case len(texts) == 2:
				add(texts[0]+c+texts[1], v.Name)
			case len(texts) == 3 && last && k < mostSilentVars:
				out = append(out, a.echoed(main, st, v, texts, c, conv)...)
				for _, w := range main.Locals[:min(len(main.Locals), mostSilentVars)] {
					if d := conv(w); d != "" && w.Range.Start < st.Range().Start {
						add(texts[0]+c+texts[1]+d+texts[2], v.Name+", "+w.Name)
					}
				}
			}
		}
	}
	return out
}

// echoed lists statements that print another variable together with the value that v had before the last loop: a
// program that computes with its input must keep it for that.
func (a *Analysis) echoed(main *cfront.Func, st cfront.Stmt, v *cfront.Var, texts []string, c string, conv func(*cfront.Var) string) (out []textedit.Suggested) {
	switch st.(type) {
	case *cfront.While, *cfront.For:
	default:
		return nil
	}
	r := st.Range()
	f, end, name := r.File, textedit.WholeEnd(r.File, r.End), v.Name+"_read"
	kind := map[string]string{"%d": "int", "%ld": "long"}[c]
	if kind == "" || strings.Contains(string(f.Text), name) {
		return nil
	}
	for _, w := range main.Locals[:min(len(main.Locals), mostSilentVars)] {
		d := conv(w)
		if d == "" || w == v || w.Range.Start > r.Start {
			continue
		}
		kept, printed := kind+" "+name+" = "+v.Name+";", "printf("+quoted(texts[0]+c+texts[1]+d+texts[2], false)+", "+name+", "+w.Name+");"
		in := "\n" + f.Indent(r.Start)
		out = append(out, textedit.Suggested{Func: main, Node: st, What: whatSilent, Cost: costMissing,
			Text: "{ " + kept + " " + string(f.Text[r.Start:end]) + " " + printed + " }",
			Changes: []textedit.Change{
				{File: f, Start: end, End: end, Text: in + printed}, // the first change is the place that is reported
				{File: f, Start: r.Start, End: r.Start, Text: kept + in},
			}})
	}
	return out
}

// listOf returns the text between the integers of outputs that are nothing but lists of integers, and the text after
// the last one.
func listOf(wants []string) (sep, end string, ok bool) {
	for _, w := range wants {
		ms := aNumber.FindAllStringIndex(w, -1)
		if len(ms) == 0 || ms[0][0] != 0 || strings.Contains(w, ".") {
			return "", "", false
		}
		for i, m := range ms {
			if i == 0 {
				continue
			}
			s := w[ms[i-1][1]:m[0]]
			if s == "" || sep != "" && s != sep {
				return "", "", false
			}
			sep = s
		}
		e := w[ms[len(ms)-1][1]:]
		if ok && e != end {
			return "", "", false
		}
		end, ok = e, true
	}
	return sep, end, ok && sep != "" && !strings.Contains(sep, "%")
}

// silentList lists loops at the end of main that print the elements of an array. Their heads are copied from loops of
// main.
func (a *Analysis) silentList(main *cfront.Func, sep, end string) (out []textedit.Suggested) {
	list := main.Body.List
	at := len(list) - 1
	for at >= 0 && !ended(list[at]) {
		at--
	}
	if at < 0 {
		return nil
	}
	seen := map[string]bool{}
	loop := func(st cfront.Stmt) {
		l, ok := st.(*cfront.For)
		if !ok || !l.Range().Valid() || !l.Body.Range().Valid() || l.Body.Range().File != l.Range().File {
			return
		}
		head := strings.TrimSpace(string(l.Range().File.Text[l.Range().Start:l.Body.Range().Start]))
		m := countingHead.FindStringSubmatch(head)
		if m == nil || strings.ContainsAny(head, "\n,") {
			return
		}
		visit := func(x cfront.Expr) bool {
			ix, ok := x.(*cfront.Index)
			if !ok || !plain(x) || !ix.Type().IsInteger() || ix.Type().Size != 4 {
				return true
			}
			elem := ix.Range().Text()
			array := strings.TrimSuffix(elem, "["+m[1]+"]")
			if key := head + elem; array != elem && aName.MatchString(array) && !seen[key] {
				seen[key] = true
				out = append(out, a.printsList(main, list[at], head, elem, sep, end))
			}
			return true
		}
		cfront.WalkStmt(l.Body, nil, func(x cfront.Expr) { cfront.Walk(x, visit) })
	}
	for _, st := range list[:at+1] {
		loop(st)
	}
	return out
}

// countingHead matches the head of a for loop that counts.
var countingHead = regexp.MustCompile(`^for\s*\(\s*(?:int\s+)?([A-Za-z_]\w*)\s*=`)

func (a *Analysis) printsList(main *cfront.Func, behind cfront.Stmt, head, elem, sep, end string) textedit.Suggested {
	r := behind.Range()
	in := "\n" + r.File.Indent(r.Start)
	text := head + in + "    printf(" + quoted("%d"+sep, false) + ", " + elem + ");"
	if end != sep {
		v := elem[strings.IndexByte(elem, '[')+1 : len(elem)-1]
		text = head + " {" + in + "    if (" + v + " > 0)" + in + "        printf(" + quoted(sep, false) + ");" + in + "    printf(\"%d\", " + elem + ");" + in + "}"
		if end != "" {
			text += in + "printf(" + quoted(end, false) + ");"
		}
	}
	return textedit.Suggested{Func: main, Where: textedit.Behind, Node: behind, Block: main.Body, Text: text, What: whatSilent, Cost: costMissing}
}
