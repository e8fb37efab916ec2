package cfront

import (
	"fmt"
	"slices"

	"gulo/internal/ctype"
	"gulo/internal/source"

	"modernc.org/cc/v4"
)

// This file converts declaration specifiers: storage classes, basic types,
// structs, unions, enums.

// specifiers are the declaration specifiers of one declaration.
type specifiers struct {
	typ   *ctype.Type
	qual  ctype.Qual
	align int64 // _Alignas
	attrs []attribute

	typedef, extern, static, inline, thread bool

	words          map[cc.TypeSpecifierCase]int
	at, enum       cc.Node // the last type specifier; the last one that is an enum
	where          cc.Node // all specifiers
	implicit, auto bool
}

func (c *converter) declSpecifiers(d *cc.DeclarationSpecifiers) *specifiers {
	s := &specifiers{words: map[cc.TypeSpecifierCase]int{}}
	if d != nil {
		s.where = d
	}
	for ; d != nil; d = d.DeclarationSpecifiers {
		switch d.Case {
		case cc.DeclarationSpecifiersStorage:
			switch d.StorageClassSpecifier.Case {
			case cc.StorageClassSpecifierTypedef:
				s.typedef = true
			case cc.StorageClassSpecifierExtern:
				s.extern = true
			case cc.StorageClassSpecifierStatic:
				s.static = true
			case cc.StorageClassSpecifierAuto:
				s.auto = true
			case cc.StorageClassSpecifierThreadLocal:
				s.thread = true
			case cc.StorageClassSpecifierRegister:
			default:
				c.refuse(d, "__declspec is not supported")
			}
		case cc.DeclarationSpecifiersTypeSpec:
			c.typeSpecifier(s, d.TypeSpecifier)
		case cc.DeclarationSpecifiersTypeQual:
			c.qualifier(s, d.TypeQualifier)
		case cc.DeclarationSpecifiersFunc:
			s.inline = s.inline || d.FunctionSpecifier.Case == cc.FunctionSpecifierInline
		case cc.DeclarationSpecifiersAlignSpec:
			s.align = max(s.align, c.alignas(d.AlignmentSpecifier))
		case cc.DeclarationSpecifiersAttr:
			n := len(s.attrs)
			s.attrs = c.attributes(s.attrs, d.AttributeSpecifierList)
			c.enumAttributes(s, n)
		}
	}
	c.basic(s)
	return s
}

func (c *converter) qualifierSpecifiers(l *cc.SpecifierQualifierList) *specifiers {
	s := &specifiers{words: map[cc.TypeSpecifierCase]int{}, where: l}
	for ; l != nil; l = l.SpecifierQualifierList {
		n := len(s.attrs)
		s.attrs = c.attributes(s.attrs, l.AttributeSpecifierList)
		c.enumAttributes(s, n)
		switch {
		case l.TypeSpecifier != nil:
			c.typeSpecifier(s, l.TypeSpecifier)
		case l.TypeQualifier != nil:
			c.qualifier(s, l.TypeQualifier)
		case l.AlignmentSpecifier != nil:
			s.align = max(s.align, c.alignas(l.AlignmentSpecifier))
		}
	}
	c.basic(s)
	return s
}

func (c *converter) alignas(a *cc.AlignmentSpecifier) int64 {
	if a.Case == cc.AlignmentSpecifierType {
		t, _ := c.typeName(a.TypeName)
		return t.Align
	}
	return c.constInt(a.ConstantExpression)
}

func (c *converter) qualifier(s *specifiers, q *cc.TypeQualifier) {
	if q.Case == cc.TypeQualifierAttr {
		n := len(s.attrs)
		s.attrs = c.attributes(s.attrs, q.AttributeSpecifierList)
		c.enumAttributes(s, n)
		return
	}
	s.qual |= qualOf(q)
}

