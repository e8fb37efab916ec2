// Package cfront turns C source text into a typed tree with exact byte ranges.
//
// gcc first checks the text (Check). Package cpp preprocesses it as gcc would, with gcc's include
// paths and predefined macros and the system's headers. modernc.org/cc/v4 parses the
// resulting tokens. This package then builds a tree of its own: implicit
// conversions are explicit Cast nodes, every expression knows its type and its source range, and
// struct types are shared by all source files. Edits are made on the original bytes
// elsewhere (package patch); nothing here prints a whole program.
//
// Only the parser's syntax is used. Scopes, types with their qualifiers,
// attributes, layouts, constants and initializers are computed here, because
// the parser's own differ from gcc's in places. What system headers declare is
// converted when it is first used.
//
// Two things are read differently from gcc: assert is a function, so that its argument
// keeps its place in the source, and so are isalpha and its like.
//
// Not supported, and refused with a position: _Float128, some instructions of inline
// assembly, nested functions unless Options.Nested is set, attributes that change a
// program's meaning and are not known. docs/c.md lists them.
package cfront

import (
	"fmt"
	"path/filepath"
	"slices"

	"gulo/internal/ctype"
	"gulo/internal/source"
	"gulo/internal/workdir"
	"gulo/internal/x86"
)

// Program is all source files of one program.
type Program struct {
	Files   []*source.File // main source files first, then user headers
	Globals []*Var         // variables of static storage, statics of functions included
	Library []*Var         // variables that the C library defines and the program declares: stdout, environ
	Funcs   []*Func        // with a body
	Structs []*ctype.Type  // named struct and union types, in order of appearance

	// Casts has each pair of structs or unions such that a pointer to one is cast to a pointer to the other.
	// People write classes this way: a derived struct begins with the members of its base.
	Casts [][2]*ctype.Type

	Choices []Choice     // which member of a union is in use, inferred from the code
	Tags    []ctype.Word // bits that the program adds to pointers in numbers of eight bytes, 0 if it adds none
	Unions  *UnionWrites // what the code writes to unions

	// Typedefs are the types of typedef names at file scope and of
	// "enum TAG". If several files define a name, the first one counts.
	Typedefs    map[string]*ctype.Type
	Enumerators map[string]*Const // values of enums, by name

	Opaque []Note // what gulo cannot read, in order

	Digest  map[string]string // by main source file: a digest of all texts that it is made of
	Renamed []Renamed         // lines that #line gives another file name or number
	Wraps   bool              // all files are compiled with wrapping signed arithmetic (-fwrapv)
	Dated   bool              // the text depends on the time (__DATE__, __TIME__, __TIMESTAMP__)

	Work *workdir.Files // Options.Work; not part of the program's text

	Constructors []Hook // run before main
	Destructors  []Hook // run after the functions of atexit
}

// Units returns the names of the files that are compiled. The other Files are included by them.
func (p *Program) Units() []string {
	var out []string
	for _, f := range p.Files {
		if p.Compiled(f) {
			out = append(out, f.Name)
		}
	}
	return out
}

// At returns a name for a line of a program: "line N", or "file:N" if the program has more than one file.
func (p *Program) At(pos source.Position) string {
	if len(p.Files) > 1 {
		name := pos.File
		if filepath.IsAbs(name) {
			name = filepath.Base(name)
		}
		return fmt.Sprintf("%s:%d", name, pos.Line)
	}
	return fmt.Sprintf("line %d", pos.Line)
}

// Once returns funcs without those whose body has the same source range as that of an earlier one. A function in a
// header occurs once for every unit that includes it.
func Once(funcs []*Func) []*Func {
	met := map[source.Range]bool{}
	var out []*Func
	for _, f := range funcs {
		if f.Body != nil && f.Body.Range().Valid() {
			r := f.Body.Range()
			if met[r] {
				continue
			}
			met[r] = true
		}
		out = append(out, f)
	}
	return out
}

// Compiled reports whether a file is one of Units.
func (p *Program) Compiled(f *source.File) bool { return p.Digest[f.Name] != "" }

// Renamed is a range of lines to which #line gives another file name or number.
type Renamed struct {
	File      *source.File
	At, Lines int    // first line and number of lines
	Name      string // file name that #line gives
	Num       int    // number that #line gives to the first line
}

