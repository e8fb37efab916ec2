package dap_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// request is one of the protocol's, and what the adapter makes of it.
type request struct {
	command string
	args    any
	refused string // part of the reason; empty: it is answered
	event   string // that follows the answer
}

// known lists the requests that go-dap knows, from its source.
func known(t *testing.T) []string {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/go-dap").Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "schematypes.go"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\nvar requestCtor = ")
	table, _, _ = strings.Cut(table, "\n}")
	var out []string
	for _, m := range regexp.MustCompile(`(?m)^\t"(\w+)": `).FindAllStringSubmatch(table, -1) {
		out = append(out, m[1])
	}
	if len(out) < 40 {
		t.Fatalf("go-dap's table has %d requests", len(out))
	}
	return out
}

// TestEveryRequest sends every request of the protocol, and of gulo's own, to both engines: each is
// answered or refused by its name, and what is refused is not announced as a capability.
func TestEveryRequest(t *testing.T) {
	path, err := filepath.Abs("../../examples/reverse.c")
	if err != nil {
		t.Fatal(err)
	}
	src := map[string]any{"path": path}
	one := map[string]any{"threadId": 1}
	expression := func(x string) map[string]any { return map[string]any{"expression": x} }
	table := func(engine string) []request {
		return []request{
			{command: "initialize", args: map[string]any{"adapterID": "gulo"}},
			{command: "attach", args: map[string]any{}, refused: "no processId"},
			{command: "launch", args: map[string]any{"program": path, "engine": engine, "stopOnEntry": true}, event: "initialized"},
			{command: "breakpointLocations", args: map[string]any{"source": src, "line": 28}},
			{command: "setBreakpoints", args: map[string]any{"source": src, "breakpoints": []any{map[string]any{"line": 27}}}},
			{command: "setFunctionBreakpoints", args: map[string]any{"breakpoints": []any{}}},
			{command: "setExceptionBreakpoints", args: map[string]any{"filters": []any{"double_free"}}},
			{command: "setInstructionBreakpoints", args: map[string]any{"breakpoints": []any{}}, refused: "setInstructionBreakpoints is not supported"},
			{command: "configurationDone", event: "stopped"},
			{command: "threads"},
			{command: "stackTrace", args: one},
			{command: "scopes", args: map[string]any{"frameId": 1}},
			{command: "variables", args: map[string]any{"variablesReference": 1}},
			{command: "loadedSources"},
			{command: "source", args: map[string]any{"sourceReference": 1}, refused: "the sources are files"},
			{command: "modules", args: map[string]any{}, refused: "modules is not supported"},
			{command: "next", args: one, event: "stopped"},
			{command: "stepBack", args: one, event: "stopped"},
			{command: "stepInTargets", args: map[string]any{"frameId": 1}, refused: "stepInTargets is not supported"},
			{command: "stepIn", args: one, event: "stopped"},
			{command: "stepOut", args: one, event: "stopped"},
			{command: "gotoTargets", args: map[string]any{"source": src, "line": 43}},
			{command: "goto", args: map[string]any{"threadId": 1, "targetId": 1}, event: "stopped"},
			{command: "restartFrame", args: map[string]any{"frameId": 1}, refused: "restartFrame is not supported"},
			{command: "continue", args: one, event: "stopped"},
			{command: "dataBreakpointInfo", args: map[string]any{"name": "head"}},
			{command: "setDataBreakpoints", args: map[string]any{"breakpoints": []any{}}},
			{command: "evaluate", args: expression("head->data")},
			{command: "setExpression", args: map[string]any{"expression": "head->data", "value": "11"}},
			{command: "scopes", args: map[string]any{"frameId": 1}},
			{command: "setVariable", args: map[string]any{"name": "head", "value": "null"}},
			{command: "completions", args: map[string]any{"text": "change hea", "column": 11}},
			{command: "readMemory", args: map[string]any{"memoryReference": "0x8", "count": 4}},
			{command: "writeMemory", args: map[string]any{"memoryReference": "0x8", "data": "AA=="}, refused: "writeMemory is not supported"},
			{command: "disassemble", args: map[string]any{"memoryReference": "0x8", "instructionCount": 1}, refused: "disassemble is not supported"},
			{command: "exceptionInfo", args: one, refused: "has not crashed"},
			{command: "gulo/graph"},
			{command: "gulo/spec", event: "invalidated"},
			{command: "gulo/locate", refused: "spec"},
			{command: "gulo/repair", refused: "spec"},
			{command: "gulo/apply", args: map[string]any{"n": 1}, refused: "repair"},
			{command: "gulo/undo", event: "invalidated"},
			{command: "gulo/command", args: map[string]any{"line": "where"}, event: "invalidated"},
			{command: "reverseContinue", args: one, event: "stopped"},
			{command: "pause", args: one},
			{command: "cancel", args: map[string]any{}},
			{command: "terminateThreads", args: map[string]any{}, refused: "terminateThreads is not supported"},
			{command: "runInTerminal", args: map[string]any{"cwd": "/", "args": []any{"x"}}, refused: "runInTerminal is not supported"},
			{command: "startDebugging", args: map[string]any{"request": "launch", "configuration": map[string]any{}}, refused: "startDebugging is not supported"},
			{command: "restart", event: "stopped"},
			{command: "terminate", args: map[string]any{}, event: "terminated"},
			{command: "disconnect", args: map[string]any{}},
		}
	}
	for _, engine := range []string{"machine", "gdb"} {
		t.Run(engine, func(t *testing.T) {
			c := connect(t)
			asked := map[string]bool{}
			var caps map[string]any
			var globals any // the last reference of all global variables
			for _, r := range table(engine) {
				asked[r.command] = true
				if r.command == "setVariable" {
					r.args.(map[string]any)["variablesReference"] = globals
				}
				body, why := c.ask(r.command, r.args)
				switch {
				case r.refused == "" && why != "":
					t.Errorf("%s is refused: %s", r.command, why)
				case r.refused != "" && !strings.Contains(why, r.refused):
					t.Errorf("%s: %q, which does not say %q", r.command, why, r.refused)
				case r.event != "":
					c.event(r.event)
				}
				if r.command == "scopes" {
					globals = body["scopes"].([]any)[1].(map[string]any)["variablesReference"]
				}
				if r.command == "initialize" {
					caps = body
				}
				if r.command == "setExceptionBreakpoints" { // rules were not asked for in the configuration
					if b := body["breakpoints"].([]any)[0].(map[string]any); b["verified"] == true || !strings.Contains(b["message"].(string), `"rules": true`) {
						t.Errorf("exception filter: %v", b)
					}
				}
			}
			for _, name := range append(known(t), "gulo/graph", "gulo/spec", "gulo/locate", "gulo/repair", "gulo/apply", "gulo/undo", "gulo/command") {
				if !asked[name] {
					t.Errorf("%s was not tried", name)
				}
			}
			for _, x := range []string{"supportsModulesRequest", "supportsInstructionBreakpoints", "supportsStepInTargetsRequest", "supportsRestartFrame",
				"supportsWriteMemoryRequest", "supportsDisassembleRequest", "supportsTerminateThreadsRequest"} {
				if caps[x] == true {
					t.Errorf("%s is announced", x)
				}
			}
		})
	}
}
