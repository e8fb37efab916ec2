package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/draw"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/plural"
	"gulo/internal/repair"
	"gulo/internal/repair/natural"
)

// This file compares what the repairs found do: on the input of the call in hand, and on others near it.

// maxNear bounds the inputs that repairs are compared on.
const maxNear = 40

// comparison is the result of running all repairs found on the same inputs.
type comparison struct {
	suite  *oracle.Suite
	inputs []*oracle.State
	group  []int // by repair: the first repair that behaves the same
	differ int   // the first repair that behaves differently from repair 0; -1 for none
	on     int   // an input on which it does
}

// nearby is a call with the inputs near it, and what the program as written does on each.
type nearby struct {
	suite  *oracle.Suite
	inputs []*oracle.State
	run    *oracle.Runner
	cases  []*oracle.Case
}

// near returns the calls near c; nil if they cannot be run.
func (s *searcher) near(c *call) *nearby {
	st, err := oracle.CallIn(c.start, c.fn)
	if err != nil {
		return nil
	}
	inputs := oracle.Near(st, maxNear, oracle.Named(s.prog, c.fn, st))
	return s.on(c, append(inputs, oracle.Tight(st)...))
}

// on returns calls like c with other inputs; nil if they cannot be run.
func (s *searcher) on(c *call, inputs []*oracle.State) *nearby {
	var err error
	out := &nearby{suite: s.callsOf(c.fn, c.start), inputs: inputs}
	if out.run, err = s.runner(out.suite); err != nil {
		return nil
	}
	for _, in := range out.inputs {
		cs := &oracle.Case{State: in}
		if r, err := out.run.Run(cs, nil); err != nil {
			return nil
		} else if cs.Want = r; r.Fault != nil {
			cs.Want = &oracle.Run{Steps: 2_000}
		}
		out.cases = append(out.cases, cs)
	}
	return out
}

// unplayed is the behaviour of a call that could not be run.
const unplayed = "?"

// behaviour returns what the program with a patch does on each of the calls: the state left, inError, or unplayed.
func (n *nearby) behaviour(p *lower.Program, patch *repair.Patch) []string {
	var keys []string
	os, err := natural.Overlays(p, patch)
	for _, cs := range n.cases {
		k := unplayed
		if err == nil {
			if r, rerr := n.run.Run(cs, os); rerr == nil && r.Fault == nil {
				k = r.State
			} else if rerr == nil {
				k = inError
			}
		}
		keys = append(keys, k)
	}
	return keys
}

// compareFound runs the repairs found on the call in hand and on inputs near it; nil if there is no call to run.
func (s *searcher) compareFound() *comparison {
	hand := s.callInHand()
	if hand == nil {
		return nil
	}
	near := s.near(hand)
	if near == nil {
		return nil
	}
	out := &comparison{suite: near.suite, inputs: near.inputs, differ: -1}
	shown := near.inTexts()
	var did, seen [][]string
	for i := range s.found {
		seen = append(seen, shown.behaves(s, &s.found[i]))
		keys := near.behaves(s, &s.found[i])
		if x := s.found[i].text; x != nil && slices.Contains(keys, unplayed) { // it behaves only like itself
			keys = append(keys, x.shown)
		}
		if e := s.found[i].end; e != nil {
			keys = append(keys, fmt.Sprint(e.fault, e.lost, e.printed))
		}
		if v := s.found[i].verdict; v != nil { // the same on the generated inputs
			for _, o := range v.Outcomes {
				keys = append(keys, o.Error+o.State)
			}
		}
		did = append(did, keys)
		out.group = append(out.group, i)
		for j := range i {
			if out.group[j] == j && strings.Join(did[j], "\x00") == strings.Join(keys, "\x00") {
				out.group[i] = j
				break
			}
		}
	}
	if out.apart(seen); out.differ < 0 { // they differ only in memory that is not drawn
		out.apart(did)
	}
	return out
}

// apart sets differ and on to the first repair that does not do what repair 0 does, and to the input; it leaves them if
// all agree.
func (c *comparison) apart(did [][]string) {
	for i := range did {
		for k := range c.inputs {
			if c.differ < 0 && did[i][k] != did[0][k] && did[i][k] != unplayed && did[0][k] != unplayed {
				c.differ, c.on = i, k
			}
		}
	}
}

