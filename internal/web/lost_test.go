package web_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/session"
	"gulo/internal/target/sim"
	"gulo/internal/web"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// This file tests what goes wrong around a session: pages that are reloaded at the worst moment, a server that is
// killed.

// asServer is the environment variable with which the test binary is a server, on the address that it has; asHistory
// has the name of its file of command lines.
const (
	asServer  = "GULO_TEST_SERVER"
	asHistory = "GULO_TEST_HISTORY"
)

// beServer serves the example until it is killed.
func beServer(address string) {
	fatal := func(err error) {
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	const file = "../../examples/reverse.c"
	tree, err := cfront.Load(context.Background(), []string{file}, cfront.Options{})
	fatal(err)
	p, err := lower.Lower(tree, lower.Options{Memory: true})
	fatal(err)
	history := os.Getenv(asHistory)
	ses := session.New(p, sim.New(p, sim.Config{Name: file}), session.Config{Name: file})
	srv := web.New(ses, func(line string) {
		f, err := os.OpenFile(history, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		fatal(err)
		_, err = f.WriteString(line + "\n")
		fatal(err)
		fatal(f.Close())
	})
	if text, err := os.ReadFile(history); err == nil {
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		srv.Remember(lines)
		srv.Lost(append(lines, "rewrite "+history+".c"))
	}
	l, err := net.Listen("tcp", address)
	fatal(err)
	go func() { _ = srv.HTTP().Serve(l) }()
	fmt.Printf("http://%s/?token=%s\n", l.Addr(), srv.Invite())
	fatal(srv.Run(context.Background()))
}

// server starts a server in a process of its own; it returns the address with its token.
func server(t *testing.T, address, history string) (string, *exec.Cmd) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), asServer+"="+address, asHistory+"="+history)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "http://") {
		t.Fatalf("the server says %q (%v)", line, err)
	}
	return strings.TrimSpace(line), c
}

// TestServerKilled: the page says that the server is gone. A server that is started at the same address begins a new
// session, in which earlier command lines come back, as in the shell. A page with only the old address is refused.
func TestServerKilled(t *testing.T) {
	history := filepath.Join(t.TempDir(), "history")
	address, first := server(t, "127.0.0.1:0", history)
	b := open(t, address, nil)
	b.wait("document.querySelectorAll('.line').length > 40 && document.body.dataset.seq === '0'")
	b.button("start", 1)
	b.after(func() { b.fill("#line", "until 44") })
	b.after(func() { b.drag("n3->prev", "null") })
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	b.wait("document.getElementById('status').textContent === 'no connection to gulo'")
	b.wait("document.getElementById('notes').textContent.includes('Start gulo web again')")
	b.shoot("gone")
	if got := b.eval("document.querySelectorAll('[data-node]').length"); got != "4" {
		t.Errorf("%s nodes are still shown, not 4", got)
	}
	host, _, _ := strings.Cut(strings.TrimPrefix(address, "http://"), "/")
	again, _ := server(t, host, history)
	b.eval("window.out = '', fetch('/api/source').then(r => window.out = String(r.status)), 1")
	b.wait("window.out !== ''")
	if got := b.eval("window.out"); got != "403" {
		t.Errorf("the old cookie is answered with %s", got)
	}
	b.wait("document.getElementById('notes').textContent.startsWith('Another gulo answers')")
	b.do(chromedp.Navigate(again))
	b.wait("document.querySelectorAll('.line').length > 40 && document.body.dataset.seq === '0'")
	var got []string
	b.click("#line")
	for range 3 {
		b.press(kb.ArrowUp)
		got = append(got, b.eval("document.getElementById('line').value"))
	}
	if text := strings.Join(got, "; "); text != "change n3->prev null; until 44; start" {
		t.Errorf("arrow up brings back %q", text)
	}
	// The session that was cut off is played again, but for what writes files.
	if got := b.text("#note"); !strings.Contains(got, "ended without quit, after 3 commands (the last one: change n3->prev null)") {
		t.Errorf("of the session before the page says %q", got)
	}
	b.shoot("again")
	b.click("#answer button:first-child")
	b.wait("document.body.dataset.seq === '3' && document.getElementById('busy').hidden")
	if got := b.log(); got != "start\nuntil 44\nchange n3->prev null" {
		t.Errorf("played again: %q", got)
	}
	if got := b.eval("document.querySelector('[data-key=\"n3->prev\"] title').textContent + document.getElementById('note').hidden"); got != "n3->prev = null (struct node *)true" {
		t.Errorf("after playing again: %s", got)
	}
}

// TestReloadInRepair: a page that is reloaded, or closed and opened, while repair searches shows that the search goes
// on, and then what it found.
func TestReloadInRepair(t *testing.T) {
	held := make(chan struct{})
	var once, begun sync.Once
	searching := make(chan struct{})
	release := func() { once.Do(func() { close(held) }) }
	defer release()
	srv, addr := serveWith(t, "machine", func(text string) {
		if strings.HasPrefix(text, "looking") {
			begun.Do(func() { close(searching) })
			<-held
		}
	}, "../../examples/reverse.c")
	b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	b.wait("document.querySelectorAll('.line').length > 40 && document.body.dataset.seq === '0'")
	b.keys("Snnnnsnnnaennnnn")
	b.after(func() { b.drag("current", "n3") })
	b.after(func() { b.drag("n4->prev", "n3") })
	b.keys("a")
	log := b.log()
	b.press("r")
	<-searching
	b.do(chromedp.Reload())
	b.wait("document.getElementById('doing').textContent.startsWith('repair') && !document.getElementById('busy').hidden")
	if got := b.log(); got != log {
		t.Errorf("in the middle of repair the history is\n%s\nnot\n%s", got, log)
	}
	if got := b.eval("document.querySelectorAll('[data-node]').length"); got != "4" {
		t.Errorf("in the middle of repair %s nodes are shown, not 4", got)
	}
	other := open(t, "http://"+addr+"/", b)
	other.wait("!document.getElementById('busy').hidden")
	if err := chromedp.Cancel(other.ctx); err != nil {
		t.Fatal(err)
	}
	release()
	b.wait("document.querySelectorAll('.repair').length > 0 && document.getElementById('busy').hidden")
	if got := b.log(); got != log+"\nrepair" {
		t.Errorf("after repair the history is\n%s", got)
	}
	b.button("undo", 1)
	if got := b.eval("document.querySelectorAll('.repair.force').length"); got != "0" {
		t.Errorf("after undo %s repairs are in force", got)
	}
}
