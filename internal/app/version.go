package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/check"
	"gulo/internal/process"
	"gulo/internal/target/gdb"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"
)

// This file prints the version of gulo and of its tools, for reports of bugs.

// tool is a program that gulo starts.
type tool struct {
	name    string
	find    func() (string, error)
	version string // the argument that prints its version; "": it has no version
	without string // what does not work without it, and how to install it
}

// tools are the programs that a user may have to install.
var tools = []tool{
	{"gcc", onPath("gcc"), "--version", "nothing works without it; install it with: apt-get install gcc libc6-dev"},
	{"gdb", gdbHere(), "--version", "sessions need --engine machine; install it with: apt-get install gdb"},
	{"z3", onPath("z3"), "--version", "no --assert, no explore, no new constants in repairs; install it with: apt-get install z3"},
	{"tcc", onPath("tcc"), "-v", "repairs from tests take half as long again; install it with: apt-get install tcc"},
	{check.Clang, onPath(check.Clang), "--version", "gulo check needs --engine machine, gulo cc does not work; install it with: apt-get install " + check.Clang},
	{"gulo-instrument", check.Instrumenter, "", "gulo check needs --engine machine, gulo cc does not work; make instrument builds it"},
}

// gdbHere returns a function that finds gdb, if sessions under gdb are supported here.
func gdbHere() func() (string, error) {
	if err := gdb.Supported(); err != nil {
		return func() (string, error) { return "", err }
	}
	return onPath("gdb")
}

func onPath(name string) func() (string, error) {
	return func() (string, error) { return exec.LookPath(name) }
}

// versionLimit bounds how long a tool may take to print its version.
const versionLimit = 10 * time.Second

// found returns the version of a tool, or what is missing without it.
func (t *tool) found(ctx context.Context) string {
	at, err := t.find()
	if other := (*cfront.ToolError)(nil); errors.As(err, &other) && other.Tool == t.name {
		return fmt.Sprintf("not used: %v; %s", other.Err, other.Hint)
	}
	if err != nil {
		return "not found: " + t.without
	}
	if t.version == "" {
		return at
	}
	ctx, cancel := context.WithTimeout(ctx, versionLimit)
	defer cancel()
	out, err := process.Command(ctx, at, t.version).CombinedOutput()
	first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if err != nil {
		return fmt.Sprintf("%s does not run: %s", at, strings.TrimSuffix(fmt.Sprintf("%v: %s", err, first), ": "))
	}
	return first
}

func (s *streams) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "say which gulo this is, and which tools it finds",
		Long: `Prints the version of gulo, the commit that it was built from, the system, and
the version of every tool that gulo starts. For a missing tool it says what does
not work without it and how to install it. Put this into a bug report.`,
		Example: "  gulo version\n  gulo --version",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return &exitError{exitUsage, "gulo version takes no arguments"}
			}
			return s.version(c.Context())
		},
	}
}

// version prints the answer of gulo version.
func (s *streams) version(ctx context.Context) error {
	line := func(name, text string) { fmt.Fprintf(s.out, "%-15s  %s\n", name, text) }
	line("gulo", process.Version())
	info, _ := debug.ReadBuildInfo()
	line("commit", commit(info))
	line("built with", fmt.Sprintf("%s for %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH))
	line("system", system())
	found := make([]string, len(tools))
	err := process.Parallel(ctx, len(tools), len(tools), func(ctx context.Context, i int) error {
		found[i] = tools[i].found(ctx)
		return nil
	})
	for i := range tools {
		line(tools[i].name, found[i])
	}
	return err
}

// commit returns the commit that gulo was built from.
func commit(info *debug.BuildInfo) string {
	of := map[string]string{}
	if info != nil {
		for _, s := range info.Settings {
			of[s.Key] = s.Value
		}
	}
	out := of["vcs.revision"]
	if out == "" {
		return "not known: it was not built in a git repository, or with -buildvcs=false"
	}
	if day, _, ok := strings.Cut(of["vcs.time"], "T"); ok {
		out += " of " + day
	}
	if of["vcs.modified"] == "true" {
		out += ", with changes that are not committed"
	}
	return out
}

// system returns the kernel and the distribution.
func system() string {
	kernel, name := "", ""
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		kernel = fmt.Sprintf("%s %s %s", unix.ByteSliceToString(u.Sysname[:]), unix.ByteSliceToString(u.Release[:]), unix.ByteSliceToString(u.Machine[:]))
	}
	b, err := os.ReadFile("/etc/os-release")
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		name = err.Error()
	}
	for _, l := range strings.Split(string(b), "\n") {
		if v, ok := strings.CutPrefix(l, "PRETTY_NAME="); ok {
			name = strings.Trim(v, `"'`)
		}
	}
	return cmp.Or(strings.Trim(kernel+", "+name, ", "), "not known")
}
