package dap

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-dap"
)

// This file handles breakpoints of lines, functions, data, and memory rules.

func unmarshal(text json.RawMessage, v any) error {
	if len(text) == 0 {
		return nil
	}
	return json.Unmarshal(text, v)
}

func (a *adapter) breakpoints(ctx context.Context, m dap.Message) error {
	switch m := m.(type) {
	case *dap.SetBreakpointsRequest:
		return a.setLines(ctx, m)
	case *dap.SetFunctionBreakpointsRequest:
		a.remove(ctx, a.funcs)
		a.funcs = nil
		out := []dap.Breakpoint{}
		for _, f := range m.Arguments.Breakpoints {
			b := a.set(ctx, f.Name, f.Condition, f.HitCondition)
			if b.Verified {
				a.funcs = append(a.funcs, f.Name)
			}
			out = append(out, b)
		}
		a.reply(&m.Request, &dap.SetFunctionBreakpointsResponse{Body: dap.SetFunctionBreakpointsResponseBody{Breakpoints: out}})
	case *dap.BreakpointLocationsRequest:
		a.locations(m)
	case *dap.DataBreakpointInfoRequest:
		return a.dataInfo(m)
	case *dap.SetDataBreakpointsRequest:
		a.setData(ctx, m)
	case *dap.SetExceptionBreakpointsRequest:
		a.setRules(ctx, m)
	default:
		return errOther
	}
	return nil
}

// file returns the program's name for a file of the client's.
func (a *adapter) file(s dap.Source) (string, bool) {
	for _, f := range a.ses.Sources() {
		if same(f.Name, s.Path) || s.Path == "" && filepath.Base(f.Name) == s.Name {
			return f.Name, true
		}
	}
	return "", false
}

func (a *adapter) setLines(ctx context.Context, m *dap.SetBreakpointsRequest) error {
	out := []dap.Breakpoint{}
	name, ok := a.file(m.Arguments.Source)
	if ok {
		a.remove(ctx, a.breaks[name])
		a.breaks[name] = nil
		maps.DeleteFunc(a.logs, func(at, _ string) bool { return strings.HasPrefix(at, place(source(name).Path, 0)) })
	}
	for _, s := range m.Arguments.Breakpoints {
		if !ok {
			out = append(out, dap.Breakpoint{Message: "the program has no such file", Line: s.Line})
			continue
		}
		at := fmt.Sprintf("%s:%d", name, s.Line)
		b := a.set(ctx, at, s.Condition, s.HitCondition)
		if b.Verified {
			a.breaks[name] = append(a.breaks[name], at)
			if s.LogMessage != "" && b.Source != nil {
				a.logs[place(b.Source.Path, b.Line)] = s.LogMessage
			}
		}
		out = append(out, b)
	}
	a.reply(&m.Request, &dap.SetBreakpointsResponse{Body: dap.SetBreakpointsResponseBody{Breakpoints: out}})
	return nil
}

func (a *adapter) remove(ctx context.Context, places []string) {
	for _, p := range places {
		_, _ = a.exec(ctx, "break -"+p) // two of the client's may be one of the session's
	}
}

// hitCount matches a hit condition: a number, perhaps after >=. The program halts from that visit on.
var hitCount = regexp.MustCompile(`^\s*(?:>=)?\s*([1-9][0-9]*)\s*$`)

// madeAt matches the answer of break.
var madeAt = regexp.MustCompile(`^breakpoint at (.*):([0-9]+): `)

// set sets a breakpoint; it says where it is, or why there is none.
func (a *adapter) set(ctx context.Context, at, cond, hits string) dap.Breakpoint {
	line := "break " + at
	if strings.ContainsAny(cond, ";#\n") {
		return dap.Breakpoint{Message: "a condition is one expression"}
	}
	if cond != "" {
		line += " if " + cond
	}
	if hits != "" {
		n := hitCount.FindStringSubmatch(hits)
		if n == nil {
			return dap.Breakpoint{Message: fmt.Sprintf("the hit count is a number, not %q", hits)}
		}
		line += " times " + n[1]
	}
	text, err := a.exec(ctx, line)
	if err != nil {
		return dap.Breakpoint{Message: err.Error()}
	}
	b := dap.Breakpoint{Verified: true}
	if p := madeAt.FindStringSubmatch(text); p != nil {
		_, _ = fmt.Sscan(p[2], &b.Line)
		b.Source = source(p[1])
	}
	return b
}

