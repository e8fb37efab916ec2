package bench

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
)

// TestSizes: every structure is built, drawn and walked in, and has its row and its curve.
func TestSizes(t *testing.T) {
	var out bytes.Buffer
	svg, err := Sizes(context.Background(), &out, SizesOptions{Nodes: []int{100, 300}, Engines: []string{"machine"}, Steps: 30, Limit: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(out.String()), "\n")[2:]
	if len(rows) != 2*len(Shapes) {
		t.Fatalf("%d rows:\n%s", len(rows), out.String())
	}
	for i, row := range rows {
		f := strings.Fields(row)
		if len(f) != 8 || f[0] != Shapes[i/2] || f[6] != "30" {
			t.Errorf("row %q", row)
		}
	}
	if n := bytes.Count(svg, []byte(`stroke-width="2"`)); n != len(Shapes) {
		t.Errorf("%d curves", n)
	}
}
