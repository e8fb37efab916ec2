package machine

import "gulo/internal/ctype"

// This file is fenv.h as far as the machine has an environment: it rounds to nearest, and
// notes no exceptions.

func init() {
	register(map[string]builtin{"fegetround": constant(0), "fesetround": libFesetround, "__flt_rounds": constant(1)})
}

func libFesetround(m *Machine, c *libCall) (ctype.Word, *Fault) {
	switch c.int(0) {
	case 0:
		return 0, nil
	case 0x400, 0x800, 0xc00:
		return 0, m.fault(Unsupported, 0, "a rounding mode other than to nearest is not supported")
	}
	return 1, nil
}
