package textedit

import (
	"regexp"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file makes a function take addresses where it changes only copies of its arguments. A call of
// void swap(int a, int b) has no effect on its caller.

// ByValue describes the edit of such a function.
const ByValue = "a function changes copies of its arguments; it needs their addresses"

const (
	costByValue = 4
	mostByValue = 4 // functions
)

// Addressed lists edits of functions that return nothing and store only to their parameters: the parameters become
// pointers, and every call passes addresses.
func Addressed(c Config, funcs []*cfront.Func) (out []*Edit) {
	for _, fn := range funcs {
		if len(out) == mostByValue {
			break
		}
		if e := addressed(c, fn); e != nil {
			out = append(out, e)
		}
	}
	return out
}

func addressed(c Config, fn *cfront.Func) *Edit {
	if fn.Body == nil || InMacro(fn.Body) || fn.Name == "main" || fn.Type.Result == nil || fn.Type.Result.Kind != ctype.Void {
		return nil
	}
	vars := changedCopies(fn)
	if len(vars) == 0 {
		return nil
	}
	var changes []Change
	put := func(r source.Range, text string) bool {
		if !r.Valid() || strings.HasPrefix(r.File.Name, "@") || c.Free != nil && !c.Free(r.File, r.Position().Line) {
			return false
		}
		changes = append(changes, Change{r.File, r.Start, r.End, text})
		return true
	}
	front := func(r source.Range, text string) bool {
		return put(source.Range{File: r.File, Start: r.Start, End: r.Start}, text)
	}
	ok := true
	for _, v := range vars {
		ok = ok && front(v.Range, "*")
	}
	cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
		behind := map[cfront.Expr]bool{} // operands of ++ and --
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch y := y.(type) {
			case *cfront.IncDec:
				behind[y.X] = true
			case *cfront.Addr:
				if v := variableOf(y.X); v != nil && slices.Contains(vars, v) {
					ok = ok && put(y.Range(), v.Name)
					return false
				}
			case *cfront.Ref:
				if slices.Contains(vars, y.Var) {
					text := "*" + y.Var.Name
					if behind[y] || besideSign(y.Range()) {
						text = "(" + text + ")"
					}
					ok = ok && y.Range().Text() == y.Var.Name && put(y.Range(), text)
				}
			}
			return true
		})
	})
	calls := 0
	for _, f := range c.Tree.Funcs {
		if f.Body == nil {
			continue
		}
		cfront.WalkStmt(f.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				switch y := y.(type) {
				case *cfront.Call:
					if r, direct := y.Fun.(*cfront.FuncRef); direct && r.Func == fn {
						calls++
						ok = ok && handsOver(y, fn, vars, front)
					}
				}
				return true
			})
		})
	}
	ok = ok && declaredTo(c.Tree, fn, vars, put)
	if !ok || calls == 0 {
		return nil
	}
	return &Edit{What: ByValue, Cost: costByValue, Func: fn, Changes: changes}
}

// besideSign reports whether a '/' stands directly before a place: together with a star it would begin a comment.
func besideSign(r source.Range) bool {
	return r.Valid() && r.Start > 0 && r.File.Text[r.Start-1] == '/'
}

// changedCopies returns the arithmetic parameters that a function stores to. If it calls scanf, printf or puts, they
// are those that scanf reads into. It returns none if the function has any other effect that a caller could see.
func changedCopies(fn *cfront.Func) []*cfront.Var {
	stored, read := map[*cfront.Var]bool{}, map[*cfront.Var]bool{}
	seen, calls := false, false
	store := func(l cfront.Expr) {
		r, ok := cfront.Skip(l).(*cfront.Ref)
		if seen = seen || !ok && !localArray(l, fn) || ok && r.Var.Func != fn; ok {
			stored[r.Var] = true
		}
	}
	cfront.WalkStmt(fn.Body, func(st cfront.Stmt) {
		switch st.(type) {
		case *cfront.Asm, *cfront.Opaque, *cfront.ComputedGoto:
			seen = true
		}
	}, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			switch y := y.(type) {
			case *cfront.Assign:
				store(y.L)
			case *cfront.IncDec:
				store(y.X)
			case *cfront.Call:
				f, ok := y.Fun.(*cfront.FuncRef)
				calls = true
				for _, a := range y.Args {
					if at, is := cfront.Skip(a).(*cfront.Addr); is && ok && f.Func.Name == "scanf" {
						read[variableOf(at.X)] = true
					}
				}
				seen = seen || !ok || f.Func.Name != "scanf" && f.Func.Name != "printf" && f.Func.Name != "puts"
			}
			return true
		})
	})
	from := stored
	if calls {
		from = read
	}
	var out []*cfront.Var
	for _, v := range fn.Params {
		if from[v] && v.Name != "" && v.Type.IsArith() && !seen {
			out = append(out, v)
		}
	}
	return out
}

// localArray reports whether l is an element of a local array of fn.
func localArray(l cfront.Expr, fn *cfront.Func) bool {
	x, ok := cfront.Skip(l).(*cfront.Index)
	if !ok {
		return false
	}
	v := variableOf(x)
	return v != nil && v.Func == fn && v.Storage == cfront.Local && v.Type.Kind == ctype.Array
}

// handsOver changes a call so that it passes addresses; false where an argument is not an object of the parameter's
// type.
func handsOver(call *cfront.Call, fn *cfront.Func, vars []*cfront.Var, front func(source.Range, string) bool) bool {
	if len(call.Args) != len(fn.Params) {
		return false
	}
	for i, v := range fn.Params {
		if !slices.Contains(vars, v) {
			continue
		}
		a := cfront.Skip(call.Args[i])
		switch a.(type) {
		case *cfront.Ref, *cfront.Index, *cfront.Member:
		default:
			return false
		}
		if !ctype.Same(a.Type(), v.Type) || !a.Editable() || !front(a.Range(), "&") {
			return false
		}
	}
	return true
}

// typeWord matches a word that is part of a type and so cannot be a parameter's name.
var typeWord = regexp.MustCompile(`^(int|char|short|long|unsigned|signed|float|double|const|_Bool|bool)$`)

// declaredTo changes the function's prototypes; false where one of them is not understood.
func declaredTo(tree *cfront.Program, fn *cfront.Func, vars []*cfront.Var, put func(source.Range, string) bool) bool {
	proto := regexp.MustCompile(`\bvoid\s+` + regexp.QuoteMeta(fn.Name) + `\s*\(([^()]*)\)\s*;`)
	for _, f := range tree.Files {
		for _, m := range proto.FindAllSubmatchIndex(f.Text, -1) {
			at := m[2]
			params := strings.Split(string(f.Text[m[2]:m[3]]), ",")
			if len(params) != len(fn.Params) {
				return false
			}
			for i, p := range params {
				end := at + len(strings.TrimRight(p, " \t\r\n"))
				words := strings.Fields(p)
				star, where := " *", end
				if n := len(words); n > 1 && !typeWord.MatchString(words[n-1]) {
					star, where = "*", end-len(words[n-1])
				}
				if slices.Contains(vars, fn.Params[i]) && !put(source.Range{File: f, Start: where, End: where}, star) {
					return false
				}
				at += len(p) + 1
			}
		}
	}
	return true
}
