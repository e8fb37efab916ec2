package machine

import (
	"math/bits"

	"gulo/internal/ctype"
)

// This file is gcc's builtin functions on bits, with ffs, which POSIX has too.

func init() {
	for suffix, width := range map[string]int{"": 32, "l": 64, "ll": 64} {
		register(map[string]builtin{
			"__builtin_clz" + suffix:      bitFunc(width, func(w uint64) int { return bits.LeadingZeros64(w) - (64 - width) }, true),
			"__builtin_ctz" + suffix:      bitFunc(width, bits.TrailingZeros64, true),
			"__builtin_popcount" + suffix: bitFunc(width, bits.OnesCount64, false),
			"__builtin_parity" + suffix:   bitFunc(width, func(w uint64) int { return bits.OnesCount64(w) & 1 }, false),
			"__builtin_ffs" + suffix:      bitFunc(width, findFirst, false),
			"ffs" + suffix:                bitFunc(width, findFirst, false),
			"__builtin_clrsb" + suffix: bitFunc(width, func(w uint64) int {
				s := int64(w<<(64-width)) >> (64 - width)
				return bits.LeadingZeros64(uint64(s^s>>63)) - (64 - width) - 1
			}, false),
		})
	}
	register(map[string]builtin{
		"__builtin_bswap16": swapFunc(func(w uint64) uint64 { return uint64(bits.ReverseBytes16(uint16(w))) }),
		"__builtin_bswap32": swapFunc(func(w uint64) uint64 { return uint64(bits.ReverseBytes32(uint32(w))) }),
		"__builtin_bswap64": swapFunc(bits.ReverseBytes64),
	})
}

func findFirst(w uint64) int {
	if w == 0 {
		return 0
	}
	return bits.TrailingZeros64(w) + 1
}

// bitFunc makes a library function that applies f to the low width bits of its
// argument. With noZero, an argument of zero is a fault.
func bitFunc(width int, f func(uint64) int, noZero bool) builtin {
	return func(m *Machine, c *libCall) (ctype.Word, *Fault) {
		w := c.arg(0) << (64 - width) >> (64 - width)
		if w == 0 && noZero {
			return 0, m.fault(BadLibraryCall, 0, "%s of zero", c.name)
		}
		return ctype.Word(f(w)), nil
	}
}

func swapFunc(f func(uint64) uint64) builtin {
	return func(m *Machine, c *libCall) (ctype.Word, *Fault) { return f(c.arg(0)), nil }
}
