// Package slice measures how much of a run must be read to find the cause of an
// error: all of it from the cause on, its dynamic slice, or the chain that a
// memory debugger prints (Wang, Neamtiu and Gupta, ISMM 2013, section 5.2, Table 3).
//
// A program built with gulo cc and GULO_TRACE_INFO=FOLDER writes what it executes to
// the file that GULO_TRACE names. Dependences are followed backward from the last
// instruction, breadth first, as the paper does: through registers, memory, calls and
// branches (Zhang, Gupta and Zhang, ICSE 2003). Instructions are LLVM's after
// cleanup, where the paper has those of x86. What library functions without
// instrumentation write has no origin here, except for memcpy and memmove.
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

// Function is the static part of a function: as cmd/gulo-instrument writes it.
type Function struct {
	ID     uint64  `json:"id"`
	Name   string  `json:"name"`
	File   string  `json:"file"`
	Blocks []int   `json:"blocks"`
	Succ   [][]int `json:"succ"`
	Insts  []Inst  `json:"insts"`

	control [][]int // by block: the blocks whose branches decide whether it runs
}

// Inst is an instruction. Operands are instructions, -1-k for parameter k, or
// NoOperand for what has no history; From are the blocks of a phi's operands.
type Inst struct {
	Op   string `json:"op"`
	Line uint   `json:"line"`
	Ops  []int  `json:"ops,omitempty"`
	From []int  `json:"from,omitempty"`
}

// NoOperand stands for constants and other operands that nothing computed.
const NoOperand = -1 << 30

// Kinds of records of a trace: the high byte of a record's first word. Below it are
// the bytes accessed and the instruction or block; the second word is an address, a
// size or a function.
const (
	RecordEnter = iota + 1
	RecordBlock
	RecordLoad
	RecordStore
	RecordCall
	RecordReturn
)

// Counts are the instructions to examine.
type Counts struct {
	Trace int // executed from the cause, the last time before the error, to the error
	Slice int // of the dynamic slice, visited before the cause is met
	Total int // executed in all
	Found bool
}

// ErrDamaged is the cause when a trace does not fit its program.
var ErrDamaged = errors.New("the trace does not fit the program")

// Load reads the static parts of a program's modules.
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

// Examine replays a trace and counts what lies between the error, its last
// instruction, and the cause: a line of a file.
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

// count walks back from the last instance.
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

// ControlDependences computes from the edges of a flow graph which branches decide
// about each block: b depends on a when one way out of a always leads to b and
// another need not (Ferrante, Ottenstein and Warren, TOPLAS 1987).
func ControlDependences(succ [][]int) [][]int {
	n := len(succ)
	// after[b] holds the blocks that every way from b to the end passes.
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
