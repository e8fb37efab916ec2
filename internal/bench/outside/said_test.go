package outside

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/contract"
	"gulo/internal/lower"
)

// TestSaid holds what authors say of their functions against the programs: every program has a
// contract of a function that it has, whose conditions make sense.
func TestSaid(t *testing.T) {
	dir := t.TempDir()
	for _, name := range Names() {
		p, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Contracts) == 0 {
			t.Errorf("%s has no contract", name)
			continue
		}
		at := filepath.Join(dir, name+".c")
		write(t, at, p.Right)
		prog, err := lower.Load(context.Background(), []string{at}, cfront.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{p.Right, p.Faulty} {
			if with, err := p.Asserted(text); err != nil || len(p.asserts) == 0 || strings.Count(with, "assert(") < 1 {
				t.Errorf("%s: %d assertions: %v", name, len(p.asserts), err)
			}
		}
		functions := map[string]bool{}
		for n, text := range p.Contracts {
			file := filepath.Join(dir, contractName(n))
			write(t, file, text)
			c, err := contract.Read(file, prog.Tree, "")
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if functions[c.Func.Name] {
				t.Errorf("%s has two contracts of %s", name, c.Func.Name)
			}
			functions[c.Func.Name] = true
			if text := body(p.Right, c.Func.Name); text == "" || text == body(p.Faulty, c.Func.Name) && elsewhere[name] == "" {
				t.Errorf("%s: %s is as it should be", name, c.Func.Name)
			}
		}
	}
}

// elsewhere are programs whose contract is of a function that is right.
var elsewhere = map[string]string{
	"shape_ops":    "a table of functions is wrong",
	"sort_records": "what ahead calls is wrong, and is given void *",
}

// body returns a function's text, from its name on.
func body(text, name string) string {
	lines := strings.SplitAfter(text, "\n")
	i := defined(lines, name)
	if i < 0 {
		return ""
	}
	rest := strings.Join(lines[i:], "")
	return rest[:max(strings.Index(rest, "\n}\n"), 0)]
}

// TestSaidHolds runs right programs under their contracts and with their assertions: they keep
// them on all tests. A wrong one breaks the contract on a test, and the assertions on the run that
// shows the fault.
func TestSaidHolds(t *testing.T) {
	names := []string{"avl_ranks", "heap_queue", "scan_ini"}
	if *full {
		names = Names()
	}
	for _, name := range names {
		s := subjectOf(t, name)
		for _, c := range []struct {
			bin, text string
			runs      []Run
		}{{"right", s.Right, s.Tests}, {"faulty", s.Faulty, []Run{*s.Test(s.Failing)}}} {
			text, err := s.Asserted(c.text)
			if err != nil {
				t.Fatal(err)
			}
			write(t, s.file("said.c"), text)
			if said, err := Compile(t.Context(), s.file("said"), s.file("said.c"), "-w"); err != nil {
				t.Fatal(said)
			}
			for _, r := range c.runs {
				res, said, err := observe(t.Context(), s.file("said"), &r, false)
				if err != nil {
					t.Fatal(err)
				}
				if failed := strings.Contains(said, "Assertion `"); failed != (c.bin == "faulty") && (c.bin == "right" || res.why == "") {
					t.Errorf("%s.c of %s on %s: %s", c.bin, name, &r, said)
				}
			}
		}
		for n := range s.Contracts {
			broken := 0
			for _, r := range s.Tests {
				if said := underContract(t, s.file("right.c"), s.file(contractName(n)), &r); said != "" {
					t.Errorf("right.c of %s on %s: %s", name, &r, said)
				}
				if underContract(t, s.file("faulty.c"), s.file(contractName(n)), &r) != "" {
					broken++
				}
			}
			if broken == 0 && name != "shape_ops" { // its functions are right, and a table is not
				t.Errorf("faulty.c of %s keeps %s on all tests", name, contractName(n))
			}
		}
	}
}

