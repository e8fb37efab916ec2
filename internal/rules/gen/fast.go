package gen

import "gulo/internal/rules"

// This file finds the cheapest test before an access after which no rule can fire. A condition is evaluated in
// three-valued logic under the facts that the test ensures.

// truth is a value of three-valued logic.
type truth int8

const (
	no truth = iota - 1
	maybe
	yes
)

// facts are what is known about the pointer at the detection point.
type facts struct {
	point   int  // slot of the pointer
	null    bool // it is not NULL
	inside  bool // it points into a live block
	unknown bool // nothing is known about its block
	written bool // the byte was written
}

// fastest returns the test for accesses, and whether reads must also test that the memory was written.
func fastest(plans []*rules.Plan) (test string, written bool) {
	var list []*rules.Plan
	for _, p := range plans {
		if k := p.Rule.Point.Kind; k == rules.Deref || k == rules.DerefR || k == rules.DerefW {
			list = append(list, p)
			written = written || p.Needs&rules.TrackLastWrite != 0
		}
	}
	if len(list) == 0 {
		return "", false
	}
	quiet := func(f facts) bool {
		for _, p := range list {
			f.point = p.Point
			if f.holds(p.Cond) != no {
				return false
			}
		}
		return true
	}
	switch {
	case quiet(facts{null: true}):
		return "null", false
	case quiet(facts{null: true, inside: true, written: written}) && quiet(facts{null: true, unknown: true, written: written}):
		return "bounds", written
	}
	return "always", written
}

func (f facts) holds(c rules.Cond) truth {
	switch c := c.(type) {
	case *rules.And:
		return min(f.holds(c.X), f.holds(c.Y))
	case *rules.Or:
		return max(f.holds(c.X), f.holds(c.Y))
	case *rules.Negation:
		return -f.holds(c.X)
	case *rules.NullTest:
		if f.null && f.subject(c.X) {
			if c.Ne {
				return yes
			}
			return no
		}
	case *rules.Member:
		if f.ofSubject(c.Bid, "Bid") {
			return f.member(c.In)
		}
	case *rules.Compare:
		return f.compare(c)
	case *rules.Search:
		switch {
		case c.Kind == rules.EvWrite && c.Back && c.At >= 0 && c.At == f.point && f.written:
			return yes
		case c.Bid != nil && f.ofSubject(c.Bid, "Bid") && !c.All:
			if f.unknown || f.inside && c.Kind == rules.EvFree {
				return no
			}
		}
	}
	return maybe
}

func (f facts) subject(t rules.Term) bool {
	v, ok := t.(*rules.Var)
	return ok && f.point >= 0 && v.Slot == f.point
}

// ofSubject reports whether a term is the function fn of the point's pointer.
func (f facts) ofSubject(t rules.Term, fn string) bool {
	x, ok := t.(*rules.Fn)
	return ok && x.Name == fn && !x.Block && f.subject(x.X)
}

func (f facts) member(s rules.Set) truth {
	switch {
	case f.unknown, f.inside && s == rules.Freed:
		return no
	}
	return maybe
}

// compare evaluates comparisons of the pointer with the bounds of its block.
func (f facts) compare(c *rules.Compare) truth {
	if !f.subject(c.X) {
		return maybe
	}
	begin, end := f.ofSubject(c.Y, "Begin"), f.ofSubject(c.Y, "End")
	switch {
	case !begin && !end:
		return maybe
	case f.unknown:
		if c.Op == "!=" {
			return yes
		}
		return no
	case !f.inside:
		return maybe
	case begin && c.Op == "<", end && (c.Op == ">=" || c.Op == ">"), end && c.Op == "==":
		return no
	case begin && c.Op == ">=", end && (c.Op == "<" || c.Op == "<=" || c.Op == "!="):
		return yes
	}
	return maybe
}
