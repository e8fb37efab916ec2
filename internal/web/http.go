package web

//go:generate go test . -run Bundle -update

import (
	"embed"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"path/filepath"
	"strconv"
	"time"

	"gulo/internal/session"
)

// This file answers requests: for the page's files, the state, and commands.

// assets is the page; app.js is made of ui.
//
//go:embed assets
var assets embed.FS

// asset is a file of a page.
type asset struct{ name, mime string }

// files are the page's files by path.
var files = map[string]asset{
	"/":          {"assets/index.html", "text/html; charset=utf-8"},
	"/app.js":    {"assets/app.js", "text/javascript; charset=utf-8"},
	"/style.css": {"assets/style.css", "text/css; charset=utf-8"},
	"/icon.svg":  {"assets/icon.svg", "image/svg+xml"},
}

// maxBody bounds what a page may send.
const maxBody = 64 << 10

// HTTP returns the server with limits for what strangers send.
func (s *Server) HTTP() *http.Server {
	return &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10}
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.gate.admits(w, r) || sendFile(w, r, files) {
		return
	}
	handlers := map[string]func(http.ResponseWriter, *http.Request){
		"GET /api/events": s.events, "GET /api/source": s.source, "POST /api/command": s.command,
		"POST /api/cancel": s.cancelled, "POST /api/look": s.look, "POST /api/complete": s.complete,
		"GET /api/moment": s.moment, "GET /api/share": s.share,
	}
	h, ok := handlers[r.Method+" "+r.URL.Path]
	if !ok {
		fail(w, http.StatusNotFound, "there is nothing here")
		return
	}
	h(w, r)
}

// admits reports whether a request may go on. It answers those that are refused and those of first visits itself.
func (g *gate) admits(w http.ResponseWriter, r *http.Request) bool {
	headers(w.Header())
	if why := refused(r); why != "" {
		fail(w, http.StatusForbidden, why)
		return false
	}
	if g.visit(w, r) {
		return false
	}
	if !g.known(r) {
		fail(w, http.StatusForbidden, "this page needs the whole address that gulo web printed, which works once; press Enter where gulo runs for a new one")
		return false
	}
	return true
}

// sendFile answers a request of a page's file.
func sendFile(w http.ResponseWriter, r *http.Request, list map[string]asset) bool {
	f, ok := list[r.URL.Path]
	if !ok || r.Method != http.MethodGet {
		return false
	}
	text, err := assets.ReadFile(f.name)
	if err != nil {
		panic("gulo: the page lacks a file: " + err.Error())
	}
	w.Header().Set("Content-Type", f.mime)
	_, _ = w.Write(text)
	return true
}

