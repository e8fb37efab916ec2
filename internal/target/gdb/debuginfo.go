package gdb

import (
	"debug/dwarf"
	"debug/elf"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sort"

	"gulo/internal/cfront"
	"gulo/internal/lower"
)

// This file reads what the compiler says about the binary: where functions and
// variables are, and which addresses begin statements. The binary is not
// position independent: addresses in the file are addresses in the process.

type debugInfo struct {
	funcs   []funcInfo // by address
	globals map[*cfront.Var]uint64
	entries []lineEntry // by address
	starts  map[int32][]uint64
	stub    map[uint64]bool // entries that are nothing but a jump
	start   map[int32]uint64
	allocN  uint64 // address of gulo_first
	written uint64 // address of gulo_written
	arena   uint64
	library uint64  // address of gulo_library
	environ uint64  // of a pointer to the variable environ
	streams uint64  // of pointers to the variables stdin, stdout and stderr
	linked  symbols // functions of libraries
	anon    anonymous

	loaded modules

	held   uint64    // where every thread comes by before it begins
	exit   uint64    // the system call that ends a thread
	wait   uint64    // a system call, by which the program waits for a child that is taken back
	begins [2]symbol // the functions of the runtime that call a thread's function
}

// symbol is where a function of the runtime is.
type symbol struct{ low, high uint64 }

func (s symbol) has(a uint64) bool { return s.low <= a && a < s.high }

type funcInfo struct {
	fn        *cfront.Func
	low, high uint64
	vars      map[*cfront.Var]int64 // offset from the frame base
	arrays    map[*cfront.Var]int64 // those of variable size: where their addresses are
	lengths   map[*cfront.Varying]length
	fromStack map[*cfront.Var]int64 // offset from rsp
	steps     []stackStep           // from rbp to rsp
	labels    map[uint64]string     // those whose addresses are taken, by their distance from low
	labelled  map[string]uint64     // their distances from low
}

type lineEntry struct {
	addr uint64
	stmt int32
}

// readDebugInfo reads the debug information of a binary and writes a copy of it for gdb, in
// which lines are statements. foreign says that somebody else has compiled it.
func readDebugInfo(path, to string, p *lower.Program, foreign bool) (*debugInfo, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d, err := f.DWARF()
	if err != nil {
		return nil, fmt.Errorf("the program has no debug information: %w", err)
	}
	in := &debugInfo{globals: map[*cfront.Var]uint64{}, starts: map[int32][]uint64{}, start: map[int32]uint64{}, stub: map[uint64]bool{}}
	r := newReader(in, p, d)
	if err := r.read(); err != nil {
		return nil, err
	}
	var tables []lineTable
	x := newLocator(p)
	for _, u := range r.units {
		tables = append(tables, readLines(u.lines, u.offset, x, r.begins, foreign))
	}
	for i := range tables {
		tables[i].dropEntries(x, f)
		for _, row := range tables[i].rows {
			if !row.skip {
				in.entries = append(in.entries, lineEntry{row.addr, row.stmt})
			}
		}
	}
	syms, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	for _, s := range syms {
		switch s.Name {
		case "gulo_first":
			in.allocN = s.Value
		case "gulo_library":
			in.library = s.Value
		case "gulo_written":
			in.written = s.Value
		case "gulo_arena":
			in.arena = s.Value
		case "gulo_environ":
			in.environ = s.Value
		case "gulo_streams":
			in.streams = s.Value
		case "gulo_held":
			in.held = s.Value
		case "gulo_exit":
			in.exit = s.Value
		case "gulo_wait":
			in.wait = s.Value
		case "gulo_begin":
			in.begins[0] = symbol{s.Value, s.Value + s.Size}
		case "gulo_begin_c11":
			in.begins[1] = symbol{s.Value, s.Value + s.Size}
		}
	}
	in.readAnonymous(f, syms)
	in.linked = linked(f, syms)
	if in.allocN == 0 && !foreign {
		return nil, errors.New("the allocation log is missing from the program")
	}
	sort.Slice(in.funcs, func(i, j int) bool { return in.funcs[i].low < in.funcs[j].low })
	in.index(f)
	in.prologues(f)
	return in, reline(path, to, f, d, tables)
}

type dwarfReader struct {
	in *debugInfo
	p  *lower.Program
	d  *dwarf.Data

	funcs   map[string][]*cfront.Func
	globals map[string][]*cfront.Var
	renamed map[string]bool // base names that #line gives
	units   []lineUnit
	begins  map[uint64]bool // addresses of functions
}

// lineUnit is a compilation unit with a line table.
type lineUnit struct {
	lines  *dwarf.LineReader
	offset int64
}

func newReader(in *debugInfo, p *lower.Program, d *dwarf.Data) *dwarfReader {
	r := &dwarfReader{in: in, p: p, d: d, funcs: map[string][]*cfront.Func{}, globals: map[string][]*cfront.Var{}, renamed: map[string]bool{}, begins: map[uint64]bool{}}
	for _, f := range p.Tree.Funcs {
		r.funcs[f.Name] = append(r.funcs[f.Name], f)
	}
	for _, v := range p.Tree.Globals {
		r.globals[v.Name] = append(r.globals[v.Name], v)
	}
	for _, n := range p.Tree.Renamed {
		r.renamed[filepath.Base(n.Name)] = true
	}
	return r
}

