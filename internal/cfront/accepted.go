package cfront

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"gulo/internal/process"
	"gulo/internal/source"
)

// This file keeps which files of large programs gcc has accepted, so that the second start of
// such a program does not ask about all of them again. What is kept for a file is the digest of all
// the texts that it is made of, which is known once it has been preprocessed: where it is
// another one, gcc is asked after all, before anything is parsed. About the files of a program of
// several that it never accepted it is asked in the same way, beside the reading of others.

// Answers are kept of programs of so many files and of files of so many bytes: to ask about
// others takes no time.
const (
	keepFiles = 4
	keepBytes = 50_000
)

// keptAnswers is how many answers are kept before the oldest are dropped, down to a half.
const keptAnswers = 8000

// accepted are the answers. Without a folder there are none.
type accepted struct {
	dir string
	cc  string // tells compilers apart
}

// openAccepted returns the answers that may be used for the files of a program.
func openAccepted(files []*source.File) accepted {
	if len(files) < keepFiles && !slices.ContainsFunc(files, func(f *source.File) bool { return len(f.Text) >= keepBytes }) {
		return accepted{}
	}
	cc, err := compiler()
	base, cacheErr := os.UserCacheDir()
	if err != nil || cacheErr != nil {
		return accepted{}
	}
	dir := filepath.Join(base, "gulo", "accepted")
	if os.MkdirAll(dir, 0o700) != nil {
		return accepted{}
	}
	return accepted{dir, cc}
}

// place is the name of the file that has the answer about a unit.
func (a accepted) place(u *Unit, f *source.File) string {
	folder, err := filepath.Abs(u.Path("."))
	if err != nil {
		folder = u.Dir
	}
	h := sha256.New()
	for _, t := range append([]string{a.cc, folder, u.Name, string(f.Text)}, u.Flags...) {
		sum := sha256.Sum256([]byte(t))
		h.Write(sum[:])
	}
	return filepath.Join(a.dir, hex.EncodeToString(h.Sum(nil)[:20]))
}

// digest returns that of the texts with which gcc has accepted a unit, "" for none.
func (a accepted) digest(u *Unit, f *source.File) string {
	if a.dir == "" {
		return ""
	}
	at := a.place(u, f)
	b, err := os.ReadFile(at)
	if err != nil || len(b) != sha256.Size {
		return ""
	}
	now := time.Now()
	_ = os.Chtimes(at, now, now)
	return string(b)
}

// keep notes that gcc has accepted a unit.
func (a accepted) keep(u *Unit, f *source.File, digest string) {
	if a.dir != "" && digest != "" {
		_ = process.WriteFile(a.place(u, f), []byte(digest), 0o600) // a full disk is no reason to fail
	}
}

// tidy drops the oldest answers when there are too many.
func (a accepted) tidy() {
	list, err := os.ReadDir(a.dir)
	if a.dir == "" || err != nil || len(list) <= keptAnswers {
		return
	}
	age := map[string]time.Time{}
	for _, e := range list {
		if i, err := e.Info(); err == nil && i.Mode().IsRegular() {
			age[e.Name()] = i.ModTime()
		}
	}
	slices.SortFunc(list, func(x, y os.DirEntry) int {
		if c := age[x.Name()].Compare(age[y.Name()]); c != 0 {
			return c
		}
		return strings.Compare(x.Name(), y.Name())
	})
	for _, e := range list[:len(list)-keptAnswers/2] {
		_ = os.Remove(filepath.Join(a.dir, e.Name()))
	}
}

// unasked are the files about which gcc has not been asked in this process.
type unasked struct {
	ctx    context.Context
	digest map[string]string // by name: the digest with which it accepted one before, "" if it never did
	accept func(ctx context.Context, u Unit, digest string, texts []string) error
	early  map[string]bool // by name: those accepted just now that are so large that accept, if it compiles them, begins at once
	places chan struct{}   // as many as may be asked about at once
	asking sync.WaitGroup
}

// newUnasked returns files of which none is known; accept is as Options.Accept.
func newUnasked(ctx context.Context, accept func(context.Context, Unit, string, []string) error) *unasked {
	early := map[string]bool{}
	if accept == nil {
		early = nil
		accept = func(ctx context.Context, u Unit, _ string, _ []string) error { return checkUnits(ctx, []Unit{u}) }
	}
	return &unasked{ctx: ctx, digest: map[string]string{}, accept: accept, early: early, places: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// accepts is the answer of a compiler that need not be asked.
func accepts() error { return nil }

// ask asks gcc about a file that is not the one that it accepted; said waits for the answer. A
// file that could not be preprocessed has no digest.
func (n *unasked) ask(f *source.File, how Unit, digest string, texts []string) (said func() error) {
	was, ok := n.digest[f.Name]
	if !ok && n.early[f.Name] && digest != "" {
		n.begin(how, digest, texts, 0) // if it fails, that is said when the program is built
		return accepts
	}
	if !ok || was != "" && was == digest {
		return accepts
	}
	delete(n.digest, f.Name)
	return n.begin(how, digest, texts, gccLimit)
}

// begin asks, with a limit if there is one; said waits for the answer.
func (n *unasked) begin(how Unit, digest string, texts []string, limit time.Duration) (said func() error) {
	answer := make(chan error, 1)
	n.asking.Go(process.Guard(func() {
		n.places <- struct{}{}
		defer func() { <-n.places }()
		ctx := n.ctx
		if limit > 0 {
			var cancel func()
			ctx, cancel = context.WithTimeout(ctx, limit)
			defer cancel()
		}
		if err := ctx.Err(); err != nil {
			answer <- err
			return
		}
		answer <- n.accept(ctx, how, digest, texts)
	}))
	return func() error { return <-answer }
}

// wait waits for what has begun early.
func (n *unasked) wait() {
	if len(n.early) > 0 {
		n.asking.Wait()
	}
}
