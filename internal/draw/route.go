package draw

import "math"

// This file leads arrows around boxes. Every view draws an arrow as one cubic curve, which limits the ways that it can
// take. If the plain way passes through a box, others are tried: they leave or arrive at another side, pass above or
// below, or go down before they go across. The way that is hidden least is taken. The cost depends on the number of
// arrows that need another way, which are few in most pictures; after maxRouted of them the rest stay as they are.

// Bounds of the search.
const (
	samples   = 24 // points of a curve that are looked at
	maxRouted = 80 // arrows of a picture that other ways are tried for
	cellX     = colW
	cellY     = 100

	closeBy  = 7  // so near to a box an arrow seems to belong to its edge
	alongFew = 2  // points that may be so near: an arrow that only passes a corner
	alongTax = 90 // what each of the others costs, in units of length
)

// router knows where the boxes of a picture are.
type router struct {
	boxes map[[2]int][]*Box // by cells of a coarse grid
	tried int
}

func newRouter(p *Picture) *router {
	r := &router{boxes: map[[2]int][]*Box{}}
	for _, list := range [][]Box{p.Vars, p.Nodes} {
		for i := range list {
			b := &list[i]
			for x := floorDiv(b.X-closeBy, cellX); x <= floorDiv(b.X+b.W+closeBy, cellX); x++ {
				for y := floorDiv(b.Y-closeBy, cellY); y <= floorDiv(b.Y+b.H+closeBy, cellY); y++ {
					r.boxes[[2]int{x, y}] = append(r.boxes[[2]int{x, y}], b)
				}
			}
		}
	}
	return r
}

func floorDiv(a, b int) int { return int(math.Floor(float64(a) / float64(b))) }

// in reports whether a point is in a box; what touches an edge is not.
func (r *router) in(x, y float64) bool {
	for _, b := range r.boxes[[2]int{int(math.Floor(x / cellX)), int(math.Floor(y / cellY))}] {
		if x > float64(b.X)+1.5 && x < float64(b.X+b.W)-1.5 && y > float64(b.Y)+1.5 && y < float64(b.Y+b.H)-1.5 {
			return true
		}
	}
	return false
}

// along counts the points of a curve that run close to the edges of boxes that it has nothing to do with.
func (r *router) along(p *[8]int, from, to *Box) int {
	count := 0
	for i := 1; i < samples; i++ {
		x, y := point(p, float64(i)/samples)
		for _, b := range r.boxes[[2]int{int(math.Floor(x / cellX)), int(math.Floor(y / cellY))}] {
			if b != from && b != to && x > float64(b.X-closeBy) && x < float64(b.X+b.W+closeBy) && y > float64(b.Y-closeBy) && y < float64(b.Y+b.H+closeBy) {
				count++
				break
			}
		}
	}
	return max(count-alongFew, 0)
}

// point returns the point of a curve at t, from 0 to 1.
func point(p *[8]int, t float64) (x, y float64) {
	s := 1 - t
	a, b, c, d := s*s*s, 3*s*s*t, 3*s*t*t, t*t*t
	return a*float64(p[0]) + b*float64(p[2]) + c*float64(p[4]) + d*float64(p[6]), a*float64(p[1]) + b*float64(p[3]) + c*float64(p[5]) + d*float64(p[7])
}

// look returns how many points of a curve are in boxes, and how long it is. It stops after more than most hits.
func (r *router) look(p *[8]int, most int) (hits int, length float64) {
	x0, y0 := float64(p[0]), float64(p[1])
	for i := 1; i < samples && hits <= most; i++ {
		x, y := point(p, float64(i)/samples)
		length += math.Hypot(x-x0, y-y0)
		x0, y0 = x, y
		if r.in(x, y) {
			hits++
		}
	}
	return hits, length + math.Hypot(float64(p[6])-x0, float64(p[7])-y0)
}

// clear gives an arrow a better way, if there is one, when its own passes through boxes or runs along their edges.
// inlets counts the arrows that have arrived at each side of a node, this one included.
func (r *router) clear(a *Arrow, b *Box, c *Cell, to *Box, inlets map[string]int) {
	hits, length := r.look(&a.Path, samples)
	near := r.along(&a.Path, b, to)
	if hits+near == 0 || r.tried >= maxRouted {
		return
	}
	r.tried++
	best, cost, side := a.Path, float64(hits)*1000+float64(near)*alongTax+length, ""
	try := func(s string, p [8]int) {
		n, l := r.look(&p, int(cost)/1000)
		w := float64(n)*1000 + l + 40 // the plain way is what people expect
		if w >= cost {
			return
		}
		if w += float64(r.along(&p, b, to)) * alongTax; w < cost {
			best, cost, side = p, w, s
		}
	}
	y1 := c.Y + LineH/2
	top, bottom := min(b.Y, to.Y), max(b.Y+b.H, to.Y+to.H)
	for _, out := range []int{1, -1} {
		x1 := b.X
		if out > 0 {
			x1 += b.W
		}
		for _, s := range []string{"l", "r", "t"} {
			x2, y2, in := inlet(to, s, inlets[s+to.Name])
			ahead := x2 + 28*in // where it turns to the node
			for _, k := range []int{30, 70, 130, 220, 340} {
				try(s, [8]int{x1, y1, x1 + out*30, top - k, ahead, top - k, x2, y2})
				if in != 0 {
					try(s, [8]int{x1, y1, x1 + out*k, y1, x2 + k*in, y2, x2, y2})
					try(s, [8]int{x1, y1, x1 + out*30, bottom + k, ahead, bottom + k, x2, y2})
				} else {
					try(s, [8]int{x1, y1, x1 + out*k, y1, x2, y2 - k, x2, y2})
				}
			}
			if in != 0 {
				try(s, [8]int{x1, y1, x1 + out*28, y1, x1 + out*28, y2, x2, y2}) // down, then across
				try(s, [8]int{x1, y1, ahead, y1, ahead, y2, x2, y2})             // across, then down
			}
		}
	}
	if side != "" {
		inlets[side+to.Name]++
	}
	a.Path = best
}

// inlet is where an arrow arrives at a side of a node: left, right or top; in is the
// direction that it comes from, 0 for above.
func inlet(to *Box, side string, k int) (x, y, in int) {
	y = to.Y + 6 + k*9%max(to.H-8, 9)
	switch side {
	case "l":
		return to.X, y, -1
	case "r":
		return to.X + to.W, y, 1
	}
	return to.X + to.W/2 + k%5*12, to.Y, 0
}
