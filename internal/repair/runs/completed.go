package runs

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// This file extends a repair to branches that no test executes: if it changes how a text begins or ends that one branch
// prints last, such as its quotes or its newline, and the texts of parallel branches begin and end as it did, that is the
// same mistake.

// completed returns a repair that also changes the texts of parallel branches; nil if there are none.
func (w *Search) completed(r *schema.Repair) *schema.Repair {
	changed := map[string]*framing{} // by the literals with the change
	for _, e := range r.Edits {
		for _, c := range e.Changes {
			before := string(c.File.Text[c.Start:c.End])
			if textLiteral.FindString(before) != before || textLiteral.FindString(c.Text) != c.Text {
				continue
			}
			if f := framingOf(unquoted(before), unquoted(c.Text)); f != nil {
				changed[c.Text] = f
			}
		}
	}
	if len(changed) == 0 {
		return nil
	}
	tree, err := cfront.Edited(w.t.Prog.Tree.Units(), w.t.Job.Options, r.Texts)
	if err != nil {
		return nil
	}
	var more []*textedit.Edit
	seen := map[source.Range]bool{}
	like := func(in *cfront.Func, calls []*cfront.Call, from *cfront.Call, arg int, f *framing) {
		for _, c := range calls {
			s := textOf(c, from, arg)
			if c == from || s == nil || seen[s.Range()] || slices.Contains(w.t.Job.Lock, s.Range().Position().Line) {
				continue
			}
			if text, ok := f.apply(unquoted(s.Range().Text())); ok && textLiteral.FindString(s.Range().Text()) == s.Range().Text() {
				seen[s.Range()] = true
				more = append(more, &textedit.Edit{What: "another text begins or ends in the same way", Cost: 1, Func: in, Changes: []textedit.Change{{File: s.Range().File, Start: s.Range().Start, End: s.Range().End, Text: `"` + text + `"`}}})
			}
		}
	}
	for _, f := range tree.Funcs {
		if f.Body == nil || !f.Range.Valid() || strings.HasPrefix(f.Range.File.Name, "@") {
			continue
		}
		cfront.WalkStmt(f.Body, func(st cfront.Stmt) {
			calls := lastCalls(st)
			for _, c := range calls {
				for k := range c.Args {
					if s := textOf(c, c, k); s != nil && changed[s.Range().Text()] != nil {
						like(f, calls, c, k, changed[s.Range().Text()])
					}
				}
			}
		}, nil)
	}
	texts, ok := textedit.Apply(more...)
	if len(more) == 0 || !ok {
		return nil
	}
	all := &schema.Repair{Edits: append(slices.Clone(r.Edits), more...), Cost: r.Cost + len(more), Texts: map[string]string{}}
	for name, text := range r.Texts {
		all.Texts[name] = text
	}
	for name, text := range texts {
		all.Texts[name] = text
	}
	return all
}

// lastCalls returns the calls that the branches of an if-else chain or a switch end with.
func lastCalls(st cfront.Stmt) (out []*cfront.Call) {
	switch st := st.(type) {
	case *cfront.If:
		if st.Else != nil {
			for _, b := range []cfront.Stmt{st.Then, st.Else} {
				out = append(out, endsWith(b)...)
			}
		}
	case *cfront.Switch:
		if b, ok := st.Body.(*cfront.Block); ok {
			for i, s := range b.List {
				if next := leaves(s); i+1 == len(b.List) || next {
					last := s
					if next && i > 0 {
						last = b.List[i-1]
					}
					for c, ok := last.(*cfront.Case); ok; c, ok = last.(*cfront.Case) {
						last = c.Body
					}
					out = append(out, endsWith(last)...)
				}
			}
		}
	}
	return out
}

// endsWith returns the calls that a statement ends with.
func endsWith(st cfront.Stmt) []*cfront.Call {
	switch st := st.(type) {
	case *cfront.Block:
		n := len(st.List)
		if n > 1 && leaves(st.List[n-1]) {
			n--
		}
		if n > 0 {
			return endsWith(st.List[n-1])
		}
	case *cfront.If:
		return lastCalls(st)
	case *cfront.ExprStmt:
		if c, ok := st.X.(*cfront.Call); ok {
			return []*cfront.Call{c}
		}
	}
	return nil
}

