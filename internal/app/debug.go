package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"gulo/internal/cfront"
	"gulo/internal/check"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/process"
	"gulo/internal/rules/calculus"
	"gulo/internal/screen"
	"gulo/internal/session"
	"gulo/internal/shell"
	"gulo/internal/source"
	"gulo/internal/target"
	"gulo/internal/target/gdb"
	"gulo/internal/target/sim"

	"github.com/spf13/cobra"
)

func (s *streams) debugCommand() *cobra.Command {
	var src sourceFlags
	var build buildFlag
	var engine, script, folder, terminal, size, views, follow string
	var attach int
	c := &cobra.Command{
		Use: `debug [flags] FILE.c... [-- ARG...]
  gulo debug [flags] -p BUILD_DIR [PROGRAM] [-- ARG...]
  gulo debug [flags] -- make ...
  gulo debug [flags] PROGRAM [-- ARG...]
  gulo debug [flags] [PROGRAM] CORE
  gulo debug --attach PID [FILE.c...]`,
		Short: "see the heap while a program runs, correct it, get a patch",
		Long: `Runs a C program under gdb, or on gulo's abstract machine (a C interpreter), and
draws its heap as boxes and arrows after every command. Correct the picture with
change, and the control flow with enter, leave and flip; assert the corrected
state with spec. repair finds the smallest patch that meets every asserted
state, applies it to the running program and lets you go on.

A program of many files is compiled as its own build compiles it: -p reads
compile_commands.json, and gulo watches a build command given after --. For a
PROGRAM built with gcc -g, gulo takes the sources and flags from its debug
information and recompiles each source whose object file it cannot use.

--attach stops a running process (built with gcc -g, without optimization, one
thread). Its nodes can be changed but not created or freed; quit leaves it
running. A core file shows a program as it was when it crashed: where, up, down,
print, list and the picture work, but nothing runs.

When the program forks under gdb, the session stays in the parent and the child
runs on its own. With --follow child, or the command follow child, the session
goes into the child, whose heap can be drawn and repaired like the parent's.

While the program waits for input, a line that is not a command of the session
goes to the program. If commands come from the terminal or from a --script, the
program reads redirected standard input (< FILE, or a pipe). A program that
draws on its terminal and reads keys, such as an editor, gets a terminal of its
own with --screen: the command screen shows it, keys ab<Up><C-q> sends keys.

Next: type start, then help. docs/first-session.md is a guide to type along.`,
		Example: `  gulo debug list.c
  gulo debug --engine machine main.c queue.c -- arg
  gulo debug --script session.gulo examples/reverse.c
  gulo debug -p build server -- --port 80
  gulo debug -- make -j4
  gulo debug ./server core
  gulo debug --attach 4711
  gulo debug --follow child list.c
  gulo debug menu.c < input.txt
  gulo debug --screen editor.c`,
		RunE: func(c *cobra.Command, args []string) error {
			attached := c.Flags().Changed("attach")
			sc, err := screenOf(size, engine)
			if err == nil {
				err = debugged{engine: engine, folder: folder, terminal: terminal, follow: follow, screen: sc != nil, attached: attached}.check()
			}
			if err != nil {
				return err
			}
			if attached {
				switch {
				case engine != "gdb":
					return &exitError{exitUsage, "the machine runs programs itself; --attach is for gdb"}
				case build.dir != "" || c.ArgsLenAtDash() >= 0:
					return &exitError{exitUsage, "--attach takes the number of a process, and C files where its debug information does not name them"}
				}
				o, err := sourcesOf(attach, args, &src)
				if err != nil {
					return err
				}
				o.pid, o.views = attach, views
				return s.debug(c.Context(), engine, script, o)
			}
			o, err := s.origin(c, args, &src, &build)
			if err != nil {
				return err
			}
			o.folder, o.terminal, o.screen, o.views, o.follow = folder, terminal, sc, views, follow
			return s.debug(c.Context(), engine, script, o)
		},
	}
	src.register(c)
	build.register(c)
	c.Flags().StringVar(&engine, "engine", "gdb", "what runs the program: gdb, or machine (gulo's interpreter)")
	c.Flags().StringVar(&folder, "files", "", "`DIR`: with --engine machine: the directory in which the program may read and write files; without it, the program reads below the working directory and what it writes is discarded")
	c.Flags().StringVar(&terminal, "tty", "", "`TERMINAL`: run the program on this terminal, such as /dev/pts/3; to get one, open another window and type there: tty; sleep 99999")
	screenFlag(c, &size)
	c.Flags().StringVar(&views, "views", "", "`FILE`: how to show values of the program's types: a Visual Studio .natvis file, or gdb pretty-printers in Python (.py); a .c or .h file adds types for the command view")
	c.Flags().StringVar(&follow, "follow", "parent", "under gdb, the process that the session stays in when the program forks: parent or child; the command follow changes it later")
	c.Flags().IntVar(&attach, "attach", 0, "`PID`: stop this running process and look at it")
	c.Flags().StringVar(&script, "script", "", "`FILE`: read commands from it (- for standard input) and print a transcript")
	return c
}

