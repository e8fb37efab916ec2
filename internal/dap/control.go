package dap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"gulo/internal/session"

	"github.com/google/go-dap"
)

// This file handles requests that begin, move and end the program.

// errNoProgram is for requests before launch.
var errNoProgram = errors.New("no program was launched")

// handle carries out a request; more is false after the last.
func (a *adapter) handle(m dap.Message) (more bool) {
	ctx, cancel := context.WithCancel(a.ctx)
	defer cancel()
	rm, ok := m.(dap.RequestMessage)
	if !ok {
		return true
	}
	r := rm.GetRequest()
	a.mu.Lock()
	a.cancel, a.current = cancel, 0
	if isLong(m) {
		a.current = r.Seq
	}
	a.mu.Unlock()
	defer func() {
		a.mu.Lock()
		a.cancel, a.current = nil, 0
		a.mu.Unlock()
	}()
	var err error
	switch m := m.(type) {
	case *dap.InitializeRequest:
		a.reply(r, &dap.InitializeResponse{Body: a.capabilities()})
	case *dap.LaunchRequest:
		err = a.launched(m)
	case *dap.AttachRequest:
		err = a.attached(m)
	case *dap.ConfigurationDoneRequest:
		err = a.configured(ctx, m)
	case *dap.TerminateRequest:
		if a.launch.Process != 0 {
			err = fmt.Errorf("process %d was not started here and is not ended; disconnect leaves it running", a.launch.Process)
			break
		}
		a.reply(r, &dap.TerminateResponse{})
		a.terminated()
	case *dap.DisconnectRequest:
		a.reply(r, &dap.DisconnectResponse{})
		return false
	case *dap.CancelRequest:
		a.reply(r, &dap.CancelResponse{}) // the reader has stopped what was going on
	case *dap.ThreadsRequest:
		a.reply(r, &dap.ThreadsResponse{Body: dap.ThreadsResponseBody{Threads: a.threads()}})
	default:
		if a.ses == nil {
			err = errNoProgram
			break
		}
		if err = a.breakpoints(ctx, m); errors.Is(err, errOther) {
			err = a.inspect(ctx, m)
		}
		if errors.Is(err, errOther) {
			err = a.move(ctx, m)
		}
	}
	if errors.Is(err, errOther) {
		err = fmt.Errorf("%s is not supported", r.Command)
	}
	if err != nil {
		a.fail(r, err)
	}
	return a.failure() == nil
}

// isLong reports whether a request runs the program or a search, so that it can be cancelled.
func isLong(m dap.Message) bool {
	switch m.(type) {
	case *dap.ConfigurationDoneRequest, *dap.ContinueRequest, *dap.NextRequest, *dap.StepInRequest, *dap.StepOutRequest, *dap.StepBackRequest,
		*dap.ReverseContinueRequest, *dap.RestartRequest, *dap.EvaluateRequest, *customRequest:
		return true
	}
	return false
}

// errOther is the error of a group of requests for one that is not its own.
var errOther = errors.New("another request")

func (a *adapter) capabilities() dap.Capabilities {
	c := dap.Capabilities{
		SupportsConfigurationDoneRequest: true, SupportsFunctionBreakpoints: true, SupportsConditionalBreakpoints: true,
		SupportsHitConditionalBreakpoints: true, SupportsLogPoints: true, SupportsEvaluateForHovers: true, SupportsStepBack: true, SupportsSetVariable: true,
		SupportsCompletionsRequest: true, SupportsRestartRequest: true, SupportsExceptionInfoRequest: true, SupportsSetExpression: true,
		SupportsLoadedSourcesRequest: true, SupportsTerminateRequest: true, SupportsDataBreakpoints: true, SupportsReadMemoryRequest: true,
		SupportsCancelRequest: true, SupportsBreakpointLocationsRequest: true, SupportTerminateDebuggee: true,
		SupportsGotoTargetsRequest: true,
	}
	for _, n := range a.cfg.Rules {
		c.ExceptionBreakpointFilters = append(c.ExceptionBreakpointFilters, dap.ExceptionBreakpointsFilter{Filter: n, Label: strings.ReplaceAll(n, "_", " "), Default: true,
			Description: "memory rule; asked when the launch configuration has \"rules\": true"})
	}
	return c
}

