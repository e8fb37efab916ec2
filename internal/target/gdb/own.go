package gdb

import (
	"bytes"
	"context"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"gulo/internal/cfront"
	"gulo/internal/target"
)

// This file turns an object file of the program's own build into what build would have compiled, in a tenth of the time. The object has
// to be newer than all texts that it is made of, and compiled by the same gcc with -g and without optimization: then the only difference
// is that it does not fill the frames of functions with target.Fill. The code that fills is put behind all other code, so that no other
// jump changes; the instructions that make a frame become a jump to it. No statement begins among them, so that no breakpoint is set
// there. What does not look as gcc writes it is refused, and compiled again.

// own writes to a file the object of a unit's own build, changed so that it fills frames. It returns false if there is no such object
// or it cannot be used. texts are the files that the unit is made of.
func own(ctx context.Context, u *cfront.Unit, texts []string, to string) bool {
	if u.Object == "" || len(texts) == 0 {
		return false
	}
	st, err := os.Stat(u.Object)
	if err != nil {
		return false
	}
	for _, name := range texts {
		if s, err := os.Stat(name); err != nil || !s.ModTime().Before(st.ModTime()) {
			return false
		}
	}
	raw, err := os.ReadFile(u.Object)
	if err != nil {
		return false
	}
	o := &ownObject{raw: raw, body: map[uint64]uint64{}, locals: map[uint64]bool{}}
	if o.f, err = elf.NewFile(bytes.NewReader(raw)); err != nil || o.f.Type != elf.ET_REL || o.f.Machine != elf.EM_X86_64 {
		return false
	}
	if !o.described(ctx, absolute(u.Path(u.Name))) || !o.fill() {
		return false
	}
	return os.WriteFile(to, o.raw, 0o600) == nil
}

// ownObject is an object while it is changed.
type ownObject struct {
	raw    []byte
	f      *elf.File
	body   map[uint64]uint64 // by a function's address: where its first statement begins
	locals map[uint64]bool   // by a function's address: it has variables on the stack
}

// gccVersion is that of the gcc that compiles; "" where it does not say.
var gccVersion = sync.OnceValue(func() string {
	out, err := gccOutput(context.Background(), "", nil, "-dumpfullversion")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
})

// asOurs reports whether a producer (DW_AT_producer) is the same gcc, with debug information, without optimization, and without flags
// that make other code than build does.
func asOurs(producer string) bool {
	words := strings.Fields(producer)
	if len(words) < 3 || words[0] != "GNU" || !strings.HasPrefix(words[1], "C") || strings.HasPrefix(words[1], "C+") || words[2] != gccVersion() {
		return false
	}
	debug := false
	for _, w := range words[3:] {
		switch {
		case w == "-O0":
		case strings.HasPrefix(w, "-O"), strings.HasPrefix(w, "-fsanitize"), strings.HasPrefix(w, "-fstack-protector"), strings.HasPrefix(w, "-fprofile"), strings.HasPrefix(w, "-flto"),
			strings.HasPrefix(w, "-finstrument-functions"), w == "-p", w == "-pg", w == "-ftest-coverage", w == "-fomit-frame-pointer", w == "-fsplit-stack", w == "-m32", w == "-mx32", w == "-g0", w == "-g1":
			return false
		case strings.HasPrefix(w, "-g"):
			debug = true
		}
	}
	return debug
}

// described reads the debug information; false where it is of another file, another compiler, or has variables in registers.
func (o *ownObject) described(ctx context.Context, source string) bool {
	d, err := o.f.DWARF()
	if err != nil || ctx.Err() != nil {
		return false
	}
	units := 0
	var within []uint64 // functions around an entry, by depth; 0 for other entries
	r := d.Reader()
	for {
		e, err := r.Next()
		switch {
		case err != nil:
			return false
		case e == nil:
			return units == 1
		case e.Tag == 0:
			if len(within) > 0 {
				within = within[:len(within)-1]
			}
			continue
		}
		var at uint64
		if len(within) > 0 {
			at = within[len(within)-1]
		}
		switch e.Tag {
		case dwarf.TagCompileUnit:
			name, _ := e.Val(dwarf.AttrName).(string)
			dir, _ := e.Val(dwarf.AttrCompDir).(string)
			producer, _ := e.Val(dwarf.AttrProducer).(string)
			if !filepath.IsAbs(name) {
				name = filepath.Join(dir, name)
			}
			if units++; filepath.Clean(name) != source || !asOurs(producer) || !o.statements(d, e) {
				return false
			}
		case dwarf.TagSubprogram:
			at = 0
			if low, ok := e.Val(dwarf.AttrLowpc).(uint64); ok {
				at = low + 1 // 0 is none
			}
		case dwarf.TagVariable, dwarf.TagFormalParameter:
			const opAddr, opConst8, opFrame = 0x03, 0x0e, 0x91
			switch l := e.Val(dwarf.AttrLocation).(type) {
			case nil:
			case []byte:
				if len(l) == 0 || l[0] != opAddr && l[0] != opConst8 && l[0] != opFrame {
					return false
				}
				if l[0] == opFrame && at > 0 {
					o.locals[at-1] = true
				}
			default:
				return false
			}
		}
		if e.Children {
			within = append(within, at)
		}
	}
}

