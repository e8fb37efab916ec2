package judge

import (
	"context"
	"sync"

	"gulo/internal/native"
)

// This file has gcc refuse repairs after which it has a warning, of a kind that it has nowhere in the program, about something that
// nobody means: a statement that does nothing, a comparison that is always true. A search that tries every edit
// finds such a repair where the right one is none of its edits.

// unmeant are the warnings that refuse a repair; asked for once.
type unmeant struct {
	sync.Mutex
	asked    bool
	warnings []string
}

// unwarned returns them. Without gcc's answer, as when the search is stopped, there are none.
func (u *unmeant) unwarned(ctx context.Context, t *Judge) []string {
	u.Lock()
	defer u.Unlock()
	if !u.asked {
		texts := map[string]string{}
		for _, f := range t.Prog.Tree.Files {
			texts[f.Name] = string(f.Text)
		}
		list, err := native.Unwarned(ctx, texts, native.Config{Units: t.Prog.Tree.Units(), Options: t.Job.Options})
		if err != nil {
			return nil
		}
		u.warnings, u.asked = list, true
	}
	return u.warnings
}
