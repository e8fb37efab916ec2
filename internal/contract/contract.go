// Package contract holds pre- and postconditions of functions: C conditions with
// bounded quantifiers, values on entry, the result, and predicates on arrays and
// lists (He and Gupta, "Automated Debugging Using Path-Based Weakest
// Preconditions", FASE 2004, section 2, where they are formulas of first-order logic
// over a finite domain).
//
// A condition is an expression of package cfront in which a variable stands for each term
// that C does not have. Therefore every engine that computes expressions can compute
// conditions: on a memory (Env), on symbols, or expanded into atoms on one input.
package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"gulo/internal/cfront"
	"gulo/internal/source"
)

// Contract is the precondition and the postcondition of a function.
type Contract struct {
	Func      *cfront.Func
	Pre, Post []Clause
	Inputs    json.RawMessage // the list "inputs" of a contract file
	Result    *cfront.Var     // stands for the return value; nil for void
	Terms     map[*cfront.Var]*Term
}

// Clause is a condition. All clauses of a contract must hold.
type Clause struct {
	X    cfront.Expr
	Text string
	Pos  source.Position
}

// Kind is the kind of a term.
type Kind uint8

// The terms that C does not have.
const (
	Forall Kind = iota
	Exists
	Implies
	Old
	Sum
	Count
	Sorted      // an array from Lo to Hi, or a list
	Permutation // of its value on entry
	Acyclic
	Length
	Contains
	Now // within a value from entry: the part that has its value after the call
)

// Term is an expression that C does not have. Var ranges from Lo up to, not including, Hi.
type Term struct {
	Kind   Kind
	Var    *cfront.Var
	Lo, Hi cfront.Expr
	X, Y   cfront.Expr
	Text   string
	As     cfront.Expr // the form in which the user wrote it, if different; else nil
}

// Error is a contract that makes no sense.
type Error struct {
	Pos     source.Position
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Pos, e.Message) }

// file is the JSON of a contract file.
type file struct {
	Entry  string          `json:"entry"`
	Pre    string          `json:"pre"`
	Post   string          `json:"post"`
	Inputs json.RawMessage `json:"inputs"`
}

// Read reads a contract file for a function of a program; entry may be empty if the file names the function.
func Read(name string, tree *cfront.Program, entry string) (*Contract, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, &Error{source.Position{File: name}, fmt.Sprintf("error: cannot read the contract: %v", err)}
	}
	var f file
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		off := int(d.InputOffset())
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			off = int(syntax.Offset)
		}
		return nil, &Error{at(name, string(text), min(off, len(text))), err.Error()}
	}
	if entry == "" {
		entry = f.Entry
	}
	c := &Contract{Inputs: f.Inputs}
	if c.Func = tree.Func(entry); c.Func == nil {
		return nil, &Error{at(name, string(text), max(strings.Index(string(text), `"entry"`), 0)), fmt.Sprintf("the program has no function %q", entry)}
	}
	for _, p := range []struct {
		key, text string
		to        *[]Clause
		post      bool
	}{{`"pre"`, f.Pre, &c.Pre, false}, {`"post"`, f.Post, &c.Post, true}} {
		if strings.TrimSpace(p.text) == "" {
			continue
		}
		// The value begins after the key, the colon and the quote.
		off := max(strings.Index(string(text), p.key), 0)
		if k := strings.Index(string(text[off+len(p.key):]), `"`); k >= 0 {
			off += len(p.key) + k + 1
		}
		pos := at(name, string(text), off)
		if err := c.add(tree, p.to, p.text, pos, p.post); err != nil {
			return nil, err
		}
	}
	if len(c.Post) == 0 {
		return nil, &Error{at(name, string(text), 0), "a contract says what must hold afterwards: \"post\" is missing"}
	}
	return c, nil
}

func at(file, text string, off int) source.Position {
	before := text[:off]
	line := strings.Count(before, "\n")
	return source.Position{File: file, Line: line + 1, Column: off - strings.LastIndex(before, "\n")}
}

