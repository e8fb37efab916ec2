package app

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"gulo/internal/cfront"
	"gulo/internal/contract"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/oracle"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

func (s *streams) runCommand() *cobra.Command {
	var src sourceFlags
	var build buildFlag
	var cfg machine.Config
	var file, entry, name string
	var comments, overreads, programs bool
	files := machine.Files{Dir: "."}
	c := &cobra.Command{
		Use: `run [flags] FILE.c... [-- ARG...]
  gulo run [flags] -p BUILD_DIR [PROGRAM] [-- ARG...]
  gulo run [flags] PROGRAM [-- ARG...]
  gulo run [flags] -- make ...`,
		Short: "run a program and stop at the first memory error",
		Long: `Runs a C program on gulo's abstract machine (a C interpreter). Standard
input, standard output and the exit status are the program's own. Memory errors,
signed overflow, division by zero, a used result that a function did not return,
deadlocks and data races stop the run at their place in the source.

The program reads files below the working directory; what it writes is discarded
at the end unless --files names a directory. With --exec it may start other
programs (exec, posix_spawn, system, popen), which run natively; fork needs no
flag. With --contract or --contracts every call is checked, and the first
violation ends the run with status 1.

Next: gulo fix --memory FILE.c -- ARG... repairs what was found.`,
		Example: `  gulo run list.c
  gulo run -I include main.c queue.c -- first second < input.txt
  gulo run --trace list.c        # shows where a bad pointer came from
  gulo run --contracts max.c     # checks the pre: and post: in comments`,
		RunE: func(c *cobra.Command, args []string) error {
			from, err := s.program(c, args, &src, &build)
			if err != nil {
				return err
			}
			opt := from.opt
			opt.Nested = true
			p, err := lower.Open(c.Context(), from.files, opt, lower.Options{Memory: file != "" || comments})
			switch {
			case err != nil:
				return err
			case p.IR.Main < 0:
				return errNoMain
			}
			contracts, err := readContracts(p.Tree, file, entry, comments)
			if err != nil {
				return err
			}
			cfg.Debug = len(contracts) > 0
			if overreads {
				cfg.Beyond = beyondLiterals
			}
			cfg.Context = c.Context()
			cfg.Args, cfg.Stdin, cfg.Stdout, cfg.Stderr, cfg.Name = from.args, s.in, programOutput(s.out), s.err, from.name
			files.Write, files.Large = c.Flags().Changed("files"), true
			cfg.Files = &files
			files.Start = startedIn(files.Dir)
			if name != "" {
				cfg.Name = name
			}
			cfg.Env = os.Environ()
			if programs {
				cfg.Programs = startProgram
			}
			m, err := machine.New(p, cfg)
			if err == nil {
				var status int
				if len(contracts) > 0 {
					status, err = runWatched(p, m, contracts)
				} else {
					status, err = m.Run()
				}
				if err == nil && status != 0 {
					err = &exitError{code: status}
				}
			}
			return s.fault(p, err)
		},
	}
	src.register(c)
	build.register(c)
	c.Flags().Int64Var(&cfg.MaxSteps, "max-steps", 0, "stop after this many instructions (0: no limit)")
	c.Flags().Int64Var(&cfg.MaxMemory, "max-memory", 1<<30, "memory limit in bytes; of a large array only written pages count")
	c.Flags().Int64Var(&cfg.MaxOutput, "max-output", 1<<30, "output limit in bytes")
	c.Flags().StringVar(&name, "name", "", "`NAME`: the program's name, its argv[0] (default: the first file)")
	c.Flags().StringVar(&files.Dir, "files", ".", "`DIR`: the directory in which the program may read files; if given, it may also write there")
	c.Flags().BoolVar(&programs, "exec", false, "let the program start other programs (exec, posix_spawn, system, popen), which run natively")
	c.Flags().BoolVar(&cfg.Wrap, "wrap", false, "go on after signed overflow, with the wrapped value")
	c.Flags().BoolVar(&cfg.UninitOK, "allow-uninitialized", false, "go on after a use of uninitialized memory")
	c.Flags().BoolVar(&overreads, "allow-overreads", false, "go on after a read past the end of a string literal; what is read counts as uninitialized")
	c.Flags().BoolVar(&cfg.Races, "allow-races", false, "go on after a data race")
	c.Flags().StringVar(&file, "contract", "", "`FILE`: check calls against this contract, {\"entry\": \"max\", \"pre\": ..., \"post\": ...}")
	c.Flags().StringVar(&entry, "entry", "", "`FUNCTION`: the function that the contract file describes")
	c.Flags().BoolVar(&comments, "contracts", false, "check calls against the pre: and post: in comments above functions")
	c.Flags().BoolVar(&cfg.Trace, "trace", false, "record where values come from and show it for a bad pointer")
	return c
}

