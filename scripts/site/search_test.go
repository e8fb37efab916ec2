package main

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

var shots = flag.String("shots", "", "`DIR`: folder for pictures of the pages, wide and narrow, light and dark")

// TestSearch types into the search of a page in a folder, without a server: the section is found, and Enter leads to it. On a
// narrow screen nothing is wider than the screen.
func TestSearch(t *testing.T) {
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("no chromium")
	}
	dir := t.TempDir()
	if err := site(repository, dir); err != nil {
		t.Fatal(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath("chromium"), chromedp.NoSandbox)
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	if err := chromedp.Do(ctx); err != nil { // the browser lives as long as the context of its first step
		t.Fatal(err)
	}
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	page := func(name string) string { return "file://" + filepath.Join(dir, name) }
	do := func(steps ...chromedp.Action[chromedp.Void]) {
		t.Helper()
		if err := chromedp.Do(ctx, steps...); err != nil {
			t.Fatal(err)
		}
	}
	do(chromedp.EmulateViewport(1280, 900), chromedp.Navigate(page("docs/manual.html")), chromedp.WaitVisible("form[role=search]"),
		chromedp.SendKeys("input[type=search]", "double_free figure2"), chromedp.WaitVisible("#found a"))
	shot(ctx, t, "search-1280")
	do(chromedp.SendKeys("input[type=search]", kb.Enter), chromedp.WaitVisible("a[href='rules.html'][aria-current]"))
	to, err := chromedp.Run(ctx, chromedp.Evaluate[string]("location.href"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(to, "/docs/rules.html#the-rule-language-of-memory-debuggers") {
		t.Errorf("Enter leads to %s", to)
	}
	for _, name := range []string{"index", "CONTRIBUTING", "docs/index", "docs/benchmarks", "docs/methods", "docs/guides/memory", "docs/testing", "docs/architecture/doc.go"} {
		for _, scheme := range []string{"light", "dark"} {
			features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
			if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}); err != nil {
				t.Fatal(err)
			}
			do(chromedp.EmulateViewport(390, 900), chromedp.Navigate(page(name+".html")))
			wide, err := chromedp.Run(ctx, chromedp.Evaluate[int]("document.documentElement.scrollWidth"))
			if err != nil {
				t.Fatal(err)
			}
			if wide > 390 {
				t.Errorf("%s is %d wide on a screen of 390", name, wide)
			}
			shot(ctx, t, strings.ReplaceAll(name, "/", "-")+"-390-"+scheme)
		}
	}
}

// shot keeps a picture of what is seen, if asked for.
func shot(ctx context.Context, t *testing.T, name string) {
	t.Helper()
	if *shots == "" {
		return
	}
	b, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(*shots, name+".png"), b, 0o644); err != nil {
		t.Fatal(err)
	}
}
