package web_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestDrag plays the session of Wolverine2, section 2.1, with the mouse: nothing is
// typed but the name of the file at the end.
func TestDrag(t *testing.T) {
	for _, engine := range played("gdb", "machine") {
		t.Run(engine, func(t *testing.T) { playReverse(t, engine) })
	}
}

func playReverse(t *testing.T, engine string) {
	t.Chdir("../..")
	srv, addr := serve(t, engine, "examples/reverse.c")
	b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	b.wait("document.querySelectorAll('.line').length > 40 && document.body.dataset.seq === '0'")
	b.button("start", 1)
	b.button("next", 4)
	b.stage("pushed")
	b.button("step", 1)
	b.button("next", 3)
	b.button("spec", 1)
	condition := func() { b.after(func() { b.click("[data-force]") }) }
	iteration := func() { condition(); b.button("next", 5) }
	iteration()
	b.stage("first-iteration")
	where := b.eval("JSON.stringify([...document.querySelectorAll('[data-node] .frame')].map(e => [e.getAttribute('x'), e.getAttribute('y')]))")
	b.after(func() { b.drag("current", "n3") })
	b.after(func() { b.drag("n4->prev", "n3") })
	b.stage("corrected")
	b.button("spec", 1)
	iteration()
	b.after(func() { b.drag("current", "n2") })
	b.after(func() { b.drag("n3->prev", "n2") })
	b.button("spec", 1)
	b.button("locate", 1)
	b.stage("suspects")
	b.manual("web.png", false)
	b.button("repair", 1)
	b.stage("repaired")
	for range 2 {
		b.button("enter", 1)
		b.button("next", 5)
	}
	condition() // it is true now: the click leaves the loop
	b.after(func() { b.drag("head", "n1") })
	if now := b.eval("JSON.stringify([...document.querySelectorAll('[data-node] .frame')].map(e => [e.getAttribute('x'), e.getAttribute('y')]))"); now != where {
		t.Errorf("nodes moved from %s to %s", where, now)
	}
	b.button("spec", 1)
	b.button("repair", 1)
	b.stage("second-repair")
	b.manual("web-repair.png", false)
	b.button("next", 1)
	out := filepath.Join(t.TempDir(), "fixed.c")
	b.after(func() { b.fill("#file", out) })
	b.button("continue", 1)
	b.click("#t-output")
	if got := strings.TrimSpace(b.text("#stdout")); got != "2 4 8 10" {
		t.Errorf("the program goes on and prints %q, not 2 4 8 10", got)
	}
	const want = `change current n3
change n4->prev n3
spec
enter
next
next
next
next
next
change current n2
change n3->prev n2
spec
locate
repair
`
	if !strings.Contains(b.log(), want) {
		t.Errorf("the history does not hold the gestures as commands:\n%s", b.log())
	}
	runs(t, out, "2 4 8 10")
	// What the mouse did can be undone.
	b.button("undo", 1)
	if got := b.text("#status"); !strings.Contains(got, "main, line") {
		t.Errorf("after undo the status is %q", got)
	}
}

// runs compiles the file that the session wrote with gcc, and compares what it prints.
func runs(t *testing.T, file, want string) {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "fixed")
	if msg, err := exec.Command("gcc", "-Wall", "-fsanitize=address,undefined", "-o", bin, file).CombinedOutput(); err != nil {
		t.Fatalf("gcc on the rewritten file: %v\n%s", err, msg)
	}
	cmd := exec.Command(bin)
	cmd.Env = append(os.Environ(), "ASAN_OPTIONS=detect_leaks=0")
	got, err := cmd.Output()
	if err != nil || strings.TrimSpace(string(got)) != want {
		t.Errorf("the rewritten program prints %q (%v), not %q", got, err, want)
	}
}

// keys types keys, each of which is a command.
func (b *tab) keys(keys string) {
	b.t.Helper()
	for _, k := range keys {
		b.after(func() { b.press(string(k)) })
	}
}

// point makes a pointer point somewhere, with keys only: it goes to the picture, walks to the entity, opens the
// field, types the node, and confirms.
func (b *tab) point(key, to string) {
	b.t.Helper()
	b.press("m" + kb.Home)
	for range 60 {
		if b.eval("document.activeElement.dataset.key ?? ''") == key {
			break
		}
		b.press(kb.ArrowDown)
	}
	if got := b.eval("document.activeElement.dataset.key ?? ''"); got != key {
		b.t.Fatalf("the arrow keys do not lead to %s but to %s", key, got)
	}
	b.press("\r" + to)
	b.after(func() { b.press("\r") })
}

// TestKeyboard plays the same session without a mouse, and hears what is announced.
func TestKeyboard(t *testing.T) {
	srv, addr := serve(t, "machine", "../../examples/reverse.c")
	b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	b.wait("document.querySelectorAll('.line').length > 40 && document.body.dataset.seq === '0'")
	b.keys("Snnnnsnnnaennnnn")
	if got, want := b.text("#live"), "line 29: while (temp1 != NULL), which is false; current is now null"; got != want {
		t.Errorf("announced: %q, not %q", got, want)
	}
	b.point("current", "n3")
	b.point("n4->prev", "n3")
	b.keys("aennnnn")
	b.point("current", "n2")
	b.point("n3->prev", "n2")
	b.keys("air")
	if got := b.text(".repair.force .new"); !strings.Contains(got, "temp2 = current->next;") {
		t.Errorf("the repair in force is %q", got)
	}
	b.keys("ennnnnennnnnl")
	b.point("head", "n1")
	b.keys("arn")
	out := filepath.Join(t.TempDir(), "fixed.c")
	b.press("w")
	b.after(func() { b.press(out + "\r") })
	if got := b.text("#log li:last-child"); !strings.Contains(got, "wrote ") {
		t.Fatalf("rewrite: %s; history:\n%s", got, b.log())
	}
	runs(t, out, "2 4 8 10")
	b.press(kb.Tab)
	b.eval("document.activeElement.blur()")
	b.press(":" + "break rev" + kb.Tab)
	b.wait("document.getElementById('line').value === 'break reverse '")
	b.after(func() { b.press("\r") })
	if b.eval("document.querySelectorAll('.line.break').length") != "1" {
		t.Error("the breakpoint is not shown")
	}
}

