package session

import (
	"context"
	"strings"
	"unicode/utf8"

	"gulo/internal/screen"
	"gulo/internal/target"
)

// This file handles programs that have a terminal of their own: keys, which they read without the end of a line, and
// what they draw on their screen.

// screened returns the target if it gives the program a terminal; nil otherwise.
func (s *inferior) screened() target.Screened {
	t, _ := s.tgt.(target.Screened)
	return t
}

// screen is what the program's screen shows; nil where it has none of its own.
func (s *inferior) screen() *screen.Screen {
	if t := s.screened(); t != nil {
		return t.Screen()
	}
	return nil
}

// keys gives the program keys and lets it go on if it waits for them.
func (s *Session) keys(ctx context.Context, args string) error {
	switch {
	case !s.started:
		return errorf("the program is not running; use start")
	case s.postMortem() != "" || s.stop.Reason == target.Exited || s.stop.Reason == target.Crashed:
		return s.running()
	case s.readsElsewhere():
		return errElsewhere
	case args == "":
		return errorf("keys wants keys: text, and names as <Up>, <Enter>, <Esc>, <C-x>")
	}
	if err := s.press(args); err != nil || !s.waiting {
		return err
	}
	return s.goOnReading(ctx)
}

// press makes keys, given by their names, the next input of the program.
func (s *inferior) press(keys string) error {
	text, err := screen.ParseKeys(keys, s.screen())
	if err != nil {
		return errorf("%v", err)
	}
	t := s.screened()
	switch {
	case t == nil: // without a terminal, nothing turns Enter into the end of a line
		text = strings.ReplaceAll(text, "\r", "\n")
		s.typed += text
	case t.Raw():
		s.typed += text
	default:
		s.typed = edited(s.typed, text)
	}
	s.tgt.Input(text)
	return nil
}

// edited returns the text that a terminal in line mode hands to the program after more keys.
func edited(text, keys string) string {
	for _, r := range keys {
		line := strings.LastIndexByte(text, '\n') + 1
		switch r {
		case '\r':
			text += "\n"
		case 0x7f: // the last character
			_, n := utf8.DecodeLastRuneInString(text[line:])
			text = text[:len(text)-n]
		case 'u' & 0x1f: // the line
			text = text[:line]
		default:
			text += string(r)
		}
	}
	return text
}

// giveAgain gives a waiting program the input that a command gave it before.
func (s *inferior) giveAgain(command string) error {
	name, args, _ := strings.Cut(command, " ")
	args = strings.TrimSpace(args)
	c, err := find(name)
	switch {
	case err != nil:
		return err
	case c.Name == "keys":
		return s.press(args)
	case c.Name == "screen":
		rows, cols, err := screen.ParseSize(args)
		if err != nil {
			return err
		}
		return s.screened().Resize(rows, cols)
	case c.Name == "input":
		s.give(args)
	}
	return nil
}

// screenCmd shows the program's screen, or gives it another size.
func (s *Session) screenCmd(ctx context.Context, args string) error {
	sc := s.screen()
	if sc == nil {
		return errorf("the program has no screen of its own; gulo debug --screen gives it one, under gdb")
	}
	if args != "" {
		rows, cols, err := screen.ParseSize(args)
		if err != nil {
			return errorf("%v", err)
		}
		if err := s.screened().Resize(rows, cols); err != nil {
			return errorf("the screen cannot be made that large: %v", err)
		}
		if s.waiting { // the program is told, and may draw before it waits again
			return s.goOnReading(ctx)
		}
		sc = s.screen()
	}
	s.drawScreen(sc)
	return nil
}

func (s *Session) drawScreen(sc *screen.Screen) {
	s.out.WriteString(sc.Text(s.cfg.Color))
	s.screenNow = sc.Text(false)
	s.screenAt = s.screenNow
}

// reportScreen shows the program's screen where it has drawn and now waits or has ended; elsewhere it says that it has
// drawn.
func (s *Session) reportScreen() {
	sc := s.screen()
	if sc == nil {
		return
	}
	if s.screenNow == "" {
		s.screenNow = screen.New(sc.Size()).Text(false)
		s.screenAt = s.screenNow
	}
	switch text := sc.Text(false); {
	case text == s.screenNow:
	case s.stop.Reason == target.NeedInput || s.stop.Reason == target.Exited || s.stop.Reason == target.Crashed:
		s.drawScreen(sc)
	case text != s.screenAt:
		s.screenAt = text
		s.printf("the program has drawn on its screen; screen shows it\n")
	}
}

// ScreenView is the program's screen as a page shows it.
type ScreenView struct {
	Rows    int           `json:"rows"`
	Columns int           `json:"columns"`
	Lines   [][]ScreenRun `json:"lines"`             // from the first row to the last, without blanks at their ends
	Ignored int           `json:"ignored,omitempty"` // control sequences that were not understood
	Raw     bool          `json:"raw,omitempty"`     // the program reads keys, not lines
}

// ScreenRun is a run of adjacent characters in the same style.
type ScreenRun struct {
	Text    string `json:"text"`
	Bold    bool   `json:"bold,omitempty"`
	Under   bool   `json:"under,omitempty"`
	Reverse bool   `json:"reverse,omitempty"`
	Cursor  bool   `json:"cursor,omitempty"` // the cursor stands on it
}

// viewScreen is the program's screen; nil where it has none.
func (s *inferior) viewScreen() *ScreenView {
	sc := s.screen()
	if sc == nil {
		return nil
	}
	v := &ScreenView{Ignored: sc.Ignored(), Raw: s.screened().Raw()}
	v.Rows, v.Columns = sc.Size()
	for i := range v.Rows {
		line := []ScreenRun{}
		for _, r := range sc.Runs(i) {
			line = append(line, ScreenRun{r.Text, r.Style&screen.Bold != 0, r.Style&screen.Underlined != 0, r.Style&screen.Reverse != 0, r.Style&screen.Cursor != 0})
		}
		v.Lines = append(v.Lines, line)
	}
	return v
}

// howToGive tells the user once how to give a waiting program its input.
func (s *Session) howToGive() {
	raw := s.screened() != nil && s.screened().Raw()
	switch {
	case raw && !s.toldKeys:
		s.toldKeys = true
		s.printf("it reads keys, not lines: keys TEXT gives it some, as keys ab<Up><C-q>%s\n", map[bool]string{true: "; gulo debug --screen shows what it draws"}[s.screen() == nil])
	case !raw && !s.toldInput:
		s.toldInput = true
		s.printf("a line that is no command goes to the program; input TEXT gives it any line, and input --end ends its input\n")
	}
}
