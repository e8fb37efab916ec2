package dap_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"gulo/internal/dap"
	"gulo/internal/lower"
	"gulo/internal/session"
	"gulo/internal/target"
	"gulo/internal/target/gdb"
	"gulo/internal/target/sim"

	"gulo/internal/cfront"

	proto "github.com/google/go-dap"
)

// open is the adapter's Open without package app.
func open(ctx context.Context, l *dap.Launch) (*session.Session, error) {
	p, err := lower.Load(ctx, l.Program, cfront.Options{})
	if err != nil {
		return nil, err
	}
	var tgt target.Target = sim.New(p, sim.Config{Name: l.Program[0], Args: l.Args})
	if l.Engine == "gdb" {
		if tgt, err = gdb.New(ctx, p, gdb.Config{Files: l.Program, Args: l.Args}); err != nil {
			return nil, err
		}
	}
	return session.New(p, tgt, session.Config{Name: l.Program[0], KeepBreaks: true}), nil
}

// client is an editor.
type client struct {
	t       *testing.T
	conn    net.Conn
	seq     int
	in      chan map[string]any
	output  strings.Builder
	console strings.Builder
}

func connect(t *testing.T) *client {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		conn, err := l.Accept()
		if err != nil {
			done <- err
			return
		}
		defer conn.Close()
		done <- dap.Serve(context.Background(), conn, conn, dap.Config{Open: open, Rules: []string{"double_free"}})
	}()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c := &client{t: t, conn: conn, in: make(chan map[string]any, 1000)}
	go func() {
		defer close(c.in)
		codec := dap.Codec()
		r := bufio.NewReader(conn)
		for {
			text, err := proto.ReadBaseMessage(r)
			if err != nil {
				return
			}
			if _, err := codec.DecodeMessage(text); err != nil { // what is sent is in the protocol
				t.Errorf("%s: %v", text, err)
			}
			var m map[string]any
			if err := json.Unmarshal(text, &m); err != nil {
				t.Error(err)
			}
			c.in <- m
		}
	}()
	t.Cleanup(func() {
		_ = conn.Close()
		_ = l.Close()
		if err := <-done; err != nil {
			t.Errorf("the adapter ended with: %v", err)
		}
	})
	return c
}

// next returns the next message that is no output.
func (c *client) next() map[string]any {
	c.t.Helper()
	for {
		select {
		case m, ok := <-c.in:
			if !ok {
				c.t.Fatal("the adapter has closed the connection")
			}
			if m["event"] == "output" {
				b, _ := m["body"].(map[string]any)
				if b["category"] == "stdout" {
					c.output.WriteString(b["output"].(string))
				} else if b["category"] == "console" {
					c.console.WriteString(b["output"].(string))
				}
				continue
			}
			return m
		case <-time.After(2 * time.Minute):
			c.t.Fatal("the adapter says nothing")
		}
	}
}

func (c *client) send(command string, args any) {
	c.t.Helper()
	c.seq++
	text, err := json.Marshal(map[string]any{"seq": c.seq, "type": "request", "command": command, "arguments": args})
	if err != nil {
		c.t.Fatal(err)
	}
	if err := proto.WriteBaseMessage(c.conn, text); err != nil {
		c.t.Fatal(err)
	}
}

// ask sends a request and returns the body of its answer, or what went wrong.
func (c *client) ask(command string, args any) (map[string]any, string) {
	c.t.Helper()
	c.send(command, args)
	m := c.next()
	if m["type"] != "response" || m["command"] != command || int(m["request_seq"].(float64)) != c.seq {
		c.t.Fatalf("%s is answered with %v", command, m)
	}
	if m["success"] != true {
		return nil, m["message"].(string)
	}
	b, _ := m["body"].(map[string]any)
	return b, ""
}

// must is ask that succeeds.
func (c *client) must(command string, args any) map[string]any {
	c.t.Helper()
	b, why := c.ask(command, args)
	if why != "" {
		c.t.Fatalf("%s: %s", command, why)
	}
	return b
}

// event waits for an event.
func (c *client) event(name string) map[string]any {
	c.t.Helper()
	m := c.next()
	if m["event"] != name {
		c.t.Fatalf("%v, not the event %s", m, name)
	}
	b, _ := m["body"].(map[string]any)
	return b
}

// goes sends a request that moves the program and returns reason, function and line.
func (c *client) goes(command string, args any) (string, string, int) {
	c.t.Helper()
	c.must(command, args)
	return c.stopped()
}

