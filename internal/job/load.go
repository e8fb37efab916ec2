package job

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/process"
	"gulo/internal/source"
)

// This file reads the texts of a job once, however many engines ask for them.

// Texts caches the programs read for a job. Every engine gets a lowered program of its own, since trying repairs adds
// to it. The syntax tree below is shared and must not be changed. Copies of a job share its Texts; goroutines may share
// them, too.
//
// A source file that has changed is read again. A change of a header is not noticed.
type Texts struct {
	mu    sync.Mutex
	trees map[string]*text
}

// text is one program; its lock is held while it is read.
type text struct {
	sync.Mutex
	tree  *cfront.Program
	times int // how often it was read
}

// Keeping returns a copy of the job with a cache for what is read, or the job itself if it has one.
func (j *Job) Keeping() *Job {
	if j.Texts != nil {
		return j
	}
	one := *j
	one.Texts = &Texts{}
	return &one
}

// Load returns the job's program, lowered with the options of Lowered.
func (j *Job) Load(ctx context.Context) (*lower.Program, error) {
	return j.Texts.load(ctx, j.Files, j.Options, j.Lowered())
}

// Lowered returns the options with which the job's program is lowered: those of lower.Load, and for Memory also the
// bounds of arrays inside variables. Variables do not end with their blocks, as they do for gulo check: with that, only
// edits that avoid using such a variable were found, and none that makes it live longer (package cases reports the
// error).
func (j *Job) Lowered() lower.Options {
	return lower.Options{Memory: true, Bounds: j.Memory}
}

// LoadReference returns the reference, lowered.
func (j *Job) LoadReference(ctx context.Context) (*lower.Program, error) {
	return j.Texts.Load(ctx, j.Reference, j.Options)
}

// Read reads the program and the reference in parallel, so that later calls find them read. Errors are left to those
// calls.
func (j *Job) Read(ctx context.Context) {
	if j.Texts == nil || len(j.Reference) == 0 {
		return
	}
	_ = process.Parallel(ctx, 2, 2, func(ctx context.Context, i int) error {
		_, _ = j.Texts.Tree(ctx, [][]string{j.Files, j.Reference}[i], j.Options)
		return nil
	})
}

// Tree returns the job's program as a tree, which must not be changed.
func (j *Job) Tree(ctx context.Context) (*cfront.Program, error) {
	return j.Texts.Tree(ctx, j.Files, j.Options)
}

// Load is lower.Load with a cached tree, if there is one. A nil Texts caches nothing.
func (t *Texts) Load(ctx context.Context, files []string, opt cfront.Options) (*lower.Program, error) {
	return t.load(ctx, files, opt, lower.Options{Memory: true})
}

func (t *Texts) load(ctx context.Context, files []string, opt cfront.Options, how lower.Options) (*lower.Program, error) {
	tree, err := t.Tree(ctx, files, opt)
	if err != nil {
		return nil, err
	}
	return lower.Lower(tree, how)
}

// Tree is cfront.Load with a cache. A program that could not be loaded is loaded again.
func (t *Texts) Tree(ctx context.Context, files []string, opt cfront.Options) (*cfront.Program, error) {
	key, readable := keyOf(files, opt)
	if t == nil || !readable {
		return cfront.Load(ctx, files, opt)
	}
	x := t.text(key)
	x.Lock()
	defer x.Unlock()
	if x.tree == nil {
		x.times++
		tree, err := cfront.Load(ctx, files, opt)
		if err != nil {
			return nil, err
		}
		x.tree = tree
	}
	// Lowering appends to Opaque: the capacity is cut so that it cannot write into the shared tree.
	own := *x.tree
	own.Opaque = own.Opaque[:len(own.Opaque):len(own.Opaque)]
	return &own, nil
}

// keyOf returns a key for the contents of a program's files and the options; false if a file cannot be read.
func keyOf(files []string, opt cfront.Options) (string, bool) {
	h := sha256.New()
	for _, name := range files {
		f, err := source.ReadFile(name)
		if err != nil {
			return "", false
		}
		fmt.Fprintf(h, "%q %q\n", name, f.Text)
	}
	return fmt.Sprintf("%x %+v", h.Sum(nil), opt), true
}

func (t *Texts) text(key string) *text {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.trees == nil {
		t.trees = map[string]*text{}
	}
	if t.trees[key] == nil {
		t.trees[key] = &text{}
	}
	return t.trees[key]
}

// Times returns how often the program that was read most often was read.
func (t *Texts) Times() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	most := 0
	for _, x := range t.trees {
		most = max(most, x.times)
	}
	return most
}
