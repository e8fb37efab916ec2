package textedit

import (
	"slices"
	"strings"

	"gulo/internal/cfront"
)

// This file repairs mistakes between the iterations of loops: a sum that is not reset before the next one, variables
// declared in the loop that begin anew each time, and work done for each word or run except the last one.

// Bounds and costs of these.
const (
	mostOfEach   = 12 // of each kind in a function
	mostRepeated = 6  // statements of a branch that are repeated after the loop
	costAnew     = 3
	costLastOne  = 4
)

// Descriptions of these edits.
const (
	notSetBack = "this variable must be set back in every iteration of the loop"
	declaredIn = "a variable declared in the loop begins anew in every iteration; declare it before the loop"
	lastOne    = "what the loop does for each one is not done for the last one, after the loop"
)

// Rounds lists these edits for functions.
func Rounds(funcs []*cfront.Func) (out []Suggested) {
	for _, fn := range funcs {
		if fn.Body == nil || InMacro(fn.Body) {
			continue
		}
		r := &rounds{fn: fn}
		r.block(fn.Body)
		for _, list := range [][]Suggested{r.anew, r.moved, r.last} {
			out = append(out, list[:min(len(list), mostOfEach)]...)
		}
	}
	return out
}

type rounds struct {
	fn                *cfront.Func
	anew, moved, last []Suggested
}

func (r *rounds) block(b *cfront.Block) {
	for _, st := range b.List {
		r.statement(st, b)
	}
}

func (r *rounds) statement(st cfront.Stmt, b *cfront.Block) {
	sub := func(x cfront.Stmt) {
		if in, ok := x.(*cfront.Block); ok {
			r.block(in)
		} else if x != nil {
			r.statement(x, &cfront.Block{Implicit: true})
		}
	}
	switch st := st.(type) {
	case *cfront.Block:
		r.block(st)
	case *cfront.If:
		sub(st.Then)
		if st.Else != nil {
			sub(st.Else)
		}
	case *cfront.Switch:
		sub(st.Body)
	case *cfront.While:
		r.loop(st, st.Body, b)
		sub(st.Body)
	case *cfront.For:
		r.loop(st, st.Body, b)
		sub(st.Body)
	}
}

func (r *rounds) loop(st, body cfront.Stmt, around *cfront.Block) {
	in, ok := body.(*cfront.Block)
	if !ok || in.Implicit || !st.Range().Valid() || !strings.HasPrefix(in.Range().Text(), "{") {
		return
	}
	r.setBack(st, in)
	if !around.Implicit {
		r.declared(st, in)
		r.lastOne(st, in, around)
	}
}

// written says how statements store to a variable.
type written struct{ plainly, onTop bool } // v = 0; v += x, v++, v = v + x

// storedIn returns how a statement stores to variables, without the heads of for loops.
func storedIn(st cfront.Stmt) map[*cfront.Var]written {
	out := map[*cfront.Var]written{}
	heads := map[cfront.Expr]bool{}
	cfront.WalkStmt(st, func(x cfront.Stmt) {
		if f, ok := x.(*cfront.For); ok {
			if f.Post != nil {
				heads[f.Post] = true
			}
			if in, ok := f.Init.(*cfront.ExprStmt); ok {
				heads[in.X] = true
			}
		}
	}, func(x cfront.Expr) {
		if heads[x] {
			return
		}
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch y := y.(type) {
			case *cfront.Assign:
				if v := variableOf(y.L); v != nil {
					w := out[v]
					if y.HasOp || slices.Contains(refsIn(y.R), v) {
						w.onTop = true
					} else {
						w.plainly = true
					}
					out[v] = w
				}
			case *cfront.IncDec:
				if v := variableOf(y.X); v != nil {
					out[v] = written{out[v].plainly, true}
				}
			}
			return true
		})
	})
	return out
}

// loopsIn returns the loops of a block, at any depth.
func loopsIn(b *cfront.Block) (out []cfront.Stmt) {
	cfront.WalkStmt(b, func(st cfront.Stmt) {
		switch st.(type) {
		case *cfront.While, *cfront.For:
			out = append(out, st)
		}
	}, nil)
	return out
}

// setBack lists resets of variables that an inner loop adds to and that nothing in the outer loop resets.
func (r *rounds) setBack(loop cfront.Stmt, body *cfront.Block) {
	var vars []*cfront.Var
	all := storedIn(body)
	product := map[*cfront.Var]bool{}
	for _, in := range loopsIn(body) {
		for v, w := range storedIn(in) {
			if w.onTop && !all[v].plainly && !slices.Contains(vars, v) && v.Func == r.fn && v.Storage == cfront.Local && v.Type.IsArith() &&
				v.Range.Valid() && v.Range.File == loop.Range().File && v.Range.Start < loop.Range().Start {
				vars = append(vars, v)
			}
		}
	}
	cfront.WalkStmt(body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if a, ok := y.(*cfront.Assign); ok && strings.Contains(a.Range().Text(), "*") {
				product[variableOf(a.L)] = true
			}
			return true
		})
	})
	slices.SortFunc(vars, func(a, b *cfront.Var) int { return a.Range.Start - b.Range.Start })
	for _, v := range vars {
		text := begun(r.fn, v, loop)
		if text == "" && product[v] {
			text = "1"
		} else if text == "" {
			text = "0"
		}
		r.anew = append(r.anew, Suggested{Func: r.fn, Where: Before, Node: body, Text: v.Name + " = " + text + ";", What: notSetBack, Cost: costAnew})
	}
}

