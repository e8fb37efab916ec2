package web_test

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gulo/internal/web"

	"github.com/chromedp/chromedp"
)

// reports are documents of each command, about the program below.
var reports = map[string]string{
	"fix": `{"result":"repaired","entry":"max","failing":8,"cases":52,"example":"on a=0 b=1: max.c:7:5: assertion fails",
		"pictures":[{"title":"called with","picture":{"view":[-20,-20,360,100],"vars":[{"name":"max","x":0,"y":0,"w":140,"h":40,"cells":[{"key":"l","label":"l","kind":"node","value":"n1","shown":"n1","type":"struct node *","points":"struct node","y":20}]}],"nodes":[{"name":"n1","type":"struct node","x":200,"y":0,"w":124,"h":40,"cells":[{"key":"n1->v","label":"v","kind":"number","value":"\"><script>","shown":"\"><script>","type":"int","y":20}]}],"arrows":[{"from":"l","to":"n1","path":[140,30,170,30,170,6,200,6]}],"folded":0,"unreachable":[]}}],"repairs":[{"diff":"--- a/max.c\n+++ b/max.c\n@@ -2,4 +2,4 @@\n {\n     int m = a;\n-    if (b < a)\n+    if (b > a)\n","edits":[{"file":"max.c","line":4,"before":"b < a","after":"b > a","what":"change"}],"hints":["look at line 4"],"evidence":{"given":52,"text":"proved for all a, b <&>"}}],"ms":2}`,
	"locate": `{"method":"all","ranking":[{"file":"max.c","line":4,"statement":"b < a","ranks":{"diagnosis":1},"score":1,"agree":1},{"file":"max.c","line":3,"statement":"a","ranks":{"diagnosis":2.5},"score":0.4}],
		"left_out":{"edits":"it needs whole runs"},"failing":8,"cases":52,"diagnoses":[[{"file":"max.c","line":4}]]}`,
	"check": `{"findings":[{"rule":"double_free","file":"max.c","line":6,"column":5,"function":"max","text":"return m;","message":"freed twice","chain":[{"file":"max.c","line":3,"function":"max","text":"int m = a","what":"stored"}]}],"exit":0}`,
	"campaign": `{"folder":"class","total":2,"done":2,"counts":{"fixed":1,"right":1},"outcomes":[{"name":"ann","category":"right"},{"name":"bob","category":"fixed","mistake":"< for >",
		"report":{"result":"repaired","repairs":[{"diff":"--- a/max.c\n+++ b/max.c\n@@ -4,1 +4,1 @@\n-    if (b < a)\n+    if (b > a)\n","evidence":{"text":"52 runs"}}]}}]}`,
}

// TestExplain shows the documents of fix, locate, check and campaign.
func TestExplain(t *testing.T) {
	dir := t.TempDir()
	source := "int max(int a, int b)\n{\n    int m = a;\n    if (b < a)\n        m = b;\n    return m;\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "max.c"), []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"fix":      {"repaired", "b < a => b > a", "if (b > a)", "proved for all a, b <&>", "look at line 4"},
		"locate":   {"b < a (diagnosis: 1)", "max.c:3", "it needs whole runs"},
		"check":    {"double free", "freed twice", "stored max.c:3"},
		"campaign": {"ann: right", "bob: fixed", "< for >", "52 runs"},
	}
	for _, what := range []string{"fix", "locate", "check", "campaign"} {
		file := filepath.Join(dir, what+".json")
		if err := os.WriteFile(file, []byte(reports[what]), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := web.ReadReport(file)
		if err != nil {
			t.Fatal(err)
		}
		page := web.Show(r)
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		h := page.HTTP()
		go func() { _ = h.Serve(l) }()
		t.Cleanup(func() { _ = h.Close() })
		addr := "http://" + l.Addr().String()
		if resp, err := http.Get(addr + "/api/report"); err != nil || resp.StatusCode != http.StatusForbidden {
			t.Errorf("without a token: %v %v", resp, err)
		}
		b := open(t, addr+"/?token="+page.Invite(), nil)
		b.wait("document.body.dataset.ready === 'yes'")
		got := b.text("#answers")
		for _, x := range want[what] {
			if !strings.Contains(got, x) {
				t.Errorf("%s: the page does not say %q but %q", what, x, got)
			}
		}
		if what == "locate" || what == "check" { // the last of them
			b.click("#answers .marks > li > .place")
			if line := b.eval("document.querySelector('.line.here').dataset.line"); line != map[string]string{"locate": "3", "check": "6"}[what] {
				t.Errorf("%s: the place leads to line %s", what, line)
			}
		}
		if what == "fix" {
			if got := b.eval("[...document.querySelectorAll('.scenes figure')].map(e => e.querySelectorAll('.box').length + ' ' + e.querySelectorAll('.arrow').length + ' ' + e.textContent).join()"); got != `2 1 called withmaxl = n1 (struct node *)ln1n1->v = "><script> (int)v"><script>` {
				t.Errorf("the picture is %q", got)
			}
		}
		if what == "campaign" {
			b.click("#answers .part:last-of-type summary")
		}
		b.shoot(what)
		if axe, err := os.ReadFile("ui/node_modules/axe-core/axe.min.js"); err == nil {
			accessible(t, b, axe, what)
		}
		b.dark(true)
		b.do(chromedp.EmulateViewport(1920, 1080))
		b.shoot(what + "-dark")
	}
}

// TestReportErrors: a file that is no report is refused, with the place of the error.
func TestReportErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{"result": }`:        ":1:12: ",
		"{\n\"ranking\": 7}":  ":2:12: ",
		`{"version": "2"}`:    ":1:1: this is no document",
		`[1]`:                 ":1:1: ",
		"":                    ":1:1: ",
		`{"result":"none"}xy`: ":1:18: ",
	} {
		file := filepath.Join(t.TempDir(), "r.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := web.ReadReport(file); err == nil || !strings.HasPrefix(err.Error(), fmt.Sprint(file, want)) {
			t.Errorf("%q: %v, which does not begin with %q", text, err, want)
		}
	}
}
