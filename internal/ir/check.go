package ir

import "fmt"

// Check reports the first violation of the package's invariants in p.
func Check(p *Program) error {
	for _, f := range p.Funcs {
		for i, b := range f.Blocks {
			if err := checkBlock(f, b); err != nil {
				return fmt.Errorf("ir: %s: block %d: %w", f.Name, i, err)
			}
		}
	}
	return nil
}

func checkBlock(f *Func, b *Block) error {
	if len(b.Instrs) == 0 {
		return fmt.Errorf("no instructions")
	}
	for i := range b.Instrs {
		in := &b.Instrs[i]
		if last := i == len(b.Instrs)-1; in.Op.IsTerminator() != last {
			return fmt.Errorf("instruction %d: terminator misplaced", i)
		}
		regs := []Reg{in.Dst, in.A, in.B}
		if in.CallX != nil {
			regs = append(regs, in.CallX.Args...)
		}
		for _, r := range regs {
			if r < NoReg || int(r) >= f.NumRegs {
				return fmt.Errorf("instruction %d: register %d of %d", i, r, f.NumRegs)
			}
		}
	}
	var bad error
	b.Succs(func(t int32) {
		if t < 0 || int(t) >= len(f.Blocks) {
			bad = fmt.Errorf("jump to block %d of %d", t, len(f.Blocks))
		}
	})
	return bad
}
