// Package bench measures localization and repair on forty programs that
// manipulate lists and trees, written as ordinary C: it injects faults, plays
// the session of a user who knows the right states, compares the engines, and
// prints the tables of Wolverine2, section 7, next to the paper's figures.
package bench

import (
	"context"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/process"
	"gulo/internal/repair"
	"gulo/internal/repair/natural"
	"gulo/internal/session"
	"gulo/internal/spec"
	"gulo/internal/target/sim"
)

//go:embed programs/*.c
var programs embed.FS

// Entry describes a program of the corpus.
type Entry struct {
	ID    string // B1-B20 and L1-L20 of Wolverine2, Table 5; empty for programs of our own
	Name  string // of the file, without .c
	Func  string // the function to be repaired
	Shape Shape  // what the arguments of a run mean
	Run   string // the arguments of the run that sessions follow
}

// Corpus lists the programs: Table 5 in its order, then the others.
var Corpus = []Entry{
	{"B1", "sll_reverse", "reverse", List, "1 2 3 4"},
	{"B2", "dll_reverse", "reverse", List, "10 8 4 2"},
	{"B3", "sll_delete", "delete", KeyList, "6 8 7 6 5"},
	{"B4", "circular_create", "create", List, "3 1 2"},
	{"B5", "sll_sorted_insert", "insert", KeySorted, "7 2 6 9"},
	{"B6", "sll_insert_after", "insert_after", KeyList, "3 5 3 8"},
	{"B7", "sll_swap_nodes", "swap_nodes", TwoKeysList, "2 4 1 2 3 4 5"},
	{"B8", "splay_rotate_left", "rotate_left", Tree, "5 3 8 7 9"},
	{"B9", "bst_minimum", "minimum", Tree, "9 4 12 2 6"},
	{"B10", "sll_length", "length", List, "5 9 4"},
	{"B11", "sll_print", "show", List, "5 9 4"},
	{"B12", "circular_split", "split", List, "1 2 3 4 5"},
	{"B13", "avl_rotate_right", "rotate_right", Tree, "9 5 12 2 7"},
	{"B14", "avl_rotate_left_right", "rotate_left_right", Tree, "9 4 12 2 6 5 7"},
	{"B15", "avl_rotate_left", "rotate_left", Tree, "5 2 9 7 12"},
	{"B16", "avl_rotate_right_left", "rotate_right_left", Tree, "9 4 14 12 16 10 13"},
	{"B17", "rb_rotate_left", "rotate_left", KeyTree, "10 20 10 5 15 12 17"},
	{"B18", "rb_rotate_right", "rotate_right", KeyTree, "15 10 15 20 12 11 13"},
	{"B19", "queue_enqueue", "enqueue", List, "4 6 9"},
	{"B20", "splay_rotate_right", "rotate_right", Tree, "5 3 8 2 4"},
	{"L1", "sll_delete_middle", "delete_middle", List, "1 2 3 4 5"},
	{"L2", "sll_remove_duplicates", "remove_duplicates", List, "3 1 3 2 1"},
	{"L3", "sll_last_to_first", "last_to_first", List, "1 2 3 4"},
	{"L4", "sll_intersection", "intersection", SortedLists, "1 3 5 7 / 3 4 7"},
	{"L5", "sll_split", "split", List, "1 2 3 4 5"},
	{"L6", "sll_partition", "partition", KeyList, "4 5 1 7 2"},
	{"L7", "sll_delete_position", "delete_position", KeyList, "2 5 6 7 8"},
	{"L8", "circular_split_even", "deal", List, "1 2 3 4 5 6"},
	{"L9", "sll_middle_as_head", "middle_as_head", List, "1 2 3 4 5"},
	{"L10", "sll_merge_alternate", "merge_alternate", TwoLists, "1 2 3 / 7 8"},
	{"L11", "sll_delete_value", "delete_value", KeyList, "2 2 1 2 2 3"},
	{"L12", "dll_split", "split", KeyList, "4 1 3 6 5"},
	{"L13", "sll_swap_pairs", "swap_pairs", List, "1 2 3 4 5"},
	{"L14", "sll_rearrange", "rearrange", List, "1 2 3 4 5"},
	{"L15", "sll_absolute_sort", "absolute_sort", AbsoluteList, "1 -2 -3 4 -5"},
	{"L16", "sll_quicksort", "divide", List, "3 1 4 2 5"},
	{"L17", "dll_delete", "delete", KeyList, "3 1 2 3 4"},
	{"L18", "sll_insert_all", "insertion_sort", List, "3 1 4 2"},
	{"L19", "dll_remove_duplicates", "remove_duplicates", Sorted, "1 1 2 3 3"},
	{"L20", "sll_delete_lesser", "delete_lesser", List, "12 15 10 11 5 6"},
	{"", "bst_insert", "insert", None, ""},
	{"", "bst_insert_recursive", "insert", None, ""},
	{"", "poly_add", "add", None, ""},
	{"", "sll_merge", "merge", None, ""},
	{"", "tree_mirror", "mirror", None, ""},
	{"", "tree_sizes", "measure", None, ""},
}

