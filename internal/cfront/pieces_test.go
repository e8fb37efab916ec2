package cfront

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gulo/internal/source"
)

// TestPieces: programs (every eighth of those of package machine) are the same however large the pieces
// are in which they are parsed.
func TestPieces(t *testing.T) {
	paths, err := filepath.Glob("../machine/testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no programs", err)
	}
	met, programs, split := 0, 0, 0
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			if !strings.HasSuffix(f.Name, ".c") {
				continue
			}
			if met++; met%8 != 0 {
				continue
			}
			read := func(bytes int) (*Program, int) {
				c := newConverter()
				c.pieceBytes = bytes
				file := source.NewFile(f.Name, f.Data)
				r := c.readText(file, Options{})
				if r.err != nil {
					return nil, 0
				}
				r.u.write(bytes)
				go func() {
					r.u.parse(func(p *piece) bool { r.pieces <- p; return true })
					close(r.pieces)
				}()
				if err := c.convertUnit(r); err != nil {
					return nil, 0
				}
				p, err := c.finish()
				if err != nil {
					return nil, 0
				}
				return p, len(r.u.pieces)
			}
			whole, _ := read(1 << 30)
			if whole == nil {
				continue
			}
			programs++
			for _, bytes := range []int{1, 300} {
				p, n := read(bytes)
				if n > 1 {
					split++
				}
				if p == nil {
					t.Errorf("%s of %s in %d pieces is not read", f.Name, path, n)
				} else if !reflect.DeepEqual(p, whole) {
					t.Errorf("%s of %s in %d pieces is another program", f.Name, path, n)
				}
			}
		}
	}
	if programs < met/10 || split < programs {
		t.Errorf("%d programs, %d readings in several pieces", programs, split)
	}
}