func (a *adapter) launched(m *dap.LaunchRequest) error {
	if err := a.configuration(m.Arguments); err != nil {
		return err
	}
	if a.launch.Process != 0 {
		return errors.New("processId belongs to an attach configuration")
	}
	if len(a.launch.Program) == 0 && a.launch.Core == "" && a.launch.Build == "" {
		return errors.New("the launch configuration has no program: the C file, an array of them, or what gcc made of them")
	}
	return a.opened(&m.Request, &dap.LaunchResponse{})
}

// attached opens a process that runs already.
func (a *adapter) attached(m *dap.AttachRequest) error {
	if err := a.configuration(m.Arguments); err != nil {
		return err
	}
	if a.launch.Process <= 0 {
		return errors.New("the attach configuration has no processId: the number of the process")
	}
	return a.opened(&m.Request, &dap.AttachResponse{})
}

func (a *adapter) configuration(text json.RawMessage) error {
	if a.ses != nil {
		return errors.New("a program was launched already")
	}
	a.launch = Launch{}
	if err := unmarshal(text, &a.launch); err != nil {
		return fmt.Errorf("the configuration is not understood: %w", err)
	}
	return nil
}

// opened opens the session and tells the client that breakpoints can be set.
func (a *adapter) opened(r *dap.Request, answer dap.ResponseMessage) error {
	var notes strings.Builder
	a.launch.Notes = &notes
	ses, err := a.cfg.Open(a.ctx, &a.launch) // the program belongs to the adapter, not to the request
	if notes.Len() > 0 {
		a.say("console", notes.String())
	}
	if err != nil {
		return err
	}
	a.mu.Lock()
	a.ses = ses
	a.mu.Unlock()
	a.reply(r, answer)
	a.send(&dap.InitializedEvent{Event: event("initialized")})
	return nil
}

// configured starts the program: the client has set its breakpoints.
func (a *adapter) configured(ctx context.Context, m *dap.ConfigurationDoneRequest) error {
	if a.ses == nil {
		return errNoProgram
	}
	a.reply(&m.Request, &dap.ConfigurationDoneResponse{})
	a.begin(ctx)
	return nil
}

// begin runs the program from its start.
func (a *adapter) begin(ctx context.Context) {
	a.wrote, a.started = 0, true
	if _, err := a.exec(ctx, "start"); err != nil {
		a.say("stderr", err.Error()+"\n")
		a.terminated()
		return
	}
	if a.launch.StopOnEntry || a.halted() || a.launch.Process != 0 || a.launch.Core != "" {
		a.stopped("entry")
		return
	}
	if _, err := a.past(ctx, "continue", "continue", 0); err != nil {
		a.say("stderr", err.Error()+"\n")
	}
	a.stopped("breakpoint")
}

// halted reports whether the program stands at a breakpoint.
func (a *adapter) halted() bool {
	v := a.state()
	return v.Place != nil && slices.ContainsFunc(v.Breakpoints, func(p session.Statement) bool {
		return p.File == v.Place.File && p.Line == v.Place.Line && p.Text == v.Place.Text
	})
}

func (a *adapter) terminated() {
	if a.over {
		return
	}
	a.over = true
	a.send(&dap.TerminatedEvent{Event: event("terminated")})
}

// exec executes a command line and shows what the program wrote. It returns what the session says besides.
func (a *adapter) exec(ctx context.Context, line string) (string, error) {
	a.view = nil
	text, _, err := a.ses.Exec(ctx, line)
	tail, total := a.ses.Wrote()
	if n := total - a.wrote; n > 0 && tail != "" {
		a.say("stdout", tail[max(0, int64(len(tail))-n):])
	}
	a.wrote = total
	return text, err
}

// state is the session's state since the last command.
func (a *adapter) state() *session.View {
	if a.view == nil {
		a.view = a.ses.View(session.Look{})
	}
	return a.view
}

// stopped tells the client where the program is. reason is why it stopped if the state does not say something else.
func (a *adapter) stopped(reason string) {
	a.forget()
	a.pastTargets += len(a.targets)
	a.targets = nil
	v := a.state()
	e := &dap.StoppedEvent{Event: event("stopped")}
	e.Body = dap.StoppedEventBody{Reason: reason, ThreadId: max(1, v.Thread), AllThreadsStopped: true}
	switch v.State {
	case "ended":
		x := &dap.ExitedEvent{Event: event("exited"), Body: dap.ExitedEventBody{ExitCode: a.ses.Status()}}
		a.send(x)
		a.terminated()
		return
	case "crashed":
		e.Body.Reason, e.Body.Description, e.Body.Text = "exception", "crashed", v.Message
	case "waiting":
		e.Body.Reason, e.Body.Description = "pause", "waits for input: type it in the console"
		if v.Screen != nil && v.Screen.Raw {
			e.Body.Description = "waits for keys: keys TEXT in the console sends some, screen shows its screen"
		}
	case "interrupted", "timeout":
		e.Body.Reason = "pause"
	}
	a.send(e)
}

