package web_test

import (
	"strings"
	"sync"
	"testing"
)

// TestStopRepair: while repair searches the page says for how many seconds, and Stop ends it; the session goes on. What
// a search comes to later is told, and shown by a button.
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
	b.button("undo", 1)
	b.button("spec", 1)

	srv.Tell("a better repair was found; repair shows it")
	b.wait("document.getElementById('notes').textContent === 'a better repair was found; repair shows it'")
	b.shoot("news")
	b.after(func() { b.click("[data-news]") })
	b.wait("document.querySelectorAll('.repair').length > 0")
	if got := b.eval("document.getElementById('note').hidden + document.querySelector('#log li:last-child .cmd').textContent"); got != "truerepair" {
		t.Errorf("after it was shown: %s", got)
	}
}
