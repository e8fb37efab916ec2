// Package campaign runs many jobs over a work queue: a file on this machine, or NATS JetStream on a server that several
// machines share. If a worker dies, its job is handed out again. A result is stored once, and an interrupted campaign
// continues where it stopped.
//
// A Handler decides what a job is; Submission is gulo's own kind.
package campaign

import (
	"context"
	"errors"
	"time"

	"gulo/internal/process"
)

// Handler does a job and returns its result. It may be called again for a job whose worker died.
type Handler func(ctx context.Context, id string, job []byte) ([]byte, error)

// Queue is a campaign's jobs and results.
type Queue struct {
	keeper
	lease time.Duration // how long a worker may be silent before its job is handed out again
}

// usualLease is the lease outside of tests.
const usualLease = 20 * time.Second

// keeper stores jobs, results and options, in a folder or on a server. Its methods may be called from several
// goroutines.
type keeper interface {
	// Close leaves the campaign. What is stored stays.
	Close()
	// Add puts a job into the queue, unless it is there or has a result.
	Add(ctx context.Context, id string, job []byte) error
	// Result returns the result of a job, if it is done.
	Result(ctx context.Context, id string) (result []byte, done bool, err error)
	// Done counts the results.
	Done(ctx context.Context) (int, error)

	forget(ctx context.Context, id string) error             // deletes a result
	keep(ctx context.Context, key string, what []byte) error // stores a value that belongs to the class, not to a job
	kept(ctx context.Context, key string) ([]byte, error)    // returns such a value; nil if there is none
	empty(ctx context.Context) bool                          // reports whether no job is left, neither waiting nor being done
	// worker returns a function that takes one job. It returns nil if none came within a moment.
	worker(ctx context.Context, lease time.Duration) (func(ctx context.Context) (*task, error), error)
}

// task is a job that a worker does.
type task struct {
	id     string
	job    []byte
	renew  func()                                      // says that the worker is alive; nil if not needed
	finish func(ctx context.Context, out []byte) error // stores the result, unless there is one, and removes the job
	giveUp func() error                                // lets another worker have the job at once
	stop   func()                                      // is called if this worker was stopped before the job was done
}

// moment is how long a worker waits for a job before it checks whether to go on.
const moment = 500 * time.Millisecond

// errClosed is what a worker gets when its queue was closed.
var errClosed = errors.New("the queue is closed")

// Open opens a campaign: in the folder dir if url is empty, else on a server. Two processes cannot open the same folder
// at the same time.
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

// Remember stores the options of the run that fills the queue, so that a report needs no repetition of them.
func (q *Queue) Remember(ctx context.Context, options []byte) error {
	return q.keep(ctx, "last", options)
}

// Remembered returns those options; nil if there are none.
func (q *Queue) Remembered(ctx context.Context) ([]byte, error) { return q.kept(ctx, "last") }

// Retry deletes the result of a job if it says that the job failed.
func (q *Queue) Retry(ctx context.Context, id string, failed func(result []byte) bool) error {
	r, done, err := q.Result(ctx, id)
	if err != nil || !done || !failed(r) {
		return err
	}
	return q.forget(ctx, id)
}

// Work does jobs until the context ends or, with idle set, until the queue is empty. An error of the handler becomes a
// result, made by failed, except that a *HaltError ends the work.
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

// do does one job. It renews the lease meanwhile, stores the result unless another worker was first, and only then
// removes the job.
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
	if ctx.Err() != nil { // the job will be handed out again
		t.stop()
		return nil
	}
	var halt *HaltError
	if errors.As(err, &halt) { // nothing is stored; another worker may do the job
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
