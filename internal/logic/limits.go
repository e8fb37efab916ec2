package logic

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/plural"
	"gulo/internal/report"
	"gulo/internal/source"
)

// This file says which inputs an answer leaves out although nobody asked for that: those beyond default lengths, sizes
// and shapes, and functions that the entry does not call. The answer says nothing about these.

// leaves lists everything that an answer leaves out without having been asked to.
func (t *task) leaves() []string {
	out := append(append(t.unlooked(), t.gaps...), t.beside()...)
	var volatile []string
	for _, f := range []*cfront.Func{t.entry, t.refEntry} {
		if f != nil {
			volatile = append(volatile, cfront.Volatiles(f)...)
		}
	}
	slices.Sort(volatile)
	if volatile = slices.Compact(volatile); len(volatile) > 0 {
		out = append(out, "when and how often "+strings.Join(volatile, ", ")+" is read and written (volatile)")
	}
	return out
}

// unlooked lists the inputs that were left out without having been asked to.
func (t *task) unlooked() []string {
	said := map[string]bool{}
	for _, l := range t.file.Inputs {
		said[l.Name] = l.Len > 0
	}
	var out []string
	for k, in := range t.inputs.list {
		switch {
		case in.shape != nil:
			out = append(out, in.shape.others(in.name))
		case !in.array || said[in.name]:
		case in.ended:
			out = append(out, fmt.Sprintf("texts %s of more than %s", in.name, plural.N(len(in.terms)-1, "character")))
		case t.refFails || k+1 < len(t.inputs.list) && t.inputs.list[k+1].length:
			out = append(out, fmt.Sprintf("arrays %s of more than %s", in.name, plural.N(len(in.terms), "element")))
		}
	}
	if t.guessed {
		out = append(out, fmt.Sprintf("numbers beyond %d", usualNumber))
	}
	return out
}

// others describes the shapes that a structure does not have.
func (s *structure) others(name string) string {
	forward, _, _ := linkFields(s.typ)
	if len(forward) > 1 {
		return fmt.Sprintf("%s of more levels than were made, and nodes of it that several links lead to, cycles among them", name)
	}
	return fmt.Sprintf("lists %s of more than %s, and cycles", name, plural.N(len(s.nodes), "node"))
}

// beside lists the functions other than main that the entry does not call and that differ from the reference's. A proof
// holds for every value that they may leave in variables, but the program as a whole may still differ because of them.
func (t *task) beside() []string {
	if t.ref == nil || t.entry.Name == "main" {
		return nil
	}
	plain := func(f *cfront.Func) string { return source.Squeeze(f.Whole.Text()) }
	called, refCalled := cfront.Callees(t.entry), cfront.Callees(t.refEntry)
	differ := map[string]bool{}
	own := map[string]bool{}
	for _, f := range t.tree.Funcs {
		if !written(f) || f.Name == "main" {
			continue
		}
		own[f.Name] = true
		if g := t.ref.Tree.Func(f.Name); !called[f] && (g == nil || g.Body == nil || plain(f) != plain(g)) {
			differ[f.Name] = true
		}
	}
	for _, g := range t.ref.Tree.Funcs {
		if written(g) && g.Name != "main" && !own[g.Name] && !refCalled[g] {
			differ[g.Name] = true
		}
	}
	var out []string
	for n := range differ {
		out = append(out, n+", which differs from the reference's")
	}
	sort.Strings(out)
	return out
}

// bounded changes an answer that no input fails to one that only covers what was considered.
func (f *failure) bounded(out []string) {
	f.Result, f.Proved = report.Alike, false
	f.Why = "not looked at: " + enumerated(out)
}
