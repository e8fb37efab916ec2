package workdir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRead: which files are taken of folders, and why others are not.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"tests/1.in": "3", "tests/data.txt": "of the tests", "here/data.txt": "of the program", "here/main.c": "int main;", "here/own.c": "it reads itself",
		"here/deep/in.bin": "\x00\x01", "here/deep/other": "not named", "here/.hidden": "", "here/big": strings.Repeat("x", MaxFile+1), "here/empty": "", "outside": "",
		"here/a.out": "\x7fELF...",
	} {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f := Read([]Folder{{Dir: dir + "/tests", Skip: func(name string) bool { return filepath.Ext(name) == ".in" }}, {Dir: dir + "/here"}},
		[]string{"own.c", "deep/in.bin", "../outside", dir + "/outside", "1.in", "deep", "", "nothing", "%d\n"})
	var got []string
	for _, x := range f.List {
		got = append(got, x.Name+"="+string(x.Data))
	}
	if want := "data.txt=of the tests|deep/in.bin=\x00\x01|empty=|own.c=it reads itself"; strings.Join(got, "|") != want {
		t.Errorf("taken: %q, want %q", strings.Join(got, "|"), want)
	}
	if d := f.Folders(); len(d) != 1 || d[0] != "deep" {
		t.Errorf("folders: %q", d)
	}
	for name, why := range map[string]string{"big": "more than 1 MiB", "main.c": "only where the program names them", "a.out": "programs are given", "data.txt": "", "nothing": ""} {
		if got := f.Left(name); !strings.Contains(got, why) || why == "" && got != "" {
			t.Errorf("left %s: %q, want %q", name, got, why)
		}
	}
	if g := Of(map[string][]byte{"a": nil, "../b": nil, "c": make([]byte, MaxFile+1)}); len(g.List) != 1 || g.Left("c") == "" || g.String() == f.String() {
		t.Errorf("of texts: %+v", g)
	}
}
