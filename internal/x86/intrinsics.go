package x86

import (
	"encoding/binary"
	"math"
	"strings"
)

// This file is gcc's built-in functions for SSE and SSE2, __builtin_ia32_x, on values in memory.

// Intrinsic is such a function.
type Intrinsic struct {
	Result string // "b", "w", "d", "q": a vector of integers; "f", "g": one of float or double; "void", "int", "long", "ulong"
	Loads  int64  // bytes that the last argument points to; Do gets them instead of the pointer
	Stores int64  // bytes of the result that go to where the first argument points; Do gets no such argument
	Do     func(a [][]byte) []byte
}

// Intrinsics are the functions by name, without __builtin_ia32_.
var Intrinsics = map[string]Intrinsic{}

var laneSizes = map[string]int{"b": 1, "w": 2, "d": 4, "q": 8, "f": 4, "g": 8}

func lane(v []byte, i, size int) uint64 {
	var w [8]byte
	copy(w[:], v[i*size:(i+1)*size])
	return binary.LittleEndian.Uint64(w[:])
}

func setLane(v []byte, i, size int, x uint64) {
	copy(v[i*size:(i+1)*size], binary.LittleEndian.AppendUint64(nil, x))
}

func word(v []byte) uint64 {
	var w [8]byte
	copy(w[:], v)
	return binary.LittleEndian.Uint64(w[:])
}

func give(x uint64) []byte { return binary.LittleEndian.AppendUint64(nil, x) }

// each registers an operation on all lanes of two vectors.
func each(name, kind string, f func(a, b uint64) uint64) {
	size := laneSizes[kind]
	Intrinsics[name] = Intrinsic{Result: kind, Do: func(a [][]byte) []byte {
		out := make([]byte, 16)
		for i := range 16 / size {
			setLane(out, i, size, f(lane(a[0], i, size), lane(a[1], i, size)))
		}
		return out
	}}
}

// pick registers a function whose result has bytes of its vectors, which are numbered through; -1 is a zero.
func pick(name, kind string, size int, from func(i int, a [][]byte) int) {
	Intrinsics[name] = Intrinsic{Result: kind, Do: func(a [][]byte) []byte {
		all := append(append([]byte(nil), a[0]...), a[1]...)
		out := make([]byte, 16)
		for i := range 16 / size {
			if k := from(i, a); k >= 0 {
				copy(out[i*size:(i+1)*size], all[k*size:])
			}
		}
		return out
	}}
}

func clamp(v, least, most int64) uint64 { return uint64(max(least, min(most, v))) }

func init() {
	for kind, size := range map[string]int64{"b": 1, "w": 2} {
		least, most, all := -int64(1)<<(8*size-1), int64(1)<<(8*size-1)-1, int64(mask(size))
		each("padds"+kind+"128", kind, func(a, b uint64) uint64 { return clamp(signed(a, size)+signed(b, size), least, most) })
		each("psubs"+kind+"128", kind, func(a, b uint64) uint64 { return clamp(signed(a, size)-signed(b, size), least, most) })
		each("paddus"+kind+"128", kind, func(a, b uint64) uint64 { return clamp(int64(a)+int64(b), 0, all) })
		each("psubus"+kind+"128", kind, func(a, b uint64) uint64 { return clamp(int64(a)-int64(b), 0, all) })
		each("pavg"+kind+"128", kind, func(a, b uint64) uint64 { return (a + b + 1) >> 1 })
	}
	each("pmaxsw128", "w", func(a, b uint64) uint64 { return uint64(max(signed(a, 2), signed(b, 2))) })
	each("pminsw128", "w", func(a, b uint64) uint64 { return uint64(min(signed(a, 2), signed(b, 2))) })
	each("pmaxub128", "b", func(a, b uint64) uint64 { return max(a, b) })
	each("pminub128", "b", func(a, b uint64) uint64 { return min(a, b) })
	each("pmulhw128", "w", func(a, b uint64) uint64 { return uint64(signed(a, 2) * signed(b, 2) >> 16) })
	each("pmulhuw128", "w", func(a, b uint64) uint64 { return a * b >> 16 })
	each("pmuludq128", "q", func(a, b uint64) uint64 { return a & mask(4) * (b & mask(4)) })
	each("pandn128", "q", func(a, b uint64) uint64 { return ^a & b })
	each("pmaddwd128", "d", func(a, b uint64) uint64 {
		return uint64(signed(a, 2)*signed(b, 2) + signed(a>>16, 2)*signed(b>>16, 2))
	})
	each("psadbw128", "q", func(a, b uint64) (sum uint64) {
		for i := range 8 {
			x, y := a>>(8*i)&0xff, b>>(8*i)&0xff
			sum += max(x, y) - min(x, y)
		}
		return sum
	})
	initShuffles()
	initShifts()
	initFloats()
	initCompares()
	initMoves()
}

