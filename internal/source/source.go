// Package source holds C source files, byte ranges in them and the diagnostics
// that point into them. It knows nothing about the C language.
//
// A File is immutable; positions are byte offsets, and lines and columns (both
// from 1, columns in bytes) are derived from them.
package source

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sort"
	"strings"
	"syscall"
)

// File is one source text.
type File struct {
	Name string // as the user gave it
	Text []byte

	lines []int // offset of the first byte of each line
}

// NewFile returns a file over text, which must not change afterwards.
func NewFile(name string, text []byte) *File {
	f := &File{Name: name, Text: text, lines: []int{0}}
	for i, c := range text {
		if c == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	return f
}

// Mark returns the length of the byte order mark at the beginning of the file, 0 if there is none. Editors on Windows
// write one; compilers accept it only at the beginning.
func (f *File) Mark() int { return len(f.Text) - len(bytes.TrimPrefix(f.Text, []byte("\ufeff"))) }

// Written returns text with the line breaks of this file: those of the file's first line, which are "\r\n" if an editor
// on Windows wrote it.
func (f *File) Written(text string) string {
	if !strings.Contains(text, "\n") || len(f.lines) < 2 || f.lines[1] < 2 || f.Text[f.lines[1]-2] != '\r' {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

// ReadFile reads a file from disk.
func ReadFile(name string) (*File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	// A pipe would be waited for, and can be read only once: gcc reads it, too.
	if mode := info.Mode(); !mode.IsRegular() && !mode.IsDir() {
		return nil, &os.PathError{Op: "read", Path: name, Err: errors.New("it is not a regular file")}
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return NewFile(name, text), nil
}

// Unreadable returns the error for a file that a user named and that cannot be read.
func Unreadable(name string, err error) *Error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	if errors.Is(err, syscall.EISDIR) {
		err = errors.New("it is a folder; name the C files in it")
	}
	return Errorf(Position{File: name}, "cannot read the file: %v", err)
}

// Refused returns a message: the file that an option names cannot be read, and what to name instead.
func Refused(option, name string, err error, instead string) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Sprintf("cannot read %s %s: %v; name %s", option, name, err, instead)
}

// Position is a place in a file as people name it.
type Position struct {
	File   string
	Line   int // from 1; 0 when unknown
	Column int // in bytes, from 1
}

func (p Position) String() string {
	switch {
	case p.File == "" && p.Line == 0:
		return "-"
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Position returns the line and column of an offset.
func (f *File) Position(offset int) Position {
	i := sort.SearchInts(f.lines, offset+1) - 1
	return Position{f.Name, i + 1, offset - f.lines[i] + 1}
}

// Offset returns the offset of a line and column, and whether it is in the file.
func (f *File) Offset(line, column int) (int, bool) {
	if line < 1 || line > len(f.lines) || column < 1 {
		return 0, false
	}
	o := f.lines[line-1] + column - 1
	return o, o <= len(f.Text)
}

// Lines returns the number of lines.
func (f *File) Lines() int { return len(f.lines) }

// Line returns the text of a line without its line break.
func (f *File) Line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	end := len(f.Text)
	if n < len(f.lines) {
		end = f.lines[n] - 1
	}
	return strings.TrimSuffix(string(f.Text[f.lines[n-1]:end]), "\r")
}

// Indent returns the white space that the line of an offset begins with.
func (f *File) Indent(offset int) string {
	l := f.Line(f.Position(offset).Line)
	return l[:len(l)-len(strings.TrimLeft(l, " \t"))]
}

// Range is a half-open byte range of a file. The zero Range stands for no place.
type Range struct {
	File       *File
	Start, End int
}

// Valid reports whether the range names a place.
func (r Range) Valid() bool { return r.File != nil }

// Position returns where the range starts.
func (r Range) Position() Position {
	if r.File == nil {
		return Position{}
	}
	return r.File.Position(r.Start)
}

// Text returns the bytes of the range as a string.
func (r Range) Text() string {
	if r.File == nil {
		return ""
	}
	return string(r.File.Text[r.Start:r.End])
}

// Contains reports whether an offset of file lies in the range.
func (r Range) Contains(file *File, offset int) bool {
	return r.File == file && r.Start <= offset && offset < r.End
}

// Union returns the smallest range that contains both. If they are in different files it returns r; if one is not
// valid, the other one.
func (r Range) Union(s Range) Range {
	if !r.Valid() {
		return s
	}
	if !s.Valid() || r.File != s.File {
		return r
	}
	return Range{r.File, min(r.Start, s.Start), max(r.End, s.End)}
}

func (r Range) String() string { return r.Position().String() }
