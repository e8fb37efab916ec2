// Package slice measures how much of a run must be read to find the cause of an error (Wang, Neamtiu and Gupta, ISMM
// 2013, section 5.2, Table 3). It counts everything executed since the cause, and the part of it in the dynamic slice
// of the error. The paper compares these with the chain that a memory debugger prints.
//
// A program built with gulo cc and GULO_TRACE_INFO=FOLDER writes what it executes to the file that GULO_TRACE names.
// Dependences are followed backward from the last instruction, breadth first, as in the paper. They lead through
// registers, memory, calls and branches (Zhang, Gupta and Zhang, ICSE 2003). Instructions are those of LLVM after
// cleanup, while the paper counts those of x86. A value that a library function without instrumentation wrote has no
// origin here, except for memcpy and memmove.
package slice

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Function is a function in the static form that cmd/gulo-instrument writes.
type Function struct {
	ID     uint64  `json:"id"`
	Name   string  `json:"name"`
	File   string  `json:"file"`
	Blocks []int   `json:"blocks"`
	Succ   [][]int `json:"succ"`
	Insts  []Inst  `json:"insts"`

	control [][]int // by block: the blocks whose branches decide whether it runs
}

// Inst is an instruction. An operand is the index of an instruction, -1-k for parameter k, or NoOperand if nothing
// computed it. From lists the blocks that the operands of a phi belong to.
type Inst struct {
	Op   string `json:"op"`
	Line uint   `json:"line"`
	Ops  []int  `json:"ops,omitempty"`
	From []int  `json:"from,omitempty"`
}

// NoOperand stands for constants and other operands that no instruction computed.
const NoOperand = -1 << 30

// Kinds of records in a trace. A record has two words. The high byte of the first is the kind; below it are the number
// of bytes accessed and the index of the instruction or block. The second word is an address, a size or a function.
const (
	RecordEnter = iota + 1
	RecordBlock
	RecordLoad
	RecordStore
	RecordCall
	RecordReturn
)

// Counts are numbers of instructions to examine.
type Counts struct {
	Trace int  // executed from the last execution of the cause to the error
	Slice int  // visited in the dynamic slice before the cause is found
	Total int  // executed in the whole run
	Found bool // the slice contains the cause
}

// ErrDamaged says that a trace does not fit its program.
var ErrDamaged = errors.New("the trace does not fit the program")

// Load reads the functions of all modules of a program from the JSON files in dir. It returns them by ID.
func Load(dir string) (map[uint64]*Function, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	out := map[uint64]*Function{}
	for _, n := range names {
		f, err := os.Open(n)
		if err != nil {
			return nil, err
		}
		for d := json.NewDecoder(bufio.NewReader(f)); ; {
			fn := &Function{}
			if err = d.Decode(fn); err != nil {
				break
			}
			fn.control = ControlDependences(fn.Succ)
			out[fn.ID] = fn
		}
		f.Close()
		if err != io.EOF {
			return nil, fmt.Errorf("%s: %w", n, err)
		}
	}
	return out, nil
}

// Examine replays a trace and counts the instructions between the error, which is its last instruction, and the cause,
// which is a line of a file.
func Examine(fns map[uint64]*Function, trace, file string, line uint) (*Counts, error) {
	f, err := os.Open(trace)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := newReplay(fns)
	in := bufio.NewReaderSize(f, 1<<20)
	var rec [16]byte
	for {
		if _, err := io.ReadFull(in, rec[:]); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		if err := r.record(binary.LittleEndian.Uint64(rec[:8]), binary.LittleEndian.Uint64(rec[8:])); err != nil {
			return nil, err
		}
	}
	return r.count(func(fn *Function, l uint) bool { return l == line && strings.HasSuffix(fn.File, file) }), nil
}

// count goes back from the last instance to the cause, first through the whole trace, then through the slice.
func (r *replay) count(cause func(*Function, uint) bool) *Counts {
	c := &Counts{Total: len(r.list)}
	if len(r.list) == 0 {
		return c
	}
	end := int32(len(r.list) - 1)
	for i := end; i >= 0; i-- {
		if x := &r.list[i]; cause(x.fn, x.fn.Insts[x.inst].Line) {
			c.Trace = int(end - i)
			break
		}
	}
	seen := map[int32]bool{end: true}
	for todo := []int32{end}; len(todo) > 0; todo = todo[1:] {
		x := &r.list[todo[0]]
		c.Slice++
		if cause(x.fn, x.fn.Insts[x.inst].Line) && todo[0] != end {
			c.Found = true
			return c
		}
		for _, d := range r.deps[x.from:x.to] {
			if !seen[d] {
				seen[d] = true
				todo = append(todo, d)
			}
		}
	}
	return c
}

// ControlDependences computes from the edges of a flow graph which blocks end in a branch that decides about each
// block. b depends on a if one successor of a always leads to b and another need not (Ferrante, Ottenstein and Warren,
// TOPLAS 1987).
func ControlDependences(succ [][]int) [][]int {
	n := len(succ)
	// after[b] is the set of the blocks through which every path from b to the end goes.
	after := make([][]bool, n)
	for b := range after {
		after[b] = make([]bool, n)
		for k := range after[b] {
			after[b][k] = len(succ[b]) > 0 || k == b
		}
	}
	for again := true; again; {
		again = false
		for b := n - 1; b >= 0; b-- {
			if len(succ[b]) == 0 {
				continue
			}
			for k := range n {
				all := k == b
				if !all {
					all = true
					for _, s := range succ[b] {
						all = all && after[s][k]
					}
				}
				if after[b][k] != all {
					after[b][k], again = all, true
				}
			}
		}
	}
	out := make([][]int, n)
	for a := range n {
		if len(succ[a]) < 2 {
			continue
		}
		for b := range n {
			some := false
			for _, s := range succ[a] {
				some = some || after[s][b]
			}
			if some && (a == b || !after[a][b]) {
				out[b] = append(out[b], a)
			}
		}
	}
	return out
}
