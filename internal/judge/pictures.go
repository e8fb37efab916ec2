package judge

import (
	"context"
	"fmt"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/draw"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/plural"
	"gulo/internal/report"
)

// This file shows what goes wrong: a failing case in words and, if it is a call with data on the heap, in pictures.

// Show adds a failing case to a report: in words and, if it is a call and there is a reference, in pictures.
func (t *Judge) Show(ctx context.Context, rep *report.Report) error {
	text, c, _, err := t.failing()
	rep.Example = text
	if c != nil && c.State != nil && t.Entry != nil && t.Ref != nil {
		rep.Pictures = t.pictures(ctx, c)
	}
	return err
}

// Crash draws the memory at the point where a whole run fails: the variables of all active functions and what they
// point to. It returns nil if the run does not fail, or if nothing can be drawn.
func Crash(ctx context.Context, prog *lower.Program, title string, args []string, stdin string) (*report.Picture, error) {
	im, err := oracle.Crashed(ctx, prog, oracle.Start{Args: args, Stdin: stdin})
	if im == nil || err != nil {
		return nil, err
	}
	p := &painter{}
	var own typesOf
	g := own.graph(im, func(o *heap.Object) bool {
		return o.Kind != heap.Global || o.Var.Range.Valid() && !strings.HasPrefix(o.Var.Range.File.Name, "@")
	})
	if typed(g) == 0 {
		return nil, nil
	}
	out := p.picture(title, g, nil)
	return &out, nil
}

// maxPictured bounds the nodes of a picture. A call with more has none.
const maxPictured = 16

// pictures runs a call in the reference and in the program and draws its memory. It returns nil if there is nothing on
// the heap, if there is more than a picture shows, or if drawing fails: the words still say what goes wrong.
func (t *Judge) pictures(ctx context.Context, c *oracle.Case) []report.Picture {
	ref := &oracle.Suite{Prog: t.Ref.Prog, Entry: t.Ref.Entry, Globals: t.Given.Globals}
	want, err := ref.Play(ctx, c.State, nil)
	if err != nil || want.After == nil {
		return nil
	}
	got, err := t.Given.Play(ctx, c.State, nil)
	if err != nil || got.After == nil && got.Stopped == nil {
		return nil
	}
	p := &painter{globals: map[string]bool{}}
	for _, n := range t.Given.Globals {
		p.globals[n] = true
	}
	var own, others typesOf
	before := own.graph(got.Before, p.given)
	if n := typed(before); n == 0 || n > maxPictured {
		return nil
	}
	others.graph(want.Before, p.given)
	wanted := others.graph(want.Seen(t.Ref.Entry), p.given)
	title := "it leaves"
	var left *heap.Graph
	if got.After != nil {
		left = own.graph(got.Seen(t.Entry), p.given)
	} else {
		title = "where it is stopped"
		left = own.graph(got.Stopped, p.all)
	}
	than, wants := wanted, left
	if got.After == nil { // a stopped call is compared with its beginning, not with the reference's result
		than, wants = before, before
	}
	return []report.Picture{
		p.picture("called with", before, nil),
		p.picture("the reference leaves", wanted, wants),
		p.picture(title, left, than),
	}
}

// painter draws the pictures of one call. A node has the same place in all of them.
type painter struct {
	layout  draw.Layout
	globals map[string]bool // variables that are compared
}

// given reports whether an object is a variable that a call is given: a parameter, or a global that is compared.
func (p *painter) given(o *heap.Object) bool {
	if o.Kind == heap.Global {
		return o.Var.Func == nil && p.globals[o.Var.Name]
	}
	return o.Frame > 0 || o.Var.Storage == cfront.Param
}

// all reports whether an object is given or a local variable of an active function.
func (p *painter) all(o *heap.Object) bool { return o.Kind != heap.Global || p.given(o) }

// typesOf remembers the types of a program's nodes, for nodes that nothing points to any more.
type typesOf struct{ known heap.Types }

// graph builds the graph of an image, with remembered types.
func (t *typesOf) graph(im *heap.Image, show func(*heap.Object) bool) *heap.Graph {
	g := heap.NewGraph(im, show)
	t.known = g.Types(t.known)
	g.Recall(im, t.known)
	return g
}

// typed counts the nodes that have a type, and the lost ones.
func typed(g *heap.Graph) int {
	n := len(g.Lost)
	for _, x := range g.Nodes {
		if x.Type != nil {
			n++
		}
	}
	return n
}

// picture draws a graph and marks what differs from another; other may be nil.
func (p *painter) picture(title string, g, other *heap.Graph) report.Picture {
	o := draw.Options{MaxNodes: maxPictured, Changed: g.Unlike(other)}
	out := report.Picture{Title: title, Picture: p.layout.Picture(g, o)}
	if n := out.Picture.Folded; n > 0 {
		out.Title += fmt.Sprintf(" (and %s)", plural.N(n, "more node"))
	}
	return out
}
