package session

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/eval"
	"gulo/internal/plural"
)

// This file has the command type, print with a format letter, and the names that gdb has for commands.

// gdbs translates commands of gdb to the commands here that do the same.
var gdbs = []struct {
	is *regexp.Regexp
	by string
}{
	{regexp.MustCompile(`^(?:run|r)\b\s*(.*)$`), "start $1"},
	{regexp.MustCompile(`^(?:call|inspect|output)\s+(.*)$`), "print $1"},
	{regexp.MustCompile(`^(?:jump|j)\s+(\d+)$`), "goto $1"},
	{regexp.MustCompile(`^set\s+(?:var(?:iable)?\s+)?([^=]*[^=!<>\s])\s*=\s*([^=].*)$`), "change $1 $2"},
	{regexp.MustCompile(`^info\s+(?:locals|args)$`), "state"},
	{regexp.MustCompile(`^info\s+(?:breakpoints|break|b)$`), "break"},
	{regexp.MustCompile(`^info\s+watchpoints$`), "watch"},
	{regexp.MustCompile(`^info\s+(?:stack|frame|s|f)$`), "where"},
	{regexp.MustCompile(`^info\s+threads$`), "threads"},
	{regexp.MustCompile(`^info\s+(?:source|line)$`), "list"},
	{regexp.MustCompile(`^(?:ptype|whatis)\s+(.*)$`), "type $1"},
	{regexp.MustCompile(`^(?:print|p)/([a-zA-Z])\s+(.*)$`), "print /$1 $2"},
}

// asHere translates a command of gdb; it returns other commands unchanged.
func asHere(text string) string {
	for _, g := range gdbs {
		if g.is.MatchString(text) {
			return strings.TrimSpace(g.is.ReplaceAllString(text, g.by))
		}
	}
	return text
}

var notation = regexp.MustCompile(`^/([a-zA-Z])\s+(.+)$`)

// printAs prints a number in another notation, as gdb's print/x does.
func (s *drawing) printAs(letter, text string) error {
	x, n, err := s.expression(text)
	if err != nil {
		return errorf("%v", err)
	}
	t := x.Type()
	if !t.IsInteger() && t.Kind != ctype.Pointer {
		return errorf("print /%s takes an integer or a pointer; %s is of type %s", letter, text, t)
	}
	if err := s.beyond(n, x); err != nil {
		return errorf("cannot evaluate %s: %v", text, err)
	}
	w, err := eval.Value(n, x)
	if err != nil {
		return errorf("cannot evaluate %s: %v", text, err)
	}
	if n.unwritten {
		s.printf("%s = ?\n", text)
		return nil
	}
	bits := w
	if t.Size < 8 {
		bits &= 1<<(8*t.Size) - 1
	}
	switch letter {
	case "x":
		s.printf("%s = %#x\n", text, bits)
	case "o":
		s.printf("%s = %#o\n", text, bits)
	case "t":
		s.printf("%s = %b\n", text, bits)
	case "u":
		s.printf("%s = %d\n", text, bits)
	case "d":
		s.printf("%s = %d\n", text, int64(bits<<(64-8*t.Size))>>(64-8*t.Size))
	case "c":
		s.printf("%s = %s\n", text, strconv.QuoteRune(rune(byte(bits))))
	default:
		return errorf("print /%s is not known; the notations are x (hexadecimal), o (octal), t (binary), d, u and c (a character)", letter)
	}
	return nil
}

// typeCmd says what type an expression has, or what a type is made of.
func (s *drawing) typeCmd(_ context.Context, args string) error {
	if !s.started || s.img == nil {
		return errorf("the program is not running; use start")
	}
	if args == "" {
		return errorf("the type of what? for example: type head, or type struct node")
	}
	var t *ctype.Type
	named := false
	if x, _, err := s.expression("(" + args + " *)0"); err == nil && x.Type().Kind == ctype.Pointer {
		t, named = x.Type().Elem, true
	} else if of := s.parseType(args); of != nil { // a type of a file that view has read
		t, named = of, true
	} else if x, _, err := s.expression(args); err != nil {
		return errorf("%v", err)
	} else {
		if t = x.Type(); t.Kind == ctype.Pointer {
			if v, ok := s.declared(args); ok {
				t = v
			}
		}
		s.printf("%s is of type %s, %s\n", args, t, plural.N(t.Size, "byte"))
	}
	of := t
	for of.Kind == ctype.Pointer || of.Kind == ctype.Array {
		of = of.Elem
	}
	if !of.IsAggregate() {
		if named {
			s.printf("%s: %s\n", t, plural.N(t.Size, "byte"))
		}
		return nil
	}
	if len(of.Fields) == 0 {
		s.printf("%s is not defined here\n", of)
		return nil
	}
	s.printf("%s {\n", of)
	for i := range of.Fields {
		f := &of.Fields[i]
		text, at := f.Type.Decl(f.Name), fmt.Sprintf("at %d", f.Offset)
		if f.BitLen > 0 {
			text += fmt.Sprintf(" : %d", f.BitLen)
			at += fmt.Sprintf(", bit %d", f.BitOff)
		}
		s.printf("    %-32s // %s\n", text+";", at)
	}
	s.printf("}; // %s\n", plural.N(of.Size, "byte"))
	return nil
}

// declared returns the declared type of a variable in the picture, where an array has not decayed to a pointer.
func (s *drawing) declared(name string) (*ctype.Type, bool) {
	for _, v := range s.graph.Vars {
		if v.Name == name {
			return v.Type, true
		}
	}
	return nil, false
}
