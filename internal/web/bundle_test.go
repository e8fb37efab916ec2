package web

import (
	"bytes"
	"compress/gzip"
	"flag"
	"os"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

var update = flag.Bool("update", false, "make assets/app.js of ui")

const bundled = "assets/app.js"

// TestBundle holds the page's script to its sources, and its size to what a page may
// have: 150 kB, compressed.
func TestBundle(t *testing.T) {
	r := api.Build(api.BuildOptions{
		EntryPoints: []string{"ui/main.ts"}, Bundle: true, Outfile: bundled, Format: api.FormatIIFE, Target: api.ES2022, Charset: api.CharsetUTF8,
		MinifySyntax: true, MinifyWhitespace: true, LegalComments: api.LegalCommentsNone,
		Banner: map[string]string{"js": "// Made of internal/web/ui by go generate; do not edit."},
	})
	for _, e := range r.Errors {
		t.Errorf("%s:%d: %s", e.Location.File, e.Location.Line, e.Text)
	}
	if len(r.OutputFiles) != 1 {
		t.Fatalf("%d files, not one", len(r.OutputFiles))
	}
	now := r.OutputFiles[0].Contents
	if *update {
		if err := os.WriteFile(bundled, now, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(bundled)
	if err != nil || !bytes.Equal(kept, now) {
		t.Errorf("%s is not made of the sources in ui as they are (%v); use go generate ./internal/web", bundled, err)
	}
	size := 0
	for _, f := range files {
		text, err := assets.ReadFile(f.name)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(text)
		_ = z.Close()
		size += b.Len()
	}
	t.Logf("the page has %d bytes, compressed", size)
	if size > 150_000 {
		t.Errorf("the page has %d bytes, compressed; 150,000 are allowed", size)
	}
}
