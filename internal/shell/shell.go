// Package shell is the terminal's view of a session: it reads command lines,
// with history and completion on a terminal, and prints what the session
// answers. It holds no debugger logic.
package shell

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"gulo/internal/process"
	"gulo/internal/session"

	"github.com/peterh/liner"
)

// Prompt is shown before every command.
const Prompt = "(gulo) "

// Interactive runs a session on a terminal. Messages are wrapped to width columns. history is the file that keeps the
// command lines; "" for none.
func Interactive(ctx context.Context, s *session.Session, out io.Writer, width int, history string) error {
	l := liner.NewLiner()
	defer process.AtExit(func() { _ = l.Close() })() // restores the terminal's mode
	defer l.Close()
	l.SetCtrlCAborts(true)
	l.SetTabCompletionStyle(liner.TabPrints)
	l.SetCompleter(s.Words)
	if f, err := os.Open(history); err == nil {
		_, _ = l.ReadHistory(f)
		_ = f.Close()
	}
	last := ""
	for {
		line, err := l.Prompt(Prompt)
		switch {
		case errors.Is(err, liner.ErrPromptAborted) && s.Waits():
			fmt.Fprintln(out, "the program waits for input: type a line for it; undo goes back, quit leaves")
			continue
		case errors.Is(err, liner.ErrPromptAborted):
			fmt.Fprintln(out, "use quit to leave")
			continue
		case errors.Is(err, io.EOF) && s.Waits(): // Ctrl-D ends the input of the program
			fmt.Fprintln(out)
			line, err = "input --end", nil
		case errors.Is(err, io.EOF):
			fmt.Fprintln(out)
			return save(l, history)
		case err != nil:
			return err
		}
		if strings.TrimSpace(line) == "" && s.Waits() {
			line = "input"
		} else if strings.TrimSpace(line) == "" {
			line = session.Again(last)
		} else {
			l.AppendHistory(line)
			last = line
		}
		more, err := execute(ctx, s, out, width, line)
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		if err != nil || !more {
			return errors.Join(err, save(l, history))
		}
	}
}

func save(l *liner.State, history string) error {
	if history == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(history), 0o700); err != nil {
		return nil // a session is not worth failing for its history
	}
	f, err := os.OpenFile(history, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil
	}
	defer f.Close()
	_, err = l.WriteHistory(f)
	return err
}

// execute runs one line and prints the answer.
func execute(ctx context.Context, s *session.Session, out io.Writer, width int, line string) (bool, error) {
	text, more, err := s.Exec(ctx, line)
	fmt.Fprint(out, text)
	var ue *session.Error
	if errors.As(err, &ue) {
		fmt.Fprintln(out, session.Wrap("error: "+ue.Text, width))
		return more, nil
	}
	return more, err
}

// Script runs the commands of r, echoing each after the prompt, so that the
// output is a transcript. It returns how many commands could not be done, and
// how many answered no (no repair exists).
func Script(ctx context.Context, s *session.Session, r io.Reader, out io.Writer) (failed, negative int, err error) {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		line := sc.Text()
		if strings.TrimSpace(line) == "" {
			continue
		}
		fmt.Fprintln(out, Prompt+line)
		text, more, err := s.Exec(ctx, line)
		fmt.Fprint(out, text)
		var ue *session.Error
		switch {
		case errors.As(err, &ue):
			fmt.Fprintln(out, "error: "+ue.Text)
			if ue.Negative {
				negative++
			} else {
				failed++
			}
		case err != nil:
			return failed, negative, err
		}
		if ctx.Err() != nil {
			return failed, negative, context.Cause(ctx)
		}
		if !more {
			return failed, negative, nil
		}
	}
	return failed, negative, sc.Err()
}
