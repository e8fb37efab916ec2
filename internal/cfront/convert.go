package cfront

import (
	"slices"
	"strings"

	"gulo/internal/cpp"
	"gulo/internal/ctype"
	"gulo/internal/source"

	"modernc.org/cc/v4"
)

// This file converts declarations and finds where nodes are written. Refusals travel as panics with a
// *source.Error and are recovered by caught, at the latest in unit.

type converter struct {
	casts map[[2]*ctype.Type]bool // those in prog.Casts
	prog  *Program
	files map[string]*source.File
	sums  map[*source.File][32]byte // SHA-256 of their texts
	texts cpp.Texts

	unasked *unasked

	dialect   dialect // of the current file
	converted int     // number of files of the program converted so far

	structs    map[string]*ctype.Type // tags at file scope, shared by all source files
	spelled    map[string]string      // text of the definition of each tag that has one
	isComplete map[*ctype.Type]bool   // structs and unions that have been laid out
	ranges     map[*ctype.Type]enumRange
	variable   map[*ctype.Type]bool // types of variable-length arrays

	sizes       map[*ctype.Type]func() Expr // sizes of types of variable size
	placedIn    map[*ctype.Type][]placed    // members of structs and unions of variable size
	before      map[*ctype.Type]int64       // bytes of such a struct's members before the first of variable size
	inFunction  map[*ctype.Type]bool        // structs and unions declared in a function
	shapes      map[*ctype.Type]*Varying    // results of varying
	pending     []Expr                      // assignments of sizes that no expression evaluates yet
	transparent map[*ctype.Type]bool        // unions with __attribute__((transparent_union))

	funcs       map[string]*Func // by name; statics with their file in front
	guessed     map[*Func]bool   // functions whose declaration could not be read; their type is a guess
	standIns    map[*Func]bool   // GNU extern inline functions: another definition replaces theirs
	funcOrder   []*Func
	globals     map[string]*Var
	globalOrder []*Var
	aliases     []alias

	// Of the current source file.
	unitName   string
	src        *unit
	private    map[string]*ctype.Type // tags that mean something else in other source files; nil until met
	blanked    map[int]*source.Error  // bodies that the parser did not take, by their brace
	specs      map[*cc.StructOrUnionSpecifier]*ctype.Type
	enums      map[*cc.EnumSpecifier]*ctype.Type
	scopes     []*scope
	using      cc.Node                    // where a lazy declaration is used
	alone      *cc.StructOrUnionSpecifier // of the current declaration if it has no declarators
	packings   packings
	pieceBytes int

	nested   bool               // convert nested functions (Options.Nested)
	closures map[*Func]*closure // by nested function
	chain    *chain             // of the current function if it has nested functions or is one

	fn        *Func
	labels    []map[string]string // of blocks with __label__
	unlabel   int                 // counter for unique names of local labels and nested functions
	noLocals  []*Var              // temporaries of a parameter list
	dry       int                 // depth of operands that are not evaluated: of sizeof, typeof
	scopeEnd  int                 // where the innermost open block ends
	funcScope int                 // number of the scope of a nested function; 0 in others
	switches  []*Switch
}

// alias is a function f that is another name of the function called name.
type alias struct {
	f    *Func
	name string
	unit string
	at   source.Range
}

func newConverter() *converter {
	return &converter{
		unasked:    &unasked{},
		pieceBytes: pieceBytes,
		prog:       &Program{Digest: map[string]string{}, Typedefs: map[string]*ctype.Type{}},
		files:      map[string]*source.File{},
		sums:       map[*source.File][32]byte{},
		structs:    map[string]*ctype.Type{},
		spelled:    map[string]string{},
		guessed:    map[*Func]bool{},
		standIns:   map[*Func]bool{},
		isComplete: map[*ctype.Type]bool{},
		ranges:     map[*ctype.Type]enumRange{},
		variable:   map[*ctype.Type]bool{},

		sizes:       map[*ctype.Type]func() Expr{},
		placedIn:    map[*ctype.Type][]placed{},
		before:      map[*ctype.Type]int64{},
		inFunction:  map[*ctype.Type]bool{},
		shapes:      map[*ctype.Type]*Varying{},
		transparent: map[*ctype.Type]bool{},
		funcs:       map[string]*Func{},
		globals:     map[string]*Var{},
	}
}

