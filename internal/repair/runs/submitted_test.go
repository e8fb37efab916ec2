package runs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/job"
	"gulo/internal/native"
	"gulo/internal/native/nativetest"
)

// submitted writes a program beside tests, which want what a right program prints on inputs.
func submitted(t *testing.T, program, right string, inputs []string) *job.Job {
	t.Helper()
	dir := t.TempDir()
	file, tests := filepath.Join(dir, "program.c"), filepath.Join(dir, "tests")
	if err := os.Mkdir(tests, 0o700); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{file: program}
	for i, o := range ran(t, right, inputs) {
		files[filepath.Join(tests, fmt.Sprint(i, ".in"))], files[filepath.Join(tests, fmt.Sprint(i, ".out"))] = inputs[i], o.Stdout
	}
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return &job.Job{Files: []string{file}, Spec: job.Spec{Tests: tests}}
}

// ran runs a text natively on inputs.
func ran(t *testing.T, text string, ins []string) []native.Outcome {
	t.Helper()
	var tests []native.Test
	for _, in := range ins {
		tests = append(tests, native.Test{Stdin: in})
	}
	return nativetest.Outputs(t, text, tests)
}

// testAll repairs the programs of students; with -short one of so many.
func testAll(t *testing.T, list []student, short int) {
	for i, s := range list {
		if testing.Short() && i%short != 0 {
			continue
		}
		t.Run(strings.ReplaceAll(s.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			s.test(t)
		})
	}
}
