package web_test

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// visitor sends requests exactly as given, without the rules that a browser follows.
type visitor struct {
	t      *testing.T
	addr   string
	cookie string
}

// send returns the status and the body of an answer; header lines are "Name: value".
func (v *visitor) send(method, path string, body io.Reader, header ...string) (int, string) {
	v.t.Helper()
	r, err := http.NewRequest(method, "http://"+v.addr, body)
	if err != nil {
		v.t.Fatal(err)
	}
	r.URL = &url.URL{Scheme: "http", Host: v.addr, Opaque: path}
	if v.cookie != "" {
		r.Header.Set("Cookie", v.cookie)
	}
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			r.Host = value
		} else {
			r.Header.Set(name, value)
		}
	}
	c := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	a, err := c.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer a.Body.Close()
	if s := a.Header.Get("Set-Cookie"); s != "" {
		v.cookie, _, _ = strings.Cut(s, ";")
		if !strings.Contains(s, "HttpOnly") || !strings.Contains(s, "SameSite=Strict") {
			v.t.Errorf("the cookie is %q", s)
		}
	}
	if csp := a.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
		v.t.Errorf("%s %s: content security policy %q", method, path, csp)
	}
	text, _ := io.ReadAll(io.LimitReader(a.Body, 1<<20))
	return a.StatusCode, string(text)
}

