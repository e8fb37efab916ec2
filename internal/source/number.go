package source

import "strconv"

// Number says how many there are of something, named in the singular: "1 run", "2 runs".
func Number(n int, what string) string {
	if n == 1 || n == -1 {
		return strconv.Itoa(n) + " " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