// unit converts the declarations of a syntax tree. A declaration that is refused becomes opaque.
func (c *converter) unit(ast *cc.AST) {
	for l := ast.TranslationUnit; l != nil; l = l.TranslationUnit {
		ed := l.ExternalDeclaration
		system := c.system(ed)
		st := c.save()
		e := caught(func() { c.external(ed, system) })
		if e == nil {
			continue
		}
		c.restore(st)
		switch ed.Case {
		case cc.ExternalDeclarationFuncDef:
			c.poisonName(ed.FunctionDefinition.Declarator.Name(), e)
		case cc.ExternalDeclarationDecl:
			c.poison(ed.Declaration, e)
		}
		if i, ok := c.token1(ed); ok {
			_, end := c.src.topLevel(i)
			c.note(c.src.span(i, end), e, true)
		}
	}
}

// external converts an external declaration. Those of system headers are converted lazily.
func (c *converter) external(ed *cc.ExternalDeclaration, system bool) {
	switch ed.Case {
	case cc.ExternalDeclarationFuncDef:
		if system {
			c.lazyFunction(ed.FunctionDefinition)
		} else {
			c.funcDef(ed.FunctionDefinition)
		}
	case cc.ExternalDeclarationDecl:
		if system {
			c.lazyDeclaration(ed.Declaration)
		} else {
			c.fileDecl(ed.Declaration)
		}
	case cc.ExternalDeclarationAsmStmt:
		c.refuse(ed, "inline assembly is not supported")
	}
}

// token returns the range of a token in the source and whether it came out of a macro.
func (c *converter) token(t cc.Token) (source.Range, bool) {
	i, ok := c.where(t)
	if !ok {
		return source.Range{}, false
	}
	r, macro := c.src.written(i)
	for toks := c.src.Tokens; toks[i].Kind == cpp.String && i+1 < len(toks) && toks[i+1].Kind == cpp.String; i++ {
		s, m := c.src.written(i + 1) // the parser makes one token of adjacent string literals
		r, macro = r.Union(s), macro || m
	}
	return r, macro
}

func (c *converter) setRange(e *expr, toks ...cc.Token) {
	for _, t := range toks {
		r, m := c.token(t)
		e.rng = e.rng.Union(r)
		e.macro = e.macro || m
	}
}

// cover widens the range of e to include its operands xs. An operand with the same range as its
// parent is part of one macro call and cannot be edited by itself.
func cover(e *expr, xs ...Expr) {
	for _, x := range xs {
		e.rng = e.rng.Union(x.Range())
	}
	for _, x := range xs {
		b := x.(interface{ base() *expr }).base()
		if b.rng == e.rng {
			if b.macro || e.macro {
				markMacro(x)
			} else if len(xs) > 1 {
				markWhole(x, e.rng)
			}
		}
	}
	e.macro = false
}

func markMacro(x Expr) {
	Walk(x, func(y Expr) bool {
		y.(interface{ base() *expr }).base().macro = true
		return true
	})
}

// markWhole marks the parts of x whose range is that of a whole macro call. Arguments of the call have
// ranges of their own and are not marked.
func markWhole(x Expr, r source.Range) {
	Walk(x, func(y Expr) bool {
		if b := y.(interface{ base() *expr }).base(); b.rng == r {
			b.macro = true
		}
		return true
	})
}

func (c *converter) fileDecl(d *cc.Declaration) {
	c.declaration(d, nil)
}

// declarator1 is one declarator of a declaration, with the declaration's specifiers and attributes.
type declarator1 struct {
	declared
	s     *specifiers
	attrs []attribute
	node  *cc.Declarator
	init  *cc.Initializer
	label string // the name of a variable for the linker; "" if that is the declared name
}

func (d *declarator1) find(name string) *attribute { return find(d.attrs, name) }