func (a *adapter) locations(m *dap.BreakpointLocationsRequest) {
	r := &dap.BreakpointLocationsResponse{}
	r.Body.Breakpoints = []dap.BreakpointLocation{}
	x := m.Arguments
	if name, ok := a.file(x.Source); ok {
		for _, p := range a.ses.Stops() {
			if p.File == name && p.Line >= x.Line && p.Line <= max(x.Line, x.EndLine) {
				r.Body.Breakpoints = append(r.Body.Breakpoints, dap.BreakpointLocation{Line: p.Line, Column: p.Column, EndLine: p.EndLine, EndColumn: p.EndColumn})
			}
		}
	}
	a.reply(&m.Request, r)
}

// dataInfo says whether an entity can be watched; its key is the breakpoint's id.
func (a *adapter) dataInfo(m *dap.DataBreakpointInfoRequest) error {
	key := m.Arguments.Name
	if n := m.Arguments.VariablesReference; n > 0 {
		list, err := a.members(n)
		if err != nil {
			return err
		}
		key = ""
		for _, v := range list {
			if v.Name == m.Arguments.Name {
				key = v.EvaluateName
			}
		}
	}
	r := &dap.DataBreakpointInfoResponse{}
	r.Body.Description = m.Arguments.Name + " has no value that can be watched"
	if key != "" && a.entity(key) {
		r.Body.DataId, r.Body.Description = key, key
		r.Body.AccessTypes = []dap.DataBreakpointAccessType{"write"}
	}
	a.reply(&m.Request, r)
	return nil
}

func (a *adapter) entity(key string) bool {
	g := a.ses.Graph()
	if g == nil {
		return false
	}
	c, ok := g.Cell(key)
	return ok && c.Type.IsScalar()
}

func (a *adapter) setData(ctx context.Context, m *dap.SetDataBreakpointsRequest) {
	for _, key := range a.data {
		_, _ = a.exec(ctx, "watch -"+key) // it may be gone with its function
	}
	a.data = nil
	r := &dap.SetDataBreakpointsResponse{}
	r.Body.Breakpoints = []dap.Breakpoint{}
	for _, d := range m.Arguments.Breakpoints {
		b := dap.Breakpoint{Verified: true}
		if d.Condition != "" || d.HitCondition != "" {
			b = dap.Breakpoint{Message: "data breakpoints have no conditions"}
		} else if _, err := a.exec(ctx, "watch "+d.DataId); err != nil {
			b = dap.Breakpoint{Message: err.Error()}
		} else {
			a.data = append(a.data, d.DataId)
		}
		r.Body.Breakpoints = append(r.Body.Breakpoints, b)
	}
	a.reply(&m.Request, r)
}

// setRules switches the memory rules on and off.
func (a *adapter) setRules(ctx context.Context, m *dap.SetExceptionBreakpointsRequest) {
	r := &dap.SetExceptionBreakpointsResponse{}
	if a.launch.Rules {
		for _, n := range a.cfg.Rules {
			state := "off"
			if slices.Contains(m.Arguments.Filters, n) {
				state = "on"
			}
			_, _ = a.exec(ctx, "rules "+state+" "+n) // a rule file of the user's may lack it
		}
	}
	for range m.Arguments.Filters {
		b := dap.Breakpoint{Verified: a.launch.Rules}
		if !a.launch.Rules {
			b.Message = "memory rules are asked when the launch configuration has \"rules\": true"
		}
		r.Body.Breakpoints = append(r.Body.Breakpoints, b)
	}
	a.reply(&m.Request, r)
}

// source is a file as clients name it.
func source(name string) *dap.Source {
	path, err := filepath.Abs(name)
	if err != nil {
		path = name
	}
	return &dap.Source{Name: filepath.Base(name), Path: path}
}
