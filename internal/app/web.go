package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gulo/internal/check"
	"gulo/internal/process"
	"gulo/internal/session"
	"gulo/internal/web"

	"github.com/spf13/cobra"
)

func (s *streams) webCommand() *cobra.Command {
	var src sourceFlags
	var build buildFlag
	var engine, listen, size string
	var checked bool
	var explain string
	c := &cobra.Command{
		Use: `web [flags] FILE.c... [-- ARG...]
  gulo web [flags] -p BUILD_DIR [PROGRAM] [-- ARG...]
  gulo web [flags] PROGRAM [-- ARG...]
  gulo web --explain REPORT.json`,
		Short: "the same session in a browser: drag the arrows",
		Long: `Serves a debug session to a browser on this machine. Drag the head of an arrow
to where it should point, double-click a value to change it, click a condition
to take the other branch. Every gesture is a command of gulo debug: it appears
in the history and can be undone.

The printed address lets one browser in; press Enter for another address. With
--explain the page shows a report over the source: what fix, locate or check
wrote with --format json, or campaign with --output; no program runs.`,
		Example: `  gulo web examples/reverse.c
  gulo web --listen 127.0.0.1:8080 main.c queue.c -- arg
  gulo web --check list.c
  gulo fix --assert --format json --output report.json max.c
  gulo web --explain report.json`,
		RunE: func(c *cobra.Command, args []string) error {
			if explain != "" {
				if len(args) > 0 || checked {
					return &exitError{exitUsage, "--explain shows a report; do not name a program as well"}
				}
				return s.explain(c.Context(), listen, explain)
			}
			from, err := s.origin(c, args, &src, &build)
			if err != nil {
				return err
			}
			if engine != "gdb" && engine != "machine" {
				return &exitError{exitUsage, fmt.Sprintf("--engine is gdb or machine, not %q", engine)}
			}
			sc, err := screenOf(size, engine)
			if err != nil {
				return err
			}
			o := sessionOptions{engine: engine, files: from.files, args: from.args, opt: from.opt, name: from.name, core: from.core, screen: sc}
			if err := from.on(engine); err != nil {
				return err
			}
			if !checked {
				return s.web(c.Context(), listen, o, nil)
			}
			if c.Flags().Changed("engine") && engine != "machine" {
				return &exitError{exitUsage, "--check watches the program on the machine; leave --engine out"}
			}
			if sc != nil {
				return &exitError{exitUsage, "--check watches the program on the machine, where nothing is a terminal; leave --screen out"}
			}
			if o.core != "" {
				return &exitError{exitUsage, "--check runs the program; a core file shows it as it was"}
			}
			o.engine = "machine"
			return s.web(c.Context(), listen, o, &check.Request{Files: o.files, Args: o.args, Options: o.opt, Dir: "."})
		},
	}
	src.register(c)
	build.register(c)
	c.Flags().StringVar(&engine, "engine", "gdb", "what runs the program: gdb or machine")
	c.Flags().BoolVar(&checked, "check", false, "check memory rules and begin just before the first error")
	screenFlag(c, &size)
	c.Flags().StringVar(&explain, "explain", "", "`FILE`: show this report of fix, locate, check or campaign")
	c.Flags().StringVar(&listen, "listen", "127.0.0.1:0", "`ADDRESS`: host and port on this machine; port 0 picks a free one")
	return c
}

