package session

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
	"gulo/internal/plural"
	"gulo/internal/target"
)

// This file parses what the user types for a place in the picture and for a value: names as the picture shows them, and
// C expressions over variables and nodes.

// names is memory in which the picture's names are variables: nodes are pointers
// to themselves, variables of outer functions have their own names.
type names struct {
	memory
	at    map[*cfront.Var]ctype.Word
	words map[ctype.Word]ctype.Word
	next  ctype.Word

	unwritten bool // something was read that was never written
}

// nameCells is where the values of names live: addresses that no program has.
const nameCells = ctype.Word(0xFFC0) << 48

func (n *names) VarAddr(v *cfront.Var) (ctype.Word, bool) {
	if a, ok := n.at[v]; ok {
		return a, true
	}
	return n.memory.VarAddr(v)
}

func (n *names) Load(a ctype.Word, t *ctype.Type) (ctype.Word, bool) {
	if w, ok := n.words[a]; ok {
		return w, true
	}
	im := n.s.img
	if im.Find(a) != nil {
		n.unwritten = n.unwritten || !im.Known(a, t.Size)
	} else {
		n.unwritten = n.unwritten || n.s.neverWritten(a, t.Size)
	}
	return n.memory.Load(a, t)
}

// name makes a variable with the value w.
func (n *names) name(name string, t *ctype.Type, w ctype.Word) *cfront.Var {
	v := &cfront.Var{Name: name, Type: t, Storage: cfront.Local}
	a := nameCells + n.next
	n.next += 16
	n.at[v], n.words[a] = a, w
	return v
}

// expression parses a C expression over the picture's names.
func (s *drawing) expression(text string) (cfront.Expr, *names, error) {
	n := &names{memory: memory{s: s}, at: map[*cfront.Var]ctype.Word{}, words: map[ctype.Word]ctype.Word{}}
	text = s.focused(text)
	outer := map[string]*heap.VarInfo{}
	for _, v := range s.graph.Vars {
		if strings.ContainsAny(v.Name, ".#:") {
			id := fmt.Sprintf("outer_%d_", len(outer))
			if by := replaceWhole(text, v.Name, id); by != text {
				text, outer[id] = by, v
			}
		}
	}
	x, err := s.prog.Tree.ParseTyped(text, func(name string) *cfront.Var {
		if label, ok := strings.CutPrefix(name, "&&"); ok {
			return n.label(s, label)
		}
		if v := outer[name]; v != nil {
			w := &cfront.Var{Name: v.Name, Type: v.Type, Storage: cfront.Local}
			n.at[w] = v.Addr
			return w
		}
		for _, v := range s.graph.Vars {
			if v.Name == name && v.Type != v.Var.Type { // an array of variable length
				w := &cfront.Var{Name: v.Name, Type: v.Type, Storage: cfront.Local}
				n.at[w] = v.Addr
				return w
			}
			if v.Name == name {
				return v.Var
			}
		}
		if node, ok := s.graph.Node(name); ok {
			t := s.typeOf(node)
			if t == nil {
				t = ctype.VoidT // its type is not known; a cast tells it, as in ((struct task *)n3)->tag
			}
			return n.name(name, ctype.PointerTo(t), node.Addr)
		}
		if v := n.hidden(s, name); v != nil {
			return v
		}
		if v := n.library(s, name); v != nil {
			return v
		}
		return n.undrawn(s, name)
	})
	if err == nil {
		err = inPrivate(x)
	}
	return x, n, err
}

// hidden finds a variable of the selected function that the picture leaves out, such as argv of a
// function that has called another.
func (n *names) hidden(s *drawing, name string) *cfront.Var {
	if s.img == nil || s.stmt() == nil {
		return nil
	}
	for o := range s.img.Each {
		if o.Kind == heap.Local && o.Frame == s.frame && o.Var.Name == name && target.Visible(o.Var, s.standing()) {
			w := &cfront.Var{Name: name, Type: o.TypeOf(), Storage: cfront.Local}
			n.at[w] = o.Addr
			return w
		}
	}
	return nil
}

// label finds a label of the selected function whose address is taken, as it is drawn: &&again.
func (n *names) label(s *drawing, name string) *cfront.Var {
	if st := s.standing(); st != nil {
		if a, ok := s.tgt.LabelAddr(st.Func, name); ok {
			return n.name("&&"+name, ctype.VoidPtrT, a)
		}
	}
	return nil
}

