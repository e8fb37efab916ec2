package machine

import (
	"strings"

	"gulo/internal/ctype"
)

// This file is gcc's __sync and __atomic functions. Threads are never switched inside a library
// call, so each function is atomic as it stands. It works on the type that its first argument
// points to.

func init() {
	for _, op := range []string{"add", "sub", "and", "or", "xor", "nand"} {
		for _, n := range []string{"__sync_fetch_and_" + op, "__sync_" + op + "_and_fetch", "__atomic_fetch_" + op, "__atomic_" + op + "_fetch"} {
			builtins[n] = libFetch(op, strings.Contains(n, "_fetch_"))
		}
	}
	register(map[string]builtin{
		"__sync_bool_compare_and_swap": libSyncSwap, "__sync_val_compare_and_swap": libSyncSwap,
		"__sync_lock_test_and_set": libExchange, "__sync_lock_release": libClear, "__sync_synchronize": constant(0),
		"__atomic_load_n": libAtomicLoad, "__atomic_store_n": libAtomicStore, "__atomic_exchange_n": libExchange, "__atomic_compare_exchange_n": libCompareExchange,
		"__atomic_load": libAtomicCopy(1, 0), "__atomic_store": libAtomicCopy(0, 1), "__atomic_exchange": libAtomicExchange, "__atomic_compare_exchange": libCompareExchange,
		"__atomic_thread_fence": constant(0), "__atomic_signal_fence": constant(0), "__atomic_test_and_set": libTestAndSet, "__atomic_clear": libClear,
		"__atomic_always_lock_free": constant(1), "__atomic_is_lock_free": constant(1),
		"atomic_thread_fence": constant(0), "atomic_signal_fence": constant(0),
	})
}

// pointee is the type that the first argument points to.
func (c *libCall) pointee() *ctype.Type {
	if c.info != nil && len(c.info.Types) > 0 && c.info.Types[0].Kind == ctype.Pointer {
		if t := c.info.Types[0].Elem; t.Size > 0 && t.Kind != ctype.Void {
			return t
		}
	}
	return ctype.UCharT
}

// wordOf is the type that a pointee is computed with: pointers as numbers.
func wordOf(t *ctype.Type) *ctype.Type {
	if t.Kind == ctype.Pointer {
		return ctype.ULongT
	}
	return t
}

// narrowPointee is the pointee where it fits a word; others are refused.
func narrowPointee(m *Machine, c *libCall) (*ctype.Type, *Fault) {
	t := c.pointee()
	if t.IsAggregate() && t.Size == 1 { // atomic_flag
		t = ctype.UCharT
	}
	if !t.IsScalar() {
		return nil, m.fault(Unsupported, 0, "%s on a %s is not supported", c.name, t)
	}
	return t, nil
}

func libFetch(op string, old bool) builtin {
	return func(m *Machine, c *libCall) (ctype.Word, *Fault) {
		t, f := narrowPointee(m, c)
		if f != nil {
			return 0, f
		}
		w, f := m.load(c.arg(0), t)
		if f != nil {
			return 0, f
		}
		v, wt := c.arg(1), wordOf(t)
		var r ctype.Word
		switch op { // what overflows wraps
		case "add":
			r = w + v
		case "sub":
			r = w - v
		case "and":
			r = w & v
		case "or":
			r = w | v
		case "xor":
			r = w ^ v
		default:
			r = ^(w & v)
		}
		r = ctype.Wrap(wt, r)
		if f := m.store(c.arg(0), t, r); f != nil || old {
			return w, f
		}
		return r, nil
	}
}

func libSyncSwap(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t, f := narrowPointee(m, c)
	if f != nil {
		return 0, f
	}
	w, f := m.load(c.arg(0), t)
	if f != nil {
		return 0, f
	}
	same := w == ctype.Wrap(t, c.arg(1))
	if same {
		f = m.store(c.arg(0), t, c.arg(2))
	}
	if strings.Contains(c.name, "bool") {
		return b2w(same), f
	}
	return w, f
}

func libExchange(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t, f := narrowPointee(m, c)
	if f != nil {
		return 0, f
	}
	var w ctype.Word
	if c.info == nil || !c.info.Dropped { // else nothing is done with what was there
		if w, f = m.load(c.arg(0), t); f != nil {
			return 0, f
		}
	}
	return w, m.store(c.arg(0), t, c.arg(1))
}

func libClear(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t, f := narrowPointee(m, c)
	if f != nil {
		return 0, f
	}
	return 0, m.store(c.arg(0), t, 0)
}

func libTestAndSet(m *Machine, c *libCall) (ctype.Word, *Fault) {
	w, f := m.load(c.arg(0), ctype.UCharT)
	if f != nil {
		return 0, f
	}
	return b2w(w != 0), m.store(c.arg(0), ctype.UCharT, 1)
}

func libAtomicLoad(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t, f := narrowPointee(m, c)
	if f != nil {
		return 0, f
	}
	return m.load(c.arg(0), t)
}

func libAtomicStore(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t, f := narrowPointee(m, c)
	if f != nil {
		return 0, f
	}
	return 0, m.store(c.arg(0), t, c.arg(1))
}

// libAtomicCopy copies a value of any type between two arguments.
func libAtomicCopy(dst, src int) builtin {
	return func(m *Machine, c *libCall) (ctype.Word, *Fault) {
		return 0, m.copyBytes(c.arg(dst), c.arg(src), c.pointee().Size)
	}
}

func libAtomicExchange(m *Machine, c *libCall) (ctype.Word, *Fault) {
	n := c.pointee().Size
	b, f := m.bytes(c.arg(0), n, true)
	if f != nil {
		return 0, f
	}
	old := append([]byte(nil), b...)
	if f := m.copyBytes(c.arg(0), c.arg(1), n); f != nil {
		return 0, f
	}
	return 0, m.putBytes(c.arg(2), old)
}

// libCompareExchange is __atomic_compare_exchange and, with the new value itself,
// __atomic_compare_exchange_n.
func libCompareExchange(m *Machine, c *libCall) (ctype.Word, *Fault) {
	t := c.pointee()
	a, f := m.bytes(c.arg(0), t.Size, true)
	if f != nil {
		return 0, f
	}
	b, f := m.bytes(c.arg(1), t.Size, true)
	if f != nil {
		return 0, f
	}
	if string(a) != string(b) {
		return 0, m.putBytes(c.arg(1), append([]byte(nil), a...))
	}
	if strings.HasSuffix(c.name, "_n") {
		return 1, m.store(c.arg(0), t, c.arg(2))
	}
	return 1, m.copyBytes(c.arg(0), c.arg(2), t.Size)
}
