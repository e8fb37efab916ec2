package cfront

import (
	"regexp"
	"sort"
	"strconv"

	"gulo/internal/source"

	"modernc.org/cc/v4"
)

// This file is pragmas that change what a program means: #pragma pack. The
// parser drops pragmas, so their places are noted while it preprocesses, and a
// struct asks for what holds at its closing brace, as gcc does.
//
// A file that leaves another limit behind than it found, and an #include
// where a limit holds, are refused: then the order of files would matter, too.

// packings are the pragmas of one translation unit by file.
type packings map[string][]packing

// packing is one #pragma pack.
type packing struct {
	off   int
	toks  []string // what stands in its parentheses
	pos   source.Position
	limit int64 // bytes that hold behind it, 0 for none
}

var includeLine = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include`)

// note is the parser's handler of pragmas; toks begin with the pragma's name.
func (p packings) note(toks []cc.Token) error {
	if len(toks) == 0 {
		return nil
	}
	at := toks[0].Position()
	pos := source.Position{File: at.Filename, Line: at.Line, Column: at.Column}
	switch toks[0].SrcStr() {
	case "scalar_storage_order":
		return source.Errorf(pos, "#pragma scalar_storage_order is not supported")
	case "pack":
	default:
		return nil
	}
	e := packing{off: at.Offset, pos: pos, limit: -1}
	for _, t := range toks[1:] {
		if s := t.SrcStr(); s != "(" && s != ")" && s != "," {
			e.toks = append(e.toks, s)
		}
	}
	list := p[at.Filename]
	i := sort.Search(len(list), func(i int) bool { return list[i].off >= e.off })
	if i == len(list) || list[i].off != e.off { // else its file is included once more
		list = append(list[:i], append([]packing{e}, list[i:]...)...)
		p[at.Filename] = list
	}
	return nil
}

// resolve computes what holds behind each pragma.
func (c *converter) resolve(p packings, main string) error {
	for name, list := range p {
		f := c.file(name)
		if f == nil {
			return source.Errorf(list[0].pos, "_Pragma(\"pack\") is not supported")
		}
		var stack []int64
		limit := int64(0)
		for i := range list {
			e := &list[i]
			if !e.apply(&limit, &stack) {
				return source.Errorf(e.pos, "this form of #pragma pack is not supported")
			}
			e.limit = limit
			end := len(f.Text)
			if i+1 < len(list) {
				end = list[i+1].off
			}
			if limit == 0 || e.off > end {
				continue
			}
			if loc := includeLine.FindIndex(f.Text[e.off:end]); loc != nil {
				return source.Errorf(f.Position(e.off+loc[0]), "#include under #pragma pack is not supported")
			}
			if i+1 == len(list) && name != main {
				return source.Errorf(e.pos, "#pragma pack that holds beyond its file is not supported")
			}
		}
	}
	return nil
}

// apply executes one pragma.
func (e *packing) apply(limit *int64, stack *[]int64) bool {
	toks := e.toks
	if len(toks) == 0 {
		*limit = 0
		return true
	}
	switch toks[0] {
	case "push":
		*stack = append(*stack, *limit)
		toks = toks[1:]
	case "pop":
		n := len(*stack)
		if n == 0 || len(toks) > 1 {
			return false
		}
		*limit, *stack = (*stack)[n-1], (*stack)[:n-1]
		return true
	}
	if len(toks) == 0 {
		return true
	}
	n, err := strconv.ParseInt(toks[0], 0, 64)
	switch {
	case err != nil || len(toks) > 1:
		return false
	case n == 0:
		*limit = 0
	case n == 1 || n == 2 || n == 4 || n == 8 || n == 16:
		*limit = n
	}
	return true // gcc ignores other numbers
}

// pack returns the limit for the members of a struct that ends with a token.
func (c *converter) pack(end cc.Token) int64 {
	at := end.Position()
	limit := int64(0)
	for _, e := range c.packings[at.Filename] {
		if e.off < at.Offset {
			limit = e.limit
		}
	}
	return limit
}
