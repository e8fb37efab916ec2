// Package campaign runs many jobs over a work queue: NATS JetStream, embedded in
// the process with its files in a folder and no open port, or a cluster's. A job
// that a dying worker held is handed out again, a result is stored once, and an
// interrupted campaign goes on where it was.
//
// What a job does is a Handler's business; Submission is that of gulo's own.
package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"gulo/internal/process"
)

// Handler does a job and returns its result. It may be called again for a job
// whose earlier worker died.
type Handler func(ctx context.Context, id string, job []byte) ([]byte, error)

// Queue is a campaign's jobs and results.
type Queue struct {
	name    string
	srv     *server.Server
	nc      *nats.Conn
	js      jetstream.JetStream
	stream  jetstream.Stream
	results jetstream.KeyValue
	options jetstream.KeyValue
	lease   time.Duration // how long a worker may be silent before its job is handed out again
}

// usualLease is that of all but tests.
const usualLease = 20 * time.Second

// start is how long the embedded server may take.
const start = 20 * time.Second

// maxJob bounds the bytes of a job: a submission with its tests.
const maxJob = 32 << 20

// Open opens a campaign: in the folder dir when url is empty, else at a server.
// Two processes cannot open one folder at a time.
func Open(ctx context.Context, url, dir, name string) (*Queue, error) {
	q := &Queue{name: name, lease: usualLease}
	var err error
	if url == "" {
		if err = q.embed(dir); err != nil {
			return nil, err
		}
	} else if q.nc, err = nats.Connect(url, nats.MaxReconnects(-1), nats.Timeout(5*time.Second)); err != nil {
		return nil, fmt.Errorf("cannot reach the server at %s: %w", url, err)
	}
	if err := q.open(ctx); err != nil {
		q.Close()
		return nil, err
	}
	return q, nil
}

func (q *Queue) embed(dir string) error {
	store := filepath.Join(dir, "queue")
	if err := os.MkdirAll(store, 0o700); err != nil {
		return err
	}
	s, err := server.NewServer(&server.Options{
		ServerName: "gulo", DontListen: true, JetStream: true, StoreDir: store, NoSigs: true, NoLog: true, SyncInterval: 2 * time.Second, MaxPayload: maxJob,
	})
	if err != nil {
		return fmt.Errorf("cannot make a queue in %s: %w", store, err)
	}
	q.srv = s
	s.Start()
	if !s.ReadyForConnections(start) {
		s.Shutdown()
		return fmt.Errorf("the queue in %s does not start; is another campaign using it?", store)
	}
	q.nc, err = nats.Connect("", nats.InProcessServer(s))
	return err
}

func (q *Queue) open(ctx context.Context) error {
	var err error
	if q.js, err = jetstream.New(q.nc); err != nil {
		return err
	}
	q.stream, err = q.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: "jobs-" + q.name, Subjects: []string{"jobs." + q.name + ".*"}, Retention: jetstream.WorkQueuePolicy,
		Storage: jetstream.FileStorage, MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, AllowDirect: true,
	})
	if err != nil {
		return fmt.Errorf("the server has no JetStream or not enough of it: %w", err)
	}
	if q.srv != nil { // nobody else can be at work: what a process that was killed had in hand is handed out again at once
		if err := q.stream.DeleteConsumer(ctx, workers); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
			return err
		}
	}
	if q.results, err = q.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "results-" + q.name, Storage: jetstream.FileStorage}); err != nil {
		return err
	}
	q.options, err = q.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "options-" + q.name, Storage: jetstream.FileStorage})
	return err
}

// Remember keeps the options of the run that fills the queue, so that a report can be
// asked for without repeating them.
func (q *Queue) Remember(ctx context.Context, options []byte) error {
	return q.keep(ctx, "last", options)
}

// Remembered returns those options; nil when there are none.
func (q *Queue) Remembered(ctx context.Context) ([]byte, error) { return q.kept(ctx, "last") }

// keep keeps what belongs to the class and to no job.
func (q *Queue) keep(ctx context.Context, key string, what []byte) error {
	_, err := q.options.Put(ctx, key, what)
	return err
}

