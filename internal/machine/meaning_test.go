package machine_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/source"

	"golang.org/x/tools/txtar"
)

// This file goes through C and GNU C construct by construct. Each program of testdata/meaning*.txtar either does on
// the machine what it does as gcc compiles it (standard output, standard error, exit status; kept_test.go), or is
// refused. Its first comment then says the place and the name of the construct; it may also name flags of gcc. The
// page docs/c.md is made of that table.

var update = flag.Bool("update", false, "write docs/c.md and testdata/gcc.json anew")

var constructLine = regexp.MustCompile(`^/\* construct: (.*?)(?: \| flags: (.*?))?(?: \| refused: (\d+:\d+): (.*?))? \*/\n`)

// construct is one program of the table.
type construct struct {
	name, title  string
	flags        []string // of gcc
	at, refusal  string   // line:column and message when it is refused
	path, binary string
}

func constructs(t *testing.T) []construct {
	t.Helper()
	names, err := filepath.Glob("testdata/meaning*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	var files []txtar.File
	for _, name := range names {
		ar, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, ar.Files...)
	}
	dir := t.TempDir()
	var out []construct
	for _, f := range files {
		m := constructLine.FindStringSubmatch(string(f.Data))
		if m == nil {
			t.Fatalf("%s does not begin with its construct", f.Name)
		}
		c := construct{name: strings.TrimSuffix(f.Name, ".c"), title: m[1], flags: strings.Fields(m[2]), at: m[3], refusal: m[4]}
		c.path, c.binary = filepath.Join(dir, f.Name), filepath.Join(dir, c.name)
		if err := os.WriteFile(c.path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// behaviour is what somebody who runs a program sees.
type behaviour struct {
	Out, Err string
	Status   int
}

var meaningEnv = []string{"HOME=/home/somebody", "LC_ALL=C", "PATH=/usr/bin:/bin"}

func (c *construct) native(t *testing.T) (b behaviour) {
	t.Helper()
	args := append([]string{"-O0", "-w", "-pipe", "-o", c.binary, c.path}, c.flags...)
	if msg, err := exec.Command("gcc", append(args, "-lm")...).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, msg)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.binary)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Env = &out, &errs, meaningEnv
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	b.Out, b.Err, b.Status = out.String(), errs.String(), cmd.ProcessState.ExitCode()
	if b.Status < 0 { // killed by a signal
		if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok {
			b.Status = 128 + int(ws.Signal())
		}
	}
	return b
}

// parsed parses the program.
func (c *construct) parsed(t *testing.T) (*cfront.Program, error) {
	t.Helper()
	file, err := source.ReadFile(c.path)
	if err != nil {
		t.Fatal(err)
	}
	return cfront.Parse([]*source.File{file}, cfront.Options{Flags: c.flags, Nested: true})
}

// run runs the parsed program on the machine; if it is refused, at and message say where and why.
func (c *construct) run(t *testing.T, tree *cfront.Program, err error, opt lower.Options) (b behaviour, at, message string) {
	t.Helper()
	var p *lower.Program
	if err == nil {
		p, err = lower.Lower(tree, opt)
	}
	var se *source.Error
	if errors.As(err, &se) && len(se.List) > 0 {
		d := se.List[0]
		return b, fmt.Sprintf("%d:%d", d.Pos.Line, d.Pos.Column), d.Message
	}
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	m, err := machine.New(p, machine.Config{Name: c.binary, Env: meaningEnv, Files: &machine.Files{Dir: filepath.Dir(c.path)}, Stdout: &out, Stderr: &errs, MaxSteps: 100_000_000})
	status := 0
	if err == nil {
		status, err = m.Run()
	}
	var f *machine.Fault
	if errors.As(err, &f) {
		if f.Kind == machine.Unsupported {
			return b, fmt.Sprintf("%d:%d", f.Pos.Line, f.Pos.Column), f.Message
		}
		if f.Signal() == 0 {
			t.Fatal(f)
		}
		status = 128 + f.Signal()
	}
	return behaviour{out.String(), errs.String(), status}, "", ""
}

// test compares the machine with gcc, or with the run that is kept of gcc. It stores what gcc did in now.
func (c *construct) test(t *testing.T, kept map[string]keptRun, now *sync.Map) {
	var want keptRun
	if c.at == "" {
		want = kept[c.name]
		if same := c.kept(t, behaviour{}).Program == want.Program; *update || !testing.Short() || drawn(c.name) || !same {
			run := c.kept(t, c.native(t))
			if now.Store(c.name, run); run != want && !*update {
				t.Errorf("gcc:\n%+v\n%s:\n%+v\ngo test ./internal/machine -run TestMeaning -update", run, keptFile, want)
			}
			want = run
		}
	}
	tree, err := c.parsed(t)
	for _, opt := range []lower.Options{{}, {Memory: true}} {
		got, at, message := c.run(t, tree, err, opt)
		switch {
		case at != c.at || message != c.refusal:
			t.Errorf("refused at %q: %q, the table says %q: %q", at, message, c.at, c.refusal)
		case c.at == "" && c.kept(t, got) != want:
			t.Errorf("the machine (memory %v):\n%+v\ngcc:\n%+v", opt.Memory, got, want)
		}
	}
}

func TestMeaning(t *testing.T) {
	all, kept, now := constructs(t), keptRuns(t), sync.Map{}
	t.Run("all", func(t *testing.T) {
		for _, c := range all {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				t.Log(c.title)
				c.test(t, kept, &now)
			})
		}
	})
	keep(t, all, kept, &now)
	page := constructPage(all)
	const name = "../../docs/c.md"
	if *update {
		if err := os.WriteFile(name, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if old, err := os.ReadFile(name); err != nil || string(old) != page {
		t.Errorf("%s is not what the table says; go test ./internal/machine -run TestMeaning -update", name)
	}
}

var chapters = []struct{ prefix, title string }{
	{"type", "Types"}, {"conv", "Conversions"}, {"lit", "Constants and strings"}, {"expr", "Expressions"}, {"decl", "Declarations"},
	{"struct", "Structs"}, {"union", "Unions"}, {"init", "Initializers"}, {"vla", "Variable-length arrays"}, {"stmt", "Statements"},
	{"func", "Functions"}, {"pp", "Preprocessor"}, {"std", "Dialects"}, {"gnu", "GNU C"}, {"attr", "Attributes"}, {"bi", "Builtins"},
	{"hdr", "Headers"}, {"lib", "Library"}, {"thread", "Threads"}, {"proc", "Processes and sockets"},
}

// constructPage is the text of docs/c.md.
func constructPage(all []construct) string {
	var b strings.Builder
	var refused []string
	for _, c := range all {
		if c.at != "" {
			refused = append(refused, fmt.Sprintf("| %s | %s |\n", cell(c.title), cell(c.refusal)))
		}
	}
	sort.Strings(refused)
	fmt.Fprintf(&b, `# C on the abstract machine

This page is made by a test (internal/machine, TestMeaning), which runs %d programs. %d of them print on the machine what they
print when gcc 12 compiles them, and end with the same status. The other %d have something opaque: the statement, or the
function around it, has no model. Under gdb it runs natively and is stepped over as a whole; on the machine the program runs
up to it and ends there, with its file, line and column, the reason and exit code 2. Nothing edits it. "gulo why-opaque" lists
what is opaque in a program.

"go test ./internal/machine -run TestMeaning -v" says of each program what it uses. What no program uses has not been looked at.

## What is opaque

Nested functions run on the machine ("gulo run", "gulo check", "gulo debug --engine machine"); under gdb they are opaque.

| construct | why |
|---|---|
%s
## Differences that are meant

Text that is still in the buffer of standard output when a program is killed by a signal or an error is printed.

Addresses are below 2^47 and multiples of what was asked for, statics lie below the heap and that below the stack. But objects
of malloc are not close to each other, so that the distance of two does not fit in 32 bits, and the stack grows upwards, with
much room between its variables. After 8,192 objects that room is 32 to 128 KiB: an access that is farther from its object can
meet another one, as natively, and is then not seen to be an error.

## What is tried

| area | programs |
|---|---|
`, len(all), len(all)-len(refused), len(refused), strings.Join(refused, ""))
	for _, ch := range chapters {
		n := 0
		for _, c := range all {
			if strings.HasPrefix(c.name, ch.prefix+"_") {
				n++
			}
		}
		fmt.Fprintf(&b, "| %s | %d |\n", ch.title, n)
	}
	return b.String()
}

func cell(s string) string {
	return strings.NewReplacer("|", "\\|", "<", "&lt;", "__", "\\_\\_", "*", "\\*").Replace(s)
}
