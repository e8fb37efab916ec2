package lower

import (
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/ir"
)

// This file calls the functions of __attribute__((cleanup)) where control
// leaves the scope of their variables, and ends variables there.

// ends ends variables, where that is asked for (Options.Scopes).
func (b *builder) ends(list []*cfront.Var) {
	if !b.opt.Scopes || b.terminated() {
		return
	}
	for _, v := range list {
		if o, ok := b.objects[v]; ok && v.VLALen == nil {
			b.emit(ir.Instr{Op: ir.End, Dst: ir.NoReg, A: ir.NoReg, B: ir.NoReg, Imm: o})
		}
	}
}

// declared lists the variables that a block declares.
func declared(s *cfront.Block) (list []*cfront.Var) {
	for _, t := range s.List {
		if d, ok := t.(*cfront.Decl); ok {
			list = append(list, d.Var)
		}
	}
	return list
}

// within lists the variables that a statement declares, or one in it: a jump may leave all their scopes at once.
func within(s cfront.Stmt) (list []*cfront.Var) {
	cfront.WalkStmt(s, func(t cfront.Stmt) {
		if d, ok := t.(*cfront.Decl); ok {
			list = append(list, d.Var)
		}
	}, func(cfront.Expr) {})
	return list
}

// cleanup calls what is to be called when all but depth variables go out of
// scope; they stay in scope for the code that comes after.
func (b *builder) cleanup(depth int) {
	if b.terminated() {
		return
	}
	for i := len(b.cleanups) - 1; i >= depth; i-- {
		d := b.cleanups[i]
		a := b.at(b.varPlace(&cfront.Ref{Var: d.Var}))
		info := &ir.CallInfo{
			Func: b.p.function(d.Cleanup), Type: d.Cleanup.Type,
			Args: []ir.Reg{a}, Types: []*ctype.Type{ctype.PointerTo(d.Var.Type)},
		}
		b.emit(ir.Instr{Op: ir.Call, Dst: b.newReg(), A: ir.NoReg, B: ir.NoReg, CallX: info})
	}
}

// leaveScope ends a scope that control may leave at its end.
func (b *builder) leaveScope(depth int) {
	b.cleanup(depth)
	b.cleanups = b.cleanups[:depth]
}

// labelDepth returns how many of the variables in scope at a goto are in scope
// at its label, too.
func (b *builder) labelDepth(s *cfront.Jump) int {
	if b.scopes == nil {
		b.scopes = map[string][]*cfront.Decl{}
		b.labelScopes(b.tree.Body, nil)
	}
	at := b.scopes[s.Label]
	for i, d := range at {
		if i >= len(b.cleanups) || b.cleanups[i] != d {
			refuse(s, "a goto into the scope of a variable with the attribute cleanup is not supported")
		}
	}
	return len(at)
}

// labelScopes notes which variables are in scope at each label below s; it
// returns what is in scope behind it.
func (b *builder) labelScopes(s cfront.Stmt, in []*cfront.Decl) []*cfront.Decl {
	sub := func(s cfront.Stmt) {
		if s != nil {
			b.labelScopes(s, in)
		}
	}
	switch s := s.(type) {
	case *cfront.Decl:
		if s.Cleanup != nil {
			return append(in[:len(in):len(in)], s)
		}
	case *cfront.Block:
		now := in
		for _, t := range s.List {
			now = b.labelScopes(t, now)
		}
	case *cfront.Label:
		b.scopes[s.Name] = in
		return b.labelScopes(s.Body, in)
	case *cfront.Case:
		return b.labelScopes(s.Body, in)
	case *cfront.If:
		sub(s.Then)
		sub(s.Else)
	case *cfront.While:
		sub(s.Body)
	case *cfront.For:
		if decls, ok := s.Init.(*cfront.Block); ok {
			inner := in
			for _, t := range decls.List {
				inner = b.labelScopes(t, inner)
			}
			b.labelScopes(s.Body, inner)
			break
		}
		sub(s.Body)
	case *cfront.Switch:
		sub(s.Body)
	}
	return in
}

func hasCleanup(f *cfront.Func) bool {
	found := false
	cfront.WalkStmt(f.Body, func(s cfront.Stmt) {
		d, ok := s.(*cfront.Decl)
		found = found || ok && d.Cleanup != nil
	}, nil)
	return found
}

// left lists the variables that are in scope at a goto and not at its label.
func (b *builder) left(s *cfront.Jump) (list []*cfront.Var) {
	if !b.opt.Scopes {
		return nil
	}
	if b.inScope == nil {
		b.inScope = map[cfront.Stmt][]*cfront.Var{}
		b.jumpScopes(b.tree.Body, nil)
	}
	for _, v := range b.inScope[s] {
		if !slices.Contains(b.inScope[b.targets[s.Label]], v) {
			list = append(list, v)
		}
	}
	return list
}

// jumpScopes notes which variables are in scope at each label and goto below s.
func (b *builder) jumpScopes(s cfront.Stmt, in []*cfront.Var) {
	switch s := s.(type) {
	case *cfront.Block:
		in = append(in[:len(in):len(in)], declared(s)...)
		for _, t := range s.List {
			b.jumpScopes(t, in)
		}
	case *cfront.Label:
		if b.targets == nil {
			b.targets = map[string]cfront.Stmt{}
		}
		b.targets[s.Name], b.inScope[s] = s, in
		b.jumpScopes(s.Body, in)
	case *cfront.Jump:
		b.inScope[s] = in
	case *cfront.Case:
		b.jumpScopes(s.Body, in)
	case *cfront.If:
		b.jumpScopes(s.Then, in)
		b.jumpScopes(s.Else, in)
	case *cfront.While:
		b.jumpScopes(s.Body, in)
	case *cfront.For:
		if decls, ok := s.Init.(*cfront.Block); ok {
			in = append(in[:len(in):len(in)], declared(decls)...)
		}
		b.jumpScopes(s.Body, in)
	case *cfront.Switch:
		b.jumpScopes(s.Body, in)
	}
}
