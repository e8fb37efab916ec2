package cfront

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
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

// hostConfig asks gcc once for its predefined macros and include paths.
var hostConfig = sync.OnceValues(func() (*cc.Config, error) { return cc.NewConfig("linux", "amd64") })

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
	checked := make(chan error, 1)
	process.Go(func() { checked <- Check(ctx, names, opt) })
	_, confErr := hostConfig() // runs gcc too: at the same time
	if err := <-checked; err != nil {
		return nil, err
	}
	if confErr != nil {
		return nil, &ToolError{"gcc", confErr, "install it with: apt-get install gcc libc6-dev"}
	}
	return Parse(files, opt)
}

// Parse parses files that gcc has accepted. On text that gcc would refuse the
// parser behind it may not terminate.
func Parse(files []*source.File, opt Options) (*Program, error) {
	c := newConverter()
	for _, f := range files {
		c.prog.Files = append(c.prog.Files, f)
		c.files[f.Name] = f
	}
	for _, f := range files {
		if err := c.parseUnit(f, opt); err != nil {
			return nil, err
		}
	}
	for _, name := range []string{"qsort", "bsearch"} {
		if f, ok := c.funcs[name]; ok && f.Body == nil {
			if err := c.parseUnit(c.file("@gulo/prelude.c"), Options{}); err != nil {
				return nil, err
			}
		}
	}
	return c.finish()
}

var (
	lineDirective = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(line\b|[0-9])`)
	unknownMacros = regexp.MustCompile(`(?m)^[ \t]*#.*\b(__has_attribute|__has_builtin|__has_c_attribute|__VA_OPT__|__has_feature)\b`)
)

// checkText refuses what the parser would silently get wrong.
func checkText(f *source.File) error {
	if loc := lineDirective.FindIndex(f.Text); loc != nil {
		return source.Errorf(f.Position(loc[0]), "#line directives are not supported")
	}
	if loc := unknownMacros.FindSubmatchIndex(f.Text); loc != nil {
		return source.Errorf(f.Position(loc[2]), "%s is not supported", f.Text[loc[2]:loc[3]])
	}
	return nil
}

func (c *converter) parseUnit(f *source.File, opt Options) error {
	if err := checkText(f); err != nil {
		return err
	}
	c.packings = packings{}
	ast, err := translate(f, opt, c.packings)
	if err != nil {
		return ccError(err, f)
	}
	if err := c.resolve(c.packings, f.Name); err != nil {
		return err
	}
	return c.unit(f, ast)
}

func translate(f *source.File, opt Options, packs packings) (*cc.AST, error) {
	base, err := hostConfig()
	if err != nil {
		return nil, err
	}
	cfg := *base
	sub, err := fs.Sub(headers, "include")
	if err != nil {
		return nil, err
	}
	cfg.FS = prefixFS{"@gulo/", sub}
	cfg.ExpansionLimit = 10_000_000
	cfg.PragmaHandler = packs.note
	predefined := cfg.Predefined
	var user []string
	for i := 0; i < len(opt.Flags); i++ {
		flag, arg := opt.Flags[i], ""
		if len(flag) < 2 || flag[0] != '-' {
			continue
		}
		if arg = flag[2:]; arg == "" && i+1 < len(opt.Flags) && strings.Contains("IDU", flag[1:2]) {
			i++
			arg = opt.Flags[i]
		}
		switch flag[1] {
		case 'I':
			user = append(user, arg)
		case 'D':
			name, val, ok := strings.Cut(arg, "=")
			if !ok {
				val = "1"
			}
			predefined += fmt.Sprintf("\n#define %s %s\n", name, val)
		case 'U':
			predefined += fmt.Sprintf("\n#undef %s\n", arg)
		}
	}
	sys := append([]string{"@gulo"}, cfg.SysIncludePaths...)
	cfg.SysIncludePaths = append(append([]string{}, user...), sys...)
	cfg.IncludePaths = append([]string{""}, cfg.SysIncludePaths...)
	// Two line breaks more keep the scanner of cc v4.31 from looping at the end.
	text := append(append([]byte{}, f.Text...), "\n\n"...)
	blankStatic(text)
	return cc.Parse(&cfg, []cc.Source{
		{Name: "<predefined>", Value: predefined},
		{Name: "<builtin>", Value: builtins},
		{Name: f.Name, Value: text},
	})
}

var arrayStatic = regexp.MustCompile(`^\[\s*(?:(?:const|volatile|restrict|__restrict)\s+)*static\b`)