// kept returns it; nil when there is none.
func (q *Queue) kept(ctx context.Context, key string) ([]byte, error) {
	e, err := q.options.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return e.Value(), nil
}

// Close leaves the campaign; what is stored stays.
func (q *Queue) Close() {
	if q.nc != nil {
		q.nc.Close()
	}
	if q.srv != nil {
		q.srv.Shutdown()
		q.srv.WaitForShutdown()
	}
}

// Add puts a job into the queue, unless it is there or has a result.
func (q *Queue) Add(ctx context.Context, id string, job []byte) error {
	if _, done, err := q.Result(ctx, id); err != nil || done {
		return err
	}
	_, err := q.js.Publish(ctx, "jobs."+q.name+"."+id, job)
	var api *jetstream.APIError
	if errors.As(err, &api) && api.ErrorCode == jetstream.ErrorCode(10077) { // the subject has its message
		return nil
	}
	return err
}

// Result returns what a job gave.
func (q *Queue) Result(ctx context.Context, id string) (result []byte, done bool, err error) {
	e, err := q.results.Get(ctx, id)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	return e.Value(), true, nil
}

// Retry forgets the result of a job when it says that the job failed.
func (q *Queue) Retry(ctx context.Context, id string, failed func(result []byte) bool) error {
	r, done, err := q.Result(ctx, id)
	if err != nil || !done || !failed(r) {
		return err
	}
	return q.results.Purge(ctx, id)
}

// Done counts the results.
func (q *Queue) Done(ctx context.Context) (int, error) {
	s, err := q.results.Status(ctx)
	if err != nil {
		return 0, err
	}
	return int(s.Values()), nil
}

// Work does jobs until the context ends, or with idle set until the queue is
// empty. Errors of the handler are results too: failed makes one of them. A *HaltError is none: it
// ends the work.
func (q *Queue) Work(ctx context.Context, h Handler, failed func(id string, err error) []byte, idle bool) error {
	c, err := q.consumer(ctx)
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		batch, err := c.Fetch(1, jetstream.FetchMaxWait(500*time.Millisecond))
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, nats.ErrConnectionClosed) {
				break
			}
			time.Sleep(200 * time.Millisecond)
			continue
		}
		n := 0
		for m := range batch.Messages() {
			n++
			if err := q.do(ctx, m, h, failed); err != nil {
				return err
			}
		}
		if n == 0 && idle {
			info, err := q.stream.Info(ctx)
			if err == nil && info.State.Msgs == 0 {
				return nil
			}
		}
	}
	return nil
}

// workers is the name under which all workers take jobs.
const workers = "workers"

func (q *Queue) consumer(ctx context.Context) (jetstream.Consumer, error) {
	return q.stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: workers, AckPolicy: jetstream.AckExplicitPolicy, AckWait: q.lease, MaxAckPending: 10_000,
	})
}

// do does one job: the lease is renewed while it lasts, the result is stored
// unless another worker was first, and only then the job is gone.
func (q *Queue) do(ctx context.Context, m jetstream.Msg, h Handler, failed func(string, error) []byte) error {
	id := m.Subject()[len("jobs."+q.name+"."):]
	if _, done, err := q.Result(ctx, id); err == nil && done {
		return m.DoubleAck(ctx)
	}
	alive, stop := context.WithCancel(ctx)
	defer stop()
	process.Go(func() {
		t := time.NewTicker(q.lease / 4)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				_ = m.InProgress()
			case <-alive.Done():
				return
			}
		}
	})
	out, err := h(ctx, id, m.Data())
	if ctx.Err() != nil {
		return nil // the job is handed out again
	}
	var halt *HaltError
	if errors.As(err, &halt) { // nothing is stored; another worker may do it
		return errors.Join(err, m.Nak())
	}
	if err != nil {
		out = failed(id, err)
	}
	if _, err := q.results.Create(ctx, id, out); err != nil && !errors.Is(err, jetstream.ErrKeyExists) {
		return err
	}
	return m.DoubleAck(ctx)
}
