package gdb

import (
	"testing"

	"gulo/internal/target"

	"github.com/google/go-cmp/cmp"
)

func TestSlots(t *testing.T) {
	for _, c := range []struct {
		name string
		list []target.Watched
		want []slot
	}{
		{"an int", []target.Watched{{Addr: 0x1004, Size: 4}}, []slot{{0x1004, 4}}},
		{"a member and its struct", []target.Watched{{Addr: 0x1000, Size: 4}, {Addr: 0x1000, Size: 16}}, []slot{{0x1000, 8}, {0x1008, 8}}},
		{"twice the same", []target.Watched{{Addr: 0x1008, Size: 8, Depth: 2}, {Addr: 0x1008, Size: 8}}, []slot{{0x1008, 8}}},
		{"a text of three", []target.Watched{{Addr: 0x1000, Size: 3}}, []slot{{0x1000, 4}}},
		{"over a boundary", []target.Watched{{Addr: 0x1006, Size: 4}}, []slot{{0x1006, 2}, {0x1008, 2}}},
		{"neighbours", []target.Watched{{Addr: 0x1002, Size: 2}, {Addr: 0x1000, Size: 2}}, []slot{{0x1000, 4}}},
		{"apart, with room", []target.Watched{{Addr: 0x1000, Size: 1}, {Addr: 0x1006, Size: 2}}, []slot{{0x1000, 1}, {0x1006, 2}}},
		{"apart, without", []target.Watched{{Addr: 0x1000, Size: 1}, {Addr: 0x1006, Size: 2}, {Addr: 0x2000, Size: 24}}, []slot{{0x1000, 8}, {0x2000, 8}, {0x2008, 8}, {0x2010, 8}}},
		{"more than there are", []target.Watched{{Addr: 0x1000, Size: 40}}, []slot{{0x1000, 8}, {0x1008, 8}, {0x1010, 8}, {0x1018, 8}, {0x1020, 8}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, slots(c.list), cmp.AllowUnexported(slot{})); d != "" {
				t.Error(d)
			}
		})
	}
}
