// Package campaign runs many jobs over a work queue: a file of this machine, or
// NATS JetStream at a server that several machines share. A job that a dying worker
// held is handed out again, a result is stored once, and an interrupted campaign
// goes on where it was.
//
// What a job does is a Handler's business; Submission is that of gulo's own.
package campaign

import (
	"context"
	"errors"
	"time"

	"gulo/internal/process"
)

// Handler does a job and returns its result. It may be called again for a job
// whose earlier worker died.
type Handler func(ctx context.Context, id string, job []byte) ([]byte, error)

// Queue is a campaign's jobs and results.
type Queue struct {
	keeper
	lease time.Duration // how long a worker may be silent before its job is handed out again
}

// usualLease is that of all but tests.
const usualLease = 20 * time.Second

// keeper keeps jobs, results and options: a folder or a server. Its methods may be called from
// several goroutines.
type keeper interface {
	// Close leaves the campaign; what is stored stays.
	Close()
	// Add puts a job into the queue, unless it is there or has a result.
	Add(ctx context.Context, id string, job []byte) error
	// Result returns what a job gave.
	Result(ctx context.Context, id string) (result []byte, done bool, err error)
	// Done counts the results.
	Done(ctx context.Context) (int, error)

	forget(ctx context.Context, id string) error             // a result
	keep(ctx context.Context, key string, what []byte) error // what belongs to the class and to no job
	kept(ctx context.Context, key string) ([]byte, error)    // that; nil when there is none
	empty(ctx context.Context) bool                          // no job is left, also none in hand
	// worker returns how jobs are taken: one at a time, nil when none came within a moment.
	worker(ctx context.Context, lease time.Duration) (func(ctx context.Context) (*task, error), error)
}

// task is a job in a worker's hand.
type task struct {
	id     string
	job    []byte
	renew  func()                                      // the worker lives; nil where nobody asks
	finish func(ctx context.Context, out []byte) error // stores the result, unless there is one; then the job goes
	giveUp func() error                                // another worker may have it at once
	stop   func()                                      // this worker was stopped in the middle
}

// moment is how long a worker waits for a job before it looks about.
const moment = 500 * time.Millisecond

// errClosed is that of a worker whose queue was closed.
var errClosed = errors.New("the queue is closed")

// Open opens a campaign: in the folder dir when url is empty, else at a server.
// Two processes cannot open one folder at a time.
func Open(ctx context.Context, url, dir, name string) (*Queue, error) {
	var k keeper
	var err error
	if url == "" {
		k, err = openFolder(dir, name)
	} else {
		k, err = connect(ctx, url, name)
	}
	if err != nil {
		return nil, err
	}
	return &Queue{keeper: k, lease: usualLease}, nil
}

// Remember keeps the options of the run that fills the queue, so that a report can be
// asked for without repeating them.
func (q *Queue) Remember(ctx context.Context, options []byte) error {
	return q.keep(ctx, "last", options)
}

// Remembered returns those options; nil when there are none.
func (q *Queue) Remembered(ctx context.Context) ([]byte, error) { return q.kept(ctx, "last") }

// Retry forgets the result of a job when it says that the job failed.
func (q *Queue) Retry(ctx context.Context, id string, failed func(result []byte) bool) error {
	r, done, err := q.Result(ctx, id)
	if err != nil || !done || !failed(r) {
		return err
	}
	return q.forget(ctx, id)
}

// Work does jobs until the context ends, or with idle set until the queue is
// empty. Errors of the handler are results too: failed makes one of them. A *HaltError is none: it
// ends the work.
func (q *Queue) Work(ctx context.Context, h Handler, failed func(id string, err error) []byte, idle bool) error {
	take, err := q.worker(ctx, q.lease)
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		t, err := take(ctx)
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, errClosed) {
				break
			}
			time.Sleep(200 * time.Millisecond)
			continue
		}
		if t != nil {
			if err := q.do(ctx, t, h, failed); err != nil {
				return err
			}
		} else if idle && q.empty(ctx) {
			return nil
		}
	}
	return nil
}

// do does one job: the lease is renewed while it lasts, the result is stored
// unless another worker was first, and only then the job is gone.
func (q *Queue) do(ctx context.Context, t *task, h Handler, failed func(string, error) []byte) error {
	if r, done, err := q.Result(ctx, t.id); err == nil && done {
		return t.finish(ctx, r)
	}
	if t.renew != nil {
		alive, stop := context.WithCancel(ctx)
		defer stop()
		process.Go(func() { q.renew(alive, t) })
	}
	out, err := h(ctx, t.id, t.job)
	if ctx.Err() != nil { // the job is handed out again
		t.stop()
		return nil
	}
	var halt *HaltError
	if errors.As(err, &halt) { // nothing is stored; another worker may do it
		return errors.Join(err, t.giveUp())
	}
	if err != nil {
		out = failed(t.id, err)
	}
	if err := t.finish(ctx, out); err != nil {
		t.stop()
		return err
	}
	return nil
}

// renew renews the lease of a job until the context ends.
func (q *Queue) renew(ctx context.Context, t *task) {
	tick := time.NewTicker(q.lease / 4)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			t.renew()
		case <-ctx.Done():
			return
		}
	}
}
