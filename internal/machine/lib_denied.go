package machine

import "gulo/internal/ctype"

// This file is functions that fail here as they do for a user without privileges, in a system that has no terminals, no
// extended attributes and no events of files: they set errno and return -1.

const (
	errNOSYS = 38
	errNOSPC = 28
	errNOTSU = 95
)

func init() {
	for errno, names := range map[ctype.Word][]string{
		errPERM: {
			"acct", "vhangup", "iopl", "ioperm", "sethostid", "setns", "unshare", "mount", "umount", "umount2", "swapon", "swapoff", "quotactl", "fsopen", "fsmount", "fsconfig", "fspick", "move_mount", "open_tree",
			"mount_setattr", "adjtime", "ptrace", "fanotify_init", "fanotify_mark", "setlogin", "pivot_root",
		},
		errNOSYS: {
			"inotify_init", "inotify_init1", "inotify_add_watch", "inotify_rm_watch", "revoke", "gtty", "stty", "sigreturn", "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "process_madvise", "process_mrelease",
			"sigstack", "userfaultfd", "perf_event_open",
		},
		errNOSPC: {"pkey_alloc"},
		errINVAL: {"pkey_free", "pkey_mprotect", "pkey_set"},
		errNOTSU: {
			"getxattr", "lgetxattr", "fgetxattr", "setxattr", "lsetxattr", "fsetxattr", "listxattr", "llistxattr", "flistxattr", "removexattr", "lremovexattr", "fremovexattr", "name_to_handle_at",
			"open_by_handle_at",
		},
	} {
		for _, n := range names {
			builtins[n] = func(m *Machine, c *libCall) (ctype.Word, *Fault) { return m.failed(errno) }
		}
	}
}
