package repair

import (
	"sort"
	"strconv"

	"gulo/internal/cfront"
	"gulo/internal/ctype"
	"gulo/internal/heap"
	"gulo/internal/lower"
	"gulo/internal/spec"
)

// This file is about hidden temporaries: variables that a repair adds to a
// function (Wolverine2, section 4: "a bounded number of additional (hidden)
// nodes/temporaries, made available on demand").

// tempCells is the address of the first temporary; no program has such addresses.
const tempCells = ctype.Word(0xFFD0) << 48

// NewTemp returns a temporary of a type for a function. Its name differs from all names there and from the other
// temporaries.
func NewTemp(p *lower.Program, f *cfront.Func, t *ctype.Type, others []*cfront.Var) *cfront.Var {
	taken := map[string]bool{}
	for _, list := range [][]*cfront.Var{f.Params, f.Locals, p.Tree.Globals, others} {
		for _, v := range list {
			taken[v.Name] = true
		}
	}
	for _, g := range p.Tree.Funcs {
		taken[g.Name] = true
	}
	name := "saved"
	for n := 2; taken[name]; n++ {
		name = "saved" + strconv.Itoa(n)
	}
	return &cfront.Var{Name: name, Type: t, Func: f}
}

// IsTemp reports whether a variable is a temporary: nothing declares it.
func IsTemp(v *cfront.Var) bool {
	return v.Func != nil && !v.Range.Valid() && v.Name != "" && v != v.Func.Result
}

// Temps lists the temporaries that a patch uses.
func (p *Patch) Temps() []*cfront.Var {
	seen := map[*cfront.Var]bool{}
	var out []*cfront.Var
	for _, e := range p.Edits() {
		for _, x := range []cfront.Expr{e.New, e.Guard} {
			if x == nil {
				continue
			}
			cfront.Walk(x, func(y cfront.Expr) bool {
				if r, ok := y.(*cfront.Ref); ok && IsTemp(r.Var) && !seen[r.Var] {
					seen[r.Var] = true
					out = append(out, r.Var)
				}
				return true
			})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// TempAddr returns the address of the i-th temporary.
func TempAddr(i int) ctype.Word { return tempCells + ctype.Word(16*i) }

// AddTemps adds temporaries to an image, with unknown values.
func AddTemps(im *heap.Image, temps []*cfront.Var) {
	if len(temps) == 0 {
		return
	}
	im.Temps = map[*cfront.Var]ctype.Word{}
	for i, v := range temps {
		a := TempAddr(i)
		im.Temps[v] = a
		if im.Find(a) == nil {
			im.Push(&heap.Object{Addr: a, Kind: heap.Local, Live: true, Var: v, Data: make([]byte, v.Type.Size), Undef: spec.Unknown(int(v.Type.Size))})
		}
	}
}
