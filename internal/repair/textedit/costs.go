package textedit

// This file is the one list of costs. A file whose edits cost otherwise says there why.

// Costs of edits: what people get wrong most easily, and what reads best, comes first.
const (
	CostLiteral = 2 // text that is printed or read
	costFlip    = 2 // an operator or operands the wrong way round
	costStep    = 2 // off by one
	costBreak   = 3
	costElse    = 3
	costSwap    = 3 // neighbouring statements
	costPath    = 4 // another variable, field, constant
	costAgain   = 3 // more: what is stored is computed from what was there already
	costMove    = 5
	costDelete  = 6
	costGuard   = 7
	CostInsert  = 7
	costLeave   = 7 // if (...) return
	costDonor   = 8
)

// Cheapest is what the cheapest edits cost at most: they are a tenth of all.
const Cheapest = 5

// HalfCost is the cost of an edit that is only half of one.
const HalfCost = 1 << 20

// PerCost is how many tenths, in which oddities are counted, a cost has.
const PerCost = 10

// AnotherConstant is what is said of an edit that puts a constant in the place of another one.
const AnotherConstant = "another constant"

// CombinedWithConstant is what is said of an edit that computes with a constant besides.
const CombinedWithConstant = "combined with a constant"
