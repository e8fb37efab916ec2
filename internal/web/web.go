// Package web is the browser's view of a session: one page, the session's state
// as JSON over server-sent events, and command lines by POST. It holds no debugger
// logic; whatever a gesture does is a command of the shell.
//
// A Server is an http.Handler. Every request must name a loopback address as its
// Host, must not come from another origin, and must have the cookie that the first
// visitor gets in exchange for the token in the address. The session belongs to one
// goroutine, Run; requests hand it their command lines. Any number of tabs share the
// session; closing one ends nothing.
package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"gulo/internal/session"
)

// Entry is a command that was executed, with its answer.
type Entry struct {
	N        int    `json:"n"`
	Line     string `json:"line"`
	Text     string `json:"text"`
	Error    string `json:"error,omitempty"`
	Negative bool   `json:"negative,omitempty"` // an honest no
}

// State is what the page shows.
type State struct {
	Seq  int           `json:"seq"` // rises with every change
	View *session.View `json:"view"`
	Look session.Look  `json:"look"`
	Log  []Entry       `json:"log"`            // since the last event; all when a page connects
	Busy string        `json:"busy"`           // the command being executed; empty for none
	Ms   int64         `json:"ms,omitempty"`   // for how many milliseconds, when a page connects
	Over string        `json:"over"`           // why the session has ended; empty while it goes on
	Past []string      `json:"past,omitempty"` // when a page connects: command lines of earlier sessions, the last one last
	Lost []string      `json:"lost,omitempty"` // until a command is executed: the commands of an earlier session that did not end by quit
	News string        `json:"news,omitempty"` // until a command is executed: the result of a search that went on in the background
	// Found is what the rules found in a session that begins just before the first error: where
	// they fired, and where the pointer came from.
	Found []Marked `json:"found,omitempty"`
	// Trail is the states that the session has come through, the present one last.
	Trail []session.Moment `json:"trail"`
}

// maxLog bounds the commands that a page is told when it connects.
const maxLog = 500

// Server shares a session between pages.
type Server struct {
	ses    *session.Session
	record func(line string)
	jobs   chan *job
	over   chan struct{}
	gate   gate

	mu     sync.Mutex
	state  State // Log is empty
	log    []Entry
	past   []string
	cancel context.CancelFunc // of the command being executed
	began  time.Time          // when it began
	subs   map[chan []byte]bool
}

// job is something that Run does with the session.
type job struct {
	line string // a command line
	seq  int    // the state that it was made for; negative for any
	look *session.Look
	ask  string // a line to be completed
	from func() // reads something of the session

	done   chan struct{}
	entry  Entry
	words  []string
	status error // why it was not done
}

// Reasons for not doing what a page asks for.
var (
	errBusy  = errors.New("another command is being executed")
	errStale = errors.New("the session has gone on since; look at the picture again")
	errOver  = errors.New("the session has ended")
)

// New returns a server for a session, before its start. record, when it is set, is
// told every command line that is executed.
func New(s *session.Session, record func(line string)) *Server {
	return &Server{
		ses: s, record: record, jobs: make(chan *job), over: make(chan struct{}), gate: newGate(),
		subs: map[chan []byte]bool{}, state: State{View: s.View(session.Look{}), Log: []Entry{}, Trail: s.Trail()},
	}
}

// Note adds an entry to the history that no command asked for. Call it before any page is served.
func (s *Server) Note(what, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, Entry{N: len(s.log) + 1, Line: what, Text: text})
}

// Found sets what the memory rules found in the run. Call it before any page is served.
func (s *Server) Found(list []Marked) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Found = list
}

// maxPast bounds the command lines of earlier sessions that a page is told of.
const maxPast = 200

// Remember sets the command lines of earlier sessions, which pages can bring back. Call it before any page is served.
func (s *Server) Remember(lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.past = append([]string{}, lines[max(0, len(lines)-maxPast):]...)
}

// Lost sets the command lines of a session of this program that ended without quit, which a page can play again.
// Commands that write files are left out, and nothing is offered if only the start is left. Call it before any page is
// served.
func (s *Server) Lost(lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range lines {
		if !session.Writes(l) {
			s.state.Lost = append(s.state.Lost, l)
		}
	}
	if len(s.state.Lost) < 2 {
		s.state.Lost = nil
	}
}

// Progress shows pages what a long command is doing; it may be called from any goroutine.
func (s *Server) Progress(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.send("progress", text)
}

// Tell shows pages the result of a search that went on after its command had answered. Any goroutine may call it.
func (s *Server) Tell(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.News = text
	s.send("news", text)
}

