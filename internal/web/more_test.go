package web_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gulo/internal/web"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestAccessible checks the page with axe-core, in light and dark, at 100 % and 200 %, in a session with everything
// in it.
func TestAccessible(t *testing.T) {
	axe, err := os.ReadFile("ui/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Skip("axe-core is not installed: accessibility was not tried (make page installs it)")
	}
	srv, addr := serve(t, "machine", "../../examples/reverse.c")
	b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	b.wait("document.querySelectorAll('.line').length > 40 && document.body.dataset.seq === '0'")
	look := func(what string) {
		t.Helper()
		accessible(t, b, axe, what)
	}
	look("before the start")
	b.keys("Snnnnsnnnaennnnn")
	b.after(func() { b.drag("current", "n3") })
	b.after(func() { b.drag("n4->prev", "n3") })
	b.keys("aennnnn")
	b.after(func() { b.drag("current", "n2") })
	b.after(func() { b.drag("n3->prev", "n2") })
	b.keys("ai")
	look("suspects")
	b.keys("r")
	look("repairs")
	b.dark(true)
	look("dark")
	b.press("[[")
	b.wait("!document.getElementById('lookback').hidden")
	look("looking back, dark")
	b.press(kb.Escape)
	b.do(chromedp.EmulateViewport(390, 844))
	look("narrow")
	if got := b.eval("document.scrollingElement.scrollWidth - innerWidth + ' ' + (document.scrollingElement.scrollHeight - innerHeight)"); got != "0 0" {
		t.Errorf("a narrow page is larger than the window by %s pixels", got)
	}
	b.do(chromedp.EmulateViewport(640, 400)) // 1280x800 at 200 %
	b.shoot("200-percent")
	look("200 %")
	b.do(chromedp.EmulateViewport(1280, 800))
	b.click("#t-checkpoints")
	look("checkpoints")
	b.click("#help")
	look("help")
}

// accessible checks the page as it is with axe-core.
func accessible(t *testing.T, b *tab, axe []byte, what string) {
	t.Helper()
	b.eval(string(axe) + "; 1")
	b.eval(`window.out = "", axe.run(document, {resultTypes: ["violations"]}).then(r => window.out = JSON.stringify(r.violations.map(v => [v.impact, v.id, v.nodes.length, v.nodes[0].html.slice(0, 120), v.nodes[0].any.map(a => a.message).join(";")]))), 1`)
	b.wait("window.out !== ''")
	if got := b.eval("window.out"); got != "[]" {
		t.Errorf("%s: %s", what, got)
	}
}

