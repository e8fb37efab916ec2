package cfront

import "gulo/internal/ctype"

// MarkAddresses marks the variables and members that are integers of eight bytes and hold addresses: the program
// converts them to pointers, or stores pointers in them. An example is a link that carries a colour in its lowest
// bit. Only casts are looked at; copies from one integer to another are not followed.
//
// It also notes which types tagged pointers in integers lead to.
func (p *Program) MarkAddresses() {
	p.markTagged()
	for _, f := range p.Funcs {
		WalkStmt(f.Body, func(s Stmt) {
			if d, ok := s.(*Decl); ok {
				for _, in := range d.Init {
					if in.Offset == 0 && fromPointer(in.X) {
						holdsAddress(NewRef(d.Var))
					}
				}
			}
		}, func(x Expr) {
			Walk(x, func(y Expr) bool {
				switch y := y.(type) {
				case *Assign:
					if fromPointer(y.R) {
						holdsAddress(y.L)
					}
				case *Cast:
					if y.Type().Kind == ctype.Pointer && y.X.Type().IsInteger() {
						addressOperands(y.X)
					}
				}
				return true
			})
		})
	}
}

// addressOperands marks the operands that an address is computed from by casts and binary operators. The right
// operand of & is a mask and is not marked.
func addressOperands(x Expr) {
	switch y := x.(type) {
	case *Ref, *Member:
		holdsAddress(x)
	case *Cast:
		addressOperands(y.X)
	case *Binary:
		addressOperands(y.X)
		if y.Op != ctype.And {
			addressOperands(y.Y)
		}
	}
}

// fromPointer reports whether an integer is computed from a pointer by casts and binary operators.
func fromPointer(x Expr) bool {
	switch y := x.(type) {
	case *Cast:
		return y.Type().IsInteger() && (y.X.Type().Kind == ctype.Pointer || fromPointer(y.X))
	case *Binary:
		return y.Type().IsInteger() && !y.Op.IsCompare() && (fromPointer(y.X) || fromPointer(y.Y))
	}
	return false
}

func holdsAddress(x Expr) {
	if t := x.Type(); !t.IsInteger() || t.Size != 8 {
		return
	}
	switch y := x.(type) {
	case *Ref:
		y.Var.Address = true
	case *Member:
		t := y.X.Type()
		if t.Kind == ctype.Pointer {
			t = t.Elem
		}
		for i := range t.Fields {
			if f := &t.Fields[i]; f.Name == y.Field.Name {
				f.Address = true
			}
		}
	}
}
