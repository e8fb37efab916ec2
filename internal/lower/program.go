// Package lower turns the tree of package cfront into ir, with the location
// map between source places, statements and instructions (the map Λ of
// Wolverine2, "Debug-Localize-Repair: A Symbiotic Construction for Heap
// Manipulations", section 2.2). Unlike the paper's it does not assume one
// statement a line: a statement is known by its bytes.
//
// A statement here is what the debugger stops at: an expression statement, a
// declaration with an initializer, a condition, the parts of a for header, a
// return, the closing brace. Statements that come out of one macro invocation
// have the same bytes and are one statement.
package lower

import (
	"context"
	"fmt"
	"sync"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/ir"
	"gulo/internal/source"
)

// Kind classifies statements.
type Kind uint8

const (
	Expr   Kind = iota
	Decl        // declaration with an initializer
	Cond        // condition of if, while, do, for
	Switch      // the value of a switch
	Post        // third part of a for header
	Return      // return with a value
	Jump        // break, continue, goto, return without a value: no stop
	Entry       // opening of a function: no stop
	End         // closing brace of a function
	Opaque      // what cfront could not read, or this package could not lower
)

// Stmt is one entry of the location map.
type Stmt struct {
	ID    int32
	Kind  Kind
	Func  *cfront.Func
	Range source.Range   // what is shown
	Match []source.Range // what else the compiler may attribute to it, such as the keyword of its loop
	Stop  bool           // the debugger stops here
	X     cfront.Expr    // Expr, Cond, Switch, Post, Return
	Decl  *cfront.Decl   // Decl
	Loop  bool           // Cond of a loop
	Macro bool           // several statements of one macro invocation, kept as one
	Late  bool           // it begins behind the statements of a statement expression
	Node  cfront.Stmt    // the statement it belongs to

	Block, At       int32 // where it starts in its function's ir
	EndBlock, EndAt int32 // Expr, Decl, Post: where what comes after it starts
	True, False     int32 // Cond: the blocks it goes to
}

// Jumps reports whether a statement is a computed goto: nothing comes after it, so no other statement can stand in
// its place.
func (s *Stmt) Jumps() bool {
	_, ok := s.Node.(*cfront.ComputedGoto)
	return ok
}

// Exprs are the expressions of a statement: its own, and those that its declaration begins with.
func (s *Stmt) Exprs() (out []cfront.Expr) {
	if s.X != nil {
		out = append(out, s.X)
	}
	if s.Decl != nil {
		for _, in := range s.Decl.Init {
			out = append(out, in.X)
		}
	}
	return out
}

// Gap is a place between two statements of a block.
type Gap struct {
	ID    int32
	Func  *cfront.Func
	Block *cfront.Block
	Index int // before Block.List[Index], or at the end

	In, At int32 // the block and instruction of the function's ir that come after it
}

// Program is the lowered program with its location map.
type Program struct {
	Tree  *cfront.Program
	IR    *ir.Program
	Stmts []*Stmt // by ID; Stmts[0] is nil
	Gaps  []*Gap  // by ID

	bounds bool // Options.Bounds, which overlays have, too

	objects map[*cfront.Var]int32
	funcs   map[*cfront.Func]int32
	strings map[string]int32
	refused map[cfront.Stmt]*source.Error // statements that cannot be lowered
	overlay sync.Mutex                    // lowering overlays may add functions and strings
	index   sync.Mutex                    // guards objects, funcs and strings: a search adds to them while others look

	// Kept is for packages that execute the program: what each derives from it once, under keys of a type of its own.
	Kept sync.Map
}

// Options change how variables are kept.
type Options struct {
	// Memory keeps every variable in memory, where a debugger can find it.
	// Without it scalars whose address is not taken live in registers.
	Memory bool
	// Scopes ends the variables of a block where it is left, and when it is entered again.
	// Without it they live as long as the call.
	Scopes bool
	// Bounds has indices checked into arrays that are members, rows of other arrays or behind a pointer to an array
	// (C11 6.5.6p8): an index that leaves such an array may still be inside the variable or block.
	Bounds bool
	// Native is for a program that only the compiler's code runs: a variable whose initial
	// value cannot be evaluated here is noted as opaque instead of refused.
	Native bool
	// Components are expressions that symbolic execution may replace, with their numbers
	// from 1 on. When one is suspect (ir.Suspect), a hole stands for its value. One with a
	// negative number always is. With Memory only.
	Components map[cfront.Expr]int32
}

// FuncIndex returns the index of a function in the ir.
func (p *Program) FuncIndex(f *cfront.Func) (int32, bool) {
	p.index.Lock()
	defer p.index.Unlock()
	i, ok := p.funcs[f]
	return i, ok
}

// GlobalIndex returns the index of a variable of static storage in the ir.
func (p *Program) GlobalIndex(v *cfront.Var) (int32, bool) {
	p.index.Lock()
	defer p.index.Unlock()
	i, ok := p.objects[v]
	return i, ok
}

