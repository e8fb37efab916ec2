package sandbox

import (
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"gulo/internal/sandbox/launch"
)

// In a helper nothing else is initialized before it has become the program: that would cost
// time in a large executable, and goroutines begun by others allocate behind the limit on
// memory, where there is none to be had.
func init() {
	if os.Getenv(launch.Variable) != "" {
		_, _ = os.Stderr.WriteString("other packages are initialized first")
	}
}

// TestZeroByte runs a program with an argument that none can have.
func TestZeroByte(t *testing.T) {
	r, err := Run(context.Background(), Limits{Weak: true}, t.TempDir(), "", "/bin/true", "a", "a\x00b")
	if err == nil || !strings.Contains(err.Error(), "argument 2") {
		t.Errorf("%+v %v", r, err)
	}
}

// TestManyAtOnce starts many programs at once: each comes to its end, and nothing else is said.
func TestManyAtOnce(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 60 {
				r, err := Run(context.Background(), Limits{Time: time.Minute}, dir, "", "/bin/true")
				if err != nil || r.Status != 0 || r.Stderr != "" {
					t.Errorf("%.300v %v", r, err)
					return
				}
			}
		}()
	}
	wg.Wait()
}