func (c *client) stopped() (string, string, int) {
	c.t.Helper()
	reason := c.event("stopped")["reason"].(string)
	frames := c.must("stackTrace", map[string]any{"threadId": 1})["stackFrames"].([]any)
	f := frames[0].(map[string]any)
	return reason, f["name"].(string), int(f["line"].(float64))
}

func (c *client) at(command string, args any, reason, function string, line int) {
	c.t.Helper()
	r, f, l := c.goes(command, args)
	if r != reason || f != function || l != line {
		c.t.Errorf("%s stops for %s in %s at %d, not for %s in %s at %d", command, r, f, l, reason, function, line)
	}
}

// variables returns the values of a scope or variable by name, and references.
func (c *client) variables(ref int) (map[string]string, map[string]int) {
	c.t.Helper()
	values, refs := map[string]string{}, map[string]int{}
	for _, x := range c.must("variables", map[string]any{"variablesReference": ref})["variables"].([]any) {
		v := x.(map[string]any)
		values[v["name"].(string)] = v["value"].(string)
		refs[v["name"].(string)] = int(v["variablesReference"].(float64))
	}
	return values, refs
}

func (c *client) scopes() map[string]int {
	c.t.Helper()
	out := map[string]int{}
	for _, x := range c.must("scopes", map[string]any{"frameId": 1})["scopes"].([]any) {
		s := x.(map[string]any)
		out[s["name"].(string)] = int(s["variablesReference"].(float64))
	}
	return out
}

func thread() map[string]any { return map[string]any{"threadId": 1} }

// TestAdapter goes through the requests on both engines.
func TestAdapter(t *testing.T) {
	for _, engine := range []string{"machine", "gdb"} {
		t.Run(engine, func(t *testing.T) { adapt(t, engine) })
	}
}

