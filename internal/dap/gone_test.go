package dap_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"

	"gulo/internal/dap"
)

type closed struct{ error }

func (c closed) Write([]byte) (int, error) { return 0, c.error }

// TestGone: a client that has gone away is no failure; one that cannot be written to is.
func TestGone(t *testing.T) {
	const ask = "{\"seq\":1,\"type\":\"request\",\"command\":\"initialize\",\"arguments\":{\"adapterID\":\"gulo\"}}"
	for err, fails := range map[error]bool{syscall.EPIPE: false, syscall.ECONNRESET: false, io.ErrClosedPipe: false, syscall.ENOSPC: true} {
		r := strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(ask), ask))
		if got := dap.Serve(context.Background(), r, closed{err}, dap.Config{}); (got != nil) != fails {
			t.Errorf("%v: Serve returns %v", err, got)
		}
	}
}
