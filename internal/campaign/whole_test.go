package campaign

import (
	"errors"
	"testing"

	"gulo/internal/native"
)

// TestLate tells what gcc refuses from what it had no time for, which is tried again.
func TestLate(t *testing.T) {
	j := &job{dir: "/job"}
	var no *refused
	if err := j.said(&native.CompileError{Text: "/job/a.c:1:1: error: expected ';'\nmore"}); !errors.As(err, &no) || no.message != "a.c:1:1: error: expected ';'" {
		t.Errorf("refused: %v", err)
	}
	if err := j.said(&native.CompileError{Text: "gcc needs more than 20s", Late: true}); err == nil || errors.As(err, &no) {
		t.Errorf("late: %v", err)
	}
}
