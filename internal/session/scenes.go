package session

import (
	"context"
	"fmt"

	"gulo/internal/cfront"
	"gulo/internal/draw"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/oracle"
	"gulo/internal/repair"
	"gulo/internal/repair/natural"
)

// This file draws what repairs do, for views: a call on which two programs differ, as it begins and as each of them
// leaves it.

// SceneView is a call on which two programs differ.
type SceneView struct {
	Function string         `json:"function"`
	Repairs  [2]int         `json:"repairs"`  // from 1, as choose takes them; 0 is the program as written
	Pictures []ScenePicture `json:"pictures"` // at the beginning, then what each of the two leaves
}

// ScenePicture is the memory at a moment. What the other program leaves differently is marked.
type ScenePicture struct {
	Title string `json:"title"`
	SVG   string `json:"svg"` // an element, as the page's own picture; it needs draw.Heads
}

// Bounds of the scenes of a search: repairs that are compared with the program as written, and
// with the first one; nodes of a picture.
const (
	maxScenes     = 3
	maxSceneApart = 8
	maxSceneNodes = 16
)

// scenes belong to the repairs found. They are made when a view first asks for them.
type scenes struct {
	first *repair.Patch // identifies the search, with count
	count int
	of    []*SceneView // by repair; nil for none
	apart *SceneView
}

// viewScenes draws the repairs found.
func (s *searcher) viewScenes(v *View) {
	if len(s.found) == 0 {
		return
	}
	if c := s.scenes; c == nil || c.first != s.found[0].patch || c.count != len(s.found) {
		s.scenes = s.drawScenes()
	}
	v.Apart = s.scenes.apart
	for i, x := range s.scenes.of {
		v.Repairs[i].Scene = x
		if v.Repairs[i].InForce {
			v.Patch.Scene = x
		}
	}
}

// callInHand is the last call whose end was asserted, or else the one that was entered last.
func (s *recorder) callInHand() *call {
	if n := len(s.given); n > 0 {
		return &s.given[n-1].call
	}
	if n := len(s.entries); n > 0 {
		im := s.entries[n-1]
		return &call{fn: im.Frames[0].Func, start: im}
	}
	return nil
}

func (s *searcher) drawScenes() *scenes {
	out := &scenes{first: s.found[0].patch, count: len(s.found)}
	c := s.callInHand()
	if c == nil || c.start.Len() > 10*maxSceneNodes+200 {
		return out
	}
	near := s.near(c)
	if near == nil {
		return out
	}
	written := near.behaviour(s.prog, repair.NewPatch())
	var did [][]string
	for i := range s.found[:min(len(s.found), maxSceneApart)] {
		did = append(did, near.behaves(s, &s.found[i]))
	}
	for i := range did[:min(len(did), maxScenes)] {
		out.of = append(out.of, s.scene(near, [2]int{0, i + 1}, written, did[i]))
	}
	for i := 1; i < len(did) && out.apart == nil; i++ {
		out.apart = s.scene(near, [2]int{1, i + 1}, did[0], did[i])
	}
	return out
}

// scene draws the first call on which two programs differ; nil for none.
func (s *searcher) scene(near *nearby, which [2]int, a, b []string) *SceneView {
	on := -1
	for k := range a {
		if a[k] != b[k] && a[k] != unplayed && b[k] != unplayed {
			on = k
			break
		}
	}
	if on < 0 {
		return nil
	}
	var played [2]*oracle.Scene
	for i, n := range which {
		var os []*lower.Overlay
		var err error
		if n > 0 {
			os, err = natural.Overlays(s.prog, s.found[n-1].patch)
		}
		if err == nil {
			played[i], err = near.suite.Play(context.Background(), near.inputs[on], os)
		}
		if err != nil || played[i].After == nil && played[i].Stopped == nil {
			return nil // views then have only words for what the repair does
		}
	}
	p := &scenePainter{entry: near.suite.Entry, before: played[0].Before}
	begin := p.graph(p.before, false)
	if n := len(begin.Nodes); n > maxSceneNodes {
		return nil
	}
	out := &SceneView{Function: p.entry.Name, Repairs: which}
	out.Pictures = []ScenePicture{p.picture(p.entry.Name+" is called with", begin, nil)}
	left := [2]*heap.Graph{p.left(played[0]), p.left(played[1])}
	for i, n := range which {
		title := "as written"
		if n > 0 {
			title = fmt.Sprintf("repair %d", n)
		}
		if played[i].After == nil {
			title += " " + played[i].Failed
		} else {
			title += " leaves"
		}
		out.Pictures = append(out.Pictures, p.picture(title, left[i], left[1-i]))
	}
	return out
}

// scenePainter draws the memory of one call, with each node in one place.
type scenePainter struct {
	entry  *cfront.Func
	before *heap.Image
	layout draw.Layout
}

// graph shows what a call is given, pointers, structs and changed variables among the globals, and for a stopped call
// the variables of its functions, too.
func (p *scenePainter) graph(im *heap.Image, stopped bool) *heap.Graph {
	g := heap.NewGraph(im, func(o *heap.Object) bool {
		if o.Kind == heap.Global {
			return o.Var.Func == nil && (!o.Var.Type.IsScalar() || o.Var.Type.Elem != nil || p.changes(o, im))
		}
		return stopped || o.Frame > 0 || o.Var.Storage == cfront.Param
	})
	types := heap.NewGraph(p.before, func(o *heap.Object) bool { return true }).Types(heap.Types{})
	g.Recall(im, g.Types(types))
	return g
}

// changes reports whether a call has changed a variable.
func (p *scenePainter) changes(o *heap.Object, im *heap.Image) bool {
	was := p.before.Find(o.Addr)
	return im != p.before && (was == nil || string(was.Data) != string(o.Data))
}

func (p *scenePainter) left(sc *oracle.Scene) *heap.Graph {
	if sc.After == nil {
		return p.graph(sc.Stopped, true)
	}
	return p.graph(sc.Seen(p.entry), false)
}

// picture draws a graph and marks what differs from another; that may be nil.
func (p *scenePainter) picture(title string, g, other *heap.Graph) ScenePicture {
	o := draw.Options{MaxNodes: maxSceneNodes, Changed: g.Unlike(other)}
	return ScenePicture{title, p.layout.Picture(g, o).Markup(title)}
}
