package campaign

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// This file keeps a campaign on one machine. Results and options are in a file; every change is a bbolt transaction
// that is on disk before it counts. Jobs are in memory, since the run that opens the folder adds all of them. Only one
// process has the file open at a time. If it is killed, the jobs it was doing have no result, and the next run does
// them.

// Begun reports whether a folder holds a campaign.
func Begun(dir string) bool {
	_, err := os.Stat(queueFile(dir))
	return err == nil
}

func queueFile(dir string) string { return filepath.Join(dir, "queue.db") }

// opening is how long to wait if another process has the file open.
const opening = 2 * time.Second

// local is a campaign in a file.
type local struct {
	db               *bolt.DB
	results, options []byte // names of buckets

	mu      sync.Mutex
	jobs    map[string][]byte // all jobs without a result, including those being done
	waiting []string          // IDs of the jobs that no worker has, in the order of arrival
	came    chan struct{}     // closed when a job becomes available
	closed  bool
}

// openFolder opens a campaign in a folder.
func openFolder(dir, name string) (*local, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	file := queueFile(dir)
	db, err := bolt.Open(file, 0o600, &bolt.Options{Timeout: opening})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, fmt.Errorf("another campaign is using %s", file)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot make a queue in %s: %w", file, err)
	}
	k := &local{db: db, results: []byte("results-" + name), options: []byte("options-" + name), jobs: map[string][]byte{}, came: make(chan struct{})}
	err = db.Update(func(tx *bolt.Tx) error {
		for _, b := range [][]byte{k.results, k.options} {
			if _, err := tx.CreateBucketIfNotExists(b); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		k.Close()
		return nil, fmt.Errorf("cannot make a queue in %s: %w", file, err)
	}
	return k, nil
}

func (k *local) Close() {
	k.mu.Lock()
	k.closed = true
	k.mu.Unlock()
	_ = k.db.Close() // every transaction is on disk already
}

// get returns the value of a key in a bucket; nil if there is none.
func (k *local) get(bucket []byte, key string) (what []byte, err error) {
	err = k.db.View(func(tx *bolt.Tx) error {
		what = bytes.Clone(tx.Bucket(bucket).Get([]byte(key)))
		return nil
	})
	return what, err
}

func (k *local) keep(_ context.Context, key string, what []byte) error {
	return k.db.Update(func(tx *bolt.Tx) error { return tx.Bucket(k.options).Put([]byte(key), what) })
}

func (k *local) kept(_ context.Context, key string) ([]byte, error) { return k.get(k.options, key) }

func (k *local) Result(_ context.Context, id string) (result []byte, done bool, err error) {
	result, err = k.get(k.results, id)
	return result, result != nil, err
}

func (k *local) forget(_ context.Context, id string) error {
	return k.db.Update(func(tx *bolt.Tx) error { return tx.Bucket(k.results).Delete([]byte(id)) })
}

func (k *local) Done(context.Context) (n int, err error) {
	err = k.db.View(func(tx *bolt.Tx) error {
		n = tx.Bucket(k.results).Stats().KeyN
		return nil
	})
	return n, err
}

func (k *local) Add(ctx context.Context, id string, job []byte) error {
	if _, done, err := k.Result(ctx, id); err != nil || done {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, there := k.jobs[id]; !there {
		k.jobs[id] = job
		k.waits(append(k.waiting, id))
	}
	return nil
}

// waits sets the list of waiting jobs, to which one was added, and wakes the workers.
func (k *local) waits(ids []string) {
	k.waiting = ids
	close(k.came)
	k.came = make(chan struct{})
}

func (k *local) empty(context.Context) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.jobs) == 0
}

func (k *local) worker(context.Context, time.Duration) (func(context.Context) (*task, error), error) {
	return func(ctx context.Context) (*task, error) {
		t, came, err := k.take()
		if t != nil || err != nil {
			return t, err
		}
		select {
		case <-came:
			t, _, err = k.take()
			return t, err
		case <-time.After(moment):
		case <-ctx.Done():
		}
		return nil, nil
	}, nil
}

// take takes the first waiting job. If there is none, came is closed when one comes.
func (k *local) take() (t *task, came <-chan struct{}, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return nil, nil, errClosed
	}
	if len(k.waiting) == 0 {
		return nil, k.came, nil
	}
	id := k.waiting[0]
	k.waiting = k.waiting[1:]
	giveBack := func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.waits(slices.Insert(slices.Clone(k.waiting), 0, id))
	}
	return &task{
		id: id, job: k.jobs[id], stop: giveBack,
		giveUp: func() error { giveBack(); return nil },
		finish: func(_ context.Context, out []byte) error { return k.finish(id, out) },
	}, nil, nil
}

// finish stores a job's result, unless there is one already, and removes the job.
func (k *local) finish(id string, out []byte) error {
	err := k.db.Update(func(tx *bolt.Tx) error {
		b := tx.Bucket(k.results)
		if b.Get([]byte(id)) != nil {
			return nil
		}
		return b.Put([]byte(id), out)
	})
	if err == nil {
		k.mu.Lock()
		delete(k.jobs, id)
		k.mu.Unlock()
	}
	return err
}
