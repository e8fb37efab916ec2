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

// This file lists edits with their rules, and the counts of the rules.

// Listed is an edit that gulo would try.
type Listed struct {
	*textedit.Edit
	Rule string // the rule under which it is counted
}

// Edits lists the edits of a program that its text and known mistakes suggest, the cheapest first.
func Edits(tree *cfront.Program, known []mistakes.Mistake) []Listed { return space(tree, known) }

//go:embed counted
var files embed.FS

// Counted returns the counts from corrections that people made (docs/mined.md), by the names of rules. The map must not
// be changed.
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
