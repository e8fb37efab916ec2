package gdb

import (
	"context"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/lower"
)

// This file is about longjmp, which leaves a call that is stepped over without a return. gdb knows
// where it leads in C libraries that say so, and Debian's does not: gulo halts at the statements
// behind every call of setjmp. Those are where the program comes back.

// landings are breakpoints of gdb's at the statements behind calls of setjmp.
type landings struct {
	numbers []string // nil: none were made
	made    bool
	on      bool // they are enabled
}

// land makes the program halt, or no longer halt, where a longjmp comes back to the function that is
// stepped or to one of its callers. A program may make thousands of other jumps, which gdb passes over.
func (t *Target) land(ctx context.Context, on bool) error {
	l := &t.landing
	if !l.made && on {
		for _, a := range t.behindSetjmp() {
			r, err := t.c.send(ctx, `-break-insert -c "$rsp >= $gulo_frame" *%d`, a)
			if err != nil {
				return err
			}
			n, _ := r.tuple("bkpt")["number"].(string)
			l.numbers = append(l.numbers, n)
		}
		l.made, l.on = true, true
	}
	if len(l.numbers) == 0 {
		return nil
	}
	if on != l.on {
		verb := "disable"
		if on {
			verb = "enable"
		}
		if _, err := t.c.send(ctx, "-break-%s %s", verb, strings.Join(l.numbers, " ")); err != nil {
			return err
		}
		l.on = on
	}
	if !on {
		return nil
	}
	_, err := t.c.send(ctx, "-gdb-set $gulo_frame = %d", t.sp)
	return err
}

// behindSetjmp are the addresses of the statements behind calls of setjmp.
func (t *Target) behindSetjmp() (out []uint64) {
	if !t.p.Jumps() {
		return nil // most programs call none, and large ones have many statements
	}
	seen := map[uint64]bool{}
	for _, s := range t.p.Stmts[1:] {
		again := false
		for _, x := range s.Exprs() {
			cfront.Walk(x, func(y cfront.Expr) bool {
				again = again || isSetjmp(y)
				return !again
			})
		}
		if !again {
			continue
		}
		for _, e := range t.p.Edges(s) {
			if e.Next == 0 {
				continue
			}
			for _, a := range t.info.breakpoints(e.Next) {
				if !seen[a] {
					seen[a], out = true, append(out, a)
				}
			}
		}
	}
	return out
}

func isSetjmp(x cfront.Expr) bool {
	c, ok := x.(*cfront.Call)
	if !ok {
		return false
	}
	f, ok := c.Fun.(*cfront.FuncRef)
	return ok && f.Func.Body == nil && slices.Contains(lower.ReturnsTwice, f.Func.Name)
}
