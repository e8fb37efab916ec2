package output

import (
	"strings"

	"gulo/internal/cfront"
)

// This file compares formats and texts that are printed.

func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }

// format reports whether some call uses a literal as its format.
func (p *Program) format(id int) bool {
	for _, s := range p.Sites {
		for _, k := range s.Own {
			if k == id && s.Kind == Format {
				return true
			}
		}
	}
	return false
}

// prints reports whether the program includes <stdio.h>.
func (a *Analysis) prints() bool {
	for _, f := range a.p.Tree.Files {
		if stdio.Match(f.Text) {
			return true
		}
	}
	return false
}

// ended reports whether control may continue after the last statement of a block, and a statement can be put there.
func ended(st cfront.Stmt) bool {
	switch st.(type) {
	case *cfront.Return, *cfront.Jump, *cfront.Case, *cfront.Label, *cfront.Decl:
		return false
	}
	return true
}
