package textedit

import (
	"regexp"
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file lists edits of declarations: other types for variables, together with the conversions that read and print
// them; arrays with more elements; local arrays that are returned; and variables that hide another one that should be
// assigned to. A declaration cannot be an alternative in a schema, so each of these edits is compiled as a program of
// its own.

// Retype says which edits of declarations make sense for what a program does wrong.
type Retype struct {
	Real   bool // a number with a decimal point is wanted
	Large  bool // a number that does not fit an int is wanted or read
	Small  bool // a character variable may be too small for its values
	Bounds bool // an array is accessed out of bounds
}

// costRetype is the cost of another type or size.
const costRetype = 3

// tooLarge is what edits that give a number a wider type are called.
const tooLarge = "a number too large for its type"

// Retyped lists edits of declarations and casts in functions, the likeliest first.
func Retyped(c Config, funcs []*cfront.Func, want Retype) []*Edit {
	s := New(c)
	var out []*Edit
	for _, fn := range funcs {
		if fn.Body == nil || InMacro(fn.Body) {
			continue
		}
		for _, d := range s.declarations(fn) {
			out = append(append(out, d.kept()...), d.hidden(s)...)
			if want.Real {
				out = append(out, d.each(s, "double", "a real number in a variable for integers", "int", "long", "float")...)
				out = append(out, d.retyped(s, "double", "a real number in a variable for integers", "int", "long", "float")...)
			}
			if want.Large {
				out = append(out, d.retyped(s, "long long", tooLarge, "int", "short", "char")...)
			}
			if want.Small {
				out = append(out, d.retyped(s, "int", "a type too small for its values", "char", "short", "unsigned char")...)
			}
		}
	}
	if want.Large {
		out = append(out, s.castWider(funcs)...)
	}
	if want.Small {
		out = append(out, s.wider(funcs)...)
	}
	if want.Bounds {
		out = append(out, s.larger(funcs)...)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Cost < out[j].Cost })
	return out
}

// widerThan gives for a type the next one that holds more.
var widerThan = map[string]string{
	"uint8_t": "uint16_t", "uint16_t": "uint32_t", "int8_t": "int16_t", "int16_t": "int32_t",
	"unsigned char": "unsigned", "unsigned short": "unsigned", "signed char": "int", "char": "int", "short": "int",
}

var narrow = regexp.MustCompile(`^(?:(?:static|volatile)[ \t]+)*((?:unsigned|signed)[ \t]+char|unsigned[ \t]+short|u?int(?:8|16)_t|char|short)[ \t]+$`)

// wider gives the next larger type to small integers at file scope that functions compute. Variables whose address is
// taken are left out, because pointers to them would have the old type.
func (s *facts) wider(funcs []*cfront.Func) []*Edit {
	var out []*Edit
	for _, v := range s.tree.Globals {
		r := v.Range
		if v.Func != nil || v.Qual&ctype.Const != 0 || !v.Type.IsInteger() || v.Type.Size > 2 || !r.Valid() || r.Text() != v.Name || !s.free(r.File, r.Position().Line) {
			continue
		}
		at := r.Start
		for at > 0 && strings.IndexByte(";{}(),\n", r.File.Text[at-1]) < 0 {
			at--
		}
		m := narrow.FindSubmatchIndex(r.File.Text[at:r.Start])
		fn := computes(funcs, v)
		if m == nil || fn == nil || s.pointedTo(v) {
			continue
		}
		old := strings.Join(strings.Fields(string(r.File.Text[at+m[2]:at+m[3]])), " ")
		if to := widerThan[old]; to != "" {
			out = append(out, &Edit{What: "a type too small for its values", Cost: costRetype, Func: fn, Changes: []Change{{r.File, at + m[2], at + m[3], to}}})
		}
	}
	return out
}

// pointedTo reports whether the program takes the address of a variable at file scope.
func (s *facts) pointedTo(v *cfront.Var) bool {
	found := false
	look := func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if a, ok := y.(*cfront.Addr); ok && refers(a.X, v) {
				found = true
			}
			return !found
		})
	}
	for _, g := range s.tree.Globals {
		for _, in := range g.Init {
			look(in.X)
		}
	}
	for _, f := range s.tree.Funcs {
		if f.Body == nil {
			continue
		}
		cfront.WalkStmt(f.Body, nil, look)
	}
	return found
}

