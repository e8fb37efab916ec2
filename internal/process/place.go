package process

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// This file chooses where temporary folders are made: where programs may be executed, and
// where there is room for them.

// room is what the temporary files of a command fit into, in bytes.
const room = 64 << 20

// place returns the first of the usual folders that will do, else the one with most room;
// the usual one where none will do, so that its error is told.
func place() string {
	best, most := os.TempDir(), uint64(0)
	for _, dir := range places() {
		free, ok := usable(dir)
		if ok && free >= room {
			return dir
		}
		if ok && free > most {
			best, most = dir, free
		}
	}
	return best
}

// places lists where temporary folders may be made, the usual one first.
func places() []string {
	list := []string{os.TempDir(), "/tmp", "/var/tmp"}
	if cache, err := os.UserCacheDir(); err == nil {
		list = append(list, cache)
	}
	list = append(list, "/dev/shm")
	if home, err := os.UserHomeDir(); err == nil {
		list = append(list, home)
	}
	return list
}

// usable returns the room of a folder. ok is false if no files can be made in it or programs in it
// cannot be executed; those of root must be by other users, too.
func usable(dir string) (free uint64, ok bool) {
	var fs unix.Statfs_t
	if unix.Access(dir, unix.W_OK|unix.X_OK) != nil || unix.Statfs(dir, &fs) != nil || fs.Flags&unix.ST_NOEXEC != 0 {
		return 0, false
	}
	if os.Geteuid() == 0 && !reachable(dir) {
		return 0, false
	}
	return fs.Bavail * uint64(fs.Bsize), true
}

// reachable reports whether all users may go to a folder.
func reachable(dir string) bool {
	dir, err := filepath.Abs(dir)
	for ; err == nil; dir = filepath.Dir(dir) {
		st, e := os.Stat(dir)
		if e != nil || st.Mode().Perm()&1 == 0 {
			return false
		}
		if dir == "/" {
			return true
		}
	}
	return false
}
