package web_test

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/screen"
	"gulo/internal/session"
	"gulo/internal/target"
	"gulo/internal/target/gdb"
	"gulo/internal/target/sim"
	"gulo/internal/web"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// This file plays a person at the page: a mouse, keys, eyes.

var (
	shots    = flag.String("shots", "", "folder for screenshots of every stage")
	pictures = flag.Bool("pictures", false, "make the pictures of the page that the README and the manual show")
)

// docs is the folder of the documentation, kept since tests may change the working directory.
var docs, _ = filepath.Abs("../../docs")

// limit bounds waiting for what takes milliseconds on an idle machine.
const limit = 120 * time.Second

// played returns the engines on which a walk is played: with -short only the first.
func played(engines ...string) []string {
	if testing.Short() {
		return engines[:1]
	}
	return engines
}

// newSession opens a session on files.
func newSession(t testing.TB, engine string, files ...string) *session.Session {
	t.Helper()
	ses := openSession(t, engine, session.Config{}, files...)
	t.Cleanup(ses.Close)
	return ses
}

func openSession(t testing.TB, engine string, c session.Config, files ...string) *session.Session {
	t.Helper()
	return openOn(t, engine, nil, c, files...)
}

// openOn opens a session whose program has the screen sc under gdb; nil for no screen.
func openOn(t testing.TB, engine string, sc *screen.Screen, c session.Config, files ...string) *session.Session {
	t.Helper()
	tree, err := cfront.Load(context.Background(), files, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Lower(tree, lower.Options{Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	var tgt target.Target = sim.New(p, sim.Config{Name: files[0]})
	if engine == "gdb" {
		if tgt, err = gdb.New(context.Background(), p, gdb.Config{Files: files, Screen: sc}); err != nil {
			t.Fatal(err)
		}
	}
	c.Name = files[0]
	return session.New(p, tgt, c)
}

// serve opens a session on files and returns the server and its address.
func serve(t testing.TB, engine string, files ...string) (*web.Server, string) {
	t.Helper()
	return serveWith(t, engine, func(string) {}, files...)
}

// serveWith is serve with a function that is told what long commands are doing.
func serveWith(t testing.TB, engine string, progress func(string), files ...string) (*web.Server, string) {
	t.Helper()
	return serveConfig(t, engine, session.Config{Progress: progress}, files...)
}

// serveConfig opens a session as c says. The server is told of its progress, and of what is found later if c has a
// Background.
func serveConfig(t testing.TB, engine string, c session.Config, files ...string) (*web.Server, string) {
	t.Helper()
	var srv *web.Server
	if progress := c.Progress; progress != nil {
		c.Progress = func(s string) { srv.Progress(s); progress(s) }
	}
	if c.Background != nil {
		c.Background = func(s string) { srv.Tell(s) }
	}
	return serveSession(t, openSession(t, engine, c, files...), &srv)
}

// serveScreen opens a session whose program has a screen of its own.
func serveScreen(t testing.TB, c session.Config, file string) (*web.Server, string) {
	t.Helper()
	var srv *web.Server
	return serveSession(t, openOn(t, "gdb", screen.New(24, 80), c, file), &srv)
}

// serveSession serves a session; it sets to to the server before anything runs.
func serveSession(t testing.TB, ses *session.Session, to **web.Server) (*web.Server, string) {
	t.Helper()
	srv := web.New(ses, nil)
	*to = srv
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := srv.HTTP()
	go func() { _ = h.Serve(l) }()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
		_ = h.Close()
		ses.Close()
	})
	return srv, l.Addr().String()
}

// chromium is one browser for all tests of the package.
var chromium = sync.OnceValues(func() (context.Context, error) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		return nil, err
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.Flag("disable-gpu", true), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-sync", true), chromedp.Flag("force-color-profile", "srgb"))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, _ = chromedp.NewContext(ctx)
	closeBrowser = func() {
		_ = chromedp.Cancel(ctx)
		cancel()
	}
	return ctx, chromedp.Do(ctx)
})

