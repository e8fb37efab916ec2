package gate

import (
	"fmt"
	"time"

	"gulo/internal/campaign"
	"gulo/internal/plural"
	"gulo/internal/process"
)

// This file keeps records: a file of lines, a Header first and then a Record each.

// Header says what made a file.
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

func (h Header) String() string {
	return fmt.Sprintf("commit %s, build %.12s, limit %v, %s, seed %d", h.Commit, h.Build, h.Limit, plural.N(h.Inputs, "input"), h.Seed)
}

// Known reports whether the format is the one of this version.
func (h Header) Known() bool { return h.Gate == 1 }

// Command is what writes such files.
func (h Header) Command() string { return "gulo bench gate" }

// Instead says what to do with records of another measurement.
func (h Header) Instead(path string) string {
	return "name another file, and compare with --against " + path
}

// File is a file that records are added to.
type File = Lines[Record]

// Read reads a file of records, as ReadLines.
func Read(path string) (Header, []Record, int64, error) { return ReadLines[Record, Header](path) }

// Append opens a file to add records to it, as AppendLines.
func Append(path string, h Header) (*File, []Record, error) { return AppendLines[Record](path, h) }
