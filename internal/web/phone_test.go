package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// This file plays a person with a phone: a narrow screen, and fingers.

// phone gives the tab the screen of a phone.
func (b *tab) phone() {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(390, 844))
	if _, err := chromedp.Call(b.ctx, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: true, MaxTouchPoints: 2}); err != nil {
		b.t.Fatal(err)
	}
	b.wait("matchMedia('(max-width: 640px)').matches && document.getAnimations().filter(a => a.playState === 'running').length === 0")
}

// touch puts fingers on the screen or moves them; without fingers it lifts all.
func (b *tab) touch(kind string, fingers ...[2]float64) {
	b.t.Helper()
	points := []*input.TouchPoint{}
	for i, f := range fingers {
		id := float64(i)
		points = append(points, &input.TouchPoint{X: f[0], Y: f[1], ID: &id})
	}
	if _, err := chromedp.Call(b.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: input.DispatchTouchEventType(kind), TouchPoints: points}); err != nil {
		b.t.Fatal(err)
	}
}

// swipe moves a finger from one place to another.
func (b *tab) swipe(x1, y1, x2, y2 float64) {
	b.t.Helper()
	b.touch("touchStart", [2]float64{x1, y1})
	for k := 1.0; k <= 8; k++ {
		b.touch("touchMove", [2]float64{x1 + (x2-x1)*k/8, y1 + (y2-y1)*k/8})
	}
	b.touch("touchEnd")
}

// TestPhone: at 390 pixels a list of four nodes is visible as a whole, and large enough to be read. A finger takes an
// arrow by its line, or moves the picture beside it; a tap changes a number, two fingers zoom, and every button is
// large enough.
func TestPhone(t *testing.T) {
	srv, addr := serve(t, "machine", "../../examples/reverse.c")
	b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	b.wait("document.querySelectorAll('.line').length > 40 && document.body.dataset.seq === '0'")
	b.phone()
	b.keys("Snnnnsnnn")
	if got := b.outside(""); got != "" {
		t.Errorf("out of sight are %s", got)
	}
	const high = "Math.min(...[...document.querySelectorAll('.heap .cell text')].map(e => e.getBoundingClientRect().height))"
	if got := b.eval(high + " >= 11"); got != "true" {
		t.Errorf("the text of the picture is %s pixels high", b.eval(high))
	}
	if got := b.eval(`[...document.querySelectorAll("button, [role=tab], .drop, a.button")].filter(e => { const r = e.getBoundingClientRect();
		return r.width > 0 && !e.matches(".gutter, #filebar *, .line *") && (r.height < 36 || r.width < 33 || r.left < 0 || r.right > innerWidth) }).map(e => e.id || e.textContent).join(", ")`); got != "" {
		t.Errorf("too small for a finger, or cut, are %s", got)
	}
	b.wait("document.getAnimations().length === 0")

	x, y := b.spot(`[data-key="n4->prev"] .label`)
	tx, ty := b.spot(`[data-node="n2"] .title`)
	b.after(func() { b.swipe(x, y, tx, ty) })
	if got := b.log(); !strings.HasSuffix(got, "change n4->prev n2") {
		t.Errorf("a finger that drags a line did:\n%s", got)
	}
	b.wait("document.getAnimations().length === 0")

	log := b.log()
	const place = "document.querySelector('[data-node=n1] .frame').getBoundingClientRect()"
	was := b.eval("Math.round(" + place + ".y)")
	x, y = b.spot(`[data-node="n1"] .title`)
	b.swipe(x, y, x, y-40)
	b.wait("Math.round(" + place + ".y) === " + was + " - 40")

	b.touch("touchStart", [2]float64{150, 500}, [2]float64{200, 500})
	b.touch("touchMove", [2]float64{100, 500}, [2]float64{250, 500})
	b.touch("touchEnd")
	b.wait(place + ".width > 200")
	if got := b.log(); got != log {
		t.Errorf("moving and zooming did:\n%s", got)
	}
	b.click("#fit")
	b.wait(place + ".width < 200 && document.querySelector('.view .overview').getBoundingClientRect().height === 0")

	x, y = b.spot(`[data-key="n1->data"] .value`)
	b.touch("touchStart", [2]float64{x, y})
	b.touch("touchEnd")
	b.wait("document.activeElement.getAttribute('aria-label') === 'n1->data should be'")
	b.after(func() { b.press("7\r") })
	if got := b.log(); !strings.HasSuffix(got, "change n1->data 7") {
		t.Errorf("a tap on a number did:\n%s", got)
	}
}

// TestInside: the states inside a command until are on the time line and can be looked at; undo does not lead to
// them.
func TestInside(t *testing.T) {
	b := opened(t, cutList, "start", "until 16")
	b.press("[[")
	b.wait("document.getElementById('lookedat').textContent.includes('inside until 16: ')")
	if got := b.eval("document.getElementById('tohere').disabled"); got != "true" {
		t.Error("undo would lead into a command")
	}
	nodes := "document.querySelectorAll('#canvas .heap .box.node').length"
	for range 20 {
		b.press("[")
	}
	b.wait(nodes + " > 0 && " + nodes + " < 20")
	b.press("]")
	b.eval("document.getElementById('tonow').click()")
	b.wait(nodes + " === 20")
}

// TestOverview: what has no room on a phone is seen in small, all of it and with the part that is seen framed. A finger on
// it moves the picture there. A picture for which there is room has none.
func TestOverview(t *testing.T) {
	b := opened(t, wideTree, "start", "until 21")
	const (
		shown = "document.querySelector('.view .overview').getBoundingClientRect().height > 0"
		boxes = "document.querySelectorAll('.view .overview rect:not(.seen)').length"
		rects = "[...document.querySelectorAll('.view .overview rect:not(.seen)')]"
		low   = rects + ".reduce((k, e, i, all) => +e.getAttribute('y') > +all[k].getAttribute('y') ? i : k, 0)"
		seen  = "(r => r.width > 0 && r.top >= 0 && r.bottom <= document.querySelector('.view .overview').getBoundingClientRect().top + 1 && r.left >= 0 && r.right <= innerWidth)(document.querySelectorAll('#canvas .heap .box')[" + low + "].getBoundingClientRect())"
	)
	if got := b.eval(shown); got != "false" {
		t.Error("a wide canvas has an overview")
	}
	b.phone()
	b.wait(shown)
	if got := b.eval(boxes + " === document.querySelectorAll('#canvas .heap .box').length"); got != "true" {
		t.Errorf("the overview has %s boxes", b.eval(boxes))
	}
	if got := b.eval(`[...document.querySelectorAll(".view .overview rect")].every(e => { const r = e.getBoundingClientRect(), o = document.querySelector(".view .overview").getBoundingClientRect();
		return r.left >= o.left - 1 && r.right <= o.right + 1 && r.top >= o.top - 1 && r.bottom <= o.bottom + 1 })`); got != "true" {
		t.Error("a part of the overview is cut")
	}
	if got := b.eval(seen); got != "false" {
		t.Error("the lowest node is seen already")
	}
	log := b.log()
	var x, y float64
	if _, err := fmt.Sscan(b.eval("(r => (r.x + r.width / 2) + ' ' + (r.y + r.height / 2))("+rects+"["+low+"].getBoundingClientRect())"), &x, &y); err != nil {
		t.Fatal(err)
	}
	b.touch("touchStart", [2]float64{x, y})
	b.touch("touchEnd")
	b.wait(seen)
	if got := b.log(); got != log {
		t.Errorf("a finger on the overview did:\n%s", got)
	}
	b.click("#fit")
	b.wait("!(" + shown + ")")
}
