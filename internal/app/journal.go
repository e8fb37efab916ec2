package app

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// This file keeps the command lines of a session in a browser on disk while it lasts. If the session ends without quit,
// the next session of the same program, with the same text, can play them again.

// journal is a file of command lines that one session holds locked.
type journal struct {
	f    *os.File
	lost []string // what the previous session executed; empty if it ended by quit
}

// Bounds of journals: how long they are kept, and how many sessions of one program have one at the same time.
const (
	journalAge  = 7 * 24 * time.Hour
	maxJournals = 8
)

// openJournal opens the journal of a program. It returns nil if that fails: no session should fail for it.
func openJournal(o *sessionOptions) *journal {
	file := historyFile()
	if file == "" {
		return nil
	}
	dir := filepath.Join(filepath.Dir(file), "sessions")
	if os.MkdirAll(dir, 0o700) != nil {
		return nil
	}
	dropJournals(dir)
	name := sessionKey(o)
	for i := range maxJournals {
		f, err := os.OpenFile(filepath.Join(dir, fmt.Sprintf("%s-%d", name, i)), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
		if err != nil {
			return nil
		}
		if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil { // another session holds it
			_ = f.Close()
			continue
		}
		j := &journal{f: f}
		text, err := io.ReadAll(io.LimitReader(f, 1<<20))
		if err == nil {
			j.lost = strings.FieldsFunc(string(text), func(r rune) bool { return r == '\n' })
		}
		if f.Truncate(0) != nil {
			_ = f.Close()
			return nil
		}
		return j
	}
	return nil
}

// sessionKey returns a key for a program's text, arguments and engine.
func sessionKey(o *sessionOptions) string {
	h, opt := sha256.New(), o.opt
	opt.Work = nil // the session may write these files
	fmt.Fprintf(h, "%s\x00%q\x00%+v\x00", o.engine, o.args, opt)
	for _, name := range o.files {
		path, err := filepath.Abs(name)
		if err != nil {
			path = name
		}
		text, _ := os.ReadFile(name)
		fmt.Fprintf(h, "%q\x00%d\x00%s", path, len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// dropJournals removes journals older than journalAge.
func dropJournals(dir string) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range list {
		if i, err := e.Info(); err == nil && time.Since(i.ModTime()) > journalAge {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

func (j *journal) record(line string) {
	if j != nil {
		_, _ = io.WriteString(j.f, strings.TrimSpace(line)+"\n")
	}
}

// close ends the journal. A finished session needs no replay, so that its file is removed.
func (j *journal) close(finished bool) {
	if j == nil {
		return
	}
	if finished {
		_ = os.Remove(j.f.Name())
	}
	_ = j.f.Close()
}
