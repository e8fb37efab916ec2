package cfront

import "modernc.org/cc/v4"

// stars counts the * that an expression begins with. derefs counts the Deref nodes for them in the tree; * on a pointer
// to a function has none.
func stars(n cc.ExpressionNode) int {
	switch n := n.(type) {
	case *cc.PrimaryExpression:
		if n.Case == cc.PrimaryExpressionExpr {
			return stars(n.ExpressionList)
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionDeref {
			return 1 + stars(n.CastExpression)
		}
	}
	return 0
}

func derefs(x Expr) int {
	if d, ok := x.(*Deref); ok {
		return 1 + derefs(Skip(d.X))
	}
	return 0
}