func initShuffles() {
	for _, p := range []struct {
		name, to string
		from     int
		least    int64
		most     int64
	}{{"packsswb128", "b", 2, -128, 127}, {"packssdw128", "w", 4, -32768, 32767}, {"packuswb128", "b", 2, 0, 255}} {
		Intrinsics[p.name] = Intrinsic{Result: p.to, Do: func(a [][]byte) []byte {
			out := make([]byte, 16)
			n := 16 / p.from
			for i := range 2 * n {
				setLane(out, i, p.from/2, clamp(signed(lane(a[i/n], i%n, p.from), int64(p.from)), p.least, p.most))
			}
			return out
		}}
	}
	for name, kind := range map[string]string{"bw128": "b", "wd128": "w", "dq128": "d", "qdq128": "q"} {
		size := laneSizes[kind]
		n := 16 / size
		pick("punpckl"+name, kind, size, func(i int, _ [][]byte) int { return i/2 + i%2*n })
		pick("punpckh"+name, kind, size, func(i int, _ [][]byte) int { return n/2 + i/2 + i%2*n })
	}
	for name, kind := range map[string]string{"ps": "f", "pd": "g"} {
		size := laneSizes[kind]
		n := 16 / size
		pick("unpckl"+name, kind, size, func(i int, _ [][]byte) int { return i/2 + i%2*n })
		pick("unpckh"+name, kind, size, func(i int, _ [][]byte) int { return n/2 + i/2 + i%2*n })
	}
	pick("pshufd", "d", 4, func(i int, a [][]byte) int { return int(word(a[1]) >> (2 * i) & 3) })
	pick("pshuflw", "w", 2, func(i int, a [][]byte) int { return choose(i < 4, int(word(a[1])>>(2*i)&3), i) })
	pick("pshufhw", "w", 2, func(i int, a [][]byte) int { return choose(i < 4, i, 4+int(word(a[1])>>(2*(i&3))&3)) })
	pick("shufps", "f", 4, func(i int, a [][]byte) int { return int(word(a[2])>>(2*i)&3) + i/2*4 })
	pick("shufpd", "g", 8, func(i int, a [][]byte) int { return int(word(a[2])>>i&1) + i*2 })
	pick("movss", "f", 4, func(i int, _ [][]byte) int { return choose(i == 0, 4, i) })
	pick("movsd", "g", 8, func(i int, _ [][]byte) int { return choose(i == 0, 2, i) })
	pick("movhlps", "f", 4, func(i int, _ [][]byte) int { return choose(i < 2, 6+i, i) })
	pick("movlhps", "f", 4, func(i int, _ [][]byte) int { return choose(i < 2, i, 2+i) })
	Intrinsics["movq128"] = Intrinsic{Result: "q", Do: func(a [][]byte) []byte { return append(append([]byte(nil), a[0][:8]...), make([]byte, 8)...) }}
	for name, size := range map[string]int{"vec_ext_v4si": 4, "vec_ext_v8hi": 2} {
		Intrinsics[name] = Intrinsic{Result: "int", Do: func(a [][]byte) []byte {
			return give(uint64(signed(lane(a[0], int(word(a[1]))&(16/size-1), size), int64(size))))
		}}
	}
	Intrinsics["vec_set_v8hi"] = Intrinsic{Result: "w", Do: func(a [][]byte) []byte {
		out := append([]byte(nil), a[0]...)
		setLane(out, int(word(a[2]))&7, 2, word(a[1]))
		return out
	}}
}

// initShifts registers the shifts, whose count is an int, or the lower half of a vector.
func initShifts() {
	for _, kind := range []string{"w", "d", "q"} {
		size := laneSizes[kind]
		for name, f := range map[string]func(v, n uint64) uint64{
			"psll": func(v, n uint64) uint64 { return v << n }, "psrl": func(v, n uint64) uint64 { return v >> n },
			"psra": func(v, n uint64) uint64 { return uint64(signed(v, int64(size)) >> min(n, 63)) },
		} {
			for _, i := range []string{"", "i"} {
				Intrinsics[name+kind+i+"128"] = Intrinsic{Result: kind, Do: func(a [][]byte) []byte {
					out := make([]byte, 16)
					n := word(a[1])
					if i == "i" {
						n &= 0xff
					}
					for k := range 16 / size {
						v := f(lane(a[0], k, size), n)
						if n >= uint64(8*size) && name != "psra" {
							v = 0
						}
						setLane(out, k, size, v)
					}
					return out
				}}
			}
		}
	}
	pick("pslldqi128", "q", 1, func(i int, a [][]byte) int { return i - int(min(word(a[1])&0xff/8, 16)) })
	pick("psrldqi128", "q", 1, func(i int, a [][]byte) int {
		k := i + int(min(word(a[1])&0xff/8, 16))
		return choose(k < 16, k, -1)
	})
}