// begun returns the constant that a variable holds before a loop; "" if it holds none.
func begun(fn *cfront.Func, v *cfront.Var, loop cfront.Stmt) (text string) {
	take := func(x cfront.Expr) {
		if r := x.Range(); r.Valid() && r.Start < loop.Range().Start {
			if text = ""; constant(x) {
				text = r.Text()
			}
		}
	}
	cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
		if d, ok := st.(*cfront.Decl); ok && d.Var == v && len(d.Init) == 1 {
			take(d.Init[0].X)
		}
	}, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if a, ok := y.(*cfront.Assign); ok && !a.HasOp && variableOf(a.L) == v {
				take(a.R)
			}
			return true
		})
	})
	return text
}

// declared moves declarations of variables that the loop adds to in front of the loop.
func (r *rounds) declared(loop cfront.Stmt, body *cfront.Block) {
	f := loop.Range().File
	before := map[string]bool{}
	for _, v := range Visible(&cfront.Program{}, r.fn, f, loop.Range().Start) {
		before[v.Name] = true
	}
	all := storedIn(body)
	var texts []string
	var gone []Change
	for _, st := range body.List {
		d, ok := st.(*cfront.Decl)
		if !ok {
			break
		}
		if d.Var.Func != r.fn || d.Var.Storage != cfront.Local || len(d.Init) != 1 || !constant(d.Init[0].X) || !all[d.Var].onTop || before[d.Var.Name] {
			continue
		}
		start, end := wholeDeclaration(d)
		if start < 0 || len(gone) > 0 && gone[len(gone)-1].Start >= start {
			continue
		}
		c := deletion(f, start, end)
		gone, texts = append(gone, c), append(texts, string(f.Text[start:end]))
	}
	if len(gone) == 0 {
		return
	}
	start := loop.Range().Start
	end := WholeEnd(f, loop.Range().End)
	ind := "\n" + f.Indent(start)
	front := strings.Join(texts, ind) + ind
	rest, at := "", start
	for _, c := range gone {
		rest, at = rest+string(f.Text[at:c.Start]), c.End
	}
	rest += string(f.Text[at:end])
	r.moved = append(r.moved, Suggested{Func: r.fn, Node: loop, Text: front + rest, What: declaredIn, Cost: costAnew, Changes: append([]Change{{f, start, start, front}}, gone...)})
}

// wholeDeclaration returns the range of a whole declaration, from its type to its semicolon; -1 where it is not clear.
func wholeDeclaration(d *cfront.Decl) (start, end int) {
	r := d.Var.Range
	if !r.Valid() {
		return -1, -1
	}
	t := r.File.Text
	for start = r.Start; start > 0 && strings.IndexByte(";{}", t[start-1]) < 0; start-- {
	}
	for start < r.Start && strings.IndexByte(" \t\r\n", t[start]) >= 0 {
		start++
	}
	if at := strings.IndexByte(string(t[r.End:]), ';'); at >= 0 && !strings.ContainsAny(string(t[start:r.End+at]), "{}\"'/#") {
		return start, r.End + at + 1
	}
	return -1, -1
}

// lastOne repeats, after a loop, what a branch in the loop does.
func (r *rounds) lastOne(loop cfront.Stmt, body, around *cfront.Block) {
	f := loop.Range().File
	for _, st := range body.List {
		choice, ok := st.(*cfront.If)
		if !ok {
			continue
		}
		branches := []cfront.Stmt{choice.Then}
		if choice.Else != nil {
			branches = append(branches, choice.Else)
		}
		for _, b := range branches {
			list := []cfront.Stmt{b}
			if in, ok := b.(*cfront.Block); ok {
				list = in.List
			}
			for len(list) > 0 && begins(list[len(list)-1]) { // resets for the next round, which does not come
				list = list[:len(list)-1]
			}
			if len(list) == 0 || len(list) > mostRepeated || slices.ContainsFunc(list, leaves) {
				continue
			}
			first, last := list[0].Range(), list[len(list)-1].Range()
			if !first.Valid() || !last.Valid() || first.File != f || last.File != f || first.Start >= last.End {
				continue
			}
			text := indented(string(f.Text[first.Start:WholeEnd(f, last.End)]), f.Indent(first.Start), f.Indent(loop.Range().Start))
			if !strings.HasSuffix(text, ";") && !strings.HasSuffix(text, "}") || !strings.Contains(text, "(") && len(list) == 1 {
				continue
			}
			r.last = append(r.last, Suggested{Func: r.fn, Where: Behind, Node: loop, Block: around, Text: text, What: lastOne, Cost: costLastOne})
		}
	}
}

// begins reports whether a statement stores a constant in a variable.
func begins(st cfront.Stmt) bool {
	x, ok := st.(*cfront.ExprStmt)
	if !ok {
		return false
	}
	a, ok := cfront.Skip(x.X).(*cfront.Assign)
	if !ok || a.HasOp || !constant(a.R) {
		return false
	}
	_, ok = cfront.Skip(a.L).(*cfront.Ref)
	return ok
}

// leaves reports whether a statement jumps or returns, or declares or labels something.
func leaves(st cfront.Stmt) (yes bool) {
	cfront.WalkStmt(st, func(x cfront.Stmt) {
		switch x.(type) {
		case *cfront.Jump, *cfront.Return, *cfront.Decl, *cfront.Label, *cfront.Case:
			yes = true
		}
	}, nil)
	return yes
}
