package report

import (
	"context"
	"fmt"
	"sync"

	"gulo/internal/trust"
)

// Stopped is the cause of an answer that the user did not wait for.
const Stopped = "stopped"

// Stage says how far a candidate has come.
type Stage int

// Stages, the later the better to show.
const (
	Meets Stage = iota // everything that was given; it is being held against the rest
	Aside              // it was judged, and its evidence has what speaks against it
	Holds              // it was judged; others are looked for, or it is held against another specification
)

// SoFar is the best repair that a search has in hand: what it shows when it is stopped. Engines
// offer what meets everything given, and drop what is refuted. Several goroutines may use it; all
// methods of a nil SoFar do nothing.
type SoFar struct {
	// Offered is called after each offer, by who offers; it may be nil. Set it before the search begins.
	Offered func()

	ctx   context.Context // after its end nothing changes: a run that was killed refutes nothing
	outer *SoFar          // of the search that this one is a part of
	as    Translate

	mu    sync.Mutex
	about Report
	best  [Holds + 1]*Candidate
}

// Candidate is a repair with the texts that it makes.
type Candidate struct {
	Repair Repair
	Texts  map[string]string
}

// Translate makes a candidate of a part of a search one of the whole; false where it is none.
type Translate func(c *Candidate) bool

// NewSoFar makes one for a search that ends with ctx.
func NewSoFar(ctx context.Context) *SoFar { return &SoFar{ctx: ctx} }

// Within is for a search of another program made from this one, as one with another main. What is offered
// to it is offered to s in translation.
func (s *SoFar) Within(as Translate) *SoFar {
	if s == nil {
		return nil
	}
	return &SoFar{ctx: s.ctx, outer: s, as: as}
}

// About remembers what an answer says besides its repairs.
func (s *SoFar) About(rep *Report) {
	if s == nil || s.outer != nil || s.ctx.Err() != nil || rep.Example == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.about = Report{Entry: rep.Entry, Failing: rep.Failing, Cases: rep.Cases, Example: rep.Example, Notes: rep.Notes}
}

// Offer keeps a candidate as the latest of its stage; the one before is dropped. Of a candidate of stage Meets
// only the given cases are claimed: all other evidence is taken out.
func (s *SoFar) Offer(stage Stage, r Repair, texts map[string]string) {
	if s == nil || s.ctx.Err() != nil || len(texts) == 0 {
		return
	}
	c := &Candidate{r, texts}
	if ev := &c.Repair.Evidence; stage == Meets {
		*ev = trust.Facts{Given: ev.Given, Kind: ev.Kind, From: ev.From, Alone: ev.Alone, Unjudged: true}
	}
	c.Repair.Evidence.Text = c.Repair.Evidence.String()
	c.Repair.Edits, c.Repair.Hints = append([]Changed{}, r.Edits...), append([]string{}, r.Hints...)
	if s.outer != nil {
		if s.as(c) {
			s.outer.Offer(Meets, c.Repair, c.Texts) // what holds of a part is not known of the whole
		}
		return
	}
	s.mu.Lock()
	s.drop(texts)
	s.best[stage] = c
	s.mu.Unlock()
	if s.Offered != nil {
		s.Offered()
	}
}

// Drop takes a candidate back that something refutes.
func (s *SoFar) Drop(texts map[string]string) {
	if s == nil || s.ctx.Err() != nil || len(texts) == 0 {
		return
	}
	if s.outer != nil {
		if c := (&Candidate{Texts: texts}); s.as(c) {
			s.outer.Drop(c.Texts)
		}
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop(texts)
}

// drop is Drop; mu is held.
func (s *SoFar) drop(texts map[string]string) {
	key := fmt.Sprintf("%q", texts) // in the order of names
	for i, c := range s.best {
		if c != nil && fmt.Sprintf("%q", c.Texts) == key {
			s.best[i] = nil
		}
	}
}

// Report is the answer of a search that ended for a cause before it came to its end; nil where there is no
// candidate.
func (s *SoFar) Report(cause string) *Report {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for stage := Holds; stage >= Meets; stage-- {
		if c := s.best[stage]; c != nil {
			rep := s.about
			rep.Result, rep.Cause, rep.SoFar = Unknown, cause, true
			rep.Repairs, rep.Texts = []Repair{c.Repair}, []map[string]string{c.Texts}
			return &rep
		}
	}
	return nil
}