func initFloats() {
	for name, f := range map[string]func(a, b float64) float64{
		"add": func(a, b float64) float64 { return a + b }, "sub": func(a, b float64) float64 { return a - b }, "mul": func(a, b float64) float64 { return a * b },
		"div": func(a, b float64) float64 { return a / b }, "min": func(a, b float64) float64 { return choose(a < b, a, b) }, "max": func(a, b float64) float64 { return choose(a > b, a, b) },
		"sqrt": func(_, b float64) float64 { return math.Sqrt(b) },
	} {
		for suffix, kind := range map[string]string{"ps": "f", "pd": "g", "ss": "f", "sd": "g"} {
			size := laneSizes[kind]
			Intrinsics[name+suffix] = Intrinsic{Result: kind, Do: func(a [][]byte) []byte {
				out := append([]byte(nil), a[0]...)
				other := a[len(a)-1]
				for i := range choose(suffix[0] == 'p', 16/size, 1) {
					setLane(out, i, size, floatBits(f(floatOf(lane(a[0], i, size), size), floatOf(lane(other, i, size), size)), size))
				}
				return out
			}}
		}
	}
	for suffix, kind := range map[string]string{"ps": "f", "pd": "g"} {
		for name, f := range map[string]func(a, b uint64) uint64{
			"and": func(a, b uint64) uint64 { return a & b }, "andn": func(a, b uint64) uint64 { return ^a & b },
			"or": func(a, b uint64) uint64 { return a | b }, "xor": func(a, b uint64) uint64 { return a ^ b },
		} {
			each(name+suffix, kind, f)
		}
	}
	conversions()
}

func floatOf(w uint64, size int) float64 {
	if size == 4 {
		return float64(math.Float32frombits(uint32(w)))
	}
	return math.Float64frombits(w)
}

