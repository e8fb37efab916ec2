package gate

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"gulo/internal/campaign"
	"gulo/internal/process"
)

// This file runs a measurement: jobs go through a queue, and records come back.

// Options say what is measured.
type Options struct {
	Dir      string
	Modes    []string      // nil: tests
	Programs []string      // only these; nil: all
	Sample   int           // number of programs to draw; 0: all
	Seed     int64         // for drawing, for gulo and for making inputs
	Limit    time.Duration // of one search, as --limit
	Inputs   int           // number of inputs made from each program's tests
	Workers  int           // jobs at the same time in this process
	URL      string        // a NATS server whose workers help; empty: none
	Name     string        // of the queue on that server
	Known    []Record      // from an earlier run; their jobs are not done again
	Found    func(*Record) error
	Progress func(done, all int)
	Self     []string // the command that does a job given on standard input
}

// Measured is the result of a measurement.
type Measured struct {
	All     int      // programs in the corpus
	Drawn   int      // programs drawn
	Records []Record // in the order in which programs were drawn, mode by mode
}

// UsageError is a measurement that makes no sense.
type UsageError string

func (e UsageError) Error() string { return string(e) }

// Measure does the jobs that have no record yet.
func Measure(ctx context.Context, o *Options) (*Measured, error) {
	if len(o.Modes) == 0 {
		o.Modes = []string{ByTests}
	}
	for _, m := range o.Modes {
		if !slices.Contains(Modes, m) {
			return nil, UsageError(fmt.Sprintf("there is no mode %q; there are %s", m, strings.Join(Modes, ", ")))
		}
	}
	all, err := Open(o.Dir)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, UsageError(fmt.Sprintf("%s holds no programs: there is no NAME/wrong.c in it; docs/gate.md has the layout", o.Dir))
	}
	drawn := all
	if len(o.Programs) > 0 {
		if drawn, err = named(all, o.Programs); err != nil {
			return nil, err
		}
	}
	drawn = Draw(drawn, o.Sample, o.Seed)
	for _, p := range drawn {
		if err := p.ReadTests(o.Dir); err != nil {
			return nil, err
		}
	}
	build, err := campaign.Self()
	if err != nil {
		return nil, err
	}
	m := &Measured{All: len(all), Drawn: len(drawn)}
	err = o.work(ctx, m, o.jobs(all, drawn, build))
	place := map[string]int{}
	for i, p := range drawn {
		place[p.Name] = i
	}
	slices.SortFunc(m.Records, func(a, b Record) int {
		if c := slices.Index(Modes, a.Mode) - slices.Index(Modes, b.Mode); c != 0 {
			return c
		}
		return place[a.Program] - place[b.Program]
	})
	return m, err
}

// named returns the programs with the given names.
func named(all []*Program, names []string) (out []*Program, err error) {
	for _, n := range names {
		i := slices.IndexFunc(all, func(p *Program) bool { return p.Name == n })
		if i < 0 {
			return nil, UsageError(fmt.Sprintf("there is no program %q", n))
		}
		out = append(out, all[i])
	}
	return out, nil
}

// work does the remaining jobs and gathers all records. With a server, jobs stay in its queue when this process ends.
func (o *Options) work(ctx context.Context, m *Measured, jobs []*Job) error {
	known := map[string]*Record{}
	for i := range o.Known {
		known[o.Known[i].key()] = &o.Known[i]
	}
	todo := map[string]*Job{} // by ID
	var order []string
	dir, err := process.TempDir("gulo-gate-queue-")
	if err != nil {
		return err
	}
	q, err := campaign.Open(ctx, o.URL, dir, o.Name)
	if err != nil {
		return err
	}
	defer q.Close()
	for _, j := range jobs {
		if r := known[j.Mode+" "+j.Program.Name]; r != nil {
			m.Records = append(m.Records, *r)
			continue
		}
		id, text, err := j.id()
		if err != nil {
			return err
		}
		if err := q.Retry(ctx, id, unmeasured); err != nil {
			return err
		}
		if err := q.Add(ctx, id, text); err != nil {
			return err
		}
		todo[id], order = j, append(order, id)
	}
	return o.gather(ctx, q, m, todo, order)
}

// unmeasured reports whether a result in the queue says that the job failed.
func unmeasured(result []byte) bool {
	var r Record
	return json.Unmarshal(result, &r) != nil || r.Class == Failed || r.Class == ""
}

// gather works on the queue until every job has its record.
func (o *Options) gather(ctx context.Context, q *campaign.Queue, m *Measured, todo map[string]*Job, order []string) error {
	work, stop := context.WithCancel(ctx)
	errs := make(chan error, o.Workers)
	for range o.Workers {
		process.Go(func() { errs <- q.Work(work, Handle(o.Self), failed, false) })
	}
	running := o.Workers
	defer func() {
		for stop(); running > 0; running-- {
			<-errs
		}
	}()
	all := len(m.Records) + len(todo)
	for {
		left := order[:0:0]
		for _, id := range order {
			text, done, err := q.Result(ctx, id)
			if err != nil {
				return err
			}
			if !done {
				left = append(left, id)
				continue
			}
			var r Record
			if err := json.Unmarshal(text, &r); err != nil {
				return fmt.Errorf("a record cannot be read: %w", err)
			}
			p := todo[id].Program // the record of a failed job has no name
			r.Program, r.Mode, r.Kind, r.Exercise = p.Name, todo[id].Mode, p.Kind, p.Exercise
			m.Records = append(m.Records, r)
			if o.Found != nil && r.Class != Failed {
				if err := o.Found(&r); err != nil {
					return err
				}
			}
		}
		if order = left; o.Progress != nil {
			o.Progress(all-len(order), all)
		}
		if len(order) == 0 {
			return nil
		}
		select {
		case err := <-errs:
			if running--; err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}