// library finds a variable of the C library, such as stdout or environ.
func (n *names) library(s *drawing, name string) *cfront.Var {
	if s.img == nil {
		return nil
	}
	for o := range s.img.Each {
		if o.Kind == heap.Library && o.Var.Name == name {
			w := &cfront.Var{Name: name, Type: o.TypeOf(), Storage: cfront.Local}
			n.at[w] = o.Addr
			return w
		}
	}
	return nil
}

// typeOf returns the type of a node: of a pointer that leads to it, of a view, or of a pointer that led to it before.
func (s *drawing) typeOf(n *heap.NodeInfo) *ctype.Type {
	if n.Type != nil {
		return n.Type
	}
	if t := s.views.Block(n.Seq); t != nil && heap.Holds(n.Size, t) {
		return t
	}
	return s.types.Of(n.Seq)
}

// entity returns the cell that the user names.
func (s *drawing) entity(text string) (*heap.Cell, error) {
	key := heap.ParseEntity(s.focused(text))
	if c, ok := s.graph.Cell(key); ok {
		return c, nil
	}
	missing := errorf("no variable, node or field %s here%s", key, s.suggest(key))
	x, n, err := s.expression(text)
	if err != nil {
		if node := s.unknownNode(key); node != "" {
			return nil, errorf("no variable, node or field %s here: no pointer tells what %s holds; a cast does, as in %s", key, node, s.castOf(node))
		}
		if strings.ContainsAny(key, "*[(+") || strings.Count(key, "->")+strings.Count(key, ".") > 1 {
			return nil, errorf("no variable, node or field %s here: %v%s", key, err, s.suggest(key))
		}
		return nil, missing
	}
	if d, ok := x.(*cfront.Decay); ok {
		x = d.X
	}
	switch x.(type) {
	case *cfront.Ref, *cfront.Member, *cfront.Index, *cfront.Deref:
	default:
		return nil, missing
	}
	if err := s.beyond(n, x); err != nil {
		return nil, errorf("no variable, node or field %s here: %v", text, err)
	}
	a, err := eval.Addr(n, x)
	if err != nil {
		return nil, errorf("%s leads nowhere: %v", text, err)
	}
	t := x.Type()
	if m, ok := x.(*cfront.Member); ok && m.Field.BitLen > 0 {
		var at int64
		if t, at, ok = m.Field.Stored(); !ok {
			return nil, errorf("%s is a bit-field in more than eight bytes, which cannot be changed by itself", text)
		}
		a += ctype.Word(at - m.Field.Offset)
	}
	for _, k := range s.graph.Keys() {
		if c, _ := s.graph.Cell(k); c.Addr == a && ctype.Same(c.Type, t) && c.Type.Place == t.Place {
			return c, nil
		}
	}
	if n, ok := s.graph.Node(text); ok && a >= nameCells {
		return nil, errorf("%s is a node of its own and holds no value: name a part of it%s", text, partOf(n))
	}
	o := s.img.Find(a)
	if in, ok := s.tooLarge(a); ok && o == nil {
		return nil, errorf("%s is in %s, which is too large for the picture: print shows it, but it cannot be changed or watched", text, in)
	}
	if o == nil || o.Kind == heap.Node && !o.Live {
		return nil, errorf("%s leads to memory that is not the program's", text)
	}
	c := &heap.Cell{Key: key, Addr: a, Type: t}
	if t.IsScalar() {
		w, _ := n.Load(a, t)
		c.Value = s.img.Symbol(w, t)
	}
	return c, nil
}

// unknownNode returns the name of the node that an entity begins with if its type is not known; "" otherwise.
func (s *drawing) unknownNode(key string) string {
	name := key
	if i := strings.IndexAny(key, "-.["); i > 0 {
		name = key[:i]
	}
	if n, ok := s.graph.Node(name); ok && s.typeOf(n) == nil {
		return name
	}
	return ""
}

// castOf returns an example of a member of a node whose type is not known, with a cast to a struct of that size if the
// program has one.
func (s *drawing) castOf(name string) string {
	n, ok := s.graph.Node(name)
	for _, t := range s.prog.Tree.Structs {
		if ok && t.Kind == ctype.Struct && t.Size == n.Size && len(t.Fields) > 0 && t.Fields[0].Name != "" {
			return fmt.Sprintf("((%s *)%s)->%s", t, name, t.Fields[0].Name)
		}
	}
	return fmt.Sprintf("((TYPE *)%s)->MEMBER", name)
}