// debugged holds those options of a session that may contradict each other.
type debugged struct {
	engine, folder, terminal, follow string
	screen, attached                 bool
}

// check refuses options that contradict each other.
func (d debugged) check() error {
	wrong := func(format string, args ...any) error { return &exitError{exitUsage, fmt.Sprintf(format, args...)} }
	switch {
	case d.folder != "" && d.engine != "machine":
		return wrong("--files is for the machine; under gdb the program uses your files directly")
	case d.terminal != "" && (d.engine != "gdb" || d.attached):
		return wrong("--tty is for a program that is started under gdb")
	case d.screen && (d.terminal != "" || d.attached):
		return wrong("--screen is for a program that is started here; it goes neither with --tty nor with --attach")
	case d.engine != "gdb" && d.engine != "machine":
		return wrong("--engine is gdb or machine, not %q", d.engine)
	}
	if d.terminal != "" {
		if err := gdb.CheckTerminal(d.terminal); err != nil {
			return wrong("--tty: %v", err)
		}
	}
	if err := followed(d.follow, d.engine, d.attached); err != nil {
		return wrong("--%v", err)
	}
	return nil
}

func (s *streams) debug(ctx context.Context, engine, script string, from *origin) error {
	in, err := openScript(script)
	if err != nil {
		return err
	}
	if err := from.on(engine); err != nil {
		return err
	}
	if from.pid != 0 {
		p, tgt, err := attachTo(ctx, from.pid, from)
		if err != nil {
			return err
		}
		return s.session(ctx, p, sessionOptions{engine: engine, script: in, files: from.files, name: from.name, views: from.views, attached: tgt})
	}
	opt := from.opt
	if engine == "gdb" && from.core == "" {
		opt.Accept = gdb.Compile()
	}
	opt.Reading = s.reading()
	p, err := loadProgram(ctx, engine, from.files, opt)
	s.line.show("")
	if err != nil {
		return err
	}
	return s.session(ctx, p, sessionOptions{engine: engine, script: in, commands: script == "-", files: from.files, args: from.args, opt: from.opt, name: from.name, core: from.core, folder: from.folder, terminal: from.terminal, screen: from.screen, views: from.views, follow: from.follow})
}

// screenFlag registers --screen, which gives the program a terminal of its own.
func screenFlag(c *cobra.Command, size *string) {
	c.Flags().StringVar(size, "screen", "", "`ROWSxCOLUMNS`: run the program on a terminal of its own, of this size: the command screen shows what it draws, keys sends keys to it; --screen alone means 24x80")
	c.Flags().Lookup("screen").NoOptDefVal = "24x80"
}

// screenOf returns the screen that --screen asks for; nil for none.
func screenOf(size, engine string) (*screen.Screen, error) {
	switch {
	case size == "":
		return nil, nil
	case engine != "gdb":
		return nil, &exitError{exitUsage, "--screen is for gdb: on the machine nothing is a terminal"}
	}
	rows, cols, err := screen.ParseSize(size)
	if err != nil {
		return nil, &exitError{exitUsage, "--screen: " + err.Error()}
	}
	return screen.New(rows, cols), nil
}

