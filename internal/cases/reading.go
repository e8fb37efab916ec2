package cases

import (
	"slices"

	"gulo/internal/oracle"
)

// Reading is how a program reads some given inputs. An input that makes scanf fail where it does in none of them, or
// that is not read to its end where all of them are, lacks the form that programs for the task are for: right programs
// answer it, too, and each as it happens.
type Reading struct {
	misread map[string]bool // formats of scanf that some given input does not match
	whole   bool            // every given input is read to its end
}

// ReadingOf learns from runs how a program reads the given inputs, which are those of some of the runs. It returns nil
// if none of the runs is of a given input.
func ReadingOf(runs []*Run, given []Input) *Reading {
	r := &Reading{misread: map[string]bool{}, whole: true}
	some := false
	for _, x := range runs {
		if !slices.ContainsFunc(given, func(g Input) bool { return g.String() == x.Input.String() }) {
			continue
		}
		some, r.whole = true, r.whole && !x.Test.Unread
		for _, f := range x.Test.Misread {
			r.misread[f] = true
		}
	}
	if !some {
		return nil
	}
	return r
}

// Has reports whether the program reads a run as it reads the given inputs. A nil Reading has every run.
func (r *Reading) Has(x *oracle.Test) bool {
	if r == nil {
		return true
	}
	return !(r.whole && x.Unread) && !slices.ContainsFunc(x.Misread, func(f string) bool { return !r.misread[f] })
}