// declaration converts a declaration. It calls local for each automatic variable of a function.
func (c *converter) declaration(d *cc.Declaration, local func(d *declarator1)) {
	switch d.Case {
	case cc.DeclarationAssert:
		return // gcc has checked it
	case cc.DeclarationAuto:
		x := c.expr(d.Initializer.AssignmentExpression)
		s := &specifiers{typ: x.Type(), where: d}
		if s.typ.Bits > 0 {
			s.typ = ctype.Promote(s.typ)
		}
		dd := &declarator1{s: s, node: d.Declarator, init: d.Initializer}
		dd.declared = c.declarator(d.Declarator, s.typ, 0)
		c.declareOne(dd, local)
		return
	}
	c.alone = nil
	if d.InitDeclaratorList == nil {
		for s := d.DeclarationSpecifiers; s != nil; s = s.DeclarationSpecifiers {
			if s.TypeSpecifier != nil {
				c.alone = s.TypeSpecifier.StructOrUnionSpecifier
			}
		}
	}
	s := c.declSpecifiers(d.DeclarationSpecifiers)
	c.alone = nil
	for l := d.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		in := l.InitDeclarator
		dd := &declarator1{s: s, node: in.Declarator}
		label := c.asmLabel(in)
		dd.attrs = append(dd.attrs, s.attrs...)
		dd.attrs = c.attributes(dd.attrs, l.AttributeSpecifierList)
		dd.attrs = c.attributes(dd.attrs, in.AttributeSpecifierList)
		if l.InitDeclaratorList == nil {
			dd.attrs = c.attributes(dd.attrs, d.AttributeSpecifierList)
		}
		if in.Case == cc.InitDeclaratorInit {
			dd.init = in.Initializer
		}
		dd.declared = c.declarator(in.Declarator, s.typ, s.qual)
		dd.typ = c.mode(dd.typ, dd.attrs[len(s.attrs):])
		if c.nested && s.auto && c.fn != nil && dd.typ.Kind == ctype.Func {
			g, k := c.announced(dd.name.SrcStr())
			c.announce(g, k, dd.name, dd.typ)
			continue
		}
		if label == "" && dd.typ.Kind == ctype.Func {
			label = c.packings.renamed[dd.name.SrcStr()]
		}
		switch {
		case label == "":
		case dd.typ.Kind == ctype.Func && c.fn == nil:
		case c.fn == nil || s.extern || s.static:
			dd.label, label = label, ""
		case c.nested && in.Case == cc.InitDeclaratorInit: // on the machine a register variable is an ordinary one
			label = ""
		default:
			c.refuse(in.Asm, "an asm label is not supported")
		}
		if a := dd.find("weakref"); a != nil {
			label = c.aliased(a)
			if b := dd.find("alias"); label == "" && b != nil {
				label = c.aliased(b)
			}
		}
		c.declareOne(dd, local)
		if label != "" && label != dd.name.SrcStr() {
			c.rename(dd.name.SrcStr(), label)
		}
	}
}

// asmLabel returns the assembler name (asm label) of a declaration, "" for none. In system headers
// the label names another version of the same function and is ignored.
func (c *converter) asmLabel(n *cc.InitDeclarator) string {
	if n.Asm == nil || c.system(n.Asm) {
		return ""
	}
	return strings.Trim(n.Asm.Token3.SrcStr(), `"`)
}

// rename makes the function called name an alias of the function called label.
func (c *converter) rename(name, label string) {
	f := c.visible(name).f
	t := c.funcs[label]
	if t == nil {
		t = &Func{Name: label, Type: f.Type, Weak: f.Weak}
		c.funcs[label] = t
		c.funcOrder = append(c.funcOrder, t)
	}
	f.Alias = t
}

func (c *converter) declareOne(d *declarator1, local func(d *declarator1)) {
	name := d.name.SrcStr()
	switch {
	case name == "__func__":
	case d.s.typedef:
		c.typedef(d)
	case d.typ.Kind == ctype.Func:
		f := c.function(d)
		c.hooks(f, d.attrs)
		c.nonNull(f, d.attrs, d.params)
		if a := d.find("alias"); a != nil && d.find("weakref") == nil {
			c.alias(f, a)
		}
	case c.fn == nil || d.s.static || d.s.extern:
		v := c.global(d)
		if d.init != nil {
			if e := caught(func() { v.Init, v.Type = c.initializer(d.init, v.Type) }); e != nil {
				v.Unread = &e.List[0]
				panic(e)
			}
		}
	default:
		local(d)
	}
}

