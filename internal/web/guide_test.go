package web_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestGuide: a user who opens the page for the first time is told what to do next in each state of the session. The
// columns can be made wider, also by keys, and stay so.
func TestGuide(t *testing.T) {
	srv, addr := serve(t, "machine", "../../examples/reverse.c")
	b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	b.wait("document.querySelectorAll('.line').length > 40 && document.body.dataset.seq === '0'")
	if got := b.text("#welcome h2"); !strings.Contains(got, "Correct the picture") || b.eval("document.getElementById('welcome').hidden") != "false" {
		t.Errorf("before the start the page says %q", got)
	}
	hint := func(want string) {
		t.Helper()
		if got := b.text("#next"); !strings.Contains(got, want) || b.eval("document.getElementById('hint').hidden || !document.getElementById('welcome').hidden") == "true" {
			t.Errorf("what to do next: %q, not %q", got, want)
		}
	}
	b.after(func() { b.click("#begin") })
	hint("Run to where the picture is wrong")
	b.keys("nnnnsnnna")
	hint("This state is asserted")
	b.keys("ennnnn")
	b.after(func() { b.drag("current", "n3") })
	b.after(func() { b.drag("n4->prev", "n3") })
	hint("assert it (a)")
	b.keys("a")
	hint("Repair (r)")
	b.keys("r")
	hint("The program runs repaired")
	if n := b.eval("document.querySelectorAll('.line.patched').length"); n != "1" {
		t.Errorf("%s lines of the source are marked as patched", n)
	}
	// Under the picture there is room for two sides of code; in a column beside it, on a wide screen, they stand one
	// below the other.
	sides := "(() => { const [a, b] = [...document.querySelectorAll('.repair .edited td:nth-child(even)')].map(e => e.getBoundingClientRect()); return b.top >= a.bottom ? 'below' : b.left >= a.right ? 'beside' : 'over' })()"
	b.wait(sides + " === 'beside'")
	b.do(chromedp.EmulateViewport(1600, 900))
	b.wait(sides + " === 'below'")
	width := "Math.round(document.getElementById('side').getBoundingClientRect().width)"
	was := b.eval(width)
	x, y := b.spot(".split.side")
	b.dragTo(x, y, x-200, y)
	b.wait(width + " > " + was + " + 150")
	b.wait(sides + " === 'beside'")
	b.do(chromedp.Reload())
	b.wait("document.body.dataset.seq !== undefined")
	b.click("#t-repairs")
	b.wait(width + " > " + was + " + 150")
	b.eval("document.querySelector('.split.side').focus()")
	b.press(kb.ArrowRight)
	b.wait("document.querySelector('.split.side').ariaValueNow === String(" + width + ")")
	b.press(kb.Home)
	b.wait(width + " === " + was)
	b.click("#hint button")
	b.keys("n")
	if b.eval("document.getElementById('hint').hidden") != "true" {
		t.Error("what was hidden is said again")
	}
}
