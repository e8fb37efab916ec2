package app

import (
	"context"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// gateTime matches what differs from one measurement to the next.
var gateTime = regexp.MustCompile(`\d+\.\d\d s *`)

// gateAnswer is what gulo bench gate says.
type gateAnswer struct {
	code   int
	out, e string
}

// TestGateQueue measures with workers in other processes, the first of which is killed in the middle of a job.
// Nothing is lost, and the table is the one of a measurement without a queue.
func TestGateQueue(t *testing.T) {
	t.Parallel()
	alone := []string{"bench", "gate", "../bench/gate/testdata/corpus", "--program", "queue,sum_driver", "--mode", "locate", "--limit", "1m"}
	code, want, e := gulo(t, "", append(alone, "-j", "1")...)
	if code != 0 || !strings.Contains(want, "\nall ") {
		t.Fatalf("%d\n%s%s", code, want, e)
	}
	url := queue(t)
	told := make(chan gateAnswer, 1)
	go func() {
		code, out, e := gulo(t, "", append(alone, "--jobs", "0", "--nats", url, "--name", "gate")...)
		told <- gateAnswer{code, out, e}
	}()
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	first := gateWorker(t, url)
	handed(t, js, 1, told)
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	gateWorker(t, url)
	handed(t, js, 2, told) // the dead worker's job is one of them: it is handed out again, here without a wait
	c, err := js.Consumer(context.Background(), "jobs-gate", "workers")
	if err != nil {
		t.Fatal(err)
	}
	soon := c.CachedInfo().Config
	soon.AckWait = time.Second
	if _, err := js.UpdateConsumer(context.Background(), "jobs-gate", soon); err != nil {
		t.Fatal(err)
	}
	a := <-told
	if got, want := gateTime.ReplaceAllString(a.out, "T"), gateTime.ReplaceAllString(want, "T"); a.code != 0 || got != want {
		t.Errorf("%d: with workers\n%s%salone\n%s", a.code, got, a.e, want)
	}
}

// gateWorker starts a worker that does one job at a time.
func gateWorker(t *testing.T, url string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, "worker", "--nats", url, "--name", "gate", "--workers", "1")
	c.Env = append(os.Environ(), asCommand+"=1")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	return c
}

// handed waits until n jobs of the gate were handed out; it fails if the measurement ends before.
func handed(t *testing.T, js jetstream.JetStream, n uint64, told <-chan gateAnswer) {
	t.Helper()
	for {
		c, err := js.Consumer(context.Background(), "jobs-gate", "workers")
		if err == nil && c.CachedInfo().Delivered.Consumer >= n {
			return
		}
		select {
		case a := <-told:
			t.Fatalf("%d\n%s%s", a.code, a.out, a.e)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