func (r *dwarfReader) read() error {
	rd := r.d.Reader()
	var unit *dwarf.LineReader
	var cur *funcInfo
	depth, funcDepth := 0, -1
	for {
		e, err := rd.Next()
		if err != nil {
			return err
		}
		if e == nil {
			break
		}
		if e.Tag == 0 {
			depth--
			if depth == funcDepth {
				cur, funcDepth = nil, -1
			}
			continue
		}
		switch e.Tag {
		case dwarf.TagCompileUnit:
			if unit, err = r.d.LineReader(e); err != nil {
				return err
			}
			if off, ok := e.Val(dwarf.AttrStmtList).(int64); ok && unit != nil {
				r.units = append(r.units, lineUnit{unit, off})
			}
		case dwarf.TagSubprogram:
			if fi := r.subprogram(e, unit); fi != nil {
				r.in.funcs = append(r.in.funcs, *fi)
				cur, funcDepth = &r.in.funcs[len(r.in.funcs)-1], depth
			}
		case dwarf.TagVariable, dwarf.TagFormalParameter:
			r.variable(e, cur, unit)
		case dwarf.TagLabel:
			r.label(e, cur)
		case dwarf.TagBaseType, dwarf.TagStructType, dwarf.TagUnionType, dwarf.TagEnumerationType, dwarf.TagSubroutineType, dwarf.TagArrayType:
			if e.Children {
				rd.SkipChildren()
			}
			continue
		}
		if e.Children {
			depth++
		}
	}
	return nil
}

// label notes where a label is whose address is taken.
func (r *dwarfReader) label(e *dwarf.Entry, cur *funcInfo) {
	name, _ := e.Val(dwarf.AttrName).(string)
	at, ok := e.Val(dwarf.AttrLowpc).(uint64)
	if !ok || cur == nil || !slices.Contains(cur.fn.LabelAddrs, name) {
		return
	}
	if cur.labels == nil {
		cur.labels, cur.labelled = map[uint64]string{}, map[string]uint64{}
	}
	at -= cur.low
	cur.labelled[name] = at
	if cur.labels[at] == "" { // two labels of one statement have one address
		cur.labels[at] = name
	}
}

// subprogram matches a function with the tree by name; statics of one name in
// two files by the line of their declaration.
func (r *dwarfReader) subprogram(e *dwarf.Entry, unit *dwarf.LineReader) *funcInfo {
	low, ok := e.Val(dwarf.AttrLowpc).(uint64)
	name, _ := e.Val(dwarf.AttrName).(string)
	line, _ := e.Val(dwarf.AttrDeclLine).(int64)
	if !ok {
		return nil
	}
	r.begins[low] = true
	high := low
	switch h := e.Val(dwarf.AttrHighpc).(type) {
	case uint64:
		high = h
	case int64:
		high = low + uint64(h)
	}
	file := declFile(e, unit)
	list := r.funcs[name]
	for _, f := range list {
		p := f.Range.Position()
		if !f.Static || p.Line == int(line) && (file == "" || filepath.Base(p.File) == file) || r.renamed[file] && len(list) == 1 {
			return &funcInfo{fn: f, low: low, high: high, vars: map[*cfront.Var]int64{}, arrays: map[*cfront.Var]int64{}, lengths: map[*cfront.Varying]length{}}
		}
	}
	return nil
}

// variable matches a variable with the tree by name and place of declaration.
func (r *dwarfReader) variable(e *dwarf.Entry, cur *funcInfo, unit *dwarf.LineReader) {
	loc, _ := e.Val(dwarf.AttrLocation).([]byte)
	name, _ := e.Val(dwarf.AttrName).(string)
	line, _ := e.Val(dwarf.AttrDeclLine).(int64)
	col, _ := e.Val(dwarf.AttrDeclColumn).(int64)
	if spec, ok := e.Val(dwarf.AttrSpecification).(dwarf.Offset); ok { // defined after an extern declaration
		rd := r.d.Reader()
		rd.Seek(spec)
		if s, err := rd.Next(); err == nil && s != nil {
			name, _ = s.Val(dwarf.AttrName).(string)
		}
		line, col = 0, 0
		e = &dwarf.Entry{}
	}
	if len(loc) == 0 || name == "" {
		return
	}
	file := declFile(e, unit)
	here := func(v *cfront.Var) bool {
		if v.Name != name {
			return false
		}
		p := v.Range.Position()
		if r.renamed[file] { // #line says another place
			return col == 0 || p.Column == int(col)
		}
		return (file == "" || filepath.Base(p.File) == file) && (line == 0 || p.Line == int(line) && (col == 0 || p.Column == int(col)))
	}
	switch off, n := fromFrame(loc); {
	case n > 0:
		if cur == nil {
			return
		}
		for _, v := range append(append([]*cfront.Var{}, cur.fn.Params...), cur.fn.Locals...) {
			switch {
			case !here(v):
				continue
			case len(loc) == n:
				cur.vars[v] = off
			case v.VLALen != nil && len(loc) == n+1 && loc[n] == opDeref:
				cur.arrays[v] = off
			}
			r.lengths(v.Varying, e, cur.lengths, map[*cfront.Varying]bool{})
		}
	case loc[0] == opBreg7 && cur != nil:
		for _, v := range append(append([]*cfront.Var{}, cur.fn.Params...), cur.fn.Locals...) {
			if off, n := sleb(loc[1:]); here(v) && len(loc) == n+1 {
				if cur.fromStack == nil {
					cur.fromStack = map[*cfront.Var]int64{}
				}
				cur.fromStack[v] = off
			}
		}
	case loc[0] == 0x03: // DW_OP_addr
		if len(loc) < 9 {
			return
		}
		addr := uint64(0)
		for i := 8; i >= 1; i-- {
			addr = addr<<8 | uint64(loc[i])
		}
		for _, v := range r.globals[name] {
			if v.Storage == cfront.Global || here(v) {
				r.in.globals[v] = addr
			}
		}
	}
}

