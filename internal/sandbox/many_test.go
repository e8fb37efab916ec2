package sandbox

import (
	"context"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"
)

var kept [][]byte

// The helper has goroutines here that allocate and start threads, as packages' own do in
// a large program.
func init() {
	if os.Getenv(variable) == "" {
		return
	}
	for range 3 {
		go func() {
			for range 20_000 {
				kept = append(kept[:len(kept)%100], make([]byte, 1<<16))
				go runtime.LockOSThread()
				runtime.Gosched()
			}
		}()
	}
}

// TestManyAtOnce starts programs while other goroutines of the helper allocate. What they
// did between the limit on memory and the program ended the helper: "cannot allocate memory".
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