func qualOf(q *cc.TypeQualifier) ctype.Qual {
	switch q.Case {
	case cc.TypeQualifierConst:
		return ctype.Const
	case cc.TypeQualifierVolatile:
		return ctype.Volatile
	case cc.TypeQualifierRestrict:
		return ctype.Restrict
	case cc.TypeQualifierAtomic:
		return ctype.Atomic
	}
	return 0
}

// typeSpecifier adds one type specifier to s. The words of basic types, such as unsigned and long, are only counted;
// basic makes the type of them.
func (c *converter) typeSpecifier(s *specifiers, t *cc.TypeSpecifier) {
	s.at = t
	switch t.Case {
	case cc.TypeSpecifierStructOrUnion:
		s.typ = c.structOrUnion(t.StructOrUnionSpecifier)
	case cc.TypeSpecifierEnum:
		s.typ, s.enum = c.enumSpecifier(t.EnumSpecifier), t
	case cc.TypeSpecifierTypeName:
		sym := c.lookup(t.Token.SrcStr())
		if sym == nil || sym.typedef == nil {
			c.refuse(t, "%s is not a type here", t.Token.SrcStr())
		}
		s.typ = sym.typedef
		s.qual |= sym.qual
	case cc.TypeSpecifierTypeofExpr:
		x := c.unevaluated(t.ExpressionList)
		s.typ = x.Type()
		s.qual |= qualifiers(x)
		if c.sized(s.typ) == nil {
			c.noVLA(t, s.typ, "typeof of a variable-length array")
		}
	case cc.TypeSpecifierTypeofType:
		var q ctype.Qual
		s.typ, q = c.typeName(t.TypeName)
		s.qual |= q
	case cc.TypeSpecifierAtomic:
		s.typ, s.qual = c.typeName(t.AtomicTypeSpecifier.TypeName)
		s.qual |= ctype.Atomic
	default:
		s.words[t.Case]++
	}
}

var tooWide = map[cc.TypeSpecifierCase]string{
	cc.TypeSpecifierImaginary: "_Imaginary", cc.TypeSpecifierFloat16: "_Float16", cc.TypeSpecifierBFloat16: "__bf16",
	cc.TypeSpecifierDecimal32: "_Decimal32", cc.TypeSpecifierDecimal64: "_Decimal64", cc.TypeSpecifierDecimal128: "_Decimal128",
	cc.TypeSpecifierFloat128: "_Float128", cc.TypeSpecifierFloat128x: "_Float128x",
}

func named(t *ctype.Type, name string) *ctype.Type {
	u := *t
	u.Name = name
	return &u
}

var (
	float32T  = named(ctype.FloatT, "_Float32")
	float64T  = named(ctype.DoubleT, "_Float64")
	float32xT = named(ctype.DoubleT, "_Float32x")
	float64xT = named(ctype.LongDoubleT, "_Float64x")
)

// basic sets the type of s from the words of a basic type, if no specifier has set it, and applies its attributes.
func (c *converter) basic(s *specifiers) {
	w := s.words
	for k := range w {
		if name, ok := tooWide[k]; ok {
			c.refuse(s.at, "the type %s is not supported", name)
		}
	}
	if s.typ == nil {
		s.typ = c.wideBasic(s)
	}
	unsigned, long := w[cc.TypeSpecifierUnsigned] > 0, w[cc.TypeSpecifierLong]
	switch {
	case s.typ != nil:
	case w[cc.TypeSpecifierVoid] > 0:
		s.typ = ctype.VoidT
	case w[cc.TypeSpecifierBool] > 0:
		s.typ = ctype.BoolT
	case w[cc.TypeSpecifierFloat] > 0:
		s.typ = ctype.FloatT
	case w[cc.TypeSpecifierFloat32] > 0:
		s.typ = float32T
	case w[cc.TypeSpecifierFloat64] > 0:
		s.typ = float64T
	case w[cc.TypeSpecifierFloat32x] > 0:
		s.typ = float32xT
	case w[cc.TypeSpecifierDouble] > 0:
		s.typ = pick(long > 0, ctype.LongDoubleT, ctype.DoubleT)
	case w[cc.TypeSpecifierFloat64x] > 0:
		s.typ = float64xT
	case w[cc.TypeSpecifierChar] > 0:
		s.typ = pick(unsigned, ctype.UCharT, pick(w[cc.TypeSpecifierSigned] > 0, ctype.SCharT, c.dialect.char()))
	case w[cc.TypeSpecifierShort] > 0:
		s.typ = pick(unsigned, ctype.UShortT, ctype.ShortT)
	case long > 1:
		s.typ = pick(unsigned, ctype.ULLongT, ctype.LLongT)
	case long == 1:
		s.typ = pick(unsigned, ctype.ULongT, ctype.LongT)
	case len(w) > 0:
		s.typ = pick(unsigned, ctype.UIntT, ctype.IntT)
	default:
		s.typ, s.implicit = ctype.IntT, true
	}
	s.typ = c.mode(s.typ, s.attrs)
	if n := s.typ.Size; s.qual&ctype.Atomic != 0 && s.typ.IsAggregate() && n != s.typ.Align && n <= 16 && n&(n-1) == 0 {
		s.typ = realigned(s.typ, n) // so that it can be loaded at once
	}
}