// Table5 lists the forty programs of the paper's table.
func Table5() []Entry { return Corpus[:40] }

// Small lists B1 to B20.
func Small() []Entry { return Corpus[:20] }

// Large lists L1 to L20.
func Large() []Entry { return Corpus[20:40] }

// Find returns the entry with a name or an ID; nil if there is none.
func Find(name string) *Entry {
	for i := range Corpus {
		if e := &Corpus[i]; e.Name == name || e.ID != "" && strings.EqualFold(e.ID, name) {
			return e
		}
	}
	return nil
}

// place returns the index of the entry in the corpus. Random draws for a program depend on it, so that a program has
// the same faults in a part of the corpus as in all of it.
func (e *Entry) place() int {
	return max(slices.IndexFunc(Corpus, func(c Entry) bool { return c.Name == e.Name }), 0)
}

// Source returns the text of the program.
func (e *Entry) Source() []byte {
	text, err := programs.ReadFile("programs/" + e.Name + ".c")
	if err != nil {
		panic(fmt.Sprintf("bench: program %s is not embedded", e.Name))
	}
	return text
}

// Args returns the arguments of the run that sessions follow.
func (e *Entry) Args() []string { return strings.Fields(e.Run) }

// Program is a program of the corpus with the states of a correct run.
type Program struct {
	Entry
	Prog     *lower.Program
	Dense    []*spec.Segment // asserted at every visit of a loop condition and at the end
	Sparse   []*spec.Segment // asserted at the end only
	Integers bool            // the function to be repaired computes with integers
}

// Names lists the programs.
func Names() []string {
	var out []string
	for _, e := range Corpus {
		out = append(out, e.Name)
	}
	return out
}

// Parse loads a program text of the corpus, as it is or with faults in it.
func (e *Entry) Parse(ctx context.Context, text []byte) (*lower.Program, error) {
	dir, err := process.TempDir("gulo-bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, e.Name+".c")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return nil, err
	}
	return lower.Load(ctx, []string{path}, cfront.Options{})
}

// Load reads a program and records its sessions.
func Load(ctx context.Context, name string) (*Program, error) {
	e := Find(name)
	if e == nil {
		return nil, fmt.Errorf("no program %q in the corpus", name)
	}
	prog, err := e.Parse(ctx, e.Source())
	if err != nil {
		return nil, err
	}
	p := &Program{Entry: *e, Prog: prog}
	if p.Dense, err = play(ctx, p, true); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if p.Sparse, err = play(ctx, p, false); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	cfront.WalkStmt(prog.Tree.Func(p.Func).Body, nil, func(x cfront.Expr) {
		cfront.Walk(x, func(y cfront.Expr) bool {
			if b, ok := y.(*cfront.Binary); ok && b.X.Type().IsInteger() {
				p.Integers = true
			}
			return true
		})
	})
	return p, nil
}

// play acts as the user of the papers: it steps through the call of the function under repair and asserts what it sees.
func play(ctx context.Context, p *Program, dense bool) ([]*spec.Segment, error) {
	s := session.New(p.Prog, sim.New(p.Prog, sim.Config{Name: p.Name, Args: p.Args()}), session.Config{Name: p.Name})
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

// output returns what the whole program, with a patch, prints on the machine.
func (e *Entry) output(p *lower.Program, pt *repair.Patch) (text string, ok bool) {
	var out strings.Builder
	m, err := machine.New(p, machine.Config{Name: "program", Args: e.Args(), Stdout: &out, MaxSteps: 1_000_000, MaxMemory: 16 << 20, Overlays: true, Debug: true})
	if err != nil {
		return "", false
	}
	if pt != nil {
		os, err := natural.Overlays(p, pt)
		if err != nil {
			return "", false
		}
		for _, o := range os {
			if m.Overlay(o) != nil {
				return "", false
			}
		}
	}
	_, err = m.Run()
	return out.String(), err == nil
}