var closeBrowser = func() {}

func TestMain(m *testing.M) {
	if address := os.Getenv(asServer); address != "" {
		beServer(address)
		return
	}
	code := m.Run()
	closeBrowser()
	os.Exit(code)
}

// tab is a tab of the browser.
type tab struct {
	t    *testing.T
	ctx  context.Context
	name string
	shot int
}

// open opens an address in a tab of a browser profile of its own, or of another
// tab's.
func open(t *testing.T, address string, beside *tab) *tab {
	t.Helper()
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("chromium is not installed: nothing of the page was tried (apt-get install chromium; make test does)")
	}
	parent, err := chromium()
	if err != nil {
		t.Fatalf("chromium does not start: %v", err)
	}
	var opts []chromedp.ContextOption
	if beside == nil {
		opts = append(opts, chromedp.WithNewBrowserContext())
	} else {
		parent = beside.ctx
	}
	ctx, cancel := chromedp.NewContext(parent, opts...)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil { // the tab lives as long as the context of its first step
		t.Fatal(err)
	}
	b := &tab{t: t, ctx: ctx, name: strings.ReplaceAll(t.Name(), "/", "-")}
	b.do(chromedp.EmulateViewport(1280, 800), chromedp.Navigate(address))
	return b
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, limit)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// eval returns a JavaScript expression's value as text.
func (b *tab) eval(x string) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, limit)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[any](x))
	if err != nil {
		b.t.Fatalf("%s: %v", x, err)
	}
	if f, ok := v.(float64); ok {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}

// wait waits until a JavaScript expression is true.
func (b *tab) wait(x string) {
	b.t.Helper()
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if b.eval("Boolean("+x+")") == "true" {
			return
		}
	}
	b.shoot("stuck")
	b.t.Fatalf("%s does not come true; the page says %q %q, log: %s", x, b.text("#status"), b.text("#toast"), b.text("#log"))
}

func (b *tab) text(sel string) string {
	b.t.Helper()
	return b.eval(fmt.Sprintf("document.querySelector(%q)?.textContent ?? ''", sel))
}

// seq is the number of the state shown.
func (b *tab) seq() int {
	n, _ := strconv.Atoi(b.eval("document.body.dataset.seq ?? '-1'"))
	return n
}

// after does something, and waits for the state that results.
func (b *tab) after(what func()) {
	b.t.Helper()
	was := b.seq()
	what()
	b.wait(fmt.Sprintf("Number(document.body.dataset.seq) > %d && document.getElementById('busy').hidden", was))
}

// spot returns the middle of the last element that a selector matches, on the screen.
func (b *tab) spot(sel string) (x, y float64) {
	b.t.Helper()
	text := b.eval(fmt.Sprintf(`(() => { const e = [...document.querySelectorAll(%q)].at(-1); if (!e) return "";
		if (e instanceof HTMLElement) e.scrollIntoView({block: "nearest"});
		const r = e.getBoundingClientRect(); return (r.x + r.width/2) + " " + (r.y + r.height/2) })()`, sel))
	if _, err := fmt.Sscan(text, &x, &y); err != nil {
		b.shoot("stuck")
		b.t.Fatalf("the page has no %s", sel)
	}
	return x, y
}

func (b *tab) click(sel string) {
	b.t.Helper()
	x, y := b.spot(sel)
	b.do(chromedp.MouseClickXY(x, y))
}

// button presses a button of the toolbar several times.
func (b *tab) button(line string, times int) {
	b.t.Helper()
	for range times {
		b.after(func() { b.click("#actions [data-line=" + line + "]") })
	}
}

// drag takes an entity's arrow by its head, or by its dot when it has none, and
// drops it.
func (b *tab) drag(key, to string) {
	b.t.Helper()
	b.wait("document.getAnimations().length === 0") // nodes that move
	x1, y1 := b.spot(fmt.Sprintf("[data-grip=%q]", key))
	sel := fmt.Sprintf("[data-node=%q] .title", to)
	if to == "null" || to == "new" {
		sel = fmt.Sprintf("[data-drop=%q]", to)
	}
	x2, y2 := b.spot(sel)
	b.dragTo(x1, y1, x2, y2)
}