// visit gives the cookie to whoever brings an unused token, and leads to the address without the token. It returns
// false for other requests.
func (g *gate) visit(w http.ResponseWriter, r *http.Request) bool {
	t := r.URL.Query().Get("token")
	if r.URL.Path != "/" || r.Method != http.MethodGet || t == "" {
		return false
	}
	if g.redeem(t) {
		http.SetCookie(w, &http.Cookie{Name: cookieName(r), Value: g.secret, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	} else if !g.known(r) {
		return false
	}
	w.Header().Set("Location", "/")
	w.WriteHeader(http.StatusSeeOther)
	return true
}

func fail(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	_, _ = io.WriteString(w, text+"\n")
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// read decodes a request's body; what it does not know is an error.
func read(w http.ResponseWriter, r *http.Request, v any) bool {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		fail(w, http.StatusRequestEntityTooLarge, "the request is too long")
	case err != nil:
		fail(w, http.StatusBadRequest, "the request is not understood: "+err.Error())
	}
	return err == nil
}

// keepAlive is how often a silent connection says that it is there.
const keepAlive = 15 * time.Second

// events streams the state.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	out := http.NewResponseController(w)
	c := s.subscribe()
	defer s.unsubscribe(c)
	tick := time.NewTicker(keepAlive)
	defer tick.Stop()
	for {
		var text []byte
		select {
		case <-r.Context().Done():
			return
		case e, ok := <-c:
			if !ok {
				return
			}
			text = e
		case <-tick.C:
			text = []byte(": here\n\n")
		}
		if _, err := w.Write(text); err != nil {
			return
		}
		if err := out.Flush(); err != nil {
			return
		}
	}
}

// File is a source file of the program.
type File struct {
	Name  string              `json:"name"`
	Lines []string            `json:"lines"`
	Stops []session.Statement `json:"stops"` // where breakpoints can be
}

// source answers with the program's files; they do not change.
func (s *Server) source(w http.ResponseWriter, r *http.Request) {
	var out []File
	stops := map[string][]session.Statement{}
	for _, p := range s.ses.Stops() {
		stops[p.File] = append(stops[p.File], p)
	}
	for _, f := range s.ses.Sources() {
		if len(stops[f.Name]) == 0 {
			continue
		}
		x := File{Name: f.Name, Stops: stops[f.Name]}
		for i := 1; i <= f.Lines(); i++ {
			x.Lines = append(x.Lines, f.Line(i))
		}
		out = append(out, x)
	}
	answer(w, out)
}

// moment answers with an earlier state, whose picture is drawn where its nodes stand now.
func (s *Server) moment(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.URL.Query().Get("id"))
	if err != nil {
		fail(w, http.StatusBadRequest, "a moment is named by a number")
		return
	}
	s.mu.Lock()
	look := s.state.Look
	s.mu.Unlock()
	var v *session.View
	if !s.asked(w, r, &job{from: func() { v = s.ses.Moment(id, look) }}) {
		return
	}
	if v == nil {
		fail(w, http.StatusNotFound, "this state is not kept any more")
		return
	}
	answer(w, v)
}

// share answers with the session as a file to be kept.
func (s *Server) share(w http.ResponseWriter, r *http.Request) {
	var text, name string
	var err error
	if !s.asked(w, r, &job{from: func() { text, err = s.ses.Shared(); name = s.ses.View(session.Look{}).Program }}) {
		return
	}
	if err != nil {
		fail(w, http.StatusConflict, err.Error())
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": filepath.Base(name) + ".html"}))
	_, _ = io.WriteString(w, text)
}

// command executes a command line.
func (s *Server) command(w http.ResponseWriter, r *http.Request) {
	in := struct {
		Line string `json:"line"`
		Seq  *int   `json:"seq"` // the state that a gesture was made on
	}{}
	if !read(w, r, &in) {
		return
	}
	if err := oneLine(in.Line); err != nil {
		fail(w, http.StatusBadRequest, err.Error())
		return
	}
	j := &job{line: in.Line, seq: -1}
	if in.Seq != nil {
		j.seq = *in.Seq
	}
	if s.asked(w, r, j) {
		answer(w, j.entry)
	}
}

// asked has a job done. If that is not possible it answers the request with the reason.
func (s *Server) asked(w http.ResponseWriter, r *http.Request, j *job) bool {
	err := s.ask(r.Context(), j)
	switch {
	case err == nil:
		return true
	case errors.Is(err, errBusy), errors.Is(err, errStale):
		fail(w, http.StatusConflict, err.Error())
	case errors.Is(err, errOver):
		fail(w, http.StatusGone, err.Error())
	}
	return false // otherwise the page is gone
}

func (s *Server) cancelled(w http.ResponseWriter, r *http.Request) {
	if read(w, r, &struct{}{}) {
		s.Cancel()
		answer(w, struct{}{})
	}
}

// maxShown bounds the nodes that a page may ask for.
const maxShown = 2000

// look chooses which part of a large heap is shown.
func (s *Server) look(w http.ResponseWriter, r *http.Request) {
	in := struct {
		Nodes int `json:"nodes"`
		Focus int `json:"focus"`
	}{}
	if !read(w, r, &in) {
		return
	}
	l := session.Look{Nodes: max(0, min(in.Nodes, maxShown)), Focus: max(0, in.Focus)}
	if s.asked(w, r, &job{look: &l}) {
		answer(w, l)
	}
}

// complete answers with the completions of a line.
func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	in := struct {
		Line string `json:"line"`
	}{}
	if !read(w, r, &in) || in.Line == "" {
		return
	}
	j := &job{ask: in.Line}
	if s.asked(w, r, j) {
		answer(w, append([]string{}, j.words...))
	}
}
