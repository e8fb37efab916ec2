package x86

import (
	"fmt"
	"strings"
)

// This file says which instructions there are.

// action executes an instruction.
type action func(s *state, in *instr) error

// form is a mnemonic without its suffix for the size.
type form struct {
	least, most int // number of operands
	do          action
}

var conditions = map[string]byte{
	"o": 0, "no": 1, "b": 2, "c": 2, "nae": 2, "ae": 3, "nb": 3, "nc": 3, "e": 4, "z": 4, "ne": 5, "nz": 5, "be": 6, "na": 6, "a": 7, "nbe": 7,
	"s": 8, "ns": 9, "p": 10, "pe": 10, "np": 11, "po": 11, "l": 12, "nge": 12, "ge": 13, "nl": 13, "le": 14, "ng": 14, "g": 15, "nle": 15,
}

// whole are the instructions whose names have no suffix for the size.
var whole = map[string]form{}

// sized are those with one; it may be left out where an operand is a register.
var sized = map[string]form{}

func init() {
	for n, f := range map[string]form{
		"nop": {0, 1, idle}, "pause": {0, 0, idle}, "mfence": {0, 0, idle}, "lfence": {0, 0, idle}, "sfence": {0, 0, idle}, "endbr64": {0, 0, idle}, "cld": {0, 0, idle},
		"prefetcht0": {1, 1, idle}, "prefetcht1": {1, 1, idle}, "prefetcht2": {1, 1, idle}, "prefetchnta": {1, 1, idle}, "prefetchw": {1, 1, idle},
		"clc": {0, 0, (*state).carry}, "stc": {0, 0, (*state).carry}, "cmc": {0, 0, (*state).carry},
		"cbtw": {0, 0, extendA(1)}, "cbw": {0, 0, extendA(1)}, "cwtl": {0, 0, extendA(2)}, "cwde": {0, 0, extendA(2)}, "cltq": {0, 0, extendA(4)}, "cdqe": {0, 0, extendA(4)},
		"cwtd": {0, 0, extendD(2)}, "cwd": {0, 0, extendD(2)}, "cltd": {0, 0, extendD(4)}, "cdq": {0, 0, extendD(4)}, "cqto": {0, 0, extendD(8)}, "cqo": {0, 0, extendD(8)},
		"cpuid": {0, 0, (*state).cpuid}, "rdtsc": {0, 0, (*state).rdtsc}, "rdtscp": {0, 0, (*state).rdtsc}, "syscall": {0, 0, (*state).syscall}, "ud2": {0, 0, (*state).trap}, "ud2a": {0, 0, (*state).trap},
		"jmp": {1, 1, (*state).jump}, "cmpxchg16b": {1, 1, (*state).compareWide}, "cmpxchg8b": {1, 1, (*state).compareWide},
	} {
		whole[n] = f
	}
	for n, f := range map[string]form{
		"mov": {2, 2, (*state).move}, "movabs": {2, 2, (*state).move}, "add": {2, 2, (*state).arithmetic}, "sub": {2, 2, (*state).arithmetic}, "adc": {2, 2, (*state).arithmetic},
		"sbb": {2, 2, (*state).arithmetic}, "cmp": {2, 2, (*state).arithmetic}, "and": {2, 2, (*state).arithmetic}, "or": {2, 2, (*state).arithmetic}, "xor": {2, 2, (*state).arithmetic},
		"test": {2, 2, (*state).arithmetic}, "inc": {1, 1, (*state).unary}, "dec": {1, 1, (*state).unary}, "neg": {1, 1, (*state).unary}, "not": {1, 1, (*state).unary},
		"bswap": {1, 1, (*state).unary}, "shl": {1, 2, (*state).shift}, "sal": {1, 2, (*state).shift}, "shr": {1, 2, (*state).shift}, "sar": {1, 2, (*state).shift},
		"rol": {1, 2, (*state).shift}, "ror": {1, 2, (*state).shift}, "rcl": {1, 2, (*state).shift}, "rcr": {1, 2, (*state).shift}, "shld": {3, 3, (*state).shiftDouble}, "shrd": {3, 3, (*state).shiftDouble},
		"xchg": {2, 2, (*state).exchange}, "xadd": {2, 2, (*state).exchange}, "cmpxchg": {2, 2, (*state).exchange}, "lea": {2, 2, (*state).lea}, "push": {1, 1, (*state).push}, "pop": {1, 1, (*state).pop},
		"bsf": {2, 2, (*state).scan}, "bsr": {2, 2, (*state).scan}, "popcnt": {2, 2, (*state).scan}, "tzcnt": {2, 2, (*state).scan}, "lzcnt": {2, 2, (*state).scan},
		"bt": {2, 2, (*state).bit}, "bts": {2, 2, (*state).bit}, "btr": {2, 2, (*state).bit}, "btc": {2, 2, (*state).bit},
		"mul": {1, 1, (*state).multiply}, "imul": {1, 3, (*state).multiply}, "div": {1, 1, (*state).divide}, "idiv": {1, 1, (*state).divide},
		"movs": {0, 0, (*state).block}, "stos": {0, 0, (*state).block}, "lods": {0, 0, (*state).block}, "scas": {0, 0, (*state).block}, "cmps": {0, 0, (*state).block},
		"pushf": {0, 0, (*state).push}, "popf": {0, 0, (*state).pop},
	} {
		sized[n] = f
	}
}

func (in *instr) strings() bool {
	return sized[in.name].most == 0 && !strings.HasSuffix(in.name, "f") && sized[in.name].do != nil
}