// characters are the names of the types of wide characters (stddef.h, uchar.h).
var characters = map[string]*ctype.Type{"wchar_t": ctype.WCharT, "char16_t": ctype.Char16T, "char32_t": ctype.Char32T}

func (c *converter) typedef(d *declarator1) {
	t := realigned(d.typ, c.alignment(d.attrs))
	if t.IsAggregate() && t.Typedef == "" {
		t.Typedef = d.name.SrcStr()
	}
	if t.Kind == ctype.Union && d.find("transparent_union") != nil {
		c.transparent[t] = true
	}
	if w := characters[d.name.SrcStr()]; w != nil && t.Kind == ctype.Int && !t.Enum && ctype.Same(t, w) && t.Align == w.Align {
		t = w
	}
	c.declare(d.name.SrcStr(), &symbol{typedef: t, qual: d.qual})
	c.named(d.name.SrcStr(), t)
}

// named records the type that a name stands for at file scope.
func (c *converter) named(name string, t *ctype.Type) {
	if c.fn == nil && c.prog.Typedefs[name] == nil {
		c.prog.Typedefs[name] = t
	}
}

func (c *converter) alias(f *Func, a *attribute) {
	if len(a.args) == 1 {
		if p := stringNode(a.args[0]); p != nil {
			s := c.stringLiteral(p).(*String)
			c.aliases = append(c.aliases, alias{f, string(s.Bytes[:len(s.Bytes)-1]), c.unitName, s.Range()})
			return
		}
	}
	c.refuse(a.tok, "the attribute alias does not name a function")
}

// aliased returns the string that is the argument of an attribute, "" for none.
func (c *converter) aliased(a *attribute) string {
	if len(a.args) != 1 {
		return ""
	}
	p := stringNode(a.args[0])
	if p == nil {
		return ""
	}
	s := c.stringLiteral(p).(*String)
	return string(s.Bytes[:len(s.Bytes)-1])
}

// function returns the Func that a declarator names.
func (c *converter) function(d *declarator1) *Func {
	name := d.name.SrcStr()
	r, _ := c.token(d.name)
	return c.namedFunction(name, d.typ, d.s.static, r, d.find("weak") != nil || d.find("weakref") != nil)
}

func (c *converter) namedFunction(name string, t *ctype.Type, static bool, r source.Range, weak bool) *Func {
	key := name
	if s := c.visible(name); static || s != nil && s.f != nil && s.f.Static {
		key, static = c.unitName+":"+name, true
	}
	if short, ok := strings.CutPrefix(name, "__builtin_"); ok && !onlyBuiltin.MatchString(short) {
		key = short // another name of a function of the library
	}
	f, ok := c.funcs[key]
	if !ok {
		f = &Func{Name: strings.TrimPrefix(key, c.unitName+":"), Static: static}
		f.Range = r
		c.funcs[key] = f
		c.funcOrder = append(c.funcOrder, f)
	}
	f.Weak = f.Weak || weak || c.packings.weak[name]
	if f.Type == nil || f.Type.NoProto && f.Body == nil || c.guessed[f] {
		f.Type = t
		delete(c.guessed, f)
	}
	if r := f.Type.Result; f.Result == nil && r != nil && r.IsScalar() {
		f.Result = &Var{Name: "result", Type: r, Func: f}
	}
	if s := c.visible(name); s == nil || s.f != f {
		c.declare(name, &symbol{f: f})
	}
	return f
}

// visible is lookup without converting a lazy declaration.
func (c *converter) visible(name string) *symbol {
	for i := len(c.scopes) - 1; i >= 0; i-- {
		if s, ok := c.scopes[i].names[name]; ok {
			return s
		}
	}
	return nil
}

