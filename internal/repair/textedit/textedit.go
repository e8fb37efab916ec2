// Package textedit says what edits of a program's text there are.
//
// An Edit is what a person would call one change: another operator, a statement moved, a branch that is
// missing. A Space lists the edits of functions, each at its Site with the other alternatives there, and
// each with a cost: small for what people write most easily and get wrong most easily (costs.go is the one
// list of costs). Many edits are donors: pieces of the program itself, written for other variables. Words
// say how odd a text looks in a program. Edits of declarations, which cannot be alternatives at a place,
// are listed by Retyped and Unset.
//
// Nothing is compiled or run here; package schema does. docs/edits.md says what each file lists.
//
// Not supported: edits of what macros expand to; what is passed to them is edited.
package textedit

import (
	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/source"
)

// Bounds of the space.
const (
	MostEdits   = 12_000 // that are compiled
	MostQuickly = 24_000 // where that takes hardly any time
	mostListed  = 60_000
	mostAtPlace = 400
	mostDonor   = 200 // bytes of a statement that is copied
)

// Config says what edits are listed for.
type Config struct {
	Tree    *cfront.Program
	Free    func(f *source.File, line int) bool // lines that may change; nil: all
	Tests   []native.Test                       // what formats that read are held against
	Printed []Printed                           // of failing tests
	Forced  []*Site                             // where a forced outcome mends a failing test
	Away    func(*Site) int                     // what edits at a place cost more when some are left out; nil: nothing
	Cheap   bool                                // edits that cost more than Cheapest may be left out, where that saves listing them
	Traced  bool                                // edits say in which file of this package they are listed (Edit.Listed)
}

// Printed is what a failing test prints, and what is wanted of it.
type Printed struct{ Got, Want string }

// Space collects the edits of functions.
type Space struct {
	Sites          []*Site // in the order found
	Moves          []*Edit // of two halves, those suggested first
	SuggestedMoves int     // so many of them
	Total          int     // edits at the sites

	tree           *cfront.Program
	free           func(f *source.File, line int) bool
	at             map[siteKey]*Site
	seen           map[string]*Edit
	printed        []Printed
	traced         bool
	cheap          bool            // what costs more than Cheapest may be left out
	away           func(*Site) int // what edits at a place cost more
	donors         map[*cfront.Func]*donors
	visible        map[scopeAt]map[string]bool             // names
	names          map[string]bool                         // of local variables
	constantsNamed []*cfront.Const                         // nil: not looked for
	written        bool                                    // what the expression that is looked at leads to is assigned to
	sums           map[*cfront.Func]*computed              // arithmetic
	tabled         map[*cfront.Func][]tableStep            // what is read from tables
	twins          map[cfront.Expr]string                  // arguments of strcmp: what the other one is
	data           map[cfront.Expr]bool                    // operands of comparisons of which neither counts anything
	summed         map[cfront.Expr]bool                    // sums that a number is a term of, and their terms
	counting       map[*cfront.Func]map[*cfront.Var]bool   // variables that count, and what they are compared with
	besides        map[*cfront.Func]map[*cfront.Const]bool // constants beside signs
	stored         map[*cfront.Var]bool                    // at file scope, by functions; nil: not looked for
	storing        map[*cfront.Func]map[*cfront.Var]bool   // which of them each stores to
	ended          map[*cfront.Func][]fragment             // scalars that functions store to
	tests          []native.Test
	readBy         map[*cfront.String]bool               // formats of scanf
	printing       []string                              // what prints a line that is missing; nil: not looked for
	objectsOf      map[*cfront.Func][]object             // that functions name
	mentions       map[*cfront.Func]map[*cfront.Var]bool // variables that functions name
	prototypes     map[inFile]int                        // where functions are declared
	named          map[inFile]int                        // where bodies first name functions; nil: not looked for
	writing        map[*cfront.Func]bool                 // functions that do more than to answer
	wrappers       []wrapper                             // nil: not looked for
	arms           Arms                                  // nil: not looked for
	begins         map[*cfront.Func][]beginning          // what variables are declared with
	chars          map[*cfront.Func]map[*cfront.Var]bool // integers that hold characters
	unusedNames    map[*source.File][]string             // of macros; nil: not looked for
	truth          *truths                               // nil: not looked for
	forced         map[siteKey]bool                      // where a forced outcome mends a failing test
	indexTexts     map[*cfront.Var][]string              // how indices of arrays at file scope are computed; nil: not looked for
	numberKinds    *numberKinds                          // nil: not looked for
	comparedWith   map[kind][]string                     // constants, by the kind of what is compared with them
	tails          map[*cfront.Func]map[cfront.Stmt]bool // statements behind which functions end
	freed          map[string]bool                       // names of what the program frees; nil: not looked for
	releasing      map[string]bool                       // functions that free what they are given; nil: not looked for
}

type siteKey struct {
	file       *source.File
	start, end int
	kind       Kind
}

// New makes an empty space.
func New(c Config) *Space {
	free := c.Free
	if free == nil {
		free = func(*source.File, int) bool { return true }
	}
	forced := map[siteKey]bool{}
	for _, st := range c.Forced {
		forced[siteKey{st.File, st.Start, 0, st.Kind}] = true
	}
	return &Space{
		forced: forced,
		tree:   c.Tree, free: free, tests: c.Tests, printed: c.Printed, away: c.Away, traced: c.Traced, cheap: c.Cheap,
		at: map[siteKey]*Site{}, seen: map[string]*Edit{}, donors: map[*cfront.Func]*donors{}, readBy: map[*cfront.String]bool{},
	}
}

// Clear forgets the edits that were listed; what was read of the program is kept for the functions that come next.
func (s *Space) Clear() {
	s.Sites, s.Moves, s.SuggestedMoves, s.Total = nil, nil, 0, 0
	s.at, s.seen = map[siteKey]*Site{}, map[string]*Edit{}
}
