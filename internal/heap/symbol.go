package heap

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gulo/internal/ctype"
)

// This file is how values are written.

// Symbol returns the symbolic form of a word of type t.
func (im *Image) Symbol(w ctype.Word, t *ctype.Type) Value {
	return im.symbol(w, t, func(ctype.Word, *Object, *ctype.Type) {})
}

// symbol is Symbol; meets is told of every pointer that is not null, and of the node that it
// leads to, nil for none.
func (im *Image) symbol(w ctype.Word, t *ctype.Type, meets func(ctype.Word, *Object, *ctype.Type)) Value {
	switch {
	case t.Kind == ctype.Float:
		return Value{Kind: Scalar, Word: w, Text: floatText(ctype.FloatOf(t, w), int(t.Size*8))}
	case t.Kind != ctype.Pointer:
		return Value{Kind: Scalar, Word: w, Text: integerText(w, t)}
	case w == 0:
		return Value{Kind: Null, Text: "null"}
	}
	if t.Elem.Kind == ctype.Func || im.FuncOf != nil && (t.Elem.Tag == "_IO_FILE" || im.Find(w) == nil) {
		if im.FuncOf != nil {
			if n := im.FuncOf(w); n != "" {
				meets(w, nil, t.Elem)
				if t.Elem.Tag == "_IO_FILE" {
					return Value{Kind: ToFile, Name: n, Text: n}
				}
				return Value{Kind: ToFunc, Name: n, Text: n}
			}
		}
	}
	o := im.Find(w)
	if o == nil {
		if p := im.Find(w - 1); p != nil && p.Kind == Node {
			o = p // the end of a block is not in it
		}
	}
	if o == nil || o.Kind != Node && o.Kind != Static {
		meets(w, nil, t.Elem)
	}
	if o == nil {
		for i := range im.Large {
			if l := &im.Large[i]; w-l.Addr < ctype.Word(l.Size) {
				return Value{Kind: Wild, Text: l.String()}
			}
		}
		switch {
		case isSmall(w):
			return Value{Kind: Wild, Word: w, Text: strconv.FormatInt(int64(w), 10)}
		case im.onStack(w):
			return Value{Kind: Wild, Text: "stack"}
		}
		return Value{Kind: Wild, Text: "wild"}
	}
	off := int64(w - o.Addr)
	if o.Kind == Static && (o.Type == nil || !o.Type.IsAggregate()) {
		meets(w, nil, t.Elem)
		return im.anonymous(w, o, t.Elem)
	}
	if o.Kind == Node || o.Kind == Static {
		v := Value{Kind: ToNode, Node: o.Seq, Off: off, Dead: !o.Live, Text: nodeName(o.Seq)}
		if off != 0 {
			v.Text += fmt.Sprintf("+%d", off)
			v.Chars = im.chars(o, off, t.Elem)
		}
		meets(w, o, t.Elem)
		return v
	}
	name := "?"
	if o.Var != nil {
		name = o.Var.Name
		if o.Kind == Local && o.Frame > 0 {
			name = im.Frames[o.Frame].Func.Name + "." + name
		}
		if im.outside(o) {
			name = o.Var.Func.Name + "." + name
		}
	}
	v := Value{Kind: ToVar, Name: name, Off: off, Text: "&" + name}
	if o.Var != nil {
		if part, ok := partOf(o.TypeOf(), off, t.Elem); ok {
			v.Text += part
			return v
		}
		if part, ok := partAt(o.TypeOf(), off); ok {
			if part == "" && o.TypeOf().Kind == ctype.Array && isBytes(o.TypeOf().Elem) && t.Elem.Size > 1 {
				part = "[0]" // something is cut out of it there
			}
			v.Text += part
			return v
		}
	}
	if off != 0 {
		v.Text += fmt.Sprintf("+%d", off)
	}
	return v
}

// isSmall reports whether a word that stands in a pointer is a number that no address is: one below those that a system
// hands out, or one that is negative, as -1 for a failure.
func isSmall(w ctype.Word) bool {
	const least, most = -1 << 31, 1 << 16
	return int64(w) >= least && int64(w) < most
}

// onStack reports whether an active function has an address on the stack.
func (im *Image) onStack(w ctype.Word) bool {
	return slices.ContainsFunc(im.Stack, func(s Span) bool { return w >= s.From && w < s.To })
}

