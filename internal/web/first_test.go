package web_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// inside is a JavaScript expression that tells how many boxes lie outside of the visible part of the picture, whether
// the current line lies outside of that of the source, and by how much the page is higher than the window.
const inside = `(() => {
	const out = (e, of) => { const a = e.getBoundingClientRect(), b = of.getBoundingClientRect(); return a.width === 0 || a.left < b.left - 1 || a.right > b.right + 1 || a.top < b.top - 1 || a.bottom > b.bottom + 1 };
	const boxes = [...document.querySelectorAll("#canvas .box .frame")].filter(e => !e.closest("#welcome"));
	const line = document.querySelector(".line.here .gutter");
	return [boxes.length > 0 ? boxes.filter(e => out(e, document.querySelector("svg.heap"))).length : "no", "boxes,",
		line === null ? "no line" : out(line, document.getElementById("source")) ? "line" : "", "page", document.scrollingElement.scrollHeight - innerHeight].join(" ") })()`

const allInside = "0 boxes,  page 0"

// TestFirstLook: what a user sees first, at 1280x800, of a program whose main is far down. After Start the boxes and
// the current line are visible, and fit shows everything. Another Start asks before it throws away what was asserted.
func TestFirstLook(t *testing.T) {
	text, err := os.ReadFile("../../examples/reverse.c")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "far.c")
	if err := os.WriteFile(file, []byte(strings.Repeat("/* far above */\n", 60)+string(text)), 0o600); err != nil {
		t.Fatal(err)
	}
	srv, addr := serve(t, "machine", file)
	b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	b.wait("document.querySelectorAll('.line').length > 100 && document.body.dataset.seq === '0'")
	seen := func(when string) {
		t.Helper()
		b.eval("new Promise(requestAnimationFrame)")
		if got := b.eval(inside); got != allInside {
			b.shoot("outside")
			t.Errorf("%s: out of sight are %s", when, got)
		}
	}
	b.after(func() { b.click("#begin") })
	seen("after Start")
	b.keys("nnnnsnnnaennnnn")
	seen("in the function")
	b.after(func() { b.drag("current", "n3") })
	b.after(func() { b.drag("n4->prev", "n3") })
	b.keys("aennnnn")
	b.after(func() { b.drag("current", "n2") })
	b.after(func() { b.drag("n3->prev", "n2") })
	b.keys("ar")
	b.wait("!document.getElementById('repairs').hidden")
	seen("after Repair")
	b.do(chromedp.EmulateViewport(1000, 700)) // there is no room for all boxes at a size that is read
	b.click("#fit")
	seen("after fit")
	b.do(chromedp.EmulateViewport(1280, 800))

	log := b.log()
	b.click("#actions [data-line=start]")
	b.wait("document.getElementById('again').open")
	if got := b.text("#lost"); !strings.HasPrefix(got, "The 3 asserted states do not count in the new run") {
		t.Errorf("before the start the page says %q", got)
	}
	b.press(kb.Escape)
	b.wait("!document.getElementById('again').open")
	b.press(":start\r")
	b.wait("document.getElementById('again').open")
	b.press("\r") // what is chosen first is to stay
	b.wait("!document.getElementById('again').open")
	if got := b.log(); got != log {
		t.Errorf("what was not confirmed was done:\n%s", got)
	}
	b.click("#actions [data-line=start]")
	b.wait("document.getElementById('again').open")
	b.after(func() { b.click("#again [value=yes]") })
	if got := b.log(); got != log+"\nstart" {
		t.Errorf("after it was confirmed the history is\n%s", got)
	}
	if got := b.eval("document.querySelector('[data-line=start]').firstChild.textContent + document.querySelector('[data-line=repair]').disabled"); got != "Restarttrue" {
		t.Errorf("after the start: %s", got)
	}
	b.button("undo", 1)
	if got := b.eval("document.querySelector('[data-line=repair]').disabled"); got != "false" {
		t.Error("after undo the asserted states still do not count")
	}
}
