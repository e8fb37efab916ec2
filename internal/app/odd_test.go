package app

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestOddFiles: whatever a file has in place of C source, every command says what is wrong with it, and a file that
// is only unusual is accepted.
func TestOddFiles(t *testing.T) {
	t.Parallel()
	const body = "int main(void) { return 0; }"
	files := []struct{ name, text, want string }{ // want is "" for good C
		{"empty.c", "", "no function"},
		{"binary.c", "\x7fELD\x02\x01\x01\x00\x00\xff", "binary.c: error: it is no text; name C files"},
		{"program.c", "\x7fELF\x02\x01\x01\x00", "program.c: error: it is a compiled program or a part of one"},
		{"wide.c", "\xff\xfei\x00n\x00t\x00", "wide.c: error: it is written in UTF-16, which gcc does not read; save it as UTF-8"},
		{"class.c", "class A { public: int x; };\nint main() { A a; return a.x; }\n", "class begins a declaration in C++; gulo takes C"},
		{"zero.c", body + "\n\x00\n", ""},
		{"error.c", "#error no way\n", "error.c:1:2: error: #error no way"},
		{"itself.c", "#include \"itself.c\"\n" + body, "nested depth"},
		{"folder.c", "", "folder.c: error: cannot read the file: it is a folder; name the C files in it"},
		{"pipe.c", "", "pipe.c: error: cannot read the file: it is not a regular file"},
		{"missing.c", "", "missing.c: error: cannot read the file: no such file or directory"},
		{"lines.c", "int main(void)\r\n{\r\n    return 0;\r\n}\r\n", ""},
		{"mark.c", "\xef\xbb\xbf" + body + "\n", ""},
		{"no end.c", body, ""},
		{"-x.c", body + "\n", ""},
		{"$(x) 's ;.c", body + "\n", ""},
		{"\u00fc\"q.c", body + "\n", ""},
	}
	commands := [][]string{
		{"run"}, {"debug", "--engine", "machine", "--script", "SCRIPT"}, {"check", "--engine", "machine"}, {"explore"}, {"inject", "-n", "1", "-o", "OUT"},
		{"fix", "--reference", "GOOD"}, {"fix", "--assert"}, {"locate", "--reference", "GOOD"},
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	places := strings.NewReplacer("SCRIPT", write("script", "start\n"), "GOOD", write("good.c", body+"\n"), "OUT", filepath.Join(dir, "out"))
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		switch f.name {
		case "folder.c":
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		case "pipe.c":
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Fatal(err)
			}
		case "missing.c":
		default:
			write(f.name, f.text)
		}
		if f.want == "" && strings.ContainsAny(f.name, "-$\"") { // gdb takes a while
			if code, _, errs := gulo(t, "", "debug", "--script", filepath.Join(dir, "script"), path); code != 0 {
				t.Errorf("debug %s: code %d, stderr %q", f.name, code, errs)
			}
		}
		for i, c := range commands {
			if f.want == "" && i > 3 || f.name == "empty.c" && i > 2 { // what these answer is other tests' matter
				continue
			}
			var args []string
			for _, a := range c {
				args = append(args, places.Replace(a))
			}
			code, _, errs := gulo(t, "", append(args, path)...)
			want := f.want
			if f.name == "program.c" && c[0] == "check" { // it takes programs, too
				want = `has no memory debugger in it; build it with CC="gulo cc", or give gulo check its C files`
			}
			if want == "" && (code != 0 || errs != "") || want != "" && (code != 2 || !strings.Contains(errs, want)) {
				t.Errorf("%v %s: code %d, stderr %q, want %q", c, f.name, code, errs, want)
			}
		}
	}
}
