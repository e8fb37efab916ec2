package pickle

import (
	"reflect"
	"unsafe"
)

// This file writes and reads the values of each type. A plan is made once for each type. Plans work on memory, since
// reflect.Value would take several times as long.

type plan struct {
	typ  reflect.Type
	many reflect.Type // a slice of it
	size uintptr
	enc  func(e *encoder, at unsafe.Pointer)
	dec  func(d *decoder, at unsafe.Pointer)
}

func (c *Codec) plan(t reflect.Type) *plan {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.planned(t)
}

// planned returns the plan of a type, and makes it if there is none. A plan that is being made has no functions yet;
// plans of types that contain themselves look them up when they are called.
func (c *Codec) planned(t reflect.Type) *plan {
	if p := c.plans[t]; p != nil {
		return p
	}
	p := &plan{typ: t, many: reflect.SliceOf(t), size: t.Size()}
	c.plans[t] = p
	if c.skipped[t] {
		p.enc, p.dec = func(*encoder, unsafe.Pointer) {}, func(*decoder, unsafe.Pointer) {}
		return p
	}
	switch t.Kind() {
	case reflect.Bool, reflect.Uint8:
		p.enc = func(e *encoder, at unsafe.Pointer) { e.out = append(e.out, *(*byte)(at)) }
		p.dec = func(d *decoder, at unsafe.Pointer) { *(*byte)(at) = d.byte() }
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.signed()
	case reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		p.unsigned()
	case reflect.String:
		p.string()
	case reflect.Pointer:
		c.pointer(p)
	case reflect.Slice:
		c.slice(p)
	case reflect.Array:
		c.array(p)
	case reflect.Struct:
		c.structure(p)
	case reflect.Map:
		c.mapping(p)
	case reflect.Interface:
		c.dynamic(p)
	default: // functions, channels and floating-point numbers must be zero
		p.enc = func(_ *encoder, at unsafe.Pointer) {
			if !zero(at, p.size) {
				refuse("a value of type %s", t)
			}
		}
		p.dec = func(*decoder, unsafe.Pointer) {}
	}
	return p
}

func zero(at unsafe.Pointer, size uintptr) bool {
	for _, b := range unsafe.Slice((*byte)(at), size) {
		if b != 0 {
			return false
		}
	}
	return true
}

func (p *plan) signed() {
	switch p.size {
	case 1:
		p.enc = func(e *encoder, at unsafe.Pointer) { e.int(int64(*(*int8)(at))) }
		p.dec = func(d *decoder, at unsafe.Pointer) { *(*int8)(at) = int8(d.int()) }
	case 2:
		p.enc = func(e *encoder, at unsafe.Pointer) { e.int(int64(*(*int16)(at))) }
		p.dec = func(d *decoder, at unsafe.Pointer) { *(*int16)(at) = int16(d.int()) }
	case 4:
		p.enc = func(e *encoder, at unsafe.Pointer) { e.int(int64(*(*int32)(at))) }
		p.dec = func(d *decoder, at unsafe.Pointer) { *(*int32)(at) = int32(d.int()) }
	default:
		p.enc = func(e *encoder, at unsafe.Pointer) { e.int(*(*int64)(at)) }
		p.dec = func(d *decoder, at unsafe.Pointer) { *(*int64)(at) = d.int() }
	}
}

func (p *plan) unsigned() {
	switch p.size {
	case 2:
		p.enc = func(e *encoder, at unsafe.Pointer) { e.uint(uint64(*(*uint16)(at))) }
		p.dec = func(d *decoder, at unsafe.Pointer) { *(*uint16)(at) = uint16(d.uint()) }
	case 4:
		p.enc = func(e *encoder, at unsafe.Pointer) { e.uint(uint64(*(*uint32)(at))) }
		p.dec = func(d *decoder, at unsafe.Pointer) { *(*uint32)(at) = uint32(d.uint()) }
	default:
		p.enc = func(e *encoder, at unsafe.Pointer) { e.uint(*(*uint64)(at)) }
		p.dec = func(d *decoder, at unsafe.Pointer) { *(*uint64)(at) = d.uint() }
	}
}

