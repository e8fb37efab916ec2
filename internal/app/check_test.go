package app

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// instrumented reports whether native debuggers can be built here, and lets gulo use them.
func instrumented(t *testing.T) bool {
	bin, err := filepath.Abs("../../bin/gulo-instrument")
	if err == nil {
		_, err = os.Stat(bin)
	}
	t.Setenv("GULO_INSTRUMENT", bin)
	return err == nil
}

// TestCheck holds what gulo check and gulo rules answer.
func TestCheck(t *testing.T) {
	if !instrumented(t) {
		t.Skip("native debuggers need bin/gulo-instrument: make instrument")
	}
	const head = "#include <stdlib.h>\n#include <stdio.h>\n"
	file := func(body string) string { return writeFile(t, "p.c", head+body) }
	rule := func(text string) string { return writeFile(t, "mine.rules", text) }
	clean := file("int main(void) { int *p = malloc(4); *p = 1; printf(\"%d\\n\", *p); free(p); return 3; }\n")
	leaky := file("int *keep;\nstatic void serve(void) { keep = malloc(8); }\nint main(void) { serve(); return 0; }\n")
	nested := file("int main(void) {\n\tint n = 3, *p = malloc(2 * sizeof *p);\n\tvoid fill(int from) { for (int i = from; i <= n; i++) p[i] = i; }\n\tfill(0);\n\tfree(p);\n\treturn 0;\n}\n")
	lost := file("int main(void) { int *p = malloc(4); p = NULL; return p != NULL; }\n")
	for _, x := range []struct {
		name string
		args []string
		code int
		want []string
	}{
		{"shallow copy", []string{"check", "../../examples/shallow_copy.c"}, 1, []string{"color\n", "shallow_copy.c:23:5: double_free", "copied", "copy_attribute: *copy = *from;", "r1 came from"}},
		{"clean", []string{"check", clean}, 0, []string{"1\n"}},
		{"null", []string{"check", file("int main(void) { int *p = NULL; return *p; }\n")}, 1, []string{":3:40: null_pointer_deref", "NULL  "}},
		{"far overflow", []string{"check", file("int main(void) { char *a = malloc(8), *b = malloc(8); long d = b - a; (void)d; a[48] = 1; free(a); free(b); return 0; }\n")}, 1, []string{"heap_buffer_overflow"}},
		{"lost", []string{"check", lost}, 1, []string{"definite_leak", "a block of 4 bytes allocated at"}},
		{"kept at exit", []string{"check", leaky}, 0, nil},
		{"possible leak", []string{"check", "--rules", "leaks", leaky}, 1, []string{"possible_leak", "a block of 8 bytes allocated at"}},
		{"leak in a transaction", []string{"check", "--ts", "serve", leaky}, 1, []string{"leak_in_ts", "p.c:4:45"}},
		{"own rule", []string{"check", "--rules", rule("[big] detect <H; call free p>: exists bid in H suchthat (Size(bid) > 3)"), clean}, 1, []string{"big: the rule holds"}},
		{"unknown name", []string{"check", "--rules", rule("[x] detect <Trace; free r>: q == NULL"), clean}, 2, []string{"mine.rules:1:29: error: unknown name q"}},
		{"no such rules", []string{"check", "--rules", "nothing", clean}, 2, []string{"there are no shipped rules \"nothing\"; there are figure2"}},
		{"no such file", []string{"check", "--rules", "./no.rules", clean}, 2, []string{"no.rules"}},
		{"no such function", []string{"check", "--ts", "nowhere", clean}, 2, []string{"there is no function nowhere"}},
		{"does not compile", []string{"check", file("int main(void) { return x; }\n")}, 2, []string{"undeclared"}},
		{"format", []string{"check", "--format", "yaml", clean}, 2, []string{"--format is text, json or sarif"}},
		{"engine", []string{"check", "--engine", "pin", clean}, 2, []string{"--engine is machine or native"}},
		{"null on the machine", []string{"check", "--engine", "machine", file("int main(void) { int *p = NULL; return *p; }\n")}, 1, []string{":3:33: null_pointer_deref", "null stored"}},
		{"switched off", []string{"check", "--off", "definite_leak", lost}, 0, nil},
		{"no such rule", []string{"check", "--off", "nonsense", lost}, 2, []string{"--off: there is no rule nonsense"}},
		{"a program without", []string{"check", "/bin/true"}, 2, []string{"/bin/true has no memory debugger in it; build it with CC=\"gulo cc\""}},
		{"debug", []string{"check", "--debug", "--script", writeFile(t, "s.gulo", "where\nrules off double_free\nrules nonsense\n"), "../../examples/shallow_copy.c"}, 2, []string{"double_free: free of a block", "#0 free_attribute at", "double_free is off", "rules [on|off NAME]"}},
		{"debug under gdb", []string{"check", "--debug=gdb", "--script", writeFile(t, "s.gulo", "where\n"), "../../examples/shallow_copy.c"}, 0, []string{"#0 free_attribute at", "shallow_copy.c:23"}},
		{"debug without an error", []string{"check", "--debug", clean}, 0, []string{"no rule fires"}},
		{"debug under what", []string{"check", "--debug=pin", clean}, 2, []string{"--debug is machine or gdb"}},
		{"whole trace", []string{"check", "--rules", rule("[x] detect <Trace; free r>: exists event(_, write, r, v) in Trace suchthat (v == 0)"), clean}, 0, []string{"runs on the abstract machine"}},
		{"nested functions", []string{"check", nested}, 1, []string{"clang does not compile the program", "runs on the abstract machine", "heap_buffer_overflow", "in fill: p[i] = i;"}},
		{"nested functions natively", []string{"check", "--engine", "native", nested}, 2, []string{"function definition is not allowed here"}},
		{"generate", []string{"rules", "gen", "figure2"}, 0, []string{"gulo_detect_deref"}},
		{"generate: lines", []string{"rules", "gen", "--table", "figure2"}, 0, []string{"double_free"}},
		{"generate: config", []string{"rules", "gen", "--config", "figure2"}, 0, []string{"\"deref\":"}},
		{"whole trace natively", []string{"check", "--engine", "native", "--rules", rule("[x] detect <Trace; free r>: exists event(_, write, r, v) in Trace suchthat (v == 0)"), clean}, 2, []string{"mine.rules:1:1", "--engine machine"}},
		{"list", []string{"rules", "list"}, 0, []string{"figure6  possible_leak definite_leak leak_in_ts gc_bug"}},
		{"show", []string{"rules", "show", "figure2"}, 0, []string{"∃(_, malloc, _, bid) ∈ σ"}},
		{"check rules", []string{"rules", "check", rule("[x] detect <Trace; free r>: r == NULL\n")}, 0, []string{"1 rule, 0 predicates"}},
		{"format rules", []string{"rules", "format", rule("[A-b] detect(σ; free r) : ¬(r = NULL)")}, 0, []string{"[a_b] detect <Trace; free r>: !(r == NULL)\n"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			code, out, errOut := gulo(t, "", x.args...)
			if code != x.code {
				t.Errorf("code %d, want %d\n%s%s", code, x.code, out, errOut)
			}
			for _, w := range x.want {
				if !strings.Contains(out+errOut, w) {
					t.Errorf("no %q in\n%s%s", w, out, errOut)
				}
			}
		})
	}
	t.Run("no clang", func(t *testing.T) {
		gcc, err := exec.LookPath("gcc")
		if err != nil {
			t.Skip("gcc is missing")
		}
		dir := t.TempDir()
		if err := os.Symlink(gcc, dir+"/gcc"); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", dir)
		for _, args := range [][]string{{"check", "--engine", "native", clean}, {"cc", "-c", clean}} {
			code, _, errOut := gulo(t, "", args...)
			if code != 3 || !strings.Contains(errOut, "apt-get install clang-19") {
				t.Errorf("%v: code %d\n%s", args, code, errOut)
			}
		}
	})
	_, _, errOut := gulo(t, "", "check", "--format", "json", "../../examples/shallow_copy.c")
	var doc struct {
		Findings []struct {
			Rule, File, Function, Message string
			Line                          int
			Chain                         []struct{ File, Function, Text string }
		}
	}
	if err := json.Unmarshal([]byte(errOut), &doc); err != nil || len(doc.Findings) != 1 || doc.Findings[0].Line != 23 || len(doc.Findings[0].Chain) < 2 {
		t.Errorf("%v\n%s", err, errOut)
	}
}
