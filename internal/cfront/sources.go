package cfront

import (
	"crypto/sha256"

	"gulo/internal/cpp"
	"gulo/internal/source"
)

// This file records which texts a unit is made of, and the names that #line gives to them.

// sources records the digest of a unit's texts and the names that #line gives to their lines.
func (c *converter) sources(f *source.File, u *unit, how Unit) {
	c.prog.Digest[f.Name] = c.digest(u.Unit)
	for i, l := range u.Lines {
		g := u.Files[l.File].File
		end := g.Lines() + 1
		for _, next := range u.Lines[i+1:] {
			if next.File == l.File {
				end = next.At
				break
			}
		}
		name := l.Name
		if name != g.Name {
			name = how.Path(name)
		}
		c.prog.Renamed = append(c.prog.Renamed, Renamed{File: g, At: l.At, Lines: end - l.At, Name: name, Num: l.Num})
	}
}

// digest returns a SHA-256 of the names and texts of the files that a unit is made of.
func (c *converter) digest(u *cpp.Unit) string {
	h := sha256.New()
	for _, g := range u.Files {
		sum, ok := c.sums[g.File]
		if !ok {
			sum = sha256.Sum256(g.Text)
			c.sums[g.File] = sum
		}
		h.Write([]byte(g.Name))
		h.Write(sum[:])
	}
	return string(h.Sum(nil))
}
