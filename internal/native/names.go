package native

import (
	"os"
	"regexp"
	"strings"
)

// This file keeps functions of a program apart from those of the library that the harness calls. Students write their
// own strcmp, or a function called read; linked as they are, the harness would call these.

// called are the functions of the library that the harness calls, without those that allocate, end the program, or are
// wrapped.
var called = strings.Fields(`atoi atol clock_gettime close fchdir fchmod fchmodat fcntl fflush fstat fstatat ftruncate
	futimens getpid getrlimit kill lseek madvise memchr memcmp memcpy memfd_create memset mkdirat mprotect munmap open
	openat prctl pread pwrite read sbrk setrlimit setvbuf sigaltstack sigemptyset sigprocmask snprintf strchr strcmp
	strerror strstr strtol syscall sysconf unlinkat vsnprintf waitpid write`)

// definition matches the definition of a function, as far as its body's brace; static ones do not meet others anyway.
var definition = regexp.MustCompile(`\b([a-z_]\w*)\s*\([^;{}()]*\)\s*\{`)

// apart returns flags that give other names to those functions of a program's files that are called as functions are
// that the harness calls. A file that cannot be read has none.
func apart(files []string) (flags []string) {
	own := map[string]bool{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		for _, m := range definition.FindAllSubmatch(text, -1) {
			own[string(m[1])] = true
		}
	}
	for _, name := range called {
		if own[name] {
			flags = append(flags, "-D"+name+"=gulo_own_"+name)
		}
	}
	return flags
}
