package web_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// This file tests pictures that are larger than the canvas: a hash table, a wide tree, a long list that is cut in
// two.

const hashed = `#include <stdlib.h>
struct entry { int key; struct entry *next; };
struct table { int used; struct entry *buckets[100]; } *t;
struct entry *list[100];
void put(int key)
{
    struct entry *e = malloc(sizeof *e);
    e->key = key;
    e->next = NULL;
    t->buckets[key % 100] = e;
    t->used++;
    list[key % 100] = e;
}
int main(void)
{
    t = calloc(1, sizeof *t);
    put(7);
    put(99);
    put(42);
    put(107);
    put(15);
    return 0;
}
`

// opened returns a tab with a program in which some commands were executed.
func opened(t *testing.T, program string, lines ...string) *tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "wide.c")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	srv, addr := serve(t, "machine", file)
	b := open(t, "http://"+addr+"/?token="+srv.Invite(), nil)
	b.wait("document.querySelectorAll('.line').length > 10 && document.body.dataset.seq === '0'")
	for _, line := range lines {
		b.after(func() { b.fill("#line", line) })
	}
	b.eval("document.activeElement.blur()")
	return b
}

// outside lists those of some nodes and boxes of variables that are not fully visible.
func (b *tab) outside(some string) string {
	b.t.Helper()
	b.eval("new Promise(requestAnimationFrame)")
	return b.eval(`[...document.querySelectorAll("#canvas .heap .box")].filter(e => { const n = e.dataset.node ?? "vars"; if (` + "`" + some + "`" + ` !== "" && !` + "`" + some + "`" + `.split(" ").includes(n)) return false;
		const a = e.querySelector(".frame")?.getBoundingClientRect(), b = document.querySelector("svg.heap").getBoundingClientRect();
		return !a || a.width === 0 || a.left < b.left - 1 || a.right > b.right + 1 || a.top < b.top - 1 || a.bottom > b.bottom + 1 }).map(e => e.getAttribute("aria-label")).join(", ")`)
}

// TestBuckets: of a table of a hundred buckets the used ones are drawn, whether the table is a variable or in a node,
// and the others are counted. What is in the last bucket is not called unreachable, and what was overwritten is
// named.
func TestBuckets(t *testing.T) {
	b := opened(t, hashed, "start", "until 22")
	const box = "[...document.querySelector(%).querySelectorAll('.label, .more')].map(e => e.textContent.replace('✱ ', '')).join(' ')"
	if got := b.eval(strings.ReplaceAll(box, "%", "'[data-node=n1]'")); got != "used buckets[7] buckets[15] buckets[42] buckets[99] 96 blank" {
		t.Errorf("the table has lines %q", got)
	}
	if got := b.eval(strings.ReplaceAll(box, "%", "'.box.vars'")); got != "t list[7] list[15] list[42] list[99] list: 96 blank" {
		t.Errorf("the variables have lines %q", got)
	}
	if got := b.text("#lostnodes"); got != "unreachable:n2 (16 bytes)" {
		t.Errorf("what is lost is told as %q", got)
	}
	if got := b.outside(""); got != "" {
		t.Errorf("out of sight are %s", got)
	}
	b.after(func() { b.fill("#line", "change t->buckets[60] n3") })
	if got := b.eval("document.querySelector('[data-node=n1] .changed .label').textContent"); got != "✱ buckets[60]" {
		t.Errorf("a bucket that was null is set, and %q is drawn as changed", got)
	}
}

const wideTree = `#include <stdlib.h>
struct tree { int key; struct tree *left, *right; } *root;
struct tree *insert(struct tree *t, int key)
{
    if (t == NULL) {
        t = calloc(1, sizeof *t);
        t->key = key;
    } else if (key < t->key)
        t->left = insert(t->left, key);
    else
        t->right = insert(t->right, key);
    return t;
}
int main(void)
{
    int x = 17;
    for (int i = 0; i < 40; i++) {
        x = (x * 29 + 11) % 101;
        root = insert(root, x);
    }
    struct tree *t = root->left;
    t->left->right->right->right->right->key = 0;
    return 0;
}
`

// TestWideTree: a tree that is wider than the canvas is first shown as a whole, with names and numbers that can be
// read. After a change its place is shown large; fit shows the whole again.
func TestWideTree(t *testing.T) {
	b := opened(t, wideTree, "start", "until 21")
	if got := b.outside(""); got != "" {
		t.Errorf("at first %s are out of sight", got)
	}
	if got := b.eval("Math.min(...[...document.querySelectorAll('.heap .node .far')].map(e => e.getBoundingClientRect().height)) >= 9"); got != "true" {
		t.Error("at first the names are too small to be read")
	}
	b.keys("nn")
	if b.outside("") == "" {
		t.Fatal("all of the tree is seen large: it is no test")
	}
	changed := b.eval("document.querySelector('.heap .box.node:has(.changed)').dataset.node")
	if got := b.outside(changed); got != "" {
		t.Errorf("after the change %s is out of sight", got)
	}
	b.click("#fit")
	b.shoot("fit")
	if got := b.outside(""); got != "" {
		t.Errorf("after fit %s are out of sight", got)
	}
	if got := b.eval("[...document.querySelectorAll('.heap .box.node')].filter(e => [...e.querySelectorAll('text')].every(t => t.getBoundingClientRect().height < 6)).map(e => e.dataset.node).join(' ')"); got != "" {
		t.Errorf("after fit the names of %s cannot be read", got)
	}
}

const cutList = `#include <stdlib.h>
struct node { int v; struct node *prev, *next; } *head;
int main(void)
{
    for (int i = 0; i < 20; i++) {
        struct node *n = calloc(1, sizeof *n);
        n->v = i;
        n->next = head;
        if (head)
            head->prev = n;
        head = n;
    }
    struct node *n = head;
    for (int i = 0; i < 9; i++)
        n = n->next;
    n->next = NULL;
    n = NULL;
    n = head;
    return 0;
}
`

// TestCutList: the first node that was lost is named, and the others that are lost with it are counted. It is
// visible, and a click leads to it from elsewhere.
func TestCutList(t *testing.T) {
	b := opened(t, cutList, "start", "until 16")
	if got := b.eval("document.getElementById('lostnodes').hidden"); got != "true" {
		t.Errorf("before anything is lost it is said: %s", b.text("#lostnodes"))
	}
	b.keys("n")
	if got := b.text("#lostnodes"); got != "unreachable:n10 (v 9, prev →n11, next →n9)and 9 more" {
		t.Errorf("what is lost is told as %q", got)
	}
	if got := b.outside("n10"); got != "" {
		t.Errorf("what was lost is out of sight: %s", got)
	}
	b.keys("nn")
	b.after(func() { b.fill("#line", "change head->v 5") })
	b.eval("document.activeElement.blur()")
	if b.outside("n10") == "" {
		t.Fatal("n10 is seen without a click: it is no test")
	}
	b.click("#lostnodes button")
	if got := b.outside("n10"); got != "" {
		t.Errorf("after a click it is out of sight: %s", got)
	}
}