// string writes each text once, and then only its number.
func (p *plan) string() {
	p.enc = func(e *encoder, at unsafe.Pointer) {
		s := *(*string)(at)
		n, ok := e.strings[s]
		if !ok {
			n = uint64(len(e.strings))
			e.strings[s] = n
		}
		e.uint(n)
		if !ok {
			e.uint(uint64(len(s)))
			e.out = append(e.out, s...)
		}
	}
	p.dec = func(d *decoder, at unsafe.Pointer) {
		n := d.uint()
		if n == uint64(len(d.strings)) {
			size := d.length(0)
			d.strings = append(d.strings, string(d.in[d.at:d.at+size]))
			d.at += size
		}
		if n >= uint64(len(d.strings)) {
			panic(errDamaged)
		}
		*(*string)(at) = d.strings[n]
	}
}

// pointer writes the number of an object, or 0 for nil. Objects are written in the order of their numbers.
func (c *Codec) pointer(p *plan) {
	elem := c.planned(p.typ.Elem())
	p.enc = func(e *encoder, at unsafe.Pointer) {
		to := *(*unsafe.Pointer)(at)
		if to == nil {
			e.uint(0)
			return
		}
		e.uint(e.add(elem, to) + 1)
	}
	p.dec = func(d *decoder, at unsafe.Pointer) { *(*unsafe.Pointer)(at) = d.object(elem) }
}

// object reads the number of an object of a type.
func (d *decoder) object(elem *plan) unsafe.Pointer {
	n := d.uint()
	switch {
	case n == 0:
		return nil
	case n-1 < uint64(len(d.objects)):
		if o := &d.objects[n-1]; o.plan == elem {
			return o.at
		}
	case n-1 == uint64(len(d.objects)):
		at := d.new(elem, 1)
		d.objects = append(d.objects, object{elem, at})
		return at
	}
	panic(errDamaged)
}

// slice is how Go lays out a slice.
type slice struct {
	data     unsafe.Pointer
	len, cap int
}

func (c *Codec) slice(p *plan) {
	elem := c.planned(p.typ.Elem())
	flat := p.typ.Elem().Kind() == reflect.Uint8
	p.enc = func(e *encoder, at unsafe.Pointer) {
		s := (*slice)(at)
		if s.data == nil {
			e.uint(0)
			return
		}
		e.uint(uint64(s.len) + 1)
		if flat {
			e.out = append(e.out, *(*[]byte)(at)...)
			return
		}
		for i := range s.len {
			elem.enc(e, unsafe.Add(s.data, uintptr(i)*elem.size))
		}
	}
	p.dec = func(d *decoder, at unsafe.Pointer) {
		n := d.length(1) // 0 is nil
		if n == 0 {
			return
		}
		if n--; n == 0 {
			*(*slice)(at) = slice{data: reflect.MakeSlice(p.typ, 0, 0).UnsafePointer()}
			return
		}
		data := d.new(elem, n)
		*(*slice)(at) = slice{data, n, n}
		if flat {
			copy(*(*[]byte)(at), d.in[d.at:d.at+n])
			d.at += n
			return
		}
		for i := range n {
			elem.dec(d, unsafe.Add(data, uintptr(i)*elem.size))
		}
	}
}

func (c *Codec) array(p *plan) {
	elem, n := c.planned(p.typ.Elem()), p.typ.Len()
	p.enc = func(e *encoder, at unsafe.Pointer) {
		for i := range n {
			elem.enc(e, unsafe.Add(at, uintptr(i)*elem.size))
		}
	}
	p.dec = func(d *decoder, at unsafe.Pointer) {
		for i := range n {
			elem.dec(d, unsafe.Add(at, uintptr(i)*elem.size))
		}
	}
}