// statements notes where the first statements of functions begin; false where the lines have no columns.
func (o *ownObject) statements(d *dwarf.Data, unit *dwarf.Entry) bool {
	lr, err := d.LineReader(unit)
	if err != nil || lr == nil {
		return false
	}
	columns := false
	var before, le dwarf.LineEntry
	for begun := false; lr.Next(&le) == nil; begun = !le.EndSequence {
		columns = columns || le.Column > 0
		if begun && le.Address > before.Address {
			if _, ok := o.body[before.Address]; !ok {
				o.body[before.Address] = le.Address
			}
		}
		before = le
	}
	return columns || len(o.body) == 0
}

// frame is the beginning of a function, by offsets in its code. The instructions in [from, stores) make the frame, for which they lower
// the stack by size bytes; those in [stores, to) save parameters.
type frame struct {
	from, stores, to int
	size             int
}

// beginning reads the beginning of a function, whose first statement is at body. ok is false where it is none of gcc's; f.to is 0
// where nothing has to be filled.
func beginning(code []byte, body int, locals bool) (f frame, ok bool) {
	i := 0
	if bytes.HasPrefix(code, []byte{0xf3, 0x0f, 0x1e, 0xfa}) { // endbr64
		i = 4
	}
	if !bytes.HasPrefix(code[i:], []byte{0x55, 0x48, 0x89, 0xe5}) { // push rbp; mov rbp, rsp
		return f, false
	}
	f.from = i + 1
	for i += 4; i+1 < len(code); { // pushes
		switch {
		case code[i]&0xf8 == 0x50:
			i++
			continue
		case code[i] == 0x41 && code[i+1]&0xf8 == 0x50:
			i += 2
			continue
		}
		break
	}
	switch rest := code[i:]; {
	case len(rest) > 7 && bytes.HasPrefix(rest, []byte{0x48, 0x83, 0xec}) && rest[3] < 0x80: // sub rsp, imm8
		f.size, i = int(rest[3]), i+4
	case len(rest) > 7 && bytes.HasPrefix(rest, []byte{0x48, 0x81, 0xec}): // sub rsp, imm32
		f.size, i = int(binary.LittleEndian.Uint32(rest[3:])), i+7
	case bytes.HasPrefix(rest, []byte{0x48, 0x83, 0xc4, 0x80}): // add rsp, -128
		f.size, i = 128, i+4
	case !locals:
		return frame{}, true
	}
	f.stores = i
	for i-f.from < jumpBytes {
		n := store(code[min(i, len(code)):])
		if n == 0 {
			return f, false
		}
		i += n
	}
	f.to = i
	return f, f.to <= body
}

// store returns the length of an instruction that saves a parameter, from a register to the frame or to another register; 0 for others.
func store(code []byte) int {
	b := append(code[:min(len(code), 16):min(len(code), 16)], make([]byte, 16)...)
	i := 0
	if b[i] == 0xf2 || b[i] == 0xf3 || b[i] == 0x66 {
		i++
	}
	if b[i]&0xf0 == 0x40 {
		i++
	}
	switch {
	case b[i] == 0x88 || b[i] == 0x89: // mov
	case b[i] == 0x0f && slices.Contains([]byte{0x11, 0x29, 0x7e, 0xd6}, b[i+1]): // movss, movaps, movd, movq
		i++
	default:
		return 0
	}
	modrm := b[i+1]
	switch n := i + 2; {
	case modrm>>6 == 3:
		return n
	case modrm&7 != 5: // from rbp on
		return 0
	case modrm>>6 == 1:
		return n + 1
	case modrm>>6 == 2:
		return n + 4
	}
	return 0
}

const (
	jumpBytes = 5   // of jmp rel32
	redZone   = 128 // bytes below the stack pointer that a function that calls none may use
)

// fill gives the functions code that fills their frames; false where one begins in another way, or makes room on the stack later.
func (o *ownObject) fill() bool {
	list, err := o.f.Symbols()
	if err != nil {
		return false
	}
	var funcs []elf.Symbol
	for _, s := range list {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Section != elf.SHN_UNDEF && s.Section < elf.SHN_LORESERVE {
			funcs = append(funcs, s)
		}
	}
	if len(funcs) == 0 {
		return true // variables alone
	}
	section := int(funcs[0].Section)
	text := o.f.Sections[section]
	code, err := text.Data()
	if err != nil {
		return false
	}
	code = slices.Clone(code)
	end := uint64(len(code))
	var frames []uint64 // where the code that fills begins
	for _, s := range funcs {
		body, known := o.body[s.Value]
		if int(s.Section) != section || s.Size == 0 || s.Value+s.Size > end || !known {
			return false
		}
		f, ok := beginning(code[s.Value:s.Value+s.Size], int(body-s.Value), o.locals[s.Value])
		if !ok || grows(code[s.Value:s.Value+s.Size]) {
			return false
		}
		if f.to > 0 && code[s.Value+uint64(f.from)] != 0xe9 { // two names of one function
			frames = append(frames, uint64(len(code)))
			code = detour(code, int(s.Value), f)
		}
	}
	o.replace(section, code)
	o.unwind(section, end, frames, uint64(len(code)))
	return true
}

