package output

// This file aligns the actual output with the wanted one.

// mostAligned bounds the bytes of an output that are aligned; the rest of a long output mostly repeats the same
// mistakes.
const mostAligned = 1200

// Costs of an alignment. Beginning a gap has a cost of its own, so that missing text is missing in few places.
const (
	costBegin  = 2
	costInsert = 1
	costFixed  = 1 // a byte of a literal left out
	costValue  = 2 // a byte of a value left out
	costBlank  = 1 // one white space character for another
	costOther  = 4
	costDigit  = 2 // one digit of a value for another: the value is wrong, its place is right
	never      = 1 << 28
)

// alignment says for each printed byte which wanted byte takes its place; -1 for none. inserted[i] is wanted before
// byte i.
type alignment struct {
	to       []int
	inserted []string
	want     string
	cut      bool // an output was too long
	cost     int
}

// text returns the text wanted in place of bytes a to b. Insertions at the ends of the range are left out.
func (al *alignment) text(a, b int) string {
	var out []byte
	for i := a; i < b; i++ {
		if i > a {
			out = append(out, al.inserted[i]...)
		}
		if al.to[i] >= 0 {
			out = append(out, al.want[al.to[i]])
		}
	}
	return string(out)
}

func blank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' }

func digit(c byte) bool { return c >= '0' && c <= '9' }

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// align aligns two outputs; value marks the bytes of got that conversions printed. With padding, beginning an insertion
// of zeros and blanks in front of a value costs nothing.
func align(got, want string, value []bool, padding bool) *alignment {
	al := &alignment{want: want}
	if len(got) > mostAligned {
		got, al.cut = got[:mostAligned], true
	}
	if len(want) > mostAligned {
		want, al.cut = want[:mostAligned], true
	}
	n, m := len(got), len(want)
	if got == want {
		al.to, al.inserted = make([]int, n), make([]string, n+1)
		for i := range al.to {
			al.to[i] = i
		}
		return al
	}
	// The states: 0 a byte of each is aligned, 1 a byte of got is left out, 2 a byte of want is inserted.
	w := m + 1
	from := make([]uint8, (n+1)*w) // the best previous states, two bits for each of the three
	last, row := make([][3]int32, w), make([][3]int32, w)
	for i := 0; i <= n; i++ {
		del := int32(costFixed)
		if i > 0 && value[i-1] {
			del = costValue
		}
		for j := 0; j <= m; j++ {
			cost := [3]int32{never, never, never}
			var before uint8
			if i == 0 && j == 0 {
				cost[0] = 0
			}
			if i > 0 && j > 0 {
				k, least := least(&last[j-1], 0, 0, 0)
				cost[0], before = least+exchanged(got[i-1], want[j-1], value[i-1]), k
			}
			if i > 0 {
				k, least := least(&last[j], costBegin, 0, costBegin)
				cost[1], before = least+del, before|k<<2
			}
			if j > 0 {
				begin := int32(costBegin)
				if padding && (want[j-1] == '0' || want[j-1] == ' ') && i < n && value[i] && (i == 0 || !value[i-1]) {
					begin = 0
				}
				k, least := least(&row[j-1], begin, begin, 0)
				cost[2], before = least+costInsert, before|k<<4
			}
			row[j], from[i*w+j] = cost, before
		}
		last, row = row, last
	}
	al.to, al.inserted = make([]int, n), make([]string, n+1)
	k, cost := least(&last[m], 0, 0, 0)
	al.cost = int(cost)
	for i, j := n, m; i > 0 || j > 0; {
		before := from[i*w+j] >> (2 * k) & 3
		switch k {
		case 0:
			i, j = i-1, j-1
			al.to[i] = j
		case 1:
			i--
			al.to[i] = -1
		case 2:
			j--
			al.inserted[i] = string(want[j]) + al.inserted[i]
		}
		k = before
	}
	al.settle(value)
	return al
}