func floatBits(f float64, size int) uint64 {
	if size == 4 {
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}

// integer converts to an integer of a size as the processor does: what does not fit is the least number.
func integer(f float64, size int) uint64 {
	limit := math.Ldexp(1, 8*size-1)
	if !(f >= -limit && f < limit) {
		return uint64(1) << (8*size - 1)
	}
	return uint64(int64(f))
}

// conversions registers cvt and cvtt between vectors and numbers.
func conversions() {
	lanes := func(name, to string, from, n int, f func(w uint64) uint64) {
		Intrinsics[name] = Intrinsic{Result: to, Do: func(a [][]byte) []byte {
			out := make([]byte, 16)
			for i := range n {
				setLane(out, i, laneSizes[to], f(lane(a[0], i, from)))
			}
			return out
		}}
	}
	lanes("cvtdq2ps", "f", 4, 4, func(w uint64) uint64 { return floatBits(float64(signed(w, 4)), 4) })
	lanes("cvtdq2pd", "g", 4, 2, func(w uint64) uint64 { return floatBits(float64(signed(w, 4)), 8) })
	lanes("cvtpd2ps", "f", 8, 2, func(w uint64) uint64 { return floatBits(floatOf(w, 8), 4) })
	lanes("cvtps2pd", "g", 4, 2, func(w uint64) uint64 { return floatBits(floatOf(w, 4), 8) })
	for t, round := range map[string]func(float64) float64{"": math.RoundToEven, "t": math.Trunc} {
		lanes("cvt"+t+"ps2dq", "d", 4, 4, func(w uint64) uint64 { return integer(round(floatOf(w, 4)), 4) })
		lanes("cvt"+t+"pd2dq", "d", 8, 2, func(w uint64) uint64 { return integer(round(floatOf(w, 8)), 4) })
		for from, size := range map[string]int{"ss": 4, "sd": 8} {
			Intrinsics["cvt"+t+from+"2si"] = Intrinsic{Result: "int", Do: func(a [][]byte) []byte { return give(integer(round(floatOf(lane(a[0], 0, size), size)), 4)) }}
			Intrinsics["cvt"+t+from+"2si64"] = Intrinsic{Result: "long", Do: func(a [][]byte) []byte { return give(integer(round(floatOf(lane(a[0], 0, size), size)), 8)) }}
		}
	}
	first := func(name, kind string, f func(b []byte) float64) {
		Intrinsics[name] = Intrinsic{Result: kind, Do: func(a [][]byte) []byte {
			out := append([]byte(nil), a[0]...)
			setLane(out, 0, laneSizes[kind], floatBits(f(a[1]), laneSizes[kind]))
			return out
		}}
	}
	first("cvtsd2ss", "f", func(b []byte) float64 { return floatOf(lane(b, 0, 8), 8) })
	first("cvtss2sd", "g", func(b []byte) float64 { return floatOf(lane(b, 0, 4), 4) })
	for to, kind := range map[string]string{"ss": "f", "sd": "g"} {
		first("cvtsi2"+to, kind, func(b []byte) float64 { return float64(signed(word(b), 4)) })
	}
	first("cvtsi642sd", "g", func(b []byte) float64 { return float64(int64(word(b))) })
	Intrinsics["cvtsi642ss"] = Intrinsic{Result: "f", Do: func(a [][]byte) []byte {
		out := append([]byte(nil), a[0]...)
		setLane(out, 0, 4, uint64(math.Float32bits(float32(int64(word(a[1]))))))
		return out
	}}
}

// initCompares registers the comparisons to masks and to truth values.
func initCompares() {
	for name, f := range map[string]func(a, b float64) bool{
		"eq": func(a, b float64) bool { return a == b }, "lt": func(a, b float64) bool { return a < b }, "le": func(a, b float64) bool { return a <= b },
		"gt": func(a, b float64) bool { return a > b }, "ge": func(a, b float64) bool { return a >= b }, "neq": func(a, b float64) bool { return a != b },
		"nlt": func(a, b float64) bool { return !(a < b) }, "nle": func(a, b float64) bool { return !(a <= b) }, "ngt": func(a, b float64) bool { return !(a > b) },
		"nge": func(a, b float64) bool { return !(a >= b) }, "ord": func(a, b float64) bool { return a == a && b == b }, "unord": func(a, b float64) bool { return a != a || b != b },
	} {
		for suffix, kind := range map[string]string{"ps": "f", "pd": "g", "ss": "f", "sd": "g"} {
			size := laneSizes[kind]
			Intrinsics["cmp"+name+suffix] = Intrinsic{Result: kind, Do: func(a [][]byte) []byte {
				out := append([]byte(nil), a[0]...)
				for i := range choose(suffix[0] == 'p', 16/size, 1) {
					setLane(out, i, size, choose(f(floatOf(lane(a[0], i, size), size), floatOf(lane(a[1], i, size), size)), ^uint64(0), 0))
				}
				return out
			}}
		}
		if len(name) > 2 && name != "neq" {
			continue
		}
		for prefix, size := range map[string]int{"comi": 4, "ucomi": 4, "comisd": 8, "ucomisd": 8} {
			Intrinsics[prefix+name] = Intrinsic{Result: "int", Do: func(a [][]byte) []byte {
				return give(choose[uint64](f(floatOf(lane(a[0], 0, size), size), floatOf(lane(a[1], 0, size), size)), 1, 0))
			}}
		}
	}
	for name, size := range map[string]int{"pmovmskb128": 1, "movmskps": 4, "movmskpd": 8} {
		Intrinsics[name] = Intrinsic{Result: "int", Do: func(a [][]byte) []byte {
			m := uint64(0)
			for i := range 16 / size {
				m |= lane(a[0], i, size) >> (8*size - 1) << i
			}
			return give(m)
		}}
	}
}

// initMoves registers the functions that read or write memory, and those without a value.
func initMoves() {
	half := func(high bool) func(a [][]byte) []byte {
		return func(a [][]byte) []byte {
			out := append([]byte(nil), a[0]...)
			copy(out[choose(high, 8, 0):], a[1][:8])
			return out
		}
	}
	for suffix, kind := range map[string]string{"ps": "f", "pd": "g"} {
		Intrinsics["loadh"+suffix] = Intrinsic{Result: kind, Loads: 8, Do: half(true)}
		Intrinsics["loadl"+suffix] = Intrinsic{Result: kind, Loads: 8, Do: half(false)}
	}
	same := func(a [][]byte) []byte { return a[0] }
	Intrinsics["storehps"] = Intrinsic{Result: "void", Stores: 8, Do: func(a [][]byte) []byte { return a[0][8:] }}
	Intrinsics["storelps"] = Intrinsic{Result: "void", Stores: 8, Do: same}
	for name, size := range map[string]int64{"movntps": 16, "movntpd": 16, "movntdq": 16, "movnti": 4, "movnti64": 8} {
		Intrinsics[name] = Intrinsic{Result: "void", Stores: size, Do: same}
	}
	for name := range strings.SplitSeq("clflush pause mfence lfence sfence emms", " ") {
		Intrinsics[name] = Intrinsic{Result: "void", Do: func([][]byte) []byte { return nil }}
	}
	Intrinsics["rdtsc"] = Intrinsic{Result: "ulong"} // the machine's steps
	for name, size := range map[string]int64{"bsrsi": 4, "bsrdi": 8} {
		Intrinsics[name] = Intrinsic{Result: "int", Do: func(a [][]byte) []byte {
			n := uint64(0)
			for v := word(a[0]) & mask(size) >> 1; v > 0; v >>= 1 {
				n++
			}
			return give(n)
		}}
	}
}
