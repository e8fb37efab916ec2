package gdb

import (
	"context"
	"fmt"
	"gulo/internal/cfront"
	"gulo/internal/lower"
	"gulo/internal/target"
	"gulo/internal/target/sim"
	"testing"
	"time"
)

func TestSmoke(t *testing.T) {
	ctx := context.Background()
	t0 := time.Now()
	f := []string{"../../../examples/reverse.c"}
	tree, err := cfront.Load(ctx, f, cfront.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Lower(tree, lower.Options{Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("front", time.Since(t0))
	g, err := New(ctx, p, Config{Files: f})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	fmt.Println("built", time.Since(t0))
	for _, tg := range []target.Target{g, sim.New(p, sim.Config{Name: "x"})} {
		st, err := tg.Start(ctx)
		fmt.Println(st, err, time.Since(t0))
		var saved target.Snapshot
		for i := 0; i < 200 && st.Reason == target.Stepped; i++ {
			if i == 6 {
				saved, _ = tg.Save()
			}
			t1 := time.Now()
			fr, _ := tg.Frames()
			bl, _ := tg.Blocks()
			fmt.Println(st.Depth, p.Stmts[st.Stmt].Range.Text(), len(fr), len(fr[0].Vars), len(bl), time.Since(t1))
			t1 = time.Now()
			st, err = tg.Resume(ctx, target.Into, nil)
			fmt.Println(st.Reason, err, time.Since(t1))
			if err != nil {
				break
			}
		}
		fmt.Println(st, tg.Output())
		fmt.Println(tg.Restore(saved))
		st, err = tg.Resume(ctx, target.Next, nil)
		fmt.Println(p.Stmts[st.Stmt].Range.Text(), err)
	}
}
