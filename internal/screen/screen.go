// Package screen is a terminal's screen: what a program that draws on a terminal shows on it, as rows of characters.
// It reads the control sequences of ECMA-48 and xterm that such programs use: movements, erasing, inserting and
// deleting, scrolling with margins, the alternate screen, line drawing characters, bold, underlined and reverse text.
// Colours are read and not kept. What is not understood is ignored and counted (Ignored). It has no mouse, no
// history behind the upper edge and no text that runs from right to left.
//
// Keys go the other way: ParseKeys makes of their names what a terminal sends, which depends on the modes that the
// program has set. Questions of the program (where the cursor is, what the terminal is) are answered (Answer).
//
// The references are ECMA-48 (5th edition, 1991) and "XTerm Control Sequences" (Moy, Gildea, Dickey).
//
// A Screen is used by one goroutine at a time.
package screen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Style is how a character is drawn.
type Style uint8

// Styles can be combined.
const (
	Bold Style = 1 << iota
	Underlined
	Reverse
	Cursor // of runs: the cursor stands there
)

// Cell is a place of the screen. Char is 0 in the right half of a wide character.
type Cell struct {
	Char  rune
	Style Style
}

// Screen is the state of a terminal.
type Screen struct {
	rows, cols int
	cells      []Cell // row by row
	main       []Cell // of the main screen while the alternate one is shown; nil otherwise
	cur, saved cursor
	top, under int // the rows that scroll: from top up to before under
	tabs       []bool
	hidden     bool // the cursor
	wraps      bool // a full line goes on in the next one
	inserts    bool // a character moves those behind it
	newLine    bool // a line feed returns, too
	keypad     bool // cursor keys are sent as ESC O
	origin     bool // rows count from the upper margin
	last       rune // drawn last, for REP

	ignored int
	answer  []byte
	parse   parser
}

type cursor struct {
	row, col int
	full     bool // a character stands in the last column; the next one begins a line
	style    Style
	sets     [2]bool // whether G0 and G1 are the line drawing characters
	shift    int     // which of them is in use
}

// ParseSize reads ROWSxCOLUMNS.
func ParseSize(text string) (rows, cols int, err error) {
	before, after, ok := strings.Cut(text, "x")
	if ok {
		rows, err = strconv.Atoi(before)
	}
	if ok && err == nil {
		cols, err = strconv.Atoi(after)
	}
	if !ok || err != nil || rows < minRows || rows > maxRows || cols < minCols || cols > maxCols {
		return 0, 0, fmt.Errorf("the size of a screen is ROWSxCOLUMNS, as 24x80: from %dx%d to %dx%d, and not %q", minRows, minCols, maxRows, maxCols, text)
	}
	return rows, cols, nil
}

// Bounds of a screen.
const (
	minRows, minCols = 2, 10
	maxRows, maxCols = 200, 400
)

// New returns an empty screen.
func New(rows, cols int) *Screen {
	s := &Screen{}
	s.reset(rows, cols)
	return s
}

func (s *Screen) reset(rows, cols int) {
	*s = Screen{rows: rows, cols: cols, cells: blank(rows * cols), under: rows, wraps: true, ignored: s.ignored, answer: s.answer}
	s.tabs = tabs(cols)
}

func tabs(cols int) []bool {
	out := make([]bool, cols)
	for i := 8; i < cols; i += 8 {
		out[i] = true
	}
	return out
}

func blank(n int) []Cell {
	out := make([]Cell, n)
	for i := range out {
		out[i].Char = ' '
	}
	return out
}

// Clone returns a copy.
func (s *Screen) Clone() *Screen {
	c := *s
	c.cells, c.main, c.tabs, c.answer = slices.Clone(s.cells), slices.Clone(s.main), slices.Clone(s.tabs), slices.Clone(s.answer)
	c.parse = s.parse.clone()
	return &c
}

// Size is how many rows and columns there are.
func (s *Screen) Size() (rows, cols int) { return s.rows, s.cols }

// Cursor is where the next character comes, counted from 0; shown is false where the program hides the cursor.
func (s *Screen) Cursor() (row, col int, shown bool) { return s.cur.row, s.cur.col, !s.hidden }

// Ignored is how many control sequences were not understood.
func (s *Screen) Ignored() int { return s.ignored }

// Answer returns what the terminal has answered to questions of the program since the last call.
func (s *Screen) Answer() []byte {
	a := s.answer
	s.answer = nil
	return a
}

// Row returns the places of a row. They must not be changed.
func (s *Screen) Row(i int) []Cell { return s.cells[i*s.cols : (i+1)*s.cols] }