// move carries out requests that let the program go.
func (a *adapter) move(ctx context.Context, m dap.Message) error {
	switch m := m.(type) {
	case *dap.ContinueRequest:
		a.reply(&m.Request, &dap.ContinueResponse{Body: dap.ContinueResponseBody{AllThreadsContinued: true}})
		a.run(ctx, "continue", "breakpoint")
	case *dap.NextRequest:
		a.reply(&m.Request, &dap.NextResponse{})
		a.run(ctx, a.inThread(m.Arguments.ThreadId)+"next", "step")
	case *dap.StepInRequest:
		a.reply(&m.Request, &dap.StepInResponse{})
		a.run(ctx, a.inThread(m.Arguments.ThreadId)+"step", "step")
	case *dap.StepOutRequest:
		a.reply(&m.Request, &dap.StepOutResponse{})
		a.run(ctx, a.inThread(m.Arguments.ThreadId)+"finish", "step")
	case *dap.StepBackRequest:
		a.reply(&m.Request, &dap.StepBackResponse{})
		a.run(ctx, "undo", "step")
	case *dap.ReverseContinueRequest:
		a.reply(&m.Request, &dap.ReverseContinueResponse{})
		a.backwards(ctx)
	case *dap.PauseRequest:
		a.reply(&m.Request, &dap.PauseResponse{}) // the reader has interrupted what was going on
	case *dap.GotoTargetsRequest:
		return a.gotoTargets(m)
	case *dap.GotoRequest:
		return a.jump(ctx, m)
	case *dap.RestartRequest:
		if a.launch.Process != 0 {
			return fmt.Errorf("process %d was attached to, and cannot be started again", a.launch.Process)
		}
		a.reply(&m.Request, &dap.RestartResponse{})
		a.over = false
		a.begin(ctx)
	case *customRequest:
		return a.custom(ctx, m)
	default:
		return errOther
	}
	return nil
}

// gotoTargets lists the statements of a line that can be made the next one. Their numbers are valid until the program
// moves. If there are none, the error says why.
func (a *adapter) gotoTargets(m *dap.GotoTargetsRequest) error {
	name, ok := a.file(m.Arguments.Source)
	if !ok {
		return errors.New("the program has no such file")
	}
	list, err := a.ses.Targets(name, m.Arguments.Line)
	if err != nil {
		return err
	}
	r := &dap.GotoTargetsResponse{}
	for _, p := range list {
		at := fmt.Sprintf("%d:%d", p.Line, p.Column)
		i := slices.Index(a.targets, at)
		if i < 0 {
			i = len(a.targets)
			a.targets = append(a.targets, at)
		}
		r.Body.Targets = append(r.Body.Targets, dap.GotoTarget{Id: a.pastTargets + i + 1, Label: p.Text, Line: p.Line, Column: p.Column, EndLine: p.EndLine, EndColumn: p.EndColumn})
	}
	a.reply(&m.Request, r)
	return nil
}

// jump makes a target the next statement.
func (a *adapter) jump(ctx context.Context, m *dap.GotoRequest) error {
	n := m.Arguments.TargetId - a.pastTargets
	if n < 1 || n > len(a.targets) {
		return fmt.Errorf("there is no target %d here: the program has moved", m.Arguments.TargetId)
	}
	if t := m.Arguments.ThreadId; t != 0 && a.inThread(t) != "" {
		return fmt.Errorf("thread %d is not the one that is stepped; step it first", t)
	}
	if _, err := a.exec(ctx, "goto "+a.targets[n-1]); err != nil {
		return err
	}
	a.reply(&m.Request, &dap.GotoResponse{})
	a.stopped("goto")
	return nil
}

// threads lists the threads of the program.
func (a *adapter) threads() []dap.Thread {
	if a.ses == nil || len(a.state().Threads) == 0 {
		return []dap.Thread{{Id: 1, Name: "main"}}
	}
	var out []dap.Thread
	for _, t := range a.state().Threads {
		name := t.Name
		if name == "" {
			name = "begins or ends"
		}
		out = append(out, dap.Thread{Id: t.Number, Name: name})
	}
	return out
}