// settle moves text that is inserted before omitted bytes of a value to the end of these bytes, because it is no part
// of the value.
func (al *alignment) settle(value []bool) {
	for i := range al.to {
		if al.inserted[i] == "" || al.to[i] >= 0 || !value[i] {
			continue
		}
		j := i
		for j < len(al.to) && al.to[j] < 0 && value[j] {
			j++
		}
		al.inserted[j] = al.inserted[i] + al.inserted[j]
		al.inserted[i] = ""
	}
}

// least returns the cheapest of three states, with the cost of changing from each added, and that cost.
func least(at *[3]int32, a, b, c int32) (uint8, int32) {
	a, b, c = a+at[0], b+at[1], c+at[2]
	switch {
	case a <= b && a <= c:
		return 0, a
	case b <= c:
		return 1, b
	}
	return 2, c
}

// apart returns the cost of the alignment of two texts without values. It skips their common beginning and end, which
// cost nothing.
func apart(got, want string) int {
	got, want = got[:min(len(got), mostAligned)], want[:min(len(want), mostAligned)]
	for got != "" && want != "" && got[0] == want[0] {
		got, want = got[1:], want[1:]
	}
	for got != "" && want != "" && got[len(got)-1] == want[len(want)-1] {
		got, want = got[:len(got)-1], want[:len(want)-1]
	}
	last, row := make([][3]int32, len(want)+1), make([][3]int32, len(want)+1)
	for i := 0; i <= len(got); i++ {
		for j := range row {
			cost := [3]int32{never, never, never}
			if i == 0 && j == 0 {
				cost[0] = 0
			}
			if i > 0 && j > 0 {
				at := &last[j-1]
				cost[0] = min(at[0], at[1], at[2])
				if got[i-1] != want[j-1] {
					cost[0] += exchanged(got[i-1], want[j-1], false)
				}
			}
			if i > 0 {
				at := &last[j]
				cost[1] = min(at[0]+costBegin, at[1], at[2]+costBegin) + costFixed
			}
			if j > 0 {
				at := &row[j-1]
				cost[2] = min(at[0]+costBegin, at[1]+costBegin, at[2]) + costInsert
			}
			row[j] = cost
		}
		last, row = row, last
	}
	end := &last[len(want)]
	return int(min(end[0], end[1], end[2]))
}

// exchanged returns the cost of byte b in place of byte a.
func exchanged(a, b byte, value bool) int32 {
	switch {
	case a == b:
		return 0
	case value && digit(a) && digit(b):
		return costDigit
	case !value && blank(a) && blank(b):
		return costBlank
	case value && (a == ' ' && b == '0' || a == '0' && b == ' '): // padding
		return costBlank
	case value:
		return 3 * costOther
	case digit(a) || digit(b):
		return costOther + 2
	case letter(a) != letter(b) || blank(a) != blank(b):
		return costOther
	}
	return costOther - 1
}

// mostCompared bounds the bytes that Distance compares after the common beginning.
const mostCompared = 400

// Distance returns the number of bytes that are superfluous in an output or missing from it. It knows nothing of values
// and gaps, so each step towards the wanted output makes it smaller.
func Distance(got, want string) int {
	for got != "" && want != "" && got[0] == want[0] {
		got, want = got[1:], want[1:]
	}
	for got != "" && want != "" && got[len(got)-1] == want[len(want)-1] {
		got, want = got[:len(got)-1], want[:len(want)-1]
	}
	rest := max(len(got)-mostCompared, 0) + max(len(want)-mostCompared, 0)
	got, want = got[:min(len(got), mostCompared)], want[:min(len(want), mostCompared)]
	row := make([]int, len(want)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(got) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(want) {
			next := min(row[j], row[j+1]) + 1
			if got[i] == want[j] {
				next = min(next, corner)
			}
			corner, row[j+1] = row[j+1], next
		}
	}
	return row[len(want)] + rest
}
