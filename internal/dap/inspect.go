package dap

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gulo/internal/session"

	"github.com/google/go-dap"
)

// This file handles requests that look: at the stack, variables, expressions, memory.

// ref is what a variablesReference stands for: the variables of a frame (-1 for globals),
// or the members of a node or variable.
type ref struct {
	frame int
	name  string // of a node or variable; empty for a frame
	heap  bool   // all nodes
}

// refer returns the number of a reference; equal ones have one number until the
// program moves.
func (a *adapter) refer(r ref) int {
	i := slices.Index(a.refs, r)
	if i < 0 {
		i = len(a.refs)
		a.refs = append(a.refs, r)
	}
	return a.pastRefs + i + 1
}

// forget invalidates the references, since the program has moved or was changed. Their numbers are not used again, so
// that a client that asks late is not shown something else.
func (a *adapter) forget() {
	a.pastRefs += len(a.refs)
	a.refs = nil
}

// errLate is the error for variables of a moment that has passed. Editors ask for these when the user steps fast, and
// then ask for the new ones. The answer is no variables, since an error would be shown to the user.
var errLate = errors.New("the program has moved")

func (a *adapter) inspect(ctx context.Context, m dap.Message) error {
	switch m := m.(type) {
	case *dap.StackTraceRequest:
		a.stack(m)
	case *dap.ScopesRequest:
		scopes := []dap.Scope{
			{Name: "Locals", PresentationHint: "locals", VariablesReference: a.refer(ref{frame: m.Arguments.FrameId - 1})}, // of other threads: none
			{Name: "Globals", VariablesReference: a.refer(ref{frame: -1})},
			{Name: "Heap", VariablesReference: a.refer(ref{heap: true})},
		}
		a.reply(&m.Request, &dap.ScopesResponse{Body: dap.ScopesResponseBody{Scopes: scopes}})
	case *dap.VariablesRequest:
		list, err := a.members(m.Arguments.VariablesReference)
		if errors.Is(err, errLate) {
			list, err = []dap.Variable{}, nil
		}
		if err != nil {
			return err
		}
		a.reply(&m.Request, &dap.VariablesResponse{Body: dap.VariablesResponseBody{Variables: list}})
	case *dap.SetVariableRequest:
		return a.setVariable(ctx, m)
	case *dap.SetExpressionRequest:
		if _, err := a.exec(ctx, "change "+m.Arguments.Expression+" "+m.Arguments.Value); err != nil {
			return err
		}
		v, err := a.evaluated(m.Arguments.Expression)
		if err != nil {
			return err
		}
		a.reply(&m.Request, &dap.SetExpressionResponse{Body: dap.SetExpressionResponseBody{Value: v.Value, Type: v.Type, VariablesReference: v.VariablesReference}})
	case *dap.EvaluateRequest:
		return a.evaluate(ctx, m)
	case *dap.CompletionsRequest:
		a.completions(m)
	case *dap.ReadMemoryRequest:
		return a.readMemory(m)
	case *dap.LoadedSourcesRequest:
		r := &dap.LoadedSourcesResponse{}
		for _, f := range a.ses.Sources() {
			r.Body.Sources = append(r.Body.Sources, *source(f.Name))
		}
		a.reply(&m.Request, r)
	case *dap.SourceRequest:
		return errors.New("the sources are files; they have no reference")
	case *dap.ExceptionInfoRequest:
		v := a.state()
		if v.State != "crashed" {
			return errors.New("the program has not crashed")
		}
		a.reply(&m.Request, &dap.ExceptionInfoResponse{Body: dap.ExceptionInfoResponseBody{ExceptionId: "crash", Description: v.Message, BreakMode: "always"}})
	default:
		return errOther
	}
	return nil
}

// threadFrames is more than the number of frames shown of a thread. Frames of threads other than the stepped one have
// numbers from threadFrames times the thread's number on. Only their places are known.
const threadFrames = 1 << 16