// blankStatic takes the static out of array parameters: the parser knows it
// only with the name of a parameter, and it means nothing to a correct program.
func blankStatic(text []byte) {
	for i := 0; i < len(text); {
		switch {
		case text[i] == '"' || text[i] == '\'':
			i = literalEnd(text, i)
			continue
		case bytes.HasPrefix(text[i:], []byte("//")):
			for i < len(text) && text[i] != '\n' {
				i++
			}
			continue
		case bytes.HasPrefix(text[i:], []byte("/*")):
			if k := bytes.Index(text[i+2:], []byte("*/")); k >= 0 {
				i += k + 4
				continue
			}
			return
		case text[i] == '[':
			if m := arrayStatic.FindIndex(text[i:min(len(text), i+200)]); m != nil {
				copy(text[i+m[1]-len("static"):i+m[1]], "      ")
			}
		}
		i++
	}
}

// builtins are the parser's declarations with the va_list of x86-64.
var builtins = strings.NewReplacer(
	"typedef void *__builtin_va_list;", "typedef struct __va_list_tag { unsigned gp_offset, fp_offset; void *overflow_arg_area, *reg_save_area; } __builtin_va_list[1];",
	"#define __builtin_va_copy(dst, src) dst = src", "#define __builtin_va_copy(dst, src) ((void)(*(dst) = *(src)))",
).Replace(cc.Builtin)

// isSystem reports whether a header is not the user's.
func (c *converter) isSystem(name string) bool {
	if strings.HasPrefix(name, "@gulo/") || strings.HasPrefix(name, "<") {
		return true
	}
	base, err := hostConfig()
	if err != nil {
		return false
	}
	for _, dir := range base.SysIncludePaths {
		if strings.HasPrefix(name, strings.TrimSuffix(dir, "/")+"/") {
			return true
		}
	}
	return false
}

// prefixFS serves our own headers under a name no directory has.
type prefixFS struct {
	prefix string
	fs     fs.FS
}

func (p prefixFS) Open(name string) (fs.File, error) {
	if rest, ok := strings.CutPrefix(name, p.prefix); ok {
		return p.fs.Open(rest)
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

var (
	ccPos    = regexp.MustCompile(`^([^\s:]+):(\d+):(\d+): (.*)$`)
	ccSuffix = regexp.MustCompile(` ?\(?[a-z]+\.go:\d+:[^)]*\)?`)
)

// ccError turns the parser's text into diagnostics.
func ccError(err error, f *source.File) error {
	e := &source.Error{}
	for _, l := range strings.Split(err.Error(), "\n") {
		m := ccPos.FindStringSubmatch(strings.TrimSpace(l))
		if m == nil || strings.HasPrefix(l, "TODO") {
			continue
		}
		line, _ := strconv.Atoi(m[2])
		col, _ := strconv.Atoi(m[3])
		e.List = append(e.List, source.Diagnostic{
			Pos:     source.Position{File: m[1], Line: line, Column: col},
			Message: "not supported: " + strings.TrimSpace(ccSuffix.ReplaceAllString(m[4], "")),
			Note:    "gcc accepts this, gulo's own C front end does not",
		})
	}
	if len(e.List) == 0 {
		return source.Errorf(source.Position{File: f.Name}, "not supported by the C front end: %v", err)
	}
	return e
}

// file returns the source file behind a name that the parser reports.
func (c *converter) file(name string) *source.File {
	if f, ok := c.files[name]; ok {
		return f
	}
	var f *source.File
	if rest, ok := strings.CutPrefix(name, "@gulo/"); ok {
		if b, err := headers.ReadFile("include/" + rest); err == nil {
			f = source.NewFile(name, b)
		}
	} else if !strings.HasPrefix(name, "<") {
		if b, err := os.ReadFile(name); err == nil {
			f = source.NewFile(name, b)
			if !filepath.IsAbs(name) {
				c.prog.Files = append(c.prog.Files, f)
			}
		}
	}
	c.files[name] = f
	return f
}

// resolveAliases finds the functions that __attribute__((alias)) names.
func (c *converter) resolveAliases() error {
	for _, a := range c.aliases {
		t := c.funcs[a.name]
		if t == nil {
			t = c.funcs[a.at.Position().Filename+":"+a.name]
		}
		if t == nil || t.Body == nil {
			p := a.at.Position()
			return source.Errorf(source.Position{File: p.Filename, Line: p.Line, Column: p.Column}, "an alias of %s, which is not defined here, is not supported", a.name)
		}
		a.f.Alias = t
	}
	return nil
}

// finish lays out what spans source files.
func (c *converter) finish() (*Program, error) {
	p := c.prog
	for _, f := range p.Files {
		if err := checkText(f); err != nil {
			return nil, err
		}
	}
	for _, f := range c.funcOrder {
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
