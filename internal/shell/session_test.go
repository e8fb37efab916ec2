package shell_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/session"
	"gulo/internal/shell"
	"gulo/internal/target"
	"gulo/internal/target/gdb"
	"gulo/internal/target/sim"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// This file runs every session of testdata on both engines. Their transcripts must be the same, and the same as the
// one that is kept. The source that the session writes is compiled by gcc and must print what the archive wants.

var update = flag.Bool("update", false, "rewrite the transcripts in testdata")

var engines = []string{"machine", "gdb"}

// enginesFor returns the engines for the i-th program of a list: with -short, gdb is used only for every eighth.
func enginesFor(i int) []string {
	if testing.Short() && i%8 != 0 {
		return engines[:1]
	}
	return engines
}

func newTarget(t testing.TB, engine string, p *lower.Program, files, args []string) target.Target {
	t.Helper()
	if engine == "machine" {
		return sim.New(p, sim.Config{Name: files[0], Args: args, Env: os.Environ()})
	}
	tgt, err := gdb.New(context.Background(), p, gdb.Config{Files: files, Args: args})
	if err != nil {
		t.Fatal(err)
	}
	return tgt
}

func newSession(t testing.TB, engine string, args []string, files ...string) *session.Session {
	t.Helper()
	tree, err := cfront.Load(context.Background(), files, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Lower(tree, lower.Options{Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	s := session.New(p, newTarget(t, engine, p, files, args), session.Config{Name: files[0], Args: args, Patience: 20, Limit: 5 * time.Minute})
	t.Cleanup(s.Close)
	return s
}

func section(a *txtar.Archive, name string) *txtar.File {
	for i := range a.Files {
		if a.Files[i].Name == name {
			return &a.Files[i]
		}
	}
	return nil
}

// kept returns the transcript that is kept of a session: the one of the engine if the archive has it, since gdb does
// not know all, otherwise that of both.
func kept(a *txtar.Archive, engine string) *txtar.File {
	if own := section(a, "transcript "+engine); own != nil {
		return own
	}
	return section(a, "transcript")
}

// costly are sessions that search for seconds, which -short leaves out.
var costly = strings.Fields("bad_repair tagged_links keeps_what_it_did other_arguments lost_on_the_way paper_hopping sparse_rb_fixup text_guarded " +
	"sparse_bst_insert bits_slab job_queue sparse_poly_add tag_macro cache_size kernel_list before_crash sparse_merge_sort reverse") // TestView plays reverse on both engines

func TestSessions(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no sessions", err)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	sums := keptSums(t)
	for i, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		if testing.Short() && slices.Contains(costly, name) {
			continue
		}
		var wrote []byte // the first engine's fixed.c, which has been compiled and run
		both := enginesFor(i)
		if testing.Short() && i > 0 {
			both = both[len(both)-1:] // one of them: the transcript that is kept is that of both
		}
		for _, engine := range both {
			t.Run(name+"/"+engine, func(t *testing.T) {
				dir := t.TempDir()
				t.Chdir(dir)
				if err := os.WriteFile("prog.c", section(ar, "prog.c").Data, 0o600); err != nil {
					t.Fatal(err)
				}
				for _, f := range ar.Files { // what view reads
					if ext := filepath.Ext(f.Name); ext == ".natvis" || ext == ".h" {
						if err := os.WriteFile(f.Name, f.Data, 0o600); err != nil {
							t.Fatal(err)
						}
					}
				}
				var out bytes.Buffer
				s := newSession(t, engine, nil, "prog.c")
				if _, _, err := shell.Script(context.Background(), s, bytes.NewReader(section(ar, "script").Data), &out); err != nil {
					t.Fatal(err)
				}
				tr := kept(ar, engine)
				if *update && !bytes.Equal(tr.Data, out.Bytes()) {
					if engine == "gdb" && section(ar, "transcript gdb") == nil {
						ar.Files = append(ar.Files, txtar.File{Name: "transcript gdb"})
						tr = kept(ar, engine)
					}
					tr.Data = append([]byte(nil), out.Bytes()...)
					if err := os.WriteFile(filepath.Join(root, path), txtar.Format(ar), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				if d := cmp.Diff(string(tr.Data), out.String()); d != "" {
					t.Errorf("transcript (-kept +now):\n%s", d)
				}
				text, err := os.ReadFile("fixed.c")
				if err == nil && bytes.Equal(text, wrote) {
					return
				}
				sum := sumOf(text, ar)
				if err == nil && testing.Short() && sums[name] == sum {
					return
				}
				if want := section(ar, "want"); want != nil { // not of sessions that only look
					fixed(t, "fixed.c", string(want.Data))
				}
				if held := section(ar, "held.c"); held != nil {
					if err := os.WriteFile("held.c", held.Data, 0o600); err != nil {
						t.Fatal(err)
					}
					fixed(t, "held.c", string(section(ar, "held").Data))
				}
				if !t.Failed() {
					wrote = text
					if *update && err == nil {
						sums[name] = sum
					}
				}
			})
		}
	}
	if *update {
		var b bytes.Buffer
		for _, name := range slices.Sorted(maps.Keys(sums)) {
			fmt.Fprintln(&b, name, sums[name])
		}
		if err := os.WriteFile(filepath.Join(root, sumsFile), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// sumsFile has a sum for each session: that of the program that it wrote when gcc last compiled it with the
// sanitizers, and it printed what the archive wants. With -short a program is only compiled again if its sum has
// changed; -update renews the sums.
const sumsFile = "testdata/fixed.sums"

func keptSums(t *testing.T) map[string]string {
	t.Helper()
	b, err := os.ReadFile(sumsFile)
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(b)) {
		name, sum, _ := strings.Cut(strings.TrimSpace(line), " ")
		sums[name] = sum
	}
	return sums
}

// sumOf returns the sum of a program that a session wrote, and of what the archive wants of it.
func sumOf(text []byte, ar *txtar.Archive) string {
	h := sha256.New()
	h.Write(text)
	for _, name := range []string{"want", "held.c", "held"} {
		if f := section(ar, name); f != nil {
			fmt.Fprintf(h, "\x00%s\x00%s", name, f.Data)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:16])
}

// fixed compiles and runs file, the rewritten source or a program that runs it on inputs that the session did not
// see, and compares the output.
func fixed(t *testing.T, file, want string) {
	t.Helper()
	if _, err := os.Stat("fixed.c"); err != nil {
		t.Error("the session wrote no fixed.c")
		return
	}
	if msg, err := exec.Command("gcc", "-w", "-fsanitize=address,undefined", "-o", "fixed", file).CombinedOutput(); err != nil {
		t.Fatalf("gcc on the patched source: %v\n%s", err, msg)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "./fixed")
	cmd.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0")
	out, err := cmd.Output()
	if err != nil {
		t.Errorf("%s: the patched program: %v", file, err)
	}
	if got, want := strings.TrimSpace(string(out)), strings.TrimSpace(want); got != want {
		t.Errorf("%s: the patched program prints %.200q, not %q", file, got, want)
	}
}