// partOf writes the part of a variable that is of a type and begins off bytes behind the variable's own
// beginning, as C does: [1], .tail, [2].next.
func partOf(t *ctype.Type, off int64, want *ctype.Type) (string, bool) {
	switch {
	case off < 0 || off >= t.Size:
		return "", false
	case off == 0 && ctype.Same(t, want):
		return "", true
	case t.Kind == ctype.Array && t.Elem.Size > 0:
		rest, ok := partOf(t.Elem, off%t.Elem.Size, want)
		return fmt.Sprintf("[%d]%s", off/t.Elem.Size, rest), ok
	case t.IsAggregate():
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.BitLen > 0 {
				continue
			}
			if rest, ok := partOf(f.Type, off-f.Offset, want); ok {
				if f.Name != "" {
					rest = "." + f.Name + rest
				}
				return rest, true
			}
		}
	}
	return "", false
}

// partAt writes the part of a variable that begins off bytes behind the variable's own beginning, as C
// does. The part is the largest one.
func partAt(t *ctype.Type, off int64) (string, bool) {
	switch {
	case off == 0:
		return "", true
	case t.Kind == ctype.Array && t.Elem.Size > 0:
		rest, ok := partAt(t.Elem, off%t.Elem.Size)
		return fmt.Sprintf("[%d]%s", off/t.Elem.Size, rest), ok
	case t.IsAggregate():
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.BitLen > 0 || off < f.Offset || off >= f.Offset+f.Type.Size {
				continue
			}
			if rest, ok := partAt(f.Type, off-f.Offset); ok && f.Name != "" {
				return "." + f.Name + rest, true
			} else if ok && rest != "" {
				return rest, true
			}
		}
	}
	return "", false
}

// address is the value of an integer that holds an address: what that leads to, if it is a node or a
// variable, and the number otherwise.
func (im *Image) address(v Value, meets func(ctype.Word, *Object, *ctype.Type)) Value {
	if o := im.Find(v.Word); o == nil || o.Kind == Static || o.Kind == Library {
		return v
	}
	out := im.symbol(v.Word, voidPointer, meets)
	out.Word = v.Word
	return out
}

var (
	voidPointer = ctype.PointerTo(ctype.VoidT)
	anything    = []*ctype.Type{ctype.VoidT}
)

// SymbolLike is Symbol for an entity about which text was asserted. If text names an address or a tagged
// pointer, an integer is shown in this form, too.
func (im *Image) SymbolLike(w ctype.Word, t *ctype.Type, text string) Value {
	if strings.Contains(text, "(tag ") && t.HoldsTagged() {
		return im.Tagged(w, t, anything)
	}
	if t.IsInteger() && t.Size == 8 && text != "" && (text[0] == 'n' || text[0] == '&' || text == "0") {
		return im.Address(w, t)
	}
	return im.Symbol(w, t)
}

// Address is Symbol for an integer that holds an address.
func (im *Image) Address(w ctype.Word, t *ctype.Type) Value {
	return im.address(im.Symbol(w, t), func(ctype.Word, *Object, *ctype.Type) {})
}

// Wide returns what a value that is no word is shown as.
func (im *Image) Wide(a ctype.Word, t *ctype.Type) Value {
	o := im.Find(a)
	if o == nil || a+ctype.Word(t.Size) > o.End() {
		return Value{Kind: Unknown, Text: "?"}
	}
	b := o.Data[a-o.Addr:][:t.Size]
	v := Value{Kind: Scalar, Text: WideText(t, b)}
	for i, c := range b {
		switch {
		case t.Padding(int64(i)):
		case o.Undef != nil && o.Undef[int(a-o.Addr)+i]:
			return Value{Kind: Unknown, Text: "?"}
		case c != 0:
			v.Word = 1
		}
	}
	return v
}

// WideText writes a value that is no word, of which these are the bytes: a long double, an __int128, a complex
// number, a vector.
func WideText(t *ctype.Type, b []byte) string {
	switch t.Kind {
	case ctype.LongDouble:
		x := ctype.LoadExt(b)
		switch {
		case x.IsNaN():
			return "NaN"
		case x.IsInf():
			return infinity(x.Signbit())
		}
		f := x.Big()
		if a := math.Abs(x.Float64()); a == 0 || a >= 1e-5 && a < 1e15 {
			return f.Text('f', -1)
		}
		return f.Text('g', -1)
	case ctype.Int128:
		return ctype.LoadInt(t, b).String()
	case ctype.Complex:
		re, im := WideText(t.Elem, b), WideText(t.Elem, b[t.Elem.Size:])
		if rest, negative := strings.CutPrefix(im, "-"); negative {
			return re + " - " + rest + "i"
		}
		return re + " + " + strings.TrimPrefix(im, "+") + "i"
	case ctype.Vector:
		var out []string
		for i := int64(0); i < t.Size; i += t.Elem.Size {
			out = append(out, WideText(t.Elem, b[i:]))
		}
		return "{" + strings.Join(out, ", ") + "}"
	case ctype.Float:
		return floatText(ctype.FloatOf(t, ctype.Load(t, b)), int(t.Size*8))
	}
	return integerText(ctype.Load(t, b), t)
}

