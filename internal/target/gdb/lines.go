package gdb

import (
	"cmp"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/source"
)

// This file makes gdb step by statement. The debug information's line table says which
// line and column each address comes from. A copy of the binary gets another table that
// names a statement of the location map where the first names a line. gdb's own stepping
// then goes from statement to statement: several on a line, the parts of a for header,
// one-line loops.

// Code that belongs to no statement is given line noStmt.
const noStmt = 1 << 20

// locator finds the statement at a place: the one with the smallest range around it.
type locator struct {
	files   map[string]*source.File // by absolute name
	renamed map[string][]cfront.Renamed
	at      map[*source.File][]int32 // the statement of each byte
	byLine  map[*source.File]map[int]int32
	late    map[int32]bool // statements that begin behind those in them
}

func newLocator(p *lower.Program) *locator {
	x := &locator{files: map[string]*source.File{}, renamed: map[string][]cfront.Renamed{}, at: map[*source.File][]int32{}, byLine: map[*source.File]map[int]int32{}, late: map[int32]bool{}}
	for _, f := range p.Tree.Files {
		x.files[absolute(f.Name)] = f
	}
	for _, r := range p.Tree.Renamed {
		name := absolute(r.Name)
		x.renamed[name] = append(x.renamed[name], r)
	}
	type located struct {
		r  source.Range
		id int32
	}
	var all []located
	for _, s := range p.Stmts {
		if s == nil {
			continue
		}
		if s.Late {
			x.late[s.ID] = true
		}
		for _, r := range append([]source.Range{s.Range}, s.Match...) {
			if r.Valid() {
				all = append(all, located{r, s.ID})
			}
		}
	}
	slices.Reverse(all) // of equal ranges the first counts
	slices.SortStableFunc(all, func(a, b located) int { return cmp.Compare(b.r.End-b.r.Start, a.r.End-a.r.Start) })
	for _, l := range all {
		f := l.r.File
		at := x.at[f]
		if at == nil {
			at = make([]int32, len(f.Text)+1)
			x.at[f], x.byLine[f] = at, map[int]int32{}
		}
		for i := l.r.Start; i < l.r.End; i++ {
			at[i] = l.id
		}
	}
	for _, s := range p.Stmts {
		if s == nil || !s.Stop || !s.Range.Valid() {
			continue
		}
		m, line := x.byLine[s.Range.File], s.Range.Position().Line
		if old, ok := m[line]; !ok || p.Stmts[old].Range.Start > s.Range.Start {
			m[line] = s.ID
		}
	}
	return x
}

func absolute(name string) string {
	if a, err := filepath.Abs(name); err == nil {
		return a
	}
	return filepath.Clean(name)
}

// find returns the statement at a line and column of a file, noStmt when there is none. Without
// a column it is the first of the line.
func (x *locator) find(name string, line, col int) int32 {
	f := x.files[name]
	for _, r := range x.renamed[name] {
		if line >= r.Num && line < r.Num+r.Lines {
			f, line = r.File, r.At+line-r.Num
			break
		}
	}
	if f == nil {
		return noStmt
	}
	if col == 0 { // a compiler that names no columns
		if id, ok := x.byLine[f][line]; ok {
			return id
		}
		return noStmt
	}
	off, ok := f.Offset(line, col)
	if at := x.at[f]; ok && off < len(at) && at[off] != 0 {
		return at[off]
	}
	return noStmt
}

// lineRow is an entry of the line table with its statement.
type lineRow struct {
	addr uint64
	file int // of the table's header
	stmt int32
	skip bool // no place to stop at
	end  bool // of a sequence
}

// lineTable is the rows of a compilation unit.
type lineTable struct {
	offset int64 // in .debug_line
	rows   []lineRow
}

// readLines reads a unit's line table. Code of no statement belongs to the statement
// before it in the same function; begins has the addresses of functions. foreign says that
// gulo did not compile the program: its table has rows that are no places to stop at.
func readLines(lr *dwarf.LineReader, offset int64, x *locator, begins map[uint64]bool, foreign bool) lineTable {
	t := lineTable{offset: offset}
	number := map[*dwarf.LineFile]int{}
	names := map[*dwarf.LineFile]string{}
	for i, f := range lr.Files() {
		if f != nil {
			number[f] = i
			names[f] = absolute(f.Name)
		}
	}
	last := int32(noStmt)
	var le dwarf.LineEntry
	for lr.Next(&le) == nil {
		if le.EndSequence {
			t.rows = append(t.rows, lineRow{addr: le.Address, end: true})
			last = noStmt
			continue
		}
		if begins[le.Address] && (len(t.rows) == 0 || t.rows[len(t.rows)-1].addr != le.Address) {
			last = noStmt
		}
		id := int32(noStmt)
		if le.File != nil {
			id = x.find(names[le.File], le.Line, le.Column)
		}
		if id == noStmt {
			id = last // no statement of its own: part of what came before
		}
		last = id
		t.rows = append(t.rows, lineRow{addr: le.Address, file: number[le.File], stmt: id, skip: foreign && !le.IsStmt})
	}
	return t
}

