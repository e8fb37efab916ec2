package gate

import (
	"fmt"
	"time"

	"gulo/internal/campaign"
	"gulo/internal/plural"
	"gulo/internal/process"
)

// This file keeps records in a file of lines: first a Header, then Records.

// Header describes the measurement that made a file.
type Header struct {
	Gate   int           `json:"gate"` // the version of the format
	Commit string        `json:"commit"`
	Build  string        `json:"build"`
	Limit  time.Duration `json:"limit"`
	Inputs int           `json:"inputs"`
	Seed   int64         `json:"seed"`
}

// Header returns the header of a measurement with these options by this executable.
func (o *Options) Header() (Header, error) {
	build, err := campaign.Self()
	return Header{1, process.Version(), build, o.Limit, o.Inputs, o.Seed}, err
}

func (h Header) String() string {
	return fmt.Sprintf("commit %s, build %.12s, limit %v, %s, seed %d", h.Commit, h.Build, h.Limit, plural.N(h.Inputs, "input"), h.Seed)
}

// Known reports whether this version can read the format.
func (h Header) Known() bool { return h.Gate == 1 }

// Command returns the command that writes such files.
func (h Header) Command() string { return "gulo bench gate" }

// Instead says what to do if the file has records of another measurement.
func (h Header) Instead(path string) string {
	return "name another file, and compare with --against " + path
}

// File is a file that records are added to.
type File = Lines[Record]

// Read reads a file of records, as ReadLines does.
func Read(path string) (Header, []Record, int64, error) { return ReadLines[Record, Header](path) }

// Append opens a file to add records, as AppendLines does.
func Append(path string, h Header) (*File, []Record, error) { return AppendLines[Record](path, h) }
