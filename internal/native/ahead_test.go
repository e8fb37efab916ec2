package native

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestBegin builds programs that were begun: each is taken once, refused ones give what gcc says, and nothing is left
// of those that nobody asks for.
func TestBegin(t *testing.T) {
	ctx := context.Background()
	right := map[string]string{"a.c": "#include <stdio.h>\nint main(void) { puts(\"7\"); return 0; }\n"}
	in, err := os.MkdirTemp("", "gulo-begin") // programs run as another user, who must come in
	if err == nil {
		err = os.Chmod(in, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(in)
	t.Setenv("TMPDIR", in)
	run := func(p *Program, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		ses := &Session{}
		ses.Print(ses.Add(&Test{}))
		if a, err := p.Run(ctx, ses, 5e9); err != nil || len(a.Printed) != 1 || a.Printed[0].Stdout != "7\n" {
			t.Fatalf("%v %+v", err, a)
		}
	}
	forget := Begin(ctx, right, Config{})
	other := Begin(ctx, right, Config{}) // is under way
	run(Build(ctx, right, Config{}))
	if len(ahead.of) != 0 {
		t.Error("what was taken is still there")
	}
	run(Build(ctx, right, Config{}))
	forget()
	other()

	wrong := map[string]string{"a.c": "int main(void) { return x; }\n"}
	forget = Begin(ctx, wrong, Config{})
	var refused *CompileError
	if _, err := Build(ctx, wrong, Config{}); !errors.As(err, &refused) {
		t.Errorf("gcc takes %v", err)
	}
	forget()

	forget = Begin(ctx, right, Config{Sanitize: true})
	forget()
	forget()
	run(Build(ctx, right, Config{}))

	short, stop := context.WithCancel(ctx) // whoever began it goes on to something else
	forget = Begin(short, right, Config{})
	stop()
	run(Build(ctx, right, Config{}))
	forget()

	short, stop = context.WithCancel(ctx) // whoever asks for it does
	forget = Begin(ctx, right, Config{})
	stop()
	if p, err := Build(short, right, Config{}); err == nil {
		p.Close()
	}
	forget()
	left, err := filepath.Glob(filepath.Join(in, "gulo-native*"))
	if err != nil || len(left) > 0 {
		t.Errorf("%d are left, %v", len(left), err)
	}
}
