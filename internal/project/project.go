// Package project finds out how a program of many files is built: which commands compiled its files, with which flags
// and in which directory, and what was linked into which program. It reads compile_commands.json (Clang, "JSON
// Compilation Database Format Specification"; CMake, Meson, Bear and compiledb write it), Ninja files, the makefiles of
// CMake, and what Record saw a build do. For a program built by other means it uses the debug information.
package project

import (
	"encoding/json"
	"errors"
	"fmt"
	"gulo/internal/process"
	"gulo/internal/source"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Command is one call of a compiler, a linker or ar.
type Command struct {
	Directory string   `json:"directory"`
	File      string   `json:"file,omitempty"`
	Output    string   `json:"output,omitempty"`
	Arguments []string `json:"arguments,omitempty"`
	Command   string   `json:"command,omitempty"` // instead of Arguments, in the form of a shell command
	Made      int64    `json:"made,omitempty"`    // time, in nanoseconds since the epoch, at which the command wrote its object; only from Record
}

// Database is what is known of a build.
type Database struct {
	Dir      string // the folder in which it was found
	Commands []Command
	before   int      // number of the commands that come from an earlier build
	since    int64    // when a generator wrote the description, so that newer objects were made as it says; 0: unknown
	folders  []string // folders in which make and ninja were started while the build was watched
}

// Recorded is the file in which Record stores what it saw, relative to the folder of the build.
const Recorded = ".gulo/commands.json"

// Open reads the database of a build folder, or the file that holds one.
func Open(path string) (*Database, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, errors.New(source.Refused("--build", path, err, "the folder with compile_commands.json, or that file"))
	}
	if st.IsDir() {
		return open(path)
	}
	db, err := read(path, filepath.Dir(path))
	if err == nil {
		if g := db.described(); g != nil {
			return g, nil
		}
	}
	return db, err
}

func read(name, dir string) (*Database, error) {
	file, err := source.ReadFile(name)
	if err != nil {
		return nil, err
	}
	b := file.Text
	db := &Database{Dir: dir}
	if err := json.Unmarshal(b, &db.Commands); err != nil {
		return nil, fmt.Errorf("%s: %s", at(name, b, err), err)
	}
	for i := range db.Commands {
		c := &db.Commands[i]
		if len(c.Arguments) == 0 {
			if c.Arguments, err = process.Words(c.Command); err != nil {
				return nil, fmt.Errorf("%s: the command of %s: %v", name, c.File, err)
			}
		}
		if !filepath.IsAbs(c.Directory) {
			c.Directory = filepath.Join(dir, c.Directory)
		}
	}
	return db, nil
}

// at appends the line and column of a JSON error to a file's name.
func at(name string, text []byte, err error) string {
	var off int64 = -1
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		off = syntax.Offset
	case errors.As(err, &typed):
		off = typed.Offset
	}
	if off < 0 || off > int64(len(text)) {
		return name
	}
	before := string(text[:off])
	return fmt.Sprintf("%s:%d:%d", name, strings.Count(before, "\n")+1, max(len(before)-strings.LastIndexByte(before, '\n')-1, 1))
}

// Save writes the database to the file Recorded. Commands of an earlier database stay unless there are new ones for the
// same file.
func (db *Database) Save() error {
	name := filepath.Join(db.Dir, Recorded)
	if old, err := read(name, db.Dir); err == nil {
		key := func(c Command) string {
			return c.Directory + "\x00" + c.File + "\x00" + c.Output
		}
		var kept []Command
		for _, c := range old.Commands {
			if !slices.ContainsFunc(db.Commands, func(d Command) bool { return key(c) == key(d) }) {
				kept = append(kept, c)
			}
		}
		db.Commands, db.before = append(kept, db.Commands...), len(kept)
	}
	b, err := json.MarshalIndent(db.Commands, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, append(b, '\n'), 0o644)
}
