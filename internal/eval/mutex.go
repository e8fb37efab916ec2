package eval

import (
	"fmt"

	"gulo/internal/ctype"
)

// mutex locks or unlocks a mutex. Functions are evaluated alone, so no other thread wants it; a lock that would wait is
// not supported. The layout of a mutex is that of package machine and of glibc.
func (w *World) mutex(name string, at ctype.Word) (ctype.Word, error) {
	const (
		recursive, checking = 1, 2
		errPERM, errDEADLK  = 1, 35
	)
	var v [3]ctype.Word // whether it is held, how often, its kind
	for i, off := range []ctype.Word{0, 4, 16} {
		x, ok := w.Load(at+off, ctype.IntT)
		if !ok {
			return 0, fmt.Errorf("%w: %s of something that is no mutex", ErrSupport, name)
		}
		v[i] = x
	}
	held, count, kind := v[0], v[1], v[2]&3
	switch {
	case name == "pthread_mutex_lock" && held != 0 && kind == recursive:
		count++
	case name == "pthread_mutex_lock" && held != 0 && kind == checking:
		return errDEADLK, nil
	case name == "pthread_mutex_lock" && held != 0:
		return 0, fmt.Errorf("%w: a mutex that is held already", ErrSupport)
	case name == "pthread_mutex_lock":
		held, count = 1, 1
	case held == 0 && kind != 0:
		return errPERM, nil
	case count > 1:
		count--
	default:
		held, count = 0, 0
	}
	if !w.Store(at, ctype.IntT, held) || !w.Store(at+4, ctype.IntT, count) {
		return 0, fmt.Errorf("%w: %s of a mutex that cannot be written", ErrSupport, name)
	}
	return 0, nil
}
