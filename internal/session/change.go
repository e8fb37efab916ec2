package session

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/plural"
	"gulo/internal/repair"
	"gulo/internal/target"
)

// This file implements change and print, which are about single entities.

// change sets an entity to a value. It accepts the notations of the papers and of C: change current n3, change n4 ->
// prev n3, change n4.prev n3.
func (s *Session) change(ctx context.Context, args string) error {
	if !s.started || s.graph == nil {
		return errorf("the program is not running; use start")
	}
	if s.postMortem() != "" {
		return s.running()
	}
	switch s.stop.Reason {
	case target.Exited:
		return errorf("the program has ended, and its memory with it; use undo to go back")
	case target.Crashed:
		return errorf("the program has crashed, and a picture drawn here cannot be asserted; %s", s.beforeCrash())
	}
	f := fields(args)
	if len(f) < 2 {
		return errorf("change wants a variable or field and a value, as in: change head n1")
	}
	value := f[len(f)-1]
	key := heap.ParseEntity(strings.Join(f[:len(f)-1], ""))
	if len(f) == 3 && f[1] == "->" { // change current -> n3
		if c, ok := s.graph.Cell(f[0]); ok && c.Type.Kind == ctype.Pointer {
			key = f[0]
		}
	}
	if n, ok := s.graph.Node(key); ok && value == "freed" {
		return s.freeNode(n)
	}
	if key == "result" {
		return s.changeResult(value)
	}
	cell, key, value, err := s.split(f, key)
	if err != nil {
		return err
	}
	typed := *cell // messages name what was typed
	typed.Key = key
	key = cell.Key
	if strings.HasSuffix(value, `"`) {
		if t := s.textAt(cell); t != nil && strings.HasPrefix(value, t.Type.Elem.Text+`"`) {
			return s.changeText(t, value)
		}
	}
	if cell.Type.Private() {
		return errorf("what %s is made of is the C library's own", key)
	}
	if cell.Type.IsWide() {
		return errorf("%s is of type %s, which is shown and cannot be changed", key, cell.Type)
	}
	if !cell.Type.IsScalar() {
		return errorf("%s is of type %s, which cannot be changed as a whole", key, cell.Type)
	}
	w, err := s.parseValue(value, &typed)
	if err != nil {
		return err
	}
	if !(memory{s: &s.drawing}).Store(cell.Addr, cell.Type, w) {
		return errorf("cannot write %s", key)
	}
	s.fresh[key] = true
	if w == 0 {
		s.endText(cell)
	}
	if err := s.refresh(); err != nil {
		return err
	}
	s.straighten(key)
	s.picture()
	return nil
}

// endText notes that the user ended a string by setting one character to zero, as change word[2] 0 does. The bytes
// after it are no longer shown, so they are not asserted.
func (s *recorder) endText(at *heap.Cell) {
	if at.Type.Size != 1 {
		return
	}
	for _, k := range s.graph.Keys() {
		c, _ := s.graph.Cell(k)
		if end := c.Addr + ctype.Word(c.Type.Size); c.Type.IsText() && c.Type.Elem.Size == 1 && c.Addr <= at.Addr && at.Addr+1 < end {
			s.texts = append(s.texts, drawnText{at.Addr + 1, int64(end - at.Addr - 1)})
			return
		}
	}
}

// split finds where in the words of a change the entity ends and the value begins; key is the entity if the value is
// the last word. Both may contain blanks: change n3 -> count k + 1.
func (s *drawing) split(f []string, key string) (cell *heap.Cell, name, value string, err error) {
	value = f[len(f)-1]
	if strings.Contains(key, "(") { // ((struct node *)n3)->next has blanks inside
		key = strings.Join(f[:len(f)-1], " ")
	}
	if cell, err = s.entity(key); err == nil {
		return cell, key, value, nil
	}
	for i := len(f) - 2; i > 0; i-- {
		name, value := strings.Join(f[:i], " "), strings.Join(f[i:], " ")
		if c, e := s.entity(name); e == nil {
			return c, heap.ParseEntity(name), value, nil
		}
	}
	return nil, key, value, err
}