// Hook is a function with __attribute__((constructor)) or destructor.
type Hook struct {
	Func     *Func
	Priority int // 65535 when none is given
}

// Func returns the function with a name and a body, nil if there is none.
func (p *Program) Func(name string) *Func {
	for _, f := range p.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Storage says where a variable lives.
type Storage uint8

const (
	Local Storage = iota
	Param
	Global // external linkage
	Static // file or function scope
)

// Exposed reports whether code outside of its function may reach a variable: its address is
// taken, or it is or contains an array, which is passed by address.
func (v *Var) Exposed() bool { return v.AddrTaken || hasArray(v.Type) }

func hasArray(t *ctype.Type) bool {
	switch t.Kind {
	case ctype.Array:
		return true
	case ctype.Struct, ctype.Union:
		return slices.ContainsFunc(t.Fields, func(f ctype.Field) bool { return hasArray(f.Type) })
	}
	return false
}

// Var is a variable.
type Var struct {
	Name      string
	Type      *ctype.Type
	Storage   Storage
	Func      *Func         // the function it is local to; nil at file scope
	Range     source.Range  // its name in its declaration
	Scope     source.Range  // the text in which a local is visible
	Init      []Init        // globals and statics; nil means zero
	Address   bool          // an integer that holds addresses; see Program.MarkAddresses
	Leads     []*ctype.Type // types that a void * points to (Program.MarkGeneric), or the tagged pointers in a number (Program.MarkAddresses)
	AddrTaken bool
	NonNull   bool       // a parameter that is declared never to be null
	Const     bool       // of static storage and const
	Volatile  bool       // of static storage and volatile
	VLALen    Expr       // number of elements of a variable-length array
	VLABytes  bool       // VLALen is the size in bytes instead
	Varying   *Varying   // describes the type if a size in it, or in a type it points to, is computed in each call
	Qual      ctype.Qual // its own qualifiers
	Align     int64      // from _Alignas or an attribute; 0 for the alignment of the type
	PerThread bool       // _Thread_local: each thread has one
	Weak      bool       // declared with __attribute__((weak)) and not defined

	// Unread says why the initializer could not be read; nil if it could or there is none. The compiled program
	// does initialize the variable.
	Unread *source.Diagnostic

	library  bool           // defined by the C library; see OfLibrary
	declared []*translation // units that declare it, if it is at file scope; see DeclaredIn
}

// translation is the list of files of one unit.
type translation struct{ files []*source.File }

// DeclaredIn reports whether a variable at file scope is declared in a unit that file f is part of.
func (v *Var) DeclaredIn(f *source.File) bool {
	return slices.ContainsFunc(v.declared, func(t *translation) bool { return slices.Contains(t.files, f) })
}

// OfLibrary reports whether the C library defines a variable: stdout, environ.
func (v *Var) OfLibrary() bool { return v.library }

// Func is a function. Body is nil for functions that are only declared.
type Func struct {
	Name    string
	Type    *ctype.Type
	Params  []*Var
	Locals  []*Var // statics not included
	Body    *Block
	Range   source.Range // the name
	Whole   source.Range // from the declaration's first byte to the closing brace
	Static  bool
	Weak    bool   // declared weak; without a body its address is null
	NonNull uint64 // the parameters that are declared never to be null, a bit each
	Alias   *Func  // the function that this one is another name of (alias attribute, asm label); nil for none
	Result  *Var   // stands for the returned value; nil if that is not a scalar

	Entry      []Expr   // evaluated on entry: assignments of the sizes of parameters' types
	LabelAddrs []string // the labels whose addresses are taken, in order
}

// Init is one scalar (or string, or whole struct) of an initializer, flattened.
type Init struct {
	Offset int64
	Type   *ctype.Type
	Field  *ctype.Field // set for a bit-field
	X      Expr
}

// Node is a part of the tree that has a place in the source.
type Node interface{ Range() source.Range }

// Expr is an expression. Its type is never an array or function type except
// for the operands of Addr, Member, Index and Decay.
type Expr interface {
	Node
	Type() *ctype.Type
	// Editable reports whether the bytes of the expression's range are the text of this
	// expression alone. Parts of the expansion of a macro are not editable.
	Editable() bool
}

type expr struct {
	rng   source.Range
	typ   *ctype.Type
	macro bool   // rng is not the text of this expression alone: that of a macro call around it, or of what it was made for
	spelt string // text of a new node that is a macro call with another argument, or of a constant that a macro names; "" for others
}

func (e *expr) Range() source.Range { return e.rng }
func (e *expr) Type() *ctype.Type   { return e.typ }
func (e *expr) Editable() bool      { return e.rng.Valid() && !e.macro }
func (e *expr) base() *expr         { return e }

// Editable of an implicit conversion depends on its operand: which operands are part of a macro's
// expansion is known only after the conversion has been made.
func (x *Cast) Editable() bool  { return x.expr.Editable() && (!x.Implicit || x.X.Editable()) }
func (x *Decay) Editable() bool { return x.expr.Editable() && x.X.Editable() }

// The expressions.
type (
	// Const is an integer, floating or null pointer constant.
	Const struct {
		expr
		Value ctype.Word
		Spell string // as written, or for new nodes as it should be written
	}
	// String is a string literal, wide ones included; its bytes include the
	// final zero.
	String struct {
		expr
		Bytes []byte
	}
	// Ref is a use of a variable.
	Ref struct {
		expr
		Var *Var
	}
	// FuncRef is a use of a function's name.
	FuncRef struct {
		expr
		Func *Func
	}
	// Decay turns an array or function into a pointer.
	Decay struct {
		expr
		X Expr
	}
	// Unary is -x or ~x.
	Unary struct {
		expr
		Op ctype.Op
		X  Expr
	}
	// LogicalNot is !x.
	LogicalNot struct {
		expr
		X Expr
	}
	// Deref is *x. If it stands for a[i] where the elements are of variable size, Index is i if it can be evaluated
	// twice, and Count is that of an Index.
	Deref struct {
		expr
		X            Expr
		Index, Count Expr
	}
	// Addr is &x.
	Addr struct {
		expr
		X Expr
	}
	// Member is x.f or x->f (Arrow; then X is a pointer).
	Member struct {
		expr
		X     Expr
		Arrow bool
		Field ctype.Field
	}
	// Index is x[i]; X is a pointer after decay. Count is how many elements the array has that X was, if that is known
	// only when the program runs; otherwise nil.
	Index struct {
		expr
		X, I  Expr
		Count Expr
	}
	// Binary is arithmetic, a shift or a comparison. Pointer arithmetic has
	// X a pointer and Y an integer (Add, Sub), or both pointers (Sub,
	// comparisons).
	Binary struct {
		expr
		Op   ctype.Op
		X, Y Expr
	}
	// Logical is && or ||.
	Logical struct {
		expr
		And  bool
		X, Y Expr
	}
	// Cond is c ? a : b.
	Cond struct {
		expr
		C, A, B Expr
	}
	// Comma is x, y.
	Comma struct {
		expr
		X, Y Expr
	}
	// Assign is l = r or, with Op set, l op= r where the operation is done in
	// type OpType.
	Assign struct {
		expr
		L, R   Expr
		HasOp  bool
		Op     ctype.Op
		OpType *ctype.Type
	}
	// IncDec is ++x, x++, --x or x--.
	IncDec struct {
		expr
		X    Expr
		Dec  bool
		Post bool
	}
	// Call is a function call. Fun is a FuncRef or an expression of pointer type.
	Call struct {
		expr
		Fun  Expr
		Args []Expr
	}
	// Cast is a conversion. Implicit says that it is not in the source.
	Cast struct {
		expr
		X        Expr
		Implicit bool
	}
	// Compound is a compound literal: an unnamed variable and its value.
	Compound struct {
		expr
		Var  *Var
		Init []Init
	}
	// SizeofVLA is the size in bytes of a variable-length array.
	SizeofVLA struct {
		expr
		Var *Var
	}
	// VaArg is the address of the next variable argument, of type Arg. X
	// points to the va_list.
	VaArg struct {
		expr
		X   Expr
		Arg *ctype.Type
	}
	// VaStart is va_start or va_end (End); X points to the va_list.
	VaStart struct {
		expr
		X   Expr
		End bool
	}
	// WideConst is a constant of a wide type (ctype.IsWide).
	WideConst struct {
		expr
		Bytes []byte
		Spell string
	}
	// Part is __real__ x or, with Imag, __imag__ x of a complex number.
	Part struct {
		expr
		X    Expr
		Imag bool
	}
	// LabelAddr is GNU C's &&label; Index is that in Func.LabelAddrs.
	LabelAddr struct {
		expr
		Func  *Func
		Label string
		Index int
	}
	// StmtExpr is gcc's ({ ... }).
	StmtExpr struct {
		expr
		Body *Block
	}
)

// Stmt is a statement.
type Stmt interface {
	Node
	stmt() *stmtBase
}

type stmtBase struct{ rng source.Range }

func (s *stmtBase) Range() source.Range { return s.rng }
func (s *stmtBase) stmt() *stmtBase     { return s }

// The statements.
type (
	// ExprStmt is an expression statement.
	ExprStmt struct {
		stmtBase
		X Expr
	}
	// Decl declares one local variable. A declaration of several variables becomes several Decls.
	Decl struct {
		stmtBase
		Var  *Var
		Init []Init // nil without an initializer
		Zero bool   // the initializer leaves bytes to be zeroed
		// Cleanup is called with the variable's address when its scope is left.
		Cleanup *Func
		Word    source.Range // the whole declaration, with its semicolon
	}
	// Block is { ... }. An Implicit one has no braces: it is the single statement
	// that an if or a loop controls. Its List is empty for a lone semicolon.
	Block struct {
		Implicit bool
		stmtBase
		List []Stmt
	}
	// If is if with an optional else.
	If struct {
		stmtBase
		Cond Expr
		Then Stmt
		Else Stmt // may be nil
		Head source.Range
	}
	// While is while or do-while.
	While struct {
		stmtBase
		Cond Expr
		Body Stmt
		Do   bool
		Head source.Range
	}
	// For is a for loop. Init is nil or a Block of declarations or one ExprStmt.
	For struct {
		stmtBase
		Init Stmt
		Cond Expr // may be nil
		Post Expr // may be nil
		Body Stmt
		Head source.Range
	}
	// Switch is a switch.
	Switch struct {
		stmtBase
		X    Expr
		Body Stmt
		Head source.Range
	}
	// Case is case Lo (or Lo ... Hi): or default:.
	Case struct {
		stmtBase
		Default bool
		Lo, Hi  int64
		Body    Stmt
	}
	// Label is name: stmt.
	Label struct {
		stmtBase
		Name string
		Body Stmt
	}
	// Jump is goto, break or continue.
	Jump struct {
		stmtBase
		Kind  JumpKind
		Label string
	}
	// Sizes evaluates generated assignments at the place of a declaration. They set the sizes of types of variable
	// size or fill the chain of nested functions.
	Sizes struct {
		stmtBase
		X []Expr
	}
	// ComputedGoto is goto *x.
	ComputedGoto struct {
		stmtBase
		X Expr
	}
	// Asm is inline assembly.
	Asm struct {
		stmtBase
		Out, In []AsmOperand
		Code    *x86.Statement // nil if it has no instructions, or only some that change no value
	}
	// Return is return with an optional value.
	Return struct {
		stmtBase
		X Expr // may be nil
	}
	// Opaque is a statement that gulo cannot read although gcc can.
	Opaque struct {
		stmtBase
		Reason string
		At     source.Position // of what is not supported
	}
	// Empty is a lone semicolon.
	Empty struct{ stmtBase }
)

// AsmOperand is an operand of inline assembly.
type AsmOperand struct {
	Constraint string
	X          Expr
}

// JumpKind is the kind of a Jump.
type JumpKind uint8

const (
	Goto JumpKind = iota
	Break
	Continue
)

// Stored returns the lvalue that an expression itself stores to, if it is an assignment or ++ or --; nil for others.
func Stored(x Expr) Expr {
	switch x := x.(type) {
	case *Assign:
		return x.L
	case *IncDec:
		return x.X
	}
	return nil
}

// Skip returns x without outer implicit casts and decays.
func Skip(x Expr) Expr {
	for {
		switch y := x.(type) {
		case *Cast:
			if !y.Implicit {
				return x
			}
			x = y.X
		case *Decay:
			x = y.X
		default:
			return x
		}
	}
}

// IsNull reports whether x is a null pointer constant.
func IsNull(x Expr) bool {
	for {
		switch y := x.(type) {
		case *Cast:
			if y.typ.Kind != ctype.Pointer && !y.typ.IsInteger() {
				return false
			}
			x = y.X
		case *Const:
			return y.Value == 0 && y.typ.Kind != ctype.Float
		default:
			return false
		}
	}
}
