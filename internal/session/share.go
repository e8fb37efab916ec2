package session

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"gulo/internal/draw"
	"gulo/internal/process"
	"gulo/internal/share"
	"gulo/internal/source"
)

// share writes the session as one HTML file.
func (s *Session) share(_ context.Context, file string) error {
	if file == "" {
		return errorf("share wants the name of the HTML file to write, as in: share session.html")
	}
	if slices.ContainsFunc(s.Sources(), func(f *source.File) bool { return same(file, f.Name) }) {
		return errorf("%s is a file under debug; give another name", file)
	}
	text, err := s.Shared()
	if err != nil {
		return err
	}
	if err := process.WriteFile(file, []byte(text), 0o644); err != nil {
		return errorf("cannot write the session: %v", err)
	}
	s.printf("wrote %s; it needs no gulo to be read\n", file)
	return nil
}

// Shared is the session as one HTML file.
func (s *Session) Shared() (string, error) {
	if len(s.trail.list) == 0 {
		return "", errorf("there is nothing to share yet; use start")
	}
	diff, err := s.inForceDiff()
	if err != nil {
		return "", errorf("%v", err)
	}
	out := &share.Session{Program: filepath.Base(s.cfg.Name), Output: s.wrote, Diff: diff}
	stops := map[string]bool{}
	for _, p := range s.Stops() {
		stops[p.File] = true
	}
	at := map[string]int{}
	for _, f := range s.Sources() {
		if !stops[f.Name] {
			continue
		}
		x := share.File{Name: filepath.Base(f.Name)}
		for i := 1; i <= f.Lines(); i++ {
			x.Lines = append(x.Lines, f.Line(i))
		}
		if n := len(x.Lines); n > 0 && x.Lines[n-1] == "" {
			x.Lines = x.Lines[:n-1] // the last line has an end, and nothing follows it
		}
		at[f.Name] = len(out.Files)
		out.Files = append(out.Files, x)
	}
	var layout draw.Layout // one layout for all, so that each node keeps its place
	for i := range s.trail.list {
		m := &s.trail.list[i]
		v := m.seen(&layout, Look{})
		x := share.Moment{Number: i + 1, Command: m.Command, Says: says(v), Kind: m.Kind, File: -1, Picture: v.Picture}
		if v.Place != nil {
			if k, ok := at[v.Place.File]; ok {
				x.File, x.Line = k, v.Place.Line
			}
		}
		out.Moments = append(out.Moments, x)
	}
	out.Left = s.trail.left
	var b strings.Builder
	if err := share.Write(&b, out); err != nil {
		return "", errorf("cannot write the session: %v", err)
	}
	return b.String(), nil
}

// says describes where the program stands at a moment.
func says(v *View) string {
	switch {
	case v.Message != "":
		return v.Message
	case v.State == "ready":
		return "before the start"
	case v.Place == nil:
		return v.State
	}
	text := v.Place.Text
	if v.Place.Kind == "end" {
		text = "end of " + v.Place.Function
	}
	return fmt.Sprintf("%s, line %d: %s", v.Place.Function, v.Place.Line, text)
}
