package heap

import (
	"fmt"
	"path/filepath"
	"slices"
	"sort"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
)

// This file is the variables of graphs. A variable of static storage keeps its cells from the graph before if it is the same
// object and its pointers lead to things of the same names.

// variable is what is known of a variable of static storage. Of entry it uses o, links, words, valid and spells.
type variable struct {
	entry
	v *VarInfo
}

// index makes the cells of variables be found by their keys.
func (g *Graph) index() {
	for _, v := range g.Vars {
		for i := range v.Cells {
			g.vars[v.Cells[i].Key] = &v.Cells[i]
		}
	}
}

// variables adds the variables that show accepts.
func (b *grapher) variables(show func(o *Object) bool) {
	var locals []*Object
	for _, o := range b.im.named() {
		if o.Kind != Node && o.Kind != Library && o.Var != nil && show(o) {
			locals = append(locals, o)
		}
	}
	sort.SliceStable(locals, func(i, j int) bool { return varLess(locals[i], locals[j]) })
	inner := map[string]int{}
	for _, o := range locals {
		if o.Kind == Global && !b.im.outside(o) || o.Kind != Global && o.Frame == 0 {
			inner[o.Var.Name]++
		}
	}
	for _, o := range locals {
		v := &VarInfo{Name: o.Var.Name, Var: o.Var, Type: o.TypeOf(), Frame: o.Frame, Addr: o.Addr}
		if o.Kind == Global {
			v.Frame = -1
			if b.im.outside(o) {
				v.Name = o.Var.Func.Name + "." + v.Name
			} else if inner[v.Name] > 1 { // hidden by a local, or a static of several files
				v.Name = filepath.Base(o.Var.Range.File.Name) + ":" + v.Name
			}
		}
		if o.Kind == Local && o.Frame > 0 {
			v.Name = b.outerName(o)
		}
		kept := b.kept(o, v)
		if kept != nil && b.same(&kept.entry) {
			kept.valid = b.memo.round
			b.g.Vars = append(b.g.Vars, kept.v)
			continue
		}
		if kept != nil {
			kept.links, kept.words = kept.links[:0], kept.words[:0]
			b.made = &kept.entry
		}
		if a := b.arguments(o); a != nil {
			b.cellsOf(&v.Cells, v.Name, "", a.Addr, ctype.ArrayOf(a.Type, int64(len(a.Data))/8-1))
		} else {
			b.generic = o.Var.Leads
			b.cellsOf(&v.Cells, v.Name, "", o.Addr, o.TypeOf())
			b.generic = nil
			if o.Var.Address && len(v.Cells) == 1 {
				b.address(&v.Cells[0])
			}
		}
		if b.made = nil; kept != nil {
			kept.o, kept.v, kept.valid, kept.spells = o, v, b.memo.round, spells(v.Cells)
		}
		b.g.Vars = append(b.g.Vars, v)
	}
}

// kept returns what is known of a variable of static storage from the graphs before. It is nil for one that is made each
// time, as are arrays of bytes: carve changes their cells.
func (b *grapher) kept(o *Object, v *VarInfo) *variable {
	if o.Kind != Global || b.im.film == nil || v.Type.Kind == ctype.Array && isBytes(v.Type.Elem) {
		return nil
	}
	k := b.memo.vars[o.Var]
	if k == nil {
		k = &variable{}
		b.memo.vars[o.Var] = k
	}
	if k.o != o || k.spells || k.v == nil || k.v.Name != v.Name || k.v.Type != v.Type {
		k.valid = -1
	}
	return k
}

// spells reports whether a pointer among cells is shown with the text to which it leads.
func spells(cells []Cell) bool {
	return slices.ContainsFunc(cells, func(c Cell) bool { return c.Value.Chars != "" })
}

func varLess(a, b *Object) bool {
	if a.Kind != b.Kind {
		return a.Kind == Global
	}
	if a.Frame != b.Frame {
		return a.Frame < b.Frame
	}
	if x, y := a.Var.Storage == cfront.Param, b.Var.Storage == cfront.Param; x != y {
		return x
	}
	return a.Var.Range.Start < b.Var.Range.Start
}

// outside reports whether a variable is a static of another function than the one that is executed.
func (im *Image) outside(o *Object) bool {
	return o.Kind == Global && o.Var.Func != nil && len(im.Frames) > 0 && im.Frames[0].Func != o.Var.Func
}

func (b *grapher) outerName(o *Object) string {
	f := b.im.Frames[o.Frame].Func.Name
	n := 0
	for i := o.Frame - 1; i >= 0; i-- {
		if b.im.Frames[i].Func.Name == f {
			n++
		}
	}
	if n > 0 {
		return fmt.Sprintf("%s#%d.%s", f, n, o.Var.Name)
	}
	return f + "." + o.Var.Name
}

// arguments returns the vector that a parameter of main leads to; nil for other
// variables.
func (b *grapher) arguments(o *Object) *Object {
	t := o.Var.Type
	if o.Kind != Local || o.Var.Storage != cfront.Param || t.Kind != ctype.Pointer || t.Elem.Kind != ctype.Pointer || o.Var.Func == nil || o.Var.Func.Name != "main" {
		return nil
	}
	w, _ := b.im.Load(o.Addr, t)
	if a := b.im.Find(w); a != nil && a.Addr == w && a.Kind == Static && a.Type != nil && a.Type.Kind == ctype.Pointer {
		return a
	}
	return nil
}
