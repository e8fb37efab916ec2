// Package nativetest loads C programs that tests have as texts, and runs them natively.
package nativetest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/native"
)

// Load writes a program of one file, and loads it. It returns the path of the file, too.
func Load(t *testing.T, text string) (p *cfront.Program, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "a.c")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := cfront.Load(context.Background(), []string{path}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p, path
}

// Own returns the functions that are defined in a program's own text.
func Own(p *cfront.Program) (out []*cfront.Func) {
	for _, f := range p.Funcs {
		if f.Body != nil && f.Range.Valid() && !strings.HasPrefix(f.Range.File.Name, "@") {
			out = append(out, f)
		}
	}
	return out
}

// Outputs compiles a program of one file and runs it on tests, of which it uses only the inputs. Its TestMain has to
// call sandbox.Main.
func Outputs(t *testing.T, text string, tests []native.Test) []native.Outcome {
	t.Helper()
	p, err := native.Build(context.Background(), map[string]string{"a.c": text}, native.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	s := &native.Session{}
	s.Limit(2*time.Second, 0)
	for i := range tests {
		s.Print(s.Add(&tests[i]))
	}
	a, err := p.Run(context.Background(), s, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return a.Printed
}
