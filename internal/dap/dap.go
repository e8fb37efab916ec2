// Package dap is the editors' view of a session: the Debug Adapter Protocol
// (https://microsoft.github.io/debug-adapter-protocol/, tested with the messages of
// github.com/google/go-dap v0.12.0). It holds no debugger logic: requests become command
// lines of the shell, answers are read off the session's state.
//
// A client launches one program in one connection. Of several
// threads the stepped one has variables, the others have their functions. Nodes of the heap
// are variables with members, under the names that pictures give them; the requests
// gulo/graph, gulo/spec, gulo/locate, gulo/repair, gulo/apply, gulo/undo and gulo/command
// give the rest of the shell. Not supported: restarting a process that was
// attached to, instructions and disassembly, writing memory.
package dap

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"

	"gulo/internal/process"
	"gulo/internal/session"

	"github.com/google/go-dap"
)

// Launch is what a client says of the program; program may be one file or several, C or built.
type Launch struct {
	Program     Files    `json:"program"`
	Args        []string `json:"args"`
	Engine      string   `json:"engine"`      // gdb (default) or machine
	Follow      string   `json:"follow"`      // parent (default) or child: the process that a fork leads into, under gdb
	StopOnEntry bool     `json:"stopOnEntry"` // stop at main's first statement
	Rules       bool     `json:"rules"`       // memory rules watch the program; on the machine
	Include     []string `json:"include"`     // folders, as -I
	Define      []string `json:"define"`      // macros, as -D
	Build       string   `json:"build"`       // as -p: a folder with the description of a build; the program is then a name in it
	Screen      string   `json:"screen"`      // of the program under gdb, as 24x80; empty for none
	Core        string   `json:"coreFile"`    // looked at instead of running the program
	Process     Number   `json:"processId"`   // attach: the process; 0 for a launch

	Notes io.Writer `json:"-"` // shows what is said of the program before it runs
}

// Files is a file or several.
type Files []string

// UnmarshalJSON takes a string or an array.
func (f *Files) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*f = Files{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(f))
}

// Number is a number, which editors that ask for it give as a string.
type Number int

// UnmarshalJSON takes a number or a string with one.
func (n *Number) UnmarshalJSON(text []byte) error {
	var s string
	if json.Unmarshal(text, &s) == nil {
		text = []byte(s)
	}
	return json.Unmarshal(text, (*int)(n))
}

// Config is what the adapter is given.
type Config struct {
	Open  func(ctx context.Context, l *Launch) (*session.Session, error)
	Rules []string // names of the memory rules, as exception filters
}

// Custom requests: gulo/... with these arguments; the answer has the state of the
// session, "view", and what the shell would print, "text".
type customRequest struct {
	dap.Request
	Arguments customArguments `json:"arguments"`
}

type customArguments struct {
	Line    string `json:"line"`    // gulo/command: a command line
	Focus   int    `json:"focus"`   // gulo/graph: the number of a node that is shown in any case; 0 for none
	Options string `json:"options"` // gulo/repair: as the shell's repair takes them
	N       int    `json:"n"`       // gulo/apply: which repair; 0 for the one in force
	File    string `json:"file"`    // gulo/apply: the repaired source is written there
}

type customResponse struct {
	dap.Response
	Body customBody `json:"body"`
}

type customBody struct {
	Text string        `json:"text"`
	View *session.View `json:"view"`
}

func (r *customRequest) GetRequest() *dap.Request    { return &r.Request }
func (r *customResponse) GetResponse() *dap.Response { return &r.Response }

var customNames = []string{"gulo/graph", "gulo/spec", "gulo/locate", "gulo/repair", "gulo/apply", "gulo/undo", "gulo/command"}

// Codec returns a codec that knows the custom requests.
func Codec() *dap.Codec {
	c := dap.NewCodec()
	for _, n := range customNames {
		if err := c.RegisterRequest(n, func() dap.Message { return &customRequest{} }, func() dap.Message { return &customResponse{} }); err != nil {
			panic("gulo: " + err.Error())
		}
	}
	return c
}

// adapter serves one client.
type adapter struct {
	cfg Config
	ctx context.Context

	out struct {
		sync.Mutex
		w   io.Writer
		seq int
		err error
	}

	mu      sync.Mutex
	cancel  context.CancelFunc // of the request being carried out
	current int                // its number, if it can take long; else 0
	ses     *session.Session   // nil before launch; used by one goroutine, but for Interrupt
	over    bool

	launch                Launch
	breaks                map[string][]string // lines by file, in the syntax of break
	logs                  map[string]string   // messages of log points, by place
	funcs                 []string
	data                  []string
	started               bool
	refs                  []ref    // by variablesReference - 1 - pastRefs
	targets               []string // of goto, in its syntax, by TargetId - 1 - pastTargets
	pastRefs, pastTargets int      // how many there were before the program moved
	wrote                 int64
	view                  *session.View
}

