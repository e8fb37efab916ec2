package textedit

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file lists edits of the initial values of what is static: tables, and structs of
// functions. Such a value is no code, so the schema stores another one where main begins,
// or behind the declaration in a function, and takes const out of the declaration.

const (
	mostInitial = 400 // values of one variable
	mostTable   = 6   // other values of the same table that a value is exchanged for
)

// Statics lists the edits of all variables that are static and initialized.
func (s *Space) Statics() {
	main := s.tree.Func("main")
	if main == nil || main.Body == nil || InMacro(main.Body) {
		return
	}
	for _, v := range s.tree.Globals {
		if !v.Range.Valid() || strings.HasPrefix(v.Range.File.Name, "@") || len(v.Init) == 0 || len(v.Init) > mostInitial || v.Volatile {
			continue
		}
		fn, at := main, main.Body.Range().Start+1
		f := main.Body.Range().File
		if v.Func != nil {
			fn = v.Func
			if at = behind(v); at < 0 || fn.Body == nil {
				continue
			}
			f = v.Range.File
		}
		if v.Range.File != f || v.Range.Start > at {
			continue // not to be named there
		}
		before := s.Total
		t := table{s: s, v: v, fn: fn, f: f, at: at}
		t.values()
		t.exchanges()
		if s.Total > before {
			s.unconst(v)
		}
	}
}

// behind returns where the declaration of a static variable in a function ends; -1 where
// that cannot be seen.
func behind(v *cfront.Var) int {
	r := v.Init[len(v.Init)-1].X.Range()
	if !r.Valid() || r.File != v.Range.File {
		return -1
	}
	for i := r.End; i < len(r.File.Text); i++ {
		switch r.File.Text[i] {
		case ';':
			return i + 1
		case ' ', '\t', '\n', '\r', '}', ',', ')':
		default:
			return -1
		}
	}
	return -1
}

// table is the initial values of a variable.
type table struct {
	s  *Space
	v  *cfront.Var
	fn *cfront.Func
	f  *source.File
	at int // where others are stored
}

// store writes an assignment to a part of the variable.
func (t *table) store(in *cfront.Init, value string) string {
	to := &ctype.Type{Kind: ctype.Pointer, Elem: in.Type}
	return fmt.Sprintf("*(%s)((char *)&%s + %d) = %s;", to.Decl(""), t.v.Name, in.Offset, value)
}

func (t *table) add(cost int, what, alt string, changes ...Change) {
	for _, c := range changes {
		if !t.s.free(c.File, c.File.Position(c.Start).Line) {
			return
		}
	}
	if e := t.s.add(Initial, t.fn, t.f, t.at, t.at, alt, &Edit{What: what, Cost: cost, Changes: changes}); e != nil {
		e.Func = t.fn
	}
}

// spelt reports whether a value stands in the text.
func spelt(in *cfront.Init) bool {
	return in.Field == nil && in.X.Editable() && in.Type.IsScalar()
}

// values puts other values in the place of one.
func (t *table) values() {
	for i := range t.v.Init {
		in := &t.v.Init[i]
		if !spelt(in) {
			continue
		}
		r := in.X.Range()
		seen := map[string]bool{r.Text(): true}
		other := func(cost int, text string) {
			if !seen[text] {
				seen[text] = true
				t.add(cost, "another initial value", t.store(in, text), Change{r.File, r.Start, r.End, text})
			}
		}
		if c, ok := cfront.Skip(in.X).(*cfront.Const); ok && in.Type.IsInteger() && strings.Trim(r.Text(), "-0123456789") == "" {
			n := int64(c.Value)
			for _, m := range []int64{n + 1, n - 1} {
				other(costStep, strconv.FormatInt(m, 10))
			}
			for _, m := range []int64{0, 1, n * 10, n / 10, -n} {
				other(costPath, strconv.FormatInt(m, 10))
			}
		}
		n := 0
		for k := range t.v.Init {
			o := &t.v.Init[k]
			if d := k - i; d != 0 && d > -mostTable && d < mostTable && spelt(o) && sameType(o.Type, in.Type) && n < mostTable {
				n++
				other(costPath, o.X.Range().Text())
			}
		}
		if f, ok := cfront.Skip(in.X).(*cfront.FuncRef); ok {
			for _, g := range t.s.otherFunctions(f) {
				other(costPath, g)
			}
		}
	}
}

// otherFunctions names the functions of a function's type that may stand for it as a value.
func (s *Space) otherFunctions(f *cfront.FuncRef) (names []string) {
	r := f.Range()
	for _, g := range s.tree.Funcs {
		if g != f.Func && g.Name != "main" && s.declared(g, r.File, r.Start) && sameType(g.Type, f.Func.Type) {
			names = append(names, g.Name)
		}
	}
	return names
}

// exchanges exchanges values that stand beside each other.
func (t *table) exchanges() {
	for i := range t.v.Init {
		for k := i + 1; k < len(t.v.Init) && k <= i+2; k++ {
			a, b := &t.v.Init[i], &t.v.Init[k]
			if !spelt(a) || !spelt(b) || !sameType(a.Type, b.Type) {
				continue
			}
			x, y := a.X.Range(), b.X.Range()
			if x.File != y.File || x.End > y.Start || x.Text() == y.Text() {
				continue
			}
			t.add(costFlip+k-i-1, "two initial values exchanged", t.store(a, y.Text())+" "+t.store(b, x.Text()),
				Change{x.File, x.Start, x.End, y.Text()}, Change{y.File, y.Start, y.End, x.Text()})
		}
	}
}

var constWord = regexp.MustCompile(`\bconst\b`)

// unconst takes const out of a variable's declaration, in the schema alone.
func (s *Space) unconst(v *cfront.Var) {
	f := v.Range.File
	start := v.Range.Start
	for start > 0 && strings.IndexByte(";}{#", f.Text[start-1]) < 0 {
		start--
	}
	for _, m := range constWord.FindAllIndex(f.Text[start:v.Range.Start], -1) {
		s.Blanks = append(s.Blanks, Blank{f, start + m[0], start + m[1]})
	}
}

// Blank is text that a schema does not have.
type Blank struct {
	File       *source.File
	Start, End int
}