// TestTree deletes from a search tree, by mouse: the wrong link is corrected and the
// repair compiled.
func TestTree(t *testing.T) {
	const program = `#include <stdio.h>
#include <stdlib.h>

struct tree {
    int key;
    struct tree *left, *right;
};

struct tree *insert(struct tree *t, int key)
{
    if (t == NULL) {
        t = malloc(sizeof(struct tree));
        t->key = key;
        t->left = NULL;
        t->right = NULL;
    } else if (key < t->key)
        t->left = insert(t->left, key);
    else
        t->right = insert(t->right, key);
    return t;
}

struct tree *root;

void delete_root(void)
{
    struct tree *old = root;
    struct tree *min = root->right;
    struct tree *parent = root;
    while (min->left != NULL) {
        parent = min;
        min = min->left;
    }
    parent->left = min->left;
    min->left = old->left;
    min->right = old->right;
    root = min;
    free(old);
}

void show(struct tree *t)
{
    if (t == NULL)
        return;
    show(t->left);
    printf("%d ", t->key);
    show(t->right);
}

int main(void)
{
    root = insert(root, 50);
    root = insert(root, 30);
    root = insert(root, 80);
    root = insert(root, 60);
    root = insert(root, 90);
    root = insert(root, 70);
    delete_root();
    show(root);
    printf("\n");
    return 0;
}
`
	file := filepath.Join(t.TempDir(), "tree.c")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("keys", func(t *testing.T) { treeByKeys(t, file) })
	srv, addr := serve(t, "gdb", file)
	b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	b.wait("document.querySelectorAll('.line').length > 40 && document.body.dataset.seq === '0'")
	b.button("start", 1)
	b.button("next", 6)
	b.button("step", 1)
	b.stage("in-delete")
	b.after(func() { b.fill("#line", "next 7") }) // once through the loop and out of it
	b.stage("before-the-link")
	b.button("next", 1)
	// parent->left must become what was right of the least key.
	places := "[1,2,3,4,5,6].map(n => { const f = document.querySelector(`[data-node=n${n}] .frame`); return `n${n} ${f.getAttribute('x')},${f.getAttribute('y')}` }).join(' ')"
	was := b.eval(places)
	b.after(func() { b.drag("n3->left", "n6") })
	b.stage("corrected")
	b.manual("web-tree.png", false)
	// What has another parent now moves under it, and what stood there makes room; undo puts both back.
	const below = "(() => { const at = n => { const f = document.querySelector(`[data-node=n${n}] .frame`); return [+f.getAttribute('x'), +f.getAttribute('y')] }; const [p, l, r] = [3, 6, 5].map(at); return l[1] === r[1] && l[1] > p[1] && l[0] < r[0] })()"
	if b.eval(below) != "true" || !strings.HasPrefix(b.eval(places), was[:strings.Index(was, " n4")]) {
		t.Errorf("after the change the nodes are at %s, before it at %s", b.eval(places), was)
	}
	b.button("undo", 1)
	if got := b.eval(places); got != was {
		t.Errorf("after undo the nodes are at %s, not at %s", got, was)
	}
	b.after(func() { b.drag("n3->left", "n6") })
	b.button("spec", 1)
	b.button("repair", 1)
	b.wait("document.getElementById('repairs').scrollHeight > 600")
	b.stage("repaired")
	if got := b.text(".repair.force .new"); !strings.Contains(got, "min->right") {
		t.Errorf("the repair in force is %q; history:\n%s", got, b.log())
	}
	// The panel is what scrolls, not the page.
	if got := b.eval("document.scrollingElement.scrollHeight - innerHeight"); got != "0" {
		t.Errorf("after repair the page is %s pixels higher than the window", got)
	}
	// What the call leaves as written and repaired is drawn: node 6 is lost, or kept.
	if got := b.eval("[...document.querySelectorAll('.repair.force .scenes figure')].map(e => e.querySelector('figcaption').textContent + ' ' + e.querySelectorAll('.box.node').length + ' ' + [...e.querySelectorAll('.changed .label')].map(x => x.textContent).join('')).join('; ')"); got != "delete_root is called with 6 ; as written leaves 5 ✱ left; repair 1 leaves 5 ✱ left" {
		t.Errorf("before and after: %s", got)
	}
	if got := b.eval("document.querySelector('.apart h2').textContent + [...document.querySelectorAll('.apart figcaption')].map(e => e.textContent)"); got != "Repairs 1 and 2 do not do the sameenlargedelete_root is called with,repair 1 leaves,repair 2 leaves" {
		t.Errorf("what tells two repairs apart: %s", got)
	}
	b.click(".repair.force .small:last-child")
	b.wait("document.getElementById('wide').open")
	b.shoot("enlarged")
	b.click("#wide form button")
	// The same call on the large canvas.
	canvas := func(n int) string {
		b.click(fmt.Sprintf("#compare button:nth-child(%d)", n))
		return b.eval("document.querySelector('#compare [aria-pressed=true]').textContent + ': ' + document.querySelector('#scene p').textContent.split(';')[0] + ' ' + [...document.querySelectorAll('#scene .box.node .title')].map(e => e.textContent).join() + ' ' + [...document.querySelectorAll('#scene .changed .label')].map(e => e.textContent)")
	}
	for n, want := range map[int]string{3: "your program: What delete_root leaves as written n2,n3,n4,n5,n6 unreachable ✱ left", 4: "repaired: What delete_root leaves repaired n2,n3,n4,n5,n6 ✱ left"} {
		if got := canvas(n); got != want {
			t.Errorf("the canvas shows %q, not %q", got, want)
		}
	}
	b.click("#compare button:first-child")
	if got := b.eval("document.getElementById('scene').hidden + ' ' + (document.querySelector('#canvas .view > .heap').getBoundingClientRect().height > 100)"); got != "true true" {
		t.Errorf("after that the memory of now is not shown: %s", got)
	}
	b.button("continue", 1)
	b.click("#t-output")
	if got := strings.TrimSpace(b.text("#stdout")); got != "30 60 70 80 90" {
		t.Errorf("the program goes on and prints %q", got)
	}
	out := filepath.Join(t.TempDir(), "fixed.c")
	b.after(func() { b.fill("#file", out) })
	runs(t, out, "30 60 70 80 90")
}