// startProgram starts a program that the debugged program asked for. Unless it has a terminal it gets its own process
// group, so that everything it starts can be ended.
func startProgram(c *exec.Cmd) error {
	if file, ok := c.Stdin.(*os.File); !ok || !term.IsTerminal(int(file.Fd())) {
		c.SysProcAttr.Setpgid = true
	}
	c.SysProcAttr.Pdeathsig = syscall.SIGKILL
	return c.Start()
}

// startedIn returns the working folder relative to dir, the folder of the program's files, if it is below dir; else "",
// and the program is started in dir.
func startedIn(dir string) string {
	here, err := os.Getwd()
	if err != nil {
		return ""
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return ""
	}
	rel, err := filepath.Rel(dir, here)
	if err != nil || rel == "." || !filepath.IsLocal(rel) {
		return ""
	}
	return rel
}

// beyondLiterals is the number of bytes after a string literal that --allow-overreads lets a program read: as many as
// code reads at once that compares or copies in blocks.
const beyondLiterals = 64

// fault prints an error state with its source line. The exit code is that of a process killed by the same error, or 3
// for a limit.
func (s *streams) fault(p *lower.Program, err error) error {
	var f *machine.Fault
	if !errors.As(err, &f) || f.Kind == machine.Interrupted {
		return err
	}
	fmt.Fprintf(s.err, "%s: %s: %s\n", f.Pos, f.Kind, f.Message)
	if st := p.Stmts; f.Stmt > 0 && int(f.Stmt) < len(st) {
		r := st[f.Stmt].Range
		fmt.Fprintf(s.err, "  in %s: %s\n", f.Func, r.File.Line(r.Position().Line))
	}
	for _, l := range f.Chain {
		if l.Stmt > 0 && int(l.Stmt) < len(p.Stmts) {
			r := p.Stmts[l.Stmt].Range
			fmt.Fprintf(s.err, "  %s at %s: %s\n", l.What, r.Position(), r.Text())
		}
	}
	if f.Kind == machine.Uninitialized {
		fmt.Fprintln(s.err, "  --allow-uninitialized goes on after uses of such values")
	}
	if f.Literal {
		fmt.Fprintf(s.err, "  --allow-overreads goes on after reads of up to %d bytes past the end of a string literal\n", beyondLiterals)
	}
	switch {
	case f.Kind == machine.LimitFault:
		return &exitError{code: exitOutside}
	case f.Kind == machine.Unsupported:
		return &exitError{code: exitUsage}
	case f.Signal() != 0:
		return &exitError{code: 128 + f.Signal()}
	}
	return &exitError{code: exitNegative}
}

// readContracts reads a contract file and the contracts in comments.
func readContracts(tree *cfront.Program, file, entry string, comments bool) ([]*contract.Contract, error) {
	var out []*contract.Contract
	if file != "" {
		c, err := contract.Read(file, tree, entry)
		if err != nil {
			return nil, contractError(err)
		}
		out = append(out, c)
	}
	if !comments {
		return out, nil
	}
	n := len(out)
	for _, f := range tree.Funcs {
		c, err := contract.Of(tree, f)
		if err != nil {
			return nil, contractError(err)
		}
		if c != nil {
			out = append(out, c)
		}
	}
	if len(out) == n {
		return nil, &exitError{exitUsage, "there is no contract in a comment above a function: write pre: and post: there"}
	}
	return out, nil
}

func contractError(err error) error {
	var e *contract.Error
	if errors.As(err, &e) {
		return &exitError{exitUsage, err.Error()}
	}
	return err
}

// runWatched runs a program and ends it at the first contract violation.
func runWatched(p *lower.Program, m *machine.Machine, cs []*contract.Contract) (int, error) {
	w := oracle.NewWatch(p, m, cs)
	var bad *oracle.Violation
	f := m.RunUntil(func(stmt int32, lib bool) bool {
		if !lib {
			bad = w.Step(stmt)
		}
		return bad != nil
	})
	m.FlushOutput()
	status, _ := m.Exited()
	switch {
	case bad != nil:
		return 0, &exitError{exitNegative, bad.Error()}
	case f != nil:
		return 0, f
	}
	return status, nil
}
