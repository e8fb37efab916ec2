package runs

import (
	"sync"

	"gulo/internal/repair/mistakes"
	"gulo/internal/repair/output"
)

var sayings = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, m := range mistakes.Builtin() {
		all[m.Say] = true
	}
	return all
})

// learned are the names of mistakes that were read from files.
var learned sync.Map

// Learn adds names of mistakes that Named then recognizes.
func Learn(ms []mistakes.Mistake) {
	for _, m := range ms {
		learned.Store(m.Say, true)
	}
}

// Named reports whether the description of an edit names a mistake ("no newline at the end"), instead of only saying
// what was edited ("another variable").
func Named(what string) bool {
	_, ok := learned.Load(what)
	return ok || output.Names[what] || sayings()[what]
}
