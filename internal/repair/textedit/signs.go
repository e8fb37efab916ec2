package textedit

import "gulo/internal/cfront"

// This file knows functions of whose result only the sign has a meaning: nobody compares that of strcmp with 1.

var signOnly = map[string]bool{"strcmp": true, "strncmp": true, "memcmp": true, "strcasecmp": true, "strncasecmp": true, "strcoll": true, "wcscmp": true}

// costSigns is added where an edit replaces a test for equal strings by a test of their order, or the other way round.
const costSigns = 5

// ofSign reports whether only the sign of an expression has a meaning.
func ofSign(x cfront.Expr) bool {
	c, ok := cfront.Skip(x).(*cfront.Call)
	if !ok {
		return false
	}
	f, ok := cfront.Skip(c.Fun).(*cfront.FuncRef)
	return ok && f.Func.Body == nil && signOnly[f.Func.Name]
}

// signs reports whether a comparison has an operand of which only the sign has a meaning.
func signs(x *cfront.Binary) bool { return x.Op.IsCompare() && (ofSign(x.X) || ofSign(x.Y)) }

// besideSign reports whether a constant is compared with a result of which only the sign has a meaning.
func (s *facts) besideSign(c *cfront.Const, fn *cfront.Func) bool {
	known, ok := s.besides[fn]
	if !ok {
		known = map[*cfront.Const]bool{}
		cfront.WalkStmt(fn.Body, nil, func(x cfront.Expr) {
			cfront.Walk(x, func(y cfront.Expr) bool {
				if b, ok := y.(*cfront.Binary); ok && signs(b) {
					for _, z := range []cfront.Expr{b.X, b.Y} {
						if k, ok := cfront.Skip(z).(*cfront.Const); ok {
							known[k] = true
						}
					}
				}
				return true
			})
		})
		if s.besides == nil {
			s.besides = map[*cfront.Func]map[*cfront.Const]bool{}
		}
		s.besides[fn] = known
	}
	return known[c]
}

// equality reports whether an operator tests for equal or for different values.
func equality(op string) bool { return op == "==" || op == "!=" }

// twin records, for each of the two strings passed to strcmp, the text of the other one: nobody compares a string with
// itself.
func (s *facts) twin(c *cfront.Call) {
	if !ofSign(c) || len(c.Args) < 2 {
		return
	}
	if s.twins == nil {
		s.twins = map[cfront.Expr]string{}
	}
	for i := range 2 {
		x := c.Args[i]
		for y := x; ; {
			s.twins[y] = cfront.Skip(c.Args[1-i]).Range().Text()
			if z := cfront.Skip(y); z != y {
				y = z
				continue
			}
			break
		}
	}
}
