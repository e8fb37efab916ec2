package gdb

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gulo/internal/target"
)

// This file halts the program where memory changes, by the watchpoints that the processor has: four, each of
// eight bytes at an address that is a multiple of eight (Intel SDM, volume 3, 18.2). They trap behind the
// instruction that has written; the program then goes on to its next statement.

// watchpoints are what is watched.
type watchpoints struct {
	list  []target.Watched // by the next Resume
	armed []string         // gdb's numbers
	ends  map[string]int   // breakpoints where a function that a variable belongs to returns to, with its depth
}

const maxWatchpoints = 4

// Watch implements target.Watcher.
func (t *Target) Watch(list []target.Watched) bool {
	t.watched.list = nil
	if t.core != nil || len(slots(list)) > maxWatchpoints || !trapping() {
		return false
	}
	t.watched.list = list
	return true
}

// slot is what one watchpoint of the processor watches: a part of eight bytes.
type slot struct {
	addr uint64
	size int64
}

// slots returns the slots that hold all that is watched. If exact ones are more than the processor has, all that is
// watched in the same eight bytes shares one, which also watches bytes in between: the program then halts for these,
// too.
func slots(list []target.Watched) []slot {
	var parts []span
	for _, w := range list {
		for a, end := w.Addr, w.Addr+uint64(w.Size); a < end; a = a/8*8 + 8 {
			parts = append(parts, span{a, min(end, a/8*8+8)})
		}
	}
	slices.SortFunc(parts, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	if exact := joined(parts, false); len(exact) <= maxWatchpoints {
		return exact
	}
	return joined(parts, true)
}

// span is a part of eight bytes.
type span struct{ lo, hi uint64 }

// joined makes slots of spans, which are in order. Spans in the same eight bytes share a slot if they touch, or in any
// case if all is set.
func joined(parts []span, all bool) []slot {
	var out []slot
	for i := 0; i < len(parts); {
		p := parts[i]
		for i++; i < len(parts) && parts[i].lo/8 == p.lo/8 && (all || parts[i].lo <= p.hi); i++ {
			p.hi = max(p.hi, parts[i].hi)
		}
		size := uint64(1)
		for p.lo/size*size+size < p.hi {
			size *= 2
		}
		out = append(out, slot{p.lo / size * size, int64(size)})
	}
	return out
}

// Resume implements target.Target.
func (t *Target) Resume(ctx context.Context, mode target.Mode, breaks map[int32]bool) (target.Stop, error) {
	stop, err := t.letRun(ctx, mode, breaks)
	if err == nil && stop.Reason != target.NeedInput {
		err = t.disarm(context.WithoutCancel(ctx))
	}
	return stop, err
}

// halting makes gdb halt at breakpoints, and where what is watched changes.
func (t *Target) halting(ctx context.Context, breaks map[int32]bool) error {
	if err := t.setBreaks(ctx, breaks); err != nil {
		return err
	}
	if err := t.disarm(ctx); err != nil {
		return err
	}
	list := t.watched.list
	t.watched.list = nil
	return t.arm(ctx, list)
}

// arm makes gdb watch.
func (t *Target) arm(ctx context.Context, list []target.Watched) error {
	w := &t.watched
	for _, x := range slots(list) {
		r, err := t.c.send(ctx, "-break-watch \"*(char (*)[%d]) %d\"", x.size, x.addr)
		if err != nil {
			return err
		}
		n, _ := r.tuple("wpt")["number"].(string)
		w.armed = append(w.armed, n)
	}
	for _, x := range list {
		frames := t.walk()
		i := len(frames) - x.Depth
		if x.Depth <= 1 || i < 0 || i >= len(frames) {
			continue
		}
		ret, ok := t.mem.word(frames[i].bp + 8)
		if !ok {
			continue
		}
		r, err := t.c.send(ctx, "-break-insert *%d", ret)
		if err != nil {
			return err
		}
		n, _ := r.tuple("bkpt")["number"].(string)
		if w.ends == nil {
			w.ends = map[string]int{}
		}
		w.armed, w.ends[n] = append(w.armed, n), x.Depth
	}
	return nil
}

// disarm makes gdb watch nothing.
func (t *Target) disarm(ctx context.Context) error {
	w := &t.watched
	for _, n := range w.armed {
		if _, err := t.c.send(ctx, "-break-delete %s", n); err != nil {
			return fmt.Errorf("cannot end watching: %w", err)
		}
	}
	w.armed, w.ends = nil, nil
	return nil
}

// written goes on to the next statement after what is watched has changed.
func (t *Target) written(ctx context.Context) (target.Stop, error) {
	if err := t.disarm(ctx); err != nil {
		return target.Stop{}, err
	}
	if err := t.only(ctx, true); err != nil {
		return target.Stop{}, err
	}
	if err := t.locate(); err != nil {
		return target.Stop{}, err
	}
	t.resume = resumeState{mode: target.Into, breaks: t.resume.breaks, depth: t.depth(), thread: t.threads.cur}
	return t.decide(ctx)
}

// returnedTo handles a stop where a call returns to whose variable is watched; depth is that of the call. If the call
// has returned, it does as written does. Deeper calls of the function return to the same place: then it goes on.
func (t *Target) returnedTo(ctx context.Context, depth int) (target.Stop, error) {
	if err := t.locate(); err != nil {
		return target.Stop{}, err
	}
	if t.depth() >= depth {
		return t.exec(ctx, "-exec-continue")
	}
	return t.written(ctx)
}