// structOrUnion converts a struct or union specifier.
func (c *converter) structOrUnion(n *cc.StructOrUnionSpecifier) *ctype.Type {
	if t, ok := c.specs[n]; ok {
		return t
	}
	kind := pick(n.StructOrUnion.Case == cc.StructOrUnionUnion, ctype.Union, ctype.Struct)
	name := n.Token.SrcStr()
	attrs := c.attributes(c.attributes(nil, n.AttributeSpecifierList), n.AttributeSpecifierList2)
	if n.Case == cc.StructOrUnionSpecifierTag {
		if t := c.lookupTag(name); t != nil && !c.redeclared(n, t) {
			return t.t
		}
		return c.newTag(kind, name, n).t
	}
	var own *tag
	if name != "" {
		own = c.scopes[len(c.scopes)-1].tags[name]
		if own == nil || own.t == nil {
			own = c.newTag(kind, name, n)
		}
	} else {
		own = &tag{t: c.newAggregate(kind, "")}
	}
	c.specs[n] = own.t
	members := c.members(n.StructDeclarationList)
	l := ctype.Layout{Packed: find(attrs, "packed") != nil, Align: c.alignment(attrs), Pack: c.pack(n.Token3)}
	if a := find(attrs, "ms_struct"); a != nil {
		l.Units = true
		c.plainUnits(a, members, l)
	}
	if !c.variableMembers(own, members, l, n) {
		c.complete(own, members, l, n)
	}
	if find(attrs, "transparent_union") != nil {
		c.transparent[own.t] = true
	}
	return own.t
}

// redeclared reports whether n is a declaration "struct x;" of its own that declares a new x in the innermost scope.
func (c *converter) redeclared(n *cc.StructOrUnionSpecifier, t *tag) bool {
	return c.alone == n && c.scopes[len(c.scopes)-1].tags[n.Token.SrcStr()] != t
}

func (c *converter) newAggregate(k ctype.Kind, name string) *ctype.Type {
	t := &ctype.Type{Kind: k, Tag: name, Align: 1}
	c.prog.Structs = append(c.prog.Structs, t)
	return t
}

// newTag declares a tag in the innermost scope. A tag at file scope is the same
// type in all source files.
func (c *converter) newTag(k ctype.Kind, name string, at cc.Node) *tag {
	s := c.scopes[len(c.scopes)-1]
	t := &tag{}
	if len(c.scopes) == 1 {
		key := fmt.Sprint(k, " ", name)
		types := c.structs
		if _, own := c.private[name]; own {
			types, key = c.private, name
		}
		if types[key] == nil {
			types[key] = c.newAggregate(k, name)
		}
		t.t = types[key]
	} else {
		t.t = c.newAggregate(k, name)
	}
	s.tags[name] = t
	return t
}

