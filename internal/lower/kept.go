package lower

import (
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/pickle"
	"gulo/internal/process"
	"gulo/internal/source"
)

// This file keeps large programs on disk after they were read and lowered, so that the next start
// does neither. A kept program must be the one that would be read. So it counts only while all
// texts that it was made of are unchanged, no new file would be found before one of them, and gulo
// and the compiler are the same.

// What is kept before the oldest are dropped, down to a half.
const (
	keptPrograms = 40
	keptBytes    = 1 << 30
)

// Open reads and lowers a program that somebody works with. If it is large, it is kept for the next
// time, unless it has Options.Components or contains the time of its compilation, which differs
// each time. The error is as Load's.
func Open(ctx context.Context, files []string, opt cfront.Options, how Options) (*Program, error) {
	store := openKept(files, opt, how)
	if p := store.read(); p != nil {
		p.Tree.Work = opt.Work
		return p, nil
	}
	tree, made, texts, err := cfront.LoadMade(ctx, files, opt)
	if err != nil {
		return nil, err
	}
	p, err := Lower(tree, how)
	if err == nil && !tree.Dated {
		tree.Work = nil // of this start alone
		store.write(p, made, texts)
		tree.Work = opt.Work
	}
	return p, err
}

// kept is the place of one program; "" keeps nothing.
type kept struct{ file string }

func openKept(files []string, opt cfront.Options, lowered Options) kept {
	if !cfront.Large(files) || lowered.Components != nil {
		return kept{}
	}
	self, err := buildID()
	base, cacheErr := os.UserCacheDir()
	how, ok := cfront.Compiled(files, opt)
	if err != nil || cacheErr != nil || !ok {
		return kept{}
	}
	dir := filepath.Join(base, "gulo", "programs")
	if os.MkdirAll(dir, 0o700) != nil {
		return kept{}
	}
	how = append(how, self, fmt.Sprint(lowered.Memory, lowered.Native, opt.Nested))
	h := sha256.New()
	for _, t := range how {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(t))))
		h.Write([]byte(t))
	}
	return kept{filepath.Join(dir, hex.EncodeToString(h.Sum(nil)[:20]))}
}

// buildID tells builds of gulo apart.
var buildID = sync.OnceValues(func() (string, error) {
	at, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := elf.Open(at)
	if err != nil {
		return "", err
	}
	defer f.Close()
	s := f.Section(".note.go.buildid")
	if s == nil {
		return "", fs.ErrNotExist
	}
	b, err := s.Data()
	return string(b), err
})

var codec = sync.OnceValue(func() *pickle.Codec {
	return pickle.New(cfront.Nodes(), []any{sync.Mutex{}, sync.Map{}})
})

// header is what must hold for a kept program to count.
type header struct{ Made []cfront.Made }

// outside are what a kept program refers to and does not contain.
func outside(files []*source.File) []any {
	var out []any
	for _, t := range ctype.Basics() {
		out = append(out, t)
	}
	for _, f := range files {
		out = append(out, f)
	}
	return out
}

// write keeps a program. What cannot be kept is read again the next time.
func (k kept) write(p *Program, made []cfront.Made, files []*source.File) {
	if k.file == "" {
		return
	}
	head, err := codec().Encode(&header{made}, nil)
	if err != nil {
		return
	}
	body, err := codec().Encode(p, outside(files))
	if err != nil {
		return
	}
	b := binary.LittleEndian.AppendUint64(make([]byte, 0, 8+len(head)+len(body)), uint64(len(head)))
	_ = process.WriteFile(k.file, append(append(b, head...), body...), 0o600) // a full disk is no reason to fail
	k.tidy()
}

// read returns the kept program, nil when there is none that counts.
func (k kept) read() *Program {
	if k.file == "" {
		return nil
	}
	b, err := os.ReadFile(k.file)
	if err != nil || len(b) < 8 {
		return nil
	}
	n := binary.LittleEndian.Uint64(b)
	if n > uint64(len(b)-8) {
		return nil
	}
	var head header
	if codec().Decode(b[8:8+n], &head, nil) != nil {
		return nil
	}
	files, ok := cfront.Remade(head.Made)
	if !ok {
		return nil
	}
	p := &Program{}
	if codec().Decode(b[8+n:], p, outside(files)) != nil {
		return nil
	}
	now := time.Now()
	_ = os.Chtimes(k.file, now, now)
	return p
}

// tidy drops the oldest programs when there are too many.
func (k kept) tidy() { process.KeepNewest(filepath.Dir(k.file), keptPrograms, keptBytes) }
