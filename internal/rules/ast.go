package rules

import "gulo/internal/source"

// File is one rule file.
type File struct {
	Source  *source.File
	Defines []*Define
	Rules   []*Rule
	Tail    []string // comments after the last declaration

	byName map[string]*Define
}

// Define is an auxiliary predicate.
type Define struct {
	Name   string
	Params []string
	Body   Expr
	Range  source.Range
	Doc    []string // comment lines above it, without the mark
}

// Rule is a detector and its locator.
type Rule struct {
	Name   string // in lower case, words joined by _
	Means  string // explanation for people when it fires; "" if none is given
	State  []Set  // the parts of the state that it reads
	Point  Point
	Cond   Expr
	Chains []string // pointers whose value propagation chains are shown
	Range  source.Range
	Doc    []string

	places []source.Range // of Chains
}

// PointKind is the kind of a detection point, which is a kind of reduction.
type PointKind uint8

// Detection points (section 2.1).
const (
	Deref  PointKind = iota // a read or write of memory
	DerefR                  // a read
	DerefW                  // a write
	Free
	Call
	Ret
)

var pointNames = [...]string{"deref", "deref_r", "deref_w", "free", "call", "ret"}

func (k PointKind) String() string { return pointNames[k] }

// Point is a detection point with its names.
type Point struct {
	Kind  PointKind
	Func  string // for call and ret: the function, or a name that the user maps to one; "_" for any
	Var   string // the pointer, argument or result; "_" for none
	Range source.Range
}

// Set is a part of the abstract state (Figure 8).
type Set uint8

// The parts of a state.
const (
	Trace    Set = iota // σ
	Heap                // H: live heap blocks
	Freed               // F: blocks that have ended: freed ones, and dead local variables
	Stack               // S: blocks of active functions
	Globals             // G: blocks of global variables (ours)
	Pointers            // P: r ↦ (bid, i)
)

var setNames = [...]string{"Trace", "H", "F", "S", "G", "P"}

func (s Set) String() string { return setNames[s] }

// EventKind is a kind of event in the trace.
type EventKind uint8

// Kinds of events (Figure 8). Their arguments are: malloc n bid, free r bid, write r v f, call z v, ret z v, if n.
const (
	EvMalloc EventKind = iota
	EvFree
	EvWrite
	EvCall
	EvRet
	EvIf
)

var eventNames = [...]string{"malloc", "free", "write", "call", "ret", "if"}

func (k EventKind) String() string { return eventNames[k] }

// eventSorts are the sorts of the arguments of events.
var eventSorts = [...][]Sort{
	EvMalloc: {Integer, BlockID},
	EvFree:   {Pointer, BlockID},
	EvWrite:  {Pointer, Integer, Origin},
	EvCall:   {Symbol, Integer},
	EvRet:    {Symbol, Integer},
	EvIf:     {Integer},
}

// Sort is the kind of value that a term stands for.
type Sort uint8

// Sorts.
const (
	Unknown Sort = iota
	Bool
	Integer // a value or a time
	Pointer
	BlockID
	Symbol // a function's name
	Origin // where a written value came from
	SetOf  // a set of blocks
	Contents
)

var sortNames = [...]string{"something", "a condition", "a number", "a pointer", "a block", "a function", "an origin", "a set", "a block's contents"}

func (s Sort) String() string { return sortNames[s] }

// Expr is a condition or a term.
type Expr interface{ Where() source.Range }

type (
	// Name is a variable or a function's name; "_" stands for anything.
	Name struct {
		Text  string
		Range source.Range
	}
	// Number is an integer. For NULL, Null is set.
	Number struct {
		Value uint64
		Null  bool
		Hex   bool
		Range source.Range
	}
	// Binary is a conjunction, disjunction, comparison or computation; Op is one of
	//
	// && == != < <= > >= | & + - *.
	Binary struct {
		Op    string
		X, Y  Expr
		Range source.Range
	}
	// Not is negation.
	Not struct {
		X     Expr
		Range source.Range
	}
	// Apply is a use of a predicate that the file defines, or of one of the built-in functions Bid, Idx, Begin, End,
	// Size, Time, Block, Value and dom.
	Apply struct {
		Name  string
		Args  []Expr
		Range source.Range
	}
	// Quantified is exists or forall over a set.
	Quantified struct {
		All     bool
		Pattern Pattern
		In      Set
		Such    Expr // nil means true
		Range   source.Range
	}
	// FindLast is true if an event matches; it binds free names to the last one.
	FindLast struct {
		Event EventPattern
		Range source.Range
	}
	// Empty is the empty set.
	Empty struct{ Range source.Range }
)

// Pattern is what a quantifier ranges over: events, blocks, or pointers. Exactly one of Event, Block and Pointer is
// set.
type Pattern struct {
	Event   *EventPattern
	Block   string
	Pointer *[3]Expr // r -> (bid, i)
	Range   source.Range
}

// EventPattern is a timed event; Time and Args are names, numbers or "_".
type EventPattern struct {
	Time Expr
	Kind EventKind
	Args []Expr
}

// Where implements Expr.
func (x *Name) Where() source.Range { return x.Range }

// Where implements Expr.
func (x *Number) Where() source.Range { return x.Range }

// Where implements Expr.
func (x *Binary) Where() source.Range { return x.Range }

// Where implements Expr.
func (x *Not) Where() source.Range { return x.Range }

// Where implements Expr.
func (x *Apply) Where() source.Range { return x.Range }

// Where implements Expr.
func (x *Quantified) Where() source.Range { return x.Range }

// Where implements Expr.
func (x *FindLast) Where() source.Range { return x.Range }

// Where implements Expr.
func (x *Empty) Where() source.Range { return x.Range }