// leaves reports whether a statement is a jump out of a branch.
func leaves(st cfront.Stmt) bool {
	switch st.(type) {
	case *cfront.Jump, *cfront.Return:
		return true
	}
	return false
}

// textOf returns the text that a call has as an argument if it calls the same function as another one; else nil.
func textOf(c, as *cfront.Call, arg int) *cfront.String {
	f, ok := c.Fun.(*cfront.FuncRef)
	g, ok2 := as.Fun.(*cfront.FuncRef)
	if !ok || !ok2 || f.Func.Name != g.Func.Name || arg >= len(c.Args) {
		return nil
	}
	if s, ok := cfront.Skip(c.Args[arg]).(*cfront.String); ok && s.Editable() {
		return s
	}
	return nil
}

// framing is a change of how a text begins and ends, in its characters and escape sequences.
type framing struct{ head, newHead, tail, newTail []string }

// character matches a character of a literal, or an escape sequence.
var character = regexp.MustCompile(`\\(?:[0-7]{1,3}|x[0-9a-fA-F]+|.)|[^\\]`)

// unquoted splits a literal into its characters and escape sequences.
func unquoted(literal string) []string { return character.FindAllString(literal[1:len(literal)-1], -1) }

// framingOf returns how one text is framed otherwise than another one; nil if they differ in more than that.
func framingOf(before, after []string) *framing {
	best, from, to := 0, 0, 0 // what they have in common
	for i := range before {
		for k := range after {
			n := 0
			for i+n < len(before) && k+n < len(after) && before[i+n] == after[k+n] {
				n++
			}
			if n > best {
				best, from, to = n, i, k
			}
		}
	}
	f := &framing{before[:from], after[:to], before[from+best:], after[to+best:]}
	if !worded(before[from:from+best]) || worded(f.head) || worded(f.newHead) || worded(f.tail) || worded(f.newTail) {
		return nil
	}
	return f
}

// worded reports whether a text says something: it has a letter, a digit or a conversion.
func worded(text []string) bool {
	return slices.ContainsFunc(text, func(c string) bool {
		return c == "%" || len(c) == 1 && (c[0] >= '0' && c[0] <= '9' || c[0]|0x20 >= 'a' && c[0]|0x20 <= 'z') || c[0] >= 0x80
	})
}

// apply frames a text otherwise; ok is false if it is not framed as the other one was.
func (f *framing) apply(text []string) (out string, ok bool) {
	n := len(text) - len(f.head) - len(f.tail)
	if n <= 0 || !slices.Equal(text[:len(f.head)], f.head) || !slices.Equal(text[len(text)-len(f.tail):], f.tail) {
		return "", false
	}
	rest := text[len(f.head) : len(f.head)+n]
	head, tail := f.newHead, f.newTail
	if len(f.head) == 0 && len(head) > 0 && n >= len(head) && slices.Equal(rest[:len(head)], head) { // it is there
		head = nil
	}
	if len(f.tail) == 0 && len(tail) > 0 && n >= len(tail) && slices.Equal(rest[n-len(tail):], tail) {
		tail = nil
	}
	out = strings.Join(slices.Concat(head, rest, tail), "")
	return out, worded(rest) && out != strings.Join(text, "")
}

// complete judges a repair that changes the texts of all parallel branches instead of one. done is false if there is no such
// repair or it was refuted.
func (w *Search) complete(ctx context.Context, r *schema.Repair, judge func(context.Context, *schema.Repair) (schema.Verdict, error)) (v schema.Verdict, done bool, err error) {
	all := w.completed(r)
	if all == nil {
		return v, false, nil
	}
	v, err = judge(ctx, all)
	if err == nil && v.Refuted && !w.isAside(all.Texts) {
		w.t.Job.Best.Drop(all.Texts)
	}
	return v, err == nil && !v.Refuted, err
}