func (b *tab) dragTo(x1, y1, x2, y2 float64) {
	b.t.Helper()
	left := chromedp.ButtonLeft
	steps := []chromedp.Action[chromedp.Void]{
		chromedp.MouseEvent(chromedp.MouseMoved, x1, y1),
		chromedp.MouseEvent(chromedp.MousePressed, x1, y1, left, chromedp.ClickCount(1)),
	}
	for k := 1.0; k <= 8; k++ {
		steps = append(steps, chromedp.MouseEvent(chromedp.MouseMoved, x1+(x2-x1)*k/8, y1+(y2-y1)*k/8, left))
	}
	b.do(append(steps, chromedp.MouseEvent(chromedp.MouseReleased, x2, y2, left, chromedp.ClickCount(1)))...)
}

// fill types into a field and sends it.
func (b *tab) fill(sel, text string) {
	b.t.Helper()
	b.click(sel)
	b.press(text + "\r")
}

// shoot takes a picture of the page if pictures are asked for.
func (b *tab) shoot(what string) {
	b.t.Helper()
	if *shots == "" {
		return
	}
	b.shot++
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Error(err)
		return
	}
	if err := os.MkdirAll(*shots, 0o755); err != nil {
		b.t.Fatal(err)
	}
	name := fmt.Sprintf("%s-%02d-%s.png", b.name, b.shot, what)
	if err := os.WriteFile(filepath.Join(*shots, name), png, 0o644); err != nil {
		b.t.Error(err)
	}
}

// stage takes pictures of the page on both sizes of screens, in light and dark, if pictures are asked for; the page
// is left on the smaller one, in light.
func (b *tab) stage(what string) {
	b.t.Helper()
	if *shots == "" {
		return
	}
	for _, size := range [][2]int64{{1920, 1080}, {1280, 800}} {
		b.do(chromedp.EmulateViewport(size[0], size[1]))
		for _, dark := range []string{"dark", "light"} {
			b.dark(dark == "dark")
			b.shoot(fmt.Sprintf("%s-%d-%s", what, size[0], dark))
		}
	}
}

// manual makes a picture for the documentation of what the page shows, if these are asked for.
func (b *tab) manual(name string, dark bool) {
	b.t.Helper()
	if !*pictures {
		return
	}
	b.dark(dark)
	defer b.dark(false)
	b.wait("document.getAnimations().length === 0")
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(docs, name), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// dark chooses the colours that the user prefers.
func (b *tab) dark(on bool) {
	b.t.Helper()
	v := "light"
	if on {
		v = "dark"
	}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: v}}}); err != nil {
		b.t.Fatal(err)
	}
}

// log is the history of commands that the page shows.
func (b *tab) log() string {
	return b.eval("[...document.querySelectorAll('#log .cmd')].map(e => e.textContent).join('\\n')")
}

// press presses keys one after the other. As with a real keyboard a key writes its
// character only if the page lets it.
func (b *tab) press(keys string) {
	b.t.Helper()
	b.hold(0, keys)
}

// hold presses keys while others are held down; then no key writes a character.
func (b *tab) hold(mods int64, keys string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, limit)
	defer cancel()
	for _, r := range keys {
		var down *input.DispatchKeyEventParams
		for _, e := range kb.Encode(r) {
			switch e.Type {
			case kb.KeyDown:
				down = e
				continue
			case kb.KeyChar:
				if mods == 0 {
					down.Text, down.UnmodifiedText = e.Text, e.UnmodifiedText
				}
				continue
			}
			for _, x := range []*input.DispatchKeyEventParams{down, e} {
				if mods != 0 {
					x.Modifiers = mods
				}
				if _, err := chromedp.Call(ctx, input.DispatchKeyEvent, *x); err != nil {
					b.t.Fatal(err)
				}
			}
		}
	}
}
