package process

import (
	"errors"
	"strings"
)

// Words splits a command as a shell does that expands nothing: by white space, with quotes
// and backslashes. It fails where a quote or a backslash has no end.
func Words(s string) ([]string, error) {
	var out []string
	var w strings.Builder
	open := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case ' ', '\t', '\n':
			if open {
				out = append(out, w.String())
				w.Reset()
				open = false
			}
		case '\\':
			if i++; i == len(s) {
				return nil, errors.New("it ends in a backslash")
			}
			w.WriteByte(s[i])
			open = true
		case '\'', '"':
			open = true
			for i++; ; i++ {
				if i >= len(s) {
					return nil, errors.New("a quote has no end")
				}
				if s[i] == c {
					break
				}
				if s[i] == '\\' && c == '"' && i+1 < len(s) && strings.IndexByte("\\\"$`", s[i+1]) >= 0 {
					i++
				}
				w.WriteByte(s[i])
			}
		default:
			w.WriteByte(c)
			open = true
		}
	}
	if open {
		out = append(out, w.String())
	}
	return out, nil
}
