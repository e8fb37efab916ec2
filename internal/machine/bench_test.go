package machine_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"gulo/internal/lower"
	"gulo/internal/machine"
)

// BenchmarkLoop prints how many statements a tight loop executes in a second of processor time: four C statements a
// round.
func BenchmarkLoop(b *testing.B) {
	path := filepath.Join(b.TempDir(), "l.c")
	if err := os.WriteFile(path, []byte("int main(void) { int s = 0; for (int i = 0; i < 1000000; i++) { s += i & 3; s ^= i; } return s & 1; }\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	p := load(b, lower.Options{}, path)
	begin := processor()
	for b.Loop() {
		m, err := machine.New(p, machine.Config{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := m.Run(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*4/(processor()-begin), "Mstmt/s")
}

// processor returns how many seconds of processor time this process has used.
func processor() float64 {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// BenchmarkHeapBlocks prints what a heap block of 24 bytes costs.
func BenchmarkHeapBlocks(b *testing.B) {
	path := filepath.Join(b.TempDir(), "h.c")
	if err := os.WriteFile(path, []byte("#include <stdlib.h>\nint main(void) { void **p = 0; for (int i = 0; i < 100000; i++) { void **q = malloc(24); *q = p; p = q; } return 0; }\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	p := load(b, lower.Options{}, path)
	var before, after runtime.MemStats
	var m *machine.Machine
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		var err error
		if m, err = machine.New(p, machine.Config{Stdout: &bytes.Buffer{}}); err != nil {
			b.Fatal(err)
		}
		if _, err := m.Run(); err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
	}
	runtime.KeepAlive(m)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/100000, "B/block")
}
