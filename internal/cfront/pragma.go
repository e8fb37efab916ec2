package cfront

import (
	"sort"
	"strconv"

	"gulo/internal/source"

	"modernc.org/cc/v4"
)

// This file handles the pragmas that change what a program means: pack, weak and redefine_extname.
// The packing of a struct is the one in force at its closing brace, as in gcc.

// packings are the effects of a unit's pragmas.
type packings struct {
	list    []packing         // by #pragma pack, in the order of the tokens
	renamed map[string]string // by #pragma redefine_extname: what the linker calls a function
	weak    map[string]bool   // by #pragma weak
}

// packing is the limit of alignment from token at on.
type packing struct {
	at    int
	limit int64 // bytes, 0 for none
}

// read reads the pragmas of a unit. It returns an error for one that is not supported.
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

// packLimit is a limit that #pragma pack(push) has saved.
type packLimit struct {
	name  string // from push; may be ""
	limit int64
}

// applyPack executes one #pragma pack with these arguments; it returns false if it is not supported.
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

// popPack restores the last saved limit, or the last one with a name and drops those above it.
func popPack(name string, limit *int64, stack *[]packLimit) bool {
	for i := len(*stack) - 1; i >= 0; i-- {
		if l := (*stack)[i]; name == "" || l.name == name {
			*limit, *stack = l.limit, (*stack)[:i]
			return true
		}
	}
	return name != "" // gcc warns, and goes on
}

// pack returns the limit of alignment for the members of a struct whose closing brace is token end, 0 for none.
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
