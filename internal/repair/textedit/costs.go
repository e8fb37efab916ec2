package textedit

// This file lists the costs. Where an edit has another cost, its own file says why.

// Costs of edits. A change that people often need and that reads well costs little and is tried first.
const (
	CostLiteral = 2 // text that is printed or read
	costFlip    = 2 // an operator or operands the wrong way round
	costStep    = 2 // off by one
	costBreak   = 3
	costElse    = 3
	costSwap    = 3 // neighbouring statements
	costPath    = 4 // another variable, field, constant
	costAgain   = 3 // added where the stored value is computed from the old one
	costMove    = 5
	costDelete  = 6
	costGuard   = 7
	CostInsert  = 7
	costLeave   = 7 // if (...) return
	costDonor   = 8
)

// Cheapest is the highest cost of a cheap edit; a tenth of all edits are cheap.
const Cheapest = 5

// HalfCost is the cost of an edit that makes sense only together with its other half.
const HalfCost = 1 << 20

// PerCost is the number of tenths in one unit of cost. Oddities are counted in tenths.
const PerCost = 10

// AnotherConstant describes an edit that replaces a constant by another one.
const AnotherConstant = "another constant"

// CombinedWithConstant describes an edit that adds a constant as an operand.
const CombinedWithConstant = "combined with a constant"