// LiteralIndex returns the index of a string literal in the ir.
func (p *Program) LiteralIndex(s *cfront.String) (int32, bool) {
	key := literalKey(s)
	p.index.Lock()
	defer p.index.Unlock()
	i, ok := p.strings[key]
	return i, ok
}

// Load reads C files and lowers them, with local variables in memory, as everything
// needs that looks at states. The error is as Lower's or that of cfront.Load.
func Load(ctx context.Context, files []string, opt cfront.Options) (*Program, error) {
	tree, err := cfront.Load(ctx, files, opt)
	if err != nil {
		return nil, err
	}
	return Lower(tree, Options{Memory: true})
}

// LoadNative is Load for a program that only the compiler's code runs.
func LoadNative(ctx context.Context, files []string, opt cfront.Options) (*Program, error) {
	tree, err := cfront.Load(ctx, files, opt)
	if err != nil {
		return nil, err
	}
	return Lower(tree, Options{Memory: true, Native: true})
}

// Lower lowers a program. Constructs out of reach give a *source.Error.
func Lower(tree *cfront.Program, opt Options) (p *Program, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*source.Error)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	p = &Program{
		Tree: tree, IR: &ir.Program{Main: -1, ByName: map[string]int32{}}, Stmts: []*Stmt{nil}, bounds: opt.Bounds,
		objects: map[*cfront.Var]int32{}, funcs: map[*cfront.Func]int32{}, strings: map[string]int32{}, refused: map[cfront.Stmt]*source.Error{},
	}
	for _, v := range tree.Globals {
		p.variable(v, opt, func() { p.global(v) })
	}
	for _, f := range tree.Funcs {
		p.function(f)
	}
	for _, v := range tree.Globals {
		p.variable(v, opt, func() { p.initGlobal(v) })
	}
	for _, f := range tree.Funcs {
		p.lowerFunc(f, opt)
	}
	for _, h := range tree.Constructors {
		p.IR.Init = append(p.IR.Init, p.function(h.Func))
	}
	for _, h := range tree.Destructors {
		p.IR.Fini = append(p.IR.Fini, p.function(h.Func))
	}
	if m := tree.Func("main"); m != nil {
		p.IR.Main = p.funcs[m]
	}
	return p, nil
}

// variable calls do for a variable of static storage. With Options.Native, a refusal is noted as opaque and not returned.
func (p *Program) variable(v *cfront.Var, opt Options, do func()) {
	if opt.Native {
		defer func() {
			r := recover()
			if r == nil {
				return
			}
			e, ok := r.(*source.Error)
			if !ok {
				panic(r)
			}
			p.Tree.Opaque = append(p.Tree.Opaque, cfront.Note{Range: v.Range, At: e.List[0].Pos, Reason: e.List[0].Message, Whole: true})
		}()
	}
	do()
}

func refuse(at cfront.Node, format string, args ...any) {
	pos := source.Position{}
	if at != nil {
		pos = at.Range().Position()
	}
	panic(source.Errorf(pos, format, args...))
}

// function returns the index of a function, declaring it when it is new.
func (p *Program) function(f *cfront.Func) int32 {
	if t := target(f); t != nil {
		f = t
	}
	p.index.Lock()
	defer p.index.Unlock()
	if i, ok := p.funcs[f]; ok {
		return i
	}
	if i, ok := p.IR.ByName[f.Name]; ok && f.Body == nil && !f.Range.Valid() {
		return i // a library function that an edit names
	}
	i := int32(len(p.IR.Funcs))
	p.funcs[f] = i
	p.IR.Funcs = append(p.IR.Funcs, &ir.Func{Name: f.Name, Type: f.Type, Decl: f, SRet: ir.NoReg})
	if _, ok := p.IR.ByName[f.Name]; !ok {
		p.IR.ByName[f.Name] = i
	}
	return i
}

func (p *Program) global(v *cfront.Var) int32 {
	p.index.Lock()
	defer p.index.Unlock()
	if i, ok := p.objects[v]; ok {
		return i
	}
	if v.Type.Size == 0 && v.Type.Kind != ctype.Array && !v.Type.IsAggregate() {
		refuse(nil, "%s: variable %s has an incomplete type", v.Range, v.Name)
	}
	i := int32(len(p.IR.Globals))
	p.objects[v] = i
	p.IR.Globals = append(p.IR.Globals, ir.Object{Name: v.Name, Type: v.Type, Size: v.Type.Size, Align: max(v.Type.Align, v.Align), Var: v})
	return i
}

// literalKey is the same for literals that share an object.
func literalKey(s *cfront.String) string {
	size := int64(1)
	if t := s.Type(); t != nil && t.Kind == ctype.Array && t.Elem.Size > 1 {
		size = t.Elem.Size
	}
	return fmt.Sprint(size, " ", string(s.Bytes))
}

// LiteralName is the name of a string literal's object in the ir.
func LiteralName(b []byte) string { return fmt.Sprintf("%.*q", LiteralNameBytes, b) }

// LiteralNameBytes is how many bytes of a literal its name has at most.
const LiteralNameBytes = 20