func (a *adapter) stack(m *dap.StackTraceRequest) {
	r := &dap.StackTraceResponse{}
	r.Body.StackFrames = []dap.StackFrame{}
	frames, first := a.state().Frames, 1
	for _, t := range a.state().Threads {
		if t.Number == m.Arguments.ThreadId && t.Number != a.state().Thread {
			frames, first = t.Frames, 1+t.Number*threadFrames
		}
	}
	r.Body.TotalFrames = len(frames)
	for i, f := range frames {
		if i < m.Arguments.StartFrame || m.Arguments.Levels > 0 && i >= m.Arguments.StartFrame+m.Arguments.Levels {
			continue
		}
		x := dap.StackFrame{Id: first + i, Name: f.Function}
		if p := f.Place; p != nil {
			x.Source, x.Line, x.Column, x.EndLine, x.EndColumn = source(p.File), p.Line, p.Column, p.EndLine, p.EndColumn
		}
		r.Body.StackFrames = append(r.Body.StackFrames, x)
	}
	a.reply(&m.Request, r)
}

// maxMembers bounds the variables of one answer.
const maxMembers = 2000

// members lists the variables that a reference stands for.
func (a *adapter) members(n int) ([]dap.Variable, error) {
	i := n - a.pastRefs - 1
	if n > 0 && i < 0 {
		return nil, fmt.Errorf("there are no variables %d here: %w", n, errLate)
	}
	if n < 1 || i >= len(a.refs) {
		return nil, fmt.Errorf("there are no variables %d", n)
	}
	g := a.ses.Graph()
	out := []dap.Variable{}
	if g == nil {
		return out, nil
	}
	r := a.refs[i]
	for _, v := range g.Vars {
		switch {
		case r.name == "" && !r.heap && v.Frame == r.frame && len(v.Cells) == 1 && v.Cells[0].Field == "":
			x := a.cell(v.Cells[0].Key, v.Cells[0].Key, v.Cells[0].Value.String(), v.Cells[0].Type.String())
			out = append(out, x)
		case r.name == "" && !r.heap && v.Frame == r.frame && len(v.Cells) > 0:
			var parts []string
			for _, c := range v.Cells[:min(len(v.Cells), 8)] {
				parts = append(parts, c.Value.String())
			}
			out = append(out, dap.Variable{Name: v.Name, EvaluateName: v.Name, Value: "{" + strings.Join(parts, ", ") + "}", Type: v.Var.Type.String(), VariablesReference: a.refer(ref{name: v.Name})})
		case r.name == v.Name:
			for _, c := range v.Cells {
				out = append(out, a.cell(strings.TrimPrefix(c.Field, "."), c.Key, c.Value.String(), c.Type.String()))
			}
		}
	}
	for _, k := range g.Nodes {
		switch {
		case r.heap && len(out) < maxMembers:
			text := "unreachable"
			if k.Met {
				text = "of no known type"
			}
			if k.Type != nil {
				text = k.Type.String()
			}
			if !k.Live {
				text += ", freed"
			}
			out = append(out, dap.Variable{Name: k.Name(), Value: text, VariablesReference: a.refer(ref{name: k.Name()}), MemoryReference: fmt.Sprintf("%#x", k.Addr)})
		case r.name == k.Name():
			for _, c := range k.Cells {
				out = append(out, a.cell(c.Field, c.Key, c.Value.String(), c.Type.String()))
			}
		}
	}
	if r.name != "" && len(out) == 0 {
		for _, k := range g.Lost {
			if r.name == k.Name() {
				for _, c := range k.Cells {
					out = append(out, a.cell(c.Field, c.Key, c.Value.String(), c.Type.String()))
				}
			}
		}
	}
	return out, nil
}

// cell returns an entity as a variable; a pointer to a node has the node's members.
func (a *adapter) cell(name, key, value, typ string) dap.Variable {
	v := dap.Variable{Name: name, EvaluateName: key, Value: value, Type: typ}
	if n, ok := a.ses.Graph().Node(value); ok {
		v.VariablesReference = a.refer(ref{name: value})
		v.MemoryReference = fmt.Sprintf("%#x", n.Addr)
	}
	return v
}

