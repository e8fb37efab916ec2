package job

import (
	"encoding/json"
	"os"
	"strings"

	"gulo/internal/source"
)

// This file reads what is known about a function's inputs: the document of --inputs, and the list "inputs" of a
// contract file. Logic makes symbols from it, and cases make calls.

// Inputs is the document of --inputs.
type Inputs struct {
	Entry  string  `json:"entry"`
	Pre    string  `json:"pre"` // a condition over the inputs
	Inputs []Input `json:"inputs"`
}

// Input is what is known about one parameter or global variable.
type Input struct {
	Name   string `json:"name"`
	Type   string `json:"type"` // for the reader of the file; the program declares the type
	Min    *int64 `json:"min"`  // of a number, or of each number reachable from a pointer; nil: not known
	Max    *int64 `json:"max"`
	Len    int    `json:"len"`    // elements of an array, length of a list or depth of a tree; 0: not known
	Output bool   `json:"output"` // the array is only written
}

// Bounded reports whether a bound of the number is known.
func (i *Input) Bounded() bool { return i.Min != nil || i.Max != nil }

// ReadInputs reads the document of --inputs. Without a name it returns an empty document.
func ReadInputs(name string) (*Inputs, error) {
	f := &Inputs{}
	if name == "" {
		return f, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, Usage("%s", source.Refused("--inputs", name, err, "a file that says what is known of inputs, as docs/contracts.md has them"))
	}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(f); err != nil {
		line := 1 + strings.Count(string(text[:min(int(d.InputOffset()), len(text))]), "\n")
		return nil, Usage("%s:%d: %v", name, line, err)
	}
	return f, sensible(f.Inputs, name)
}

// ParseInputs parses the list "inputs" of a contract file, which may be empty. Messages name the file.
func ParseInputs(text []byte, file string) (list []Input, err error) {
	if len(text) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&list); err != nil {
		return nil, Usage("%s: inputs: %v", file, err)
	}
	return list, sensible(list, file)
}

// sensible refuses a list that no input satisfies, since everything could be proved of it, and one that describes an
// input twice.
func sensible(list []Input, file string) error {
	seen := map[string]bool{}
	for _, i := range list {
		switch {
		case i.Name == "":
			return Usage("%s: an input has no name", file)
		case seen[i.Name]:
			return Usage("%s: %s is listed twice", file, i.Name)
		case i.Min != nil && i.Max != nil && *i.Min > *i.Max:
			return Usage("%s: no number is %s: its min is %d, its max is %d", file, i.Name, *i.Min, *i.Max)
		case i.Len < 0:
			return Usage("%s: the length of %s is %d", file, i.Name, i.Len)
		}
		seen[i.Name] = true
	}
	return nil
}
