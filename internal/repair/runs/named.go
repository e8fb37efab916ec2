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

// learned are the names of mistakes of files.
var learned sync.Map

// Learn adds the names of mistakes to those that Named knows.
func Learn(ms []mistakes.Mistake) {
	for _, m := range ms {
		learned.Store(m.Say, true)
	}
}

// Named reports whether the words for an edit name a mistake ("no newline at the end"), and do not
// only say what was edited ("another variable").
func Named(what string) bool {
	_, ok := learned.Load(what)
	return ok || output.Names[what] || sayings()[what]
}