// TestTabs: two tabs show one session. Reloading and closing lose nothing, and a gesture on an outdated picture is
// refused.
func TestTabs(t *testing.T) {
	srv, addr := serve(t, "machine", "../../examples/reverse.c")
	a := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	a.wait("document.body.dataset.seq === '0'")
	b := open(t, "http://"+addr+"/", a)
	b.wait("document.body.dataset.seq === '0'")
	a.button("start", 1)
	a.button("next", 4)
	b.wait("document.body.dataset.seq === '5'")
	if x, y := a.text("#canvas .heap"), b.text("#canvas .heap"); x != y || !strings.Contains(y, "n4") {
		t.Errorf("one tab shows %q, the other %q", x, y)
	}
	stale := `fetch("/api/command", {method: "POST", headers: {"Content-Type": "application/json"}, body: '{"line":"change head n1","seq":3}'}).then(async r => window.out = r.status + " " + await r.text())`
	b.eval("window.out = '', " + stale + ", 1")
	b.wait("window.out !== ''")
	if got := b.eval("window.out"); !strings.HasPrefix(got, "409 ") {
		t.Errorf("a gesture on an old picture: %s", got)
	}
	b.do(chromedp.Reload())
	b.wait("document.body.dataset.seq === '5'")
	if x, y := a.log(), b.log(); x != y || strings.Count(y, "next") != 4 {
		t.Errorf("after reloading the history is %q, not %q", y, x)
	}
	if err := chromedp.Cancel(b.ctx); err != nil {
		t.Fatal(err)
	}
	a.button("step", 1)
	if got := a.text("#status"); !strings.Contains(got, "reverse, line 2") {
		t.Errorf("after the other tab was closed: %q", got)
	}
}

// TestGestures tries the gestures that TestDrag does not use.
func TestGestures(t *testing.T) {
	srv, addr := serve(t, "machine", "../../examples/reverse.c")
	b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	b.wait("document.querySelectorAll('.line').length > 40 && document.body.dataset.seq === '0'")
	b.after(func() { b.click(".line[data-line='44'] .gutter") })
	b.button("start", 1)
	b.button("continue", 1)
	if got := b.text("#status"); got != "main, line 44" {
		t.Errorf("at the breakpoint the status is %q", got)
	}
	b.after(func() { b.drag("n3->prev", "null") })
	b.after(func() { b.drag("n3->prev", "new") })
	if got := b.eval("document.querySelector('[data-key=\"n3->prev\"] title').textContent"); !strings.HasPrefix(got, "n3->prev = n5") {
		t.Errorf("after drawing a node: %s", got)
	}
	x, y := b.spot("[data-key='n3->data'] .value")
	b.do(chromedp.MouseClickXY(x, y, chromedp.ClickCount(1)), chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)))
	b.wait("!document.querySelector('.chooser').hidden")
	b.after(func() { b.press("77\r") })
	// Where an arrow cannot lead, and on nothing, a drop does nothing.
	seq := b.seq()
	x, y = b.spot("[data-grip='n2->next']")
	b.dragTo(x, y, 640, 700)
	if t.Failed() || b.seq() != seq {
		t.Errorf("a drop on nothing did something: %s", b.log())
	}
	const want = "change n3->prev null\nchange n3->prev new\nchange n3->data 77"
	if !strings.Contains(b.log(), want) {
		t.Errorf("the history is\n%s", b.log())
	}
	b.button("undo", 1)
	if got := b.eval("document.querySelector('[data-key=\"n3->data\"] title').textContent"); !strings.HasPrefix(got, "n3->data = 8 ") {
		t.Errorf("after undo: %s", got)
	}
	b.after(func() { b.click(".line[data-line='44'] .gutter") })
	if b.eval("document.querySelectorAll('.line.break').length") != "0" {
		t.Error("the breakpoint is still there")
	}
}

// TestHaste presses keys and clicks faster than steps are answered: each is a command, in order, and none is done
// twice or lost.
func TestHaste(t *testing.T) {
	for _, engine := range played("machine", "gdb") {
		t.Run(engine, func(t *testing.T) {
			srv, addr := serve(t, engine, "../../examples/reverse.c")
			b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
			b.wait("document.querySelectorAll('.line').length > 40 && document.body.dataset.seq === '0'")
			b.button("start", 1)
			x, y := b.spot("[data-line='next']")
			b.press("nn")
			b.do(chromedp.MouseClickXY(x, y, chromedp.ClickCount(1)), chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)))
			b.wait("document.querySelectorAll('#log .cmd').length === 5")
			if got, want := b.log(), "start\nnext\nnext\nnext\nnext"; got != want {
				t.Errorf("the history is\n%s", got)
			}
			b.wait("document.querySelector('#status').textContent === 'main, line 44'")
		})
	}
}
