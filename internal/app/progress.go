package app

import (
	"fmt"
	"io"
	"sync"
	"time"

	"gulo/internal/plural"
	"gulo/internal/process"
)

// progressLine is the line that a terminal shows during a long command: what it does, for how many seconds, and how to
// end it.
type progressLine struct {
	w     io.Writer
	width func() int // of the terminal; 0: unknown
	dumb  bool       // the terminal cannot rewrite a line: each text gets a line

	mu    sync.Mutex
	text  string // "" while nothing is shown
	began time.Time
	end   chan struct{}
}

// showing returns a function that shows on a terminal what a command is doing; nil elsewhere.
func (s *streams) showing() func(text string) {
	if !isTerminal(s.err) {
		return nil
	}
	s.line = newProgress(s.err)
	return s.line.show
}

// reading returns a function that shows on a terminal how many files of a program are read, if that takes more than a
// second; nil elsewhere. A dumb terminal shows it once.
func (s *streams) reading() func(done, of int) {
	show, began := s.showing(), time.Now()
	if show == nil {
		return nil
	}
	return func(done, of int) {
		switch {
		case of < 2 || time.Since(began) < time.Second:
		case s.line.dumb:
			show("reading and compiling " + plural.N(of, "file"))
		default:
			show(fmt.Sprintf("reading and compiling: %d of %s", done, plural.N(of, "file")))
		}
	}
}

func newProgress(w io.Writer) *progressLine {
	return &progressLine{w: w, width: func() int { return widthOf(w) }, dumb: dumb()}
}

// show replaces the text of the line; "" removes the line.
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
	again := p.text == text
	p.text = text
	if p.dumb {
		if text != "" && !again {
			fmt.Fprintln(p.w, text+" ..., ^C stops")
		}
		return
	}
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
			if p.end == end && p.text != "" && !p.dumb {
				p.draw()
			}
			p.mu.Unlock()
		}
	}
}

// draw writes the line. The caller holds mu.
func (p *progressLine) draw() {
	fmt.Fprint(p.w, "\r\x1b[K")
	if p.text == "" {
		return
	}
	tail := " ..."
	if s := int(time.Since(p.began).Seconds()); s > 0 {
		tail = fmt.Sprintf(" ... %d s, ^C stops", s)
	}
	text := p.text
	if n := p.width(); n > 0 { // a line that wraps could not be rewritten
		text = cut(text, n-1-len(tail))
	}
	fmt.Fprint(p.w, text+tail)
}
