package x86

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file reads the template of a statement.

// Code is a statement that can run.
type Code struct {
	ops    []Operand
	outs   int
	places []place // of the operands
	list   []instr
}

// place is a register, of the kind register or vector, or what is not in one.
type place struct {
	kind kind
	reg  int
}

// instr is an instruction.
type instr struct {
	do    action
	name  string
	size  int64 // of the operation, in bytes
	wide  int64 // of the result of movz and movs; 0 for others
	cond  byte  // of jcc, setcc and cmovcc: the condition's number as the processor encodes it
	args  []arg // the destination last
	jump  int   // where a jump goes
	again string
}

// arg is an operand of an instruction.
type arg struct {
	kind        kind
	reg         int
	high        bool // ah, bh, ch, dh
	size        int64
	value       uint64 // of an immediate
	base, index int    // of memory; -1 for none
	scale       uint64
	off         int64
	operand     int // of the statement, whose value is the address, or the immediate; -1 for none
}

var registers = map[string]arg{}

func init() {
	names := [][4]string{{"rax", "eax", "ax", "al"}, {"rcx", "ecx", "cx", "cl"}, {"rdx", "edx", "dx", "dl"}, {"rbx", "ebx", "bx", "bl"},
		{"rsp", "esp", "sp", "spl"}, {"rbp", "ebp", "bp", "bpl"}, {"rsi", "esi", "si", "sil"}, {"rdi", "edi", "di", "dil"}}
	for i := 8; i < 16; i++ {
		r := "r" + strconv.Itoa(i)
		names = append(names, [4]string{r, r + "d", r + "w", r + "b"})
	}
	for i, n := range names {
		for k, name := range n {
			registers[name] = arg{kind: register, reg: i, size: 8 >> k}
		}
		registers["xmm"+strconv.Itoa(i)] = arg{kind: vector, reg: i, size: 16}
	}
	for i, n := range []string{"ah", "ch", "dh", "bh"} {
		registers[n] = arg{kind: register, reg: i, size: 1, high: true}
	}
}

const rsp, rbp = 4, 5

// Statement is an asm statement as it is written.
type Statement struct {
	Template string
	Operands []Operand // the outputs, Outs of them, and the inputs
	Outs     int
	Clobbers []string
}

// Parse reads the template.
func (st *Statement) Parse() (*Code, error) {
	template := st.Template
	c := &Code{ops: st.Operands, outs: st.Outs}
	if err := c.allocate(template, st.Clobbers); err != nil {
		return nil, err
	}
	labels := map[string][]int{}
	type jump struct {
		at   int
		name string
	}
	var jumps []jump
	rep := ""
	for _, text := range split(template) {
		for {
			i := strings.IndexByte(text, ':')
			if i <= 0 || strings.ContainsAny(text[:i], " \t(,") {
				break
			}
			labels[text[:i]] = append(labels[text[:i]], len(c.list))
			text = strings.TrimSpace(text[i+1:])
		}
		name, rest, _ := strings.Cut(strings.ReplaceAll(text, "\t", " "), " ")
		for prefixes[name] {
			if strings.HasPrefix(name, "rep") {
				rep = name
			}
			name, rest, _ = strings.Cut(strings.TrimSpace(rest), " ")
		}
		if name == "" || name[0] == '.' && idleDirectives[name] {
			continue
		}
		in, err := c.instruction(strings.ToLower(name), strings.TrimSpace(rest))
		if err != nil {
			return nil, err
		}
		if rep != "" {
			if !in.strings() && in.name != "nop" && in.name != "ret" {
				return nil, fmt.Errorf("the prefix %s before %s is not known", rep, name)
			}
			in.again, rep = rep, ""
		}
		if in.name[0] == 'j' {
			jumps = append(jumps, jump{len(c.list), rest})
		}
		c.list = append(c.list, in)
	}
	for _, j := range jumps {
		to := target(labels, strings.TrimSpace(j.name), j.at)
		if to < 0 {
			return nil, fmt.Errorf("a jump to %s is not known", j.name)
		}
		c.list[j.at].jump = to
	}
	return c, nil
}

var prefixes = map[string]bool{"lock": true, "rep": true, "repe": true, "repz": true, "repne": true, "repnz": true, "data16": true}

// idleDirectives change nothing of what a statement computes.
var idleDirectives = map[string]bool{".align": true, ".p2align": true, ".balign": true, ".text": true}

