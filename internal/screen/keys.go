package screen

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file translates keys, named as Vim and others do, to what a terminal sends.

// plain are keys that always send the same.
var plain = map[string]string{
	"enter": "\r", "return": "\r", "cr": "\r", "esc": "\x1b", "escape": "\x1b", "tab": "\t", "space": " ", "bs": "\x7f", "backspace": "\x7f",
	"s-tab": "\x1b[Z", "backtab": "\x1b[Z", "lt": "<", "gt": ">", "nul": "\x00",
}

// moving are the keys that send ESC [ and a letter, or ESC O where the program asks for that.
var moving = map[string]byte{"up": 'A', "down": 'B', "right": 'C', "left": 'D', "home": 'H', "end": 'F'}

// numbered are the keys that send ESC [ N ~.
var numbered = map[string]int{
	"insert": 2, "ins": 2, "delete": 3, "del": 3, "pageup": 5, "pagedown": 6, "pgup": 5, "pgdn": 6,
	"f5": 15, "f6": 17, "f7": 18, "f8": 19, "f9": 20, "f10": 21, "f11": 23, "f12": 24,
}

// functionKeys are the keys that send ESC O and a letter.
var functionKeys = map[string]byte{"f1": 'P', "f2": 'Q', "f3": 'R', "f4": 'S'}

// ParseKeys returns what a terminal sends for some keys. text is a C string in quotation marks, or text as it stands
// with names between < and >, as in ab<Enter><Up><C-q><Esc>; <Char-35> is a character by its number. A single key with
// Ctrl or Alt needs no marks: ctrl-q. s is the screen, whose program may have asked for other codes of cursor keys; nil
// for none.
func ParseKeys(text string, s *Screen) (string, error) {
	if len(text) > 1 && text[0] == '"' {
		t, err := strconv.Unquote(text)
		if err != nil {
			return "", fmt.Errorf("%s is no text in quotation marks as C has it", text)
		}
		return t, nil
	}
	if name, ok := lone(text); ok {
		return key(name, s)
	}
	var b strings.Builder
	for text != "" {
		before, rest, ok := strings.Cut(text, "<")
		b.WriteString(before)
		if !ok {
			break
		}
		name, after, ok := strings.Cut(rest, ">")
		if !ok || name == "" || strings.ContainsAny(name, " <") {
			b.WriteByte('<') // no name of a key
			text = rest
			continue
		}
		k, err := key(name, s)
		if err != nil {
			return "", err
		}
		b.WriteString(k)
		text = after
	}
	return b.String(), nil
}

// lone reports whether a text is a single key with Ctrl or Alt, written without < and >.
func lone(text string) (name string, ok bool) {
	if len(text) == 2 && text[0] == '^' {
		return "C-" + text[1:], true
	}
	before, _, ok := strings.Cut(strings.ToLower(text), "-")
	switch before {
	case "ctrl", "c", "alt", "m":
		_, err := key(text, nil)
		return text, ok && err == nil
	}
	return "", false
}

// Modifiers, as xterm counts them.
const (
	shift = 1 << iota
	alt
	ctrl
)

// key returns what a terminal sends for a key.
func key(name string, s *Screen) (string, error) {
	unknown := fmt.Errorf("there is no key <%s>; keys are <Up>, <Enter>, <Esc>, <F1>, <C-x>, <M-x> and the like, and <lt> is the character <", name)
	if k, ok := plain[strings.ToLower(name)]; ok {
		return k, nil
	}
	if code, ok := strings.CutPrefix(strings.ToLower(name), "char-"); ok {
		n, err := strconv.ParseUint(code, 0, 32)
		if err != nil || n > unicode.MaxRune {
			return "", unknown
		}
		return string(rune(n)), nil
	}
	mod, base := 0, name // Shift is 1, Alt 2, Ctrl 4, as xterm counts
	for {
		before, rest, ok := strings.Cut(base, "-")
		if !ok || rest == "" {
			break
		}
		switch strings.ToLower(before) {
		case "s", "shift":
			mod |= shift
		case "m", "a", "alt", "meta":
			mod |= alt
		case "c", "ctrl", "control":
			mod |= ctrl
		default:
			return "", unknown
		}
		base = rest
	}
	switch {
	case utf8.RuneCountInString(base) > 1:
		return special(strings.ToLower(base), mod+1, s, unknown)
	case mod == 0:
		return "", unknown
	}
	c := base
	if mod&ctrl != 0 {
		b := base[0]
		switch {
		case b >= 'a' && b <= 'z' || b >= '@' && b <= '_':
			c = string(rune(b & 0x1f))
		case b == '?':
			c = "\x7f"
		case b == ' ':
			c = "\x00"
		default:
			return "", unknown
		}
	}
	if mod&alt != 0 {
		c = "\x1b" + c
	}
	return c, nil
}

// special returns what a key with a name sends; mod is xterm's number of the modifiers.
func special(name string, mod int, s *Screen, unknown error) (string, error) {
	final, moves := moving[name]
	letter, function := functionKeys[name]
	number := numbered[name]
	simple, known := plain[name]
	switch {
	case moves && mod > 1:
		return fmt.Sprintf("\x1b[1;%d%c", mod, final), nil
	case moves && s != nil && s.keypad:
		return "\x1bO" + string(final), nil
	case moves:
		return "\x1b[" + string(final), nil
	case function && mod > 1:
		return fmt.Sprintf("\x1b[1;%d%c", mod, letter), nil
	case function:
		return "\x1bO" + string(letter), nil
	case number > 0 && mod > 1:
		return fmt.Sprintf("\x1b[%d;%d~", number, mod), nil
	case number > 0:
		return fmt.Sprintf("\x1b[%d~", number), nil
	case known && mod == 1+alt:
		return "\x1b" + simple, nil
	case name == "space" && mod == 1+ctrl:
		return "\x00", nil
	}
	return "", unknown
}
