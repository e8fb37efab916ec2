package judges

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gulo/internal/process"
)

// This file makes the pairs.

// Pair is a program with a variant that a native search has found to differ from it.
type Pair struct {
	Program *Program
	Variant
	Witness *Witness
}

// Options say what is measured.
type Options struct {
	Pairs    int
	Seed     int64
	Limit    time.Duration // of one gulo fix
	Native   time.Duration // of one search for a case that refutes a repair
	Workers  int
	Methods  []string // of gulo fix; "default" means no method; nil: all
	Programs []string // only these; nil: all
	Gulo     []string // the command
	Progress func(text string)
}

// Methods are all methods. "run" is the default with the arguments of the witness after "--".
var Methods = []string{"default", "heap", "template", "evidence", "run"}

// Bounds on telling a variant from its program: cases and time.
const (
	tellCases = 60_000
	tellLimit = 3 * time.Second
)

// Pairs makes a number of pairs, taking the programs in turn. The same seed makes the same pairs on a machine that is
// fast enough for tellCases in tellLimit.
func Pairs(ctx context.Context, o *Options) ([]Pair, error) {
	all, err := Programs()
	if err != nil {
		return nil, err
	}
	var list []*Program
	for _, p := range all {
		if len(o.Programs) == 0 || contains(o.Programs, p.Name) {
			list = append(list, p)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("there is no such program")
	}
	found := make([][]Pair, len(list))
	rest := make([][]Variant, len(list))
	for i, p := range list {
		if rest[i], err = p.variants(ctx, o.Seed+int64(i)); err != nil {
			return nil, err
		}
	}
	total := func() (n int) {
		for _, f := range found {
			n += len(f)
		}
		return n
	}
	for quota := (o.Pairs + len(list) - 1) / len(list); total() < o.Pairs; quota++ {
		more := false
		for i := range rest {
			more = more || len(rest[i]) > 0
		}
		if !more {
			break
		}
		err := process.Parallel(ctx, o.Workers, len(list), func(_ context.Context, i int) error {
			seen := map[string]bool{}
			for len(found[i]) < quota && len(rest[i]) > 0 {
				v := rest[i][0]
				rest[i] = rest[i][1:]
				if seen[plain(v.Text)] || plain(v.Text) == plain(list[i].Text) {
					continue
				}
				seen[plain(v.Text)] = true
				w, _, err := list[i].differ(ctx, v.Text, search{most: tellCases, limit: tellLimit})
				if _, refused := err.(*compileError); refused {
					continue
				}
				if err != nil {
					return err
				}
				if w != nil {
					found[i] = append(found[i], Pair{list[i], v, w})
					o.progress("making pairs: %s", list[i].Name)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	var out []Pair
	for n := 0; len(out) < o.Pairs; n++ {
		some := false
		for i := range found {
			if n < len(found[i]) && len(out) < o.Pairs {
				out, some = append(out, found[i][n]), true
			}
		}
		if !some {
			break
		}
	}
	return out, nil
}

func (o *Options) progress(format string, args ...any) {
	if o.Progress != nil {
		o.Progress(fmt.Sprintf(format, args...))
	}
}

func contains(list []string, x string) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}

// plain returns a text without its layout: texts that are equal then are the same program.
func plain(text string) string { return strings.Join(strings.Fields(text), " ") }
