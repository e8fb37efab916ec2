package gdb

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/process"
)

// This file keeps compiled objects, by what they are made of: the texts of a file and of
// all that it includes, the flags, the compiler. So the second start of a large program
// compiles what has changed.

type cache struct {
	dir string // "" without a place to keep anything
	cc  []byte // tells compilers apart
}

// What the cache may hold before the oldest are dropped, down to a half.
const (
	cacheEntries = 4000
	cacheBytes   = 512 << 20
)

func openCache() *cache {
	c := &cache{}
	at, err := exec.LookPath("gcc")
	if err != nil {
		return c
	}
	if at, err = filepath.EvalSymlinks(at); err != nil {
		return c
	}
	st, err := os.Stat(at)
	if err != nil {
		return c
	}
	c.cc = []byte(at + st.ModTime().String() + strings.Join(compileFlags, " "))
	base, err := os.UserCacheDir()
	if err != nil {
		return c
	}
	dir := filepath.Join(base, "gulo", "objects")
	if os.MkdirAll(dir, 0o700) == nil {
		c.dir = dir
	}
	return c
}

// key returns the name of what is made of some texts.
func (c *cache) key(texts ...[]byte) string {
	h := sha256.New()
	for _, t := range append(texts, c.cc) {
		sum := sha256.Sum256(t)
		h.Write(sum[:])
	}
	return hex.EncodeToString(h.Sum(nil)[:20])
}

// unit is the key of a unit's object.
func (c *cache) unit(u *cfront.Unit, digest string) string {
	return c.key([]byte(digest), []byte(absolute(u.Path(""))), []byte(u.Name), []byte(strings.Join(u.Flags, "\x00")))
}

// make writes the object of a key to the file to: from the cache, or by compile, whose object
// it then keeps. With an empty key it only compiles.
func (c *cache) make(key, to string, compile func() error) error {
	if c.dir == "" || key == "" {
		return compile()
	}
	at := filepath.Join(c.dir, key+".o")
	if b, err := os.ReadFile(at); err == nil && len(b) > 0 {
		now := time.Now()
		_ = os.Chtimes(at, now, now)
		return os.WriteFile(to, b, 0o600)
	}
	if err := compile(); err != nil {
		return err
	}
	if b, err := os.ReadFile(to); err == nil {
		_ = process.WriteFile(at, b, 0o600) // a full disk is no reason to fail
	}
	return nil
}

// tidy drops the oldest objects when there are too many.
func (c *cache) tidy() {
	if c.dir != "" {
		process.KeepNewest(c.dir, cacheEntries, cacheBytes)
	}
}
