package web_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// This file measures the work for a frame. How long a frame takes says nothing once it is below the 16.7 ms of a
// screen; Chromium's trace says what its threads did for each.

// traced is an event of Chromium's trace. Times are in microseconds; that of the processor is the thread's alone.
type traced struct {
	Name     string
	Pid, Tid int64
	Ph       string
	Ts       float64
	Dur      float64
	CPU      float64 `json:"tdur"`
}

// work returns how long the event's thread worked, in milliseconds, without its waiting for a processor if Chromium
// gives that.
func (e *traced) work() float64 {
	if e.CPU > 0 {
		return e.CPU / 1000
	}
	return e.Dur / 1000
}

// trace collects what Chromium does during what.
func (b *tab) trace(what func()) []traced {
	b.t.Helper()
	var mu sync.Mutex
	var out []traced
	done := make(chan struct{})
	var once sync.Once
	if err := chromedp.Listen(b.ctx, func(ev any) {
		mu.Lock()
		defer mu.Unlock()
		switch ev := ev.(type) {
		case *tracing.EventDataCollected:
			for _, v := range ev.Value {
				var e traced
				if json.Unmarshal(v, &e) == nil && e.Ph == "X" {
					out = append(out, e)
				}
			}
		case *tracing.EventTracingComplete:
			once.Do(func() { close(done) })
		}
	}); err != nil {
		b.t.Fatal(err)
	}
	if _, err := chromedp.Call(b.ctx, tracing.Start, tracing.StartParams{TraceConfig: &tracing.TraceConfig{IncludedCategories: []string{"devtools.timeline", "disabled-by-default-devtools.timeline"}}}); err != nil {
		b.t.Fatal(err)
	}
	what()
	if _, err := chromedp.Call(b.ctx, tracing.End, cdp.Empty{}); err != nil {
		b.t.Fatal(err)
	}
	select {
	case <-done:
	case <-time.After(limit):
		b.t.Fatal("Chromium's trace does not come to an end")
	}
	mu.Lock()
	defer mu.Unlock()
	return out
}

// frameWork returns the work for each frame in milliseconds. page is scripts, styles, layout and paint on the page's
// main thread, from one animation frame to the next; raster is what other threads rastered meanwhile.
func frameWork(all []traced) (page, raster []float64) {
	count := map[[2]int64]int{}
	for _, e := range all {
		if e.Name == "FireAnimationFrame" {
			count[[2]int64{e.Pid, e.Tid}]++
		}
	}
	var main [2]int64
	for k, n := range count {
		if n > count[main] {
			main = k
		}
	}
	var begins []float64
	for _, e := range all {
		if e.Name == "FireAnimationFrame" && [2]int64{e.Pid, e.Tid} == main {
			begins = append(begins, e.Ts)
		}
	}
	slices.Sort(begins)
	if len(begins) < 2 {
		return nil, nil
	}
	page, raster = make([]float64, len(begins)-1), make([]float64, len(begins)-1)
	for _, e := range all {
		end := e.Ts + e.Dur
		k, _ := slices.BinarySearch(begins, end) // a task that fires the frame belongs to it
		if k < 1 || k >= len(begins) {
			continue
		}
		switch {
		case [2]int64{e.Pid, e.Tid} == main && e.Name == "RunTask":
			page[k-1] += e.work()
		case e.Pid == main[0] && e.Name == "RasterTask":
			raster[k-1] += e.work()
		}
	}
	return page, raster
}

// TestFrameWork: frameWork counts the parts of a trace for the frames that they belong to.
func TestFrameWork(t *testing.T) {
	event := func(name string, tid int64, ts, dur float64) traced {
		return traced{Name: name, Pid: 1, Tid: tid, Ph: "X", Ts: ts, Dur: dur}
	}
	page, raster := frameWork([]traced{
		event("FireAnimationFrame", 2, 1000, 100), event("FireAnimationFrame", 2, 17000, 100), event("FireAnimationFrame", 2, 33000, 100),
		event("RunTask", 2, 900, 4000), event("RunTask", 2, 6000, 1000), event("RunTask", 2, 16900, 2000), event("RunTask", 3, 2000, 9000),
		event("RasterTask", 4, 5000, 3000), {Name: "RunTask", Pid: 1, Tid: 2, Ph: "X", Ts: 20000, Dur: 5000, CPU: 500}, {Name: "RunTask", Pid: 9, Tid: 2, Ph: "X", Ts: 1000, Dur: 5000},
	})
	if got := fmt.Sprint(page, raster); got != "[5 2.5] [3 0]" {
		t.Errorf("work of the frames: %s", got)
	}
	if page, _ := frameWork(nil); page != nil {
		t.Errorf("work of no frames: %v", page)
	}
}
