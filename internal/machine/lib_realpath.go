package machine

import (
	"path/filepath"
	"strings"

	"gulo/internal/ctype"
)

// This file is realpath.

func init() {
	register(map[string]builtin{"realpath": libRealpath, "canonicalize_file_name": libRealpath})
}

func libRealpath(m *Machine, c *libCall) (ctype.Word, *Fault) {
	if c.arg(0) == 0 {
		m.set(errINVAL)
		return 0, nil
	}
	path, f := m.cstring(c.arg(0))
	if f != nil {
		return 0, f
	}
	real, errno, f := m.lib.fs.realPath(c, path)
	if f != nil || errno != 0 {
		m.set(errno)
		return 0, f
	}
	p := c.arg(1) // 0 for canonicalize_file_name
	if p == 0 {
		if p, f = m.Malloc(int64(len(real)+1), false); f != nil || p == 0 {
			return 0, f
		}
	}
	return p, m.putString(p, real)
}

// realPath is the absolute path of what a path names, without symbolic links; errno says why there is none.
func (fsys *fileSystem) realPath(c *libCall, path string) (string, ctype.Word, *Fault) {
	m := fsys.m
	if m.cfg.Files == nil {
		return "", 0, fsys.noFiles(c.name)
	}
	if path == "" {
		return "", errNOENT, nil
	}
	if len(path) >= pathMax {
		return "", errNAMELONG, nil
	}
	rel, below := fsys.local(path)
	if !below {
		_, errno, f := fsys.find(c, path)
		if f == nil && errno == 0 { // a device
			return rel, 0, nil
		}
		return "", errno, f
	}
	if errno, f := fsys.walk(c, path); errno != 0 || f != nil {
		return "", errno, f
	}
	if m.cfg.Files.Given != nil {
		return "", 0, m.fault(Unsupported, 0, "%s: these runs have a folder of their own each", c.name)
	}
	dir, err := filepath.Abs(m.cfg.Files.Dir)
	if err != nil {
		return "", errNOENT, nil
	}
	if filepath.IsAbs(rel) {
		return rel, 0, nil
	}
	return resolve(filepath.Join(dir, rel)), 0, nil
}

// walk looks for what a path names, folder by folder; errno says what is missing.
func (fsys *fileSystem) walk(c *libCall, path string) (errno ctype.Word, f *Fault) {
	parts := strings.SplitAfter(path, "/")
	for i := range parts {
		at := strings.Join(parts[:i+1], "")
		rel, below := fsys.local(at)
		if !below || fsys.hasFolder(rel) {
			continue
		}
		if _, errno, f = fsys.find(c, at); errno != 0 || f != nil {
			return errno, f
		}
		if strings.HasSuffix(at, "/") {
			return errNOTDIR, nil
		}
	}
	return 0, nil
}

// resolve follows the symbolic links of an absolute path. What is in memory alone has none.
func resolve(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil || path == "/" {
		return real
	}
	return filepath.Join(resolve(filepath.Dir(path)), filepath.Base(path))
}