var suffixes = map[byte]int64{'b': 1, 'w': 2, 'l': 4, 'q': 8}

// instruction reads an instruction.
func (c *Code) instruction(name, rest string) (instr, error) {
	in := instr{name: name}
	unknown := fmt.Errorf("the instruction %s is not known", name)
	texts := arguments(rest)
	if f, ok := whole[name]; ok && name == "jmp" || !ok && name[0] == 'j' {
		cond, known := conditions[name[1:]]
		if in.cond, in.do = cond, f.do; !ok {
			in.do = (*state).jumpIf
		}
		if len(texts) != 1 || !ok && !known || strings.HasPrefix(texts[0], "*") || strings.HasPrefix(texts[0], "%") {
			return in, unknown
		}
		return in, nil
	}
	for _, t := range texts {
		a, err := c.argument(t)
		if err != nil {
			return in, err
		}
		in.args = append(in.args, a)
	}
	f, ok := c.form(&in)
	if !ok || len(in.args) < f.least || len(in.args) > f.most {
		return in, unknown
	}
	in.do = f.do
	return in, c.fits(&in)
}

// form finds what a name means, and the size of the operation.
func (c *Code) form(in *instr) (form, bool) {
	name := in.name
	if f, ok := vectors[name]; ok && (len(in.args) > 0) {
		return f, true
	}
	if f, ok := whole[name]; ok {
		return f, true
	}
	for _, p := range []string{"set", "cmov"} {
		rest, ok := strings.CutPrefix(name, p)
		if !ok {
			continue
		}
		if cond, known := conditions[rest]; known {
			in.cond, in.size = cond, 1
			if p == "cmov" {
				in.size = registerSize(in.args)
				return form{2, 2, (*state).moveIf}, in.size > 1
			}
			return form{1, 1, (*state).set}, true
		}
		if n := len(rest); n > 1 && p == "cmov" {
			if cond, known := conditions[rest[:n-1]]; known && suffixes[rest[n-1]] > 1 {
				in.cond, in.size = cond, suffixes[rest[n-1]]
				return form{2, 2, (*state).moveIf}, true
			}
		}
	}
	if len(in.args) == 2 && (strings.HasPrefix(name, "movz") || strings.HasPrefix(name, "movs")) && len(name) > 4 {
		in.size = suffixes[name[4]]
		if name[4] == 'x' {
			in.size = in.args[0].size
		}
		in.wide = in.args[1].size
		if len(name) == 6 {
			in.wide = suffixes[name[5]]
		}
		if in.size > 0 && in.wide > in.size {
			in.name = name[:4]
			return form{2, 2, (*state).extend}, true
		}
	}
	if f, ok := sized[name]; ok {
		if in.size = operationSize(name, in.args); in.size > 0 {
			return f, true
		}
	}
	n := len(name) - 1
	if size := suffixes[name[n]]; size > 0 {
		if f, ok := sized[name[:n]]; ok {
			in.name, in.size = name[:n], size
			return f, true
		}
	}
	return form{}, false
}

// operationSize is the size of an operation that no suffix says; 0 if it is not known.
func operationSize(name string, args []arg) int64 {
	if n := len(args); n > 0 && args[n-1].kind == register {
		return args[n-1].size
	}
	switch name {
	case "push", "pop", "pushf", "popf":
		return 8
	case "shl", "sal", "shr", "sar", "rol", "ror", "rcl", "rcr": // a register is the count
		return 0
	}
	return registerSize(args)
}

func registerSize(args []arg) int64 {
	for _, a := range args {
		if a.kind == register {
			return a.size
		}
	}
	return 0
}

// fits refuses operands that an instruction cannot have.
func (c *Code) fits(in *instr) error {
	if _, ok := vectors[in.name]; ok {
		return fitsVector(in)
	}
	memories := 0
	for i, a := range in.args {
		if a.kind == memory {
			memories++
		}
		if a.kind == vector {
			return fmt.Errorf("%s with a vector register is not known", in.name)
		}
		if a.kind == immediate && i == len(in.args)-1 && in.name != "push" && in.name != "nop" {
			return fmt.Errorf("%s to a constant is not known", in.name)
		}
		if a.kind == register && in.size > 1 && a.high {
			return fmt.Errorf("%s with half a register is not known", in.name)
		}
	}
	if memories > 1 {
		return fmt.Errorf("%s with two operands in memory is not known", in.name)
	}
	if in.name == "lea" && in.args[0].kind != memory || strings.HasPrefix(in.name, "cmpxchg") && len(in.args) == 1 && memories == 0 {
		return fmt.Errorf("%s without an address is not known", in.name)
	}
	return nil
}

// fitsVector refuses operands that an instruction on vectors cannot have.
func fitsVector(in *instr) error {
	from, to := in.args[0].kind, in.args[len(in.args)-1].kind
	moves := strings.HasPrefix(in.name, "mov")
	general := in.name == "movd" || in.name == "movq"
	switch {
	case len(in.args) != 2, from == immediate && in.name != "movq", to == immediate, from == memory && to == memory:
	case to == register && from == vector && (general || in.name == "pmovmskb"), to == memory && from == vector && moves:
		return nil
	case in.name == "pmovmskb" || to != vector && !(in.name == "movq" && from != vector):
	case from == register && !general, from == immediate && to == vector:
	default:
		return nil
	}
	return fmt.Errorf("%s with these operands is not known", in.name)
}
