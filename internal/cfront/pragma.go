package cfront

import (
	"sort"
	"strconv"

	"gulo/internal/source"

	"modernc.org/cc/v4"
)

// This file is pragmas that change what a program means: #pragma pack, weak and redefine_extname.
// A struct asks for what holds at its closing brace, as gcc does.

// packings are the limits that #pragma pack sets, in the order of the tokens.
type packings struct {
	list    []packing
	renamed map[string]string // by #pragma redefine_extname: what the linker calls a function
	weak    map[string]bool   // by #pragma weak
}

// packing is what holds from a token on.
type packing struct {
	at    int
	limit int64 // bytes, 0 for none
}

// read takes the pragmas of a unit.
func (p *packings) read(u *unit) error {
	var stack []packLimit
	limit := int64(0)
	p.renamed, p.weak = map[string]string{}, map[string]bool{}
	for _, pr := range u.Pragmas {
		pos := source.Position{File: u.name}
		if t := pr.Toks[0]; t.Exp == 0 {
			pos = u.files[t.File].Position(int(t.Off))
		}
		switch pr.Toks[0].Text {
		case "scalar_storage_order":
			return source.Errorf(pos, "#pragma scalar_storage_order is not supported")
		case "pack":
		case "redefine_extname":
			if len(pr.Toks) == 3 {
				p.renamed[pr.Toks[1].Text] = pr.Toks[2].Text
			}
			continue
		case "weak":
			if len(pr.Toks) != 2 { // weak a = b
				return source.Errorf(pos, "this form of #pragma weak is not supported")
			}
			p.weak[pr.Toks[1].Text] = true
			continue
		default:
			continue
		}
		var words []string
		for _, t := range pr.Toks[1:] {
			if t.Text != "(" && t.Text != ")" && t.Text != "," {
				words = append(words, t.Text)
			}
		}
		if !applyPack(words, &limit, &stack) {
			return source.Errorf(pos, "this form of #pragma pack is not supported")
		}
		p.list = append(p.list, packing{pr.At, limit})
	}
	return nil
}

// packLimit is what #pragma pack(push) has kept.
type packLimit struct {
	name  string // push may give one
	limit int64
}

// applyPack executes one pragma.
func applyPack(words []string, limit *int64, stack *[]packLimit) bool {
	if len(words) == 0 {
		*limit = 0
		return true
	}
	name := ""
	if len(words) > 1 && (words[1][0] < '0' || words[1][0] > '9') {
		name = words[1]
		words = append([]string{words[0]}, words[2:]...)
	}
	switch words[0] {
	case "push":
		*stack = append(*stack, packLimit{name, *limit})
		if words = words[1:]; len(words) == 0 {
			return true
		}
	case "pop":
		if !popPack(name, limit, stack) {
			return false
		}
		if words = words[1:]; len(words) == 0 {
			return true
		}
	}
	n, err := strconv.ParseInt(words[0], 0, 64)
	switch {
	case err != nil || len(words) > 1:
		return false
	case n == 0:
		*limit = 0
	case n == 1 || n == 2 || n == 4 || n == 8 || n == 16:
		*limit = n
	}
	return true // gcc ignores other numbers
}

// popPack takes the last limit from the stack, or all up to the last with a name.
func popPack(name string, limit *int64, stack *[]packLimit) bool {
	for i := len(*stack) - 1; i >= 0; i-- {
		if l := (*stack)[i]; name == "" || l.name == name {
			*limit, *stack = l.limit, (*stack)[:i]
			return true
		}
	}
	return name != "" // gcc warns, and goes on
}

// pack returns the limit for the members of a struct that ends with a token.
func (c *converter) pack(end cc.Token) int64 {
	at, ok := c.where(end)
	list := c.packings.list
	if !ok || len(list) == 0 {
		return c.dialect.pack
	}
	i := sort.Search(len(list), func(i int) bool { return list[i].at > at })
	if i == 0 || list[i-1].limit == 0 {
		return c.dialect.pack
	}
	return list[i-1].limit
}
