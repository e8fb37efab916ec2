package gdb

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gulo/internal/plural"
	"gulo/internal/target"
)

// This file is gdb's pretty-printers in Python. A script is executed in gdb when the user names it; what its printers say
// of values is asked for by a script of gulo's (runtime/printers.py). Printers may not call the program's functions.
//
// Reference: "Pretty Printing API", Debugging with GDB, section 23.3.2.5.

//go:embed runtime/printers.py
var printersScript []byte

// printers is what gdb has of the user's scripts.
type printers struct {
	ready  bool   // gulo's script is there
	script string // the last of the user's
}

// python calls a function of gulo's script, which writes its answer as JSON to a file, and reads that into answer. OUT in
// call stands for the name of the file.
func (t *Target) python(call string, answer any) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if !t.printers.ready {
		own := filepath.Join(t.dir, "printers.py")
		if err := os.WriteFile(own, printersScript, 0o600); err != nil {
			return err
		}
		if err := t.c.console(ctx, "source "+own); err != nil {
			return fmt.Errorf("this gdb has no Python: %w", err)
		}
		t.printers.ready = true
	}
	out := filepath.Join(t.dir, "printed.json")
	if err := t.c.console(ctx, "python "+strings.Replace(call, "OUT", strconv.Quote(out), 1)); err != nil {
		return err
	}
	text, err := os.ReadFile(out)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, answer)
}

// Source implements target.Printing.
func (t *Target) Source(file string) (names []string, err error) {
	file, err = filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	var said struct {
		Line     int
		Error    string
		Printers []string
	}
	if err := t.python(fmt.Sprintf("gulo_source(OUT, %s)", strconv.Quote(file)), &said); err != nil {
		return nil, err
	}
	t.printers.script = file
	if said.Error != "" {
		return said.Printers, &target.ScriptError{Line: max(said.Line, 1), Text: said.Error}
	}
	return said.Printers, nil
}

// Printed implements target.Printing.
func (t *Target) Printed(list []target.Printable) ([]string, error) {
	var items []string
	for _, p := range list {
		items = append(items, fmt.Sprintf("(%d, %s)", p.Addr, strconv.Quote(p.Type)))
	}
	var out []string
	if err := t.python(fmt.Sprintf("gulo_show(OUT, %s, [%s])", strconv.Quote(t.printers.script), strings.Join(items, ", ")), &out); err != nil {
		return nil, err
	}
	if len(out) != len(list) {
		return nil, fmt.Errorf("gdb's printers were asked for %s and said %d", plural.N(len(list), "value"), len(out))
	}
	return out, nil
}
