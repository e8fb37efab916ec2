package bench

import (
	"fmt"
	"math"
	"sort"
	"strings"
)

// This file draws plots as SVG.

// curve is one line of a plot.
type curve struct {
	name string
	x, y []float64
}

var colours = []string{"#1f6f8b", "#d1495b", "#66a182", "#edae49", "#8e6c8a", "#5f6caf", "#777777"}

// plot draws curves in a frame. With logX the x axis is logarithmic.
func plot(title, xLabel, yLabel string, logX bool, cs []curve) []byte {
	const w, h, left, top, right, bottom = 640, 400, 60, 40, 160, 50
	lo, hi, top1 := math.Inf(1), math.Inf(-1), 0.0
	for _, c := range cs {
		for i := range c.x {
			lo, hi, top1 = math.Min(lo, c.x[i]), math.Max(hi, c.x[i]), math.Max(top1, c.y[i])
		}
	}
	if top1 == 0 || math.IsInf(lo, 0) {
		lo, hi, top1 = 0, 1, 1
	}
	px := func(x float64) float64 {
		a, b := lo, hi
		if logX {
			x, a, b = math.Log10(math.Max(x, 1e-3)), math.Log10(math.Max(lo, 1e-3)), math.Log10(math.Max(hi, 1e-3))
		}
		return left + (x-a)/math.Max(b-a, 1e-9)*(w-left-right)
	}
	py := func(y float64) float64 { return h - bottom - y/top1*(h-top-bottom) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`+"\n", w, h)
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="white"/><text x="%d" y="22" font-size="14">%s</text>`+"\n", w, h, left, title)
	fmt.Fprintf(&b, `<path d="M%d %d V%d H%d" fill="none" stroke="#333"/>`+"\n", left, top, h-bottom, w-right)
	for i := 0; i <= 4; i++ {
		v := top1 * float64(i) / 4
		fmt.Fprintf(&b, `<text x="%d" y="%.1f" text-anchor="end">%.0f</text><path d="M%d %.1f H%d" stroke="#ddd"/>`+"\n", left-6, py(v)+4, v, left, py(v), w-right)
	}
	for _, t := range ticks(lo, hi, logX) {
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", px(t), h-bottom+16, short(t))
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`+"\n", (left+w-right)/2, h-12, xLabel)
	fmt.Fprintf(&b, `<text x="16" y="%d" transform="rotate(-90 16 %d)" text-anchor="middle">%s</text>`+"\n", (top+h-bottom)/2, (top+h-bottom)/2, yLabel)
	for k, c := range cs {
		var path strings.Builder
		for i := range c.x {
			fmt.Fprintf(&path, "%s%.1f %.1f ", map[bool]string{true: "M", false: "L"}[i == 0], px(c.x[i]), py(c.y[i]))
		}
		col := colours[k%len(colours)]
		fmt.Fprintf(&b, `<path d="%s" fill="none" stroke="%s" stroke-width="2"/><text x="%d" y="%d" fill="%s">%s</text>`+"\n", path.String(), col, w-right+10, top+16+18*k, col, c.name)
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

func ticks(lo, hi float64, logX bool) []float64 {
	var out []float64
	if logX {
		for e := math.Floor(math.Log10(math.Max(lo, 1e-3))); e <= math.Log10(hi)+0.01; e++ {
			if t := math.Pow(10, e); t >= lo*0.99 {
				out = append(out, t)
			}
		}
		return out
	}
	for i := 0; i <= 5; i++ {
		out = append(out, lo+(hi-lo)*float64(i)/5)
	}
	return out
}

func short(v float64) string { return fmt.Sprintf("%.4g", v) }

// PlotSweep draws for each class how many faulty programs were repaired within a time.
func PlotSweep(ss []Session, o SweepOptions) []byte {
	var cs []curve
	for _, c := range o.Classes {
		var t []float64
		n := 0
		for i := range ss {
			if ss[i].Class != c.String() {
				continue
			}
			n++
			if ss[i].Found {
				t = append(t, math.Max(ss[i].Took, 0.1))
			}
		}
		sort.Float64s(t)
		line := curve{name: "&lt;" + strings.Trim(c.String(), "<>") + "&gt;"}
		for i := range t {
			if i%max(len(t)/200, 1) == 0 || i == len(t)-1 {
				line.x, line.y = append(line.x, t[i]), append(line.y, 100*float64(i+1)/float64(max(n, 1)))
			}
		}
		cs = append(cs, line)
	}
	return plot("Faulty programs repaired within a time", "milliseconds", "percent", true, cs)
}