// Run executes what pages ask for until the session ends.
func (s *Server) Run(ctx context.Context) error {
	defer close(s.over)
	for {
		select {
		case <-ctx.Done():
			s.end("gulo was stopped")
			return context.Cause(ctx)
		case j := <-s.jobs:
			more, err := s.do(ctx, j)
			close(j.done)
			if err != nil || !more {
				why := "the session was ended by quit"
				if err != nil {
					why = err.Error()
				}
				s.end(why)
				return err
			}
		}
	}
}

// end tells the pages that nothing more comes.
func (s *Server) end(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Over, s.state.Busy = why, ""
	s.state.Seq++
	s.send("state", s.state)
	for c := range s.subs {
		delete(s.subs, c)
		close(c)
	}
}

func (s *Server) do(ctx context.Context, j *job) (more bool, err error) {
	switch {
	case j.ask != "":
		j.words = s.ses.Words(j.ask)
		return true, nil
	case j.from != nil:
		j.from()
		return true, nil
	case j.look != nil:
		v := s.ses.View(*j.look)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.state.Look, s.state.View = *j.look, v
		s.state.Seq++
		s.send("state", s.state)
		return true, nil
	}
	return s.exec(ctx, j)
}

// exec executes a command line and tells every page what came of it.
func (s *Server) exec(ctx context.Context, j *job) (more bool, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.mu.Lock()
	if j.seq >= 0 && j.seq != s.state.Seq {
		s.mu.Unlock()
		j.status = errStale
		return true, nil
	}
	s.cancel, s.began, s.state.Busy, s.state.Lost, s.state.News = cancel, time.Now(), j.line, nil, ""
	look := s.state.Look
	s.send("busy", j.line)
	s.mu.Unlock()

	text, more, err := s.ses.Exec(ctx, j.line)
	j.entry = Entry{Line: j.line, Text: text}
	var ue *session.Error
	switch {
	case errors.As(err, &ue):
		j.entry.Error, j.entry.Negative = ue.Text, ue.Negative
		err = nil
	case err != nil:
		j.entry.Error = err.Error()
	}
	var v *session.View
	var trail []session.Moment
	if err == nil && more {
		s.ses.Fill(ctx)
		v, trail = s.ses.View(look), s.ses.Trail()
	}
	if s.record != nil {
		s.record(j.line)
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	s.cancel, s.state.Busy = nil, ""
	s.state.Seq++
	if v != nil {
		s.state.View, s.state.Trail = v, trail
	}
	j.entry.N = len(s.log) + 1
	s.log = append(s.log, j.entry)
	out := s.state
	out.Log = []Entry{j.entry}
	s.send("state", out)
	return more, err
}

// ask hands Run a job and waits until it is done. The job is done even when the page
// that asked for it is gone.
func (s *Server) ask(ctx context.Context, j *job) error {
	j.done = make(chan struct{})
	s.mu.Lock()
	busy := s.state.Busy
	s.mu.Unlock()
	if busy != "" {
		return fmt.Errorf("%w: %s", errBusy, busy)
	}
	select {
	case s.jobs <- j:
	case <-s.over:
		return errOver
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-j.done:
		return j.status
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Cancel stops the command being executed and the program.
func (s *Server) Cancel() {
	s.mu.Lock()
	cancel := s.cancel
	s.mu.Unlock()
	if cancel != nil {
		cancel()
		s.ses.Interrupt()
	}
}

// send puts an event into the queue of every page; one that does not take its
// events is cut off, and is told everything when it connects again. mu is held.
func (s *Server) send(event string, data any) {
	text := encode(event, data)
	for c := range s.subs {
		select {
		case c <- text:
		default:
			delete(s.subs, c)
			close(c)
		}
	}
}

// subscribe returns a queue of events that begins with everything there is.
func (s *Server) subscribe() chan []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := make(chan []byte, 64)
	all := s.state
	all.Past = s.past
	if all.Busy != "" {
		all.Ms = time.Since(s.began).Milliseconds()
	}
	all.Log = append([]Entry{}, s.log[max(0, len(s.log)-maxLog):]...)
	c <- encode("hello", all)
	s.subs[c] = true
	return c
}

func (s *Server) unsubscribe(c chan []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.subs[c] {
		delete(s.subs, c)
		close(c)
	}
}

// encode writes a server-sent event; JSON has no line breaks of its own.
func encode(event string, data any) []byte {
	text, err := json.Marshal(data)
	if err != nil {
		panic("gulo: a session's state is no JSON: " + err.Error())
	}
	return []byte("event: " + event + "\ndata: " + string(text) + "\n\n")
}

// oneLine returns an error for text that is no command line.
func oneLine(line string) error {
	if strings.TrimSpace(line) == "" || strings.ContainsAny(line, "\r\n\x00") {
		return errors.New("a command is one line of text")
	}
	return nil
}
