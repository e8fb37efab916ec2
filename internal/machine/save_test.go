package machine_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/machine"
)

// TestSave runs programs and saves their state now and then. A state has the contents of all heap blocks, although it
// only copies those that have changed, and Changed lists all of these.
func TestSave(t *testing.T) {
	ar, err := txtar.ParseFile("testdata/programs.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	blocks, programs := 0, 0
	for _, f := range ar.Files {
		if !strings.HasSuffix(f.Name, ".c") || !bytes.Contains(f.Data, []byte("alloc")) || bytes.Contains(f.Data, []byte("pthread")) {
			continue
		}
		file := filepath.Join(dir, filepath.Base(f.Name))
		if err := os.WriteFile(file, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := lower.Load(context.Background(), []string{file}, cfront.Options{})
		if err != nil {
			continue // refused for good reasons, elsewhere
		}
		m, err := machine.New(p, machine.Config{Name: file, Stdin: bytes.NewReader(nil), Stdout: io.Discard, Stderr: io.Discard, Debug: true, KeepFreed: true})
		if err != nil {
			t.Fatal(err)
		}
		programs++
		blocks += saveOften(t, file, m)
	}
	if blocks < 500 || programs < 5 {
		t.Errorf("only %d blocks of %d programs were compared", blocks, programs)
	}
}

// manyBlocks has more blocks than are copied when a state is restored, and changes old ones.
const manyBlocks = `#include <stdlib.h>
#include <string.h>
struct node { int data; struct node *next; char text[9]; };
int main(void)
{
    struct node *all[300], *head = NULL;
    for (int i = 0; i < 300; i++) {
        struct node *n = malloc(sizeof *n);
        n->data = i;
        n->next = head;
        head = all[i] = n;
        if (i % 3 == 2) {
            all[i / 2]->data += i;
            strcpy(all[i - 1]->text, "text");
            memmove(all[i - 2]->text, all[i - 1]->text, 9);
        }
        if (i % 50 == 49) {
            all[i / 7]->next = NULL;
            free(all[i]);
            head = all[i] = all[i - 1];
        }
    }
    return head->data == 0;
}
`

// TestSaveMany does the same as TestSave with a program that has hundreds of blocks.
func TestSaveMany(t *testing.T) {
	file := filepath.Join(t.TempDir(), "many.c")
	if err := os.WriteFile(file, []byte(manyBlocks), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := lower.Load(context.Background(), []string{file}, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := machine.New(p, machine.Config{Name: file, Stdin: bytes.NewReader(nil), Stdout: io.Discard, Stderr: io.Discard, Debug: true, KeepFreed: true})
	if err != nil {
		t.Fatal(err)
	}
	m.RunUntil(func(int32, bool) bool { return len(m.HeapBlocks()) > 90 })
	if n := saveOften(t, file, m); n < 20_000 {
		t.Errorf("only %d blocks were compared", n)
	}
}

// content is what a heap block holds.
type content struct {
	data, init []byte
	freed      bool
}

func contents(m *machine.Machine) (out []content) {
	for _, b := range m.HeapBlocks() {
		out = append(out, content{slices.Clone(b.Data), slices.Clone(b.Init), b.Freed})
	}
	return out
}

func equal(a, b content) bool {
	return a.freed == b.freed && bytes.Equal(a.data, b.data) && bytes.Equal(a.init, b.init)
}

func saveOften(t *testing.T, file string, m *machine.Machine) (compared int) {
	var states []*machine.State
	var were [][]content
	var last []content // when Changed was called last
	for i := range 200 {
		n := 0
		f := m.RunUntil(func(int32, bool) bool { n++; return n > 5+i%9 })
		if _, ended := m.Exited(); ended || f != nil {
			break
		}
		now := contents(m)
		compared += len(now)
		if i%3 != 1 {
			states, were = append(states, m.Save()), append(were, now)
		}
		if i%2 == 0 {
			changed, ok := m.Changed()
			for k := range now {
				if ok && (k >= len(last) || !equal(now[k], last[k])) && !slices.Contains(changed, m.HeapBlocks()[k]) {
					t.Fatalf("%s: block n%d has changed, and nobody says so", file, k+1)
				}
			}
			last = now
		}
		if i%5 == 4 && len(states) > 0 {
			k := i * 7 % len(states)
			m.Restore(states[k])
			for j, c := range contents(m) {
				if len(were[k]) != len(m.HeapBlocks()) || !equal(c, were[k][j]) {
					t.Fatalf("%s: block n%d is not as it was when state %d was saved", file, j+1, k)
				}
			}
			if k%2 == 0 {
				continue
			}
			m.Restore(states[len(states)-1]) // and on
		}
	}
	return compared
}
