package eval

import (
	"errors"
	"testing"

	"gulo/internal/ctype"
)

// TestMutex: a mutex that nobody else wants is taken and given back; who would wait is not evaluated.
func TestMutex(t *testing.T) {
	const refused = -1
	for kind, calls := range [][]struct {
		name string
		want int
	}{
		{{"lock", 0}, {"lock", refused}, {"unlock", 0}, {"lock", 0}, {"unlock", 0}, {"unlock", 0}},
		{{"lock", 0}, {"lock", 0}, {"unlock", 0}, {"unlock", 0}, {"unlock", 1}},
		{{"lock", 0}, {"lock", 35}, {"unlock", 0}, {"unlock", 1}},
	} {
		w := &World{Heap: nowhere{}, frames: []*activation{{base: scratch, data: make([]byte, 40), set: make([]bool, 40)}}}
		if _, err := w.library("pthread_mutex_lock", []ctype.Word{scratch}); !errors.Is(err, ErrSupport) {
			t.Errorf("a mutex that was never written: %v", err)
		}
		for _, off := range []ctype.Word{0, 4, 16} {
			w.Store(scratch+off, ctype.IntT, 0)
		}
		w.Store(scratch+16, ctype.IntT, ctype.Word(kind))
		for i, c := range calls {
			got, err := w.library("pthread_mutex_"+c.name, []ctype.Word{scratch})
			if c.want == refused && !errors.Is(err, ErrSupport) || c.want != refused && (err != nil || got != ctype.Word(c.want)) {
				t.Errorf("kind %d, call %d, %s: %d, %v", kind, i, c.name, got, err)
			}
		}
	}
}
