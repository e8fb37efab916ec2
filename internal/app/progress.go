package app

import (
	"fmt"
	"io"
	"sync"
	"time"

	"gulo/internal/plural"
	"gulo/internal/process"
)

// progressLine is what a terminal shows of a long command: what it is doing, for how many seconds, and how to end it.
type progressLine struct {
	w     io.Writer
	width func() int // of the terminal; 0: not known
	dumb  bool       // it cannot take back what it shows: each text is a line

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
	s.line = newProgress(s.err)
	return s.line.show
}

// reading returns what shows on a terminal how far a program of many files is read, where that takes more than a second; nil
// elsewhere. A terminal that cannot take a line back is told once.
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

// draw writes the line; mu is held.
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
	if n := p.width(); n > 0 { // a line that goes on in the next one could not be taken back
		text = cut(text, n-1-len(tail))
	}
	fmt.Fprint(p.w, text+tail)
}
