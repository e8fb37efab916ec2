package cfront

import "gulo/internal/ctype"

// MarkAddresses marks the variables and members of eight bytes that are integers and hold addresses: those
// that the program converts to pointers, or stores pointers in, such as a link that carries a colour in its
// lowest bit. It looks at casts alone; what goes from one integer to another is not followed.
//
// It also notes what the tagged pointers lead to that numbers hold.
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

// addressOperands marks what an address is computed from by masks, sums and casts.
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

// fromPointer reports whether an integer is computed from a pointer by masks, sums and casts.
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
