package session

import (
	"context"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/repair"
)

// This file is change and print: what the user says about single entities.

// change sets an entity to a value. The forms of papers and people are all
// accepted: change current n3, change n4 -> prev n3, change n4.prev n3.
func (s *Session) change(ctx context.Context, args string) error {
	if !s.started || s.graph == nil {
		return errorf("the program is not running; use start")
	}
	f := strings.Fields(args)
	if len(f) < 2 {
		return errorf("change wants an entity and a value, as in: change head n1")
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
	cell, ok := s.graph.Cell(key)
	if !ok {
		return errorf("no entity %s here%s", key, s.suggest(key))
	}
	if !cell.Type.IsScalar() {
		return errorf("%s is of type %s, which cannot be changed as a whole", key, cell.Type)
	}
	w, err := s.parseValue(value, cell)
	if err != nil {
		return err
	}
	if !(memory{s}).Store(cell.Addr, cell.Type, w) {
		return errorf("cannot write %s", key)
	}
	s.fresh[key] = true
	if err := s.refresh(); err != nil {
		return err
	}
	s.picture()
	return nil
}

// changeResult says what the function returns that is at its end.
func (s *Session) changeResult(value string) error {
	st := s.stmt()
	if st == nil || st.Kind != lower.End || st.Func.Result == nil {
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

// freeNode makes a node one that the program has freed.
func (s *Session) freeNode(n *heap.NodeInfo) error {
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

// suggest names entities that look like a mistyped one.
func (s *Session) suggest(key string) string {
	var near []string
	for _, k := range s.graph.Keys() {
		if strings.EqualFold(k, key) || strings.HasSuffix(k, "."+key) || len(key) > 1 && strings.HasPrefix(k, key) {
			near = append(near, k)
		}
	}
	if len(near) == 0 || len(near) > 6 {
		return ""
	}
	return "; is it " + strings.Join(near, ", ") + "?"
}

func (s *Session) parseValue(v string, cell *heap.Cell) (ctype.Word, error) {
	t := cell.Type
	if t.Kind != ctype.Pointer {
		return parseScalar(v, cell)
	}
	switch {
	case v == "null" || v == "NULL" || v == "0":
		return 0, nil
	case v == "new":
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
	if n, ok := s.graph.Node(v); ok {
		if n.Type != nil && !ctype.Same(n.Type, t.Elem) && t.Elem.Kind != ctype.Void {
			return 0, errorf("%s is of type %s and cannot point to %s, which is a %s", cell.Key, t, v, n.Type)
		}
		if n.Type == nil && n.Size < t.Elem.Size {
			return 0, errorf("%s has %d bytes, too few for a %s", v, n.Size, t.Elem)
		}
		return n.Addr, nil
	}
	for _, x := range s.graph.Vars {
		if v == "&"+x.Name {
			if !ctype.Same(x.Var.Type, t.Elem) {
				return 0, errorf("%s is of type %s and cannot point to %s, which is a %s", cell.Key, t, x.Name, x.Var.Type)
			}
			return x.Addr, nil
		}
	}
	if c, ok := s.graph.Cell(v); ok && c.Type.Kind == ctype.Pointer {
		w, _ := s.img.Load(c.Addr, c.Type)
		return w, nil
	}
	return 0, errorf("%s is of type %s; %q is no node, null or new", cell.Key, t, v)
}

func parseScalar(v string, cell *heap.Cell) (ctype.Word, error) {
	t := cell.Type
	if t.Kind == ctype.Float {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil {
			return 0, errorf("%s is of type %s; %q is no number", cell.Key, t, v)
		}
		return ctype.OfFloat(t, f), nil
	}
	if len(v) == 3 && v[0] == '\'' && v[2] == '\'' {
		return ctype.Wrap(t, ctype.Word(v[1])), nil
	}
	i, err := strconv.ParseInt(v, 0, 64)
	if err != nil {
		return 0, errorf("%s is of type %s; %q is no integer", cell.Key, t, v)
	}
	if w := ctype.Wrap(t, ctype.Word(i)); int64(w) == i || !t.Signed && w == ctype.Word(i) {
		return w, nil
	}
	return 0, errorf("%d does not fit in %s", i, t)
}

// print evaluates an expression in the current scope.
func (s *Session) print(ctx context.Context, args string) error {
	if !s.started || s.img == nil {
		return errorf("the program is not running; use start")
	}
	if args == "" {
		return errorf("print what? for example: print head->data")
	}
	if c, ok := s.graph.Cell(heap.ParseEntity(args)); ok {
		s.printf("%s = %s\n", args, c.Value.Text)
		return nil
	}
	x, err := cfront.ParseExpr(args, func(name string) *cfront.Var {
		for _, v := range s.graph.Vars {
			if v.Name == name {
				return v.Var
			}
		}
		return nil
	})
	if err != nil {
		return errorf("%v", err)
	}
	if !cfront.Pure(x) {
		return errorf("print does not change the program; use change")
	}
	if !x.Type().IsScalar() {
		return errorf("%s is of type %s; print one of its members", args, x.Type())
	}
	w, err := eval.Value(memory{s}, x)
	if err != nil {
		return errorf("cannot evaluate %s: %v", args, err)
	}
	s.printf("%s = %s\n", args, s.img.Symbol(w, x.Type()).Text)
	return nil
}

// decision evaluates a condition without executing it.
func (s *Session) decision(st *lower.Stmt) (int8, error) {
	if st.X == nil || !cfront.Pure(st.X) {
		return 0, errorf("it has effects or calls a function")
	}
	d, err := repair.Exec(s.world(), st, s.patch.Stmts[st.ID])
	return bit(d), err
}