// computes returns the first function that assigns anything but a constant to a variable; nil for none.
func computes(funcs []*cfront.Func, v *cfront.Var) *cfront.Func {
	for _, fn := range funcs {
		if fn.Body == nil {
			continue
		}
		found := false
		cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				var to cfront.Expr
				switch y := y.(type) {
				case *cfront.Assign:
					if _, constant := cfront.Skip(y.R).(*cfront.Const); !constant || y.HasOp {
						to = y.L
					}
				case *cfront.IncDec:
					to = y.X
				}
				if to != nil && refers(to, v) {
					found = true
				}
				return !found
			})
		})
		if found {
			return fn
		}
	}
	return nil
}

// declaration is a declaration of one or more local variables.
type declaration struct {
	fn   *cfront.Func
	file *source.File
	at   int // offset of its beginning
	vars []*cfront.Var
}

var specifiers = regexp.MustCompile(`^(unsigned char|char|short|int|long|float)\b[ \t]*`)

// declarations returns the declarations of a function's local variables, without parameters.
func (s *facts) declarations(fn *cfront.Func) []*declaration {
	var out []*declaration
	for _, v := range fn.Locals {
		r := v.Range
		if !r.Valid() || r.Text() != v.Name || r.File != fn.Body.Range().File || r.Start < fn.Body.Range().Start || !s.free(r.File, r.Position().Line) {
			continue
		}
		at := r.Start
		for at > 0 && strings.IndexByte(";{}(", r.File.Text[at-1]) < 0 {
			at--
		}
		for at < r.Start && strings.IndexByte(" \t\r\n", r.File.Text[at]) >= 0 {
			at++
		}
		if n := len(out); n > 0 && out[n-1].at == at {
			out[n-1].vars = append(out[n-1].vars, v)
			continue
		}
		out = append(out, &declaration{fn, r.File, at, []*cfront.Var{v}})
	}
	return out
}

// retyped gives all variables of a declaration another type.
func (d *declaration) retyped(s *Space, to, what string, from ...string) []*Edit {
	m := specifiers.FindString(string(d.file.Text[d.at:]))
	old := strings.TrimSpace(m)
	known := false
	for _, f := range from {
		known = known || f == old
	}
	if !known || d.at+len(m) > d.vars[0].Range.Start || strings.Contains(string(d.file.Text[d.at+len(m):d.vars[0].Range.Start]), "long") {
		return nil
	}
	if d.texts() {
		return nil
	}
	changes := append([]Change{{d.file, d.at, d.at + len(old), to}}, d.conversions(to)...)
	return []*Edit{{What: what, Cost: costRetype, Func: d.fn, Changes: changes}}
}

// conversions returns the changes of formats that read or print the variables.
func (d *declaration) conversions(to string) (out []Change) {
	cfront.WalkStmt(d.fn.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if c, ok := y.(*cfront.Call); ok {
				out = append(out, d.converted(c, to)...)
			}
			return true
		})
	})
	return out
}

// mostEach bounds the variables that each moves out of one declaration.
const mostEach = 6

// each gives one variable of several in a declaration another type, in a declaration of its own.
func (d *declaration) each(s *Space, to, what string, from ...string) []*Edit {
	if len(d.vars) < 2 {
		return nil
	}
	all := d.retyped(s, to, what, from...)
	if len(all) != 1 {
		return nil
	}
	text := string(d.file.Text)
	parts, end := declarators(text, d.at+len(specifiers.FindString(text[d.at:])))
	if len(parts) != len(d.vars) || strings.HasSuffix(strings.TrimRight(text[:d.at], " \t\r\n"), "(") { // the head of a for loop
		return nil
	}
	line := strings.LastIndexByte(text[:d.at], '\n') + 1
	indent := text[line:d.at]
	if strings.TrimSpace(indent) != "" {
		indent = ""
	}
	var out []*Edit
	for i, v := range d.vars[:min(len(d.vars), mostEach)] {
		p := parts[i]
		own := strings.TrimSpace(text[p[0]:p[1]])
		if v.Range.Start < p[0] || v.Range.Start >= p[1] || strings.HasPrefix(own, "*") {
			continue
		}
		gone := Change{d.file, p[0], p[1], ""}
		if i > 0 {
			gone.Start = parts[i-1][1]
		} else {
			gone.End = parts[1][0]
		}
		one := &declaration{d.fn, d.file, d.at, []*cfront.Var{v}}
		changes := one.conversions(to)
		changes = append(changes, gone, Change{d.file, end + 1, end + 1, "\n" + indent + to + " " + own + ";"})
		out = append(out, &Edit{What: what, Cost: costRetype, Func: d.fn, Changes: changes})
	}
	return out
}