// openScript reads a script of commands; nil if there is none or it is standard input.
func openScript(name string) (io.Reader, error) {
	if name == "" || name == "-" {
		return nil, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, &exitError{exitUsage, source.Refused("--script", name, err, "a file of commands, or - for standard input")}
	}
	return bytes.NewReader(text), nil
}

// errNoMain is the error for a program without main.
var errNoMain = &exitError{exitUsage, "the program has no function main; name all its C files"}

// loadProgram loads a program that is to be run.
func loadProgram(ctx context.Context, engine string, files []string, opt cfront.Options) (*lower.Program, error) {
	defer process.Loading()()
	opt.Nested = engine == "machine"
	p, err := lower.Open(ctx, files, opt, lower.Options{Memory: true, Native: engine == "gdb"})
	if err != nil {
		return nil, err
	}
	if p.IR.Main < 0 {
		return nil, errNoMain
	}
	return p, nil
}

// sessionOptions say how a session is opened.
type sessionOptions struct {
	engine      string
	script      io.Reader // of commands; nil: they come from standard input
	commands    bool      // commands come from standard input even if it is not a terminal
	files, args []string
	opt         cfront.Options
	name        string // of the program; "": its first file
	folder      string // where the program may read and write files on the machine; "": it may only read, below the working folder
	terminal    string // terminal of the program under gdb; "": its output is shown here

	views  string         // a file of views; "" for none
	follow string         // the process that is followed after a fork: parent (also "") or child
	screen *screen.Screen // the program's own screen under gdb; nil: none

	input    []byte             // the whole standard input of the program
	watch    *calculus.Debugger // memory rules that are checked on the machine
	attached target.Target      // a running process; nil: the program is started
	core     string             // a core file; "": the program is started

	at *check.Moment // the moment where the session begins; nil: before the start
}

func (o *sessionOptions) called() string {
	if o.name != "" {
		return o.name
	}
	return o.files[0]
}

// look loads the file of views into a session and prints what it says.
func (o *sessionOptions) look(ctx context.Context, ses *session.Session, notes io.Writer) error {
	if o.views == "" {
		return nil
	}
	text, err := ses.LoadViews(ctx, o.views)
	if err != nil {
		return &exitError{exitUsage, err.Error()}
	}
	fmt.Fprint(notes, text)
	return nil
}

// followed checks which process is to be followed after a fork.
func followed(follow, engine string, attached bool) error {
	switch {
	case follow != "" && follow != "parent" && follow != "child":
		return fmt.Errorf("follow is parent or child, not %q", follow)
	case follow == "child" && engine == "machine":
		return errors.New("follow child is for gdb; on the machine sessions stay in the first process, and children run beside it")
	case follow == "child" && attached:
		return errors.New("follow child is for a program that is started; a child that runs can be attached to by its own number")
	}
	return nil
}

// launch prepares the program on its engine, before its first statement.
func (o *sessionOptions) launch(ctx context.Context, p *lower.Program) (target.Target, error) {
	if o.core != "" && o.follow == "child" {
		return nil, followed(o.follow, o.engine, true)
	}
	if o.core != "" {
		return openCore(ctx, p, o.name, o.core)
	}
	var tgt target.Target
	if o.engine == "gdb" {
		var err error
		if tgt, err = gdb.New(ctx, p, gdb.Config{Files: o.files, Args: o.args, Opt: o.opt, Name: o.called(), Terminal: o.terminal, Screen: o.screen}); err != nil {
			return nil, err
		}
		if err := tgt.(target.Forking).Follow(o.follow == "child"); err != nil {
			tgt.Close()
			return nil, err
		}
	} else {
		cfg := sim.Config{Name: o.called(), Args: o.args, Env: os.Environ(), Files: &machine.Files{Dir: ".", Start: startedIn(".")}}
		if o.folder != "" {
			cfg.Files = &machine.Files{Dir: o.folder, Start: startedIn(o.folder), Write: true}
		}
		if o.watch != nil {
			cfg.Watch = o.watch
		}
		tgt = sim.New(p, cfg)
	}
	if o.input != nil {
		err := toProgram(o.input, func(file string) error { return tgt.Arguments(o.args, file) })
		if err != nil {
			tgt.Close()
			return nil, err
		}
	}
	return tgt, nil
}

