package cfront

import (
	"regexp"
	"strconv"
	"strings"

	"gulo/internal/ctype"

	"modernc.org/cc/v4"
)

// This file handles GNU attributes. An attribute that changes the meaning of a program is modelled
// or refused. Every other one is left out: those that gcc knows then only help the compiler, and what gcc does not know
// it ignores with a warning.

type attribute struct {
	name string // without the underscores around it
	args []cc.ExpressionNode
	tok  cc.Token
}

// modelled attributes change the meaning of a program and are supported.
var modelled = set("aligned packed mode cleanup constructor destructor weak alias weakref vector_size transparent_union gnu_inline ms_struct nonnull")

// refused attributes change the meaning of a program and are not supported. Some are clang's or of a later gcc.
var refused = set(`ifunc scalar_storage_order naked interrupt symver target_clones hardbool no_caller_saved_registers
	ext_vector_type matrix_type overloadable address_space enable_if`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// attributes appends the modelled attributes of a list to out. It skips those that change nothing and refuses others.
func (c *converter) attributes(out []attribute, l *cc.AttributeSpecifierList) []attribute {
	for ; l != nil; l = l.AttributeSpecifierList {
		for v := l.AttributeSpecifier.AttributeValueList; v != nil; v = v.AttributeValueList {
			tok := v.AttributeValue.Token
			name := tok.SrcStr()
			if s, ok := strings.CutPrefix(name, "__"); ok {
				name = strings.TrimSuffix(s, "__")
			}
			switch {
			case refused[name]:
				c.refuse(tok, "the attribute %s is not supported", name)
			case !modelled[name]:
				continue
			}
			a := attribute{name: name, tok: tok}
			for x := v.AttributeValue.ArgumentExpressionList; x != nil; x = x.ArgumentExpressionList {
				a.args = append(a.args, x.AssignmentExpression)
			}
			out = append(out, a)
		}
	}
	return out
}

func find(as []attribute, name string) *attribute {
	for i := range as {
		if as[i].name == name {
			return &as[i]
		}
	}
	return nil
}

// alignment returns the strictest alignment that attributes ask for, 0 for none.
func (c *converter) alignment(as []attribute) int64 {
	n := int64(0)
	for _, a := range as {
		if a.name != "aligned" {
			continue
		}
		if len(a.args) == 0 {
			n = max(n, 16)
			continue
		}
		n = max(n, c.constInt(a.args[0]))
	}
	return n
}

// modes are the sizes of machine modes in bytes.
var modes = map[string]int64{
	"QI": 1, "byte": 1, "HI": 2, "SI": 4, "DI": 8, "word": 8, "pointer": 8, "unwind_word": 8, "libgcc_cmp_return": 8, "libgcc_shift_count": 8, "SF": 4, "DF": 8,
}

// vectorMode is the mode of a vector: V4SI is four elements of the mode SI.
var vectorMode = regexp.MustCompile(`^V(\d+)([QHSD]I|[SD]F)$`)

// mode applies __attribute__((mode)) to a type.
func (c *converter) mode(t *ctype.Type, as []attribute) *ctype.Type {
	t = c.vectorOf(t, as)
	a := find(as, "mode")
	if a == nil {
		return t
	}
	name := a.modeName()
	if m := vectorMode.FindStringSubmatch(name); m != nil && t.Kind == ctype.Vector {
		return t // one declaration for several declarators
	} else if m != nil {
		elem := c.scalarMode(t, a, m[2])
		n, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil || n < 2 || n&(n-1) != 0 || n*elem.Size > 64 || elem.Kind == ctype.Pointer || elem.Enum {
			c.refuse(a.tok, "the machine mode %s is not supported", name)
		}
		return ctype.VectorOf(elem, n)
	}
	return c.scalarMode(t, a, name)
}

// modeName is the mode that an attribute names, without the underscores around it.
func (a *attribute) modeName() string {
	if len(a.args) == 1 {
		if p, ok := a.args[0].(*cc.PrimaryExpression); ok {
			return strings.Trim(p.Token.SrcStr(), "_")
		}
	}
	return ""
}

// scalarMode returns the type of the same class as t (integer, floating, complex, pointer) that has a mode other than
// a vector's.
func (c *converter) scalarMode(t *ctype.Type, a *attribute, name string) *ctype.Type {
	size := modes[name]
	switch {
	case name == "TI" && t.Kind == ctype.Int && !t.Enum:
		return pick(t.Signed, ctype.Int128T, ctype.UInt128T)
	case name == "XF" && t.Kind == ctype.Float:
		return ctype.LongDoubleT
	case t.Kind == ctype.Complex && (name == "SC" || name == "DC" || name == "XC"):
		return ctype.ComplexOf(map[string]*ctype.Type{"SC": ctype.FloatT, "DC": ctype.DoubleT, "XC": ctype.LongDoubleT}[name])
	case size == 0:
		c.refuse(a.tok, "the machine mode %s is not supported", name)
	case t.Kind == ctype.Float && (name == "SF" || name == "DF"):
		return pick(size == 4, ctype.FloatT, ctype.DoubleT)
	case t.Kind == ctype.Pointer && size == 8:
		return t
	case t.Kind != ctype.Int || name == "SF" || name == "DF":
		c.refuse(a.tok, "the machine mode %s of type %s is not supported", name, t)
	case t.Enum:
		u := *t
		u.Size, u.Align = size, size
		return &u
	}
	signed := map[int64]*ctype.Type{1: ctype.SCharT, 2: ctype.ShortT, 4: ctype.IntT, 8: ctype.LongT}
	unsigned := map[int64]*ctype.Type{1: ctype.UCharT, 2: ctype.UShortT, 4: ctype.UIntT, 8: ctype.ULongT}
	return pick(t.Signed, signed, unsigned)[size]
}

// realigned returns t with another alignment; 0 leaves it as it is.
func realigned(t *ctype.Type, align int64) *ctype.Type {
	if align == 0 || align == t.Align {
		return t
	}
	u := *t
	u.Align = align
	return &u
}

// nonNull notes which parameters of f the program declares to be never null, for the function or for the parameter.
func (c *converter) nonNull(f *Func, as []attribute, ps *parameters) {
	mark := func(i int64) {
		if i >= 0 && i < min(64, int64(len(f.Type.Params))) && f.Type.Params[i].Kind == ctype.Pointer {
			f.NonNull |= 1 << i
		}
	}
	for _, a := range as {
		if a.name != "nonnull" {
			continue
		}
		for _, x := range a.args {
			mark(c.constInt(x) - 1)
		}
		for i := range f.Type.Params {
			if len(a.args) == 0 {
				mark(int64(i))
			}
		}
	}
	if ps == nil {
		return
	}
	for i, v := range ps.vars {
		if v.NonNull {
			mark(int64(i))
		}
	}
}

// hooks adds f to the program's constructors or destructors if its attributes say that it is one.
func (c *converter) hooks(f *Func, as []attribute) {
	for _, a := range as {
		if a.name != "constructor" && a.name != "destructor" {
			continue
		}
		priority := int64(65535)
		if len(a.args) > 0 {
			priority = c.constInt(a.args[0])
		}
		h := Hook{Func: f, Priority: int(priority)}
		list := pick(a.name == "constructor", &c.prog.Constructors, &c.prog.Destructors)
		known := false
		for _, o := range *list {
			known = known || o.Func == f
		}
		if !known {
			*list = append(*list, h)
		}
	}
}

// cleanup returns the function that __attribute__((cleanup)) names.
func (c *converter) cleanup(as []attribute) *Func {
	a := find(as, "cleanup")
	if a == nil {
		return nil
	}
	if len(a.args) == 1 {
		if p, ok := a.args[0].(*cc.PrimaryExpression); ok {
			if s := c.lookup(p.Token.SrcStr()); s != nil && s.f != nil {
				return s.f
			}
		}
	}
	c.refuse(a.tok, "the attribute cleanup does not name a function")
	return nil
}

// plainUnits refuses ms_struct beside attributes and members for which its layout is not implemented.
func (c *converter) plainUnits(a *attribute, members []ctype.Member, l ctype.Layout) {
	odd := l.Packed || l.Pack > 0 || l.Align > 0
	for i := range members {
		m := &members[i]
		odd = odd || m.Packed || m.UserAlign > 0 || m.Bits == 0 || m.Bits > 0 && m.Name == ""
	}
	if odd {
		c.refuse(a.tok, "the attribute ms_struct beside other layouts is not supported")
	}
}