// All returns the contracts with postconditions in a program's comments, or only that of the function entry if it is
// not "".
func All(tree *cfront.Program, entry string) ([]*Contract, error) {
	var out []*Contract
	for _, f := range tree.Funcs {
		if entry != "" && f.Name != entry {
			continue
		}
		c, err := Of(tree, f)
		if err != nil {
			return nil, err
		}
		if c != nil && len(c.Post) > 0 {
			out = append(out, c)
		}
	}
	return out, nil
}

// Find returns the contract in a file or, if name is "", the one in the comments; entry names the function if there are
// several. The error is an *Error or a *ChoiceError.
func Find(tree *cfront.Program, name, entry string) (*Contract, error) {
	if name != "" {
		return Read(name, tree, entry)
	}
	list, err := All(tree, entry)
	switch {
	case err != nil:
		return nil, err
	case len(list) == 0:
		return nil, errNone
	case len(list) > 1:
		return nil, &ChoiceError{fmt.Sprintf("%s and %s have contracts; name one with --entry", list[0].Func.Name, list[1].Func.Name)}
	}
	return list[0], nil
}

// ChoiceError says that there is no contract, or more than one.
type ChoiceError struct{ Message string }

func (e *ChoiceError) Error() string { return e.Message }

var errNone = &ChoiceError{"there is no contract: give --contract FILE, or write pre: and post: into the comment above the function"}

// Of returns the contract in the comment above a function; nil if there is none. A line that begins with "pre:" or
// "post:" begins a condition, which extends to the next such line.
func Of(tree *cfront.Program, f *cfront.Func) (*Contract, error) {
	if !f.Whole.Valid() {
		return nil, nil
	}
	text := string(f.Whole.File.Text[:f.Whole.Start])
	begin := commentAbove(text)
	if begin < 0 {
		return nil, nil
	}
	c := &Contract{Func: f}
	var to *[]Clause
	var pos source.Position
	current, post := "", false
	flush := func() error {
		if to == nil || strings.TrimSpace(current) == "" {
			return nil
		}
		return c.add(tree, to, current, pos, post)
	}
	off := begin
	for _, line := range strings.SplitAfter(text[begin:], "\n") {
		body := strings.TrimRight(strings.ReplaceAll(line, "*/", "  "), " \t\r\n")
		lead := len(body) - len(strings.TrimLeft(body, " \t/*"))
		body = body[lead:]
		key := ""
		for _, k := range []string{"pre:", "post:"} {
			if strings.HasPrefix(body, k) {
				key = k
			}
		}
		switch {
		case key != "":
			if err := flush(); err != nil {
				return nil, err
			}
			to, post = &c.Pre, key == "post:"
			if post {
				to = &c.Post
			}
			current = body[len(key):]
			blanks := len(current) - len(strings.TrimLeft(current, " \t"))
			current = current[blanks:]
			pos = f.Whole.File.Position(off + lead + len(key) + blanks)
		case to != nil && body != "":
			current += " " + body
		case body == "" && to != nil:
			if err := flush(); err != nil {
				return nil, err
			}
			to = nil
		}
		off += len(line)
	}
	if err := flush(); err != nil {
		return nil, err
	}
	if len(c.Pre)+len(c.Post) == 0 {
		return nil, nil
	}
	return c, nil
}

// commentAbove returns where the comment at the end of a text begins; -1 if there is none.
func commentAbove(text string) int {
	t := strings.TrimRight(text, " \t\r\n")
	if strings.HasSuffix(t, "*/") {
		return strings.LastIndex(t, "/*")
	}
	begin := -1
	for end := len(t); end > 0; {
		start := strings.LastIndex(t[:end], "\n") + 1
		if !strings.HasPrefix(strings.TrimSpace(t[start:end]), "//") {
			break
		}
		begin = start
		end = max(start-1, 0)
	}
	return begin
}

// NeedsOld reports whether a postcondition uses values on entry other than parameters.
func (c *Contract) NeedsOld() bool {
	for _, t := range c.Terms {
		if t.Kind == Old || t.Kind == Permutation {
			return true
		}
	}
	return false
}
