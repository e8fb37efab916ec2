package cfront

import (
	"errors"
	"strings"
	"sync"

	"modernc.org/cc/v4"

	"gulo/internal/ctype"
	"gulo/internal/process"
	"gulo/internal/source"
)

// This file reads the files of a program in order, each in four steps: it is preprocessed; its text is
// written, after gcc has accepted the file; the text is parsed; the tree is converted. Each step runs in a
// goroutine of its own, so different files are in different steps at the same time. Each step uses its own
// part of the converter: files, sums, texts, unasked and the fields of prog about texts belong to the first.

// reading is a file on its way through the steps.
type reading struct {
	f   *source.File
	how dialect
	u   *unit
	err error // from the preprocessor, or with end from gcc
	end bool  // gcc does not accept the file: reading ends

	asked func() error // waits for gcc's answer

	pieces chan *piece   // parsed pieces; closed after the last, or after one that cannot be parsed
	done   chan struct{} // closed when the file is converted
}

// largeUnit bounds the bytes of text of two units that are parsed and converted at the same time; more would take too
// much memory.
const largeUnit = 2 << 20

// ahead is how many files are preprocessed in advance; gcc is asked about them meanwhile.
const ahead = 4

// parseUnits reads files and converts them in order.
func (c *converter) parseUnits(files []*source.File, opt Options) error {
	stop := make(chan struct{})
	read, texts, trees := make(chan *reading, ahead), make(chan *reading, 1), make(chan *reading, 1)
	var wg sync.WaitGroup
	defer wg.Wait()
	defer close(stop)
	send := func(to chan *reading, r *reading) bool {
		select {
		case to <- r:
			return true
		case <-stop:
			return false
		}
	}
	wg.Go(process.Guard(func() {
		defer close(read)
		for _, f := range files {
			if !send(read, c.readText(f, opt)) {
				return
			}
		}
	}))
	wg.Go(process.Guard(func() {
		defer close(texts)
		for r := range read {
			if err := r.asked(); err != nil {
				r.err, r.end = err, true
			} else if r.err == nil {
				r.u.write(c.pieceBytes)
			}
			if !send(texts, r) || r.end {
				return
			}
		}
	}))
	wg.Go(process.Guard(func() {
		defer close(trees)
		var last *reading
		for r := range texts {
			if last != nil && r.u != nil && last.u != nil && len(r.u.text)+len(last.u.text) > largeUnit {
				select {
				case <-last.done:
				case <-stop:
					return
				}
			}
			if last = r; !send(trees, r) {
				return
			}
			if r.err == nil {
				r.u.parse(func(p *piece) bool {
					select {
					case r.pieces <- p:
						return true
					case <-r.done: // the file was refused
					case <-stop:
					}
					return false
				})
			}
			close(r.pieces)
		}
	}))
	n := 0
	for r := range trees {
		if err := c.convertUnit(r); err != nil {
			return err
		}
		close(r.done)
		if n++; opt.Reading != nil {
			opt.Reading(n, len(files))
		}
	}
	return nil
}

// readText is the first step of a file.
func (c *converter) readText(f *source.File, opt Options) *reading {
	r := &reading{f: f, pieces: make(chan *piece), done: make(chan struct{})}
	how := opt.Unit(f.Name)
	r.how = dialectOf(how.Flags)
	if h, err := hostOf(&how); err == nil {
		r.how.biggest, r.how.unsignedChar = h.biggest, h.unsignedChar
	}
	if r.u, r.asked, r.err = c.preprocess(f, how); r.err == nil {
		c.sources(f, r.u, how)
	}
	return r
}

// convertUnit is the last step of a file. A file that cannot be parsed is read by byFunctions.
func (c *converter) convertUnit(r *reading) error {
	if r.end {
		return r.err
	}
	c.specs = map[*cc.StructOrUnionSpecifier]*ctype.Type{}
	c.enums = map[*cc.EnumSpecifier]*ctype.Type{}
	c.scopes = []*scope{newScope()}
	c.unitName, c.packings, c.dialect = r.f.Name, packings{}, r.how
	err := r.err
	if err == nil {
		c.src = r.u
		err = r.how.refusal(r.f)
	}
	if !strings.HasPrefix(r.f.Name, "@gulo/") {
		c.prog.Wraps = r.how.wraps && (c.prog.Wraps || c.converted == 0)
		c.converted++
	}
	if err == nil {
		c.src = r.u
		err = c.packings.read(r.u)
	}
	if err != nil {
		return c.refused(r, 0, err)
	}
	c.blanked = map[int]*source.Error{}
	for p := range r.pieces {
		if p.err != nil {
			return c.refused(r, p.first, p.err)
		}
		if p.start == 0 {
			c.private = c.ownTags(r.u)
		}
		c.convertPiece(p)
		p.ast = nil
	}
	return nil
}

// refused reads the rest of a file, from token from on, by byFunctions.
func (c *converter) refused(r *reading, from int, err error) error {
	var e *source.Error
	if !errors.As(err, &e) {
		return err
	}
	c.byFunctions(r.f, r.u, from, e)
	return nil
}
