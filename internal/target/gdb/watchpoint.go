package gdb

import (
	"context"
	"fmt"

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
	slots := uint64(0)
	for _, w := range list {
		slots += (w.Addr+uint64(w.Size)-1)/8 - w.Addr/8 + 1
	}
	t.watched.list = nil
	if t.core != nil || slots > maxWatchpoints {
		return false
	}
	t.watched.list = list
	return true
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
	for _, x := range list {
		r, err := t.c.send(ctx, "-break-watch \"*(char (*)[%d]) %d\"", x.Size, x.Addr)
		if err != nil {
			return err
		}
		n, _ := r.tuple("wpt")["number"].(string)
		w.armed = append(w.armed, n)
		frames := t.walk()
		i := len(frames) - x.Depth
		if x.Depth <= 1 || i < 0 || i >= len(frames) {
			continue
		}
		ret, ok := t.mem.word(frames[i].bp + 8)
		if !ok {
			continue
		}
		if r, err = t.c.send(ctx, "-break-insert *%d", ret); err != nil {
			return err
		}
		n, _ = r.tuple("bkpt")["number"].(string)
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

// returnedTo is written where a variable that is watched has gone with its function; deeper calls of it
// return to the same place.
func (t *Target) returnedTo(ctx context.Context, depth int) (target.Stop, error) {
	if err := t.locate(); err != nil {
		return target.Stop{}, err
	}
	if t.depth() >= depth {
		return t.exec(ctx, "-exec-continue")
	}
	return t.written(ctx)
}
