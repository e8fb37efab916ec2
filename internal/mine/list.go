package mine

import (
	"embed"
	"strconv"
	"strings"
	"sync"

	"gulo/internal/cfront"
	"gulo/internal/repair/mistakes"
	"gulo/internal/repair/textedit"
)

// This file lists edits with the rules that they belong to, and what was counted of these.

// Listed is an edit that gulo would try.
type Listed struct {
	*textedit.Edit
	Rule string // as it is counted
}

// Edits lists the edits of a program that its text alone suggests, and those that known mistakes do, the cheapest first.
func Edits(tree *cfront.Program, known []mistakes.Mistake) []Listed { return space(tree, known) }

//go:embed counted
var files embed.FS

// Counted returns what was counted on corrections that people made (docs/mined.md), by the names of rules. It must not be
// changed.
var Counted = sync.OnceValue(func() map[string]*Rule {
	out := map[string]*Rule{}
	for _, part := range []string{"read", "unread"} {
		text, err := files.ReadFile("counted/" + part + ".tsv")
		if err != nil {
			panic(err) // it is part of the program
		}
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "# shape") {
				break
			}
			f := strings.Split(strings.TrimSpace(line), "\t")
			if strings.HasPrefix(line, "#") || len(f) < 7 {
				continue
			}
			r := out[f[0]]
			if r == nil {
				r = &Rule{Name: f[0]}
				out[f[0]] = r
			}
			for i, to := range []*int{&r.Explained, &r.Like, &r.Programs, &r.Candidates} {
				n, err := strconv.Atoi(f[i+1])
				if err != nil {
					panic(err)
				}
				*to += n
			}
		}
	}
	return out
})
