// Package cpp is a C preprocessor that keeps source positions: every token of the output knows
// where it is written and which macro call of the file it comes from.
//
// It works like gcc's preprocessor (C17 with GNU extensions): include paths, #include_next,
// #pragma once, variadic macros of both kinds, __VA_OPT__, __COUNTER__, __has_include,
// __has_attribute, #line, _Pragma. The caller passes gcc's include paths, predefined macros and
// answers to __has_attribute and __has_builtin (Config).
//
// It gives no diagnostics, because gcc has accepted the text. If it cannot continue it returns an *Error.
// Not supported: raw strings, assertions, precompiled headers.
package cpp

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gulo/internal/source"
)

// Dir is a folder in which headers are looked for.
type Dir struct {
	Path   string // "" is the working directory
	System bool
}

// Config has the settings that gcc would preprocess with.
type Config struct {
	Quote      []Dir                           // searched for "..." only, after the folder of the including file
	Dirs       []Dir                           // searched for "..." and <...>
	Predefined string                          // definitions in front of the first line
	Include    []string                        // files included in front of the first line: -include
	Macros     []string                        // files of which only the macros count: -imacros
	NoLine     bool                            // // begins no comment: -std=c90
	Trigraphs  bool                            // ??= is #: -std=c17
	Separators bool                            // 1'000 is a number: -std=c2x
	Has        func(kind, name, in string) int // evaluates kind(name), such as __has_attribute(name); in is the text of the file
	Open       func(name string) *source.File  // returns nil if there is no such file
	Read       *Texts                          // cache shared by the units of a program; nil for none
}

// Texts is a cache of the tokens of headers, for the units of a program. It must be used by one
// goroutine at a time.
type Texts struct {
	toks map[read][]Token
}

type read struct {
	f    *source.File
	mode mode
	tri  bool
}

// lex returns the tokens of a file, which has number n in the unit. It uses the cache unless t is nil.
func (t *Texts) lex(f *source.File, n int32, cfg *Config) []Token {
	m := cfg.mode()
	lex := lex
	if cfg.Trigraphs {
		lex = lexTrigraphs
	}
	if t == nil {
		return lex(string(f.Text), n, m)
	}
	key := read{f, m, cfg.Trigraphs}
	kept, ok := t.toks[key]
	if !ok {
		kept = lex(string(f.Text), n, m)
		if t.toks == nil {
			t.toks = map[read][]Token{}
		}
		t.toks[key] = kept
	}
	toks := slices.Clone(kept)
	for i := range toks {
		toks[i].File = n
	}
	return toks
}

// Error ends preprocessing.
type Error struct {
	Pos     source.Position
	Message string
}

func (e *Error) Error() string { return e.Pos.String() + ": " + e.Message }

// Expansion is the place in a file of an outermost macro call.
type Expansion struct {
	File       int32
	Start, End int32
}

// Pragma is a #pragma or _Pragma; At is the number of tokens in front of it.
type Pragma struct {
	At   int
	Toks []Token
}

// Line is a #line directive, which gives another number and file name to the lines after it.
type Line struct {
	File int32
	At   int    // the physical line after the directive, from 1
	Num  int    // the number that it gets
	Name string // the file name that it gets
}

// Unit is a preprocessed translation unit.
type Unit struct {
	Files      []*File
	Tokens     []Token
	Expansions []Expansion // the first stands for none
	Pragmas    []Pragma
	Lines      []Line
	Dated      bool // the tokens depend on the time: __DATE__, __TIME__ or __TIMESTAMP__ is used
}

type pp struct {
	cfg    Config
	unit   *Unit
	macros map[string]*macro
	saved  map[string][]*macro // #pragma push_macro
	stack  []context
	src    []*reader
	once   map[*source.File]bool
	guards map[*source.File]string // the macro of the include guard of files that have one
	lexed  map[string]int32        // files by path
	toks   map[int32][]Token       // tokens by file
	count  int                     // __COUNTER__
	steps  int                     // macro expansions so far
	first  string                  // name of the main file
}