// Line is the text of a row, without blanks at its end.
func (s *Screen) Line(i int) string {
	var b strings.Builder
	for _, c := range s.Row(i) {
		if c.Char != 0 {
			b.WriteRune(c.Char)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// Resize gives the screen another size. What is above and left of the new edges stays; rows are taken away above the
// cursor where it would be lost.
func (s *Screen) Resize(rows, cols int) {
	if rows == s.rows && cols == s.cols {
		return
	}
	first := max(s.cur.row-rows+1, 0)
	s.cells = s.resized(s.cells, first, rows, cols)
	if s.main != nil {
		s.main = s.resized(s.main, first, rows, cols)
	}
	s.rows, s.cols, s.top, s.under, s.tabs = rows, cols, 0, rows, tabs(cols)
	for _, c := range []*cursor{&s.cur, &s.saved} {
		c.row, c.col, c.full = max(min(c.row-first, rows-1), 0), min(c.col, cols-1), false
	}
}

func (s *Screen) resized(from []Cell, first, rows, cols int) []Cell {
	out := blank(rows * cols)
	for r := 0; r < rows && r+first < s.rows; r++ {
		copy(out[r*cols:(r+1)*cols], from[(r+first)*s.cols:(r+first)*s.cols+min(cols, s.cols)])
	}
	return out
}

// Write draws what the program writes.
func (s *Screen) Write(b []byte) (int, error) {
	for _, x := range b {
		s.parse.next(s, x)
	}
	return len(b), nil
}

// drawing are the line drawing characters, which replace ` and the characters after it.
var drawing = []rune("◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·")

// put draws a character at the cursor.
func (s *Screen) put(r rune) {
	if s.cur.sets[s.cur.shift] && r >= '`' && r <= '~' {
		r = drawing[r-'`']
	}
	w := width(r)
	if w == 0 {
		s.ignored++
		return
	}
	s.last = r
	if s.cur.full || s.cur.col+w > s.cols {
		if s.wraps {
			s.cur.col = 0
			s.feed()
		} else {
			s.cur.col = s.cols - w
		}
		s.cur.full = false
	}
	row := s.Row(s.cur.row)
	if s.inserts {
		copy(row[s.cur.col+w:], row[s.cur.col:])
	}
	if c := s.cur.col; row[c].Char == 0 && c > 0 { // half of a wide character is left of it
		row[c-1].Char = ' '
	}
	if after := s.cur.col + w; after < s.cols && row[after].Char == 0 {
		row[after].Char = ' '
	}
	row[s.cur.col] = Cell{r, s.cur.style}
	if w == 2 {
		row[s.cur.col+1] = Cell{0, s.cur.style}
	}
	if s.cur.col += w; s.cur.col >= s.cols {
		s.cur.col = s.cols - 1
		s.cur.full = true
	}
}

// wide are the characters that take two columns, in pairs of first and last.
var wide = []rune{
	0x1100, 0x115f, 0x2e80, 0x303e, 0x3041, 0x33ff, 0x3400, 0x4dbf, 0x4e00, 0x9fff, 0xa000, 0xa4cf, 0xac00, 0xd7a3,
	0xf900, 0xfaff, 0xfe30, 0xfe6f, 0xff01, 0xff60, 0xffe0, 0xffe6, 0x1f300, 0x1f64f, 0x1f900, 0x1f9ff, 0x20000, 0x3fffd,
}

// width returns how many columns a character takes: none if it is drawn over the one before.
func width(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
		return 0
	}
	for i := 0; i < len(wide); i += 2 {
		if r >= wide[i] && r <= wide[i+1] {
			return 2
		}
	}
	return 1
}

// control handles a control character.
func (s *Screen) control(b byte) {
	switch b {
	case '\b':
		s.move(s.cur.row, s.cur.col-1)
	case '\t':
		s.tab(1)
	case '\n', '\v', '\f':
		if s.newLine {
			s.cur.col = 0
		}
		s.cur.full = false
		s.feed()
	case '\r':
		s.move(s.cur.row, 0)
	case 0x0e, 0x0f: // SO, SI
		s.cur.shift = int(0x0f - b)
	case 0, '\a', 0x7f:
	default:
		s.ignored++
	}
}

// tab moves the cursor by n stops.
func (s *Screen) tab(n int) {
	c := s.cur.col
	for ; n > 0; n-- {
		for c++; c < s.cols-1 && !s.tabs[c]; c++ {
		}
	}
	for ; n < 0; n++ {
		for c--; c > 0 && !s.tabs[c]; c-- {
		}
	}
	s.move(s.cur.row, c)
}

// move puts the cursor somewhere on the screen.
func (s *Screen) move(row, col int) {
	s.cur.row, s.cur.col, s.cur.full = max(min(row, s.rows-1), 0), max(min(col, s.cols-1), 0), false
}

// feed moves the cursor a row down; at the lower margin it scrolls.
func (s *Screen) feed() {
	switch {
	case s.cur.row == s.under-1:
		s.scroll(s.top, 1)
	case s.cur.row < s.rows-1:
		s.cur.row++
	}
}

// scroll moves the rows from a row on, up to the lower margin: up by n, or down if n is negative.
func (s *Screen) scroll(from, n int) {
	part := s.cells[from*s.cols : s.under*s.cols]
	k := min(max(n, -n)*s.cols, len(part))
	if n > 0 {
		copy(part, part[k:])
		s.erase(part[len(part)-k:])
	} else {
		copy(part[k:], part)
		s.erase(part[:k])
	}
}

func (s *Screen) erase(part []Cell) {
	for i := range part {
		part[i] = Cell{Char: ' '}
	}
}

// alternate shows the alternate screen, or the main one again.
func (s *Screen) alternate(on bool) {
	switch {
	case on && s.main == nil:
		s.main = s.cells
		s.cells = blank(s.rows * s.cols)
	case !on && s.main != nil:
		s.cells, s.main = s.main, nil
	}
}

// report answers a question of the program.
func (s *Screen) report(format string, args ...any) {
	s.answer = append(s.answer, fmt.Sprintf(format, args...)...)
}

// Text draws the screen with a frame, up to the last row that has something, and what can be said of it. styled draws
// bold, underlined and reverse characters so, and the cursor as a reverse one.
func (s *Screen) Text(styled bool) string {
	last := 0
	for i := range s.rows {
		if s.Line(i) != "" {
			last = i + 1
		}
	}
	if !s.hidden {
		last = max(last, s.cur.row+1)
	}
	at := "the cursor is hidden"
	if !s.hidden {
		at = fmt.Sprintf("the cursor at %d,%d", s.cur.row+1, s.cur.col+1)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "screen %dx%d, %s\n", s.rows, s.cols, at)
	for i := range last {
		line := s.Line(i)
		if styled {
			line = s.styledLine(i)
		}
		fmt.Fprintf(&b, "│%s\n", line)
	}
	if n := s.rows - last; n > 0 {
		fmt.Fprintf(&b, "└ %d empty below\n", n)
	}
	if s.ignored > 0 {
		fmt.Fprintf(&b, "control sequences that were not understood, and are left out: %d\n", s.ignored)
	}
	return b.String()
}

// Run is a run of adjacent characters in the same style.
type Run struct {
	Text  string
	Style Style
}

// Runs returns the runs of a row, without blanks at its end. The character at the cursor is a run of its own, unless
// the program hides the cursor.
func (s *Screen) Runs(i int) (out []Run) {
	row := slices.Clone(s.Row(i))
	if c := s.cur.col; s.cur.row == i && !s.hidden {
		if row[c].Char == 0 && c > 0 { // in the right half of a wide one
			c--
		}
		row[c].Style |= Cursor
	}
	end := len(row)
	for end > 0 && row[end-1] == (Cell{Char: ' '}) {
		end--
	}
	var b strings.Builder
	for k, c := range row[:end] {
		if c.Char != 0 {
			b.WriteRune(c.Char)
		}
		if k+1 == end || row[k+1].Style != c.Style && row[k+1].Char != 0 {
			out = append(out, Run{b.String(), c.Style})
			b.Reset()
		}
	}
	return out
}

// styledLine is the text of a row with its styles, for a terminal.
func (s *Screen) styledLine(i int) string {
	var b strings.Builder
	for _, r := range s.Runs(i) {
		if r.Style&Cursor != 0 {
			r.Style ^= Reverse
		}
		sgr := ""
		for k, n := range []string{";1", ";4", ";7"} {
			if r.Style>>k&1 != 0 {
				sgr += n
			}
		}
		if sgr != "" {
			fmt.Fprintf(&b, "\x1b[%sm%s\x1b[m", sgr[1:], r.Text)
		} else {
			b.WriteString(r.Text)
		}
	}
	return b.String()
}

// valid returns a character as it is drawn: a replacement character if it cannot be printed.
func valid(r rune) rune {
	if r == utf8.RuneError || !unicode.IsPrint(r) && !unicode.In(r, unicode.Zs, unicode.Mn, unicode.Me, unicode.Cf, unicode.Co) {
		return utf8.RuneError
	}
	return r
}