// target finds the instruction that a label names: the next 1 for 1f, the last for 1b.
func target(labels map[string][]int, name string, from int) int {
	if len(name) > 1 && name[0] >= '0' && name[0] <= '9' {
		list := labels[name[:len(name)-1]]
		switch name[len(name)-1] {
		case 'f':
			for _, at := range list {
				if at > from {
					return at
				}
			}
		case 'b':
			for _, at := range slices.Backward(list) {
				if at <= from {
					return at
				}
			}
		}
		return -1
	}
	if at := labels[name]; len(at) == 1 {
		return at[0]
	}
	return -1
}

// split divides a template into instructions, without comments.
func split(template string) (out []string) {
	for {
		i := strings.Index(template, "/*")
		if i < 0 {
			break
		}
		k := strings.Index(template[i:], "*/")
		if k < 0 {
			break
		}
		template = template[:i] + " " + template[i+k+2:]
	}
	template = strings.ReplaceAll(template, "%=", "0")
	for line := range strings.SplitSeq(template, "\n") {
		line, _, _ = strings.Cut(line, "#")
		for in := range strings.SplitSeq(line, ";") {
			if in = strings.TrimSpace(in); in != "" {
				out = append(out, in)
			}
		}
	}
	return out
}

// allocate gives each operand its register.
func (c *Code) allocate(template string, clobbers []string) error {
	var used [16]bool
	used[rsp], used[rbp] = true, true
	for name, r := range registers {
		if r.kind == register && (slices.Contains(clobbers, name) || slices.Contains(clobbers, "%"+name) || strings.Contains(template, "%"+name)) {
			used[r.reg] = true
		}
	}
	var usedX [16]bool
	for i := range usedX {
		name := "xmm" + strconv.Itoa(i)
		usedX[i] = slices.Contains(clobbers, name) || strings.Contains(template, "%"+name)
	}
	c.places = make([]place, len(c.ops))
	for i, o := range c.ops {
		p := &c.places[i]
		p.kind, p.reg = kindOf(o.Constraint), -1
		if p.kind == register {
			for k := range o.Constraint {
				if strings.IndexByte("rqQRlg", o.Constraint[k]) >= 0 {
					break
				}
				if r, ok := fixed[o.Constraint[k]]; ok {
					p.reg, used[r] = r, true
					break
				}
			}
		}
	}
	take := func(used *[16]bool) int {
		for _, r := range []int{0, 2, 1, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 3} {
			if !used[r] {
				used[r] = true
				return r
			}
		}
		return -1
	}
	for i, o := range c.ops {
		p := &c.places[i]
		switch p.kind {
		case register:
			if p.reg < 0 {
				p.reg = take(&used)
			}
			if o.Size > 8 || p.reg < 0 {
				return fmt.Errorf("no register for the operand %d", i)
			}
		case vector:
			if p.reg = take(&usedX); o.Size > 16 || p.reg < 0 {
				return fmt.Errorf("no register for the operand %d", i)
			}
		case matching:
			k := int(o.Constraint[strings.IndexAny(o.Constraint, "0123456789")] - '0')
			if k >= c.outs || i < c.outs {
				return fmt.Errorf("the constraint %q is not known", o.Constraint)
			}
			*p = c.places[k]
		case unknown:
			return fmt.Errorf("the constraint %q is not known", o.Constraint)
		}
	}
	return nil
}