// reader is a file that is being read.
type reader struct {
	file    int32
	toks    []Token
	i       int
	dir     int // number in Config.Dirs of the folder it was found in; -1 for none
	conds   []cond
	delta   int    // added to lines: #line
	name    string // from #line
	guard   string // macro of a possible include guard
	guarded int    // 0 at the start, 1 inside of the guard, 2 after it, -1 if the file has no guard
}

// cond is an open #if.
type cond struct {
	active bool // the current branch is read
	taken  bool // a branch has been read
	outer  bool // the text around the #if is read
	guard  bool // it is the include guard
}

// Preprocess reads a file and everything that it includes.
func Preprocess(f *source.File, cfg Config) (u *Unit, err error) {
	p := &pp{
		cfg: cfg, unit: &Unit{Expansions: make([]Expansion, 1)}, macros: map[string]*macro{}, saved: map[string][]*macro{},
		once: map[*source.File]bool{}, guards: map[*source.File]string{}, lexed: map[string]int32{}, toks: map[int32][]Token{}, first: f.Name,
	}
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			u, err = p.unit, e
		}
	}()
	p.builtins()
	p.text("<predefined>", cfg.Predefined)
	for _, name := range cfg.Macros {
		n := len(p.unit.Tokens)
		p.include(name, true, false, false, Token{})
		p.run()
		p.unit.Tokens = p.unit.Tokens[:n]
	}
	for _, name := range cfg.Include {
		p.include(name, true, false, false, Token{})
		p.run()
	}
	p.enterFile(p.add(f, f.Name, false), -1)
	p.run()
	return p.unit, nil
}

// fail ends preprocessing.
func (p *pp) fail(at Token, format string, args ...any) {
	pos := source.Position{File: p.first}
	if int(at.File) < len(p.unit.Files) && at.Text != "" {
		pos = p.unit.Files[at.File].Position(int(at.Off))
	}
	panic(&Error{pos, fmt.Sprintf(format, args...)})
}

// text reads definitions that are not in a file on disk.
func (p *pp) text(name, text string) {
	p.enterFile(p.add(source.NewFile(name, []byte(text)), name, true), -1)
	p.run()
}

// run reads all open files to their end and appends their tokens to the unit.
func (p *pp) run() {
	for {
		t, ok := p.expanded()
		if !ok {
			return
		}
		if t.Text == "_Pragma" && t.Kind == Ident {
			p.pragmaOperator(t)
			continue
		}
		p.unit.Tokens = append(p.unit.Tokens, t)
	}
}

// add adds a file to the unit under a path and returns its number. The same file may have been added under
// another path, and may belong to other units.
func (p *pp) add(f *source.File, path string, system bool) int32 {
	p.unit.Files = append(p.unit.Files, &File{f, path, system})
	n := int32(len(p.unit.Files) - 1)
	p.lexed[path] = n
	return n
}

func (p *pp) enterFile(n int32, dir int) {
	toks, ok := p.toks[n]
	if !ok {
		if len(p.src) > 0 { // not the main file
			toks = p.cfg.Read.lex(p.unit.Files[n].File, n, &p.cfg)
		} else {
			toks = (*Texts)(nil).lex(p.unit.Files[n].File, n, &p.cfg)
		}
		p.toks[n] = toks
	}
	if len(p.src) > 200 {
		p.fail(Token{}, "#include is nested too deeply")
	}
	p.src = append(p.src, &reader{file: n, toks: toks, dir: dir})
}

// fileToken executes directives and returns the next token of the open files. It returns false at the end of the last
// one.
func (p *pp) fileToken() (Token, bool) {
	for len(p.src) > 0 {
		r := p.src[len(p.src)-1]
		if r.i >= len(r.toks) {
			if r.guarded == 2 && r.guard != "" {
				p.guards[p.unit.Files[r.file].File] = r.guard
			}
			p.src = p.src[:len(p.src)-1]
			if len(p.src) == 0 {
				return Token{}, false
			}
			continue
		}
		t := r.toks[r.i]
		if t.flag&flagLine != 0 && t.is("#") {
			p.directive(r)
			continue
		}
		if n := len(r.conds); n > 0 && !r.conds[n-1].active {
			r.skip()
			continue
		}
		if len(r.conds) == 0 {
			r.guarded = -1
		}
		r.i++
		return t, true
	}
	return Token{}, false
}

