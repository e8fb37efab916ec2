package bench

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/session"
	"gulo/internal/target/gdb"
)

// This file plays the same sessions under gdb and on the machine.

// debugger returns a session of a faulty program under gdb.
func (e *Entry) debugger(ctx context.Context, text string, p *lower.Program) (clean func(), s *session.Session, err error) {
	dir, err := os.MkdirTemp("", "gulo-bench")
	if err != nil {
		return nil, nil, err
	}
	clean = func() { os.RemoveAll(dir) }
	path := filepath.Join(dir, e.Name+".c")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		clean()
		return nil, nil, err
	}
	tree, err := cfront.Load(ctx, []string{path}, cfront.Options{})
	if err == nil {
		p.Tree.Files[0].Name = tree.Files[0].Name // gdb names files as they were compiled
		var t *gdb.Target
		if t, err = gdb.New(ctx, p, gdb.Config{Files: []string{path}, Args: e.Args()}); err == nil {
			return clean, session.New(p, t, session.Config{Name: e.Name + ".c"}), nil
		}
	}
	clean()
	return nil, nil, err
}

// Agree plays sessions under gdb and on the machine and compares the repairs.
func Agree(ctx context.Context, w io.Writer, o SweepOptions) (differ int, err error) {
	o.GDB = false
	a, err := Sweep(ctx, o)
	if err != nil {
		return 0, err
	}
	o.GDB = true
	b, err := Sweep(ctx, o)
	if err != nil {
		return 0, err
	}
	same, drawn := 0, 0
	for i := range a {
		x, y := strings.Join(a[i].Patch, "; "), strings.Join(b[i].Patch, "; ")
		if f, g := strings.Join(a[i].Faults, "; "), strings.Join(b[i].Faults, "; "); f != g {
			drawn++
			fmt.Fprintf(w, "%s %s variant %d: other faults drawn, because one engine put back %v and the other %v\n", a[i].ID, a[i].Class, a[i].Variant, a[i].Redrawn, b[i].Redrawn)
			continue
		}
		if a[i].Found == b[i].Found && x == y && a[i].Cause == b[i].Cause {
			same++
			continue
		}
		differ++
		fmt.Fprintf(w, "%s %s variant %d: machine %v %s %s; gdb %v %s %s\n", a[i].ID, a[i].Class, a[i].Variant, a[i].Found, x, a[i].Cause, b[i].Found, y, b[i].Cause)
	}
	fmt.Fprintf(w, "Sessions under gdb and on the machine: %d, the same repair (or none) in %d, different in %d, not the same faults in %d; seed %d\n", len(a), same, differ, drawn, o.Seed)
	return differ, nil
}