func infinity(negative bool) string {
	if negative {
		return "-Inf"
	}
	return "+Inf"
}

// floatText writes a number as people do: with an exponent only where it is very
// large or small.
func floatText(f float64, bits int) string {
	if a := math.Abs(f); a == 0 || a >= 1e-5 && a < 1e15 {
		return strconv.FormatFloat(f, 'f', -1, bits)
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

// maxText bounds the characters shown of a string.
const maxText = 60

// anonymous shows a pointer to characters as the string there, and one into the
// program's arguments as the element.
func (im *Image) anonymous(w ctype.Word, o *Object, elem *ctype.Type) Value {
	off := int64(w - o.Addr)
	if o.Type != nil {
		name := "argv"
		if o.Type.Name != "" {
			name = o.Type.Name
		}
		return Value{Kind: ToVar, Name: name, Off: off, Text: fmt.Sprintf("&%s[%d]", name, off/8)}
	}
	s := o.Data[min(off, int64(len(o.Data))):]
	if elem.Kind != ctype.Int {
		elem = ctype.UCharT
	}
	text, more := ctype.CharactersOf(s, elem), ""
	if len(text) > maxText {
		text, more = text[:maxText], "…"
	}
	return Value{Kind: ToText, Word: w, Text: ctype.Quote(text, elem) + more}
}

// leastText is how many printable characters before a zero are taken for a text to which a void * leads.
const leastText = 4

// Spelled returns Symbol's text and, for a pointer to characters in a block, the string that it leads to.
func (im *Image) Spelled(w ctype.Word, t *ctype.Type) string {
	v := im.Symbol(w, t)
	if o := im.Find(w); o != nil && v.Kind == ToNode && v.Chars == "" {
		v.Chars = im.chars(o, v.Off, t.Elem)
	}
	return strings.TrimSuffix(v.Text+" "+v.Chars, " ")
}

// chars returns the text that stands in a block, up to its zero, as a literal. It is empty where there is no text: where
// bytes were never written or cannot be printed, where an address stands, or where a void * leads to fewer than leastText
// characters.
func (im *Image) chars(o *Object, off int64, elem *ctype.Type) string {
	void := elem.Kind == ctype.Void
	if void {
		elem = ctype.CharT
	}
	if !isBytes(elem) || !o.Live || off < 0 || off >= int64(len(o.Data)) || im.HoldsAddress(o.Addr+ctype.Word(off)) {
		return ""
	}
	if w, ok := im.Load(o.Addr+ctype.Word(off), ctype.ULongT); ok && im.Find(w) != nil {
		return "" // an address, of a literal, too
	}
	s := ctype.CharactersOf(o.Data[off:], elem)
	if end := off + int64(len(s)); end >= int64(len(o.Data)) || !im.Known(o.Addr+ctype.Word(off), int64(len(s))+1) {
		return ""
	}
	text := string(o.Data[off : off+int64(len(s))])
	if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) && !unicode.IsSpace(r) }) {
		return ""
	}
	if void && len(s) < leastText {
		return ""
	}
	more := ""
	if len(s) > maxText {
		s, more = s[:maxText], "…"
	}
	return ctype.Quote(s, elem) + more
}

// Chars returns the text that a pointer to characters leads to, as a literal; empty where there is none.
func (im *Image) Chars(w ctype.Word, elem *ctype.Type) string {
	o := im.Find(w)
	if o == nil || !isBytes(elem) {
		return ""
	}
	if o.Kind == Static {
		if v := im.Symbol(w, ctype.PointerTo(elem)); v.Kind == ToText {
			return v.Text
		}
	}
	return im.chars(o, int64(w-o.Addr), elem)
}

func integerText(w ctype.Word, t *ctype.Type) string {
	if t.Kind == ctype.Int && t.Size == 1 && t.Name == "char" && w >= 32 && w < 127 {
		return fmt.Sprintf("'%c'", rune(w))
	}
	if s, ok := map[ctype.Word]string{'\n': `'\n'`, '\t': `'\t'`}[w]; ok && t.Kind == ctype.Int && t.Size == 1 && t.Name == "char" {
		return s
	}
	if r := rune(w); t.Text != "" && r >= 32 && r != 127 && utf8.ValidRune(r) && unicode.IsPrint(r) {
		return t.Text + strconv.QuoteRune(r)
	}
	for _, e := range t.Enums {
		if ctype.Wrap(t, e.Value) == w {
			return e.Name
		}
	}
	if t.Signed {
		return strconv.FormatInt(int64(w), 10)
	}
	return strconv.FormatUint(w, 10)
}