// structure writes which fields are not zero, and then those fields.
func (c *Codec) structure(p *plan) {
	type field struct {
		off uintptr
		*plan
	}
	var fields []field
	for i := range p.typ.NumField() {
		f := p.typ.Field(i)
		if f.Type.Size() > 0 && !c.skipped[f.Type] {
			fields = append(fields, field{f.Offset, c.planned(f.Type)})
		}
	}
	if len(fields) > 64 {
		p.enc = func(*encoder, unsafe.Pointer) { refuse("a struct of more than 64 fields: %s", p.typ) }
		return
	}
	p.enc = func(e *encoder, at unsafe.Pointer) {
		mask := uint64(0)
		for i := range fields {
			if f := &fields[i]; !zero(unsafe.Add(at, f.off), f.size) {
				mask |= 1 << i
			}
		}
		e.uint(mask)
		for i := range fields {
			if f := &fields[i]; mask>>i&1 != 0 {
				f.enc(e, unsafe.Add(at, f.off))
			}
		}
	}
	p.dec = func(d *decoder, at unsafe.Pointer) {
		mask := d.uint()
		for i := 0; mask != 0; i++ {
			if mask&1 != 0 {
				if i >= len(fields) {
					panic(errDamaged)
				}
				f := &fields[i]
				f.dec(d, unsafe.Add(at, f.off))
			}
			mask >>= 1
		}
	}
}

func (c *Codec) mapping(p *plan) {
	key, val := c.planned(p.typ.Key()), c.planned(p.typ.Elem())
	p.enc = func(e *encoder, at unsafe.Pointer) {
		m := reflect.NewAt(p.typ, at).Elem()
		if m.IsNil() {
			e.uint(0)
			return
		}
		e.uint(uint64(m.Len()) + 1)
		k, v := reflect.New(key.typ), reflect.New(val.typ)
		for it := m.MapRange(); it.Next(); {
			k.Elem().SetIterKey(it)
			v.Elem().SetIterValue(it)
			key.enc(e, k.UnsafePointer())
			val.enc(e, v.UnsafePointer())
		}
	}
	p.dec = func(d *decoder, at unsafe.Pointer) {
		n := d.length(1) // 0 is nil
		if n == 0 {
			return
		}
		m := reflect.MakeMapWithSize(p.typ, n-1)
		for range n - 1 {
			k, v := reflect.New(key.typ), reflect.New(val.typ)
			key.dec(d, k.UnsafePointer())
			val.dec(d, v.UnsafePointer())
			m.SetMapIndex(k.Elem(), v.Elem())
		}
		reflect.NewAt(p.typ, at).Elem().Set(m)
	}
}

// pair is how Go lays out an interface: a word for the dynamic type, and the value if that is a pointer.
type pair struct{ tab, data unsafe.Pointer }

// dynamic writes the number of the dynamic type, from 1 on, and the value.
func (c *Codec) dynamic(p *plan) {
	tabs := make([]unsafe.Pointer, len(c.concrete)) // of the types that are pointers
	elems := make([]*plan, len(c.concrete))
	for i, t := range c.concrete {
		if t.Kind() == reflect.Pointer && t.Implements(p.typ) {
			v := reflect.New(p.typ)
			v.Elem().Set(reflect.Zero(t))
			tabs[i] = (*pair)(v.UnsafePointer()).tab
			elems[i] = c.planned(t.Elem())
		}
	}
	p.enc = func(e *encoder, at unsafe.Pointer) {
		x := reflect.NewAt(p.typ, at).Elem()
		if x.IsNil() {
			e.uint(0)
			return
		}
		n, ok := c.number[x.Elem().Type()]
		if !ok || elems[n] == nil {
			refuse("a value of the dynamic type %s", x.Elem().Type())
		}
		e.uint(n + 1)
		if x.Elem().IsNil() {
			e.uint(0)
			return
		}
		e.uint(e.add(elems[n], x.Elem().UnsafePointer()) + 1)
	}
	p.dec = func(d *decoder, at unsafe.Pointer) {
		n := d.uint()
		if n == 0 {
			return
		}
		if n > uint64(len(elems)) || elems[n-1] == nil {
			panic(errDamaged)
		}
		*(*pair)(at) = pair{tabs[n-1], d.object(elems[n-1])}
	}
}
