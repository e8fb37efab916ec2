package web

import (
	"bytes"
	"compress/gzip"
	"flag"
	"os"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

var update = flag.Bool("update", false, "make assets/app.js, and what VS Code's extension is made of, of their sources")

const bundled = "assets/app.js"

// extension is the folder of the files of VS Code's extension that are generated.
const extension = "../../editors/vscode/media/"

// bundle makes one script from a TypeScript file and what it imports.
func bundle(t *testing.T, o api.BuildOptions) []byte {
	t.Helper()
	o.Bundle, o.Target, o.Charset = true, api.ES2022, api.CharsetUTF8
	o.MinifySyntax, o.MinifyWhitespace, o.LegalComments = true, true, api.LegalCommentsNone
	r := api.Build(o)
	for _, e := range r.Errors {
		t.Errorf("%s:%d: %s", e.Location.File, e.Location.Line, e.Text)
	}
	if len(r.OutputFiles) != 1 {
		t.Fatalf("%d files, not one", len(r.OutputFiles))
	}
	return r.OutputFiles[0].Contents
}

// made compares a generated file with what its sources give now; with -update it writes the file.
func made(t *testing.T, file string, now []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, now, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(file); err != nil || !bytes.Equal(kept, now) {
		t.Errorf("%s is not made of its sources as they are (%v); use go generate ./internal/web", file, err)
	}
}

// TestBundle compares the page's script with its sources, and the size of the page with what it may have: 150 kB,
// compressed.
func TestBundle(t *testing.T) {
	note := map[string]string{"js": "// Made of internal/web/ui by go generate; do not edit."}
	made(t, bundled, bundle(t, api.BuildOptions{EntryPoints: []string{"ui/main.ts"}, Outfile: bundled, Format: api.FormatIIFE, Banner: note}))
	made(t, "assets/report.js", bundle(t, api.BuildOptions{EntryPoints: []string{"ui/report.ts"}, Outfile: "report.js", Format: api.FormatIIFE, Banner: note}))
	made(t, "../share/share.js", bundle(t, api.BuildOptions{EntryPoints: []string{"ui/share.ts"}, Outfile: "share.js", Format: api.FormatIIFE, Banner: note}))
	size, err := pageSize()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the page has %d bytes, compressed", size)
	if size > 150_000 {
		t.Errorf("the page has %d bytes, compressed; 150,000 are allowed", size)
	}
}

// pageSize is how many bytes the page's files have, each compressed by gzip.
func pageSize() (int, error) {
	size := 0
	for _, f := range files {
		text, err := assets.ReadFile(f.name)
		if err != nil {
			return 0, err
		}
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(text)
		_ = z.Close()
		size += b.Len()
	}
	return size, nil
}

// PageSize is pageSize for the tests of package web_test.
var PageSize = pageSize

// TestExtensionBundle compares the generated files of VS Code's extension with their sources.
func TestExtensionBundle(t *testing.T) {
	note := map[string]string{"js": "// Made of editors/vscode/src and internal/web/ui by go generate; do not edit."}
	src := extension + "../src/"
	made(t, extension+"picture.js", bundle(t, api.BuildOptions{EntryPoints: []string{src + "picture.ts"}, Outfile: "picture.js", Format: api.FormatIIFE, Banner: note}))
	made(t, extension+"extension.js", bundle(t, api.BuildOptions{
		EntryPoints: []string{src + "extension.ts"}, Outfile: "extension.js", Format: api.FormatCommonJS, Platform: api.PlatformNode, External: []string{"vscode"}, Banner: note,
	}))
	style, err := assets.ReadFile("assets/style.css")
	if err != nil {
		t.Fatal(err)
	}
	made(t, extension+"page.css", append([]byte("/* internal/web/assets/style.css, by go generate; do not edit. */\n"), style...))
}
