package ir_test

import (
	"strings"
	"testing"

	"gulo/internal/ir"
	"gulo/internal/lower/lowertest"
)

const program = `
int table[4];

static int twice(int x) { return x + x; }

int main(int argc, char **argv)
{
    int s = 0;
    for (int i = 0; i < 4; i++) {
        switch (i) {
        case 1:
            continue;
        case 3:
            s += twice(table[i]);
            break;
        default:
            s -= argc;
        }
        if (s > 10 && argv)
            goto out;
    }
out:
    return s;
}
`

// TestCheck breaks every invariant at every place of a program at which it can be
// broken.
func TestCheck(t *testing.T) {
	prog, _ := lowertest.Load(t, program)
	p := prog.IR
	if err := ir.Check(p); err != nil {
		t.Fatal(err)
	}
	broken := 0
	try := func(want string, change, back func()) {
		t.Helper()
		change()
		if err := ir.Check(p); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %q", err, want)
		}
		back()
		broken++
	}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			all := b.Instrs
			try("no instructions", func() { b.Instrs = nil }, func() { b.Instrs = all })
			if len(all) > 1 {
				try("terminator misplaced", func() { b.Instrs = all[:len(all)-1] }, func() { b.Instrs = all })
			}
			for i := range all {
				in := &all[i]
				for _, r := range []*ir.Reg{&in.Dst, &in.A, &in.B} {
					old := *r
					try("register", func() { *r = ir.Reg(f.NumRegs) }, func() { *r = old })
					try("register", func() { *r = ir.NoReg - 1 }, func() { *r = old })
				}
				if in.CallX != nil && len(in.CallX.Args) > 0 {
					old := in.CallX.Args[0]
					try("register", func() { in.CallX.Args[0] = ir.Reg(f.NumRegs) }, func() { in.CallX.Args[0] = old })
				}
			}
			last := &all[len(all)-1]
			b.Succs(func(int32) {
				old := last.Target
				try("jump to block", func() { last.Target = int32(len(f.Blocks)) }, func() { last.Target = old })
				try("jump to block", func() { last.Target = -1 }, func() { last.Target = old })
			})
		}
	}
	if err := ir.Check(p); err != nil || broken < 200 {
		t.Error(broken, err)
	}
}

// TestPrint: every instruction of a function is one line that names its operation.
func TestPrint(t *testing.T) {
	p, _ := lowertest.Load(t, program)
	f := p.IR.Funcs[p.IR.Main]
	n := 0
	for _, b := range f.Blocks {
		n += len(b.Instrs)
	}
	text := f.String()
	if got := strings.Count(text, "\n"); got < n {
		t.Errorf("%d lines for %d instructions:\n%s", got, n, text)
	}
	for _, want := range []string{"main", "call", "switch", "jump"} {
		if !strings.Contains(strings.ToLower(text), want) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}
