package native

import (
	"context"
	"fmt"
	"sync"

	"gulo/internal/process"
)

// This file compiles programs before somebody asks for them, while other work is done that does
// not need gcc.

// ahead are the programs that are being compiled, or are and were not asked for yet.
var ahead struct {
	sync.Mutex
	of map[string]*begun
}

// begun is a program that is being compiled.
type begun struct {
	done chan struct{} // closed when it is compiled, or is not
	prog *Program
	err  error
}

// Begin begins to compile a program that Build will likely be asked for soon, in the
// background. The first Build of the same texts and configuration takes it. The caller calls
// forget when nobody is going to ask any more: what was not taken is removed, and a compilation
// under way ends. forget may be called twice.
func Begin(ctx context.Context, texts map[string]string, c Config) (forget func()) {
	key := keyOf(texts, c)
	b := &begun{done: make(chan struct{})}
	ahead.Lock()
	defer ahead.Unlock()
	if ahead.of[key] != nil {
		return func() {}
	}
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
	return func() {
		if !take(key, b) { // somebody has it, or it was forgotten
			return
		}
		stop()
		b.drop()
	}
}

// drop removes a program that nobody wants, once it is compiled.
func (b *begun) drop() {
	<-b.done
	if b.prog != nil {
		b.prog.Close()
	}
}

// take takes a program out of those that were begun, and reports whether it was there.
func take(key string, b *begun) bool {
	ahead.Lock()
	defer ahead.Unlock()
	if ahead.of[key] != b {
		return false
	}
	delete(ahead.of, key)
	return true
}

// taken returns a program that was begun. ok: there is one, or gcc refuses it.
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

// keyOf tells programs apart that Build is asked for.
func keyOf(texts map[string]string, c Config) string { return fmt.Sprintf("%+v %q", c, texts) }
