package process

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// This file is about temporary folders and the files that users asked for.

// TempError says that there is no place for temporary files.
type TempError struct{ Err error }

func (e *TempError) Error() string {
	return fmt.Sprintf("no temporary folder can be made in %s: %v; set TMPDIR to a folder with space that may be written to", os.TempDir(), reason(e.Err))
}

func (e *TempError) Unwrap() error { return e.Err }

// reason is an error without the path that it is about.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// folder returns the temporary folder of the process, made when it is first
// asked for; "" when nobody would remove it.
func folder() (string, error) {
	state.Lock()
	defer state.Unlock()
	if !state.main {
		return "", nil
	}
	if state.temp != "" {
		if _, err := os.Stat(state.temp); err == nil {
			return state.temp, nil
		}
	}
	in := place()
	sweep(in)
	dir, held, err := ownFolder(in)
	if err != nil {
		return "", &TempError{err}
	}
	state.temp, state.held = dir, held
	return dir, nil
}

// TempDir makes a temporary folder. The caller removes it; what is left when the
// process ends is removed then.
func TempDir(pattern string) (string, error) {
	in, err := folder()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(in, pattern)
	if err != nil {
		return "", &TempError{err}
	}
	return dir, nil
}

// WriteFile writes a file that the user named, all of it or nothing: what was
// there stays until the new text is complete. Links are followed; what is no
// ordinary file, such as a pipe or a terminal, is written to directly.
func WriteFile(path string, data []byte, mode fs.FileMode) error {
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	old, err := os.Stat(path)
	switch {
	case err == nil && !old.Mode().IsRegular():
		return os.WriteFile(path, data, mode)
	case err == nil:
		// A folder may let us make files where the file itself is protected.
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_ = f.Close()
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	f, err := beside(path, mode)
	if err != nil {
		if old != nil && errors.Is(err, fs.ErrPermission) { // the file may be written, its folder not
			return os.WriteFile(path, data, mode)
		}
		return &fs.PathError{Op: "write", Path: path, Err: reason(err)}
	}
	defer AtExit(func() { _ = os.Remove(f.Name()) })()
	_, err = f.Write(data)
	if err == nil && old != nil {
		err = f.Chmod(old.Mode().Perm())
		if st, ok := old.Sys().(*syscall.Stat_t); ok {
			_ = f.Chown(int(st.Uid), int(st.Gid))
		}
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return &fs.PathError{Op: "write", Path: path, Err: reason(err)}
	}
	return nil
}

// beside makes an empty file in the folder of another.
func beside(path string, mode fs.FileMode) (*os.File, error) {
	for try := 0; ; try++ {
		name := fmt.Sprintf(".gulo-%d-%d", os.Getpid(), rand.Uint32())
		f, err := os.OpenFile(filepath.Join(filepath.Dir(path), name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) || try > 100 {
			return f, err
		}
	}
}

// KeepNewest removes the oldest files of a folder that has more than so many files, or more bytes, until at
// most half of both is left. A folder that cannot be read stays as it is.
func KeepNewest(dir string, files int, bytes int64) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	var infos []fs.FileInfo
	total := int64(0)
	for _, e := range list {
		if i, err := e.Info(); err == nil && i.Mode().IsRegular() {
			infos = append(infos, i)
			total += i.Size()
		}
	}
	if len(infos) <= files && total <= bytes {
		return
	}
	slices.SortFunc(infos, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), cmp.Compare(a.Name(), b.Name()))
	})
	for i, f := range infos {
		if len(infos)-i <= files/2 && total <= bytes/2 {
			break
		}
		if os.Remove(filepath.Join(dir, f.Name())) == nil {
			total -= f.Size()
		}
	}
}
