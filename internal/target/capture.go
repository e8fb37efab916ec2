package target

import (
	"strings"

	"gulo/internal/heap"
)

// Limits of a picture of memory.
const (
	maxObject = 1 << 20
	maxFrames = 50
)

// Capture copies what a stopped program can reach: globals, the variables of
// active functions, heap blocks.
func Capture(t Target) (*heap.Image, error) {
	im := &heap.Image{FuncOf: t.FuncName}
	frames, err := t.Frames()
	if err != nil {
		return nil, err
	}
	add := func(o *heap.Object, size int64) {
		if size <= 0 || size > maxObject {
			return
		}
		o.Data = make([]byte, size)
		if t.Read(o.Addr, o.Data) {
			o.Undef = t.Undefined(o.Addr, o.Data)
			for i, u := range o.Undef {
				if u {
					o.Data[i] = 0 // whatever the engine has there
				}
			}
			im.Add(o)
		}
	}
	for _, v := range t.Globals() {
		if !v.Var.Range.Valid() || strings.HasPrefix(v.Var.Range.File.Name, "@gulo/") {
			continue
		}
		add(&heap.Object{Addr: v.Addr, Kind: heap.Global, Live: true, Var: v.Var}, v.Var.Type.Size)
	}
	for i, f := range frames {
		if i >= maxFrames {
			break
		}
		im.Frames = append(im.Frames, heap.FrameInfo{Func: f.Func, Stmt: f.Stmt, ID: f.ID})
		for _, v := range f.Vars {
			add(&heap.Object{Addr: v.Addr, Kind: heap.Local, Live: true, Var: v.Var, Frame: i}, v.Var.Type.Size)
		}
	}
	blocks, err := t.Blocks()
	if err != nil {
		return nil, err
	}
	for _, b := range blocks {
		add(&heap.Object{Addr: b.Addr, Kind: heap.Node, Live: b.Live, Seq: b.Seq}, b.Size)
	}
	im.Sort()
	return im, nil
}
