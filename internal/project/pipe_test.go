package project

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipes: nobody waits for what stands where a program or a recording should.
func TestPipes(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "compile_commands.json")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	if IsProgram(name) || IsProgram(dir) || IsProgram(filepath.Join(dir, "missing")) {
		t.Error("a pipe is a program")
	}
	if _, err := read(name, dir); err == nil {
		t.Error("a pipe was read")
	}
	if args := respond(dir, []string{"@compile_commands.json", "-g"}, 0); len(args) != 2 {
		t.Error(args)
	}
	if self, err := os.Executable(); err != nil || !IsProgram(self) {
		t.Error("this test is no program", err)
	}
}
