package cases

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/oracle"
)

// This file makes inputs that also vary what calls find in static storage.

// Numbers of inputs with other values in static storage.
const (
	givenStorage = 40
	heldStorage  = 400
	givenTuples  = 12
	mostTuples   = 256 // bound for making all tuples of small numbers
)

// linked reports whether some struct of a program has a pointer to a struct or other aggregate. Then numbers in static
// storage, such as a length, must fit the data beside them, so only settings are varied.
func linked(tree *cfront.Program) bool {
	own := map[string]bool{} // names in the program's files, as headers have linked structs, too
	for _, f := range tree.Files {
		for _, w := range identifiersOf(string(f.Text)) {
			own[w] = true
		}
	}
	for _, t := range tree.Structs {
		if t.Tag != "" && !own[t.Tag] {
			continue
		}
		for _, f := range t.Fields {
			if f.Type.Kind == ctype.Pointer && f.Type.Elem.IsAggregate() {
				return true
			}
		}
	}
	return false
}

// storage lists the variables that are varied in inputs.
func (t *Set) storage() []*cfront.Var {
	return oracle.Storage(t.Prog, t.Ref.Prog, t.Entry, t.Ref.Entry, !linked(t.Ref.Prog.Tree))
}

// varied adds inputs with other values of global and static variables and, if the program is not linked, of arguments
// that are numbers.
func (t *Set) varied(given, held []*oracle.State) ([]*oracle.State, []*oracle.State) {
	vars := t.storage()
	var numbers []int
	if !linked(t.Ref.Prog.Tree) {
		numbers = oracle.Numbers(t.Ref.Entry)
	}
	if len(vars)+len(numbers) == 0 {
		return given, held
	}
	if len(given) == 0 {
		n := len(t.Ref.Entry.Params)
		if n > len(oracle.Numbers(t.Ref.Entry)) {
			return given, held
		}
		given = append(given, &oracle.State{Globals: map[string][]oracle.Cell{}, Args: make([]oracle.Value, n)})
	}
	near := oracle.NumeralsOf(t.Entry, t.Ref.Entry)
	rnd := rand.New(rand.NewSource(t.Job.Seed + 5))
	more := func(n int) (out []*oracle.State) {
		for i := range n {
			out = append(out, given[i%len(given)].With(t.Ref.Entry, numbers, vars, near, rnd))
		}
		return out
	}
	held = append(held, more(heldStorage)...)
	tuples := given[0].Tuples(t.Ref.Entry, numbers, mostTuples)
	held = append(held, tuples...)
	for i := 0; i < len(tuples); i += max(1, len(tuples)/givenTuples) {
		given = append(given, tuples[i])
	}
	return append(given, more(givenStorage)...), held
}

// Unvaried notes the variables of which only the run's values were tried.
func (t *Set) Unvaried() []string {
	if t.Ref == nil || t.Entry == nil || t.Entry.Name == "main" {
		return nil
	}
	some := t.storage()
	var left []string
	for _, n := range oracle.Names(oracle.Storage(t.Prog, t.Ref.Prog, t.Entry, t.Ref.Entry, true)) {
		if !slices.Contains(oracle.Names(some), n) {
			left = append(left, n)
		}
	}
	if len(left) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("no other values of %s were tried than those in the run", strings.Join(left, ", "))}
}