// dropEntries assigns the jump that enters a loop at its condition to the statement before the loop, if the condition
// begins with other statements (a statement expression).
func (t *lineTable) dropEntries(x *locator, f *elf.File) {
	text := f.Section(".text")
	if len(x.late) == 0 || text == nil {
		return
	}
	code, err := text.Data()
	if err != nil {
		return
	}
	for i := 1; i+1 < len(t.rows); i++ {
		r, next := &t.rows[i], &t.rows[i+1]
		at := r.addr - text.Addr
		if !x.late[r.stmt] || next.stmt == r.stmt || t.rows[i-1].end || at >= uint64(len(code)) {
			continue
		}
		if size := next.addr - r.addr; code[at] == 0xeb && size == 2 || code[at] == 0xe9 && size == 5 {
			r.stmt = t.rows[i-1].stmt
		}
	}
}

// program encodes rows as a line number program.
func (t *lineTable) program(defaultStmt bool) []byte {
	const (
		copyRow, advancePC, advanceLine, setFile, negate = 1, 2, 3, 4, 6
	)
	var b []byte
	open := false
	var at uint64
	line, file, stmt := int64(1), 1, defaultStmt
	for i := range t.rows {
		r := &t.rows[i]
		if !open {
			b = append(b, 0, 9, 2)
			b = binary.LittleEndian.AppendUint64(b, r.addr)
			open, at, line, file, stmt = true, r.addr, 1, 1, defaultStmt
		}
		if r.addr != at {
			b = binary.AppendUvarint(append(b, advancePC), r.addr-at)
			at = r.addr
		}
		if r.end {
			b = append(b, 0, 1, 1)
			open = false
			continue
		}
		if r.file != file {
			b = binary.AppendUvarint(append(b, setFile), uint64(r.file))
			file = r.file
		}
		if int64(r.stmt) != line {
			b = appendSleb(append(b, advanceLine), int64(r.stmt)-line)
			line = int64(r.stmt)
		}
		if stmt == r.skip {
			b = append(b, negate)
			stmt = !stmt
		}
		b = append(b, copyRow)
	}
	if open {
		b = append(b, 0, 1, 1)
	}
	return b
}

