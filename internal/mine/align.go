package mine

import "slices"

// This file finds the places in which two programs differ.

// place is a range of the wrong program's tokens, and the tokens of the right program there.
type place struct {
	from, to int // range of tokens in the wrong program
	new      []token
}

// together is the distance up to which two changes count as one.
const together = 2

// mostCells bounds the size of the alignment's table.
const mostCells = 16_000_000

// align returns the places in which two programs differ; ok is false if the programs are too long to compare.
func align(wrong, right []token) (out []place, ok bool) {
	front, back := trim(wrong, right)
	a, b := wrong[front:len(wrong)-back], right[front:len(right)-back]
	if len(a)*len(b) > mostCells {
		return nil, false
	}
	width := len(b) + 1
	common := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for k := len(b) - 1; k >= 0; k-- {
			if a[i].text == b[k].text {
				common[i*width+k] = common[(i+1)*width+k+1] + 1
			} else {
				common[i*width+k] = max(common[(i+1)*width+k], common[i*width+k+1])
			}
		}
	}
	for i, k := 0, 0; i < len(a) || k < len(b); {
		if i < len(a) && k < len(b) && a[i].text == b[k].text {
			i, k = i+1, k+1
			continue
		}
		fromA, fromB := i, k
		for (i < len(a) || k < len(b)) && !(i < len(a) && k < len(b) && a[i].text == b[k].text) {
			if k == len(b) || i < len(a) && common[(i+1)*width+k] >= common[i*width+k+1] {
				i++
			} else {
				k++
			}
		}
		if n := len(out); n > 0 && front+fromA-out[n-1].to <= together {
			last := &out[n-1]
			last.new = slices.Concat(last.new, a[last.to-front:fromA], b[fromB:k])
			last.to = front + i
			continue
		}
		out = append(out, place{front + fromA, front + i, slices.Clone(b[fromB:k])})
	}
	return out, true
}

// trim returns how many tokens two lists have in common at the front, and how many of the rest at the back.
func trim(a, b []token) (front, back int) {
	for front < len(a) && front < len(b) && a[front].text == b[front].text {
		front++
	}
	for back < len(a)-front && back < len(b)-front && a[len(a)-1-back].text == b[len(b)-1-back].text {
		back++
	}
	return front, back
}

// with returns the tokens of the wrong program with some places corrected.
func with(wrong []token, places []place) []token {
	var out []token
	at := 0
	for _, p := range places {
		out = append(append(out, wrong[at:p.from]...), p.new...)
		at = p.to
	}
	return append(out, wrong[at:]...)
}
