package gdb

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"

	"gulo/internal/process"
)

// This file lets a process go when gulo ends without having done it, by SIGKILL too.
//
// A gdb that is killed leaves its breakpoints behind, of which the process dies; one that gets
// SIGTERM, or comes to the end of its input, while the process runs hands it a SIGINT or leaves it
// stopped every few times (gdb 13.1). So a shell waits at the other end of a pipe of gulo's. When
// that closes the shell gives gdb the command to detach, and stops the process for it when it runs.

// watchScript waits for the end of gulo: $1 is the process, $2 gdb, 3 gdb's input, 4 its output.
// A process that gdb has stopped, or is about to, is in state t.
const watchScript = `trap '' HUP INT TERM
read -r line
cat <&4 >/dev/null &
printf '%s\n' -target-detach >&3
n=0
while [ $n -lt 40 ] && kill -0 "$2"; do
	tracer= state=
	while read -r key value rest; do
		case $key in TracerPid:) tracer=$value;; State:) state=$value;; esac
	done < "/proc/$1/status" || break
	[ "$tracer" = "$2" ] || break
	if [ $((n % 4)) = 3 ]; then
		case $state in
		t|T) printf '%s\n' -target-detach >&3;;
		*) kill -INT "$2"; printf '%s\n' -target-detach >&3;;
		esac
	fi
	n=$((n + 1))
	sleep 0.05
done 2>/dev/null
printf '%s\n' -gdb-exit >&3
`

// watch starts a shell that lets a process go when c.watcher is closed, as it is however gulo ends.
func (c *client) watch(pid int) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	sh := exec.Command("sh", "-c", watchScript, "gulo-watch", strconv.Itoa(pid), strconv.Itoa(c.cmd.Process.Pid))
	sh.Dir, sh.Stdin, sh.ExtraFiles = "/", r, []*os.File{c.in, c.out}
	sh.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := sh.Start(); err != nil {
		_ = w.Close()
		return fmt.Errorf("nothing would let the process go when gulo is killed: %w", err)
	}
	ended := make(chan struct{})
	process.Go(func() {
		_ = sh.Wait()
		close(ended)
	})
	c.watcher, c.watched = w, ended
	c.forget = process.AtExit(c.letGo)
	return nil
}

// letGoLimit is how long the process and gdb are waited for; watchScript gives up before.
const letGoLimit = 4 * time.Second

// letGo has the watcher let the process go, if there is one.
func (c *client) letGo() {
	if c.watcher == nil {
		return
	}
	_ = c.watcher.Close()
	select {
	case <-c.watched:
	case <-time.After(letGoLimit):
	}
}
