// Package ir is the intermediate representation: typed three-address
// instructions in basic blocks.
//
// A scalar value is a ctype.Word in a register; structs, arrays and variables
// whose address is taken live in memory. Every instruction carries the number
// of the C statement it comes from; the table behind the numbers (the location
// map of Wolverine2, section 2.2) is in package lower.
//
// Not here: what an instruction means (package machine) and how C becomes
// instructions (package lower).
//
// Invariants, held by Check: every block ends in exactly one terminator, jumps
// go to blocks of the same function, registers are in range.
package ir

import "gulo/internal/ctype"

// Reg is a register of a frame. NoReg stands for none.
type Reg int32

// NoReg is the absent register.
const NoReg Reg = -1

// Op is an instruction's operation.
type Op uint8

const (
	Nop       Op = iota // nothing; with T it notes that the store to B + Else wrote member Target of the union T at A + Imm
	Move                // Dst = A
	Suspect             // Dst = whether component Imm is taken to be wrong
	Hole                // Dst = the value, of type T, that stands for component Imm
	Bin                 // Dst = A BinOp B, in type T
	Un                  // Dst = UnOp A, in type T
	Bool                // Dst = A != 0, A of type T; with Imm 1: A == 0
	Conv                // Dst = A converted from T to T2
	Load                // Dst = *(T *)(A + Imm)
	Store               // *(T *)(A + Imm) = B
	LoadBits            // Dst = bit-field at A + Imm
	StoreBits           // bit-field at A + Imm = B; Dst = the value as read back
	Copy                // copy Imm bytes from B to A
	Zero                // Imm zero bytes at A
	Local               // Dst = address of the frame's object Imm
	Global              // Dst = address of the program's object Imm
	FuncAddr            // Dst = address of function Imm
	PtrAdd              // Dst = A + B*Imm
	PtrSub              // Dst = (A - B) / Imm
	Alloca              // Dst = address of a new object of A elements of Imm bytes; Target names the frame object it becomes
	VaStart             // *A = first variable argument
	VaArg               // Dst = address of the next argument of *A, which takes Imm bytes
	End                 // the frame's object Imm ends; its next use begins another one

	// Operations on types whose values do not fit in a word (ctype.IsWide). An
	// operand of such a type is given by its address. A result of such a type is
	// put into the frame's object Imm, and Dst is the address of that; any other
	// result is the word in Dst.
	WideBin  // Dst = A BinOp B, of types T and T2
	WideUn   // Dst = BinOp A, in type T
	WideConv // Dst = A converted from T to T2
	WideBool // Dst = A != 0, A of type T; with Imm 1: A == 0

	LabelAddr // Dst = address of label Imm of function Target
	Call      // Dst = call
	Bound     // check that A, an index into an array of type T, is at least 0 and less than Imm, or with B than B + Imm
	NoValue   // the function, whose type has a result, is about to return without one; with Imm 1: by reaching its end
	Jump      // to Target
	Branch    // to Target when A (of type T) is not zero, else to Else
	Switch    // on A by Table, else to Target
	Ret       // return A (NoReg: nothing)
	Unreachable
	Opaque // what the statement's code does is not known
	Goto   // to the label whose address A is; Table has those of the function
)

// Instr is one instruction. Which fields matter is said at its Op.
type Instr struct {
	Op     Op
	BinOp  ctype.Op
	Start  bool // first of its statement
	Again  bool // first of a later part of its statement; all that one macro expands to is one statement
	Atomic bool // loads and stores of an atomic object
	Dst    Reg
	A, B   Reg
	T, T2  *ctype.Type
	Imm    int64
	Target int32 // block
	Else   int32
	Stmt   int32 // number in the location map; 0 for none
	BitOff uint8
	BitLen uint8

	NeedOff, NeedLen uint8 // of Load: the bytes that are looked at; NeedLen 0: all (FindNeeded)

	CallX *CallInfo
	Table []SwitchCase
}

// CallInfo is what a call instruction needs beyond its registers.
type CallInfo struct {
	Func  int32 // index in Program.Funcs, or -1 for a call through A
	Args  []Reg
	Types []*ctype.Type // of the arguments
	Type  *ctype.Type   // of the function
	Text  string        // assert: the condition as written

	Dropped bool // the result is not used
}

// SwitchCase sends the values from Lo to Hi to a block.
type SwitchCase struct {
	Lo, Hi int64
	Target int32
}

// Block is a basic block.
type Block struct {
	Instrs []Instr
	Gaps   []Gap
}

// Gap marks a place between statements where one could be inserted: before
// instruction At of its block.
type Gap struct {
	At int
	ID int32
}

// Object is a variable in memory.
type Object struct {
	Name     string
	Type     *ctype.Type
	Size     int64
	Align    int64
	ReadOnly bool
	Data     []byte  // globals: initial bytes; nil for zero
	Relocs   []Reloc // globals: pointers in Data
	Var      any     // the declaration (*cfront.Var); nil for string literals
}

// Reloc is a pointer inside a global's initial bytes.
type Reloc struct {
	Offset int64
	Func   bool // Index is a function, else an object of Program.Globals
	Index  int32
	Addend int64
}

// Func is a function; one without Blocks is the library's.
type Func struct {
	Name    string
	Type    *ctype.Type
	Blocks  []*Block
	NumRegs int
	Params  []Param
	Objects []Object    // variables in memory, parameters included
	Consts  []Const     // registers with fixed values
	SRet    Reg         // holds the address for a returned struct; NoReg otherwise
	VarReg  map[any]Reg // variables in registers, and the addresses of variable-length arrays
	Decl    any         // *cfront.Func
}

// Param says where an argument goes.
type Param struct {
	Reg    Reg // receives the word
	Object int // and is stored into this object; -1 for none
	Type   *ctype.Type
}

// Const fixes a register.
type Const struct {
	Reg   Reg
	Value ctype.Word
}

// Program is a whole program.
type Program struct {
	Funcs   []*Func
	Globals []Object
	Main    int32   // index of main, -1 when there is none
	Init    []int32 // functions run before main, in order
	Fini    []int32 // functions run after those of atexit, the last first
	ByName  map[string]int32
}

// IsTerminator reports whether an instruction ends a block.
func (op Op) IsTerminator() bool { return op >= Jump }

// Succs calls f for every successor of a block.
func (b *Block) Succs(f func(int32)) {
	in := &b.Instrs[len(b.Instrs)-1]
	switch in.Op {
	case Jump:
		f(in.Target)
	case Branch:
		f(in.Target)
		f(in.Else)
	case Switch:
		for _, c := range in.Table {
			f(c.Target)
		}
		f(in.Target)
	case Goto:
		for _, c := range in.Table {
			f(c.Target)
		}
	}
}
