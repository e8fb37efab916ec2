package textedit

import (
	"fmt"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file lists messages that a program does not print yet, as the wanted output shows them, each under a condition.

// Bounds.
const (
	mostReports  = 40 // messages at one place
	mostReported = 2  // different messages
	mostWhere    = 14 // conditions
)

// reports lists ifs that print a missing line and leave the function or the loop. The line is the one that the wanted
// output has where the outputs first differ.
func (s *facts) reports(p place, f *source.File, at int, vars []*cfront.Var) (out []string) {
	texts := s.reported()
	if len(texts) == 0 {
		return nil
	}
	var ways []string
	switch t := p.fn.Type.Result; {
	case t == nil || t.Kind == ctype.Void:
		ways = []string{"return;"}
	case p.fn.Name == "main" && p.loop == nil:
		ways = []string{"return 0;"}
	case t.IsInteger() && p.fn.Name != "main":
		ways = []string{"return 0;", "return -1;"}
	case t.Kind == ctype.Pointer:
		ways = []string{"return NULL;"}
	}
	if p.loop != nil {
		ways = append(ways, "continue;", "break;")
	}
	in := "\n" + p.indent + step(f)
	conds := s.conditionsAt(p.fn, f, at)
	conds = append(s.atEnds(p, vars), conds[:min(len(conds), mostWhere)]...)
	for _, way := range ways {
		for _, c := range conds {
			for _, t := range texts {
				out = append(out, fmt.Sprintf("if (%s) {%s%s%s%s\n%s}", c, in, t, in, way, p.indent))
			}
		}
	}
	return out
}

// atEnds lists conditions that something is missing: pointers and numbers of the program that are NULL or 0.
func (s *facts) atEnds(p place, vars []*cfront.Var) (out []string) {
	for _, e := range s.endsAt(p.fn, vars) {
		if len(out) == mostWhere/2 {
			break
		}
		if e.t.Kind == ctype.Pointer {
			out = append(out, e.text+" == NULL")
		} else {
			out = append(out, e.text+" == 0")
		}
	}
	return out
}

// reported returns statements that print the line of the wanted output where the outputs first differ. Lines with
// digits are left out.
func (s *facts) reported() []string {
	if s.printing != nil {
		return s.printing
	}
	s.printing = []string{}
	for _, h := range s.printed {
		line := h.missing()
		if line == "" || strings.ContainsAny(line, "0123456789") || len(s.printing) == mostReported {
			continue
		}
		t := `printf("` + escaped(line) + `");`
		if !containsText(s.printing, t) && s.library("printf") {
			s.printing = append(s.printing, t)
		}
	}
	return s.printing
}

func containsText(list []string, t string) bool {
	for _, x := range list {
		if x == t {
			return true
		}
	}
	return false
}

// missing returns the line of the wanted output that contains the first difference; "" if the program printed all that
// is wanted, or if the line is blank or long.
func (p *Printed) missing() string {
	part := 0
	for part < len(p.Got) && part < len(p.Want) && p.Got[part] == p.Want[part] {
		part++
	}
	if part == len(p.Want) {
		return ""
	}
	from := strings.LastIndexByte(p.Want[:part], '\n') + 1
	n := strings.IndexByte(p.Want[from:], '\n')
	if n < 0 {
		n = len(p.Want) - from - 1
	}
	if line := p.Want[from : from+n+1]; len(line) <= mostReplaced && strings.TrimSpace(line) != "" {
		return line
	}
	return ""
}