// arguments splits the operands of an instruction.
func arguments(s string) (out []string) {
	depth, from := 0, 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[from:i]))
				from = i + 1
			}
		}
	}
	if rest := strings.TrimSpace(s[from:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// argument reads an operand of an instruction.
func (c *Code) argument(s string) (arg, error) {
	none := arg{base: -1, index: -1, operand: -1, scale: 1}
	bad := fmt.Errorf("the operand %s is not known", s)
	switch {
	case strings.HasPrefix(s, "$"):
		if n, v, ok := c.operand(s[1:]); ok { // $%c1
			if n != len(s)-1 || v.kind != immediate {
				return none, bad
			}
			return v, nil
		}
		v, ok := number(s[1:])
		none.kind, none.value = immediate, uint64(v)
		if !ok {
			return none, bad
		}
		return none, nil
	case strings.HasPrefix(s, "%%"):
		r, ok := registers[s[2:]]
		if !ok {
			return none, bad
		}
		r.base, r.index, r.operand = -1, -1, -1
		return r, nil
	}
	if n, v, ok := c.operand(s); ok && n == len(s) {
		return v, nil
	}
	open := strings.LastIndexByte(s, '(')
	a := none
	a.kind = memory
	off := s
	if open >= 0 {
		if !strings.HasSuffix(s, ")") {
			return none, bad
		}
		off = strings.TrimSpace(s[:open])
		for i, part := range strings.Split(s[open+1:len(s)-1], ",") {
			part = strings.TrimSpace(part)
			if i == 2 {
				v, ok := number(part)
				a.scale = uint64(v)
				if !ok {
					return none, bad
				}
				continue
			}
			if part == "" {
				continue
			}
			r, err := c.argument(part)
			if err != nil || r.kind != register || i > 2 || r.reg == rsp {
				return none, bad
			}
			if i == 0 {
				a.base = r.reg
			} else {
				a.index = r.reg
			}
		}
	}
	if n, v, ok := c.operand(off); ok { // 4%0, of a memory operand, is not written this way; %c1(%0) is
		if n != len(off) || v.kind != immediate {
			return none, bad
		}
		a.operand = v.operand
		return a, nil
	}
	if i := strings.IndexByte(off, '%'); i > 0 { // 4+%0
		v, ok := number(strings.TrimSuffix(off[:i], "+"))
		n, o, is := c.operand(off[i:])
		if !ok || !is || i+n != len(off) || o.kind != memory || open >= 0 {
			return none, bad
		}
		o.off += v
		return o, nil
	}
	if off == "" {
		return a, nil
	}
	v, ok := number(off)
	if a.off = v; !ok || open < 0 {
		return none, bad
	}
	return a, nil
}

// number reads a constant.
func number(s string) (int64, bool) {
	s = strings.TrimSpace(s)
	if v, err := strconv.ParseInt(s, 0, 64); err == nil {
		return v, true
	}
	if inner, ok := strings.CutPrefix(s, "~"); ok {
		v, ok := number(inner)
		return ^v, ok
	}
	v, err := strconv.ParseUint(s, 0, 64)
	return int64(v), err == nil
}

// operand reads %0, %[name] or either with a modifier at the start of s, and returns how long that is.
func (c *Code) operand(s string) (n int, a arg, ok bool) {
	if len(s) < 2 || s[0] != '%' {
		return 0, a, false
	}
	i, modifier := 1, byte(0)
	if strings.IndexByte("bhwkqcaPAnzHVx", s[i]) >= 0 && len(s) > 2 {
		modifier = s[i]
		i++
	}
	num := -1
	if s[i] == '[' {
		end := strings.IndexByte(s, ']')
		if end < 0 {
			return 0, a, false
		}
		num = slices.IndexFunc(c.ops, func(o Operand) bool { return o.Name != "" && o.Name == s[i+1:end] })
		i = end + 1
	} else {
		from := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		var err error
		if num, err = strconv.Atoi(s[from:i]); err != nil {
			return 0, a, false
		}
	}
	if num < 0 || num >= len(c.ops) {
		return 0, a, false
	}
	p := c.places[num]
	a = arg{kind: p.kind, reg: p.reg, size: c.ops[num].Size, base: -1, index: -1, scale: 1, operand: -1}
	switch p.kind {
	case memory, immediate:
		a.operand = num
	}
	switch modifier {
	case 0, 'c', 'P', 'V', 'x':
	case 'b':
		a.size = 1
	case 'h':
		a.size, a.high = 1, true
	case 'w':
		a.size = 2
	case 'k':
		a.size = 4
	case 'q':
		a.size = 8
	case 'a':
		if p.kind != register {
			return 0, a, false
		}
		a = arg{kind: memory, base: p.reg, index: -1, scale: 1, operand: -1}
	default:
		return 0, a, false
	}
	if a.high && a.reg > 3 {
		return 0, a, false
	}
	return i, a, true
}

// Encode writes a statement as a text that Decode reads.
func (st *Statement) Encode() []byte {
	b, err := json.Marshal(st)
	if err != nil {
		panic(err) // it is strings and numbers
	}
	return b
}

// Decode reads what Encode has written, and parses it.
func Decode(text string) (*Code, error) {
	st := &Statement{}
	if err := json.Unmarshal([]byte(text), st); err != nil {
		return nil, err
	}
	return st.Parse()
}