// skip goes to the next directive.
func (r *reader) skip() {
	for r.i < len(r.toks) {
		if t := &r.toks[r.i]; t.flag&flagLine != 0 && t.is("#") {
			return
		}
		r.i++
	}
}

// rest takes the tokens up to the end of the line.
func (r *reader) rest() []Token {
	start := r.i
	for r.i < len(r.toks) && r.toks[r.i].flag&flagLine == 0 {
		r.i++
	}
	return r.toks[start:r.i]
}

// line returns what __LINE__ is for a token.
func (p *pp) line(t Token) int {
	r := p.src[len(p.src)-1]
	if e := p.unit.Expansions[t.Exp]; t.Exp != 0 && !(t.File == e.File && t.Off >= e.Start && t.Off < e.End) {
		t.File, t.Off = e.File, e.Start // not in an argument but in the macro's body
	}
	n := p.unit.Files[t.File].Position(int(t.Off)).Line
	if t.File == r.file {
		n += r.delta
	}
	return n
}

// folder returns the folder part of a file name, "" if it has none.
func folder(name string) string {
	if i := strings.LastIndexByte(name, '/'); i > 0 {
		return name[:i]
	} else if i == 0 {
		return "/"
	}
	return ""
}

func join(dir, name string) string {
	if dir == "" || filepath.IsAbs(name) {
		return name
	}
	if strings.HasSuffix(dir, "/") {
		return dir + name
	}
	return dir + "/" + name
}

// find looks for a header and adds it to the unit. It returns its path and the number in Config.Dirs of its folder, -1
// for another folder. next continues the search after the folder of the current file.
func (p *pp) find(name string, quote, next bool) (path string, dir int, ok bool) {
	try := func(d Dir) bool {
		path = join(d.Path, name)
		if _, known := p.lexed[path]; known {
			return true
		}
		f := p.cfg.Open(path)
		if f == nil {
			return false
		}
		p.add(f, path, d.System)
		return true
	}
	if filepath.IsAbs(name) {
		return name, -1, try(Dir{})
	}
	start := 0
	var r *reader
	if len(p.src) > 0 {
		r = p.src[len(p.src)-1]
	}
	switch {
	case next && r != nil && r.dir >= 0:
		start = r.dir + 1
	case quote:
		here := Dir{}
		if r != nil {
			f := p.unit.Files[r.file]
			here = Dir{folder(f.Path), f.System}
		}
		if try(here) {
			d := -1
			if r != nil && r.dir >= 0 && p.cfg.Dirs[r.dir].Path == here.Path {
				d = r.dir
			}
			return path, d, true
		}
		for _, q := range p.cfg.Quote {
			if try(q) {
				return path, -1, true
			}
		}
	}
	for i := start; i < len(p.cfg.Dirs); i++ {
		if try(p.cfg.Dirs[i]) {
			return path, i, true
		}
	}
	return "", -1, false
}

// include finds a header and begins to read it, unless it need not be read again. once says that it is not to be read a
// second time (#import).
func (p *pp) include(name string, quote, next, once bool, at Token) {
	path, dir, ok := p.find(name, quote, next)
	if !ok {
		p.fail(at, "%s: no such header", name)
	}
	n := p.lexed[path]
	f := p.unit.Files[n].File
	if p.readOnce(f) {
		return
	}
	if g := p.guards[f]; g != "" && p.macros[g] != nil {
		return
	}
	if once {
		p.once[f] = true
	}
	p.enterFile(n, dir)
}

// readOnce reports whether a file is not to be read again because of #pragma once or #import. The file may have been
// read under another name.
func (p *pp) readOnce(f *source.File) bool {
	if p.once[f] {
		return true
	}
	for g := range p.once {
		if !bytes.Equal(f.Text, g.Text) {
			continue
		}
		a, errA := os.Stat(f.Name)
		b, errB := os.Stat(g.Name)
		if errA == nil && errB == nil && os.SameFile(a, b) {
			return true
		}
	}
	return false
}