// global returns the variable of static storage that a declarator names.
func (c *converter) global(d *declarator1) *Var {
	name := d.name.SrcStr()
	if d.vla != nil {
		c.refuse(d.node, "an array of static storage and variable size")
	}
	if a := d.find("alias"); a != nil {
		return c.aliasOf(d, c.aliased(a))
	}
	linked := name
	if d.label != "" {
		linked = d.label
	}
	if libraryVar[linked] {
		name = linked
	}
	v := &Var{Name: name, Type: d.typ, AddrTaken: true, Qual: d.qual, Align: max(d.s.align, c.alignment(d.attrs))}
	v.Range, _ = c.token(d.name)
	q := v.Qual
	for t := v.Type; t.Kind == ctype.Array; t = t.Elem {
		q |= t.ElemQual
	}
	v.Const, v.Volatile, v.PerThread = q&ctype.Const != 0, q&ctype.Volatile != 0, d.s.thread
	if c.fn != nil && d.s.static {
		v.Storage, v.Func = Static, c.fn
		c.setScope(v)
		c.globalOrder = append(c.globalOrder, v)
		c.declare(name, &symbol{v: v})
		return v
	}
	key := linked
	name = d.name.SrcStr()
	v.Storage = Global
	if d.s.static {
		key, v.Storage = c.unitName+":"+linked, Static
	} else if d.s.extern {
		if s := c.visible(name); s != nil && s.v != nil && s.v.Storage == Static && s.v.Func == nil {
			key, v.Storage = c.unitName+":"+name, Static
		}
	}
	w, ok := c.globals[key]
	if ok {
		if w.Type.Size == 0 && v.Type.Size > 0 || w.Type.Kind == ctype.Array && w.Type.Len < 0 {
			w.Type = v.Type
		}
		w.Align = max(w.Align, v.Align)
		w.PerThread = w.PerThread || v.PerThread
		w.Weak = w.Weak && d.s.extern && d.init == nil
	} else {
		w = v
		w.Weak = (d.find("weak") != nil || c.packings.weak[linked]) && d.s.extern && d.init == nil
		c.globals[key] = w
		w.library = libraryVar[linked]
		c.globalOrder = append(c.globalOrder, w)
	}
	if !d.s.extern || d.init != nil {
		w.library = false
	}
	if !slices.Contains(w.declared, c.src.whole) {
		w.declared = append(w.declared, c.src.whole)
	}
	if s := c.visible(name); s == nil || s.v != w {
		c.declare(name, &symbol{v: w})
	}
	return w
}

// aliasOf returns the variable that __attribute__((alias)) names, and declares d as another name of it. The variable
// must be defined above.
func (c *converter) aliasOf(d *declarator1, target string) *Var {
	v := c.globals[target]
	if v == nil {
		v = c.globals[c.unitName+":"+target]
	}
	if v == nil {
		c.refuse(d.node, "an alias of the variable %q, which is not defined above, is not supported", target)
	}
	c.declare(d.name.SrcStr(), &symbol{v: v})
	return v
}

// libraryVar names the variables that the C library defines.
var libraryVar = map[string]bool{"stdin": true, "stdout": true, "stderr": true, "optarg": true, "optind": true, "opterr": true, "optopt": true, "environ": true, "__environ": true}

func (c *converter) funcDef(d *cc.FunctionDefinition) {
	c.noLocals, c.pending = nil, nil // left over from prototypes
	c.chain, c.funcScope = nil, 0
	s := c.declSpecifiers(d.DeclarationSpecifiers)
	dd := &declarator1{s: s, node: d.Declarator, attrs: s.attrs}
	dd.declared = c.declarator(d.Declarator, s.typ, s.qual)
	ps := dd.params
	if ps == nil {
		c.refuse(d, "a function defined through a type name is not supported")
	}
	f := c.function(dd)
	c.hooks(f, dd.attrs)
	c.nonNull(f, dd.attrs, ps)
	standIn := s.inline && s.extern && find(dd.attrs, "gnu_inline") != nil
	if f.Body != nil && (standIn || !c.standIns[f]) { // an inline function of a header, seen in an earlier file
		return
	}
	if c.standIns[f] = standIn; f.Body != nil { // this definition replaces that of an extern inline function
		f.Body, f.Params, f.Locals, f.Entry = nil, nil, nil, nil
	}
	f.Type = dd.typ
	f.Range, _ = c.token(dd.name)
	c.fn = f
	body, _ := c.token(d.CompoundStatement.Token)
	end, _ := c.token(d.CompoundStatement.Token2)
	f.Whole = f.Range
	if f.Range.File == body.File && f.Range.File != nil {
		start := f.Range.Start
		if p := d.DeclarationSpecifiers; p != nil {
			if r, _ := c.at(p); r.File == f.Range.File {
				start = min(start, r.Start)
			}
		}
		f.Whole = source.Range{File: f.Range.File, Start: start, End: end.End}
	}
	open, _ := c.where(d.CompoundStatement.Token)
	st := c.save()
	e, notes := c.blanked[open], len(c.prog.Opaque)
	if e2 := caught(func() { c.body1(f, ps, d, end.End, e == nil) }); e2 != nil {
		e = e2
	}
	locals := f.Locals
	c.restore(st)
	f.Locals = locals
	if standIn && (e != nil || len(c.prog.Opaque) > notes) { // as in error.h, which passes on arguments without a name: the library's function is called
		f.Body, f.Params, f.Locals, f.Entry, c.fn = nil, nil, nil, nil, nil
		c.prog.Opaque = c.prog.Opaque[:notes]
		return
	}
	if e != nil {
		if f.Params = ps.vars; len(f.Params) != len(f.Type.Params) && !f.Type.NoProto {
			f.Params = nil
		}
		c.opaqueBody(f, open, e)
	}
	for _, v := range slices.Concat(f.Params, f.Locals) {
		v.Varying = c.varying(v.Type)
	}
	c.fn = nil
}

