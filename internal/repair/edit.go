// Package repair holds what all repair engines share: edits of statements and
// their meaning in a running trace. The packages below it search for them.
package repair

import (
	"fmt"
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/lower"
)

// Edit changes one statement, or inserts one into a gap.
type Edit struct {
	Stmt int32 // the statement changed; 0 for an insertion
	Gap  int32 // the gap filled, when Stmt is 0

	// For statements: New is executed instead (an assignment, or for Cond,
	// Decl, Return and the like the new expression). Guard, when set, makes
	// it conditional. Delete removes it.
	New    cfront.Expr
	Guard  cfront.Expr
	Delete bool
	// Return, in a gap: the function returns New, or nothing when New is nil.
	Return bool
}

// Patch is a set of edits, at most one for a statement and for a gap.
type Patch struct {
	Stmts map[int32]*Edit
	Gaps  map[int32]*Edit
}

// NewPatch returns a patch of edits.
func NewPatch(edits ...*Edit) *Patch {
	p := &Patch{map[int32]*Edit{}, map[int32]*Edit{}}
	for _, e := range edits {
		if e.Stmt != 0 {
			p.Stmts[e.Stmt] = e
		} else {
			p.Gaps[e.Gap] = e
		}
	}
	return p
}

// Empty reports whether the patch changes nothing.
func (p *Patch) Empty() bool { return p == nil || len(p.Stmts)+len(p.Gaps) == 0 }

// Edits returns the edits in order of the statements, insertions last.
func (p *Patch) Edits() []*Edit {
	var out []*Edit
	if p == nil {
		return nil
	}
	for _, e := range p.Stmts {
		out = append(out, e)
	}
	for _, e := range p.Gaps {
		out = append(out, e)
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		if (a.Stmt == 0) != (b.Stmt == 0) {
			return a.Stmt != 0
		}
		if a.Stmt != b.Stmt {
			return a.Stmt < b.Stmt
		}
		return a.Gap < b.Gap
	})
	return out
}

// Merge returns the patch that q makes on top of p.
func (p *Patch) Merge(q *Patch) *Patch {
	r := NewPatch()
	for _, src := range []*Patch{p, q} {
		if src == nil {
			continue
		}
		for k, e := range src.Stmts {
			r.Stmts[k] = e
		}
		for k, e := range src.Gaps {
			r.Gaps[k] = e
		}
	}
	return r
}

// Patched makes a world interpret the program with the patch.
func (p *Patch) Patched(prog *lower.Program, w *eval.World) {
	if p.Empty() {
		return
	}
	w.Temps = p.Temps()
	stmts := map[cfront.Expr]eval.Change{}
	for id, e := range p.Stmts {
		s := prog.Stmts[id]
		x := s.X
		if s.Kind == lower.Decl && len(s.Decl.Init) == 1 {
			x = s.Decl.Init[0].X
		}
		stmts[x] = eval.Change{New: e.New, Guard: e.Guard, Delete: e.Delete}
	}
	type place struct {
		b *cfront.Block
		i int
	}
	gaps := map[place]eval.Change{}
	for id, e := range p.Gaps {
		g := prog.Gaps[id]
		gaps[place{g.Block, g.Index}] = eval.Change{New: e.New, Guard: e.Guard, Return: e.Return}
	}
	w.Edited = func(x cfront.Expr) (eval.Change, bool) { c, ok := stmts[x]; return c, ok }
	w.Inserted = func(b *cfront.Block, i int) (eval.Change, bool) { c, ok := gaps[place{b, i}]; return c, ok }
}

// Touches reports whether the patch changes a function.
func (p *Patch) Touches(prog *lower.Program, f *cfront.Func) bool {
	if p == nil {
		return false
	}
	for id := range p.Stmts {
		if prog.Stmts[id].Func == f {
			return true
		}
	}
	for id := range p.Gaps {
		if prog.Gaps[id].Func == f {
			return true
		}
	}
	return false
}

// Exec executes a statement of the program with an edit of it (e may be nil). For Cond it returns the decision.
func Exec(m eval.Memory, s *lower.Stmt, e *Edit) (decision bool, err error) {
	if e != nil {
		if e.Delete {
			return false, nil
		}
		if e.Guard != nil {
			ok, err := eval.Truth(m, e.Guard)
			if err != nil || !ok {
				return false, err
			}
		}
	}
	x := s.X
	if e != nil && e.New != nil {
		x = e.New
	}
	switch s.Kind {
	case lower.Cond:
		return eval.Truth(m, x)
	case lower.Decl:
		if e == nil || e.New == nil {
			return false, eval.Init(m, s.Decl)
		}
		a, ok := m.VarAddr(s.Decl.Var)
		if !ok {
			return false, eval.ErrSupport
		}
		w, err := eval.Value(m, x)
		if err != nil {
			return false, err
		}
		if !m.Store(a, s.Decl.Var.Type, w) {
			return false, eval.ErrAccess
		}
		return false, nil
	case lower.Expr, lower.Post:
		_, err = eval.Value(m, x)
		return false, err
	case lower.Return:
		return false, execReturn(m, s, x)
	case lower.End:
		return false, nil
	}
	return false, fmt.Errorf("%w: %s", eval.ErrSupport, s.Range.Text())
}

