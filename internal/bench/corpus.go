// Package bench measures repair on a corpus of programs that manipulate lists
// and trees, written as ordinary C: it plays the session of a user who knows
// the right states, injects faults, and compares the engines.
package bench

import (
	"context"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/session"
	"gulo/internal/spec"
	"gulo/internal/target/sim"
)

//go:embed programs/*.c
var programs embed.FS

// subjects names the function under repair of every program.
var subjects = map[string]string{
	"avl_rotate_right": "rotate_right", "bst_insert": "insert", "bst_insert_recursive": "insert", "bst_minimum": "minimum",
	"circular_create": "create", "circular_split": "split", "dll_delete": "delete", "dll_reverse": "reverse",
	"poly_add": "add", "queue_enqueue": "enqueue", "rb_rotate_left": "rotate_left", "sll_count": "measure",
	"sll_delete": "delete", "sll_delete_middle": "delete_middle", "sll_merge": "merge", "sll_partition": "partition",
	"sll_reverse": "reverse", "sll_sorted_insert": "insert", "sll_swap_pairs": "swap_pairs", "sll_unique": "unique",
	"tree_mirror": "mirror", "tree_sizes": "measure",
}

// Program is a program of the corpus with the states of a right run.
type Program struct {
	Name     string
	Func     string
	Prog     *lower.Program
	Dense    []*spec.Segment // asserted at every visit of a loop condition and at the end
	Sparse   []*spec.Segment // asserted at the end only
	Integers bool            // the subject computes with integers
}

// Names lists the programs.
func Names() []string {
	var out []string
	for n := range subjects {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

// Load reads a program and plays its sessions.
func Load(ctx context.Context, name string) (*Program, error) {
	text, err := programs.ReadFile("programs/" + name + ".c")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "gulo-bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, name+".c")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return nil, err
	}
	tree, err := cfront.Load(ctx, []string{path}, cfront.Options{})
	if err != nil {
		return nil, err
	}
	prog, err := lower.Lower(tree, lower.Options{Memory: true})
	if err != nil {
		return nil, err
	}
	p := &Program{Name: name, Func: subjects[name], Prog: prog}
	if p.Dense, err = play(ctx, p, true); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if p.Sparse, err = play(ctx, p, false); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	cfront.WalkStmt(tree.Func(p.Func).Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if b, ok := y.(*cfront.Binary); ok && b.X.Type().IsInteger() {
				p.Integers = true
			}
			return true
		})
	})
	return p, nil
}

// play is the user of the papers: it steps through the last call of the
// subject from main and asserts what it sees.
func play(ctx context.Context, p *Program, dense bool) ([]*spec.Segment, error) {
	s := session.New(p.Prog, sim.New(p.Prog, sim.Config{Name: p.Name}), session.Config{Name: p.Name})
	defer s.Close()
	do := func(line string) error {
		_, _, err := s.Exec(ctx, line)
		return err
	}
	if err := do("start; break " + p.Func + "; continue; break -" + p.Func + "; spec"); err != nil {
		return nil, err
	}
	for n := 0; n < 400; n++ {
		at := s.Prompted()
		if at == "}" {
			err := do("spec")
			return s.Segments(), err
		}
		if dense && n > 0 && (strings.HasPrefix(at, "while") || strings.HasPrefix(at, "for (;")) {
			if err := do("spec"); err != nil {
				return nil, err
			}
		}
		if err := do("next"); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("the run does not come to its end")
}