// treeByKeys does the same without a mouse.
func treeByKeys(t *testing.T, file string) {
	srv, addr := serve(t, "machine", file)
	b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	b.wait("document.querySelectorAll('.line').length > 40 && document.body.dataset.seq === '0'")
	b.keys("Snnnnnnsnnnnnnnn")
	b.point("n3->left", "n6")
	b.keys("ar")
	if got := b.text(".repair.force .new"); !strings.Contains(got, "min->right") {
		t.Errorf("the repair in force is %q; history:\n%s", got, b.log())
	}
	out := filepath.Join(t.TempDir(), "fixed.c")
	b.press("w")
	b.after(func() { b.press(out + "\r") })
	runs(t, out, "30 60 70 80 90")
}

const appended = `#include <stdio.h>
#include <stdlib.h>

struct node {
    int v;
    struct node *next;
};

struct node *head;

void append(int v)
{
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = NULL;
    if (head == NULL) {
        head = n;
        return;
    }
    struct node *last = head;
    while (last != NULL)
        last = last->next;
    last->next = n;
}

int main(void)
{
    append(3);
    append(5);
    append(8);
    for (struct node *n = head; n != NULL; n = n->next)
        printf("%d ", n->v);
    printf("\n");
    return 0;
}
`

// TestListCrash plays a list with a crash up to the rewritten file: back before the crash, to the call that crashes,
// out of the loop at the last node, on, assert, repair.
func TestListCrash(t *testing.T) {
	file := filepath.Join(t.TempDir(), "append.c")
	if err := os.WriteFile(file, []byte(appended), 0o600); err != nil {
		t.Fatal(err)
	}
	begin := func(t *testing.T, engine string) *tab {
		srv, addr := serve(t, engine, file)
		b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
		b.wait("document.querySelectorAll('.line').length > 30 && document.body.dataset.seq === '0'")
		return b
	}
	repaired := func(b *tab) {
		if got := b.text(".repair.force .new"); !strings.Contains(got, "last->next != NULL") {
			b.t.Errorf("the repair in force is %q; history:\n%s", got, b.log())
		}
	}
	t.Run("mouse", func(t *testing.T) {
		b := begin(t, "gdb")
		b.button("start", 1)
		b.button("continue", 1)
		if got := b.text("#notes"); !strings.Contains(got, "last is null") {
			t.Errorf("the crash is told as %q", got)
		}
		b.stage("crashed")
		b.button("undo", 2) // to before the statement that crashed, then to where continue began
		b.after(func() { b.click(".line[data-line='13'] .gutter") })
		b.button("continue", 2)
		b.button("next", 5)
		b.stage("at-the-loop")
		b.button("leave", 1)
		b.button("next", 1)
		b.stage("as-it-should-be")
		b.button("spec", 1)
		b.button("repair", 1)
		b.stage("repaired")
		repaired(b)
		b.after(func() { b.click(".line[data-line='13'] .gutter") })
		b.button("continue", 1)
		b.click("#t-output")
		if got := strings.TrimSpace(b.text("#stdout")); got != "3 5 8" {
			t.Errorf("the program goes on and prints %q", got)
		}
		out := filepath.Join(t.TempDir(), "fixed.c")
		b.after(func() { b.fill("#file", out) })
		runs(t, out, "3 5 8")
	})
	t.Run("keys", func(t *testing.T) {
		b := begin(t, "machine")
		b.keys("Scuu")
		b.press(":")
		b.after(func() { b.press("break append times 2\r") })
		b.eval("document.activeElement.blur()")
		b.keys("cnnnnnlnar")
		repaired(b)
		out := filepath.Join(t.TempDir(), "fixed.c")
		b.press("w")
		b.after(func() { b.press(out + "\r") })
		runs(t, out, "3 5 8")
	})
}