func adapt(t *testing.T, engine string) {
	path, err := filepath.Abs("../../examples/reverse.c")
	if err != nil {
		t.Fatal(err)
	}
	src := map[string]any{"path": path}
	c := connect(t)
	caps := c.must("initialize", map[string]any{"adapterID": "gulo"})
	if caps["supportsStepBack"] != true || len(caps["exceptionBreakpointFilters"].([]any)) != 1 {
		t.Errorf("capabilities: %v", caps)
	}
	if _, why := c.ask("stackTrace", thread()); why != "no program was launched" {
		t.Errorf("before launch: %q", why)
	}
	if _, why := c.ask("attach", map[string]any{}); !strings.Contains(why, "no processId") {
		t.Errorf("attach: %q", why)
	}
	if _, why := c.ask("launch", map[string]any{"program": "nothing.c", "engine": engine}); !strings.Contains(why, "nothing.c") {
		t.Errorf("launch of nothing: %q", why)
	}
	c.must("launch", map[string]any{"program": path, "engine": engine, "stopOnEntry": true})
	c.event("initialized")
	b := c.must("setBreakpoints", map[string]any{"source": src, "breakpoints": []any{map[string]any{"line": 17, "condition": "data == 8"}, map[string]any{"line": 26}, map[string]any{"line": 18, "condition": "no such"}}})["breakpoints"].([]any)
	if x := b[0].(map[string]any); x["verified"] != true || x["line"] != 17.0 {
		t.Errorf("breakpoint: %v", x)
	}
	if x := b[1].(map[string]any); x["line"] != 27.0 { // where the next statement is
		t.Errorf("breakpoint: %v", x)
	}
	if x := b[2].(map[string]any); x["verified"] == true || x["message"] == "" {
		t.Errorf("breakpoint with a wrong condition: %v", x)
	}
	c.must("setFunctionBreakpoints", map[string]any{"breakpoints": []any{map[string]any{"name": "push", "hitCondition": "2"}}})
	c.must("setExceptionBreakpoints", map[string]any{"filters": []any{"double_free"}})
	c.must("configurationDone", nil)
	if r, f, l := c.stopped(); r != "entry" || f != "main" || l != 40 {
		t.Errorf("entry: %s %s %d", r, f, l)
	}
	if n := len(c.must("threads", nil)["threads"].([]any)); n != 1 {
		t.Errorf("%d threads", n)
	}
	c.at("next", thread(), "step", "main", 41)
	c.at("stepBack", thread(), "step", "main", 40)
	jumps(t, c, src)
	c.at("continue", thread(), "breakpoint", "push", 16) // the second push
	c.must("setFunctionBreakpoints", map[string]any{"breakpoints": []any{}})
	c.at("continue", thread(), "breakpoint", "push", 17)  // of 8
	c.at("reverseContinue", thread(), "step", "main", 40) // no breakpoint is left on the way
	c.at("continue", thread(), "breakpoint", "push", 17)
	c.at("stepOut", thread(), "step", "main", 43)

	info := c.must("dataBreakpointInfo", map[string]any{"name": "head", "variablesReference": c.scopes()["Globals"]})
	c.must("setDataBreakpoints", map[string]any{"breakpoints": []any{map[string]any{"dataId": info["dataId"]}}})
	c.at("continue", thread(), "data breakpoint", "push", 23)
	c.must("setDataBreakpoints", map[string]any{"breakpoints": []any{}})
	c.at("continue", thread(), "breakpoint", "reverse", 27)

	vars, refs := c.variables(c.scopes()["Globals"])
	if vars["head"] != "n4" {
		t.Errorf("globals: %v", vars)
	}
	vars, _ = c.variables(refs["head"])
	if !reflect.DeepEqual(vars, map[string]string{"data": "10", "next": "n3", "prev": "null"}) {
		t.Errorf("head's members: %v", vars)
	}
	heap, nodes := c.variables(c.scopes()["Heap"])
	if len(heap) != 4 || heap["n1"] != "struct node" {
		t.Errorf("heap: %v", heap)
	}
	if v := c.must("setVariable", map[string]any{"variablesReference": nodes["n2"], "name": "data", "value": "44"}); v["value"] != "44" {
		t.Errorf("setVariable: %v", v)
	}
	if _, why := c.ask("setVariable", map[string]any{"variablesReference": nodes["n2"], "name": "next", "value": "44"}); why == "" {
		t.Error("a pointer was set to 44")
	}
	if v := c.must("setExpression", map[string]any{"expression": "n1->data", "value": "22"}); v["value"] != "22" {
		t.Errorf("setExpression: %v", v)
	}
	ev := c.must("evaluate", map[string]any{"expression": "head->data + 1", "context": "watch"})
	if ev["result"] != "11" {
		t.Errorf("evaluate: %v", ev)
	}
	ev = c.must("evaluate", map[string]any{"expression": "head", "context": "hover"})
	mem := c.must("readMemory", map[string]any{"memoryReference": ev["memoryReference"], "count": 4})
	if raw, _ := base64.StdEncoding.DecodeString(mem["data"].(string)); string(raw) != "\n\x00\x00\x00" {
		t.Errorf("memory: %v", mem)
	}
	if mem = c.must("readMemory", map[string]any{"memoryReference": "0x8", "count": 4}); mem["unreadableBytes"] != 4.0 {
		t.Errorf("memory of nothing: %v", mem)
	}
	words := c.must("completions", map[string]any{"text": "change hea", "column": 11})["targets"].([]any)
	if len(words) != 1 || words[0].(map[string]any)["label"] != "head" {
		t.Errorf("completions: %v", words)
	}
	if n := len(c.must("loadedSources", nil)["sources"].([]any)); n != 1 {
		t.Errorf("%d sources", n)
	}
	if n := len(c.must("breakpointLocations", map[string]any{"source": src, "line": 28, "endLine": 30})["breakpoints"].([]any)); n != 3 {
		t.Errorf("%d locations", n)
	}
	if _, why := c.ask("exceptionInfo", thread()); why == "" {
		t.Error("there is an exception")
	}
	if _, why := c.ask("disassemble", map[string]any{}); !strings.Contains(why, "not supported") {
		t.Errorf("disassemble: %q", why)
	}
	for range 2 { // by the console: undo takes the two changes back
		c.must("evaluate", map[string]any{"expression": "undo", "context": "repl"})
		c.event("invalidated")
	}
	repairs(t, c)
	// Out of the loop, to the end.
	c.must("gulo/command", map[string]any{"line": "break -27"})
	c.event("invalidated")
	c.must("continue", thread())
	if code := c.event("exited")["exitCode"]; code != 0.0 {
		t.Errorf("exit code %v", code)
	}
	c.event("terminated")
	if got := strings.TrimSpace(c.output.String()); got != "2 4 8 10" {
		t.Errorf("the program wrote %q", got)
	}
	c.must("setBreakpoints", map[string]any{"source": src, "breakpoints": []any{}})
	c.must("restart", map[string]any{})
	if r, f, l := c.stopped(); r != "entry" || f != "main" || l != 40 {
		t.Errorf("after restart: %s %s %d", r, f, l)
	}
	c.must("pause", thread())
	c.must("terminate", map[string]any{})
	c.event("terminated")
	c.must("disconnect", map[string]any{})
}

