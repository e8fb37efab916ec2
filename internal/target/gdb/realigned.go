package gdb

import (
	"debug/elf"
	"encoding/binary"
)

// This file is functions that align their stack by themselves, because a variable wants more than 16 bytes. gcc
// may say where their variables are from rsp on, whose distance from rbp is another one in every call.

// opBreg7 is DW_OP_breg7: from rsp on.
const opBreg7 = 0x77

// stackStep is what an instruction at a function's beginning does to rsp: it subtracts less, or rounds down
// by mask.
type stackStep struct {
	less uint64
	mask uint64 // 0: it is only made smaller
}

// lowered is where rsp is in a call whose frame begins at bp.
func lowered(steps []stackStep, bp uint64) uint64 {
	sp := bp
	for _, s := range steps {
		sp -= s.less
		if s.mask != 0 {
			sp &= s.mask
		}
	}
	return sp
}

// prologues reads what functions do to rsp whose variables are counted from there.
func (in *debugInfo) prologues(f *elf.File) {
	text := f.Section(".text")
	if text == nil {
		return
	}
	var code []byte
	for i := range in.funcs {
		fi := &in.funcs[i]
		if len(fi.fromStack) == 0 {
			continue
		}
		if code == nil {
			var err error
			if code, err = text.Data(); err != nil {
				return
			}
		}
		if fi.low >= text.Addr && fi.high <= text.Addr+uint64(len(code)) {
			fi.steps = prologue(code[fi.low-text.Addr : fi.high-text.Addr])
		}
	}
}

// prologue reads the instructions behind push rbp; mov rbp, rsp: pushes, and rsp, and sub rsp; nil where
// there are none.
func prologue(code []byte) []stackStep {
	var out []stackStep
	begun := false
	for len(code) >= 7 {
		n := 0
		switch {
		case !begun && code[0] == 0x55: // push rbp
			n = 1
		case !begun && code[0] == 0x48 && code[1] == 0x89 && code[2] == 0xe5: // mov rbp, rsp
			begun, n = true, 3
		case begun && code[0] >= 0x50 && code[0] < 0x58: // push
			out, n = append(out, stackStep{less: 8}), 1
		case begun && code[0] == 0x41 && code[1] >= 0x50 && code[1] < 0x58: // push r8 to r15
			out, n = append(out, stackStep{less: 8}), 2
		case begun && code[0] == 0x48 && code[1] == 0x83 && code[2] == 0xe4: // and rsp, imm8
			out, n = append(out, stackStep{mask: uint64(int64(int8(code[3])))}), 4
		case begun && code[0] == 0x48 && code[1] == 0x81 && code[2] == 0xe4: // and rsp, imm32
			out, n = append(out, stackStep{mask: uint64(int64(int32(binary.LittleEndian.Uint32(code[3:]))))}), 7
		case begun && code[0] == 0x48 && code[1] == 0x83 && code[2] == 0xec: // sub rsp, imm8
			out, n = append(out, stackStep{less: uint64(int64(int8(code[3])))}), 4
		case begun && code[0] == 0x48 && code[1] == 0x81 && code[2] == 0xec: // sub rsp, imm32
			out, n = append(out, stackStep{less: uint64(binary.LittleEndian.Uint32(code[3:]))}), 7
		}
		if n == 0 {
			return out
		}
		code = code[n:]
	}
	return out
}
