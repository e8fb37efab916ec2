package gate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// This file keeps files of JSON lines: a head that describes what made the file, then records, written as they come.

// Head is the first line of such a file. Records under different heads are not mixed.
type Head interface {
	comparable
	fmt.Stringer
	Known() bool                // whether this version can read the format
	Command() string            // the command that writes such files
	Instead(path string) string // what to do if the file has another head
}

// Lines is a file that records are added to.
type Lines[R any] struct {
	f *os.File
	w *bufio.Writer
}

// ReadLines reads a file of records. whole is the length of its complete lines in bytes; the last line may have been
// cut off.
func ReadLines[R any, H Head](path string) (h H, list []R, whole int64, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return h, nil, 0, err
	}
	whole = int64(bytes.LastIndexByte(text, '\n') + 1)
	first := true
	for line := range bytes.Lines(text[:whole]) {
		if first {
			first = false
			if err := json.Unmarshal(line, &h); err != nil || !h.Known() {
				return h, nil, 0, UsageError(path + " is no file of " + h.Command())
			}
			continue
		}
		var r R
		if err := json.Unmarshal(line, &r); err != nil {
			return h, nil, 0, UsageError(fmt.Sprintf("%s: a record cannot be read: %v", path, err))
		}
		list = append(list, r)
	}
	return h, list, whole, nil
}

// AppendLines opens a file to add records, and returns those that it has. It fails if the file has another head.
func AppendLines[R any, H Head](path string, h H) (*Lines[R], []R, error) {
	old, known, whole, err := ReadLines[R, H](path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, nil, err
	case whole > 0 && old != h:
		return nil, nil, UsageError(fmt.Sprintf("%s has records of another measurement (%s; now %s); %s", path, old, h, h.Instead(path)))
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, nil, err
	}
	out := &Lines[R]{f, bufio.NewWriter(f)}
	if err = f.Truncate(whole); err == nil {
		_, err = f.Seek(whole, io.SeekStart)
	}
	if err == nil && whole == 0 {
		err = out.line(h)
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return out, known, nil
}

func (f *Lines[R]) line(what any) error {
	b, err := json.Marshal(what)
	if err != nil {
		return err
	}
	if _, err := f.w.Write(append(b, '\n')); err != nil {
		return err
	}
	return f.w.Flush()
}

// Add adds a record.
func (f *Lines[R]) Add(r *R) error { return f.line(r) }

// Close closes the file.
func (f *Lines[R]) Close() error { return f.f.Close() }
