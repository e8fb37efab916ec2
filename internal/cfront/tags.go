package cfront

import (
	"strings"

	"gulo/internal/cpp"
	"gulo/internal/ctype"
)

// This file handles tags that several source files define. A struct is one type for all source
// files. If two files define a tag with different texts, as C allows, each file has a type of its
// own, and so have the types that mention it.

// definition is a declaration outside of functions that defines tags or type names.
type definition struct {
	tags    []string // struct and union tags that it defines
	names   []string // type names that it defines, if it is a typedef
	text    string
	mention []string // identifiers in it
}

// ownTags returns the tags of a unit whose types differ from those of earlier units, as keys of a map for
// converter.private. It also has type names that mention such tags.
func (c *converter) ownTags(u *unit) map[string]*ctype.Type {
	defs := definitions(u)
	own := map[string]bool{}
	for _, d := range defs {
		for _, t := range d.tags {
			old, met := c.spelled[t]
			if !met {
				c.spelled[t] = d.text
			} else if old != d.text {
				own[t] = true
			}
		}
	}
	if len(own) == 0 {
		return nil
	}
	for again := true; again; {
		again = false
		for _, d := range defs {
			hit := false
			for _, m := range d.mention {
				hit = hit || own[m]
			}
			if !hit {
				continue
			}
			for _, n := range append(d.tags, d.names...) {
				again = again || !own[n]
				own[n] = true
			}
		}
	}
	out := map[string]*ctype.Type{}
	for t := range own {
		out[t] = nil
	}
	return out
}

// definitions lists the declarations of structs, unions and type names of a unit.
func definitions(u *unit) []definition {
	var out []definition
	start, braces := 0, false
	for k := 0; k < len(u.Tokens); k++ {
		switch u.Tokens[k].Text {
		case "(", "[":
			k = u.closing(k) - 1
		case "{":
			prev := ""
			if k > 0 {
				prev = u.Tokens[k-1].Text
			}
			k = u.closing(k) - 1
			if braces = true; prev == ")" {
				start, braces = k+1, false // the body of a function
			}
		case ";":
			if braces || u.Tokens[start].Text == "typedef" || start+1 < k && u.Tokens[start+1].Text == "typedef" {
				if d, ok := u.definition(start, k); ok {
					out = append(out, d)
				}
			}
			start, braces = k+1, false
		}
	}
	return out
}

// definition reads the declaration of the tokens from first up to end.
func (u *unit) definition(first, end int) (d definition, ok bool) {
	var text strings.Builder
	seen := map[string]bool{}
	typedef := false
	for i := first; i < end; i++ {
		t := &u.Tokens[i]
		text.WriteString(t.Text)
		text.WriteByte(' ')
		if t.Kind != cpp.Ident {
			continue
		}
		switch t.Text {
		case "typedef":
			typedef = true
		case "struct", "union":
			if i+2 < end && u.Tokens[i+1].Kind == cpp.Ident && u.Tokens[i+2].Text == "{" {
				d.tags = append(d.tags, u.Tokens[i+1].Text)
			}
		default:
			if !seen[t.Text] {
				seen[t.Text] = true
				d.mention = append(d.mention, t.Text)
			}
		}
	}
	if typedef {
		depth := 0
		for i := first; i < end; i++ {
			t := &u.Tokens[i]
			switch t.Text {
			case "{", "[":
				depth++
			case "}", "]":
				depth--
			}
			if depth == 0 && t.Kind == cpp.Ident && i+1 <= end {
				switch u.Tokens[i+1].Text {
				case ";", ",", ")", "[":
					d.names = append(d.names, t.Text)
				}
			}
		}
	}
	d.text = text.String()
	return d, len(d.tags) > 0 || len(d.names) > 0
}
