package app

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"gulo/internal/bench/judges"
)

// TestJudges gives gulo fix twenty programs (three with -short), each beside a variant that differs. No program is
// called right, and no repair is called proved that a native search refutes. make judges does so with three hundred
// programs and every method.
func TestJudges(t *testing.T) {
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o := &judges.Options{
		Pairs: 20, Seed: 5, Limit: time.Second, Native: 500 * time.Millisecond, Workers: 2, Methods: []string{"default"}, Gulo: []string{own},
		Programs: []string{"ticket", "lamp", "account", "price", "watch", "commas", "warn", "total", "minmax", "add"},
	}
	if testing.Short() {
		o.Pairs = 3
	}
	pairs, answers, err := judges.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	if n := judges.Print(&table, o, pairs, answers); n > 0 || len(answers) != o.Pairs {
		t.Errorf("%d answers, %d are false:\n%s", len(answers), n, table.String())
	}
}
