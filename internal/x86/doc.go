// Package x86 runs inline assembly: the instructions of one asm statement of GNU C for x86-64, in AT&T syntax, on
// registers that begin and end with the statement.
//
// Statement.Parse reads the template with the constraints of the operands and refuses what it does not know, so that a Code
// runs to its end or to a fault. Code.Run binds the operands, executes, and gives the outputs back. Memory, time and
// system calls are those of an Env.
//
// Not here: jumps out of the statement (asm goto), x87, MMX and AVX instructions, segments other than the flat one,
// the stack pointer as an address, and the auxiliary carry flag.
package x86

// Operand is one operand of the statement, an output or an input.
type Operand struct {
	Constraint string // as written, without quotes; names of outputs are replaced by their numbers
	Name       string // symbolic; "" for none
	Size       int64  // in bytes
}

// Memory reports whether an operand is given by its address instead of its value.
func (o Operand) Memory() bool { return kindOf(o.Constraint) == memory }

// Env is what the instructions meet outside of the registers.
type Env interface {
	Load(addr uint64, to []byte) error
	Store(addr uint64, from []byte) error
	Time() uint64  // of rdtsc
	Stack() uint64 // an address on the stack
	Syscall(n uint64, args [6]uint64) (r uint64, err error)
	Trap() error // of ud2
}

// kind says where an operand is while the statement runs.
type kind uint8

const (
	register kind = iota
	vector
	memory
	immediate
	matching
	unknown
)

// fixed are the constraints that name one register.
var fixed = map[byte]int{'a': 0, 'c': 1, 'd': 2, 'b': 3, 'S': 6, 'D': 7}

// kindOf reads the first alternative of a constraint. Of several kinds it takes the one that compilers prefer without
// optimization for any operand: a register, then memory.
func kindOf(constraint string) kind {
	k := unknown
	for i := 0; i < len(constraint); i++ {
		switch c := constraint[i]; c {
		case ',':
			return k
		case '=', '+', '&', '%', '*', '?', '!', ' ':
		case 'r', 'q', 'Q', 'R', 'l', 'g', 'a', 'b', 'c', 'd', 'S', 'D', 'X', 'p':
			return register
		case 'x', 'v':
			return vector
		case 'm', 'o', 'V', '<', '>':
			k = memory
		case 'i', 'n', 'e', 'Z', 'I', 'J', 'K', 'L', 'M', 'N', 'O':
			if k == unknown {
				k = immediate
			}
		default:
			if c >= '0' && c <= '9' {
				return matching
			}
			return unknown
		}
	}
	return k
}
