// Package share writes a session as one HTML file that needs nothing else: the source, a picture of every state that
// the run came through, and a time line to go through them. Without script the file still shows the source, the last
// picture, and a link to every other one.
package share

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"

	"gulo/internal/draw"
)

// Session is what the file shows.
type Session struct {
	Program string   // its name
	Files   []File   // of the source, the one with main first
	Moments []Moment // in order; the last one is what the session shows now
	Diff    string   // of the repair in use; empty for none
	Output  string   // of the program
	Left    int      // earlier moments that are not kept
}

// File is a source file.
type File struct {
	Name  string
	Lines []string
}

// Moment is a state of the run.
type Moment struct {
	Number  int    // from 1
	Command string // that led to it
	Says    string // where the program stands, and what happened
	Kind    string // asserted, changed, repaired; empty for the rest
	File    int    // of the next statement, in Files; negative for none
	Line    int    // from 1; 0 for none
	Picture *draw.Picture
}

var (
	//go:embed share.html
	page string
	//go:embed share.css
	style string
	//go:embed share.js
	script string
)

var tmpl = template.Must(template.New("share").Parse(page))

// hash returns a source for the content security policy, which allows this text as a style or script, and no other.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// shown is a moment as the template takes it.
type shown struct {
	Moment
	SVG  template.HTML
	Last bool
}

// Write writes the file. Everything that comes from the program is escaped.
func Write(w io.Writer, s *Session) error {
	all := draw.Style + style
	list := make([]shown, len(s.Moments))
	for i, m := range s.Moments {
		list[i] = shown{Moment: m, Last: i == len(s.Moments)-1}
		if m.Picture != nil {
			list[i].SVG = template.HTML(m.Picture.Markup("memory, state " + m.Says))
		}
	}
	return tmpl.Execute(w, map[string]any{
		"S": s, "Moments": list, "Heads": template.HTML(draw.Heads), "Style": template.CSS(all), "Script": template.JS(script),
		"Policy": "default-src 'none'; style-src " + hash(all) + "; script-src " + hash(script) + "; base-uri 'none'; form-action 'none'",
	})
}