// beyond returns an error if an expression names an element outside of its array or block.
func (s *drawing) beyond(n *names, x cfront.Expr) (err error) {
	cfront.Walk(x, func(y cfront.Expr) bool {
		var base, i cfront.Expr
		switch y := y.(type) {
		case *cfront.Index:
			base, i = y.X, y.I
		case *cfront.Binary:
			if y.Op == ctype.Add && y.X.Type().Kind == ctype.Pointer {
				base, i = y.X, y.Y
			}
		}
		if base == nil || err != nil {
			return err == nil
		}
		at, verr := eval.Value(n, i)
		if verr != nil {
			return true
		}
		array := base
		if d, ok := base.(*cfront.Decay); ok {
			array = d.X
		} else {
			array = cfront.Skip(base)
		}
		if t := array.Type(); t.Kind == ctype.Array && t.Len > 0 {
			m, isMember := array.(*cfront.Member)
			flexible := isMember && t.Len == 1 && isLast(m)
			if most := t.Len - 1; !flexible && (int64(at) < 0 || int64(at) > most) {
				err = fmt.Errorf("the array has elements 0 to %d", most)
			}
			return true
		}
		if p, verr := eval.Value(n, base); verr == nil && base.Type().Kind == ctype.Pointer {
			if o, q := s.img.Find(p), s.img.Find(p+at*ctype.Word(base.Type().Elem.Size)); o != nil && o != q {
				err = fmt.Errorf("%s points to no array that is so long", cfront.Text(base))
			}
		}
		return true
	})
	return err
}

// isLast reports whether a member is the last of its struct: an array of length one there stands for more elements.
func isLast(m *cfront.Member) bool {
	t := m.X.Type()
	if t.Kind == ctype.Pointer {
		t = t.Elem
	}
	return len(t.Fields) > 0 && t.Fields[len(t.Fields)-1].Name == m.Field.Name
}

// partOf gives an example of a part of a node.
func partOf(n *heap.NodeInfo) string {
	if len(n.Cells) == 0 {
		return ""
	}
	return ", as " + n.Cells[0].Key
}

// suggest names the entities that are nearest to a mistyped one.
func (s *drawing) suggest(key string) string {
	type near struct {
		key  string
		dist int
	}
	var list []near
	for _, k := range s.graph.Keys() {
		d := editDistance(strings.ToLower(k), strings.ToLower(key))
		if strings.HasSuffix(k, "."+key) || strings.HasSuffix(k, "->"+key) || len(key) > 1 && strings.HasPrefix(k, key) {
			d = min(d, 1)
		}
		if d <= max(1, len(key)/3) {
			list = append(list, near{k, d})
		}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].dist < list[j].dist })
	if i := strings.LastIndex(key, "->"); i > 0 && len(list) > 0 && strings.HasPrefix(list[0].key, key[:i+2]) {
		list = slices.DeleteFunc(list, func(n near) bool { return !strings.HasPrefix(n.key, key[:i+2]) })
	}
	if m := s.nearMember(key); len(list) == 0 && m != "" {
		return "; is it " + m + "?"
	}
	if i := strings.LastIndex(key, "->"); len(list) == 0 && i > 0 { // it->cc: the node that it points to has fields
		if c, ok := s.graph.Cell(key[:i]); ok && c.Value.Kind == heap.ToNode {
			if n, ok := s.graph.Node(c.Value.Text); ok && n.Name() != key[:i] {
				return s.suggest(n.Name() + key[i:])
			}
		}
	}
	if len(list) == 0 || len(list) > 6 && list[5].dist == list[0].dist {
		return ""
	}
	var out []string
	for _, n := range list[:min(len(list), 4)] {
		if n.dist <= list[0].dist+1 {
			out = append(out, n.key)
		}
	}
	return "; is it " + strings.Join(out, ", ") + "?"
}

// nearMember returns an entity with its mistyped last member corrected; "" if no member is similar.
func (s *drawing) nearMember(key string) string {
	i := max(strings.LastIndex(key, "->")+1, strings.LastIndexByte(key, '.'))
	if i <= 0 {
		return ""
	}
	base, name := strings.TrimSuffix(key[:i], "-"), key[i+1:]
	x, _, err := s.expression(base)
	if err != nil {
		return ""
	}
	t := x.Type()
	if t.Kind == ctype.Pointer {
		t = t.Elem
	}
	if t.Private() {
		return ""
	}
	best, dist := "", max(1, len(name)/3)+1
	for _, f := range t.Fields {
		if d := editDistance(strings.ToLower(f.Name), strings.ToLower(name)); d < dist && f.Name != "" {
			best, dist = key[:i+1]+f.Name, d
		}
	}
	return best
}