// declarators returns the ranges of a declaration's declarators, from the offset where the first begins, and the offset
// of its semicolon; nil if it contains a literal or a comment.
func declarators(text string, at int) (parts [][2]int, end int) {
	depth, start := 0, at
	for i := at; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"' || c == '\'' || c == '/':
			return nil, 0 // only numbers as initial values, and no comments
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case c == ',' && depth == 0:
			parts = append(parts, [2]int{start, i})
			start = i + 1
			for start < len(text) && strings.IndexByte(" \t\r\n", text[start]) >= 0 {
				start++
			}
		case c == ';' && depth == 0:
			return append(parts, [2]int{start, i}), i
		}
	}
	return nil, 0
}

// texts reports whether a declaration has a character array that is passed to a call: a string must stay an array of
// char.
func (d *declaration) texts() bool {
	found := false
	cfront.WalkStmt(d.fn.Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			c, ok := y.(*cfront.Call)
			if !ok {
				return true
			}
			for _, a := range c.Args {
				for _, v := range d.vars {
					found = found || refers(cfront.Skip(a), v) && v.Type.Kind == ctype.Array && v.Type.Elem.IsInteger() && v.Type.Elem.Size == 1
				}
			}
			return true
		})
	})
	return found
}

// formats are the functions with a format, and its index among the arguments.
var formats = map[string]int{"printf": 0, "scanf": 0, "fprintf": 1, "fscanf": 1, "sscanf": 1}

// converted returns the changes of a call's format for variables of another type.
func (d *declaration) converted(c *cfront.Call, to string) []Change {
	return reformatted(c, to, func(x cfront.Expr, reads bool) bool { return d.names(x, reads) })
}

// reformatted returns the changes of a call's format for the arguments that get another type.
func reformatted(c *cfront.Call, to string, concerns func(x cfront.Expr, reads bool) bool) []Change {
	f, ok := c.Fun.(*cfront.FuncRef)
	if !ok {
		return nil
	}
	at, ok := formats[f.Func.Name]
	if !ok || at >= len(c.Args) {
		return nil
	}
	str, ok := cfront.Skip(c.Args[at]).(*cfront.String)
	if dec, is := cfront.Skip(c.Args[at]).(*cfront.Decay); is {
		str, ok = dec.X.(*cfront.String)
	}
	if !ok || !str.Editable() {
		return nil
	}
	reads := strings.HasSuffix(f.Func.Name, "scanf")
	r := str.Range()
	n := at
	var out []Change
	for _, m := range conversion.FindAllStringSubmatchIndex(r.Text(), -1) {
		if n++; n >= len(c.Args) {
			break
		}
		if !concerns(c.Args[n], reads) {
			continue
		}
		conv := r.Text()[m[0]:m[1]]
		if now := conversionFor(conv, to, reads); now != conv {
			out = append(out, Change{r.File, r.Start + m[0], r.Start + m[1], now})
		}
	}
	return out
}

// names reports whether the type of an argument depends on the type of the variables.
func (d *declaration) names(x cfront.Expr, reads bool) bool {
	found := false
	cfront.Walk(x, func(y cfront.Expr) bool {
		switch y := y.(type) {
		case *cfront.Ref:
			for _, v := range d.vars {
				found = found || y.Var == v
			}
		case *cfront.Index:
			if reads || !within(y.X, y) {
				return true
			}
			found = found || d.names(y.X, reads)
			return false
		case *cfront.Call, *cfront.Logical, *cfront.LogicalNot:
			return false
		case *cfront.Binary:
			return !y.Op.IsCompare()
		}
		return true
	})
	return found
}