// inThread returns what to put before a command so that it steps a thread; "" if that thread is stepped already.
func (a *adapter) inThread(n int) string {
	v := a.state()
	if n == v.Thread || !slices.ContainsFunc(v.Threads, func(t session.ThreadView) bool { return t.Number == n }) {
		return ""
	}
	return fmt.Sprintf("thread %d; ", n)
}

// run executes a command that moves the program.
func (a *adapter) run(ctx context.Context, line, reason string) {
	more, frames := "finish", len(a.state().Frames)
	switch {
	case line == "continue":
		more, frames = line, 0
	case strings.HasSuffix(line, "finish"):
		frames--
	case !strings.HasSuffix(line, "next"):
		frames = math.MaxInt // a step into a call ends wherever it leads to
	}
	text, err := a.past(ctx, line, more, frames)
	if err != nil {
		a.say("console", err.Error()+"\n")
	}
	a.say("console", a.ses.Noticed())
	for _, l := range strings.Split(text, "\n") {
		if strings.Contains(l, " changed from ") {
			reason = "data breakpoint"
			a.say("console", l+"\n")
		}
	}
	a.stopped(reason)
}

// backwards takes commands back until the program stands at a breakpoint, or as far as
// that goes.
func (a *adapter) backwards(ctx context.Context) {
	for ctx.Err() == nil {
		undo := a.state().Undo
		if len(undo) == 0 || undo[0] == "start" {
			break
		}
		if _, err := a.exec(ctx, "undo"); err != nil {
			a.say("console", err.Error()+"\n")
			break
		}
		if a.halted() {
			a.stopped("breakpoint")
			return
		}
	}
	a.stopped("step")
}

// custom carries out the requests that only gulo has.
func (a *adapter) custom(ctx context.Context, m *customRequest) error {
	var line string
	switch m.Command {
	case "gulo/graph":
	case "gulo/spec", "gulo/locate", "gulo/undo":
		line = strings.TrimPrefix(m.Command, "gulo/")
	case "gulo/repair":
		line = strings.TrimSpace("repair " + m.Arguments.Options)
	case "gulo/apply":
		line = a.applied(m.Arguments)
	case "gulo/command":
		line = m.Arguments.Line
	}
	was := a.where()
	var text string
	var err error
	if line != "" {
		if text, err = a.exec(ctx, line); err != nil {
			return err
		}
	}
	view := a.state()
	if m.Arguments.Focus > 0 {
		view = a.ses.View(session.Look{Focus: m.Arguments.Focus})
	}
	a.reply(&m.Request, &customResponse{Body: customBody{Text: text, View: view}})
	if line != "" {
		a.refresh(was)
	}
	return nil
}

// applied is the command line of gulo/apply.
func (a *adapter) applied(x customArguments) string {
	var parts []string
	if x.N > 0 {
		parts = append(parts, fmt.Sprintf("choose %d", x.N))
	}
	if x.File != "" {
		parts = append(parts, "rewrite "+x.File)
	}
	if len(parts) == 0 {
		return "patches"
	}
	return strings.Join(parts, "; ")
}

// where returns a text made of the program's state, its place and the number of its frames. Two different texts mean
// that the program has moved. If it comes to the same place again, as in a loop, the text is the same.
func (a *adapter) where() string {
	v := a.state()
	at := ""
	if v.Place != nil {
		at = fmt.Sprint(v.Place.File, v.Place.Line, v.Place.Column)
	}
	return fmt.Sprint(v.State, at, len(v.Frames))
}

// refresh tells the client after a command which of its views are out of date; was is what where returned before.
func (a *adapter) refresh(was string) {
	if a.where() != was {
		a.stopped("step")
		return
	}
	a.forget()
	e := &dap.InvalidatedEvent{Event: event("invalidated")}
	e.Body.Areas = []dap.InvalidatedAreas{"variables"}
	a.send(e)
}

// same reports whether two names lead to the same path.
func same(a, b string) bool {
	if a == b {
		return true
	}
	x, err1 := filepath.Abs(a)
	y, err2 := filepath.Abs(b)
	return err1 == nil && err2 == nil && filepath.Clean(x) == filepath.Clean(y)
}
