package web_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/campaign"
	"gulo/internal/draw"
	"gulo/internal/report"
	"gulo/internal/session"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// pictureAfter draws the heap after some commands.
func pictureAfter(t *testing.T, file, line string) *draw.Picture {
	t.Helper()
	ses := newSession(t, "machine", file)
	if _, _, err := ses.Exec(t.Context(), line); err != nil {
		t.Fatal(err)
	}
	return ses.View(session.Look{}).Picture
}

// TestClassPage: the page of a class is one file. Opened from a disk, it shows the pictures of failing cases, loads
// nothing, and passes the check for accessibility, in light and dark.
func TestClassPage(t *testing.T) {
	axe, axeErr := os.ReadFile("ui/node_modules/axe-core/axe.min.js")
	list := pictureAfter(t, "../../examples/reverse.c", "start; next 4; step; next 3")
	tests := []campaign.Tested{{Name: "1", Met: true}, {Name: "2", Stdin: "1 2\n", Want: "2 1\n", Got: "2 1", At: 3, Line: 12}}
	outcomes := []*campaign.Outcome{{Name: "ann", Category: campaign.Limited, Tests: tests, Why: "reverse on head: [10 8 4 2]: it leaves another list", Report: &report.Report{
		Result: report.None, Example: "on head: [10 8 4 2]: it leaves another list", Pictures: []report.Picture{{Title: "called with", Picture: list}, {Title: "it leaves", Picture: list}},
		Repairs: []report.Repair{{Diff: "--- a/ann.c\n+++ b/ann.c\n@@ -1,1 +1,1 @@\n-    if (b < a)\n+    if (b > a)\n", Hints: []string{"look at line 1"}, Evidence: report.Evidence{Text: "meets 3 cases"}}}}}}
	counts := map[campaign.Category]int{}
	for _, c := range campaign.Categories {
		counts[c]++
		outcomes = append(outcomes, &campaign.Outcome{Name: "one who is " + string(c), Category: c, Why: "why"})
	}
	sum := &campaign.Summary{Folder: "reverse", Total: len(outcomes), Done: len(outcomes), Counts: counts, Outcomes: outcomes,
		Clusters: []campaign.Cluster{{Mistake: "m", Example: "b < a instead of b > a", Names: []string{"ann"}}}}
	page, err := sum.HTML()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "class.html")
	if err := os.WriteFile(file, page, 0o600); err != nil {
		t.Fatal(err)
	}
	b := open(t, "file://"+file, nil)
	b.wait("document.readyState === 'complete'")
	if got := b.eval("performance.getEntriesByType('resource').length"); got != "0" {
		t.Errorf("the page loads %s files", got)
	}
	filtered(t, b)
	b.click("[data-name=ann] summary")
	b.eval("document.querySelector('[data-name=ann]').open = true, window.scrollTo(0, 0), 1")
	if got := b.eval("[...document.querySelectorAll('[data-name=ann] mark')].map(e => e.textContent).join('')"); got != "↵∎" {
		t.Errorf("marked as the first difference: %q", got)
	}
	if got := b.eval("[...document.querySelectorAll('figure')].map(e => e.querySelectorAll('.box').length + ' ' + e.querySelectorAll('.arrow').length).join()"); got != "6 8,6 8" {
		t.Errorf("boxes and arrows of the pictures: %q", got)
	}
	// What is drawn has a size on the screen and a colour of its own.
	if got := b.eval("(() => { const e = document.querySelector('figure .box .frame'), r = e.getBoundingClientRect(); return r.width > 50 && r.height > 15 && getComputedStyle(e).fill !== 'rgb(0, 0, 0)' && getComputedStyle(document.querySelector('marker .head')).fill !== 'rgb(0, 0, 0)' })()"); got != "true" {
		t.Error("the boxes or arrow heads have no size or colour")
	}
	for _, dark := range []bool{false, true} {
		name := "light"
		if dark {
			name = "dark"
		}
		b.dark(dark)
		for _, size := range [][2]int64{{1280, 800}, {1920, 1080}} {
			b.do(chromedp.EmulateViewport(size[0], size[1]))
			b.shoot(strings.Join([]string{name, map[int64]string{1280: "1280", 1920: "1920"}[size[0]]}, "-"))
		}
		if axeErr == nil {
			accessible(t, b, axe, "class page, "+name)
		}
	}
}

// filtered tries the filters and orders of a class page, also with the keyboard.
func filtered(t *testing.T, b *tab) {
	t.Helper()
	const shown = "[...document.querySelectorAll('#list > details')].filter(e => !e.hidden)"
	expect := func(what, x, want string) {
		t.Helper()
		if got := b.eval(x); got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	first := shown + "[0].dataset.name"
	all := fmt.Sprint(1 + len(campaign.Categories))
	expect("all are shown", shown+".length", all)
	expect("what was not judged comes first", first, "one who is not judged")
	b.eval("document.getElementById('status').value = 'needs you', document.getElementById('status').dispatchEvent(new Event('input')), 1")
	expect("by status", shown+".length", "2")
	b.eval("document.getElementById('status').value = '', document.getElementById('status').dispatchEvent(new Event('input')), 1")
	b.eval("document.querySelector('.once').open = true, 1")
	b.click("button[data-cluster='0']")
	expect("by mistake", shown+".map(e => e.dataset.name).join()", "ann")
	expect("the button is pressed", "document.querySelector('button[data-cluster]').getAttribute('aria-pressed')", "true")
	b.eval("window.scrollTo(0, 0), 1")
	b.click("button[data-cluster='0']")
	expect("again", shown+".length", all)
	b.press("/")
	b.press("fixed")
	expect("by name", shown+".map(e => e.dataset.name).join()", "one who is fixed")
	expect("how many are said", "document.getElementById('shown').textContent", "1 shown")
	b.press(kb.Escape)
	b.press("j")
	b.press("j")
	expect("the second line has the focus", "document.activeElement.parentNode === "+shown+"[1]", "true")
	b.press(kb.Enter)
	expect("Enter opens it", shown+"[1].open", "true")
	b.press("k")
	expect("k goes back", "document.activeElement.parentNode === "+shown+"[0]", "true")
	b.eval("document.getElementById('order').value = 'failed', document.getElementById('order').dispatchEvent(new Event('input')), 1")
	expect("by failed tests", first, "ann")
	b.eval("document.getElementById('order').value = 'next', document.getElementById('order').dispatchEvent(new Event('input')), 1")
	b.click("#open")
	expect("all open", shown+".every(e => e.open)", "true")
	b.click("#open")
	expect("all closed", shown+".some(e => e.open)", "false")
	b.eval("document.querySelector('.once').open = false, 1")
}