// textAt returns the array of characters that a cell is, points to, or is the first character of; nil if there is none.
func (s *drawing) textAt(cell *heap.Cell) *heap.Cell {
	at := cell.Addr
	one := cell.Type
	switch {
	case one.IsText():
		return cell
	case one.Kind == ctype.Pointer:
		one = one.Elem
		at, _ = s.img.Load(cell.Addr, cell.Type)
	}
	if !one.IsInteger() || one.Size != 1 && one.Text == "" {
		return nil
	}
	for _, k := range s.graph.Keys() {
		if c, _ := s.graph.Cell(k); c.Addr == at && c.Type.IsText() && c.Type.Elem.Text == one.Text {
			return c
		}
	}
	return nil
}

// fields splits args at blanks, except inside a string or character literal at the end.
func fields(args string) []string {
	args = strings.TrimSpace(args)
	if n := len(args); n > 1 && (args[n-1] == '"' || args[n-1] == '\'') {
		for i := n - 2; i > 0; i-- {
			if args[i] != args[n-1] {
				continue
			}
			from := i
			if strings.IndexByte("LuU", args[i-1]) >= 0 {
				from--
			}
			if from == 0 || args[from-1] != ' ' && args[from-1] != '\t' {
				continue
			}
			if _, err := strconv.Unquote(args[i:]); err == nil {
				return append(strings.Fields(args[:from]), args[from:])
			}
		}
	}
	return strings.Fields(args)
}

// changeText stores a string in an array of characters. The bytes after its terminator stay as they are.
func (s *recorder) changeText(cell *heap.Cell, value string) error {
	elem := cell.Type.Elem
	unquoted, err := strconv.Unquote(strings.TrimPrefix(value, elem.Text))
	if err != nil {
		return errorf("%s is no string in quotes", value)
	}
	text := ctype.Characters(unquoted, elem)
	full := int64(len(text)) == cell.Type.Len && !s.terminated(cell) // as the picture shows it, the text has no terminator
	if int64(len(text)) >= cell.Type.Len && !full {
		return errorf("%s has room for %s and the end, %s is longer", cell.Key, plural.N(cell.Type.Len-1, "character"), value)
	}
	for i := range min(len(text)+1, int(cell.Type.Len)) {
		c := ctype.Word(0)
		if i < len(text) {
			c = text[i]
		}
		if !(memory{s: &s.drawing}).Store(cell.Addr+ctype.Word(i)*ctype.Word(elem.Size), elem, c) {
			return errorf("cannot write %s", cell.Key)
		}
	}
	s.fresh[cell.Key] = true
	if !full {
		s.texts = append(s.texts, drawnText{cell.Addr + ctype.Word(int64(len(text)+1)*elem.Size), cell.Type.Size - int64(len(text)+1)*elem.Size})
	}
	if err := s.refresh(); err != nil {
		return err
	}
	s.picture()
	return nil
}

// terminated reports whether an array of characters contains a terminating zero.
func (s *drawing) terminated(cell *heap.Cell) bool {
	for i := range cell.Type.Len {
		if w, ok := s.img.Load(cell.Addr+ctype.Word(i*cell.Type.Elem.Size), cell.Type.Elem); !ok || w == 0 {
			return true
		}
	}
	return false
}

// drawnText is the memory after the end of a string that the user drew. It is not shown and not asserted.
type drawnText struct {
	addr ctype.Word
	size int64
}

// asDrawn returns the picture with the memory after drawn strings made unknown.
func (s *recorder) asDrawn() *heap.Image {
	if len(s.texts) == 0 {
		return s.img
	}
	im := s.img.Clone()
	for _, t := range s.texts {
		im.Forget(t.addr, t.size)
	}
	return im
}

// changeResult sets what the function returns. The program must be at the end of the function.
func (s *recorder) changeResult(value string) error {
	st := s.stmt()
	if st == nil || st.Kind != lower.End || st.Func.Result == nil {
		end := func(f *cfront.Func) int { return f.Whole.File.Position(f.Whole.End - 1).Line }
		switch l := s.left; {
		case l != nil && st != nil && l.f != st.Func:
			return errorf("%s has returned: change the variable that holds its result, or undo, go to its end with until %d, and change result there", l.f.Name, end(l.f))
		case st != nil && st.Func.Result != nil:
			return errorf("result is what a function returns: it can be changed where %s ends; until %d goes there", st.Func.Name, end(st.Func))
		}
		return errorf("result is what a function returns: it can be changed where the function ends")
	}
	cell := &heap.Cell{Key: "result", Type: st.Func.Result.Type}
	w, err := s.parseValue(value, cell)
	if err != nil {
		return err
	}
	if err := s.tgt.SetResult(w); err != nil {
		return errorf("cannot change what %s returns: %v", st.Func.Name, err)
	}
	s.fresh["result"] = true
	s.printf("%s returns %s\n", st.Func.Name, s.img.Symbol(w, cell.Type).Text)
	return nil
}