// jumps goes over a statement of main and back, and asks for what cannot be gone to.
func jumps(t *testing.T, c *client, src map[string]any) {
	t.Helper()
	to := func(line int) []any {
		t.Helper()
		return c.must("gotoTargets", map[string]any{"source": src, "line": line})["targets"].([]any)
	}
	if n := len(to(45)); n != 3 { // the parts of a for header
		t.Errorf("line 45 has %d targets", n)
	}
	x := to(42)[0].(map[string]any)
	if x["label"] != "push(8);" || x["line"] != 42.0 || x["column"] != 5.0 {
		t.Errorf("target: %v", x)
	}
	c.at("goto", map[string]any{"threadId": 1, "targetId": x["id"]}, "goto", "main", 42)
	if _, why := c.ask("goto", map[string]any{"threadId": 1, "targetId": x["id"]}); !strings.Contains(why, "has moved") {
		t.Errorf("a target of before: %q", why)
	}
	for line, want := range map[int]string{17: "line 17 is in push", 39: "no statement begins on line 39"} {
		if _, why := c.ask("gotoTargets", map[string]any{"source": src, "line": line}); !strings.Contains(why, want) {
			t.Errorf("targets of line %d: %q", line, why)
		}
	}
	if _, why := c.ask("gotoTargets", map[string]any{"source": map[string]any{"path": "/nothing.c"}, "line": 1}); !strings.Contains(why, "no such file") {
		t.Errorf("targets of another file: %q", why)
	}
	if text := c.must("evaluate", map[string]any{"expression": "where", "context": "repl"})["result"].(string); !strings.Contains(text, "42") {
		t.Errorf("where: %s", text)
	}
	c.event("invalidated")
	c.at("goto", map[string]any{"threadId": 1, "targetId": to(40)[0].(map[string]any)["id"]}, "goto", "main", 40)
}

// repairs plays the rest of the session of Wolverine2, section 2.1, from the first
// statement of reverse.
func repairs(t *testing.T, c *client) {
	t.Helper()
	play := func(lines string) {
		t.Helper()
		for _, l := range strings.Split(lines, ";") {
			c.must("gulo/command", map[string]any{"line": l})
			c.next() // stopped or invalidated
		}
	}
	spec := func() {
		t.Helper()
		if text := c.must("gulo/spec", nil)["text"].(string); !strings.HasPrefix(text, "This is a starting picture") && !strings.HasPrefix(text, "Asserted: ") {
			t.Errorf("spec: %s", text)
		}
		c.next()
	}
	play("next;next;next")
	spec()
	play("enter;next 5;change current n3;change n4->prev n3")
	spec()
	play("enter;next 5;change current n2;change n3->prev n2")
	spec()
	view := func(b map[string]any) map[string]any { return b["view"].(map[string]any) }
	found := view(c.must("gulo/locate", nil))["suspects"].([]any)
	c.next()
	if len(found) == 0 {
		t.Error("no suspects")
	}
	r := view(c.must("gulo/repair", map[string]any{"options": "--slots 2"}))
	c.next()
	if d := r["patch"].(map[string]any)["diff"].(string); !strings.Contains(d, "+        temp2 = current->next;") {
		t.Errorf("repair: %s", d)
	}
	c.must("gulo/undo", nil)
	c.next()
	if p := view(c.must("gulo/graph", nil)); p["patch"] != nil || len(p["picture"].(map[string]any)["nodes"].([]any)) != 4 {
		t.Errorf("after gulo/undo: %v", p["patch"])
	}
	c.must("gulo/repair", nil)
	c.next()
	play("enter;next 5;enter;next 5;leave;change head n1")
	spec()
	c.must("gulo/repair", nil)
	c.next()
	out := filepath.Join(t.TempDir(), "fixed.c")
	c.must("gulo/apply", map[string]any{"n": 1, "file": out})
	c.next()
	if text, err := os.ReadFile(out); err != nil || !strings.Contains(string(text), "current != NULL") {
		t.Errorf("apply: %v\n%s", err, text)
	}
	if _, why := c.ask("gulo/apply", map[string]any{"n": 99}); why == "" {
		t.Error("repair 99 was applied")
	}
}