// fromFrame reads the first of some DWARF operations if it is an offset from the frame base. n is how many bytes the
// operation has; 0 for other operations. In a function that aligns its stack by itself, gcc counts from rbp.
func fromFrame(ops []byte) (off int64, n int) {
	if len(ops) < 2 {
		return 0, 0
	}
	off, n = sleb(ops[1:])
	switch ops[0] {
	case 0x91: // DW_OP_fbreg
		return off, n + 1
	case 0x76: // DW_OP_breg6
		return off - 16, n + 1
	}
	return 0, 0
}

// declFile returns the base name of the file that an entry is declared in.
func declFile(e *dwarf.Entry, unit *dwarf.LineReader) string {
	i, ok := e.Val(dwarf.AttrDeclFile).(int64)
	if !ok || unit == nil {
		return ""
	}
	if fs := unit.Files(); int(i) < len(fs) && fs[i] != nil {
		return filepath.Base(fs[i].Name)
	}
	return ""
}

// sleb reads a number and says how many bytes it has.
func sleb(b []byte) (v int64, n int) {
	var shift uint
	for _, c := range b {
		n++
		v |= int64(c&0x7f) << shift
		shift += 7
		if c&0x80 == 0 {
			if c&0x40 != 0 && shift < 64 {
				v |= -1 << shift
			}
			break
		}
	}
	return v, n
}

// index finds where each statement is entered.
func (in *debugInfo) index(f *elf.File) {
	sort.SliceStable(in.entries, func(i, j int) bool { return in.entries[i].addr < in.entries[j].addr })
	text := f.Section(".text")
	var code []byte
	if text != nil {
		code, _ = text.Data()
	}
	// Of several entries at one address the last one counts.
	var uniq []lineEntry
	for _, e := range in.entries {
		if n := len(uniq); n > 0 && uniq[n-1].addr == e.addr {
			uniq[n-1] = e
			continue
		}
		uniq = append(uniq, e)
	}
	in.entries = uniq
	prev := int32(0)
	for i, e := range uniq {
		if e.stmt != 0 && e.stmt != noStmt && e.stmt != prev {
			if _, ok := in.start[e.stmt]; !ok {
				in.start[e.stmt] = e.addr
			}
			in.starts[e.stmt] = append(in.starts[e.stmt], e.addr)
			if i+1 < len(uniq) && text != nil && e.addr >= text.Addr {
				o, n := e.addr-text.Addr, uniq[i+1].addr-e.addr
				if int(o+n) <= len(code) && (n == 2 && code[o] == 0xeb || n == 5 && code[o] == 0xe9) {
					in.stub[e.addr] = true
				}
			}
		}
		prev = e.stmt
	}
}

// at returns the statement at an address and whether it begins there.
func (in *debugInfo) at(pc uint64) (stmt int32, begins bool) {
	i := sort.Search(len(in.entries), func(i int) bool { return in.entries[i].addr > pc }) - 1
	if i < 0 || in.entries[i].stmt == 0 || in.entries[i].stmt == noStmt {
		return 0, false
	}
	id := in.entries[i].stmt
	for _, a := range in.starts[id] {
		if a == pc {
			return id, true
		}
	}
	return id, false
}

// breakpoints returns the addresses at which a statement is entered to be executed.
func (in *debugInfo) breakpoints(stmt int32) []uint64 {
	var out []uint64
	for _, a := range in.starts[stmt] {
		if !in.stub[a] {
			out = append(out, a)
		}
	}
	return out
}

// around returns the function of a frame; nil if it is none of the program's. called says that
// pc is a return address: behind a call that does not return it may be the next function's.
func (in *debugInfo) around(pc uint64, called bool) *funcInfo {
	if called {
		pc--
	}
	return in.function(pc)
}

// function returns the program's function around an address.
func (in *debugInfo) function(pc uint64) *funcInfo {
	i := sort.Search(len(in.funcs), func(i int) bool { return in.funcs[i].low > pc }) - 1
	if i < 0 || pc >= in.funcs[i].high {
		return nil
	}
	return &in.funcs[i]
}