func (a *adapter) setVariable(ctx context.Context, m *dap.SetVariableRequest) error {
	list, err := a.members(m.Arguments.VariablesReference)
	if err != nil {
		return err
	}
	for _, v := range list {
		if v.Name != m.Arguments.Name {
			continue
		}
		if v.EvaluateName == "" {
			return fmt.Errorf("%s cannot be changed as a whole", v.Name)
		}
		if _, err := a.exec(ctx, "change "+v.EvaluateName+" "+m.Arguments.Value); err != nil {
			return err
		}
		x, err := a.evaluated(v.EvaluateName)
		if err != nil {
			return err
		}
		a.reply(&m.Request, &dap.SetVariableResponse{Body: dap.SetVariableResponseBody{Value: x.Value, Type: x.Type, VariablesReference: x.VariablesReference}})
		return nil
	}
	return fmt.Errorf("no variable %s here", m.Arguments.Name)
}

// evaluated is the value of an entity or expression.
func (a *adapter) evaluated(x string) (dap.Variable, error) {
	if g := a.ses.Graph(); g != nil {
		if c, ok := g.Cell(x); ok {
			return a.cell(x, x, c.Value.String(), c.Type.String()), nil
		}
	}
	text, _, err := a.ses.Exec(a.ctx, "print "+x)
	if err != nil {
		return dap.Variable{}, err
	}
	value := strings.TrimSuffix(strings.TrimPrefix(text, x+" = "), "\n")
	return a.cell(x, "", value, ""), nil
}

// evaluate prints an expression; what is typed into the console may be any command.
func (a *adapter) evaluate(ctx context.Context, m *dap.EvaluateRequest) error {
	x := m.Arguments.Expression
	r := &dap.EvaluateResponse{}
	if m.Arguments.Context == "repl" && isCommand(x) {
		was := a.where()
		text, err := a.exec(ctx, x)
		if err != nil {
			return err
		}
		r.Body.Result = strings.TrimSuffix(text, "\n")
		a.reply(&m.Request, r)
		a.refresh(was)
		return nil
	}
	if strings.ContainsAny(x, ";#\n") {
		return errors.New("an expression has no semicolon")
	}
	v, err := a.evaluated(x)
	if err != nil {
		return err
	}
	r.Body = dap.EvaluateResponseBody{Result: v.Value, Type: v.Type, VariablesReference: v.VariablesReference, MemoryReference: v.MemoryReference}
	a.reply(&m.Request, r)
	return nil
}

// isCommand reports whether a line begins with the full name of a command; quit is not
// one here, the client ends the session.
func isCommand(line string) bool {
	f := strings.Fields(line)
	if len(f) == 0 || f[0] == "quit" {
		return false
	}
	for _, c := range session.Commands() {
		if c.Name == f[0] {
			return true
		}
	}
	return false
}

func (a *adapter) completions(m *dap.CompletionsRequest) {
	r := &dap.CompletionsResponse{}
	r.Body.Targets = []dap.CompletionItem{}
	text := []rune(m.Arguments.Text)
	line := string(text[:min(max(m.Arguments.Column-1, 0), len(text))])
	start := strings.LastIndexAny(line, "; ") + 1
	for _, w := range a.ses.Words(line) {
		word := w[start:]
		r.Body.Targets = append(r.Body.Targets, dap.CompletionItem{Label: word, Start: len([]rune(line[:start])), Length: len([]rune(line[start:]))})
	}
	a.reply(&m.Request, r)
}

func (a *adapter) readMemory(m *dap.ReadMemoryRequest) error {
	addr, err := strconv.ParseUint(m.Arguments.MemoryReference, 0, 64)
	if err != nil {
		return fmt.Errorf("%q is no address", m.Arguments.MemoryReference)
	}
	at := addr + uint64(m.Arguments.Offset)
	r := &dap.ReadMemoryResponse{}
	r.Body.Address = fmt.Sprintf("%#x", at)
	if data, ok := a.ses.Memory(at, m.Arguments.Count); ok {
		r.Body.Data = base64.StdEncoding.EncodeToString(data)
	} else {
		r.Body.UnreadableBytes = m.Arguments.Count
	}
	a.reply(&m.Request, r)
	return nil
}