// freeNode frees a node, as if the program had.
func (s *recorder) freeNode(n *heap.NodeInfo) error {
	if !n.Live {
		return errorf("%s is freed already", n.Name())
	}
	if err := s.tgt.Free(n.Addr); err != nil {
		return errorf("cannot free %s: %v", n.Name(), err)
	}
	s.fresh[n.Name()] = true
	if err := s.refresh(); err != nil {
		return err
	}
	s.picture()
	return nil
}

// print evaluates an expression in the current scope.
func (s *drawing) print(ctx context.Context, args string) error {
	if !s.started || s.img == nil {
		return errorf("the program is not running; use start")
	}
	if args == "" {
		return errorf("print what? for example: print head->data")
	}
	if s.stop.Reason == target.Exited {
		return errorf("the program has ended, and its memory with it; use undo to go back")
	}
	if m := notation.FindStringSubmatch(args); m != nil {
		return s.printAs(m[1], m[2])
	}
	if c, ok := s.graph.Cell(heap.ParseEntity(s.focused(args))); ok {
		text := c.Value.Text
		if w, ok := s.img.Load(c.Addr, c.Type); ok && c.Type.Kind == ctype.Pointer && s.img.Known(c.Addr, 8) {
			text = s.pointerText(w, c.Type)
		}
		s.printf("%s = %s\n", args, text)
		return nil
	}
	x, n, err := s.expression(args)
	if err != nil {
		if c, cerr := s.entity(args); cerr == nil && c.Type.IsScalar() {
			s.printf("%s = %s\n", args, c.Value.Text)
			return nil
		}
		return errorf("%v%s", err, s.suggest(heap.ParseEntity(s.focused(args))))
	}
	if !cfront.Pure(x) {
		return s.printCall(n, x, args)
	}
	if err := s.beyond(n, x); err != nil {
		return errorf("cannot evaluate %s: %v", args, err)
	}
	if x.Type().IsScalar() && s.strangeText(x) {
		return s.printCall(n, x, args)
	}
	if d, ok := x.(*cfront.Decay); ok && d.X.Type().Kind == ctype.Array {
		x = d.X
	}
	if !x.Type().IsScalar() {
		text, err := s.aggregate(n, x)
		if err != nil {
			return errorf("cannot show %s: %v", args, err)
		}
		s.printf("%s = %s\n", args, text)
		s.printNotes(n, x)
		return nil
	}
	w, err := eval.Value(n, x)
	if err != nil {
		return errorf("cannot evaluate %s: %v", args, err)
	}
	if n.unwritten {
		s.printf("%s = ?\n", args)
		return nil
	}
	text := s.pointerText(w, x.Type())
	if c, err := s.entity(args); err == nil && x.Type().IsInteger() && c.Value.Points() {
		text = c.Value.Text // an integer that holds an address
	}
	s.printf("%s = %s\n", args, text)
	return nil
}

// pointerText returns the text of a value for print. Of a wild pointer it says so, with the address.
func (s *drawing) pointerText(w ctype.Word, t *ctype.Type) string {
	if v := s.img.Symbol(w, t); v.Kind == heap.Wild && v.Text == "wild" {
		return fmt.Sprintf("%#x, which leads to no block, variable or function that is known here (→?! in pictures)", w)
	}
	if v := s.img.Symbol(w, t); v.Kind == heap.Wild && v.Text == "stack" {
		return "stack, a place in the stack frame of an active function, outside its variables"
	}
	return s.img.Spelled(w, t)
}

// decision returns the value of a condition without executing it: 0 or 1.
func (s *drawing) decision(st *lower.Stmt) (int8, error) {
	if st.X == nil || !cfront.Pure(st.X) {
		return 0, errorf("it has effects or calls a function")
	}
	d, err := repair.Exec(s.world(), st, s.patch.Stmts[st.ID])
	return bit(d), err
}