// TestHostile: requests that do not come from the page that the user opened get nothing and change nothing.
func TestHostile(t *testing.T) {
	srv, addr := serve(t, "machine", "../../examples/reverse.c")
	token := srv.Invite()
	own := &visitor{t: t, addr: addr}
	if code, _ := own.send("GET", "/?token="+token, nil); code != 303 || own.cookie == "" {
		t.Fatalf("the address that was printed answers %d", code)
	}
	origin, isJSON := "Origin: http://"+addr, "Content-Type: application/json"
	start := func() io.Reader { return strings.NewReader(`{"line":"start"}`) }
	_, port, _ := strings.Cut(addr, ":")
	none := ""
	for _, c := range []struct {
		name, method, path, cookie string
		body                       io.Reader
		header                     []string
		want                       int
	}{
		{"no token", "GET", "/", none, nil, nil, 403},
		{"no token, script", "GET", "/app.js", none, nil, nil, 403},
		{"no token, state", "GET", "/api/events", none, nil, nil, 403},
		{"no token, source", "GET", "/api/source", none, nil, nil, 403},
		{"no token, command", "POST", "/api/command", none, start(), []string{origin, isJSON}, 403},
		{"used token", "GET", "/?token=" + token, none, nil, nil, 403},
		{"made-up token", "GET", "/?token=" + strings.Repeat("0", 64), none, nil, nil, 403},
		{"token as cookie", "GET", "/", "gulo-" + port + "=" + token, nil, nil, 403},
		{"cookie of another port", "GET", "/", strings.Replace(own.cookie, port, "1", 1), nil, nil, 403},
		{"foreign host", "GET", "/", own.cookie, nil, []string{"Host: evil.example:" + port}, 403},
		{"rebound host", "POST", "/api/command", own.cookie, start(), []string{"Host: evil.example:" + port, "Origin: http://evil.example:" + port, isJSON}, 403},
		{"host without port", "GET", "/", own.cookie, nil, []string{"Host: 10.0.0.1"}, 403},
		{"host of a network", "GET", "/", own.cookie, nil, []string{"Host: 192.168.0.1:" + port}, 403},
		{"foreign origin", "POST", "/api/command", own.cookie, start(), []string{"Origin: http://evil.example", isJSON}, 403},
		{"origin of another port", "POST", "/api/command", own.cookie, start(), []string{"Origin: http://127.0.0.1:1", isJSON}, 403},
		{"null origin", "POST", "/api/command", own.cookie, start(), []string{"Origin: null", isJSON}, 403},
		{"no origin", "POST", "/api/command", own.cookie, start(), []string{isJSON}, 403},
		{"origin that reads", "GET", "/api/source", own.cookie, nil, []string{"Origin: http://evil.example"}, 403},
		{"cross-site fetch", "GET", "/api/source", own.cookie, nil, []string{"Sec-Fetch-Site: cross-site"}, 403},
		{"same site, other port", "GET", "/app.js", own.cookie, nil, []string{"Sec-Fetch-Site: same-site"}, 403},
		{"a form", "POST", "/api/command", own.cookie, strings.NewReader("line=start"), []string{origin, "Content-Type: application/x-www-form-urlencoded"}, 403},
		{"text as JSON", "POST", "/api/command", own.cookie, start(), []string{origin, "Content-Type: text/plain"}, 403},
		{"huge body", "POST", "/api/command", own.cookie, bytes.NewReader(append([]byte(`{"line":"`), bytes.Repeat([]byte("a"), 8<<20)...)), []string{origin, isJSON}, 413},
		{"no JSON", "POST", "/api/command", own.cookie, strings.NewReader("]["), []string{origin, isJSON}, 400},
		{"deep JSON", "POST", "/api/command", own.cookie, strings.NewReader(strings.Repeat("[", 60000)), []string{origin, isJSON}, 400},
		{"unknown fields", "POST", "/api/command", own.cookie, strings.NewReader(`{"line":"start","as":"root"}`), []string{origin, isJSON}, 400},
		{"two lines", "POST", "/api/command", own.cookie, strings.NewReader(`{"line":"help\nstart"}`), []string{origin, isJSON}, 400},
		{"no line", "POST", "/api/command", own.cookie, strings.NewReader(`{"line":" "}`), []string{origin, isJSON}, 400},
		{"command by GET", "GET", "/api/command", own.cookie, nil, nil, 404},
		{"path upwards", "GET", "/../../etc/passwd", own.cookie, nil, nil, 404},
		{"path upwards, encoded", "GET", "/%2e%2e/%2e%2e/etc/passwd", own.cookie, nil, nil, 404},
		{"path of assets", "GET", "/assets/index.html", own.cookie, nil, nil, 404},
		{"path with null", "GET", "/app.js%00.html", own.cookie, nil, nil, 404},
		{"other method", "DELETE", "/", own.cookie, nil, nil, 404},
		{"preflight", "OPTIONS", "/api/command", own.cookie, nil, []string{"Origin: http://evil.example", "Access-Control-Request-Method: POST"}, 403},
	} {
		v := &visitor{t: t, addr: addr, cookie: c.cookie}
		code, text := v.send(c.method, c.path, c.body, c.header...)
		if code != c.want {
			t.Errorf("%s: %d, not %d: %.100s", c.name, code, c.want, text)
		}
		if strings.Contains(text, "push(int") || strings.Contains(text, "root:") {
			t.Errorf("%s: the answer tells something: %.100s", c.name, text)
		}
		if v.cookie != c.cookie {
			t.Errorf("%s: got the cookie %q", c.name, v.cookie)
		}
	}
	if code, text := own.send("GET", "/api/source", nil, "Sec-Fetch-Site: same-origin"); code != 200 || !strings.Contains(text, "push(int") {
		t.Errorf("the page itself: %d %.100s", code, text)
	}
	code, text := own.send("POST", "/api/command", strings.NewReader(`{"line":"where"}`), origin, isJSON)
	if code != 200 || !strings.Contains(text, "the program is not running") {
		t.Errorf("something started the program: %d %s", code, text)
	}
}

// TestForeignPage: a page of another origin in the same browser, with the cookie in
// its jar, cannot post.
func TestForeignPage(t *testing.T) {
	srv, addr := serve(t, "machine", "../../examples/reverse.c")
	b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	b.wait("document.body.dataset.seq === '0'")
	other, foreign := serve(t, "machine", "../../examples/largest.c")
	evil := open(t, "http://"+foreign+"/?token="+other.Invite(), b)
	evil.wait("document.body.dataset.seq === '0'")
	evil.eval(`window.out = "", fetch("http://` + addr + `/api/command", {method: "POST", mode: "no-cors", credentials: "include", body: '{"line":"start"}'}).then(r => window.out = "answered", e => window.out = "refused"), 1`)
	evil.wait("window.out !== ''")
	evil.eval(`{ const f = document.createElement("form"); f.method = "post"; f.action = "http://` + addr + `/api/command"; document.body.append(f); f.submit(); } 1`)
	b.after(func() { b.click("#actions [data-line=start]") })
	if log := b.log(); log != "start" {
		t.Errorf("the page of another origin got through: %q", log)
	}
	if got := b.seq(); got != 1 {
		t.Errorf("%d states, not one", got)
	}
}
