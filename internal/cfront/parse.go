package cfront

import (
	"context"
	"embed"
	"errors"
	"gulo/internal/timing"
	"io/fs"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"

	"gulo/internal/ctype"
	"gulo/internal/process"
	"gulo/internal/source"

	"modernc.org/cc/v4"
)

// This file drives modernc.org/cc/v4: configuration, headers, errors.

//go:embed include
var headers embed.FS

// Load checks and parses the files of one program. Bad input gives a
// *source.Error, a missing compiler a *ToolError.
func Load(ctx context.Context, names []string, opt Options) (*Program, error) {
	if len(names) == 0 {
		return nil, source.Errorf(source.Position{}, "no source file given")
	}
	var files []*source.File
	for _, n := range names {
		f, err := source.ReadFile(n)
		if err != nil {
			var pe *fs.PathError
			if errors.As(err, &pe) {
				err = pe.Err
			}
			return nil, source.Errorf(source.Position{File: n}, "cannot read the file: %v", err)
		}
		if err := checkNesting(f); err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	kept := openAccepted(files)
	before := unasked{ctx, map[string]string{}}
	var ask []string
	for i, n := range names {
		u := opt.Unit(n)
		if d := kept.digest(&u, files[i]); d != "" {
			before.digest[n] = d
		} else {
			ask = append(ask, n)
		}
	}
	checked := make(chan error, 1)
	process.Go(func() { checked <- Check(ctx, ask, opt) })
	first := opt.Unit(names[0])
	_, confErr := hostOf(&first) // runs gcc too: at the same time
	if err := <-checked; err != nil {
		return nil, err
	}
	if confErr != nil {
		return nil, confErr
	}
	defer timing.Begin(ctx, "parse").End("")
	p, err := parseFiles(files, opt, &before)
	if err != nil {
		return nil, err
	}
	for i, n := range names {
		if before.digest[n] == "" {
			u := opt.Unit(n)
			kept.keep(&u, files[i], p.Digest[n])
		}
	}
	kept.tidy()
	return p, nil
}

// Parse parses files that gcc has accepted. On text that gcc would refuse the
// parser behind it may not terminate.
func Parse(files []*source.File, opt Options) (*Program, error) {
	return parseFiles(files, opt, &unasked{})
}

func parseFiles(files []*source.File, opt Options, before *unasked) (*Program, error) {
	c := newConverter()
	c.unasked = before
	for _, f := range files {
		c.prog.Files = append(c.prog.Files, f)
		c.files[filepath.Clean(f.Name)] = f
	}
	for _, f := range files {
		if err := c.parseUnit(f, opt); err != nil {
			return nil, err
		}
	}
	for _, l := range written {
		for _, name := range l.names {
			if f, ok := c.funcs[name]; ok && f.Body == nil {
				if err := c.parseUnit(c.file("@gulo/"+l.file), Options{}); err != nil {
					return nil, err
				}
			}
		}
	}
	return c.finish()
}

// written is the library's functions that are written in C.
var written = []struct {
	file  string
	names []string
}{
	{"prelude.c", []string{"qsort", "bsearch"}},
	{"search.c", []string{"qsort_r", "lfind", "lsearch"}},
	{"getopt.c", []string{"getopt", "getopt_long", "getopt_long_only"}},
	{"lists.c", []string{"insque", "remque", "hcreate", "hdestroy", "hsearch"}},
	{"names.c", []string{"dirname", "__xpg_basename", "fnmatch"}},
	{"units.c", []string{"mbrtoc16", "mbrtoc32", "c16rtomb", "c32rtomb", "htonl", "htons", "ntohl", "ntohs"}},
}

// parseUnit converts a file. One that cannot be parsed is read by its functions alone.
func (c *converter) parseUnit(f *source.File, opt Options) error {
	c.specs = map[*cc.StructOrUnionSpecifier]*ctype.Type{}
	c.enums = map[*cc.EnumSpecifier]*ctype.Type{}
	c.scopes = []*scope{newScope()}
	c.unitName, c.packings = f.Name, packings{}
	u, err := c.preprocess(f, opt.Unit(f.Name))
	if c.refused != nil {
		return c.refused
	}
	if err == nil {
		c.src = u
		c.sources(f, u, opt.Unit(f.Name))
		err = c.packings.read(u)
	}
	var ast *cc.AST
	if err == nil {
		ast, c.blanked, err = c.repaired(f, u)
	}
	var refused *source.Error
	switch {
	case err == nil:
		c.private = c.ownTags(u)
		c.unit(ast)
	case errors.As(err, &refused):
		c.byFunctions(f, u, refused)
	default:
		return err
	}
	return nil
}

// abi is the parser's idea of the machine; its sizes are not used.
var abi = sync.OnceValues(func() (*cc.ABI, error) { return cc.NewABI("linux", "amd64") })

// parseTokens parses preprocessed text.
func parseTokens(name string, text []byte) (*cc.AST, error) {
	a, err := abi()
	if err != nil {
		return nil, err
	}
	cfg := &cc.Config{ABI: a, ExpansionLimit: 10_000_000}
	return cc.Parse(cfg, []cc.Source{{Name: "<builtin>", Value: builtins()}, {Name: name, Value: text}})
}

// builtins are the declarations of the functions that gcc knows by itself.
var builtins = sync.OnceValue(func() string {
	b, err := headers.ReadFile("include/builtins.h")
	if err != nil {
		panic(err) // it is embedded
	}
	return string(b)
})

var (
	ccPos    = regexp.MustCompile(`^([^\s:]+):(\d+):(\d+): (.*)$`)
	ccSuffix = regexp.MustCompile(` ?\(?[a-z]+\.go:\d+:[^)]*\)?`)
)

// ccError turns the parser's text into diagnostics.
func (c *converter) ccError(err error, f *source.File) *source.Error {
	e := &source.Error{}
	for _, l := range strings.Split(err.Error(), "\n") {
		m := ccPos.FindStringSubmatch(strings.TrimSpace(l))
		if m == nil || strings.HasPrefix(l, "TODO") {
			continue
		}
		line, _ := strconv.Atoi(m[2])
		col, _ := strconv.Atoi(m[3])
		e.List = append(e.List, source.Diagnostic{
			Pos:     c.src.position(m[1], line, col),
			Message: "not supported: " + strings.TrimSpace(ccSuffix.ReplaceAllString(m[4], "")),
			Note:    "gcc accepts this, gulo's own C front end does not",
		})
	}
	if len(e.List) == 0 {
		return source.Errorf(source.Position{File: f.Name}, "not supported by the C front end: %v", err)
	}
	return e
}

// resolveAliases finds the functions that __attribute__((alias)) names.
func (c *converter) resolveAliases() error {
	for _, a := range c.aliases {
		t := c.funcs[a.name]
		if t == nil {
			t = c.funcs[a.unit+":"+a.name]
		}
		if t == nil || t.Body == nil {
			return source.Errorf(a.at.Position(), "an alias of %s, which is not defined here, is not supported", a.name)
		}
		a.f.Alias = t
	}
	return nil
}

// finish lays out what spans source files.
func (c *converter) finish() (*Program, error) {
	p := c.prog
	for _, f := range c.funcOrder {
		if t := f.Alias; f.Body != nil && t != nil { // the label is what the linker calls this very function
			f.Alias = nil
			if t.Body == nil && t.Alias == nil && t != f {
				t.Alias = f
			}
		}
		if f.Body != nil {
			p.Funcs = append(p.Funcs, f)
		}
	}
	if err := c.resolveAliases(); err != nil {
		return nil, err
	}
	sort.SliceStable(p.Constructors, func(i, j int) bool { return p.Constructors[i].Priority < p.Constructors[j].Priority })
	sort.SliceStable(p.Destructors, func(i, j int) bool { return p.Destructors[i].Priority < p.Destructors[j].Priority })
	for _, v := range c.globalOrder {
		if v.library {
			continue
		}
		if v.Type.Kind == ctype.Array && v.Type.Len < 0 {
			v.Type = ctype.ArrayOf(v.Type.Elem, 1)
		}
		p.Globals = append(p.Globals, v)
	}
	return p, nil
}
