package evidence

import (
	"fmt"
	"slices"

	"gulo/internal/ctype"
	"gulo/internal/oracle"
)

// This file makes postconditions from wanted results.

// example returns the postcondition that places have their wanted values.
func (r *recorder) example(places []oracle.Scalar) Conj {
	var conj Conj
	for _, pl := range places {
		l := r.t.result
		if !pl.Result {
			l = r.loc(pl.Addr, pl.Type, placeName(pl), nil)
		}
		v, known := r.read(l)
		var p *Pred
		switch {
		case pl.NotNil:
			p = newPred(Of(l), ctype.Ne, Num(0))
			p.Negative = !known || v == 0
		case pl.Known:
			want := valueOf(pl.Type, pl.Want)
			p = newPred(Of(l), ctype.Eq, Num(want))
			p.Negative = !known || v != want
		default:
			continue
		}
		if p.Sign = true; p.Negative || pl.Result || r.assigned(pl.Addr) {
			conj = append(conj, p)
		}
	}
	return conj
}

// placeName names a place for which the trace has no name.
func placeName(p oracle.Scalar) string {
	id, off := ctype.SplitPointer(p.Addr)
	return fmt.Sprintf("object %d+%d", id, off)
}

// Wanted lists the places for which the postcondition, or what would have prevented the error, leaves only one value:
// those that a user would correct in the picture. If there are several ways to meet it, the one with the fewest changes
// is used that changes one of these places.
func (t *Trace) Wanted() []oracle.Scalar {
	ways := slices.Clone(t.Post)
	slices.SortStableFunc(ways, func(a, b Conj) int { return a.negatives() - b.negatives() })
	for _, way := range ways {
		var out []oracle.Scalar
		changes := false
		for _, p := range way {
			if pl, ok := t.single(p); ok {
				out = append(out, pl)
				changes = changes || p.Negative
			}
		}
		if changes {
			return out
		}
	}
	return nil
}

// single returns the only place of an equality that the trace assigns, with the value that the other places, which are
// not assigned, determine for it.
func (t *Trace) single(p *Pred) (oracle.Scalar, bool) {
	if p.Op != ctype.Eq {
		return oracle.Scalar{}, false
	}
	var l *Loc
	n := 0
	p.Places(func(x *Loc) {
		if x.Addr == t.result.Addr || t.assigns(x.Addr) {
			n++
			l = x
		}
	})
	if n != 1 || l.Type == nil {
		return oracle.Scalar{}, false
	}
	e, ok := p.Solved(l)
	if !ok {
		return oracle.Scalar{}, false
	}
	v, ok := e.value(func(x *Loc) (int64, bool) { return x.Init, x.Known })
	if !ok {
		return oracle.Scalar{}, false
	}
	pl := oracle.Scalar{Addr: l.Addr, Type: l.Type, Want: wordOf(l.Type, v), Known: true}
	if l.Addr == t.result.Addr {
		pl.Addr, pl.Result = 0, true
	}
	return pl, true
}

func (t *Trace) assigns(a ctype.Word) bool {
	for i := range t.Inst {
		if l := t.Inst[i].Loc; l != nil && l.Addr == a {
			return true
		}
	}
	return false
}