// TestCrash: a crash is shown where it is, and one can go back before it.
func TestCrash(t *testing.T) {
	file := filepath.Join(t.TempDir(), "crash.c")
	text := "#include <stdlib.h>\nstruct node { int v; struct node *next; };\nstruct node *head;\nint main(void)\n{\n    head = malloc(sizeof *head);\n    head->v = 1;\n    head->next = NULL;\n    struct node *n = head->next;\n    n->v = 2;\n    return 0;\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, engine := range played("gdb", "machine") {
		srv, addr := serve(t, engine, file)
		b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
		b.wait("document.querySelectorAll('.line').length > 10 && document.body.dataset.seq === '0'")
		b.button("start", 1)
		b.button("continue", 1)
		b.stage(engine)
		b.manual("web-crash.png", true)
		if got := b.text("#status"); !strings.Contains(got, "crashed") {
			t.Errorf("%s: the status is %q", engine, got)
		}
		if got := b.text(".line.here .now"); !strings.Contains(got, "n->v = 2") {
			t.Errorf("%s: the place is %q", engine, got)
		}
		b.button("undo", 1)
		b.after(func() { b.drag("n", "n1") })
		b.button("next", 1)
		if got := b.eval("document.querySelector('[data-key=\"n1->v\"] title').textContent"); !strings.HasPrefix(got, "n1->v = 2 ") {
			t.Errorf("%s: after the correction %s", engine, got)
		}
		// The same by keys.
		b.eval("document.activeElement.blur()")
		b.press("S") // the corrected picture is not asserted: that it is lost is asked about
		b.wait("document.getElementById('again').open")
		b.after(func() { b.click("#again [value=yes]") })
		b.press("c")
		b.wait("document.getElementById('live').textContent.includes('crashed') && document.getElementById('notes').textContent.includes('crashed')")
		b.keys("u")
		if got := b.eval("document.getElementById('note').hidden"); got != "true" {
			t.Errorf("%s: after undo the crash is still told", engine)
		}
		b.point("n", "n1")
		b.keys("n")
		if got := b.eval("document.querySelector('[data-key=\"n1->v\"] title').textContent"); !strings.HasPrefix(got, "n1->v = 2 ") {
			t.Errorf("%s: after the correction by keys %s", engine, got)
		}
	}
}

