package ctype

import "strings"

// This file recognizes types whose members only the C library knows: jmp_buf, pthread_mutex_t, FILE, va_list,
// sigset_t. Their contents differ on the abstract machine and are never shown.

// privateTags are such types whose members' names are not reserved for the library.
var privateTags = map[string]bool{"_IO_FILE": true, "__va_list_tag": true, "re_pattern_buffer": true, "fd_set": true}

// Private reports whether only the C library knows the members of type t. The names of such members are reserved
// for the library (C11 7.1.3): they begin with two underscores.
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
