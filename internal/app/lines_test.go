package app

import (
	"os"
	"strings"
	"testing"

	"gulo/internal/bench"
)

// TestLines opens a program of 3,000 lines in one file and in several, twice each. It checks that a picture is drawn
// (bench.Lines does) and that the table has its rows.
func TestLines(t *testing.T) {
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := bench.Lines(t.Context(), &out, bench.LinesOptions{Lines: 3000, Gulo: own, Files: []string{"one", "many"}}); err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(rows) != 6 || !strings.HasPrefix(rows[2], "1 ") || !strings.HasPrefix(rows[4], "3 ") || !strings.Contains(rows[5], "second") {
		t.Errorf("\n%s", out.String())
	}
}
