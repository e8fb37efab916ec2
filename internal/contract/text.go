package contract

import (
	"fmt"
	"regexp"

	"gulo/internal/cfront"
)

// This file prints conditions.

var placeholder = regexp.MustCompile(`[a-z]+#\d+`)

// Text writes a condition in the form in which it can be parsed again.
func (c *Contract) Text(x cfront.Expr) string {
	byName := map[string]*Term{}
	for v, t := range c.Terms {
		byName[v.Name] = t
	}
	return placeholder.ReplaceAllStringFunc(cfront.Text(x), func(name string) string {
		t := byName[name]
		if t == nil {
			return name
		}
		switch {
		case t.As != nil:
			return c.Text(t.As)
		case t.Kind == Now:
			return c.Text(t.X)
		}
		s := t.Text + "("
		switch t.Kind {
		case Forall, Exists, Sum, Count:
			return s + fmt.Sprintf("%s, %s, %s, %s)", t.Var.Name, c.Text(t.Lo), c.Text(t.Hi), c.Text(t.X))
		}
		s += c.Text(t.X)
		for _, y := range []cfront.Expr{t.Y, t.Lo, t.Hi} {
			if y != nil {
				s += ", " + c.Text(y)
			}
		}
		return s + ")"
	})
}