// smallCast matches a cast to a type that is smaller than long long.
var smallCast = regexp.MustCompile(`^\(\s*(int|short|long|char)\s*\)`)

// castWider lists casts to a wider type, each with the conversion that prints its value.
func (s *facts) castWider(funcs []*cfront.Func) (out []*Edit) {
	for _, fn := range funcs {
		if fn.Body == nil || InMacro(fn.Body) {
			continue
		}
		var casts []*cfront.Cast
		var calls []*cfront.Call
		cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				switch y := y.(type) {
				case *cfront.Cast:
					if !y.Implicit && y.Editable() && smallCast.MatchString(y.Range().Text()) {
						casts = append(casts, y)
					}
				case *cfront.Call:
					calls = append(calls, y)
				}
				return true
			})
		})
		for _, x := range casts {
			r := x.Range()
			m := smallCast.FindStringSubmatchIndex(r.Text())
			if !s.free(r.File, r.Position().Line) {
				continue
			}
			changes := []Change{{r.File, r.Start + m[2], r.Start + m[3], "long long"}}
			for _, c := range calls {
				changes = append(changes, reformatted(c, "long long", func(a cfront.Expr, reads bool) bool { return !reads && of(a, x) })...)
			}
			out = append(out, &Edit{What: tooLarge, Cost: costRetype, Func: fn, Changes: changes})
		}
	}
	return out
}

// of reports whether an argument has the type of a cast in it.
func of(a cfront.Expr, cast *cfront.Cast) bool {
	switch x := a.(type) {
	case *cfront.Cast:
		return x == cast || x.Implicit && of(x.X, cast)
	case *cfront.Binary:
		return !x.Op.IsCompare() && (of(x.X, cast) || of(x.Y, cast))
	}
	return false
}

// conversionFor returns a conversion for a value of another type.
func conversionFor(conv, to string, reads bool) string {
	m := conversion.FindStringSubmatch(conv)
	flags := m[1] + m[2]
	switch {
	case strings.IndexByte("sp", conv[len(conv)-1]) >= 0:
		return conv
	case to == "double" && reads:
		return "%" + flags + "lf"
	case to == "double":
		return "%" + flags + m[3] + "f"
	case to == "long long":
		return "%" + flags + "lld"
	case strings.HasSuffix(conv, "c") && reads:
		return conv
	case strings.HasSuffix(conv, "c"):
		return conv
	}
	return "%" + flags + m[3] + m[5]
}

const costHidden = 1 // certainly a mistake

// kept makes a local array static if its function returns it.
func (d *declaration) kept() []*Edit {
	if strings.HasPrefix(string(d.file.Text[d.at:]), "static") {
		return nil
	}
	for _, v := range d.vars {
		if v.Type.Kind == ctype.Array && v.VLALen == nil && returnedBy(d.fn, v) {
			return []*Edit{{What: "the returned variable ends with the function", Cost: costHidden, Func: d.fn, Changes: []Change{{d.file, d.at, d.at, "static "}}}}
		}
	}
	return nil
}

// returnedBy reports whether a function returns a variable's address.
func returnedBy(fn *cfront.Func, v *cfront.Var) bool {
	found := false
	cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
		r, ok := st.(*cfront.Return)
		if !ok || r.X == nil {
			return
		}
		found = found || refers(r.X, v)
	}, nil)
	return found
}

// hidden makes an initialized declaration an assignment, where another variable of the same name and type is visible.
func (d *declaration) hidden(s *Space) []*Edit {
	v := d.vars[0]
	end := v.Range.End
	if len(d.vars) > 1 || !v.Type.IsScalar() || v.Storage == cfront.Static || !strings.HasPrefix(strings.TrimLeft(string(d.file.Text[end:]), " \t"), "=") {
		return nil
	}
	for _, w := range Visible(s.tree, d.fn, d.file, d.at) {
		if w != v && w.Name == v.Name && sameType(w.Type, v.Type) && w.Qual&ctype.Const == 0 {
			return []*Edit{{What: "this declaration hides another variable of the same name", Cost: costHidden, Func: d.fn, Changes: []Change{{d.file, d.at, v.Range.Start, ""}}}}
		}
	}
	return nil
}