// inTexts returns the same calls, compared only in what a picture of strings shows: bytes after the end of a string do
// not count.
func (n *nearby) inTexts() *nearby {
	suite := *n.suite
	suite.Texts, suite.Drawn = true, true
	out := *n
	out.suite = &suite
	r, err := oracle.NewRunner(&suite)
	if err != nil {
		return n
	}
	out.run = r
	return &out
}

// patches lists the repairs found, with those that behave alike grouped.
func (s *searcher) patches(ctx context.Context, args string) error {
	if len(s.found) == 0 {
		return errorf("no repairs yet; use repair")
	}
	c := s.compareFound()
	printed, differs := s.printApart() >= 0, false
	for i := range s.found {
		if c != nil && c.group[i] != i {
			continue
		}
		differs = s.patchLine(i) || differs
		if printed && s.found[i].end != nil {
			s.printf("    run from its beginning, the program prints %s\n", s.found[i].end.prints())
		}
		if c == nil {
			continue
		}
		var alike []string
		for j := i + 1; j < len(s.found); j++ {
			if c.group[j] == i {
				alike = append(alike, s.patchText(j))
			}
		}
		if len(alike) > 0 {
			s.printf("    repairs that behave the same on %s%s:\n", inputsOf(len(c.inputs)), generated(s.found[i].verdict))
			for _, a := range alike {
				s.printf("    %s\n", a)
			}
		}
	}
	if differs {
		s.printf("where a result differs from before, gulo cannot tell which one is right\n")
	}
	if s.result != nil {
		s.printf("%d of %s%s\n", len(s.found), plural.N(max(s.result.count, len(s.found)), "repair"), s.sized())
	}
	if c != nil && c.differ > 0 {
		s.separate(ctx, c)
	}
	return nil
}

// printApart returns the first repair found with which the program prints something else, or ends otherwise, than with
// repair 0; -1 for none.
func (s *searcher) printApart() int {
	if len(s.found) == 0 || s.found[0].end == nil {
		return -1
	}
	first := s.found[0].end
	return slices.IndexFunc(s.found, func(c choice) bool {
		return c.end != nil && (c.end.printed != first.printed || c.end.fault != first.fault)
	})
}

// sayPrints shows what the program prints with repair 0 and with the first one that makes it print something else. It
// reports whether there is one.
func (s *searcher) sayPrints() bool {
	if s.printApart() < 0 || s.found[0].end.fault {
		return false
	}
	n := slices.IndexFunc(s.found, func(c choice) bool {
		return c.end != nil && !c.end.fault && c.end.printed != s.found[0].end.printed
	})
	if n < 0 {
		return false
	}
	s.printf("run from its beginning, the program prints different things with repair 1 and repair %d:\n", n+1)
	for _, i := range []int{0, n} {
		s.printf("  %d. %s\n", i+1, s.found[i].end.prints())
	}
	s.printf("which is right? choose 1 or choose %d; patches lists all\n", n+1)
	return true
}

// prints returns the output of a run, quoted on one line. Of a long output it keeps the end.
func (e *ending) prints() string {
	text := e.printed
	if n := len(text); n > maxPrints {
		text = "..." + strings.ToValidUTF8(text[n-maxPrints:], "")
	}
	text = strconv.Quote(text)
	switch {
	case e.endless:
		text += " and does not end"
	case e.fault:
		text += " and ends in an error"
	}
	return text
}

// maxPrints bounds the bytes that prints keeps.
const maxPrints = 60

func inputsOf(n int) string {
	if n == 1 {
		return "this call's input"
	}
	return fmt.Sprintf("this call's input and %d near it", n-1)
}

func generated(v *oracle.Tally) string {
	if v == nil {
		return ""
	}
	return " and on those generated"
}

// sized says how many edits the repairs have. It returns "" when text edits and patches were found together with
// different numbers of edits.
func (s *searcher) sized() string {
	n, texts, others := s.result.cost, false, false
	for _, c := range s.found {
		texts = texts || c.text != nil
		others = others || c.edits(n) != n
	}
	if texts && others {
		return ""
	}
	return fmt.Sprintf(" with %s", plural.N(n, "edit"))
}

// edits returns how many edits a repair has; usual if that is not known.
func (c *choice) edits(usual int) int {
	if c.text != nil {
		return cmp.Or(c.text.edits, usual)
	}
	return len(c.patch.Edits())
}

