package native

import (
	"context"
	"fmt"
	"sync"

	"gulo/internal/budget"
	"gulo/internal/process"
)

// This file compiles programs before they are asked for, while other work is done that does not need gcc.

// ahead holds the programs that were begun and not asked for yet.
var ahead struct {
	sync.Mutex
	of map[string]*begun
}

// begun is a program that is being compiled.
type begun struct {
	done chan struct{} // closed when the compilation has ended
	prog *Program
	err  error
}

// Begin begins to compile, in the background, a program that Build will likely be asked for soon. The first Build of
// the same texts and configuration takes it. The caller calls forget when nobody is going to ask any more: it removes
// a program that was not taken, and ends a compilation under way; it reports whether there was one. forget may be
// called twice. The search is charged here, and not when the program is taken.
func Begin(ctx context.Context, texts map[string]string, c Config) (forget func() bool) {
	key := keyOf(texts, c)
	b := &begun{done: make(chan struct{})}
	ahead.Lock()
	defer ahead.Unlock()
	if ahead.of[key] != nil {
		return func() bool { return false }
	}
	budget.Spend(ctx, c.work(texts))
	if ahead.of == nil {
		ahead.of = map[string]*begun{}
	}
	ahead.of[key] = b
	ctx, stop := context.WithCancel(ctx)
	process.Go(func() {
		defer stop()
		defer close(b.done)
		b.prog, b.err = compile(ctx, texts, c)
	})
	return func() bool {
		if !take(key, b) { // somebody has it, or it was forgotten
			return false
		}
		stop()
		b.drop()
		return true
	}
}

// drop removes a program that nobody wants, once its compilation has ended.
func (b *begun) drop() {
	<-b.done
	if b.prog != nil {
		b.prog.Close()
	}
}

// take removes a program from those that were begun, and reports whether it was there.
func take(key string, b *begun) bool {
	ahead.Lock()
	defer ahead.Unlock()
	if ahead.of[key] != b {
		return false
	}
	delete(ahead.of, key)
	return true
}

// taken returns a program that was begun. ok is true if there is one, if gcc refuses it, or if ctx ended first.
func taken(ctx context.Context, texts map[string]string, c Config) (p *Program, err error, ok bool) {
	ahead.Lock()
	any := len(ahead.of) > 0
	ahead.Unlock()
	if !any {
		return nil, nil, false
	}
	key := keyOf(texts, c)
	ahead.Lock()
	b := ahead.of[key]
	ahead.Unlock()
	if b == nil {
		return nil, nil, false
	}
	select {
	case <-b.done:
	case <-ctx.Done():
		return nil, ctx.Err(), true
	}
	if !take(key, b) {
		return nil, nil, false
	}
	if b.prog != nil {
		return b.prog, nil, true
	}
	if _, refused := b.err.(*CompileError); refused {
		return nil, b.err, true
	}
	return nil, nil, false // it was stopped by whoever began it
}

// keyOf is the key of a program in ahead.
func keyOf(texts map[string]string, c Config) string { return fmt.Sprintf("%+v %q", c, texts) }
