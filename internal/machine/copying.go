package machine

import (
	"maps"
	"slices"
)

// This file copies the files of processes: for a saved state all of them, and for fork the descriptors alone, whose
// descriptions parent and child have in common.

// copying makes copies of files. What two descriptors or two processes share, their copies share.
type copying struct {
	shares  bool // for fork: descriptions are shared, not copied
	files   map[*memFile]*memFile
	opened  map[*opened]*opened
	pipes   map[*pipe]*pipe
	disks   map[*disk]*disk
	sockets map[*socket]*socket
}

// copyAll returns the copying for a saved state, which copies everything.
func copyAll() *copying {
	return &copying{files: map[*memFile]*memFile{}, opened: map[*opened]*opened{}, pipes: map[*pipe]*pipe{}, disks: map[*disk]*disk{}, sockets: map[*socket]*socket{}}
}

func (c *copying) file(f *memFile) *memFile {
	if f == nil || c.shares {
		return f
	}
	if c.files[f] == nil {
		f.shared = true
		g := *f
		c.files[f] = &g
		if f.fifo != nil {
			x := *f.fifo
			x.pipe = c.pipe(x.pipe)
			g.fifo = &x
		}
	}
	return c.files[f]
}

func (c *copying) pipe(p *pipe) *pipe {
	if p == nil || c.shares {
		return p
	}
	if c.pipes[p] == nil {
		c.pipes[p] = p.clone()
	}
	return c.pipes[p]
}

func (c *copying) description(o *opened) *opened {
	if c.shares || o == noDescriptor {
		return o
	}
	if c.opened[o] != nil {
		return c.opened[o]
	}
	d := *o
	c.opened[o] = &d
	d.file, d.pipe = c.file(o.file), c.pipe(o.pipe)
	d.socket, d.epoll = c.socket(o.socket), o.epoll.clone(c)
	if o.event != nil {
		x := *o.event
		d.event = &x
	}
	if o.folder != nil {
		x := *o.folder
		d.folder = &x
	}
	return &d
}

func (c *copying) socket(x *socket) *socket {
	if x == nil || c.sockets[x] != nil {
		return c.sockets[x]
	}
	y := *x
	c.sockets[x] = &y
	y.out, y.peer, y.options = c.pipe(x.out), c.socket(x.peer), maps.Clone(x.options)
	y.waiting = nil
	for _, o := range x.waiting {
		y.waiting = append(y.waiting, c.description(o))
	}
	return &y
}

func (c *copying) disk(d *disk) *disk {
	if c.shares {
		return d
	}
	if c.disks[d] == nil {
		e := &disk{root: d.root, names: make(map[string]*memFile, len(d.names)), folders: maps.Clone(d.folders), made: d.made, drawn: d.drawn, pipes: d.pipes, shms: d.shms, links: d.links, shared: d.shared, ipcs: d.ipcs}
		for id, x := range d.segments {
			y := *x
			y.file = c.file(x.file)
			e.setSegment(id, &y)
		}
		for n, f := range d.names {
			e.names[n] = c.file(f)
		}
		c.disks[d] = e
	}
	return c.disks[d]
}

func (c *copying) stream(s *stream) stream {
	t := *s
	t.opened = c.description(s.opened)
	t.unget, t.held = slices.Clone(s.unget), slices.Clone(s.held)
	if s.text != nil {
		x := *s.text
		t.text = &x
	}
	return t
}

// copyTo makes t a copy, for a saved state or another process. It keeps its machine and its reader of standard input.
func (l *library) copyTo(t *library, c *copying) {
	m, in := t.m, t.stdio.in
	*t = *l
	t.m = m
	t.fs = l.fs.clone(c)
	t.stdio = l.stdio.clone(c)
	t.stdio.in = in
	t.mappings = l.mappings.clone(c)
	t.generators = l.generators.clone()
}

func (fsys *fileSystem) clone(c *copying) *fileSystem {
	t := &fileSystem{disk: c.disk(fsys.disk), streams: make(map[int]*stream, len(fsys.streams)), dirs: maps.Clone(fsys.dirs), cwd: fsys.cwd, cloexec: maps.Clone(fsys.cloexec)}
	for fd, s := range fsys.streams {
		u := c.stream(s)
		t.streams[fd] = &u
	}
	return t
}

func (st stdio) clone(c *copying) stdio {
	st.out = slices.Clone(st.out)
	st.files, st.closed = maps.Clone(st.files), maps.Clone(st.closed)
	for i := range st.standard {
		st.standard[i] = c.stream(&st.standard[i])
	}
	return st
}

func (mp mappings) clone(c *copying) mappings {
	list := mp.maps
	mp.maps = nil
	for _, x := range list {
		x.file = c.file(x.file)
		mp.maps = append(mp.maps, x)
	}
	return mp
}
