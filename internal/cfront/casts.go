package cfront

import "gulo/internal/ctype"

// This file records casts between pointers to different structs.

// noteCast records a cast in Program.Casts if it is one between pointers to different structs or unions.
func (c *converter) noteCast(from, to *ctype.Type) {
	if from.Kind != ctype.Pointer || to.Kind != ctype.Pointer || !from.Elem.IsAggregate() || !to.Elem.IsAggregate() || from.Elem == to.Elem {
		return
	}
	pair := [2]*ctype.Type{from.Elem, to.Elem}
	if !c.casts[pair] {
		if c.casts == nil {
			c.casts = map[[2]*ctype.Type]bool{}
		}
		c.casts[pair] = true
		c.prog.Casts = append(c.prog.Casts, pair)
	}
}
