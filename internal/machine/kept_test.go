package machine_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

// This file keeps, in testdata/gcc.json, what the programs of TestMeaning do when gcc compiles them: compiling all of
// them takes longer than running them on the machine. Without -short all of them are compared with gcc itself; with
// -short a sixteenth is, drawn by a hash of the name, and those that have changed. -update writes the file anew.

const keptFile = "testdata/gcc.json"

// keptRun is what a program does as gcc compiles it. Program is a hash of its text and flags.
type keptRun struct {
	Program string
	Out     string `json:",omitempty"`
	Err     string `json:",omitempty"`
	Status  int    `json:",omitempty"`
}

func keptRuns(t *testing.T) map[string]keptRun {
	t.Helper()
	kept := map[string]keptRun{}
	b, err := os.ReadFile(keptFile)
	if err == nil {
		err = json.Unmarshal(b, &kept)
	}
	if err != nil && !*update {
		t.Fatal(err)
	}
	return kept
}

// keep writes what the programs did now with gcc, if -update is given; otherwise it reports kept runs whose programs
// are gone.
func keep(t *testing.T, all []construct, kept map[string]keptRun, now *sync.Map) {
	t.Helper()
	there := map[string]bool{}
	for _, c := range all {
		there[c.name] = c.at == ""
	}
	for name := range kept {
		if there[name] {
			continue
		}
		if delete(kept, name); !*update {
			t.Errorf("%s has %s, which is no program of the table; go test ./internal/machine -run TestMeaning -update", keptFile, name)
		}
	}
	if !*update {
		return
	}
	now.Range(func(k, v any) bool { kept[k.(string)] = v.(keptRun); return true })
	b, err := json.MarshalIndent(kept, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(keptFile, append(b, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// kept returns a run as it is kept, with DIR for the folder of the program.
func (c *construct) kept(t *testing.T, b behaviour) keptRun {
	t.Helper()
	program, err := os.ReadFile(c.path)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(strings.Join(c.flags, " ") + "\n" + string(program)))
	text := func(s string) string {
		if s = strings.ReplaceAll(s, filepath.Dir(c.path), "DIR"); !utf8.ValidString(s) {
			return strconv.Quote(s) // JSON has no other bytes
		}
		return s
	}
	return keptRun{fmt.Sprintf("%x", sum[:8]), text(b.Out), text(b.Err), b.Status}
}

// drawn reports whether a program belongs to the sixteenth that is always compared with gcc itself.
func drawn(name string) bool {
	h := fnv.New32a()
	h.Write([]byte(name))
	return h.Sum32()%16 == 0
}