// web serves a session. With a request of check the session begins just before the first error, and the history begins
// with its report.
func (s *streams) web(ctx context.Context, listen string, o sessionOptions, req *check.Request) (err error) {
	l, err := listenHere(listen)
	if err != nil {
		return err
	}
	defer l.Close()
	p, err := loadProgram(ctx, o.engine, o.files, o.opt)
	if err != nil {
		return err
	}
	var report strings.Builder
	var found []web.Marked
	if req != nil {
		try := *req
		try.Stdin, try.Stdout, try.Stderr = strings.NewReader(""), io.Discard, io.Discard
		rep, at, err := check.FirstError(ctx, &try, p)
		if err != nil {
			return checkError(err)
		}
		rep.Text(&report)
		found = marked(rep)
		if at == nil {
			fmt.Fprintln(s.err, "no rule fires; there is nothing to look at")
			return s.findings(rep, "text", "")
		}
		if o.watch, err = check.Watcher(req, p); err != nil {
			return err
		}
		o.at, o.input = at, []byte{}
	}
	tgt, err := o.launch(ctx, p)
	if err != nil {
		return err
	}
	var srv *web.Server
	cfg := o.config(func(text string) {
		if srv != nil {
			srv.Progress(text)
		}
	})
	cfg.Background = func(text string) { srv.Tell(text) }
	ses := session.New(p, tgt, cfg)
	defer ses.Close()
	if o.at != nil {
		if _, err := ses.StartAt(ctx, o.at.Stmt, o.at.Times); err != nil {
			return err
		}
	}
	if _, err := ses.Open(ctx); err != nil {
		return err
	}
	log := openJournal(&o)
	defer func() { log.close(err == nil) }()
	history := recorder(historyFile())
	srv = web.New(ses, func(line string) {
		log.record(line)
		if history != nil {
			history(line)
		}
	})
	if log != nil && o.at == nil {
		srv.Lost(log.lost)
	}
	if text, err := os.ReadFile(historyFile()); err == nil {
		srv.Remember(strings.Split(strings.TrimSpace(string(text)), "\n"))
	}
	if req != nil {
		srv.Note("check", report.String())
		srv.Found(found)
	}
	h := srv.HTTP()
	defer h.Close()
	process.Go(func() { _ = h.Serve(l) })
	defer context.AfterFunc(ctx, ses.Interrupt)()
	s.invite(l, srv.Invite)
	err = srv.Run(ctx)
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second) // time to tell the pages
	defer cancel()
	_ = h.Shutdown(last)
	return err
}

// marked returns the findings of check as marks that the page shows over the picture.
func marked(rep *check.Result) []web.Marked {
	var out []web.Marked
	for i := range rep.Findings {
		f := &rep.Findings[i]
		m := web.Marked{File: f.File, Line: f.Line, Label: strings.ReplaceAll(f.Rule, "_", " "), Text: f.Message, Chain: []web.Marked{}}
		for _, c := range f.Chain {
			m.Chain = append(m.Chain, web.Marked{File: c.File, Line: c.Line, Label: c.What, Text: c.Text, Chain: []web.Marked{}})
		}
		out = append(out, m)
	}
	return out
}

// explain serves a report until gulo is stopped.
func (s *streams) explain(ctx context.Context, listen, file string) error {
	r, err := web.ReadReport(file)
	if err != nil {
		return &exitError{exitUsage, unread("--explain", file, err, "an answer of fix, locate, check or campaign that --format json has written")}
	}
	l, err := listenHere(listen)
	if err != nil {
		return err
	}
	defer l.Close()
	page := web.Show(r)
	h := page.HTTP()
	defer h.Close()
	done := make(chan error, 1)
	process.Go(func() { done <- h.Serve(l) })
	s.invite(l, page.Invite)
	select {
	case err = <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// invite prints the address, and a new one for every line that is typed.
func (s *streams) invite(l net.Listener, token func() string) {
	address := func() { fmt.Fprintf(s.out, "open http://%s/?token=%s\n", l.Addr(), token()) }
	address()
	if !isTerminal(s.in) {
		return
	}
	fmt.Fprintln(s.out, "the address lets one browser in; press Enter for another, ^C to end")
	process.Go(func() {
		for sc := bufio.NewScanner(s.in); sc.Scan(); {
			address()
		}
	})
}

// config returns the session's configuration, for a view that shows progress.
func (o *sessionOptions) config(progress func(text string)) session.Config {
	cfg := session.Config{Name: o.called(), Args: o.args, Input: string(o.input), Progress: progress, Options: o.opt, Patience: 1, Limit: attachLimit, Whole: wholeRuns(o.files, o.opt)}
	if o.watch != nil {
		cfg.Rules = o.watch
	}
	return cfg
}

// listenHere listens on a loopback address, which no other machine can reach.
func listenHere(addr string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, &exitError{exitUsage, fmt.Sprintf("--listen wants an address with a port, as 127.0.0.1:8080, not %q", addr)}
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, &exitError{exitUsage, fmt.Sprintf("--listen %s: who can reach the session can run programs here; only loopback addresses are taken (use ssh -L from elsewhere)", addr)}
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, &exitError{exitOutside, fmt.Sprintf("cannot listen: %v", errors.Unwrap(err))}
	}
	return l, nil
}

// recorder returns a function that appends commands to the history of gulo debug; nil if there is no history.
func recorder(file string) func(line string) {
	if file == "" {
		return nil
	}
	return func(line string) {
		if os.MkdirAll(filepath.Dir(file), 0o700) != nil {
			return // no session should fail for its history
		}
		f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			return
		}
		defer f.Close()
		_, _ = io.WriteString(f, strings.TrimSpace(line)+"\n")
	}
}
