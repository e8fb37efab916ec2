package cfront

import (
	"slices"
	"strconv"
	"strings"

	"gulo/internal/ctype"
	"gulo/internal/source"
)

// This file reads the flags of gcc that change what a text means, other than those that choose the
// language and those of the preprocessor.

// dialect is the effect of these flags on one file.
type dialect struct {
	unsignedChar bool   // -funsigned-char
	shortEnums   bool   // -fshort-enums
	pack         int64  // -fpack-struct: the greatest alignment of a member, 0 for none
	biggest      int64  // the greatest _Alignof of a type without an attribute; 0 for no limit
	wraps        bool   // -fwrapv
	unknown      string // a flag of otherMeanings, "" for none
}

// otherMeanings are flags that gulo does not support: they change the layout of types or the results of computations.
var otherMeanings = []string{
	"-m32", "-mx32", "-m16", "-fshort-wchar", "-funsigned-bitfields", "-fsingle-precision-constant", "-mlong-double-64", "-mlong-double-128", "-mms-bitfields", "-malign-double",
	"-fplan9-extensions", "-finstrument-functions", "-fexec-charset", "-fwide-exec-charset", "-finput-charset",
}

// dialectOf reads the flags of a file. Where flags contradict each other the last one counts.
func dialectOf(flags []string) dialect {
	var d dialect
	for _, f := range flags {
		switch name, value, _ := strings.Cut(f, "="); name {
		case "-funsigned-char", "-fno-signed-char":
			d.unsignedChar = true
		case "-fsigned-char", "-fno-unsigned-char":
			d.unsignedChar = false
		case "-fshort-enums":
			d.shortEnums = true
		case "-fno-short-enums":
			d.shortEnums = false
		case "-fpack-struct":
			d.pack = 1
			if n, err := strconv.ParseInt(value, 10, 32); err == nil && n > 0 {
				d.pack = n
			}
		case "-fno-pack-struct":
			d.pack = 0
		case "-fwrapv", "-fno-strict-overflow":
			d.wraps = true
		case "-fno-wrapv", "-fstrict-overflow", "-ftrapv":
			d.wraps = false
		default:
			if slices.Contains(otherMeanings, name) && !strings.EqualFold(value, "utf-8") {
				d.unknown = f
			}
		}
	}
	return d
}

// libraryOptions returns the options for the library functions that are written in C. They have the first file's
// flags for char, enumerations and the packing of structs, so that their types are those of the program.
func libraryOptions(files []*source.File, opt Options) Options {
	var out Options
	if len(files) == 0 {
		return out
	}
	first := opt.Unit(files[0].Name)
	for _, f := range first.Flags {
		switch name, _, _ := strings.Cut(f, "="); name {
		case "-funsigned-char", "-fno-signed-char", "-fsigned-char", "-fno-unsigned-char", "-fshort-enums", "-fno-short-enums", "-fpack-struct", "-fno-pack-struct":
			out.Flags = append(out.Flags, f)
		}
	}
	return out
}

// otherMachine returns the error message for flags that compile for another machine, "" if there are none.
func (d *dialect) otherMachine() string {
	switch d.unknown {
	case "-m32", "-mx32", "-m16":
		return "32-bit programs are not supported; leave " + d.unknown + " out"
	}
	return ""
}

// refusal returns the error for a file with unsupported flags, nil if all are supported.
func (d *dialect) refusal(f *source.File) error {
	if d.unknown == "" {
		return nil
	}
	if why := d.otherMachine(); why != "" {
		return source.Errorf(source.Position{File: f.Name, Line: 1, Column: 1}, "%s", why)
	}
	return source.Errorf(source.Position{File: f.Name, Line: 1, Column: 1}, "the flag %s is not supported", d.unknown)
}

// char is the type char.
func (d *dialect) char() *ctype.Type {
	if d.unsignedChar {
		return ctype.PlainUCharT
	}
	return ctype.CharT
}

// literalType is the type of the elements of a literal with a prefix.
func (d *dialect) literalType(prefix string) *ctype.Type {
	if t := literalTypes[prefix]; t != ctype.CharT {
		return t
	}
	return d.char()
}

// leastAlign returns _Alignof(t). For vectors that the processor has no registers for, it is less than
// __alignof__(t).
func (d *dialect) leastAlign(t *ctype.Type) int64 {
	if d.biggest > 0 && t.Align > d.biggest && vectorAligned(t, t.Align) {
		return d.biggest
	}
	return t.Align
}

// vectorAligned reports whether the alignment of a type comes from a vector that it is or contains.
func vectorAligned(t *ctype.Type, align int64) bool {
	switch t.Kind {
	case ctype.Vector:
		return t.Size == align
	case ctype.Array:
		return vectorAligned(t.Elem, align)
	case ctype.Struct, ctype.Union:
		return slices.ContainsFunc(t.Fields, func(f ctype.Field) bool { return vectorAligned(f.Type, align) })
	}
	return false
}
