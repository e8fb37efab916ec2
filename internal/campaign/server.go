package campaign

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"gulo/internal/plural"
)

// This file keeps a campaign on a NATS server with JetStream, which workers on several machines share. gulo is its
// client; the server is a separate program (Debian's nats-server).

// served is a campaign on a server.
type served struct {
	name    string
	nc      *nats.Conn
	js      jetstream.JetStream
	stream  jetstream.Stream
	results jetstream.KeyValue
	options jetstream.KeyValue
}

// howToServe says what to do if no server answers.
const howToServe = "start one there with: nats-server -js (apt-get install nats-server)"

// connect opens a campaign on a server.
func connect(ctx context.Context, url, name string) (*served, error) {
	nc, err := nats.Connect(url, nats.MaxReconnects(-1), nats.Timeout(5*time.Second))
	if err != nil {
		return nil, fmt.Errorf("cannot reach the server at %s: %w; %s", url, err, howToServe)
	}
	s := &served{name: name, nc: nc}
	if err := s.open(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *served) open(ctx context.Context) error {
	var err error
	if s.js, err = jetstream.New(s.nc); err != nil {
		return err
	}
	s.stream, err = s.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: "jobs-" + s.name, Subjects: []string{"jobs." + s.name + ".*"}, Retention: jetstream.WorkQueuePolicy,
		Storage: jetstream.FileStorage, MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, AllowDirect: true,
	})
	if err != nil {
		return fmt.Errorf("the server has no JetStream or not enough of it: %w; %s", err, howToServe)
	}
	if s.results, err = s.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "results-" + s.name, Storage: jetstream.FileStorage}); err != nil {
		return err
	}
	s.options, err = s.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: "options-" + s.name, Storage: jetstream.FileStorage})
	return err
}

func (s *served) Close() { s.nc.Close() }

func (s *served) keep(ctx context.Context, key string, what []byte) error {
	_, err := s.options.Put(ctx, key, what)
	return err
}

func (s *served) kept(ctx context.Context, key string) ([]byte, error) {
	what, _, err := value(ctx, s.options, key)
	return what, err
}

// value returns the value of a key, and whether there is one.
func value(ctx context.Context, kv jetstream.KeyValue, key string) (what []byte, there bool, err error) {
	e, err := kv.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	return e.Value(), true, nil
}

func (s *served) Add(ctx context.Context, id string, job []byte) error {
	if _, done, err := s.Result(ctx, id); err != nil || done {
		return err
	}
	if most := s.nc.MaxPayload(); int64(len(job)) > most {
		return fmt.Errorf("a job of %s is larger than the %s that the server takes; set max_payload in its configuration", plural.N(len(job), "byte"), plural.N(int(most), "byte"))
	}
	_, err := s.js.Publish(ctx, "jobs."+s.name+"."+id, job)
	var api *jetstream.APIError
	if errors.As(err, &api) && api.ErrorCode == jetstream.ErrorCode(10077) { // the job is in the queue already
		return nil
	}
	return err
}

func (s *served) Result(ctx context.Context, id string) (result []byte, done bool, err error) {
	return value(ctx, s.results, id)
}

func (s *served) forget(ctx context.Context, id string) error { return s.results.Purge(ctx, id) }

func (s *served) Done(ctx context.Context) (int, error) {
	st, err := s.results.Status(ctx)
	if err != nil {
		return 0, err
	}
	return int(st.Values()), nil
}

func (s *served) empty(ctx context.Context) bool {
	info, err := s.stream.Info(ctx)
	return err == nil && info.State.Msgs == 0
}

// workers is the name of the consumer from which all workers take jobs.
const workers = "workers"

func (s *served) worker(ctx context.Context, lease time.Duration) (func(context.Context) (*task, error), error) {
	c, err := s.stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: workers, AckPolicy: jetstream.AckExplicitPolicy, AckWait: lease, MaxAckPending: 10_000,
	})
	if err != nil {
		return nil, err
	}
	return func(context.Context) (*task, error) {
		batch, err := c.Fetch(1, jetstream.FetchMaxWait(moment))
		if errors.Is(err, nats.ErrConnectionClosed) {
			return nil, errClosed
		}
		if err != nil {
			return nil, err
		}
		for m := range batch.Messages() {
			return s.task(m), nil
		}
		return nil, nil
	}, nil
}

// task turns a message into a job. If its worker is stopped, the message comes back when the lease has expired.
func (s *served) task(m jetstream.Msg) *task {
	id := m.Subject()[len("jobs."+s.name+"."):]
	return &task{
		id: id, job: m.Data(), renew: func() { _ = m.InProgress() }, giveUp: m.Nak, stop: func() {},
		finish: func(ctx context.Context, out []byte) error {
			if _, err := s.results.Create(ctx, id, out); err != nil && !errors.Is(err, jetstream.ErrKeyExists) {
				return err
			}
			return m.DoubleAck(ctx)
		},
	}
}
