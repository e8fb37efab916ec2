package app

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"gulo/internal/session"

	"golang.org/x/term"
)

// This file fits the output of commands to their terminal.

// widthOf returns the width of a terminal; 0 if it is not a terminal, or too narrow to fit anything.
func widthOf(w io.Writer) int {
	if n, _ := sizeOf(w); n > 20 {
		return n
	}
	return 0
}

// heightOf returns the height of a terminal; 0 if it is not a terminal, or too low to fit anything.
func heightOf(w io.Writer) int {
	if _, n := sizeOf(w); n > 10 {
		return n
	}
	return 0
}

// sizeOf returns the width and height of a terminal; 0 if it is not one.
func sizeOf(w io.Writer) (columns, lines int) {
	f, ok := own(w).(*os.File)
	if !ok {
		return 0, 0
	}
	columns, lines, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0, 0
	}
	return columns, lines
}

// dumb reports whether TERM says that the terminal can only print.
func dumb() bool { return os.Getenv("TERM") == "dumb" }

// prose wraps the sentences of an answer at a width. Diffs, pictures and tables stay as they are.
func prose(text string, width int) string {
	if width == 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.ContainsRune("+-@ \t{[|", rune(line[0])) && !strings.Contains(line, "  ") {
			line = session.Wrap(line, width)
		}
		b.WriteString(line)
	}
	return b.String()
}

// cut shortens a text to a number of columns.
func cut(text string, room int) string {
	if utf8.RuneCountInString(text) <= room {
		return text
	}
	const sign = ".."
	return string([]rune(text)[:max(room-len(sign), 0)]) + sign
}