// stringObject returns the object of a string literal.
func (p *Program) stringObject(s *cfront.String) int32 {
	b, elem := s.Bytes, ctype.CharT
	if t := s.Type(); t != nil && t.Kind == ctype.Array && t.Elem.Size > 1 {
		elem = t.Elem
	}
	key := literalKey(s)
	p.index.Lock()
	defer p.index.Unlock()
	if i, ok := p.strings[key]; ok {
		return i
	}
	i := int32(len(p.IR.Globals))
	p.strings[key] = i
	p.IR.Globals = append(p.IR.Globals, ir.Object{
		Name: LiteralName(b), Type: ctype.ArrayOf(elem, int64(len(b))/elem.Size),
		Size: int64(len(b)), Align: elem.Size, ReadOnly: true, Data: b,
	})
	return i
}

// target returns the function that a function's name stands for: nil when it
// is weak and nobody defines it.
func target(f *cfront.Func) *cfront.Func {
	for f.Alias != nil {
		f = f.Alias
	}
	if f.Weak && f.Body == nil {
		return nil
	}
	return f
}

// initGlobal computes the initial bytes of a variable of static storage.
func (p *Program) initGlobal(v *cfront.Var) {
	if len(v.Init) == 0 {
		return
	}
	o := p.objects[v]
	size := v.Type.Size
	for _, in := range v.Init { // a flexible array member makes the object longer
		if in.Field == nil {
			n := in.Type.Size
			if s, ok := in.X.(*cfront.String); ok && in.Type.Kind == ctype.Array && in.Type.Len < 0 {
				n = int64(len(s.Bytes))
			}
			size = max(size, in.Offset+n)
		}
	}
	size = wholeElements(v.Type, size)
	p.IR.Globals[o].Size = size
	data := make([]byte, size)
	var relocs []ir.Reloc
	for _, in := range v.Init {
		if in.Offset >= int64(len(data)) {
			continue
		}
		if s, ok := in.X.(*cfront.String); ok && in.Type.Kind == ctype.Array {
			end := in.Offset + in.Type.Size
			if in.Type.Len < 0 {
				end = int64(len(data))
			}
			copy(data[in.Offset:min(end, int64(len(data)))], s.Bytes)
			continue
		}
		if in.Type.IsAggregate() {
			p.initAggregate(v, in, data, &relocs)
			continue
		}
		if in.Type.IsWide() {
			b, ok := p.constantBytes(in.X)
			if lit, isLit := in.X.(*cfront.Compound); isLit && !ok {
				in.X = lit
				p.initAggregate(v, in, data, &relocs)
				continue
			}
			if !ok {
				refuse(in.X, "initializer is not a constant expression that gulo can evaluate")
			}
			copy(data[in.Offset:], b)
			continue
		}
		c := p.constant(in.X)
		switch {
		case c.reloc:
			relocs = append(relocs, ir.Reloc{Offset: in.Offset, Func: c.fn, Index: c.index, Addend: int64(c.word)})
		case in.Field != nil:
			putBits(data[in.Offset:], in.Field.BitOff, in.Field.BitLen, c.word)
		default:
			ctype.Store(in.Type, data[in.Offset:], c.word)
		}
	}
	p.IR.Globals[o].Data = data
	p.IR.Globals[o].Relocs = relocs
}

// wholeElements returns the size of an object whose initializer reaches up to end. The last element
// of a flexible array member counts as a whole.
func wholeElements(t *ctype.Type, end int64) int64 {
	if t.Kind != ctype.Struct || len(t.Fields) == 0 || end <= t.Size {
		return end
	}
	f := &t.Fields[len(t.Fields)-1]
	if f.Type.Kind != ctype.Array || f.Type.Len > 0 || f.Type.Elem.Size == 0 {
		return end
	}
	e := f.Type.Elem.Size
	return f.Offset + (end-f.Offset+e-1)/e*e
}

// Unread says why an initializer could not be read, for the first variable that has such a one; nil if all were read.
func (p *Program) Unread() *source.Diagnostic {
	for i := range p.IR.Globals {
		if v, ok := p.IR.Globals[i].Var.(*cfront.Var); ok && v.Unread != nil {
			return v.Unread
		}
	}
	return nil
}

// initAggregate copies the constant value of a struct: that of a compound
// literal (a GNU extension).
func (p *Program) initAggregate(v *cfront.Var, in cfront.Init, data []byte, relocs *[]ir.Reloc) {
	lit, ok := in.X.(*cfront.Compound)
	if !ok || lit.Var.Storage != cfront.Static {
		refuse(in.X, "this initializer of type %s is not a constant that gulo can evaluate", in.Type)
	}
	i := p.global(lit.Var)
	p.initGlobal(lit.Var)
	o := &p.IR.Globals[i]
	copy(data[in.Offset:], o.Data)
	for _, r := range o.Relocs {
		r.Offset += in.Offset
		*relocs = append(*relocs, r)
	}
}

func putBits(b []byte, off, n int, w ctype.Word) {
	for i := 0; i < n; i++ {
		bit := off + i
		b[bit/8] &^= 1 << (bit % 8)
		b[bit/8] |= byte(w>>i&1) << (bit % 8)
	}
}