func TestAsserts(t *testing.T) {
	for text, want := range map[string]string{
		"f begin\n\tassert(x);\n":                              "#include <assert.h>\nint g(void);\nint f(int x)\n{\nassert(x);\n  return x;\n}\n",
		"f end\n\ta();\n\tb();\n":                              "#include <assert.h>\nint g(void);\nint f(int x)\n{\n  return x;\na();\nb();\n}\n",
		"f before: return x;\n\tassert(x);":                    "#include <assert.h>\nint g(void);\nint f(int x)\n{\nassert(x);\n  return x;\n}\n",
		"f above\n\tint h;\nf before: return x;\n\tassert(x);": "#include <assert.h>\nint g(void);\nint h;\nint f(int x)\n{\nassert(x);\n  return x;\n}\n",
	} {
		list, err := parseAsserts(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := (&Program{asserts: list}).Asserted("int g(void);\nint f(int x)\n{\n  return x;\n}\n")
		if err != nil || got != want {
			t.Errorf("%q: %v\n%s", text, err, got)
		}
	}
	for _, text := range []string{"f after\n\tassert(x);", "assert(x);", "f before\n\tx;", "\tassert(x);"} {
		if list, err := parseAsserts(text); err == nil {
			t.Errorf("%q is taken for assertions: %v", text, list)
		}
	}
	for _, text := range []string{"g begin\n\tx;", "f before: return y;\n\tx;"} {
		list, err := parseAsserts(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := (&Program{asserts: list}).Asserted("int f(int x)\n{\n  return x;\n}\n"); err == nil {
			t.Errorf("%q is put into a program that has no place for it:\n%s", text, got)
		}
	}
}

// TestBySaid asks a program that answers as gulo does.
func TestBySaid(t *testing.T) {
	s := subjectOf(t, "undo_stacks")
	answer := func(before, after string) string {
		text, err := json.Marshal(map[string]any{"result": "repaired", "repairs": []any{map[string]any{"edits": []any{map[string]any{"line": 1, "before": before, "after": after}}}}})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, c := range []struct{ name, script, class, why string }{
		{"both", `if [ "$1" = run ]; then exit 0; fi; cp right.c fixed.c; echo '` + answer("a", "b") + `'`, Right, ""},
		{"none", `echo '{"result": "none", "cause": "no inputs can be made for f"}'`, NoInput, "contract2.json: no inputs"},
		{"unknown", `echo '{"result": "unknown", "cause": "time limit"}'`, Time, "time limit"},
		{"kept", `if [ "$1" = run ]; then exit 0; fi; cp said.c fixed.c; echo '` + answer("a", "b") + `'`, Unsaid, "prints"},
		{"broken", `if [ "$1" = run ]; then echo 'the postcondition of f does not hold' >&2; exit 1; fi; cp said.c fixed.c; echo '` + answer("a", "b") + `'`, Wrong, "prints"},
		{"half", `if [ "$1" = run ]; then exit 0; fi; case "$*" in *contract2*) echo '{"result": "none", "cause": "nothing found"}';; *) cp said.c fixed.c; echo '` + answer("a", "b") + `';; esac`, None, "contract2.json: nothing found"},
		{"half broken", `if [ "$1" = run ]; then echo 'the postcondition of f does not hold' >&2; exit 1; fi; case "$*" in *contract2*) echo '{"result": "none", "cause": "nothing found"}';; *) cp said.c fixed.c; echo '` + answer("a", "b") + `';; esac`, Wrong, "prints"},
		{"refused", `echo 'gulo: refused' >&2; exit 2`, Refused, "refused"},
	} {
		s.o.Gulo = []string{"sh", "-c", c.script, "gulo"}
		a, err := s.ask(context.Background(), byContract, 0)
		if err != nil {
			t.Fatal(err)
		}
		if a.Class != c.class || !strings.Contains(a.Why, c.why) {
			t.Errorf("%s: %s (%s), not %s", c.name, a.Class, a.Why, c.class)
		}
	}
	got := strings.Join(s.saidArguments("contract2.json"), " ")
	if !strings.Contains(got, "--contract contract2.json said.c -- ") || strings.Contains(got, "faulty.c") {
		t.Errorf("gulo is asked with %s", got)
	}
}
