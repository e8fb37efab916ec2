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

// Named reports whether the words for an edit name a mistake ("no newline at the end"), and do not
// only say what was edited ("another variable").
func Named(what string) bool { return output.Names[what] || sayings()[what] }
