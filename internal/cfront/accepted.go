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

// This file remembers which files of large programs gcc has accepted, so that the second start of
// such a program need not ask gcc about all of them again. For each file it keeps a digest of all the
// texts that the file is made of. The digest is known once the file has been preprocessed. If it
// differs from the kept one, gcc is asked after all, before the file is parsed. Files that gcc has never
// accepted are asked about in the same way, if there are several, while other files are read.

// Answers are kept only for programs with at least keepFiles files, or with a file of at least keepBytes
// bytes. To ask gcc about a smaller program takes no time.
const (
	keepFiles = 4
	keepBytes = 50_000
)

// keptAnswers is how many answers are kept before the oldest are dropped, down to a half.
const keptAnswers = 8000

// accepted is the store of answers on disk. With dir "" nothing is stored or found.
type accepted struct {
	dir string
	cc  string // tells compilers apart
}

// openAccepted opens the store for the files of a program. The store is empty if the program is small or the
// folder cannot be made.
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

// place returns the name of the file that stores the answer about a unit.
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

// digest returns the digest of the texts with which gcc has accepted a unit, "" if it has not.
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

// unasked holds the files about which gcc has not yet been asked in this process.
type unasked struct {
	ctx    context.Context
	digest map[string]string // by file name: the digest that gcc accepted in an earlier process, "" if it accepted none
	accept func(ctx context.Context, u Unit, digest string, texts []string) error
	early  map[string]bool // by file name: large files that gcc has accepted just now; ask calls accept for them without waiting
	places chan struct{}   // bounds how many files are asked about at once
	asking sync.WaitGroup
}

// newUnasked returns an empty unasked; accept is as Options.Accept.
func newUnasked(ctx context.Context, accept func(context.Context, Unit, string, []string) error) *unasked {
	early := map[string]bool{}
	if accept == nil {
		early = nil
		accept = func(ctx context.Context, u Unit, _ string, _ []string) error { return checkUnits(ctx, []Unit{u}) }
	}
	return &unasked{ctx: ctx, digest: map[string]string{}, accept: accept, early: early, places: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// accepts is the answer about a file that gcc need not be asked about.
func accepts() error { return nil }

// ask asks gcc about a file in n.digest unless gcc has accepted it with this digest before; said waits for the answer.
// For a file in n.early it starts accept and does not wait. Other files need no answer. digest is "" for a file that
// could not be preprocessed.
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

// begin starts accept for a unit in a goroutine, within limit unless that is 0; said waits for the answer.
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

// wait waits for the calls of accept that ask has started for files in early.
func (n *unasked) wait() {
	if len(n.early) > 0 {
		n.asking.Wait()
	}
}