// TestLarge opens a heap of 3,000 nodes: it is folded, and a node far away is found.
func TestLarge(t *testing.T) {
	file := filepath.Join(t.TempDir(), "large.c")
	text := "#include <stdlib.h>\nstruct node { int v; struct node *next; };\nstruct node *head;\nint main(void)\n{\n    for (int i = 0; i < 3000; i++) {\n        struct node *n = malloc(sizeof *n);\n        n->v = i;\n        n->next = head;\n        head = n;\n    }\n    head->v = 7;\n    head->v = 8;\n    return 0;\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	srv, addr := serve(t, "machine", file)
	b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	b.wait("document.querySelectorAll('.line').length > 10 && document.body.dataset.seq === '0'")
	b.button("start", 1)
	b.after(func() { b.fill("#line", "until 12") })
	if n, _ := strconv.Atoi(b.eval("document.querySelectorAll('[data-node]').length")); n < 100 || n > 400 {
		t.Errorf("%d nodes are drawn", n)
	}
	if got := b.text("#rest"); got != "2800 more nodes, struct node" {
		t.Errorf("of the rest the page says %q", got)
	}
	b.fill("#find", "n2801") // the last that is drawn: its arrow would lead to one that is not
	b.wait("(document.activeElement.dataset.key ?? '').startsWith('n2801') && document.querySelector('[data-open=n2800]') && !document.querySelector('[data-node=n2800]')")
	b.after(func() {
		b.eval("document.querySelector('[data-open]').dispatchEvent(new PointerEvent('pointerdown', {bubbles: true, button: 0, pointerId: 1})), 1")
	})
	b.wait("document.querySelector('[data-node=n2800]') && (document.activeElement.dataset.key ?? '').startsWith('n2800')")
	b.eval("document.querySelector('#find').value = '', 1")
	b.after(func() { b.fill("#find", "n77") })
	b.wait("document.querySelector('[data-node=n77]')")
	b.shoot("folded")
	if *shots != "" { // figures for whoever asks for pictures
		b.eval(`window.out = "", (async () => { const s = document.querySelector(".heap"), r = s.getBoundingClientRect(); const at = (t, x) => s.dispatchEvent(new PointerEvent(t, {bubbles: true, button: 0, pointerId: 1, clientX: r.x + x, clientY: r.y + r.height - 5}));
			s.setPointerCapture = () => {}; at("pointerdown", 300); const all = []; let last = performance.now();
			for (let i = 0; i < 60; i++) { at("pointermove", 300 - i * 3); await new Promise(requestAnimationFrame); const now = performance.now(); all.push(now - last); last = now; }
			at("pointerup", 0); all.sort((a, b) => a - b); window.out = all[30].toFixed(1) + " ms a frame at the median, " + all[57].toFixed(1) + " at 95 %" })(), 1`)
		b.wait("window.out !== ''")
		fmt.Println("panning over", b.eval("document.querySelectorAll('[data-node]').length"), "nodes:", b.eval("window.out"))
	}
}

// TestCheckPage: the page of a session that begins at a memory error, with its report, passes the check for
// accessibility, in light and dark.
func TestCheckPage(t *testing.T) {
	axe, err := os.ReadFile("ui/node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Skip("axe-core is not installed: accessibility was not tried (make page installs it)")
	}
	file := filepath.Join(t.TempDir(), "twice.c")
	text := "#include <stdlib.h>\nint main(void)\n{\n    int *p = malloc(4);\n    *p = 1;\n    free(p);\n    free(p);\n    return 0;\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	srv, addr := serve(t, "machine", file)
	srv.Note("check", "twice.c:7: double free\n    free(p);\n  freed at twice.c:6\n")
	srv.Found([]web.Marked{{File: file, Line: 7, Label: "double free", Text: "freed again", Chain: []web.Marked{{File: file, Line: 4, Label: "made by malloc", Text: "malloc(4)"}}}})
	b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	b.wait("document.querySelectorAll('.line').length > 8 && document.body.dataset.seq === '0'")
	b.keys("Snnn")
	// Over the picture stands what the rules found; its places lead to the source.
	if got := b.text("#note"); !strings.Contains(got, "double free") || !strings.Contains(got, "made by malloc, line 4") {
		t.Errorf("over the picture the page says %q", got)
	}
	b.click("#answer li button")
	if got := b.eval("document.querySelector('.line.looked').dataset.line + document.querySelector('.line.looked .mark').textContent"); got != "4·+" {
		t.Errorf("the place that was clicked is line %s", got)
	}
	for _, dark := range []bool{false, true} {
		b.dark(dark)
		accessible(t, b, axe, fmt.Sprintf("check, dark %t", dark))
		b.shoot("check")
	}
	b.press("c")
	b.wait("document.getElementById('notes').textContent.includes('crashed')")
	accessible(t, b, axe, "crashed")
	b.do(chromedp.EmulateViewport(853, 533)) // 1280x800 at 150 %
	b.shoot("150-percent")
	accessible(t, b, axe, "150 %")
	b.do(chromedp.EmulateViewport(1024, 640)) // at 125 %
	b.shoot("125-percent")
	accessible(t, b, axe, "125 %")
}