// complete lays out a struct or union. If an earlier source file has defined it, the layouts must
// be the same.
func (c *converter) complete(own *tag, members []ctype.Member, l ctype.Layout, at cc.Node) {
	if !c.isComplete[own.t] {
		c.isComplete[own.t] = true
		own.defined = true
		own.t.Complete(members, l)
		c.inFunction[own.t] = len(c.scopes) > 1
		return
	}
	other := &ctype.Type{Kind: own.t.Kind, Tag: own.t.Tag}
	other.Complete(members, l)
	if !sameLayout(own.t, other) {
		c.refuse(at, "%s is defined otherwise in another source file: that is not supported", own.t)
	}
	own.defined = true
}

func sameLayout(a, b *ctype.Type) bool {
	if a.Size != b.Size || len(a.Fields) != len(b.Fields) {
		return false
	}
	for i, f := range a.Fields {
		g := b.Fields[i]
		if f.Name != g.Name || f.Offset != g.Offset || f.BitOff != g.BitOff || f.BitLen != g.BitLen {
			return false
		}
		if !sameMember(f.Type, g.Type) {
			return false
		}
	}
	return true
}

// sameMember reports whether members of structs in two source files have the same type. Structs without a tag are
// the same if they are laid out alike. That holds for the targets of pointers and the elements of arrays, too.
func sameMember(a, b *ctype.Type) bool {
	if ctype.Same(a, b) {
		return true
	}
	if a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case ctype.Pointer:
		return sameMember(a.Elem, b.Elem)
	case ctype.Array:
		return a.Len == b.Len && sameMember(a.Elem, b.Elem)
	case ctype.Struct, ctype.Union:
		return a.TagName() == b.TagName() && sameLayout(a, b)
	case ctype.Func:
		return a.Variadic == b.Variadic && sameMember(a.Result, b.Result) && slices.EqualFunc(a.Params, b.Params, sameMember)
	}
	return false
}

// members converts the member declarations of a struct or union.
func (c *converter) members(l *cc.StructDeclarationList) []ctype.Member {
	var out []ctype.Member
	for ; l != nil; l = l.StructDeclarationList {
		d := l.StructDeclaration
		if d.Case != cc.StructDeclarationDecl {
			continue
		}
		s := c.qualifierSpecifiers(d.SpecifierQualifierList)
		if d.StructDeclaratorList == nil {
			if s.typ.IsAggregate() {
				m := ctype.Member{Bits: -1, UserAlign: max(s.align, c.alignment(s.attrs))}
				m.Type, m.Qual = s.typ, s.qual
				out = append(out, m)
			}
			continue
		}
		for dl := d.StructDeclaratorList; dl != nil; dl = dl.StructDeclaratorList {
			attrs := s.attrs
			if dl.StructDeclaratorList == nil {
				attrs = c.attributes(append([]attribute{}, attrs...), d.AttributeSpecifierList)
			}
			out = append(out, c.member(s, attrs, dl.StructDeclarator))
		}
	}
	return out
}

func (c *converter) member(s *specifiers, attrs []attribute, n *cc.StructDeclarator) ctype.Member {
	m := ctype.Member{Bits: -1, Packed: find(attrs, "packed") != nil, UserAlign: max(s.align, c.alignment(attrs))}
	m.Type, m.Qual = s.typ, s.qual
	if n.Declarator != nil {
		d := c.declarator(n.Declarator, s.typ, s.qual)
		m.Name, m.Type, m.Qual = d.name.SrcStr(), c.mode(d.typ, attrs), d.qual
		if c.sized(m.Type) == nil {
			c.noVLA(n, m.Type, "a member of variable size")
		}
		if m.Type.Kind == ctype.Func {
			c.refuse(n, "member %s has a function type", m.Name)
		}
	}
	if n.Case == cc.StructDeclaratorBitField {
		m.Bits = int(c.constInt(n.ConstantExpression))
	}
	return m
}

