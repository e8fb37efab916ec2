package check

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"gulo/internal/rules"
	"gulo/internal/source"
)

// This file runs a program under its native debugger and reads what it reports.

// native builds the program with instrumentation and runs it.
func native(ctx context.Context, r *Request, files []*rules.File) (*Report, error) {
	d, err := Build(ctx, files, map[string]string{"ts": r.Function}, r.Strict)
	if err != nil {
		return nil, err
	}
	tmp, err := os.MkdirTemp("", "gulo-check-")
	if err != nil {
		return nil, &ToolError{err.Error()}
	}
	defer os.RemoveAll(tmp)
	bin := filepath.Join(tmp, "program")
	link := append([]string{}, d.Objects()...)
	for i, f := range r.Files {
		obj := filepath.Join(tmp, fmt.Sprintf("f%d.o", i))
		if err := d.Compile(ctx, "", f, obj, r.Options.Flags); err != nil {
			return nil, err
		}
		link = append(link, obj)
	}
	if err := run(ctx, "", nil, Clang, append(link, "-lm", "-pthread", "-o", bin)...); err != nil {
		return nil, err
	}
	found := filepath.Join(tmp, "report")
	c := exec.CommandContext(ctx, bin, r.Args...)
	c.Stdin, c.Stdout, c.Stderr = r.Stdin, r.Stdout, r.Stderr
	c.Env = append(os.Environ(), "GULO_REPORT="+found)
	err = c.Run()
	if c.ProcessState == nil {
		return nil, &ToolError{err.Error()}
	}
	rep := &Report{Findings: []Finding{}, Exit: c.ProcessState.ExitCode()}
	if rep.Findings, err = reported(found); err != nil {
		return nil, err
	}
	if w, ok := c.ProcessState.Sys().(syscall.WaitStatus); ok && w.Signaled() && len(rep.Findings) == 0 {
		rep.Stopped, rep.Missed = fmt.Sprintf("the program was killed by signal %d (%v); no rule fired", w.Signal(), w.Signal()), true
	}
	return rep, nil
}

// site is a place as the runtime reports it.
type site struct {
	File, Function, What string
	Line, Column         int
}

// reported reads the lines that the runtime wrote.
func reported(path string) ([]Finding, error) {
	out := []Finding{}
	f, err := os.Open(path)
	if err != nil {
		return out, nil // nothing fired
	}
	defer f.Close()
	text := sourceLines{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var x struct {
			Rule        string
			At          site
			Size        int64
			Made, Ended *site
			Chains      []struct {
				Of    string
				Links []site
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			return nil, fmt.Errorf("the debugger's report is damaged: %v", err)
		}
		at := text.place(x.At)
		n := Finding{Rule: x.Rule, File: at.File, Line: at.Line, Column: x.At.Column, Function: at.Function, Text: at.Text, Chain: []Place{}}
		n.Message = what[x.Rule]
		if n.Message == "" {
			n.Message = "the rule holds"
		}
		if x.Made != nil {
			n.Message += fmt.Sprintf(": a block of %d bytes made at %s:%d", x.Size, short(x.Made.File), x.Made.Line)
			if x.Ended != nil {
				n.Message += fmt.Sprintf(", ended at %s:%d", short(x.Ended.File), x.Ended.Line)
			}
		}
		for i, c := range x.Chains {
			var links []Place
			for _, l := range c.Links {
				links = append(links, text.place(l))
			}
			if i == 0 {
				n.Chain = append(n.Chain, links...)
			} else {
				n.Others = append(n.Others, Chain{c.Of, links})
			}
		}
		out = append(out, n)
	}
	return out, lines.Err()
}

// short names a file from where the user is.
func short(name string) string {
	wd, err := os.Getwd()
	if err != nil {
		return name
	}
	if r, err := filepath.Rel(wd, name); err == nil && !strings.HasPrefix(r, "..") {
		return r
	}
	return name
}

// sourceLines keeps files that reports quote.
type sourceLines map[string]*source.File

func (t sourceLines) place(s site) Place {
	f, ok := t[s.File]
	if !ok {
		f, _ = source.ReadFile(s.File)
		t[s.File] = f
	}
	out := Place{File: short(s.File), Line: s.Line, Function: s.Function, What: s.What}
	if f != nil {
		out.Text = strings.TrimSpace(f.Line(s.Line))
	}
	return out
}
