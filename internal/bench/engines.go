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
	"gulo/internal/process"
	"gulo/internal/session"
	"gulo/internal/target/gdb"
)

// This file plays the same sessions under gdb and on the machine.

// debugger opens a session of a faulty program under gdb.
func (e *Entry) debugger(ctx context.Context, text string, p *lower.Program) (clean func(), s *session.Session, err error) {
	dir, err := process.TempDir("gulo-bench")
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
		p.Tree.Files[0].Name = tree.Files[0].Name // gdb knows files by the names they were compiled under
		var t *gdb.Target
		if t, err = gdb.New(ctx, p, gdb.Config{Files: []string{path}, Args: e.Args()}); err == nil {
			return clean, session.New(p, t, session.Config{Name: e.Name + ".c"}), nil
		}
	}
	clean()
	return nil, nil, err
}

// Agree plays sessions under gdb and on the machine and compares the repairs. If the faulty program has undefined
// behaviour, the two may show different states, or the user may get lost in one of them. Such faults are drawn anew and
// counted.
func Agree(ctx context.Context, w io.Writer, o SweepOptions) (differ int, err error) {
	o.Both = true
	ss, err := Sweep(ctx, o)
	if err != nil {
		return 0, err
	}
	same, played := 0, 0
	left := map[string]int{}
	for i := range ss {
		a := &ss[i]
		for _, r := range a.Redrawn {
			if strings.HasPrefix(r, "under gdb: ") {
				left[r]++
			}
		}
		b := a.Under
		if b == nil {
			fmt.Fprintf(w, "%s %s variant %d: %s\n", a.ID, a.Class, a.Variant, a.Cause)
			continue
		}
		played++
		x, y := strings.Join(a.Patch, "; "), strings.Join(b.Patch, "; ")
		if a.Found == b.Found && x == y && a.Cause == b.Cause {
			same++
			continue
		}
		differ++
		fmt.Fprintf(w, "%s %s variant %d: machine %v %s %s; gdb %v %s %s\n", a.ID, a.Class, a.Variant, a.Found, x, a.Cause, b.Found, y, b.Cause)
	}
	fmt.Fprintf(w, "Sessions under gdb and on the machine: %d, the same repair (or none) in %d, different in %d; seed %d\n", played, same, differ, o.Seed)
	fmt.Fprintln(w, "drawn anew, because gdb does not show what the machine shows:")
	printCounts(w, left)
	return differ, nil
}
