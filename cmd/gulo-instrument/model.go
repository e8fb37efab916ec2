//go:build llvm19

package main

import (
	"os"
	"strings"
)

// model says what a library function does with memory. Uses of arguments: s reads
// a string (s3: of at most so many bytes as argument 3 says), r3 reads and w3
// writes as many bytes as argument 3 says (r2*3: as the product), d may write the
// object it points to, o8 writes so many bytes unless it is NULL, e1 likewise a
// pointer into the block of argument 1, - nothing that is checked.
type model struct {
	args    []string
	returns int  // the result points into this argument's block, from 1
	format  int  // the format is this argument, from 1
	scan    bool // it is scanf's
	copies  int  // 1: strcpy, 2: strcat
}

func args(u ...string) model { return model{args: u} }

func returning(k int, u ...string) model { return model{args: u, returns: k} }

func formatted(k int, scan bool, u ...string) model { return model{args: u, format: k, scan: scan} }

var models = map[string]model{
	"strlen": args("s"), "strnlen": args("s2"), "strcmp": args("s", "s"), "strncmp": args("s3", "s3"), "strcasecmp": args("s", "s"), "strncasecmp": args("s3", "s3"),
	"strcoll": args("s", "s"), "strspn": args("s", "s"), "strcspn": args("s", "s"), "strdup": args("s"), "strndup": args("s2"), "strtol": args("s", "e1"), "strtoul": args("s", "e1"),
	"strtoll": args("s", "e1"), "strtoull": args("s", "e1"), "strtod": args("s", "e1"), "strtof": args("s", "e1"), "strtold": args("s", "e1"), "strtoimax": args("s", "e1"), "strtoumax": args("s", "e1"),
	"atoi": args("s"), "atol": args("s"), "atof": args("s"), "getenv": args("s"),
	"strchr": returning(1, "s"), "strrchr": returning(1, "s"), "strstr": returning(1, "s", "s"), "strpbrk": returning(1, "s", "s"), "strchrnul": returning(1, "s"),
	"strcpy": {returns: 1, copies: 1}, "strcat": {returns: 1, copies: 2}, "strncpy": returning(1, "w3", "s3"), "strtok": returning(1, "-", "s"),
	"memcmp": args("r3", "r3"), "memchr": returning(1, "r3"),
	"memrchr": returning(1, "r3"), "bcmp": args("r3", "r3"), "bzero": args("w2"),
	"printf": formatted(1, false, "s"), "fprintf": formatted(2, false, "-", "s"), "dprintf": formatted(2, false, "-", "s"), "sprintf": formatted(2, false, "d", "s"),
	"snprintf": formatted(3, false, "w2", "-", "s"), "scanf": formatted(1, true, "s"), "fscanf": formatted(2, true, "-", "s"), "sscanf": formatted(2, true, "s", "s"),
	"puts": args("s"), "fputs": args("s", "-"), "putchar": args(), "fputc": args("-", "-"), "putc": args("-", "-"), "perror": args("s"), "getchar": args(),
	"fgets": returning(1, "w2"), "fgetc": args("-"), "getc": args("-"), "ungetc": args("-", "-"), "fread": args("w2*3", "-", "-", "-"), "fwrite": args("r2*3", "-", "-", "-"),
	"fopen": args("s", "s"), "freopen": args("s", "s", "-"), "fclose": args("-"), "fflush": args("-"), "ferror": args("-"), "feof": args("-"), "fileno": args("-"),
	"fseek": args("-"), "ftell": args("-"), "rewind": args("-"), "setbuf": args("-", "-"), "opendir": args("s"), "readdir": args("-"), "closedir": args("-"),
	"open": args("s"), "close": args(), "read": args("-", "w3"), "write": args("-", "r3"), "unlink": args("s"), "remove": args("s"), "rename": args("s", "s"), "access": args("s"),
	"exit": args(), "abort": args(), "_exit": args(), "rand": args(), "srand": args(), "time": args("o8"), "frexp": args("-", "o4"), "modf": args("-", "o8"), "clock": args(), "__errno_location": args(), "__ctype_b_loc": args(), "__ctype_tolower_loc": args(),
	"__ctype_toupper_loc": args(), "toupper": args(), "tolower": args(), "isalpha": args(), "isdigit": args(), "isspace": args(), "abs": args(), "system": args("s"),
	"__isoc99_scanf": formatted(1, true, "s"), "__isoc99_sscanf": formatted(2, true, "s", "s"), "__isoc99_fscanf": formatted(2, true, "-", "s"),
}

// readLibrary reads the names of functions that are not the program's own: called
// without meta words, and taken to write what their arguments point to when they
// have no model.
func readLibrary(path string) (map[string]bool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for _, n := range strings.Fields(string(text)) {
		out[n] = true
	}
	return out, nil
}

func (x *module) fromLibrary(name string) bool {
	_, ok := models[name]
	return ok || x.library[name]
}
