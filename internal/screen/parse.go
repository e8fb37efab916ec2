package screen

import (
	"slices"
	"unicode/utf8"
)

// This file interprets control sequences: ESC and a character, CSI (ESC [) with parameters and a final character, and
// strings (OSC, DCS), which are skipped.

type parser struct {
	state  parseState
	rest   []byte // the first bytes of an incomplete UTF-8 character
	prefix byte   // of a control sequence: ? > = !; 0 for none
	inter  byte   // between its parameters and its end
	params []int
	set    int // which character set is designated
}

func (p *parser) clone() parser {
	c := *p
	c.rest, c.params = slices.Clone(p.rest), slices.Clone(p.params)
	return c
}

type parseState uint8

const (
	ground parseState = iota
	escape
	sequence // CSI
	charset  // ESC ( and ESC )
	skipped  // one character after ESC #, ESC %
	text     // OSC, DCS, APC, PM
	textEnd  // ESC in it
)

const esc = 0x1b

// Bounds of the number of parameters of a sequence, and of their values.
const (
	mostParams = 32
	mostValue  = 9999
)

// next takes a byte of what the program writes.
func (p *parser) next(s *Screen, b byte) {
	switch {
	case p.state == text || p.state == textEnd:
		p.inText(b)
	case b == esc:
		p.incomplete(s)
		p.state = escape
	case b == 0x18 || b == 0x1a: // CAN, SUB
		p.state = ground
	case b < 0x20 || b == 0x7f && p.state == ground:
		p.incomplete(s)
		s.control(b)
	case p.state == ground:
		p.char(s, b)
	case p.state == escape:
		p.escaped(s, b)
	case p.state == sequence:
		p.inSequence(s, b)
	case p.state == charset:
		s.cur.sets[p.set] = b == '0'
		p.state = ground
	default:
		p.state = ground
	}
}

// inText passes over a string up to its end: BEL, or ESC and a backslash.
func (p *parser) inText(b byte) {
	switch {
	case b == '\a', p.state == textEnd && b == '\\', b == 0x18:
		p.state = ground
	case b == esc:
		p.state = textEnd
	default:
		p.state = text
	}
}

// incomplete draws a replacement character for a character that was not completed.
func (p *parser) incomplete(s *Screen) {
	if len(p.rest) > 0 {
		p.rest = p.rest[:0]
		s.put(utf8.RuneError)
	}
}

// char takes a byte of a character.
func (p *parser) char(s *Screen, b byte) {
	if b < utf8.RuneSelf {
		p.incomplete(s)
		s.put(rune(b))
		return
	}
	if p.rest = append(p.rest, b); !utf8.FullRune(p.rest) {
		return
	}
	r, n := utf8.DecodeRune(p.rest)
	more := slices.Clone(p.rest[n:])
	p.rest = p.rest[:0]
	s.put(valid(r))
	for _, b := range more {
		p.char(s, b)
	}
}

// escaped handles the character after ESC.
func (p *parser) escaped(s *Screen, b byte) {
	p.state = ground
	switch b {
	case '[':
		p.state, p.prefix, p.inter, p.params = sequence, 0, 0, append(p.params[:0], 0)
	case ']', 'P', 'X', '^', '_':
		p.state = text
	case '(', ')':
		p.state, p.set = charset, int(b-'(')
	case '*', '+', '-', '.', '/', '#', '%', ' ':
		s.ignored++
		p.state = skipped
	case '7':
		s.saved = s.cur
	case '8':
		s.cur = s.saved
	case 'D':
		s.cur.full = false
		s.feed()
	case 'E':
		s.cur.col, s.cur.full = 0, false
		s.feed()
	case 'M':
		if s.cur.full = false; s.cur.row == s.top {
			s.scroll(s.top, -1)
		} else {
			s.move(s.cur.row-1, s.cur.col)
		}
	case 'H':
		s.tabs[s.cur.col] = true
	case 'Z':
		s.report("\x1b[?6c")
	case 'c':
		s.reset(s.rows, s.cols)
	case '=', '>', '\\': // the keypad's mode, which no key here depends on
	default:
		s.ignored++
	}
}

