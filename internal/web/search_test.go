package web_test

import (
	"os"
	"strings"
	"sync"
	"testing"

	"gulo/internal/session"

	"golang.org/x/tools/txtar"
)

// TestStopRepair: while repair searches the page says for how many seconds, and Stop ends it; the session goes on.
func TestStopRepair(t *testing.T) {
	held, searching := make(chan struct{}), make(chan struct{})
	var once, begun sync.Once
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
	b.press("r")
	<-searching
	b.wait(`/^repair: .*, \d+ s$/.test(document.getElementById('doing').textContent)`)
	b.shoot("repair")
	b.click("#cancel")
	b.wait("document.getElementById('cancel').disabled && document.getElementById('cancel').textContent === 'stopping'")
	release()
	b.wait("document.getElementById('busy').hidden && document.querySelector('#log li:last-child .cmd').textContent === 'repair'")
	if got := b.eval("document.querySelector('#log li:last-child').textContent + document.getElementById('next').textContent + document.getElementById('note').textContent"); !strings.Contains(got, "stopped") || strings.Contains(got, "context canceled") {
		t.Errorf("after Stop the page says %q", got)
	}
	b.wait("!document.querySelector('#actions [data-line=next]').disabled")
	b.after(func() { b.eval("document.querySelector('#actions [data-line=next]').click(), ''") }) // what is said moves the button
}

// TestLaterAnswer: repair answers with a repair that meets the pictures while it is still checked against the rest.
// The result of the check is announced on the page, and a button shows it.
func TestLaterAnswer(t *testing.T) {
	c := session.Config{Background: func(string) {}, Soon: 1, Patience: 20}
	srv, addr := serveConfig(t, "machine", c, "../../examples/reverse.c")
	b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	b.wait("document.querySelectorAll('.line').length > 40 && document.body.dataset.seq === '0'")
	b.keys("Snnnnsnnnaennnnn")
	b.after(func() { b.drag("current", "n3") })
	b.after(func() { b.drag("n4->prev", "n3") })
	b.keys("ar")
	b.wait("document.querySelectorAll('.repair.force').length === 1")
	if got := b.text("#next"); !strings.Contains(got, "still held against other calls") && b.eval("document.getElementById('notes').textContent") == "" {
		t.Errorf("of the repair that is offered the page says %q", got)
	}
	b.wait("document.getElementById('notes').textContent.includes('type repair to see') && document.getElementById('note').className === 'good'")
	if got := b.text("#next"); !strings.HasPrefix(got, "The program runs repaired") {
		t.Errorf("after the search the page says %q", got)
	}
	b.shoot("news")
	b.after(func() { b.click("[data-news]") })
	b.wait("document.querySelectorAll('.repair').length > 0 && document.getElementById('note').hidden")
	if got := b.log(); !strings.HasSuffix(got, "\nrepair\nrepair") {
		t.Errorf("the history is\n%s", got)
	}
}

// TestLaterOrder: locate answers while edits of one place are still searched for. When they are announced, a button
// shows them.
func TestLaterOrder(t *testing.T) {
	ar, err := txtar.ParseFile("../shell/testdata/buffer_text.txtar")
	if err != nil {
		t.Fatal(err)
	}
	file := t.TempDir() + "/buffer.c"
	for _, f := range ar.Files {
		if f.Name == "prog.c" {
			if err := os.WriteFile(file, f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	srv, addr := serveConfig(t, "machine", session.Config{Background: func(string) {}, Soon: 1, Patience: 1}, file)
	b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	b.wait("document.querySelectorAll('.line').length > 40 && document.body.dataset.seq === '0'")
	for _, line := range []string{"start", "next 2", "step", "finish", `change b.data "hello"`, "spec", "locate"} {
		b.after(func() { b.fill("#line", line) })
	}
	if got := b.log(); !strings.Contains(b.eval("document.getElementById('log').textContent"), "still looking for edits of one place") {
		t.Errorf("the history is\n%s", got)
	}
	b.wait("document.getElementById('notes').textContent.includes('locate shows')")
	b.after(func() { b.click("[data-news]") })
	if got := b.log(); !strings.HasSuffix(got, "\nlocate\nlocate") {
		t.Errorf("the history is\n%s", got)
	}
}
