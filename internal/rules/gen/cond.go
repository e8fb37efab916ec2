package gen

import (
	"fmt"
	"strings"

	"gulo/internal/rules"
)

// This file writes conditions and terms as C expressions. A term that may have no value has a flag. Temporaries are
// declared in GNU statement expressions.

// cexpr is a term in C: the declarations that it needs, its value, its meta word, and the flag that it has a value.
type cexpr struct{ decl, value, meta, ok string }

func (g *generator) temp() string {
	g.temps++
	return fmt.Sprintf("t%d", g.temps)
}

func (g *generator) unsupported(err error) string {
	g.err = err
	return "0"
}

func (g *generator) cond(c rules.Cond) string {
	switch c := c.(type) {
	case *rules.And:
		x := g.cond(c.X)
		return "(" + x + " && " + g.cond(c.Y) + ")"
	case *rules.Or:
		x := moved(g.cond(c.X), c.Left)
		return "(" + x + " || " + moved(g.cond(c.Y), c.Right) + ")"
	case *rules.Negation:
		return "!" + g.cond(c.X)
	case *rules.Let:
		var b strings.Builder
		b.WriteString("({ int ok_ = 1; ")
		for i, t := range c.Terms {
			x := g.term(t)
			fmt.Fprintf(&b, "%sok_ = ok_ && %s; s%d = %s, m%d = %s; ", x.decl, x.ok, c.Slots[i], x.value, c.Slots[i], x.meta)
		}
		return b.String() + "ok_ && " + g.cond(c.In) + "; })"
	case *rules.Compare:
		return g.compare(c)
	case *rules.NullTest:
		x := g.term(c.X)
		not := ""
		if c.Ne {
			not = "!"
		}
		return fmt.Sprintf("({ %s%s && %s(%s < GULO_NULL_PAGE); })", x.decl, x.ok, not, x.value)
	case *rules.Empties:
		not := "!"
		if c.Ne {
			not = ""
		}
		return fmt.Sprintf("%s(gulo_next(%d, 0) != 0)", not, c.In)
	case *rules.Member:
		x := g.term(c.Bid)
		return fmt.Sprintf("({ %ss%d = %s; %s && gulo_member(%d, (u32)s%d); })", x.decl, c.Slot, x.value, x.ok, c.In, c.Slot)
	case *rules.Each:
		such := "1"
		if c.Such != nil {
			such = g.cond(c.Such)
		}
		want, result := "", "found_"
		if c.All {
			want, result = "!", "!found_"
		}
		return fmt.Sprintf("({ int found_ = 0; for (u32 b_ = 0; !found_ && (b_ = gulo_next(%d, b_)) != 0;) { s%d = b_; found_ = %s(%s); } %s; })", c.In, c.Slot, want, such, result)
	case *rules.EachPointer:
		m := c.Match[1]
		if c.Such != nil || c.All || !c.Match[2].Any || m.Any || m.Bind || m.Term != nil {
			return g.unsupported(fmt.Errorf("a native debugger answers only which block something points to: exists r -> (bid, _) in P"))
		}
		return fmt.Sprintf("gulo_reachable((u32)s%d)", m.Slot)
	case *rules.Search:
		return g.search(c)
	}
	return g.unsupported(fmt.Errorf("a native debugger does not compare the contents of blocks"))
}

// moved adds the moves after one side of a disjunction.
func moved(x string, ms []rules.Move) string {
	if len(ms) == 0 {
		return x
	}
	var b strings.Builder
	for _, m := range ms {
		fmt.Fprintf(&b, ", s%d = s%d, m%d = m%d", m.To, m.From, m.To, m.From)
	}
	return "(" + x + " && (0" + b.String() + ", 1))"
}

func (g *generator) compare(c *rules.Compare) string {
	a, b := g.term(c.X), g.term(c.Y)
	switch {
	case c.Op == "!=":
		return fmt.Sprintf("({ %s%s!(%s && %s) || %s != %s; })", a.decl, b.decl, a.ok, b.ok, a.value, b.value)
	case c.Op == "==":
		return fmt.Sprintf("({ %s%s%s && %s && %s == %s; })", a.decl, b.decl, a.ok, b.ok, a.value, b.value)
	case c.Pointers:
		return fmt.Sprintf("({ %s%sint n_; %s && %s && gulo_order(%s, %s, %s, %s, &n_) && n_ %s 0; })", a.decl, b.decl, a.ok, b.ok, a.value, a.meta, b.value, b.meta, c.Op)
	}
	return fmt.Sprintf("({ %s%s%s && %s && (i64)%s %s (i64)%s; })", a.decl, b.decl, a.ok, b.ok, a.value, c.Op, b.value)
}

