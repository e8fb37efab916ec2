// Package timing records where the time of a job goes. It keeps spans of work, each with a name, its beginning and end,
// and the processor time of the programs that it started. It also sums up the spans with the same name. Nothing is kept
// for a context without a Record; only --times makes one.
//
// Several goroutines may use a Record. Spans overlap if work runs in parallel.
package timing

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// Span is a piece of work. Times are in milliseconds.
type Span struct {
	What   string  `json:"what"`
	Detail string  `json:"detail,omitempty"`
	Begin  float64 `json:"begin"` // since the beginning of the job
	Millis float64 `json:"millis"`
	CPU    float64 `json:"cpu,omitempty"` // of the programs that it started, user and system

	n int // number of the span in the order of beginnings
}

// Record keeps the spans of a job.
type Record struct {
	begin time.Time
	mu    sync.Mutex
	begun int
	spans []Span
}

type key struct{}

// With returns a context whose spans are kept in a new Record.
func With(ctx context.Context) (context.Context, *Record) {
	r := &Record{begin: time.Now()}
	return context.WithValue(ctx, key{}, r), r
}

// Running is a span that has not ended. A nil Running is valid: it keeps nothing.
type Running struct {
	r     *Record
	n     int
	what  string
	begin time.Time
	cpu   time.Duration
}

// Begin begins a span. It returns nil if the context has no Record.
func Begin(ctx context.Context, what string) *Running {
	r, _ := ctx.Value(key{}).(*Record)
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.begun++
	return &Running{r: r, n: r.begun, what: what, begin: time.Now()}
}

// Used adds the processor time of a program that has ended. p is nil for a program that did not start.
func (s *Running) Used(p *os.ProcessState) {
	if s != nil && p != nil {
		s.cpu += p.UserTime() + p.SystemTime()
	}
}

// Took adds processor time.
func (s *Running) Took(cpu time.Duration) {
	if s != nil {
		s.cpu += cpu
	}
}

// End ends a span. Its detail, which may be empty, says how much was done.
func (s *Running) End(format string, args ...any) {
	if s == nil {
		return
	}
	millis := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	x := Span{s.what, fmt.Sprintf(format, args...), millis(s.begin.Sub(s.r.begin)), millis(time.Since(s.begin)), millis(s.cpu), s.n}
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	s.r.spans = append(s.r.spans, x)
}

// Spans returns the spans that have ended, in the order in which they began.
func (r *Record) Spans() []Span {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := slices.Clone(r.spans)
	slices.SortStableFunc(out, func(a, b Span) int { return cmp.Compare(a.n, b.n) })
	return out
}

// Print writes the spans and their sums.
func (r *Record) Print(w io.Writer) {
	type sum struct {
		n           int
		millis, cpu float64
	}
	sums := map[string]*sum{}
	var names []string
	fmt.Fprintf(w, "%8s %8s %8s\n", "begin ms", "ms", "cpu ms")
	for _, s := range r.Spans() {
		fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%8.0f %8.0f %8.0f  %s %s", s.Begin, s.Millis, s.CPU, s.What, s.Detail), " "))
		x := sums[s.What]
		if x == nil {
			x = &sum{}
			sums[s.What] = x
			names = append(names, s.What)
		}
		x.n, x.millis, x.cpu = x.n+1, x.millis+s.Millis, x.cpu+s.CPU
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(sums[b].millis, sums[a].millis) })
	fmt.Fprintf(w, "%8s %8s %8s\n", "times", "ms", "cpu ms")
	for _, n := range names {
		fmt.Fprintf(w, "%8d %8.0f %8.0f  %s\n", sums[n].n, sums[n].millis, sums[n].cpu, n)
	}
}
