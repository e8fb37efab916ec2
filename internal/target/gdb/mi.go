package gdb

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"gulo/internal/process"
)

// This file is a thin client for GDB/MI, version 3.
//
// Reference: "GDB/MI", Debugging with GDB, chapter 27. Tested with gdb 13.1.
// We assume the inferior on its own terminal, and that records are whole lines. Anything that is no record is ignored.

// record is one line of gdb's output.
type record struct {
	token int    // -1 for none
	kind  byte   // ^ result, * exec, = notify, + status, ~ @ & streams
	class string // done, error, stopped, ...
	data  map[string]any
	text  string // streams
}

func (r record) str(name string) string {
	s, _ := r.data[name].(string)
	return s
}

func (r record) tuple(name string) map[string]any {
	t, _ := r.data[name].(map[string]any)
	return t
}

type client struct {
	cmd     *exec.Cmd
	in, out *os.File
	done    chan struct{} // closed when gdb's output ends

	// Of a process that was attached to (watch.go); nil otherwise.
	watcher *os.File
	watched chan struct{} // closed when the watcher has ended
	forget  func()

	runs atomic.Int64 // grows whenever the inferior may have run

	mu      sync.Mutex
	token   int
	pending map[int]chan record
	async   chan record // *stopped records
	pid     int         // of the inferior
	group   string      // gdb's name of it: i1, i2, ...
	caught  string      // the catchpoint that was made last
	execed  string      // another program that the inferior has become
	forked  []forked    // that gdb has let go since this was looked at last
	threads []string    // of the inferior, by gdb's numbers, in the order of their creation
}

// errDied says that gdb itself has ended.
var errDied error = &process.DiedError{Tool: "gdb", How: "it is not known why"}

// startClient starts gdb. death is the signal that gdb gets when gulo ends without having closed it;
// 0 is for processes that are attached to, which are watched instead (watch.go). gdb inherits stdin as
// inputFD.
func startClient(death syscall.Signal, stdin *os.File, args ...string) (*client, error) {
	c := &client{pending: map[int]chan record{}, async: make(chan record, 64), done: make(chan struct{})}
	c.cmd = exec.Command("gdb", append([]string{"-nx", "-q", "-i=mi3"}, args...)...)
	c.cmd.Env = append(c.cmd.Environ(), "LC_ALL=C", "DEBUGINFOD_URLS=")
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: death}
	if stdin != nil {
		c.cmd.ExtraFiles = []*os.File{stdin}
	}
	in, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	from, out, err := os.Pipe()
	if err != nil {
		_ = to.Close()
		return nil, err
	}
	defer out.Close()
	c.in, c.out, c.cmd.Stdin, c.cmd.Stdout = to, from, in, out
	started := make(chan error)
	process.Go(func() {
		// Pdeathsig is tied to the thread that starts the child: keep that thread for as long as gdb lives. It does
		// not end with the goroutine either, since other children were started on it before.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := c.cmd.Start()
		started <- err
		if err == nil {
			<-c.done
			_ = c.cmd.Wait()
		}
	})
	if err := <-started; err != nil {
		_, _ = to.Close(), from.Close()
		return nil, err
	}
	process.Go(func() { c.read(from) })
	return c, nil
}

func (c *client) read(out io.Reader) {
	defer close(c.done)
	r := bufio.NewReaderSize(out, 1<<16)
	for {
		line, err := r.ReadString('\n')
		if rec, ok := parseRecord(strings.TrimRight(line, "\r\n")); ok {
			c.dispatch(rec)
		}
		if err != nil {
			return
		}
	}
}

func (c *client) dispatch(r record) {
	if r.kind == '*' {
		c.runs.Add(1)
	}
	switch {
	case r.kind == '^':
		c.mu.Lock()
		ch := c.pending[r.token]
		delete(c.pending, r.token)
		c.mu.Unlock()
		if ch != nil {
			ch <- r
		}
	case r.kind == '*' && r.class == "stopped":
		select {
		case c.async <- r:
		default:
		}
	case r.kind == '=' && r.class == "thread-group-started":
		c.mu.Lock()
		c.pid, _ = strconv.Atoi(r.str("pid"))
		c.group = r.str("id")
		c.threads = nil
		c.mu.Unlock()
	case r.kind == '=' && r.class == "breakpoint-created":
		c.mu.Lock()
		c.caught, _ = r.tuple("bkpt")["number"].(string)
		c.mu.Unlock()
	case r.kind == '~' && strings.Contains(r.text, newProgram):
		c.mu.Lock()
		_, c.execed, _ = strings.Cut(strings.TrimSpace(r.text), newProgram)
		c.mu.Unlock()
	case r.kind == '~':
		if f, ok := letFree(r.text); ok {
			c.mu.Lock()
			c.forked = append(c.forked, f)
			c.mu.Unlock()
		}
	case r.kind == '=' && r.class == "thread-created":
		c.mu.Lock()
		c.threads = append(c.threads, r.str("id"))
		c.mu.Unlock()
	case r.kind == '=' && r.class == "thread-exited":
		c.mu.Lock()
		c.threads = slices.DeleteFunc(c.threads, func(id string) bool { return id == r.str("id") })
		c.mu.Unlock()
	}
}

// sendLimit bounds the wait for the result of one command; results come at once
// unless the program runs.
const sendLimit = 30 * time.Second

