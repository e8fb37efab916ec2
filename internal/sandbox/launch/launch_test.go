package launch

import (
	"os/exec"
	"reflect"
	"strings"
	"syscall"
	"testing"
)

// TestOrder writes orders and reads them, and refuses what is none.
func TestOrder(t *testing.T) {
	o := &Order{
		Path: "/bin/true", Args: []string{"", "a:b", "3:c\n"}, Env: []string{"A=1", "B=ä"}, Dir: "/tmp/x y",
		Scratch: 16 << 20, Limits: []Limit{{1, 10}, {7, 0}}, Last: []Limit{{9, 1 << 46}}, User: 200_001, Nice: -3, ReadOnly: 1, Filter: 2, Drop: 3, Map: 4, UID: 5, GID: 6,
	}
	s := o.Encode()
	if got, ok := Decode(s); !ok || !reflect.DeepEqual(got, o) {
		t.Errorf("%q is read as %+v", s, got)
	}
	empty := (&Order{}).Encode()
	if got, ok := Decode(empty); !ok || !reflect.DeepEqual(got, &Order{}) {
		t.Errorf("%q is read as %+v", empty, got)
	}
	for i := range len(s) {
		if _, ok := Decode(s[:i]); ok {
			t.Errorf("%q is taken", s[:i])
		}
	}
	for _, bad := range []string{s + "x", "x", ":", "-1:", "99999999999999999999:a", "1:a1:x", "3:a", strings.Replace(s, "1:2", "1:9", 1)} {
		if _, ok := Decode(bad); ok {
			t.Errorf("%q is taken", bad)
		}
	}
}

// TestImports holds what this package's place in the order of initialization rests on.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{join .Imports \" \"}}", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got := strings.TrimSpace(string(out)); got != "runtime syscall unsafe" {
		t.Errorf("imports %s: what they need is initialized before this package", got)
	}
}

// TestAllowed asks for more than the process has: it gets what there is.
func TestAllowed(t *testing.T) {
	var own syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &own); err != nil {
		t.Fatal(err)
	}
	if got := (Limit{syscall.RLIMIT_NOFILE, 1 << 60}).allowed(); got.Max != own.Max || got.Cur != own.Max {
		t.Errorf("%+v of %+v", got, own)
	}
	if got := (Limit{syscall.RLIMIT_NOFILE, 5}).allowed(); got.Max != 5 || got.Cur != 5 {
		t.Errorf("%+v", got)
	}
}
