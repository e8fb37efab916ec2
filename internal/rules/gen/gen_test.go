package gen

import (
	"errors"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gulo/internal/rules"
	"gulo/internal/rules/rt"
	"gulo/internal/source"
)

// shipped are the rules of a file that gulo has.
func shipped(t *testing.T, name string) *rules.File {
	t.Helper()
	f, err := rules.Shipped(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// written are rules of a user.
func written(t *testing.T, text string) *rules.File {
	t.Helper()
	f, err := rules.Parse(source.NewFile("own.rules", []byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// some is a file with those of its rules that are named.
func some(f *rules.File, names ...string) *rules.File {
	out := *f
	out.Rules = nil
	for _, r := range f.Rules {
		if slices.Contains(names, r.Name) {
			out.Rules = append(out.Rules, r)
		}
	}
	return &out
}

// compiles lets gcc take detectors, with what the runtime declares.
func compiles(t *testing.T, dir string, outs ...*Output) {
	t.Helper()
	header, err := rt.Files.ReadFile("src/gulo.h")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "gulo.h"), header, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, o := range outs {
		file := filepath.Join(dir, "detectors.c")
		if err := os.WriteFile(file, []byte(o.Detectors), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("gcc", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-unused-parameter", "-Wno-type-limits", "-Wno-attributes", file).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s\n%s", err, out, o.Detectors)
		}
	}
}

// TestConfig: what the instrumentation is asked for is what the rule needs, and no more.
func TestConfig(t *testing.T) {
	memory, leaks := shipped(t, "memory"), shipped(t, "leaks")
	for _, x := range []struct {
		name  string
		file  *rules.File
		names map[string]string
		want  Config // but for what pointers carry
	}{
		{"accesses through null", some(memory, "null_pointer_deref"), nil, Config{Deref: "null"}},
		{"the end of blocks", some(memory, "heap_buffer_overflow"), nil, Config{Deref: "bounds"}},
		{"blocks that were freed", some(memory, "double_free", "unmatched_free"), nil, Config{Free: true}},
		{"variables", some(memory, "stack_buffer_overflow"), nil, Config{Deref: "bounds", Stack: true}},
		{"global variables", some(memory, "global_buffer_overflow"), nil, Config{Deref: "bounds", Globals: true}},
		{"what was never written", some(memory, "uninitialized_read"), nil, Config{Deref: "bounds", Written: true}},
		{"the end of main", some(memory, "definite_leak"), nil, Config{}},
		{"a function that is named", some(leaks, "leak_in_ts"), map[string]string{"ts": "work"}, Config{Funcs: []string{"main", "work"}}},
		{"every access", written(t, "[first] detect <Trace; deref r>: r == Begin(r)\n"), nil, Config{Deref: "always"}},
		{"no rule", &rules.File{}, nil, Config{}},
	} {
		out, err := Generate([]*rules.File{x.file}, x.names)
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		c := out.Config
		if x.want.Funcs == nil {
			x.want.Funcs = []string{"main"}
		}
		if c.Deref != x.want.Deref || c.Written != x.want.Written || c.Free != x.want.Free || c.Globals != x.want.Globals || c.Stack != x.want.Stack || !slices.Equal(c.Funcs, x.want.Funcs) {
			t.Errorf("%s: %s", x.name, c.JSON())
		}
		compiles(t, t.TempDir(), out)
	}
}

// strength orders the tests before an access.
var strength = []string{"", "null", "bounds", "always"}

// TestTogether: of any rules together the instrumentation is asked for what one of them needs, each is
// named once and can be switched off, and gcc takes them.
func TestTogether(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	memory := shipped(t, "memory")
	own := written(t, "[first] detect <Trace; deref_w r>: r == Begin(r)\n")
	all := append(slices.Clone(memory.Rules), own.Rules...)
	dir := t.TempDir()
	for range 25 {
		file := *memory
		file.Rules = nil
		want := Config{}
		for _, r := range all {
			if rnd.Intn(3) > 0 {
				continue
			}
			file.Rules = append(file.Rules, r)
			one := *memory
			one.Rules = []*rules.Rule{r}
			alone, err := Generate([]*rules.File{&one}, nil)
			if err != nil {
				t.Fatal(err)
			}
			c := alone.Config
			want.Free, want.Stack, want.Globals, want.Chains = want.Free || c.Free, want.Stack || c.Stack, want.Globals || c.Globals, want.Chains || c.Chains
			if slices.Index(strength, c.Deref) > slices.Index(strength, want.Deref) {
				want.Deref = c.Deref
			}
		}
		out, err := Generate([]*rules.File{&file}, nil)
		if err != nil {
			t.Fatal(err)
		}
		c := out.Config
		if c.Deref != want.Deref || c.Free != want.Free || c.Stack != want.Stack || c.Globals != want.Globals || c.Chains != want.Chains {
			t.Errorf("%d rules: %s, want %s", len(file.Rules), c.JSON(), want.JSON())
		}
		if n := strings.Count(out.Detectors, "static int rule_"); n != len(file.Rules) {
			t.Errorf("%d detectors of %d rules", n, len(file.Rules))
		}
		again, err := Generate([]*rules.File{&file}, nil)
		if err != nil || again.Detectors != out.Detectors {
			t.Errorf("another text the second time: %v", err)
		}
		compiles(t, dir, out)
	}
}

// TestRefused: what a native debugger cannot see is refused, and why is said with the place.
func TestRefused(t *testing.T) {
	for _, x := range []struct {
		text  string
		whole bool
		says  string
	}{
		{"[wrote] detect <Trace; free r>: exists event(k, write, r, _) in Trace suchthat (k > 3)\n", true, "own.rules:1:1"},
		{"\n[any] detect <H; Trace; ret _ v>: dom(H) != {}\n", false, "own.rules:2:1"},
	} {
		_, err := Generate([]*rules.File{written(t, x.text)}, nil)
		if err == nil || errors.Is(err, ErrWholeTrace) != x.whole || !strings.HasPrefix(err.Error(), x.says) {
			t.Errorf("%s: %v", x.text, err)
		}
	}
}
