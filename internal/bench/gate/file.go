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
	"time"

	"gulo/internal/campaign"
	"gulo/internal/plural"
	"gulo/internal/process"
)

// This file keeps records: a file of lines, a Header first and then a Record each, written as they come.

// Header says what made a file. Records of one are not mixed with those of another.
type Header struct {
	Gate   int           `json:"gate"` // the version of the format
	Commit string        `json:"commit"`
	Build  string        `json:"build"`
	Limit  time.Duration `json:"limit"`
	Inputs int           `json:"inputs"`
	Seed   int64         `json:"seed"`
}

// Header is that of a measurement with these options by this executable.
func (o *Options) Header() (Header, error) {
	build, err := campaign.Self()
	return Header{1, process.Version(), build, o.Limit, o.Inputs, o.Seed}, err
}

func (h *Header) String() string {
	return fmt.Sprintf("commit %s, build %.12s, limit %v, %s, seed %d", h.Commit, h.Build, h.Limit, plural.N(h.Inputs, "input"), h.Seed)
}

// Read reads a file of records. whole is how many bytes of it are complete lines: the last line may have been cut off.
func Read(path string) (h Header, list []Record, whole int64, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return h, nil, 0, err
	}
	whole = int64(bytes.LastIndexByte(text, '\n') + 1)
	first := true
	for line := range bytes.Lines(text[:whole]) {
		if first {
			first = false
			if err := json.Unmarshal(line, &h); err != nil || h.Gate != 1 {
				return h, nil, 0, UsageError(path + " is no file of gulo bench gate")
			}
			continue
		}
		var r Record
		if err := json.Unmarshal(line, &r); err != nil {
			return h, nil, 0, UsageError(fmt.Sprintf("%s: a record cannot be read: %v", path, err))
		}
		list = append(list, r)
	}
	return h, list, whole, nil
}

// File is a file that records are added to.
type File struct {
	f *os.File
	w *bufio.Writer
}

// Append opens a file to add records to it, and returns those that it has. They must be of the same measurement.
func Append(path string, h Header) (*File, []Record, error) {
	old, known, whole, err := Read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, nil, err
	case whole > 0 && old != h:
		return nil, nil, UsageError(fmt.Sprintf("%s has records of another measurement (%s; now %s); name another file, and compare with --against %s", path, old.String(), h.String(), path))
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, nil, err
	}
	out := &File{f, bufio.NewWriter(f)}
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

func (f *File) line(what any) error {
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
func (f *File) Add(r *Record) error { return f.line(r) }

// Close closes the file.
func (f *File) Close() error { return f.f.Close() }