// enumSpecifier converts an enum specifier.
func (c *converter) enumSpecifier(n *cc.EnumSpecifier) *ctype.Type {
	if t, ok := c.enums[n]; ok {
		return t
	}
	name := n.Token2.SrcStr()
	if n.EnumTypeSpecifier != nil {
		c.refuse(n, "an enum with a declared type is not supported")
	}
	if n.Case == cc.EnumSpecifierTag {
		if t := c.lookupTag(name); t != nil {
			return t.t
		}
		c.refuse(n, "enum %s is used before its definition: that is not supported", name)
	}
	u := *ctype.UIntT
	t := &u
	t.Enum, t.Name = true, "enum "+name
	c.enums[n] = t
	next, lo, hi := int64(0), int64(0), uint64(0)
	nextSigned := true
	for l := n.EnumeratorList; l != nil; l = l.EnumeratorList {
		e := l.Enumerator
		if e.Case == cc.EnumeratorExpr {
			x := c.expr(e.ConstantExpression)
			next, nextSigned = int64(c.constValue(e.ConstantExpression, x)), x.Type().Signed
		}
		k := &Const{Value: ctype.Word(next), Spell: e.Token.SrcStr()}
		if nextSigned || next >= 0 {
			lo = min(lo, next)
			hi = max(hi, uint64(max(next, 0)))
		} else {
			hi = max(hi, uint64(next))
		}
		k.typ = ctype.IntT
		if next != int64(int32(next)) || !nextSigned && next < 0 {
			k.typ = t
		}
		t.Enums = append(t.Enums, ctype.Enumerator{Name: k.Spell, Value: k.Value})
		c.declare(k.Spell, &symbol{constant: k})
		if c.prog.Enumerators == nil {
			c.prog.Enumerators = map[string]*Const{}
		}
		if c.prog.Enumerators[k.Spell] == nil {
			c.prog.Enumerators[k.Spell] = k
		}
		next++
	}
	c.ranges[t] = enumRange{lo: lo, hi: hi}
	c.enumSize(t, c.ranges[t])
	if name != "" {
		c.scopes[len(c.scopes)-1].tags[name] = &tag{t: t, defined: true}
		c.named(t.Name, t)
	}
	return t
}

// enumRange has the smallest and the greatest value of an enum.
type enumRange struct {
	lo     int64
	hi     uint64
	packed bool
}

// enumSize sets the size, alignment and sign of an enum as gcc does.
func (c *converter) enumSize(t *ctype.Type, r enumRange) {
	t.Signed = r.lo < 0
	fits := func(bits uint) bool {
		if t.Signed {
			return r.lo >= -(1<<(bits-1)) && r.hi < 1<<(bits-1)
		}
		return r.hi < 1<<bits
	}
	small := r.packed || c.dialect.shortEnums
	switch {
	case !fits(32):
		t.Size = 8
	case small && fits(8):
		t.Size = 1
	case small && fits(16):
		t.Size = 2
	default:
		t.Size = 4
	}
	t.Align = t.Size
}

// enumAttributes applies the attributes from number n on to an enum if they stand after its closing
// brace. Such attributes belong to the enum alone and are removed from s.
func (c *converter) enumAttributes(s *specifiers, n int) {
	r, ok := c.ranges[s.typ]
	if s.at == nil || s.at != s.enum || !ok {
		return
	}
	rest := s.attrs[:n:n]
	for _, a := range s.attrs[n:] {
		switch a.name {
		case "packed":
			r.packed = true
			c.enumSize(s.typ, r)
		case "aligned":
			s.typ.Align = c.alignment([]attribute{a})
		case "mode":
			u := c.scalarMode(s.typ, &a, a.modeName())
			s.typ.Size, s.typ.Align = u.Size, u.Align
		default:
			rest = append(rest, a)
		}
	}
	s.attrs = rest
}

func (c *converter) setScope(v *Var) {
	v.Scope = source.Range{File: v.Range.File, Start: v.Range.Start, End: c.scopeEnd}
}
