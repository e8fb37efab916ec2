package oracle

import (
	"encoding/binary"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/machine"
)

// This file counts the blocks of memory that nothing points to when main ends. Two repairs that give the same picture
// may differ there, if one of them drops a node that the other keeps.

// ToEnd makes a case of a whole run that ends at the end of main, before its variables are gone, so that Run.Lost is
// known. It returns nil if the program has no main, or main has no such place.
func ToEnd(p *lower.Program, c *Case) *Case {
	main := p.Tree.Func("main")
	if main == nil {
		return nil
	}
	for _, st := range p.Stmts {
		if st != nil && st.Func == main && st.Kind == lower.End {
			none := func(*cfront.Var, int) bool { return false }
			return &Case{Name: c.Name, Args: c.Args, Stdin: c.Stdin, Want: AsDrawn(),
				Until: &Until{Func: main, Call: 1, Stmt: st.ID, Inside: true, Want: &heap.Image{}, Counts: none, Leaves: true}}
		}
	}
	return nil
}

// Stray counts the heap blocks that nothing led to where the last run stopped: neither globals nor variables of active
// functions. LeakSanitizer calls these leaks.
func (r *Runner) Stray() int { return stray(r.Suite.Prog, r.M) }

// stray counts the heap blocks that neither globals nor variables of active functions lead to. It is conservative:
// every word that looks like a pointer counts as one.
func stray(p *lower.Program, m *machine.Machine) int {
	blocks := map[uint32]int64{}
	for _, b := range m.HeapBlocks() {
		if !b.Freed {
			blocks[b.ID] = b.Size
		}
	}
	var todo []uint32
	scan := func(at ctype.Word, size int64) {
		buf := make([]byte, size)
		if size <= 0 || !m.Read(at, buf) {
			return
		}
		for off := 0; off+8 <= len(buf); off += 8 {
			i := id(binary.LittleEndian.Uint64(buf[off:]))
			if _, live := blocks[i]; live {
				delete(blocks, i)
				todo = append(todo, i)
			}
		}
	}
	sizes := map[uint32]int64{}
	for i, n := range blocks {
		sizes[i] = n
	}
	for _, v := range p.Tree.Globals {
		if i, ok := p.GlobalIndex(v); ok {
			scan(m.GlobalAddr(i), v.Type.Size)
		}
	}
	for _, c := range m.Calls() {
		for i, x := range c.Func.Objects {
			if v, ok := x.Var.(*cfront.Var); ok && !c.Library {
				scan(m.ObjectAddr(c, i), v.Type.Size)
			}
		}
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		scan(ctype.MakePointer(i, 0), sizes[i])
	}
	return len(blocks)
}
