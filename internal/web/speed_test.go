package web_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gulo/internal/web"

	"github.com/chromedp/chromedp"
)

var speed = flag.Bool("speed", false, "measure the page in the browser and print the figures (make page-speed)")

// listProgram makes a list of n nodes and then does a little with it.
func listProgram(n int) string {
	return fmt.Sprintf(`#include <stdlib.h>
struct node { int v; struct node *next, *prev; };
struct node *head;
int main(void)
{
    for (int i = 0; i < %d; i++) {
        struct node *n = malloc(sizeof *n);
        n->v = i;
        n->next = head;
        n->prev = NULL;
        if (head != NULL)
            head->prev = n;
        head = n;
    }
    head->v = 7;
    head->v = 8;
    head->v = 9;
    return 0;
}
`, n)
}

// panning moves the picture a step a frame and says how long the frames took.
const panning = `window.out = "", (async () => {
	const s = document.querySelector(".heap"), r = s.getBoundingClientRect();
	const at = (t, x, y) => s.dispatchEvent(new PointerEvent(t, {bubbles: true, button: 0, pointerId: 1, clientX: r.x + x, clientY: r.y + y}));
	s.setPointerCapture = () => {};
	const frame = () => new Promise(requestAnimationFrame);
	at("pointerdown", 300, 400);
	const all = []; let last = 0;
	for (let i = 0; i < 240; i++) {
		at("pointermove", 300 - i * 9, 400 - (i % 40) * 3);
		const now = await frame();
		if (last) all.push(now - last);
		last = now;
	}
	at("pointerup", 0, 0);
	window.out = all.join(" ") })(), 1`

// TestSpeed prints what the page takes. It asserts nothing: a busy machine is slow.
func TestSpeed(t *testing.T) {
	if !*speed {
		t.Skip("figures are not asked for (make page-speed)")
	}
	dir := t.TempDir()
	open1 := func(engine, name, text string) *tab {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		srv, addr := serve(t, engine, file)
		b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
		b.wait("document.querySelectorAll('.line').length > 10 && document.body.dataset.seq === '0'")
		return b
	}
	figures := func(what string, all []float64, limit string) {
		slices.Sort(all)
		fmt.Printf("%-62s %8.1f ms at the median, %8.1f at 95 %%  (asked: %s)\n", what, all[len(all)/2], all[len(all)*95/100], limit)
	}

	if size, err := web.PageSize(); err != nil {
		t.Error(err)
	} else {
		fmt.Printf("%-62s %8.1f kB  (asked: under 150)\n", "the page's files, each compressed by gzip", float64(size)/1000)
	}

	b := open1("gdb", "thousand.c", listProgram(1000))
	startup := func(b *tab) float64 {
		b.do(chromedp.Reload())
		b.wait("performance.getEntriesByName('drawn').length > 0")
		f, _ := strconv.ParseFloat(b.eval("performance.getEntriesByName('drawn')[0].startTime"), 64)
		return f
	}
	var all []float64
	for range 9 {
		all = append(all, startup(b))
	}
	figures("startup: the page, before the program", all, "300")

	b.button("start", 1)
	b.after(func() { b.fill("#line", "until 15") })
	b.after(func() {
		b.eval(`fetch("/api/look", {method: "POST", headers: {"Content-Type": "application/json"}, body: '{"nodes":1000,"focus":0}'}), 1`)
	})
	nodes := b.eval("document.querySelectorAll('[data-node]').length")
	for range 2 { // the first warms up
		b.eval(panning)
		b.wait("window.out !== ''")
	}
	all = nil
	for _, f := range strings.Fields(b.eval("window.out")) {
		ms, _ := strconv.ParseFloat(f, 64)
		all = append(all, ms)
	}
	figures("panning, "+nodes+" nodes, from frame to frame", all, "60 Hz shows 16.7")
	work, raster := frameWork(b.trace(func() {
		b.eval(panning)
		time.Sleep(5 * time.Second) // asking whether it is done is work, too
		b.wait("window.out !== ''")
	}))
	if len(work) == 0 {
		t.Fatal("Chromium's trace has no frames")
	}
	figures("panning, "+nodes+" nodes, work of a frame (script, layout, paint)", work, "under 16")
	figures("panning, "+nodes+" nodes, raster of a frame on other threads", raster, "-")
	b.shoot("thousand")
	all = nil
	for range 9 {
		all = append(all, startup(b))
	}
	figures("startup with "+nodes+" nodes", all, "300")

	file := "../../examples/reverse.c"
	srv, addr := serve(t, "gdb", file)
	b = open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	b.wait("document.querySelectorAll('.line').length > 40 && document.body.dataset.seq === '0'")
	b.button("start", 1)
	all = nil
	for range 25 {
		b.eval(`window.out = "", (async () => {
			const was = document.body.dataset.seq, begin = performance.now();
			document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "s", bubbles: true}));
			while (document.body.dataset.seq === was) await new Promise((f) => { const c = new MessageChannel(); c.port1.onmessage = f; c.port2.postMessage(0); });
			await new Promise(requestAnimationFrame);
			window.out = String(performance.now() - begin) })(), 1`)
		b.wait("window.out !== ''")
		ms, _ := strconv.ParseFloat(b.eval("window.out"), 64)
		all = append(all, ms)
	}
	figures("next (step), from key to picture, gdb", all, "60 at the median")

	for _, engine := range []string{"machine", "gdb"} {
		b = open1(engine, "large.c", listProgram(20_000))
		b.button("start", 1)
		begin := time.Now()
		b.after(func() { b.fill("#line", "until 15") })
		fmt.Printf("%-62s %8.1f ms\n", "20,000 nodes, "+engine+": made, captured and drawn", float64(time.Since(begin).Microseconds())/1000)
		all = nil
		for range 5 {
			all = append(all, startup(b))
		}
		figures("20,000 nodes, "+engine+": opened folded ("+b.eval("document.querySelectorAll('[data-node]').length")+" drawn)", all, "1,000")
		all = nil
		for range 3 {
			begin := time.Now()
			b.button("next", 1)
			all = append(all, float64(time.Since(begin).Microseconds())/1000)
		}
		figures("20,000 nodes, "+engine+": next", all, "-")
	}
}