func (s *searcher) patchText(i int) string {
	var parts []string
	if x := s.found[i].text; x != nil {
		parts = append(parts, strings.ReplaceAll(x.shown, "\n", "; "))
	}
	for _, e := range s.found[i].patch.Edits() {
		parts = append(parts, e.Describe(s.prog))
	}
	return fmt.Sprintf("%2d. %s", i+1, strings.Join(parts, "; "))
}

// patchLine prints a repair and how it did on generated inputs; differs says that some inputs end otherwise than
// before.
func (s *searcher) patchLine(i int) (differs bool) {
	c := s.found[i]
	s.printf("%2d. ", i+1)
	if c.text != nil {
		s.printf("%s\n", strings.ReplaceAll(c.text.shown, "\n", "\n    "))
	}
	for k, e := range c.patch.Edits() {
		if k > 0 {
			s.printf("    ")
		}
		s.printf("%s\n", e.Describe(s.prog))
	}
	if v := c.verdict; v != nil && v.Unknown == "" {
		g := generatedOf(v, s.asWritten, "")
		g.Among = true
		s.printf("    %s\n", g.String())
		return g.Differ > 0
	}
	return false
}

// separate draws an input on which two repairs differ, and what each of them leaves.
func (s *searcher) separate(ctx context.Context, c *comparison) {
	var types heap.Types // of the nodes of the input
	var ends []string    // as they are drawn
	for n, i := range []int{0, c.differ} {
		suite := c.suite
		os, err := natural.Overlays(s.prog, s.found[i].patch)
		if err != nil {
			return
		}
		if x := s.found[i].text; x != nil {
			other := (&nearby{suite: c.suite}).in(s, s.program(x))
			if other == nil {
				return
			}
			suite, os = other.suite, nil
		}
		sc, err := suite.Play(ctx, c.inputs[c.on], os)
		if err != nil {
			return
		}
		if n == 0 {
			s.printf("repairs 1 and %d behave differently when %s is called with\n", c.differ+1, c.suite.Entry.Name)
			types = s.drawn(sc.Before, heap.Types{})
		}
		from := s.out.Len()
		switch {
		case sc.After == nil:
			s.printf("%d. %s\n", i+1, sc.Failed)
			continue
		case sc.Result != "":
			s.printf("%d. returns %s and leaves\n", i+1, sc.Result)
		default:
			s.printf("%d. leaves\n", i+1)
		}
		asGiven(sc.After, sc.Before)
		s.drawn(sc.After, types)
		ends = append(ends, strings.TrimPrefix(s.out.String()[from:], strconv.Itoa(i+1)))
	}
	if len(ends) == 2 && ends[0] == ends[1] {
		s.printf("the two differ only in memory that is not drawn, such as bytes after the end of a string\n")
	}
	s.printf("choose 1 or choose %d takes it\n", c.differ+1)
}

// asGiven sets the parameters at the end of a call back to their values at its beginning: these are what the caller
// still has, and they lead to everything that the call was given.
func asGiven(after, before *heap.Image) {
	given := map[*cfront.Var]*heap.Object{}
	params := func(im *heap.Image, do func(o *heap.Object)) {
		for o := range im.Each {
			if o.Kind == heap.Local && o.Frame == 0 && o.Var.Storage == cfront.Param {
				do(o)
			}
		}
	}
	params(before, func(o *heap.Object) { given[o.Var] = o })
	params(after, func(o *heap.Object) {
		if g := given[o.Var]; g != nil && len(g.Data) == len(o.Data) {
			copy(o.Data, g.Data)
			o.Undef = g.Undef
		}
	})
}

// drawn draws an image: parameters, globals, and the callers' variables. types are the types of nodes that no pointer
// leads to any more.
func (s *searcher) drawn(im *heap.Image, types heap.Types) heap.Types {
	g := heap.NewGraph(im, func(o *heap.Object) bool {
		if o.Kind == heap.Global {
			return o.Var.Func == nil || o.Var.Exposed()
		}
		return o.Frame > 0 || o.Var.Storage == cfront.Param
	})
	types = g.Types(types)
	g.Recall(im, types)
	var l draw.Layout
	text := l.Text(g, draw.Options{Width: s.cfg.Width, Color: s.cfg.Color})
	for line := range strings.Lines(text) {
		s.printf("   %s", line)
	}
	return types
}