// TestCrash: a crash is an exception, from which one can go back.
func TestCrash(t *testing.T) {
	file := filepath.Join(t.TempDir(), "crash.c")
	if err := os.WriteFile(file, []byte("#include <stdlib.h>\nint *p;\nint main(void)\n{\n    p = NULL;\n    *p = 3;\n    return 0;\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, engine := range []string{"machine", "gdb"} {
		c := connect(t)
		c.must("initialize", map[string]any{"adapterID": "gulo"})
		c.must("launch", map[string]any{"program": []string{file}, "engine": engine})
		c.event("initialized")
		c.must("configurationDone", nil)
		if r, f, l := c.stopped(); r != "exception" || f != "main" || l != 6 {
			t.Errorf("%s: %s %s %d", engine, r, f, l)
		}
		if x := c.must("exceptionInfo", thread()); !strings.Contains(x["description"].(string), "crashed") {
			t.Errorf("%s: %v", engine, x)
		}
		c.at("stepBack", thread(), "step", "main", 6) // just before it, and then before the command that ran into it
		c.at("stepBack", thread(), "step", "main", 5)
		c.must("disconnect", map[string]any{})
	}
}

// TestThreads is a program with two threads.
func TestThreads(t *testing.T) {
	src := filepath.Join(t.TempDir(), "threads.c")
	text := "#include <pthread.h>\nstatic int sum;\nstatic void *add(void *n) {\n    int k = *(int *)n;\n    sum += k;\n    return n;\n}\n" +
		"int main(void) {\n    int k = 5;\n    pthread_t t;\n    pthread_create(&t, 0, add, &k);\n    pthread_join(t, 0);\n    return sum;\n}\n"
	if err := os.WriteFile(src, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c := connect(t)
	c.must("initialize", map[string]any{"adapterID": "gulo"})
	c.must("launch", map[string]any{"program": src, "engine": "gdb", "stopOnEntry": true})
	c.event("initialized")
	source := map[string]any{"path": src}
	c.must("setBreakpoints", map[string]any{"source": source, "breakpoints": []any{map[string]any{"line": 5}}})
	c.at("configurationDone", map[string]any{}, "entry", "main", 9)
	c.at("next", thread(), "step", "main", 11)
	c.at("next", thread(), "step", "main", 12)
	c.must("next", thread())
	if n := c.event("stopped")["threadId"]; n != 2.0 {
		t.Errorf("the breakpoint in the other thread stops thread %v", n)
	}
	names := func() string {
		var out []string
		for _, x := range c.must("threads", map[string]any{})["threads"].([]any) {
			out = append(out, x.(map[string]any)["name"].(string))
		}
		return strings.Join(out, " ")
	}
	if got := names(); got != "main add" {
		t.Errorf("the threads are %s", got)
	}
	where := func(n int) (string, float64) {
		f := c.must("stackTrace", map[string]any{"threadId": n})["stackFrames"].([]any)[0].(map[string]any)
		return f["name"].(string), f["line"].(float64)
	}
	for n, want := range map[int]float64{1: 12, 2: 5} {
		if name, line := where(n); line != want {
			t.Errorf("thread %d is in %s at %v, not at %v", n, name, line, want)
		}
	}
	c.must("next", map[string]any{"threadId": 2})
	c.event("stopped")
	if name, line := where(2); name != "add" || line != 6 {
		t.Errorf("next leads thread 2 to %s at %v", name, line)
	}
	c.must("next", thread()) // main's: it waits for the other, which ends
	if n := c.event("stopped")["threadId"]; n != 1.0 || names() != "main" {
		t.Errorf("after the join thread %v stops; there are %s", n, names())
	}
	c.must("continue", thread())
	if code := c.event("exited")["exitCode"]; code != 5.0 {
		t.Errorf("exit code %v", code)
	}
}

// TestForks is a program whose child is followed: the console says so, and the exit code is the child's.
func TestForks(t *testing.T) {
	src := filepath.Join(t.TempDir(), "forks.c")
	text := "#include <sys/wait.h>\n#include <unistd.h>\nint main(void) {\n    int k = 5;\n    if (fork() == 0)\n        k = 6;\n    else\n        wait(0);\n    return k;\n}\n"
	if err := os.WriteFile(src, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, child := range []bool{false, true} {
		c := connect(t)
		c.must("initialize", map[string]any{"adapterID": "gulo"})
		c.must("launch", map[string]any{"program": src, "engine": "gdb", "stopOnEntry": true})
		c.event("initialized")
		c.at("configurationDone", map[string]any{}, "entry", "main", 4)
		line, said, code := 8, "was left to run by itself", 5.0
		if child {
			c.must("evaluate", map[string]any{"expression": "follow child", "context": "repl"})
			c.event("invalidated")
			line, said, code = 6, "the session is now in process", 6.0
		}
		c.at("next", thread(), "step", "main", 5)
		c.at("next", thread(), "step", "main", line)
		if got := c.console.String(); !strings.Contains(got, said) {
			t.Errorf("the console says %q", got)
		}
		c.must("continue", thread())
		if got := c.event("exited")["exitCode"]; got != code {
			t.Errorf("exit code %v, not %v", got, code)
		}
	}
}