// inSequence takes a byte of a control sequence.
func (p *parser) inSequence(s *Screen, b byte) {
	last := &p.params[len(p.params)-1]
	switch {
	case b >= '0' && b <= '9':
		*last = min(*last*10+int(b-'0'), mostValue)
	case b == ';' || b == ':':
		if len(p.params) < mostParams {
			p.params = append(p.params, 0)
		}
	case b >= '<' && b <= '?':
		p.prefix = b
	case b >= 0x20 && b < 0x30:
		p.inter = b
	default:
		p.state = ground
		if !s.sequence(p, b) {
			s.ignored++
		}
	}
}

// at returns a parameter, at least 1.
func (p *parser) at(i int) int { return max(p.raw(i), 1) }

// raw returns a parameter; 0 if it is left out.
func (p *parser) raw(i int) int {
	if i < len(p.params) {
		return p.params[i]
	}
	return 0
}

// sequence does what a control sequence says; false where it is none that is known.
func (s *Screen) sequence(p *parser, final byte) bool {
	switch {
	case p.prefix == '?' && (final == 'h' || final == 'l') && p.inter == 0:
		ok := true
		for _, m := range p.params {
			ok = s.private(m, final == 'h') && ok
		}
		return ok
	case p.prefix == '>' && final == 'c' && p.inter == 0:
		s.report("\x1b[>0;0;0c")
		return true
	case p.prefix == 0 && p.inter == '!' && final == 'p': // soft reset
		s.cur.style, s.top, s.under, s.origin, s.inserts, s.hidden, s.keypad = 0, 0, s.rows, false, false, false, false
		return true
	case p.prefix != 0 || p.inter != 0:
		return false
	}
	return s.moves(p, final) || s.edits(p, final) || s.sets(p, final)
}

// moves handles the sequences that move the cursor.
func (s *Screen) moves(p *parser, final byte) bool {
	n, first, under := p.at(0), 0, s.rows
	if s.cur.row >= s.top && s.cur.row < s.under { // up and down stop at the margins
		first, under = s.top, s.under
	}
	base := 0
	if s.origin {
		base = s.top
	}
	switch final {
	case 'A':
		s.move(max(s.cur.row-n, first), s.cur.col)
	case 'B', 'e':
		s.move(min(s.cur.row+n, under-1), s.cur.col)
	case 'C', 'a':
		s.move(s.cur.row, s.cur.col+n)
	case 'D':
		s.move(s.cur.row, s.cur.col-n)
	case 'E':
		s.move(min(s.cur.row+n, under-1), 0)
	case 'F':
		s.move(max(s.cur.row-n, first), 0)
	case 'G', '`':
		s.move(s.cur.row, n-1)
	case 'H', 'f':
		s.move(base+n-1, p.at(1)-1)
	case 'd':
		s.move(base+n-1, s.cur.col)
	case 'I':
		s.tab(n)
	case 'Z':
		s.tab(-n)
	case 's':
		s.saved = s.cur
	case 'u':
		s.cur = s.saved
	default:
		return false
	}
	return true
}

// edits handles the sequences that erase, insert, delete and scroll.
func (s *Screen) edits(p *parser, final byte) bool {
	n, row, c := p.at(0), s.Row(s.cur.row), s.cur.col
	at := s.cur.row*s.cols + c
	inside := s.cur.row >= s.top && s.cur.row < s.under
	switch final {
	case 'J':
		s.erase(pick(s.cells, at, p.raw(0)))
	case 'K':
		s.erase(pick(row, c, p.raw(0)))
	case 'X':
		s.erase(row[c:min(c+n, s.cols)])
	case 'P':
		n = min(n, s.cols-c)
		copy(row[c:], row[c+n:])
		s.erase(row[s.cols-n:])
	case '@':
		n = min(n, s.cols-c)
		copy(row[c+n:], row[c:])
		s.erase(row[c : c+n])
	case 'L', 'M':
		if inside && final == 'L' {
			s.scroll(s.cur.row, -n)
		} else if inside {
			s.scroll(s.cur.row, n)
		}
		s.cur.col, s.cur.full = 0, false
	case 'S':
		s.scroll(s.top, n)
	case 'T':
		s.scroll(s.top, -n)
	case 'b':
		for r := s.last; r != 0 && n > 0; n-- {
			was := s.cur.sets
			s.cur.sets = [2]bool{}
			s.put(r)
			s.cur.sets = was
		}
	default:
		return false
	}
	return true
}

