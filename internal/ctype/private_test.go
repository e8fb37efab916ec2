package ctype

import "testing"

func TestPrivate(t *testing.T) {
	field := func(name string) Field { return Field{Name: name, Type: IntT} }
	jump := &Type{Kind: Struct, Tag: "__jmp_buf_tag", Fields: []Field{field("__jmpbuf"), field("__mask_was_saved")}}
	list := &Type{Kind: Struct, Tag: "__va_list_tag", Fields: []Field{field("gp_offset")}}
	inner := &Type{Kind: Union, Fields: []Field{field("__a"), field("__b")}}
	for _, x := range []*Type{jump, ArrayOf(jump, 1), ArrayOf(ArrayOf(jump, 2), 3), list, {Kind: Struct, Fields: []Field{{Type: inner}}}} {
		if !x.Private() {
			t.Errorf("%s is said to be anybody's", x)
		}
	}
	mixed := &Type{Kind: Struct, Fields: []Field{field("__count"), field("next")}}
	open := &Type{Kind: Union, Fields: []Field{field("a")}}
	for _, x := range []*Type{IntT, PointerTo(jump), mixed, {Kind: Struct, Tag: "empty"}, {Kind: Struct, Tag: "s"}, {Kind: Struct, Fields: []Field{{Type: open}}}} {
		if x.Private() {
			t.Errorf("%s is said to be the library's own", x)
		}
	}
}
