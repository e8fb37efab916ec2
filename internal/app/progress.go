package app

import (
	"fmt"
	"io"
	"sync"
	"time"

	"gulo/internal/process"
)

// progressLine is what a terminal shows of a long command: what it is doing, for how many seconds, and how to end it.
type progressLine struct {
	w io.Writer

	mu    sync.Mutex
	text  string // "" while nothing is done
	began time.Time
	end   chan struct{}
}

// showing returns what shows on a terminal what a command is doing; nil elsewhere.
func (s *streams) showing() func(text string) {
	if !isTerminal(s.err) {
		return nil
	}
	s.line = &progressLine{w: s.err}
	return s.line.show
}

// show is told what is being done; "" when it is done.
func (p *progressLine) show(text string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if text == "" && p.text == "" {
		return
	}
	if text != "" && p.text == "" {
		p.began, p.end = time.Now(), make(chan struct{})
		end := p.end
		process.Go(func() { p.tick(end) })
	} else if text == "" && p.text != "" {
		close(p.end)
	}
	p.text = text
	p.draw()
}

func (p *progressLine) tick(end chan struct{}) {
	t := time.NewTicker(time.Second)
	defer t.Stop()
	for {
		select {
		case <-end:
			return
		case <-t.C:
			p.mu.Lock()
			if p.end == end && p.text != "" {
				p.draw()
			}
			p.mu.Unlock()
		}
	}
}

// draw writes the line; mu is held.
func (p *progressLine) draw() {
	fmt.Fprint(p.w, "\r\x1b[K")
	if p.text == "" {
		return
	}
	if s := int(time.Since(p.began).Seconds()); s > 0 {
		fmt.Fprintf(p.w, "%s ... %d s, ^C stops", p.text, s)
	} else {
		fmt.Fprint(p.w, p.text+" ...")
	}
}