// pick returns the cells that J and K erase: from a place on, up to and including it, or all.
func pick(cells []Cell, at, how int) []Cell {
	switch how {
	case 0:
		return cells[at:]
	case 1:
		return cells[:at+1]
	case 2:
		return cells
	}
	return nil
}

// sets handles the sequences that set modes, margins and styles, and questions.
func (s *Screen) sets(p *parser, final byte) bool {
	switch n := p.raw(0); {
	case final == 'm':
		return s.styles(p.params)
	case final == 'r':
		top, under := p.at(0)-1, p.raw(1)
		if under == 0 || under > s.rows {
			under = s.rows
		}
		if top+1 < under {
			s.top, s.under = top, under
			base := 0
			if s.origin {
				base = s.top
			}
			s.move(base, 0)
		}
	case final == 'g' && n == 0:
		s.tabs[s.cur.col] = false
	case final == 'g' && n == 3:
		clear(s.tabs)
	case (final == 'h' || final == 'l') && n == 4:
		s.inserts = final == 'h'
	case (final == 'h' || final == 'l') && n == 20:
		s.newLine = final == 'h'
	case final == 'n' && n == 5:
		s.report("\x1b[0n")
	case final == 'n' && n == 6:
		row := s.cur.row
		if s.origin {
			row -= s.top
		}
		s.report("\x1b[%d;%dR", row+1, s.cur.col+1)
	case final == 'c' && n == 0:
		s.report("\x1b[?6c") // a VT102
	case final == 't' && n == 18:
		s.report("\x1b[8;%d;%dt", s.rows, s.cols)
	case final == 't' && (n == 22 || n == 23): // titles are not kept
	default:
		return false
	}
	return true
}

// private sets a mode of xterm's; false where it is none that is known. Modes of the mouse and of pasting change
// nothing here.
func (s *Screen) private(mode int, on bool) bool {
	switch mode {
	case 1:
		s.keypad = on
	case 6:
		s.origin = on
		if s.move(0, 0); on {
			s.move(s.top, 0)
		}
	case 7:
		s.wraps = on
	case 25:
		s.hidden = !on
	case 47, 1047:
		s.alternate(on)
	case 1048, 1049:
		if on {
			s.saved = s.cur
		}
		if mode == 1049 {
			s.alternate(on)
		}
		if !on {
			s.cur = s.saved
		}
	case 12, 1034, 2004, 1000, 1002, 1003, 1004, 1005, 1006, 1015:
	default:
		return false
	}
	return true
}

// styles handles SGR. Colours are skipped.
func (s *Screen) styles(params []int) bool {
	ok := true
	for i := 0; i < len(params); i++ {
		switch n := params[i]; {
		case n == 0:
			s.cur.style = 0
		case n == 1:
			s.cur.style |= Bold
		case n == 4:
			s.cur.style |= Underlined
		case n == 7:
			s.cur.style |= Reverse
		case n == 22:
			s.cur.style &^= Bold
		case n == 24:
			s.cur.style &^= Underlined
		case n == 27:
			s.cur.style &^= Reverse
		case (n == 38 || n == 48) && i+1 < len(params) && params[i+1] == 5:
			i += 2
		case (n == 38 || n == 48) && i+1 < len(params) && params[i+1] == 2:
			i += 4
		case n >= 30 && n <= 37, n == 39, n >= 40 && n <= 47, n == 49, n >= 90 && n <= 97, n >= 100 && n <= 107:
		case n == 2, n == 3, n == 5, n == 8, n == 23, n == 25, n == 28: // faint, italic, blinking, concealed
		default:
			ok = false
		}
	}
	return ok
}
