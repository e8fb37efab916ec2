package outside

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/contract"
	"gulo/internal/lower"
	"gulo/internal/machine"
	"gulo/internal/oracle"
)

func subjectOf(t *testing.T, name string) *subject {
	t.Helper()
	s, err := (&Options{Seed: 1, Hidden: 40}).lay(Sixty(), filepath.Join(t.TempDir(), name), name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// underContract runs a program on the machine under a contract, and returns what breaks it.
func underContract(t *testing.T, program, file string, r *Run) string {
	t.Helper()
	prog, err := lower.Load(t.Context(), []string{program}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Read(file, prog.Tree, "")
	if err != nil {
		t.Fatal(err)
	}
	m, err := machine.New(prog, machine.Config{Name: "p", Args: r.Args, Stdin: strings.NewReader(r.Stdin), Stdout: io.Discard, MaxSteps: 5_000_000, Debug: true})
	if err != nil {
		t.Fatal(err)
	}
	w := oracle.NewWatch(prog, m, []*contract.Contract{c})
	said := ""
	f := m.RunUntil(func(s int32, lib bool) bool {
		if lib || said != "" {
			return said != ""
		}
		if v := w.Step(s); v != nil {
			said = v.Error()
		}
		return said != ""
	})
	if said == "" && f != nil {
		said = f.Error()
	}
	return said
}
