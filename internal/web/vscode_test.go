package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"gulo/internal/session"

	"github.com/chromedp/chromedp"
)

// This file tests the picture in VS Code's extension: the webview's own files, in Chromium, with a host that does
// what the editor's does.

const vscodeMedia = "../../editors/vscode/media"

// webview serves the extension's webview as VS Code would.
func webview(t *testing.T, theme string) string {
	t.Helper()
	mux := http.NewServeMux()
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	mux.Handle("/media/", http.StripPrefix("/media/", http.FileServer(http.Dir(vscodeMedia))))
	mux.HandleFunc("/host.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		colours := map[string]string{"editor-background": "#ffffff", "editor-foreground": "#3b3b3b", "editorWidget-background": "#f8f8f8", "sideBar-background": "#f8f8f8"}
		if theme == "vscode-dark" {
			colours = map[string]string{"editor-background": "#1f1f1f", "editor-foreground": "#cccccc", "editorWidget-background": "#202020", "sideBar-background": "#181818"}
		}
		for k, v := range colours {
			fmt.Fprintf(w, "document.documentElement.style.setProperty('--vscode-%s', '%s');\n", k, v)
		}
		fmt.Fprint(w, `window.posted = []; window.acquireVsCodeApi = () => ({ postMessage: (m) => window.posted.push(m) });`)
	})
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		text, err := os.ReadFile(vscodeMedia + "/picture.html")
		if err != nil {
			t.Error(err)
			return
		}
		page := strings.NewReplacer("{{source}}", srv.URL, "{{base}}", srv.URL+"/media", "{{theme}}", theme).Replace(string(text))
		page = strings.Replace(page, "<script ", `<script src="`+srv.URL+`/host.js"></script><script `, 1)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	})
	return srv.URL + "/"
}

// TestVSCodePicture: the webview draws a session, and gestures are posted as commands.
func TestVSCodePicture(t *testing.T) {
	ses := newSession(t, "machine", "../../examples/reverse.c")
	exec := func(line string) {
		t.Helper()
		if _, _, err := ses.Exec(t.Context(), line); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
	}
	exec("start; next 4; step; next 3")
	for _, theme := range []string{"vscode-light", "vscode-dark"} {
		b := open(t, webview(t, theme), nil)
		b.wait("window.posted?.length === 1 && window.posted[0].kind === 'ready'")
		b.dark(theme == "vscode-dark")
		post := func(v *session.View) {
			t.Helper()
			text, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			b.eval(`window.dispatchEvent(new MessageEvent("message", {data: {kind: "view", view: ` + string(text) + `}})), 1`)
		}
		show := func() { t.Helper(); post(ses.View(session.Look{})) }
		show()
		b.wait("document.querySelectorAll('[data-node]').length === 4")
		if got := b.text("#place"); !strings.Contains(got, "reverse, line ") {
			t.Errorf("the place is %q", got)
		}
		if got := b.text("#rest"); got != "" {
			t.Errorf("%q is said to be left out of a picture that has everything", got)
		}
		v := ses.View(session.Look{})
		v.Picture.Folded, v.Picture.Rest, v.Picture.Unreachable, v.Picture.Untyped = 7, "7 more nodes", []string{"n9", "n12"}, []string{"n8"}
		post(v)
		b.wait("document.querySelector('#rest').textContent === 'unreachable: n9, n12; 7 more nodes; not drawn: n8'")
		show()
		for _, size := range [][2]int64{{1280, 800}, {1920, 1080}} {
			b.do(chromedp.EmulateViewport(size[0], size[1]))
			b.shoot(fmt.Sprintf("%s-%d", theme, size[0]))
		}
		b.drag("n4->prev", "n3")
		b.drag("n4->prev", "null")
		x, y := b.spot("[data-key='n3->data'] .value")
		b.do(chromedp.MouseClickXY(x, y, chromedp.ClickCount(1)), chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)))
		b.wait("!document.querySelector('.chooser').hidden")
		b.press("77\r")
		b.click("[data-line=spec]")
		want := "change n4->prev n3; change n4->prev null; change n3->data 77; spec"
		if got := b.eval("window.posted.slice(1).map(m => m.kind + ' ' + m.line).join('; ').replaceAll('command ', '')"); got != want {
			t.Errorf("gestures are posted as %q, not %q", got, want)
		}
		exec("change n4->prev n3")
		show()
		b.wait("document.querySelector('[data-key=\"n4->prev\"] title').textContent.startsWith('n4->prev = n3')")
		exec("undo")
	}
}
