package cfront

import (
	"context"
	"crypto/sha256"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"gulo/internal/source"
)

// This file says what a program is made of, for callers that cache results about it. Two programs
// made of the same texts, with the same flags, by the same compiler, are the same program.

// Made is one file that a program was made of. It is a text that was read, or a name that was looked for and not
// found; a file of that name would be read.
type Made struct {
	Name    string
	Sum     [sha256.Size]byte
	Missing bool
}

// LoadMade is Load and also returns what the program was made of, and those of its files that are
// not missing, in the same order.
func LoadMade(ctx context.Context, names []string, opt Options) (*Program, []Made, []*source.File, error) {
	p, looked, err := load(ctx, names, opt)
	if err != nil {
		return nil, nil, nil, err
	}
	var made []Made
	var files []*source.File
	for _, n := range slices.Sorted(maps.Keys(looked)) {
		f := looked[n]
		if f == nil {
			made = append(made, Made{Name: n, Missing: true})
			continue
		}
		made = append(made, Made{Name: f.Name, Sum: sha256.Sum256(f.Text)})
		files = append(files, f)
	}
	return p, made, files, nil
}

// Remade reads the files of made again. ok is false if a text has changed or a missing file exists now.
func Remade(made []Made) (files []*source.File, ok bool) {
	c := newConverter()
	for i := range made {
		m := &made[i]
		if m.Missing {
			if st, err := os.Stat(m.Name); err == nil && st.Mode().IsRegular() {
				return nil, false
			}
			continue
		}
		f := c.file(m.Name)
		if f == nil || sha256.Sum256(f.Text) != m.Sum {
			return nil, false
		}
		if f.Name != m.Name {
			f = source.NewFile(m.Name, f.Text)
		}
		files = append(files, f)
	}
	return files, true
}

// Large reports whether files take so long to read that it is worth while to cache what is known about them.
func Large(names []string) bool {
	if len(names) >= keepFiles {
		return true
	}
	return slices.ContainsFunc(names, func(n string) bool {
		st, err := os.Stat(n)
		return err == nil && st.Size() >= keepBytes
	})
}

// Compiled returns texts that differ if two programs are compiled differently: the files' names, the folder, the
// flags, the compiler and the environment variables that it reads. ok is false if that is not known.
func Compiled(names []string, opt Options) (texts []string, ok bool) {
	cc, err := compiler()
	if err != nil {
		return nil, false
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, false
	}
	texts = []string{cc, here}
	for _, v := range []string{"CPATH", "C_INCLUDE_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH"} {
		texts = append(texts, os.Getenv(v))
	}
	folders := map[string]bool{} // which exist: gcc ignores an include folder that does not
	folder := func(u *Unit, name string) string {
		at := u.Path(name)
		there, ok := folders[at]
		if !ok {
			st, err := os.Stat(at)
			there = err == nil && st.IsDir()
			folders[at] = there
		}
		if there {
			return "there"
		}
		return "missing"
	}
	for _, n := range names {
		u := opt.Unit(n)
		texts = append(texts, n, u.Name, u.Dir, folder(&u, "/usr/local/include"))
		for i, f := range u.Flags {
			if strings.HasPrefix(f, "@") {
				return nil, false
			}
			texts = append(texts, f)
			for _, l := range []string{"-I", "-iquote", "-isystem", "-idirafter"} {
				if at, ok := strings.CutPrefix(f, l); ok && at != "" {
					texts = append(texts, folder(&u, at))
				} else if ok && i+1 < len(u.Flags) {
					texts = append(texts, folder(&u, u.Flags[i+1]))
				}
			}
		}
	}
	return texts, true
}

// compiler returns the path of gcc and its time of modification, which tell compilers apart.
func compiler() (string, error) {
	at, err := exec.LookPath("gcc")
	if err != nil {
		return "", err
	}
	if at, err = filepath.EvalSymlinks(at); err != nil {
		return "", err
	}
	st, err := os.Stat(at)
	if err != nil {
		return "", err
	}
	return at + st.ModTime().String(), nil
}

// Nodes returns a nil pointer of each type of an expression or statement, and of Var and Func.
func Nodes() []any {
	return []any{
		(*Const)(nil), (*String)(nil), (*Ref)(nil), (*FuncRef)(nil), (*Decay)(nil), (*Unary)(nil), (*LogicalNot)(nil), (*Deref)(nil), (*Addr)(nil),
		(*Member)(nil), (*Index)(nil), (*Binary)(nil), (*Logical)(nil), (*Cond)(nil), (*Comma)(nil), (*Assign)(nil), (*IncDec)(nil), (*Call)(nil),
		(*Cast)(nil), (*Compound)(nil), (*SizeofVLA)(nil), (*VaArg)(nil), (*VaStart)(nil), (*WideConst)(nil), (*Part)(nil), (*LabelAddr)(nil), (*StmtExpr)(nil),
		(*ExprStmt)(nil), (*Decl)(nil), (*Block)(nil), (*If)(nil), (*While)(nil), (*For)(nil), (*Switch)(nil), (*Case)(nil), (*Label)(nil), (*Jump)(nil),
		(*Sizes)(nil), (*ComputedGoto)(nil), (*Asm)(nil), (*Return)(nil), (*Opaque)(nil), (*Empty)(nil),
		(*Var)(nil), (*Func)(nil),
	}
}