// Serve talks to a client until it disconnects or the connection ends. A client that closes
// the connection while something is still said to it is no error.
func Serve(ctx context.Context, r io.Reader, w io.Writer, cfg Config) error {
	if err := serve(ctx, r, w, cfg); !gone(err) {
		return err
	}
	return nil
}

// gone reports whether an error says that nobody is at the other end any more.
func gone(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, io.ErrClosedPipe)
}

func serve(ctx context.Context, r io.Reader, w io.Writer, cfg Config) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a := &adapter{cfg: cfg, ctx: ctx, breaks: map[string][]string{}, logs: map[string]string{}}
	a.out.w = w
	queue := make(chan dap.Message, 100)
	failed := make(chan error, 1)
	process.Go(func() { failed <- a.read(bufio.NewReader(r), queue) })
	defer func() {
		if a.ses != nil {
			a.ses.Close()
		}
	}()
	for {
		select {
		case m, ok := <-queue:
			if !ok {
				return errors.Join(<-failed, a.failure())
			}
			if more := a.handle(m); !more {
				return a.failure()
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// read decodes requests and queues them. Those that are to stop what is going on act at once.
func (a *adapter) read(r *bufio.Reader, queue chan<- dap.Message) error {
	defer close(queue)
	codec := Codec()
	for {
		text, err := dap.ReadBaseMessage(r)
		if errors.Is(err, io.EOF) {
			a.stop()
			return nil
		}
		if err != nil {
			a.stop()
			return fmt.Errorf("the client's message cannot be read: %w", err)
		}
		m, err := codec.DecodeMessage(text)
		if err != nil {
			a.unknown(text, err)
			continue
		}
		switch m := m.(type) {
		case *dap.PauseRequest, *dap.TerminateRequest, *dap.DisconnectRequest:
			a.stop()
		case *dap.CancelRequest:
			if a.isRunning(m) {
				a.stop()
			}
		}
		select {
		case queue <- m:
		case <-a.ctx.Done():
			return nil
		}
	}
}

// isRunning reports whether the request to be cancelled is being carried out and takes time. Editors also cancel
// questions about variables when the user steps on. These have been answered by then, and the step must not be stopped.
func (a *adapter) isRunning(m *dap.CancelRequest) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.cancel != nil && a.current != 0 && m.Arguments != nil && m.Arguments.RequestId == a.current
}

// stop interrupts the program or a search.
func (a *adapter) stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.cancel != nil {
		a.cancel()
	}
	if a.ses != nil && a.cancel != nil {
		a.ses.Interrupt()
	}
}

// unknown answers a request that cannot be decoded.
func (a *adapter) unknown(text []byte, err error) {
	var r dap.Request
	if json.Unmarshal(text, &r) == nil && r.Type == "request" {
		a.fail(&r, fmt.Errorf("%s is not understood: %w", r.Command, err))
	}
}

func (a *adapter) failure() error {
	a.out.Lock()
	defer a.out.Unlock()
	return a.out.err
}

// send writes a message; the first failure ends the session.
func (a *adapter) send(m dap.Message) {
	a.out.Lock()
	defer a.out.Unlock()
	a.out.seq++
	switch m := m.(type) {
	case dap.ResponseMessage:
		m.GetResponse().Seq = a.out.seq
	case dap.EventMessage:
		m.GetEvent().Seq = a.out.seq
	}
	if err := dap.WriteProtocolMessage(a.out.w, m); err != nil && a.out.err == nil {
		a.out.err = err
	}
}

// reply fills the head of an answer and sends it.
func (a *adapter) reply(r *dap.Request, m dap.ResponseMessage) {
	h := m.GetResponse()
	h.ProtocolMessage = dap.ProtocolMessage{Type: "response"}
	h.RequestSeq, h.Command, h.Success = r.Seq, r.Command, true
	a.send(m)
}

func (a *adapter) fail(r *dap.Request, err error) {
	m := &dap.ErrorResponse{}
	m.Type, m.RequestSeq, m.Command, m.Message = "response", r.Seq, r.Command, err.Error()
	m.Body.Error = &dap.ErrorMessage{Id: 1, Format: "{text}", Variables: map[string]string{"text": err.Error()}, ShowUser: true}
	a.send(m)
}

func event(name string) dap.Event {
	return dap.Event{ProtocolMessage: dap.ProtocolMessage{Type: "event"}, Event: name}
}

// say shows text in the client's console.
func (a *adapter) say(category, text string) {
	if text == "" {
		return
	}
	e := &dap.OutputEvent{Event: event("output")}
	e.Body.Category, e.Body.Output = category, text
	a.send(e)
}