// search writes a search of the trace as a query of the tables that hold the events.
func (g *generator) search(c *rules.Search) string {
	such := "1"
	if c.Such != nil && !c.Exact {
		such = g.cond(c.Such)
	}
	switch {
	case c.Kind == rules.EvMalloc || c.Kind == rules.EvFree:
		if c.All {
			return g.unsupported(ErrWholeTrace)
		}
		// The block is b_; the arguments of the event are bound to its data or compared with them.
		what, time := "GULO_COLD[b_].kind == GULO_HEAP", "GULO_COLD[b_].time"
		values := [][2]string{{"(u64)GULO_BLOCKS[b_].size", "0"}, {"b_", "0"}}
		if c.Kind == rules.EvFree {
			what += " && gulo_ended(b_)"
			time = "GULO_COLD[b_].end_time"
			values = [][2]string{{"GULO_COLD[b_].base", "((u64)GULO_COLD[b_].origin << 32 | b_)"}, {"b_", "0"}}
		}
		test := what + g.match(c.Time, time, "0")
		for i, m := range c.Args {
			test += g.match(m, values[i][0], values[i][1])
		}
		test += " && " + such
		if c.Bid != nil {
			x := g.term(c.Bid)
			return fmt.Sprintf("({ %su32 b_ = (u32)%s; %s && b_ && %s; })", x.decl, x.value, x.ok, test)
		}
		return fmt.Sprintf("({ int found_ = 0; for (u32 b_ = 0; !found_ && (b_ = gulo_next(0, b_)) != 0;) found_ = %s; found_; })", test)
	case c.Kind == rules.EvWrite && c.Back && c.At >= 0 && c.Time.Any && c.Args[1].Any && c.Such == nil:
		return fmt.Sprintf("gulo_bytes_written((const void *)s%d, 1)", c.At)
	case c.Kind == rules.EvCall && c.Back && c.Func != "" && c.Args[1].Any:
		return fmt.Sprintf("({ u64 time_; gulo_last_call(%d, &time_)%s && %s; })", g.number(c.Func), g.match(c.Time, "time_", "0"), such)
	}
	return g.unsupported(ErrWholeTrace)
}

// match writes a condition that matches a value with an argument of a pattern. It follows another condition.
func (g *generator) match(m rules.Match, value, meta string) string {
	switch {
	case m.Any || m.Func != "":
		return ""
	case m.Term != nil:
		x := g.term(m.Term)
		return fmt.Sprintf(" && ({ %s%s && %s == %s; })", x.decl, x.ok, x.value, value)
	case m.Bind:
		return fmt.Sprintf(" && (s%d = %s, m%d = %s, 1)", m.Slot, value, m.Slot, meta)
	}
	return fmt.Sprintf(" && s%d == %s", m.Slot, value)
}

func (g *generator) term(t rules.Term) cexpr {
	switch t := t.(type) {
	case *rules.Var:
		return cexpr{"", fmt.Sprintf("s%d", t.Slot), fmt.Sprintf("m%d", t.Slot), "1"}
	case *rules.Const:
		return cexpr{"", fmt.Sprintf("%dull", t.Value), "0ull", "1"}
	case *rules.FuncName:
		return cexpr{"", fmt.Sprintf("%dull", g.number(t.Name)), "0ull", "1"}
	case *rules.Arith:
		a, b := g.term(t.X), g.term(t.Y)
		return cexpr{a.decl + b.decl, "(" + a.value + " " + t.Op + " " + b.value + ")", a.meta, "(" + a.ok + " && " + b.ok + ")"}
	case *rules.FirstWord:
		x := g.term(t.X)
		v := g.temp()
		return cexpr{x.decl + fmt.Sprintf("u64 %s = 0; int %so = %s && gulo_first_word((u32)%s, &%s); ", v, v, x.ok, x.value, v), v, "0ull", v + "o"}
	case *rules.Fn:
		return g.function(t)
	}
	g.err = fmt.Errorf("gen: term %T", t)
	return cexpr{}
}

func (g *generator) function(t *rules.Fn) cexpr {
	x := g.term(t.X)
	v := g.temp()
	if t.Name == "Value" {
		return cexpr{x.decl + fmt.Sprintf("u64 %s = 0; int %so = %s && gulo_value(%s, %s, &%s); ", v, v, x.ok, x.value, x.meta, v), v, "0ull", v + "o"}
	}
	bid := "(u32)" + x.value
	if !t.Block {
		bid = "(u32)" + x.meta
	}
	decl := x.decl + fmt.Sprintf("u32 %sb = %s; int %so = %s && %sb != 0; ", v, bid, v, x.ok, v)
	value, meta := "", "(u64)"+v+"b"
	switch t.Name {
	case "Bid":
		value = v + "b"
	case "Idx":
		value = fmt.Sprintf("(%s - GULO_COLD[%sb].base)", x.value, v)
	case "Begin":
		value = fmt.Sprintf("GULO_COLD[%sb].base", v)
	case "End":
		value = fmt.Sprintf("(GULO_COLD[%sb].base + (u64)GULO_BLOCKS[%sb].size)", v, v)
	case "Size":
		value = fmt.Sprintf("(u64)GULO_BLOCKS[%sb].size", v)
	case "Time":
		value = fmt.Sprintf("GULO_COLD[%sb].time", v)
	}
	return cexpr{decl, "(u64)" + value, meta, v + "o"}
}
