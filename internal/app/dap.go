package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gulo/internal/check"
	"gulo/internal/dap"
	"gulo/internal/project"
	"gulo/internal/rules"
	"gulo/internal/session"
	"gulo/internal/target/gdb"

	"github.com/spf13/cobra"
)

func (s *streams) dapCommand() *cobra.Command {
	var listen string
	c := &cobra.Command{
		Use:   "dap",
		Short: "the same session in an editor (Debug Adapter Protocol)",
		Long: `Talks to an editor over standard input and output or, with --listen, to the
first client that connects. docs/editors.md has configurations for VS Code,
Emacs and Neovim.

A launch configuration may have: program (one or more C files, or a program
built with gcc -g), build (the directory of a build, like -p; program is then
the name of one of its programs), coreFile (open this core file instead of
running), args, engine (gdb or machine), follow (the process that the session
stays in after a fork: parent or child), stopOnEntry, rules (check memory rules
while the program runs; on the machine only), include and define. An attach
configuration has processId.`,
		Example: `  gulo dap
  gulo dap --listen 127.0.0.1:4711`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, err := adapterConfig()
			if err != nil {
				return err
			}
			if listen == "" {
				return dap.Serve(c.Context(), s.in, s.out, cfg)
			}
			l, err := listenHere(listen)
			if err != nil {
				return err
			}
			defer context.AfterFunc(c.Context(), func() { _ = l.Close() })()
			fmt.Fprintf(s.err, "listening on %s\n", l.Addr())
			conn, err := l.Accept()
			_ = l.Close()
			if err != nil {
				return &exitError{exitOutside, fmt.Sprintf("no client: %v", err)}
			}
			defer conn.Close()
			return dap.Serve(c.Context(), conn, conn, cfg)
		},
	}
	c.Flags().StringVar(&listen, "listen", "", "`ADDRESS`: wait for one client at this address of this machine")
	return c
}

func adapterConfig() (dap.Config, error) {
	cfg := dap.Config{Open: launchFor}
	f, err := rules.Shipped("memory")
	if err != nil {
		return cfg, err
	}
	for _, r := range f.Rules {
		if !slices.Contains(cfg.Rules, r.Name) {
			cfg.Rules = append(cfg.Rules, r.Name)
		}
	}
	return cfg, nil
}

// launchFor opens the session that an editor asks for.
func launchFor(ctx context.Context, l *dap.Launch) (*session.Session, error) {
	var src sourceFlags
	for _, d := range l.Include {
		src.list = append(src.list, "-I"+d)
	}
	for _, d := range l.Define {
		src.list = append(src.list, "-D"+d)
	}
	if l.Process != 0 {
		return attachFor(ctx, l, &src)
	}
	from, err := launched(l, &src)
	if err != nil {
		return nil, err
	}
	from.note(l.Notes)
	o := sessionOptions{engine: l.Engine, files: from.files, args: from.args, opt: from.opt, name: from.name, core: from.core, follow: l.Follow}
	switch {
	case o.engine == "" && l.Rules:
		o.engine = "machine"
	case o.engine == "":
		o.engine = "gdb"
	case o.engine != "gdb" && o.engine != "machine":
		return nil, fmt.Errorf("engine is gdb or machine, not %q", o.engine)
	case l.Rules && o.engine != "machine":
		return nil, fmt.Errorf("memory rules need every access to memory, which only the machine can show them; leave engine out")
	}
	if err := followed(l.Follow, o.engine, false); err != nil {
		return nil, err
	}
	if o.screen, err = screenOf(l.Screen, o.engine); err != nil {
		return nil, err
	}
	if err := from.on(o.engine); err != nil {
		return nil, err
	}
	p, err := loadProgram(ctx, o.engine, o.files, o.opt)
	if err != nil {
		return nil, err
	}
	if l.Rules {
		if o.watch, err = check.Watcher(&check.Request{Files: o.files, Args: o.args, Options: o.opt}, p); err != nil {
			return nil, err
		}
	}
	tgt, err := o.launch(ctx, p)
	if err != nil {
		return nil, err
	}
	cfg := session.Config{Name: o.called(), Args: o.args, Input: string(o.input), KeepBreaks: true, Limit: attachLimit, Options: o.opt, Patience: 1, Whole: wholeRuns(o.files, o.opt)}
	if o.watch != nil {
		cfg.Rules = o.watch
	}
	return session.New(p, tgt, cfg), nil
}

// launched finds the program that a launch configuration names: C files, a program of a build, or a program built by
// gcc, with or without a core file.
func launched(l *dap.Launch, src *sourceFlags) (*origin, error) {
	switch {
	case l.Core != "":
		if !gdb.IsCore(l.Core) {
			return nil, fmt.Errorf("coreFile: %s is no core file", l.Core)
		}
		return coreOf(append(slices.Clone(l.Program), l.Core), l.Args, src)
	case l.Build != "" && len(l.Program) > 1:
		return nil, fmt.Errorf("with build, program is the name of one program of that build")
	case l.Build != "":
		db, err := project.Open(l.Build)
		if err != nil {
			return nil, err
		}
		return found(db, strings.Join(l.Program, ""), l.Args, src)
	case len(l.Program) == 1 && project.IsProgram(project.Behind(l.Program[0])):
		p, err := project.FromBinary(project.Behind(l.Program[0]))
		if err != nil {
			return nil, err
		}
		return given(p, l.Args, src), nil
	}
	return &origin{files: l.Program, args: l.Args, opt: src.options()}, nil
}

// attachFor opens a session with the running process that an editor names.
func attachFor(ctx context.Context, l *dap.Launch, src *sourceFlags) (*session.Session, error) {
	switch {
	case l.Engine == "machine" || l.Rules:
		return nil, fmt.Errorf("the machine, which memory rules watch, runs programs itself and cannot attach to a process; use launch")
	case len(l.Args) > 0:
		return nil, fmt.Errorf("a process that runs already has its arguments")
	}
	o, err := sourcesOf(int(l.Process), l.Program, src)
	if err != nil {
		return nil, err
	}
	p, tgt, err := attachTo(ctx, int(l.Process), o)
	if err != nil {
		return nil, err
	}
	return session.New(p, tgt, session.Config{Name: o.name, KeepBreaks: true, Limit: attachLimit, Options: o.opt, Patience: 1}), nil
}