// editDistance counts the letters to insert, delete or replace.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		last := row[0]
		row[0]++
		for j := range len(b) {
			d := last
			if a[i] != b[j] {
				d++
			}
			last = row[j+1]
			row[j+1] = min(d, row[j]+1, last+1)
		}
	}
	return row[len(b)]
}

// parseValue parses a value for an entity.
func (s *drawing) parseValue(v string, cell *heap.Cell) (ctype.Word, error) {
	t := cell.Type
	if t.Kind != ctype.Pointer {
		return s.parseScalar(v, cell)
	}
	switch {
	case v == "null" || v == "NULL" || v == "0":
		return 0, nil
	case v == "new":
		return s.freshNode(cell)
	}
	if i, err := strconv.ParseInt(v, 0, 64); err == nil && (t.Elem.Kind == ctype.Void || cell.Value.Number()) {
		if x := s.img.Symbol(ctype.Word(i), t); x.Number() { // as it is shown
			return ctype.Word(i), nil
		}
	}
	if _, _, ok := offset(v); ok {
		if w, ok := s.addressValue(v); ok {
			return w, nil
		}
	}
	if n, ok := s.graph.Node(v); ok {
		own := s.typeOf(n)
		if n.Type != nil && !ctype.Same(own, t.Elem) && t.Elem.Kind != ctype.Void {
			return 0, errorf("%s is of type %s and cannot point to %s, which is a %s", cell.Key, t, v, own)
		}
		if n.Type == nil && n.Size < t.Elem.Size {
			return 0, errorf("%s has %s, too few for a %s", v, plural.N(n.Size, "byte"), t.Elem)
		}
		return n.Addr, nil
	}
	for _, x := range s.graph.Vars {
		if v == "&"+x.Name {
			if !ctype.Same(x.Type, t.Elem) && !(x.Type.Kind == ctype.Array && ctype.Same(x.Type.Elem, t.Elem)) {
				return 0, errorf("%s is of type %s and cannot point to %s, which is a %s", cell.Key, t, x.Name, x.Type)
			}
			return x.Addr, nil
		}
	}
	if c, ok := s.graph.Cell(heap.ParseEntity(v)); ok && c.Type.Kind == ctype.Pointer {
		w, _ := s.img.Load(c.Addr, c.Type)
		return w, nil
	}
	if f := s.prog.Tree.Func(strings.TrimPrefix(v, "&")); f != nil && t.Elem.Kind == ctype.Func {
		if a, ok := s.tgt.FuncAddr(f); ok {
			return a, nil
		}
	}
	return s.pointerTo(v, cell)
}

// freed reports whether a name is that of a node that the program has freed.
func (s *drawing) freed(name string) bool {
	n, err := strconv.Atoi(strings.TrimPrefix(name, "n"))
	if err != nil || !strings.HasPrefix(name, "n") {
		return false
	}
	if o := s.img.Node(n); o != nil {
		return !o.Live
	}
	return n > 0 && s.types.Of(n) != nil
}

// pointerTo evaluates an expression as the new value of a pointer.
func (s *drawing) pointerTo(v string, cell *heap.Cell) (ctype.Word, error) {
	t := cell.Type
	x, n, err := s.expression(v)
	if err != nil {
		if s.freed(v) {
			return 0, errorf("%s was freed, and nothing can point to it any more; if it should be there still, go back with undo to before it was freed and draw there", v)
		}
		if t.Elem.Kind == ctype.Func {
			return 0, errorf("%s is of type %s; %q is no function, nor null", cell.Key, t, v)
		}
		return 0, errorf("%s is of type %s; %q is no node, null or new", cell.Key, t, v)
	}
	_, of := x.(*cfront.Addr)
	bytes := of && x.Type().Kind == ctype.Pointer && x.Type().Elem.Size == 1 && x.Type().Elem.IsInteger() // &arena[16], as it is drawn
	if !x.Type().IsScalar() || x.Type().Kind != ctype.Pointer || !ctype.Same(x.Type(), t) && t.Elem.Kind != ctype.Void && x.Type().Elem.Kind != ctype.Void && !bytes {
		return 0, errorf("%s is of type %s and cannot be %s, which is of type %s", cell.Key, t, v, x.Type())
	}
	w, err := eval.Value(n, x)
	if err != nil && v[len(v)-1] == '"' {
		return 0, errorf("the text %s stands nowhere in the program, so %s cannot point to it", v, cell.Key)
	} else if err != nil {
		return 0, errorf("%s cannot be computed: %v", v, err)
	}
	return w, nil
}

