package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"

	"golang.org/x/sys/unix"
)

// This file removes what killed processes leave behind: the temporary folder of a gulo, and the files of a compiler.
// A process holds a lock on its folder, which ends with it.

// foldersName is how folders of processes are called: gulo-PID-RANDOM.
var foldersName = regexp.MustCompile(`^gulo-\d+-\d+$`)

// ownFolder makes the folder of this process, and locks it.
func ownFolder(in string) (dir string, held *os.File, err error) {
	for range 10 { // another process that sweeps may be faster than the lock
		if dir, err = os.MkdirTemp(in, fmt.Sprintf("gulo-%d-", os.Getpid())); err != nil {
			return "", nil, err
		}
		if held = locked(dir); held != nil {
			break
		}
	}
	return dir, held, os.Chmod(dir, 0o711) // a sandbox's user may reach what is shown to it
}

// locked opens a folder and locks it; nil where another process has it, or it is gone.
func locked(dir string) *os.File {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil
	}
	if err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err == nil {
		var own, now os.FileInfo
		if own, err = f.Stat(); err == nil {
			now, err = os.Lstat(dir)
		}
		if err == nil && os.SameFile(own, now) {
			return f
		}
	} else if !errors.Is(err, unix.EWOULDBLOCK) {
		return f // a file system without locks: nobody else gets one either, and sweeps
	}
	_ = f.Close()
	return nil
}

// sweep removes the folders of those processes of this user that have ended.
func sweep(in string) {
	list, err := os.ReadDir(in)
	if err != nil {
		return
	}
	for _, e := range list {
		if !e.IsDir() || !foldersName.MatchString(e.Name()) {
			continue
		}
		dir := filepath.Join(in, e.Name())
		st, err := os.Lstat(dir)
		if err != nil || int(st.Sys().(*syscall.Stat_t).Uid) != os.Geteuid() {
			continue
		}
		if f := locked(dir); f != nil {
			if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
				_ = os.RemoveAll(dir)
			}
			_ = f.Close()
		}
	}
}

// Scratch gives a tool that makes temporary files a folder for them, so that they are removed with it when the tool is
// killed. Precondition: the tool has not been started.
func Scratch(c *exec.Cmd) (remove func(), err error) {
	dir, err := TempDir("gulo-tool")
	if err != nil {
		return nil, err
	}
	c.Env = append(c.Environ(), "TMPDIR="+dir)
	return func() { _ = os.RemoveAll(dir) }, nil
}