// execReturn stores a returned value in the function's result cell.
func execReturn(m eval.Memory, s *lower.Stmt, x cfront.Expr) error {
	r := s.Func.Result
	if r == nil {
		return eval.ErrSupport
	}
	w, err := eval.Value(m, x)
	if err != nil {
		return err
	}
	w, _ = ctype.Convert(x.Type(), r.Type, w)
	a, ok := m.VarAddr(r)
	if !ok || !m.Store(a, r.Type, w) {
		return eval.ErrAccess
	}
	return nil
}

// Modelled reports whether Exec alone can execute a statement: it has no calls, and is not one of several statements of
// a macro.
func Modelled(s *lower.Stmt) bool {
	if s.Macro {
		return false
	}
	switch s.Kind {
	case lower.Cond, lower.Expr, lower.Post:
		return s.X != nil && !cfront.HasCall(s.X)
	case lower.Return:
		return s.Func.Result != nil && !cfront.HasCall(s.X)
	case lower.Decl:
		if s.Decl.Var.VLALen != nil {
			return false
		}
		for _, in := range s.Decl.Init {
			if cfront.HasCall(in.X) || !in.Type.IsScalar() || in.Field != nil {
				return false
			}
		}
		return true
	}
	return false
}

// Describe says in words what an edit does.
func (e *Edit) Describe(prog *lower.Program) string {
	if e.Stmt == 0 {
		g := prog.Gaps[e.Gap]
		pos, where := GapPosition(g)
		s := e.Inserted()
		return fmt.Sprintf("%s:%d: insert %s %s", pos.File, pos.Line, s, where)
	}
	s := prog.Stmts[e.Stmt]
	pos := s.Range.Position()
	old := strings.TrimSuffix(s.Range.Text(), ";")
	at := fmt.Sprintf("%s:%d: ", pos.File, pos.Line)
	switch {
	case e.Delete:
		return at + "delete " + old
	case e.New == nil:
		return at + old + " only if " + cfront.Text(e.Guard)
	case e.Guard != nil:
		return at + old + "  =>  if (" + cfront.Text(e.Guard) + ") " + e.Replacement(s)
	}
	return at + old + "  =>  " + e.Replacement(s)
}

// Replacement returns the text of a statement with the edit's expression in place of its own.
func (e *Edit) Replacement(s *lower.Stmt) string {
	switch s.Kind {
	case lower.Decl:
		return s.Decl.Var.Name + " = " + cfront.Text(e.New)
	case lower.Return:
		return "return " + cfront.Text(e.New)
	}
	return cfront.Text(e.New)
}

// Inserted returns the statement that an insertion inserts.
func (e *Edit) Inserted() string {
	s := ""
	if e.New != nil {
		s = idiom(e.New)
	}
	if e.Return {
		s = strings.TrimSpace("return " + s)
	}
	if e.Guard != nil {
		return "if (" + cfront.Text(e.Guard) + ") " + s + ";"
	}
	return s + ";"
}

// idiom returns an assignment as people write it: x++ for x = x + 1, x += y for x = x + y.
func idiom(x cfront.Expr) string {
	a, ok := x.(*cfront.Assign)
	if !ok {
		return cfront.Text(x)
	}
	step := map[ctype.Op]string{ctype.Add: "++", ctype.Sub: "--"}
	if c, ok := cfront.Skip(a.R).(*cfront.Const); a.HasOp && ok && c.Value == 1 && step[a.Op] != "" {
		return cfront.Text(a.L) + step[a.Op]
	}
	if a.HasOp {
		return cfront.Text(x)
	}
	b, ok := cfront.Skip(a.R).(*cfront.Binary)
	if !ok || b.Op != ctype.Add && b.Op != ctype.Sub || !a.L.Type().IsInteger() || cfront.Text(b.X) != cfront.Text(a.L) {
		return cfront.Text(x)
	}
	if c, ok := cfront.Skip(b.Y).(*cfront.Const); ok && c.Value == 1 {
		return cfront.Text(a.L) + step[b.Op]
	}
	return cfront.Text(a.L) + " " + b.Op.String() + "= " + cfront.Text(b.Y)
}

// Run executes an inserted statement. It fails for one that returns, because the trace continues elsewhere then.
func (e *Edit) Run(m eval.Memory) error {
	if e.Guard != nil {
		if ok, err := eval.Truth(m, e.Guard); err != nil || !ok {
			return err
		}
	}
	if e.Return {
		return fmt.Errorf("%w: the function returns here", eval.ErrSupport)
	}
	_, err := eval.Value(m, e.New)
	return err
}