// offset splits text like n1+48.
func offset(v string) (name string, off int64, ok bool) {
	name, num, found := strings.Cut(v, "+")
	off, err := strconv.ParseInt(num, 0, 64)
	return name, off, found && err == nil
}

// freshNode allocates the node that new stands for.
func (s *drawing) freshNode(cell *heap.Cell) (ctype.Word, error) {
	t := cell.Type
	if t.Elem.Size == 0 || t.Elem.Kind == ctype.Void || t.Elem.Kind == ctype.Func {
		return 0, errorf("%s is of type %s: it is not known how large a fresh node must be", cell.Key, t)
	}
	a, err := s.tgt.Alloc(t.Elem.Size)
	if err != nil {
		return 0, errorf("cannot make a fresh node: %v", err)
	}
	s.made = append(s.made, a)
	return a, nil
}

// taggedPointer matches how pictures show a number that holds a tagged pointer.
var taggedPointer = regexp.MustCompile(`^(\S+) \(tag (0x[0-9a-f]{1,4})\)$`)

func (s *drawing) parseScalar(v string, cell *heap.Cell) (ctype.Word, error) {
	t := cell.Type
	if m := taggedPointer.FindStringSubmatch(v); m != nil && t.HoldsTagged() {
		if w, ok := s.addressValue(m[1]); ok {
			tag, err := strconv.ParseUint(m[2], 0, 16)
			return w | tag<<48, err
		}
	}
	if t.Kind == ctype.Float {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil {
			return s.numberOf(v, cell)
		}
		return ctype.OfFloat(t, f), nil
	}
	for _, e := range t.Enums {
		if e.Name == v {
			return ctype.Wrap(t, e.Value), nil
		}
	}
	if len(v) > 2 && v[0] == '\'' && v[len(v)-1] == '\'' {
		in := v[1 : len(v)-1]
		if in == `\0` {
			return 0, nil
		}
		if r, _, rest, err := strconv.UnquoteChar(in, '\''); err == nil && rest == "" && r < 256 {
			return ctype.Wrap(t, ctype.Word(r)), nil
		}
	}
	if t.Kind == ctype.Bool && (v == "true" || v == "false") {
		if v == "true" {
			return 1, nil
		}
		return 0, nil
	}
	if w, ok := s.addressValue(v); ok && t.Size == 8 {
		return w, nil
	}
	i, err := strconv.ParseInt(v, 0, 64)
	if err != nil {
		if u, uerr := strconv.ParseUint(v, 0, 64); uerr == nil && !t.Signed && t.Size == 8 {
			return u, nil
		}
		return s.numberOf(v, cell)
	}
	if w := ctype.Wrap(t, ctype.Word(i)); int64(w) == i || !t.Signed && w == ctype.Word(i) {
		return w, nil
	}
	return 0, errorf("%d does not fit in %s", i, t)
}

// addressValue parses an address as pictures show it: a node or &variable, and an offset in bytes.
func (s *drawing) addressValue(v string) (ctype.Word, bool) {
	name, off, ok := offset(v)
	if !ok {
		name, off = v, 0
	}
	if n, ok := s.graph.Node(name); ok {
		return n.Addr + ctype.Word(off), true
	}
	for _, x := range s.graph.Vars {
		if name == "&"+x.Name && off >= 0 && off < x.Type.Size {
			return x.Addr + ctype.Word(off), true
		}
	}
	return 0, false
}

// numberOf evaluates an expression as an integer, or as a number for an entity of floating type.
func (s *drawing) numberOf(v string, cell *heap.Cell) (ctype.Word, error) {
	floating := cell.Type.Kind == ctype.Float
	x, n, err := s.expression(v)
	if err != nil || !x.Type().IsInteger() && !(floating && x.Type().Kind == ctype.Float) {
		if floating {
			return 0, errorf("%s is of type %s; %q is no number", cell.Key, cell.Type, v)
		}
		if len(cell.Type.Enums) > 0 {
			return 0, errorf("%s is of type %s; %q is none of its names", cell.Key, cell.Type, v)
		}
		return 0, errorf("%s is of type %s; %q is no integer", cell.Key, cell.Type, v)
	}
	w, err := eval.Value(n, x)
	if err != nil {
		return 0, errorf("%s cannot be computed: %v", v, err)
	}
	if floating {
		return ctype.Convert(x.Type(), cell.Type, w)
	}
	return ctype.Wrap(cell.Type, w), nil
}
