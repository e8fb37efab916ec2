package woven

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/repair/schema"
	"gulo/internal/repair/textedit"
	"gulo/internal/source"
)

// Program is a program with its edits woven in. The machine executes it with any one of them.
type Program struct {
	*schema.Woven
	Prog *lower.Program

	chosen [len(schema.Chosen)]int32 // the globals that choose edits
	marks  int32                     // the global that records which places were reached
}

// Weave returns a program with up to most edits of some functions woven in, those suggested from outside among them; nil
// if that is impossible or there are none.
func Weave(ctx context.Context, tree *cfront.Program, opt cfront.Options, funcs []*cfront.Func, free func(*source.File, int) bool, suggested []textedit.Suggested, most int) (*Program, error) {
	w, err := schema.Weave(ctx, tree, opt, cfront.Once(funcs), free, suggested, most)
	if err != nil || len(w.Choices) == 0 {
		return nil, err
	}
	woven, err := cfront.Edited(tree.Units(), opt, w.Texts)
	var bad *source.Error
	if errors.As(err, &bad) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p := &Program{Woven: w}
	if p.Prog, err = lower.Lower(woven, lower.Options{Memory: true}); err != nil {
		return nil, err
	}
	globals := map[string]*int32{schema.Marks: &p.marks}
	for i, name := range schema.Chosen {
		globals[name] = &p.chosen[i]
	}
	for name, at := range globals {
		*at = -1
		for _, v := range woven.Globals {
			if i, ok := p.Prog.GlobalIndex(v); ok && v.Name == name && v.Func == nil {
				*at = i
			}
		}
		if *at < 0 {
			return nil, fmt.Errorf("repair/woven: no variable %s", name)
		}
	}
	return p, nil
}

// None is a number that no edit has. Choosing it costs as much as choosing an edit, for runs compared with runs of
// edits.
const None = -1

// choose puts edits in force in a run that is about to begin, at most len(schema.Chosen) of them. If the first is 0,
// the run marks the places that it executes.
func (p *Program) choose(r *oracle.Runner, edits []int) error {
	for i, at := range p.chosen {
		var buf [4]byte
		if i < len(edits) {
			binary.LittleEndian.PutUint32(buf[:], uint32(edits[i]))
		}
		if !r.M.Write(r.M.GlobalAddr(at), buf[:]) {
			return errors.New("repair/woven: the edit cannot be chosen")
		}
	}
	return nil
}

// Run runs a case with the edits of these numbers. r must be a runner of the program p.Prog. Afterwards r's machine is
// still in the state in which the run ended.
func (p *Program) Run(r *oracle.Runner, c *oracle.Case, edits ...int) (*oracle.Run, error) {
	if err := r.Begin(c, nil); err != nil {
		return nil, err
	}
	defer r.End()
	if err := p.choose(r, edits); err != nil {
		return nil, err
	}
	return r.Finish(c, r.RunUntil(c, nil)), nil
}

// Way records which of the program's own statements a run executes.
type Way struct {
	First map[int32]int   // number of each statement's first execution, in the order of the run, from 0
	Times map[int32]int   // number of its executions
	Count int             // number of all executions
	at    map[int32][]int // numbers of the executions of the followed statement
}

// Nth returns the number of the nth execution of the followed statement; ok is false if it is executed less often.
func (w *Way) Nth(id int32, n int) (number int, ok bool) {
	if n < 1 || n > len(w.at[id]) {
		return 0, false
	}
	return w.at[id][n-1], true
}

// Follow runs a case like Run and returns its Way. Every execution of the followed statement is recorded; 0 follows
// none.
func (p *Program) Follow(r *oracle.Runner, c *oracle.Case, followed int32, edits ...int) (*Way, error) {
	if err := r.Begin(c, nil); err != nil {
		return nil, err
	}
	defer r.End()
	if err := p.choose(r, edits); err != nil {
		return nil, err
	}
	w := &Way{map[int32]int{}, map[int32]int{}, 0, map[int32][]int{}}
	own := map[int32]bool{}
	r.RunUntil(c, func(id int32, library bool) bool {
		if library {
			return false
		}
		is, known := own[id]
		if !known {
			_, _, is = p.StatementAt(id)
			own[id] = is
		}
		if !is {
			return false
		}
		if w.Times[id] == 0 {
			w.First[id] = w.Count
		}
		if w.Times[id]++; id == followed {
			w.at[id] = append(w.at[id], w.Count)
		}
		w.Count++
		return false
	})
	return w, nil
}

// Within reports whether a statement of the program is at the place of an edit, so that the edit may replace it.
func (p *Program) Within(id int32, e *textedit.Edit) bool {
	file, at, ok := p.StatementAt(id)
	if !ok {
		return false
	}
	for _, h := range e.Halves() {
		for _, c := range h.Changes {
			if c.File.Name == file && c.Start <= at && at <= c.End {
				return true
			}
		}
	}
	return false
}

// Reached adds to seen the places that the last run executed, each named by the number of its first edit. Precondition:
// the first number given to that run was 0, for only such runs mark places.
func (p *Program) Reached(r *oracle.Runner, seen map[int]bool) error {
	n := 1
	for _, c := range p.Choices {
		n = max(n, c.First+1, c.Second+1)
	}
	buf := make([]byte, n)
	if !r.M.Read(r.M.GlobalAddr(p.marks), buf) {
		return errors.New("repair/woven: the places cannot be read")
	}
	for i, b := range buf {
		if b != 0 {
			seen[i] = true
		}
	}
	return nil
}

// StatementAt returns where a statement of the woven program begins in the program; ok is false for statements that
// only an edit has.
func (p *Program) StatementAt(id int32) (file string, at int, ok bool) {
	if id <= 0 || int(id) >= len(p.Prog.Stmts) || p.Prog.Stmts[id] == nil {
		return "", 0, false
	}
	r := p.Prog.Stmts[id].Range
	if !r.Valid() {
		return "", 0, false
	}
	at, ok = p.Origin(r.File.Name, r.Start, r.End)
	return r.File.Name, at, ok
}

// Meet reports whether two edits share a place, so that only one of them can be in force.
func (p *Program) Meet(a, b schema.Choice) bool {
	return slices.ContainsFunc([]int{b.First, b.Second}, func(id int) bool {
		return id > 0 && (p.Place(id) == p.Place(a.First) || a.Second > 0 && p.Place(id) == p.Place(a.Second))
	})
}

// Touches reports whether one of an edit's places is in seen.
func (p *Program) Touches(c schema.Choice, seen map[int]bool) bool {
	return slices.ContainsFunc([]int{c.First, c.Second}, func(id int) bool { return id > 0 && seen[p.Place(id)] })
}
