// Package textedit lists edits of a C program's text that may repair it.
//
// An Edit is what a person would call one change: another operator, a statement moved, a branch added. A Space collects
// the edits of functions. Each edit stands at a Site, together with the other alternatives there, and has a cost: small
// for changes that people often need (costs.go is the list of costs). Many edits are donors: pieces of the program
// itself, rewritten for other variables. Words measures how odd a text looks in a program. Edits of declarations cannot
// be alternatives at a place; Retyped and Unset list them.
//
// Nothing is compiled or run here; package schema does that. docs/edits.md says what each file lists.
//
// Not supported: edits of the expansions of macros. Arguments of macros are edited.
package textedit

import (
	"gulo/internal/cfront"
	"gulo/internal/native"
	"gulo/internal/source"
)

// Bounds of the space.
const (
	MostEdits   = 12_000 // edits that are compiled
	MostQuickly = 24_000 // edits that are compiled where that takes hardly any time
	mostListed  = 60_000
	mostAtPlace = 400
	mostDonor   = 200 // bytes of a statement that is copied
)

// Config says for what edits are listed, and how many.
type Config struct {
	Tree    *cfront.Program
	Free    func(f *source.File, line int) bool // lines that may change; nil: all
	Tests   []native.Test                       // the formats of scanf are compared with their inputs
	Printed []Printed                           // by failing tests
	Forced  []*Site                             // places where a forced outcome makes a failing test pass
	Away    func(*Site) int                     // added cost of the edits at a place when some must be left out; nil: nothing
	Cheap   bool                                // edits that cost more than Cheapest may be left out where that saves time
	Traced  bool                                // edits record the file of this package that lists them (Edit.Listed)
}

// Printed is the output of a failing test, and the output wanted.
type Printed struct{ Got, Want string }

// Space collects the edits of functions.
type Space struct {
	Sites          []*Site // in the order found
	Moves          []*Edit // edits with two halves, the suggested ones first
	SuggestedMoves int     // number of suggested ones among Moves
	Total          int     // edits at the sites

	facts
	at      map[siteKey]*Site
	seen    map[string]*Edit
	written bool // the target of the pointer expression at hand is assigned to
}

// facts is what a search has been told, and what the text of the program says: looked for when it is first asked. It
// lists no edits.
type facts struct {
	tree           *cfront.Program
	free           func(f *source.File, line int) bool
	printed        []Printed
	traced         bool
	cheap          bool            // edits that cost more than Cheapest may be left out
	away           func(*Site) int // added cost of the edits at a place
	donors         map[*cfront.Func]*donors
	visible        map[scopeAt]map[string]bool             // names of visible variables
	names          map[string]bool                         // of local variables of all functions
	constantsNamed []*cfront.Const                         // nil: not looked for
	sums           map[*cfront.Func]*computed              // arithmetic of functions
	tabled         map[*cfront.Func][]tableStep            // lookups in tables
	twins          map[cfront.Expr]string                  // arguments of strcmp, with the text of the other argument
	data           map[cfront.Expr]bool                    // operands of comparisons in which neither side is a counter
	summed         map[cfront.Expr]bool                    // sums with a constant among their terms, and these terms
	counting       map[*cfront.Func]map[*cfront.Var]bool   // counters, and variables that they are compared with
	besides        map[*cfront.Func]map[*cfront.Const]bool // constants compared with a result such as strcmp's
	stored         map[*cfront.Var]bool                    // variables at file scope that functions store to; nil: not looked for
	storing        map[*cfront.Func]map[*cfront.Var]bool   // those that each function stores to
	ended          map[*cfront.Func][]fragment             // scalar lvalues that each function stores to
	tests          []native.Test
	readBy         map[*cfront.String]bool               // formats of scanf
	printing       []string                              // statements that print a missing line; nil: not looked for
	objectsOf      map[*cfront.Func][]object             // objects that each function names
	mentions       map[*cfront.Func]map[*cfront.Var]bool // variables that each function names
	prototypes     map[inFile]int                        // where a prototype of the function ends
	named          map[inFile]int                        // where bodies first name a function; nil: not looked for
	writing        map[*cfront.Func]bool                 // functions with side effects
	wrappers       []wrapper                             // nil: not looked for
	arms           Arms                                  // nil: not looked for
	begins         map[*cfront.Func][]beginning          // variables that are initialized with a constant and assigned to
	chars          map[*cfront.Func]map[*cfront.Var]bool // integers that hold characters
	unusedNames    map[*source.File][]string             // macros that are never used; nil: not looked for
	truth          *truths                               // nil: not looked for
	forced         map[siteKey]bool                      // places where a forced outcome makes a failing test pass
	indexTexts     map[*cfront.Var][]string              // texts of computed indices of arrays at file scope; nil: not looked for
	numberKinds    *numberKinds                          // nil: not looked for
	comparedWith   map[kind][]string                     // constants that numbers of a kind are compared with
	tails          map[*cfront.Func]map[cfront.Stmt]bool // statements at which functions end
	freed          map[string]bool                       // names of variables and members that the program passes to free; nil: not looked for
	releasing      map[string]bool                       // functions that free something; nil: not looked for
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
		at: map[siteKey]*Site{}, seen: map[string]*Edit{},
		facts: facts{
			tree: c.Tree, free: free, tests: c.Tests, forced: forced, printed: c.Printed, away: c.Away, traced: c.Traced, cheap: c.Cheap,
			donors: map[*cfront.Func]*donors{}, readBy: map[*cfront.String]bool{},
		},
	}
}

// Clear forgets the listed edits. What was learned about the program is kept for the next functions.
func (s *Space) Clear() {
	s.Sites, s.Moves, s.SuggestedMoves, s.Total = nil, nil, 0, 0
	s.at, s.seen = map[siteKey]*Site{}, map[string]*Edit{}
}
