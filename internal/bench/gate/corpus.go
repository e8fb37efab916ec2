package gate

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gulo/internal/process"
)

// This file reads a corpus of programs.

// Program is a program of a corpus. Texts are bytes: not every program is UTF-8.
type Program struct {
	Name      string            `json:"name"` // its folder in the corpus
	Kind      string            `json:"kind,omitempty"`
	Exercise  string            `json:"exercise,omitempty"`
	Wrong     []byte            `json:"wrong"`
	Right     []byte            `json:"right,omitempty"`
	Reference []byte            `json:"reference,omitempty"` // written separately from both
	More      map[string][]byte `json:"more,omitempty"`      // other .c and .h files that both versions need
	Tests     []Test            `json:"tests"`
}

// Test is a whole run.
type Test struct {
	Name   string   `json:"name"`
	Args   []string `json:"args,omitempty"`
	Stdin  []byte   `json:"stdin,omitempty"`
	Stdout []byte   `json:"stdout,omitempty"`
	Said   bool     `json:"said,omitempty"` // Stdout is known; otherwise the right version supplies it
	Exit   *int     `json:"exit,omitempty"` // nil: the right version supplies it
}

// Open reads the programs of a corpus, sorted by name: every folder that holds a wrong.c. The tests, of which a corpus
// may have a hundred thousand, are read by ReadTests.
func Open(dir string) ([]*Program, error) {
	var out []*Program
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") || d.Name() == "tests") && path != dir {
			return filepath.SkipDir
		}
		if d.IsDir() || d.Name() != "wrong.c" {
			return nil
		}
		p, err := read(dir, filepath.Dir(path))
		if err != nil {
			return err
		}
		out = append(out, p)
		return nil
	})
	slices.SortFunc(out, func(a, b *Program) int { return strings.Compare(a.Name, b.Name) })
	return out, err
}

// read reads one program.
func read(corpus, dir string) (*Program, error) {
	name, err := filepath.Rel(corpus, dir)
	if err != nil {
		return nil, err
	}
	p := &Program{Name: filepath.ToSlash(name)}
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		if e.IsDir() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		switch ext := filepath.Ext(e.Name()); {
		case e.Name() == "wrong.c":
			p.Wrong = text
		case e.Name() == "right.c":
			p.Right = text
		case e.Name() == "reference.c":
			p.Reference = text
		case e.Name() == "kind":
			p.Kind = strings.TrimSpace(string(text))
		case e.Name() == "exercise":
			p.Exercise = strings.TrimSpace(string(text))
		case ext == ".c" || ext == ".h":
			if p.More == nil {
				p.More = map[string][]byte{}
			}
			p.More[e.Name()] = text
		}
	}
	return p, nil
}

// ReadTests reads the tests of a program of a corpus.
func (p *Program) ReadTests(corpus string) (err error) {
	p.Tests, err = tests(filepath.Join(corpus, filepath.FromSlash(p.Name), "tests"))
	return err
}

// tests reads whole runs. If there are none, the program is a driver that needs no input.
func tests(dir string) ([]Test, error) {
	list, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var out []Test
	for _, e := range list { // sorted by name
		ext := filepath.Ext(e.Name())
		name := strings.TrimSuffix(e.Name(), ext)
		if !slices.Contains([]string{".in", ".args", ".out", ".exit"}, ext) {
			continue
		}
		if n := len(out); n == 0 || out[n-1].Name != name {
			out = append(out, Test{Name: name})
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		t := &out[len(out)-1]
		switch ext {
		case ".in":
			t.Stdin = text
		case ".out":
			t.Stdout, t.Said = text, true
		case ".args":
			if t.Args, err = process.Words(string(text)); err != nil {
				return nil, fmt.Errorf("%s cannot be split into arguments: %w", filepath.Join(dir, e.Name()), err)
			}
		case ".exit":
			n, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil {
				return nil, fmt.Errorf("%s holds %q, which is no exit status", filepath.Join(dir, e.Name()), text)
			}
			t.Exit = &n
		}
	}
	if len(out) == 0 {
		out = []Test{{Name: driver}}
	}
	return out, nil
}

// driver is the name of the only test of a program without tests: a run without input.
const driver = "driver"

// driven reports whether a program has no tests of its own.
func (p *Program) driven() bool {
	return len(p.Tests) == 1 && p.Tests[0].Name == driver && p.Tests[0].Stdin == nil && p.Tests[0].Args == nil && !p.Tests[0].Said && p.Tests[0].Exit == nil
}

func hash(s string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(s))) }

// Draw takes a sample of n programs, in the order of the hashes of seed and name; all if n is 0.
func Draw(all []*Program, n int, seed int64) []*Program {
	out := slices.Clone(all)
	key := func(p *Program) string { return hash(fmt.Sprintf("%d\n%s", seed, p.Name)) }
	slices.SortFunc(out, func(a, b *Program) int { return strings.Compare(key(a), key(b)) })
	if n > 0 && n < len(out) {
		out = out[:n]
	}
	return out
}

// mostRight bounds the right programs for the same exercise that gulo gets.
const mostRight = 40

// others returns the right versions of other programs for the same exercise, in the order of the hashes of their names.
func others(all []*Program, p *Program) [][]byte {
	if p.Exercise == "" {
		return nil
	}
	var same []*Program
	for _, o := range all {
		if o != p && o.Exercise == p.Exercise && len(o.Right) > 0 && len(o.More) == 0 && string(o.Right) != string(p.Right) {
			same = append(same, o)
		}
	}
	same = Draw(same, 0, 0)
	out := make([][]byte, len(same))
	for i, o := range same {
		out[i] = o.Right
	}
	return out
}
