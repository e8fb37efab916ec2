package ctype

import "strings"

// This file tells the types apart whose members are the C library's own: jmp_buf, pthread_mutex_t, FILE, va_list,
// sigset_t. What they hold is another library's to know, and another one on the machine; nobody shows it.

// privateTags are such types whose members have names that programs could give, too.
var privateTags = map[string]bool{"_IO_FILE": true, "__va_list_tag": true, "re_pattern_buffer": true, "fd_set": true}

// Private reports whether only the C library knows what a value of type t is made of. Its types have names
// of members that are reserved for it (C11 7.1.3): they begin with two underscores.
func (t *Type) Private() bool {
	for t.Kind == Array {
		t = t.Elem
	}
	if !t.IsAggregate() {
		return false
	}
	if privateTags[t.TagName()] {
		return true
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Name == "" && f.BitLen > 0 {
			continue
		}
		if !strings.HasPrefix(f.Name, "__") && !(f.Name == "" && f.Type.Private()) {
			return false
		}
	}
	return len(t.Fields) > 0
}