// body1 converts the parameters of a function and, if known (the parser has accepted it), its body.
func (c *converter) body1(f *Func, ps *parameters, d *cc.FunctionDefinition, end int, known bool) {
	c.push()
	c.bind(f, ps, d, end)
	f.Locals = append(f.Locals, c.noLocals...)
	c.noLocals = nil
	f.Entry = ps.sizes
	if !known {
		return
	}
	body := c.block(d.CompoundStatement)
	c.closeChain(f, body)
	for i := len(ps.effect) - 1; i >= 0; i-- {
		x := &ExprStmt{X: ps.effect[i]}
		x.rng = x.X.Range()
		body.List = append([]Stmt{x}, body.List...)
	}
	f.Body = body
	c.pop()
}

// bind declares a function's parameters in its outermost block.
func (c *converter) bind(f *Func, ps *parameters, d *cc.FunctionDefinition, end int) {
	top := c.scopes[len(c.scopes)-1]
	for name, t := range ps.tags {
		top.tags[name] = t
	}
	for name, s := range ps.consts {
		top.names[name] = s
	}
	if len(ps.names) > 0 {
		c.oldStyle(f, ps, d.DeclarationList)
	}
	for _, v := range ps.vars {
		v.Func = f
		if v.Name != "" {
			v.Scope = source.Range{File: v.Range.File, Start: v.Range.Start, End: end}
			c.declare(v.Name, &symbol{v: v})
		}
		f.Params = append(f.Params, v)
	}
}

// oldStyle takes the types of a K&R function's parameters from the
// declarations in front of its body.
func (c *converter) oldStyle(f *Func, ps *parameters, l *cc.DeclarationList) {
	vars := map[string]*Var{}
	for ; l != nil; l = l.DeclarationList {
		d := l.Declaration
		if d.Case != cc.DeclarationDecl {
			continue
		}
		s := c.declSpecifiers(d.DeclarationSpecifiers)
		for il := d.InitDeclaratorList; il != nil; il = il.InitDeclaratorList {
			x := c.declarator(il.InitDeclarator.Declarator, s.typ, s.qual)
			v := &Var{Name: x.name.SrcStr(), Type: x.typ.Decay(), Storage: Param, Qual: x.qual}
			if x.vla != nil && (x.vla.elem != nil || x.vla.n != nil && !Pure(x.vla.n)) {
				c.refuse(il.InitDeclarator, "a parameter of variable size is not supported")
			}
			v.Range, _ = c.token(x.name)
			vars[v.Name] = v
		}
	}
	t := *f.Type
	t.Params = nil
	for _, name := range ps.names {
		v := vars[name]
		if v == nil {
			v = &Var{Name: name, Type: ctype.IntT, Storage: Param, Range: f.Range}
		}
		ps.vars = append(ps.vars, v)
		t.Params = append(t.Params, v.Type)
	}
	f.Type = &t
}