func appendSleb(b []byte, v int64) []byte {
	for {
		c := byte(v & 0x7f)
		v >>= 7
		if v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

var errDamaged = errors.New("the program's line table is damaged")

// rewriteLines returns .debug_line with other line number programs behind the headers of its
// tables, and where each table is now.
func rewriteLines(section []byte, tables []lineTable) (out []byte, moved map[int64]int64, err error) {
	moved = map[int64]int64{}
	for i := range tables {
		t := &tables[i]
		if _, done := moved[t.offset]; done {
			continue
		}
		if t.offset < 0 || t.offset+32 > int64(len(section)) {
			return nil, nil, errDamaged
		}
		b := section[t.offset:]
		if binary.LittleEndian.Uint32(b) == 0xffffffff {
			return nil, nil, errors.New("64-bit debug information is not supported")
		}
		version := binary.LittleEndian.Uint16(b[4:])
		at := 6
		if version >= 5 {
			at += 2
		}
		body := at + 4 + int(binary.LittleEndian.Uint32(b[at:]))
		stmtAt := at + 4 + 1
		if version >= 4 {
			stmtAt++
		}
		if body > len(b) || stmtAt >= len(b) {
			return nil, nil, errDamaged
		}
		moved[t.offset] = int64(len(out))
		start := len(out)
		out = append(out, b[:body]...)
		out = append(out, t.program(b[stmtAt] != 0)...)
		binary.LittleEndian.PutUint32(out[start:], uint32(len(out)-start-4))
	}
	return out, moved, nil
}

// reline writes a copy of a binary whose line table names statements instead of lines.
func reline(from, to string, f *elf.File, d *dwarf.Data, tables []lineTable) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	get := func(name string) ([]byte, int, error) {
		for i, s := range f.Sections {
			if s.Name == name {
				b, err := s.Data()
				return b, i, err
			}
		}
		return nil, 0, fmt.Errorf("the program has no section %s", name)
	}
	line, lineAt, err := get(".debug_line")
	if err != nil {
		return err
	}
	info, infoAt, err := get(".debug_info")
	if err != nil {
		return err
	}
	abbrev, _, err := get(".debug_abbrev")
	if err != nil {
		return err
	}
	lines, moved, err := rewriteLines(line, tables)
	if err != nil {
		return err
	}
	info = slices.Clone(info)
	if err := moveTables(info, abbrev, moved); err != nil {
		return err
	}
	head := binary.LittleEndian.Uint64(text[0x28:]) // the section headers
	size := uint64(binary.LittleEndian.Uint16(text[0x3a:]))
	put := func(i int, data []byte) {
		h := text[head+uint64(i)*size:]
		flags := binary.LittleEndian.Uint64(h[8:])
		binary.LittleEndian.PutUint64(h[8:], flags&^uint64(elf.SHF_COMPRESSED))
		binary.LittleEndian.PutUint64(h[0x18:], uint64(len(text)))
		binary.LittleEndian.PutUint64(h[0x20:], uint64(len(data)))
		text = append(text, data...)
	}
	put(lineAt, lines)
	put(infoAt, info)
	return os.WriteFile(to, text, 0o700)
}

// moveTables writes where the line tables are now into the units of .debug_info.
func moveTables(info, abbrev []byte, moved map[int64]int64) error {
	for off := 0; off+12 <= len(info); {
		length := int(binary.LittleEndian.Uint32(info[off:]))
		if length >= 0xfffffff0 || off+4+length > len(info) {
			return errDamaged
		}
		unit := info[off : off+4+length]
		off += 4 + length
		version := binary.LittleEndian.Uint16(unit[4:])
		table, at := 6, 11 // of versions 2 to 4: version, abbreviations, address size
		if version >= 5 {
			table, at = 8, 12
			switch unit[6] { // unit type
			case 2, 6: // of types
				at += 12
			case 4, 5: // split
				at += 8
			}
		}
		where := int(binary.LittleEndian.Uint32(unit[table:]))
		if where > len(abbrev) || at > len(unit) {
			return errDamaged
		}
		place, ok := stmtList(unit, at, abbrev[where:])
		if !ok {
			continue
		}
		old := int64(binary.LittleEndian.Uint32(unit[place:]))
		now, ok := moved[old]
		if !ok {
			return errDamaged
		}
		binary.LittleEndian.PutUint32(unit[place:], uint32(now))
	}
	return nil
}

// stmtList returns where a unit's first entry has DW_AT_stmt_list.
func stmtList(unit []byte, at int, abbrev []byte) (place int, ok bool) {
	code, n := binary.Uvarint(unit[at:])
	if n <= 0 {
		return 0, false
	}
	at += n
	next := func() uint64 {
		v, n := binary.Uvarint(abbrev)
		if n <= 0 {
			abbrev = nil
			return 0
		}
		abbrev = abbrev[n:]
		return v
	}
	for len(abbrev) > 0 {
		c := next()
		next() // tag
		if c == 0 || len(abbrev) == 0 {
			return 0, false
		}
		abbrev = abbrev[1:] // children
		for len(abbrev) > 0 {
			attr, form := next(), next()
			if form == 0x21 { // DW_FORM_implicit_const; small values of any sign are as long
				for len(abbrev) > 0 && abbrev[0]&0x80 != 0 {
					abbrev = abbrev[1:]
				}
				if len(abbrev) > 0 {
					abbrev = abbrev[1:]
				}
			}
			if attr == 0 && form == 0 {
				break
			}
			if c != code {
				continue
			}
			if attr == 0x10 { // DW_AT_stmt_list
				return at, form == 0x17 || form == 0x06
			}
			size := formSize(form, unit[at:])
			if size < 0 || at+size > len(unit) {
				return 0, false
			}
			at += size
		}
		if c == code {
			return 0, false
		}
	}
	return 0, false
}

// formSize returns the size of an attribute's value, -1 when it is not known.
func formSize(form uint64, b []byte) int {
	switch form {
	case 0x0b, 0x0c, 0x11, 0x25, 0x29: // one byte
		return 1
	case 0x05, 0x12, 0x26, 0x2a: // two
		return 2
	case 0x27, 0x2b:
		return 3
	case 0x06, 0x0e, 0x13, 0x17, 0x10, 0x1f, 0x28, 0x2c: // four
		return 4
	case 0x01, 0x07, 0x14, 0x20: // eight
		return 8
	case 0x1e:
		return 16
	case 0x19, 0x21: // present, implicit
		return 0
	case 0x08: // a string
		for i, c := range b {
			if c == 0 {
				return i + 1
			}
		}
	case 0x0d, 0x0f, 0x15, 0x1a, 0x1b, 0x22, 0x23: // LEB128
		for i, c := range b {
			if c&0x80 == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// firstStmt is where a function begins to be executed; 0 when nothing of it can be stopped at.
func (t *Target) firstStmt(f *cfront.Func) int32 {
	best, at := int32(0), uint64(0)
	for i := range t.info.funcs {
		fi := &t.info.funcs[i]
		if fi.fn != f {
			continue
		}
		for _, e := range t.info.entries {
			if e.addr > fi.low && e.addr < fi.high && e.stmt != noStmt && e.stmt != 0 && t.p.Stmts[e.stmt].Stop && (best == 0 || e.addr < at) {
				best, at = e.stmt, e.addr
			}
		}
	}
	return best
}
