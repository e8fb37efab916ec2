package textedit

import (
	"fmt"
	"regexp"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file edits the arguments of a macro that is used as a statement: TAILQ_INSERT_TAIL(&q->idle, e, link). The
// statement is compiled as written, with another argument or another macro. The expansion itself is not edited.

// Bounds.
const (
	mostArguments   = 8
	mostOtherMacros = 6
)

// macroUse is a statement that uses a macro.
type macroUse struct {
	name       string
	file       *source.File
	start, end int            // including the semicolon
	args       []source.Range // without blanks around them
}

var usedName = regexp.MustCompile(`^[A-Za-z_]\w*`)

// useOf returns the use of a macro with arguments that a statement consists of; nil for other statements.
func useOf(st cfront.Stmt) *macroUse {
	r := st.Range()
	text := strings.TrimRight(r.Text(), "; \t\r\n")
	args := cfront.MacroArguments(text)
	if len(args) == 0 || len(args) > mostArguments {
		return nil
	}
	u := &macroUse{name: usedName.FindString(text), file: r.File, start: r.Start, end: WholeEnd(r.File, r.End)}
	for _, a := range args {
		u.args = append(u.args, source.Range{File: r.File, Start: r.Start + a[0], End: r.Start + a[1]})
	}
	return u
}

func isImplicit(x cfront.Expr) bool {
	c, ok := x.(*cfront.Cast)
	return ok && c.Implicit
}

// asUsed adds the use of a macro with changes in it.
func (s *Space) asUsed(u *macroUse, fn *cfront.Func, cost int, what string, changes []Change) *Edit {
	text, at := "", u.start
	for _, c := range changes {
		if c.File != u.file || c.Start < at || c.End > u.end {
			return nil
		}
		text += string(u.file.Text[at:c.Start]) + c.Text
		at = c.End
	}
	return s.add(Statement, fn, u.file, u.start, u.end, text+string(u.file.Text[at:u.end]), &Edit{What: what, Cost: cost, Changes: changes})
}

// argument lists replacements for an argument.
func (s *Space) argument(u *macroUse, i int, x cfront.Expr, fn *cfront.Func) {
	a := u.args[i]
	alt := func(cost int, what, t string) {
		s.asUsed(u, fn, cost, what, []Change{{a.File, a.Start, a.End, t}})
	}
	amp := ""
	if y, ok := x.(*cfront.Addr); ok && strings.HasPrefix(a.Text(), "&") {
		x, amp = y.X, "&"
	}
	switch y := cfront.Skip(x).(type) {
	case *cfront.Ref:
		for _, v := range Visible(s.tree, fn, a.File, a.Start) {
			if v != y.Var && s.inPlace(amp, v.Type, y.Type()) {
				alt(costPath, "another variable", amp+v.Name)
			}
		}
		if amp == "" {
			s.oneStepMore(y, a.Text(), costPath, alt)
		}
	case *cfront.Member:
		if !strings.HasSuffix(a.Text(), y.Field.Name) {
			return
		}
		base := strings.TrimSuffix(a.Text(), y.Field.Name)
		for _, f := range baseOf(y).Fields {
			if f.Name != "" && f.Name != y.Field.Name && (amp == "" || f.BitLen == 0) && s.inPlace(amp, f.Type, y.Type()) {
				alt(costPath, "another field", base+f.Name)
			}
		}
		if amp == "" {
			s.oneStepMore(y, a.Text(), costPath+1, alt)
		}
	case *cfront.Const:
		if integer(y) && strings.Trim(a.Text(), "0123456789") == "" {
			for _, d := range []int64{1, -1} {
				alt(costStep, AnotherConstant, fmt.Sprint(int64(y.Value)+d))
			}
		}
	}
}

// inPlace reports whether an object may replace another. Where its address is taken, the types must be the same.
func (s *Space) inPlace(amp string, t, of *ctype.Type) bool {
	if amp != "" {
		return sameType(t, of)
	}
	return s.fits(t, of)
}

// alikeMembers lists other members for one that is named to a macro: those of the same type, or with the same members,
// as the links of two lists.
func (s *Space) alikeMembers(u *macroUse, i int, m *cfront.Member, fn *cfront.Func) {
	a := u.args[i]
	for _, f := range baseOf(m).Fields {
		if f.Name != "" && f.Name != m.Field.Name && f.BitLen == 0 && sameMembers(f.Type, m.Type()) {
			s.asUsed(u, fn, costPath, "another field", []Change{{a.File, a.Start, a.End, f.Name}})
		}
	}
}

// sameMembers reports whether two types are the same, or structs whose members have the same names.
func sameMembers(a, b *ctype.Type) bool {
	if sameType(a, b) {
		return true
	}
	if a.Kind != ctype.Struct || b.Kind != ctype.Struct || len(a.Fields) != len(b.Fields) {
		return false
	}
	for i := range a.Fields {
		if a.Fields[i].Name != b.Fields[i].Name {
			return false
		}
	}
	return true
}

// definedMacro matches the head of a macro with parameters.
var definedMacro = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)\(([^)\n]*)\)`)

// otherMacros lists the macros of the program that have the same parameter names as the named one, and begin with the
// same word: LIST_INSERT_HEAD for LIST_INSERT_TAIL.
func (s *facts) otherMacros(name string) (out []string) {
	blanks := strings.NewReplacer(" ", "", "\t", "")
	params, found := "", false
	heads := [][2]string{}
	seen := map[string]bool{}
	for _, f := range s.tree.Files {
		for _, m := range definedMacro.FindAllSubmatch(f.Text, -1) {
			h := [2]string{string(m[1]), blanks.Replace(string(m[2]))}
			if h[0] == name {
				params, found = h[1], true
			}
			if !seen[h[0]] {
				seen[h[0]] = true
				heads = append(heads, h)
			}
		}
	}
	word, _, _ := strings.Cut(name, "_")
	for _, h := range heads {
		if first, _, _ := strings.Cut(h[0], "_"); found && h[0] != name && h[1] == params && first == word && len(out) < mostOtherMacros {
			out = append(out, h[0])
		}
	}
	return out
}

// used lists edits of the arguments of a macro that is used as a statement, and other macros with the same parameters.
func (s *Space) used(st cfront.Stmt, p place) {
	u := useOf(st)
	if u == nil {
		return
	}
	passed := make([]cfront.Expr, len(u.args))
	members := map[int]*cfront.Member{} // arguments that name a member
	cfront.WalkStmt(st, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			for i, a := range u.args { // an argument's expression is written like the argument
				if passed[i] == nil && !isImplicit(y) && source.Squeeze(cfront.Text(y)) == source.Squeeze(a.Text()) {
					passed[i] = y
				}
				if m, ok := y.(*cfront.Member); ok && m.Field.Name == a.Text() {
					members[i] = m
				}
			}
			return true
		})
	})
	for i, x := range passed {
		if x != nil {
			s.argument(u, i, x, p.fn)
		} else if m := members[i]; m != nil {
			s.alikeMembers(u, i, m, p.fn)
		}
	}
	for i, x := range passed {
		for j := i + 1; j < len(passed) && x != nil; j++ {
			if y := passed[j]; y != nil && x.Type() != nil && sameType(x.Type(), y.Type()) && u.args[i].Text() != u.args[j].Text() {
				s.asUsed(u, p.fn, costFlip+1, "exchange", []Change{
					{u.file, u.args[i].Start, u.args[i].End, u.args[j].Text()}, {u.file, u.args[j].Start, u.args[j].End, u.args[i].Text()}})
			}
		}
	}
	for _, other := range s.otherMacros(u.name) {
		s.asUsed(u, p.fn, costPath+1, "another macro", []Change{{u.file, u.start, u.start + len(u.name), other}})
	}
}