func (s *streams) session(ctx context.Context, p *lower.Program, o sessionOptions) error {
	in, tgt := o.script, o.attached
	if err := s.divide(&o); err != nil {
		return err
	}
	if tgt == nil {
		var err error
		if tgt, err = o.launch(ctx, p); err != nil {
			return err
		}
	}
	const promptLines = 2 // the prompt below a picture, and the next statement above it
	width, color := 100, false
	tty := isTerminal(s.in) && isTerminal(s.out)
	if isTerminal(s.out) {
		color = os.Getenv("NO_COLOR") == "" && !dumb()
		if w := widthOf(s.out); w > 0 {
			width = w
		}
	}
	cfg := session.Config{Width: width, Height: max(heightOf(s.out)-promptLines, 0), Color: color, Name: o.called(), Args: o.args, Input: string(o.input), Options: o.opt}
	if o.watch != nil && o.engine == "machine" {
		cfg.Rules = o.watch
	}
	cfg.Whole = wholeRuns(o.files, o.opt)
	if tty {
		cfg.Wrap, cfg.Patience = width, 1
		cfg.Background = func(text string) { // the user may be typing at the prompt
			fmt.Fprint(s.out, map[bool]string{false: "\r\x1b[K", true: "\n"}[dumb()]+session.Wrap(text+"\n", width)+shell.Prompt)
		}
		cfg.Progress = newProgress(s.out).show
	}
	if tty { // ^C can interrupt the program
		cfg.Limit = attachLimit
	}
	ses := session.New(p, tgt, cfg)
	defer ses.Close()
	if tty { // ^C stops the program, not the session
		defer process.OnInterrupt(ses.Interrupt)()
	}
	defer context.AfterFunc(ctx, ses.Interrupt)()
	if err := o.look(ctx, ses, s.err); err != nil {
		return err
	}
	begin := "start begins"
	if o.at != nil {
		text, err := ses.StartAt(ctx, o.at.Stmt, o.at.Times)
		if err != nil {
			return err
		}
		fmt.Fprint(s.out, text)
		begin = "the error is in the statement that comes next"
	}
	if o.core != "" || o.attached != nil {
		text, err := ses.Open(ctx)
		if err != nil {
			return err
		}
		fmt.Fprint(s.out, text)
		begin = "nothing runs here"
		if o.attached != nil {
			begin = "the process stands still until continue, and quit lets it run on"
		}
	}
	if in == nil && tty {
		fmt.Fprint(s.out, session.Wrap(fmt.Sprintf("gulo: %s under %s; help lists the commands, %s\n", o.called(), o.engine, begin), width))
		return shell.Interactive(ctx, ses, s.out, width, historyFile())
	}
	if in == nil {
		in = s.in
	}
	failed, negative, err := shell.Script(ctx, ses, in, s.out)
	switch {
	case err != nil:
	case failed > 0:
		err = &exitError{exitUsage, fmt.Sprintf("%d of the script's commands could not be done", failed)}
	case negative > 0:
		err = &exitError{exitNegative, "no repair was found"}
	}
	return err
}

// divide decides whether standard input belongs to the session or to the program. It is the program's if the commands
// come from a script or can be typed at the terminal.
func (s *streams) divide(o *sessionOptions) (err error) {
	switch {
	case o.input != nil || o.core != "" || o.attached != nil:
	case o.script != nil:
		o.input, err = s.data()
	case !o.commands && isTerminal(s.out) && !isTerminal(s.in):
		text, err := s.data()
		if err != nil || text == nil || !s.ownTerminal() {
			if text != nil { // there is no terminal: standard input holds the commands
				s.in = bytes.NewReader(text)
			}
			return err
		}
		o.input = text
	}
	return err
}

func historyFile() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "gulo", "history")
}
