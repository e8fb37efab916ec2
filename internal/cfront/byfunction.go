package cfront

import (
	"gulo/internal/cpp"
	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file reads a source file that gcc accepts but gulo cannot parse. It finds the functions by name and
// splits their bodies into statements, which are all opaque. Such a file can be debugged statement by
// statement, without its variables.

// byFunctions declares the functions of a file from token number from on. u is nil if the file could not be preprocessed.
func (c *converter) byFunctions(f *source.File, u *unit, from int, e *source.Error) {
	if u == nil {
		if u = lexical(f); u == nil {
			c.note(source.Range{File: f, Start: 0, End: 0}, e, true)
			return
		}
	}
	c.src = u
	starts := []int{from} // of the declarations since the last function
	for k := from; k < len(u.Tokens); k++ {
		switch u.Tokens[k].Text {
		case "(", "[":
			k = u.closing(k) - 1
		case ";":
			starts = append(starts, k+1)
		case "{":
			open := k
			k = u.closing(k) - 1
			prev := ""
			if open > 0 {
				prev = u.Tokens[open-1].Text
			}
			if prev != ")" && prev != ";" {
				continue // a struct or an initializer
			}
			for i := len(starts) - 1; i >= 0; i-- {
				if name, ok := u.declaredFunction(starts[i], open); ok {
					c.unread(starts[i], name, open, e)
					break
				}
				if prev == ")" {
					break
				}
			}
			starts = []int{k + 1}
		}
	}
}

// declaredFunction returns the token of the name of the function whose declaration begins at token first. It returns
// false if no function is declared before token end.
func (u *unit) declaredFunction(first, end int) (int, bool) {
	for i := first; i+1 < end; i++ {
		t := &u.Tokens[i]
		if t.Kind != cpp.Ident || u.Tokens[i+1].Text != "(" {
			if t.Text == ";" || t.Text == "=" {
				return 0, false
			}
			continue
		}
		switch t.Text {
		case "__attribute__", "__attribute", "__asm__", "asm", "__asm", "typeof", "__typeof__", "__typeof", "_Alignas", "__declspec":
			i = u.closing(i+1) - 1
			continue
		}
		return i, true
	}
	return 0, false
}

// unread declares a function with an opaque body. first, name and open are the tokens of the declaration's beginning,
// the function's name and its opening brace.
func (c *converter) unread(first, name, open int, e *source.Error) {
	static := false
	for i := first; i < name; i++ {
		static = static || c.src.Tokens[i].Text == "static"
	}
	t := &ctype.Type{Kind: ctype.Func, NoProto: true, Result: ctype.VoidT, Size: 1, Align: 1}
	r, _ := c.src.written(name)
	known := c.funcs[c.src.Tokens[name].Text] != nil
	f := c.namedFunction(c.src.Tokens[name].Text, t, static, r, false)
	if f.Body != nil || !r.Valid() {
		return
	}
	if !known {
		c.guessed[f] = true
	}
	f.Range = r
	f.Whole = c.src.span(first, open)
	c.fn = f
	c.opaqueBody(f, open, e)
	c.fn = nil
}

// lexical tokenizes a file without preprocessing it: directives are blanked out. It returns nil if that fails.
func lexical(f *source.File) *unit {
	text := append([]byte(nil), f.Text...)
	directive := false
	begins := true
	for i, b := range text {
		switch {
		case b == '\n':
			directive = directive && i > 0 && f.Text[i-1] == '\\'
			begins = true
			continue
		case begins && b == '#':
			directive = true
		case b != ' ' && b != '\t':
			begins = false
		}
		if directive {
			text[i] = ' '
		}
	}
	u, err := cpp.Preprocess(source.NewFile(f.Name, text), cpp.Config{})
	if err != nil || len(u.Files) == 0 {
		return nil
	}
	out := &unit{Unit: u, name: f.Name, whole: &translation{}}
	out.render()
	for range u.Files {
		out.files = append(out.files, f)
	}
	out.whole.files = out.files
	return out
}
