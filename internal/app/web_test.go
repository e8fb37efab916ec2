package app

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/check"
)

// TestWebCheck: the page of gulo web --check begins before the error and has its report.
func TestWebCheck(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	file := filepath.Join(t.TempDir(), "twice.c")
	if err := os.WriteFile(file, []byte("#include <stdlib.h>\nint main(void)\n{\n    int *p = malloc(4);\n    free(p);\n    free(p);\n    return 0;\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	s := &streams{in: strings.NewReader(""), out: w, err: io.Discard}
	done := make(chan error, 1)
	go func() {
		done <- s.web(ctx, "127.0.0.1:0", sessionOptions{engine: "machine", files: []string{file}}, &check.Request{Files: []string{file}})
		_ = w.Close()
	}()
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err, <-done)
	}
	address := strings.TrimSpace(strings.TrimPrefix(line, "open "))
	jar, _ := cookiejar.New(nil)
	c := &http.Client{Jar: jar}
	page, err := c.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	_ = page.Body.Close()
	base, _, _ := strings.Cut(address, "?")
	events, err := c.Get(base + "api/events")
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(events.Body)
	_, _ = in.ReadString('\n')
	hello, err := in.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"line":"check"`, "double_free", `"line":6`, `"state":"stopped"`} {
		if !strings.Contains(hello, want) {
			t.Errorf("no %s in what the page is told: %s", want, hello)
		}
	}
	_ = events.Body.Close()
	cancel()
	if err := <-done; err == nil || !strings.Contains(err.Error(), "canceled") {
		t.Errorf("the server ended with %v", err)
	}
}
