// Package pickle writes a graph of Go values into bytes and reads it back: pointers that were
// equal are equal again, cycles are allowed, unexported fields are taken along. It is for
// caches of the program that wrote them: the bytes mean nothing to another build, and whoever
// keeps them sees to it that no other build reads them.
//
// Not supported: functions, channels and floating-point numbers that are not zero, structs of more than 64 fields,
// interfaces whose dynamic type is no pointer or was not named (New), pointers into the middle of a value (they become
// pointers to copies), slices that share their memory (each gets its own).
//
// A Codec may be used by several goroutines.
package pickle

import (
	"errors"
	"fmt"
	"hash/crc32"
	"reflect"
	"sync"
	"unsafe"
)

// Codec knows the types of a graph.
type Codec struct {
	concrete []reflect.Type // dynamic types of interfaces, by number
	number   map[reflect.Type]uint64
	skipped  map[reflect.Type]bool

	mu    sync.Mutex
	plans map[reflect.Type]*plan
}

// New returns a codec. concrete has a value of every type that an interface in the graph may have, which must be a
// pointer. Fields of the types of skipped are not written, and are zero when they are read.
func New(concrete, skipped []any) *Codec {
	c := &Codec{number: map[reflect.Type]uint64{}, skipped: map[reflect.Type]bool{}, plans: map[reflect.Type]*plan{}}
	for _, x := range concrete {
		t := reflect.TypeOf(x)
		if _, ok := c.number[t]; !ok {
			c.number[t] = uint64(len(c.concrete))
			c.concrete = append(c.concrete, t)
		}
	}
	for _, x := range skipped {
		c.skipped[reflect.TypeOf(x)] = true
	}
	return c
}

// Encode writes what root, a pointer, leads to. A pointer that is in outside is written as its index there, without
// what it points to.
func (c *Codec) Encode(root any, outside []any) (out []byte, err error) {
	v := reflect.ValueOf(root)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return nil, errors.New("pickle: the root is no pointer")
	}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case refused:
			out, err = nil, e
		default:
			panic(e)
		}
	}()
	e := &encoder{strings: map[string]uint64{}, known: map[*plan]map[unsafe.Pointer]uint64{}}
	for _, x := range outside {
		o := reflect.ValueOf(x)
		e.add(c.plan(o.Type().Elem()), o.UnsafePointer())
	}
	e.done = len(e.objects)
	e.add(c.plan(v.Type().Elem()), v.UnsafePointer())
	for ; e.done < len(e.objects); e.done++ {
		o := e.objects[e.done]
		o.plan.enc(e, o.at)
	}
	sum := crc32.Checksum(e.out, castagnoli)
	return append(e.out, byte(sum), byte(sum>>8), byte(sum>>16), byte(sum>>24)), nil
}

// Decode reads what Encode has written into root, with as many pointers outside. After an error, root must not be used.
func (c *Codec) Decode(b []byte, root any, outside []any) (err error) {
	v := reflect.ValueOf(root)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return errors.New("pickle: the root is no pointer")
	}
	n := len(b) - 4
	if n < 0 || crc32.Checksum(b[:n], castagnoli) != uint32(b[n])|uint32(b[n+1])<<8|uint32(b[n+2])<<16|uint32(b[n+3])<<24 {
		return errDamaged
	}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case refused:
			err = e
		default:
			panic(e)
		}
	}()
	d := &decoder{in: b[:n], slabs: map[*plan]*slab{}}
	for _, x := range outside {
		o := reflect.ValueOf(x)
		d.objects = append(d.objects, object{c.plan(o.Type().Elem()), o.UnsafePointer()})
	}
	done := len(d.objects)
	d.objects = append(d.objects, object{c.plan(v.Type().Elem()), v.UnsafePointer()})
	for ; done < len(d.objects); done++ {
		o := d.objects[done]
		o.plan.dec(d, o.at)
	}
	if d.at != len(d.in) {
		return errDamaged
	}
	return nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// refused is why something cannot be written or read.
type refused string

func (r refused) Error() string { return string(r) }

const errDamaged = refused("pickle: the bytes are damaged")

func refuse(format string, args ...any) { panic(refused("pickle: " + fmt.Sprintf(format, args...))) }

type object struct {
	plan *plan
	at   unsafe.Pointer
}

type encoder struct {
	out     []byte
	strings map[string]uint64
	known   map[*plan]map[unsafe.Pointer]uint64 // object numbers by type and address: a struct and its first field have the same address
	objects []object
	done    int
}

func (e *encoder) add(p *plan, at unsafe.Pointer) uint64 {
	m := e.known[p]
	if m == nil {
		m = map[unsafe.Pointer]uint64{}
		e.known[p] = m
	}
	n, ok := m[at]
	if !ok {
		n = uint64(len(e.objects))
		m[at] = n
		e.objects = append(e.objects, object{p, at})
	}
	return n
}

func (e *encoder) uint(x uint64) {
	for x >= 0x80 {
		e.out = append(e.out, byte(x)|0x80)
		x >>= 7
	}
	e.out = append(e.out, byte(x))
}

func (e *encoder) int(x int64) { e.uint(uint64(x<<1) ^ uint64(x>>63)) }

type decoder struct {
	in      []byte
	at      int
	strings []string
	objects []object
	slabs   map[*plan]*slab
}

func (d *decoder) uint() uint64 {
	if d.at < len(d.in) && d.in[d.at] < 0x80 {
		d.at++
		return uint64(d.in[d.at-1])
	}
	var x uint64
	for s := uint(0); d.at < len(d.in) && s < 64; s += 7 {
		b := d.in[d.at]
		d.at++
		x |= uint64(b&0x7f) << s
		if b < 0x80 {
			return x
		}
	}
	panic(errDamaged)
}

func (d *decoder) int() int64 {
	x := d.uint()
	return int64(x>>1) ^ -int64(x&1)
}

// length reads a number of things, each of which takes at least one byte, and to which more was added.
func (d *decoder) length(more int) int {
	n := d.uint()
	if n > uint64(len(d.in)-d.at+more) {
		panic(errDamaged)
	}
	return int(n)
}

func (d *decoder) byte() byte {
	if d.at >= len(d.in) {
		panic(errDamaged)
	}
	d.at++
	return d.in[d.at-1]
}

// slab is memory for values of one type; many are allocated at a time.
type slab struct {
	next unsafe.Pointer
	left int
	size int // of the last one, in values
}

// Bounds of the values allocated at a time, and of the slices that are cut from a slab.
const (
	mostSlab  = 512
	cutSlices = 64
)

// new returns zeroed memory for n values of a type.
func (d *decoder) new(p *plan, n int) unsafe.Pointer {
	s := p.slab(d)
	if n > cutSlices {
		return reflect.MakeSlice(p.many, n, n).UnsafePointer()
	}
	if s.left < n {
		s.size = min(max(2*s.size, 8, n), mostSlab)
		s.next, s.left = reflect.MakeSlice(p.many, s.size, s.size).UnsafePointer(), s.size
	}
	at := s.next
	if s.left -= n; s.left > 0 {
		s.next = unsafe.Add(s.next, uintptr(n)*p.size)
	}
	return at
}

func (p *plan) slab(d *decoder) *slab {
	s := d.slabs[p]
	if s == nil {
		s = &slab{}
		d.slabs[p] = s
	}
	return s
}