// grows reports whether code may make room on the stack for an array of variable length: sub rsp, REG.
func grows(code []byte) bool {
	for i := 0; i+2 < len(code); i++ {
		if code[i]&0xfb == 0x48 && code[i+1] == 0x29 && code[i+2]&0xc7 == 0xc4 {
			return true
		}
	}
	return false
}

// detour puts the code that makes and fills a frame behind all code, with jumps there and back. It fills what fillFrames fills, and the
// red zone.
func detour(code []byte, low int, f frame) []byte {
	at := len(code)
	code = append(code, code[low+f.from:low+f.stores]...)
	le := binary.LittleEndian
	code = le.AppendUint32(append(code, 0x41, 0xbb), uint32((f.size+redZone)/4))                // mov r11d, N
	code = le.AppendUint32(append(code, 0x42, 0xc7, 0x84, 0x9c), uint32(0x100000000-4-redZone)) // mov dword [rsp + 4*r11 - 4 - 128],
	code = append(code, target.Fill, target.Fill, target.Fill, target.Fill)                     // Fill
	code = append(code, 0x49, 0xff, 0xcb, 0x75, 0x100-17)                                       // dec r11; jnz
	code = append(code, code[low+f.stores:low+f.to]...)                                         // the parameters
	code = le.AppendUint32(append(code, 0xe9), uint32(int32(low+f.to-(len(code)+jumpBytes))))   // jmp back
	begin := code[low+f.from : low+f.to]
	le.PutUint32(begin[1:], uint32(int32(at-(low+f.from+jumpBytes))))
	begin[0] = 0xe9
	for i := jumpBytes; i < len(begin); i++ {
		begin[i] = 0x90
	}
	return code
}

// replace gives a section other bytes, which it appends to the file.
func (o *ownObject) replace(section int, data []byte) {
	for len(o.raw)%16 != 0 {
		o.raw = append(o.raw, 0)
	}
	le := binary.LittleEndian
	header := le.Uint64(o.raw[0x28:]) + 64*uint64(section)
	le.PutUint64(o.raw[header+24:], uint64(len(o.raw)))
	le.PutUint64(o.raw[header+32:], uint64(len(data)))
	o.raw = append(o.raw, data...)
}

// unwind adds an entry (FDE) to .eh_frame for the code that fills frames, from begin to end, so that a call that is interrupted there can
// be unwound. The entry refers to the common one (CIE), with which the assembler begins the section.
func (o *ownObject) unwind(section int, begin uint64, frames []uint64, end uint64) {
	info, relocations := -1, -1
	for i, s := range o.f.Sections {
		switch s.Name {
		case ".eh_frame":
			info = i
		case ".rela.eh_frame":
			relocations = i
		}
	}
	symbols, err := o.f.Symbols()
	symbol := slices.IndexFunc(symbols, func(s elf.Symbol) bool { return elf.ST_TYPE(s.Info) == elf.STT_SECTION && int(s.Section) == section })
	if len(frames) == 0 || info < 0 || relocations < 0 || err != nil || symbol < 0 {
		return
	}
	common, err1 := o.f.Sections[info].Data()
	rela, err2 := o.f.Sections[relocations].Data()
	if err1 != nil || err2 != nil || len(common) < 24 || string(common[9:12]) != "zR\x00" {
		return
	}
	le := binary.LittleEndian
	entry := le.AppendUint32(nil, uint32(len(common)+4)) // back to the beginning
	entry = le.AppendUint32(entry, 0)                    // the relocation's
	entry = le.AppendUint32(entry, uint32(end-begin))
	entry = append(entry, 0, 0x86, 2) // no augmentation; rbp is saved at the frame's address - 16
	at := begin
	for _, f := range frames {
		entry = le.AppendUint32(append(entry, 0x04), uint32(f-at)) // advance
		entry = append(entry, 0x0c, 7, 16)                         // the frame's address is rsp + 16
		entry = append(entry, 0x43, 0x0c, 6, 16)                   // behind mov rbp, rsp: rbp + 16
		at = f + 3
	}
	for len(entry)%8 != 4 {
		entry = append(entry, 0) // nop
	}
	const relative32 = 2 // R_X86_64_PC32
	offset := uint64(len(common)) + 8
	rela = le.AppendUint64(slices.Clone(rela), offset)
	rela = le.AppendUint64(rela, uint64(symbol+1)<<32|relative32)
	rela = le.AppendUint64(rela, begin)
	o.replace(relocations, rela)
	o.replace(info, append(le.AppendUint32(slices.Clone(common), uint32(len(entry))), entry...))
}