// send runs one MI command and waits for its result. The end of ctx does not cut it short: gdb would carry the command
// out all the same, and nobody would know.
func (c *client) send(ctx context.Context, format string, args ...any) (record, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendLimit)
	defer cancel()
	cmd := fmt.Sprintf(format, args...)
	if !looksOnly(cmd) {
		c.runs.Add(1)
	}
	ch := make(chan record, 1)
	c.mu.Lock()
	c.token++
	t := c.token
	c.pending[t] = ch
	c.mu.Unlock()
	if _, err := fmt.Fprintf(c.in, "%d%s\n", t, cmd); err != nil {
		return record{}, errDied
	}
	select {
	case r := <-ch:
		if r.class == "error" {
			return r, fmt.Errorf("gdb: %s: %s", cmd, r.str("msg"))
		}
		return r, nil
	case <-c.done:
		return record{}, errDied
	case <-ctx.Done():
		return record{}, fmt.Errorf("gdb: %s: %w", cmd, ctx.Err())
	}
}

// looksOnly reports whether an MI command leaves the inferior's memory as it is.
func looksOnly(cmd string) bool {
	for _, p := range []string{"-data-evaluate-expression", "-data-list-register", "-stack-", "-break-", "-thread-"} {
		if strings.HasPrefix(cmd, p) {
			return true
		}
	}
	return false
}

func (c *client) console(ctx context.Context, cmd string) error {
	_, err := c.send(ctx, "-interpreter-exec console %s", strconv.Quote(cmd))
	return err
}

func (c *client) close() {
	if c.forget != nil {
		c.forget()
		c.letGo()
	}
	_ = c.in.Close()
	_ = syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL)
	<-c.done
	_ = c.out.Close()
}

// parseRecord parses one line; ok is false for what is no record.
func parseRecord(l string) (r record, ok bool) {
	p := &miParser{s: l}
	r.token = -1
	for p.i < len(l) && l[p.i] >= '0' && l[p.i] <= '9' {
		p.i++
	}
	if p.i > 0 {
		t, err := strconv.Atoi(l[:p.i])
		if err != nil {
			return r, false
		}
		r.token = t
	}
	if p.i >= len(l) {
		return r, false
	}
	r.kind = l[p.i]
	p.i++
	switch r.kind {
	case '~', '@', '&':
		if p.i >= len(l) || l[p.i] != '"' {
			return r, false
		}
		r.text, ok = p.str()
		return r, ok && p.i == len(l)
	case '^', '*', '=', '+':
		start := p.i
		for p.i < len(l) && l[p.i] != ',' {
			p.i++
		}
		r.class = l[start:p.i]
		r.data, ok = p.fields(0)
		return r, ok && p.i == len(l) && r.class != ""
	}
	return r, false
}

type miParser struct {
	s string
	i int
}

// fields parses ",name=value" repeatedly.
func (p *miParser) fields(depth int) (map[string]any, bool) {
	t := map[string]any{}
	for p.i < len(p.s) && p.s[p.i] == ',' {
		p.i++
		if !p.field(t, depth) {
			return t, false
		}
	}
	return t, true
}

func (p *miParser) field(t map[string]any, depth int) bool {
	if p.i < len(p.s) && p.s[p.i] == '{' { // gdb 13 prints some tuples bare
		v, ok := p.value(depth)
		t[""] = v
		return ok
	}
	start := p.i
	for p.i < len(p.s) && p.s[p.i] != '=' {
		if strings.IndexByte(",{}[]\"", p.s[p.i]) >= 0 {
			return false
		}
		p.i++
	}
	name := p.s[start:p.i]
	if p.i >= len(p.s) {
		return false
	}
	p.i++
	v, ok := p.value(depth)
	t[name] = v
	return ok
}

func (p *miParser) value(depth int) (any, bool) {
	if p.i >= len(p.s) || depth > 200 {
		return nil, false
	}
	switch p.s[p.i] {
	case '"':
		return p.str()
	case '{':
		p.i++
		t := map[string]any{}
		for p.i < len(p.s) && p.s[p.i] != '}' {
			if !p.field(t, depth+1) {
				return t, false
			}
			p.comma()
		}
		return t, p.closing('}')
	case '[':
		p.i++
		var l []any
		for p.i < len(p.s) && p.s[p.i] != ']' {
			if strings.IndexByte("\"{[", p.s[p.i]) >= 0 {
				v, ok := p.value(depth + 1)
				if !ok {
					return l, false
				}
				l = append(l, v)
			} else {
				t := map[string]any{}
				if !p.field(t, depth+1) {
					return l, false
				}
				l = append(l, t)
			}
			p.comma()
		}
		return l, p.closing(']')
	}
	return nil, false
}

func (p *miParser) comma() {
	if p.i < len(p.s) && p.s[p.i] == ',' {
		p.i++
	}
}

func (p *miParser) closing(b byte) bool {
	if p.i < len(p.s) && p.s[p.i] == b {
		p.i++
		return true
	}
	return false
}

func (p *miParser) str() (string, bool) {
	p.i++
	var b strings.Builder
	for p.i < len(p.s) {
		switch c := p.s[p.i]; c {
		case '"':
			p.i++
			return b.String(), true
		case '\\':
			p.i++
			if p.i >= len(p.s) {
				return "", false
			}
			p.escape(&b)
		default:
			b.WriteByte(c)
			p.i++
		}
	}
	return "", false
}

func (p *miParser) escape(b *strings.Builder) {
	c := p.s[p.i]
	p.i++
	switch c {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r':
		b.WriteByte('\r')
	case '0', '1', '2', '3':
		v := int(c - '0')
		for k := 0; k < 2 && p.i < len(p.s) && p.s[p.i] >= '0' && p.s[p.i] <= '7'; k++ {
			v = v*8 + int(p.s[p.i]-'0')
			p.i++
		}
		b.WriteByte(byte(v))
	default:
		b.WriteByte(c)
	}
}
