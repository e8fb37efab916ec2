package cfront

// Children calls f for the direct operands of x.
func Children(x Expr, f func(Expr)) {
	switch x := x.(type) {
	case *Decay:
		f(x.X)
	case *Unary:
		f(x.X)
	case *LogicalNot:
		f(x.X)
	case *Deref:
		f(x.X)
		if x.Count != nil {
			f(x.Count)
		}
	case *Addr:
		f(x.X)
	case *Member:
		f(x.X)
	case *Index:
		f(x.X)
		f(x.I)
		if x.Count != nil {
			f(x.Count)
		}
	case *Binary:
		f(x.X)
		f(x.Y)
	case *Logical:
		f(x.X)
		f(x.Y)
	case *Cond:
		f(x.C)
		f(x.A)
		f(x.B)
	case *Comma:
		f(x.X)
		f(x.Y)
	case *Assign:
		f(x.L)
		f(x.R)
	case *IncDec:
		f(x.X)
	case *Call:
		f(x.Fun)
		for _, a := range x.Args {
			f(a)
		}
	case *Cast:
		f(x.X)
	case *Compound:
		for _, in := range x.Init {
			f(in.X)
		}
	case *Part:
		f(x.X)
	case *VaArg:
		f(x.X)
	case *VaStart:
		f(x.X)
	case *StmtExpr:
		WalkStmt(x.Body, nil, f)
	}
}

// Walk calls f for x and all expressions below it, parents first. It visits the operands of an expression only
// if f returns true for it.
func Walk(x Expr, f func(Expr) bool) {
	if f(x) {
		Children(x, func(c Expr) { Walk(c, f) })
	}
}

// HasCall reports whether evaluating x may call a function.
func HasCall(x Expr) bool {
	found := false
	Walk(x, func(e Expr) bool {
		switch e.(type) {
		case *Call, *StmtExpr:
			found = true
		}
		return !found
	})
	return found
}

// Pure reports whether evaluating x changes nothing.
func Pure(x Expr) bool {
	pure := true
	Walk(x, func(e Expr) bool {
		switch e.(type) {
		case *Call, *StmtExpr, *Assign, *IncDec, *VaArg, *VaStart, *Compound:
			pure = false
		}
		return pure
	})
	return pure
}

// WalkStmt calls fs for s and every statement below it, parents first, and fx
// for every whole expression in them. Either may be nil.
func WalkStmt(s Stmt, fs func(Stmt), fx func(Expr)) {
	if s == nil {
		return
	}
	if fs != nil {
		fs(s)
	}
	do := func(x Expr) {
		if x != nil && fx != nil {
			fx(x)
		}
	}
	sub := func(s Stmt) { WalkStmt(s, fs, fx) }
	switch s := s.(type) {
	case *ExprStmt:
		do(s.X)
	case *Decl:
		for _, in := range s.Init {
			do(in.X)
		}
	case *Block:
		for _, t := range s.List {
			sub(t)
		}
	case *If:
		do(s.Cond)
		sub(s.Then)
		if s.Else != nil {
			sub(s.Else)
		}
	case *While:
		do(s.Cond)
		sub(s.Body)
	case *For:
		if s.Init != nil {
			sub(s.Init)
		}
		do(s.Cond)
		do(s.Post)
		sub(s.Body)
	case *Switch:
		do(s.X)
		sub(s.Body)
	case *Case:
		sub(s.Body)
	case *Label:
		sub(s.Body)
	case *ComputedGoto:
		do(s.X)
	case *Sizes:
		for _, x := range s.X {
			do(x)
		}
	case *Asm:
		for _, o := range s.Out {
			do(o.X)
		}
		for _, o := range s.In {
			do(o.X)
		}
	case *Return:
		do(s.X)
	}
}

// Callees returns the functions with a body that f may call, directly or through others: all whose names are used. f is
// included if it has a body.
func Callees(f *Func) map[*Func]bool {
	seen := map[*Func]bool{}
	var walk func(f *Func)
	walk = func(f *Func) {
		if seen[f] || f.Body == nil {
			return
		}
		seen[f] = true
		WalkStmt(f.Body, nil, func(x Expr) {
			Walk(x, func(y Expr) bool {
				if r, ok := y.(*FuncRef); ok {
					walk(r.Func)
				}
				return true
			})
		})
	}
	walk(f)
	return seen
}
