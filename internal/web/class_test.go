package web_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/campaign"
	"gulo/internal/draw"
	"gulo/internal/report"
	"gulo/internal/session"

	"github.com/chromedp/chromedp"
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

// TestClassPage: the page of a class is one file; opened from a disk it shows the pictures
// of failing cases, loads nothing and has no barriers, in light and dark.
func TestClassPage(t *testing.T) {
	axe, axeErr := os.ReadFile("ui/node_modules/axe-core/axe.min.js")
	list := pictureAfter(t, "../../examples/reverse.c", "start; next 4; step; next 3")
	outcomes := []*campaign.Outcome{{Name: "ann", Category: campaign.Limited, Why: "reverse on head: [10 8 4 2]: it leaves another list", Report: &report.Report{
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
	b.click("details summary")
	b.eval("[...document.querySelectorAll('details')].slice(0, 1).forEach(d => d.open = true), window.scrollTo(0, 0), 1")
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
