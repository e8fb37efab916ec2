package report

import (
	"context"
	"maps"
	"sync"

	"gulo/internal/trust"
)

// Stopped is the cause of an answer if the user stopped the search.
const Stopped = "stopped"

// Stage says how far a candidate has been checked.
type Stage int

// Stages; a candidate of a later stage is preferred.
const (
	Meets Stage = iota // it meets everything given, and the other checks are under way
	Aside              // it was checked, and its evidence says what speaks against it
	Holds              // it was checked, and alternatives or another specification are being tried
)

// SoFar is the best candidates of a running search, which are shown if it is stopped. Engines offer candidates that
// meet everything given, and drop those that are refuted. It may be used by several goroutines; all methods of a nil
// SoFar do nothing.
type SoFar struct {
	// Offered is called after each offer by the goroutine that offers; it may be nil. Set it before the search begins.
	Offered func()

	ctx   context.Context // after its end nothing changes: a run that was killed refutes nothing
	outer *SoFar          // of the enclosing search
	as    Translate

	mu    sync.Mutex
	about Report
	best  [Holds + 1]*Candidate
}

// Candidate is a repair with the texts that result from it.
type Candidate struct {
	Repair Repair
	Texts  map[string]string
}

// Translate turns a candidate of a part of a search into one of the whole; it returns false if that is not possible.
type Translate func(c *Candidate) bool

// NewSoFar returns a SoFar for a search that ends with ctx.
func NewSoFar(ctx context.Context) *SoFar { return &SoFar{ctx: ctx} }

// Within returns a SoFar for the search of a changed program, such as one with another main. What is offered to it is
// translated and offered to s.
func (s *SoFar) Within(as Translate) *SoFar {
	if s == nil {
		return nil
	}
	return &SoFar{ctx: s.ctx, outer: s, as: as}
}

// About records what an answer says apart from its repairs.
func (s *SoFar) About(rep *Report) {
	if s == nil || s.outer != nil || s.ctx.Err() != nil || rep.Example == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.about = Report{Entry: rep.Entry, Failing: rep.Failing, Cases: rep.Cases, Example: rep.Example, Notes: rep.Notes}
}

// Offer records a candidate in place of the previous one of its stage. Of a candidate of stage Meets only the evidence
// about the given cases is kept, because the other checks are still under way. A SoFar made by Within translates the
// candidate and offers it to the outer one instead, always as one of stage Meets.
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
			s.outer.Offer(Meets, c.Repair, c.Texts) // what holds for a part is not known for the whole
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

// Drop removes a candidate that was refuted.
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

// drop is Drop; the caller holds mu.
func (s *SoFar) drop(texts map[string]string) {
	for i, c := range s.best {
		if c != nil && maps.Equal(c.Texts, texts) {
			s.best[i] = nil
		}
	}
}

// Report returns the answer of a search that was ended by cause; nil if there is no candidate.
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
