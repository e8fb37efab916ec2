package gate

import "strings"

// This file finds the lines of the wrong version that its author changed.

// changed returns the lines of wrong, from 1, that right does not have. Where right has additional lines it returns the
// lines of wrong on both sides. White space does not count.
func changed(wrong, right []byte) map[int]bool {
	a, b := lines(wrong), lines(right)
	// common[i][k] is the length of the longest common subsequence of a[i:] and b[k:].
	common := make([][]int32, len(a)+1)
	for i := range common {
		common[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for k := len(b) - 1; k >= 0; k-- {
			if a[i] == b[k] {
				common[i][k] = common[i+1][k+1] + 1
			} else {
				common[i][k] = max(common[i+1][k], common[i][k+1])
			}
		}
	}
	out := map[int]bool{}
	for i, k := 0, 0; i < len(a) || k < len(b); {
		if i < len(a) && k < len(b) && a[i] == b[k] {
			i, k = i+1, k+1
			continue
		}
		from, added := i, false
		for (i < len(a) || k < len(b)) && !(i < len(a) && k < len(b) && a[i] == b[k]) {
			if k == len(b) || i < len(a) && common[i+1][k] >= common[i][k+1] {
				i++
			} else {
				k, added = k+1, added || b[k] != ""
			}
		}
		for l := from; l < i; l++ {
			if a[l] != "" {
				out[l+1] = true
			}
		}
		if from == i && added { // lines are missing between two lines
			out[from], out[from+1] = from > 0, from < len(a)
		}
	}
	for l, is := range out {
		if !is {
			delete(out, l)
		}
	}
	return out
}

func lines(text []byte) []string {
	out := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	for i, l := range out {
		out[i] = strings.Join(strings.Fields(l), " ")
	}
	return out
}
