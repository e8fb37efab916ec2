package output

import (
	"fmt"
	"strconv"
	"strings"
)

// This file finds conversions that print a value as it is wanted.

// reformatted returns the conversion that fits the most uses. It computes the new output of each use from the output of
// the old conversion.
func reformatted(conv string, us []use) string {
	best, most := conv, 0
	for i, c := range append([]string{conv}, similar(conv, us)...) {
		n := 0
		told := map[string]bool{}
		for _, u := range us {
			if t, ok := printed(c, conv, u.old); ok && t == u.text {
				n++
				if t != u.old {
					told[t] = true
				}
			}
		}
		if (n > most || i == 0) && (i == 0 || !otherBase(conv, c) || tellsBase(told)) {
			best, most = c, n
		}
	}
	return best
}

// leastBase is the number of different numbers that must fit before another base is taken.
const leastBase = 3

// otherBase reports whether conv writes in base 8 or 16 and was does not.
func otherBase(was, conv string) bool {
	base := func(c string) bool { return strings.IndexByte("xXo", c[len(c)-1]) >= 0 }
	return base(conv) && !base(was)
}

// tellsBase reports whether numbers written in another base show that this base is meant: one has a letter, or there
// are several. A single wrong number may look like the right one in octal by chance.
func tellsBase(told map[string]bool) bool {
	for t := range told {
		if strings.ContainsAny(t, "abcdefABCDEF") {
			return true
		}
	}
	return len(told) >= leastBase
}

// similar lists other conversions for the same value.
func similar(conv string, us []use) []string {
	m := conversion.FindStringSubmatch(conv)
	if m == nil {
		return nil
	}
	size, kind := m[4], m[5]
	var out []string
	switch kind {
	case "d", "i", "u", "c":
		out = append(out, "%"+size+"d", "%c")
		for w := 2; w <= 10; w++ {
			out = append(out, fmt.Sprintf("%%%d%sd", w, size), fmt.Sprintf("%%0%d%sd", w, size), fmt.Sprintf("%%-%d%sd", w, size))
		}
		out = append(out, "%"+size+"x", "%"+size+"X", "%"+size+"o", "%+"+size+"d")
	case "f", "e", "g", "F", "G", "E":
		for d := 0; d <= 6; d++ {
			out = append(out, fmt.Sprintf("%%.%d%sf", d, size))
		}
		out = append(out, "%"+size+"g")
		for w := 2; w <= 10; w++ {
			for d := 0; d <= 4; d++ {
				out = append(out, fmt.Sprintf("%%%d.%d%sf", w, d, size), fmt.Sprintf("%%0%d.%d%sf", w, d, size))
			}
		}
	case "s":
		out = append(out, "%s")
		for w := 2; w <= 20; w++ {
			out = append(out, fmt.Sprintf("%%%ds", w), fmt.Sprintf("%%-%ds", w))
		}
	case "x", "X", "o":
		out = append(out, "%"+size+"x", "%"+size+"X", "%"+size+"o", "%"+size+"d", "%02"+size+"x", "%04"+size+"x", "%08"+size+"x", "%#"+size+"x")
	}
	return out
}

// printed returns the output of conversion conv for a value that conversion was printed as old; false if that is
// unknown.
func printed(conv, was, old string) (string, bool) {
	if conv == was {
		return old, true
	}
	kind, before := conv[len(conv)-1], was[len(was)-1]
	goConv := unsized.Replace(conv)
	trimmed := strings.TrimSpace(old)
	switch {
	case kind == 's':
		return fmt.Sprintf(goConv, old), before == 's'
	case strings.IndexByte("fge", kind) >= 0:
		v, err := strconv.ParseFloat(trimmed, 64)
		return fmt.Sprintf(goConv, v), err == nil && strings.IndexByte("fFeEgG", before) >= 0
	}
	var v int64
	var err error
	switch before {
	case 'c':
		if len(old) != 1 {
			return "", false
		}
		v = int64(old[0])
	case 'x', 'X':
		v, err = strconv.ParseInt(strings.TrimPrefix(trimmed, "0x"), 16, 64)
	case 'o':
		v, err = strconv.ParseInt(trimmed, 8, 64)
	default:
		v, err = strconv.ParseInt(trimmed, 10, 64)
	}
	if err != nil {
		return "", false
	}
	if kind == 'c' {
		return string([]byte{byte(v)}), v > 0 && v < 128
	}
	return fmt.Sprintf(goConv, v), true
}
