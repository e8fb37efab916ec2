package outside

import (
	"fmt"
	"io"
	"os/exec"
	"runtime"

	"golang.org/x/sys/unix"

	"gulo/internal/plural"
	"gulo/internal/timing"
)

// This file compares gulo on one processor with gulo on several.

// Processors returns how many processors this process may use.
func Processors() int {
	var set unix.CPUSet
	if unix.SchedGetaffinity(0, &set) != nil {
		return runtime.NumCPU()
	}
	return set.Count()
}

// startOn starts a command that, with its children, may use only the first n of this process's processors; 0 means all.
// Precondition: n is at most Processors.
func startOn(n int, c *exec.Cmd) error {
	if n == 0 {
		return c.Start()
	}
	runtime.LockOSThread() // a child inherits the processors of the thread that starts it
	defer runtime.UnlockOSThread()
	var own, some unix.CPUSet
	if err := unix.SchedGetaffinity(0, &own); err != nil {
		return fmt.Errorf("which processors may be used: %w", err)
	}
	for i := 0; some.Count() < n && i < len(own)*64; i++ {
		if own.IsSet(i) {
			some.Set(i)
		}
	}
	if err := unix.SchedSetaffinity(0, &some); err != nil {
		return fmt.Errorf("%s: %w", plural.N(n, "processor"), err)
	}
	err := c.Start()
	if back := unix.SchedSetaffinity(0, &own); err == nil && back != nil {
		_ = c.Process.Kill()
		_ = c.Wait()
		err = fmt.Errorf("all processors: %w", back)
	}
	return err
}

// compare prints for each number of processors but the first how long answers took, and the ratio to the first number:
// over the programs that were right, or ranked, with both.
func compare(w io.Writer, mode string, counts []int, rows []Answer) {
	good := func(n int) map[string]Answer {
		out := map[string]Answer{}
		for _, a := range rows {
			if a.Processors == n && (a.Class == Right || a.Class == Ranked) {
				out[a.Program] = a
			}
		}
		return out
	}
	first := good(counts[0])
	for _, n := range counts[1:] {
		var ratios, before, after []float64
		for name, b := range good(n) {
			if a, ok := first[name]; ok {
				before, after = append(before, a.Millis/1000), append(after, b.Millis/1000)
				ratios = append(ratios, b.Millis/a.Millis)
			}
		}
		fmt.Fprintf(w, "%s, %s against %d: median %.2f s against %.2f s, median ratio of times %.2f, of %s answered with both\n\n",
			mode, plural.N(n, "processor"), counts[0], timing.Median(after), timing.Median(before), timing.Median(ratios), plural.N(len(ratios), "program"))
	}
}
